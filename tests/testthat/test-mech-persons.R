# Rows of one person: one is kept, at random and apart from the others; releases count ids.

test_that("each id keeps one row, each of its rows alike, apart from the others", {
  set.seed(61)
  id <- c("a", "b", "a", NA, "a", "b", NA)
  kept <- t(replicate(4000, kept_rows(id, 7, "R")))
  expect_true(all(apply(kept, 1, function(k) setequal(id[k], c("a", "b", NA)))))
  a <- match(apply(kept, 1, function(k) k[which(id[k] == "a")]), c(1, 3, 5))
  b <- match(apply(kept, 1, function(k) k[which(id[k] == "b")]), c(2, 6))
  expect_gt(stats::chisq.test(tabulate(a, 3), p = rep(1, 3) / 3)$p.value, ALPHA)
  expect_gt(stats::chisq.test(table(a, b))$p.value, ALPHA)
  expect_identical(sort(kept_rows(1:5, 5, "R")), 1:5)
  expect_identical(kept_rows(numeric(0), 0, "R"), integer(0))
})

test_that("rows kept stand in a random order: no place tells where others' rows stood", {
  skip_on_cran()
  # batches go by place: in the data's order the rows of "a" would move all others
  places_tell <- function() {
    set.seed(63)
    first <- replicate(3000, c("a", "b", "c", "a")[kept_rows(c("a", "b", "c", "a"), 4, "R")])
    orders <- apply(first, 2, paste, collapse = "")
    length(unique(orders)) < 6 || stats::chisq.test(table(orders))$p.value < ALPHA
  }
  expect_false(places_tell())
  expect_true(caught(bug(places_tell, "kept_rows", "kept[random_order(length(kept), source)]", "sort(kept)")))
})

test_that("a person's rows together move the law by epsilon at most", {
  law <- function(x) {
    h <- vapply(0:4, function(z) min(sum(x <= z), sum(x >= z)), 0)
    exp(h / 2) / sum(exp(h / 2))
  }
  # exact, over the row that is kept: persons 1 and 2 keep theirs, person 3 has other rows in each data set
  mixed <- function(rows) Reduce(`+`, lapply(rows, function(r) law(c(0, 3, r)))) / length(rows)
  sets <- list(0, 4, c(0, 4), c(4, 4, 4), c(0, 0, 1))
  for (p in sets) for (q in sets) expect_lte(max(abs(log(mixed(p) / mixed(q)))), 1)
})

test_that("releases count ids, leave the column out, and say so", {
  skip_on_cran()
  set.seed(62)
  dose <- stats::rnorm(200, 5) # public-rng: simulated data
  visits <- data.frame(who = rep(1:50, each = 4), age = rep(20:69, each = 4), dose = dose)
  m <- dp_median(visits, 5, lower = 0, upper = 100, id = ~who, rng = "R")
  expect_identical(c(nobs(m), m$d), c(50L, 2L))
  expect_identical(names(coef(m)), c("age", "dose"))
  expect_match(format(m), "one row of each", all = FALSE)
  expect_true("id" %in% names(m$call))
  ids <- visits$who
  expect_identical(nobs(dp_quantile(visits$age, 0.3, 1, lower = 0, upper = 100, id = ids, rng = "R")), 50L)
  expect_identical(nobs(dp_mean(visits["age"], 1, lower = 0, upper = 100, id = ids, rng = "R")), 50L)
  expect_identical(nobs(dp_ecdf(visits$age, 4, lower = 0, upper = 100, id = ids, rng = "R")), 50L)
  line <- dp_regression(dose ~ ., visits, 5, lower = -20, upper = 20, id = ~who, rng = "R")
  expect_identical(nobs(line), 50L)
  expect_identical(names(coef(line)), c("(Intercept)", "age"))
  expect_s3_class(line, "dp_regression")
  of_flags <- function(...) {
    dp_by(visits["dose"], visits$age > 40, dp_median, 4, ..., levels = c(FALSE, TRUE), lower = 0, upper = 10,
          id = ids, rng = "R")
  }
  groups <- of_flags()
  expect_identical(names(groups$releases), c("FALSE", "TRUE"))
  # which row is kept decides on the group: no promise where groups are public
  expect_error(of_flags(groups = "public"), "`id` must be NULL", class = "dpdepth_error_input")
  private <- dp_median(visits$age, 1, lower = 0, upper = 100, id = ids, neighbours = "add_remove", rng = "R")
  expect_true(is.na(nobs(private)))
})

# Doors with 60 visits of 20 persons, and what a person with a missing value does.
visits <- data.frame(who = rep(1:20, 3), dose = sin(1:60) + rep(1:20, 3), age = 20 + rep(1:20, 3),
                     arm = factor(rep(c("a", "b"), 30), levels = c("a", "b")))
id_doors <- list(
  region = function(d, ...) dp_region(d[c("dose", "age")], 0.5, 9, lower = 0, upper = 50, ...),
  depth = function(d, ...) dp_depth(rbind(c(5, 25)), d[c("dose", "age")], 9, lower = 0, upper = 50, ...),
  histogram = function(d, ...) dp_histogram(d$dose, 9, breaks = 0:10 * 3, ...),
  levels = function(d, ...) dp_histogram(d$arm, 9, ...),
  correlation = function(d, ...) dp_correlation(d[c("dose", "age")], 9, ...),
  scale = function(d, ...) dp_scale(d$dose, 9, 0, 30, ...),
  interior = function(d, ...) dp_interior_point(d$dose, 9, 0.4, ...),
  mestimate = function(d, ...) dp_mestimate(d$dose, 9, 1e-6, lower = 0, upper = 30, scale = 5, ...),
  line = function(d, ...) {
    dp_mestimate(dose ~ age, 9, 1e-6, data = d, lower = 0, upper = 30, x_lower = 20, x_upper = 40,
                 scale = 2, ...)
  },
  one = function(d, ...) dp_test(d$dose, 9, ...),
  pairs = function(d, ...) dp_test(d$dose, 9, y = d$age, paired = TRUE, ...),
  trend = function(d, ...) dp_test(dose ~ age, 9, data = d, ...),
  groups = function(d, ...) dp_test(dose ~ arm, 9, data = d, ...)
)

test_that("every door that takes ids counts persons, says so, and debits once", {
  for (name in names(id_doors)) {
    door <- function(...) suppressWarnings(id_doors[[name]](...), classes = "dpdepth_warning")
    ledger <- dp_ledger(100, 0.9)
    r <- door(visits, id = visits$who, ledger = ledger, rng = "R")
    expect_identical(as.integer(nobs(r)), 20L, label = name)
    expect_match(paste(trimws(format(r)), collapse = " "), "all rows of any one person", label = name)
    expect_match(format(r), "one row of each", all = FALSE, label = name)
    expect_true("id" %in% names(r$call), label = name)
    expect_identical(nrow(as.data.frame(ledger)), 1L, label = name)
    expect_identical(as.data.frame(ledger)$epsilon, 9, label = name)
    # a refusal decides before a row is kept, and spends nothing
    gap <- visits
    gap[1, c("dose", "arm")] <- NA
    fails <- function(code, told) expect_error(code, told, class = "dpdepth_error_input")
    if (name == "groups") gap$arm <- visits$arm
    fails(door(gap, id = c(visits$who[-60], 1), ledger = ledger), "missing")
    fails(door(visits, id = 1:3, ledger = ledger), "`id` must be")
    expect_identical(nrow(as.data.frame(ledger)), 1L, label = name)
  }
  fails <- function(code, told) expect_error(code, told, class = "dpdepth_error_input")
  fails(dp_test(1:9, 1, y = 1:9, id = 1:9), "whose sizes are public")
  fails(dp_test(dose ~ age, 1, id = 1:9), "`data` must be")
  fails(dp_mestimate(dose ~ age, 1, 1e-6, lower = 0, upper = 1, x_lower = 0, x_upper = 1, id = 1:9), "`data`")
  counted <- dp_tally(data.frame(x = 1:9), lower = 0, upper = 10, resolution = 1)
  fails(dp_test(counted, 1, id = 1:9), "Give it to dp_tally()")
  columns <- suppressWarnings(dp_region(visits[c("who", "dose", "age")], 0.5, 9, lower = 0, upper = 50,
                                        id = ~who, rng = "R"))
  expect_identical(names(coef(columns)), c("dose", "age"))
})

test_that("an id in an odd encoding changes no other id, by any door", {
  skip_on_cran()
  # three rows each of twenty persons, whose ids are written in two encodings
  name <- sprintf("%s%d", "\u00e9", rep(1:20, 3))
  name[1:30] <- `Encoding<-`(iconv(name[1:30], "UTF-8", "latin1"), "latin1")
  size <- function(door, id) suppressWarnings(door(visits, id = id, rng = "R"), classes = "dpdepth_warning")
  more <- list(
    tally = function(d, rng, ...) dp_tally(d$dose, lower = 0, upper = 30, resolution = 1, ...),
    median = function(d, ...) dp_median(d$dose, 9, lower = 0, upper = 30, ...),
    quantile = function(d, ...) dp_quantile(d$dose, 0.3, 9, lower = 0, upper = 30, ...),
    mean = function(d, ...) dp_mean(d$dose, 9, lower = 0, upper = 30, ...),
    ecdf = function(d, ...) dp_ecdf(d$dose, 9, lower = 0, upper = 30, ...),
    regression = function(d, ...) dp_regression(dose ~ age, d, 9, lower = -30, upper = 30, ...),
    by = function(d, ...) list(n = length(unlist(grouped_rows(d$dose, NULL, d$arm, NULL, ...)$index)))
  )
  wrong <- function(doors = c(more, id_doors), odds = odd_keys()) {
    for (door in doors) for (odd in odds) {
      found <- tryCatch(size(door, c(name[-60], odd)), error = function(e) list(n = 0))
      if (!identical(as.integer(found[["n"]]), 21L)) return(TRUE)
    }
    FALSE
  }
  expect_false(wrong(c(more, id_doors)[1], odd_keys()))
  expect_false(wrong(odds = odd_keys()[c("bytes", "utf8_bytes", "broken")]))
  few <- function() wrong(more[1:2])
  expect_true(caught(bug(few, "kept_rows", "key_places(check_key(id, n, \"id\"))", "match(id, id)")))
  expect_true(caught(bug(few, "key_text", "valid_text(bare)", "bare")))
  odd <- c(name[1:19], odd_keys()[["bytes"]])
  expect_length(kept_rows(odd, 20, "R"), 20)
  expect_length(kept_rows(c(odd, name[59]), 21, "R"), 20)
  expect_length(kept_rows(c(1e5, 100000L), 2, "R"), 1)
})

# Is there a door that keeps the ids of its call?
ids_in_calls <- function() {
  d <- visits[c("dose", "age")]
  made <- suppressWarnings(list(
    dp_median(d, 9, lower = 0, upper = 50, id = rep(c(771, 772), 30)),
    dp_region(d, 0.5, 9, lower = 0, upper = 50, id = rep(c(771, 772), 30)),
    dp_depth(rbind(c(5, 25)), d, 9, lower = 0, upper = 50, id = rep(c(771, 772), 30)),
    dp_test(d$dose, 9, id = rep(c(771, 772), 30))
  ))
  any(vapply(made, function(release) grepl("77", paste(deparse(release$call), collapse = "")), NA))
}

test_that("calls of releases do not keep ids", {
  expect_false(ids_in_calls())
  expect_true(caught(bug(ids_in_calls, "door_call", "c(data, \"id\")", "data")))
  r <- suppressWarnings(dp_test(c(1, 5, 9), 9, id = c(771, 772, 771)))
  expect_no_match(paste(deparse(r$call), collapse = ""), "77")
})

test_that("what a door is told of missing values and neighbours is kept where there are ids", {
  gap <- visits
  gap$dose[gap$who == 1] <- NA
  doors <- id_doors[c("region", "depth", "histogram", "mestimate", "line", "interior", "one")]
  for (name in names(doors)) {
    door <- function(...) suppressWarnings(doors[[name]](...), classes = "dpdepth_warning")
    r <- door(visits, id = visits$who, neighbours = "add_remove")
    expect_identical(r$neighbours, "add_remove", label = name)
    if (name == "one") next
    expect_identical(as.integer(nobs(door(gap, id = gap$who, na = 20))), 20L, label = name)
  }
})

test_that("a door that keeps more than a row of a person is found out", {
  skip_on_cran()
  miscount <- function() {
    sizes <- vapply(id_doors, function(door) {
      made <- suppressWarnings(door(visits, id = visits$who, rng = "R"), classes = "dpdepth_warning")
      as.integer(nobs(made))
    }, 0L)
    any(sizes != 20L)
  }
  expect_false(miscount())
  for (b in list(
    bug(miscount, "kept_rows", "by_id[!duplicated(id[by_id])]", "by_id"),
    bug(miscount, "keep_test_rows", "given$data <- one_row_each", "one_row_each"),
    bug(miscount, "keep_rows", "one_row_each(x, given$id", "one_row_each(x, NULL")
  )) {
    expect_true(caught(b))
  }
})

# Of six pairs those that are kept.
paired_rows <- function(id) {
  keep_test_rows(NULL, list(x = 1:6, y = 11:16, formula = FALSE, paired = TRUE, id = id, rng = "R"))
}

test_that("pairs of a person stay pairs, and the rows of one are one", {
  kept <- paired_rows(c(1, 1, 2, 2, 3, 3))
  expect_identical(sort(unname(kept$y - kept$x)), c(10, 10, 10))
  expect_length(unique((kept$x + 1) %/% 2), 3)
  wrong <- function() {
    set.seed(4)
    kept <- paired_rows(c(1, 1, 2, 2, 3, 3))
    !identical(unname(kept$y - kept$x), c(10, 10, 10))
  }
  expect_false(wrong())
  expect_true(caught(bug(wrong, "keep_test_rows", "both[, 2]", "rev(both[, 2])")))
})

test_that("whether a call with ids is refused does not depend on n where n is private", {
  for (x in list(numeric(), 3, c(3, 3))) {
    r <- dp_median(x, 1, lower = 0, upper = 9, id = seq_along(x), neighbours = "add_remove", rng = "R")
    expect_true(is.na(nobs(r)))
  }
})

test_that("missing values are refused whichever row would be kept, and nothing is spent", {
  ledger <- dp_ledger(1)
  for (i in 1:10) {
    expect_error(dp_median(c(1, NA, 2, 3), 0.1, lower = 0, upper = 4, id = c(1, 1, 1, 2), ledger = ledger),
                 class = "dpdepth_error_input")
  }
  refused <- function(id, x = faithful) {
    expect_error(dp_median(x, 0.1, lower = 0, upper = 100, id = id, ledger = ledger),
                 class = "dpdepth_error_input")
  }
  refused("nobody")
  refused(1:3)
  refused(seq_len(nrow(faithful) + 1))
  refused(list(1))
  refused(matrix(1, nrow(faithful), 2))
  refused("waiting")
  refused(~waiting, as.matrix(faithful))
  expect_identical(nrow(as.data.frame(ledger)), 0L)
})

test_that("k rows of one person cost what k steps do", {
  expect_equal(group_cost(3, 0.5, 1e-6), data.frame(rows = 3L, epsilon = 1.5,
                                                    delta = 1e-6 * sum(exp(0.5 * 0:2))))
  for (k in 1:9) expect_gte(group_cost(k, 0.3, 1e-6)$delta, 1e-6 * sum(exp(0.3 * (seq_len(k) - 1))))
  expect_identical(group_cost(3, 0.5)$delta, 0)
  expect_identical(group_cost(1e6, 20, 1e-6)$delta, 1)
  expect_error(group_cost(0, 1), class = "dpdepth_error_input")
})

test_that("costs of groups beyond what doubles hold are 1", {
  expect_identical(group_cost(3, 1000, 1e-300)$delta, 1)
  expect_identical(group_cost(1, 1000, 0.25)$delta, 0.25)
})

test_that("ids that are codes of a factor without a level do not fail a call", {
  id <- structure(c(1L, 2L, 9L, NA, 9L), levels = c("a", "b"), class = "factor")
  expect_identical(sort(kept_rows(id, 5, "R"))[1:2], 1:2)
  # a code without a level is missing, and what is missing is one id
  expect_length(kept_rows(id, 5, "R"), 3)
})

test_that("what is no data, and has no rows, is refused with ids as without", {
  for (x in list(new.env(), NULL, list(), structure(new.env(), class = "odd"))) {
    for (id in list(NULL, character())) {
      refused <- expect_error(dp_region(x, 0.5, 1, lower = 0, upper = 1, id = id))
      expect_s3_class(refused, "dpdepth_error_input")
    }
  }
  none <- dp_histogram(double(), 1, 1e-6, width = 1, neighbours = "add_remove", id = character(), rng = "R")
  expect_s3_class(none, "dp_release")
})

test_that("of complete rows, too, each of a person's is kept alike", {
  skip_on_cran()
  id <- c("a", "a", "b", "a", "a")
  first_is_kept <- function() {
    kept <- replicate(1500, {
      k <- kept_rows(id, 5, "R", among = c(2L, 3L, 4L, 5L))
      k[id[k] == "a"]
    })
    !setequal(kept, c(2, 4, 5)) || stats::chisq.test(table(kept))$p.value < ALPHA
  }
  set.seed(64)
  expect_false(first_is_kept())
  expect_true(caught(bug(first_is_kept, "kept_rows", "draw_below(length(id), 2^52, source)",
                         "if (is.null(among)) draw_below(length(id), 2^52, source) else seq_along(id)")))
})
