# Tests of R/dp-region-interval.R: what limits of a region cost, are handed and cover; refusals.
# Error rates: ALPHA = 1e-6 an expectation (helper-stat.R).

set.seed(2)
plane <- cbind(a = rnorm(3000), b = rexp(3000))

# What the draws and scans are handed, with nothing drawn from the rows.
region_handed <- function(x, ...) {
  seen <- list()
  ledger <- dp_ledger(9, 0.5)
  record <- list(
    draw_quantiles = function(x, probs, prior, each, ...) {
      seen[[length(seen) + 1]] <<- list(x, c(probs, each), summary(ledger)$left[[1]])
      matrix(c(-0.02, 0.01, 0.04), 1)
    },
    draw_interval = function(x, plan, prior, source, ...) {
      seen[[length(seen) + 1]] <<- list(x, c(plan$prob, plan$epsilon, plan$level), summary(ledger)$left[[1]],
                                        prior)
      matrix(plan$prob - 0.5 + c(-0.01, 0.01), 1)
    }
  )
  fit <- with_bindings(record, dp_region(x, 0.2, 2, ..., measure = "depth", lower = -50, upper = 50,
                                         interval = 0.9, ledger = ledger, rng = "R"))
  fit$call <- NULL
  list(x = lapply(seen, `[[`, 1), public = lapply(seen, `[`, -1), fit = fit)
}

# TRUE if more is spent than epsilon, levels do not make up the whole, anything is handed on before the debit,
# or a replaced row changes more than its own entry.
limits_are_handed_wrong <- function() {
  one <- region_handed(plane, delta = 1e-6)
  other <- region_handed(replace(plane, cbind(5, 1:2), c(1e300, -7)), delta = 1e-6)
  changed <- Map(function(a, b) which(a != b), one$x, other$x)
  numbers <- lapply(one$public, `[[`, 1)
  drawn <- numbers[1:4]
  limits <- numbers[5:12]
  spent <- sum(vapply(drawn, `[[`, 0, 4)) + sum(vapply(limits, `[[`, 0, 2))
  missed <- sum(1 - vapply(limits, `[[`, 0, 3))
  priors <- lapply(one$public[5:12], `[[`, 3)
  reach <- rep(rowSums(abs(line_directions(4L))), each = 2)
  along <- vapply(one$x[c(5, 7, 9, 11)], identity, numeric(3000))
  length(numbers) != 12 || spent > 2 || any(vapply(priors, function(p) p$upper[[1]], 0) != reach) ||
    max(abs(along - plane %*% t(line_directions(4L)) / 50)) > 1e-12 || spent < 1.999 ||
    missed > 0.1 + 1e-12 || missed < 0.099 ||
    !identical(vapply(limits, `[[`, 0, 1), rep(c(0.2, 0.8), 4)) ||
    any(vapply(one$public, `[[`, 0, 2) != 7) || !all(vapply(changed, identical, NA, 5L)) ||
    !identical(one[-1], other[-1]) || !identical(one$fit$delta, 0)
}

test_that("draws and scans are paid for together, handed rows one by one, and cover together", {
  expect_false(limits_are_handed_wrong())
  for (b in list(
    bug(limits_are_handed_wrong, "interval_region_plan", "region_split[[\"interval\"]], k, prior)",
        "1, k, prior)"),
    bug(limits_are_handed_wrong, "interval_region_plan", "region_split[[\"region\"]], 0", "1, 0"),
    bug(limits_are_handed_wrong, "region_interval_plan", "each, epsilon/(2 * k)", "each, epsilon/k"),
    bug(limits_are_handed_wrong, "region_interval_plan", "(1 - confidence)/(2 * k)", "(1 - confidence)/k"),
    bug(limits_are_handed_wrong, "draw_region_limits", "direction_prior(plan$prior, u)", "plan$prior"),
    bug(limits_are_handed_wrong, "draw_region_limits", "u[[1]] * z[, 1] + u[[2]]",
        "u[[2]] * z[, 1] + u[[1]]"),
    bug(limits_are_handed_wrong, "draw_region_limits", "u <- plan$directions[i, ]",
        "u <- plan$directions[i, ] * (1 + mean(z[, 1]))")
  )) {
    expect_true(caught(b), info = b$edits[[1]][[3]])
  }
})

test_that("polygons are those of the halfplanes at the limits, rounded outwards and inwards", {
  limits <- cbind(rep(-2, 4), -1, 1, 2)
  parts <- limit_polygons(limits, line_directions(4L), 50)
  expect_equal(vapply(parts, polygon_area, 0), c(outer = 4, inner = 1) * 8 * tan(pi / 8), tolerance = 1e-6)
  expect_gt(max(parts$outer), 2)
  expect_lt(max(parts$inner), 1)
  # sides at their own ends
  limits[1, ] <- c(-5, -3, 0.5, 7)
  parts <- limit_polygons(limits[c(1, 1, 1, 1), ], line_directions(2L)[c(1, 2, 1, 2), ], 50)
  expect_equal(apply(parts$outer, 2, range), cbind(c(-5, 7), c(-5, 7)), tolerance = 1e-6)
  expect_equal(apply(parts$inner, 2, range), cbind(c(-3, 0.5), c(-3, 0.5)), tolerance = 1e-6)
  # an infinite limit bounds nothing, and leaves nothing within
  limits[1, c(3, 4)] <- c(-Inf, Inf)
  parts <- limit_polygons(limits, line_directions(4L), 50)
  expect_gt(polygon_area(parts$outer), 0)
  expect_identical(dim(parts$inner), c(0L, 2L))
})

# Are limits beyond the truth more often than they may be?
regions_are_missed <- function() {
  set.seed(9)
  plan <- interval_region_plan(0.8, 1500, 0.3, "depth", 2, NULL, prior_uniform(c(-20, -20), c(20, 20)))
  top <- -qnorm(0.3) / 20
  held <- vapply(1:60, function(i) {
    limits <- draw_region_limits(matrix(rnorm(3000), 1500) / 20, plan$interval, "R")
    truth <- rep(c(-top, top), each = 4)
    all(limits[, c(1, 3)] <= truth) && all(limits[, c(2, 4)] >= truth)
  }, NA)
  sum(!held) > stats::qbinom(1 - ALPHA, 60, 0.2)
}

test_that("limits cover", {
  expect_false(regions_are_missed())
  expect_true(caught(bug(regions_are_missed, "region_interval_plan", "c(level, 1 - level)",
                         "c(level, 1 - level) + 0.1")))
})

test_that("a release holds both polygons and says what they cover", {
  r <- dp_region(plane, 0.25, 4, measure = "depth", lower = -20, upper = 20, interval = 0.9, fence = NULL,
                 rng = "R")
  expect_identical(unique(tidy(r)$part), c("median", "inner", "region", "outer"))
  expect_true(all(diff(summary(r)$parts$area) > 0))
  text <- gsub("[[:space:]]+", " ", paste(format(r), collapse = " "))
  expect_match(text, "with probability 0.9 or more", fixed = TRUE)
  expect_match(gsub("[[:space:]]+", " ", paste(format(summary(r)), collapse = " ")),
               "two one-sided scans with noisy thresholds for each end", fixed = TRUE)
  expect_no_match(text, "blown up")
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_identical(plot(r), r)
})

test_that("what has no confidence is refused, and nothing is spent", {
  skip_on_cran()
  ledger <- dp_ledger(9)
  refused <- function(about, x = plane, level = 0.25, epsilon = 1, ..., interval = 0.9) {
    expect_error(dp_region(x, level, epsilon, ..., interval = interval, lower = -20, upper = 20,
                           ledger = ledger), about, class = "dpdepth_error_input")
  }
  refused("measure = \"depth\"")
  refused("`interval` must be", measure = "depth", interval = 95)
  refused("8 intervals share", x = plane[1:400, ], measure = "depth")
  expect_identical(nrow(as.data.frame(ledger)), 0L)
  expect_warning(dp_region(plane[1:1500, ], 0.12, 1, measure = "depth", interval = 0.9, lower = -20,
                           upper = 20, ledger = ledger), "infinite", class = "dpdepth_warning_accuracy")
})
