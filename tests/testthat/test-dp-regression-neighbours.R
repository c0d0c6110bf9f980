# Private regression where n is private: depths of all small data with a row more, laws, what may depend on n.

# The least and the largest move of a depth when a row is added, over all data of up to `most` rows on a 3 x 3
# lattice, those without rows among them. Depths as the door hands rows to the kernel.
depth_moves <- function(most, weights) {
  row <- expand.grid(x = 0:2, y = 0:2)
  scores <- function(s) {
    frame <- with_public_fit(list(x = cbind(x = row$x[s]), y = row$y[s]), 1)
    fit_scores(kernel_rows(frame$x[, 1], frame$y), -2, 3, weights)
  }
  moves <- c(0, 0)
  for (n in 0:most) {
    sets <- unname(as.matrix(expand.grid(rep(list(seq_len(9)), n))))
    if (n > 1) sets <- sets[apply(sets, 1, function(s) !is.unsorted(s)), , drop = FALSE]
    for (i in seq_len(nrow(sets))) {
      h <- scores(sets[i, ])
      for (new in seq_len(9)) moves <- range(moves, scores(c(sets[i, ], new)) - h)
    }
  }
  moves
}

test_that("a row more raises depths by its weight at most, and lowers none: all data of n <= 2", {
  expect_identical(depth_moves(2, c(1L, 1L)), c(0, 1))
  expect_identical(depth_moves(1, c(3L, 1L)), c(0, 3))
})

# The law of fits on a lattice, by its definition; and the counts of the door's draws.
door_counts <- function(d, epsilon, draws) {
  seen <- numeric(36)
  keep <- function(rows, prior, rate, weights, source, ...) {
    got <- .Call(ffi_regression_draw, source, rows, fit_lattice(2, -2, 3), rate, weights, draws)$draws
    seen <<- tabulate(1 + (got[, 1] + 2) + 6 * (got[, 2] + 2), 36)
    got[1, ]
  }
  with_bindings(list(draw_fit = keep), suppressWarnings(
    dp_regression(y ~ x, d, epsilon, lower = -2, upper = 3, neighbours = "add_remove", rng = "R"),
    classes = "dpdepth_warning"
  ))
  seen
}
door_law <- function(d, epsilon) {
  rows <- kernel_rows(c(d$x, 0), c(d$y, 0.5))
  prop.table(exp(epsilon * slow_fit_scores(rows, lattice_fits(2, -2, 3))))
}
draws_stray <- function() {
  set.seed(61)
  for (n in c(0, 5)) {
    d <- data.frame(x = c(0, 1, 1, 2, 2), y = c(1, 2, 0, 3, 3))[seq_len(n), ]
    if (law_pvalue(door_counts(d, 0.9, 4000L), door_law(d, 0.9)) <= ALPHA) return(TRUE)
  }
  FALSE
}

test_that("draws follow the law at twice the exponent, also without any row", {
  expect_false(draws_stray())
  expect_true(caught(bug(draws_stray, "monotone_shares", "monotone_epsilon(epsilon)",
                         "4 * epsilon")))
  expect_true(caught(bug(draws_stray, "with_public_fit", "numeric(ncol(frame$x))",
                         "1 + numeric(ncol(frame$x))")))
})

test_that("quantiles share epsilon, and none passes its share", {
  for (m in 1:5) for (epsilon in c(1e-3, 1, 7)) {
    of_each <- monotone_shares(epsilon, m) / m * (if (m > 1) 1 - 2^-40 else 1)
    expect_lte(of_each, monotone_epsilon(epsilon / m))
    expect_gt(of_each, 1.99 * epsilon / m * (1 - 1e-3))
  }
})

test_that("nothing but the draw depends on n", {
  of <- function(n, ...) {
    said <- character()
    d <- data.frame(y = as.double(seq_len(n)), x = as.double(seq_len(n) %% 3), f = rep_len(c(TRUE, FALSE), n))
    r <- withCallingHandlers(
      dp_regression(y ~ x + f, d, 0.5, lower = -9, upper = 9, ..., neighbours = "add_remove", rng = "R"),
      warning = function(w) {
        said <<- c(said, conditionMessage(w))
        invokeRestart("muffleWarning")
      }
    )
    r$estimate[] <- 0
    r$call <- NULL
    expect_true(is.na(nobs(r)))
    expect_false(any(grepl("\\bn = ", c(said, format(r), format(summary(r))))))
    list(r, said)
  }
  expect_identical(of(0), of(40))
  expect_identical(of(1, tau = 0.9), of(2, tau = 0.9))
  few <- of(3, tau = c(0.1, 0.5, 0.9), at = cbind(c(0, 1, 2), c(0, 1, 0)))
  expect_identical(few, of(4, tau = c(0.1, 0.5, 0.9), at = cbind(c(0, 1, 2), c(0, 1, 0))))
})

# What the ledger holds when the draw begins, and the most that the draw may cost under substitution.
debited <- function(...) {
  ledger <- dp_ledger(1)
  rate <- shifted <- NULL
  stopped <- function(x, y, plan, source) {
    rate <<- plan$epsilon
    shifted <<- any(lengths(plan$weights) > 2)
    stop("drawn")
  }
  with_bindings(list(run_exponential = stopped, drawn_alone = function(draw, source) draw), {
    expect_error(dp_regression(y ~ x, data.frame(x = 1:500, y = 500:1), 0.5, ..., ledger = ledger), "drawn")
  })
  list(as.data.frame(ledger)[c("epsilon", "delta", "rho")], rate, shifted)
}
debits_differ <- function() {
  for (tau in list(0.5, c(0.25, 0.5))) {
    one <- debited(lower = -9, upper = 9, tau = tau, neighbours = "add_remove")
    other <- debited(lower = -9, upper = 9, tau = tau)
    if (!identical(one[[1]], other[[1]]) || one[[2]] >= 2 * other[[2]] || one[[3]]) return(TRUE)
  }
  FALSE
}

test_that("a draw is paid for before it is made, as under substitution", {
  expect_false(debits_differ())
  expect_true(caught(bug(debits_differ, "plan_private_fit", "given$epsilon, 0, given$tau",
                         "given$epsilon/2, 0, given$tau")))
  expect_true(caught(bug(debits_differ, "plan_private_fit", "plan$why <- if",
                         "plan$rho <- plan$rho/4\n    plan$why <- if")))
  # counts less their expectation move both ways
  expect_true(caught(bug(debits_differ, "plan_private_fit", "shift = FALSE", "shift = TRUE")))
})

test_that("what is for data of one size is refused, with nothing spent", {
  ledger <- dp_ledger(1, 1e-5)
  refused <- function(...) {
    expect_error(dp_regression(waiting ~ eruptions, faithful, 1, 1e-6, ..., neighbours = "add_remove",
                               ledger = ledger), class = "dpdepth_error_input")
    expect_identical(nrow(as.data.frame(ledger)), 0L)
  }
  refused(method = "batches")
  refused(lower = -9, upper = 9, interval = 0.9)
  refused(lower = -9, upper = 9, tau = 0.99)
  expect_error(dp_ecdf(1:9, 1, lower = 0, upper = 9, neighbours = "add_remove"), "data sets of one size")
  expect_identical(nrow(as.data.frame(ledger)), 0L)
})

test_that("a tally gives its rows' draw where n is private; too many rows are refused before the debit", {
  rows <- data.frame(x = c(0, 0, 1, 2, 2, 2), y = c(0, 0, 1, 1, 2, 2))
  tally <- dp_tally(rows, lower = 0, upper = 2, resolution = 1)
  fit <- function(data) {
    set.seed(4)
    r <- suppressWarnings(dp_regression(y ~ x, data, 1, lower = -2, upper = 3, neighbours = "add_remove",
                                        rng = "R"), classes = "dpdepth_warning")
    coef(r)
  }
  expect_identical(fit(tally), fit(rows))
  ledger <- dp_ledger(1)
  many <- new_tally(cbind(x = 0:1, y = 0:1), c(5e7, 1), c(0, 0), c(2, 2), c(1, 1))
  expect_error(dp_regression(y ~ x, many, 1, neighbours = "add_remove", ledger = ledger),
               "at most 50,000,000", class = "dpdepth_error_input")
  expect_identical(nrow(as.data.frame(ledger)), 0L)
})
