# The search for the deepest fit with several regressors: all fits through rows, or steps from robust fits.

# As many fits through rows are all tried.
max_elemental <- 20000

# The deepest fit found: coefficients, depth and how many different fits through rows of that depth were met.
# depths(fits, floor): the depths of the rows of `fits`, -1 where below the floor.
deepest_fit <- function(x, y, depths, weights) {
  k <- ncol(x) + 1
  design <- cbind(1, apply(x, 2, comparable))
  # coefficients of the comparable columns as those of x
  back <- qr.solve(cbind(1, x), design)
  depths_of <- function(fits, floor = 0L) depths(fits %*% t(back), floor)
  found <- if (choose(nrow(x), k) <= max_elemental) {
    all_elemental(design, y, depths_of)
  } else {
    climb(design, y, depths_of, weights)
  }
  found$fit <- middle_fit(found, design, depths_of)
  list(coefficients = drop(back %*% found$fit), depth = found$depth, candidates = nrow(found$level))
}

# The mean of the deepest fits through rows if it is as deep, else the one nearest to it in fitted values.
middle_fit <- function(found, design, depths_of) {
  if (nrow(found$level) == 0) return(found$fit)
  middle <- colMeans(found$level)
  if (depths_of(rbind(middle), found$depth) >= found$depth) return(middle)
  off <- t(found$level) - middle
  found$level[which.min(colSums((design %*% off)^2)), ]
}

# A search before its first step.
empty_search <- function(k) list(fit = rep(0, k), depth = -1L, level = matrix(0, 0, k))

# The state of a search: the best fit, its depth, and the different fits through rows of that depth.
better <- function(state, fits, depths_of, through_rows = FALSE) {
  if (nrow(fits) == 0) return(state)
  depth <- depths_of(fits, max(state$depth, 0))
  top <- max(depth)
  if (top < state$depth || top < 0) return(state)
  best <- which(depth == top)
  if (top > state$depth) {
    state <- list(fit = fits[best[[1]], ], depth = top, level = state$level[0, , drop = FALSE])
  }
  if (through_rows) state$level <- unique_fits(rbind(state$level, fits[best, , drop = FALSE]))
  state
}

# The same fit through other rows differs by rounding.
unique_fits <- function(fits) fits[!duplicated(signif(fits, 9)), , drop = FALSE]

all_elemental <- function(design, y, depths_of) {
  rows <- t(utils::combn(nrow(design), ncol(design)))
  search_in_blocks(elemental_fits(design, y, rows), empty_search(ncol(design)), depths_of,
                   moved = function(done) move_progress(done, 1))
}

# Few fits at a time, so that the best so far spares work on later ones. `moved`: gets the share that is done.
search_in_blocks <- function(fits, state, depths_of, size = 64L, moved = function(done) NULL) {
  for (from in seq(1, by = size, length.out = ceiling(nrow(fits) / size))) {
    some <- from:min(from + size - 1L, nrow(fits))
    state <- better(state, fits[some, , drop = FALSE], depths_of, TRUE)
    moved(max(some) / nrow(fits))
  }
  state
}

# Fits through k rows of the design: a row for each row of `rows`. Rows that determine no fit are left out.
elemental_fits <- function(design, y, rows) {
  k <- ncol(design)
  a <- array(design[t(rows), ], c(k, nrow(rows), k))
  a <- aperm(array(c(a, y[t(rows)]), c(k, nrow(rows), k + 1)), c(2, 1, 3))
  solved <- solve_systems(a)
  solved[is.finite(rowSums(solved)), , drop = FALSE]
}

# Solutions of many systems: a[s, , ] is the matrix of system s and, last, its right side. Gauss's elimination
# with pivots, all systems at once; rows of NaN where a pivot is zero.
solve_systems <- function(a) {
  m <- dim(a)[[1]]
  k <- dim(a)[[2]]
  all <- seq_len(m)
  size <- apply(abs(a[, , seq_len(k), drop = FALSE]), 1, max)
  for (j in seq_len(k)) {
    pivot <- j - 1L + max.col(matrix(abs(a[, j:k, j]), m), "first")
    for (l in j:(k + 1)) {
      swapped <- a[cbind(all, pivot, l)]
      a[cbind(all, pivot, l)] <- a[, j, l]
      a[, j, l] <- swapped
    }
    a[abs(a[, j, j]) <= 1e-10 * size, , ] <- 0
    for (i in setdiff(seq_len(k), j)) {
      ratio <- a[, i, j] / ifelse(a[, j, j] == 0, 1, a[, j, j])
      for (l in j:(k + 1)) a[, i, l] <- a[, i, l] - ratio * a[, j, l]
    }
  }
  matrix(vapply(seq_len(k), function(j) a[, j, k + 1] / a[, j, j], numeric(m)), m)
}

# Steps from the best of the robust fits, each round within a smaller distance, then to fits through rows.
climb <- function(design, y, depths_of, weights) {
  tau <- weights[[1]] / sum(weights)
  first <- elemental_fits(design, y, spread_rows(nrow(design), ncol(design), 500L))
  state <- better(empty_search(ncol(design)), check_loss_fits(design, y, tau), depths_of)
  state <- search_in_blocks(first, state, depths_of)
  for (round in 1:3) {
    before <- state$depth
    state <- step_up(state, design, y, depths_of, function(done) move_progress(2 * (round - 1) + done, 6))
    state <- to_rows(state, design, y, depths_of)
    if (round > 1 && state$depth == before) break
  }
  move_progress(1, 1)
  state
}

# Rows of k different places of n, spread evenly: multiples of square roots of primes.
spread_rows <- function(n, k, count) {
  primes <- c(2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53)
  roots <- sqrt(rep_len(primes, k) + 60 * ((seq_len(k) - 1) %/% length(primes)))
  rows <- floor(outer(seq_len(count), roots) %% 1 * n) + 1
  rows[apply(rows, 1, anyDuplicated) == 0, , drop = FALSE]
}

# Least squares, and the fits of least check loss from there by weights: a row each.
check_loss_fits <- function(design, y, tau) {
  fit <- qr.coef(qr(design), y)
  fits <- fit
  for (round in 1:30) {
    r <- y - drop(design %*% fit)
    share <- ifelse(r > 0, tau, 1 - tau) / pmax(abs(r), 1e-6 * max(abs(r), 2^-1000))
    fit <- stats::lm.wfit(design, y, share / max(share))$coefficients
    if (anyNA(fit)) break
    if (round %% 10 == 0) fits <- rbind(fits, fit)
  }
  rbind(fits, deparse.level = 0)
}

# Steps on an ellipsoid of the shape of the least squares fit's errors, which shrinks when no step goes up.
step_up <- function(state, design, y, depths_of, moved) {
  k <- ncol(design)
  root <- backsolve(qr.R(qr(design)), diag(k))
  r <- y - drop(design %*% state$fit)
  size <- 4 * max(stats::mad(r, 0), 1e-8 * max(abs(y)))
  steps <- directions(k, 32 * k) %*% t(root)
  for (round in 1:40) {
    side <- if (round %% 2 == 0) 1 else -1
    fits <- rep(state$fit, each = nrow(steps)) + size * side * steps
    depth <- depths_of(fits, state$depth)
    level <- depth == max(depth)
    if (max(depth) < state$depth) {
      size <- size * 0.7
    } else if (max(depth) == state$depth) {
      # along a level, to the middle of what is as deep
      middle <- (state$fit + colMeans(fits[level, , drop = FALSE])) / 2
      if (depths_of(rbind(middle), state$depth) >= state$depth) state$fit <- middle
      size <- size * 0.8
    } else {
      state <- better(state, fits, depths_of)
    }
    moved(round / 40)
    if (size < 0.02 * stats::mad(r, 0)) break
  }
  state
}

# The deepest of the fits through rows near by, as long as they are deeper: the corners of the cell where the
# fit lies (between rows the depth does not change, and it is no less where the fit meets some), and the fits
# through the rows of the smallest residuals.
to_rows <- function(state, design, y, depths_of, most = 1000) {
  k <- ncol(design)
  away <- directions(k, 16 * k)
  near <- k
  while (choose(near + 1, k) <= most && near < nrow(design)) near <- near + 1
  repeat {
    before <- state$depth
    corners <- t(vapply(seq_len(nrow(away)), function(i) corner(state$fit, away[i, ], design, y), numeric(k)))
    nearest <- order(abs(y - drop(design %*% state$fit)))[seq_len(near)]
    rows <- rbind(corners[!is.na(rowSums(corners)), , drop = FALSE],
                  matrix(nearest[utils::combn(near, k)], ncol = k, byrow = TRUE))
    state <- search_in_blocks(elemental_fits(design, y, unique(rows)), state, depths_of)
    if (state$depth == before) return(state)
  }
}

# The rows that the fit meets when it moves along a ray to the first one, from there along the rest of the ray
# to the next, and so on.
corner <- function(fit, ray, design, y) {
  met <- integer()
  for (j in seq_len(ncol(design))) {
    along <- if (j == 1) ray else qr.resid(qr(t(design[met, , drop = FALSE])), ray)
    speed <- drop(design %*% along)
    time <- (y - drop(design %*% fit)) / speed
    time[c(met, which(abs(speed) <= 1e-10 * max(abs(speed))))] <- NA
    first <- which.min(abs(time))
    if (length(first) == 0) return(rep(NA_real_, ncol(design)))
    fit <- fit + time[[first]] * along
    met <- c(met, first)
  }
  sort(met)
}
