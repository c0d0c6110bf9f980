# Missing and infinite values of the medians: public values stand for them, and no row is left out.

gapped <- function(x, value = NA) {
  x[c(3, 7), 1] <- value
  x
}

with_seed <- function(seed, code) {
  set.seed(seed)
  code
}

doors <- list(
  restricted = function(x, ...) dp_median_restricted(x, 8, 1e-3, ...),
  projection = function(x, ...) dp_median_projection(x, 20, 1e-3, directions = 10, try_anyway = TRUE, ...),
  random = function(x, ...) rival_median(x, 8, 1e-3, "random_dp", gamma = 0.3, range = 100, ...),
  front = function(x, ...) dp_median(x, 8, 1e-3, method = "restricted", ...)
)

test_that("methods without limits take public values: as if the data had them", {
  skip_on_cran()
  set.seed(11)
  x <- matrix(rnorm(800, 3), ncol = 1, dimnames = list(NULL, "age"))
  for (door in names(doors)) {
    draw <- function(data, ...) {
      set.seed(12)
      doors[[door]](data, rng = "R", ...)
    }
    filled <- draw(gapped(x, 40))
    for (gap in list(NA, NaN, Inf, -Inf)) {
      expect_identical(coef(draw(gapped(x, gap), na = 40)), coef(filled), label = door)
    }
    expect_identical(draw(gapped(x, NA), na = c(age = 40))$n, 800L)
  }
  expect_identical(
    coef(with_seed(1, rival_median(gapped(x), 8, 1e-3, "random_dp", gamma = 0.3, range = 100, na = "middle",
                                  rng = "R"))),
    coef(with_seed(1, rival_median(gapped(x, 0), 8, 1e-3, "random_dp", gamma = 0.3, range = 100, rng = "R")))
  )
})

test_that("what cannot be taken is refused before anything is spent", {
  x <- gapped(matrix(1:100 / 10, ncol = 1, dimnames = list(NULL, "age")))
  ledger <- dp_ledger(100, 0.1)
  for (door in names(doors)) {
    refused <- function(arg, ...) {
      e <- expect_error(doors[[door]](x, ledger = ledger, ...), class = "dpdepth_error_input")
      expect_identical(e$arg, arg, label = door)
    }
    refused("x")
    for (bad in list(NA, Inf, "omit", c(a = 1), 1:2, list(1))) refused("na", na = bad)
    if (door != "random") refused("na", na = "middle")
  }
  expect_identical(nrow(as.data.frame(ledger)), 0L)
})

test_that("medians take public values for missing ones, too", {
  x <- cbind(a = c(1, NA, 3, 4), b = c(1, 2, Inf, 4))
  limits <- limits_middle(prior_uniform(c(b = 0, a = 10), c(b = 2, a = 20)))
  expect_identical(replace_missing(x, "middle", limits), cbind(a = c(1, 15, 15, 4), b = c(1, 1, 1, 4)))
  expect_identical(replace_missing(x, "middle", limits_middle(prior_normal(3, 1))),
                   cbind(a = c(1, 3, 3, 4), b = c(1, 3, 3, 4)))
  expect_identical(replace_missing(x, c(b = 7, a = 8)), cbind(a = c(1, 8, 3, 4), b = c(1, 2, 7, 4)))
  expect_identical(replace_missing(x[c(1, 4), ], 0), x[c(1, 4), ])
  expect_error(replace_missing(x, "fail"), "`na`", class = "dpdepth_error_input")
  for (data in list(x, x[c(1, 4), ])) {
    for (bad in list("middle", "omit", c(z = 1), 1:3, NA, Inf, NULL, list(1))) {
      expect_error(replace_missing(data, bad), "`na` must be", class = "dpdepth_error_input")
    }
  }
  # five of nine rows are missing: what stands for them is the median, and epsilon is large
  gone <- c(1:4, rep(NA, 5))
  middle <- function(...) coef(dp_median(gone, 1000, ...))[[1]]
  expect_equal(middle(lower = 0, upper = 100, na = "middle"), 50, tolerance = 1e-3)
  expect_equal(middle(prior = prior_normal(70, 10), na = "middle"), 70, tolerance = 1e-3)
  expect_equal(middle(lower = 0, upper = 100, na = 20), 20, tolerance = 1e-3)
  expect_equal(coef(dp_median_smooth(gone, 1000, 0.1, 0, 100, na = "middle"))[[1]], 50, tolerance = 1)
  expect_equal(coef(dp_median_exponential(gone, 1000, prior = prior_uniform(0, 100), na = 30))[[1]], 30,
               tolerance = 1e-3)
  expect_error(dp_median(gone, 1, 1e-6, method = "projection", na = "middle"), "`na`",
               class = "dpdepth_error_input")
})

test_that("numbers may stand for the gaps of some variables; others must have all values", {
  x <- cbind(a = c(1, NA, 3, 4), b = c(1, 2, 3, 4))
  expect_identical(replace_missing(x, c(a = 9)), cbind(a = c(1, 9, 3, 4), b = c(1, 2, 3, 4)))
  x[3, 2] <- Inf
  e <- expect_error(replace_missing(x, c(a = 9)), class = "dpdepth_error_input")
  expect_identical(e$arg, "x")
  for (bad in list(c(z = 1), c(a = NA), c(a = 1, a = 2)[1:2][c(1, 1)])) {
    e <- expect_error(replace_missing(cbind(x, c = 1:4), bad), class = "dpdepth_error_input")
    expect_identical(e$arg, "na")
  }
})

test_that("releases say what stands for missing values, and nothing where none may be missing", {
  x <- gapped(matrix(1:90 / 10, ncol = 1, dimnames = list(NULL, "age")))
  suppressWarnings(classes = "dpdepth_warning", {
    said <- function(release) release$details$na
    four <- "4 stands for missing and infinite values"
    expect_identical(said(dp_median(x, 5, lower = 0, upper = 9, na = c(age = 4))),
                     "age 4 stands for missing and infinite values")
    expect_identical(said(dp_median(x, 5, lower = 0, upper = 9, na = "middle")),
                     "the middle of the limits stands for each row with a missing or infinite value")
    for (release in list(dp_quantile(x, 0.5, 5, lower = 0, upper = 9, na = 4),
                         dp_ecdf(x, 5, lower = 0, upper = 9, na = 4),
                         dp_region(cbind(x, x), 0.5, 9, lower = 0, upper = 9, na = 4))) {
      expect_match(said(release), "4 stands for")
      expect_match(paste(format(release), collapse = " "), "4 stands for")
    }
    limits <- dp_quantile(x, 0.5, 9, lower = 0, upper = 9, na = "middle", interval = 0.9)
    expect_match(interval_sentence(limits), "population's quantile, of values among which `na` stands")
    whole <- dp_quantile(x, 0.5, 9, lower = 0, upper = 9, resolution = 1, na = "middle", interval = 0.9)
    expect_match(interval_sentence(whole), "to the resolution, of values among which")
    expect_null(said(dp_median(x[9:90, ], 5, lower = 0, upper = 9, na = "fail")))
    expect_identical(said(dp_median_exponential(x, 5, lower = 0, upper = 9, na = 4)), four)
    expect_identical(said(dp_median_smooth(x, 5, 1e-3, 0, 9, na = 4)), four)
    expect_identical(said(rival_median(x, 8, 1e-3, "random_dp", gamma = 0.3, range = 100, na = 4)), four)
    for (door in names(doors)) expect_match(said(doors[[door]](x, na = 40)), "^40 stands", label = door)
  })
})

test_that("rows that the middle replaces bend batches: the help says that limits then miss complete rows", {
  skip_on_cran()
  set.seed(35)
  covered <- function(na) {
    sum(replicate(12, {
      d <- data.frame(x = rnorm(1500, 5), z = rnorm(1500, 55, 12)) # public-rng: simulated data
      d$y <- 60 + 3 * d$x + 0.9 * d$z + rnorm(1500, 0, 12) # public-rng: simulated data
      d$x[1:120] <- NA
      if (na == "fail") d <- d[-(1:120), ]
      fit <- quietly(dp_regression(y ~ x + z, d, 2, lower = -300, upper = 300, interval = 0.95, na = na,
                                   rng = "R"))
      fit$interval[1, 1] <= 60 && 60 <= fit$interval[1, 2]
    }))
  }
  expect_lt(covered("middle"), 6)
  expect_gte(covered("fail"), 10)
})
