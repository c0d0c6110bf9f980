# What plans share: which of n, epsilon and error is sought, and a print's head.

test_that("one of three numbers is sought, the others are checked", {
  expect_identical(check_plan(NULL, 1L, 0.5), list(n = NULL, epsilon = 1, error = 0.5))
  expect_identical(check_plan(100, NULL, 2), list(n = 100L, epsilon = NULL, error = 2))
  expect_identical(check_plan(100, 1, NULL), list(n = 100L, epsilon = 1, error = NULL))
  wrong <- function(arg, ...) {
    e <- expect_error(check_plan(...), class = "dpdepth_error_input")
    expect_identical(e$arg, arg)
  }
  wrong("error", 100, 1, 0.5)
  # what is missing is named
  wrong("epsilon", 100, NULL, NULL)
  wrong("epsilon", NULL, NULL, NULL)
  wrong("n", 0.5, 1, NULL)
  wrong("epsilon", 100, 0, NULL)
  wrong("error", 100, NULL, 0)
})

test_that("a plan's head names its class, what is expected, and its public numbers", {
  head <- function(plan) paste(format(plan, digits = 2L)[1:2], collapse = " ")
  expect_match(head(plan_median(12000, 3, 1 / 3, lower = 0, upper = 10)), fixed = TRUE, paste(
    "<median_plan> Expected error that privacy adds to a median, n = 12,000, d = 3, epsilon = 0.33"
  ))
  expect_match(head(plan_ecdf(12000, 1 / 3)), fixed = TRUE,
               "<ecdf_plan> Expected height of a 95% band, n = 12,000, epsilon = 0.33")
})

test_that("plans between wide limits say that ties need a resolution, others do not", {
  for (plan in list(plan_median(200, 1, 1, lower = -1e6, upper = 1e6, spread = 1), plan_median(200, 1, 1),
                    plan_quantile(200, 0.5, 1, lower = -1e6, upper = 1e6, spread = 1))) {
    expect_output(print(plan), "many zeros give\\s+dp_(median|quantile)\\(\\) a `resolution`")
  }
  tight <- utils::capture.output(print(plan_median(200, 1, 1, lower = -10, upper = 10, spread = 1)))
  expect_false(any(grepl("resolution", tight)))
  expect_output(print(plan_quantile(40, 0.5, 1, lower = -10, upper = 10, spread = 1)), "failure: 0.[0-9]+%")
})

test_that("several n and epsilons give the rows of the plan of each pair", {
  found <- plan_mean(n = c(200, 1000), epsilon = c(0.5, 1), lower = 0, upper = 110, spread = 20)
  expect_identical(class(found), "data.frame")
  expect_identical(found$n, rep(c(200L, 1000L), 2))
  expect_identical(found$epsilon, rep(c(0.5, 1), each = 2))
  expect_identical(found[3, ], tidy(plan_mean(n = 200, epsilon = 1, lower = 0, upper = 110, spread = 20)),
                   ignore_attr = "row.names")
  sought <- plan_median(epsilon = c(0.5, 1), lower = 0, upper = 9, spread = 1, error = 0.1)
  expect_identical(sought$n, vapply(c(0.5, 1), function(epsilon) {
    plan_median(epsilon = epsilon, lower = 0, upper = 9, spread = 1, error = 0.1)$n
  }, 0L))
  # every plan of n and epsilon
  two <- c(500, 1000)
  plans <- list(plan_quantile(two, epsilon = 1, lower = 0, upper = 9), plan_histogram(two, 1),
                plan_regression(two, 1, 1, lower = -9, upper = 9), plan_test(two, 1, effect = 0.2),
                plan_summary(two, list(sex = 2), 1), plan_depth(two, 1), plan_correlation(two, epsilon = 1),
                plan_ecdf(two, 1, lower = 0, upper = 9), plan_median(two, interval = 0.9, epsilon = 1,
                                                                     lower = 0, upper = 9))
  for (plan in plans) expect_true(identical(class(plan), "data.frame") && setequal(plan$n, two))
  expect_error(plan_median(n = list(1, 2), epsilon = 1, lower = 0, upper = 9), "`n` must be one number",
               class = "dpdepth_error_input")
  expect_error(plan_median(n = 9:10, epsilon = c(1, -1), lower = 0, upper = 9), class = "dpdepth_error_input")
})

# -- curves against n and epsilon ------------------------------------------------------------------

# Does a plan show a value of data that stand where its number of rows should be?
misplaced_shows <- function() {
  wages <- c(41.375, 5123.25)
  calls <- expression(
    plan_median(x, epsilon = 1), plan_median(x, 2, 1, lower = 0, upper = 9, interval = 0.9),
    plan_quantile(x, epsilon = 1, lower = 0, upper = 9), plan_mean(x, 1, lower = 0, upper = 9),
    plan_histogram(x, 1), plan_depth(x, 1), plan_correlation(x, epsilon = 1), plan_ecdf(x, 1),
    plan_region(x, epsilon = 1, lower = 0, upper = 9), plan_interior_point(x, 1, 0.1),
    plan_mestimate(x, 1, lower = 0, upper = 9, scale = 1), plan_regression(x, 1, 1, lower = -9, upper = 9),
    plan_regression(x, 1, 1, lower = -9, upper = 9, interval = 0.9), plan_test(x, 1, effect = 0.2),
    plan_test(x, 1, interval = 0.9), plan_summary(x, list(a = 2), 1), plan_summary(100, list(a = x[[1]]), 1),
    plan_by(x, epsilon = 1, lower = 0, upper = 9), plan_mean(100, wages - 50, lower = 0, upper = 9)
  )
  said <- unlist(lapply(calls, function(call) {
    lapply(list(wages, wages[[1]]), function(x) tryCatch(eval(call), dpdepth_error_input = conditionMessage))
  }))
  any(grepl("41[.]375|5123|-8[.]6|5073", said))
}

test_that("data in the place of a plan's number of rows are not shown", {
  expect_false(misplaced_shows())
  expect_true(caught(bug(misplaced_shows, "check_count", "if (shown)", "if (TRUE)")))
  expect_true(caught(bug(misplaced_shows, "plan_grid", "describe_numbers(epsilon, bad)",
                         "format(epsilon[bad][[1]])")))
  expect_error(plan_mean(c(10, 2.5), 1, lower = 0, upper = 9), class = "dpdepth_error_input",
               "`n` must be one whole number .*another number.* no place for data")
})

mean_plan_of <- function(...) plan_mean(n = 1000, epsilon = 1, lower = 0, upper = c(100, 2), ...)

test_that("plans print what they are, and tidy() and [ give plain data frames", {
  p <- mean_plan_of()
  expect_output(expect_identical(print(p), p), "<mean_plan> Error that privacy adds to a mean, n = 1,000")
  expect_identical(class(tidy(p)), "data.frame")
  expect_identical(p[2, "error"], p$error[[2]])
  expect_identical(class(p[1, ]), class(p))
  expect_identical(class(p["n"]), "data.frame")
  many <- plan_by(rep(100, 25), plan = plan_histogram, epsilon = 1)
  expect_output(print(many), "and 5 more")
})

test_that("all plans have the same methods, and print in parts, too", {
  plans <- list(
    p = mean_plan_of(), plan_ecdf(1000, 1), plan_median(1000, 2, 1, lower = 0, upper = 9),
    plan_median(1000, 2, 1, lower = 0, upper = 9, interval = 0.9),
    plan_quantile(1000, 0.5, 1, lower = 0, upper = 9), plan_region(1000, epsilon = 1, lower = 0, upper = 9),
    plan_regression(1000, 1, 1, lower = -9, upper = 9)
  )
  for (plan in plans) {
    expect_s3_class(plan, "dp_plan")
    expect_identical(format(plan), capture.output(print(plan)))
    expect_identical(class(tidy(plan)), "data.frame")
    expect_identical(class(plan[c("n", "epsilon")]), "data.frame")
    # in the past "n = NULL" or an error
    expect_output(print(plan[1, ]), "n = 1,000", fixed = TRUE)
    expect_output(print(plan["epsilon"]), "epsilon")
  }
})

test_that("curves pass through what is planned, and fall with n and epsilon", {
  p <- plan_mean(n = 1000, epsilon = 1, lower = 0, upper = 100)
  curve <- plan_curve(p)
  expect_identical(levels(curve$facet), c("n", "epsilon"))
  expect_equal(curve$value[curve$facet == "n" & curve$at == 1000], p$error)
  for (facet in levels(curve$facet)) expect_true(all(diff(curve$value[curve$facet == facet]) < 0))
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_identical(plot(p), p)
  expect_error(plot(p, col = 2), class = "dpdepth_error_input")
  skip_if_not_installed("ggplot2")
  for (plan in list(p, plan_histogram(100, 1), plan_interior_point(400, 1, 1e-6, simulate = 2))) {
    picture <- ggplot2::autoplot(plan)
    expect_s3_class(picture, "ggplot")
    expect_identical(nlevels(ggplot2::ggplot_build(picture)$data[[2]]$PANEL), 2L)
  }
})

test_that("what is sought is the least that will do", {
  n <- plan_mean(epsilon = 0.5, lower = 0, upper = 110, error = 0.2)$n
  errors <- function(n) plan_mean(n = n, epsilon = 0.5, lower = 0, upper = 110)$error
  expect_true(errors(n) <= 0.2 && errors(n - 2) > 0.2)
  epsilon <- plan_histogram(n = 500, error = 0.001)$epsilon
  expect_equal(plan_histogram(n = 500, epsilon = epsilon)$error, 0.001, tolerance = 1e-3)
  expect_error(plan_mean(n = 10, lower = 0, upper = 1, error = 1e-30), "reachable",
               class = "dpdepth_error_input")
})

test_that("curves against n have a line for each interval, and a point where it was planned", {
  skip_on_cran()
  skip_if_not_installed("ggplot2")
  plan <- plan_quantile(500, c(0.1, 0.5), 1, lower = 0, upper = 100, spread = 10, interval = 0.95)
  shown <- picture(plan) # which plans for all its n, once
  drawn <- ggplot2::ggplot_build(picture_ggplot(shown))$data
  # two lines and points each, then what there is without privacy
  expect_equal(c(drawn[[2]]$y, drawn[[4]]$y), log10(plan$width))
  expect_setequal(vapply(drawn[c(1, 3)], function(at) at$linetype[[1]], 0), 1:2)
  expect_identical(picture_keys(shown)$key, c("10%", "50%", "without privacy"))
  one <- ggplot2::autoplot(plan_ecdf(1000, 1))
  expect_equal(ggplot2::ggplot_build(one)$data[[2]]$y, log10(plan_ecdf(1000, 1)$height))
})

test_that("a plan says where its failures, and not its errors, decide on what was sought", {
  set <- "is the least with a failure of 0.05% or less"
  text <- function(x) paste(format(x), collapse = " ")
  far <- plan_median(epsilon = 1, lower = 0, upper = 1e9, spread = 1, error = 0.5)
  expect_match(text(far), set)
  expect_lt(far$error[far$chosen], 0.25)
  expect_match(text(plan_quantile(epsilon = 1, lower = 0, upper = 1e6, spread = 1, error = 0.3)), set)
  # where errors decide, and where nothing was sought
  expect_no_match(text(plan_median(epsilon = 1, lower = 0, upper = 100, spread = 10, error = 0.5)), set)
  expect_no_match(text(plan_median(100, epsilon = 1, lower = 0, upper = 1e9, spread = 1)), set)
})
