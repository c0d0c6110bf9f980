# Fits of batches, and what the restricted median along the axes spends: what is handed on, recorded.

# What a call hands to the mechanisms along the axes: fits and budgets; and what it debits and releases.
# `released`: whether the private test passes.
batches_handed <- function(frame, ..., released = TRUE) {
  handed <- list()
  ledger <- dp_ledger(9, 0.5)
  keep <- function(x, prior, epsilon, source, draws = 1L, resolution = NULL) {
    handed[[length(handed) + 1]] <<- list(fits = x, epsilon = epsilon, prior = prior)
    matrix(0, draws, ncol(x))
  }
  keep_tested <- function(rows, level, budget, delta, source) {
    handed[[length(handed) + 1]] <<- list(fits = rows, epsilon = sum(budget), level = level, delta = delta)
    list(released = released, point = rep(if (released) 0 else NA_real_, ncol(rows)))
  }
  with_bindings(list(draw_axes = keep, draw_restricted_axes = keep_tested), {
    release <- suppressWarnings(dp_regression(y ~ a + b, frame, 1, ..., method = "batches", ledger = ledger))
  })
  c(handed, list(list(release = release, debit = as.data.frame(ledger)[c("epsilon", "delta")])))
}

# TRUE if what is debited, and said of the release, is not what the mechanisms are handed.
batches_say_wrong <- function(handed) {
  told <- handed[[2]]
  delta <- max(0, handed[[1]]$delta)
  r <- told$release
  !identical(told$debit, data.frame(epsilon = handed[[1]]$epsilon, delta = delta)) ||
    !identical(c(r$epsilon, r$delta), c(handed[[1]]$epsilon, delta)) ||
    r$guarantee != (if (delta > 0) "approximate" else "pure")
}

# The most numbers of a column, as sets, that one matrix has and the other has not.
moved_numbers <- function(one, two) {
  max(vapply(seq_len(ncol(one)), function(j) {
    both <- unique(c(one[, j], two[, j]))
    times <- function(m) tabulate(match(m[, j], both), length(both))
    sum(pmax(times(one) - times(two), 0))
  }, 0))
}

# TRUE if neighbours' fits differ in more than one number of a coefficient, as sets, if anything else differs,
# or if what is spent is not what is said.
batches_are_wrong <- function() {
  set.seed(12)
  frame <- data.frame(a = stats::rnorm(60), b = stats::rnorm(60), y = stats::rnorm(60))
  limits <- list(list(lower = -9, upper = 9), list(prior = prior_normal(0, 5)), list(),
                 list(delta = 1e-3, size = 4))
  flat <- replace(frame, "b", 0)
  rare <- replace(frame, "b", as.double(seq_len(60) %% 9 == 0))
  for (frame in list(frame, flat, rare)) for (more in limits) for (i in c(1, 17, 60)) {
    other <- frame
    other[i, ] <- list(c(1e6, -1e300, 0)[[match(i, c(1, 17, 60))]], 1e3, -1e6)
    one <- do.call(batches_handed, c(list(frame), more))
    two <- do.call(batches_handed, c(list(other), more))
    if (length(one) != 2 || length(two) != 2 || batches_say_wrong(one)) return(TRUE)
    moved <- moved_numbers(one[[1]]$fits, two[[1]]$fits)
    one[[1]]$fits <- two[[1]]$fits <- NULL
    if (moved > 1 || !identical(one, two) || one[[1]]$epsilon > 1) return(TRUE)
  }
  FALSE
}

# TRUE if the test or the draw of the restricted median along the axes are of another budget or margin.
restricted_axes_spends_wrong <- function() {
  x <- cbind(c(0, 1, 1, 3, 4, 4, 7), c(2, 2, 2, 2, 5, 6, 9))
  asked <- list()
  margins <- list()
  look <- function(margin, epsilon, delta, rng) {
    asked[[length(asked) + 1]] <<- list(margin, epsilon, delta)
    TRUE
  }
  own <- restricted_axes_margin
  watch <- function(rows, level, epsilon, delta, most, times = 1) {
    margins[[length(margins) + 1]] <<- list(level, epsilon, delta)
    own(rows, level, epsilon, delta, most, times)
  }
  points <- grid_points(0, 9, 2)
  z <- with_bindings(list(ptr_test = look, restricted_axes_margin = watch), {
    t(vapply(seq_len(3000), function(i) {
      draw_restricted_axes(x, 2, c(test = 0.4, draw = 1.5), 1e-3, "system")$point
    }, numeric(2)))
  })
  counts <- tabulate(match(as.vector(z %*% c(1, 100)), as.vector(points %*% c(1, 100))), nrow(points))
  right <- list(own(x, 2, 1.5, 1e-3, 100), 0.4, 1e-3)
  spent <- length(asked) == 3000 && length(margins) == 3000 && all(vapply(asked, identical, NA, right)) &&
    all(vapply(margins, identical, NA, list(2, 1.5, 1e-3)))
  !spent || law_pvalue(counts, slow_restricted_law(points, x, 2, 1.5)) < ALPHA
}

# TRUE if fits of rows with gaps are not those with the public row in their place: regressors 0, the response
# in the middle of the intercept's limits.
batches_fill_wrong <- function() {
  filled <- gaps <- data.frame(a = sin(1:60), b = cos(1:60), y = sqrt(1:60))
  gaps$y[[3]] <- gaps$a[[7]] <- NA
  filled[c(3, 7), ] <- rep(c(0, 0, 1), each = 2)
  run <- function(frame) batches_handed(frame, lower = c(-9, 0, 2), upper = c(11, 9, 9), na = "drop")
  !identical(run(gaps), run(filled))
}
