# The population side: discrepancy functions and constants.

value <- function(...) discrepancy(...)$alpha

test_that("it increases in t, and its inverse inverts it", {
  t <- c(0.2, 0.5, 1, 2, 5)
  for (depth in c("halfspace", "irw", "idd")) {
    for (distribution in c("gaussian", "cauchy")) {
      expect_true(all(diff(value(depth, distribution, t, 3, directions = 500)) > 0))
    }
    found <- discrepancy(depth, "gaussian", alpha = 0.1, d = c(2, 20))
    for (i in 1:2) expect_equal(value(depth, "gaussian", found$t[[i]], found$d[[i]]), 0.1, tolerance = 1e-6)
  }
  expect_identical(discrepancy("halfspace", "gaussian", alpha = 0.6, d = 2)$t, Inf)
  # halfspace depth suffers least from heavy tails in many dimensions (Figure 1 of the paper)
  tails <- discrepancy(c("halfspace", "irw", "idd"), "cauchy", alpha = 0.05, d = 20, directions = 1000)
  expect_identical(order(tails$t), 1:3)
})

test_that("print, plot and constants", {
  found <- discrepancy(c("halfspace", "idd"), "gaussian", t = c(0.5, 1), d = c(2, 5))
  expect_output(print(found), "Fall of depth")
  expect_output(print(discrepancy("irw", "gaussian", alpha = 0.1, d = 2)), "Distance from the median")
  file <- tempfile(fileext = ".pdf")
  grDevices::pdf(file)
  expect_identical(plot(found), found)
  plot(discrepancy("halfspace", "cauchy", alpha = 0.1, d = c(2, 5, 10)))
  grDevices::dev.off()
  unlink(file)
  expect_error(discrepancy("projection", "gaussian", 1, 2), "`depth`", class = "dpdepth_error_input")
  expect_error(discrepancy("irw", "gaussian", 0, 2), "`t`", class = "dpdepth_error_input")
  expect_error(discrepancy("irw", "gaussian", 1, 2, scale = 1:3), "`scale`", class = "dpdepth_error_input")
  expect_error(discrepancy("irw", "gaussian", 1, 2.5), "`d`", class = "dpdepth_error_input")
})

test_that("scales beyond what doubles square, and dimensions beyond integers, are refused", {
  expect_error(discrepancy("halfspace", "cauchy", alpha = 0.01, d = 5, scale = 1e-300),
               class = "dpdepth_error_input")
  expect_error(discrepancy("idd", "gaussian", 1, 3, scale = 1e200), class = "dpdepth_error_input")
  expect_error(discrepancy("idd", "gaussian", 1, 3, smooth = list(1)), class = "dpdepth_error_input")
  # a step at the centre, which the integral finds
  expect_equal(discrepancy("irw", "gaussian", 1, 3, scale = 1e-100)$alpha, 1, tolerance = 1e-6)
})

test_that("autoplot draws every depth as a line of its own", {
  skip_on_cran()
  skip_if_not_installed("ggplot2")
  found <- discrepancy(c("halfspace", "simplicial", "spatial"), "gaussian", t = c(0.5, 1), d = 2)
  plot <- ggplot2::autoplot(found)
  expect_s3_class(plot, "ggplot")
  drawn <- ggplot2::ggplot_build(plot)$data[c(1, 3, 5)]
  expect_identical(length(unique(vapply(drawn, function(at) at$colour[[1]], ""))), 3L)
  expect_equal(sort(unlist(lapply(drawn, function(at) at$y))), sort(found$alpha))
  # distances that are not to be had are left out
  none <- ggplot2::autoplot(discrepancy(c("halfspace", "simplicial"), "gaussian", alpha = 0.1, d = c(2, 5)))
  expect_identical(sum(vapply(ggplot2::ggplot_build(none)$data[c(1, 3)], nrow, 0L)), 3L)
})

# -- depths of the discrepancy ---------------------------------------------------------------------

test_that("one variable: by the distribution function", {
  t <- c(0.1, 1, 3)
  expect_equal(value("halfspace", "gaussian", t, 1, scale = 2), pnorm(t / 2) - 0.5)
  expect_equal(value("irw", "cauchy", t, 1), 2 * (pcauchy(t) - 0.5))
  expect_equal(value("idd", "cauchy", t, 1), 0.25 - pcauchy(t) * pcauchy(-t))
})

test_that("halfspace depth by formula", {
  expect_equal(value("halfspace", "gaussian", 1.3, 3, scale = c(1, 2, 0.5)), pnorm(1.3 / 2) - 0.5)
  # Example 2 of the paper: shrinks with the root of the dimension
  expect_equal(value("halfspace", "cauchy", 1, c(4, 25)), atan(1 / c(2, 5)) / pi)
  # the worst point, found by brute force in the plane: the least of the largest ratio
  angle <- seq(0, 2 * pi, length.out = 721)
  u <- cbind(cos(angle), sin(angle))
  scale <- c(1, 3)
  ratio <- (u %*% t(u)) / drop(abs(u) %*% scale)
  expect_equal(value("halfspace", "cauchy", 2, 2, scale = scale),
               pcauchy(2 * min(apply(ratio, 2, max))) - 0.5, tolerance = 4e-3)
})

test_that("spherical normals: the integral is the mean over directions", {
  u <- directions(4, 50000, type = "uniform")[, 1]
  z <- pnorm(-1.5 * abs(u))
  expect_lt(abs(value("irw", "gaussian", 1.5, 4) - mean(1 - 2 * z)), 5 * sd(2 * z) / sqrt(50000))
  lacks <- 0.25 - z * (1 - z)
  expect_lt(abs(value("idd", "gaussian", 1.5, 4) - mean(lacks)), 5 * sd(lacks) / sqrt(50000))
  expect_equal(value("idd", "gaussian", 3, 4, scale = 2), value("idd", "gaussian", 1.5, 4))
  # in the plane, half the mean over the quarter circle in closed steps
  phi <- (seq_len(4000) - 0.5) / 4000 * pi / 2
  expect_equal(value("irw", "gaussian", 0.7, 2), mean(2 * pnorm(0.7 * sin(phi)) - 1), tolerance = 1e-7)
})

test_that("smoothing: the limit of steep steps, and the mean over the distribution", {
  expect_equal(value("idd", "gaussian", 1, 3, smooth = 1e5), value("idd", "gaussian", 1, 3), tolerance = 1e-6)
  g <- integrate(function(y) plogis(4 * (0.8 - y)) * dnorm(y), -10, 10, rel.tol = 1e-10)$value
  expect_equal(value("idd", "gaussian", 0.8, 1, smooth = 4), 0.25 - g * (1 - g), tolerance = 1e-9)
})

test_that("Monte Carlo: the population's fall is that of a large sample, at the worst point", {
  skip_on_cran()
  n <- 20000
  x <- qcauchy(cbind((seq_len(n) * 0.7548776662466927) %% 1, (seq_len(n) * 0.5698402909980532) %% 1))
  u <- directions(2, 500, type = "uniform")
  angle <- seq(0, pi / 4, length.out = 10)
  sample <- min(1 - depth_irw(2 * cbind(cos(angle), sin(angle)), x, u))
  found <- discrepancy("irw", "cauchy", 2, 2, directions = 2000)
  expect_lt(abs(found$alpha - sample), 5 * found$se + 0.01)
  expect_gt(found$se, 0)
})

test_that("an integrand that rounding keeps from ten digits is no error of R's", {
  skip_on_cran()
  for (scale in c(1e-100, 1e-8, 1e8, 1e100)) {
    found <- discrepancy(c("irw", "idd"), "gaussian", c(1e-3, 1), 3, scale = scale, smooth = 10)$alpha
    expect_true(all(is.finite(found) & found >= 0))
  }
})
