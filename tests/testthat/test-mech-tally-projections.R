# Tests of tallies of projections: R/mech-tally-projections.R.

# All directions with entries -1, 0 and 1, up to their signs.
small_directions <- function(d) {
  all <- as.matrix(expand.grid(rep(list(-1:1), d)))
  all[apply(all, 1, function(a) c(a[a != 0], 0)[[1]] > 0), , drop = FALSE]
}

# The depths of lattice points z along the directions, from the rows r on the lattice.
slow_along <- function(z, r, directions) {
  depths <- apply(directions, 1, function(a) {
    y <- sort(drop(r %*% a))
    t <- drop(z %*% a)
    pmin(findInterval(t, y), length(y) - findInterval(t, y, left.open = TRUE))
  })
  apply(depths, 1, min)
}

# The same from a tally alone; points are numbers of steps from its zero.
tally_along <- function(z, t) {
  depths <- vapply(seq_len(nrow(t$directions)), function(u) {
    y <- rep(t$values[[u]], diff(c(0, t$ends[[u]])))
    slow_along(drop(z %*% t$directions[u, ]) * diag(1)[rep(1, nrow(z)), , drop = FALSE], matrix(y), matrix(1))
  }, numeric(nrow(z)))
  apply(depths, 1, min)
}

count_points <- function(draws, z) {
  tabulate(match(apply(draws, 1, paste, collapse = " "), apply(z, 1, paste, collapse = " ")), nrow(z))
}

# Draws from the tally of x, whole numbers, within -side..side, against the law by enumeration.
along_pvalue <- function(x, side, directions, epsilon, draws = 4000L) {
  d <- ncol(x)
  t <- dp_tally(x, lower = -side, upper = side, resolution = 1, directions = directions)
  z <- as.matrix(expand.grid(rep(list(-side:side), d)))
  law <- exp(epsilon / 2 * slow_along(z, x, rbind(diag(d), directions)))
  box <- prior_uniform(rep(-side, d), rep(side, d))
  drawn <- draw_projected(t, box, epsilon, "R", rep(1, d), draws)
  law_pvalue(count_points(drawn, z), law / sum(law))
}

test_that("draws follow the law of depth along the directions, ties and rows beyond the limits included", {
  skip_on_cran()
  set.seed(2)
  uneven <- rbind(c(2, -3), c(1, 5), c(-4, 1))
  cases <- list(list(matrix(sample(-3:3, 24, TRUE), 12), 3, small_directions(2), 1),
                list(matrix(sample(-9:9, 14, TRUE), 7), 4, uneven, 2),
                list(matrix(rep(c(1, -2), each = 5), 5), 3, uneven, 0.7),
                list(matrix(stats::rpois(90, 2) - 2, 30), 2, small_directions(3), 0.5))
  wrong <- function(some = seq_along(cases)) {
    any(vapply(cases[some], function(case) do.call(along_pvalue, case) < ALPHA, NA))
  }
  expect_false(wrong())
  seen <- function(...) expect_true(caught(bug(function() wrong(1:2), ...)))
  seen("project_index", "tcrossprod(index, directions)", "tcrossprod(index, abs(directions))")
  seen("new_projected", "cumsum(part$count)", "seq_along(part$count)")
})

test_that("rows in memory have the same law along directions that agree", {
  set.seed(4)
  # of -1, 0 and 1: the kernel rounds their unit vectors to multiples of them
  x <- matrix(stats::rpois(60, 2) - 2, 20)
  u <- rbind(diag(3), small_directions(3))
  z <- as.matrix(expand.grid(rep(list(-2:2), 3)))
  law <- exp(0.35 * slow_along(z, x, u))
  fields <- prior_fields(prior_uniform(rep(-2, 3), rep(2, 3)), rep(1, 3))
  drawn <- .Call(ffi_median_exp, "R", x, fields, 0.7, FALSE, u, 4000L)$draws
  expect_law(count_points(drawn, z), law / sum(law))
  expect_gt(along_pvalue(x, 2, small_directions(3), 0.7), ALPHA)
})

test_that("a replaced row moves one row of each histogram, and depths by one at most", {
  set.seed(5)
  z <- as.matrix(expand.grid(rep(list(-4:4), 2)))
  u <- rbind(c(2, -3), c(1, 5), c(1, 1))
  moved <- 0
  for (i in 1:15) {
    x <- matrix(sample(-6:6, 12, TRUE), 6)
    y <- x
    y[1, ] <- sample(-30:30, 2)
    pair <- lapply(list(x, y), function(x) dp_tally(x, lower = -4, upper = 4, resolution = 1, directions = u))
    rows <- lapply(pair, function(t) Map(function(v, e) rep(v, diff(c(0, e))), t$values, t$ends))
    gained <- mapply(function(a, b) {
      all <- union(a, b)
      sum(pmax(table(factor(a, all)) - table(factor(b, all)), 0))
    }, rows[[1]], rows[[2]])
    expect_lte(max(gained), 1)
    depths <- lapply(pair, tally_along, z = z)
    expect_equal(depths[[1]], slow_along(z, x, rbind(diag(2), u)))
    moved <- max(moved, abs(depths[[1]] - depths[[2]]))
  }
  expect_identical(moved, 1)
})

test_that("chunks and SQLite count as memory does, rows far outside and missing ones as well", {
  set.seed(6)
  x <- data.frame(a = stats::rnorm(60, 0, 3), b = c(1e300, -1e300, NA, 1e12, stats::rnorm(56)), c = 1:60 / 7)
  u <- rbind(c(1, -2, 3), c(0, 4096, -1), c(0, 0, 5))
  count <- function(...) dp_tally(..., lower = -5, upper = 5, resolution = 0.1, na = "middle", directions = u)
  t <- count(x)
  expect_identical(t$directions[4:5, ], u[1:2, ])
  expect_lt(max(abs(unlist(t$values))), 2^52)
  expect_identical(with_bindings(list(block_rows = 7), count(x)), t)
  con <- local_sqlite()
  DBI::dbWriteTable(con, "t", x)
  wrong <- function() {
    again <- tryCatch(count(con, c("a", "b", "c"), table = "t"), dpdepth_error_database = identity)
    !identical(again, t)
  }
  expect_false(wrong())
  expect_true(caught(bug(wrong, "projected_sql", "> %3$s THEN %3$s", "> %3$s THEN %2$s")))
  expect_true(caught(bug(wrong, "projected_parts", "counts[kept, 3]", "rep(1, length(kept))")))
  con_fine <- dp_tally(con, c("a", "c"), -5, 5, table = "t", na = "middle", directions = rbind(c(3, 1)))
  expect_identical(con_fine, dp_tally(x, c("a", "c"), -5, 5, na = "middle", directions = rbind(c(3, 1))))
  x$who <- rep(1:30, 2)
  x$flag <- x$a > 0
  DBI::dbWriteTable(con, "ids", x)
  for (t in list(count(x, c("a", "b", "c"), id = ~who),
                 count(con, c("a", "b", "c"), table = "ids", id = ~who))) {
    expect_true(t$persons)
    expect_identical(t$n, 30)
    expect_match(suppressWarnings(dp_median(t, 1))$details$id, "one row of each")
  }
  # an answer whose sums differ, or with another direction, is none
  answer <- cbind(rep(1:2, each = 2), 1:4, 5)
  expect_length(projected_parts(answer, diag(2)), 2)
  expect_null(projected_parts(rbind(answer, c(2, 9, 1)), diag(2)))
  expect_null(projected_parts(rbind(answer, c(3, 9, 10)), diag(2)))
})

test_that("a release is one draw with its epsilon, on the tally's lattice", {
  x <- data.frame(a = c(1, 4, 4, 7, 9, 2), b = c(3, 3, 8, 1, 0, 5))
  for (resolution in list(NULL, c(1, 0.5))) {
    t <- dp_tally(x, lower = 0, upper = 10, resolution = resolution, directions = rbind(c(1, -1)))
    set.seed(3)
    released <- replicate(5, suppressWarnings(dp_median(t, 0.7, rng = "R"))$estimate)
    set.seed(3)
    box <- prior_uniform(c(0, 0), c(10, 10))
    drawn <- replicate(5, draw_projected(t, box, 0.7, "R", resolution)[1, ])
    expect_identical(unname(released), unname(drawn))
  }
})

test_that("directions that are none are refused, and other releases, and nothing is spent", {
  x <- data.frame(a = 1:20, b = 20:1)
  refused <- function(...) expect_error(..., class = "dpdepth_error_input")
  count <- function(u, ...) dp_tally(x, lower = 0, upper = 30, resolution = 1, directions = u, ...)
  for (bad in list(1, diag(3), rbind(c(0, 0)), rbind(c(0.5, 1)), rbind(c(NA, 1)), rbind(c(5000, 1)),
                   "axes")) {
    refused(count(bad))
  }
  ok <- rbind(c(1, 1))
  refused(count(cbind(1, rep(1, most_projected + 1))))
  refused(count(ok, margins = TRUE))
  refused(count(ok, refine = TRUE))
  refused(count(ok, by = rep(TRUE, 20)))
  t <- count(ok)
  ledger <- dp_ledger(9)
  refused(dp_median(t, 1, lower = 0, upper = 9, ledger = ledger))
  refused(dp_median_exponential(t, 1, directions = "axes", ledger = ledger))
  refused(dp_median(t, 1, resolution = 2, ledger = ledger))
  refused(dp_median_exponential(t, 1, depth = "idd", ledger = ledger))
  refused(dp_median(t, 1, method = "marginal", ledger = ledger))
  refused(dp_median(t, 1, interval = 0.9, ledger = ledger))
  refused(dp_median(t, 1, neighbours = "add_remove", ledger = ledger))
  refused(dp_mean(t, 1, lower = 0, upper = 9, ledger = ledger))
  refused(dp_quantile(t, 0.5, 1, lower = 0, upper = 9, ledger = ledger))
  refused(dp_by(t, by = 1:20, release = dp_median, epsilon = 1, levels = 1:2, ledger = ledger))
  refused(dp_depth(c(1, 1), t, 1, lower = 0, upper = 9, ledger = ledger))
  refused(dp_tally(t, lower = 0, upper = 9))
  refused(as.data.frame(t))
  expect_identical(nrow(as.data.frame(ledger)), 0L)
  refused(dp_median(t, 1, id = 1:20, ledger = ledger))
  expect_identical(nrow(as.data.frame(ledger)), 0L)
  release <- dp_median(t, 20, ledger = ledger <- dp_ledger(20))
  expect_identical(as.data.frame(ledger)$epsilon, 20)
  expect_identical(release$guarantee, "pure")
  expect_identical(release$n, 20L)
  expect_match(release$details$depth, "along 3 directions")
  shown <- utils::capture.output(print(t), str(t))
  expect_match(shown[[1]], "counts of 20 rows along 3 directions")
})
