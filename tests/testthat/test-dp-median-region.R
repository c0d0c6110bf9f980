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
  skip_on_cran()
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
  skip_on_cran()
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
  expect_identical(fit[c("guarantee", "epsilon", "delta")], list(guarantee = "pure", epsilon = 2, delta = 0))
  reach <- region[[1, "radius"]] * 50
  expect_equal(unname(fit$interval), unname(cbind(fit$estimate - reach, fit$estimate + reach)))
  expect_lt(sum(fit$estimate^2), reach^2)
  expect_lt(reach, 0.6)
  # a truth beyond the public limits is not pinned to a point within them
  far <- dp_median(matrix(rnorm(800), 400) + 20, 2, lower = -5, upper = 5, interval = 0.95,
                   method = "exponential", rng = "R")
  expect_true(all(is.infinite(far$interval)))
  expect_warning(dp_median(matrix(0, 50, 2), 25, lower = -5, upper = 5, interval = 0.6,
                           method = "exponential"), class = "dpdepth_warning_privacy")
  expect_match(interval_sentence(fit), "as likely as their opposites", fixed = TRUE)
})

test_that("centre, threshold and scan are paid for, together with epsilon", {
  spend <- function() {
    spent <- numeric()
    record <- list(
      draw_exponential = function(x, plan, epsilon, source) {
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
  for (b in list(bug(overspends, "draw_median_region", "plan$draw, region$centre", "plan$draw, 2"),
                 bug(overspends, "region_plan", "share[[\"scan\"]]", "(epsilon - share[[\"centre\"]])"))) {
    expect_true(caught(b))
  }
})

# What a region is made of: all but the rows by public numbers and the released centre, after the debit.
region_is_handed_wrong <- function() {
  handed <- function(x) {
    ledger <- dp_ledger(2)
    seen <- NULL
    record <- list(
      draw_exponential = function(x, plan, epsilon, source) {
        seen <<- list(x, plan, summary(ledger)$left[[1]])
        c(1, -2)
      },
      scan_noise = function(sets, scans, t, threshold, halt, n, source) {
        seen <<- c(seen, list(c(sets, scans, t, n), c(threshold, halt)))
        matrix(0L, sets, scans)
      },
      disc_rows_along = function(x, centre, scale, inverse) {
        seen <<- c(seen, list(x, centre, unname(scale)))
        matrix(0, nrow(x), disc_sides)
      }
    )
    with_bindings(record, dp_median(x, 2, lower = c(-50, -20), upper = 50, interval = 0.9, ledger = ledger,
                                    method = "exponential"))
    seen
  }
  x <- cbind(a = rnorm(300), b = rexp(300))
  far <- replace(x, cbind(c(7, 7, 8, 8), c(1, 2, 1, 2)), c(40, -4e3, x[9, ]))
  one <- handed(x)
  other <- handed(far)
  budget <- one[[5]]
  t <- scan_threshold(300, 1 - 0.9, scan_rates(budget[[1]], budget[[2]]))
  !identical(one[c(1, 6)], list(x, x)) || !identical(other[c(1, 6)], list(far, far)) ||
    !identical(one[-c(1, 6)], other[-c(1, 6)]) || one[[3]] != 0 ||
    !identical(one[[4]][2:4], c(1, t, 300)) || !identical(one[7:8], list(c(1, -2), c(50, 35)))
}

test_that("a region is handed rows as they are, and public numbers, after the debit", {
  expect_false(region_is_handed_wrong())
  for (b in list(
    bug(region_is_handed_wrong, "release_by", "debit(given$ledger", "debit(NULL"),
    bug(region_is_handed_wrong, "debit", "list(epsilon = given$epsilon", "list(epsilon = given$epsilon/2"),
    late_debit(region_is_handed_wrong),
    bug(region_is_handed_wrong, "draw_median_region", "scan_discs(rows, centre",
        "scan_discs(rows, colMeans(rows)"),
    bug(region_is_handed_wrong, "scan_discs", "nrow(x), source", "nrow(unique(x)), source"),
    bug(region_is_handed_wrong, "region_plan", "scan_threshold(n, 1 - level,",
        "scan_threshold(n, 2 * (1 - level),")
  )) {
    expect_true(caught(b))
  }
})

test_that("the disc before the one that halts is kept; none, if the first halts or none does", {
  x <- matrix(0, 9, 2)
  region <- list(radius = c(8, 4, 2, 0), scale = c(1, 3), lower = c(-2, -2), upper = c(2, 2))
  kept <- function() {
    with_bindings(list(scan_noise = function(...) cbind(k)),
                  scan_discs(x, c(0, 0), region, ellipse_shape(), "R"))
  }
  for (case in list(list(c(10, 10, 0, 0), 4), list(c(0, 0, 0, 0), Inf), list(c(10, 10, 10, 10), Inf),
                    list(c(10, 10, 10, 9), 2))) {
    k <- as.integer(case[[1]])
    expect_identical(kept(), case[[2]])
  }
  expect_equal(disc_limits(c(0, 0), 1, region, ellipse_shape()),
               cbind(lower = c(-1, -Inf), upper = c(1, Inf)))
  expect_false(discs_reach(disc_rows_along(x, c(0, 0), c(1, 1)), 1, 1, sector_reach()))
})

test_that("discs and halfplanes are rounded outward, and the first disc holds the support", {
  place <- pmin(0:(disc_sides - 1), disc_sides - 0:(disc_sides - 1))
  # the least that a point of the sector, at its far edge, reaches along a direction
  expect_true(all(sector_reach() < cos(pi * (2 * place + 1) / disc_sides), na.rm = TRUE))
  expect_gt(sum(!is.na(sector_reach())), disc_sides / 2 - 4)
  x <- cbind(c(1e6, -3, 7), c(1 / 3, 5, 1e-9))
  angle <- 2 * pi * (seq_len(disc_sides) - 1) / disc_sides
  plain <- vapply(angle, function(a) sort(cos(a) * (x[, 1] - 0.1) + sin(a) * (x[, 2] - 0.7) / 3), numeric(3))
  along <- disc_rows_along(x, c(0.1, 0.7), c(1, 3))
  expect_true(all(along > plain & along < plain + 1e-6))
  for (prior in list(prior_uniform(c(-1, 0), c(2, 9)), prior_normal(c(3, 4), c(1, 7)))) {
    plan <- region_plan(1000, 2, 0.9, prior)
    expect_gt(plan$radius[[1]], sqrt(sum(((plan$upper - plan$lower) / plan$scale)^2)))
    expect_identical(plan$radius[[length(plan$radius)]], 0)
  }
  reach <- prior_reach(prior_normal(c(1, 2), covariance = matrix(c(9, 3, 3, 4), 2)))
  expect_equal(reach[c("scale", "lower")], list(scale = c(3, 2), lower = c(1, 2) - 36 * c(3, 2)))
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

test_that("shapes are those of the spreads, and ellipses follow them", {
  squares <- function(s) {
    vapply((0:3) * pi / 4, function(a) {
      u <- c(cos(a), sin(a))
      as.vector(u %*% s %*% u)
    }, 0)
  }
  for (s in list(matrix(c(1, 0.9, 0.9, 1), 2), matrix(c(4, -1, -1, 1), 2), diag(c(1, 9)), diag(2))) {
    shape <- fitted_shape(squares(s))
    expect_equal(shape$factor %*% t(shape$factor), s / min(eigen(s)$values))
    expect_equal(shape$inverse %*% shape$factor, diag(2))
  }
  # whatever is drawn
  for (square in list(numeric(4), c(1, 0, 0, 0), c(1e-30, 1, 1e-30, 0), c(0, 4, 0, 4), rep(1e-28, 4))) {
    shape <- fitted_shape(square)
    long <- svd(shape$inverse)$d
    expect_true(all(is.finite(unlist(shape))) && max(long) < 1 + 1e-12 && min(long) > 0.0999)
  }
  # the frame of an ellipse, and its discs: rows on its edge lie at the radius
  shape <- fitted_shape(squares(matrix(c(1, 0.9, 0.9, 1), 2)))
  angle <- seq(0, 2 * pi, length.out = 400)
  edge <- t(0.1 * shape$factor %*% rbind(cos(angle), sin(angle)))
  region <- list(scale = c(1, 1), lower = c(-9, -9), upper = c(9, 9))
  expect_equal(unname(disc_limits(c(0, 0), 0.1, region, shape)), unname(t(apply(edge, 2, range))),
               tolerance = 1e-3)
  expect_equal(range(disc_rows_along(edge, c(0, 0), c(1, 1), shape$inverse)), c(-0.1, 0.1), tolerance = 1e-3)
})

test_that("a shape is drawn where the budget is large, paid for, and fits", {
  set.seed(8)
  x <- rnorm(2000)
  x <- cbind(x, 0.9 * x + sqrt(0.19) * rnorm(2000))
  spend <- function(epsilon = 4, prior = prior_uniform(c(-50, -50), c(50, 50))) {
    spent <- numeric()
    draw <- draw_quantiles
    record <- list(
      draw_quantiles = function(x, probs, prior, each, ...) {
        spent <<- c(spent, each)
        draw(x, probs, prior, each, ...)
      },
      draw_exponential = function(x, plan, epsilon, source) {
        spent <<- c(spent, epsilon)
        c(0, 0)
      },
      scan_noise = function(sets, scans, t, threshold, halt, n, source) {
        spent <<- c(spent, threshold + scans * halt)
        matrix(0L, sets, scans)
      }
    )
    fit <- with_bindings(record, dp_median(x, epsilon, prior = prior, interval = 0.95, method = "exponential",
                                           rng = "R"))
    list(spent = spent, shape = fit$details$shape)
  }
  overspends <- function() sum(spend()$spent) > 4
  expect_false(overspends())
  expect_gt(sum(spend()$spent), 3.9999)
  for (b in list(bug(overspends, "draw_shape", "epsilon/4", "epsilon"),
                 bug(overspends, "region_plan", "centre = share[[\"centre\"]]",
                     "centre = epsilon * region_shares[[\"centre\"]]"))) {
    expect_true(caught(b))
  }
  drawn <- spend()
  expect_length(drawn$spent, 6)
  axis <- svd(drawn$shape)$d
  expect_true(axis[[1]] / axis[[2]] > 3 && abs(drawn$shape[[1, 1]] - drawn$shape[[2, 1]]) < 1)
  # not with less, nor where a covariance is public
  expect_identical(spend(1.9)$shape, diag(2))
  public <- spend(4, prior_normal(0, covariance = 100 * matrix(c(1, 0.5, 0.5, 1), 2)))
  expect_length(public$spent, 2)
  expect_equal(public$shape %*% t(public$shape), matrix(c(2, 1, 1, 2), 2))
})
