# dp_histogram(): what it counts and says, pictures, refusals.

quiet_histogram <- function(...) suppressWarnings(dp_histogram(...), classes = "dpdepth_warning")

test_that("counts are those of the rows, with noise of the stated deviation", {
  x <- c(rep(0.5, 300), rep(1, 200), rep(3, 100), 7)
  h <- quiet_histogram(x, 1e3, breaks = c(0, 1, 2, 3, 4))
  expect_identical(unname(coef(h)), c(300, 200, 0, 100))
  expect_identical(names(coef(h))[c(1, 4)], c("[0, 1)", "[3, 4]"))
  expect_identical(h$guarantee, "pure")
  expect_identical(h$delta, 0)
  wide <- quiet_histogram(x, 100, 1e-9, width = 1)
  expect_identical(wide$details$threshold, 2)
  expect_identical(tidy(wide)$from, c(0, 1, 3)) # one row is too few
  expect_identical(wide$guarantee, "approximate")
})

test_that("levels, flags and text are counted, rows of no level are not", {
  f <- factor(rep(c("a", "b"), c(5, 3)), levels = c("a", "b", "c"))
  expect_identical(coef(quiet_histogram(f, 1e3)), c(a = 5, b = 3, c = 0))
  expect_identical(coef(quiet_histogram(c("x", "y", "q"), 1e3, levels = c("y", "x"))), c(y = 1, x = 1))
  flags <- quiet_histogram(c(TRUE, FALSE, TRUE), 1e3, levels = c(FALSE, TRUE))
  expect_identical(coef(flags), c("FALSE" = 1, "TRUE" = 2))
  expect_identical(coef(quiet_histogram(c("x", NA), 1e3, levels = c("y", "x"), na = "y")), c(y = 1, x = 1))
  expect_identical(coef(quiet_histogram(c("x", NA), 1e3, levels = c("y", "x"), na = "omit")), c(y = 0, x = 1))
})

test_that("wherever the data are", {
  big <- quiet_histogram(rep(c(1e300, -1e300, 1e-310), 60), 2, 1e-6, breaks = "log2")
  ends <- tidy(big)
  expect_true(all(ends$from <= c(-1e300, 1e-310, 1e300) & ends$to >= c(-1e300, 1e-310, 1e300)))
  none <- quiet_histogram(1:20, 1, 1e-6, width = 1)
  expect_length(coef(none), 0)
  expect_match(format(none), "no bin reached the threshold", all = FALSE)
  expect_identical(nrow(as.data.frame(none)), 0L)
  expect_error(plot(none), class = "dpdepth_error_input")
})

test_that("n is private where rows may be added", {
  h <- quiet_histogram(numeric(), 1e3, breaks = 0:2, neighbours = "add_remove")
  expect_identical(unname(coef(h)), c(0, 0))
  expect_true(is.na(nobs(h)))
  expect_equal(h$details$noise_sd, quiet_histogram(1:3, 2e3, breaks = 0:2, rng = "R")$details$noise_sd)
  expect_length(coef(quiet_histogram(numeric(), 1, 0.01, width = 1, neighbours = "add_remove")), 0)
  by <- dp_by(iris$Petal.Width, iris$Species, dp_histogram, epsilon = 20, breaks = 0:3)
  expect_equal(unname(coef(by)["virginica", ]), c(0, 21, 29), tolerance = 0.3)
  expect_error(dp_by(iris$Petal.Width, iris$Species, dp_histogram, 1, 1e-6, width = 1),
               class = "dpdepth_error_input")
  ledger <- dp_ledger(9, rho = 9)
  dp_by(iris$Petal.Width, iris$Species, dp_histogram, 1, breaks = 0:3, ledger = ledger)
  expect_gte(as.data.frame(ledger)$rho, 0.5 * (1 - 1e-6)) # no exponential mechanism: epsilon^2 / 2
})

test_that("prints, frames and pictures", {
  h <- quiet_histogram(faithful$waiting, 1, breaks = c(-Inf, 50, 60, 70, Inf), rng = "R")
  expect_match(format(summary(h)), "noise_sd", all = FALSE)
  expect_named(tidy(h), c("term", "from", "to", "estimate"))
  expect_identical(nrow(as.data.frame(h)), 4L)
  expect_s3_class(ggplot2::autoplot(h), "ggplot")
  drawn <- ggplot2::ggplot_build(ggplot2::autoplot(h))$data[[1]]
  expect_equal(drawn$ymax, unname(coef(h)))
  uneven <- quiet_histogram(faithful$waiting, 1, breaks = c(40, 50, 70, Inf), rng = "R")
  drawn <- ggplot2::ggplot_build(ggplot2::autoplot(uneven))$data[[1]]
  expect_equal(with(drawn, (xmax - xmin) * ymax), unname(coef(uneven)))
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_invisible(plot(h))
  expect_invisible(plot(quiet_histogram(warpbreaks$tension, 1)))
  expect_invisible(plot(quiet_histogram(faithful$waiting, 2, 1e-6, breaks = "log2")))
})

test_that("what cannot be is refused, and nothing is spent", {
  ledger <- dp_ledger(1, 1e-5)
  refused <- function(...) {
    expect_error(dp_histogram(..., ledger = ledger), class = "dpdepth_error_input")
    expect_identical(nrow(as.data.frame(ledger)), 0L)
  }
  refused(1:9, 1)
  expect_error(dp_histogram(1:9, 1), "`breaks` must be given, or one of `levels`", fixed = TRUE)
  refused(1:9, 1, breaks = 0:9, width = 1)
  expect_error(dp_histogram(1:9, 1, breaks = 0:9, width = 1), "not given together: `breaks`, `width`",
               fixed = TRUE)
  refused(1:9, 1, breaks = c(1, 1))
  refused(1:9, 1, breaks = 3)
  refused(1:9, 1, width = 1) # delta
  refused(1:9, 1, 1e-6, width = 0)
  refused(1:9, 1, 1e-6, width = 1e-9, origin = 1e9)
  refused(1:9, 1, 1e-6, breaks = "log2", origin = 1)
  refused(c(1, NA), 1, breaks = 0:2)
  refused(cbind(1:2, 1:2), 1, breaks = 0:2)
  refused(c("a", NA), 1, levels = "a")
  refused("a", 1, breaks = 0:2)
  refused(numeric(), 1, breaks = 0:2)
  refused(1:9, 1, breaks = 0:2, bins = 3)
  expect_warning(dp_histogram(1:9, 1, 1e-6, width = 1, rng = "R"), class = "dpdepth_warning_accuracy")
})

test_that("where the number of rows is private no warning depends on it", {
  said <- function(n) {
    list <- character()
    withCallingHandlers(
      dp_histogram(rep(0.5, n), 1, 1e-6, width = 1, neighbours = "add_remove"),
      warning = function(w) {
        list <<- c(list, conditionMessage(w))
        invokeRestart("muffleWarning")
      }
    )
    list
  }
  differ <- function() !identical(said(1), said(1000))
  expect_false(differ())
  counted <- bug(differ, "histogram_mechanism", "if (given$private) NA", "if (FALSE) NA")
  expect_true(with_bindings(planted(counted), differ()))
})

test_that("an origin of several numbers is refused, with persons too", {
  for (id in list(NULL, 1:9)) {
    refused <- expect_error(dp_histogram(1:9, 1, 1e-6, width = 1, origin = 1:3, id = id))
    expect_s3_class(refused, "dpdepth_error_input")
    expect_identical(refused$arg, "origin")
  }
})

test_that("of numbers `na` is offered what it takes", {
  for (na in list("middle", "bad", list(1))) {
    expect_error(dp_histogram(c(1, NA, 3), 1, breaks = 0:5, na = na), "\"omit\" or one finite number",
                 class = "dpdepth_error_input")
  }
})

test_that("help pages have no links made of half-open intervals", {
  pages <- tools::Rd_db("dpdepth")
  broken <- Filter(function(page) any(grepl("%20", as.character(page), fixed = TRUE)), pages)
  expect_length(broken, 0)
})
