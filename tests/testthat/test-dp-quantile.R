# dp_quantile(): what is released, named and refused; ties and whole numbers; extremes; the ledger.

waiting <- faithful$waiting

test_that("quantiles are named and ordered as asked, and hold nothing but public and released numbers", {
  release <- dp_quantile(waiting, c(0.9, 0.25, 0.5, 0.25), 2, lower = 0, upper = 200, resolution = 1)
  expect_s3_class(release, c("dp_quantile", "dp_release"), exact = TRUE)
  expect_named(coef(release), c("90%", "25%", "50%", "25%"))
  expect_identical(unname(coef(release)[2]), unname(coef(release)[4]))
  expect_false(is.unsorted(coef(release)[c(2, 3, 1)]))
  expect_true(all(coef(release) == round(coef(release))))
  expect_identical(release$guarantee, "pure")
  expect_identical(release$epsilon, 2)
  expect_true(release$exact)
  expect_identical(tidy(release)$term, names(coef(release)))
  expect_identical(release$details$probs, c(0.9, 0.25, 0.5, 0.25))
  expect_lt(length(serialize(release, NULL)), 3000)
  frame <- data.frame(w = waiting)
  expect_named(coef(dp_quantile(frame, 0.125, 1, lower = 0, upper = 200)), "12.5%")
})

test_that("quantiles of many rows lie where the data's lie, with every prior", {
  x <- stats::qnorm(((1:2e4) - 0.5) / 2e4)
  p <- c(0.05, 0.5, 0.8)
  for (prior in list(prior_uniform(-50, 50), prior_normal(0, 20), prior_dyadic(2^-16))) {
    expect_lt(max(abs(coef(dp_quantile(x, p, 2, prior = prior)) - stats::qnorm(p))), 0.05)
    expect_lt(abs(coef(dp_quantile(x, 0.8, 2, prior = prior)) - stats::qnorm(0.8)), 0.05)
  }
  step <- coef(dp_quantile(x, p, 2, prior = prior_dyadic(), resolution = 0.25)) / 0.25
  expect_identical(step, round(step))
  many <- coef(dp_quantile(x, 1:99 / 100, 4, lower = -50, upper = 50))
  expect_false(is.unsorted(many))
  expect_lt(max(abs(many - stats::qnorm(1:99 / 100))), 0.2)
})

test_that("ties: quantiles within an atom are the atom, with a resolution and without", {
  x <- c(rep(0, 600), seq(1, 50, length.out = 400))
  for (step in list(NULL, 1)) {
    drawn <- coef(dp_quantile(x, c(0.2, 0.4, 0.5, 0.9), 2, lower = -100, upper = 100, resolution = step))
    expect_lt(max(abs(drawn[1:3])), 1e-9)
    expect_lt(abs(drawn[[4]] - 38), 12)
  }
  expect_identical(unname(coef(dp_quantile(rep(7, 300), c(0.1, 0.5, 0.9), 2, lower = 0, upper = 20,
                                           resolution = 1))), c(7, 7, 7))
})

test_that("rows outside the limits, and atoms of more rows than cells, do not turn quantiles into noise", {
  x <- c(rep(40:60, each = 900), rep(1e6, 2100)) # a tenth of the rows lies above
  for (p in list(0.5, 0.95, c(0.1, 0.5, 0.95), c(1:8 / 10, 0.95))) {
    drawn <- coef(dp_quantile(x, p, 4, lower = 0, upper = 100))
    expect_lt(max(abs(drawn - ifelse(p > 0.9, 100, 40 + floor(21 * p / 0.9)))), 2)
  }
  for (epsilon in c(4, 20)) {
    expect_equal(unname(coef(dp_quantile(rep(7, 2e5), 1:6 / 7, epsilon, lower = 0, upper = 1000))), rep(7, 6))
  }
})

test_that("wide limits and a small epsilon do not turn quantiles into noise, and 1e-6 is an epsilon", {
  x <- stats::qnorm(((1:1e5) - 0.5) / 1e5)
  p <- 1:19 / 20
  drawn <- coef(dp_quantile(x, p, 0.05, lower = -1e6, upper = 1e6)) # one far out of 1e13
  expect_lt(max(abs(drawn - stats::qnorm(p))), 0.5)
  expect_length(coef(suppressWarnings(dp_quantile(1:9, 0.5, 1e-6, lower = 0, upper = 9))), 1)
})

test_that("any data give quantiles: one row, two, all equal, wide bounds, tiny and huge scales", {
  quiet <- function(...) suppressWarnings(dp_quantile(...), classes = "dpdepth_warning")
  for (probs in list(0.5, c(0.01, 0.5, 0.99), 1:60 / 61)) {
    for (x in list(3, c(-1, 1), rep(0.1, 50), c(1e300, -1e300, 0), -5:5)) {
      z <- coef(quiet(x, probs, 1, lower = -2, upper = 4))
      expect_true(all(z >= -2 & z <= 4) && !is.unsorted(z))
    }
    for (bounds in list(c(-1e15, 1e15), c(0, 1e-300), c(-1e300, 1e300), c(1e15, 1e15 + 1))) {
      z <- coef(quiet(c(0, 1, 1e-301, bounds), probs, 1, lower = bounds[[1]], upper = bounds[[2]]))
      expect_true(all(z >= bounds[[1]] & z <= bounds[[2]]) && !is.unsorted(z))
    }
  }
  for (epsilon in c(1e-5, 1e5)) expect_length(coef(quiet(1:40, 1:9 / 10, epsilon, lower = 0, upper = 50)), 9)
})

test_that("bad arguments are refused in words, before anything is spent", {
  ledger <- dp_ledger(1)
  refused <- function(arg, ..., pattern = NULL) {
    expect_error(dp_quantile(..., ledger = ledger), pattern, class = "dpdepth_error_input")
    caught <- tryCatch(dp_quantile(..., ledger = ledger), dpdepth_error_input = identity)
    expect_identical(caught$arg, arg)
  }
  refused("probs", 1:9, c(0, 0.5), 1, lower = 0, upper = 10, pattern = "0.01 and 0.99")
  refused("probs", 1:9, 50, 1, lower = 0, upper = 10, pattern = "by 100")
  refused("probs", 1:9, "a", 1, lower = 0, upper = 10)
  refused("probs", 1:9, c(0.5, NA), 1, lower = 0, upper = 10)
  refused("x", iris[1:2], 0.5, 1, lower = 0, upper = 10, pattern = "share of epsilon")
  refused("x", letters, 0.5, 1, lower = 0, upper = 10)
  refused("x", c(1, NA), 0.5, 1, lower = 0, upper = 10)
  refused("lower", 1:9, 0.5, 1, pattern = "prior_dyadic")
  refused("prior", 1:9, 0.5, 1, lower = 0, upper = 10, prior = prior_uniform(0, 1))
  refused("epsilon", 1:9, 0.5, -1, lower = 0, upper = 10)
  refused("epsilon", 1:9, 1:99 / 100, 2e-6, lower = 0, upper = 10, pattern = "levels")
  refused("interval", 1:9, 0.5, 1, lower = 0, upper = 10, interval = 0.95, pattern = "at least 41 rows")
  refused("resolution", 1:9, 0.5, 1, lower = 1, upper = 10, resolution = 50)
  refused("type", 1:9, 0.5, 1, lower = 0, upper = 10, type = 7)
  expect_identical(nrow(as.data.frame(ledger)), 0L)
})

test_that("missing values: replaced by public numbers", {
  x <- c(rep(1, 50), NA, rep(1, 50))
  for (na in list("middle", 4)) {
    drawn <- dp_quantile(x, 0.5, 2, lower = 0, upper = 10, resolution = 1, na = na)
    expect_identical(unname(coef(drawn)), 1)
  }
})

test_that("the ledger is debited once for all quantiles, and a spent one refuses", {
  ledger <- dp_ledger(1)
  expect_warning(dp_quantile(waiting, 1:9 / 10, 1, lower = 0, upper = 200, ledger = ledger),
                 "as far out as these may be noise")
  expect_identical(as.data.frame(ledger)[1:3],
                   data.frame(label = "dp_quantile(waiting): 9 quantiles", epsilon = 1, delta = 0))
  expect_error(dp_quantile(waiting, 0.5, 0.3, lower = 0, upper = 200, ledger = ledger),
               class = "dpdepth_error_budget")
})

# What is debited, when, and what the release says of it, where delta is spent.
spends_wrong <- function() {
  ledger <- dp_ledger(1, 0.01)
  left <- NULL
  record <- list(
    quantile_budget = function(epsilon, delta, share) list(each = epsilon * share, delta = delta, rho = 0.1),
    draw_quantiles = function(x, probs, ...) {
      left <<- summary(ledger)$left
      matrix(probs, 1)
    }
  )
  r <- with_bindings(record, dp_quantile(waiting, c(0.9, 0.2), 1, delta = 0.01, lower = 0, upper = 200,
                                         ledger = ledger))
  !identical(left, c(0, 0)) || r$guarantee != "approximate" || r$epsilon != 1 || r$delta != 0.01 ||
    !identical(unname(coef(r)), c(0.9, 0.2))
}

test_that("delta is debited and told where it is spent, before anything is drawn", {
  expect_false(spends_wrong())
  for (b in list(
    bug(spends_wrong, "plan_quantiles", "delta = plan$budget$delta", "delta = 0"),
    late_debit(spends_wrong),
    bug(spends_wrong, "debit", "list(epsilon = given$epsilon", "list(epsilon = 0.5"),
    bug(spends_wrong, "quantile_plan", "if (budget$delta > 0) \"approximate\" else \"pure\"", "\"pure\"")
  )) {
    expect_true(caught(b))
  }
})

test_that("hopeless quantiles are warned of by public numbers, others are not", {
  expect_warning(dp_quantile(1:20, 0.5, 0.1, lower = 0, upper = 1e6), class = "dpdepth_warning_accuracy")
  expect_warning(dp_quantile(1:99, 1:99 / 100, 1, lower = 0, upper = 1e6), class = "dpdepth_warning_accuracy")
  expect_warning(dp_quantile(1, 0.5, 0.1, lower = 0, upper = 10), class = "dpdepth_warning_accuracy")
  expect_warning(dp_quantile(1:20, 0.5, 0.1, prior = prior_dyadic(1)), class = "dpdepth_warning_accuracy")
  expect_no_warning(dp_quantile(1:500, c(0.1, 0.5), 1, lower = 0, upper = 1000))
  expect_no_warning(dp_quantile(1:500, 0.5, 1, prior = prior_dyadic(1)))
})

test_that("simulations are reproducible, and the stream goes on after an error", {
  draw <- function() {
    set.seed(3)
    coef(dp_quantile(waiting, 1:5 / 6, 1, lower = 0, upper = 200, rng = "R"))
  }
  expect_identical(draw(), draw())
  expect_match(format(dp_quantile(waiting, 0.5, 1, lower = 0, upper = 200, rng = "R")), "not for release",
               all = FALSE)
  expect_error(draw_quantiles(matrix(waiting), 1:3 / 4, prior_uniform(0, 200), 1,
                              list(split = 3L, share = 1), "broken"), class = "dpdepth_error_entropy")
})

test_that("prints of one and of many quantiles", {
  expect_snapshot(for (probs in list(0.5, 1:3 / 4, 1:99 / 100)) {
    set.seed(1)
    print(dp_quantile(waiting, probs, 8, lower = 0, upper = 200, resolution = 1, rng = "R"))
  })
})

test_that("whether several quantiles take a tally does not depend on a private n, beside the limit or not", {
  few <- dp_tally(rep(c(1, 2, 4), 33), lower = 0, upper = 5, resolution = 1)
  more <- dp_tally(rep(c(1, 2, 4), c(34, 33, 33)), lower = 0, upper = 5, resolution = 1)
  beyond <- dp_tally(rep(c(1, 2, 4), c(35, 33, 33)), lower = 0, upper = 5, resolution = 1)
  answered <- function(t, ...) {
    tryCatch({
      quietly(dp_quantile(t, probs = 1:3 / 4, epsilon = 1, ..., rng = "R"))
      TRUE
    }, dpdepth_error_input = function(e) FALSE)
  }
  with_bindings(list(most_spread_rows = 100), {
    expect_identical(c(answered(few), answered(more), answered(beyond)), c(TRUE, TRUE, FALSE))
    private <- function() {
      all(vapply(list(few, more, beyond), answered, NA, neighbours = "add_remove"))
    }
    expect_true(private())
    expect_true(caught(bug(function() !private(), "check_many_rows", " && !isTRUE(x$private)", "")))
  })
})

# -- pictures --------------------------------------------------------------------------------------

release <- dp_quantile(faithful$eruptions, c(0.5, 0.05, 0.25, 0.75, 0.95, 0.5), 2, lower = 0, upper = 60)

test_that("both kinds are drawn, by both systems, and hold no data", {
  skip_if_not_installed("ggplot2")
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  for (type in c("function", "box")) {
    expect_identical(plot(release, type = type), release)
    picture <- ggplot2::autoplot(release, type = type)
    expect_s3_class(picture, "ggplot")
    ggplot2::ggplotGrob(picture)
    expect_lt(length(serialize(picture$layers[[1]]$data, NULL)), 2000)
  }
  one <- dp_quantile(faithful$eruptions, 0.5, 2, lower = 0, upper = 60)
  plot(one)
  ggplot2::ggplotGrob(ggplot2::autoplot(one))
})

test_that("a box has the quartiles, and whiskers at the ends or where they are wanted", {
  z <- unname(coef(release))
  expect_identical(box_numbers(release, NULL), z[c(2, 3, 1, 4, 5)])
  expect_identical(box_numbers(release, c(0.95, 0.25)), z[c(3, 3, 1, 4, 5)])
  expect_identical(quantile_frame(release)$estimate, sort(z))
})

test_that("boxes that cannot be made are refused in words", {
  two <- dp_quantile(faithful$eruptions, c(0.5, 0.75), 2, lower = 0, upper = 60)
  expect_error(plot(two, type = "box"), "0.25, 0.5 and 0.75", class = "dpdepth_error_input")
  expect_error(plot(release, type = "box", whiskers = c(0.1, 0.9)), class = "dpdepth_error_input")
  expect_error(plot(release, type = "box", whiskers = 0.05), class = "dpdepth_error_input")
  expect_error(plot(release, type = "violin"), class = "dpdepth_error_input")
})

# -- intervals -------------------------------------------------------------------------------------

asked <- function(..., x = faithful$waiting, epsilon = 2, interval = 0.95, lower = 0, upper = 200) {
  dp_quantile(x, ..., epsilon = epsilon, lower = lower, upper = upper, interval = interval, rng = "R")
}
quiet <- function(code) suppressWarnings(code, classes = "dpdepth_warning_accuracy")

test_that("a release with intervals says what they cover, and shows them", {
  ledger <- dp_ledger(2)
  set.seed(5)
  r <- asked(c(0.75, 0.25, 0.5, 0.75), resolution = 1, delta = 1e-6, ledger = ledger)
  expect_identical(c(r$guarantee, r$epsilon, r$delta), c("pure", "2", "0"))
  entry <- data.frame(label = "dp_quantile(x): 3 quantiles with intervals", epsilon = 2, delta = 0)
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
               "interval = 0.95 is an argument of dp_quantile\\(\\)", class = "dpdepth_error_input")
})
