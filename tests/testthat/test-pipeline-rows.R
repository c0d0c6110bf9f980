# Rows that are left out: exact laws of neighbours, what shows, who refuses.

omitted <- function(x, ..., door = dp_median, epsilon = 1) {
  suppressWarnings(door(x, epsilon = epsilon, ..., na = "omit", rng = "R"), classes = "dpdepth_warning")
}

# The law of a median on 0..4 by what the door hands to its kernel: rows, the public one among them, and rate.
handed_law <- function(x, ...) {
  law <- NULL
  seen <- function(x, plan, epsilon, source, size) {
    h <- vapply(0:4, function(z) min(sum(x <= z), sum(x >= z)), 0)
    law <<- exp(epsilon / 2 * h) / sum(exp(epsilon / 2 * h))
    0
  }
  with_bindings(list(draw_exponential = seen), omitted(x, ..., lower = 0, upper = 4, resolution = 1))
  law
}

# The largest loss when a row of a table is replaced: by a value, or by one that is missing.
replaced_loss <- function(rests = list(NULL, c(1, 2), c(NA, 3, 0), c(4, 4, 4, NA))) {
  worst <- 0
  for (rest in rests) {
    laws <- lapply(c(0:4, NA), function(row) handed_law(c(rest, row)))
    for (p in laws) for (q in laws) worst <- max(worst, abs(log(p / q)))
  }
  worst
}

# Does anything but the draw depend on how many rows are complete?
number_shows <- function() {
  set.seed(3)
  of <- function(x, ...) {
    r <- with_bindings(list(draw_exponential = function(...) 1),
                       omitted(x, ..., lower = 0, upper = 4, resolution = 1))
    c(format(r), format(summary(r)), as.character(nobs(r)))
  }
  shown <- function(x) tryCatch(of(x), dpdepth_error_input = function(e) conditionMessage(e))
  tables <- list(c(1, 2, 3), c(1, NA, 3), c(NA, NA, 3), c(NA_real_, NA, NA))
  length(unique(lapply(tables, shown))) > 1
}

test_that("a replaced row, missing or not, moves the law by epsilon at most, and nearly that much", {
  skip_on_cran()
  expect_lte(replaced_loss(), 1 + 1e-9)
  expect_gt(replaced_loss(), 0.7)
  # the rate of substitution's laws for each of the two steps
  expect_true(caught(bug(function() replaced_loss(list(c(1, 2))) > 1 + 1e-9, "group_epsilon", "epsilon/2",
                         "epsilon")))
  # a row more or less of a table with gaps: the whole of epsilon in one step
  for (rest in list(NULL, c(NA, 3, 0), c(1, 2, NA))) {
    law <- handed_law(c(rest, NA), neighbours = "add_remove")
    for (row in 0:4) {
      other <- handed_law(c(rest, NA, row), neighbours = "add_remove")
      expect_lte(max(abs(log(law / other))), 1 + 1e-9)
    }
  }
})

test_that("how many rows are complete does not show, not even that none is", {
  expect_false(number_shows())
  for (b in list(
    bug(number_shows, "built_release", "if (facts$private)", "if (FALSE)", "facts_of",
        "if (given$private) private_size else nrow(rows)", "nrow(rows)"),
    bug(number_shows, "two_steps", "given$private <- TRUE", "given$private"),
    # data of which no row is complete, as they are
    bug(number_shows, "one_row_each.default", "if (NROW(x) == 0)", "if (length(kept) == 0)")
  )) {
    expect_true(caught(b))
  }
  expect_identical(nobs(omitted(c(1, NA), lower = 0, upper = 4)), NA_integer_)
  expect_match(paste(format(omitted(1:9, lower = 0, upper = 9)), collapse = " "), "left out; how many")
})

# Does an object, or what its methods show, hold a count or its text? Of 1301 rows 1237 are complete.
holds_count <- function(x, counts = c(1237, 1238)) {
  own <- is.numeric(x) && any(x %in% counts) ||
    is.character(x) && any(grepl(paste(c(counts, grouped(counts)), collapse = "|"), x))
  parts <- c(if (is.list(x)) unclass(x), attributes(x)[setdiff(names(attributes(x)), "row.names")])
  own || any(vapply(unname(parts), holds_count, NA, counts))
}

private_count_shows <- function(made = expression(
  dp_tally(d[1:2], lower = 0, upper = 4, resolution = 0.5, na = "omit"),
  dp_tally(d, c("y", "x"), 0, 4, 0.5, by = ~g, na = "omit"),
  dp_tally(d[1:2], lower = 0, upper = 4, resolution = 0.5, margins = TRUE, na = "omit")
)) {
  d <- data.frame(y = rep(c(0:7 / 2, NA), c(rep(154, 7), 159, 64)), x = 1301:1 / 1301, g = gl(2, 650, 1301))
  shows <- function(object) {
    public <- list(summary(object), if (inherits(object, c("dp_release", "dp_by"))) object)
    if (inherits(object, "dp_release")) public <- c(public, list(tidy(object), glance(object)))
    text <- utils::capture.output(print(object), print(summary(object)), str(object))
    bytes <- serialize(public, NULL)
    holds_count(list(public, text, format(object))) || holds_bytes(bytes, 1237) || holds_bytes(bytes, 1237L)
  }
  set.seed(1)
  any(vapply(made, function(code) shows(suppressWarnings(eval(code))), NA))
}

# Draws of one seed; a mean and a test release how many rows there are, here with noise of a thousand.
released_of_complete <- expression(
  dp_median(d[1:2], 1, lower = 0, upper = 4, na = "omit", rng = "R"),
  dp_quantile(d$y, 0.5, 1, lower = 0, upper = 4, na = "omit", rng = "R"),
  dp_mean(d[1:2], 1e-3, lower = 0, upper = 4, na = "omit", rng = "R"),
  dp_scale(d$y, 1, lower = 0, upper = 4, na = "omit", rng = "R"),
  dp_regression(y ~ x, d, 1, lower = -9, upper = 9, na = "omit", rng = "R"),
  dp_histogram(d$y, 1, breaks = 0:4, na = "omit", rng = "R"),
  dp_summary(d, 4, by = ~g, lower = 0, upper = 4, na = "omit", rng = "R"),
  dp_by(dp_tally(d, c("y", "x"), 0, 4, 0.5, by = ~g, na = "omit"), epsilon = 2, rng = "R"),
  dp_test(dp_tally(d["y"], lower = 0, upper = 4, resolution = 0.5, na = "omit"), 1e-3, mu = 2, rng = "R")
)

test_that("no field of a summary or a release, and no print, holds the number of complete rows", {
  skip_on_cran()
  expect_false(private_count_shows())
  expect_false(private_count_shows(released_of_complete))
  for (b in list(
    bug(private_count_shows, "summary.dp_tally", "about$n <- NA_real_", "about$n <- object$n"),
    bug(private_count_shows, "summary.dp_tallies", "if (!is.na(about$n))", "if (TRUE)"),
    bug(function() private_count_shows(released_of_complete[1]), "built_release", "if (facts$private)",
        "if (FALSE)", "facts_of", "if (given$private) private_size else nrow(rows)", "nrow(rows)")
  )) {
    expect_true(caught(b))
  }
})

test_that("a replaced row costs two steps of a row more or less, debited once", {
  ledger <- dp_ledger(9, 1e-3)
  x <- c(1:40 / 10, NA)
  r <- omitted(x, lower = 0, upper = 4, epsilon = 2, ledger = ledger)
  expect_identical(c(r$epsilon, r$delta), c(2, 0))
  expect_identical(r$neighbours, "substitution")
  spent <- as.data.frame(ledger)
  expect_identical(c(nrow(spent), spent$epsilon), c(1, 2))
  expect_equal(spent$rho, 2^2 / 8, tolerance = 1e-6)
  # (epsilon/2, delta') twice is (epsilon, delta' (1 + exp(epsilon/2)))
  steps <- two_steps(list(epsilon = 2, delta = 1e-4))
  expect_identical(steps$epsilon, 1)
  expect_lte(steps$delta * (1 + exp(1)), 1e-4)
  expect_gt(steps$delta * (1 + exp(1)), 0.99e-4)
  many <- as.data.frame(matrix(1:400, 10, 40))
  many[3, 7] <- NA
  g <- omitted(many, lower = 0, upper = 400, delta = 1e-4, door = dp_mean, ledger = ledger)
  expect_identical(g$delta, 1e-4)
  expect_equal(as.data.frame(ledger)$rho[[2]], 4 * normal_rho(0.5, 1e-4 / (1 + exp(0.5))), tolerance = 1e-6)
  # a release that said less than was debited would be added up by hand at a quarter of its cost
  expect_equal(g$details$rho, as.data.frame(ledger)$rho[[2]])
  # of a row more or less once
  expect_identical(omitted(x, lower = 0, upper = 4, neighbours = "add_remove")$epsilon, 1)
  tight <- dp_ledger(1.5)
  expect_error(omitted(x, lower = 0, upper = 4, epsilon = 2, ledger = tight), class = "dpdepth_error_budget")
  expect_error(omitted(x, lower = 0, upper = 4, epsilon = 1e-6), "2e-6", class = "dpdepth_error_input")
  expect_error(suppressWarnings(dp_median(x, lower = 0, upper = 4, na = "omit")), "`epsilon` must be given")
})

# Does a caution, or a warning of privacy, name the share of a step?
share_is_named <- function() {
  x <- c(1:9, NA)
  said <- function(epsilon, ...) {
    heard <- NULL
    withCallingHandlers(dp_median(x, epsilon, lower = -1e6, upper = 1e6, na = "omit", ...),
                        dpdepth_warning = function(w) {
                          heard <<- c(heard, conditionMessage(w))
                          invokeRestart("muffleWarning")
                        })
    heard
  }
  unlikely <- suppressWarnings(dp_median(x, 2e-5, lower = -1e6, upper = 1e6, na = "omit", rng = "R"))
  !any(grepl("epsilon = 2e-05", said(2e-5, rng = "R"))) || !any(grepl("`epsilon` is 30:", said(30))) ||
    !grepl("epsilon = 2e-05", unlikely$details$caution)
}

test_that("warnings name the epsilon that was asked for, and so does the release", {
  expect_false(share_is_named())
  expect_true(caught(bug(share_is_named, "debit", "warned_numbers(whole$epsilon",
                         "warned_numbers(given$epsilon")))
  expect_true(caught(bug(share_is_named, "debit", "warn_hopeless(facts$n, whole$epsilon",
                         "warn_hopeless(facts$n, given$epsilon")))
})

test_that("medians are those of the complete rows, with nearly half of them missing", {
  skip_on_cran()
  set.seed(27)
  wages <- stats::rlnorm(3000, log(14), 0.5)
  wages[stats::runif(3000) < 0.44] <- NA
  truth <- stats::median(wages, na.rm = TRUE)
  expect_lt(abs(coef(omitted(wages, lower = 0, upper = 100)) - truth), 1)
  expect_gt(coef(dp_median(wages, 1, lower = 0, upper = 100, na = "middle", rng = "R")), 20)
})

gaps <- data.frame(y = c(1:60 / 20, NA, 2), x = c(rep(c(0.5, 1, 2), 20), 1, Inf), g = gl(2, 31, 62))

test_that("all doors with laws of a row more or less take it; of a formula its own columns count", {
  skip_on_cran()
  set.seed(28)
  v <- gaps$y
  box <- list(lower = 0, upper = 4)
  made <- list(
    omitted(v, lower = 0, upper = 4), omitted(v, lower = 0, upper = 4, method = "marginal"),
    do.call(omitted, c(list(v, door = dp_median_exponential), box)),
    do.call(omitted, c(list(v, door = dp_quantile, probs = 0.5), box)),
    do.call(omitted, c(list(v, door = dp_mean), box)),
    do.call(omitted, c(list(gaps[1:2], door = dp_region), box)),
    omitted(v, door = function(x, ...) dp_depth(2, x, lower = 0, upper = 4, ...)),
    omitted(v, delta = 0.01, door = dp_interior_point, epsilon = 60),
    do.call(omitted, c(list(v, door = dp_mestimate, scale = 1), box)),
    omitted(y ~ x, data = gaps, door = dp_regression, lower = -9, upper = 9),
    omitted(y ~ x, data = gaps, door = dp_mestimate, delta = 1e-3, lower = 0, upper = 4, x_lower = 0,
            x_upper = 3, scale = 1)
  )
  for (r in made) {
    expect_identical(r$details$na, omitted_text, label = r$mechanism)
    expect_identical(nobs(r), NA_integer_, label = r$mechanism)
  }
  expect_identical(incomplete_for(y ~ g, gaps), is.na(gaps$y))
  expect_identical(which(incomplete_for(y ~ x, gaps)), 61:62)
  # a person keeps a complete row if there is one
  kept <- replicate(20, one_row_each(c(NA, 5, 6, NA), c(1, 1, 2, 2), "R", NULL, incomplete_rows))
  expect_identical(apply(kept, 2, sort), matrix(c(5, 6), 2, 20))
  # ids as a formula name a column, ids as text are values
  people <- data.frame(v = v, who = rep(1:31, 2))
  named <- omitted(people, id = ~who, lower = 0, upper = 4)
  expect_identical(named$details[c("na", "id")], list(na = omitted_text, id = persons_text))
  expect_error(omitted(people, id = "who", lower = 0, upper = 4), "`id` must be",
               class = "dpdepth_error_input")
  count <- function(id) dp_tally(people, "v", 0, 4, 1, id = id, na = "omit")
  expect_identical(count(~who)$n, 31)
  by <- suppressWarnings(dp_by(gaps["y"], gaps$g, dp_median, 4, lower = 0, upper = 4, na = "omit"))
  expect_match(paste(format(by), collapse = " "), "left out; how many")
  open <- suppressWarnings(dp_by(gaps["y"], gaps$g, dp_median, 4, lower = 0, upper = 4, na = "omit",
                                 groups = "public"))
  expect_identical(open$epsilon, 4)
})

test_that("what is proved for one n refuses it, and spends nothing", {
  v <- gaps$y
  ledger <- dp_ledger(9, 0.1)
  refused <- function(code) {
    e <- expect_error(suppressWarnings(code), class = "dpdepth_error_input")
    expect_identical(e$arg, "na")
  }
  refused(dp_median(v, 1, lower = 0, upper = 4, na = "omit", interval = 0.9, ledger = ledger))
  refused(dp_median(v, 1, 1e-6, method = "projection", na = "omit", ledger = ledger))
  refused(dp_quantile(v, 0.5, 1, lower = 0, upper = 4, na = "omit", interval = 0.9, ledger = ledger))
  refused(dp_ecdf(v, 1, lower = 0, upper = 4, na = "omit", ledger = ledger))
  refused(dp_median_smooth(v, 1, 1e-6, 0, 4, na = "omit", ledger = ledger))
  refused(dp_regression(y ~ x, gaps, 1, 1e-6, -9, 9, method = "deepest", na = "omit", ledger = ledger))
  refused(rival_regression(y ~ x, gaps, 1, 0, "theilsen", 0, 9, 0, 9, na = "omit", ledger = ledger))
  expect_identical(nrow(as.data.frame(ledger)), 0L)
  # a histogram's rows of no bin need no other law: n counts them
  h <- dp_histogram(v, 1, breaks = 0:4, na = "omit", ledger = ledger)
  expect_identical(nobs(h), 62L)
  expect_match(h$details$na, "in no bin")
})

test_that("tallies that left rows out say so, have the laws of a private n, and no number of rows", {
  skip_on_cran()
  count <- function(x, ...) dp_tally(x, lower = 0, upper = 4, resolution = 1, ...)
  x <- gaps[1:2]
  t <- count(x, na = "omit")
  expect_identical(t$points, count(x[1:60, ])$points)
  expect_no_match(format(t), "60|62")
  chunks <- list(x[1:20, ], x[21:62, ])
  following <- function() {
    out <- if (length(chunks) > 0) chunks[[1]]
    chunks <<- chunks[-1]
    out
  }
  expect_identical(count(following, na = "omit"), t)
  expect_identical(c(count(x[1:20, ], na = "omit"), count(x[21:62, ], na = "omit")), t)
  expect_error(c(t, count(x[1:20, ])), "rule for missing values", class = "dpdepth_error_input")
  r <- suppressWarnings(dp_median(t["y"], 1, rng = "R"))
  expect_identical(c(r$details$na, r$n, r$neighbours), c(omitted_text, NA, "substitution"))
  margins <- count(x, na = "omit", margins = TRUE)
  each <- suppressWarnings(dp_median_exponential(margins, 1, directions = "axes"))
  expect_identical(each$n, NA_integer_)
  expect_identical(suppressWarnings(dp_test(t["y"], 1, mu = 2))$n, NA_integer_)
  fit <- suppressWarnings(dp_regression(y ~ x, t, 1, lower = -9, upper = 9))
  expect_identical(fit$details$na, omitted_text)
  for (code in expression(dp_ecdf(t["y"], 1), dp_median(t["y"], 1, interval = 0.9),
                          dp_test(t["y"], 1, y = t["x"]), rival_mean(t["y"], 1, 1e-6, 0, 9))) {
    expect_identical(expect_error(suppressWarnings(eval(code)), class = "dpdepth_error_input")$arg, "na")
  }
  # a tally with the middle says so in its releases
  middle <- suppressWarnings(dp_median(count(x, na = "middle")["y"], 1))
  expect_match(middle$details$na, "the middle of the limits stands")
  # groups of which no row is complete are not told from others
  none <- data.frame(y = c(1, 2, NA), g = factor(c("u", "u", "v")))
  by <- count(none, by = ~g, na = "omit")
  for (groups in c("private", "public")) {
    released <- suppressWarnings(dp_by(by, epsilon = 2, groups = groups))
    expect_identical(released$releases$v$details$na, omitted_text)
  }
  e <- expect_error(count(x, na = "omit", refine = TRUE), class = "dpdepth_error_input")
  expect_identical(e$arg, "na")
})

test_that("a refusal of rows that are left out names what refuses them, and not `neighbours`", {
  text <- tryCatch(dp_quantile(c(NA, 1:100), 0.5, 1, lower = 0, upper = 100, na = "omit", interval = 0.9),
                   dpdepth_error_input = conditionMessage)
  expect_match(text, "n is private. That is refused with an interval. Its privacy is proved")
  expect_no_match(text, "neighbours")
})

test_that("where rows are left out, cautions go by how many there are, complete or not", {
  said <- function(...) {
    text <- NULL
    withCallingHandlers(dp_median(..., lower = -1e6, upper = 1e6, na = "omit", rng = "R"),
                        dpdepth_warning_accuracy = function(w) {
                          text <<- conditionMessage(w)
                          invokeRestart("muffleWarning")
                        })
    text
  }
  set.seed(61)
  few <- rnorm(20)
  expect_match(said(few, 1), "n = 20 (assumed, since n is private)", fixed = TRUE)
  # how many are complete decides on nothing
  expect_identical(said(replace(few, 2:20, NA), 1), said(few, 1))
  expect_identical(said(replace(few, 1:20, NA), 1), said(few, 1))
  expect_null(said(rep(few, 50), 1))
  # a private number of rows is not counted, nor that of persons with several rows
  expect_null(said(few, 1, neighbours = "add_remove"))
  expect_null(said(few, 1, id = rep(1:10, 2)))
})
