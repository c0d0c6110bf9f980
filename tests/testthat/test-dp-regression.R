# dp_regression(): releases, prints, refusals, leaks.

# -- the release -----------------------------------------------------------------------------

test_that("Medsweep: several regressors, levels that do not occur, its arguments", {
  skip_on_cran()
  set.seed(6)
  n <- 1000
  d <- data.frame(x = rnorm(n), g = factor(sample(c("a", "b"), n, TRUE), c("a", "b", "c")))
  d$y <- 1 + 2 * d$x + 3 * (d$g == "b") + rnorm(n) / 4
  r <- dp_regression(y ~ x + g, d, 12, 1e-5, method = "medsweep", lower = -20, upper = 20)
  expect_s3_class(r, "dp_regression")
  expect_named(coef(r), c("(Intercept)", "x", "gb", "gc"))
  expect_lte(max(abs(coef(r))), 20)
  b <- coef(r)
  expect_equal(unname(predict(r, data.frame(x = 0.5, g = "c"))), b[[1]] + b[[2]] / 2 + b[[4]])
  expect_length(residuals(r, d)$value, n)
  expect_match(paste(format(r), collapse = " "), "Medsweep")
  ledger <- dp_ledger(1, 0.1)
  refused <- function(...) {
    expect_error(
      dp_regression_medsweep(y ~ x + g, d, 1, 1e-5, lower = -20, upper = 20, ..., ledger = ledger),
      class = "dpdepth_error_input"
    )
    expect_identical(nrow(as.data.frame(ledger)), 0L)
  }
  refused(max_iter = 0)
  refused(sweep_bounds = -1)
  refused(weights = d$x)
  twice <- dp_regression_medsweep(y ~ x, d, 12, 1e-5, lower = -20, upper = 20, max_iter = 2L)
  expect_equal(twice$details$releases, 3)
  # the slope's noise has a scale of half a unit here: beyond 10 with a chance below ALPHA
  expect_lt(abs(coef(twice)[["x"]] - 2), 10)
})

test_that("prints", {
  set.seed(4)
  r <- dp_regression(dist ~ speed, cars, 2, 1e-6, lower = c(-100, 0), upper = c(100, 10), rng = "R",
                     method = "deepest")
  r$estimate[] <- c(-12, 3)
  r$details[c("alpha", "beta")] <- list(1, 0.1) # the constants have tests of their own
  expect_snapshot(r)
  expect_snapshot(summary(r))
  expect_snapshot(error = TRUE, dp_regression(dist ~ poly(speed, 2), cars, 2, 1e-6, lower = 0, upper = 1,
                                              method = "deepest"))
})

# -- refusals and leaks ----------------------------------------------------------------------------

test_that("bad arguments spend nothing", {
  ledger <- dp_ledger(1, 0.1)
  d <- data.frame(x = 1:9, y = c(1, 3, 2, 5, 4, 7, 6, 9, 8), one = 1, text = letters[1:9], gap = c(NA, 2:9),
                  f = factor(rep(1:3, 3)), g = factor("a"), inf = c(1:8, Inf))
  d$when <- Sys.Date() + 1:9
  d$pair <- cbind(1:9, 9:1)
  bad <- function(formula, text, data = d, epsilon = 0.5, delta = 1e-6, lower = -9, upper = 9,
                  method = "deepest", ...) {
    expect_error(
      dp_regression(formula, data, epsilon, delta, lower = lower, upper = upper, method = method, ...,
                    ledger = ledger),
      text, class = "dpdepth_error_input"
    )
    expect_identical(nrow(as.data.frame(ledger)), 0L)
  }
  bad(y ~ poly(x, 2), "poly")
  bad(y ~ scale(x), "scale")
  bad(y ~ splines::ns(x), "name alone")
  bad(y ~ (function(v) v)(x), "without a name")
  bad(y ~ cut(x, 3), "cut")
  bad(y ~ I(x - mean(x)), "mean")
  bad(rank(y) ~ x, "rank")
  bad(y ~ offset(one) + x, "offset")
  bad(y ~ x, "weights", weights = 1:9)
  bad(y ~ x + I(x^2), "one numeric regressor")
  bad(y ~ f, "one numeric regressor")
  bad(y ~ text, "text")
  bad(y ~ gap, "missing values")
  bad(gap ~ x, "missing values")
  bad(y ~ g, "two levels")
  bad(y ~ when, "when")
  bad(y ~ pair, "pair")
  bad(y ~ log(f), "given a factor and takes numbers")
  bad(y ~ inf, "infinite values in `inf`")
  bad(y ~ gap, "`na`")
  bad(y ~ gap, "`na` must be", na = "omit")
  bad(y ~ gap, "`na` must be one finite number", na = list(gap = "a"))
  bad(text ~ x, "text")
  bad(f ~ x, "numeric response")
  bad(y ~ x - 1, "intercept")
  bad(y ~ 1, "regressors")
  bad(~x, "response")
  bad("y ~ x", "formula")
  bad(y ~ elsewhere, "`elsewhere`")
  bad(y ~ x, "data frame", data = as.matrix(d[1:2]))
  bad(y ~ x, "2 rows", data = d[1, ])
  bad(y ~ x, "epsilon", epsilon = 0)
  bad(y ~ x, "epsilon", epsilon = 1e-5)
  bad(y ~ x, "delta", delta = 0)
  bad(y ~ x, "`gamma` is not an argument", gamma = 0.1)
  bad(y ~ x, "lower", lower = NULL)
  bad(y ~ x, "upper", upper = c(1, 2, 3))
  bad(y ~ x, "lower", lower = c(0, 9))
  bad(y ~ x, "upper", lower = 1e12, upper = 1e12 + 1)
  bad(y ~ x, "1e-60", lower = 0, upper = 1e-100)
  bad(y ~ x, "method", method = "ols")
  bad(y ~ x, "must be named", upper = c(a = 1, b = 2))
  expect_error(dp_regression(y ~ x, d, 1, method = "deepest"), "`delta`", class = "dpdepth_error_input")
  expect_error(dp_regression(d$y ~ d$x, epsilon = 1), "`data` must be given: a data frame, whose columns",
               class = "dpdepth_error_input")
  dp_regression(y ~ x, d, 1, 1e-6, lower = c(Intercept = -9, x = 0), upper = 9, ledger = ledger,
                method = "deepest")
  expect_equal(summary(ledger)$left[[1]], 0)
  expect_error(dp_regression(y ~ x, d, 1, 1e-6, lower = 0, upper = 1, ledger = ledger, method = "deepest"),
               class = "dpdepth_error_budget")
})

test_that("functions of the formula are base R's, whatever is defined where it was written", {
  log <- function(v) stop("not this one")
  r <- dp_regression(log(dist) ~ speed, cars, 1, 1e-6, lower = -9, upper = 9, method = "deepest")
  expect_true(is.finite(predict(r, data.frame(speed = 3))))
})

test_that("R's stream steers a simulation only", {
  run <- function(rng) {
coef(dp_regression(dist ~ speed, cars, 12, 1e-6, lower = -1e4, upper = 1e4, rng = rng,
                                          method = "deepest"))
}
  set.seed(1)
  one <- run("R")
  two <- run("R")
  set.seed(1)
  expect_identical(cbind(run("R"), run("R")), cbind(one, two, deparse.level = 0))
  set.seed(1)
  expect_false(identical(run("system"), one))
})

# TRUE if a ledger is not charged what a release costs in zero-concentrated privacy: epsilon^2/8 for each
# exact draw of an exponential mechanism, epsilon^2/2 for all else.
account_is_wrong <- function() {
  d <- data.frame(x = sin(1:800), y = cos(1:800))
  d$y[[1]] <- 3
  charged <- function(...) {
    ledger <- dp_ledger(9, 0.1)
    suppressWarnings(dp_regression(y ~ x, d, 1.5, ..., ledger = ledger, rng = "R"))
    as.data.frame(ledger)$rho
  }
  wrong <- function(rho, ...) abs(charged(...) / rho - 1) > 1e-9
  drawn <- 1.5^2 / 8
  other <- 1.5^2 / 2
  wrong(drawn, lower = -5, upper = 5) ||
    wrong(drawn / 3, lower = -5, upper = 5, tau = c(0.25, 0.5, 0.75)) || wrong(drawn, method = "batches") ||
    wrong(other, lower = -5, upper = 5, interval = 0.9) ||
    wrong(other, delta = 1e-6, method = "deepest", lower = -5, upper = 5)
}

test_that("a ledger in zero-concentrated privacy is charged what each method costs", {
  skip_on_cran()
  expect_false(account_is_wrong())
  for (b in list(
    bug(account_is_wrong, "plan_exponential", "rep(epsilon/length(tau), length(tau))", "epsilon/length(tau)"),
    bug(account_is_wrong, "plan_exponential", "rho = if (is.null(interval))", "rho = if (TRUE)"),
    bug(account_is_wrong, "plan_batches", "bounded_range_rho(epsilon)", "bounded_range_rho(epsilon/2)")
  )) {
    expect_true(caught(b))
  }
  # of a tested draw of batches' fits, too
  wrong <- function() {
    !is.null(plan_batches(800, c("(Intercept)", "a"), list(), 1.5, 1e-6, 0.5, size = 100)$rho)
  }
  expect_false(wrong())
  expect_true(caught(bug(wrong, "plan_batches", "rho = if (pure)", "rho = if (TRUE)")))
})

# -- its methods --------------------------------------------------------------------------------------

test_that("each method has a plan, a draw and the names of its arguments", {
  for (method in regression_methods) {
    engine <- regression_engine(method)
    expect_true(is.function(engine$plan) && is.function(engine$run), info = method)
    expect_type(engine$arguments, "character")
    # an argument that may be given is one that the plan takes, if it does not hand it on
    taken <- names(formals(engine$plan))
    expect_true("..." %in% taken || all(engine$arguments %in% taken), info = method)
  }
})

test_that("what the door has for some methods is refused by the others", {
  for (method in regression_methods) {
    taken <- regression_engine(method)$arguments
    for (argument in c("interval", "at", "resolution")) {
      given <- stats::setNames(list(0.9), argument)
      if (argument %in% taken) expect_no_error(refuse_others(given, method, taken))
      else expect_error(refuse_others(given, method, taken), sprintf("`%s` must be NULL", argument),
                        class = "dpdepth_error_input")
    }
  }
})

test_that("each method's function has its arguments, with its plan's defaults", {
  for (method in regression_methods) {
    engine <- regression_engine(method)
    own <- formals(get(paste0("dp_regression_", method)))
    expect_true(all(engine$arguments %in% names(own)), info = method)
    inner <- formals(switch(method, exponential = plan_exponential, batches = plan_batches,
                            medsweep = medsweep_plan, deepest = plan_deepest))
    for (argument in engine$arguments) {
      expect_identical(eval(own[[argument]]), eval(inner[[argument]]), info = argument)
    }
  }
})

test_that("nothing of the data is in a release, and its size does not depend on n", {
  skip_on_cran()
  n <- 40
  x <- 1000 + (seq_len(n) * 0.618033988749895) %% 1 * 8999
  y <- rev(x) / 3 + 100
  d <- data.frame(x = x, y = y)
  holder <- local({
    secret <- x
    y ~ x
  })
  f <- structure(y ~ x, hidden = x)
  releases <- list(
    dp_regression(y ~ x, d, 1, 1e-6, lower = -9, upper = 9, method = "deepest"),
    dp_regression(holder, d, 1, 1e-6, lower = -9, upper = 9, method = "deepest"),
    dp_regression(f, d, 1, 1e-6, lower = -9, upper = 9, method = "deepest"),
    do.call(dp_regression, list(holder, d, 1, 1e-6, lower = -9, upper = 9)),
    do.call("dp_regression", list(y ~ x, data = d, epsilon = 1, delta = 1e-6, lower = -9, upper = 9)),
    dp_regression(y ~ x, data.frame(x = x, y = y), 1, 1e-6, lower = -9, upper = 9, method = "deepest")
  )
  for (r in releases) {
    raw <- serialize(r, NULL, xdr = FALSE)
    text <- capture.output(print(r), str(r), dput(r), print(summary(r)), print(formula(r)))
    text <- paste(text, collapse = "\n")
    hex <- paste(as.character(raw), collapse = "")
    held <- vapply(c(x, y), function(v) {
      bytes <- paste(as.character(writeBin(v, raw(), endian = "little")), collapse = "")
      grepl(bytes, hex, fixed = TRUE) || grepl(format(v, digits = 15), text, fixed = TRUE)
    }, NA)
    expect_false(any(held))
  }
  expect_error(eval(bquote(dp_regression(y ~ I(x * .(x)), d, 1, 1e-6, lower = -9, upper = 9,
                                         method = "deepest"))),
               "without data written into it", class = "dpdepth_error_input")
  more <- d[rep(1:n, 9), ] # with 40 rows the release holds a warning, by public numbers
  size <- function(data) {
    r <- dp_regression(y ~ x, data, 1, 1e-6, lower = -9, upper = 9, method = "deepest")
    length(serialize(r, NULL))
  }
  expect_identical(size(more), size(rbind(more, more)))
})
