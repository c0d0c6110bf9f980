# Two regressors: draws by boxes, by boxes that hand over to cuts by the rows, and by these alone.
#
# Usage: Rscript bench/regression-planes.R [regular expression on families]; prints the rows of the table in
# bench/regression-planes.md. Three minutes of processor time.

source("bench/common.R")
ns <- asNamespace("dpdepth")
seconds_most <- 10
rotate <- function(n, i) i[((seq_len(n) - 1) %% length(i)) + 1]
clusters <- function(n, sd, at) {
  x <- at[rotate(n, seq_len(nrow(at))), , drop = FALSE] + matrix(rnorm(2 * n, sd = sd), n)
  list(x = x, y = drop(x %*% c(2, -1)) + 1 + rnorm(n, sd = sd))
}
plane <- function(x, noise) list(x = x, y = 1 + drop(x %*% c(2, -1)) + noise)
normal <- function(n = 300) plane(matrix(rnorm(2 * n), n), rnorm(n))
three <- function(sd, n = 300) clusters(n, sd, rbind(c(0, 0), c(1, 0), c(0, 1)))
flags <- function(n = 300) list(x = matrix(rbinom(2 * n, 1, 0.5), n), y = rbinom(n, 1, 0.5))
family <- function(name, make, epsilon = 1, limits = 50, origin = FALSE) {
  list(name = name, make = make, epsilon = epsilon, limits = limits, origin = origin)
}
curve <- function(n, y, x1, x2, sd) {
  function() {
    t <- runif(n, -1, 1)
    list(x = cbind(x1(t), x2(t)), y = y(t) + rnorm(n, sd = sd))
  }
}
families <- list(
  family("normal, n = 30", function() normal(30)),
  family("normal, n = 100", function() normal(100)),
  family("normal", function() normal()),
  family("normal, n = 1,000", function() normal(1000)),
  family("normal, epsilon = 8", function() normal(), epsilon = 8),
  family("normal, epsilon = 0.5", function() normal(), epsilon = 0.5),
  family("normal, limits 1e6", function() normal(), limits = 1e6),
  family("three clusters, sd 0.1", function() three(0.1)),
  family("three clusters, sd 0.01", function() three(0.01)),
  family("three clusters, sd 1e-4", function() three(1e-4)),
  family("three clusters, sd 1e-6", function() three(1e-6)),
  family("three clusters, sd 1e-4, epsilon = 8", function() three(1e-4), epsilon = 8),
  family("two clusters, sd 0.1", function() clusters(300, 0.1, rbind(c(0, 0), c(1, 1)))),
  family("two clusters, sd 1e-4", function() clusters(300, 1e-4, rbind(c(0, 0), c(1, 1)))),
  family("y = t^2 on (x, t), sd 0.01",
         curve(300, function(t) t^2, function(t) rnorm(300), identity, 0.01)),
  family("y = t^3 on (t, t^2), sd 0.01, n = 100",
         curve(100, function(t) t^3, identity, function(t) t^2, 0.01)),
  family("y = t^3 on (t, t^2), sd 0.01", curve(300, function(t) t^3, identity, function(t) t^2, 0.01)),
  family("two flags and a response of 0 and 1", function() flags()),
  family("the same, limits 1e6", function() flags(), limits = 1e6),
  family("a number, a flag and a response of 0 and 1",
         function() list(x = cbind(rnorm(300), rbinom(300, 1, 0.5)), y = rbinom(300, 1, 0.5))),
  family("five levels each",
         function() list(x = matrix(sample(5, 600, TRUE), 300), y = sample(5, 300, TRUE))),
  family("five levels each, epsilon = 8",
         function() list(x = matrix(sample(5, 600, TRUE), 300), y = sample(5, 300, TRUE)), epsilon = 8),
  family("ten levels, response in steps of 1e-3", function() {
    x <- matrix(sample(10, 600, TRUE), 300)
    list(x = x, y = round(drop(x %*% c(1, -1)) + rnorm(300), 3))
  }),
  family("normal, one row at 1e6", function() {
    d <- normal()
    d$x[1, ] <- d$y[1] <- 1e6
    d
  }),
  family("a plane, every tenth row 1e-4 off it", function() {
    plane(matrix(rnorm(600), 300), ifelse(seq_len(300) %% 10 == 0, 1e-4 * rnorm(300), 0))
  }),
  family("two scales, 1 and 1e-4",
         function() plane(cbind(rnorm(300), 1e-4 * rnorm(300)), 1e-4 * rnorm(300))),
  family("normal, n = 3,000", function() normal(3000)),
  family("normal, n = 10,000", function() normal(10000)),
  family("three regressors, no intercept", function() {
    x <- matrix(rnorm(900), 300)
    list(x = x, y = drop(x %*% c(1, -1, 2)) + rnorm(300))
  }, origin = TRUE),
  family("three flags, no intercept, limits 1e6", function() {
    list(x = matrix(rbinom(900, 1, 0.5), 300), y = rbinom(300, 1, 0.5))
  }, limits = 1e6, origin = TRUE)
)

# Nodes, seconds of the processor: one draw with at most so many boxes; NA after `seconds_most`.
draw <- function(f, data, boxes) {
  x <- data$x + 0
  directions <- dpdepth::directions(ncol(x), 100)
  rows <- list(if (f$origin) x else cbind(1, x), as.double(data$y), x %*% t(directions), f$origin)
  k <- ncol(rows[[1]])
  prior <- ns$prior_fields(dpdepth::prior_uniform(rep(-f$limits, k), rep(f$limits, k)))
  setTimeLimit(cpu = seconds_most, transient = TRUE)
  on.exit(setTimeLimit())
  start <- proc.time()[["user.self"]]
  counts <- tryCatch(
    .Call(ns$ffi_regression_draw, "system", rows, prior, f$epsilon, c(1L, 1L),
          c(1L, as.integer(boxes)))$counts,
    error = function(e) if (grepl("time limit", conditionMessage(e))) NULL else stop(e)
  )
  if (is.null(counts)) return(c(nodes = NA, seconds = Inf))
  c(nodes = counts[[3]], seconds = proc.time()[["user.self"]] - start)
}

ways <- c(boxes = .Machine$integer.max, handed = 20000, rows = 0)
middle <- function(f) {
  set.seed(7)
  data <- f$make()
  got <- lapply(ways, function(boxes) {
    of <- vapply(1:3, function(k) draw(f, data, boxes), c(nodes = 0, seconds = 0))
    of[, order(of["seconds", ])[[2]]]
  })
  cell <- function(v) {
    if (is.infinite(v[["seconds"]])) return(sprintf("no end | over %d", seconds_most))
    sprintf("%s | %.2f", format(v[["nodes"]], big.mark = ","), v[["seconds"]])
  }
  sprintf("| %s | %s |", f$name, paste(vapply(got, cell, ""), collapse = " | "))
}

chosen <- commandArgs(trailingOnly = TRUE)
if (length(chosen) > 0) families <- Filter(function(f) grepl(chosen[[1]], f$name), families)
for (f in families) cat(middle(f), "\n", sep = "")
