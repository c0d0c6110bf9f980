# dp_quantile(interval = ): the split of epsilon, coverage, order, refusals before the debit, planted bugs.

asked <- function(..., x = faithful$waiting, epsilon = 2, interval = 0.95, lower = 0, upper = 200) {
  dp_quantile(x, ..., epsilon = epsilon, lower = lower, upper = upper, interval = interval, rng = "R")
}
quiet <- function(code) suppressWarnings(code, classes = "dpdepth_warning_accuracy")

test_that("a release with intervals says what they cover, and shows them", {
  ledger <- dp_ledger(2)
  set.seed(5)
  r <- asked(c(0.75, 0.25, 0.5, 0.75), resolution = 1, delta = 1e-6, ledger = ledger)
  expect_identical(c(r$guarantee, r$epsilon, r$delta), c("pure", "2", "0"))
  entry <- data.frame(label = "3 quantiles with intervals", epsilon = 2, delta = 0)
  expect_identical(as.data.frame(ledger)[1:3], entry)
  expect_identical(rownames(confint(r)), c("75%", "25%", "50%", "75%"))
  expect_identical(confint(r)[1, ], confint(r)[4, ])
  expect_true(all(confint(r) %% 1 == 0) && all(coef(r) %% 1 == 0))
  expect_true(all(confint(r)[, 1] <= coef(r) & coef(r) <= confint(r)[, 2]))
  expect_identical(tidy(r, conf.int = TRUE)$conf.low, unname(confint(r)[, 1]))
  expect_identical(r$details$shares, c(centre = 0, scans = 1))
  expect_identical(r$details$resolves, 1)
  text <- paste(trimws(format(r)), collapse = " ")
  expect_match(text, "each interval by itself covers the population's quantile, rounded to the resolution")
  expect_match(format(summary(r)), "shares +centre 0, scans 1", all = FALSE)
  together <- asked(c(0.25, 0.5), simultaneous = TRUE)
  expect_match(paste(trimws(format(together)), collapse = " "), "all intervals together cover")
  skip_if_not_installed("ggplot2")
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  infinite <- r
  infinite$interval[1, 2] <- Inf
  expect_identical(quantile_frame(infinite)$to[[3]], 200)
  for (type in c("function", "box")) {
    expect_identical(plot(infinite, type = type, whiskers = if (type == "box") c(0.25, 0.75)), infinite)
    ggplot2::ggplotGrob(ggplot2::autoplot(infinite, type = type))
  }
})

test_that("quantiles far out and in the middle are covered", {
  skip_on_cran()
  set.seed(2)
  runs <- 50
  cover <- function(probs, n, epsilon, ...) {
    truth <- stats::qlnorm(probs)
    rowSums(replicate(runs, {
      r <- quiet(asked(probs, x = stats::rlnorm(n), epsilon = epsilon, upper = 1000, ...))
      ok <- r$interval[, 1] <= truth & truth <= r$interval[, 2]
      c(ok, all = all(ok), ordered = !is.unsorted(r$estimate))
    }))
  }
  least <- stats::qbinom(ALPHA, runs, 0.9)
  for (case in list(list(0.98, 500, 2), list(c(0.02, 0.5, 0.97), 1000, 4))) {
    seen <- cover(case[[1]], case[[2]], case[[3]], interval = 0.9)
    expect_true(all(seen[seq_along(case[[1]])] >= least))
    expect_identical(seen[["ordered"]], runs + 0)
  }
  expect_gte(cover(1:3 / 4, 400, 2, interval = 0.9, simultaneous = TRUE)[["all"]], least)
})

test_that("estimates are in order and between limits that are", {
  limits <- cbind(c(1, 2, 5), c(3, 4, 6))
  expect_identical(ordered_between(c(2, 1, 9), limits), c(2, 2, 6))
  wrong <- ordered_between(c(5.5, 3, 2), limits[c(3, 2, 1), ])
  expect_false(is.unsorted(wrong))
})

test_that("each quantile has an equal share of epsilon, and of the chance to miss", {
  limits <- quantile_prior(prior_uniform(-100, 100), NULL, NULL, NULL, planned_facts(1L, 1L))
  one <- quantile_interval_plan(500, c(0.2, 0.4), 1, 0.9, TRUE, limits)
  expect_equal(one$plans[[1]]$level, 0.95)
  expect_identical(one$plans[[1]]$epsilon, 0.5)
})

# What is handed to the kernel costs more than epsilon together, or is not public.
interval_shares_are_wrong <- function() {
  cost <- 0
  handed <- NULL
  counted <- list(
    draw_interval = function(x, plan, prior, source, resolution = NULL, draws = 1L) {
      cost <<- cost + plan$epsilon * sum(plan$shares) / 1000
      handed <<- c(handed, list(plan))
      matrix(c(0, 1, 0.5), 1)
    }
  )
  of <- function(x, probs, epsilon) {
    cost <<- 0
    handed <<- NULL
    with_bindings(counted, quiet(asked(probs, x = x, epsilon = epsilon, simultaneous = length(probs) > 1)))
    list(cost, handed)
  }
  x <- stats::qnorm(stats::ppoints(2000))
  far <- replace(x, 1, 1e6)
  cases <- list(list(0.5, 1), list(1:3 / 4, 2), list(c(0.01, 0.5, 0.99), 4), list(1:29 / 30, 4))
  for (a in cases) {
    one <- of(x, a[[1]], a[[2]])
    wrong <- one[[1]] > a[[2]] * (1 + 1e-12) || one[[1]] < 0.99 * a[[2]]
    if (wrong || !identical(one, of(far, a[[1]], a[[2]]))) return(TRUE)
  }
  FALSE
}

test_that("planted bugs: shares above the whole, and plans from the data", {
  skip_on_cran()
  expect_false(interval_shares_are_wrong())
  bugs <- list(
    "each interval has all" = bug(interval_shares_are_wrong, "quantile_interval_plan", "epsilon/m",
                                  "epsilon"),
    "shares above the whole" = bug(interval_shares_are_wrong, "interval_shares", "1000L - as.integer(centre)",
                                   "1000L"),
    "a level by the data" = bug(interval_shares_are_wrong, "facts_of",
                             "if (given$private) private_size else nrow(rows)",
                                "nrow(rows) + (max(rows) > 9)")
  )
  for (name in names(bugs)) expect_true(caught(bugs[[name]]), label = name)
})

test_that("what cannot be had is refused, and nothing is spent", {
  ledger <- dp_ledger(10)
  refused <- function(..., text) {
    expect_error(asked(..., ledger = ledger), text, class = "dpdepth_error_input")
  }
  refused(0.5, epsilon = 0.1, text = "at least 401 rows")
  refused(1:9 / 10, epsilon = 1, text = "9 intervals share")
  refused(0.5, interval = 95, text = "interval")
  refused(0.5, interval = NULL, simultaneous = TRUE, text = "simultaneous")
  refused(0.5, simultaneous = NA, text = "simultaneous")
  refused(0.5, epsilon = 0.2, lower = NULL, upper = NULL, prior = prior_dyadic(),
          text = "without public limits")
  expect_identical(nrow(as.data.frame(ledger)), 0L)
  # one in nine intervals of the deciles is far out, of the quartiles one in thousands
  expect_warning(asked(0.99), "infinite", class = "dpdepth_warning_accuracy")
  expect_warning(asked(c(0.1, 0.9)), "as far out, in [0-9]+% of releases", class = "dpdepth_warning_accuracy")
  expect_silent(asked(1:3 / 4))
  expect_error(confint(dp_quantile(1:50, 0.5, 1, lower = 0, upper = 50)),
               "dp_quantile\\(\\) and dp_regression\\(\\)", class = "dpdepth_error_input")
})
