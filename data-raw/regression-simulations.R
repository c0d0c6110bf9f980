# The private regressions against each other: writes vignettes/regression-paper.csv and
# vignettes/regression-settings.csv.
#
# Usage: Rscript data-raw/regression-simulations.R [both, paper, settings, several or four] [replicates, 100]
# [methods, all], in the repository, with the package installed. Half an hour of processor time. A setting's
# rows are written, in place of those that are there, when it is done. All methods see the same data.
#
# Paper: the design of section 5 of Cumings-Menon (2022): y = 1 + 2 x + v, x and v from one law; 100
# replicates; delta = 1e-6; limits [-50, 50] of both coefficients. Methods that need a box of the data get
# the smallest [-c, c]^2 that holds a share psi of the rows, which costs them nothing, and lose the rows
# beyond it. Errors of the line at the quartiles of the law of x. (The deepest line, Medsweep and fits without
# privacy in the same design: regression-accuracy.R.)
#
# Settings: epsilon from 0.1 to 2, n from 50 to 20,000, outliers, unequal variances, a regressor of five
# values, and up to eight regressors; y = 1 + 2 (x1 + x2 + ...) + v. Boxes are public: [-5, 5] for a
# regressor, [-20, 20] for the response. Errors at the quartiles of x; with several regressors those of the
# slopes.

source("data-raw/regression-methods.R")
given <- commandArgs(TRUE)
part <- c(given, "both")[[1]]
replicates <- as.integer(c(given[-1], 100)[[1]])
chosen <- given[-(1:2)]

# Mean squared (with its standard error) and median absolute errors of what was released: a list of vectors,
# one a replicate.
summarised <- function(errors) {
  done <- Filter(function(e) !anyNA(e), errors)
  if (length(done) == 0) return(c(failed = length(errors), mse = NA, mse_se = NA, median_abs = NA))
  squared <- vapply(done, function(e) mean(e^2), 0)
  c(failed = length(errors) - length(done), mse = mean(squared),
    mse_se = stats::sd(squared) / sqrt(length(done)), median_abs = stats::median(abs(unlist(done))))
}

# All replicates of one setting. `draw()`: a list with data, boxes and errors(fit). Epsilons are the inner
# loop, since what does not depend on them is found once. What is refused once is refused always.
errors_of <- function(draw, methods, epsilons, seed) {
  if (length(chosen) > 0) methods <- Filter(function(method) method$name %in% chosen, methods)
  if (length(methods) == 0) return(NULL)
  cells <- expand.grid(m = seq_along(methods), e = seq_along(epsilons))
  refused <- rep(FALSE, nrow(cells))
  errors <- lapply(seq_len(replicates), function(i) {
    set.seed(seed + i)
    drawn <- draw()
    lapply(seq_len(nrow(cells)), function(cell) {
      method <- methods[[cells$m[[cell]]]]
      if (refused[[cell]]) return(NA)
      fit <- attempt(method$fit, drawn[[method$data]], epsilons[[cells$e[[cell]]]], drawn[[method$box]])
      if (is.null(fit)) refused[[cell]] <<- TRUE
      if (is.null(fit)) NA else drawn$errors(fit)
    })
  })
  found <- t(vapply(seq_len(nrow(cells)), function(cell) {
    summarised(lapply(errors, function(one) one[[cell]]))
  }, c(failed = 0, mse = 0, mse_se = 0, median_abs = 0)))
  data.frame(method = vapply(methods[cells$m], `[[`, "", "name"),
             psi = vapply(methods[cells$m], `[[`, 0, "psi"), epsilon = epsilons[cells$e],
             replicates = replicates, found, row.names = NULL)
}
method_of <- function(fit, name, psi = NA_real_, data = "data", box = "box") {
  list(fit = fit, name = name, psi = psi, data = data, box = box)
}
as_methods <- function(fits, ...) Map(method_of, fits, names(fits), ...)

# -- the paper's design ------------------------------------------------------------------------------

laws <- list(normal = list(draw = stats::rnorm, quartile = stats::qnorm(0.75)),
             Laplace = list(draw = function(n) sample(c(-1, 1), n, TRUE) * stats::rexp(n), quartile = log(2)),
             "t (3)" = list(draw = function(n) stats::rt(n, 3), quartile = stats::qt(0.75, 3)))
sizes <- c(50, 100, 200, 300, 400, 500)
shares <- c(0.95, 0.98, 1)

# The rows within the smallest box that holds a share psi of them, and the box.
boxed_rows <- function(data, psi) {
  size <- pmax(abs(data$x), abs(data$y))
  edge <- sort(size)[[ceiling(psi * length(size))]]
  list(data = data[size <= edge, ], box = list(x = c(-edge, edge), y = c(-edge, edge)))
}

paper_draw <- function(law, n) {
  x <- law$draw(n)
  data <- data.frame(x = x, y = 1 + 2 * x + law$draw(n))
  out <- list(data = data, box = NULL, errors = function(fit) {
    as.vector(cbind(1, c(-1, 1) * law$quartile) %*% (stats::coef(fit) - c(1, 2)))
  })
  for (psi in shares) out[paste0(c("data", "box"), psi)] <- boxed_rows(data, psi)
  out
}

paper <- function(law, n) {
  boxes <- function(names, psi) as_methods(boxed[names], psi, paste0("data", psi), paste0("box", psi))
  methods <- c(as_methods(ours[c("exponential", "batches", "restricted")]),
               boxes(c("NoisyStats", "Theil-Sen", "Theil-Sen, one matching", "gradient"), 0.98),
               boxes(c("NoisyStats", "Theil-Sen"), 0.95), boxes(c("NoisyStats", "Theil-Sen"), 1))
  cbind(law = law, n = n, errors_of(function() paper_draw(laws[[law]], n), methods, c(4, 12),
                                     seed = 1e6 * match(law, names(laws)) + 1000 * n))
}

tasks <- expand.grid(n = sizes, law = names(laws), stringsAsFactors = FALSE)
for (i in if (!part %in% c("settings", "several", "four")) seq_len(nrow(tasks))) {
  put_rows(paper(tasks$law[[i]], tasks$n[[i]]), "regression-paper", c("law", "n", "method", "psi", "epsilon"),
           c("mse", "mse_se", "median_abs"))
  message(tasks$law[[i]], ", ", tasks$n[[i]], ": ", round(sum(proc.time()[c(1, 4)])), " s of processor time")
}

# -- the settings people have ----------------------------------------------------------------------------

# One regressor and what is wrong with the rows: the regressor and the errors are standard normal but where
# `kind` says otherwise. Outliers: a cluster at x = 3, y = -15.
kinds <- list(
  normal = function(n) list(x = stats::rnorm(n), v = stats::rnorm(n), out = 0),
  "5% outliers" = function(n) list(x = stats::rnorm(n), v = stats::rnorm(n), out = 0.05),
  "10% outliers" = function(n) list(x = stats::rnorm(n), v = stats::rnorm(n), out = 0.1),
  "20% outliers" = function(n) list(x = stats::rnorm(n), v = stats::rnorm(n), out = 0.2),
  "errors with spread 0.2 + |x|" = function(n) {
    x <- stats::rnorm(n)
    list(x = x, v = (0.2 + abs(x)) * stats::rnorm(n), out = 0)
  },
  "x of five values" = function(n) list(x = sample(0:4, n, TRUE), v = stats::rnorm(n), out = 0)
)

line_draw <- function(kind, n) {
  rows <- kinds[[kind]](n)
  y <- 1 + 2 * rows$x + rows$v
  bad <- seq_len(round(rows$out * n))
  rows$x[bad] <- 3 + stats::rnorm(length(bad), 0, 0.1)
  y[bad] <- -15 + stats::rnorm(length(bad), 0, 0.1)
  at <- if (kind == "x of five values") c(1, 3) else stats::qnorm(c(0.25, 0.75))
  list(data = data.frame(x = rows$x, y = y), box = list(x = c(-5, 5), y = c(-20, 20)),
       errors = function(fit) as.vector(cbind(1, at) %*% (stats::coef(fit) - c(1, 2))))
}

# Outliers as with one regressor, at 3 in each.
plane_draw <- function(kind, p, n) {
  x <- matrix(stats::rnorm(n * p), n, dimnames = list(NULL, paste0("x", seq_len(p))))
  y <- 1 + 2 * rowSums(x) + stats::rnorm(n)
  bad <- seq_len(round(kinds[[kind]](1)$out * n))
  x[bad, ] <- 3 + stats::rnorm(length(bad) * p, 0, 0.1)
  y[bad] <- -15 + stats::rnorm(length(bad), 0, 0.1)
  list(data = data.frame(x, y = y),
       box = list(x = c(-5, 5), y = c(-20, 20)), errors = function(fit) unname(stats::coef(fit)[-1]) - 2)
}

# Which methods serve: those that take n^2 log n up to 500 or 1000 rows; what knows one regressor only; the
# exponential mechanism up to four regressors.
serving <- function(n, p) {
  fits <- c(ours, boxed[setdiff(names(boxed), "gradient")], list(TukeyEM = tukeyem))
  slow <- c(if (n > 500) "restricted", if (n > 1000) c("deepest", "gradient, clipped at 0.25"))
  line <- if (p > 1) c("restricted", "deepest", setdiff(names(boxed), "AdaSSP"))
  far <- if (p > 3) c(if (p > 4) "exponential", "Medsweep") # 45 steps: hopeless, and slow
  as_methods(fits[setdiff(names(fits), c(slow, line, far))])
}

setting <- function(kind, n, p, epsilons, times = replicates) {
  replicates <<- min(replicates, times)
  on.exit(replicates <<- as.integer(c(given[-1], 100)[[1]]))
  draw <- function() if (p > 1) plane_draw(kind, p, n) else line_draw(kind, n)
  private <- errors_of(draw, serving(n, p), epsilons, 1000 * (n + p))
  alone <- errors_of(draw, as_methods(list("least squares" = least)), NA, 1000 * (n + p))
  out <- cbind(kind = kind, p = p, n = n, rbind(alone, private))
  out[names(out) != "psi"]
}

least <- function(data, epsilon, box) stats::lm(y ~ ., data)
few <- c(0.1, 0.5, 1, 2)
cases <- c(
  lapply(c(50, 200, 500), function(n) list("normal", n, 1, few)),
  unlist(lapply(names(kinds)[-1], function(kind) {
    lapply(c(200, 500), function(n) list(kind, n, 1, 1))
  }), recursive = FALSE),
  lapply(c(500, 2000, 6000), function(n) list("normal", n, 8, 1)),
  lapply(c(200, 1000), function(n) list("normal", n, 2, 1)),
  list(list("normal", 1000, 1, few), list("normal", 500, 3, 1), list("normal", 5000, 1, few),
       list("normal", 20000, 1, few))
)
# with fewer replicates, where a draw takes seconds
several <- c(Map(list, "normal", c(4000, 5000, 5500), 5:7, 1, 30),
             lapply(names(kinds)[2:4], function(kind) list(kind, 500, 3, 1, 20)),
             list(list("normal", 1000, 4, 1, 10)))
four <- lapply(names(kinds)[3:4], function(kind) list(kind, 1000, 4, 1, 10))
for (case in c(if (!part %in% c("paper", "several", "four")) cases,
               if (!part %in% c("paper", "four")) several, if (part != "paper") four)) {
  put_rows(do.call(setting, case), "regression-settings", c("kind", "p", "n", "method", "epsilon"),
           c("mse", "mse_se", "median_abs"))
  message(toString(case), ": ", round(sum(proc.time()[c(1, 4)])), " s of processor time")
}
