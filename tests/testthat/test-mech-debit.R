# Debits: what every door says of its release before anything is spent, and keeps.

# A call of each door, and of each method, of which public numbers say that it is noise.
hopeless_calls <- function() {
  set.seed(5)
  d <- as.data.frame(matrix(stats::rnorm(36), 12, dimnames = list(NULL, c("x", "y", "z")))) # public-rng: data
  wide <- list(epsilon = 0.01, lower = -1e6, upper = 1e6, rng = "R")
  of <- function(door, ..., drop = character()) {
    force(door)
    args <- utils::modifyList(wide[setdiff(names(wide), drop)], list(...))
    function() do.call(door, args, quote = TRUE)
  }
  list(
    exponential = of(dp_median, x = d$x),
    "exponential, n private" = of(dp_median, x = d[c("x", "y")], epsilon = 1e-5, neighbours = "add_remove"),
    "over another depth" = of(dp_median_exponential, x = d[c("x", "y")], depth = "irw"),
    marginal = of(dp_median, x = d, delta = 1e-6, method = "marginal"),
    smooth = of(dp_median, x = d$x, delta = 1e-6, method = "smooth"),
    interval = of(dp_median, x = rep(d$x, 5), epsilon = 1, interval = 0.95),
    restricted = of(dp_median, x = d[c("x", "y")], epsilon = 1, delta = 1e-6, method = "restricted",
                    drop = c("lower", "upper")),
    quantile = of(dp_quantile, x = d$x, probs = c(0.2, 0.8)),
    "quantile, n private" = of(dp_quantile, x = d$x, probs = 0.01, epsilon = 1e-3, neighbours = "add_remove"),
    "quantile with interval" = of(dp_quantile, x = rep(d$x, 5), probs = 0.5, epsilon = 1, interval = 0.95),
    ecdf = of(dp_ecdf, x = d$x, band = 0.95),
    mean = of(dp_mean, x = d$x),
    histogram = of(dp_histogram, x = 1, breaks = c(-9, 0, 9), drop = c("lower", "upper")),
    depth = of(dp_depth, points = matrix(0, 1, 2), data = d[c("x", "y")]),
    region = of(dp_region, x = d[c("x", "y")]),
    test = of(dp_test, x = d$x, drop = c("lower", "upper")),
    "M-estimate" = of(dp_mestimate, x = d$x, scale = 1),
    "M-estimate, n private" = of(dp_mestimate, x = d$x, scale = 1, epsilon = 1e-4, neighbours = "add_remove"),
    "M-regression" = of(dp_mestimate, x = y ~ x, data = d, delta = 1e-6, scale = 1, x_lower = -9,
                        x_upper = 9),
    regression = of(dp_regression, formula = y ~ x, data = d),
    "regression, n private" = of(dp_regression, formula = y ~ x, data = d, epsilon = 1e-3,
                                 neighbours = "add_remove")
  )
}

test_that("every door keeps what it warns of accuracy in its release, and prints it", {
  skip_on_cran()
  calls <- hopeless_calls()
  for (name in names(calls)) {
    said <- character()
    release <- withCallingHandlers(calls[[name]](), dpdepth_warning = function(w) {
      if (inherits(w, "dpdepth_warning_accuracy")) said <<- c(said, conditionMessage(w))
      invokeRestart("muffleWarning")
    })
    expect_gt(length(said), 0, label = name)
    expect_identical(release$details$caution, paste(said, collapse = " "), label = name)
    printed <- gsub("\\s+", " ", paste(format(release), collapse = " "))
    expect_true(grepl(paste(said, collapse = " "), printed, fixed = TRUE), label = name)
    # in its place alone, and in no table
    expect_length(gregexpr(said[[1]], printed, fixed = TRUE)[[1]], 1)
    expect_false("caution" %in% c(names(tidy(release)), names(glance(release))), label = name)
  }
})

test_that("a release of which nothing is to be said has no caution", {
  release <- dp_median(faithful$waiting, epsilon = 1, lower = 40, upper = 100, rng = "R")
  expect_null(release$details$caution)
  expect_false("caution" %in% names(release$details))
})

# Two data sets of different sizes, of which one row is the other's.
caution_tells_size <- function() {
  said <- lapply(list(1:3, 1:900), function(x) {
    suppressWarnings(dp_median(x, 1e-5, lower = -1e6, upper = 1e6, neighbours = "add_remove", rng = "R"))
  })
  said <- lapply(said, function(release) release$details$caution)
  is.null(said[[1]]) || !identical(said[[1]], said[[2]]) || !grepl("assumed", said[[1]])
}

test_that("where n is private a caution is of the assumed number", {
  expect_false(caution_tells_size())
  expect_true(caught(bug(caution_tells_size, "facts_of", "size_between(given$neighbours, rows)",
                         "nrow(rows)")))
  expect_true(caught(bug(caution_tells_size, "debit", "tell_assumed(given$neighbours",
                         "(function(n, warn, ...) warn)(given$neighbours")))
})

# Is anything said after the debit, or spent where a warning ends the call? A refused debit ends it as well.
debit_is_late <- function() {
  order <- character()
  ledger <- dp_ledger(1)
  with_bindings(list(ledger_spend = function(...) order <<- c(order, "spent")), {
    withCallingHandlers(debit(ledger, "a", 1, 1, 0, "R", warn = warn_dpdepth("accuracy", "noise")),
                        dpdepth_warning = function(w) order <<- c(order, conditionMessage(w)))
  }) |> suppressWarnings()
  ended <- tryCatch(debit(ledger, "a", 9, 1, 0, "R", warn = warn_dpdepth("accuracy", "noise")),
                    dpdepth_warning = function(w) NULL)
  length(order) != 3 || order[[3]] != "spent" || !is.null(ended) || summary(ledger)$spent[[1]] != 0
}

test_that("all is said before the debit", {
  expect_false(debit_is_late())
  expect_true(caught(bug(debit_is_late, "debit", "caution <- accuracy", "caution <- function() accuracy",
                         "debit", "caution = caution", "caution = caution()")))
})

test_that("what is paid is what is claimed", {
  ledger <- dp_ledger(2, 1e-5)
  paid <- debit(ledger, "a", 9, 1, 1e-6, "system", neighbours = "add_remove")
  expect_identical(paid[c("epsilon", "delta", "guarantee", "rng", "neighbours")],
                   list(epsilon = 1, delta = 1e-6, guarantee = "approximate", rng = "system",
                        neighbours = "add_remove"))
  expect_equal(summary(ledger)$spent, c(1, 1e-6))
  expect_identical(debit(NULL, "a", 9, 1, 0, "R")$guarantee, "pure")
  expect_error(debit(ledger, "a", 9, 2, 0, "R"), class = "dpdepth_error_budget")
})

test_that("releases by group keep what was said, once where it is said of all", {
  d <- data.frame(x = 1:40, g = rep(c("a", "b", "c", "d", "e"), 8))
  told <- function(...) {
    text <- suppressWarnings(format(dp_by(d["x"], d$g, dp_median, lower = -1e6, upper = 1e6, rng = "R", ...,
                                          levels = letters[1:5])))
    gsub("\\s+", " ", paste(text, collapse = " "))
  }
  private <- told(epsilon = 1e-4)
  expect_length(gregexpr("With n = 10000 (assumed", private, fixed = TRUE)[[1]], 1)
  expect_match(private, "With n = 10000 (assumed", fixed = TRUE)
  expect_length(gregexpr("With n = 8", told(epsilon = 0.1, groups = "public"), fixed = TRUE)[[1]], 1)
  d$g <- c(rep("a", 9), rep("b", 8), rep(c("c", "d", "e"), c(7, 7, 9)))
  public <- told(epsilon = 0.1, groups = "public")
  expect_match(public, "a: With n = 9", fixed = TRUE)
  expect_match(public, "2 more groups are so", fixed = TRUE)
})
