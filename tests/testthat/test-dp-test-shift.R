# Limits of a shift: the thresholds, blocks, coverage by enumeration, group privacy, refusals.

test_that("thresholds are the largest whole numbers that a scan may have", {
  law <- mann_whitney_law(30, 25)$laws[[1]]
  rates <- list(rho = 0.02, nu = 0.015)
  missed <- function(t) sum(law$weight * noise_below(t - law$score, rates))
  for (alpha in c(0.025, 0.1)) {
    t <- shift_threshold(law, 750, alpha, rates)
    expect_lte(missed(t), alpha)
    expect_gt(missed(t + 1), alpha * (1 - 1e-6))
  }
  expect_error(shift_threshold(law, 750, 1e-9, list(rho = 1e-3, nu = 1e-3)), "level",
               class = "dpdepth_error_input")
})

# Do counts of differences that are at least theta, and at most theta, fall short of the law of U where x is y
# moved by theta? By enumeration, with ties.
counts_fall_short <- function() {
  law <- mann_whitney_law(3, 2)$laws[[1]]
  values <- c(0, 0, 1, 3)
  sets <- as.matrix(expand.grid(rep(list(1:4), 5)))
  d <- apply(sets, 1, function(k) differences_of(values[k[1:3]] + 5, values[k[4:5]], shift_blocks(3, 2), "R"))
  short <- vapply(list(colSums(d >= 5), colSums(d <= 5)), function(count) {
    max(vapply(0:6, function(k) mean(count <= k) - sum(law$weight[0:k + 1]), 0))
  }, 0)
  max(short) > 1e-12
}

# By how many differences a row counts, against what its epsilon is divided by; each difference one way.
row_moves_more <- function() {
  for (sizes in list(c(3, 5), c(6, 2), c(7, 7), c(10, 7))) for (most in c(1e6, 20, 2)) {
    blocks <- shift_blocks(sizes[[1]], sizes[[2]], most)
    x <- c(seq_len(sizes[[1]]) / 3)
    y <- sin(seq_len(sizes[[2]]))
    of <- function(x, y) {
      with_bindings(list(random_order = function(n, ...) rev(seq_len(n))), differences_of(x, y, blocks, "R"))
    }
    base <- of(x, y)
    kept <- function(n, prob, level, epsilon, ...) list(n = n, each = epsilon)
    plan <- with_bindings(list(narrowest_plan = kept, laws_found = new.env()),
                          shift_plan(blocks, 0.95, 1, 1e4))
    if (nrow(base) != plan$n) return(TRUE)
    for (new in c(-9, 9)) for (i in seq_along(c(x, y))) {
      other <- replace(c(x, y), i, new)
      moved <- of(other[seq_along(x)], other[-seq_along(x)]) - base
      if (sum(moved != 0) * plan$each > 1 + 1e-9 || any(moved > 0) && any(moved < 0)) return(TRUE)
    }
  }
  FALSE
}

test_that("a row costs epsilon, one way, and counts at the true shift are at least those of U", {
  skip_on_cran()
  expect_false(counts_fall_short())
  expect_false(row_moves_more())
  bugs <- list(
    "the smaller sample" =
      bug(row_moves_more, "shift_plan", "max(blocks$a, blocks$b)", "min(blocks$a, blocks$b)"),
    "one row of a block" = bug(row_moves_more, "shift_plan", "max(blocks$a, blocks$b)", "1"),
    "blocks of y alone" =
      bug(row_moves_more, "differences_of", "Map(all, part(x, sizes$a)", "Map(all, list(as.vector(x))"),
    "sizes of differences" = bug(counts_fall_short, "differences_of", "matrix(pmin(pmax(d, -most), most))",
                                 "matrix(abs(d - 5))")
  )
  for (name in names(bugs)) expect_true(caught(bugs[[name]]), label = name)
})

test_that("blocks share all rows, and overflow is no missing value", {
  skip_on_cran()
  for (sizes in list(c(5, 9), c(100, 7), c(33, 31))) for (most in c(10, 60, 1e9)) {
    b <- shift_blocks(sizes[[1]], sizes[[2]], most)
    expect_equal(c(sum(b$a * b$count), sum(b$b * b$count)), sizes)
    if (sum(b$count) == 1) expect_gte(most, prod(sizes))
    # none without rows: each row is in one block
    expect_gt(min(b), 0)
    x <- matrix(c(1e3, rep(0, sizes[[1]] - 1)))
    d <- differences_of(x, matrix(rep(0, sizes[[2]])), b, "R")
    expect_equal(nrow(d), sum(b$a * b$b * b$count))
    expect_lte(sum(d > 500), max(b$b))
  }
  # what is kept of other sizes with as many differences, and epsilon to them, is not taken
  uneven <- function() shift_plan(shift_blocks(40, 4000), 0.95, 10, 1e7)
  fresh <- with_bindings(list(laws_found = new.env()), uneven())
  expect_identical(with_bindings(list(laws_found = new.env()), {
    shift_plan(shift_blocks(400, 400), 0.95, 1, 1e7)
    uneven()
  }), fresh)
  d <- differences_of(c(1.7e308, -1.7e308), c(-1.7e308, 0), shift_blocks(2, 2), "R")
  expect_true(all(is.finite(d)))
  # as many blocks as it takes, with a law that is nearly as narrow
  wide <- mann_whitney_law(c(40, 39), c(40, 40), c(60, 40))$laws[[1]]
  expect_equal(sum(wide$weight * wide$score), (60 * 1600 + 40 * 1560) / 2, tolerance = 1e-3)
})

test_that("the shift is released with limits, and covers", {
  skip_on_cran()
  set.seed(12)
  ledger <- dp_ledger(2)
  r <- dp_test(stats::rnorm(200) + 3, 2, stats::rnorm(260), interval = 0.9, lower = -1e4, upper = 1e4,
               ledger = ledger)
  expect_identical(summary(ledger)$left[[1]], 0)
  expect_named(r$estimate, "shift")
  expect_lt(abs(r$estimate - 3), 1)
  expect_identical(r$n, 460L)
  expect_output(print(r), "shift of the distribution of x against")
  expect_named(tidy(r, conf.int = TRUE), c("term", "estimate", "conf.low", "conf.high"))
  expect_pictures(r)
  # in steps, and narrower for it
  steps <- dp_test(0:199 / 10 + 3, 2, 0:199 / 10, interval = 0.9, lower = -500, upper = 500, resolution = 0.1)
  expect_equal(c(steps$interval, steps$estimate) * 10, round(c(steps$interval, steps$estimate) * 10))
  expect_output(print(steps), "rounded to the resolution")
  skip_on_cran()
  covered <- replicate(60, {
    limits <- suppressWarnings(dp_test(stats::rpois(80, 1) + 2, 2, stats::rpois(70, 1), interval = 0.9,
                                       lower = -40, upper = 40, rng = "R"), "dpdepth_warning")$interval
    limits[[1]] <= 2 && 2 <= limits[[2]]
  })
  expect_gt(sum(covered), stats::qbinom(ALPHA, 60, 0.9))
})

test_that("where there are no limits they are refused, with nothing spent", {
  ledger <- dp_ledger(1)
  refused <- function(text, ...) {
    expect_error(dp_test(..., epsilon = 1, interval = 0.95, ledger = ledger), text,
                 class = "dpdepth_error_input")
    expect_identical(nrow(as.data.frame(ledger)), 0L)
  }
  refused("give two samples", len ~ supp, data = ToothGrowth, lower = -9, upper = 9)
  refused("dp_median", 1:90, lower = -9, upper = 9)
  refused("dp_median", 1:90, y = 1:90, paired = TRUE, lower = -9, upper = 9)
  refused("at least 41 rows", 1:90, y = 1:40, lower = -9, upper = 9)
  refused("lower", 1:90, y = 1:90)
  refused("`mu`", 1:90, y = 1:90, mu = 1, lower = -9, upper = 9)
  refused("`test` must be \"rank\" or \"sign\"", 1:90, y = 1:90, test = "quadrant", lower = -9, upper = 9)
  refused("resolution", 1:90, y = 1:90, lower = -9, upper = 9, resolution = "type")
  refused("`alternative`", 1:90, y = 1:90, alternative = "less", lower = -9, upper = 9)
  refused("`neighbours`", 1:90, y = 1:90, lower = -9, upper = 9, neighbours = "add_remove")
  expect_error(dp_test(1:9, 1, 1:9, lower = 1), "without `interval`", class = "dpdepth_error_input")
  expect_error(dp_test(1:9, 1, 1:9, resolution = 1), "without `interval`", class = "dpdepth_error_input")
})
