# The table of dp_summary(): text, prints, pictures, methods.

set.seed(4)
shown <- quietly(dp_summary(warpbreaks[rep(1:54, 20), ], epsilon = 8, by = ~wool, lower = 0, upper = 200,
                            resolution = 1, rng = "R"))

test_that("the table is printed as journals print it", {
  expect_snapshot(shown)
  wide <- tidy(shown, wide = TRUE)
  expect_identical(dim(wide), c(5L, 4L))
  # what gt::gt() and knitr::kable() take
  expect_identical(class(wide), "data.frame")
  expect_true(all(vapply(wide, is.character, NA)) && !anyDuplicated(names(wide)))
  expect_identical(names(wide)[[1]], "by wool")
  expect_error(tidy(shown, wide = TRUE, digits = -1), class = "dpdepth_error_input")
  expect_match(wide[1, 2], "^[0-9]+ \\[[0-9]+, [0-9]+\\]$")
  expect_match(wide[3, 3], "^[0-9]+ \\([0-9]+%\\)$")
  skip_if_not_installed("knitr")
  expect_match(paste(knitr::knit_print(shown), collapse = " "), "median [Q1, Q3]", fixed = TRUE)
})

notes_are_lost <- function() {
  document <- paste(knitr::knit_print(shown), collapse = " ")
  said <- c("epsilon = 8", "add up to more than n", "how many are in each")
  !all(vapply(said, grepl, NA, document, fixed = TRUE)) || !any(grepl("^ *counts +have noise", format(shown)))
}

test_that("in documents the notes stand below the table", {
  skip_if_not_installed("knitr")
  expect_false(notes_are_lost())
  expect_true(caught(bug(notes_are_lost, "knit_print.dp_summary", "paste(notes, collapse = \" \")", "\"\"")))
  expect_true(caught(bug(notes_are_lost, "table_notes", "any(x$table$kind == \"counts\")", "FALSE")))
})

test_that("quantiles are headed by what they are", {
  expect_identical(quantile_text(quantile_heads(1:3 / 4), 1:3 / 4), "median [Q1, Q3]")
  expect_identical(quantile_text(quantile_heads(0.5), 0.5), "median")
  expect_identical(quantile_text(quantile_heads(c(0.1, 0.5, 0.9)), c(0.1, 0.5, 0.9)), "median [10%, 90%]")
  expect_identical(quantile_text(quantile_heads(c(0.1, 0.9)), c(0.1, 0.9)), "10%, 90%")
  # the middle one of three is no median
  expect_identical(quantile_text(quantile_heads(c(0.1, 0.2, 0.9)), c(0.1, 0.2, 0.9)), "10%, 20%, 90%")
})

test_that("negative counts are shown as 0, and are kept as they were released", {
  table <- data.frame(variable = "v", term = c("a", "b"), group = "all", kind = "counts",
                      estimate = c(-3, 12),
                      sd = 2, uncertain = c(TRUE, FALSE))
  made <- with_percentages(table, NULL)
  expect_identical(made$share, c(0, 1))
  expect_identical(made$estimate, c(-3, 12))
  expect_identical(unname(count_block(made, "v", "all")[, 2]), c("", "0 (0%)~", "12 (100%)"))
  nothing <- with_percentages(transform(table, estimate = c(-3, -1)), NULL)
  expect_identical(nothing$share, c(NA_real_, NA_real_))
})

test_that("one row of properties; a picture with a panel per numeric variable", {
  expect_identical(glance(shown)$epsilon, 8)
  expect_identical(as.data.frame(shown), tidy(shown))
  expect_identical(unname(coef(shown)), tidy(shown)$estimate)
  expect_identical(names(coef(shown))[[1]], "breaks: 25% (all)")
  expect_identical(nobs(shown), 1080L)
  for (refused in list(vcov, confint, update, median, quantile, predict)) {
    expect_error(refused(shown), class = "dpdepth_error_input")
  }
  drawn <- picture(shown)
  expect_null(drawn$panels)
  marks <- Filter(function(layer) layer$type == "points", drawn$layers)[[1]]$data
  medians <- shown$table$estimate[shown$table$term == "50%"]
  expect_identical(marks$x, medians)
  # columns that do not fit stand below the others
  old <- options(width = 60)
  on.exit(options(old))
  columns <- list(c("a", "b"), rep(strrep("x", 40), 2), rep(strrep("y", 40), 2))
  expect_lte(max(nchar(table_blocks(columns))), 60)
  two <- quietly(dp_summary(iris[1:2], 50, lower = 0, upper = 10, rng = "R", quantiles = 1:5 / 6))
  expect_identical(picture(two)$panels, c("Sepal.Length", "Sepal.Width"))
  expect_error(picture(quietly(dp_summary(iris["Species"], 50, rng = "R"))), class = "dpdepth_error_input")
  pdf(NULL)
  on.exit(dev.off(), add = TRUE)
  expect_identical(plot(shown), shown)
})

test_that("summary() has what each part costs, and is shorter than the table", {
  skip_on_cran()
  many <- cbind(iris, stats::setNames(iris[c(1:4, 1:2)], letters[1:6]))
  table <- quietly(dp_summary(many, 50, by = ~Species, lower = 0, upper = 10, groups = "public", rng = "R"))
  told <- summary(table)
  expect_identical(told$parts$part, names(table$details$shares))
  expect_equal(sum(told$parts$epsilon), 50)
  expect_lt(length(format(told)), nrow(tidy(table)) / 2)
  expect_match(format(told), "a by group", all = FALSE)
  expect_output(print(told), "shares")
})

test_that("quantiles are marked by the size of their group as it is released", {
  marks_are_wrong <- function(groups = "private") {
    few <- c(public = 15, private = 60)[[groups]] # private groups halve epsilon
    uneven <- data.frame(v = 40 + 0:1299 %% 20, g = factor(rep(c("many", "few", NA), c(1260 - few, few, 40))))
    out <- quietly(dp_summary(uneven, 3, by = ~g, lower = 0, upper = 100, groups = groups, rng = "R"))
    marked <- tapply(out$table$uncertain, out$table$group, any)
    !identical(as.vector(marked[c("all", "few", "many")]), c(FALSE, TRUE, FALSE))
  }
  expect_false(marks_are_wrong() || marks_are_wrong("public"))
  expect_true(caught(bug(marks_are_wrong, "part_table", "sizes[[group]]", "mean(sizes)")))
  pictured <- function(table) sum(grepl("~", unlist(picture(table)$layers), fixed = TRUE))
  few <- shown
  few$table$uncertain <- few$table$group == "A" & few$table$kind == "quantiles"
  expect_identical(pictured(few), length(unique(few$table$variable[few$table$uncertain])))
  few$table$uncertain <- FALSE
  expect_identical(pictured(few), 0L)
})
