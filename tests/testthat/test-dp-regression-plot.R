# Plots of private regressions: what is drawn, on public axes, and what is refused.

taus <- dp_regression(waiting ~ eruptions, faithful, 3, at = c(1.5, 5), lower = 0, upper = 150,
                      tau = c(0.25, 0.5))
hidden <- dp_regression(log(stations) ~ I(mag - 4.5), quakes, 1, lower = -10, upper = 10)
frame <- data.frame(a = quakes$mag, f = factor(rep(c("u", "v"), 500)), g = rep(c(TRUE, FALSE), each = 500),
                    y = quakes$stations)[401:600, ]
several <- dp_regression(y ~ a + f + g, frame, 2, lower = -500, upper = 500)

test_that("lines are the predictions over a public axis", {
  drawn <- regression_lines(taus, NULL, NULL, NULL, list())
  expect_identical(range(drawn$curves$x), c(1.5, 5)) # of `at`
  expect_identical(levels(drawn$curves$tau), c("0.25", "0.5"))
  at <- drawn$curves$x[1:101]
  expect_identical(matrix(drawn$curves$y, 101), unname(predict(taus, data.frame(eruptions = at))))
  expect_null(drawn$points)
  # no public axis: coefficients; not even of the term's, which is another variable
  expect_null(regression_lines(hidden, NULL, NULL, NULL, list()))
  given <- regression_lines(hidden, NULL, c(4, 6), NULL, list())
  expect_equal(given$curves$y[c(1, 101)], unname(predict(hidden, data.frame(mag = c(4, 6)))))
  expect_identical(given$response, "log(stations)")
  expect_identical(range(regression_lines(hidden, quakes, NULL, NULL, list())$curves$x), range(quakes$mag))
})

test_that("partial lines hold the other variables", {
  drawn <- regression_lines(several, NULL, c(4, 6), "a", list(f = "v"))
  ends <- data.frame(a = c(4, 6), f = "v", g = FALSE)
  expect_equal(drawn$curves$y[c(1, 101)], unname(predict(several, ends)))
  expect_match(lines_caption(several, drawn), "; at f = v, g = FALSE", fixed = TRUE)
  expect_identical(regression_lines(several, NULL, c(4, 6), "a", list())$hold, list(f = "u", g = FALSE))
})

test_that("data are drawn only when given again, and marked", {
  skip_on_cran()
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  for (r in list(taus, hidden, several)) expect_identical(plot(r), r)
  expect_identical(plot(taus, data = faithful, ylim = c(0, 99), main = "own"), taus)
  expect_identical(plot(several, partial = "a", xlim = 4:5), several)
  skip_if_not_installed("ggplot2")
  open <- ggplot2::autoplot(taus, data = faithful)
  expect_match(open$labels$subtitle, "NOT PRIVATE")
  closed <- ggplot2::autoplot(taus)
  expect_null(closed$labels$subtitle)
  types <- function(plot) vapply(plot$layers, function(layer) class(layer$geom)[[1]], "")
  expect_true("GeomPoint" %in% types(open)[1:3])
  expect_false("GeomPoint" %in% types(closed)[1:3])
  quantiles <- dp_regression(dist ~ speed, cars, 8, lower = -9, upper = 9, tau = c(0.4, 0.6))
  for (p in list(open, closed, ggplot2::autoplot(hidden), ggplot2::autoplot(quantiles),
                 ggplot2::autoplot(several, partial = "a", xlim = 4:5))) {
    expect_silent(ggplot2::ggplotGrob(p))
  }
})

test_that("what cannot be drawn is refused in words", {
  refused <- function(pattern, ...) {
    expect_error(regression_lines(...), pattern, class = "dpdepth_error_input")
  }
  refused("partial", several, faithful, NULL, NULL, list())
  refused("`a`", several, NULL, 4:5, "f", list())
  refused("ends of the variable's axis", several, NULL, NULL, "a", list())
  refused("two increasing", several, NULL, 5:4, "a", list())
  refused("`f`, `g`", several, NULL, 4:5, "a", list(h = 1))
  refused("a level of the release for `f`: `u`, `v`", several, NULL, 4:5, "a", list(f = "w"))
  refused("one value for `g`", several, NULL, 4:5, "a", list(g = 1:2))
  refused("NULL with `partial`", several, frame, 4:5, "a", list())
  refused("`data`.*without `waiting`", taus, quakes, NULL, NULL, list())
})

test_that("a saved picture of lines holds nothing of the caller's, and no data that were not given again", {
  skip_if_not_installed("ggplot2")
  secret <- c(53798.324159265, 1.5)
  canary <- utils::tail(serialize(secret[[1]], NULL, xdr = TRUE), 8)
  holds <- function(plot) length(grepRaw(canary, serialize(plot, NULL, xdr = TRUE), fixed = TRUE)) > 0
  plotted <- function(y, ...) {
    force(y)
    ggplot2::autoplot(taus, ...)
  }
  environment(plotted) <- list2env(list(taus = taus), parent = globalenv())
  expect_false(holds(plotted(secret)))
  expect_true(holds(plotted(0, data = data.frame(eruptions = 1:2, waiting = secret))))
})

test_that("tidy() has a column of quantiles", {
  long <- tidy(taus)
  expect_identical(names(long), c("term", "estimate", "tau"))
  expect_identical(long$estimate, as.vector(coef(taus)))
  expect_identical(long$term, rep(c("(Intercept)", "eruptions"), 2))
  expect_identical(long$tau, rep(c(0.25, 0.5), each = 2))
  expect_identical(names(tidy(hidden)), c("term", "estimate"))
  expect_identical(nrow(glance(taus)), 1L)
  expect_identical(as.data.frame(taus)$tau, long$tau)
  expect_identical(summary(taus)$terms$tau, long$tau)
})

test_that("a picture with rows says what it is, captions name the guarantee, and failures draw no lines", {
  # R's own pictures: the text is in the file
  texts <- function(...) {
    file <- tempfile()
    on.exit(unlink(file))
    grDevices::pdf(file, compress = FALSE, useKerning = FALSE)
    plot(taus, ...)
    grDevices::dev.off()
    readLines(file, warn = FALSE)
  }
  expect_match(texts(data = faithful), "NOT PRIVATE", all = FALSE, useBytes = TRUE)
  expect_no_match(texts(), "NOT PRIVATE", useBytes = TRUE)
  drawn <- regression_lines(taus, NULL, NULL, NULL, list())
  expect_match(lines_caption(taus, drawn), guarantee_name(taus), fixed = TRUE)
  failed <- taus
  failed$released <- FALSE
  expect_null(regression_lines(failed, NULL, NULL, NULL, list()))
})

test_that("data without rows to draw, values that are none and fits that are none are refused in words", {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  line <- dp_regression(waiting ~ eruptions, faithful, 3, lower = 0, upper = 150)
  refused <- function(arg, ...) {
    expect_no_warning(error <- expect_error(plot(...), class = "dpdepth_error_input"))
    expect_identical(error$arg, arg)
  }
  refused("xlim", line, data = faithful[0, ])
  refused("xlim", line, data = faithful[1, ])
  refused("xlim", line, data = transform(faithful, eruptions = NA))
  refused("xlim", line, xlim = c(1, 1.1) * 1.6e308)
  expect_no_warning(plot(line, data = faithful[0, ], xlim = c(1, 6)))
  for (value in list(NA, mean, data.frame(a = "u"), quote(u), structure("u", class = "foo"))) {
    refused("hold", several, xlim = c(4, 6), partial = "a", hold = list(f = value))
  }
  for (value in list(NA, NA_real_, Inf, "TRUE", matrix(1))) {
    refused("hold", several, xlim = c(4, 6), partial = "a", hold = list(g = value))
  }
  expect_no_warning(plot(several, xlim = c(4, 6), partial = "a", hold = list(g = c(a = 1), f = factor("v"))))
})

test_that("limits of a line are shaded where they are finite, as predict() has them", {
  rows <- faithful[rep(seq_len(nrow(faithful)), 3), ]
  line <- dp_regression(waiting ~ eruptions, rows, 8, at = c(2, 5), lower = 0, upper = 150, interval = 0.9)
  skip_if(!all(is.finite(line$interval))) # of a probability below 1e-6
  curves <- regression_lines(line, NULL, NULL, NULL, list())$curves
  wanted <- predict(line, data.frame(eruptions = curves$x), interval = "confidence")
  expect_identical(unname(as.matrix(curves[c("lower", "upper")])), unname(wanted[, c("lwr", "upr")]))
  expect_match(lines_caption(line, list(curves = curves)), "90% limits", fixed = TRUE)
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_identical(plot(line), line)
  usr <- graphics::par("usr")
  expect_true(usr[[3]] <= min(curves$lower) && usr[[4]] >= max(curves$upper))
  # infinite limits shade nothing
  wide <- line
  wide$interval[2, ] <- c(-Inf, Inf)
  wide$details$region[, "upper"] <- Inf
  expect_null(regression_lines(wide, NULL, NULL, NULL, list())$curves$lower)
  skip_if_not_installed("ggplot2")
  ribbon <- ggplot2::layer_data(ggplot2::autoplot(line), 1)
  expect_equal(ribbon$y, c(curves$lower, rev(curves$upper)))
})
