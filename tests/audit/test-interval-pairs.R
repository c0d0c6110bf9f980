# Whole releases of intervals of lines on two neighbours, as a black box: no outcome's chances differ by more
# than exp(epsilon), beyond what chance allows.

# Outcomes of `count` releases, in coarse steps: the slope, the width of its limits, and which are finite.
line_outcomes <- function(d, epsilon, count, seed) {
  set.seed(seed)
  plan <- plan_exponential(nrow(d), c("(Intercept)", "x"), list(lower = -2, upper = 2), epsilon, 0, 0.5)
  # so few rows get no interval: the same plan without the look at what it is worth
  plan$interval <- with_bindings(list(scan_serves = function(...) TRUE), plan_line_intervals(
    0.9, nrow(d), c("(Intercept)", "x"), epsilon, 0.5, plan$prior, NULL, NULL, plan$weights
  ))
  # public numbers by which scans of so few rows get anywhere
  plan$interval[[1]]$sets <- 30
  plan$interval[[1]]$t <- nrow(d) - 1
  source <- check_rng("R")
  x <- as.matrix(d$x)
  vapply(seq_len(count), function(i) {
    out <- run_exponential(x, d$y, plan, source)
    steps <- ceiling(-log((out$interval[, 2] - out$interval[, 1]) / 8) / -log(slab_ratio) / 8)
    toString(c(round(out$estimate[[2]]), pmin(steps, 99)[[2]], is.finite(out$interval[2, ])))
  }, "")
}

# The largest lower bound of |log ratio| of sets of outcomes, at level ALPHA for all of them: single outcomes,
# and those that are likelier in one half of the releases, judged by the other half.
largest_loss <- function(a, b) {
  cells <- unique(c(a, b))
  counts <- function(v) tabulate(match(v, cells), length(cells))
  half <- seq_along(a) %% 2 == 0
  first <- cbind(counts(a[half]), counts(b[half]))
  second <- cbind(counts(a[!half]), counts(b[!half]))
  total <- sum(!half)
  ratio <- log((first[, 1] + 0.5) / (first[, 2] + 0.5))
  sets <- c(lapply(c(0, 0.5, 1), function(r) which(ratio > r)),
            lapply(c(0, 0.5, 1), function(r) which(ratio < -r)),
            as.list(utils::head(order(-rowSums(first)), 10)))
  level <- ALPHA / (4 * length(sets))
  worst <- vapply(sets, function(set) {
    k <- colSums(second[set, , drop = FALSE])
    low <- stats::qbeta(level, k, total - k + 1)
    high <- stats::qbeta(1 - level, k + 1, total - k)
    max(log(low / rev(high)))
  }, 0)
  max(worst)
}

# What is seen of the loss between two neighbours: of all that one row can do, the deepest line gets shallow.
seen_loss <- function(epsilon, count) {
  base <- data.frame(x = c(0, 0, 1, 1, 2, 2), y = c(0, 0, 1, 1, 2, 2) / 2)
  other <- base
  other[6, ] <- c(2, -2)
  largest_loss(line_outcomes(base, epsilon, count, 1), line_outcomes(other, epsilon, count, 2))
}

test_that("releases of a line with limits tell neighbours apart by epsilon at most", {
  count <- audit_size(500, 20000)
  for (epsilon in audit_size(1, c(1, 4, 8))) {
    loss <- seen_loss(epsilon, count)
    expect_lte(loss, epsilon)
    if (audit_slow) cat(sprintf("\n  epsilon %g: loss of a line with limits at least %.3f", epsilon, loss))
  }
})

test_that("scans without noise are seen", {
  expect_true(caught(bug(function() seen_loss(1, 500) > 1, "scan_noise", "t + rho - nu + 1", "t + 1")))
})
