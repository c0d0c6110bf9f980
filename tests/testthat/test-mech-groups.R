# Tests of groups and of tallies by group: R/mech-groups.R.

grouped_people <- function() {
  set.seed(1)
  data.frame(key = sample(c("a", "b'c", "\u00fc", "", "other", NA), 300, TRUE), v = round(rexp(300) * 10),
             w = sample(0:20, 300, TRUE), who = rep(1:150, 2))
}

group_levels <- c("b'c", "a", "\u00fc", "", "nobody")

count_groups <- function(x, ..., by = ~key, levels = group_levels) {
  dp_tally(x, c("v", "w"), lower = 0, upper = 50, resolution = 1, by = by, levels = levels, ...)
}

test_that("rows and their tallies by group give the same releases from the same tape", {
  skip_on_cran()
  x <- grouped_people()
  counted <- count_groups(x)
  same <- function(of_rows, of_tallies, ...) {
    draws <- lapply(list(of_rows, of_tallies), function(args) {
      set.seed(3)
      suppressWarnings(coef(do.call(dp_by, c(args, list(..., epsilon = 2, rng = "R")))))
    })
    identical(draws[[1]], draws[[2]])
  }
  rows <- x[c("v", "w", "key")]
  limits <- list(lower = 0, upper = 50, resolution = 1)
  of_rows <- c(list(rows, ~key, levels = group_levels), limits)
  wrong <- function() {
    !same(of_rows, list(count_groups(x)), release = dp_median)
  }
  expect_false(wrong())
  expect_true(caught(bug(wrong, "split_groups", "part$points[, 1], seq_along(levels)",
                         "part$points[, 1] + 1, seq_along(levels)")))
  filled <- x[x$key %in% c("a", ""), ]
  public <- list(filled[c("v", "key")], ~key, levels = c("", "a"), lower = 0, upper = 50, resolution = 1)
  counts <- count_groups(filled, levels = c("", "a"))
  expect_true(same(public, list(counts["v"]), groups = "public", release = dp_median, interval = 0.9))
  margins <- count_groups(filled, levels = c("", "a"), margins = TRUE)
  axes <- c(list(filled[c("v", "w", "key")], ~key, levels = c("", "a")), limits)
  expect_true(same(axes, list(margins), groups = "public", release = dp_median_exponential,
                   directions = "axes"))
  lines <- list(v ~ w, ~key, data = x, levels = group_levels)
  expect_true(same(lines, list(v ~ w, data = counted), release = dp_regression, lower = -50, upper = 50))
})

test_that("tallies by group count each row once, and all rows whatever their group", {
  x <- grouped_people()
  t <- count_groups(x)
  expect_identical(t$n, 300)
  for (g in group_levels) {
    own <- x[x$key %in% g, c("v", "w")]
    expect_identical(t$tallies[[which(group_levels == g)]],
                     dp_tally(own, lower = 0, upper = 50, resolution = 1))
  }
  expect_identical(count_groups(x[-1], by = x$key), t)
  expect_identical(count_groups(x[0, ])$n, 0)
  expect_identical(names(count_groups(x, by = factor(x$key, group_levels), levels = NULL)$tallies),
                   group_levels)
  # one row of each id over all groups, of which some are in none
  kept <- count_groups(x, id = ~who, rng = "R")
  expect_identical(kept$n, 150)
  expect_true(kept$tallies[[1]]$persons)
  expect_error(dp_by(kept, epsilon = 1, groups = "public"), "person", class = "dpdepth_error_input")
  # a row that is kept is of its own group
  own <- replace(x, "v", 10 * match(x$key, group_levels, 0))
  mixed <- function() {
    groups <- count_groups(own, id = ~who, rng = "R")$tallies[1:4]
    !all(mapply(function(group, v) all(group$points[, 1] == v), groups, 10 * 1:4))
  }
  expect_false(mixed())
  expect_true(caught(bug(mixed, "tally_rows", "group[kept]", "group[seq_along(kept)]")))
  open <- function() inherits(try(dp_by(kept["v"], epsilon = 9, groups = "public", rng = "R"), TRUE), "dp_by")
  filled <- kept
  filled$tallies <- filled$tallies[lengths(lapply(filled$tallies, `[[`, "count")) > 0]
  kept <- filled
  expect_false(open())
  expect_true(caught(bug(open, "grouped_tallies", "t$tallies[[1]]$persons", "FALSE")))
  expect_match(format(dp_by(kept["v"], epsilon = 1, rng = "R")), "rows of any one$", all = FALSE)
  # chunks, of which only the first may decide on the groups
  parts <- list(x[1:100, ], x[101:300, ], NULL)
  turn <- function() {
    now <- parts[[1]]
    parts <<- parts[-1]
    now
  }
  expect_identical(count_groups(turn), t)
  parts <- list(data.frame(k = factor(c("a", "b")), v = 1:2), data.frame(k = factor("b"), v = 2), NULL)
  sizes <- vapply(dp_tally(turn, lower = 0, upper = 9, resolution = 1, by = ~k)$tallies, `[[`, 0, "n")
  expect_identical(sizes, c(a = 1, b = 2))
  for (margins in c(FALSE, TRUE)) {
    whole <- count_groups(x, margins = margins)
    part <- function(rows) count_groups(x[rows, ], margins = margins)
    expect_identical(c(part(1:90), part(91:300)), whole)
    expect_identical(with_bindings(list(block_rows = 7, waiting_most = 9), part(1:300)), whole)
  }
})

test_that("SQLite counts the same groups", {
  x <- grouped_people()
  x$v[7] <- NA
  con <- local_sqlite()
  DBI::dbWriteTable(con, "t", x)
  for (margins in c(FALSE, TRUE)) {
    from <- function() count_groups(con, table = "t", margins = margins, na = "middle")
    expect_identical(count_groups(con, table = "t", margins = margins),
                     count_groups(x, na = "omit", margins = margins))
    whole <- count_groups(x, na = "middle", margins = margins)
    expect_identical(from(), whole)
    expect_identical(count_groups(con, table = "t", margins = margins, na = 4),
                     count_groups(x, margins = margins, na = 4))
    wrong <- function() {
      !identical(tryCatch(from(), dpdepth_error_database = identity), whole)
    }
    expect_true(caught(bug(wrong, "group_sql", "ELSE 0 END", "ELSE 1 END")))
  }
  kept <- count_groups(con, table = "t", id = ~who)
  expect_identical(kept$n, 150)
  # rows of no group are one point, however they differ
  sent <- NULL
  with_bindings(list(ask_database = function(con, sql, ...) {
    sent <<- DBI::dbGetQuery(con, sql)
    as.matrix(sent)
  }), count_groups(con, table = "t"))
  expect_identical(sum(sent$g == 0), 1L)
  # numbers by their values, flags as SQLite has them
  DBI::dbWriteTable(con, "u", data.frame(k = c(1, 2.5, 1e5, NA), f = c(TRUE, FALSE, TRUE, NA), v = 1:4))
  by_number <- dp_tally(con, "v", 0, 9, 1, table = "u", by = ~k, levels = c(1e5, 1))
  expect_identical(vapply(by_number$tallies, `[[`, 0, "n"), c("100000" = 1, "1" = 1))
  by_flag <- dp_tally(con, "v", 0, 9, 1, table = "u", by = ~f, levels = c(FALSE, TRUE))
  expect_identical(vapply(by_flag$tallies, `[[`, 0, "n"), c("FALSE" = 1, "TRUE" = 2))
  wrong_calls <- list(list(by = ~z), list(by = ~v), list(by = 1), list(levels = c(1, Inf)),
                      list(levels = c("a", NA)), list(levels = c("a", "a")))
  for (bad in c(wrong_calls, list(list(by = "k"), list(by = NULL), list(levels = NULL)))) {
    call <- list(con, "v", 0, 9, 1, table = "u", by = ~k, levels = 1:2)
    call[names(bad)] <- bad
    expect_error(do.call(dp_tally, call), class = "dpdepth_error_input")
  }
})

test_that("several columns are crossed, in memory, in chunks and in a database", {
  x <- data.frame(v = 1:7, ward = c("a", "b", "b", "z", NA, "a", "b"),
                  year = c(2020, 2021, 2021, 2020, 2020, 1, NA))
  levels <- list(year = 2020:2021, ward = c("b", "a"))
  count <- function(tbl, ..., by = ~ ward + year) {
    dp_tally(tbl, "v", 0, 9, 1, by = by, levels = levels, ...)
  }
  t <- count(x)
  wrong <- function() {
    sizes <- vapply(count(x)$tallies, `[[`, 0, "n")
    !identical(sizes, c("b:2020" = 0, "b:2021" = 2, "a:2020" = 1, "a:2021" = 0))
  }
  expect_false(wrong())
  expect_true(caught(bug(wrong, "crossed_places", "(whole - 1L) * sizes[[j]]", "(whole - 1L)")))
  # where columns have unlike numbers of levels each group has a place of its own
  mixed <- function() anyDuplicated(crossed_places(list(rep(1:2, each = 3), rep(1:3, 2)), c(2L, 3L))) > 0
  expect_false(mixed())
  expect_true(caught(bug(mixed, "crossed_places", "sizes[[j]]", "sizes[[1]]")))
  parts <- list(x[1:2, ], x[3:7, ], NULL)
  expect_identical(count(function() {
    part <- parts[[1]]
    parts <<- parts[-1]
    part
  }), t)
  by_rows <- function(...) {
    r <- dp_by(x[c("v", "ward", "year")], ..., release = dp_mean, epsilon = 9, lower = 0, upper = 9)
    coef(suppressWarnings(r, classes = "dpdepth_warning"))
  }
  expect_identical(rownames(by_rows(~ ward + year, levels = levels)), names(t$tallies))
  # factors have levels, which may be left out; flags need them, as a column of missing numbers would be one
  x$ward <- factor(x$ward, c("b", "a"))
  x$late <- factor(x$year > 2020)
  expect_identical(rownames(by_rows(~ ward + year, levels = levels["year"])), names(t$tallies))
  expect_identical(levels(group_keys(x[c("ward", "late")], 7, NULL)),
                   c("b:FALSE", "b:TRUE", "a:FALSE", "a:TRUE"))
  x$ward <- as.character(x$ward)
  twice <- list(ward = "b", ward = "a")
  for (bad in list(levels[1], levels[[1]], c(levels, list(z = 1)), unname(levels), twice)) {
    expect_error(dp_tally(x, "v", 0, 9, 1, by = ~ ward + year, levels = bad), "`levels` must be",
                 class = "dpdepth_error_input")
  }
  expect_error(crossed_levels(list(c("a:b", "a"), c("c", "b:c"))), "colon", class = "dpdepth_error_input")
  con <- local_sqlite()
  DBI::dbWriteTable(con, "t", x)
  for (margins in c(FALSE, TRUE)) {
    expect_identical(count(con, table = "t", margins = margins),
                     count(x, margins = margins, na = "omit"))
  }
  expect_identical(names(count(con, table = "t", id = ~late)$tallies), names(t$tallies))
})

test_that("a database's counts that are not those of groups are refused", {
  lattice <- tally_lattice(0, 9, 1, c("a", "b"), margins = TRUE)
  gathered <- function(...) gather_counted_groups(rbind(...), lattice, FALSE, c("u", "v"), TRUE)
  expect_identical(gathered(c(0, 1, NA, 5), c(2, 3, NA, 1), c(0, NA, 4, 5), c(2, NA, 6, 1))$n, 6)
  expect_error(gathered(c(0, 1, NA, 5), c(2, 3, NA, 1), c(0, NA, 4, 4), c(2, NA, 6, 2)),
               class = "dpdepth_error_database")
  expect_error(gathered(c(NA, 1, NA, 5), c(NA, NA, 4, 5)), class = "dpdepth_error_database")
})

test_that("sizes of groups show nowhere, and refusals spend nothing", {
  x <- grouped_people()
  t <- count_groups(x)
  shown <- function(t) {
    utils::capture.output({
      print(t)
      str(t)
      print(summary(t))
      str(unclass(summary(t)))
    })
  }
  expect_identical(shown(t), shown(count_groups(x[order(x$v), ], by = rev(x$key))))
  ledger <- dp_ledger(9)
  refused <- function(...) expect_error(..., class = "dpdepth_error_input")
  refused(dp_median(t, 1, ledger = ledger))
  refused(dp_by(t, ~key, epsilon = 1, ledger = ledger))
  refused(dp_by(t, epsilon = 1, levels = "a", ledger = ledger))
  refused(dp_by(t, epsilon = 1, id = ~who, ledger = ledger))
  refused(dp_by(t$tallies[[1]], epsilon = 1, ledger = ledger))
  refused(dp_by(x, epsilon = 1, ledger = ledger))
  refused(dp_by(u ~ w, data = t, release = dp_regression, epsilon = 1, lower = -9, upper = 9,
                ledger = ledger))
  refused(as.data.frame(t))
  refused(dp_tally(t, lower = 0, upper = 1))
  refused(c(t, t$tallies[[1]]))
  refused(c(t, count_groups(x, levels = "a")))
  for (change in list(list("count", replace(t$tallies[[2]]$count, 1, 0.5)), list("resolution", 2),
                      list("persons", TRUE), list("upper", t$tallies[[2]]$upper + 1))) {
    changed <- t
    changed$tallies[[2]][[change[[1]]]] <- change[[2]]
    refused(dp_by(changed, epsilon = 1, ledger = ledger))
  }
  refused(dp_by(replace(t, "n", 100), epsilon = 1, ledger = ledger))
  # too many rows for a method that takes rows: whatever group they are in, and before the debit
  big <- function(g) {
    t <- count_groups(x[1, ], by = factor(c("a", "b")[[g]], c("a", "b")), levels = NULL)
    t$tallies[[g]][c("count", "n")] <- list(3e7, 3e7)
    replace(t, "n", 3e7)
  }
  said <- lapply(1:2, function(g) {
    big <- big(g)["v"]
    tryCatch(dp_by(big, release = dp_median_exponential, epsilon = 1, depth = "spatial", ledger = ledger),
             dpdepth_error_input = conditionMessage)
  })
  expect_match(said[[1]], "at most 4,194,304 rows")
  expect_identical(said[[1]], said[[2]])
  late <- dp_ledger(9)
  spent <- function() {
    try(dp_by(big(1)["v"], release = dp_median_exponential, epsilon = 1, depth = "spatial", ledger = late),
        TRUE)
    nrow(as.data.frame(late)) > 0
  }
  expect_false(spent())
  expect_true(caught(bug(spent, "any_group", "list(none, all)", "list(none)")))
  refused(dp_by(v ~ w, data = big(1), release = dp_regression, epsilon = 1, lower = -9, upper = 9,
                ledger = ledger))
  expect_identical(nrow(as.data.frame(ledger)), 0L)
})

test_that("rows of private groups that are too many for a method are refused before the debit", {
  skip_on_cran()
  n <- 2^20 + 1
  ledger <- dp_ledger(9)
  spent <- function() {
    expect_error(dp_by(matrix(0, n, 2), rep(1L, n), levels = 1:2, dp_median_exponential, depth = "simplicial",
                       epsilon = 1, lower = -9, upper = 9, ledger = ledger),
                 "at most 1,048,576 rows", class = "dpdepth_error_input")
    nrow(as.data.frame(ledger)) > 0
  }
  expect_false(spent())
  expect_true(caught(bug(spent, "any_rows", "list(kept)", "NULL")))
})

test_that("the group of a row is a function of its own key, whatever the others are", {
  day <- c("2020-01-01", "2020-01-02")
  times <- as.POSIXct(day, tz = "UTC")[c(1, 2, 2, 1)]
  later <- replace(times, 4, times[[4]] + 3600)
  class_of_all <- function(x) structure(x, class = "dpd_seen_together")
  registerS3method("as.character", "dpd_seen_together", function(x, ...) {
    format(unclass(x), nsmall = if (any(unclass(x) %% 1 != 0)) 1 else 0)
  })
  registerS3method("[", "dpd_seen_together", function(x, i) class_of_all(unclass(x)[i]))
  neighbours <- list(
    list(times, later, day),
    list(times, later, as.POSIXct(day, tz = "UTC")),
    list(times, replace(times, 4, NA), day),
    list(class_of_all(c(1, 2, 2, 1)), class_of_all(c(1, 2, 2, 0.5)), c("1", "2")),
    list(structure(c(1L, 2L, 2L, 1L), levels = c("1", "2"), class = "factor"),
         structure(c(1L, 2L, 2L, 7L), levels = c("1", "2"), class = "factor"), NULL),
    list(c("\u00fc", "a", "a", "\u00fc"), c("\u00fc", "a", "a", `Encoding<-`("\xff", "bytes")),
         c("\u00fc", "a"))
  )
  for (pair in neighbours) {
    groups <- lapply(pair[1:2], function(key) as.integer(group_keys(list(key), 4, pair[[3]])))
    expect_identical(groups[[1]], c(1L, 2L, 2L, 1L))
    expect_identical(groups[[2]], c(1L, 2L, 2L, NA))
  }
})

test_that("the group of a row does not depend on the chunk that it comes in", {
  in_chunks <- function(sizes) {
    rows <- data.frame(v = 1:6, key = c(100000L, 200000L, 100000L, 100000L, 200000L, 3L))
    parts <- split(rows, rep(seq_along(sizes), sizes))
    dp_tally(function() {
      part <- if (length(parts) > 0) parts[[1]]
      parts <<- parts[-1]
      part
    }, "v", lower = 0, upper = 10, resolution = 1, by = ~key, levels = c(100000, 200000))
  }
  expect_identical(in_chunks(c(1, 5)), in_chunks(6))
  expect_identical(in_chunks(c(2, 2, 2))$tallies[[2]]$n, 2)
})

# Is a row of a person that is kept counted in another group than its own? By the places of the rows kept, it
# would be in that of whoever stands there.
strays <- function() {
  set.seed(4)
  r <- dp_by(data.frame(v = rep(c(0, 100), each = 20)), rep(c("a", "b"), each = 20), dp_median, 200,
             levels = c("a", "b"), lower = -50, upper = 150, id = rep(1:20, 2), rng = "R")
  !isTRUE(all(abs(coef(r) - c(0, 100)) < 5))
}

test_that("of persons the rows that are kept stay in their own groups", {
  expect_false(strays())
  expect_true(caught(bug(strays, "grouped_rows", "key[kept]", "key[seq_along(kept)]")))
})

test_that("a row that its class cannot make a number is refused before private groups are paid for", {
  failing <- function(x, ...) if (any(unclass(x) == 9)) stop("9") else as.double(unclass(x))
  part <- function(x, i) structure(unclass(x)[i], class = "of_this_test")
  registerS3method("as.double", "of_this_test", failing)
  registerS3method("[", "of_this_test", part)
  x <- structure(c(1, 2, 9), class = "of_this_test")
  for (na in list("fail", "omit", "middle", 0)) {
    ledger <- dp_ledger(1)
    expect_error(dp_by(x, factor(c("a", "a", "b")), dp_median, 1, lower = 0, upper = 9, na = na,
                       ledger = ledger), class = "dpdepth_error_input")
    expect_identical(nrow(tidy(ledger)), 0L)
  }
})
