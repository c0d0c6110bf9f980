# Pictures of private depths and depth-depth plots: labels, the noise's bars, refusals.

points <- rbind(low = c(2, 55), high = c(4, 75))
depths_of <- function(rows, depth = "halfspace", at = points, ...) {
  dp_depth(at, faithful[rows, ], 1, depth, lower = 0, upper = c(10, 180), ...)
}
first <- depths_of(1:130)
second <- depths_of(131:272)

test_that("bars are two public standard deviations of the noise, and axes are named", {
  frame <- depth_frame(first)
  expect_equal(frame$to - frame$from, rep(4 * first$details$noise_sd, 2))
  expect_equal(frame$estimate, unname(coef(first)))
  expect_identical(depth_label(depths_of(1:130, "irw")), "integrated rank-weighted depth")
  skip_if_not_installed("ggplot2")
  p <- ggplot2::autoplot(first)
  expect_identical(p$labels$x, "halfspace depth")
  bars <- ggplot2::layer_data(p, 1)
  expect_equal(bars$xend - bars$x, rep(4 * first$details$noise_sd, 2))
  expect_setequal(ggplot2::layer_data(p, 2)$x, coef(first))
  pair <- ggplot2::autoplot(first, second)
  expect_identical(pair$labels$y, "halfspace depth in the second data")
  drawn <- ggplot2::layer_data(pair, 4)
  expect_equal(drawn$x, unname(coef(first)))
  expect_equal(drawn$y, unname(coef(second)))
  expect_equal(ggplot2::layer_data(pair, 3)$yend - ggplot2::layer_data(pair, 3)$y,
               rep(4 * second$details$noise_sd, 2))
})

test_that("plots run, and say when a release is a simulation", {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  margin <- graphics::par("mai")
  expect_identical(plot(first), first)
  expect_identical(graphics::par("mai"), margin)
  expect_identical(plot(first, second, xlab = "by day", ylab = "by night"), first)
  named <- depths_of(1:130, at = stats::setNames(data.frame(3, 70), names(faithful)))
  expect_silent(plot(named, main = "one point", cex.axis = 0.8))
  expect_match(pair_title(first, depths_of(1:130, rng = "R")), "simulation, not for release")
  expect_no_match(pair_title(first, second), "simulation")
  looser <- replace(second, c("guarantee", "delta"), list("approximate", 0.01))
  expect_match(pair_caption(first, looser), " / ", fixed = TRUE)
  expect_no_match(pair_caption(first, second), " / ", fixed = TRUE)
})

test_that("releases that do not belong together are refused", {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  bad <- function(...) {
    error <- expect_error(plot(first, ...), class = "dpdepth_error_input")
    expect_identical(error$arg, "y")
  }
  bad(3)
  bad(dp_median(faithful, 1, lower = 0, upper = c(10, 180)))
  bad(depths_of(1:130, at = points + 1))
  bad(depths_of(1:130, "spatial"))
})
