# The centre of a distribution function between wide limits: rule, laws of centre and scale, planted bugs.

limits_of <- function(lower, upper, step = NULL) {
  quantile_prior(NULL, lower, upper, step, planned_facts(1L, 1L))
}

test_that("a centre is had where limits are wide and rows suffice, by public numbers", {
  parts <- function(n, half, ...) ecdf_centre(n, 1, limits_of(-half, half), ...)
  expect_null(parts(1000, 20, 1)$epsilon)
  expect_identical(parts(1000, 20, 1)$serves, 0.04)
  wide <- parts(1000, 1e7, 1)
  expect_lt(sum(wide$epsilon), 0.15)
  expect_identical(wide$serves, 1)
  expect_null(parts(200, 1e7, 1)$epsilon) # more than 0.6 of epsilon
  expect_lt(sum(parts(200, 1000, 1)$epsilon), 0.6)
  expect_equal(parts(1000, 20)$serves, 40 / 2^27)
  # values in steps of 1 have no smaller spread
  expect_null(ecdf_centre(500, 1, limits_of(0, 200, 1))$epsilon)
  expect_length(ecdf_centre(500, 1, list(prior = prior_dyadic()))$epsilon, 2)
  expect_length(ecdf_centre(1000, 1, list(prior = prior_normal(0, 100)))$epsilon, 2)
  # the rule: (n / 4) epsilon_c is the logarithm of the ratio and what is lost to ties
  cost <- wide$epsilon[["centre"]]
  expect_equal(250 * cost, log(2e7) + log(100 * cost) + 7)
  expect_null(ecdf_centre(1000, 1, list(prior = prior_uniform(-1e300, 1e300)))$epsilon)
})

test_that("the height hardly depends on the limits", {
  skip_on_cran()
  set.seed(1)
  height <- function(half, spread = NULL) {
    mean(replicate(8, {
      r <- dp_ecdf(stats::rnorm(1000), 1, lower = -half, upper = half, band = 0.95, spread = spread,
                   rng = "R")
      sum(diff(c(0, stats::pnorm(r$details$at), 1)) * (c(r$interval[, 2], 1) - c(0, r$interval[, 1])))
    }))
  }
  # one height has a standard deviation of 0.004; 1e7 had 0.94 without a centre
  for (half in c(20, 1e5, 1e7)) expect_lt(height(half), 0.186)
  expect_equal(height(1e7, 1), plan_ecdf(1000, 1, lower = -1e7, upper = 1e7, spread = 1)$height,
               tolerance = 0.05)
})

# Laws of centre and scale, by scores over public lattices.
rank_law <- function(x, at, epsilon) {
  half <- ceiling(length(x) / 2)
  score <- vapply(at, function(z) min(sum(x <= z), sum(x >= z)) - half, 0)
  w <- exp(epsilon / 2 * score)
  w / sum(w)
}
octaves <- c(0, 3)
pair_law <- function(x, epsilon) {
  at <- 0:6
  as.vector(t(vapply(at, function(c) {
    away <- pmin(pmax(ceiling(log2(abs(x - c))), octaves[[1]]), octaves[[2]])
    rank_law(x, at, epsilon[[1]])[[c + 1]] * rank_law(away, octaves[[1]]:octaves[[2]], epsilon[[2]])
  }, numeric(4))))
}

centre_is_drawn_wrong <- function(draws = 1500) {
  x <- matrix(c(0, 1, 1, 3, 6))
  limits <- limits_of(0, 6, 1)
  plan <- list(points = limits, centre = list(epsilon = c(centre = 1.2, scale = 0.9), octaves = octaves))
  draw <- draw_quantiles
  seen <- NULL
  with_bindings(list(draw_quantiles = function(...) {
    out <- draw(...)
    seen <<- c(seen, out)
    out
  }), for (i in seq_len(draws)) draw_centred_prior(x, plan, "R"))
  seen <- matrix(seen, 2)
  law_pvalue(tabulate(seen[1, ] + 1 + 7 * seen[2, ], 28), pair_law(x, plan$centre$epsilon)) < ALPHA
}

test_that("centre and scale have their laws, and over all neighbours of small data cost their shares", {
  skip_on_cran()
  set.seed(2)
  expect_false(centre_is_drawn_wrong())
  bugs <- list(
    "distances from the rows' median" = bug(centre_is_drawn_wrong, "draw_centred_prior", "abs(v - centre)",
                                            "abs(v - sort(v)[3])"),
    "the scale by the centre's rate" = bug(centre_is_drawn_wrong, "draw_centred_prior",
                                           "plan$centre$epsilon[[\"scale\"]]",
                                           "3 * plan$centre$epsilon[[\"centre\"]]"),
    "another quantile" = bug(centre_is_drawn_wrong, "draw_centred_prior", "draw_quantiles(x, 0.5,",
                             "draw_quantiles(x, 0.3,")
  )
  for (name in names(bugs)) expect_true(caught(bugs[[name]]), label = name)
  epsilon <- c(0.7, 0.5)
  sets <- as.matrix(expand.grid(0:6, 0:6, 0:6))
  laws <- log(apply(sets, 1, pair_law, epsilon))
  loss <- 0
  for (i in seq_len(nrow(sets))) {
    near <- which(rowSums(t(t(sets) != sets[i, ])) == 1)
    loss <- max(loss, abs(laws[, near] - laws[, i]))
  }
  expect_lte(loss, sum(epsilon) + 1e-12)
  expect_gt(loss, 0.7 * sum(epsilon))
})

# What is handed on between wide limits: costs above epsilon, or what depends on more than the row and what
# was drawn.
centred_is_wrong <- function() {
  calls <- NULL
  of <- function(x) {
    calls <<- list()
    spent <- 0
    fakes <- list(
      draw_quantiles = function(x, probs, prior, each, levels, source, draws = 1L, resolution = NULL) {
        calls[[length(calls) + 1]] <<- list(x = as.vector(x), rest = list(probs, prior, each, resolution))
        spent <<- spent + sum(each)
        matrix(if (length(calls) == 1) 80 else if (length(calls) == 2) 5 else 60 + 60 * probs, 1)
      },
      draw_bridge = function(m, epsilon, source) {
        spent <<- spent + epsilon
        rep(7, m)
      }
    )
    r <- with_bindings(fakes, dp_ecdf(x, 1, lower = -1e6, upper = 1e6, spread = 1, rng = "R"))
    list(calls = calls, spent = spent, details = r$details, prior = calls[[3]]$rest[[2]])
  }
  x <- as.double(rep(30:150, 5))
  one <- of(x)
  other <- of(replace(x, 1, 1e6))
  rest <- function(r) lapply(r$calls, `[[`, "rest")
  rows <- vapply(seq_along(one$calls), function(i) sum(one$calls[[i]]$x != other$calls[[i]]$x), 0)
  length(one$calls) != 3 || one$spent > 1 || one$spent < 0.999 || !identical(rest(one), rest(other)) ||
    !identical(one$details, other$details) || !all(rows == 1) ||
    !identical(unname(unlist(unclass(one$prior))), c(80, 2^-5))
}

test_that("planted bugs: a centre that costs nothing, a scale or an origin from the rows", {
  expect_false(centred_is_wrong())
  bugs <- list(
    "the centre costs nothing" = bug(centred_is_wrong, "ecdf_plan",
                                     "ecdf_budget(n, epsilon - sum(centre$epsilon))",
                                     "ecdf_budget(n, epsilon)"),
    "distances from the mean" = bug(centred_is_wrong, "draw_centred_prior", "abs(v - centre)",
                                    "abs(v - mean(v))"),
    "octaves from the rows" = bug(centred_is_wrong, "draw_centred_prior",
                                  "prior_uniform(octaves[[1]], octaves[[2]])",
                                  "prior_uniform(octaves[[1]], max(away) + 1)"),
    "the unit from the rows" = bug(centred_is_wrong, "draw_centred_prior", "prior_dyadic(unit, centre)",
                                   "prior_dyadic(unit * max(1, abs(x) / 1e5), centre)"),
    "the rows' median for the origin" = bug(centred_is_wrong, "draw_centred_prior",
                                            "prior_dyadic(unit, centre)",
                                            "prior_dyadic(unit, stats::median(x))"),
    "points clipped at the rows" = bug(centred_is_wrong, "draw_ecdf",
                                       "within_support(at, points)",
                                       "pmin(at, max(x) / 1e4)")
  )
  for (name in names(bugs)) expect_true(caught(bugs[[name]]), label = name)
})

test_that("any rows give a release: atoms, few rows, far rows, tallies, steps", {
  skip_on_cran()
  wide <- function(x, ...) {
    suppressWarnings(dp_ecdf(x, 60, lower = -1e9, upper = 1e9, band = 0.9, ..., rng = "R"),
                     classes = "dpdepth_warning")
  }
  set.seed(3)
  for (x in list(3, c(-1, 1), rep(0.1, 50), rep(1e9, 50), c(1e300, -1e300, rep(0, 30)), rep(-1e300, 40))) {
    r <- wide(x)
    expect_true(all(r$estimate >= 0 & r$estimate <= 1) && all(abs(r$details$at) <= 1e9))
  }
  whole <- wide(stats::rpois(300, 4), resolution = 1)
  expect_true(all(whole$details$at %% 1 == 0) && is_centred(ecdf_plan(300, 60, 0.9, limits_of(-1e9, 1e9, 1))))
  t <- dp_tally(data.frame(v = stats::rnorm(500)), "v", lower = -1e6, upper = 1e6)
  halved <- each_value(t, function(v) floor(v))
  expect_identical(rep(as.vector(halved$points), halved$count), sort(floor(as.vector(as.matrix(t)))))
  tally <- dp_ecdf(t, 2, spread = 1, rng = "R")
  expect_lt(max(abs(predict(tally, -2:2) - stats::pnorm(-2:2))), 0.25)
  expect_match(paste(trimws(format(summary(tally))), collapse = " "), "about a private centre")
  expect_warning(dp_ecdf(1:100, 1, lower = -1e7, upper = 1e7, spread = 1), "outermost points")
  expect_error(dp_ecdf(1:100, 1, lower = 0, upper = 1, spread = -1), "spread", class = "dpdepth_error_input")
})
