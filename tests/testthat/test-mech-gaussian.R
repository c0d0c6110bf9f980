# Sums, lattices and integer noise: distributions, rates and rounding.

test_that("variances are at least what rho asks, lattices fit doubles", {
  for (rho in c(1e-12, 1e-6, 0.01, 2, 1e5)) for (n in c(2, 1e3, 1e7)) {
    lattice <- gaussian_steps(n, rho, sqrt(2))
    expect_lte(n * lattice, 2^52)
    variance <- gaussian_variance(2 * lattice^2, rho)
    expect_gte(variance[[1]] / variance[[2]], lattice^2 / rho)
    expect_true(all(variance == round(variance) & variance >= 1 & variance <= 2^52))
  }
  expect_error(gaussian_steps(10, 1e-20, 1), class = "dpdepth_error_input")
})

test_that("sums have discrete Gaussian noise of their variance", {
  drawn <- as.vector(replicate(2000, add_gaussian(c(3, 8), 4, 0.5, "system"))) - c(3, 8)
  expect_law(count_over(drawn, -15, 15), c(pmf_gaussian_discrete(-15:15, 4), 0))
  expect_not_law(count_over(drawn, -15, 15), c(pmf_gaussian_discrete(-15:15, 1), 0))
})

one_noise_for_all <- function() {
  noise <- replicate(200, diff(add_gaussian(c(3, 8), 4, 0.01, "system") - c(3, 8)))
  # noise of deviation 14: a tie in no more than 0.1, by far
  mean(noise == 0) > 0.1
}

test_that("each sum has noise of its own", {
  expect_false(one_noise_for_all())
  expect_true(caught(bug(one_noise_for_all, "add_gaussian", "draw_gaussian_discrete(length(values),",
                         "draw_gaussian_discrete(1L,")))
})

test_that("infinite values are clipped, and a number of the row's own stands for what is none", {
  expect_identical(lattice_place(c(NaN, 0.5, Inf, -Inf), 0, 1, 100, c(7, 1, 2, 3)), c(7, 50, 100, 0))
})
