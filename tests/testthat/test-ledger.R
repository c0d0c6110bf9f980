# The ledger: refuses to overspend, spends nothing on a refusal, is one account.

spend <- function(ledger, epsilon, delta = 0, label = "test") ledger_spend(ledger, epsilon, delta, label)

test_that("spends add up and are listed", {
  a <- dp_ledger(2, 1e-6)
  spend(a, 0.5, label = "one")
  spend(a, 1, 1e-6, label = "two")
  expect_identical(as.data.frame(a),
                   data.frame(label = c("one", "two"), epsilon = c(0.5, 1), delta = c(0, 1e-6),
                              rho = c(0.5^2, 1) / 2 * (1 + 1e-12)))
  expect_identical(summary(a)$left, c(0.5, 0))
  expect_identical(tidy(a), as.data.frame(a))
  expect_null(spend(NULL, 1e9))
})

test_that("overspending is refused and spends nothing", {
  a <- dp_ledger(1, 1e-6)
  spend(a, 0.5)
  before <- as.data.frame(a)
  for (bad in list(c(0.51, 0), c(0.1, 2e-6), c(NA, 0), c(0.1, NA), c(-1, 0), c(0.1, -1e-9), c(Inf, 0))) {
    expect_error(spend(a, bad[[1]], bad[[2]]), class = "dpdepth_error_budget")
    expect_identical(as.data.frame(a), before)
  }
  spend(a, 0.5, 1e-6)
  expect_error(spend(a, 1e-6), class = "dpdepth_error_budget")
  expect_error(spend(dp_ledger(1), 0.1, 1e-12), class = "dpdepth_error_budget")
})

test_that("a spend costs the same however many there were, and sums lose nothing", {
  # each spend copied and added up all of those before it
  account <- new_account()
  blind <- account
  blind$spends <- function() stop("all entries were looked at")
  ledger <- structure(list2env(list(total = c(epsilon = 1, delta = 1e-6, rho = Inf), account = blind,
                                    process = Sys.getpid())), class = "dp_ledger")
  for (i in 1:1000) spend(ledger, 1e-4, if (i %% 2) 1e-10 else 0)
  expect_identical(nrow(account$spends()), 1000L)
  expect_identical(account$spends()$delta[1:3], c(1e-10, 0, 1e-10))
  expect_equal(unname(account$spent()[1:2]), c(1000 * 1e-4, 500 * 1e-10), tolerance = 1e-15)
  expect_error(spend(ledger, 0.9001), "0.9", class = "dpdepth_error_budget")
  # one large and many that vanish beside it: a plain sum would never move
  account <- new_account()
  account$add("large", release_cost(1, 0))
  for (i in 1:200) account$add("small", release_cost(2^-54, 0))
  expect_identical(account$spent()[["epsilon"]], 1 + 200 * 2^-54)
})

test_that("deltas add up as epsilons do, and refuse by themselves", {
  a <- dp_ledger(1000, 1.5e-6)
  spend(a, 1, 1e-6)
  expect_error(spend(a, 1, 1e-6), class = "dpdepth_error_budget")
  expect_identical(summary(a)["delta", "spent"], 1e-6)
  expect_null(spend(a, 1, 5e-7))
  expect_identical(summary(a)["epsilon", "spent"], 2)
  expect_equal(summary(a)["delta", "spent"], 1.5e-6, tolerance = 1e-12)
  expect_equal(summary(a)["delta", "left"], 0, tolerance = 1e-12)
  expect_error(spend(a, 1, 1e-9), class = "dpdepth_error_budget")
})

test_that("a budget of rho is refused by rho, and by the deltas of approximate releases", {
  a <- dp_ledger(rho = 0.02, delta = 1e-6)
  expect_identical(rownames(summary(a)), c("rho", "delta"))
  for (i in 1:16) ledger_spend(a, 0.1, 0, "median", rho = bounded_range_rho(0.1))
  expect_error(ledger_spend(a, 0.1, 0, "median", rho = bounded_range_rho(0.1)), "rho = 0.00125",
               class = "dpdepth_error_budget")
  expect_identical(nrow(as.data.frame(a)), 16L)
  expect_identical(glance(a)$releases, 16L)
  expect_identical(glance(a)$account, "zCDP")
  expect_lt(glance(a)$epsilon, glance(a)$epsilon_basic)
  expect_lt(glance(a, delta = 1e-3)$epsilon, glance(a)$epsilon)
  expect_identical(glance(a, delta = 0)$epsilon, glance(a)$epsilon_basic)
  # pure releases without a smaller rho cost four times as much
  b <- dp_ledger(rho = 0.02, delta = 1e-6)
  for (i in 1:4) spend(b, 0.1)
  expect_error(spend(b, 0.1), class = "dpdepth_error_budget")
  expect_error(spend(dp_ledger(rho = 10, delta = 1e-6), 1, 2e-6), class = "dpdepth_error_budget")
  expect_null(ledger_spend(dp_ledger(rho = 10), 1, 2e-6, "Gaussian", rho = 0.1))
  # with both, both must cover it
  both <- dp_ledger(1, 1e-6, rho = 0.01)
  expect_identical(rownames(summary(both)), c("epsilon", "rho", "delta"))
  expect_error(spend(both, 0.5), class = "dpdepth_error_budget")
  expect_error(ledger_spend(both, 1.1, 0, "x", rho = 0.001), class = "dpdepth_error_budget")
  expect_null(ledger_spend(both, 0.5, 0, "x", rho = 0.001))
})

test_that("entries without a proof are told in what is read", {
  a <- dp_ledger(rho = 1, delta = 1e-6)
  spend(a, 0.1)
  expect_true(glance(a)$proved)
  ledger_spend(a, 0.1, 0, "chain", "stationary")
  expect_match(as.data.frame(a)$label[[2]], "^chain \\(stationary: ")
  expect_false(glance(a)$proved)
  expect_match(format(a), "if each entry keeps what it claims", fixed = TRUE, all = FALSE)
})

test_that("shares of a budget fit into it, and no more", {
  for (k in c(3, 7, 10, 49, 1000)) {
    a <- dp_ledger(1, 1e-6)
    for (i in seq_len(k)) spend(a, 1 / k, 1e-6 / k)
    expect_identical(nrow(as.data.frame(a)), as.integer(k))
    expect_lte(sum(as.data.frame(a)$epsilon), 1 + 1e-10)
    expect_error(spend(a, 1e-6), class = "dpdepth_error_budget")
  }
  a <- dp_ledger(0.3)
  spend(a, 0.1)
  spend(a, 0.2)
  expect_error(spend(dp_ledger(1), 1 + 1e-9), class = "dpdepth_error_budget")
})

test_that("a ledger is one account and cannot be rewritten", {
  a <- dp_ledger(1)
  b <- a
  spend(b, 1)
  expect_error(spend(a, 1), class = "dpdepth_error_budget")
  expect_error(a$spends <- NULL, class = "dpdepth_error_budget")
  expect_error(a[["total"]] <- 5, class = "dpdepth_error_budget")
  expect_error(assign("total", 5, a))
  expect_error(assign("more", 5, a))
  # the account could once be emptied by assign("spends", ...)
  for (name in ls(a)) {
    expect_error(assign(name, NULL, a))
    expect_error(rm(list = name, envir = a))
  }
  try(assign("spends", data.frame(label = "", epsilon = 0, delta = 0), a), silent = TRUE)
  list <- as.data.frame(a)
  list$epsilon <- 0
  expect_error(spend(a, 1), class = "dpdepth_error_budget")
  expect_identical(as.data.frame(a)$epsilon, 1)
  # what the help page warns of: a saved copy is another account
  old <- unserialize(serialize(dp_ledger(1), NULL))
  expect_null(spend(old, 1))
})

test_that("a parent's ledger refuses in a forked worker", {
  skip_on_os("windows")
  a <- dp_ledger(1)
  try_there <- function(i) tryCatch(spend(a, 0.1), error = function(e) class(e)[[1]])
  there <- parallel::mclapply(1:2, try_there, mc.cores = 2)
  expect_identical(there, list("dpdepth_error_budget", "dpdepth_error_budget"))
  own <- parallel::mclapply(1:2, function(i) is.null(spend(dp_ledger(1), 0.1)), mc.cores = 2)
  expect_identical(own, list(TRUE, TRUE))
})

test_that("bad budgets are refused", {
  for (x in list(0, -1, Inf, NA, "1", NULL, 1:2)) expect_error(dp_ledger(x), class = "dpdepth_error_input")
  for (x in list(1, -1, NA, "1", NULL, 1:2)) expect_error(dp_ledger(1, x), class = "dpdepth_error_input")
  for (x in list(0, -1, NA, Inf, "1", 1:2)) expect_error(dp_ledger(1, rho = x), class = "dpdepth_error_input")
  expect_error(glance(dp_ledger(1), delta = 2), class = "dpdepth_error_input")
  for (x in list(1, "a", list(), new.env(), structure(list(), class = "dp_ledger"))) {
    expect_error(spend(x, 0.1), class = "dpdepth_error_input")
  }
})

test_that("ledgers print", {
  skip_on_cran()
  a <- dp_ledger(1, 1e-6)
  expect_snapshot({
    a
    for (i in 1:3) ledger_spend(a, 1 / 3, 0, "dp_median: exponential mechanism, halfspace depth")
    a
    summary(a)
    as.data.frame(a)
    b <- dp_ledger(4, 1e-5)
    ledger_spend(b, 0.5, 1e-6, "dp_median_smooth")
    b
    c <- dp_ledger(rho = 0.1, delta = 1e-6)
    for (i in 1:2) ledger_spend(c, 0.1, 0, "median", rho = 0.00125)
    ledger_spend(c, 1, 1e-7, "approximate", rho = 0.05)
    c
    glance(c)
  })
  expect_snapshot(error = TRUE, {
    ledger_spend(a, 1, 0, "again")
    ledger_spend(1, 1, 0, "again")
    a$total <- 7
  })
})

test_that("what rounding leaves of a spent budget is printed as nothing, and a list is no ledger", {
  ledger <- dp_ledger(0.9)
  for (part in c(0.6, 0.3)) ledger_spend(ledger, part, 0, "a release")
  expect_gt(summary(ledger)$left[[1]], 0)
  expect_match(format(ledger)[[3]], "epsilon +0.9 +0.9 +0$")
  made <- structure(list(account = list()), class = "dp_ledger")
  expect_error(check_ledger(made), "made by dp_ledger()", fixed = TRUE, class = "dpdepth_error_input")
})
