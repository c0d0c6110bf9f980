# Fits of disjoint batches of rows, and how many rows per batch should have for intervals.
#
# METHOD: rows are dealt by a public permutation; a batch's fit is least squares of its rows alone, by the
#   package's own loops. With `pairs` slopes are those of least squares of differences of two rows, each row
#   in one difference: without an intercept, since each difference stands beside its negative.
# REFERENCE: dp-regression-batches.R; vignettes/proofs-axes.Rmd, section 8.

# A fit a row; `constant` stands for fits that batches do not determine, or, `partly`, for such coefficients.
# PRIVATE: a row of the data touches one row of it.
batch_fits <- function(x, y, batches, seed, constant, partly = FALSE) {
  x <- matrix(as.double(x), length(y))
  .Call(ffi_batch_fits, x, as.double(y), deal_rows(length(y), seed), as.integer(batches),
        as.double(constant), partly)
}

# A permutation from a public seed: the order of the first coordinates of public directions.
deal_rows <- function(n, seed) order(.Call(ffi_directions, 2L, n, as.integer(seed), FALSE)[, 1])

# Predictions of each batch at public points, a column a point: the intercept of a fit to regressors less the
# point, which rows may determine whatever else they leave open; else NA.
# PRIVATE: a row of the data touches one row of it.
point_fits <- function(x, y, batches, seed, points) {
  x <- as.matrix(x)
  unknown <- rep_len(NA_real_, ncol(x) + 1)
  apply(points$at, 1, function(point) {
    away <- x
    for (j in seq_len(ncol(x))) away[, j] <- bounded(as.double(x[, j]) - point[[j]])
    batch_fits(away, y, batches, seed, unknown, partly = TRUE)[, 1]
  })
}

# Coefficients, or predictions at public points; NA where a batch does not determine one.
known_fits <- function(x, y, batches, seed, points = NULL) {
  if (!is.null(points)) return(point_fits(x, y, batches, seed, points))
  batch_fits(x, y, batches, seed, rep_len(NA_real_, NCOL(x) + 1), partly = TRUE)
}

# A fit a row; of the batches that do not determine a coefficient, every other one has it below all limits and
# the next one above. PRIVATE: a row of the data touches one number of each column, as a set.
even_fits <- function(x, y, batches, seed, points = NULL) {
  fits <- known_fits(x, y, batches, seed, points)
  for (j in seq_len(ncol(fits))) {
    none <- which(is.na(fits[, j]))
    fits[none, j] <- rep_len(c(-1, 1), length(none)) * 2^1023
  }
  fits
}

# A fit a row; coefficients that a batch does not determine lie beyond all limits, on either side with
# probability one half. As many coins are drawn whatever the data are. PRIVATE.
sided_fits <- function(x, y, plan, source) {
  side <- (2 * draw_below(plan$batches, 2, source) - 1) * 2^1023
  fits <- known_fits(x, y, plan$batches, plan$seed, plan$points)
  if (isTRUE(plan$pairs)) {
    apart <- paired_rows(cbind(as.double(y), x, deparse.level = 0), deal_rows(length(y), plan$seed),
                         plan$batches)
    fits[, -1] <- known_fits(apart[, -1, drop = FALSE], apart[, 1], plan$batches, plan$seed)[, -1]
  }
  none <- is.na(fits)
  fits[none] <- side[row(fits)[none]]
  fits
}

# Halves of the differences of two rows of a batch in the place of the one, and of its negative in that of the
# other; 0 for a row that is left. `order`: of rows dealt, batches in turn. PRIVATE: rows of one batch make
# rows of that batch.
paired_rows <- function(rows, order, batches) {
  place <- (seq_along(order) - 1) %/% batches
  first <- which(place %% 2 == 0)
  left <- first[first + batches > length(order)]
  first <- setdiff(first, left)
  out <- rows
  out[order[left], ] <- 0
  apart <- rows[order[first], , drop = FALSE] / 2 - rows[order[first + batches], , drop = FALSE] / 2
  out[order[first], ] <- apart
  out[order[first + batches], ] <- -apart
  out
}

# -- the rows of a batch, from public numbers ---------------------------------------------------------

# Each of d coefficients has `share` of epsilon, and batches that many as an interval takes.
# `indicators`: of each factor.
check_interval_size <- function(size, n, d, share, each, pairs = FALSE, indicators = integer()) {
  if (share < 1e-6) {
    stop_input("epsilon", sprintf("at least 1e-6 for each of %d intervals", d), format(share * d))
  }
  minimum <- floor(min_interval_budget / share) + 1
  most <- floor(n / minimum)
  few <- min_size(d, pairs)
  if (!is.null(size) && size < few) {
    stop_input("size", sprintf("at least %d with `pairs` and %d slopes", few, d - 1), format(size))
  }
  if (most < max(few, size)) {
    serving <- serving_batches(minimum, share, each)
    stop_input("interval", sprintf("NULL with so few rows for this `epsilon`, which %d intervals share", d),
               sprintf("asked for with %s rows and epsilon = %s", grouped(n), format(share * d)),
               sprintf("Intervals of use take some %s batches, so %s rows with this `epsilon`%s%s.",
                       grouped(serving), grouped(serving * max(few, size, level_rows(indicators))),
                       if (is.null(size)) ", or a larger `epsilon`, or fewer terms" else " and `size`",
                       if (length(indicators) > 0) "; rare levels take more" else ""))
  }
  if (!is.null(size)) return(size)
  found <- choose_interval_size(n, d, share, each, most, pairs)
  if (length(indicators) == 0) return(found)
  with_levels_too <- choose_level_batches(n, d, share, each, most, indicators)
  if (pairs) max(found, with_levels_too) else with_levels_too
}

# The least number of batches, to some percent, whose intervals warn_interval() does not warn of.
serving_batches <- function(minimum, share, each) {
  line <- line_of(resolved_share_warned)
  serves <- function(batches) {
    plan <- interval_plan(batches, 0.5, each, share, batches_reach)
    interval_failure(plan)(line) <= resolved_failure
  }
  batches <- minimum
  while (!serves(batches)) batches <- ceiling(1.05 * batches)
  batches
}

# Rows with which four of five batches have a level of three quarters of what equally frequent ones have.
level_rows <- function(indicators) {
  if (length(indicators) == 0) return(0)
  max(ceiling(log(0.2) / log1p(-0.75 / (indicators + 1))))
}

# As many differences of pairs as there are slopes.
min_size <- function(d, pairs) if (pairs) max(d, 2 * (d - 1)) else d

# The size with the least expected width for normal data; to within a few percent, found once.
choose_interval_size <- function(n, d, share, each, most, pairs = FALSE) {
  key <- sprintf("batches %.0f %d %a %a %d", n, d, share, each, pairs)
  remembered(intervals_found, key, {
    most <- min(most, 12 * d + 60)
    sizes <- unique(round(exp(seq(log(min_size(d, pairs)), log(most), length.out = 16))))
    width <- vapply(sizes, function(size) {
      found <- coefficient_width(n, d, size, each, share, fine = FALSE, pairs = pairs)
      found$width * (1 + 4 * found$infinite)
    }, 0)
    sizes[[which.min(width)]]
  })
}

# The same with factors: the least product of the widths of slopes and levels' coefficients, each of a width
# that four of five intervals do not exceed, for levels of three quarters of what equally frequent ones have.
choose_level_batches <- function(n, d, share, each, most, indicators) {
  key <- paste(c("levels", n, d, sprintf("%a %a", share, each), indicators), collapse = " ")
  remembered(intervals_found, key, {
    most <- max(d, min(most, 12 * d + 60))
    sizes <- unique(round(exp(seq(log(d), log(most), length.out = 24))))
    score <- vapply(sizes, function(size) {
      plan <- interval_plan_of(n %/% size, 0.5, each, share)
      width <- function(beyond) log(usual_width(n %/% size, plan, beyond, 100))
      freedom <- size - d + 1
      slopes <- max(0, d - sum(indicators)) * width(function(z) stats::pt(-z * sqrt(freedom), freedom))
      levels <- vapply(indicators, function(own) {
        width(indicator_tail(size, d, 0.75 / (own + 1), 0.75 / (own + 1), own))
      }, 0)
      slopes + sum(indicators * levels)
    }, 0)
    sizes[[which.min(score)]]
  })
}

# Half the width of the limits of coefficients, in spreads of the batches' fits, that is planned for.
batches_reach <- 100

# The expected width of a slope's interval, in units of the errors' spread over the regressor's, where both
# are normal: that of normal rows (limits_width()), quantile by quantile.
coefficient_width <- function(n, d, size, each, share, fine = TRUE, pairs = FALSE) {
  batches <- n %/% size
  plan <- if (fine) interval_plan(batches, 0.5, each, share, batches_reach)
          else interval_plan_of(batches, 0.5, each, share)
  found <- limits_width(batches, plan, batches_reach, fine)
  # the normal distribution's sixth standard deviation stands for all beyond
  found$width <- 2 * fit_quantiles(size, d, pairs)(stats::pnorm(min(found$width / 2, 6)))
  c(found, list(far = max(plan$early)))
}

# For normal regressors and errors: a coefficient of least squares of `size` rows, in units of the errors'
# spread over the regressor's, is t with size - d + 1 degrees of freedom, over their root; of pairs, with as
# many rows as there are pairs and no intercept.
fit_quantiles <- function(size, d, pairs = FALSE) {
  freedom <- if (pairs) size %/% 2 - d + 2 else size - d + 1
  function(p) stats::qt(p, freedom) / sqrt(freedom)
}
