# Tests of R/dp-region.R: what a private bagplot costs, hands on and holds; refusals.

# Quantiles without noise, with a record of what was handed on.
recorder <- function(record = function(...) NULL) {
  list(draw_quantiles = function(x, probs, prior, each, levels, source, draws = 1L, resolution = NULL, ...) {
    record(list(x = x, probs = probs, prior = prior, each = each, levels = levels))
    # both from outside, as depths count
    low <- stats::quantile(x, pmin(probs, 0.5), names = FALSE, type = 1)
    matrix(ifelse(probs > 0.5, -stats::quantile(-x, pmin(1 - probs, 0.5), names = FALSE, type = 1), low), 1)
  })
}

handed_on <- function(x, ...) {
  ledger <- dp_ledger(50, 0.5)
  seen <- list()
  fit <- with_bindings(recorder(function(what) {
    seen <<- c(seen, list(c(what, left = summary(ledger)$left[[1]])))
  }), dp_region(x, ..., ledger = ledger, rng = "R"))
  list(fit = fit, seen = seen)
}

set.seed(1)
plane <- cbind(a = rnorm(300), b = rexp(300))

test_that("all draws are paid for: pure, and with delta", {
  overspends <- function() {
    cost <- function(...) {
      run <- suppressWarnings(handed_on(plane, ..., lower = -9, upper = 9),
                              classes = "dpdepth_warning_accuracy")
      list(each = vapply(run$seen, `[[`, 0, "each"), fit = run$fit)
    }
    pure <- cost(0.5, 2, directions = 8)
    deep <- cost(0.2, 2, measure = "depth", directions = 5)
    mixed <- cost(0.5, 2, 1e-6, directions = 40)
    length(pure$each) != 9 || length(deep$each) != 5 || length(mixed$each) != 41 ||
      max(sum(pure$each), sum(deep$each)) > 2 || min(sum(pure$each), sum(deep$each)) < 1.9999 ||
      sum(mixed$each) < 2.5 || sum(mixed$each^2) / 8 > zcdp_rho(2, 1e-6) ||
      !identical(unname(unlist(mixed$fit[c("delta", "guarantee")])), c("1e-06", "approximate")) ||
      !identical(unname(unlist(pure$fit[c("epsilon", "delta", "guarantee")])), c("2", "0", "pure"))
  }
  expect_false(overspends())
  for (b in list(
    # once for all directions; the factor of the mass for nothing
    bug(overspends, "draw_direction_quantiles", "plan$each[[i]], quantile_levels",
        "plan$total, quantile_levels"),
    bug(overspends, "draw_shares", "rep(1, k + (measure == \"mass\"))", "rep(1/k, k + (measure == \"mass\"))",
        "depth_region_plan", "each = budget$each", "each = budget$each * 9/8"),
    bug(overspends, "draw_gauge", "each <- plan$each[[length(plan$each)]]", "each <- plan$total"),
    bug(overspends, "draw_shares", "rep(1, k + (measure == \"mass\"))", "rep(1, k)",
        "depth_region_plan", "each = budget$each", "each = c(budget$each, budget$each[[1]])"),
    bug(overspends, "debit", "if (whole$delta > 0)", "if (FALSE)")
  )) {
    expect_true(caught(b))
  }
})

# One replaced row changes one entry of what each draw is handed, once what was drawn is the same; all else is
# public, and handed on after the debit. Ends of a direction are drawn as two quantiles.
region_is_handed_wrong <- function() {
  run <- function(x) {
    fixed <- recorder()
    seen <- list()
    ledger <- dp_ledger(2)
    fixed$draw_quantiles <- function(x, probs, prior, each, levels, source, ...) {
      seen <<- c(seen, list(list(x, list(probs, prior, each, summary(ledger)$left[[1]]))))
      matrix(if (length(probs) == 3) c(-0.02, 0.01, 0.04) else 1.5, 1)
    }
    fit <- with_bindings(fixed, dp_region(x, 0.5, 2, lower = c(-50, -20), upper = 50, ledger = ledger,
                                          rng = "R"))
    fit$call <- NULL
    list(x = lapply(seen, `[[`, 1), public = lapply(seen, `[[`, 2), fit = fit)
  }
  apart <- function(i) {
    vapply(list(c(49, -4e3), c(1e300, -1e308), c(0.3, 0.1)), function(row) {
      one <- run(plane)
      other <- run(replace(plane, cbind(i, 1:2), row))
      changed <- Map(function(a, b) which(a != b), one$x, other$x)
      !all(vapply(changed, identical, NA, i)) || !identical(one[-1], other[-1])
    }, NA)
  }
  one <- run(plane)
  probs <- one$public[[1]][[1]]
  any(apart(7L)) || any(apart(300L)) || one$public[[1]][[4]] != 0 || length(one$x) != 5 ||
    !identical(probs[c(1, 3)], c(1 - probs[[3]], 1 - probs[[1]])) || probs[[1]] >= 0.4 ||
    !isTRUE(all.equal(as.vector(one$x[[1]]), unname(plane[, 1] / 50))) ||
    !isTRUE(all.equal(as.vector(one$x[[3]]), unname(plane[, 2] - 15) / 35)) ||
    nrow(one$fit$details$region) != 8
}

test_that("draws are handed rows one by one, and public numbers, after the debit", {
  skip_on_cran()
  expect_false(region_is_handed_wrong())
  handed <- "whiten_rows(rows, plan$frame)"
  for (b in list(
    bug(region_is_handed_wrong, "release_by", "debit(given$ledger", "debit(NULL"),
    late_debit(region_is_handed_wrong),
    # directions, units or the centre from the data
    bug(region_is_handed_wrong, "draw_direction_quantiles", "u <- plan$directions[i, ]",
        "u <- plan$directions[i, ] %*% eigen(stats::var(pmin(z, 1)))$vectors"),
    bug(region_is_handed_wrong, "draw_polygons", handed, "scale(rows)"),
    bug(region_is_handed_wrong, "row_gauges", "out <- numeric(nrow(z))",
        "out <- numeric(nrow(z)); sides$centre <- colMeans(z)"),
    # one number for a row that is a function of all rows
    bug(region_is_handed_wrong, "row_gauges", "out <- pmax(out, far/sides$reach[[i]])",
        "out <- pmax(out, rank(far)/sides$reach[[i]])"),
    # both ends of a direction taken for one
    bug(region_is_handed_wrong, "polygon_sides", "u <- rbind(plan$directions, -plan$directions)",
        "u <- plan$directions", "polygon_sides", "at <- c(quantiles[, 3], -quantiles[, 1])",
        "at <- quantiles[, 3]")
  )) {
    expect_true(caught(b))
  }
})

test_that("without noise, half of the rows lie in the bag, and depth regions are those without privacy", {
  skip_on_cran()
  run <- handed_on(plane, 0.5, 40, lower = -9, upper = 9, directions = 32)
  bag <- run$fit$details$region
  inside <- function(z, p, slack = 1e-9) {
    to <- p[c(seq_len(nrow(p))[-1], 1), ]
    apply(z, 1, function(q) {
      all((to[, 1] - p[, 1]) * (q[[2]] - p[, 2]) - (to[, 2] - p[, 2]) * (q[[1]] - p[, 1]) >= -slack)
    })
  }
  expect_lte(abs(sum(inside(plane, bag)) - 150), 1)
  expect_true(inside(t(coef(run$fit)), bag))
  deep <- handed_on(plane, 0.2, 40, lower = -9, upper = 9, directions = 32, measure = "depth")$fit
  exact <- depth_region(plane, 0.2)
  expect_true(all(inside(exact$vertices[[1]], deep$details$region)))
  expect_lt(polygon_area(deep$details$region), 1.1 * exact$area)
  expect_equal(polygon_area(exact$vertices[[1]]), exact$area)
  expect_equal(polygon_area(deep$details$fence), 9 * polygon_area(deep$details$region))
  expect_gt(nrow(deep$details$region), 10)
  # in the units of a public covariance
  prior <- prior_normal(c(0, 1), covariance = matrix(c(1, 0.9, 0.9, 1), 2))
  own <- handed_on(plane, 0.2, 40, prior = prior, measure = "depth", directions = 32)$fit
  expect_true(all(inside(exact$vertices[[1]], own$details$region)))
})

test_that("a release holds a median, polygons and public numbers, and says so", {
  set.seed(3)
  bag <- dp_region(plane, epsilon = 8, lower = -9, upper = 9, rng = "R")
  expect_s3_class(bag, c("dp_region", "dp_release"), exact = TRUE)
  rows <- tidy(bag)
  expect_identical(names(rows), c("part", "vertex", "a", "b"))
  expect_identical(unlist(rows[1, 3:4]), coef(bag))
  expect_identical(unique(rows$part), c("median", "region", "fence"))
  expect_identical(as.data.frame(bag)[names(rows)], rows)
  expect_error(tidy(bag, conf.int = TRUE), "none was asked for", class = "dpdepth_error_input")
  expect_match(paste(format(bag), collapse = " "), "region of 8 vertices, fence of 8", fixed = TRUE)
  expect_output(print(summary(bag)), "fence +8 ")
  expect_lt(length(serialize(bag, NULL)), 4000)
  none <- dp_region(plane, epsilon = 8, lower = -9, upper = 9, fence = NULL, rng = "R")
  expect_identical(unique(tidy(none)$part), c("median", "region"))
  atoms <- suppressWarnings(dp_region(matrix(3, 9, 2), epsilon = 1, lower = 0, upper = 4, rng = "R"),
                            classes = "dpdepth_warning")
  expect_false(anyNA(unlist(tidy(atoms)[3:4])))
})

test_that("what is no region is refused in words, before anything is spent", {
  budget <- dp_ledger(epsilon = 5)
  refused <- function(about, x = plane, level = 0.5, epsilon = 1, ..., lower = -9, upper = 9) {
    expect_error(dp_region(x, level, epsilon, lower = lower, upper = upper, ..., ledger = budget), about,
                 class = "dpdepth_error_input")
  }
  refused("two variables", cbind(plane, 1))
  refused("`level` must be", level = 1)
  refused("`level` must be", level = 0.6, measure = "depth")
  refused("`measure` must be", measure = "area")
  refused("`directions` must be", directions = 1)
  refused("`fence` must be", fence = 0.5)
  refused("a region needs them", lower = NULL)
  refused("dyadic.*dp_median_exponential", lower = NULL, upper = NULL, prior = prior_dyadic())
  refused("`epsilon` must be from 1e-6", epsilon = 1e-6)
  refused("`alpha` is not an argument", alpha = 0.1)
  expect_identical(nrow(as.data.frame(budget)), 0L)
  expect_warning(dp_region(plane[1:20, ], epsilon = 0.1, lower = -9, upper = 9, rng = "R"), "noise as wide",
                 class = "dpdepth_warning_accuracy")
})

# Does anything but the draws tell of n where it is private, or is a draw made as for a public one?
region_tells_size <- function() {
  asked <- list()
  keep <- function(x, probs, prior, each, levels, source, draws = 1L, resolution = NULL,
                   private = FALSE) {
    asked[[length(asked) + 1]] <<- list(probs, prior, each, levels, private)
    if (!private || nrow(x) == 0) stop("not private")
    matrix(if (length(probs) == 1) 1 else c(-1, 0, 1), 1)
  }
  of <- function(x) {
    asked <<- list()
    r <- with_bindings(list(draw_quantiles = keep), {
      dp_region(x, epsilon = 2, lower = -9, upper = 9, neighbours = "add_remove", rng = "R")
    })
    list(asked, r[names(r) != "call"])
  }
  seen <- tryCatch(lapply(list(matrix(0, 0, 2), cbind(1:4e4 %% 9, 1)), of), error = function(e) NULL)
  if (is.null(seen)) return(TRUE)
  spent <- sum(vapply(seen[[1]][[1]], `[[`, 0, 3))
  !identical(seen[[1]], seen[[2]]) || !is.na(seen[[1]][[2]]$n) || spent > 2
}

# Do warnings depend on the number of rows? Of a delta above 1/n, and of noise as wide as the limits.
region_warns_by_size <- function() {
  told <- function(x, delta) {
    said <- character()
    keep <- function(w) {
      said <<- c(said, conditionMessage(w))
      invokeRestart("muffleWarning")
    }
    drawn <- function(x, probs, ...) matrix(if (length(probs) == 1) 1 else c(-1, 0, 1), 1)
    with_bindings(list(draw_quantiles = drawn), withCallingHandlers(dpdepth_warning = keep, {
      dp_region(x, epsilon = 0.01, delta = delta, lower = -9, upper = 9, neighbours = "add_remove")
    }))
    said
  }
  of <- function(x) lapply(c(0, 1e-3), told, x = x)
  !identical(of(matrix(0, 0, 2)), of(cbind(1:1000 %% 9, 1)))
}

test_that("where n is private a region is that of a data set without rows, but for the draws", {
  expect_false(region_tells_size())
  expect_false(region_warns_by_size())
  expect_true(caught(bug(region_warns_by_size, "facts_of", "if (given$private) private_size else nrow(rows)",
                         "nrow(rows)")))
  expect_true(caught(bug(region_tells_size, "draw_gauge",
                         "private = private", "private = FALSE")))
  expect_true(caught(bug(region_tells_size, "facts_of", "if (given$private) private_size else nrow(rows)",
                         "nrow(rows)")))
  set.seed(94)
  x <- matrix(stats::rnorm(8000), 4000) # public-rng: simulated data
  r <- dp_region(x, epsilon = 5, lower = -9, upper = 9, neighbours = "add_remove", rng = "R")
  # the disc that holds half of a normal law
  expect_equal(polygon_area(r$details$region) / (pi * stats::qchisq(0.5, 2)), 1, tolerance = 0.15)
  expect_error(dp_region(x, 0.2, 5, lower = -9, upper = 9, measure = "depth", interval = 0.9,
                         neighbours = "add_remove"), class = "dpdepth_error_input")
})

# -- pictures --------------------------------------------------------------------------------------

test_that("regions are drawn, those of a median with an interval as well", {
  skip_if_not_installed("ggplot2")
  set.seed(4)
  plane <- cbind(a = rnorm(300), b = rexp(300))
  bag <- dp_region(plane, epsilon = 8, lower = -9, upper = 9, rng = "R")
  region <- function(x) {
    dp_median(x, 4, lower = -9, upper = 9, interval = 0.9, method = "exponential", rng = "R")
  }
  open <- region(plane + 300)
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  for (r in list(bag, region(plane), open)) {
    expect_identical(plot(r), r)
    picture <- ggplot2::autoplot(r)
    ggplot2::ggplotGrob(picture)
    expect_identical(picture$labels$x, "a")
    expect_lt(length(serialize(picture$plot_env, NULL)), 100)
  }
  expect_equal(range(region_outline(open, public_range(open))), c(-9, 9))
  fit <- region(plane)
  outline <- region_outline(fit, NULL)
  expect_equal(unname(t(apply(outline, 2, range))), unname(fit$interval), tolerance = 1e-3)
})

# -- confidence ------------------------------------------------------------------------------------

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
  skip_on_cran()
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
  skip_on_cran()
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
