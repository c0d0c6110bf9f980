# Fits of disjoint batches of rows, and how many rows a batch of them should have for intervals.
#
# METHOD: rows are dealt by a public permutation; a batch's fit is least squares of its rows alone, by the
#   package's own loops.
# REFERENCE: dp-regression-batches.R, dp-regression-batches-interval.R; vignettes/proofs-axes.Rmd, section 8.

# A fit a row; `constant` stands for fits that batches do not determine, or, `partly`, for such coefficients.
# PRIVATE: a row of the data touches one row of it.
batch_fits <- function(x, y, batches, seed, constant, partly = FALSE) {
  x <- matrix(as.double(x), length(y))
  .Call(ffi_batch_fits, x, as.double(y), deal_rows(length(y), seed), as.integer(batches),
        as.double(constant), partly)
}

# A permutation from a public seed: the order of the first coordinates of public directions.
deal_rows <- function(n, seed) order(.Call(ffi_directions, 2L, n, as.integer(seed), FALSE)[, 1])

# A fit a row; of the batches that do not determine a coefficient, every other one has it below all limits and
# the next one above. PRIVATE: a row of the data touches one number of each column, as a set.
even_fits <- function(x, y, batches, seed) {
  fits <- batch_fits(x, y, batches, seed, rep_len(NA_real_, NCOL(x) + 1), partly = TRUE)
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
  fits <- batch_fits(x, y, plan$batches, plan$seed, rep_len(NA_real_, NCOL(x) + 1), partly = TRUE)
  none <- is.na(fits)
  fits[none] <- side[row(fits)[none]]
  fits
}

# -- the rows of a batch, from public numbers ---------------------------------------------------------

# Each of d coefficients has `share` of epsilon, and batches that many as an interval takes.
check_interval_size <- function(size, n, d, share, each) {
  if (share < 1e-6) {
    stop_input("epsilon", sprintf("at least 1e-6 for each of %d intervals", d), format(share * d))
  }
  least <- floor(least_interval_budget / share) + 1
  most <- floor(n / least)
  if (most < max(d, size)) {
    stop_input("interval", sprintf("NULL with so few rows for this `epsilon`, which %d intervals share", d),
               sprintf("asked for with %s rows and epsilon = %s", grouped(n), format(share * d)),
               sprintf("Intervals take at least %s batches, so %s rows with this `epsilon`%s.",
                       grouped(least), grouped(least * max(d, size)),
                       if (is.null(size)) "; or a larger `epsilon`, or fewer terms" else " and `size`"))
  }
  if (is.null(size)) choose_interval_size(n, d, share, each, most) else size
}

# The size with the least expected width for normal data; to within a few percent, found once.
choose_interval_size <- function(n, d, share, each, most) {
  key <- sprintf("batches %.0f %d %a %a", n, d, share, each)
  if (is.null(intervals_found[[key]])) {
    most <- min(most, 12 * d + 60)
    sizes <- unique(round(exp(seq(log(d), log(most), length.out = 16))))
    width <- vapply(sizes, function(size) {
      found <- coefficient_width(n, d, size, each, share, fine = FALSE)
      found$width * (1 + 4 * found$infinite)
    }, 0)
    assign(key, sizes[[which.min(width)]], intervals_found)
  }
  intervals_found[[key]]
}

# The expected width of a slope's interval, in units of the errors' spread over the regressor's, where both
# are normal: that of normal rows (limits_width()), quantile by quantile.
coefficient_width <- function(n, d, size, each, share, fine = TRUE) {
  batches <- n %/% size
  plan <- if (fine) interval_plan(batches, 0.5, each, share) else interval_plan_of(batches, 0.5, each, share)
  found <- limits_width(batches, plan, 100, fine)
  # the normal law's sixth standard deviation stands for all beyond
  found$width <- 2 * fit_quantiles(size, d)(stats::pnorm(min(found$width / 2, 6)))
  c(found, list(far = max(plan$early)))
}

# For normal regressors and errors: a coefficient of least squares of `size` rows, in units of the errors'
# spread over the regressor's, is t with size - d + 1 degrees of freedom, over their root.
fit_quantiles <- function(size, d) {
  freedom <- size - d + 1
  function(p) stats::qt(p, freedom) / sqrt(freedom)
}
