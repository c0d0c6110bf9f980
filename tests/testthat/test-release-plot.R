# Plots of releases: public values only, nothing of the caller's.

median_release <- dp_median(faithful, 1, lower = 0, upper = c(10, 180))
line_release <- dp_regression(dist ~ speed, cars, 4, 1e-6, lower = c(-50, 0), upper = c(50, 10),
                              method = "deepest")

test_that("plots use public values only and run for every kind", {
  skip_on_cran()
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  kinds <- list(
    people_release(), people_release(released = FALSE), people_release(rng = "R"),
    people_release(details = list(prior = prior_normal(100, c(5, 10)))), people_release(details = list()),
    people_release(details = list(lower = 0, upper = 300)),
    people_release(estimate = 5, d = 1, details = list()),
    people_release(estimate = NA_real_, details = list(), released = FALSE),
    people_release(estimate = stats::setNames(1:30, strrep("long name ", 1:30)), details = list())
  )
  for (r in kinds) expect_identical(plot(r), r)
  expect_error(plot(people_release(estimate = double())), class = "dpdepth_error_input")
  before <- graphics::par("mai")
  plot(people_release())
  expect_identical(graphics::par("mai"), before)
  skip_if_not_installed("ggplot2")
  for (r in kinds) {
    p <- ggplot2::autoplot(r)
    expect_s3_class(p, "ggplot")
    expect_silent(ggplot2::ggplotGrob(p))
  }
})

test_that("a saved ggplot is not transparent", {
  skip_if_not_installed("ggplot2")
  plots <- list(ggplot2::autoplot(median_release), ggplot2::autoplot(depth_region(faithful)),
                ggplot2::autoplot(regress_deepest(dist ~ speed, cars)),
                ggplot2::autoplot(discrepancy("halfspace", t = 1:2, d = 2)))
  for (p in plots) expect_identical(p$theme$plot.background$fill, "white")
})

test_that("a plot that is saved holds nothing of the caller's", {
  skip_if_not_installed("ggplot2")
  secret <- c(53798.324159265, 1.5)
  canary <- utils::tail(serialize(secret[[1]], NULL, xdr = TRUE), 8)
  holds <- function(plot) {
    bytes <- serialize(plot, NULL, xdr = TRUE)
    length(grepRaw(canary, bytes, fixed = TRUE)) > 0
  }
  expect_true(holds((function(y) function() force(y))(secret)))
  line <- stats::as.formula("dist ~ speed", globalenv()) # fits keep their formula's environment
  things <- list(median_release, line_release, depth_region(faithful), regress_deepest(line, cars),
                 discrepancy("halfspace", t = 1:2, d = 2))
  for (object in things) {
    plotted <- function(y) {
      force(y)
      ggplot2::autoplot(object)
    }
    environment(plotted) <- list2env(list(object = object), parent = globalenv())
    expect_false(holds(plotted(secret)))
    expect_error(ggplot2::autoplot(object, size = 2), "size", class = "dpdepth_error_input")
  }
})

test_that("intervals that are narrow beside the public range are seen, and infinite ones on all of it", {
  release <- function(lower, upper) {
    new_release(c(a = 1, b = 2), paid_for(rng = "R"), interval = cbind(lower = lower, upper = upper),
                mechanism = "none", n = 10, d = 2, call = quote(f()),
                details = list(prior = prior_uniform(c(-50, -50), c(50, 50)), level = 0.95))
  }
  near <- plot_frame(release(c(0.5, 1.5), c(1.5, 2.5)))
  expect_identical(c(near$from, near$to), c(-1.5, -0.5, 3.5, 4.5))
  expect_identical(plot_frame(release(c(-10, -10), c(10, 10)))$to, c(50, 50))
  # each by itself
  one <- plot_frame(release(c(-Inf, 1), c(2, 3)))
  expect_identical(one$to, c(50, 7))
  expect_match(one$kind, "the public range or part of it", fixed = TRUE)
  bare <- release(c(0, -Inf), c(Inf, 3))
  bare$details$prior <- NULL
  expect_match(plot_caption(bare, plot_frame(bare)), "to the edge where infinite", fixed = TRUE)
  # where nothing is public, to the edge; else to the end of the range
  drawn <- function(x) Filter(function(l) l$colour == interval_colour, picture(x)$layers)[[1]]$data
  expect_identical(drawn(bare)$xend, c(Inf, 3))
  expect_identical(drawn(release(c(-Inf, 1), c(2, 3)))$x, c(0, (1 + 3) / 10))
  at_bound <- plot_frame(release(c(0.5, 49), c(1.5, 49.9)))
  expect_identical(at_bound$to[[2]], 50)
})
