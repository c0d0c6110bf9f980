# Medians of rows that tie, between wide limits: how often a draw is noise, for the help of plan_median().
#
# METHOD: 102 rows, epsilon = 1, limits +-1e6, where plan_median(spread = 1) has 0.03%. The distribution of
#   a draw is summed over gaps between rows, exp(epsilon depth / 2) times the gap, and over the lattice
#   points of the values themselves; its chance beyond five spreads is averaged over samples. The draws of
#   dp_median() are counted beside it.
#
# Usage: Rscript data-raw/ties.R [samples, 2000], with the package installed; some minutes. Prints a table.

library(dpdepth)
given <- suppressWarnings(as.integer(commandArgs(TRUE)[1]))
samples <- if (is.na(given)) 2000L else given
n <- 102
epsilon <- 1
half <- 1e6

# public-rng: simulated data
laws <- list(
  "normal, no ties" = list(r = function() stats::rnorm(n), spread = 1),
  "45% zeros, others normal" = list(r = function() stats::rnorm(n) * (stats::runif(n) >= 0.45), spread = 1),
  "45% zeros, others exponential" = list(r = function() stats::rexp(n) * (stats::runif(n) >= 0.45),
                                         spread = 1),
  "counts, mean 2" = list(r = function() stats::rpois(n, 2), spread = sqrt(2))
)

# `step`: the lattice's.
chance <- function(x, step, spread) {
  x <- sort(x)
  v <- unique(x)
  upto <- findInterval(v, x)
  count <- c(0, upto)
  size <- pmax(diff(c(-half, v, half)) - step, 0)
  near <- pmax(0, pmin(c(v, half), 5 * spread) - pmax(c(-half, v), -5 * spread) - step)
  atom <- pmin(upto, n - c(0, upto[-length(upto)]))
  top <- n / 2
  weight <- exp(epsilon / 2 * (pmin(count, n - count) - top))
  inside <- sum(weight * near) + sum(exp(epsilon / 2 * (atom - top)) * step)
  1 - inside / (inside + sum(weight * (size - near)))
}

table <- do.call(rbind, lapply(names(laws), function(name) {
  law <- laws[[name]]
  set.seed(20261128)
  found <- lapply(c(FALSE, TRUE), function(whole) {
    t(replicate(samples, {
      x <- law$r()
      if (whole) x <- round(x)
      r <- suppressWarnings(dp_median(x, epsilon, lower = -half, upper = half, resolution = if (whole) 1,
                                      rng = "R"))
      step <- if (whole) 1 else r$details$step
      c(chance(x, step, law$spread), abs(coef(r)) > 5 * law$spread)
    }))
  })
  shares <- vapply(found, colMeans, c(0, 0))
  data.frame(rows = name, noise = signif(shares[1, 1], 2), drawn = signif(shares[2, 1], 2),
             with_resolution_1 = signif(shares[1, 2], 2), drawn_with = signif(shares[2, 2], 2))
}))
print(table)
