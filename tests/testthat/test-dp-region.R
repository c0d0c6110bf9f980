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
