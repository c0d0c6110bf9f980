# Normal priors with a public covariance: the public map that makes them standard normal.
#
# METHOD: x = mean + L z, L the lower Cholesky factor. whiten_rows() solves for z by forward substitution, one
# column after the other. Each operation takes two vectors element by element, so that a row's numbers are a
# function of that row and of public numbers alone, to the last bit. No matrix product: its rounding may
# depend on the other rows. color_points() comes after. DEGENERATE: Coordinates beyond 2^100 standard
# deviations are moved there before the next one uses them, so that nothing overflows into a value that is not
# a number.

# A symmetric, positive definite matrix, exactly symmetric then, with one set of names or none.
check_covariance <- function(x) {
  must <- "a square matrix of finite numbers"
  if (!is.matrix(x) || !is.numeric(x) || is.object(x) || nrow(x) != ncol(x) || nrow(x) == 0) {
    stop_input("covariance", must, describe(x), "It has one row and one column for each variable.")
  }
  if (!all(is.finite(x))) {
    stop_input("covariance", must, "one with missing or infinite numbers", "Give a number for each pair.")
  }
  names <- covariance_names(dimnames(x))
  x <- matrix(as.double(x), nrow(x), ncol(x), dimnames = if (!is.null(names)) list(names, names))
  variance <- diag(x)
  outside <- variance < 1e-200 | variance > 1e200
  if (any(outside)) {
    stop_input("covariance", "a matrix with variances from 1e-200 to 1e200 on its diagonal",
               describe_numbers(variance, outside, "one with other numbers"),
               "Take other units, such as thousands.")
  }
  sd <- sqrt(variance)
  if (any(abs(x / sd - t(x) / sd) > 1e-8 * rep(sd, each = nrow(x)))) {
    stop_input("covariance", "symmetric", "a matrix that differs from its transpose",
               "Write each covariance in both places.")
  }
  x[upper.tri(x)] <- t(x)[upper.tri(x)]
  if (!is_definite(x, sd)) {
    stop_input("covariance", "positive definite", "one with a combination of variables that does not vary",
               paste("Leave out variables that others determine but for a part in 10^10 of their variance,",
                     "and look for correlations beyond -1 and 1."))
  }
  x
}

covariance_names <- function(labels) {
  given <- Filter(Negate(is.null), labels)
  if (length(given) == 0) return(NULL)
  names <- given[[1]]
  if (length(given) == 2 && !identical(given[[1]], given[[2]])) {
    stop_input("covariance", "named alike in rows and columns", "with other names in rows than in columns",
               "Use the variables' names, in one order.")
  }
  check_own_names(stats::setNames(seq_along(names), names), "covariance")
  names
}

# Does each variable keep more than a part in 10^10 of its variance when all others are known? Then it does
# given any of them, and there is a Cholesky factor in whatever order the data have the variables.
is_definite <- function(x, sd) {
  factor <- cholesky_factor(unname(x) / sd / rep(sd, each = nrow(x)))
  if (is.null(factor)) return(FALSE)
  left <- 1 / colSums(forwardsolve(factor, diag(nrow(x)))^2)
  isTRUE(all(left >= 1.01e-10))
}

# The lower factor L of A = L L', in a fixed order of operations; NULL where A is not positive definite.
cholesky_factor <- function(a) {
  d <- nrow(a)
  minimum <- 1e-10 * diag(a)
  out <- matrix(0, d, d)
  for (k in seq_len(d)) {
    if (!isTRUE(a[k, k] >= minimum[[k]])) return(NULL)
    below <- seq_len(d) > k
    out[k, k] <- sqrt(a[k, k])
    out[below, k] <- a[below, k] / out[k, k]
    a[below, below] <- a[below, below] - outer(out[below, k], out[below, k])
  }
  out
}

# What makes rows of a prior with a covariance standard normal; NULL for priors without one.
prior_whitening <- function(prior) {
  if (is.null(prior$covariance)) return(NULL)
  list(mean = unname(prior$mean), factor = cholesky_factor(unname(prior$covariance)))
}

most_whitened <- 2^100

# Rows in the prior's standard deviations. PRIVATE.
whiten_rows <- function(x, whitening) {
  if (is.null(whitening)) return(x)
  for (j in seq_len(ncol(x))) {
    z <- x[, j] - whitening$mean[[j]]
    for (k in seq_len(j - 1)) z <- z - whitening$factor[j, k] * x[, k]
    x[, j] <- pmin(pmax(z / whitening$factor[j, j], -most_whitened), most_whitened)
  }
  x
}

# Whitened points, one per row, in the units of the data.
color_points <- function(z, whitening) {
  if (is.null(whitening)) return(z)
  out <- z
  for (j in seq_len(ncol(z))) {
    point <- 0
    for (k in seq_len(j)) point <- point + whitening$factor[j, k] * z[, k]
    out[, j] <- whitening$mean[[j]] + point
  }
  out
}
