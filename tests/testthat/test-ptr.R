# Propose, test, release: the test's law, and the general tool.

# P(margin + Z > T), Z discrete Laplace.
pass_exactly <- function(margin, epsilon, delta) {
  q <- exp(-epsilon)
  above <- dpdepth:::ptr_threshold(epsilon, delta) + 1 - margin
  ifelse(above > 0, q^above, 1 + q - q^(1 - above)) / (1 + q)
}

test_that("the threshold is the least whole number that noise alone passes with probability delta at most", {
  for (epsilon in c(0.01, 0.3, 1, 2.5, 20)) for (delta in c(0.3, 1e-3, 1e-9)) {
    q <- exp(-epsilon)
    t <- 0:4000
    least <- min(t[q^(t + 1) / (1 + q) <= delta])
    expect_identical(dpdepth:::ptr_threshold(epsilon, delta), as.double(least))
    expect_lte(pass_exactly(0, epsilon, delta), delta * (1 + 1e-9))
  }
})

test_that("the test has its exact law", {
  skip_on_cran()
  for (margin in c(0, 3, 5, 9)) {
    passed <- sum(replicate(2000, dpdepth:::ptr_test(margin, 1, 0.01, "system")))
    expect_prob(passed, 2000, pass_exactly(margin, 1, 0.01))
  }
  passed <- sum(replicate(2000, dpdepth:::ptr_test(4, 1, 0.01, "system")))
  expect_not_prob(passed, 2000, pass_exactly(5, 1, 0.01), "a margin one larger")
})

test_that("outcomes of the test are close for margins that differ by one; a jump is caught", {
  close <- function(a, b, epsilon, delta) {
    p <- pass_exactly(a, epsilon, delta)
    r <- pass_exactly(b, epsilon, delta)
    worst <- max(p - exp(epsilon) * r, (1 - p) - exp(epsilon) * (1 - r))
    worst <= 1e-12
  }
  for (epsilon in c(0.2, 1, 4)) for (a in 0:30) {
    expect_true(close(a, a + 1, epsilon, 1e-4) && close(a + 1, a, epsilon, 1e-4))
  }
  # a search that stopped at 10 and called what it had not seen safe for ever
  expect_false(close(10, 1e6, 0.2, 1e-4) && close(1e6, 10, 0.2, 1e-4))
})

test_that("ptr() releases, refuses, and does the same work either way", {
  calls <- 0
  release <- function(epsilon, laplace) {
    calls <<- calls + 1
    c(a = 1.5, b = epsilon)
  }
  yes <- ptr(1000, release, epsilon = 2, delta = 1e-6, share = 0.25, n = 10)
  no <- ptr(0, release, epsilon = 2, delta = 1e-6)
  expect_identical(calls, 2)
  expect_s3_class(yes, "dp_release")
  expect_true(yes$released)
  expect_identical(yes$estimate, c(a = 1.5, b = 1.5))
  expect_identical(yes$n, 10L)
  expect_identical(yes$details$epsilon_test, 0.5)
  expect_false(no$released)
  expect_identical(no$estimate, c(a = NA_real_, b = NA_real_))
  expect_identical(names(yes), names(no))
  expect_output(print(no), "NOT RELEASED")
  # nothing of the margin is in it
  expect_false(any(grepl("1000", capture.output(dput(unclass(yes))))))
})

test_that("ptr() debits its ledger, passed or not, and not for bad arguments", {
  ledger <- dp_ledger(3, 1e-3)
  release <- function(epsilon, laplace) 0
  ptr(0, release, 1, 1e-4, ledger = ledger)
  ptr(99, release, 1, 1e-4, ledger = ledger)
  expect_equal(summary(ledger)["epsilon", "spent"], 2)
  for (bad in list(-1, 0.5, NA, "a", c(1, 2), NULL, Inf)) {
    expect_error(ptr(bad, release, 1, 1e-4, ledger = ledger), class = "dpdepth_error_input")
  }
  expect_error(ptr(1, release, 1, 1e-4, n = methods::getClass("numeric")), class = "dpdepth_error_input")
  expect_error(ptr(1, 3, 1, 1e-4, ledger = ledger), class = "dpdepth_error_input")
  expect_error(ptr(1, release, 1, 0, ledger = ledger), class = "dpdepth_error_input")
  expect_error(ptr(1, release, 1, 1e-4, share = 1, ledger = ledger), class = "dpdepth_error_input")
  expect_error(ptr(1, release), class = "dpdepth_error_input")
  expect_error(ptr(1, release, 2, 1e-4, ledger = ledger), class = "dpdepth_error_budget")
  expect_equal(summary(ledger)["epsilon", "spent"], 2)
  # a margin is data: its value is not told
  message <- tryCatch(ptr(17.25, release, 1, 1e-4), error = conditionMessage)
  expect_false(grepl("17", message))
})

test_that("the noise that ptr() hands out is Laplace, and close between neighbouring centers", {
  draw <- function(center, n) dpdepth:::laplace_on_grid(rep(center, n), 2, 0.5, "system")
  w <- draw(10, 4000)
  # rep() has 4000 coordinates: the noise is wider by 4000 steps in 2^20 or so
  laplace <- function(v) ifelse(v < 10, exp((v - 10) / 4) / 2, 1 - exp(-(v - 10) / 4) / 2)
  expect_cdf(w, function(v) laplace(v) + ifelse(v < 10, 0.004, -0.004), laplace)
  # the exact laws: P(w) proportional to exp(-|w - round(center/step)|/scale)
  for (epsilon in c(0.01, 0.5, 3)) {
    sensitivity <- 0.7
    step <- 2^(floor(log2(sensitivity / epsilon)) - 20)
    scale <- ceiling((sensitivity / step + 1) / epsilon)
    worst <- 0
    for (center in c(0, 0.3, 1e6 + 1 / 3)) {
      worst <- max(worst, abs(round((center + sensitivity) / step) - round(center / step)) / scale)
    }
    expect_lte(worst, epsilon)
  }
  # values on a public grid only
  one <- dpdepth:::laplace_on_grid(c(a = pi), 1, 1, "system")
  expect_identical(one[["a"]] / 2^-20, round(one[["a"]] / 2^-20))
  expect_named(one, "a")
})

test_that("ptr() as a whole is private: exact laws on small data; a broken margin is caught", {
  # data: ones and zeros; the count c of n. Safe to release exactly (no noise) if all are alike or nearly:
  # the release is the majority, unsafe at c = n/2; its margin is the distance to that
  n <- 20
  majority <- function(c) c > n / 2
  margin <- function(c) if (majority(c)) c - n / 2 - 1 else n / 2 - c
  epsilon <- 1
  delta <- 0.01
  law <- function(c, margin) {
    p <- pass_exactly(margin(c), epsilon, delta)
    out <- c(fail = 1 - p, low = 0, high = 0)
    out[[if (majority(c)) "high" else "low"]] <- p
    out
  }
  worst <- function(margin) {
    max(vapply(0:(n - 1), function(c) {
      a <- law(c, margin)
      b <- law(c + 1, margin)
      max(hockey_stick(a, b, epsilon), hockey_stick(b, a, epsilon))
    }, 0))
  }
  expect_lte(worst(margin), delta + 1e-12)
  # one more than the truth: both neighbours of the border claim safety
  expect_gt(worst(function(c) margin(c) + 1), delta * 1.2)
})

test_that("a huge epsilon is a release like any other: the sampler of the test once refused it", {
  release <- function(epsilon, laplace) laplace(1, 1, 1)
  for (epsilon in c(1e4, 1e6)) {
    expect_true(ptr(50, release, epsilon, 1e-6, share = 0.9)$released)
    expect_identical(dpdepth:::ptr_threshold(epsilon, 1e-6), 0)
    expect_s3_class(dp_median_restricted(1:40 / 10, epsilon, 1e-6), "dp_release")
  }
})

test_that("errors after the debit are none of bad input, which promises that nothing was spent", {
  ledger <- dp_ledger(10, 0.1)
  bad <- list(function(epsilon, laplace) "a", function(epsilon, laplace) laplace(1, 0, epsilon),
              function(epsilon, laplace) laplace(1, 1, -epsilon))
  for (release in bad) {
    e <- expect_error(ptr(5, release, 1, 1e-4, ledger = ledger), "is spent", class = "dpdepth_error_release")
    expect_false(inherits(e, "dpdepth_error_input"))
  }
  expect_equal(summary(ledger)["epsilon", "spent"], 3)
})
