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
  expect_identical(summary(r)$terms$upper, c(83, 171.25))
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
  expect_match(text(with_interval()), "independent draws of one law")
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
