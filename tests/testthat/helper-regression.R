# Private regressions: what doors hand to samplers and mechanisms, and slow twins of their depths.

# -- a frame, and the audit of what method = "exponential" hands to its sampler -------------------------

# The rows, priors, shares of epsilon and weights of a call's draws. The rest of the release is kept as well.
fits_handed <- function(frame, ..., formula = y ~ a + b) {
  handed <- list()
  n <- NULL
  own <- plan_exponential
  watch <- function(n, ...) {
    n <<- n
    own(n, ...)
  }
  keep <- function(rows, prior, epsilon, weights, source, resolution = NULL) {
    handed[[length(handed) + 1]] <<- list(rows = rows, prior = prior_fields(prior, resolution),
                                          epsilon = epsilon, weights = weights)
    rep(1, ncol(rows[[1]]))
  }
  release <- with_bindings(list(draw_fit = keep, plan_exponential = watch), {
    suppressWarnings(dp_regression_exponential(formula, frame, ...), classes = "dpdepth_warning")
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
                 list(lower = -9, upper = 9, at = data.frame(a = c(0, 1, 0), b = c(0, 0, 1)), na = "middle"),
                 list(lower = -9, upper = 9, units = c(1, 2), na = "middle", resolution = c(b = 0.5)),
                 list(lower = -9, upper = 9, na = "middle", formula = y ~ a + b - 1))
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
    regression_reason = function(method, facts, ...) {
      counts <<- c(counts, facts$n)
      NULL
    },
    ledger_spend = function(ledger, epsilon, delta, ...) debited <<- c(epsilon, delta)
  )
  with_bindings(keep, {
    suppressWarnings(dp_regression(y ~ x, gaps, 4, lower = -5, upper = 5, na = "middle"))
    pure <- debited
    suppressWarnings(dp_regression(y ~ x, gaps, 4, 1e-3, -5, 5, method = "deepest", na = "middle"))
  })
  !identical(counts, rep(90L, 6)) || !identical(pure, c(4, 0)) || !identical(debited, c(4, 1e-3))
}

# TRUE if a draw of four coefficients has no caution about time, or only after the debit, or one of three has
# one. `private`: where n is private.
cautions_of_time_wrong <- function(private = FALSE) {
  rows <- data.frame(y = sin(1:90), x = cos(1:90), f = factor(1:90 %% 3, 0:2))
  # what was spent before the caution, or NA without one
  spent_before <- function(formula) {
    ledger <- dp_ledger(4)
    before <- NA
    withCallingHandlers(
      dp_regression(formula, rows, 2, lower = -5, upper = 5, neighbours = if (private) "add_remove"
                    else "substitution", method = "exponential", ledger = ledger, rng = "R"),
      dpdepth_warning = function(w) {
        if (inherits(w, "dpdepth_warning_time")) before <<- sum(summary(ledger)$spent)
        invokeRestart("muffleWarning")
      }
    )
    before
  }
  !identical(spent_before(y ~ x + f), 0) || !is.na(spent_before(y ~ f))
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

# -- fits of batches, and what the restricted median along the axes spends ------------------------------

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
    release <- suppressWarnings(dp_regression_batches(y ~ a + b, frame, 1, ..., ledger = ledger))
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
  watch <- function(sorted, level, epsilon, delta, most, times = 1) {
    margins[[length(margins) + 1]] <<- list(level, epsilon, delta)
    own(sorted, level, epsilon, delta, most, times)
  }
  points <- grid_points(0, 9, 2)
  z <- with_bindings(list(ptr_test = look, restricted_axes_margin = watch), {
    t(vapply(seq_len(3000), function(i) {
      draw_restricted_axes(x, 2, c(test = 0.4, draw = 1.5), 1e-3, "system")$point
    }, numeric(2)))
  })
  counts <- tabulate(match(as.vector(z %*% c(1, 100)), as.vector(points %*% c(1, 100))), nrow(points))
  right <- list(own(sort_columns(x), 2, 1.5, 1e-3, 100), 0.4, 1e-3)
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
  run <- function(frame) batches_handed(frame, lower = c(-9, 0, 2), upper = c(11, 9, 9), na = "middle")
  !identical(run(gaps), run(filled))
}

# TRUE if limits of a flag's coefficient that half of the batches lack miss more often than with probability
# `chance`. `missed(out)`: by what run_batches() gives, of a slope of 5 and an intercept of 1.
rare_flag_misses <- function(missed, chance, ...) {
  set.seed(8)
  plan <- plan_batches(400, c("(Intercept)", "flag"), list(lower = -50, upper = 50), 4, 0, 0.5,
                       size = 4, ...)
  count <- 0
  for (i in 1:150) {
    x <- stats::rbinom(400, 1, 0.15)
    y <- 1 + 5 * x + x * stats::rcauchy(400) + stats::rnorm(400)
    count <- count + missed(run_batches(as.matrix(x), y, plan, "R"))
  }
  count > stats::qbinom(1 - ALPHA, 150, chance)
}

# -- the deepest regression: depths of all lines, all data sets on a small grid -------------------------

# The depth of every line through two rows, the largest depth, and the largest that no steepness takes away.
oracle_spreads <- function(x, y) {
  steep <- max(vapply(seq_along(x), function(i) {
    slope <- 1e5 * c(-1, 1) * max(1, abs(y), abs(x))
    max(oracle_rdepth(c(y[[i]] - slope[[1]] * x[[i]], slope[[1]]), x, y),
        oracle_rdepth(c(y[[i]] - slope[[2]] * x[[i]], slope[[2]]), x, y))
  }, 0))
  if (length(unique(x)) < 2) {
    return(list(lines = matrix(0, 0, 2), depth = numeric(), unbounded = steep, top = steep))
  }
  lines <- oracle_lines(x, y)
  depth <- apply(lines, 1, oracle_rdepth, x = x, y = y)
  list(lines = lines, depth = depth, unbounded = steep, top = max(depth, steep))
}

# The l1 diameter's bound of the clipped region of a level; `unbounded`: see above, 0 for a broken variant.
oracle_diameter <- function(o, level, lower, upper, unbounded = o$unbounded) {
  v <- o$lines[o$depth >= level, , drop = FALSE]
  if (level <= unbounded || level < 1 || nrow(v) == 0) return(sum(upper - lower))
  clip <- function(z, j) pmin(pmax(z, lower[[j]]), upper[[j]])
  axes <- diff(range(clip(v[, 1], 1))) + diff(range(clip(v[, 2], 2)))
  min(axes, max(diff(range(v[, 1] + v[, 2])), diff(range(v[, 1] - v[, 2]))))
}

# All multisets of n rows of a grid (cells x 2): counts, one data set a row; and how many rows two of
# them differ in.
all_datasets <- function(grid, n) {
  cells <- nrow(grid)
  bars <- t(utils::combn(n + cells - 1L, cells - 1L))
  bars <- cbind(0L, bars, n + cells)
  counts <- bars[, -1] - bars[, -ncol(bars)] - 1L
  # a replaced row is one less in one place and one more in another
  apart <- unname(as.matrix(stats::dist(counts, "manhattan"))) / 2
  list(grid = grid, counts = counts, apart = apart, n = n)
}

dataset <- function(all, i) all$grid[rep(seq_len(nrow(all$grid)), all$counts[i, ]), , drop = FALSE]

# The weights along w = (-v, u) for the rows u of a matrix and all v between different u'x, and opposites.
oracle_along <- function(fit, x, y, u, weights = c(1, 1), tol = 1e-9) {
  r <- y - fit[[1]] - drop(x %*% fit[-1])
  r[abs(r) < tol] <- 0
  min(apply(u, 1, function(w) {
    along <- round(drop(x %*% w), 9)
    cuts <- sort(unique(along))
    cuts <- c(-Inf, (cuts[-1] + cuts[-length(cuts)]) / 2, Inf)
    min(vapply(cuts, function(v) {
      side <- sign(along - v)
      min(weights[[1]] * sum(side > 0 & r >= 0) + weights[[2]] * sum(side < 0 & r <= 0),
          weights[[1]] * sum(side < 0 & r >= 0) + weights[[2]] * sum(side > 0 & r <= 0))
    }, 0))
  }))
}

# All fits through as many rows as there are coefficients.
oracle_fits <- function(x, y) {
  design <- cbind(1, x)
  rows <- utils::combn(length(y), ncol(design), simplify = FALSE)
  fits <- lapply(rows, function(i) {
    if (abs(det(design[i, , drop = FALSE])) > 1e-9) solve(design[i, , drop = FALSE], y[i])
  })
  unname(do.call(rbind, fits))
}

# Data on a grid, so that x, u'x and residuals tie.
grid_data <- function(n, p, k) {
  list(x = matrix(sample(-k:k, n * p, TRUE), n), y = as.double(sample(-k:k, n, TRUE)))
}
