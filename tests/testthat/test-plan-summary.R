# plan_summary(): errors as drawn, sought n and epsilon, refusals.

test_that("errors are those of drawn tables", {
  skip_on_cran()
  set.seed(5)
  n <- 4000
  data <- data.frame(x = rnorm(n, 50, 5), u = factor(rep(1:4, n / 4)), g = gl(2, n / 2))
  plan <- plan_summary(n, list(x = c(0, 100), u = 4), epsilon = 1, count = 2, spread = 5)
  off <- replicate(60, {
    table <- dp_summary(data, 1, by = ~g, lower = 0, upper = 100, rng = "R")$table
    x <- table[table$variable == "x", ]
    ranks <- vapply(seq_len(nrow(x)), function(i) {
      rows <- if (x$group[[i]] == "all") data$x else data$x[data$g == x$group[[i]]]
      sum(rows <= x$estimate[[i]]) - length(rows) * c(0.25, 0.5, 0.75)[[(i - 1) %% 3 + 1]]
    }, 0)
    u <- table[table$variable == "u" & table$group != "all", ]
    c(all = mean(ranks[x$group == "all"]^2), groups = mean(ranks[x$group != "all"]^2),
      counts = mean((u$estimate - n / 8)^2))
  })
  seen <- sqrt(rowMeans(off))
  planned <- c(plan$rank[plan$kind == "quantiles"], plan$rank[plan$kind == "counts"])
  # 60 tables of 3, 6 and 8 numbers: a ratio beyond these has a probability below 1e-6
  expect_true(all(seen / planned > 0.7 & seen / planned < 1.35), info = toString(seen / planned))
  expect_identical(plan$error[plan$rows == "all" & plan$kind == "quantiles"],
                   plan$rank[plan$rows == "all" & plan$kind == "quantiles"] / n)
})

test_that("what is sought is the least that will do", {
  variables <- list(age = c(0, 120), sex = 2)
  n <- plan_summary(variables = variables, epsilon = 1, error = 0.02, count = 3)$n[[1]]
  worst <- function(n) plan_summary(n, variables, 1, count = 3)
  expect_lte(max(worst(n)$error), 0.02)
  expect_true(max(worst(n - 10)$error) > 0.02 || max(worst(n - 10)$failure, na.rm = TRUE) > 1 / 2000)
  epsilon <- plan_summary(1000, variables, error = 0.005)$epsilon[[1]]
  expect_equal(max(plan_summary(1000, variables, epsilon)$error), 0.005, tolerance = 1e-3)
  # where limits are wide, failures decide
  wide <- plan_summary(variables = list(x = c(-1e9, 1e9)), epsilon = 1, error = 0.2, spread = 1)
  expect_lte(wide$failure, 1 / 2000)
  expect_lt(wide$error, 0.19)
  expect_snapshot(worst(3000))
})

test_that("refusals name the argument", {
  refused <- function(...) expect_error(plan_summary(...), class = "dpdepth_error_input")
  refused(100, c(age = 2), 1)
  refused(100, list(2), 1)
  refused(100, list(a = 1:3), 1)
  refused(100, list(a = "2"), 1)
  refused(100, list(a = c(2, 1)), 1)
  refused(100, list(a = 2.5), 1)
  refused(100, list(a = c(0, 1)), 1, spread = c(b = 1))
  refused(100, list(a = c(0, 1)), 1, spread = -1)
  refused(100, list(a = c(0, 1)))
  refused(100, list(a = c(0, 1)), 1, count = 0)
  refused(variables = list(a = c(0, 1)), epsilon = 1, error = 2)
})
