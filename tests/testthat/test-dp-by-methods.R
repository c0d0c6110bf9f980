# Releases by group as tables, and in full.

test_that("summary() shows all groups, as.data.frame() is tidy() and glance()", {
  set.seed(92)
  group <- factor(rep(seq_len(25), 8))
  r <- dp_by(rep(1:8, 25) + 0, group, dp_quantile, 50, probs = 0.5, lower = 0, upper = 9, rng = "R")
  frame <- as.data.frame(r)
  expect_identical(frame[names(tidy(r))], tidy(r))
  expect_identical(frame[1, names(glance(r))[-1]], glance(r)[-1])
  expect_identical(row.names(as.data.frame(r, row.names = letters[1:25])), letters[1:25])
  told <- summary(r)
  expect_identical(told$estimates, tidy(r))
  expect_identical(told$whole, glance(r))
  shown <- capture.output(print(told))
  expect_true(any(grepl("^ +25 ", shown)))
  expect_false(any(grepl("^ +25 ", format(r))))
  expect_match(format(r), "20 of 25 rows", all = FALSE)
  # what one release has is asked of each
  for (asked in c("nobs", "vcov", "sigma", "residuals", "fitted", "logLik", "deviance",
                  "formula")) {
    expect_error(get(asked)(r), "Ask each of them, as in lapply", class = "dpdepth_error_input")
  }
  expect_error(tidy(r, conf.int = TRUE), "interval = 0.95", class = "dpdepth_error_input")
})

# Of each group: its released numbers beside the matrix, by name.
by_name <- function(r) {
  values <- coef(r)
  for (group in names(r$releases)) {
    own <- coef(r$releases[[group]])
    expect_identical(unname(values[group, !is.na(values[group, ])]), unname(own))
    expect_identical(as.character(colnames(values)[!is.na(values[group, ])]), as.character(names(own)))
  }
  values
}

test_that("coef() and pictures match terms by their names, and have NA where a group has none", {
  skip_on_cran()
  set.seed(31)
  key <- factor(rep(c("u", "v", "w"), 200))
  x <- stats::rnorm(600, c(0, 20, 40))
  released <- function(release, ...) suppressWarnings(dp_by(x, key, release, 9, ..., rng = "R"))
  steps <- by_name(released(dp_ecdf, groups = "public", lower = -99, upper = 99))
  expect_identical(dim(steps)[[1]], 3L)
  expect_gt(sum(is.na(steps)), ncol(steps)) # most steps are one group's
  r <- released(dp_histogram, delta = 1e-6, width = 1, groups = "public")
  own <- unlist(Map(function(group, release) paste(group, names(coef(release)), sep = ": "),
                    names(r$releases), r$releases), use.names = FALSE)
  expect_identical(rownames(confint(r, level = 0.9)), own)
  bins <- by_name(r)
  expect_gt(sum(is.na(bins)), ncol(bins))
  # groups without any bin, and terms of one name
  none <- by_name(released(dp_histogram, delta = 1e-9, width = 1e-9, groups = "public"))
  expect_identical(dim(none), c(3L, 0L))
  # by place in place of name the numbers are another group's
  mixed <- function() !identical(coef(r), bins)
  expect_true(caught(bug(mixed, "by_matrix", "match(table$group, groups)",
                         "rep_len(seq_along(groups), nrow(table))")))
  twice <- by_name(released(dp_quantile, probs = c(0.5, 0.9, 0.5), lower = -99, upper = 99))
  expect_identical(colnames(twice), c("50%", "90%", "50%"))
  # levels of factors are terms
  levels <- by_name(dp_by(factor(rep(c("a", "b"), 300)), key, dp_histogram, 9))
  expect_identical(dimnames(levels), list(c("u", "v", "w"), c("a", "b")))
  grDevices::pdf(tempfile(fileext = ".pdf"))
  on.exit(grDevices::dev.off())
  r <- released(dp_ecdf, groups = "public", lower = -99, upper = 99)
  drawn <- Filter(function(layer) layer$type == "points", picture(r)$layers)
  by_hand <- lapply(colnames(coef(r))[1:12], function(term) unname(stats::na.omit(coef(r)[, term])))
  expect_identical(lapply(drawn, function(layer) layer$data$x), by_hand, ignore_attr = TRUE)
  expect_gt(ncol(coef(r)), 12)
  expect_no_error(plot(r)) # with groups that have none of a panel's terms
  expect_match(by_title(r, attr(by_panels(tidy(r)), "left")), "more terms: see tidy()", fixed = TRUE)
})

test_that("p-values of tests are shown, and intervals in both kinds of pictures", {
  skip_on_cran()
  set.seed(32)
  x <- stats::rnorm(600)
  key <- factor(rep(c("u", "v"), 300))
  # the first group's median is 1, the second's is not
  tests <- dp_by(x + (key == "u"), key, dp_test, 4, mu = 1, rng = "R")
  p <- vapply(tests$releases, function(r) r$p.value, 0)
  expect_gt(p[["u"]], p[["v"]])
  expect_identical(tidy(tests)$p.value, unname(p))
  expect_match(format(tests), "p.value", all = FALSE)
  limits <- dp_by(x, key, dp_median, 4, lower = -9, upper = 9, interval = 0.9, groups = "public", rng = "R")
  grDevices::pdf(tempfile(fileext = ".pdf"))
  on.exit(grDevices::dev.off())
  of <- function(x, type) Filter(function(layer) layer$type == type, picture(x)$layers)
  expect_identical(of(tests, "points")[[1]]$data$x, unname(p))
  shown <- of(limits, "segments")[[2]]$data
  table <- tidy(limits, conf.int = TRUE)
  expect_identical(shown$x, table$conf.low)
  expect_identical(shown$xend, table$conf.high)
  expect_identical(picture(limits)$y$labels[shown$y], rev(table$group)) # rows from the top
  plot(tests)
  ggplot2::ggplotGrob(ggplot2::autoplot(limits))
})

test_that("predictions are those of each row's group, and NA where it has none", {
  set.seed(62)
  r <- suppressWarnings(dp_by(breaks ~ wool + tension, warpbreaks, epsilon = 9, lower = 0, upper = 90,
                              rng = "R"))
  new <- data.frame(tension = c("L", "H", NA, "Q"), wool = factor(c("B", "A", "A", "B")))
  expect_identical(unname(predict(r, new)), c(unname(coef(r)[c("B:L", "A:H"), 1]), NA, NA))
  expect_identical(augment(r, new), cbind(new, .fitted = unname(predict(r, new))))
  expect_identical(augment(r, augment(r, new)), augment(r, new))
  # texts that are levels only where a colon joins them
  joined <- suppressWarnings(dp_by(breaks ~ wool + tension, warpbreaks, epsilon = 9, lower = 0, upper = 90,
                                   levels = list(wool = c("A:L", "B"), tension = c("M", "H")), rng = "R"))
  expect_identical(unname(predict(joined, data.frame(wool = c("A", "B"), tension = c("L:M", "H")))),
                   c(NA, coef(joined)[["B:H", 1]]))
  expect_error(predict(r, new["wool"]), "`newdata` must be a data frame with", class = "dpdepth_error_input")
  expect_error(predict(r), "`newdata` must be given", class = "dpdepth_error_input")
  vector <- suppressWarnings(dp_by(warpbreaks["breaks"], warpbreaks$wool, dp_quantile, 9, probs = 1:3 / 4,
                                   lower = 0, upper = 90, rng = "R"))
  expect_identical(unname(predict(vector, c("B", "C"))), unname(coef(vector)[c(2, NA), ]))
  expect_identical(names(augment(vector, "A")), c("group", ".fitted.25%", ".fitted.50%", ".fitted.75%"))
  # quantiles stand on one axis, in the order of their probabilities
  expect_null(picture(vector)$panels)
  marks <- Filter(function(layer) layer$type == "points", picture(vector)$layers)[[1]]$data
  expect_identical(marks$x, unname(coef(vector)[, "50%"]))
  halves <- transform(cars, g = gl(2, 25))
  of_vector <- suppressWarnings(dp_by(dist ~ speed, halves$g, dp_regression, 9, data = halves, lower = -90,
                                      upper = 90, rng = "R"))
  expect_error(predict(of_vector, halves), "no name that newdata could use", class = "dpdepth_error_input")
  lines <- suppressWarnings(dp_by(dist ~ speed, data = halves, by = ~g, release = dp_regression, epsilon = 9,
                                  lower = -99, upper = 99, rng = "R"))
  at <- data.frame(speed = c(9, 9, 12), g = c("2", "1", "3"))
  expect_equal(unname(predict(lines, at)), c(coef(lines)[2:1, ] %*% c(1, 9), NA))
  counts <- dp_by(tension ~ wool, warpbreaks, dp_histogram, epsilon = 1, rng = "R")
  expect_error(predict(counts, new), "predict\\(\\) is not available", class = "dpdepth_error_input")
})

test_that("of private groups the print says how few rows a draw takes, and of public ones it does not", {
  set.seed(12)
  d <- data.frame(a = stats::runif(300), g = gl(3, 100, labels = c("u", "v", "none")))
  by <- function(...) suppressWarnings(dp_by(a ~ g, d, epsilon = 1, lower = 0, upper = 1, ..., rng = "R"))
  shown <- function(x) paste(format(x), collapse = " ")
  # the size from which on a door warns of nothing: under half of epsilon a row more counts double
  expect_match(shown(by()), "fewer than about 44 rows")
  warned <- function(n) {
    tryCatch(!is.null(dp_median(seq_len(n) / n, 1, lower = 0, upper = 1, rng = "R")$details$caution),
             dpdepth_warning_accuracy = function(w) TRUE)
  }
  expect_true(warned(43) && !warned(44))
  expect_match(shown(by(release = dp_quantile, probs = 0.5)), "fewer than about [0-9]+ rows")
  expect_no_match(shown(by(groups = "public")), "fewer than about")
  expect_no_match(shown(by(release = dp_mean)), "fewer than about")
})
