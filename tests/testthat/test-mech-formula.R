# Formulas of private regressions: what a row gives depends on that row and on public things alone.

outcome <- function(formula, data, na = "fail") {
  strange <- NULL
  out <- withCallingHandlers(
    tryCatch(public_frame(formula, data, na), dpdepth_error_input = identity),
    warning = function(w) strange <<- conditionMessage(w),
    message = function(m) strange <<- conditionMessage(m)
  )
  if (!is.null(strange)) fail(strange)
  out
}

# What two neighbours (only `row` differs) give: the same refusal, or the same names and the same bits in all
# other rows.
expect_row_wise <- function(formula, data, other, row = 1L, na = "fail") {
  one <- outcome(formula, data, na)
  two <- outcome(formula, other, na)
  what <- paste(deparse(formula), collapse = " ")
  if (inherits(one, "error") || inherits(two, "error")) {
    same <- identical(class(one), class(two)) && identical(conditionMessage(one), conditionMessage(two))
    return(expect(same, paste("not the same refusal:", what)))
  }
  same <- c(kept = identical(one$kept, two$kept), names = identical(colnames(one$x), colnames(two$x)),
            finite = all(is.finite(one$x)) && all(is.finite(one$y)),
            x = identical(one$x[-row, ], two$x[-row, ]), y = identical(one$y[-row], two$y[-row]))
  expect(all(same), paste0("not row by row (", toString(names(same)[!same]), "): ", what))
}

test_that("no formula copies a row into others, or tells of one by failing", {
  skip_on_cran()
  attacks <- list(
    I(0 * x + ifelse(TRUE, s, 0)) ~ x, I(0 * x + (s:s)) ~ x, y ~ I(0 * x + (s:s)), y ~ pmax(s, ""),
    y ~ pmin("", s),
    y ~ ifelse(s > 199999.9, "top", "other"), y ~ ifelse(f == "a", s, "b"), y ~ log(s - 2e5), y ~ log(s - 1),
    log(s - 2e5) ~ x, y ~ sqrt(s - 199999), y ~ I(x / (s - 2e5)), I(x / (s - 2e5)) ~ x, y ~ I(s^200),
    y ~ exp(s), y ~ I(0 * exp(s)), y ~ exp(s):exp(x), y ~ I(s^60):I(s^60), y ~ round(x, s), y ~ round(s, x),
    y ~ I((1e300 * s) %% 3), y ~ I(s %/% 0), y ~ as.integer(s * 1e6), y ~ I(i * i * s), y ~ asin(s),
    y ~ I(log(s - 2e5) > 1), y ~ ifelse(log(s - 2e5) > 1, x, s), y ~ ifelse(NA, s, x), y ~ I(NA & l),
    y ~ I(s == 2e5), y ~ I(s:f), y ~ rep(s, 60), y ~ I(x + rep(s, 1)), y ~ rev(s), y ~ cumsum(s), y ~ sort(s),
    y ~ order(s), y ~ I(x + sum(s)), y ~ I(x - mean(s)), y ~ I(x + max(s)), y ~ length(s), y ~ which(s > 1e5),
    y ~ I(0 * x + s[1]), y ~ I(0 * x + s[[1]]), y ~ I(x$s), y ~ (function(v) v[1])(s), y ~ cbind(s, x),
    y ~ c(s, x), y ~ diff(s), y ~ factor(s), y ~ as.factor(s), y ~ as.character(s), y ~ paste(s), y ~ cut(s,
                                                                                                          3),
    y ~ is.na(s), y ~ get("s"), y ~ eval(s), y ~ identity(s), y ~ base::log(s), y ~ (log)(s), y ~ local(s),
    y ~ s %in% x, y ~ I(~s), y ~ if (TRUE) s, y ~ {s}, y ~ pmax(s), y ~ pmax(s, na.rm = TRUE), y ~ pmax(),
    y ~ ifelse(TRUE, s), y ~ log(base = s, 2), y ~ log(2, x = s), y ~ ifelse(s > 1e5, , 1), y ~ "s" + x,
    y ~ I("s"), y ~ I(f), y ~ log(f), y ~ I(f == 1), y ~ I(f == f), y ~ I(f < "b"), y ~ I(f == "d"),
    y ~ I(f == "a"),
    y ~ I("a" != f), y ~ I("a" == "a"), y ~ I(s == "1"), y ~ I(3), I(3) ~ x, f ~ x, l ~ x, y ~ I(!s),
    y ~ I(s & l),
    s ~ x + f, s ~ f:l, y ~ f * s, y ~ l * f * x, y ~ (s + f)^2 - s:f, y ~ ., s ~ . - y, y ~ I(-s) + I(+s)
  )
  data <- salaries()
  others <- lapply(c(199999.95, 0, -1e300, 1e308), salaries)
  for (i in seq_along(attacks)) {
    expect_row_wise(attacks[[i]], data, others[[1]])
    expect_row_wise(attacks[[i]], data, others[[2 + i %% 3]])
  }
})

test_that("columns of classes, names and attributes of all kinds are no way around", {
  skip_on_cran()
  odd <- function(first) {
    d <- salaries(first)
    d$secret <- structure(d$s, class = "odd", mark = d$s, names = paste0("n", d$s))
    d[["(Intercept)"]] <- d$s
    d[["a b"]] <- d$s
    d[["log"]] <- d$s
    d[["\u00e9t\u00e9"]] <- d$s
    d[["."]] <- d$s
    d[["TRUE"]] <- d$s
    d$coded <- structure(d$f, contrasts = "contr.sum", levels = c("a", "b", "c", "never"))
    d$day <- as.Date("2020-01-01") + d$i
    d$time <- as.POSIXct("2020-01-01", tz = "UTC") + d$s
    d$gap <- as.difftime(d$s, units = "mins")
    d$big <- structure(d$s, class = "integer64")
    d$pair <- cbind(d$s, d$x)
    d$many <- I(as.list(d$s))
    d$text <- as.character(d$s)
    d$kept <- I(d$s)
    d$three <- array(d$s, 60)
    d$wide <- data.frame(d$s, d$x)
    d$o <- factor(rep(1:3, 20), 1:4, ordered = TRUE)
    d
  }
  registered <- list(Ops.odd = function(e1, e2) rev(unclass(e1)), Math.odd = function(x, ...) rev(unclass(x)),
                     `[.odd` = function(x, ...) structure(rev(unclass(x)), class = "odd"))
  for (name in names(registered)) {
    registerS3method(sub("[.]odd", "", name), "odd", registered[[name]], envir = globalenv())
  }
  formulas <- list(y ~ secret, y ~ I(secret * 2), y ~ log(secret), secret ~ x, y ~ `(Intercept)`, y ~ `a b`,
                   y ~ I(`a b` + `(Intercept)`), y ~ log(log), `a b` ~ log,
                   stats::reformulate("`\u00e9t\u00e9`", "y"), y ~ ., . ~ x,
                   y ~ `TRUE`, y ~ coded, y ~ coded:`a b`, y ~ day, y ~ time, y ~ gap, y ~ big, y ~ pair,
                   y ~ many,
                   y ~ text, y ~ kept, y ~ three, y ~ wide, y ~ o, y ~ o * s, y ~ I(o == "4"), y ~ I(o > "2"))
  one <- odd(53798.32)
  for (f in formulas) expect_row_wise(f, one, odd(199999.95))
  expect_identical(public_frame(y ~ secret, one)$x[, 1], one$s)
  expect_identical(colnames(public_frame(y ~ coded, one)$x), c("codedb", "codedc", "codednever"))
})

test_that("what is accepted is decided before any value is seen", {
  d <- salaries()
  for (f in list(y ~ x + f, y ~ f:l, y ~ log(s - 2e5), y ~ pmax(s, ""), y ~ s:s, y ~ rep(s, 2))) {
    whole <- outcome(f, d)
    none <- outcome(f, d[0, ])
    if (inherits(whole, "error")) expect_identical(conditionMessage(none), conditionMessage(whole))
    else expect_identical(dimnames(none$x), dimnames(whole$x))
  }
  one <- d
  one$f[] <- "a" # one level occurs
  expect_identical(colnames(public_frame(y ~ f, one)$x), c("fb", "fc", "fnever"))
  expect_true(all(public_frame(y ~ f, one)$x == 0))
})

test_that("missing and infinite values fail, or take public values, row by row", {
  d <- data.frame(y = c(1, 2, NA, 4), x = c(1, Inf, 3, 4), f = factor(c("a", "b", NA, "b"), c("b", "a", "c")),
                  l = c(TRUE, NA, FALSE, FALSE))
  e <- expect_error(public_frame(y ~ x + f, d), class = "dpdepth_error_input")
  expect_match(conditionMessage(e), "missing values in `y`, `f` and infinite values in `x`", fixed = TRUE)
  expect_match(conditionMessage(e), "`na`.*omit")
  zero <- public_frame(y ~ x + f + l, d, na = 0)
  expect_identical(unname(zero$x), cbind(c(1, 0, 3, 4), c(1, 0, 0, 0), 0, c(1, 0, 0, 0)))
  expect_identical(zero$y, c(1, 2, 0, 4))
  named <- public_frame(y ~ x + f + l, d, na = list(l = TRUE, f = "c", x = -7, y = 5))
  expect_identical(unname(named$x), cbind(c(1, -7, 3, 4), c(1, 0, 0, 0), c(0, 0, 1, 0), c(1, 1, 0, 0)))
  expect_identical(named$y, c(1, 2, 5, 4))
  expect_error(public_frame(y ~ x, d, na = c(x = 1)), "missing values in `y`", class = "dpdepth_error_input")
  expect_identical(public_frame(y ~ x, d, na = "middle")$incomplete, 2:3)
  expect_identical(middle_in_rows(public_frame(y ~ x, d, na = "middle"), 20)[c("x", "y")],
                   list(x = matrix(c(1, 0, 0, 4), dimnames = list(NULL, "x")), y = c(1, 20, 20, 4)))
  for (bad in list("omit", NULL, NA, NaN, c(1, 2), c(z = 1), list(1), list(x = "a"), list(f = "d"),
                   list(f = 1),
                   list(x = 1, x = 2), list(l = NA), list(l = "a"), sum, Sys.Date(), c("middle", "fail"))) {
    # refused whether or not a value is missing
    for (data in list(d, d[4, ])) {
      e <- expect_error(public_frame(y ~ x + f + l, data, na = bad), class = "dpdepth_error_input")
      expect_identical(e$arg, "na")
    }
  }
  for (na in list("middle", 0, list(y = 0, s = 3))) {
    one <- two <- salaries()
    two$s[[1]] <- NA
    two$y[[1]] <- Inf
    expect_row_wise(y ~ log(s) + f + l, one, two, na = na)
  }
  fit <- dp_regression(y ~ x, d, 4, 1e-3, lower = -1, upper = 1, na = "middle", method = "deepest")
  expect_match(fit$details$na, "the middle of the limits")
  expect_identical(fit$n, 4L)
  expect_identical(residuals(fit, d)$value[2:3], c("2" = NA_real_, "3" = NA_real_))
})

test_that("a formula that is kept is the same to the last bit of its numbers", {
  d <- salaries()
  f <- eval(bquote(y ~ I(x * .(1 / 3))))
  got <- public_frame(f, d)
  expect_identical(new_rows(got$kept, d)$x, got$x)
  expect_identical(public_frame(y ~ I(x * 0.1), d)$kept$formula, "y ~ I(x * 0.1)")
})

test_that("errors of formulas and bounds say how to mend them", {
  skip_on_cran()
  d <- transform(salaries(), day = as.Date("2020-01-01") + i, text = "a")
  say <- function(formula, lower = 0, upper = 1, data = d, ...) {
    tryCatch(dp_regression(formula, data, 1, 1e-6, method = "medsweep", lower = lower, upper = upper, ...),
             dpdepth_error_input = function(e) writeLines(conditionMessage(e)))
  }
  expect_snapshot({
    say(y ~ 1)
    say(~x)
    say(d$y ~ d$x)
    say(y ~ d[["x"]])
    say(y ~ day)
    say(y ~ text)
    say(y ~ factor(i))
    say(y ~ mean(x))
    say(y ~ base::log(x))
    say(y ~ x - 1)
    say(y ~ offset(x))
    say(y ~ elsewhere)
    say(y ~ pmax(s, ""))
    say(y ~ I(s:s))
    say(y ~ I(f == "d"))
    say(y ~ pmax(s, na.rm = TRUE))
    say(y ~ round(s, 2, 3))
    say(l ~ x)
    say(y ~ "a")
    say(y ~ I(3))
    say(y ~ y)
    say(y ~ x, data = 1:3)
    say(y ~ x, data = transform(d, x = replace(x, 3, NA)))
    say(y ~ x, lower = c(x = -5))
    say(y ~ x, lower = c(foo = -5))
    say(y ~ x, lower = c(x = -5, Intercept = 1), upper = c(61, 400))
    say(y ~ x, lower = c(-5, 0), upper = c(x = 1, y = 2))
    say(y ~ x, lower = c(-5, x = 0))
    say(y ~ x, lower = 1:3, upper = 5)
    say(y ~ x, lower = NULL)
  })
})

test_that("formulas without terms, or with the response among them, are refused before the debit", {
  ledger <- dp_ledger(1, 0.1)
  for (formula in list(y ~ "x", y ~ y, y ~ x + y, y ~ x:y)) {
    e <- expect_error(dp_regression(formula, data.frame(x = 1:9, y = 9:1), 1, 1e-6,
                                    method = "medsweep", lower = 0,
                                    upper = 1,
                                    ledger = ledger), class = "dpdepth_error_input")
    expect_identical(e$arg, "formula")
  }
  expect_identical(nrow(as.data.frame(ledger)), 0L)
})

test_that("codes that no level has are missing, and a formula is refused before rows are looked at", {
  d <- data.frame(y = c(1, 2, 3), x = c(0, 1, 2))
  d$f <- structure(c(1L, 2L, 9L), levels = c("a", "b"), class = "factor")
  expect_error(public_frame(y ~ x + f, d), "missing values in `f`", class = "dpdepth_error_input")
  refusal <- function(data) tryCatch(public_frame(y ~ log(f), data), dpdepth_error_input = conditionMessage)
  expect_match(refusal(d), "`formula` cannot be taken")
})

# -- refusals by text ------------------------------------------------------------------------------

test_that("a sum may have hundreds of terms: what is counted is nesting within a term", {
  skip_on_cran()
  # sums of more than a hundred terms were refused
  data <- as.data.frame(matrix(stats::rnorm(40 * 400), 40))
  names <- paste0("V", 2:400)
  sum_of <- function(names) Reduce(function(a, b) call("+", a, b), lapply(names, as.name))
  long <- stats::as.formula(call("~", quote(V1), sum_of(names)))
  expect_identical(public_frame(long, data), public_frame(V1 ~ ., data))
  expect_identical(colnames(public_frame(long, data)$x), names)
  minus <- stats::as.formula(call("~", quote(V1), call("-", sum_of(names), quote(V7))))
  expect_identical(colnames(public_frame(minus, data)$x), setdiff(names, "V7"))
  refused <- function(right, say) {
    formula <- stats::as.formula(call("~", quote(V1), right))
    expect_error(public_frame(formula, data), say, class = "dpdepth_error_input")
  }
  nested <- function(name, k) Reduce(function(a, i) call(name, a), seq_len(k), quote(V2))
  for (name in c("I", "(", "log", "-")) refused(nested(name, 150), "nested more than 100")
  # R's parser could not read it again, and said so in words of its own
  refused(nested("I", 60), "nested more than 45")
  refused(call("I", sum_of(names)), "nested more than 100")
  refused(Reduce(function(a, b) call("+", as.name(b), a), names[1:150], quote(V2)), "nested more than 100")
  expect_identical(ncol(public_frame(stats::as.formula(call("~", quote(V1), nested("I", 45))), data)$x), 1L)
})

random_terms <- function(depth) {
  if (depth == 0) return(as.name(sample(letters[1:6], 1)))
  part <- call(sample(c("+", "*", ":", "/", "-", "^"), 1), random_terms(depth - 1), random_terms(depth - 1))
  if (part[[1]] == "^") part[[3]] <- sample(2:3, 1)
  call("(", part)
}

test_that("what terms() would expand for minutes is refused by the formula's text, before it", {
  # a chain of a hundred * doubled the terms a hundred times
  data <- as.data.frame(matrix(stats::rnorm(10 * 300), 10))
  chain <- function(op, k) Reduce(function(a, b) call(op, a, b), lapply(paste0("V", 1 + seq_len(k)), as.name))
  taken <- function(right) {
    size <- expansion_size(right)
    terms <- length(attr(stats::terms(stats::as.formula(call("~", right))), "term.labels"))
    expect_gte(size, terms)
    size
  }
  expect_identical(taken(chain("*", 9)), 511)
  expect_identical(taken(quote((a + b + c)^2)), 6)
  expect_identical(taken(quote((a + b + c):(d + e) - a:d)), 6)
  expect_identical(taken(quote((a + b) / (c * d) + (((e))))), 6)
  expect_identical(taken(quote(log(a) + I(b * c * d) - 1)), 2)
  set.seed(8)
  for (i in 1:100) taken(random_terms(3))
  refused <- function(right, say = "expansion has more than 2047 terms") {
    formula <- stats::as.formula(call("~", quote(V1), right))
    expect_error(public_frame(formula, data), say, class = "dpdepth_error_input")
  }
  with_bindings(list(public_terms = function(...) stop("terms() was reached")), {
    for (k in c(11, 12, 30, 100, 299)) refused(chain("*", k + (k == 11)))
    refused(call("^", call("(", chain("+", 100)), 2))
    refused(call("^", call("(", chain("+", 2)), 1e9))
    refused(call(":", call("(", chain("+", 100)), call("(", chain("+", 100))))
    for (power in list(2.5, 0, 1, -1, Inf, quote(V3))) refused(call("^", quote(V2), power), "whole number")
  })
  expect_identical(ncol(public_frame(stats::as.formula(call("~", quote(V1), chain(":", 120))), data)$x), 1L)
})
