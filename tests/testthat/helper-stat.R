# Statistical tests with a stated error rate.
#
# ALPHA: every expectation below fails with probability at most ALPHA when the code is right
# (expect_law: up to the chi-square approximation, good here because cells hold 25 or more).
# A suite of 1000 such expectations fails by chance once in 1000 runs.
ALPHA <- 1e-6

# `make audit` runs the long form of what a normal run does in small.
audit_slow <- identical(Sys.getenv("DPDEPTH_SLOW"), "true")
audit_size <- function(fast, slow) if (audit_slow) slow else fast

# Adjacent cells pooled until each is expected to hold `least`; what is left at the end joins the last.
pool_cells <- function(expected, least) {
  group <- integer(length(expected))
  id <- 1L
  held <- 0
  for (i in seq_along(expected)) {
    group[[i]] <- id
    held <- held + expected[[i]]
    if (held >= least) {
      id <- id + 1L
      held <- 0
    }
  }
  if (id > 1L) group[group == id] <- id - 1L
  group
}

chisq_pvalue <- function(counts, probs, least) {
  n <- sum(counts)
  group <- pool_cells(n * probs, least)
  sums <- rowsum(cbind(seen = as.vector(counts), expected = as.vector(n * probs)), group)
  if (nrow(sums) < 2) return(1)
  square <- sum((sums[, "seen"] - sums[, "expected"])^2 / sums[, "expected"])
  pchisq(square, nrow(sums) - 1, lower.tail = FALSE)
}

# P-value of `counts` under the law `probs` over the same cells in their natural order. Cells
# are pooled twice: to an expectation of 25, which sees a single wrong value, and to about 16
# equally likely cells, which sees a small change of scale; Bonferroni over the two. If
# `probs` sums to less than one, the rest is a last cell with no counts. A count where the
# probability is zero has p-value zero.
law_pvalue <- function(counts, probs) {
  stopifnot(length(counts) == length(probs), all(probs >= 0), sum(probs) < 1 + 1e-9)
  if (any(counts[probs == 0] > 0)) return(0)
  rest <- max(0, 1 - sum(probs))
  counts <- c(counts, 0)
  probs <- c(probs, rest)
  n <- sum(counts)
  min(1, 2 * min(chisq_pvalue(counts, probs, 25), chisq_pvalue(counts, probs, n / 16)))
}

# The counts follow the law: chi-square at level ALPHA. expect_not_law(): the same test rejects.
expect_law <- function(counts, probs, label = "the law") {
  p <- law_pvalue(counts, probs)
  expect(p > ALPHA, sprintf("%s: the law is rejected with p = %.3g", label, p))
}
expect_not_law <- function(counts, probs, label = "the wrong law") {
  p <- law_pvalue(counts, probs)
  expect(p <= ALPHA, sprintf("%s: not rejected, p = %.3g", label, p))
}

# Draws follow a cdf, continuous or not: Dvoretzky-Kiefer-Wolfowitz with Massart's constant,
# exact for every n. `cdf` is a vectorised function; for a law with atoms give `cdf_left`,
# P(X < x), too.
dkw_band <- function(n, alpha = ALPHA) sqrt(log(2 / alpha) / (2 * n))
dkw_distance <- function(x, cdf, cdf_left = cdf) {
  n <- length(x)
  at <- unique(sort(x))
  up_to <- findInterval(at, sort(x)) / n
  below <- c(0, up_to[-length(up_to)])
  max(abs(up_to - cdf(at)), abs(below - cdf_left(at)))
}
expect_cdf <- function(x, cdf, cdf_left = cdf, label = "the cdf") {
  distance <- dkw_distance(x, cdf, cdf_left)
  expect(distance <= dkw_band(length(x)),
         sprintf("%s: distance %.3g beyond the band %.3g", label, distance, dkw_band(length(x))))
}

# Confidence intervals for a probability after k successes in n. Clopper-Pearson: never below
# the stated confidence, by inverting binomial tails. Wilson: the score interval, shorter,
# right on average only; for reports, not for tests.
clopper_pearson <- function(k, n, alpha = ALPHA) {
  c(if (k == 0) 0 else qbeta(alpha / 2, k, n - k + 1),
    if (k == n) 1 else qbeta(alpha / 2, k + 1, n - k, lower.tail = FALSE))
}
wilson <- function(k, n, alpha = ALPHA) {
  z <- qnorm(alpha / 2, lower.tail = FALSE)
  centre <- (k + z^2 / 2) / (n + z^2)
  centre + c(-1, 1) * z / (n + z^2) * sqrt(k * (n - k) / n + z^2 / 4)
}

# k successes in n are in keeping with probability p, by Clopper-Pearson at level ALPHA.
covers <- function(k, n, p) {
  interval <- clopper_pearson(k, n)
  interval[[1]] <= p && p <= interval[[2]]
}
expect_prob <- function(k, n, p, label = "the probability") {
  expect(covers(k, n, p), sprintf("%s: %d of %d against %.6g", label, k, n, p))
}
expect_not_prob <- function(k, n, p, label = "the wrong probability") {
  expect(!covers(k, n, p), sprintf("%s: %d of %d not rejected against %.6g", label, k, n, p))
}

pick <- function(x) x[[sample.int(length(x), 1)]]

# delta of rho-zCDP at epsilon, by brute force over the order.
zcdp_delta <- function(rho, epsilon) {
  log_delta <- function(t) {
    a <- 1 + exp(t)
    (a - 1) * (a * rho - epsilon) + a * log1p(-1 / a) - t
  }
  t <- seq(-15, 20, by = 0.01)
  near <- t[[which.min(log_delta(t))]] + c(-0.01, 0.01)
  exp(stats::optimize(log_delta, near, tol = 1e-10)$objective)
}

# The rho of continuous normal noise that is (epsilon, delta)-private, by its exact privacy profile.
normal_rho <- function(epsilon, delta) {
  over <- function(size) {
    mu <- sqrt(2) * exp(size / 2)
    stats::pnorm(mu / 2 - epsilon / mu) - exp(epsilon) * stats::pnorm(-mu / 2 - epsilon / mu) - delta
  }
  exp(stats::uniroot(over, log(c(1e-9, 100)), tol = 1e-13)$root)
}
