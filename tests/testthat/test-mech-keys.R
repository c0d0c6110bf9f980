# Keys of rows: one text for each value by itself, whatever stands beside it.

latin1 <- function(text) `Encoding<-`(iconv(text, "UTF-8", "latin1"), "latin1")
u <- "\u00e9"
# at an epsilon without noise, of which it warns
exact_counts <- function(release) drop(coef(suppressWarnings(release, classes = "dpdepth_warning")))
same_key <- function(a, b) identical(key_text(a), key_text(b))

# Does the key of some value depend on another?
keys_depend <- function() {
  base <- list(c("a", u, latin1(u), "NA", "", NA), rep(c(u, latin1(u)), 3), c("\xfe", u, "\xfe"))
  for (rows in base) for (odd in odd_keys()) for (all in list(c(rows, odd), c(odd, rows))) {
    alone <- vapply(all, key_text, "", USE.NAMES = FALSE)
    pairs <- outer(seq_along(all), seq_along(all), Vectorize(function(i, j) {
      key_places(all[c(i, j)])[[2]] == 1
    }))
    places <- key_places(all)
    if (!identical(key_text(all), alone) || !identical(outer(places, places, `==`), pairs)) return(TRUE)
  }
  FALSE
}

test_that("one key is one text, whatever encoding or type it comes in", {
  expect_true(same_key(u, latin1(u)))
  expect_identical(Encoding(key_text(latin1(u))), "UTF-8")
  # what bytes of the locale's own encoding mean is told by the locale
  odd <- odd_keys()[names(odd_keys()) != "native"]
  text <- key_text(odd)
  invalid <- c("bytes", "utf8_bytes", "broken", "surrogate", "none")
  expect_identical(names(odd)[text %in% no_text], invalid)
  expect_identical(sum(duplicated(text)), length(invalid) - 1L)
  expect_identical(is.na(text), is.na(unname(odd)))
  expect_true(same_key(c(100000L, 1L), c(1e5, 1)))
  expect_identical(key_text(c(1e5, 1e15, 2^60, 0.1, -0.5, 1e300, 2^-1074, NA, NaN, Inf)),
                   c("100000", "1000000000000000", "1152921504606846976", "0.1", "-0.5", "1e+300",
                     "4.94065645841247e-324", NA, NA, "Inf"))
  expect_true(same_key(c(-0, 0), c(0, 0)))
  expect_true(same_key(0.1, 0.1 + 1e-17))
  expect_true(same_key(0.3, 0.1 + 0.2))
  expect_false(same_key(2^53, 2^53 - 1))
  expect_identical(key_text(c(TRUE, NA)), c("TRUE", NA))
  expect_identical(key_text(structure(c(1, 2.5), class = "odd", names = c("a", "b"))), c("1", "2.5"))
  expect_identical(key_text(I(c("a", u))), c("a", u))
  expect_identical(key_text(as.difftime(c(1, 2.5), units = "hours")), c("1", "2.5"))
})

test_that("whole numbers of 64 bits have all their digits", {
  skip_if_not_installed("bit64")
  text <- c("0", "-1", "7", "100000", "4294967296", "-4294967297", "9007199254740993", "-1000000000000000",
            "9223372036854775807", "-9223372036854775807", NA)
  x <- bit64::as.integer64(text)
  expect_identical(key_text(x), text)
  expect_true(same_key(bit64::as.integer64(c("1152921504606846976", "-5")), c(2^60, -5)))
  expect_identical(key_text(x[0]), character())
})

test_that("dates and times are written one by one, however far they are", {
  day <- as.Date(c("2020-01-01", NA, "1899-12-31"))
  expect_identical(key_text(day), c("2020-01-01", NA, "1899-12-31"))
  expect_identical(key_text(structure(18262L, class = c("IDate", "Date"))), "2020-01-01")
  times <- as.POSIXct("2020-01-01", tz = "UTC") + c(0, 3600, 3600.5, NA)
  expect_identical(key_text(times), c("2020-01-01", "2020-01-01 01:00:00", "2020-01-01 01:00:00.5", NA))
  expect_identical(key_text(`attr<-`(times[2], "tzone", "Etc/GMT-2")), "2020-01-01 03:00:00")
  for (far in c(-1, 1) * c(1e9, 1e15, 1e300, Inf)) {
    expect_identical(key_text(c(day[[1]], structure(far, class = "Date"))), c("2020-01-01", key_text(far)))
    expect_identical(key_text(c(times[1], .POSIXct(far * 1e3, "UTC"))), c("2020-01-01", key_text(far * 1e3)))
  }
})

test_that("codes of a factor without a level are missing, whatever made the factor", {
  made <- function(codes, levels) structure(codes, levels = levels, class = "factor")
  expect_identical(key_text(made(c(1L, 2L, 9L, 0L, -1L, NA), c("a", latin1(u)))), c("a", u, NA, NA, NA, NA))
  expect_identical(key_text(made(1:2, NULL)), c(NA_character_, NA))
  expect_identical(key_text(made(1:2, list("a", "b"))), c(NA_character_, NA))
  # R itself says "malformed factor"
  odd <- made(c(1L, 2L, 7L), c("a", "b"))
  expect_error(dp_histogram(odd, 1), "missing", class = "dpdepth_error_input")
  expect_identical(exact_counts(dp_histogram(odd, 1e6, na = "omit")), c(a = 1, b = 1))
  ledger <- dp_ledger(9)
  refused <- tryCatch(dp_by(odd, c(TRUE, FALSE, TRUE), dp_histogram, 1, ledger = ledger), error = identity)
  expect_s3_class(refused, "dpdepth_error_input")
  expect_identical(nrow(as.data.frame(ledger)), 0L)
})

test_that("declared levels are normalised as the rows are; what is no valid text is none", {
  expect_identical(declared_keys(c(latin1(u), "a")), c(u, "a"))
  expect_identical(declared_keys(factor(c("b", "a"))), c("b", "a"))
  for (bad in c(as.list(odd_keys()[c("bytes", "utf8_bytes", "broken", "none", "missing")]),
                list(c(u, latin1(u)), c(1L, 1), c(0, -0), NULL, list("a"), mean, matrix("a", 1, 2)))) {
    expect_error(declared_keys(bad), "`levels` must be", class = "dpdepth_error_input")
    expect_error(dp_histogram(c("a", "b"), 1, levels = if (is.null(bad)) NA else bad),
                 class = "dpdepth_error_input")
  }
  d <- data.frame(y = 1:60 + 0, f = factor(rep(c("a", "b"), 30)))
  attr(d$f, "levels") <- c("a", odd_keys()[["bytes"]])
  refused <- function(code) expect_error(code, class = "dpdepth_error_input")
  refused(dp_regression(y ~ f, d, 1, lower = -9, upper = 9))
  refused(dp_test(y ~ f, 1, data = d))
  refused(dp_by(d$y, d$f, dp_median, 1, lower = -9, upper = 9))
  refused(dp_tally(d, "y", 0, 9, 1, by = ~f))
  refused(dp_histogram(d$f, 1))
})

test_that("formulas compare levels in any encoding, and predict from rows in any", {
  f <- factor(rep(c("a", u), 30), c("a", u))
  d <- data.frame(y = rep(1:2, 30) + 0, f = f)
  old <- d
  attr(old$f, "levels") <- c("a", latin1(u))
  expect_identical(public_frame(y ~ f, old)[c("x", "kept")], public_frame(y ~ f, d)[c("x", "kept")])
  for (data in list(d, old)) for (text in c(u, latin1(u))) {
    formula <- eval(bquote(y ~ as.numeric(f == .(text))))
    expect_identical(unname(drop(public_frame(formula, data)$x)), rep(c(0, 1), 30))
    expect_identical(na_rules(list(f = text), list(f = plain_column(data, "f")))$f, 2L)
  }
  for (text in odd_keys()[c("bytes", "broken", "none")]) {
    expect_error(public_frame(eval(bquote(y ~ as.numeric(f != .(text)))), d), class = "dpdepth_error_input")
    expect_error(public_frame(y ~ f, d, na = list(f = text)), class = "dpdepth_error_input")
  }
  kept <- public_frame(y ~ f, d)$kept
  expect_identical(drop(new_rows(kept, data.frame(f = latin1(c("a", u))))$x), c(0, 1))
  expect_error(new_rows(kept, data.frame(f = c(u, odd_keys()[["bytes"]]))), class = "dpdepth_error_input")
})

# Counts of each level or group by every door that takes levels, of text in two encodings and one odd row.
counts_of <- list(
  histogram = function(key) exact_counts(dp_histogram(key, 1e6, levels = c("a", u), na = "omit", rng = "R")),
  factor = function(key) exact_counts(dp_histogram(hand_made(key), 1e6, na = "omit", rng = "R")),
  tally = function(key) {
    t <- dp_tally(data.frame(v = 1, key), "v", 0, 9, 1, by = ~key, levels = c("a", u))
    vapply(t$tallies, `[[`, 0, "n")
  },
  chunks = function(key) {
    parts <- list(data.frame(v = 1, key = key[1:20]), data.frame(v = 1, key = key[-(1:20)]), NULL)
    t <- dp_tally(function() {
      part <- parts[[1]]
      parts <<- parts[-1]
      part
    }, "v", 0, 9, 1, by = ~key, levels = c("a", latin1(u)))
    vapply(t$tallies, `[[`, 0, "n")
  },
  sum = function(key) {
    part <- function(rows, level) {
      dp_tally(rep(1, length(rows)), NULL, 0, 9, 1, by = key[rows], levels = c("a", level))
    }
    vapply(c(part(1:20, u), part(21:51, latin1(u)))$tallies, `[[`, 0, "n")
  },
  by = function(key) {
    exact_counts(dp_by(rep(1, length(key)), key, dp_histogram, 1e6, breaks = c(0, 9), rng = "R",
                       levels = c("a", latin1(u))))
  }
)

# As data from elsewhere come: each row's own text as its level.
hand_made <- function(key) {
  structure(ifelse(is.na(key), NA, ifelse(key_text(key) == "a", 1L, ifelse(key_text(key) == u, 2L, 9L))),
            levels = c("a", latin1(u)), class = "factor")
}

test_that("a row in an odd encoding changes no other row's group or level, by any door", {
  skip_on_cran()
  text <- rep(c("a", u, latin1(u), "a", u), 10)
  wrong <- function(doors = counts_of, odds = odd_keys()) {
    for (door in doors) for (odd in odds) {
      counts <- tryCatch(door(c(text, odd)), error = function(e) NULL)
      if (!identical(unname(counts), c(20, 30))) return(TRUE)
    }
    FALSE
  }
  for (name in names(counts_of)) {
    expect_false(wrong(counts_of[name]), label = name)
    expect_identical(names(counts_of[[name]](c(text, "z"))), c("a", u), label = name)
  }
  # the reproduction of the issue: R's own error after the debit
  b <- odd_keys()[["bytes"]]
  ledger <- dp_ledger(9)
  r <- dp_histogram(c(rep(u, 50), b), epsilon = 1, levels = c(u, "z"), na = "omit", ledger = ledger)
  expect_identical(names(coef(r)), c(u, "z"))
  expect_identical(exact_counts(dp_histogram(rep(100000L, 500), 1e6, levels = c(100000, 200000))),
                   c("100000" = 500, "200000" = 0))
  halved <- c(rep(100000L, 500), 0.5)
  expect_identical(exact_counts(dp_histogram(halved, 1e6, levels = c(100000L, 200000L)))[[1]], 500)
  alone <- function(door) function() wrong(counts_of[door])
  passed <- function() !inherits(try(declared_keys(odd_keys()[["bytes"]]), TRUE), "try-error")
  for (b in list(bug(alone("histogram"), "text_rows", "x <- key_text(x)", "x <- as.character(x)"),
                 bug(alone("factor"), "text_rows", "x <- key_text(x)", "x <- as.character(x)"),
                 bug(alone("by"), "group_keys", "key_text(key)", "as.character(key)"),
                 bug(alone("tally"), "group_keys", "key_text(key)", "as.character(key)"),
                 bug(passed, "declared_keys", "no_text %in% text", "FALSE"))) {
    expect_true(caught(b))
  }
})

test_that("the normaliser's own bugs are seen", {
  skip_on_cran()
  expect_false(keys_depend())
  several <- function() {
    keys <- key_text(c(odd_keys()[c("bytes", "utf8_bytes", "broken", "surrogate")], latin1(u)))
    !identical(keys, c(rep(no_text, 4), u)) || Encoding(keys[[5]]) != "UTF-8"
  }
  numbers <- function() !same_key(-0, 0) || !identical(key_text(c(100000L, 1e5)), rep("100000", 2))
  expect_false(several() || numbers())
  for (b in list(
    bug(keys_depend, "key_places", "text <- key_text(x)", "text <- as.vector(x)"),
    bug(keys_depend, "key_text", "valid_text(bare)", "bare"),
    bug(several, "valid_text", "Encoding(x) == \"bytes\"", "Encoding(x) == \"none\""),
    bug(several, "valid_text", "!validEnc(x)", "is.na(x)"),
    bug(several, "valid_text", "enc2utf8(x)", "x"),
    bug(numbers, "number_text", "as.double(x) + 0", "as.double(x)"),
    bug(numbers, "number_text", "sprintf(\"%.0f\", each", "as.character(each"),
    bug(numbers, "key_text", "number_text(bare)", "as.character(bare)")
  )) {
    expect_true(caught(b), label = b$edits[[1]][[3]])
  }
})

test_that("a formula names columns, and text is values", {
  people <- data.frame(age = c(30, 40), who = c("age", "b"), ward = c("w", "v"))
  taken <- take_keys(people, ~who, "id", most = 1)
  expect_identical(taken, list(x = people[c("age", "ward")], keys = list(who = people$who)))
  expect_identical(names(take_keys(people, ~ who + ward, "by")$keys), c("who", "ward"))
  expect_identical(take_keys(data.frame(`a b` = 1, c = 2, check.names = FALSE), ~ `a b`, "id")$keys[[1]], 1)
  expect_identical(take_keys(people, "age", "id"), list(x = people, keys = list("age")))
  # columns of one name, of which a choice by name would lose one, stay
  twice <- data.frame(a = 1, a = 2, who = 3, check.names = FALSE)
  expect_length(take_keys(twice, ~who, "id")$x, 2)
  refused <- function(...) {
    expect_error(take_keys(..., arg = "id"), "`id` must be", class = "dpdepth_error_input")
  }
  for (formula in list(~nobody, age ~ who, ~ log(who), ~ who:ward, ~1, ~ who + who, ~., ~"who", ~ -who)) {
    refused(people, formula)
  }
  refused(people, ~ who + ward, most = 1)
  refused(twice, ~a)
  refused(1:3, ~who)
  refused(as.matrix(faithful), ~waiting)
})

test_that("with one row a text is that row's value, and no column is looked for", {
  # the release of one row: which variables it has must not depend on a private id
  lookup <- function() {
    one <- data.frame(age = 5, dose = 3)
    terms <- lapply(c("age", "nobody", "dose"), function(id) {
      names(coef(dp_mean(one, 1, lower = 0, upper = 9, id = id, neighbours = "add_remove", rng = "R")))
    })
    grouped <- dp_by(one, "age", dp_mean, 1, lower = 0, upper = 9, levels = c("age", "b"),
                     neighbours = "add_remove", rng = "R")
    length(unique(terms)) > 1 || ncol(coef(grouped)) != 2
  }
  expect_false(lookup())
  expect_true(caught(bug(lookup, "take_keys", "if (!inherits(key, \"formula\"))",
                         paste("if (isTRUE(key %in% names(x))) key <- stats::reformulate(key)",
                               "if (!inherits(key, \"formula\"))", sep = "\n"))))
  # what a refusal says does not depend on n, nor on the text
  said <- lapply(list(faithful, faithful[1:7, ], faithful[0, ]), function(x) {
    vapply(c("waiting", "nobody"), function(id) {
      tryCatch(dp_median(x, 1, lower = 0, upper = 99, id = id, neighbours = "add_remove"),
               dpdepth_error_input = conditionMessage)
    }, "", USE.NAMES = FALSE)
  })
  expect_length(unique(unlist(said)), 1)
  expect_match(said[[1]][[1]], "formula that names")
  expect_error(dp_tally(data.frame(a = 1:2, k = 1:2), "a", 0, 9, 1, by = "k", levels = 1:2),
               "`by` must be", class = "dpdepth_error_input")
  expect_error(dp_tally(function() NULL, "a", 0, 9, 1, by = "k", levels = 1:2), "`by` must be",
               class = "dpdepth_error_input")
})
