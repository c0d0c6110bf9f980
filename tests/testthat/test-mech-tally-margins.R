# Tests of tallies of margins: R/mech-tally-margins.R.

whole_rows <- function(n, d) {
  matrix(pmin(round(3 * rexp(n * d)^2), 50), n, d, dimnames = list(NULL, letters[seq_len(d)]))
}

margins_within <- function(x, ...) dp_tally(x, lower = 0, upper = 50, resolution = 1, margins = TRUE, ...)

test_that("a tally of margins has those of the rows, in few points", {
  set.seed(1)
  for (d in c(2, 3, 5)) {
    x <- whole_rows(300, d)
    t <- margins_within(x)
    rows <- expand_tally(t) # in a random order
    expect_identical(rows[do.call(order, as.data.frame(rows)), ], apply(x, 2, sort))
    expect_lte(length(t$count), sum(apply(x, 2, function(v) length(unique(v)))) - d + 1)
    expect_identical(t["b"], dp_tally(x[, "b", drop = FALSE], lower = 0, upper = 50, resolution = 1))
  }
  expect_identical(margins_within(x[, 1, drop = FALSE])$margins, FALSE)
  expect_identical(margins_within(x[0, ])$n, 0)
})

test_that("rows and the tally of their margins give the same draws from the same tape", {
  set.seed(2)
  wrong <- function() {
    x <- whole_rows(200, 3)
    same <- function(fun, ...) {
      draws <- lapply(list(x, margins_within(x)), function(x) {
        set.seed(3)
        quiet <- suppressWarnings(fun(x, 2, lower = 0, upper = 50, rng = "R", ...),
                                  classes = "dpdepth_warning")
        c(quiet$estimate, quiet$interval)
      })
      identical(draws[[1]], draws[[2]])
    }
    !same(dp_median_exponential, directions = "axes", resolution = 1) ||
      !same(dp_median, interval = 0.9, resolution = 1)
  }
  expect_false(wrong())
  expect_true(caught(bug(wrong, "couple_margins", "diff(c(0, all))", "rep(1, length(all))")))
  expect_true(caught(bug(wrong, "couple_margins", "left.open = TRUE) + 1", "left.open = TRUE) %/% 2 + 1")))
  # of five variables along the axes by default, also where the lattice is that of no resolution
  x <- whole_rows(150, 5)
  draw <- function(x, ...) {
    set.seed(4)
    dp_median(x, 30, lower = 0, upper = 50, rng = "R", ...)$estimate
  }
  expect_identical(draw(dp_tally(x, lower = 0, upper = 50, margins = TRUE)), draw(x))
  expect_identical(draw(margins_within(x), method = "marginal"), draw(x, method = "marginal"))
})

test_that("means, and depths along the axes, are those of the rows", {
  set.seed(8)
  wrong <- function() {
    x <- whole_rows(90, 3)
    draw <- function(x, release, ...) {
      set.seed(3)
      release(x, rng = "R", epsilon = 4, lower = 0, upper = 50, ...)$estimate
    }
    same <- function(release, ...) {
      !identical(draw(x, release, ...), draw(margins_within(x), release, ...))
    }
    depths <- function(x, ...) dp_depth(rbind(1:3, 4), x, directions = "axes", resolution = 1, ...)
    any(same(dp_mean), same(dp_mean, delta = 1e-6), same(dp_mean, neighbours = "add_remove"), same(depths),
        same(depths, depth = "irw"), same(depths, depth = "idd"))
  }
  expect_false(wrong())
  expect_true(caught(bug(wrong, "place_sums", "atoms$count", "pmin(atoms$count, 1)")))
})

test_that("chunks and sums are the tally of all rows, and SQLite counts the same", {
  set.seed(5)
  x <- as.data.frame(whole_rows(90, 3))
  t <- margins_within(x)
  expect_identical(c(margins_within(x[1:40, ]), margins_within(x[41:90, ])), t)
  expect_identical(with_bindings(list(block_rows = 7, waiting_most = 9), margins_within(x)), t)
  expect_error(c(t, dp_tally(x, lower = 0, upper = 50, resolution = 1)), "margins",
               class = "dpdepth_error_input")
  expect_match(format(t)[[1]], "each variable by itself")
  expect_true(summary(t)$margins)
  con <- local_sqlite()
  x$who <- rep(1:45, 2)
  x$c[3] <- NA
  DBI::dbWriteTable(con, "t", x)
  same <- function(...) margins_within(x, c("a", "b", "c"), ...)
  from <- function(...) margins_within(con, c("a", "b", "c"), table = "t", ...)
  expect_identical(from(na = "middle"), same(na = "middle"))
  expect_identical(from(), same(na = "omit"))
  expect_identical(from(na = c(1, 2, 3)), same(na = c(1, 2, 3)))
  # the same row of each id for all variables: those of one id differ in all of them
  a <- rep(0:1, each = 60)
  DBI::dbWriteTable(con, "two", data.frame(who = rep(1:60, 2), a = a, b = a))
  for (k in 1:5) {
    kept <- margins_within(con, c("a", "b"), table = "two", id = ~who)
    expect_identical(kept$n, 60)
    expect_true(kept$persons && c(kept, kept)$persons && c(kept, replace(kept, "persons", FALSE))$persons)
    expect_identical(kept$points[, "a"], kept$points[, "b"])
  }
})

test_that("a database's counts that are no margins are refused", {
  lattice <- tally_lattice(0, 9, 1, c("a", "b"), margins = TRUE)
  refused <- function(...) {
    counts <- matrix(c(...), ncol = 3, byrow = TRUE)
    expect_error(gather_counted_margins(counts, lattice), class = "dpdepth_error_database")
  }
  refused(1, NA, 5, NA, 2, 4)
  refused(1, 2, 5, NA, 2, 5)
  refused(1, 2, 5)
  expect_identical(gather_counted_margins(rbind(c(1, NA, 5), c(NA, 2, 5)), lattice)$count, 5)
})

test_that("margins have the rows' draws where n is private, too", {
  set.seed(9)
  x <- whole_rows(60, 3)
  pair <- list(dp_tally(x, lower = 0, upper = 50, resolution = 1), margins_within(x))
  expect_true(is_margins(pair[[2]]) && !is_margins(pair[[1]]))
  same <- function(release) {
    drawn <- lapply(pair, function(t) {
      set.seed(4)
      coef(suppressWarnings(release(t)))
    })
    expect_identical(drawn[[1]], drawn[[2]])
  }
  same(function(t) dp_median_exponential(t, 2, directions = "axes", neighbours = "add_remove", rng = "R"))
  same(function(t) dp_median(t, 2, method = "marginal", neighbours = "add_remove", rng = "R"))
  same(function(t) dp_depth(c(9, 9, 9), t, 2, directions = "axes", neighbours = "add_remove", rng = "R"))
  same(function(t) dp_mean(t, 2, neighbours = "add_remove", rng = "R"))
})

# The largest loss of a median along the axes when a row is added to a tally of margins, of laws on 3 x 3
# points by what the door hands to its kernel.
added_loss <- function(rests = list(NULL, c(0, 2), rbind(c(0, 2), c(2, 0), c(1, 1)))) {
  law <- function(x) {
    p <- NULL
    seen <- function(x, plan, epsilon, ...) {
      depth <- function(z) {
        min(vapply(1:2, function(j) {
          min(sum(x$count[x$points[, j] <= z[[j]]]), sum(x$count[x$points[, j] >= z[[j]]]))
        }, 0))
      }
      p <<- exp(epsilon / 2 * apply(expand.grid(0:2, 0:2), 1, depth))
      c(0, 0)
    }
    t <- dp_tally(x, lower = 0, upper = 2, resolution = 1, margins = TRUE)
    with_bindings(list(draw_exponential = seen), suppressWarnings(
      dp_median_exponential(t, 1, directions = "axes", neighbours = "add_remove", rng = "R"),
      classes = "dpdepth_warning"
    ))
    p / sum(p)
  }
  rows <- as.matrix(expand.grid(a = 0:2, b = 0:2))
  none <- rows[0, , drop = FALSE]
  losses <- lapply(rests, function(rest) {
    before <- law(rbind(none, rest))
    apply(rows, 1, function(row) max(abs(log(law(rbind(none, rest, row)) / before))))
  })
  max(unlist(losses))
}

test_that("a row more moves the law of a tally of margins by epsilon at most, and nearly that much", {
  skip_on_cran()
  loss <- added_loss()
  expect_lte(loss, 1 + 1e-9)
  expect_gt(loss, 0.7)
  expect_true(caught(bug(function() added_loss(list(c(0, 2))) > 1 + 1e-9, "monotone_epsilon", "2 * epsilon",
                         "4 * epsilon")))
})

test_that("what looks at variables together refuses margins before anything is spent", {
  set.seed(6)
  t <- margins_within(whole_rows(100, 2))
  ledger <- dp_ledger(10)
  refused <- function(...) expect_error(..., "by itself", class = "dpdepth_error_input")
  refused(dp_median(t, 1, ledger = ledger))
  refused(dp_median(t, 1, interval = 0.9, method = "exponential", ledger = ledger))
  refused(dp_median(t, 1, 1e-6, method = "smooth", ledger = ledger))
  refused(dp_median(t, 1, 1e-6, method = "projection", ledger = ledger))
  refused(dp_median_exponential(t, 1, depth = "idd", ledger = ledger))
  refused(dp_median_exponential(t, 1, directions = 50, ledger = ledger))
  refused(dp_depth(c(1, 1), t, 1, ledger = ledger))
  refused(dp_regression(a ~ b, t, 1, ledger = ledger))
  refused(dp_depth(c(1, 1), t, 1, depth = "idd_smooth", directions = "axes", ledger = ledger))
  refused(dp_depth(c(1, 1), t, 1, neighbours = "add_remove", ledger = ledger))
  refused(dp_median(t, 1, neighbours = "add_remove", ledger = ledger))
  refused(dp_region(t, 0.5, 1, ledger = ledger))
  expect_identical(nrow(as.data.frame(ledger)), 0L)
  told <- function() inherits(tryCatch(dp_median(t, 1), error = identity), "dpdepth_error_input")
  expect_true(told())
  expect_true(caught(bug(function() !told(), "is_margins", "isTRUE(x$margins)", "FALSE")))
  # coordinates along the axes of a covariance are sums of several variables
  correlated <- prior_normal(c(25, 25), covariance = matrix(c(9, 8, 8, 9), 2))
  joint <- function() {
    refusal <- tryCatch(dp_median_exponential(t, 1, prior = correlated, directions = "axes", ledger = ledger),
                        error = identity)
    inherits(refusal, "dpdepth_error_input") && grepl("by itself", conditionMessage(refusal))
  }
  expect_true(joint())
  refused(dp_median_exponential(t, 1, prior = correlated, directions = "axes", ledger = ledger))
  depths <- function() dp_depth(c(1, 1), t, 1, prior = correlated, directions = "axes", ledger = ledger)
  refused(depths())
  refused(dp_median(margins_within(whole_rows(100, 4)), 1, ledger = ledger,
                    prior = prior_normal(rep(25, 4), covariance = 5 * diag(4) + 4)))
  expect_identical(nrow(as.data.frame(ledger)), 0L)
  expect_true(caught(bug(function() !joint(), "ready_exponential_median", "|| !is.null(plan$whitening)", "")))
  # some of several variables are margins, too
  some <- margins_within(whole_rows(100, 3))[c("a", "c")]
  expect_true(some$margins)
  refused(dp_median(some, 1, ledger = ledger))
})
