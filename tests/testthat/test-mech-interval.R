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
  plan <- interval_plan_of(200, 0.9, 0.9, 1, c(14L, 16L, 10L))
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
  wrong <- FALSE
  for (i in 1:4) {
    asked <- list(200, 0.5, 0.9, 1)
    asked[[i]] <- asked[[i]] * (1 + 2^-7)
    plan <- interval_plan(200, 0.5, 0.9, 1)
    other <- do.call(interval_plan, asked)
    own <- do.call(narrowest_plan, asked)
    wrong <- wrong || !identical(other[-5], own[-5]) || identical(plan[-5], other[-5])
  }
  several <- interval_plans(500, c(0.2, 0.5, 0.2), 0.9, 1)
  wrong || !identical(unlist(lapply(several, `[[`, "prob")), c(0.2, 0.5, 0.2))
}

test_that("plans are kept by all of their numbers", {
  skip_on_cran()
  expect_false(plans_are_mixed_up())
  key <- "sprintf(\"%.0f %a %a %a %d\", n, prob, level, epsilon, choose)"
  for (b in list(
    bug(plans_are_mixed_up, "interval_plan", key, "sprintf(\"%.0f %a %a\", n, prob, level)"),
    bug(plans_are_mixed_up, "interval_plan", key,
        "sprintf(\"%.0f %.1f %.1f %.1f\", n, prob, level, epsilon)"),
    bug(plans_are_mixed_up, "interval_plan", key, "sprintf(\"%a %a %a\", prob, level, epsilon)"),
    bug(plans_are_mixed_up, "interval_plans", "[match(probs, kinds)]", "")
  )) {
    expect_true(caught(b))
  }
})

# Does a plan miss more often than it says?
plans_miss <- function() {
  plans <- c(lapply(c(0.3, 0.5, 0.9), interval_plan, n = 60, level = 0.9, epsilon = 1.2),
             list(interval_plan_of(60, 0.5, 0.9, 1.2, c(12L, 4L, 24L))))
  for (plan in plans) {
    prob <- plan$prob
    part <- 1.2 * plan$shares / 40
    sides <- if (plan$mirrored) c(prob, 1 - prob) else c(1 - prob, prob)
    misses <- c(miss_probability(60, sides[[1]], plan$first, list(rho = part[[1]], nu = part[[2]])),
                miss_probability(60, sides[[2]], plan$second, list(rho = part[[1]], nu = part[[3]])))
    if (any(misses > 0.05 + 1e-12) || sum(plan$shares) != 40) return(TRUE)
  }
  FALSE
}

test_that("bugs planted in thresholds are seen", {
  expect_false(plans_miss())
  bugs <- list(
    "one too near" = bug(plans_miss, "interval_threshold", "as.integer(low)", "as.integer(low + 1)"),
    "both sides at alpha" = bug(plans_miss, "interval_plan_of", "(1 - level)/2", "1 - level"),
    "the other side's law" = bug(plans_miss, "interval_plan_of", "rev(sides)", "sides"),
    "the first scan's noise for both" =
      bug(plans_miss, "interval_rates", "shares[[1 + scan]]", "shares[[2]]"),
    "no noise on the threshold" = bug(plans_miss, "noise_below", "exp(rates$rho * ", "0 * exp(rates$rho * "),
    "more noise at points than there is" =
      bug(plans_miss, "interval_rates", "shares[[1 + scan]]/40 * epsilon", "0.1 * epsilon")
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

test_that("draws of the R entry follow the law of both scans", {
  skip_on_cran()
  x <- c(2, 5, 5, 6)
  plan <- list(mirrored = FALSE, first = 1L, second = 1L, cells = 7L, epsilon = 1.5,
               shares = c(14L, 13L, 13L))
  draws <- draw_interval(matrix(x), plan, prior_uniform(0, 7), "R", resolution = 1, draws = 20000L)
  down <- 7:0
  first <- stretch_law(vapply(down, function(g) sum(x >= g), 0), rep(1, 8), 1, exact_rates(1.5))
  # the place of the first stop, from the upper limit
  upper <- c(Inf, 6:-1)
  counts <- vapply(upper, function(u) sum(draws[, 2] == u), 0)
  expect_law(counts, first)
  wrong <- stretch_law(vapply(down, function(g) sum(x > g), 0), rep(1, 8), 1, exact_rates(1.5))
  expect_not_law(counts, wrong, "open counts")
})

test_that("several quantiles share epsilon, or the level as well", {
  x <- matrix(stats::qnorm(stats::ppoints(2000)))
  prior <- prior_uniform(-50, 50)
  each <- quantile_interval(x, c(0.25, 0.5, 0.9), 3, prior, 0.95, "R")
  expect_identical(dim(each$interval), c(3L, 2L))
  expect_identical(colnames(each$interval), c("lower", "upper"))
  expect_identical(vapply(each$plans, `[[`, 0, "epsilon"), rep(1, 3))
  expect_identical(each$plans[[2]]$level, 0.95)
  expect_equal(quantile_interval(x, c(0.2, 0.5), 3, prior, 0.9, "R", simultaneous = TRUE)$plans[[1]]$level,
               0.95)
  expect_true(all(each$estimate >= each$interval[, 1] & each$estimate <= each$interval[, 2]))
  expect_true(all(diff(each$estimate) > 0))
})

test_that("the point between the limits", {
  prior <- prior_uniform(0, 10)
  expect_identical(interval_centre(c(2, 4), 0.5, prior), 3)
  expect_identical(interval_centre(c(2, 4), 0.25, prior), 2.5)
  expect_identical(interval_centre(c(2, 4), 1.5, prior), 4)
  plan <- interval_plan(200, 0.9, 0.9, 1)
  expect_equal(plan$weight, (180 - plan$first) / (200 - plan$first - plan$second))
  plan <- interval_plan(200, 0.3, 0.9, 1)
  expect_equal(plan$weight, (60 - plan$second) / (200 - plan$first - plan$second))
  expect_identical(interval_centre(c(11, Inf), 0.5, prior), 11)
  expect_identical(interval_centre(c(2, 5), 0.5, prior, resolution = 1), 4)
  expect_identical(interval_centre(c(-Inf, 4), 0.5, prior), 2)
  expect_identical(interval_centre(c(-Inf, Inf), 0.5, prior), 5)
  expect_identical(interval_centre(c(-Inf, -1), 0.5, prior), -1)
  expect_identical(interval_centre(c(2, Inf), 0.5, prior_normal(0, 1)), 2.5)
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
    expect_error(dp_region(cbind(1:900, 1), prob, epsilon = 1, lower = 0, upper = 9, by = "depth",
                           interval = 0.9), "below 1e-16", class = "dpdepth_error_input")
  }
})
