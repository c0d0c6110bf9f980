# Private quantiles: errors in ranks beside rivals in corrected form, and speed.
#
# Usage: Rscript bench/quantiles.R; writes bench/quantiles.md. Some minutes. Simulated data only.
library(dpdepth)
source("bench/common.R")
old <- options(dpdepth.rng = "R")
dpdepth_threads(1)
epsilon <- 1
prior <- prior_uniform(-100, 100)

draw <- function(x, probs, levels) {
  each <- dpdepth:::quantile_budget(epsilon, 0, levels$share)$each
  dpdepth:::draw_quantiles(x, probs, prior, each, levels, "R")[1, ]
}

flat <- function(m) list(split = m, share = 1)
# Recursive halving in corrected form: one quantile a block, public ranks, epsilon shared by the levels.
halving <- function(m) {
  depth <- ceiling(log2(m + 1))
  list(split = rep(1L, depth), share = rep(1 / depth, depth))
}

# Slicing (Imola et al., 2025) in corrected form, without the coin that a proof of pure privacy needs: target
# ranks get correlated noise from a tree of sums, with a half of epsilon, halved again since a replaced row
# shifts the ranks between two places; each quantile is the private median of the rows within `reach` of its
# noisy rank, with the other half, halved since two slices may change. The reach is what the distance of
# targets leaves, at most that of the authors for rows a lattice of 10^-6 apart. NULL where noisy ranks come
# too close or too far out, which the authors answer by a uniform draw.
slicing <- function(x, p) {
  n <- nrow(x)
  m <- length(p)
  noise <- tree_noise(m, epsilon / 4)
  target <- floor(p * n) + noise$draw
  gap <- min(diff(c(0, p, 1))) * n
  reach <- min(floor((gap - 2 * noise$sd) / 2) - 1, ceiling(8 / epsilon * log(m * 200 / (1e-6 * 0.05))))
  if (reach < 1 || any(diff(target) < 2 * reach + 1) ||
        any(target < reach + 1 | target > n - reach)) {
    return(NULL)
  }
  rows <- sort(x)
  one <- list(split = 1L, share = 1)
  least <- prior$lower
  for (j in seq_len(m)) {
    slice <- matrix(rows[target[[j]] + -reach:reach])
    here <- prior_uniform(least, prior$upper)
    least <- dpdepth:::draw_quantiles(slice, 0.5, here, epsilon / 4, one, "R")[[1]]
    p[[j]] <- least
  }
  p
}

# Noise of the sums up to 1..m: each node of a binary tree over the m places has discrete Laplace noise.
tree_noise <- function(m, epsilon) {
  depth <- ceiling(log2(m)) + 1
  laplace <- function(k) stats::rgeom(k, -expm1(-epsilon / depth)) - stats::rgeom(k, -expm1(-epsilon / depth))
  nodes <- lapply(seq_len(depth) - 1, function(level) laplace(ceiling(m / 2^level)))
  draw <- vapply(seq_len(m), function(t) {
    used <- bitwAnd(t, 2^(seq_len(depth) - 1)) > 0
    sum(vapply(which(used), function(level) nodes[[level]][[(t %/% 2^(level - 1))]], 0))
  }, 0)
  list(draw = draw, sd = sqrt(depth) * sqrt(2) * depth / epsilon)
}

methods <- list(
  "dp_quantile()" = function(x, p) unname(coef(dp_quantile(x, p, epsilon, prior = prior))),
  "joint exponential mechanism" = function(x, p) if (length(p) <= 19) draw(x, p, flat(length(p))),
  "recursive halving" = function(x, p) draw(x, p, halving(length(p))),
  "slicing" = function(x, p) slicing(x, p),
  "each by itself" = function(x, p) {
    one <- list(split = 1L, share = 1)
    sort(vapply(p, function(q) {
      dpdepth:::draw_quantiles(x, q, prior, epsilon / length(p), one, "R")[[1]]
    }, 0))
  }
)

# The error in ranks: the number of rows between a draw and the sample's quantile, an order statistic. Mean
# over quantiles and data, and of the largest one of a draw; standard errors.
errors <- function(method, n, m, runs) {
  p <- seq_len(m) / (m + 1)
  set.seed(1)
  found <- replicate(runs, {
    x <- stats::rnorm(n)
    z <- suppressWarnings(methods[[method]](matrix(x), p))
    if (is.null(z)) return(c(NA, NA))
    up_to <- findInterval(z, sort(x))
    rank <- ceiling(n * p - 1e-9)
    off <- pmax(up_to - rank, rank - 1 - up_to)
    c(mean(off), max(off))
  })
  drawn <- !is.na(found[1, ])
  if (sum(drawn) < 2) return(rep(NA, 5))
  found <- found[, drawn]
  c(rowMeans(found), apply(found, 1, stats::sd) / sqrt(sum(drawn)), mean(drawn))
}

# n, m, runs, and those of dp_quantile(), whose errors are told to a percent
cases <- list(c(1000, 3, 400, 400), c(1e4, 9, 200, 200), c(1e4, 19, 100, 100), c(1e4, 99, 60, 1000),
              c(1000, 99, 60, 600))
accuracy_rows <- vapply(cases, function(case) {
  cells <- vapply(names(methods), function(method) {
    e <- errors(method, case[[1]], case[[2]], case[[if (method == "dp_quantile()") 4 else 3]])
    if (is.na(e[[1]])) return("")
    share <- if (e[[5]] < 1) sprintf(", %.0f%% drawn", 100 * e[[5]]) else ""
    sprintf("%.1f (%.1f) / %.1f (%.1f)%s", e[[1]], e[[3]], e[[2]], e[[4]], share)
  }, "")
  row <- sprintf("| %d | %s | %s |", case[[2]], format(case[[1]], big.mark = ","),
                 paste(cells, collapse = " | "))
  message(row)
  row
}, "")

# Of processor time.
seconds <- function(code) min(replicate(3, sum(system.time(code(), gcFirst = TRUE)[1:2])))
speed_rows <- vapply(c(1e4, 1e6, 1e7), function(n) {
  x <- stats::rnorm(n)
  ours <- vapply(list(0.5, 1:9 / 10, 1:99 / 100), function(p) {
    seconds(function() dp_quantile(x, p, epsilon, prior = prior, rng = "system"))
  }, 0)
  theirs <- c(seconds(function() stats::median(x)), seconds(function() stats::quantile(x, 1:99 / 100)))
  sprintf("| %s | %s |", format(n, big.mark = ",", scientific = FALSE),
          paste(sprintf("%.3f", c(ours[[1]], theirs[[1]], ours[2:3], theirs[[2]])), collapse = " | "))
}, "")
options(old)

write_page("quantiles", c(
  "# Private quantiles",
  "",
  ran_on("one thread"),
  "",
  "## Errors in ranks",
  "",
  paste("Rows between a draw and the sample's quantile: mean over quantiles / largest of a draw, standard",
        "errors in brackets. m quantiles at equal distances, epsilon = 1, n rows from N(0, 1), bounds -100",
        "and 100. Runs: 400, 200, 100, 60 and 60; of `dp_quantile()` with 99 quantiles 1000 and 600."),
  "",
  paste0("| m | n | ", paste(sprintf("`%s`", names(methods)[[1]]), collapse = ""), " | ",
         paste(names(methods)[-1], collapse = " | "), " |"),
  "|---|---|---|---|---|---|---|",
  accuracy_rows,
  "",
  paste("Rivals are in corrected form, all exact draws on the same lattice. *Joint exponential mechanism*",
        "(Gillenwater et al., 2021): as published its rate makes it 1.96 epsilon-private under",
        "substitution; at the right rate its law is that of `dp_quantile()` up to 19 quantiles. *Recursive",
        "halving* (Kaplan et al., 2022): one quantile a block, with public ranks. *Slicing* (Imola et al.,",
        "2025): target ranks with the correlated noise of a tree, then the private median of a slice of rows",
        "about each, both at rates for substitution; the published reach of slices is a function of the data",
        "and here one of public numbers. It gives no quantiles where slices would meet: empty cells, or the",
        "share of draws that it gave."),
  "",
  "## Seconds",
  "",
  "Of processor time, the whole call, checks included, beside functions without privacy.",
  "",
  "| n | median | `median()` | 9 quantiles | 99 quantiles | `quantile()`, 99 |",
  "|---|---|---|---|---|---|",
  speed_rows
))
