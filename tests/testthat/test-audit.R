# audit_privacy(): bounds on mechanisms whose epsilon is known, exact laws, methods. Error rates: stated.

two_sided <- function(x, epsilon) sum(x) + (stats::rexp(1) - stats::rexp(1)) / epsilon

test_that("a mechanism that is 2-private is caught at 1, and a right claim stands", {
  skip_on_cran()
  set.seed(101)
  # the bound's confidence is 0.999999: a right claim is rejected with probability ALPHA at most
  wrong <- audit_privacy(function(x) two_sided(x, 2), 0, 1, epsilon = 1, draws = 4000, level = 1 - ALPHA)
  expect_true(wrong$rejected)
  expect_true(wrong$lower > 1 && wrong$lower <= 2)
  right <- audit_privacy(two_sided, 0, 1, epsilon = 2, draws = 4000, level = 1 - ALPHA)
  expect_false(right$rejected)
  expect_gt(right$lower, 1)
  # with a delta that covers it
  expect_false(audit_privacy(function(x) two_sided(x, 2), 0, 1, epsilon = 1, delta = 0.5, draws = 1000,
                             level = 1 - ALPHA)$rejected)
})

test_that("right claims are rejected no more often than stated", {
  skip_on_cran()
  set.seed(102)
  # sharp: randomised response at its own epsilon; 200 audits at level 0.9
  missed <- vapply(1:200, function(i) {
    sides <- lapply(stats::plogis(c(1, -1)), function(p) matrix(stats::rbinom(200, 1, p)))
    test_claim(sides, 1, 0, 0.9)$rejected
  }, NA)
  expect_lt(sum(missed), stats::qbinom(ALPHA, 200, 0.1, lower.tail = FALSE))
})

test_that("what shows in values, cells, coordinates and failures is seen", {
  skip_on_cran()
  set.seed(103)
  caught_at_1 <- function(mechanism, ...) {
    audit_privacy(mechanism, 0, 1, epsilon = 1, draws = 1000, level = 1 - ALPHA, ...)
  }
  expect_identical(caught_at_1(function(x) sample(c(1, 5, x + 2), 1))$event, "statistic 1 = 3")
  # a spread, by cells or tails
  expect_true(caught_at_1(function(x) stats::rnorm(1, 0, 1) * (1 + 9 * x))$rejected)
  expect_match(caught_at_1(function(x) c(stats::runif(1), stats::runif(1) + x))$event, "statistic 2")
  expect_match(caught_at_1(function(x) if (x > 0) stop("no") else 3)$event, "no release|3$")
  failing <- caught_at_1(function(x) if (x > 0 && stats::runif(1) < 0.5) stop("no") else 3)
  expect_true(failing$rejected && failing$event == "no release")
  # a statistic of several numbers of a draw
  hidden <- caught_at_1(function(x) {
    u <- stats::runif(1)
    c(u, (u + x / 2) %% 1)
  }, statistic = function(v) v[[1]] > v[[2]])
  expect_true(hidden$rejected)
})

test_that("releases of this package are run with the claim, and stand", {
  skip_on_cran()
  set.seed(104)
  a <- audit_privacy(dp_median, c(1, 2, 2, 3, 7), c(2, 2, 3, 7, 9), epsilon = 2, draws = 200, lower = 0,
                     upper = 10, resolution = 1, rng = "R", level = 1 - ALPHA)
  expect_false(a$rejected)
  expect_true(is.finite(a$lower))
  b <- audit_privacy(dp_quantile, 1:4, 1:3, epsilon = 1, draws = 100, probs = c(0.3, 0.6), lower = 0,
                     upper = 5, neighbours = "add_remove", rng = "R", level = 1 - ALPHA)
  expect_false(b$rejected)
})

test_that("exact laws give the exact epsilon and curve", {
  p <- c(0.5, 0.3, 0.2)
  law <- function(x) log(if (x) p else rev(p))
  a <- audit_privacy(law, TRUE, FALSE, epsilon = 1, exact = TRUE)
  expect_equal(a$lower, log(2.5))
  expect_false(a$rejected)
  expect_true(audit_privacy(law, TRUE, FALSE, epsilon = 0.9, exact = TRUE)$rejected)
  expect_equal(a$curve$delta, vapply(a$curve$epsilon, hockey_stick, 0, p = p, q = rev(p)))
  at <- audit_privacy(law, TRUE, FALSE, epsilon = 0.9, delta = 0.05, exact = TRUE)$lower
  expect_equal(hockey_stick(p, rev(p), at), 0.05, tolerance = 1e-8)
  # the larger of both directions
  expect_equal(exact_delta(log(c(0.9, 0.1)), log(c(0.5, 0.5)), log(2)), 0.3)
  expect_equal(exact_delta(log(c(0.5, 0.5)), log(c(0.9, 0.1)), log(2)), 0.3)
  uneven <- function(x) log(if (x) c(0.9, 0.1) else c(0.5, 0.5))
  expect_equal(audit_privacy(uneven, TRUE, FALSE, epsilon = 2, exact = TRUE)$lower, log(5))
  hole <- function(x) log(c(1, x, 1 - x) / 2)
  expect_identical(audit_privacy(hole, 0, 1, epsilon = 9, exact = TRUE)$lower, Inf)
  expect_identical(audit_privacy(hole, 0, 1, epsilon = 9, delta = 0.4, exact = TRUE)$lower, Inf)
  expect_identical(audit_privacy(hole, 0, 1, epsilon = 9, delta = 0.5, exact = TRUE)$lower, 0)
})

test_that("an audit prints, has a tidy curve and pictures", {
  set.seed(105)
  a <- audit_privacy(two_sided, 0, 1, epsilon = 1, draws = 400)
  expect_output(expect_identical(print(a), a), "NOT PRIVATE")
  expect_identical(names(tidy(a)), c("epsilon", "delta", "delta_low"))
  expect_true(all(tidy(a)$delta_low <= tidy(a)$delta + 1e-12))
  # no more than the true curve but for chance: of 200 draws, at level 0.999 for each of 31
  true <- function(e) max(0, 1 - exp((e - 1) / 2))
  expect_true(all(tidy(a)$delta_low <= vapply(tidy(a)$epsilon, true, 0)))
  expect_identical(glance(a)$epsilon, 1)
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_identical(plot(a), a)
  skip_if_not_installed("ggplot2")
  expect_s3_class(ggplot2::autoplot(a), "ggplot")
})

test_that("bad arguments are refused", {
  refused <- function(...) expect_error(audit_privacy(..., draws = 100), class = "dpdepth_error_input")
  refused(3, 0, 1, epsilon = 1)
  refused(two_sided, 0, 1)
  refused(function(x) x, 0, 1, epsilon = 1, weights = 1)
  refused(function(x) "a", 0, 1, epsilon = 1)
  refused(function(x) seq_len(x + 1), 0, 1, epsilon = 1)
  refused(function(x) c(0.5, 0.5), 0, 1, epsilon = 1, exact = TRUE)
  refused(function(x) log(c(0.6, 0.6)), 0, 1, epsilon = 1, exact = TRUE)
  refused(two_sided, 0, 1, epsilon = 1, statistic = 3)
  # memory for all of them is taken before the first
  expect_error(audit_privacy(two_sided, 0, 1, epsilon = 1, draws = 1e9), "from 100 to 10000000",
               class = "dpdepth_error_input")
  expect_error(audit_privacy(function(x) stop("broken"), 0, 1, epsilon = 1, draws = 100), "broken")
})

test_that("a law that is at its delta is not above it by rounding", {
  law <- function(x) if (x == 1) c(-Inf, 0) else log(c(0.1, 0.9))
  at <- function(delta) audit_privacy(law, 1, 2, epsilon = 1, delta = delta, exact = TRUE)
  expect_false(at(0.1)$rejected)
  expect_lt(at(0.1)$lower, 1e-6)
  expect_identical(at(0.0999)$lower, Inf)
})

test_that("an audit as a row and a table: bounds below 0 say nothing", {
  set.seed(91)
  same <- audit_privacy(function(x) stats::rnorm(1), 1, 2, epsilon = 1, draws = 200) # public-rng: no release
  expect_lt(same$lower, 0)
  expect_identical(glance(same)$lower, 0)
  expect_false(glance(replace(same, "lower", 0.5))$rejected)
  expect_identical(as.data.frame(same), tidy(same))
  named <- paste("at", seq_len(nrow(tidy(same))))
  expect_identical(row.names(as.data.frame(same, row.names = named)), named)
  told <- summary(same)
  expect_identical(told$result, glance(same))
  expect_output(print(told), "delta_low")
  expect_output(print(told), "not rejected")
})
