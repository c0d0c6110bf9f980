# Planned errors of medians, the rule that picks a method, and the warning at the cliff: public numbers only.

test_that("planned errors are those of draws", {
  skip_on_cran()
  set.seed(3)
  x <- matrix(rnorm(6000), ncol = 3)
  limits <- prior_uniform(-20, 20)
  spread_of <- function(draws) sqrt(mean(apply(draws, 2, stats::var)))
  plan <- as.data.frame(plan_median(2000, 3, 1, prior = limits, spread = 1))
  planned <- function(method) plan$error[plan$method == method]
  # fixed seeds; the standard error of each figure is 3 to 5%, and n is finite
  halfspace <- draw_medians(300, x, 1, limits, directions = 200, rng = "R")
  expect_equal(spread_of(halfspace), planned("exponential"), tolerance = 0.2)
  expect_equal(spread_of(draw_axes(x, prior_for(limits, 3), 1, "R", 300L)), planned("axes"), tolerance = 0.2)
  marginal <- t(replicate(300, coef(dp_median(x, 1, prior = limits, method = "marginal", rng = "R"))))
  expect_equal(spread_of(marginal), planned("marginal"), tolerance = 0.2)
})

test_that("the rule takes the least error, and pure methods alone without delta", {
  skip_on_cran()
  for (d in c(1, 2, 5, 7, 12, 27, 28, 60)) {
    for (delta in c(0, 1e-6)) {
      plan <- as.data.frame(plan_median(1e5, d, 1, delta, lower = 0, upper = 1, spread = 0.1))
      expect_identical(sum(plan$chosen), 1L)
      open <- if (delta == 0) plan$guarantee == "pure" & plan$method != "marginal" else TRUE
      expect_identical(plan$error[plan$chosen], min(plan$error[open]))
      expect_identical(plan$delta[plan$guarantee == "pure"], 0 * plan$delta[plan$guarantee == "pure"])
    }
  }
  expect_identical(auto_median(1e4, 100, 1, 1e-6), "marginal")
  expect_identical(auto_median(1e4, 100, 1, 0), "axes")
  expect_identical(auto_median(1e4, 3, 1, 1e-6), "exponential")
  expect_identical(auto_median(1e4, 1, 1, 0.4), "exponential")
  expect_identical(auto_median(1e4, 20, 1, 1e-6), "axes")
})

test_that("the least n and the least epsilon give the error asked for, and not much more", {
  limits <- prior_normal(c(100, 20), c(50, 10))
  found <- as.data.frame(plan_median(d = 2, epsilon = 0.5, prior = limits, spread = c(10, 2), error = 0.2))
  expect_lte(found$error[found$chosen], 0.2)
  fewer <- as.data.frame(plan_median(found$n[[1]] - 1L, 2, 0.5, prior = limits, spread = c(10, 2)))
  expect_gt(fewer$error[fewer$chosen], 0.2)
  found <- as.data.frame(plan_median(1000, 2, prior = limits, spread = c(10, 2), error = 0.2))
  expect_lte(found$error[found$chosen], 0.2)
  expect_gt(found$error[found$chosen], 0.2 * 0.999)
})

test_that("beyond the cliff the error is that of the limits, and draws are noise", {
  # 100 variables, 2000 rows and bounds of 50 standard deviations: uniform noise
  plan <- as.data.frame(plan_median(2000, 100, 1, lower = -50, upper = 50, spread = 1))
  expect_true(all(plan$beyond))
  expect_equal(plan$error, rep(50 / sqrt(3), nrow(plan)))
  expect_false(any(plan_median(10000, 20, 1, lower = -50, upper = 50, spread = 1)$beyond))
})

test_that("the warning comes from public numbers, before anything is spent", {
  x <- matrix(sin(1:200), ncol = 2)
  warned <- function(...) {
    class <- "none"
    withCallingHandlers(
      try(dp_median(..., ledger = dp_ledger(0.001)), silent = TRUE),
      warning = function(w) {
        class <<- class(w)
        invokeRestart("muffleWarning")
      }
    )
    class
  }
  full <- c("dpdepth_warning_accuracy", "dpdepth_warning", "warning", "condition")
  # the ledger is too small, so that the call ends before the debit: the warning was first
  for (method in c("auto", "exponential", "marginal")) {
    expect_identical(warned(x, 0.05, lower = -1, upper = 1, method = method), full)
    expect_identical(warned(1e6 * x, 0.05, lower = -1, upper = 1, method = method), full)
    expect_identical(warned(x, 5, lower = -1, upper = 1, method = method), "none")
  }
  expect_warning(dp_median_exponential(x, 0.05, prior = prior_normal(0, 1)),
                 class = "dpdepth_warning_accuracy")
  expect_error(expect_warning(dp_median(x, 0.05, lower = -1, upper = 1, ledger = dp_ledger(1e-3))),
               class = "dpdepth_error_budget")
})

test_that("plans print, are tidy, and refuse bad arguments", {
  expect_snapshot({
    plan_median(1000, 3, 1, lower = 0, upper = 100, spread = 10)
    plan_median(10000, 100, 1, 1e-6, lower = -50, upper = 50, spread = 1)
    plan_median(200, 30, 0.5, prior = prior_normal(0, 10))
  })
  plan <- plan_median(1000, 3, 1, lower = 0, upper = 100)
  expect_identical(class(tidy(plan)), "data.frame")
  expect_identical(tidy(plan)$error, plan$error)
  bad <- function(...) expect_error(plan_median(...), class = "dpdepth_error_input")
  bad()
  bad(1000, 3, 1, lower = 0)
  bad(1000, 3, lower = 0, upper = 1)
  bad(1000, 3, 1, lower = 0, upper = 1, error = 0.1)
  bad(d = 3, lower = 0, upper = 1, error = 0.1)
  bad(0, 3, 1, lower = 0, upper = 1)
  bad(1000, 0, 1, lower = 0, upper = 1)
  bad(1000, 3, 1, 1, lower = 0, upper = 1)
  bad(1000, 3, 1, lower = 1, upper = 0)
  bad(1000, 3, 1, lower = 0, upper = 1, spread = 0)
  bad(1000, 3, 1, lower = 0, upper = 1, spread = c(1, 2))
  bad(d = 3, epsilon = 1, lower = 0, upper = 1, error = 1e-12)
  bad(1000, 3, 1, lower = 0, upper = 1, rule = "axes")
})

test_that("without limits and with delta: what the restricted draw spends, and its error", {
  plan <- as.data.frame(plan_median(n = 700, d = 20, epsilon = 1, delta = 1e-6))
  expect_identical(plan$guarantee, c("pure", "approximate"))
  expect_identical(plan$delta, c(0, 1e-6))
  share <- restricted_axes_plan(700, 20, 1, 1e-6)$share
  variance <- 4 * error_factor("axes", 1 - share, NULL, 20)^2 + gap_variance(1 - share)
  expect_equal(plan$error[[2]], sqrt(variance) / (700 * stats::dnorm(0)))
  # with a prior dp_median() has no restricted draw
  expect_identical(as.data.frame(plan_median(700, 20, 1, 1e-6, prior = prior_dyadic()))$method, "axes")
})

test_that("the projection median has its row, which \"auto\" does not take", {
  plan <- plan_median(20000, 2, 1, 1e-6, spread = c(3, 4))
  alone <- projection_error(20000, 2, 1, 1e-6, NULL)
  expect_identical(plan$method, c("axes", "restricted", "projection"))
  expect_equal(plan$error[[3]], alone$error * sqrt(12.5))
  expect_identical(plan$chosen, c(TRUE, FALSE, FALSE))
  expect_false(projection_error(20000, 2, 1, 1e-6, NULL)$chosen)
  expect_null(projection_error(1000, 2, 1, 1e-6, NULL))
})

test_that("of one variable the draw along its axis is no second method", {
  of <- function(...) plan_median(n = 500, epsilon = 1, lower = 0, upper = 9, ...)
  expect_identical(of()$method, "exponential")
  expect_identical(of(d = 2)$method, c("exponential", "axes", "marginal"))
  axes <- of(method = "axes")
  expect_identical(axes$method, "axes")
  expect_equal(axes$error, of()$error)
})

test_that("ties: a resolution is recommended where the method takes it as the lattice of its draws", {
  skip_on_cran()
  note <- "give dp_median() a `resolution`"
  text <- function(...) paste(format(plan_median(20000, 2, 1, 1e-6, ...)), collapse = " ")
  expect_match(text(spread = c(3, 4)), note, fixed = TRUE)
  expect_match(text(lower = -1e6, upper = 1e6, spread = 1), note, fixed = TRUE)
  expect_no_match(text(lower = -1, upper = 1, spread = 1), note, fixed = TRUE)
  expect_no_match(text(method = "projection", directions = 20), note, fixed = TRUE)
  expect_no_match(text(method = "marginal", lower = -1e6, upper = 1e6, spread = 1), note, fixed = TRUE)
})
