# Directional depths refined by a search on the sphere: never worse, and near what is exact.

test_that("refined directions are never worse, and close to exact depths", {
  skip_on_cran()
  x <- matrix(qnorm((seq_len(600) * 0.6180339887498949) %% 1), 200)
  x <- x + matrix(sin(7 * seq_len(600)), 200) / 3
  u <- directions(3, 100)
  exact <- depth_halfspace(x, x, "exact")
  rough <- depth_halfspace(x, x, "directional", u)
  fine <- depth_halfspace(x, x, "refined", u)
  expect_true(all(fine <= rough) && all(fine >= exact))
  # less than a tenth as far off as the directional ones
  expect_lt(sum(fine - exact), 0.1 * sum(rough - exact))
  rough <- outlyingness(x[1:20, ], x, directions = u)
  fine <- outlyingness(x[1:20, ], x, directions = u, method = "refined")
  many <- outlyingness(x[1:20, ], x, directions = directions(3, 50000))
  expect_true(all(fine >= rough))
  expect_lt(sum(many - fine), 0.05 * sum(many - rough))
  # awkward data: an upper bound always, exact for one variable
  for (x in awkward_data()) {
    u <- directions(ncol(x), if (ncol(x) == 1) 1 else 20)
    fine <- depth_halfspace(x, x, "refined", u)
    expect_true(all(fine >= depth_halfspace(x, x, "exact") - 1e-15))
    expect_true(all(fine <= twin_halfspace(x, x, u) + 1e-15))
    rough <- outlyingness(x, x, directions = u)
    expect_true(all(outlyingness(x, x, directions = u, method = "refined") >= rough))
  }
})

test_that("refined depths in ten dimensions come near the population's", {
  x <- matrix(qnorm((seq_len(20000) * 0.7548776662466927 + seq_len(20000)^2 * 0.5698402909980532) %% 1), 2000)
  q <- x[1:20, ]
  rough <- depth_halfspace(q, x, "directional", 1000)
  fine <- depth_halfspace(q, x, "refined", 1000)
  population <- pnorm(-sqrt(rowSums(q^2)))
  expect_gt(mean(rough), 1.8 * mean(population))
  expect_lt(mean(fine), 1.1 * mean(population))
})
