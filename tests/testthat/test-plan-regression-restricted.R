# The plan of the restricted regression: areas of normal samples' regions, its level, and its share.

test_that("areas fall from level to level, and are those of normal samples up to a factor", {
  expect_identical(normal_fit_profile(3), numeric(0))
  for (n in c(20, 500, 5000)) {
    volume <- normal_fit_profile(n)
    expect_false(is.unsorted(-volume))
    expect_gt(length(volume), n / 3)
    expect_lte(length(volume), n / 2)
  }
  set.seed(1)
  n <- 300
  volume <- normal_fit_profile(n)
  at <- seq(30, 100, by = 10)
  found <- replicate(8, {
    rows <- cbind(round(rnorm(n) * 2^12), round(rnorm(n) * 2^24))
    log(restricted_fits(0, rows, 1, 1)[[1]][at])
  })
  apart <- rowMeans(found) - volume[at]
  expect_lt(diff(range(apart)), 0.5)
})

test_that("level and share: the smallest share that serves, by all pairs; what is given is kept", {
  for (case in list(c(600, 1), c(1000, 1), c(400, 4))) {
    n <- case[[1]]
    epsilon <- case[[2]]
    plan <- restricted_fit_plan(n, epsilon, 1e-6)
    volume <- normal_fit_profile(n)
    threshold <- ptr_threshold(epsilon * plan$share, 1e-6)
    expect_identical(plan$margin, normal_margins(volume, plan$level, epsilon * (1 - plan$share), 1e-6))
    expect_identical(plan$pass, test_chance(plan$margin, epsilon * plan$share, 1e-6))
    if (plan$level < n / 4 + threshold || plan$share > 0.3) next
    for (s in plan_shares[plan_shares < plan$share]) {
      t <- ptr_threshold(epsilon * s, 1e-6)
      margins <- normal_margins(volume, plan_fit_levels(n, length(volume)), epsilon * (1 - s), 1e-6)
      expect_false(any(margins >= 2 * t & plan_fit_levels(n, length(volume)) >= n / 4 + t))
    }
  }
  # room to spare, for regressors with two values as well where there are 1000 rows
  narrow <- function() {
    any(vapply(list(c(600, 1), c(1000, 1), c(400, 4)), function(case) {
      plan <- restricted_fit_plan(case[[1]], case[[2]], 1e-6)
      threshold <- ptr_threshold(case[[2]] * plan$share, 1e-6)
      plan$margin < 2 * threshold || case[[1]] == 1000 && plan$level < 250 + threshold
    }, NA))
  }
  expect_false(narrow())
  for (b in list(bug(narrow, "restricted_fit_plan", "2 * pairs$threshold", "pairs$threshold"),
                 bug(narrow, "restricted_fit_plan", "n/4 + pairs$threshold", "n/4"))) {
    expect_true(caught(b))
  }
  given <- restricted_fit_plan(600, 1, 1e-6, level = 77, share = 0.35)
  expect_identical(unlist(given[c("level", "share")]), c(level = 77, share = 0.35))
  # few rows: what passes most often, which is hardly ever
  expect_lt(restricted_fit_plan(30, 1, 1e-6)$pass, 0.01)
})

test_that("levels are whole, different, from 2 to the deepest", {
  for (n in c(4, 9, 50, 5000)) {
    deepest <- length(normal_fit_profile(n))
    levels <- plan_fit_levels(n, deepest)
    expect_identical(levels, unique(round(levels)))
    expect_true(all(levels >= 2 & levels <= max(2, deepest)))
  }
  expect_identical(plan_fit_levels(4, 0), 2)
})
