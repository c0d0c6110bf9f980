# Tests of tallies in cells, refined where a draw needs it: R/mech-tally-cells.R.

# Whole numbers x, limits 0 and top, a column a variable, in cells of `wide` points; reads(): how often it was
# asked.
small_cells <- function(x, wide, top = 11) {
  x <- as.matrix(x)
  reads <- 0
  read <- function(keys) {
    reads <<- reads + 1
    lapply(seq_len(nrow(keys)), function(j) {
      merge_atoms(matrix(keys_of_cells(x[, j], keys[j, ])), rep(1, nrow(x)))
    })
  }
  lattice <- tally_lattice(0, top, 1, letters[seq_len(ncol(x))], margins = TRUE)
  t <- new_cells(lattice, read, FALSE, (top + 1) / wide)
  stopifnot(all(t$keys[, "wide"] == wide))
  list(tally = t, reads = function() reads)
}

opened <- function(t, base, epsilon, reach, ...) {
  with_bindings(list(cell_reach = function(...) reach), open_cells(t, base, epsilon, ...))
}

one_draw <- function(t, epsilon) {
  prior <- prior_uniform(t$lower, t$upper)
  draw_cells(t, function(rows) draw_axes(rows, prior, epsilon, "R", resolution = t$resolution, scored = TRUE))
}

grid_points <- function(d, top = 11) as.matrix(expand.grid(rep(list(0:top), d)))

# The law of draw_cells(), without draws: levels with the kernel's weights, points of their boxes, those kept
# that cells_reach() keeps. score(rows, z): of the points z; base: as open_cells() has it.
kept_law <- function(t, base, epsilon, reach, bits, score, first = 0, ...) {
  t <- opened(t, base, epsilon, reach, ...)
  z <- grid_points(length(t$parts), t$upper[[1]])
  bits <- bits(t$around)
  h <- score(expand_tally(t$around), z)
  law <- numeric(nrow(z))
  for (i in seq_along(bits)) {
    k <- if (i == 1) -Inf else first + i - 1
    box <- which(h >= k)
    kept <- vapply(box, function(p) cells_reach(t, z[p, ], base + max(k, -1e9)), NA)
    law[box] <- law[box] + kept * 2^-bits[[i]] / length(box)
  }
  law / sum(law)
}

median_law <- function(x, wide, reach, epsilon) {
  x <- as.matrix(x)
  fields <- prior_fields(prior_uniform(rep(0, ncol(x)), rep(11, ncol(x))), rep(1, ncol(x)))
  kept_law(small_cells(x, wide)$tally, c(0, 0), epsilon, reach,
           function(rows) .Call(ffi_axes_levels, rows, fields, epsilon, NULL),
           function(rows, z) slow_axes(z, rows))
}

true_law <- function(x, epsilon) {
  x <- as.matrix(x)
  axes_law(x, grid_points(ncol(x)), weight = half_rate(epsilon))
}

cell_cases <- function() {
  set.seed(7)
  list(c(0, 4, 4, 4, 5, 9, 11), c(-3, -1, 2, 14, 20), rep(5, 6), c(5, 6), c(3, 5, 5, 5, 8, 8),
       c(-2, -1, 3, 3), c(2, 2, 2, 3, 10, 20), 12:14, 7, sample(0:11, 12, TRUE),
       matrix(c(1, 3, 3, 5, 11, 2, 2, 8, 9, 20), 5))
}

test_that("the law is that of the fine lattice, whatever cells and window are", {
  skip_on_cran()
  wrong <- function(cases = cell_cases(), wides = c(2, 5), reaches = c(0, 2)) {
    off <- vapply(cases, function(x) {
      at <- expand.grid(wide = wides, reach = reaches)
      max(mapply(function(wide, reach) {
        max(abs(median_law(x, wide, reach, 2) / true_law(x, 2) - 1))
      }, at$wide, at$reach))
    }, 0)
    any(is.na(off)) || max(off) > 1e-8
  }
  expect_false(wrong())
  few <- function() wrong(cell_cases()[c(1, 5)], 2:3, 0)
  seen <- function(...) expect_true(caught(bug(few, ...)))
  seen("open_cells", "<- x$keys[j, 1] - 1", "<- window[j, 1] - 1")
  seen("cells_reach", "return(FALSE)", "reached[[j]] <- TRUE")
  seen("cells_reach", "at <= index[[j]]", "at < index[[j]]")
  seen("cells_reach", "all(sides >= least)", "any(sides >= least)")
  seen("cells_reach", "at > start", "at >= start")
  # the last cell is short, and the table would seem to have changed after the debit
  last <- function() {
    tryCatch(wrong(list(c(2, 2, 2, 3, 10, 20)), 5, 0), dpdepth_error_database = function(e) TRUE)
  }
  expect_true(caught(bug(last, "cells_reach", "min(start + keys[[\"wide\"]] - 1, keys[[\"to\"]])",
                         "start + keys[[\"wide\"]] - 1")))
})

test_that("neighbours have laws within epsilon", {
  set.seed(3)
  worst <- 0
  for (i in 1:12) {
    x <- sample(-1:12, 4, TRUE)
    y <- replace(x, 1, sample(-1:12, 1))
    worst <- max(worst, abs(log(median_law(x, 4, 0, 3) / median_law(y, 3, 1, 3))))
  }
  expect_lte(worst, 3 + 1e-9)
  expect_gt(worst, 2)
})

# Rows beyond the limits count as rows at them.
quantile_score <- function(a, b) {
  function(rows, z) {
    rows <- pmin(pmax(rows, 0), 11)
    vapply(z[, 1], function(v) min(sum(rows <= v) - a, sum(rows >= v) - b), 0)
  }
}

quantile_law <- function(x, p, wide, reach) {
  r <- quantile_ranks(length(x), p)
  base <- c(r$below, r$above)
  fields <- prior_fields(prior_uniform(0, 11), 1)
  kept_law(small_cells(x, wide)$tally, base, 1, reach, function(rows) {
    .Call(ffi_axes_levels, rows, fields, 1, as.integer(c(base, TRUE)))
  }, quantile_score(r$below, r$above), -max(base), to_ends = TRUE)
}

test_that("a quantile has the law of the fine lattice", {
  skip_on_cran()
  outside <- list(rep(-5, 4), c(-5, -5, -1, 6), c(14, 15, 30), c(-1, 20, 20, 20))
  wrong <- function(cases = Filter(function(x) is.null(dim(x)), cell_cases()), reach = 0) {
    off <- vapply(c(outside, cases), function(x) {
      max(vapply(c(0.1, 0.25, 0.8), function(p) {
        r <- quantile_ranks(length(x), p)
        truth <- exp(quantile_score(r$below, r$above)(x, grid_points(1)) / 2)
        max(abs(quantile_law(x, p, 3, reach) * sum(truth) / truth - 1))
      }, 0))
    }, 0)
    any(is.na(off)) || max(off) > 1e-8
  }
  expect_false(wrong())
  expect_false(wrong(NULL, 50))
  expect_true(caught(bug(wrong, "cells_reach", "sum(count[at >= index[[j]]]) >= least[[2]]", "TRUE")))
  expect_true(caught(bug(function() wrong(NULL, 50), "rows_at_ends", "merge_atoms(at,",
                         "merge_atoms(parts[[j]]$points,")))
  # a row that comes from beyond the limits into them
  ratio <- log(quantile_law(rep(-5, 12), 0.5, 3, 50) / quantile_law(c(6, rep(-5, 11)), 0.5, 3, 50))
  expect_lte(max(abs(ratio)), 1 + 1e-9)
})

test_that("a quantile's draws tell their levels", {
  set.seed(12)
  fields <- prior_fields(prior_uniform(0, 11), 1)
  x <- matrix(c(0, 4, 4, 4, 5, 9, 11, 2, 2, 8))
  weights <- 2^-.Call(ffi_axes_levels, x, fields, 0.5, c(3L, 8L, 1L))
  drawn <- t(replicate(1500, .Call(ffi_median_axes, "R", x, fields, 0.5, c(3L, 8L, 1L), 1L, TRUE)[1, ]))
  # the last of the levels is the highest that a point has
  score <- quantile_score(3, 8)
  top <- max(score(x, grid_points(1)))
  levels <- c(-2^31, seq(to = top, length.out = length(weights) - 1))
  expect_law(tabulate(match(drawn[, 2], levels), length(levels)), weights / sum(weights))
  expect_true(all(drawn[, 2] %in% levels & score(x, drawn) >= drawn[, 2]))
})

test_that("draws follow the law, outside the window as well, and are drawn anew until one is kept", {
  skip_on_cran()
  set.seed(5)
  x <- c(0, 4, 4, 4, 5, 9, 11, 2, 2, 8)
  small <- small_cells(x, 3)
  t <- opened(small$tally, c(0, 0), 1, 0)
  draws <- function() {
    z <- replicate(1200, one_draw(t, 1))
    law_pvalue(tabulate(z + 1, 12), true_law(x, 1))
  }
  expect_gt(draws(), ALPHA)
  quantile <- opened(small$tally, c(3, 8), 0.5, 0, to_ends = TRUE)
  plan <- list(split = 1L, share = 1)
  z <- replicate(1200, draw_quantiles(quantile, 0.25, prior_uniform(0, 11), 0.5, plan, "R", resolution = 1))
  truth <- exp(quantile_score(3, 8)(x, grid_points(1)) / 4)
  expect_law(tabulate(z + 1, 12), truth / sum(truth))
  expect_gt(small$reads(), 100) # of cells outside
  forgotten <- bug(function() draws() < ALPHA, "draw_cells",
                   "cells_reach(x, z, x$base + drawn[[length(drawn)]])", "TRUE")
  expect_true(caught(forgotten))
})

test_that("where the window is the whole axis, draws are those of the rows from the same tape", {
  set.seed(6)
  x <- data.frame(a = stats::rnorm(60, 3, 4), b = stats::runif(60))
  for (resolution in list(NULL, 0.1)) {
    draw <- function(x, release, ...) {
      set.seed(4)
      suppressWarnings(release(x, epsilon = 2, rng = "R", ...)$estimate, classes = "dpdepth_warning")
    }
    t <- dp_tally(x, lower = -9, upper = 9, resolution = resolution, refine = TRUE)
    same <- function(t, x, ...) {
      expect_identical(draw(t, ...), draw(x, ..., lower = -9, upper = 9, resolution = resolution))
    }
    same(t, x, dp_median_exponential, directions = "axes")
    same(t["b"], x["b"], dp_median_exponential, directions = "axes")
    same(t["b"], x["b"], dp_quantile, probs = 0.2)
  }
  rows <- draw(x["b"], dp_median_exponential, directions = "axes", lower = -9, upper = 9, resolution = 0.1)
  expect_identical(draw(t["b"], dp_median), rows)
})

test_that("few points are read of many rows", {
  skip_on_cran()
  set.seed(8)
  x <- stats::rnorm(1e5, 50, 5)
  t <- dp_tally(x, lower = 0, upper = 100, refine = TRUE)
  expect_lt(length(t$parts[[1]]$count), 4e4)
  expect_lt(length(open_cells(t, c(0, 0), 1)$around$count), 1000)
  expect_lt(abs(dp_median(t, 1)$estimate - stats::median(x)), 0.1)
  expect_lt(abs(dp_quantile(t, 0.9, 1)$estimate - stats::quantile(x, 0.9)), 0.1)
})

test_that("where most rows are beyond a limit, or on it, the window is at that limit", {
  skip_on_cran()
  reads <- function(x, epsilon = 6) {
    small <- small_cells(x, 10, 1000)
    t <- open_cells(small$tally, c(0, 0), epsilon)
    for (k in 1:3) one_draw(t, epsilon)
    small$reads() - 2
  }
  x <- c(rep(-1, 240), round(seq(0, 999, length.out = 160)))
  expect_identical(reads(x), 0)
  expect_identical(reads(1000 - x), 0)
  expect_identical(reads(cbind(x, rev(1000 - x) / 2)), 0)
  few <- bug(function() reads(x) > 0, "open_cells", "base + peak", "base + floor(x$n / 2)")
  expect_true(caught(few))
  # limits between lattice points: rows at a limit may be rounded out of the support
  for (ends in list(c(0.4, 10.6), c(0.1, 11.3), c(-0.3, 9))) {
    t <- dp_tally(c(ends, 5), lower = ends[[1]], upper = ends[[2]], resolution = 1, refine = 3)
    expect_identical(t$keys[1:2], c(ceiling(ends[[1]]), floor(ends[[2]])))
  }
  expect_identical(dp_tally(0.3, lower = 0.3, upper = 0.7, resolution = 0.1, refine = 3)$keys[1:2], c(3, 7))
  expect_identical(dp_tally(0.1, lower = 0, upper = 0.29, resolution = 0.01, refine = 3)$keys[1:2], c(0, 29))
})

test_that("of each id one row is counted in both passes, and a release says so", {
  t <- dp_tally(data.frame(who = rep(1:20, 3), x = 1:60), lower = 0, upper = 99, id = ~who, refine = 16)
  ledger <- dp_ledger(2, 0)
  r <- suppressWarnings(dp_median(t, 1, ledger = ledger))
  q <- suppressWarnings(dp_quantile(t, 0.5, 1, ledger = ledger))
  for (release in list(r, q)) {
    expect_identical(release$n, 20L)
    expect_match(release$details$id, "one row of each")
  }
  expect_identical(as.data.frame(ledger)$epsilon, c(1, 1))
  t$read <- function(keys) stop_database("count")
  ledger <- dp_ledger(1)
  expect_error(dp_quantile(t, 0.5, 1, ledger = ledger), class = "dpdepth_error_database")
  expect_identical(nrow(as.data.frame(ledger)), 0L)
})

# The mass of the points of which a third pass may ask, times exp(nats).
asked_mass <- function(x, base, epsilon, nats = 3) {
  t <- with_bindings(list(cell_nats = nats), open_cells(small_cells(x, 10, 999)$tally, base, epsilon))
  z <- grid_points(1, 999)
  law <- exp(epsilon / 2 * quantile_score(base[[1]], base[[2]])(x, z))
  exp(nats) * sum(law[z < t$window[1, 1] | z > t$window[1, 2]]) / sum(law)
}

test_that("how likely a third pass is has its bound", {
  # many points that are nearly as good, and would stand beside a narrower window
  cases <- list(list(rep(c(0, 480, 490, 500, 510, 999), c(10, 15, 15, 2, 30, 10)), c(20, 60), 1),
                list(rep(c(0, 480, 1500), c(59, 1, 120)), c(20, 0), 1))
  wrong <- function() any(vapply(cases, function(case) do.call(asked_mass, case), 0) > 1)
  expect_false(wrong())
  for (b in list(bug(wrong, "cell_reach", "2/epsilon", "1/epsilon"),
                 bug(wrong, "cell_reach", "sum(log(x$keys[, \"to\"] - x$keys[, \"from\"] + 1))", "0"),
                 bug(wrong, "open_cells", "x$n + 1 - sum(base)", "x$n + 1"),
                 bug(wrong, "open_cells", "x$keys[j, 1])) - base", "x$keys[j, 1]))"))) {
    expect_true(caught(b))
  }
})

test_that("other releases and other limits are refused, and nothing is spent", {
  set.seed(9)
  x <- data.frame(a = stats::rnorm(50), b = stats::rnorm(50))
  t <- dp_tally(x, lower = -5, upper = 5, refine = 16)
  one <- t["a"]
  ledger <- dp_ledger(10)
  refused <- function(...) expect_error(..., class = "dpdepth_error_input")
  refused(dp_median(t, 1, ledger = ledger))
  refused(dp_median(one, 1, lower = 0, upper = 1, ledger = ledger))
  refused(dp_median(one, 1, prior = prior_normal(0, 1), ledger = ledger))
  refused(dp_median(one, 1, resolution = 1, ledger = ledger))
  refused(dp_median(one, 1, interval = 0.9, ledger = ledger))
  refused(dp_median(one, 1, neighbours = "add_remove", ledger = ledger))
  refused(dp_median_exponential(one, 1, depth = "idd", ledger = ledger))
  refused(dp_median(one, 1, 1e-6, method = "smooth", ledger = ledger))
  refused(dp_median(one, 1, id = 1:50, ledger = ledger))
  refused(dp_median_exponential(one, 1, lower = -5, upper = 5, ledger = ledger))
  refused(dp_quantile(one, 1:2 / 3, 1, ledger = ledger))
  refused(dp_quantile(t, 0.5, 1, ledger = ledger))
  refused(dp_quantile(one, 0.5, 1, interval = 0.9, ledger = ledger))
  refused(dp_mean(one, 1, lower = -5, upper = 5, ledger = ledger))
  refused(dp_ecdf(one, 1, lower = -5, upper = 5, ledger = ledger))
  refused(dp_depth(0, one, 1, lower = -5, upper = 5, ledger = ledger))
  refused(dp_region(t, 0.5, 1, lower = -5, upper = 5, ledger = ledger))
  refused(dp_regression(a ~ b, t, 1, lower = -5, upper = 5, ledger = ledger))
  refused(dp_by(one, by = 1:50, release = dp_median, epsilon = 1, levels = 1:2, ledger = ledger))
  refused(dp_test(one, 1, ledger = ledger))
  refused(dp_tally(one, lower = 0, upper = 1))
  refused(c(dp_tally(x, lower = -5, upper = 5), t))
  refused(t["z"])
  expect_identical(nrow(as.data.frame(ledger)), 0L)
})

test_that("a tally that was changed by hand is refused, and nothing is spent; no sum shows the contents", {
  x <- data.frame(a = c(1, 4, 4, 8), b = c(2, 3, 5, 7))
  ledger <- dp_ledger(1)
  refused <- function(t, ...) {
    for (change in list(...)) {
      changed <- unclass(t)
      changed[names(change)] <- change
      along <- if (is_cells(t)) "axes"
      e <- tryCatch(dp_median_exponential(structure(changed, class = class(t)), 1, directions = along,
                              ledger = ledger), error = identity)
      expect_s3_class(e, "dpdepth_error_input")
    }
  }
  part <- function(...) list(parts = list(list(points = matrix(c(0, 4)), count = c(...)))[c(1, 1)])
  cells <- dp_tally(x, lower = 0, upper = 9, resolution = 1, refine = 3)
  refused(cells, list(n = 3), list(n = NA), part(1.5, 2.5), part(-1, 5), part(NA, 4), list(keys = "a"),
          list(read = NULL), list(parts = list()), list(lower = c(a = 0)))
  along <- dp_tally(x, lower = 0, upper = 9, resolution = 1, directions = cbind(1, 1))
  refused(along, list(n = 3), list(values = list()), list(ends = along$ends[1:2]),
          list(values = rep(list(numeric(0)), 3), ends = rep(list(integer(0)), 3)),
          list(ends = rep(list(c(3L, 2L, 4L)), 3)), list(directions = along$directions * 0.5),
          list(directions = along$directions[c(3, 2, 1), ]), list(directions = along$directions * 1e9))
  expect_s3_class(suppressWarnings(dp_median(along, 1)), "dp_release")
  expect_identical(nrow(as.data.frame(ledger)), 0L)
  expect_error(c(cells, cells), class = "dpdepth_error_input")
  expect_error(c(along, along), class = "dpdepth_error_input")
})

test_that("a table that changed is refused: before the debit nothing is spent, after it that is said", {
  x <- c(0, 4, 4, 4, 5, 9, 11, 2, 2, 8)
  for (change in list(1:2, c(1, 4), c(2, 4))) {
    small <- small_cells(x, 3)$tally
    read <- small$read
    small$read <- function(keys) {
      parts <- read(keys)
      parts[[1]]$count[change] <- parts[[1]]$count[change] + c(1, -1)
      parts
    }
    e <- expect_error(opened(small, c(0, 0), 1, 0), "Nothing was spent", class = "dpdepth_error_database")
    expect_no_match(conditionMessage(e), "[0-9]")
  }
  t <- opened(small_cells(x, 3)$tally, c(0, 0), 1, 0)
  t$read <- function(keys) stop_database("count")
  e <- tryCatch(replicate(200, one_draw(t, 1)), error = identity)
  expect_s3_class(e, "dpdepth_error_database")
  expect_match(conditionMessage(e), "the budget is spent")
  # a release does not come so far: what it asks for before the debit is all that it needs
  expect_lt(exp(-cell_nats), 1e-26)
})

test_that("nothing of the contents is printed", {
  t <- small_cells(c(0, 4, 7, 7, 7), 3)$tally
  shown <- utils::capture.output(print(t), str(t), summary(t))
  expect_match(shown[[1]], "counts of 5 rows in cells")
  expect_false(any(grepl("7", shown)))
  expect_error(as.data.frame(t), class = "dpdepth_error_input")
  public <- c("n", "lower", "upper", "step", "resolution", "persons", "margins", "na", "cells")
  expect_named(summary(t), public, ignore.order = TRUE)
  expect_error(dp_tally(1:9, lower = 0, upper = 9, refine = 1), class = "dpdepth_error_input")
  expect_error(dp_tally(function() NULL, lower = 0, upper = 9, refine = TRUE), class = "dpdepth_error_input")
  by <- rep(c(TRUE, FALSE), 5)
  expect_error(dp_tally(1:10, lower = 0, upper = 9, refine = TRUE, by = by), class = "dpdepth_error_input")
})
