# Limits of the noise alone, from its public law.

# P(|Z| <= k), summed.
inside <- function(law, k) {
  z <- seq(-2e4, 2e4)
  weight <- if (law$noise == "Laplace") exp(-law$rate * abs(z)) else exp(-z^2 / (2 * law$variance))
  sum(weight[abs(z) <= k]) / sum(weight)
}

# Is a quantile of the noise below its level, or a step more than it needs?
reach_is_wrong <- function(level = 0.95) {
  laws <- list(list(noise = "Laplace", rate = 0.1), list(noise = "Gaussian", variance = 1000))
  any(vapply(laws, function(law) {
    k <- noise_reach(law, level)
    inside(law, k) < level || inside(law, k - 1) >= level
  }, NA))
}

# Are the limits of a mean or of a count narrower than the noise that the draw adds?
limits_miss_noise <- function() {
  x <- rep(c(0, 1), c(30, 10))
  miss <- function(release, truth) {
    mean(replicate(2000, {
      limits <- confint(suppressWarnings(release()), level = 0.8)
      truth < limits[[1]] || limits[[2]] < truth
    }))
  }
  most <- stats::qbinom(1 - ALPHA / 3, 2000, 0.2) / 2000
  noisy_mean <- function(...) dp_mean(x, 0.5, lower = 0, upper = 1, ..., rng = "R")
  miss(function() noisy_mean(), 0.25) > most ||
    miss(function() noisy_mean(neighbours = "add_remove"), 0.25) > most ||
    miss(function() dp_histogram(x, 0.5, breaks = c(1, 2), rng = "R"), 10) > most
}

test_that("limits that are too narrow are found out", {
  skip_on_cran()
  set.seed(28)
  expect_false(reach_is_wrong())
  expect_false(limits_miss_noise())
  for (b in list(
    bug(reach_is_wrong, "noise_reach", "log(2/((1 - level) * (1 + q)))", "log(1/((1 - level) * (1 + q)))"),
    bug(reach_is_wrong, "noise_reach", "(2 * law$variance)", "law$variance"),
    bug(limits_miss_noise, "noise_limits", "noise_reach(law, 1 - (1 - level)/law$sums)",
        "noise_reach(law, level)/2"),
    bug(limits_miss_noise, "draw_means", "unit = unit/drawn$rows",
        "unit = unit/drawn$rows/2"),
    bug(limits_miss_noise, "plan_counts", "rate = plan$rate[[1]]/plan$rate[[2]]",
        "rate = 2 * plan$rate[[1]]/plan$rate[[2]]")
  )) {
    expect_true(caught(b))
  }
})

test_that("quantiles of the noise are the least that have the level", {
  laws <- c(lapply(c(0.005, 0.1, 1, 40), function(rate) list(noise = "Laplace", rate = rate)),
            lapply(c(0.05, 1, 1000), function(v) list(noise = "Gaussian", variance = v)))
  for (law in laws) {
    for (level in c(0.01, 0.5, 0.95, 0.999)) {
      k <- noise_reach(law, level)
      expect_gte(inside(law, k), level * (1 - 1e-9))
      if (k > 0) expect_lt(inside(law, k - 1), level)
    }
  }
  wide <- list(noise = "Gaussian", variance = 2^40)
  expect_identical(noise_reach(wide, 0.95), ceiling(2^20 * stats::qnorm(0.975)))
})

test_that("a mean's and a histogram's limits have the level that they name, and say that they are of noise", {
  set.seed(27)
  x <- cbind(a = c(0, 1, 1, 3), b = c(2, 2, 7, 9))
  clipped <- c(a = 1.25, b = 4.75)
  for (how in list(list(4), list(2, delta = 1e-3), list(4, neighbours = "add_remove"))) {
    covered <- replicate(1000, {
      r <- suppressWarnings(do.call(dp_mean, c(list(x, lower = 0, upper = c(2, 8), rng = "R"), how)))
      limits <- confint(r, level = 0.8)
      expect_identical(colnames(limits), c("noise 10 %", "noise 90 %"))
      limits[, 1] <= clipped - c(0.25, 0) & clipped - c(0.25, 0) <= limits[, 2]
    })
    miss <- rowSums(!covered)
    expect_true(all(miss <= stats::qbinom(1 - ALPHA / 12, 1000, 0.2)))
    # two sums share the level where n is private
    if (is.null(how$neighbours)) expect_true(all(miss >= stats::qbinom(ALPHA / 12, 1000, 0.2)))
  }
  counts <- dp_histogram(c(1, 1, 2), 1, breaks = 0:3, rng = "R")
  k <- noise_reach(list(noise = "Laplace", rate = 0.5), 0.95)
  expect_equal(unname(confint(counts)), unname(coef(counts) + cbind(rep(-k, 3), k)))
  frame <- tidy(counts, conf.int = TRUE, conf.level = 0.95)
  expect_identical(frame$conf.high - frame$estimate, rep(k, 3))
  expect_identical(frame$conf.of, rep("noise", 3))
  expect_error(confint(counts, level = 2), class = "dpdepth_error_input")
  expect_no_match(format(summary(counts)), "noise_form")
  expect_error(confint(dp_median(1:9, 9, lower = 0, upper = 9)), "no confidence interval")
})

# Are limits other than worked by hand? Draws of a mean do not tell: their limits are wider than they must be.
halves_are_wrong <- function() {
  half <- function(sums, rounding) {
    law <- list(noise = "Laplace", rate = 0.1, unit = 2, rounding = rounding, sums = sums)
    found <- list(estimate = 5, details = list(noise_form = law, lower = -1e3, upper = 1e3))
    noise_limits(found, 0.9) - 5
  }
  # P(|Z| > k) = 2 q^(k + 1) / (1 + q), q = exp(-0.1): at most 0.1 from k = 23 on, 0.05 from k = 30
  !isTRUE(all.equal(c(half(1, 0), half(1, 0.5), half(2, 0)), c(-46, 46, -46.5, 46.5, -60, 60)))
}

test_that("sums share what the level leaves, and rounding is added", {
  expect_false(halves_are_wrong())
  expect_true(caught(bug(halves_are_wrong, "noise_limits", "1 - (1 - level)/law$sums", "level")))
  expect_true(caught(bug(halves_are_wrong, "noise_limits", " + law$rounding", "")))
})
