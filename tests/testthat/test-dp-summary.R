# dp_summary(): shares, one debit, numbers of variables and groups, persons, refusals.

people <- data.frame(
  age = c(31, 45, 52, 38, 61, 29, 47, 55, 40, 36), smoker = factor(rep(c(TRUE, FALSE), 5)),
  ward = factor(rep(c("n", "s"), c(4, 6)), c("n", "s", "w")), sex = factor(rep(c("f", "m"), 5))
)
table_of <- function(..., epsilon = 1e4) {
  quietly(dp_summary(..., epsilon = epsilon, lower = 0, upper = 100, resolution = 1, rng = "R"))
}

# Rows up to it are as many as they should be, but for one: n p need not be whole, and rows may tie.
is_quantile <- function(value, x, p) {
  below <- colSums(outer(x, value, `<`))
  up_to <- colSums(outer(x, value, `<=`))
  all(below <= length(x) * p + 1 & up_to >= length(x) * p - 1)
}

test_that("with a large epsilon the table has the numbers of the rows", {
  set.seed(1)
  out <- table_of(people[1:3])
  numbers <- tidy(out)
  expect_identical(unique(numbers$group), "all")
  ages <- numbers[numbers$variable == "age", ]
  expect_true(is_quantile(ages$estimate, people$age, 1:3 / 4))
  expect_identical(ages$term, c("25%", "50%", "75%"))
  expect_equal(numbers$estimate[numbers$variable == "smoker"], c(5, 5))
  expect_equal(numbers$estimate[numbers$variable == "ward"], c(4, 6, 0))
  expect_equal(numbers$share[numbers$variable == "ward"], c(0.4, 0.6, 0))
  expect_identical(out$n, 10L)
  for (groups in c("private", "public")) {
    out <- table_of(people, by = ~sex, groups = groups)
    numbers <- tidy(out)
    expect_identical(unique(numbers$group), c("all", "f", "m"))
    for (sex in c("f", "m")) {
      here <- people[people$sex == sex, ]
      of <- function(variable) numbers$estimate[numbers$variable == variable & numbers$group == sex]
      expect_true(is_quantile(of("age"), here$age, 1:3 / 4))
      expect_equal(of("ward"), as.vector(table(here$ward)))
      expect_equal(of("smoker"), as.vector(table(factor(here$smoker, c(FALSE, TRUE)))))
    }
    # counts of all rows are the sums of the groups'
    expect_equal(numbers$estimate[numbers$variable == "ward" & numbers$group == "all"], c(4, 6, 0))
    expect_equal(unname(out$details$sizes), c(5, 5))
  }
  # rows without a group are in none, but among all
  gap <- people
  gap$sex[1:3] <- NA
  out <- table_of(gap, by = ~ sex + smoker)
  expect_equal(out$details$sizes, c("f:FALSE" = 0, "f:TRUE" = 3, "m:FALSE" = 4, "m:TRUE" = 0))
  for (groups in c("private", "public")) {
    out <- tidy(table_of(gap, by = ~sex, groups = groups))
    expect_identical(unique(out$group), c("all", "f", "m"))
    expect_equal(out$estimate[out$variable == "ward" & out$group == "all"], c(4, 6, 0))
    expect_identical(row.names(out), as.character(seq_len(nrow(out))))
  }
})

test_that("levels declare the groups of any column, and rows with another value are in none", {
  text <- transform(people, sex = as.character(sex), smoker = smoker == "TRUE")
  text$sex[1:2] <- c("x", NA)
  sizes <- function(...) table_of(text[c("age", "ward", all.vars(list(...)$by))], ...)$details$sizes
  expect_equal(sizes(by = ~sex, levels = c("m", "f")), c(m = 4, f = 4))
  expect_equal(sizes(by = ~smoker, levels = c(FALSE, TRUE)), c("FALSE" = 5, "TRUE" = 5))
  both <- list(sex = c("f", "m"), smoker = c(FALSE, TRUE))
  expect_equal(sizes(by = ~ sex + smoker, levels = both),
               c("f:FALSE" = 0, "f:TRUE" = 4, "m:FALSE" = 4, "m:TRUE" = 0))
  out <- tidy(table_of(text[c("age", "ward", "sex")], by = ~sex, levels = c("f", "m"), groups = "public"))
  expect_equal(out$estimate[out$variable == "ward" & out$group == "all"], c(4, 6, 0))
  median <- out$estimate[out$variable == "age" & out$term == "50%" & out$group == "f"]
  expect_true(is_quantile(median, text$age[text$sex %in% "f"], 0.5))
})

test_that("shares are proportional to relative errors to the power 2/3, and their sum is epsilon", {
  # of counts sqrt(2 q)/(1 - q), q = exp(-1/2); of a median sqrt(8); in three private groups three times and
  # six times as much
  counts <- sqrt(2 * exp(-0.5)) / (1 - exp(-0.5))
  expected <- c("sizes of groups" = 3 * counts, age = sqrt(8), "age by group" = 6 * sqrt(8),
                "smoker by group" = 3 * counts, "sex by group" = 3 * counts)^(2 / 3)
  out <- quietly(dp_summary(people[c("age", "smoker", "ward", "sex")], 2, by = ~ward, lower = 0, upper = 100,
                            quantiles = 0.5, rng = "R"))
  expect_equal(out$details$shares, expected / sum(expected), tolerance = 1e-10)
  expect_lte(sum(out$details$shares), 1)
  public <- table_of(people, by = ~sex, groups = "public", quantiles = 0.5)$details$shares
  expect_equal(public[["age by group"]] / public[["age"]], 2^(2 / 3))
  # what the releases cost by themselves is no more than what was debited
  spent <- function(...) {
    ledger <- dp_ledger(10)
    out <- quietly(dp_summary(people, 2, ..., lower = 0, upper = 100, ledger = ledger, rng = "R"))
    entries <- ledger$account$spends()
    expect_identical(nrow(entries), 1L)
    expect_identical(entries$epsilon, 2)
    expect_identical(out$epsilon, 2)
    list(rho = entries$rho, shares = out$details$shares)
  }
  # rho is the sum of that of draws of quantiles, epsilon^2/8, and of counts, epsilon^2/2
  whole <- spent()
  of <- function(shares, by) sum((2 * shares)^2 / ifelse(names(shares) == "age", by, 2))
  expect_equal(whole$rho, of(whole$shares, 8), tolerance = 1e-9)
  expect_lt(spent(by = ~sex)$rho, 2^2 / 2)
  expect_lt(spent(by = ~sex, neighbours = "add_remove")$rho, 2^2 / 2)
})

test_that("each draw is given its share of epsilon, all rows, and the source that the release names", {
  set.seed(6)
  seen <- list()
  recorded <- function(door) {
    force(door)
    function(x, epsilon, ..., ledger = NULL, rng = NULL, neighbours, na) {
      # (a ledger: what it costs is asked for, and nothing is drawn)
      if (is.null(ledger)) {
        seen[[length(seen) + 1]] <<- list(epsilon = epsilon, n = NROW(x), rng = rng, na = na,
                                          neighbours = neighbours)
      }
      door(x, epsilon, ..., ledger = ledger, rng = rng, neighbours = neighbours, na = na)
    }
  }
  gap <- people
  gap$age[1:3] <- NA
  run <- function(...) {
    seen <<- list()
    bindings <- list(dp_quantile = recorded(dp_quantile), dp_histogram = recorded(dp_histogram))
    with_bindings(bindings, quietly(dp_summary(gap, 3, ..., lower = 0, upper = 100, na = "omit")))
    do.call(rbind, lapply(seen, as.data.frame))
  }
  all <- run(rng = "R")
  expect_equal(sum(all$epsilon), 3, tolerance = 1e-9)
  expect_lte(sum(all$epsilon), 3)
  expect_identical(all$n, rep(10L, 4))
  expect_identical(all$na, rep("omit", 4))
  expect_identical(unique(all$rng), "R")
  expect_identical(unique(all$neighbours), "substitution")
  expect_identical(unique(run(rng = "R", neighbours = "add_remove")$neighbours), "add_remove")
})

test_that("the ledger is debited before a draw, which takes the system's entropy", {
  set.seed(7)
  before <- .Random.seed
  poor <- dp_ledger(1)
  expect_error(quietly(dp_summary(people, 2, lower = 0, upper = 100, ledger = poor, rng = "R")),
               class = "dpdepth_error_budget")
  expect_identical(.Random.seed, before)
  draw <- function() quietly(dp_summary(people, 2, lower = 0, upper = 100))
  expect_identical(draw()$rng, "system")
  expect_identical(.Random.seed, before)
  one <- draw()
  set.seed(7)
  # two tables of 10 numbers that agree: below 1e-6
  expect_false(identical(coef(one), coef(draw())))
})

test_that("each part costs its share: of what it is given, measured by a ledger of its own", {
  variables <- summary_variables(data.frame(age = people$age, sex = people$sex),
                                 list(lower = 0, upper = 100, resolution = NULL, na = "fail"))
  rows <- list(data = people[c("age", "sex")], group = people$ward)
  for (groups in c("private", "public")) {
    for (neighbours in c("substitution", if (groups == "private") "add_remove")) {
      parts <- summary_parts(variables, levels(people$ward)[1:2], groups, 0.5, 3)
      rows$group <- rows$counted <- droplevels(people$ward)
      costs <- vapply(parts, function(part) {
        given <- list(variable = variables[[part$variable]], quantiles = 0.5, groups = groups,
                      neighbours = neighbours, na = "fail", rng = "R")
        release <- function(ledger) release_part(part, rows, c(given, list(ledger = ledger)))
        cost_of(release)$cost[["epsilon"]]
      }, 0)
      expect_lte(sum(costs), 3)
      expect_equal(costs, 3 * vapply(parts, `[[`, 0, "share"))
    }
  }
})

test_that("a refusal names the column, and nothing is spent", {
  ledger <- dp_ledger(5)
  refused <- function(pattern, ...) {
    given <- list(data = people, epsilon = 1, lower = 0, upper = 100, ledger = ledger)
    given[...names()] <- list(...)
    error <- expect_error(quietly(do.call(dp_summary, given)), class = "dpdepth_error_input")
    expect_match(conditionMessage(error), pattern)
    expect_no_match(conditionMessage(error), canary_text)
  }
  gap <- people
  gap$age[[2]] <- NA
  refused("Of column `age`: `x` must be finite numbers", data = gap)
  gap$ward[[3]] <- NA
  refused("Of column `ward`", data = gap[c("ward", "sex")])
  refused("`name` is a character vector", data = cbind(people, name = "a"))
  refused("make numbers of dates", data = cbind(people, day = Sys.Date()))
  refused("`na`", na = "bogus")
  refused("`na`", data = people["sex"], na = NULL)
  refused("`na`", na = c(height = 1))
  refused("`epsilon` must be at least", epsilon = 2e-6)
  refused("`lower` must be given for each numeric column, not missing for `age`", lower = c(weight = 0)[0])
  refused("`upper` must be one number, or numbers named by numeric columns", upper = c(years = 100))
  refused("Of column `age`: `lower` must be", lower = 200)
  refused("`quantiles` must be increasing", quantiles = c(0.5, 0.25))
  refused("`quantiles`", quantiles = canary + 1)
  refused("names of their own", data = stats::setNames(people, c("a", "a", "b", "c")))
  refused("`data` must be a data frame", data = 1:9)
  refused("`by` must be", by = "sex")
  refused("`by` must be", by = ~nobody)
  refused("`levels` must be given where `by` is not a factor", by = ~age)
  refused("`levels` must be given where `by` is not a factor", data = transform(people, age = NA), by = ~age)
  refused("`levels` must be distinct", by = ~age, levels = c(1, 1))
  refused("\"all\"", data = transform(people, sex = factor(sex, labels = c("all", "m"))), by = ~sex)
  refused("`neighbours`", by = ~sex, groups = "public", neighbours = "add_remove")
  refused("interaction", by = ~ sex + smoker, groups = "public")
  refused("columns besides", data = people["sex"], by = ~sex)
  refused("`levels` must be left out without `by`", levels = 3)
  refused("`level` is not", level = 3)
  refused("at least 1 row", data = people[0, ])
  expect_identical(nrow(ledger$account$spends()), 0L)
  expect_error(quietly(dp_summary(people, 6, lower = 0, upper = 100, ledger = ledger)),
               class = "dpdepth_error_budget")
})

test_that("one row of each person is in all columns, and n counts persons", {
  set.seed(2)
  twice <- data.frame(person = rep(1:200, each = 2), first = factor(rep(c("a", "b"), 200)),
                      again = factor(rep(c("a", "b"), 200)))
  out <- table_of(twice, id = ~person)
  expect_identical(out$n, 200L)
  a <- out$table$estimate[out$table$term == "a"]
  expect_identical(a[[1]], a[[2]])
  # a fair choice for each: beyond these with probability 1e-6
  expect_true(a[[1]] > qbinom(5e-7, 200, 0.5) && a[[1]] < qbinom(1 - 5e-7, 200, 0.5))
  expect_match(gsub(" +", " ", paste(format(out), collapse = " ")), "all rows of any one person")
  expect_identical(table_of(twice, by = ~first, id = ~person)$n, 200L)
  expect_error(table_of(twice, by = ~first, id = ~person, groups = "public"), class = "dpdepth_error_input")
  # the group of the row that is kept, and none of the other's
  out <- table_of(cbind(twice, where = twice$first), by = ~where, id = ~person)$table
  expect_identical(out$estimate[out$term == "a" & out$group == "b"], c(0, 0))
  # whichever row is kept, a missing value is refused
  gap <- data.frame(person = c(1, 1, 2, 2), age = c(30, NA, 50, 60))
  for (i in 1:20) expect_error(table_of(gap, id = ~person), class = "dpdepth_error_input")
})

test_that("rows with missing values are left out, and a private number of rows may be 0", {
  gap <- people
  gap$age[1:2] <- NA
  gap$smoker[[1]] <- NA
  out <- table_of(gap, na = "omit")
  expect_true(is_quantile(out$table$estimate[out$table$variable == "age"], gap$age[-(1:2)], 1:3 / 4))
  expect_equal(out$table$estimate[out$table$variable == "smoker"], c(5, 4))
  none <- table_of(people[0, ], by = ~sex, neighbours = "add_remove")
  expect_true(is.na(none$n))
  expect_identical(nrow(none$table), nrow(table_of(people, by = ~sex)$table))
  private <- table_of(people, neighbours = "add_remove")
  expect_no_match(paste(format(private), collapse = " "), "n = 10\\b")
  expect_identical(private$neighbours, "add_remove")
  plain <- c("names", "class")
  expect_setequal(names(attributes(private)), plain)
  odd <- lapply(private, function(field) setdiff(names(attributes(field)), c(plain, "row.names")))
  expect_length(unlist(odd), 0)
})

test_that("a doubtful table is cautioned by public numbers, and its quantiles are marked", {
  asked <- function(data, ...) dp_summary(data, 2, ..., lower = 0, upper = 100, rng = "R")
  expect_warning(out <- asked(people), "those of age ", class = "dpdepth_warning_accuracy")
  expect_true(all(out$table$uncertain[out$table$kind == "quantiles"]))
  expect_match(out$details$caution, "n = 10 and epsilon = 2")
  many <- people[rep(1:10, 100), ]
  expect_no_warning(fine <- asked(many))
  expect_false(any(fine$table$uncertain[fine$table$kind == "quantiles"]))
  # how many rows are complete is private, and how many there are is not
  some <- people[rep(1:10, 8), ]
  expect_warning(asked(some, na = "omit"), class = "dpdepth_warning_accuracy")
  long <- many
  long$age[-1] <- NA
  expect_no_warning(asked(long, na = "omit"))
  # private groups are drawn with half of epsilon, whether rows are left out or not
  marked <- function(na) {
    out <- dp_summary(data.frame(x = rep(40:60, 30), g = gl(3, 210)), 2, by = ~g, lower = 0, upper = 100,
                      na = na, rng = "R")$table
    out$uncertain[out$group != "all"]
  }
  expect_identical(quietly(marked("omit")), quietly(marked("fail")))
  # a large epsilon is no doubt of quantiles
  large <- quietly(dp_summary(many, 60, lower = 0, upper = 100))
  expect_null(large$details$caution)
  # a count below four standard deviations of its noise
  rare <- quietly(asked(people))$table
  rare <- rare[rare$kind == "counts", ]
  expect_identical(rare$uncertain, 2 * 1.96 * rare$sd > rare$estimate)
})

test_that("a column of missing values is as one of numbers", {
  flags <- data.frame(x = c(NA, NA))
  numbers <- data.frame(x = c(NA, 3))
  asked <- function(data, ...) quietly(dp_summary(data, 1, na = "omit", ..., rng = "R"))
  expect_identical(names(coef(asked(flags, lower = 0, upper = 9))),
                   names(coef(asked(numbers, lower = 0, upper = 9))))
  said <- function(data) tryCatch(asked(data), dpdepth_error_input = conditionMessage)
  expect_identical(said(flags), said(numbers))
  expect_identical(quietly(asked(transform(numbers, y = 1), lower = 0, upper = c(x = 9, y = 3)))$details$na,
                   omitted_text)
})

test_that("sizes of private groups have noise, and those of public ones have none", {
  skip_on_cran()
  people$g <- people$sex
  of <- function(groups) {
    data <- people[rep(1:10, 6), c("age", "g")]
    replicate(12, quietly(dp_summary(data, 1, by = ~g, lower = 0, upper = 100, groups = groups,
                                     rng = "R"))$details$sizes[["f"]])
  }
  expect_identical(of("public"), rep(30L, 12))
  # the chance of no noise in a count is below a third: of none in 12 below 1e-6
  expect_true(any(of("private") != 30))
})

test_that("a table holds nothing but what was released", {
  set.seed(3)
  secret <- transform(people[rep(1:10, 20), ], age = age + canary)
  out <- quietly(dp_summary(secret, 50, by = ~sex, lower = 0, upper = 100, resolution = 1))
  expect_identical(leaks(out, secret$age), 0L)
  inline <- quietly(do.call(dp_summary, list(secret, 50, by = ~sex, lower = 0, upper = 100, resolution = 1)))
  expect_identical(leaks(inline, secret$age), 0L)
  size <- function(n) {
    set.seed(4)
    out <- dp_summary(secret[rep(1:10, n), ], 50, lower = 0, upper = 100, rng = "R")
    # the widths of counts are seen in their digits alone
    length(serialize(out$table, NULL)) + length(out$details)
  }
  expect_identical(size(20), size(200))
})

test_that("tallies are refused in words", {
  tally <- dp_tally(people["age"], lower = 0, upper = 100, resolution = 1)
  groups <- dp_tally(people, "age", lower = 0, upper = 100, resolution = 1, by = ~sex)
  for (x in list(tally, groups)) {
    expect_error(dp_summary(x, 1), "not a tally. A tally holds numbers", class = "dpdepth_error_input")
  }
})

test_that("a grouped data frame has its groups", {
  skip_if_not_installed("dplyr")
  table <- function(data, ...) {
    set.seed(5)
    tidy(suppressWarnings(dp_summary(data, 9, lower = 0, upper = 90, ..., rng = "R")))
  }
  expect_identical(table(dplyr::group_by(warpbreaks, wool)), table(warpbreaks, by = ~wool))
})

test_that("variables keep the order of their columns, factors among groups, too", {
  d <- data.frame(wage = 1:60, sex = gl(2, 1, 60), hours = 1:60, ward = gl(2, 30))
  r <- suppressWarnings(dp_summary(d, 9, by = ~ward, lower = 0, upper = 60))
  expect_identical(unique(r$table$variable), c("wage", "sex", "hours"))
  expect_true(caught(bug(function() {
    r <- suppressWarnings(dp_summary(d, 9, by = ~ward, lower = 0, upper = 60))
    r$table$variable[[1]] != "wage"
  }, "with_percentages", "match(table$variable, variables)", "match(table$variable, table$variable)")))
})
