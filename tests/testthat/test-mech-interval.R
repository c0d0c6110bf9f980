# Intervals of quantiles: privacy by enumeration, thresholds, laws against draws, what lies between limits.
# Error rates: ALPHA = 1e-6 an expectation (helper-stat.R).

exact_rates <- function(epsilon) list(rho = 0.35 * epsilon, nu = 0.325 * epsilon)

test_that("over all neighbours of small data the loss is at most epsilon", {
  skip_on_cran()
  for (epsilon in c(0.5, 3)) {
    for (t in 0:1) expect_lte(largest_loss(2, 6, t, exact_rates(epsilon)), epsilon * (1 + 1e-12))
  }
  expect_lte(largest_loss(3, 5, 1, exact_rates(1)), 1 + 1e-12)
})

# The joint law of the centre, drawn at rates$centre, and of both scans' places on the grid about it, whose
# distances grow by 1 / growth. `both`: of a grid from above, the scans' law.
centred_law <- function(x, side, t, rates, growth = 2, both = independent_scans) {
  ranks <- quantile_ranks(length(x), 0.5)
  score <- vapply(seq_len(side) - 1, function(z) min(sum(x <= z) - ranks$below, sum(x >= z) - ranks$above), 0)
  centre <- exp(rates$centre * score / 2) / sum(exp(rates$centre * score / 2))
  away <- 1
  while (max(away) < side) away <- c(away, max(away) + max(1, max(away) %/% growth))
  unlist(lapply(seq_len(side) - 1, function(c) {
    grid <- sort(intersect(c(0, side - 1, c, c - away, c + away), seq_len(side) - 1), decreasing = TRUE)
    centre[[c + 1]] * both(x, grid, t, rates)
  }))
}

independent_scans <- function(x, grid, t, rates, rho = NULL) {
  law <- function(count) stretch_law(count, rep(1, length(count)), t, rates, rho)
  first <- law(vapply(grid, function(g) sum(x >= g), 0))
  as.vector(outer(first, law(vapply(rev(grid), function(g) sum(x <= g), 0))))
}

# Broken: one threshold's noise for both.
scans_of_one_rho <- function(x, grid, t, rates) {
  rho <- 0:ceiling(40 / rates$rho)
  weight <- exp(-rates$rho * rho) * -expm1(-rates$rho)
  Reduce(`+`, lapply(seq_along(rho), function(i) {
    weight[[i]] * independent_scans(x, grid, t, rates, rho[[i]])
  }))
}

test_that("with a centre, the whole of what is drawn loses at most epsilon", {
  skip_on_cran()
  # 2,000 pairs of neighbours and more, ties among them
  for (epsilon in c(1, 4)) {
    part <- interval_shares(300L) / 1000 * epsilon
    rates <- list(centre = part[["centre"]], rho = part[["threshold"]], nu = part[["first"]])
    total <- rates$centre + rates$rho + 2 * rates$nu
    expect_lte(total, epsilon)
    for (t in 0:1) {
      loss <- largest_loss(3, 7, t, rates, centred_law)
      expect_lte(loss, total * (1 + 1e-12))
      expect_gt(loss, 0.6 * total)
    }
  }
})

test_that("scans about a centre that are wrong lose more than epsilon", {
  skip_on_cran()
  # one threshold's noise for both scans; the centre has next to nothing to lose
  small <- list(centre = 1e-9, rho = 2.2, nu = 0.4)
  whole <- small$centre + small$rho + 2 * small$nu
  expect_lte(largest_loss(3, 6, 0, small, centred_law), whole)
  expect_gt(largest_loss(3, 6, 0, small, centred_law, both = scans_of_one_rho), whole)
  # nu with twice the rate it is charged for, and a centre with more than its share
  expect_gt(largest_loss(3, 6, 0, list(centre = 1e-9, rho = 0.1, nu = 3), centred_law), 0.1 + 2 * 1.5)
  expect_gt(largest_loss(3, 6, 1, list(centre = 4, rho = 0.1, nu = 0.1), centred_law), 2 + 0.1 + 0.2)
})

# One row that moves from below to above all: what both scans lose, over grids of `len` points.
pair_loss <- function(epsilon, len, rates = exact_rates(epsilon)) {
  down <- log(stretch_law(c(0, 1), c(len, 1), 1, rates)[[2]] / stretch_law(c(1, 1), c(len, 1), 1, rates)[[2]])
  up <- log(stretch_law(c(0, 1), c(len, 1), 1, rates)[[2]] / stretch_law(c(0, 0), c(len, 1), 1, rates)[[2]])
  c(down = down, up = up)
}

test_that("the loss comes near to eps_2 + eps_3 and eps_3: no smaller charge would do", {
  for (epsilon in c(0.5, 1, 4)) {
    loss <- pair_loss(epsilon, 1e12)
    expect_lte(sum(loss), epsilon * (1 + 1e-9))
    expect_gt(sum(loss), 0.999 * epsilon)
    expect_gt(sum(loss), 0.675 * epsilon) # eps_2 + eps_3
    expect_equal(loss[["up"]], 0.325 * epsilon, tolerance = 1e-3)
  }
})

test_that("scans that are wrong lose more than epsilon", {
  rates <- exact_rates(1)
  # one threshold's noise for both scans
  rho <- 0:200
  weight <- exp(-rates$rho * rho) * -expm1(-rates$rho)
  both <- function(down, up) {
    sum(weight * vapply(rho, function(r) {
      stretch_law(down, c(1e6, 1), 1, rates, r)[[2]] * stretch_law(up, c(1, 1), 1, rates, r)[[2]]
    }, 0))
  }
  expect_gt(log(both(c(0, 1), c(0, 1)) / both(c(1, 1), c(0, 0))), 1.2)
  # one noise for all points of a scan: where counts stay the same it cannot stop
  reused <- function(count) {
    nu <- 0:100
    stop <- outer(nu, count, function(v, k) k + v > 1)
    first <- apply(cbind(stop, TRUE), 1, function(s) which(s)[[1]])
    vapply(seq_len(length(count) + 1), function(i) sum(exp(-rates$nu * nu)[first == i]), 0)
  }
  expect_identical(reused(c(0, 0, 1))[[2]], 0)
  expect_gt(reused(c(0, 1, 1))[[2]], 0)
  # counts that move both ways, as a depth does, at the rate of those that move one way
  depth <- function(count) stretch_law(count, c(1e12, 1), 1, rates)[[2]]
  expect_gt(log(depth(c(0, 1)) / depth(c(1, 0))), 0.99 * (0.35 + 2 * 0.325))
  # twice the rate at the points
  expect_gt(sum(pair_loss(1, 1e12, list(rho = 0.35, nu = 0.65))), 1.6)
})

test_that("thresholds are the largest whose misses have the promised probability", {
  skip_on_cran()
  for (case in list(c(50, 0.5, 1), c(50, 0.05, 4), c(80, 0.9, 0.7), c(200, 0.5, 0.3), c(400, 0.95, 2))) {
    n <- case[[1]]
    p <- case[[2]]
    rates <- interval_rates(case[[3]])
    t <- interval_threshold(n, p, 0.025, rates)
    expect_lte(miss_probability(n, p, t, rates), 0.025)
    expect_gt(miss_probability(n, p, t + 1, rates), 0.025)
  }
  plan <- interval_plan_of(200, 0.9, 0.9, 1, interval_shares(0L, c(14L, 16L, 10L)))
  expect_true(plan$mirrored)
  rates <- list(rho = 0.35, nu = 0.4)
  expect_equal(plan$first, interval_threshold(200, 0.9, (1 - 0.9) / 2, rates))
  expect_equal(plan$second, interval_threshold(200, 1 - 0.9, (1 - 0.9) / 2, list(rho = 0.35, nu = 0.25)))
  expect_false(interval_plan(200, 0.1, 0.9, 1)$mirrored)
  # large n: the normal approximation is near
  t <- interval_threshold(1e7, 0.5, 0.025, interval_rates(1))
  expect_lt(abs(t - (5e6 + stats::qnorm(0.025) * sqrt(1e7) / 2)), 5)
  # rates are rounded to the side of more misses
  expect_lt(interval_rates(1e-6)$rho, 0.35e-6)
})

# Is a plan of other numbers, or of another quantile, taken for the one asked for?
plans_are_mixed_up <- function() {
  several <- interval_plans(100, c(0.2, 0.5, 0.2), 0.9, 1)
  if (!identical(unlist(lapply(several, `[[`, "prob")), c(0.2, 0.5, 0.2))) return(TRUE)
  plan <- interval_plan(128, 0.5, 0.9, 1, 50)
  for (i in 5:1) {
    asked <- list(128, 0.5, 0.9, 1, 50)
    asked[[i]] <- if (i == 5) most_reach else asked[[i]] * (1 + 2^-7)
    other <- do.call(interval_plan, asked)
    if (identical(plan, other) || !identical(other, do.call(narrowest_plan, asked))) return(TRUE)
  }
  FALSE
}

test_that("plans are kept by all of their numbers", {
  skip_on_cran()
  expect_false(plans_are_mixed_up())
  key <- "sprintf(\"%.0f %a %a %a %a %d\", n, prob, level, epsilon, reach, choose)"
  for (b in list(
    bug(plans_are_mixed_up, "interval_plan", key, "sprintf(\"%.0f %a %a\", n, prob, level)"),
    bug(plans_are_mixed_up, "interval_plan", key,
        "sprintf(\"%.0f %.1f %.1f %.1f\", n, prob, level, epsilon)"),
    bug(plans_are_mixed_up, "interval_plan", key, "sprintf(\"%a %a %a %a\", prob, level, epsilon, reach)"),
    bug(plans_are_mixed_up, "interval_plan", key, "sprintf(\"%.0f %a %a %a\", n, prob, level, epsilon)"),
    bug(plans_are_mixed_up, "interval_plans", "plans[match(probs, kinds)]", "plans")
  )) {
    expect_true(caught(b))
  }
})

# Does a plan miss more often than it says?
plans_miss <- function() {
  plans <- c(lapply(c(0.3, 0.5, 0.9), interval_plan, n = 60, level = 0.9, epsilon = 1.2),
             lapply(list(interval_shares(0L, c(12L, 4L, 24L)), interval_shares(200L)), interval_plan_of,
                    n = 60,
                    prob = 0.5, level = 0.9, epsilon = 1.2))
  for (plan in plans) {
    prob <- plan$prob
    part <- 1.2 * plan$shares[-1] / 1000
    sides <- if (plan$mirrored) c(prob, 1 - prob) else c(1 - prob, prob)
    misses <- c(miss_probability(60, sides[[1]], plan$first, list(rho = part[[1]], nu = part[[2]])),
                miss_probability(60, sides[[2]], plan$second, list(rho = part[[1]], nu = part[[3]])))
    if (any(misses > 0.05 + 1e-12) || sum(plan$shares) != 1000) return(TRUE)
  }
  FALSE
}

test_that("bugs planted in thresholds are seen", {
  skip_on_cran()
  expect_false(plans_miss())
  bugs <- list(
    "one too near" = bug(plans_miss, "interval_threshold", "as.integer(low)", "as.integer(low + 1)"),
    "both sides at alpha" = bug(plans_miss, "interval_plan_of", "(1 - level)/2", "1 - level"),
    "the other side's law" = bug(plans_miss, "interval_plan_of", "rev(sides)", "sides"),
    "the first scan's noise for both" =
      bug(plans_miss, "interval_rates", "shares[[2 + scan]]", "shares[[3]]"),
    "no noise on the threshold" = bug(plans_miss, "noise_below", "exp(rates$rho * ", "0 * exp(rates$rho * "),
    "more noise at points than there is" =
      bug(plans_miss, "interval_rates", "shares[[2 + scan]]/1000 * epsilon", "0.1 * epsilon"),
    "the whole of epsilon for each share" =
      bug(plans_miss, "interval_plan_of", "interval_rates(epsilon, shares, 1)",
          "interval_rates(epsilon / (1 - shares[[1]] / 1000), shares, 1)")
  )
  for (name in names(bugs)) expect_true(caught(bugs[[name]]), label = name)
})

test_that("limits cover: exact probability of a miss on a small lattice", {
  # rows on 0..9 by a law with atoms; the median is 4. Misses by the exact law of the scans.
  n <- 45
  plan <- interval_plan(n, 0.5, 0.8, 2)
  set.seed(7)
  law <- c(1, 1, 4, 1, 8, 1, 1, 3, 2, 2)
  x <- matrix(sample(0:9, n * 400, TRUE, law), n)
  limits <- apply(x, 2, function(rows) {
    draw_interval(matrix(as.double(rows)), plan, prior_uniform(0, 9), "R", resolution = 1)
  })
  missed <- sum(limits[1, ] > 4 | limits[2, ] < 4)
  expect_lte(missed, stats::qbinom(ALPHA, 400, 0.2, lower.tail = FALSE))
  expect_true(all(limits[is.finite(limits)] %in% 0:9))
})

# The law of the limits on 0..7 by that of the places where the scans stop, on a grid of all points: what is
# outside the last point passed, crossed limits exchanged; in the order of 10 (lower + 1) + upper + 1.
limits_law <- function(x, rates, counts = c(`>=`, `<=`)) {
  scan <- function(at, count) stretch_law(vapply(at, function(g) sum(count(x, g)), 0), rep(1, 8), 1, rates)
  law <- outer(scan(7:0, counts[[1]]), scan(0:7, counts[[2]]))
  ends <- expand.grid(upper = c(Inf, 6:0, 0), lower = c(-Inf, 1:7, 7))
  crossed <- is.finite(ends$upper) & is.finite(ends$lower) & ends$lower > ends$upper
  place <- ifelse(crossed, limits_place(ends$upper, ends$lower), limits_place(ends$lower, ends$upper))
  vapply(0:99, function(k) sum(law[place == k]), 0)
}

limits_place <- function(lower, upper) 10 * pmax(lower + 1, 0) + pmin(upper + 1, 9)

test_that("draws of the R entry follow the law of both scans, with a centre and without", {
  skip_on_cran()
  x <- c(2, 5, 5, 6)
  for (centre in c(0L, 400L)) {
    plan <- list(mirrored = FALSE, first = 1L, second = 1L, cells = 7L, growth = 19L, ranks = c(2, 2),
                 epsilon = 1.5, shares = c(centre, interval_shares(centre)[-1]))
    draws <- draw_interval(matrix(x), plan, prior_uniform(0, 7), "R", resolution = 1, draws = 20000L)
    counts <- tabulate(limits_place(draws[, 1], draws[, 2]) + 1, 100)
    part <- 1.5 * plan$shares / 1000
    rates <- list(rho = part[[2]], nu = part[[3]])
    expect_law(counts, limits_law(x, rates))
    expect_not_law(counts, limits_law(x, rates, c(`>`, `<=`)), "open counts")
    expect_not_law(counts, limits_law(x, list(rho = 1.5 * part[[2]], nu = part[[3]])), "another share")
    if (centre == 0) {
      expect_true(all(is.nan(draws[, 3])))
      next
    }
    score <- vapply(0:7, function(z) min(sum(x <= z) - 2, sum(x >= z) - 2), 0)
    expect_law(tabulate(draws[, 3] + 1, 8), exp(part[[1]] / 2 * score) / sum(exp(part[[1]] / 2 * score)))
  }
})

test_that("several quantiles share epsilon, and a share for the centre", {
  x <- matrix(stats::qnorm(stats::ppoints(2000)))
  prior <- prior_uniform(-50, 50)
  plans <- interval_plans(2000, c(0.25, 0.5, 0.9), 0.95, 1)
  each <- draw_intervals(x, plans, prior, "R")
  expect_identical(dim(each$interval), c(3L, 2L))
  expect_identical(colnames(each$interval), c("lower", "upper"))
  expect_identical(vapply(plans, `[[`, 0, "epsilon"), rep(1, 3))
  expect_true(all(each$estimate >= each$interval[, 1] & each$estimate <= each$interval[, 2]))
  expect_true(all(diff(each$estimate) > 0))
  split <- interval_split(plans)
  expect_equal(sum(split), 1)
  expect_equal(split[["centre"]], mean(vapply(plans, function(plan) plan$shares[[1]] / 1000, 0)))
})

# A plan whose quantile lies where the `weight` says.
weighing <- function(weight, centre = 0L) list(weight = weight, shares = interval_shares(centre))

test_that("the point between the limits", {
  prior <- prior_uniform(-10, 10)
  point <- function(limits, weight, prior, ...) {
    interval_estimate(c(limits, NaN), weighing(weight), prior, ...)
  }
  expect_identical(point(c(2, 4), 0.5, prior), 3)
  expect_identical(point(c(2, 4), 0.25, prior), 2.5)
  expect_identical(point(c(2, 4), 1.5, prior), 4)
  plan <- interval_plan_of(200, 0.9, 0.9, 1)
  expect_equal(plan$weight, (180 - plan$first) / (200 - plan$first - plan$second))
  plan <- interval_plan_of(200, 0.3, 0.9, 1)
  expect_equal(plan$weight, (60 - plan$second) / (200 - plan$first - plan$second))
  expect_identical(point(c(11, Inf), 0.5, prior), 11)
  expect_identical(point(c(2, 5), 0.5, prior, resolution = 1), 4)
  # the public bound says nothing of the data
  expect_identical(point(c(-Inf, 4), 0.5, prior), 4)
  expect_identical(point(c(-Inf, Inf), 0.5, prior), 0)
  expect_identical(point(c(2, Inf), 0.5, prior_normal(0, 1)), 2)
  # under limits of one sign by logarithms
  expect_equal(point(c(2, 8), 0.5, prior_uniform(0, 10)), 4)
  expect_equal(point(c(-8, -2), 0.5, prior_uniform(-10, 0)), -4)
})

test_that("the centre counts by its share, within the limits", {
  prior <- prior_uniform(-10, 10)
  point <- function(c, centre, ...) interval_estimate(c(2, 4, c), weighing(0.5, centre), prior, ...)
  half <- 0.25 / (0.25 + 0.16)
  expect_equal(point(3.5, 500L), half * 3.5 + (1 - half) * 3)
  expect_equal(point(9, 500L), half * 4 + (1 - half) * 3)
  expect_equal(point(-9, 500L), half * 2 + (1 - half) * 3)
  expect_lt(point(4, 100L), 3.03)
  expect_identical(point(9, 500L, resolution = 1), 4)
  # alone, where a limit is infinite
  expect_identical(interval_estimate(c(2, Inf, 3.5), weighing(0.5, 100L), prior), 3.5)
  expect_identical(interval_estimate(c(-Inf, Inf, 3.5), weighing(0.5, 100L), prior), 3.5)
  expect_identical(interval_estimate(c(-Inf, 2, 3.5), weighing(0.5, 100L), prior), 2)
})

test_that("where a scan stopped far out the centre is the estimate", {
  prior <- prior_uniform(-1e6, 1e6)
  point <- function(limits, centre = 500L, ...) interval_estimate(limits, weighing(0.5, centre), prior, ...)
  expect_identical(point(c(-0.5, 3e4, 0)), 0)
  expect_identical(point(c(-4e5, 0.5, 0.1)), 0.1)
  expect_identical(point(c(-0.5, Inf, 0)), 0)
  expect_identical(point(c(-0.5, 3e4, 0.2), resolution = 1), 0)
  # not of a centre that lies beyond the limits, nor of sides that a skewed law may have
  expect_gt(point(c(-0.5, 3e4, -1)), 1000)
  expect_gt(point(c(-1, 20, 0)), 3)
})

test_that("widths hardly depend on the limits where n and epsilon suffice", {
  skip_on_cran()
  aims <- list(list(200, 0.75), list(500, 0.29), list(5000, 0.076))
  # by plan below the aim; drawn, the median is at most a tenth above it, with error rate ALPHA each
  most <- stats::qbinom(ALPHA, 101, 0.5, lower.tail = FALSE)
  for (aim in aims) {
    n <- aim[[1]]
    plan <- interval_plan(n, 0.5, 0.95, 1)
    expect_lt(max(door_widths(n, plan, 10^(1:7))), aim[[2]])
    x <- matrix(stats::qnorm(stats::ppoints(n)))
    for (half in c(50, 1e4, 1e7)) {
      drawn <- draw_interval(x, plan, prior_uniform(-half, half), "R", draws = 101L)
      expect_lte(sum(drawn[, 2] - drawn[, 1] > 1.1 * aim[[2]]), most)
    }
  }
  # with too few rows the limits are resolved as far as even cells do, and the release says how far
  few <- interval_plan(100, 0.5, 0.95, 1)
  expect_identical(few$shares[["centre"]], 0L)
  prior <- prior_uniform(-1e4, 1e4)
  resolves <- function(plan, prior, ...) interval_resolves(list(plan), list(prior), ...)
  expect_gt(resolves(few, prior)$at, 1)
  expect_lt(resolves(interval_plan(500, 0.5, 0.95, 1), prior)$at, 2e-6)
  # of these 0.1-quantiles 95 of 100 were more than five spreads off, of spreads above those that were told
  expect_identical(resolves(interval_plan(189, 0.1, 0.95, 2 / 3), prior)$at, Inf)
  # a resolution says that no spread is less
  known <- interval_plan(200, 0.5, 0.95, 1, interval_reach(prior_uniform(0, 180), 1))
  expect_identical(known$shares[["centre"]], 0L)
  expect_lt(door_widths(200, known, 50), 0.8 * door_widths(200, interval_plan(200, 0.5, 0.95, 1), 50))
  expect_identical(interval_reach(prior_uniform(0, 20), 1), 10)
  expect_identical(resolves(known, prior_uniform(0, 180), 1)[c("share", "at")], list(share = 0, at = 1))
})

test_that("where no share of a centre serves the widest limits, the widest that it serves are prepared for", {
  skip_on_cran()
  # 98 of 100 of these estimates were noise, without a warning
  x <- matrix(stats::qnorm(stats::ppoints(150)))
  prior <- prior_uniform(-1e6, 1e6)
  served <- function() {
    plan <- interval_plan_of(150, 0.5, 0.95, 1, narrowest_plan(150, 0.5, 0.95, 1, 1e7)$shares)
    drawn <- draw_interval(x, plan, prior, "R", draws = 200L)
    points <- apply(drawn, 1, interval_estimate, plan = plan, prior = prior)
    # a share of .01 is promised; error rate ALPHA
    mean(abs(points) > 5) <= stats::qbinom(ALPHA, 200, 0.01, lower.tail = FALSE) / 200
  }
  expect_true(served())
  expect_true(caught(bug(function() !served(), "narrowest_plan", "served_reach(n, prob, epsilon, reach)",
                         "reach")))
  expect_equal(resolved_plan(narrowest_plan(150, 0.5, 0.95, 1, 1e7)), 3e-7, tolerance = 0.5)
  expect_identical(served_reach(60, 0.5, 1, 1e7), 1e7)
  expect_identical(served_reach(500, 0.5, 1, 1e7), 1e7)
  expect_identical(served_reach(150, 0.5, 1, 50), 50)
})

test_that("as many rows as a tally may hold have a threshold", {
  most <- as.integer(most_tally)
  expect_identical(interval_threshold(most, 1e-8, 0.05, interval_rates(1)),
                   interval_threshold(as.double(most), 1e-8, 0.05, interval_rates(1)))
})

test_that("quantiles that doubles do not tell from 0 have no interval, and are refused in words", {
  for (prob in c(1e-300, 1e-17)) {
    expect_error(dp_quantile(1:100, prob, epsilon = 1, lower = 0, upper = 9, interval = 0.9),
                 "below 1e-16", class = "dpdepth_error_input")
    expect_error(dp_region(cbind(1:900, 1), prob, epsilon = 1, lower = 0, upper = 9, measure = "depth",
                           interval = 0.9), "below 1e-16", class = "dpdepth_error_input")
  }
})
