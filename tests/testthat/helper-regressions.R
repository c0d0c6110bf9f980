# Private regressions: a frame, and the audit of what method = "exponential" hands to its sampler.

# The rows, priors, shares of epsilon and weights of a call's draws. The rest of the release is kept as well.
fits_handed <- function(frame, ..., formula = y ~ a + b) {
  handed <- list()
  n <- NULL
  own <- plan_exponential
  watch <- function(n, ...) {
    n <<- n
    own(n, ...)
  }
  keep <- function(rows, prior, epsilon, weights, source, resolution = NULL, chain = NULL) {
    handed[[length(handed) + 1]] <<- list(rows = rows, prior = prior_fields(prior, resolution),
                                          epsilon = epsilon, weights = weights)
    rep(1, ncol(rows[[1]]))
  }
  release <- with_bindings(list(draw_fit = keep, plan_exponential = watch), {
    suppressWarnings(dp_regression(formula, frame, ..., method = "exponential"), classes = "dpdepth_warning")
  })
  list(draws = handed, n = n, release = release)
}

# How many rows of two calls' draws differ.
rows_apart <- function(one, two) {
  of <- function(rows) do.call(cbind, lapply(rows, matrix, nrow = nrow(rows[[1]])))
  a <- of(one$rows)
  b <- of(two$rows)
  if (!identical(dim(a), dim(b))) Inf else sum(rowSums(a != b | is.na(a) != is.na(b)) > 0)
}

# TRUE if neighbours' draws differ in more than one row, if anything else differs, if what is spent is more
# than epsilon, or if a quantile has other weights than its own.
fits_are_handed_wrong <- function() {
  set.seed(14)
  frame <- data.frame(a = stats::rnorm(60), b = stats::rnorm(60), y = stats::rnorm(60))
  # rows that limits taken from the data would pull in, with these neighbours or without
  frame[cbind(5:7, 1:3)] <- c(-70, 90, 50)
  taus <- c(0.25, 0.5, 0.9)
  weights <- list(c(1L, 3L), c(1L, 1L), c(9L, 1L))
  limits <- list(list(lower = -9, upper = 9), list(prior = prior_normal(0, 5)),
                 list(lower = -9, upper = 9, at = data.frame(a = c(0, 1, 0), b = c(0, 0, 1)), na = "drop"),
                 list(lower = -9, upper = 9, units = c(1, 2), na = "drop", resolution = c(b = 0.5)),
                 list(lower = -9, upper = 9, na = "drop", formula = y ~ a + b - 1))
  others <- list(list(1e6, 1e3, -1e6), list(-1e300, 0, 1e300), list(0, NA, 0.5), list(0, 0, Inf))
  for (more in limits) for (k in seq_along(others)) {
    if (k > 2 && is.null(more$na)) next
    base <- frame
    if (!is.null(more$na)) base$y[[9]] <- NA
    other <- base
    other[c(1, 17, 60, 30)[[k]], ] <- others[[k]]
    one <- do.call(fits_handed, c(list(base, 1, tau = taus), more))
    two <- do.call(fits_handed, c(list(other, 1, tau = taus), more))
    if (length(one$draws) != 3 || length(two$draws) != 3 || !identical(one[-1], two[-1])) return(TRUE)
    for (t in 1:3) {
      p <- one$draws[[t]]
      q <- two$draws[[t]]
      other_things <- !identical(p[-1], q[-1]) || !identical(p$weights, weights[[t]])
      if (rows_apart(p, q) > 1 || other_things) return(TRUE)
    }
    if (sum(vapply(one$draws, `[[`, 0, "epsilon")) > 1) return(TRUE)
  }
  FALSE
}

# TRUE if a rule of method = "auto" or a warning counts other rows than all, or delta is not debited.
door_counts_wrong <- function() {
  gaps <- data.frame(y = sin(1:90), x = cos(1:90))
  gaps$y[4:9] <- NA
  counts <- NULL
  own <- choose_regression
  debited <- NULL
  keep <- list(
    choose_regression = function(n, ...) {
      counts <<- c(counts, n)
      own(n, ...)
    },
    warn_hopeless = function(n, ...) counts <<- c(counts, n),
    check_draw_ends = function(asked, plan, n, ...) counts <<- c(counts, n),
    is_slow_draw = function(worth, ...) counts <<- c(counts, as.integer(worth / 4)),
    regression_reason = function(asked, method, delta, limits, plan, slow) {
      force(slow)
      NULL
    },
    ledger_spend = function(ledger, epsilon, delta, ...) debited <<- c(epsilon, delta)
  )
  with_bindings(keep, {
    suppressWarnings(dp_regression(y ~ x, gaps, 4, lower = -5, upper = 5, na = "drop"))
    pure <- debited
    suppressWarnings(dp_regression(y ~ x, gaps, 4, 1e-3, -5, 5, method = "deepest", na = "drop"))
  })
  !identical(counts, rep(90L, 7)) || !identical(pure, c(4, 0)) || !identical(debited, c(4, 1e-3))
}

# Sixty rows with columns of all kinds; the first salary is given.
salaries <- function(first = 53798.32) {
  set.seed(11)
  s <- round(stats::rlnorm(60, 10.5, 0.4), 2)
  s[[1]] <- first
  data.frame(s = s, x = (1:60) / 60, y = rev(1:60), i = 1:60,
             f = factor(rep(c("a", "b", "c"), 20), c("a", "b", "c", "never")), l = rep(c(TRUE, FALSE), 30))
}

# -- the kernel of method = "exponential" against its definition -------------------------------------

# A lattice of whole numbers low..high on each axis, so small that laws can be summed up.
fit_lattice <- function(k, low, high) list(FALSE, rep(low, k), rep(high, k), rep(1, k))
lattice_fits <- function(k, low, high) unname(as.matrix(expand.grid(rep(list(low:high), k))))
kernel_rows <- function(x, y, directions = matrix(1)) {
  x <- as.matrix(x) + 0
  list(unname(cbind(1, x)), as.double(y), projections(x, directions, rep(1, ncol(x))))
}
# Scores by the kernel at fits, one a row, of the lattice low..high.
fit_scores <- function(rows, low, high, weights = c(1L, 1L),
                       fits = lattice_fits(ncol(rows[[1]]), low, high)) {
  prior <- fit_lattice(ncol(rows[[1]]), low, high)
  .Call(ffi_regression_scores, rows, prior, weights, fits - round(low / 2 + high / 2))
}

# The definition: least weight over directions, splits between different values or beyond all, both signs.
# Rows within half a step of all coefficients, which are whole numbers here, lie on the fit.
# `once`: a planted bug, rows on the fit count on one side only.
slow_fit_scores <- function(rows, fits, weights = c(1, 1), once = FALSE) {
  tie <- rowSums(abs(rows[[1]])) / 2
  # a column each fit
  r <- rows[[2]] - rows[[1]] %*% t(fits)
  above <- weights[[1]] * (r >= -tie)
  below <- weights[[2]] * (if (once) r < -tie else r <= tie)
  least <- Inf
  for (j in seq_len(ncol(rows[[3]]))) for (v in unique(c(-Inf, rows[[3]][, j]))) {
    s <- rows[[3]][, j] <= v
    least <- pmin(least, drop(s %*% above + (1 - s) %*% below), drop(s %*% below + (1 - s) %*% above))
  }
  least
}

# Draws counted over the lattice's fits.
fit_draw_counts <- function(rows, low, high, epsilon, weights, draws) {
  k <- ncol(rows[[1]])
  got <- .Call(ffi_regression_draw, "R", rows, fit_lattice(k, low, high), epsilon, weights, draws)$draws
  tabulate(1 + drop((got - low) %*% (high - low + 1)^(seq_len(k) - 1)), (high - low + 1)^k)
}
