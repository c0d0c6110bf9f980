# Planned errors of medians over depths other than halfspace depth, against draws; refusals.

planned <- function(n, d, epsilon, depth, ...) {
  plan_median(n, d, epsilon, lower = -50, upper = 50, spread = 1, depth = depth, ...)
}

# Measured: standard deviations of 600 draws a cell, of 100 from each of 6 normal samples, by the sampler
# itself, integrated depths along 100 directions. Their own standard error is about 3%.
measured <- read.table(header = TRUE, text = "
  depth              n d epsilon   error
  simplicial      1000 2       1 0.118
  spatial         1000 2       1 0.0111
  spatial_modified 1000 2      1 0.103
  irw             1000 2       1 0.0184
  idd             1000 2       1 0.113
  idd_smooth      1000 2       1 0.112
  simplicial       300 1       2 0.104
  spatial          300 1       2 0.0121
  spatial_modified 300 1       2 0.108
  idd              300 1       2 0.117
  idd_smooth       300 1       2 0.109
  spatial         3000 3       1 0.00495
  irw             3000 3       1 0.00964
  idd             3000 3       1 0.0803
  spatial          300 2       4 0.0101
  irw              300 2       4 0.0196
  idd              300 2       4 0.108
  spatial_modified 300 2       4 0.0953")

test_that("planned errors are those of draws", {
  skip_on_cran()
  errors <- mapply(function(...) planned(...)$error, measured$n, measured$d, measured$epsilon, measured$depth)
  expect_lt(max(abs(measured$error / errors - 1)), 0.16)
  # without the scatter of the medians: rank-weighted depth is off by a third and more
  flat <- depth_profile("irw", 2, Inf)
  flat$kink <- NULL
  expect_lt(profile_error(flat, 1000, 2, 1, 50) / 0.0184, 0.8)
  # halfspace depth has a formula, which the same integral gives
  cone <- depth_profile("halfspace", 3, Inf)
  formula <- error_factor("exponential", 1, NULL, 3) * 2 / (1e5 * dnorm(0))
  expect_equal(profile_error(cone, 1e5, 3, 1, 50), formula, tolerance = 1e-3)
})

test_that("draws of today have the planned error", {
  skip_on_cran()
  set.seed(1)
  x <- matrix(rnorm(1000), 500)
  prior <- prior_uniform(rep(-20, 2), rep(20, 2))
  plan <- depth_plan(500, 2, prior, "idd", 30, NULL, NULL, c("a", "b"))
  drawn <- .Call(ffi_depth_median, "R", x, prior_fields(plan$prior), 2, match("idd", names(median_depths)),
                 plan$directions, 0, FALSE, 300L)$draws
  expect_equal(sqrt(mean(apply(drawn, 2, stats::var))), planned(500, 2, 2, "idd")$error, tolerance = 0.2)
})

test_that("plans over a depth print, draw and search", {
  skip_on_cran()
  plan <- planned(1000, 2, 1, "irw")
  expect_output(print(plan), "integrated\\s+rank-weighted")
  expect_identical(class(tidy(plan)), "data.frame")
  expect_null(attr(tidy(plan), "profile"))
  expect_true(plan$chosen)
  law <- plan_density(plan)
  expect_equal(max(law$density), 1)
  expect_equal(law[which.max(law$density), "x"], 0)
  found <- plan_median(d = 2, epsilon = 1, lower = -50, upper = 50, spread = 1, depth = "idd", error = 0.05)
  expect_lte(found$error, 0.05)
  expect_gt(planned(found$n - 1L, 2, 1, "idd")$error, 0.05)
  # other units, and one variable in other units than another
  unit <- c(1, 1e3)
  wide <- plan_median(1000, 2, 1, lower = -50 * unit, upper = 50 * unit, spread = unit, depth = "irw")
  expect_equal(wide$error, plan$error * sqrt((1 + 1e6) / 2))
  steep <- plan_median(1000, 1, 1, lower = -5e3, upper = 5e3, spread = 100, depth = "idd_smooth",
                       smooth = 0.1)
  expect_equal(steep$error, 100 * planned(1000, 1, 1, "idd_smooth", smooth = 10)$error)
  expect_true(planned(50, 2, 0.1, "idd")$beyond)
  for (size in c(1e-290, 1e290)) {
    far <- plan_median(100, 2, 1, lower = -size, upper = size, depth = "spatial")
    expect_true(is.finite(far$error) && far$error > 0)
  }
  refused <- function(arg, ...) {
    expect_identical(expect_error(plan_median(...), class = "dpdepth_error_input")$arg, arg)
  }
  refused("depth", 1000, 2, 1, depth = "idd")
  refused("depth", 1000, 2, 1, prior = prior_dyadic(1), depth = "idd")
  refused("depth", 1000, 2, 1, lower = 0, upper = 1, depth = "oja")
  refused("d", 1000, 9, 1, lower = 0, upper = 1, depth = "idd")
  refused("n", 101, 3, 1, lower = 0, upper = 1, depth = "simplicial")
  refused("error", d = 3, epsilon = 1, lower = 0, upper = 1, error = 1e-3, depth = "simplicial")
  refused("smooth", 1000, 2, 1, lower = 0, upper = 1, depth = "idd", smooth = 3)
})
