# The one way of every release: its order, what it says before the debit, and what stays of it.

# A call of each door, and of each method, of which public numbers say that it is noise.
hopeless_calls <- function() {
  set.seed(5)
  d <- as.data.frame(matrix(stats::rnorm(36), 12, dimnames = list(NULL, c("x", "y", "z")))) # public-rng: data
  wide <- list(epsilon = 0.01, lower = -1e6, upper = 1e6, rng = "R")
  of <- function(door, ..., drop = character()) {
    force(door)
    args <- utils::modifyList(wide[setdiff(names(wide), drop)], list(...))
    function() do.call(door, args, quote = TRUE)
  }
  list(
    exponential = of(dp_median, x = d$x),
    "exponential, n private" = of(dp_median, x = d[c("x", "y")], epsilon = 1e-5, neighbours = "add_remove"),
    "over another depth" = of(dp_median_exponential, x = d[c("x", "y")], depth = "irw"),
    marginal = of(dp_median, x = d, delta = 1e-6, method = "marginal"),
    smooth = of(dp_median, x = d$x, delta = 1e-6, method = "smooth"),
    interval = of(dp_median, x = rep(d$x, 5), epsilon = 1, interval = 0.95),
    restricted = of(dp_median, x = d[c("x", "y")], epsilon = 1, delta = 1e-6, method = "restricted",
                    drop = c("lower", "upper")),
    quantile = of(dp_quantile, x = d$x, probs = c(0.2, 0.8)),
    "quantile, n private" = of(dp_quantile, x = d$x, probs = 0.01, epsilon = 1e-3, neighbours = "add_remove"),
    "quantile with interval" = of(dp_quantile, x = rep(d$x, 5), probs = 0.5, epsilon = 1, interval = 0.95),
    ecdf = of(dp_ecdf, x = d$x, band = 0.95),
    mean = of(dp_mean, x = d$x),
    histogram = of(dp_histogram, x = 1, breaks = c(-9, 0, 9), drop = c("lower", "upper")),
    depth = of(dp_depth, points = matrix(0, 1, 2), data = d[c("x", "y")]),
    region = of(dp_region, x = d[c("x", "y")]),
    test = of(dp_test, x = d$x, drop = c("lower", "upper")),
    "M-estimate" = of(dp_mestimate, x = d$x, scale = 1),
    "M-estimate, n private" = of(dp_mestimate, x = d$x, scale = 1, epsilon = 1e-4, neighbours = "add_remove"),
    "M-estimate, scale private" = of(dp_mestimate, x = d$x),
    correlation = of(dp_correlation, x = d, drop = c("lower", "upper")),
    scale = of(dp_scale, x = d$x),
    "M-regression" = of(dp_mestimate, x = y ~ x, data = d, delta = 1e-6, scale = 1, x_lower = -9,
                        x_upper = 9),
    regression = of(dp_regression, formula = y ~ x, data = d),
    "regression, n private" = of(dp_regression, formula = y ~ x, data = d, epsilon = 1e-3,
                                 neighbours = "add_remove")
  )
}

test_that("every door keeps what it warns of accuracy in its release, and prints it", {
  skip_on_cran()
  calls <- hopeless_calls()
  for (name in names(calls)) {
    said <- character()
    release <- withCallingHandlers(calls[[name]](), dpdepth_warning = function(w) {
      if (inherits(w, "dpdepth_warning_accuracy")) said <<- c(said, conditionMessage(w))
      invokeRestart("muffleWarning")
    })
    expect_gt(length(said), 0, label = name)
    expect_identical(release$details$caution, paste(said, collapse = " "), label = name)
    printed <- gsub("\\s+", " ", paste(format(release), collapse = " "))
    expect_true(grepl(paste(said, collapse = " "), printed, fixed = TRUE), label = name)
    # in its place alone, and in no table
    expect_length(gregexpr(said[[1]], printed, fixed = TRUE)[[1]], 1)
    expect_false("caution" %in% c(names(tidy(release)), names(glance(release))), label = name)
  }
})

test_that("a release of which nothing is to be said has no caution", {
  release <- dp_median(faithful$waiting, epsilon = 1, lower = 40, upper = 100, rng = "R")
  expect_null(release$details$caution)
  expect_false("caution" %in% names(release$details))
})

# Two data sets of different sizes, of which one row is the other's.
caution_tells_size <- function() {
  said <- lapply(list(1:3, 1:900), function(x) {
    suppressWarnings(dp_median(x, 1e-5, lower = -1e6, upper = 1e6, neighbours = "add_remove", rng = "R"))
  })
  said <- lapply(said, function(release) release$details$caution)
  is.null(said[[1]]) || !identical(said[[1]], said[[2]]) || !grepl("assumed", said[[1]])
}

test_that("where n is private a caution is of the assumed number", {
  expect_false(caution_tells_size())
  expect_true(caught(bug(caution_tells_size, "facts_of", "if (given$private) private_size else nrow(rows)",
                         "nrow(rows)")))
  expect_true(caught(bug(caution_tells_size, "debit", "facts$private", "FALSE")))
})

# What debit() is given by a release of some rows.
asked_debit <- function(ledger, n, epsilon, delta, source = "R", warn = NULL, neighbours = "substitution") {
  debit(ledger, list(label = "a", delta = delta, warn = warn), list(n = n),
        list(epsilon = epsilon, neighbours = neighbours), source)
}

# Is anything said after the debit, or spent where a warning ends the call? A refused debit ends it as well.
debit_is_late <- function() {
  order <- character()
  ledger <- dp_ledger(1)
  noise <- function(said) warn_dpdepth("accuracy", "noise")
  with_bindings(list(ledger_spend = function(...) order <<- c(order, "spent")), {
    withCallingHandlers(asked_debit(ledger, 1, 1, 0, warn = noise),
                        dpdepth_warning = function(w) order <<- c(order, conditionMessage(w)))
  }) |> suppressWarnings()
  ended <- tryCatch(asked_debit(ledger, 9, 1, 0, warn = noise), dpdepth_warning = function(w) NULL)
  length(order) != 3 || order[[3]] != "spent" || !is.null(ended) || summary(ledger)$spent[[1]] != 0
}

test_that("all is said before the debit", {
  expect_false(debit_is_late())
  expect_true(caught(bug(debit_is_late, "debit", "caution <- accuracy", "caution <- function() accuracy",
                         "debit", "caution = caution", "caution = caution()")))
})

test_that("what is paid is what is claimed", {
  ledger <- dp_ledger(2, 1e-5)
  paid <- asked_debit(ledger, 9, 1, 1e-6, "system", neighbours = "add_remove")
  expect_identical(paid[c("epsilon", "delta", "guarantee", "rng", "neighbours")],
                   list(epsilon = 1, delta = 1e-6, guarantee = "approximate", rng = "system",
                        neighbours = "add_remove"))
  expect_equal(summary(ledger)$spent, c(1, 1e-6))
  expect_identical(asked_debit(NULL, 9, 1, 0)$guarantee, "pure")
  expect_error(asked_debit(ledger, 9, 2, 0), class = "dpdepth_error_budget")
})

test_that("releases by group keep what was said, once where it is said of all", {
  d <- data.frame(x = 1:40, g = rep(c("a", "b", "c", "d", "e"), 8))
  told <- function(...) {
    text <- suppressWarnings(format(dp_by(d["x"], d$g, dp_median, lower = -1e6, upper = 1e6, rng = "R", ...,
                                          levels = letters[1:5])))
    gsub("\\s+", " ", paste(text, collapse = " "))
  }
  private <- told(epsilon = 1e-4)
  expect_length(gregexpr("With n = 10000 (assumed", private, fixed = TRUE)[[1]], 1)
  expect_match(private, "With n = 10000 (assumed", fixed = TRUE)
  expect_length(gregexpr("With n = 8", told(epsilon = 0.1, groups = "public"), fixed = TRUE)[[1]], 1)
  d$g <- c(rep("a", 9), rep("b", 8), rep(c("c", "d", "e"), c(7, 7, 9)))
  public <- told(epsilon = 0.1, groups = "public")
  expect_match(public, "a: With n = 9", fixed = TRUE)
  expect_match(public, "2 more groups are so", fixed = TRUE)
})

# -- the order ----------------------------------------------------------------------------------------

# What release_by() asks of a mechanism, in order, with what is left of the ledger then.
steps_of <- function(mechanism = list(), ledger = dp_ledger(1), source = "R") {
  seen <- character()
  note <- function(step, value) {
    seen <<- c(seen, sprintf("%s %s", step, format(summary(ledger)$left[[1]])))
    value
  }
  steps <- utils::modifyList(list(
    read = function(given) note("read", read_rows(given)),
    plan = function(facts, given) {
      warn <- function(said) note("warn", NULL)
      note("plan", list(label = "test", what = "test", mechanism = "test", warn = warn))
    },
    ready = function(rows, plan) note("ready", rows),
    draw = function(rows, plan, source) note("draw", list(estimate = rows[[1]]))
  ), mechanism)
  given <- list(x = 5, epsilon = 1, na = "fail", ledger = ledger, rng = source)
  made <- tryCatch(suppressWarnings(release_by(do.call(new_mechanism, steps), list(given = given))),
                   error = identity)
  list(seen = seen, made = made)
}

test_that("a release reads, plans, warns, debits and draws, in this order", {
  order <- c("read 1", "plan 1", "ready 1", "warn 1", "draw 0")
  expect_identical(steps_of()$seen, order)
  wrong <- function() !identical(steps_of()$seen, order)
  expect_true(caught(late_debit(wrong)))
  expect_true(caught(bug(wrong, "release_by", "debit(given$ledger", "debit(NULL")))
  expect_true(caught(bug(wrong, "debit", "plan$warn(", "identity(")))
})

# (caught() shows what is raised within a draw as it is.)
speaks_of <- function(audit, from, to) {
  with_bindings(planted(bug(audit, "drawn_alone", from, to)), audit())
}

test_that("what a plan refuses spends nothing, and a failed draw tells nothing but that", {
  ledger <- dp_ledger(1)
  refused <- steps_of(list(plan = function(facts, given) stop_input("x", "other", "this")), ledger)
  expect_s3_class(refused$made, "dpdepth_error_input")
  expect_identical(summary(ledger)$left[[1]], 1)
  # a failure could depend on rows
  fails <- list(draw = function(rows, plan, source) {
    message("row 5")
    warning("row 5")
    stop("row 5")
  })
  speaks <- function() {
    heard <- character()
    hear <- function(c) {
      heard <<- c(heard, conditionMessage(c))
      tryInvokeRestart("muffleMessage")
      tryInvokeRestart("muffleWarning")
    }
    made <- withCallingHandlers(steps_of(fails, dp_ledger(1), "system")$made, message = hear)
    any(grepl("row 5", c(heard, conditionMessage(made)))) || !inherits(made, "dpdepth_error_internal")
  }
  expect_false(speaks())
  expect_true(speaks_of(speaks, "suppressMessages(suppressWarnings(draw))", "suppressWarnings(draw)"))
  expect_true(speaks_of(speaks, "\"The draw failed, after", "conditionMessage(e), \"The draw failed, after"))
  # those of the machine are the machine's, and a simulation shows its own
  out <- list(draw = function(rows, plan, source) stop_status("entropy"))
  expect_s3_class(steps_of(out, dp_ledger(1), "system")$made, "dpdepth_error_entropy")
  expect_match(conditionMessage(steps_of(fails)$made), "row 5")
})

test_that("a mechanism is asked for what it is proved for", {
  given <- list(x = 5, epsilon = 1, na = "fail", neighbours = "add_remove", rng = "R")
  one <- new_mechanism(function(...) NULL, function(...) NULL, neighbours = "substitution")
  e <- expect_error(release_by(one, list(given = given)), class = "dpdepth_error_input")
  expect_identical(e$arg, "neighbours")
  # a tally of margins knows nothing of rows
  t <- new_tally(cbind(a = 0:1, b = 1:0), c(2, 2), c(0, 0), c(9, 9), c(1, 1), margins = TRUE)
  joint <- new_mechanism(function(...) NULL, function(...) NULL, kinds = c("rows", "tally"))
  given <- replace(given[-4], "x", list(t))
  expect_error(release_by(joint, list(given = given)), class = "dpdepth_error_input")
})

test_that("what a door was given as NULL, or of another kind, has the text of the package", {
  x <- faithful$waiting
  refused <- function(arg, ...) {
    ledger <- dp_ledger(1)
    e <- expect_error(dp_median(x, 1, ..., ledger = ledger, rng = "R"), class = "dpdepth_error_input")
    expect_identical(e$arg, arg)
    expect_identical(summary(ledger)$spent[[1]], 0)
  }
  for (method in list(NULL, mean, character(), quote(smooth))) {
    refused("method", lower = 40, upper = 100, method = method)
  }
  refused("delta", lower = 40, upper = 100, delta = NULL)
  refused("neighbours", lower = 40, upper = 100, neighbours = NULL)
  e <- expect_error(dp_mean(x, 1, NULL, 40, 100, rng = "R"), class = "dpdepth_error_input")
  expect_identical(e$arg, "delta")
  e <- expect_error(dp_quantile(x, 0.5, 1, lower = 40, upper = 100, neighbours = NULL, rng = "R"),
                    class = "dpdepth_error_input")
  expect_identical(e$arg, "neighbours")
  # of two values neither is left unseen
  refused("sampler", lower = 40, upper = 100, sampler = "exact", sampler = "none")
})

test_that("a tally that left rows out says so once, whatever `na` the call has", {
  t <- dp_tally(c(NA, 1:40), lower = 0, upper = 50, resolution = 1, na = "omit")
  for (na in list("fail", "omit", "middle", 0)) {
    release <- dp_mean(t, 1, lower = 0, upper = 50, na = na, rng = "R")
    expect_identical(unname(release$details[names(release$details) == "na"]), list(omitted_text))
    point <- dp_interior_point(t, 4, 1e-3, na = na, rng = "R")
    expect_identical(unname(point$details[names(point$details) == "na"]), list(omitted_text))
  }
})

test_that("the restricted median's own door takes the steps of types", {
  x <- rep(1:9, 40)
  release <- dp_median_restricted(x, 4, 1e-3, resolution = "type", rng = "R")
  expect_identical(unname(release$details$resolution), 1)
})

test_that("a test of a tally that left rows out claims no ids that it had not", {
  t <- dp_tally(c(NA, 1:40), lower = 0, upper = 50, resolution = 1, na = "omit")
  release <- dp_test(t, 1, rng = "R")
  expect_null(release$details$id)
  expect_identical(release$details$na, omitted_text)
})

test_that("a call that is refused anyway tells nothing of its rows", {
  refused <- function(expr) {
    e <- expect_error(expr, class = "dpdepth_error_input")
    expect_identical(e$arg, "neighbours")
  }
  x <- c(NA, 1:99)
  refused(dp_quantile(x, 0.5, 1, lower = 0, upper = 99, interval = 0.9, neighbours = "add_remove"))
  refused(dp_median(x, 1, lower = 0, upper = 99, interval = 0.9, neighbours = "add_remove"))
  refused(dp_region(cbind(x, x), 0.2, 1, lower = 0, upper = 99, interval = 0.9, neighbours = "add_remove"))
  d <- data.frame(x = x, y = x)
  refused(dp_regression(y ~ x, d, 1, lower = 0, upper = 99, interval = 0.9, neighbours = "add_remove"))
})

test_that("of a tally a release says how missing values were counted, and of the call nothing more", {
  t <- dp_tally(c(NA, 1:40), lower = 0, upper = 50, resolution = 1, na = "middle")
  details <- dp_mean(t, 1, lower = 0, upper = 50, na = 0)$details
  expect_identical(names(details)[names(details) == "na"], "na")
  expect_match(details$na, "the middle of the limits")
})

test_that("fields of a plan that begin as others do are not taken for them", {
  plan <- function(facts, given) {
    list(label = "test", what = "test", mechanism = "test", delta_draw = 0.1, rho_each = 3, gamma_of = 0.2)
  }
  ledger <- dp_ledger(1, 0.5)
  made <- steps_of(list(plan = plan), ledger)$made
  expect_identical(made[c("delta", "guarantee")], list(delta = 0, guarantee = "pure"))
  expect_null(made$gamma)
  expect_equal(as.data.frame(ledger)$rho, 0.5)
})

test_that("one column of a data frame names the result, and no other expression does", {
  d <- data.frame(wage = 1:60 / 3, hours = 1:60)
  wage <- d$wage
  named <- function(r) names(coef(r))
  take <- function(x, ...) suppressWarnings(dp_median(x, 1, lower = 0, upper = 20, ...))
  expect_identical(named(dp_median(d$wage, 1, lower = 0, upper = 20)), "wage")
  expect_identical(named(dp_mean(d[["wage"]], 1, lower = 0, upper = 20)), "wage")
  expect_identical(named(dp_median(d$"wage", 1, lower = 0, upper = 20, interval = 0.9)), "wage")
  expect_identical(named(dp_median(d$wage, 1, lower = 0, upper = 20, resolution = c(wage = 1))), "wage")
  for (r in list(dp_median(wage, 1, lower = 0, upper = 20), dp_median(d$wage + 1, 1, lower = 0, upper = 30),
                 dp_median(d[[1]], 1, lower = 0, upper = 20), take(d$wage),
                 dp_median(d[[c("wage", "hours")[[1]]]], 1, lower = 0, upper = 20))) {
    expect_named(coef(r), "x")
  }
  # columns have names of their own
  expect_identical(named(dp_median(list(a = d)$a, 1, lower = 0, upper = 60)), c("wage", "hours"))
})

test_that("a ledger's entry says the door and of what its release is", {
  d <- data.frame(wage = 1:60 / 3, hours = 60:1, `a b` = 1, z = 2, sex = gl(2, 30), check.names = FALSE)
  wage <- d$wage
  ledger <- dp_ledger(99)
  of <- function(code) {
    suppressWarnings(code)
    utils::tail(as.data.frame(ledger)$label, 1)
  }
  expect_identical(of(dp_median(d$wage, 1, lower = 0, upper = 20, ledger = ledger)),
                   "dp_median(wage): median (exponential mechanism)")
  expect_identical(of(dp_mean(wage, 1, lower = 0, upper = 20, ledger = ledger)), "dp_mean(wage): mean")
  expect_identical(of(dp_mean(wage * 1.5, 1, lower = 0, upper = 30, ledger = ledger)), "dp_mean(): mean")
  expect_identical(of(dp_mean(d[1:4], 1, lower = 0, upper = 60, ledger = ledger)),
                   "dp_mean(wage, hours, a b, ...): mean")
  expect_identical(of(dp_regression(wage ~ hours, d, 1, lower = -99, upper = 99, ledger = ledger)),
                   "dp_regression(wage ~ hours): regression (exponential mechanism)")
  expect_identical(of(dp_by(wage ~ sex, d, epsilon = 1, lower = 0, upper = 20, ledger = ledger)),
                   "dp_median(wage): median (exponential mechanism) by group (2)")
  expect_identical(of(dp_summary(d[c("wage", "sex")], 1, lower = 0, upper = 20, ledger = ledger)),
                   "dp_summary(wage, sex): table of summaries")
  # data in the call do not show
  inline <- of(do.call(dp_mean, list(c(canary, 2), 1, lower = 0, upper = 30, ledger = ledger)))
  expect_identical(inline, "dp_mean(): mean")
  rows <- bquote(y ~ I(x > .(canary)), list(canary = canary))
  expect_no_match(entry_text("a", list(), list(door = "dp_x()", formula = eval(rows))), canary_text)
})
