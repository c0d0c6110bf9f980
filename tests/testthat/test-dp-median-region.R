# Tests of R/dp-median-region.R: scores of discs, what a region costs, holds and covers.

# M(r) by its definition: rows counted sector by sector, halfplane by halfplane.
disc_score <- function(x, centre, radius) {
  along <- disc_rows_along(x, centre, c(1, 1))
  parts <- sector_reach()
  places <- which(!is.na(parts))
  vapply(radius, function(r) {
    counts <- vapply(places, function(l) {
      colSums(along >= r * parts[[l]])[(seq_len(disc_sides) + l - 2) %% disc_sides + 1]
    }, numeric(disc_sides))
    max(apply(counts, 1, min))
  }, 0)
}

skewed_plane <- function(n) {
  x <- cbind(sample(c(0, 0, 0, 1, 5), n, TRUE), sample(c(-1, 0, 0, 2), n, TRUE))
  if (runif(1) < 0.5) x + round(rexp(2 * n), 1) else x
}

test_that("one replaced row moves the score of discs by at most one", {
  set.seed(1)
  most <- 0
  for (k in seq_len(50)) {
    x <- skewed_plane(6)
    centre <- c(sample(0:1, 1), 0)
    base <- disc_score(x, centre, c(0.3, 2.5))
    for (new in list(c(0, 0), c(9, 9), c(-3, 0.4))) {
      near <- replace(x, cbind(1, 1:2), new)
      most <- max(most, abs(disc_score(near, centre, c(0.3, 2.5)) - base))
    }
  }
  expect_identical(most, 1)
})

test_that("no point outside a disc is deeper than its score, and the score is not much larger", {
  set.seed(2)
  x <- matrix(rnorm(80), 40)
  angle <- seq(0, 2 * pi, length.out = 200)
  for (r in c(0.1, 0.5, 1)) {
    score <- disc_score(x, c(0.2, -0.1), r)
    ring <- function(r) max(depth_halfspace(cbind(0.2 + r * cos(angle), -0.1 + r * sin(angle)), x)) * 40
    expect_gte(score, max(vapply(r * c(1 + 1e-9, 1.1, 2), ring, 0)))
    expect_lte(score, ring(r) + 1)
  }
  # the whole sample far off the centre, to one side
  expect_gte(disc_score(x + 30, c(0, 0), 1), 38)
})

test_that("the scan halts at the first disc that reaches its threshold", {
  set.seed(3)
  radius <- 4 * 0.8^(0:12)
  for (k in seq_len(10)) {
    x <- skewed_plane(9)
    score <- disc_score(x, c(0, 0), radius)
    expect_false(is.unsorted(score))
    least <- sample(0:10, 13, TRUE)
    halts <- which(score >= least)
    expect_identical(first_halt(disc_rows_along(x, c(0, 0), c(1, 1)), radius, least, sector_reach()),
                     if (length(halts) > 0) halts[[1]] else 14L)
  }
})

test_that("rows and units of any size have places along all directions", {
  set.seed(6)
  x <- rbind(skewed_plane(20), c(1e300, -1e300), c(-1.7e308, 1.7e308), c(0, 5e-324))
  no_place <- function() {
    any(vapply(c(1e-290, 1e-200, 1, 1e300), function(s) {
      along <- tryCatch(disc_rows_along(x, c(0, 0), c(s, s)), error = function(e) NULL)
      is.null(along) || !all(is.finite(along))
    }, NA))
  }
  expect_false(no_place())
  # rows so far off that their direction is lost count everywhere
  expect_gt(min(disc_rows_along(x[21:22, ], c(0, 0), c(1e-200, 1e-200))), 2^400)
  # in the units' own size, whatever that is
  far <- function() {
    s <- 2^900
    near <- disc_rows_along(x[1:20, ], c(1, 0), c(2, 3))
    !isTRUE(all.equal(disc_rows_along(x[1:20, ] * s, c(s, 0), c(2, 3) * s), near))
  }
  expect_false(far())
  expect_true(caught(bug(no_place, "disc_rows_along", "u <- bounded((x[, 1] - centre[[1]])/scale[[1]])",
                         "u <- bounded(x[, 1] - centre[[1]])/scale[[1]]")))
  expect_true(caught(bug(far, "disc_rows_along", "v <- bounded((x[, 2] - centre[[2]])/scale[[2]])",
                         "v <- bounded(bounded(x[, 2] - centre[[2]])/scale[[2]])")))
})

region_of_normal <- function(...) {
  set.seed(4)
  x <- cbind(a = rnorm(400), b = rnorm(400))
  dp_median(x, 2, lower = -50, upper = 50, interval = 0.95, method = "exponential", ...)
}

test_that("a region is framed by the limits, and holds the median", {
  fit <- region_of_normal(rng = "R")
  region <- fit$details$region
  expect_identical(unname(region[, "centre"]), unname(fit$estimate))
  reach <- region[[1, "radius"]] * 50
  expect_equal(unname(fit$interval), unname(cbind(fit$estimate - reach, fit$estimate + reach)))
  expect_lt(sum(fit$estimate^2), reach^2)
  expect_lt(reach, 0.6)
  # a truth beyond the public limits is not pinned to a point within them
  far <- dp_median(matrix(rnorm(800), 400) + 20, 2, lower = -5, upper = 5, interval = 0.95,
                   method = "exponential", rng = "R")
  expect_true(all(is.infinite(far$interval)))
  expect_match(interval_sentence(fit), "as likely as their opposites", fixed = TRUE)
})

test_that("centre, threshold and scan are paid for, together with epsilon", {
  spend <- function() {
    spent <- numeric()
    record <- list(
      draw_exponential = function(x, plan, epsilon, source, size) {
        spent[["centre"]] <<- epsilon
        c(0, 0)
      },
      scan_noise = function(sets, scans, t, threshold, halt, n, source) {
        spent[["scan"]] <<- threshold + scans * halt
        matrix(0L, sets, scans)
      }
    )
    fit <- with_bindings(record, region_of_normal())
    expect_true(all(is.infinite(fit$interval)))
    sum(spent)
  }
  expect_lte(spend(), 2)
  expect_gt(spend(), 1.9999)
  overspends <- function() spend() > 2
  for (b in list(bug(overspends, "release_median_region", "plan, region$centre", "plan, epsilon"),
                 bug(overspends, "region_plan", "share[[\"scan\"]]", "(epsilon - share[[\"centre\"]])"))) {
    expect_true(caught(b))
  }
})

test_that("what has no region is refused in words, before anything is spent", {
  budget <- dp_ledger(epsilon = 5)
  refused <- function(x, ..., about) {
    expect_error(dp_median(x, lower = -9, upper = 9, method = "exponential", ledger = budget, ...), about,
                 class = "dpdepth_error_input")
  }
  x <- matrix(rnorm(600), 300)
  refused(x, 1, interval = 2, about = "`interval` must be one number")
  refused(x, 0.1, interval = 0.95, about = "or about [0-9,]+ rows")
  refused(matrix(0, 100001, 2), 1, interval = 0.95, about = "100,000 rows")
  refused(cbind(x, 1), 1, interval = 0.95, about = "`method` must be \"auto\"")
  expect_identical(nrow(as.data.frame(budget)), 0L)
})
