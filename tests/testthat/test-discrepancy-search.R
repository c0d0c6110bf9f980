# The search for the worst point of a given length: its candidates and its descent on the sphere.

test_that("candidates are unit vectors: mixtures of the widest axes, the axes, the scales", {
  for (scale in list(3, c(1, 4), c(2, 1, 5), exp(sin(1:20)))) {
    d <- length(scale)
    found <- unname(worst_candidates(scale))
    expect_identical(nrow(found), d)
    expect_equal(colSums(found^2), rep(1, ncol(found)))
    # the widest axis is there, and the direction of the scales
    holds <- function(v) any(colSums(abs(found - v)) < 1e-12)
    expect_true(holds(as.double(seq_len(d) == which.max(scale))))
    expect_true(holds(scale / sqrt(sum(scale^2))))
    expect_true(holds(rep(1 / sqrt(d), d)))
    expect_identical(sum(colSums(found != 0) == 1) >= min(d, 8), TRUE)
  }
  expect_lte(ncol(worst_candidates(rep(1, 1000))), 8 + 11 + 2)
})

test_that("descent stays on the sphere, never goes up, and leaves a minimum alone", {
  to <- c(3, -2, 6) / 7
  f <- function(x) -sum(to * x)
  start <- c(-1, 0, 0)
  values <- vapply(1:6, function(passes) {
    x <- descend_sphere(start, f, passes)
    expect_equal(sum(x^2), 1)
    f(x)
  }, 0)
  expect_lt(values[[1]], f(start))
  expect_false(is.unsorted(-values))
  expect_identical(descend_sphere(to, f), to)
  near <- (to + c(0.05, 0.02, -0.03)) / sqrt(sum((to + c(0.05, 0.02, -0.03))^2))
  expect_lt(f(descend_sphere(near, f, 4)), f(near))
  # nothing to choose
  expect_identical(descend_sphere(start, function(x) 0), start)
})
