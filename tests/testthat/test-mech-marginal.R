# The budget of composed medians.

test_that("the better of basic and concentrated composition is spent, and never more", {
  skip_on_cran()
  for (d in c(1, 2, 10, 30, 100, 1000)) {
    for (epsilon in c(0.1, 1, 10)) {
      pure <- marginal_budget(epsilon, 0, d)
      expect_identical(pure$delta, 0)
      expect_lte(sum(rep(pure$each, d)), epsilon)
      expect_gt(d * pure$each, epsilon * (1 - 1e-9))
      for (delta in c(1e-9, 1e-6, 0.01)) {
        b <- marginal_budget(epsilon, delta, d)
        expect_gte(b$each, pure$each)
        if (b$delta == 0) {
          expect_identical(b$each, pure$each)
        } else {
          expect_identical(b$delta, delta)
          expect_lte(zcdp_delta(sum(rep(b$each^2 / 8, d)), epsilon), delta)
        }
      }
    }
  }
  expect_identical(marginal_budget(1, 1e-6, 10)$delta, 0 + 1e-6)
  expect_identical(marginal_budget(1, 1e-6, 2)$delta, 0)
})
