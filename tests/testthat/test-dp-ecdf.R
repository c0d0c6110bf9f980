# dp_ecdf(): what is released, its values and quantiles, coverage, pictures, refusals, planted bugs.

step <- function(x = faithful$waiting, epsilon = 2, ..., lower = 0, upper = 200) {
  dp_ecdf(x, epsilon, ..., lower = lower, upper = upper, rng = "R")
}
quiet <- function(code) suppressWarnings(code, classes = "dpdepth_warning_accuracy")
set.seed(1)
waits <- step(band = 0.95, resolution = 1)

test_that("a release is pure, increases, says what it covers, and holds nothing else", {
  ledger <- dp_ledger(2)
  set.seed(1)
  r <- step(band = 0.95, resolution = 1, ledger = ledger)
  expect_identical(as.data.frame(ledger)[1:3],
                   data.frame(label = "dp_ecdf(x): distribution function", epsilon = 2, delta = 0))
  expect_s3_class(r, c("dp_ecdf", "dp_release"), exact = TRUE)
  expect_identical(c(r$guarantee, r$delta), c("pure", "0"))
  expect_false(is.unsorted(r$estimate) || is.unsorted(r$details$at, strictly = TRUE))
  expect_true(all(r$details$at %% 1 == 0))
  expect_true(all(confint(r)[, 1] <= coef(r) & coef(r) <= confint(r)[, 2]))
  expect_match(paste(trimws(format(r)), collapse = " "),
               "cover the population's distribution function at all values, of the variable rounded")
  expect_match(format(r), "tidy\\(\\) has all", all = FALSE)
  expect_false("at" %in% names(summary(r)$properties))
  expect_identical(names(tidy(r, conf.int = TRUE)), c("term", "at", "estimate", "conf.low", "conf.high"))
  expect_lt(length(serialize(r, NULL)), 4000)
  set.seed(1)
  expect_identical(coef(step(resolution = 1)), coef(r)) # the band costs nothing
})

test_that("values and quantiles are those of the staircase, and invert each other", {
  at <- waits$details$at
  k <- length(at)
  expect_identical(predict(waits, at), unname(coef(waits)))
  expect_identical(predict(waits, c(at[[1]] - 1, at[[k]] + 1e6)), c(0, coef(waits)[[k]]))
  between <- predict(waits, at[[2]] + 0.5, interval = "confidence")
  expect_identical(unname(between[1, ]), c(coef(waits)[[2]], waits$interval[[2, 1]], waits$interval[[3, 2]]))
  expect_identical(unname(predict(waits, at[[2]], interval = "confidence")[1, 3]), waits$interval[[2, 2]])
  q <- quantile(waits, c(0.3, 0.999999), interval = "confidence")
  i <- which(at == q[[1, 1]])
  expect_true(coef(waits)[[i]] >= 0.3 && coef(waits)[[i - 1]] < 0.3)
  expect_true(all(q[, "lwr"] <= q[, "fit"] & q[, "fit"] <= q[, "upr"]) && q[[2, "upr"]] == Inf)
  expect_identical(as.function(waits)(60), predict(waits, 60))
  none <- step()
  expect_error(predict(none, 1, interval = "confidence"), "no band", class = "dpdepth_error_input")
  expect_error(quantile(none, 0.5, interval = "confidence"), class = "dpdepth_error_input")
  expect_error(quantile(none, 0.5, interval = "confidence"), "as in dp_ecdf")
  expect_error(predict(waits, NA_real_), class = "dpdepth_error_input")
  expect_error(predict(waits), "`newdata` must be given", class = "dpdepth_error_input")
})

test_that("the band covers: normal, atoms, whole numbers", {
  skip_on_cran()
  set.seed(6)
  atoms <- c(-1, 0, 0, 3)
  laws <- list(
    list(r = stats::rnorm, cdf = stats::pnorm),
    list(r = function(n) sample(atoms, n, TRUE), cdf = function(x) findInterval(x, atoms) / 4),
    list(r = function(n) sample(0:20, n, TRUE), cdf = function(x) findInterval(x, 0:20) / 21, resolution = 1)
  )
  for (law in laws) {
    ok <- replicate(40, {
      d <- quiet(step(law$r(200), 1, band = 0.8, lower = -50, upper = 50, resolution = law$resolution))
      truth <- law$cdf(d$details$at)
      all(d$interval[, 1] <= truth & truth <= d$interval[, 2])
    })
    expect_gte(sum(ok), stats::qbinom(ALPHA, 40, 0.8))
  }
})

test_that("any data give a release, and pictures are drawn", {
  skip_on_cran()
  for (x in list(3, c(-1, 1), rep(0.1, 50), c(1e300, -1e300, 0))) for (prior in list(NULL, prior_dyadic())) {
    r <- suppressWarnings(dp_ecdf(x, 1, lower = if (is.null(prior)) -2, upper = if (is.null(prior)) 4,
                                  prior = prior, band = 0.9), classes = "dpdepth_warning")
    expect_true(all(r$estimate >= 0 & r$estimate <= 1))
  }
  skip_if_not_installed("ggplot2")
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  for (r in list(waits, step())) {
    expect_identical(plot(r), r)
    expect_s3_class(ggplot2::autoplot(r), "ggplot")
    ggplot2::ggplotGrob(ggplot2::autoplot(r))
  }
})

test_that("bad arguments are refused before anything is spent; hopeless ones are warned of", {
  ledger <- dp_ledger(10)
  refused <- function(..., text) expect_error(step(..., ledger = ledger), text, class = "dpdepth_error_input")
  refused(band = 95, text = "band")
  refused(band = c(0.9, 0.95), text = "band")
  refused(epsilon = 1e-5, text = "epsilon")
  refused(x = faithful, text = "one variable")
  refused(probs = 0.5, text = "probs")
  refused(lower = NULL, upper = NULL, text = "lower")
  expect_identical(nrow(as.data.frame(ledger)), 0L)
  # what was asked for, not its shares
  expect_warning(expect_warning(step(1:30, 1, band = 0.95, upper = 1e6, spread = 1),
                                "30 and epsilon = 1 the band is"),
                 "30 and epsilon = 1 the outermost points|30 and epsilon = 1 spreads of")
  # hopeless ones are not slow
  expect_identical(quiet(step(1:30, 1e-4, band = 0.95))$details$half_width, 1)

})

# What is handed to the draws costs more than epsilon, or depends on the data; what is released holds counts
# without noise.
ecdf_is_wrong <- function() {
  cost <- 0
  counted <- list(
    draw_quantiles = function(x, probs, prior, each, levels, source, draws = 1L, resolution = NULL) {
      cost <<- c(cost, each, probs, prior$lower, prior$upper, resolution)
      spent <<- spent + sum(each)
      matrix(20 + 150 * probs, 1)
    },
    draw_bridge = function(m, epsilon, source) {
      cost <<- c(cost, m, epsilon)
      spent <<- spent + epsilon
      rep(7, m)
    }
  )
  spent <- 0
  of <- function(x, epsilon = 1) {
    cost <<- 0
    spent <<- 0
    r <- with_bindings(counted, step(x, epsilon, band = 0.9, spread = 5))
    list(cost, spent / epsilon, r$details, r$estimate)
  }
  x <- as.double(rep(30:150, 5))
  if (of(x, 4)[[2]] > 1) return(TRUE) # many rows: points in levels
  one <- of(x)
  other <- of(replace(x, 1, 1e6))
  # the first point is at 20 + 150 p, below which there are five rows for each whole number from 30
  at <- one[[3]]$at
  exact <- pmin(605, 5 * (floor(at) - 29))
  noisy <- all(abs(one[[4]] - pmin(1, (exact + 7) / 605)) < 1e-9)
  one[[2]] > 1 || one[[2]] < 0.999 || !noisy || !identical(one[1:3], other[1:3])
}

test_that("planted bugs: shares above the whole, a prior or a width from the data, no noise", {
  expect_false(ecdf_is_wrong())
  bugs <- list(
    "points cost all" = bug(ecdf_is_wrong, "ecdf_budget", "points <- shares[[\"points\"]] * epsilon",
                            "points <- epsilon", worst = TRUE),
    "counts cost all" = bug(ecdf_is_wrong, "ecdf_budget", "shares[[\"counts\"]] * epsilon", "epsilon"),
    "a prior from the data" = bug(ecdf_is_wrong, "draw_ecdf", "else points$prior",
                                  "else prior_uniform(min(x), max(x) + 1)"),
    "a width from the data" = bug(ecdf_is_wrong, "facts_of",
                                  "if (given$private) private_size else nrow(rows)",
                                  "length(unique(as.vector(rows)))"),
    "no noise" = bug(ecdf_is_wrong, "draw_ecdf", "+ draw_bridge(", "+ 0 * draw_bridge(")
  )
  for (name in names(bugs)) expect_true(caught(bugs[[name]]), label = name)
})
