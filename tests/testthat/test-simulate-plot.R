# Pictures of simulations.

test_that("a picture's points are those of the summary, with two standard errors", {
  found <- small_simulation(measure = c("distance", "error"), replicates = 4)
  frame <- simulation_frame(found, NULL, NULL)
  s <- summary(found)
  expect_identical(attr(frame, "axis"), "n")
  expect_identical(attr(frame, "title"), "Simulated RMSE")
  expect_equal(frame$shown, s$rmse)
  expect_equal(frame$high - frame$low, 4 * s$rmse_se)
  expect_identical(levels(frame$series), c("private", "public"))
  expect_identical(frame$panel[[1]], "epsilon = 0.5, normal, distance")
  other <- simulation_frame(found, "median", "law")
  expect_identical(other$at, s$law)
  expect_equal(other$shown, s$median)
  expect_identical(unique(simulation_frame(simulate_releases(list(), function() 1, max, replicates = 2), NULL,
                                           NULL)$at), "all")
  expect_error(simulation_frame(found, "mode", NULL), class = "dpdepth_error_input")
  # in the past empty pictures
  expect_error(simulation_frame(found, "coverage", NULL), "no measure is a flag",
               class = "dpdepth_error_input")
  failed <- simulate_releases(list(n = 3), function(n) n, function(x) stop("no"), replicates = 2)
  expect_error(simulation_frame(failed, NULL, NULL), "no run has any", class = "dpdepth_error_input")
  expect_error(simulation_frame(found, NULL, "d"), class = "dpdepth_error_input")
})

test_that("widths are drawn by their means, and no share leaves 0 to 1", {
  found <- simulate_releases(list(n = c(60, 90)), function(n) stats::rnorm(n), replicates = 3,
                             function(x) dp_median(x, 9, lower = -9, upper = 9, interval = 0.5),
                             measure = c("covers", "width"))
  frame <- simulation_frame(found, NULL, NULL)
  s <- summary(found)
  expect_equal(frame$shown, ifelse(s$measure == "width", s$mean, s$coverage))
  expect_equal(simulation_frame(found, "coverage", NULL)$shown, s$coverage[s$measure == "covers"])
  expect_identical(attr(frame, "title"), "Simulated mean width or coverage")
  expect_true(all(frame$low[s$measure == "covers"] >= 0) && all(frame$high[s$measure == "covers"] <= 1))
  expect_no_match(format(found), "rmse")
})

test_that("a simulation without any number is refused in words", {
  none <- small_simulation(measure = list(none = function(estimate) numeric(0)), replicates = 1)
  expect_true(all(is.na(tidy(none)$value)))
  expect_error(plot(none), "no run has any", class = "dpdepth_error_input")
})

test_that("plot() and autoplot() draw", {
  found <- small_simulation(measure = list(far = function(estimate) estimate > 1), replicates = 3)
  file <- tempfile(fileext = ".pdf")
  grDevices::pdf(file)
  on.exit({
    grDevices::dev.off()
    unlink(file)
  })
  expect_identical(plot(found), found)
  expect_identical(plot(found, along = "law"), found)
  expect_identical(graphics::par("mfrow"), c(1L, 1L))
  skip_if_not_installed("ggplot2")
  drawn <- ggplot2::autoplot(found)
  expect_identical(drawn$labels$title, "Simulated coverage")
  expect_match(drawn$labels$caption, "not for release")
  points <- Filter(function(layer) layer$type == "points", picture(found)$layers)
  expect_identical(sum(vapply(points, function(layer) nrow(layer$data), 0L)), 16L)
  expect_s3_class(ggplot2::autoplot(found, along = "law"), "ggplot")
})
