# Kinds of private data: a tally answers as the rows that it was made of.

# Rows of whole numbers, their tally, and its entries.
counted_pair <- function(n, d) {
  rows <- matrix(sample(-3:3, n * d, TRUE) + 0, n, dimnames = list(NULL, letters[seq_len(d)]))
  list(rows = rows, tally = new_tally(rows, rep(1, n), rep(-9, d), rep(9, d), rep(1, d), rep(1, d)))
}

sorted_rows <- function(x) {
  unname(x[do.call(order, lapply(seq_len(ncol(x)), function(j) x[, j])), , drop = FALSE])
}

expanded <- function(x) {
  atoms <- atoms_of(x)
  sorted_rows(atoms$points[rep(seq_along(atoms$count), atoms$count), , drop = FALSE])
}

kinds_differ <- function() {
  set.seed(71)
  for (n in c(1, 2, 40)) for (d in 1:3) {
    both <- counted_pair(n, d)
    same <- function(f) identical(expanded(f(both$rows)), expanded(f(both$tally)))
    if (!same(identity) || !same(function(x) on_entries(x, function(p) 2 * p)) ||
          !same(function(x) and_row(x, seq_len(d))) ||
          !same(function(x) with_corners(and_row(x, rep(5, d)))) ||
          !identical(sorted_rows(plain_rows(both$tally)), sorted_rows(both$rows)) ||
          !identical(plain_rows(both$rows), both$rows)) {
      return(TRUE)
    }
  }
  FALSE
}

test_that("points, counts and rows of a tally are those of its rows", {
  expect_false(kinds_differ())
  expect_true(caught(bug(kinds_differ, "and_row.dp_tally", "c(x$count, 1)", "c(x$count, 2)")))
  expect_true(caught(bug(kinds_differ, "with_corners.dp_tally", "x$count[[last]] + ncol(x)",
                         "x$count[[last]] + 1")))
  expect_true(caught(bug(kinds_differ, "on_entries.dp_tally", "f(x$points)", "x$points")))
})

test_that("each kind has its name, its steps and its persons", {
  set.seed(72)
  both <- counted_pair(9, 2)
  margins <- new_tally(both$rows, rep(1, 9), c(-9, -9), c(9, 9), c(1, 1), persons = TRUE, margins = TRUE)
  expect_identical(vapply(list(both$rows, both$tally, margins), kind_of, ""), c("rows", "tally", "margins"))
  expect_null(kind_facts(both$rows)$declared)
  expect_identical(kind_facts(both$tally)$declared, list(resolution = c(a = 1, b = 1)))
  expect_identical(kind_facts(margins)$declared, list(resolution = NULL))
  expect_null(persons_detail(both$rows))
  expect_identical(persons_detail(margins), list(id = persons_text))
  expect_error(plain_rows(margins), class = "dpdepth_error_input")
  # what is said of limits and steps is the tally's, unless the call says otherwise
  expect_identical(tally_limits(both$tally, NULL, 4, NULL), list(lower = c(a = -9, b = -9), upper = 4))
  expect_identical(tally_limits(both$rows, NULL, 4, NULL), list(lower = NULL, upper = 4))
  expect_identical(tally_resolution(kind_facts(both$tally)$declared, NULL, prior_dyadic(c(4, 0.5))), c(4, 1))
})

# -- n private ---------------------------------------------------------------------------------------

# The law of a median of one variable on the grid, by its definition: a public row at `middle` counts along.
median_law <- function(x, grid, epsilon, middle) {
  x <- c(x, middle)
  h <- vapply(grid, function(z) min(sum(x <= z), sum(x >= z)), 0)
  exp(epsilon * h) / sum(exp(epsilon * h))
}

test_that("a row more or less moves the law by epsilon at most, and nearly that much", {
  grid <- 0:6
  worst <- 0
  for (n in 0:4) {
    sets <- as.matrix(expand.grid(rep(list(grid), n)))
    if (n == 0) sets <- matrix(0, 1, 0)
    sets <- sets[apply(sets, 1, function(v) !is.unsorted(v)), , drop = FALSE]
    for (i in seq_len(nrow(sets))) {
      for (new in grid) {
        p <- median_law(sets[i, ], grid, 1, 3)
        q <- median_law(c(sets[i, ], new), grid, 1, 3)
        worst <- max(worst, abs(log(p / q)))
      }
    }
  }
  expect_lte(worst, 1 + 1e-12)
  expect_gt(worst, 0.8)
})

with_row <- function(x, middle) {
  x <- check_data(x, min_n = 0L)
  and_row(x, middle_row(x, middle))
}

test_that("draws follow that law, also without any row", {
  set.seed(41)
  prior <- prior_uniform(0, 6)
  for (x in list(numeric(0), 5, c(0, 1, 1, 4, 6))) {
    rows <- with_row(x, limits_middle(prior))
    rate <- monotone_epsilon(0.8)
    draws <- draw_middle(rows, prior, rate, "R", 3000L, resolution = 1)[, 1]
    p <- stats::chisq.test(tabulate(draws + 1, 7), p = median_law(x, 0:6, 0.8, 3))$p.value
    expect_gt(p, ALPHA)
  }
})

test_that("the rank score of one quantile moves by one at most when a row comes or goes", {
  score <- function(x, z, p) {
    n <- length(x)
    min(sum(x <= z) - ceiling(n * p), sum(x >= z) - ceiling(n * (1 - p)))
  }
  for (p in c(0.1, 0.3, 0.5, 0.75, 0.99)) {
    for (n in 1:6) {
      x <- sort(c(0, 0, 1, 3, 3, 4)[seq_len(n)])
      moved <- vapply(0:4, function(new) {
        max(abs(vapply(0:4, function(z) score(c(x, new), z, p) - score(x, z, p), 0)))
      }, 0)
      expect_lte(max(moved), 1)
    }
  }
})

# -- the plane -----------------------------------------------------------------------------------------

# Halfspace depth of the points of a 3 x 3 lattice, the public row in its middle counted along.
plane_points <- as.matrix(expand.grid(x = 0:2, y = 0:2))
plane_depths <- function(rows) {
  rows <- rbind(plane_points[rows, , drop = FALSE], c(1, 1))
  round(nrow(rows) * depth_halfspace(plane_points, rows, "exact"))
}

test_that("in the plane a row more raises depths by one at most, and draws follow the law", {
  moves <- c(0, 0)
  sets <- c(list(integer(0)), as.list(1:9), utils::combn(9, 2, simplify = FALSE))
  for (rows in sets) {
    h <- plane_depths(rows)
    for (new in 1:9) moves <- range(moves, plane_depths(c(rows, new)) - h)
  }
  expect_identical(moves, c(0, 1))
  set.seed(44)
  for (rows in list(integer(0), c(1, 2, 2, 6, 9))) {
    x <- with_row(plane_points[rows, , drop = FALSE], function(d, names) c(1, 1))
    drawn <- .Call(ffi_median_exp, "R", x, prior_fields(prior_uniform(c(0, 0), c(2, 2)), c(1, 1)),
                   monotone_epsilon(0.8), TRUE, bounding_directions(2), 3000L)$draws
    expect_law(tabulate(1 + drawn[, 1] + 3 * drawn[, 2], 9), prop.table(exp(0.8 * plane_depths(rows))))
  }
})

# -- several quantiles -------------------------------------------------------------------------------

# What a row more costs two quantiles on 0..3, as their law has it, over all data of up to three rows, under
# priors that have nearly all mass at one point.
quantiles_cost <- function(probs, epsilon = 1) {
  at <- as.matrix(expand.grid(0:3, 0:3))
  at <- at[at[, 1] <= at[, 2], ]
  ties <- ifelse(at[, 1] == at[, 2], 2, 1)
  log_law <- function(x, heavy) {
    x <- c(x, 2)
    gaps <- diff(c(0, moving_ranks(length(x), probs), length(x)))
    held <- cbind(colSums(outer(x, at[, 1], `<=`)), colSums(outer(x, at[, 2], `<=`)))
    v <- rowSums(abs(t(apply(cbind(0, held, length(x)), 1, diff)) - rep(gaps, each = nrow(at))))
    w <- -epsilon * v / 4 - log(ties) + 12 * rowSums(at == heavy)
    w - log(sum(exp(w)))
  }
  worst <- 0
  for (n in 0:3) {
    sets <- unname(as.matrix(expand.grid(rep(list(0:3), n))))
    for (i in seq_len(nrow(sets))) {
      for (heavy in 0:3) {
        law <- log_law(sets[i, ], heavy)
        for (new in 0:3) worst <- max(worst, abs(law - log_law(c(sets[i, ], new), heavy)))
      }
    }
  }
  worst
}

test_that("a row more adds one to one gap between ranks, near n times the probabilities", {
  probs <- c(0.01, 0.1, 1 / 3, 0.5, 0.75, 0.9)
  ranks <- t(vapply(0:700, moving_ranks, numeric(6), probs = probs))
  gaps <- t(apply(cbind(0, ranks, 0:700), 1, diff))
  added <- diff(gaps)
  expect_true(all(added %in% 0:1) && all(rowSums(added) == 1))
  expect_lt(max(abs(ranks - outer(0:700, probs))), 2.5)
  # so it is at the end of what rows there may be, where whole numbers are near 2^31
  last <- t(vapply(2^31 - 6:1, moving_ranks, numeric(6), probs = probs))
  expect_true(all(diff(last) %in% 0:1))
  expect_lt(max(abs(last - outer(2^31 - 6:1, probs))), 8)
})

test_that("a row more moves the law of two quantiles by epsilon at most, and nearly that much", {
  skip_on_cran()
  for (probs in list(c(0.25, 0.5), c(0.1, 0.9), c(1 / 3, 2 / 3))) expect_lte(quantiles_cost(probs), 1 + 1e-9)
  expect_gt(quantiles_cost(c(0.25, 0.5)), 0.8)
  # ranks of data of a public size: several gaps move at once
  broken <- function(n, probs) round(n * probs)
  expect_gt(with_bindings(list(moving_ranks = broken), quantiles_cost(c(0.45, 0.55))), 1.2)
})

test_that("the kernel cuts scores for a public size where n is private, and for n else", {
  draw <- function(neighbours) {
    draw_quantiles(matrix(1:9 / 10), c(0.3, 0.6), prior_uniform(0, 1), 2, list(split = 2L, share = 1), "R",
                   private = neighbours == "add_remove")
  }
  with_bindings(list(private_cut_size = 0L), { # which the kernel refuses
    expect_error(draw("add_remove"))
    expect_length(draw("substitution"), 2)
  })
})

test_that("several quantiles follow that law", {
  set.seed(42)
  x <- c(0.1, 0.2, 0.5, 0.9)
  probs <- c(0.3, 0.6)
  flat <- list(split = 2L, share = 1)
  z <- draw_quantiles(matrix(x), probs, prior_uniform(0, 1), 2, flat, "system", 6000L,
                      private = TRUE)
  at <- expand.grid(0:4, 0:4)
  at <- as.matrix(at[at[[1]] <= at[[2]], ])
  w <- diff(c(0, x, 1))
  v <- rowSums(abs(t(apply(cbind(0, at, 4), 1, diff)) -
                     rep(diff(c(0, moving_ranks(4, probs), 4)), each = nrow(at))))
  p <- exp(-v / 2) * w[at[, 1] + 1] * w[at[, 2] + 1] / ifelse(at[, 1] == at[, 2], 2, 1)
  seen <- matrix(findInterval(z, x), nrow(z))
  counts <- tabulate(match(seen[, 1] * 10 + seen[, 2], at[, 1] * 10 + at[, 2]), nrow(at))
  expect_law(counts, p / sum(p))
})

# -- medians of each variable -------------------------------------------------------------------------

test_that("a median of each variable has the law of one variable at its share", {
  set.seed(43)
  rates <- NULL
  keep <- function(epsilon, private) {
    rates <<- c(rates, epsilon)
    2 * epsilon
  }
  with_bindings(list(monotone_epsilon = keep), {
    r <- dp_median(iris[1:4], 2, lower = 0, upper = 20, method = "marginal", neighbours = "add_remove")
  })
  expect_equal(rates, 0.5, tolerance = 1e-9)
  expect_true(is.na(nobs(r)))
  none <- dp_median(iris[0, 1:4], 2, lower = 0, upper = 20, method = "marginal", neighbours = "add_remove")
  same <- setdiff(names(r), c("estimate", "call"))
  expect_identical(r[same], none[same])
})

test_that("nothing but the draw depends on n", {
  of <- function(x, ...) {
    r <- dp_median(x, 1, lower = 0, upper = 10, ..., neighbours = "add_remove", rng = "R")
    r$estimate[] <- 0
    r$call <- NULL
    r
  }
  told <- function(expr) {
    seen <- character()
    withCallingHandlers(expr, warning = function(w) {
      seen <<- c(seen, conditionMessage(w))
      invokeRestart("muffleWarning")
    })
    seen
  }
  expect_identical(of(numeric(0)), of(rep(3, 1000)))
  expect_identical(of(1:9), of(1:10))
  expect_identical(told(of(numeric(0))), told(of(1:1000)))
  expect_true(is.na(nobs(of(1:9))))
  expect_false(any(grepl("\\bn = ", c(format(of(1:9)), format(summary(of(1:9)))))))
  expect_match(format(of(1:9)), "adding or removing any one row", all = FALSE)
  two <- matrix(0, 0, 2)
  expect_identical(of(two), of(cbind(1:9, 1:9)))
  many <- matrix(0, 0, 7)
  expect_identical(of(many), of(matrix(3, 50, 7)))
  q <- function(x) {
    r <- dp_quantile(x, 0.9, 1, lower = 0, upper = 9, neighbours = "add_remove", rng = "R")
    r$estimate[] <- 0
    r$call <- NULL
    r
  }
  expect_identical(q(numeric(0)), q(rnorm(1e4)))
  said <- told(dp_median(1:3, 1e-3, lower = 0, upper = 9, neighbours = "add_remove", rng = "R"))
  expect_match(said, "n = 10000 (assumed, since n is private)", all = FALSE, fixed = TRUE)
  more <- told(dp_median(1:9, 1e-3, lower = 0, upper = 9, neighbours = "add_remove", rng = "R"))
  expect_identical(more, said)
})

test_that("the draw's epsilon leaves twice the room for errors", {
  for (epsilon in c(1e-6, 0.1, 1, 30, 4e5)) {
    k <- monotone_epsilon(epsilon)
    # under substitution a draw at k has errors of 2^-34 + k 2^-40 in all: half of the rate, and these
    expect_lte(k / 2 + 2^-34 + k * 2^-40, epsilon)
    expect_gt(k, 2 * epsilon * (1 - 1e-3))
    expect_identical(monotone_epsilon(epsilon, FALSE), epsilon)
  }
})

test_that("methods for data of one size are refused, with nothing spent", {
  ledger <- dp_ledger(1, 1e-5)
  refused <- function(expr) {
    expect_error(expr, "`neighbours` must be", class = "dpdepth_error_input")
    expect_identical(nrow(as.data.frame(ledger)), 0L)
  }
  refused(dp_median(1:9, 1, lower = 0, upper = 9, interval = 0.9, neighbours = "add_remove", ledger = ledger))
  refused(dp_median(1:9, 1, 1e-6, method = "restricted", neighbours = "add_remove", ledger = ledger))
  three <- matrix(1:9 + 0, 3)
  refused(dp_median_exponential(three, 1, depth = "simplicial", lower = 0, upper = 9,
                                neighbours = "add_remove", ledger = ledger))
  refused(dp_quantile(1:9, 0.5, 1, lower = 0, upper = 9, interval = 0.9, neighbours = "add_remove",
                      ledger = ledger))
  refused(dp_median(1:9, 1, lower = 0, upper = 9, neighbours = "remove", ledger = ledger))
})

test_that("the public row comes as often as simplices have corners, in a tally as well", {
  x <- cbind(a = c(1, 3, 3, 2), b = c(0, 4, 4, 2))
  expect_identical(with_corners(x), rbind(x, x[c(4, 4), ]))
  t <- and_row(new_tally(x[1:3, ], rep(1, 3), c(0, 0), c(4, 4), c(1, 1)), c(2, 2))
  rows <- expand_tally(with_corners(t))
  expect_identical(rows[order(rows[, 1]), ], x[c(1, 4, 4, 4, 2, 3), ])
})

warnings_tell_size <- function() {
  x <- cbind(1:300 %% 7, 1:300 %% 5)
  said <- function(x) {
    said <- character()
    keep <- function(w) {
      said <<- c(said, conditionMessage(w))
      invokeRestart("muffleWarning")
    }
    withCallingHandlers(dpdepth_warning = keep, {
      dp_depth(c(3, 2), x, 0.05, lower = 0, upper = 9, neighbours = "add_remove")
      dp_median_exponential(x, 0.002, depth = "spatial", lower = 0, upper = 9, resolution = 1,
                            neighbours = "add_remove")
    })
    said
  }
  !identical(said(x[0, ]), said(x))
}

test_that("warnings of depths do not depend on n where it is private", {
  expect_false(warnings_tell_size())
  expect_true(caught(bug(warnings_tell_size, "facts_of", "if (given$private) private_size else nrow(rows)",
                         "nrow(rows)")))
})
