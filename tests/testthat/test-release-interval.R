# Intervals of releases: print, confint(), tidy(), pictures, and refusals of what was not asked for.

limits <- cbind(lower = c(79.5, -Inf), upper = c(83, 171.25))
with_interval <- function(..., level = 0.95) {
  people_release(interval = limits, details = list(what = "median", level = level,
                                                   shares = c(estimate = 0.5, interval = 0.5), ...))
}

test_that("confint() and tidy() give the released limits, and no other level", {
  r <- with_interval()
  expect_identical(confint(r), structure(unname(limits), dimnames = list(c("weight", "height"),
                                                                          c("2.5 %", "97.5 %"))))
  expect_identical(confint(r, "height")[[2]], 171.25)
  expect_identical(confint(r, 1, 0.95), confint(r)[1, , drop = FALSE])
  expect_error(confint(r, level = 0.9), "another release", class = "dpdepth_error_input")
  expect_error(confint(r, "age"), "parm", class = "dpdepth_error_input")
  expect_error(tidy(r, conf.int = TRUE, conf.level = 0.5), "conf.level", class = "dpdepth_error_input")
  frame <- tidy(r, conf.int = TRUE)
  expect_named(frame, c("term", "estimate", "conf.low", "conf.high"))
  expect_identical(frame$conf.low, c(79.5, -Inf))
  expect_named(tidy(r), c("term", "estimate"))
  expect_identical(as.data.frame(r)$conf.high, c(83, 171.25))
  expect_identical(summary(r)$terms$conf.high, c(83, 171.25))
})

test_that("a release without an interval says how to ask for one", {
  for (ask in list(function(r) confint(r), function(r) tidy(r, conf.int = TRUE))) {
    expect_error(ask(people_release()), "interval = 0.95", fixed = TRUE, class = "dpdepth_error_input")
  }
  # by what was released, not by the words of its mechanism
  private <- function(x) expect_error(confint(x), "is private", class = "dpdepth_error_input")
  private(people_release(details = list(alpha = 0.5, beta = 0.03)))
  private(dp_median_smooth(cars$dist, 4, 1e-3, 0, 200))
  expect_error(confint(people_release(mechanism = "smooth sensitivity")), "holds no measure",
               class = "dpdepth_error_input")
})

test_that("what is covered, and under which assumption, is printed", {
  text <- function(r) paste(trimws(format(r)), collapse = " ")
  expect_match(text(with_interval()), "each interval by itself covers the population's median")
  expect_match(text(with_interval()), "independent draws of one distribution")
  expect_match(text(with_interval()), "infinite end")
  expect_match(text(summary(with_interval())), "estimate 0.5, interval 0.5")
  expect_match(text(with_interval(simultaneous = TRUE)), "all intervals together cover")
  expect_match(text(with_interval(covers = "the slope", assumes = "errors have median zero")),
               "covers the slope with probability 0.95 or more, .* if errors have median zero")
  expect_match(text(with_interval()), "weight +81.25 +79.5 +83")
})

test_that("limits that are none are an internal error", {
  details <- list(what = "median", level = 0.95)
  bad <- list(limits[, 2:1], limits[1, , drop = FALSE], as.data.frame(limits), unname(limits),
              cbind(lower = c(NA, 0), upper = 1), cbind(lower = c(2, 0), upper = 1))
  for (interval in bad) {
    expect_error(people_release(interval = interval, details = details), class = "dpdepth_error_internal")
  }
  expect_error(people_release(interval = limits), class = "dpdepth_error_internal")
  expect_null(people_release(interval = limits, details = details, released = FALSE)$interval)
})

test_that("pictures draw the interval, also where it is infinite", {
  skip_on_cran()
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  ranged <- with_interval(prior = prior_uniform(c(30, 120), c(250, 220)))
  expect_match(plot_caption(ranged, plot_frame(ranged)), "95% interval")
  for (r in list(ranged, with_interval())) {
    expect_identical(plot(r), r)
    skip_if_not_installed("ggplot2")
    expect_silent(ggplot2::ggplotGrob(ggplot2::autoplot(r)))
    expect_true("GeomSegment" %in% unlist(lapply(ggplot2::autoplot(r)$layers, function(l) class(l$geom))))
  }
})

# -- limits of the noise alone -------------------------------------------------------------------------

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
  draws <- audit_size(400, 2000)
  miss <- function(release, truth) {
    mean(replicate(draws, {
      limits <- confint(suppressWarnings(release()), level = 0.8)
      truth < limits[[1]] || limits[[2]] < truth
    }))
  }
  most <- stats::qbinom(1 - ALPHA / 3, draws, 0.2) / draws
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
  skip_on_cran()
  set.seed(27)
  x <- cbind(a = c(0, 1, 1, 3), b = c(2, 2, 7, 9))
  clipped <- c(a = 1.25, b = 4.75)
  draws <- audit_size(300, 1000)
  for (how in list(list(4), list(2, delta = 1e-3), list(4, neighbours = "add_remove"))) {
    covered <- replicate(draws, {
      r <- suppressWarnings(do.call(dp_mean, c(list(x, lower = 0, upper = c(2, 8), rng = "R"), how)))
      limits <- confint(r, level = 0.8)
      expect_identical(colnames(limits), c("noise 10 %", "noise 90 %"))
      limits[, 1] <= clipped - c(0.25, 0) & clipped - c(0.25, 0) <= limits[, 2]
    })
    miss <- rowSums(!covered)
    expect_true(all(miss <= stats::qbinom(1 - ALPHA / 12, draws, 0.2)))
    # two sums share the level where n is private
    if (is.null(how$neighbours)) expect_true(all(miss >= stats::qbinom(ALPHA / 12, draws, 0.2)))
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

# A refusal without an interval names calls that have one, and what is no released number is refused.
limits_misled <- function() {
  said <- function(code) tryCatch(code, error = conditionMessage)
  tau <- dp_correlation(cbind(1:60, 60:1), 1)
  test <- dp_test(y ~ x, 1, data = data.frame(x = 1:60, y = 60:1))
  two <- dp_test(1:60, 1, 60:1)
  scale <- suppressWarnings(dp_scale(1:200, 1, 0, 300))
  mean <- suppressWarnings(dp_mestimate(1:200, 1, lower = 0, upper = 200, scale = 50))
  !grepl("interval = 0.95 is an argument of dp_correlation().", said(confint(tau)), fixed = TRUE) ||
    !grepl("dp_test(x, y = y, interval = 0.95)", said(confint(test)), fixed = TRUE) ||
    !grepl("argument of dp_scale().", said(confint(scale)), fixed = TRUE) ||
    !grepl("argument of dp_median(), dp_quantile()", said(confint(mean)), fixed = TRUE) ||
    !grepl("`parm` must be names or places of `P(x > y)`", said(confint(two, "nope")), fixed = TRUE)
}

test_that("refusals of limits name calls that have them", {
  expect_false(limits_misled())
  expect_true(caught(bug(limits_misled, "interval_doors", "inherits(x, \"dp_test\")", "FALSE")))
  expect_true(caught(bug(limits_misled, "interval_doors", "has_one <- ", "has_one <- FALSE && ")))
  expect_true(caught(bug(limits_misled, "limits_named", "!all(known)", "FALSE")))
})
