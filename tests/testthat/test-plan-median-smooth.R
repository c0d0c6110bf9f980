# Planned errors of smooth sensitivity against its noise over samples; plans of one method.

# The root mean square of the noise that dp_median_smooth() would add to normal samples, clipped.
sampled <- function(n, d, epsilon, region, half, count = 12L) {
  bounds <- list(lower = rep(-half, d), upper = rep(half, d))
  constants <- smooth_constants(epsilon, 1e-6, d)
  apart <- d == 1 || region == "marginal"
  grid <- smooth_lattice(bounds, if (apart) fine_bits(bounds, constants) else lattice_bits)
  scale <- replicate(count, {
    smooth_law(lattice_rows(matrix(stats::rnorm(n * d), n), grid), grid, constants, region)$scale
  })
  root_mean_square(clipped_laplace(scale / 2^scale_bits * grid$step[[1]], half))
}

test_that("planned errors are those of the noise over samples", {
  skip_on_cran()
  set.seed(1)
  planned <- function(n, d, epsilon, half) {
    smooth_errors(n, d, epsilon, 1e-6, prior_uniform(rep(-half, d), rep(half, d)), 1)$error
  }
  # the scales of samples differ by a fifth
  expect_equal(planned(500, 1, 1, 10) / sampled(500, 1, 1, "exact", 10), 1, tolerance = 0.2)
  expect_equal(planned(800, 2, 2, 50)[[1]] / sampled(800, 2, 2, "directional", 50), 1, tolerance = 0.25)
  expect_equal(planned(800, 2, 2, 50)[[2]] / sampled(800, 2, 2, "marginal", 50), 1, tolerance = 0.2)
  expect_equal(planned(400, 2, 4, 5)[[1]] / sampled(400, 2, 4, "exact", 5), 1, tolerance = 0.25)
  # columns stand for more of them, rows for more of them
  expect_equal(planned(1000, 30, 4, 10) / sampled(1000, 30, 4, "marginal", 10, 1L), 1, tolerance = 0.15)
  expect_equal(planned(60000, 1, 0.1, 10) / sampled(60000, 1, 0.1, "exact", 10, 4L), 1, tolerance = 0.25)
  expect_equal(planned(60000, 1, 4, 10) / sampled(60000, 1, 4, "exact", 10, 4L), 1, tolerance = 0.25)
})

test_that("clipped noise has the error that integrals give", {
  for (b in c(0.1, 1, 30)) {
    square <- stats::integrate(function(v) pmin(v, 2)^2 * stats::dexp(v, 1 / b), 0, 2)$value + 4 * exp(-2 / b)
    expect_equal(clipped_laplace(b, 2), sqrt(square), tolerance = 1e-6)
  }
  expect_equal(clipped_laplace(c(1e-20, 1e20), 3), c(sqrt(2) * 1e-20, 3))
})

test_that("one method's plan has its rows alone, and numbers are sought for it", {
  skip_on_cran()
  plan <- function(...) as.data.frame(plan_median(..., delta = 1e-6, lower = c(0, -3), upper = c(100, 3)))
  all <- plan(1000, 2, 1)
  expect_identical(all$method, c("exponential", "axes", "marginal", "smooth", "smooth, marginal"))
  expect_identical(all$chosen, c(TRUE, FALSE, FALSE, FALSE, FALSE))
  for (method in c("exponential", "axes", "marginal", "smooth")) {
    one <- plan(1000, 2, 1, method = method)
    expect_identical(one$error, all$error[startsWith(all$method, method)])
    expect_identical(one$chosen, seq_along(one$error) == 1)
  }
  found <- plan(1000, 2, method = "smooth", error = 0.2)
  expect_lte(found$error[[1]], 0.2)
  expect_gt(found$error[[1]], 0.19)
  expect_gt(plan(1000, 2, method = "marginal", error = 0.2)$epsilon, plan(1000, 2, error = 0.2)$epsilon[[1]])
  free <- function(...) as.data.frame(plan_median(..., epsilon = 1, delta = 1e-6))
  expect_identical(free(700, 20, method = "restricted")$error, free(700, 20)$error[[2]])
  expect_identical(free(9000, 2, method = "projection")$chosen, TRUE)
  expect_identical(plan_median(100, 5, 1, lower = 0, upper = 1, method = "exponential")$method, "axes")
  expect_identical(plan_median(100, 5, 1, method = "exponential")$method, "axes")
  shown <- capture.output(print(plan_median(100, 2, 1, lower = 0, upper = 1, method = "axes")))
  expect_no_match(shown, "auto")
  # in an order in which no row is left out: without limits, or pure, there is no smooth sensitivity
  expect_no_match(free(700, 20)$method, "smooth")
  expect_null(smooth_errors(100, 2, 1, 0, prior_uniform(c(0, 0), c(1, 1))))
  expect_identical(plan_median(100, 40, 1, 1e-6, lower = 0, upper = 1, method = "smooth")$method,
                   "smooth, marginal")
})

test_that("plans of one method are drawn, in each variable's unit", {
  wide <- function(method) {
    law <- plan_density(plan_median(6000, 2, 2, 1e-6, lower = c(-50, -500), upper = c(50, 500),
                                    spread = c(1, 20), method = method))
    expect_equal(max(law$density), 1)
    expect_equal(law[which.max(law$density), c("x", "y")], data.frame(x = 0, y = 0), ignore_attr = TRUE)
    axis <- function(v, other) {
      line <- law[abs(law[[other]]) < 1e-9, ]
      sum(line$density > 0.3) * diff(sort(unique(law[[v]])))[[1]]
    }
    c(axis("x", "y"), axis("y", "x"))
  }
  for (method in c("exponential", "axes", "marginal")) {
    expect_equal(wide(method)[[2]] / wide(method)[[1]], 20, tolerance = 0.1)
  }
  # noise in the limits' units: steps are powers of two, 2^-18 and 2^-15
  expect_equal(wide("smooth")[[2]] / wide("smooth")[[1]], 8, tolerance = 0.15)
})

test_that("methods that limits, delta or numbers do not allow are refused", {
  refused <- function(..., arg = "method") {
    expect_identical(expect_error(plan_median(...), class = "dpdepth_error_input")$arg, arg)
  }
  refused(300, 5, 1, lower = 0, upper = 1, method = "smooth")
  refused(300, 5, 1, 1e-6, prior = prior_normal(0, 1), method = "smooth")
  refused(300, 5, 1, 1e-6, method = "smooth")
  refused(300, 5, 1, 1e-6, method = "marginal")
  refused(300, 5, 1e-5, 1e-6, lower = 0, upper = 1, method = "smooth")
  refused(300, 5, 1, 1e-6, lower = 0, upper = 1, method = "restricted")
  refused(300, 5, 1, 1e-6, prior = prior_dyadic(), method = "projection")
  refused(300, 5, 1, method = "restricted")
  refused(300, 5, 1, 1e-6, method = "projection")
  refused(300, 2, 1, lower = 0, upper = 1, method = "axes", depth = "idd")
  refused(300, 2, 1, lower = 0, upper = 1, method = "axes", interval = 0.95)
  refused(300, 2, 1, lower = 0, upper = 1, method = "langevin")
})
