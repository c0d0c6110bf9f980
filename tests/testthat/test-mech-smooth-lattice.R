# The public lattice of smooth sensitivities.

test_that("lattices span the bounds, by the bounds alone, and their ends are whole numbers of limited size", {
  p <- smooth_constants(12, 1e-6, 2)
  for (far in c(0, 2^(0:30))) {
    bounds <- list(lower = c(far, -1), upper = c(far + 1, 2))
    bits <- fine_bits(bounds, p)
    grid <- smooth_lattice(bounds, bits)
    expect_true(bits == 25 || max(abs(grid$origin) + grid$upper) <= 2^45)
    expect_identical((grid$origin + grid$upper) * grid$step >= bounds$upper, c(TRUE, TRUE))
  }
})

test_that("a row's indexes are those of the nearest points; one variable is clipped to its bounds", {
  grid <- smooth_lattice(list(lower = -3, upper = 7))
  x <- matrix(c(-10, -3, 0, 1 / 3, 7, 1e300))
  z <- lattice_rows(x, grid)
  expect_identical(z[c(1, 6)], c(grid$lower, grid$upper))
  expect_lte(max(abs((z + grid$origin) * grid$step - x)[2:5]), grid$step / 2)
  expect_identical(lattice_rows(x[3, , drop = FALSE], grid), z[3, , drop = FALSE])
  # several: far rows stay beyond the bounds, at whole numbers
  plane <- smooth_lattice(list(lower = c(-3, 0), upper = c(7, 1)))
  far <- lattice_rows(rbind(c(-1e300, 1e300)), plane)
  expect_true(far[[1]] < plane$lower[[1]] && far[[2]] > plane$upper[[2]])
  expect_identical(far, round(far))
})

test_that("bounds without doubles between them are refused", {
  bounds <- list(lower = 0, upper = 1e-315)
  expect_error(check_smooth_lattice(smooth_lattice(bounds), bounds), class = "dpdepth_error_input")
  wide <- list(lower = 0, upper = 1e-100)
  expect_silent(check_smooth_lattice(smooth_lattice(wide), wide))
})
