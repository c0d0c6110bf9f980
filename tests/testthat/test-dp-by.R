# dp_by(): what all groups cost, that one row moves no more than that, refusals, methods.

by_median <- function(x, by, epsilon = 1, ...) {
  suppressWarnings(dp_by(x, by, dp_median, epsilon, ..., lower = 0, upper = 4, resolution = 1, rng = "R"))
}

# The joint law of two groups' medians on 0..4 as dp_by() asks for it: each group's draw has the epsilon that
# it passes on.
joint_law <- function(x, key, each) {
  one <- function(v) {
    v <- c(v, 2)
    h <- vapply(0:4, function(z) min(sum(v <= z), sum(v >= z)), 0)
    exp(each * h) / sum(exp(each * h))
  }
  outer(one(x[key == "a"]), one(x[key == "b"]))
}

group_laws_cost <- function(groups = "private", neighbours = "substitution") {
  each <- group_epsilon(1, groups, neighbours == "add_remove")
  rows <- expand.grid(x = 0:4, key = c("a", "b"), stringsAsFactors = FALSE)
  worst <- 0
  for (rest in list(integer(0), c(1, 9), c(3, 3, 8), c(1, 2, 9, 10))) {
    laws <- lapply(seq_len(nrow(rows)), function(i) {
      joint_law(rows$x[c(rest, i)], rows$key[c(rest, i)], each)
    })
    for (p in laws) for (q in laws) worst <- max(worst, abs(log(p / q)))
  }
  worst
}

test_that("a row that changes value and group moves the law of all groups by epsilon at most", {
  expect_lte(group_laws_cost(), 1 + 1e-12)
  expect_gt(group_laws_cost(), 0.7)
  # with the whole of epsilon for each group it would be twice that
  expect_true(caught(bug(function() group_laws_cost() > 1 + 1e-9, "group_epsilon", "epsilon/2", "epsilon")))
})

test_that("each group's draw follows its law", {
  skip_on_cran()
  set.seed(51)
  x <- c(0, 0, 1, 4, 4, 3)
  key <- factor(c("a", "a", "a", "b", "b", NA), c("a", "b", "none"))
  drawn <- t(replicate(250, coef(by_median(x, key, 2))[, 1]))
  law <- function(v) {
    v <- c(v, 2)
    h <- vapply(0:4, function(z) min(sum(v <= z), sum(v >= z)), 0)
    exp(h) / sum(exp(h))
  }
  for (j in 1:3) {
    rows <- list(c(0, 0, 1), c(4, 4), numeric(0))[[j]]
    expect_gt(stats::chisq.test(tabulate(drawn[, j] + 1, 5), p = law(rows))$p.value, ALPHA)
  }
})

test_that("the ledger is debited once, before anything is drawn", {
  ledger <- dp_ledger(2, 1e-5)
  r <- by_median(iris$Sepal.Width, iris$Species, 1, ledger = ledger)
  expect_identical(as.data.frame(ledger)[2:4], data.frame(epsilon = 1, delta = 0, rho = bounded_range_rho(1)))
  expect_error(by_median(iris$Sepal.Width, iris$Species, 1.1, ledger = ledger),
               class = "dpdepth_error_budget")
  expect_identical(nrow(as.data.frame(ledger)), 1L)
  broken <- dp_ledger(2)
  with_bindings(list(draw_exponential = function(...) stop("interrupted")),
                expect_error(by_median(iris$Sepal.Width, iris$Species, 1, ledger = broken), "interrupted"))
  expect_identical(as.data.frame(broken)$epsilon, 1)
  # public groups: the dearest of them, approximate ones with their delta
  public <- dp_ledger(2, 1e-5)
  suppressWarnings(dp_by(iris[1], iris$Species, dp_median_smooth, 0.5, 1e-6, groups = "public", lower = 0,
                         upper = 9, ledger = public, rng = "R"))
  expect_equal(as.data.frame(public)[2:4], data.frame(epsilon = 0.5, delta = 1e-6, rho = 0.125))
})

test_that("all groups cost what the dearest one does, with its delta in either account", {
  cheap <- release_cost(0.5, 0, 0.03)
  dear <- release_cost(0.5, 1e-6)
  total <- total_cost(list(cheap, dear), 0.5, "public", FALSE)
  expect_identical(total, list(epsilon = 0.5, delta = 1e-6, rho = NULL, guarantee = "approximate"))
  expect_identical(total_cost(list(dear, cheap), 0.5, "public", FALSE), total)
  expect_identical(total_cost(list(cheap, cheap), 0.5, "public", FALSE)$rho, 0.03)
  weak <- release_cost(0.5, 0, guarantee = "stationary")
  expect_identical(total_cost(list(cheap, weak), 0.5, "public", FALSE)$guarantee, "unproved")
  ledger <- dp_ledger(rho = 1, delta = 1e-5)
  suppressWarnings(dp_by(iris[1], iris$Species, dp_median_smooth, 0.5, 1e-6, groups = "public", lower = 0,
                         upper = 9, ledger = ledger, rng = "R"))
  expect_equal(ledger$account$spent()[["approximate"]], 1e-6)
})

test_that("calls keep neither the groups nor the data that they were given in", {
  r <- suppressWarnings(dp_by(c(1.4142, 2, 3, 4), c("Ada", "Ada", "Bob", "Bob"), dp_median, 1, lower = 0,
                              upper = 4, levels = c("Ada", "Bob"), rng = "R"))
  expect_identical(as.list(r$call)[c("x", "by")], list(x = as.name("<data>"), by = as.name("<data>")))
  expect_false(any(grepl("1.4142", c(format(r), format(summary(r))), fixed = TRUE)))
})

test_that("sizes of private groups show nowhere", {
  of <- function(x, key) {
    r <- by_median(x, key)
    r$releases <- lapply(r$releases, function(release) {
      release$estimate[] <- 0
      release
    })
    r$call <- NULL
    r
  }
  levels <- c("u", "v")
  expect_identical(of(rep(1, 40), factor(rep("u", 40), levels)),
                   of(1:40 / 10, factor(rep(levels, 20), levels)))
  r <- of(1:4, factor(c("u", "u", "v", "v")))
  expect_false(any(grepl(" n = ", c(format(r), format(summary(r))), fixed = TRUE)))
})

test_that("groups may be columns, formulas, or values with their levels", {
  set.seed(52)
  named <- suppressWarnings(dp_by(iris, ~Species, dp_median, 8, lower = 0, upper = 10, groups = "public",
                                  rng = "R"))
  expect_identical(dim(coef(named)), c(3L, 4L))
  expect_equal(coef(named)["virginica", ], vapply(iris[101:150, 1:4], stats::median, 0), tolerance = 0.5)
  lines <- dp_by(Petal.Length ~ Sepal.Length, ~Species, dp_regression, 4, data = iris, groups = "public",
                 lower = -20, upper = 20, rng = "R")
  expect_identical(colnames(coef(lines)), c("(Intercept)", "Sepal.Length"))
  keyed <- by_median(1:8 / 2, rep(3:4, 4), levels = 3:5)
  expect_identical(names(keyed$releases), c("3", "4", "5"))
  expect_identical(nrow(tidy(keyed)), 3L)
  expect_identical(as.data.frame(keyed)[1:4], tidy(keyed))
  expect_identical(glance(keyed)$releases, 3L)
  expect_match(format(keyed), "one less here and one more", all = FALSE, fixed = TRUE)
  limits <- suppressWarnings(dp_by(iris[1], iris$Species, dp_median, 2, groups = "public", lower = 0,
                                   upper = 10, interval = 0.9, rng = "R"))
  expect_true(all(c("conf.low", "conf.high") %in% names(tidy(limits, conf.int = TRUE))))
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_identical(plot(keyed), keyed)
  skip_if_not_installed("ggplot2")
  expect_s3_class(ggplot2::autoplot(limits), "ggplot")
})

test_that("levels are found by their values, and may be empty text", {
  set.seed(53)
  whole <- by_median(rep(3, 80), rep(c(1e5, 2e5), 40), 60, levels = c(100000L, 200000L))
  expect_identical(tidy(whole)$estimate, c(3, 3))
  empty <- by_median(rep(3, 80), factor(rep(c("", "b"), 40)), 60)
  expect_identical(tidy(empty)$group, c("", "b"))
  expect_output(print(empty), "2 groups")
})

test_that("a formula names a column whatever n is, where n is private", {
  rows <- data.frame(v = c(1, 3), key = 1:2)
  for (n in 0:2) {
    r <- by_median(rows[seq_len(n), ], ~key, levels = 1:2, neighbours = "add_remove")
    expect_identical(colnames(coef(r)), "v")
  }
})

test_that("what cannot be is refused, and nothing is spent", {
  skip_on_cran()
  ledger <- dp_ledger(5, 1e-5)
  x <- faithful$waiting
  late <- factor(faithful$eruptions > 3)
  refused <- function(...) {
    expect_error(suppressWarnings(dp_by(..., ledger = ledger)), class = "dpdepth_error_input")
    expect_identical(nrow(as.data.frame(ledger)), 0L)
  }
  refused(x, round(faithful$eruptions), dp_median, 1, lower = 0, upper = 200) # no levels
  refused(x, late, mean, 1)
  refused(x, late, function(x, epsilon, ledger) x, 1)
  # two releases, of which one would be charged
  twice <- function(x, epsilon, ledger, ...) {
    list(dp_median(x, epsilon, ...), dp_median(x, epsilon, ..., ledger = ledger))
  }
  refused(x, late, twice, 1, lower = 0, upper = 200, groups = "public")
  refused(x, late, dp_ecdf, 1)
  refused(eruptions ~ waiting, late, dp_regression, 1, data = faithful, lower = -9, upper = 9, delta = 1e-6,
          method = "batches")
  refused(x, late, dp_median, 1, lower = 0, upper = 200, interval = 0.9)
  refused(x, late, dp_median, 1, lower = 0, upper = 200, weights = x)
  refused(c(NA, x[-1]), late, dp_median, 1, lower = 0, upper = 200)
  refused(c(NA, x[-1]), late, dp_median, 1, lower = 0, upper = 200, groups = "public")
  refused(x, late[-1], dp_median, 1, lower = 0, upper = 200)
  refused(faithful, "late", dp_median, 1, lower = 0, upper = 200)
  refused(x, late, dp_median, 1e-6, lower = 0, upper = 200)
  refused(x, late, dp_median, 1, lower = 0, upper = 200, groups = "public", neighbours = "add_remove")
  refused(array(1, c(10, 2, 2)), rep(late, length.out = 10), dp_median, 1, lower = 0, upper = 200)
  refused(x, late, dp_median, 1, lower = 0, upper = 200, levels = c(TRUE, TRUE))
  refused(x, late, dp_median, 1, lower = 3, upper = 2)
})

test_that("a warning of all groups is given once", {
  count <- 0
  withCallingHandlers(
    dp_by(iris[1:4], iris$Species, dp_median, 1, lower = 0, upper = 10, groups = "public", rng = "R"),
    dpdepth_warning_accuracy = function(w) {
      count <<- count + 1
      invokeRestart("muffleWarning")
    }
  )
  expect_identical(count, 1)
})

test_that("regressions, several quantiles, means and histograms of factors have releases by group", {
  skip_on_cran()
  set.seed(54)
  late <- factor(faithful$eruptions > 3)
  lines <- dp_by(waiting ~ eruptions, late, dp_regression, 40, data = faithful, lower = -100, upper = 100)
  expect_identical(dim(coef(lines)), c(2L, 2L))
  quartiles <- dp_by(faithful$waiting, late, dp_quantile, 40, probs = 1:3 / 4, lower = 0, upper = 200)
  truth <- vapply(split(faithful$waiting, late), stats::quantile, numeric(3), probs = 1:3 / 4, type = 1)
  expect_equal(unname(coef(quartiles)), unname(t(truth)), tolerance = 0.05)
  means <- dp_by(faithful$waiting, late, dp_mean, 40, lower = 0, upper = 200)
  expect_equal(coef(means)[, 1], vapply(split(faithful$waiting, late), mean, 0), tolerance = 0.05)
  counts <- dp_by(warpbreaks$tension, warpbreaks$wool, dp_histogram, 40)
  expect_identical(colnames(coef(counts)), c("L", "M", "H"))
  ledger <- dp_ledger(1)
  gap <- warpbreaks$tension
  gap[[3]] <- NA
  expect_error(dp_by(gap, warpbreaks$wool, dp_histogram, 1, ledger = ledger), class = "dpdepth_error_input")
  holes <- transform(faithful, waiting = replace(waiting, 9, NA))
  expect_error(dp_by(waiting ~ eruptions, late, dp_regression, 1, data = holes, lower = -9, upper = 9,
                     ledger = ledger), "missing", class = "dpdepth_error_input")
  expect_identical(nrow(as.data.frame(ledger)), 0L)
})

test_that("a wrapper of a release is refused as such, and a formula goes to a function that takes one", {
  expect_error(dp_by(1:4, gl(2, 2), function(x, ...) dp_median(x, ...), epsilon = 1, lower = 0, upper = 9),
               "`release` must be .* not another function. Give its arguments to dp_by\\(\\)",
               class = "dpdepth_error_input")
  d <- data.frame(y = 1:4 + 0, x = 4:1 + 0, g = gl(2, 2))
  expect_error(dp_by(y ~ x, ~g, epsilon = 1, data = d), "left out where `release` takes no formula",
               class = "dpdepth_error_input")
  expect_error(dp_by(formula = y ~ x, by = ~g, release = dp_regression, epsilon = 1, data = d),
               "Give the formula as the first argument.", class = "dpdepth_error_input")
})

test_that("intervals of groups: their level is printed, confint() has them", {
  x <- data.frame(a = seq(0, 9, length.out = 400), b = rep(c("u", "v"), 200))
  r <- dp_by(x["a"], x$b, dp_quantile, epsilon = 9, probs = 0.5, lower = 0, upper = 9, levels = c("u", "v"),
             groups = "public", interval = 0.9)
  expect_match(format(r), "level 0.9", all = FALSE, fixed = TRUE)
  limits <- confint(r)
  expect_identical(dimnames(limits), list(c("u: 50%", "v: 50%"), c("5 %", "95 %")))
  expect_identical(unname(limits[, 2]), tidy(r, conf.int = TRUE)$conf.high)
  expect_identical(confint(r, "50%"), limits)
  expect_error(confint(r, level = 0.8), class = "dpdepth_error_input")
})

test_that("what private groups cannot have is told in terms of `groups`; persons are named", {
  x <- data.frame(a = seq(0, 9, length.out = 400), b = factor(rep(c("u", "v"), 200)))
  found <- expect_error(dp_by(x, ~b, epsilon = 9, lower = 0, upper = 9, interval = 0.9),
                        class = "dpdepth_error_input")
  expect_identical(found$arg, "groups")
  r <- dp_by(x["a"], x$b, epsilon = 9, lower = 0, upper = 9, id = seq_len(400), rng = "R")
  text <- gsub(" +", " ", paste(format(r), collapse = " "))
  expect_match(text, "replacing all rows of any one person")
  text <- gsub(" +", " ", paste(format(summary(r)), collapse = " "))
  expect_match(text, "one person; the number of all persons is public", fixed = TRUE)
})

test_that("public groups without rows are named; all terms are on one page", {
  x <- data.frame(a = 1:8 / 2, b = 8:1)
  key <- factor(rep(c("u", "v"), 4), levels = c("u", "v", "w"))
  spent <- dp_ledger(9)
  found <- expect_error(dp_by(x, key, epsilon = 9, lower = 0, upper = 9, groups = "public", ledger = spent),
                        class = "dpdepth_error_input")
  expect_identical(found$arg, "levels")
  expect_match(conditionMessage(found), "`w`", fixed = TRUE)
  expect_identical(nrow(tidy(spent)), 0L)
  counted <- dp_tally(data.frame(x, key), c("a", "b"), lower = 0, upper = 9, resolution = 1, by = ~key)
  expect_identical(expect_error(dp_by(counted, epsilon = 9, groups = "public"))$arg, "levels")
  release <- suppressWarnings(dp_by(x, droplevels(key), epsilon = 9, lower = 0, upper = 9, rng = "R"))
  pages <- file.path(tempfile("pages"), "%d.pdf")
  dir.create(dirname(pages))
  grDevices::pdf(pages, onefile = FALSE)
  plot(release)
  grDevices::dev.off()
  expect_length(dir(dirname(pages)), 1)
})

test_that("an argument that is an expression is not evaluated, where the rows could be read", {
  x <- data.frame(a = c(777.25, 1:59), g = factor(rep(c("a", "b"), 30)))
  for (limit in list(quote(unlist(rows$take(1))[[1]]), quote(stop(toString(rows$take(1)))))) {
    e <- tryCatch(dp_by(x, ~g, dp_median, epsilon = 1, lower = limit, upper = 1e6), error = identity)
    expect_s3_class(e, "dpdepth_error_input")
    expect_no_match(conditionMessage(e), "777")
  }
})

test_that("private groups take no delta", {
  ledger <- dp_ledger(9, 1e-3)
  asked <- function(...) dp_by(1:40, gl(2, 20), dp_histogram, 4, 1e-6, width = 10, ledger = ledger, ...)
  e <- expect_error(suppressWarnings(asked()), class = "dpdepth_error_input")
  expect_identical(e$arg, "delta")
  expect_identical(summary(ledger)$spent[[1]], 0)
})

test_that("a formula has the released columns on its left and the groups on its right", {
  set.seed(60)
  same <- function(a, b) {
    a$call <- b$call <- NULL
    expect_identical(a, b)
  }
  of <- function(...) {
    set.seed(60)
    suppressWarnings(dp_by(..., epsilon = 2, lower = 0, upper = 90, rng = "R"))
  }
  long <- of(warpbreaks[c("breaks", "wool")], ~wool)
  same(of(breaks ~ wool, warpbreaks), long)
  same(of(breaks ~ wool, data = warpbreaks), long)
  kept <- dp_by(breaks ~ wool, warpbreaks, epsilon = 2, lower = 0, upper = 90)$call
  expect_identical(kept$x, quote(breaks ~ wool))
  both <- of(breaks ~ wool + tension, warpbreaks, dp_quantile, probs = 0.5)
  same(both, of(warpbreaks, ~ wool + tension, dp_quantile, probs = 0.5))
  expect_match(format(both), "by wool and tension", all = FALSE)
  two <- transform(warpbreaks, again = breaks, who = seq_len(54))
  expect_identical(colnames(coef(of(breaks + again ~ wool, two))), c("breaks", "again"))
  expect_true(of(breaks ~ wool, two, id = ~who)$persons)
  for (bad in list(~wool, breaks ~ nobody, breaks ~ breaks, log(breaks) ~ wool, breaks ~ wool:tension)) {
    expect_error(of(bad, warpbreaks), class = "dpdepth_error_input")
  }
  expect_error(of(breaks ~ wool), "`data` must be", class = "dpdepth_error_input")
  twice <- stats::setNames(warpbreaks[c(1, 1, 2)], c("breaks", "breaks", "wool"))
  expect_error(of(breaks ~ wool, twice), "a name that columns share", class = "dpdepth_error_input")
  expect_error(of(breaks ~ wool, data = warpbreaks, release = dp_test), "takes the formula `x` itself",
               class = "dpdepth_error_input")
  # groups are refused by their kind, whatever the rows hold
  said <- function(group) tryCatch(of(breaks ~ g, transform(warpbreaks, g = group)), error = conditionMessage)
  expect_identical(said(NA), said(1))
  expect_identical(said(NA), said(TRUE))
  ready <- function() identical(said(NA), said(1))
  expect_true(ready())
  flags <- paste("is.null(levels) && is.logical(key)) levels <- c(FALSE, TRUE)",
                 "if (is.null(levels) && is.factor(key)", sep = "\n")
  expect_true(caught(bug(function() !ready(), "group_levels", "is.null(levels) && is.factor(key)", flags)))
  skip_if_not_installed("dplyr")
  same(of(dplyr::group_by(warpbreaks[c("breaks", "wool")], wool)), long)
  same(of(dplyr::group_by(warpbreaks[c("breaks", "wool")], wool), NULL), long)
})

test_that("a column of a data frame is counted as a factor is", {
  counts <- function(...) {
    set.seed(61)
    coef(dp_by(..., dp_histogram, 9, rng = "R"))
  }
  whole <- counts(warpbreaks$tension, warpbreaks$wool)
  expect_identical(counts(warpbreaks[c("tension", "wool")], ~wool), whole)
})

test_that("what public groups cost is said where private ones cannot have a release", {
  asked <- function(...) dp_by(breaks ~ wool, warpbreaks, ..., epsilon = 1, lower = 0, upper = 90)
  expect_error(asked(interval = 0.95), "groups = \"public\" if everyone's group is known; the price",
               class = "dpdepth_error_input")
  expect_error(asked(dp_ecdf), "groups = \"public\" if everyone's group is known; then neither",
               class = "dpdepth_error_input")
})
