# The mean by balls that shrink about it, as published (CoinPress).

#' Private mean by shrinking balls, for comparison
#'
#' The mean of one variable or several, by rounds that clip the rows to a ball, release their mean with
#' noise, and go on with a smaller ball about it ("CoinPress"). A published method, here as a yardstick: a
#' mean, not a median, and it leans on a public bound of the covariance.
#'
#' @inheritParams dp_median
#' @param delta Between 0 and 1; much less than 1/n is usual.
#' @param center,radius A public ball that holds the mean: its centre, one number or one per variable, and its
#'   radius, in standard deviations of `covariance`.
#' @param steps How many rounds there are. The last one has three quarters of the budget.
#' @param covariance A public upper bound of the covariance: `NULL` for one unit per variable, variances (one
#'   number, or one per variable), or a matrix.
#' @param na As in [dp_median()]; `"omit"` is refused; with `"middle"` the centre replaces a row with missing
#'   values.
#' @param ... Must be empty: a name that is not an argument is refused, see [dpdepth-errors].
#' @details
#' The rows are clipped to the ball and put on a public lattice inside it, so that the sum has no rounding
#' and its sensitivity is exact. The rounds have integer Gaussian noise, together the least for
#' `(epsilon, delta)` (Balle and Wang, 2018). A round whose
#' noise would make the ball larger is not followed; whether it is, is public. Privacy holds for any data,
#' accuracy if the covariance is at most `covariance` and tails are those of a normal distribution. The
#' covariance itself is not estimated.
#' @return A [`dp_release`][dp_release] with `guarantee = "approximate"`.
#' @section Errors: As for [dp_median()].
#' @references
#' Balle, B. and Wang, Y.-X. (2018). Improving the Gaussian mechanism for differential privacy: analytical
#' calibration and optimal denoising. *ICML*. \doi{10.48550/arXiv.1805.06530}
#'
#' Biswas, S., Dong, Y., Kamath, G. and Ullman, J. (2020). CoinPress: practical private mean and covariance
#' estimation. *NeurIPS*. \doi{10.48550/arXiv.2006.06618}
#'
#' @seealso [dp_mean()], [dp_median()].
#' @examples
#' # eruptions of Old Faithful: duration and waiting time in minutes
#' rival_mean(faithful, epsilon = 1, delta = 1e-6, center = c(3, 60), radius = 20,
#'            covariance = c(2, 200))
#' @export
rival_mean <- function(x, epsilon, delta, center, radius, steps = 3L, covariance = NULL, ...,
                       ledger = NULL, rng = NULL, na = "fail") {
  release_by(coinpress_mechanism(), door_call())
}

coinpress_mechanism <- function() {
  new_mechanism(
    plan_coinpress, draw_coinpress, neighbours = "substitution", limits = FALSE,
    read = function(given) {
      replace_missing(given$x, given$na, function(d, names) check_bound(given$center, d, "center", names))
    }
  )
}

plan_coinpress <- function(facts, given) {
  d <- facts$d
  delta <- check_delta(given$delta)
  center <- check_bound(given$center, d, "center", facts$names)
  if (any(abs(center) > 2^200)) {
    stop_input("center", "at most 2^200 in size", describe_numbers(center, abs(center) > 2^200))
  }
  radius <- check_number(given$radius, "radius", 2^-100, 2^100, closed = c(TRUE, TRUE))
  root <- covariance_root(given$covariance, d, facts$names)
  steps <- check_count(given$steps, "steps", upper = 100L)
  plan <- coinpress_plan(facts$n, d, given$epsilon, delta, steps)
  c(plan, list(
    label = "mean (shrinking balls)", what = "mean", delta = delta, center = center, radius = radius,
    root = root, mechanism = "discrete Gaussian noise on means of clipped rows",
    details = list(center = stats::setNames(center, facts$variables), radius = radius, steps = plan$steps,
                   rho = plan$rho)
  ))
}

# PRIVATE: rows.
draw_coinpress <- function(rows, plan, source) {
  z <- coinpress_mean(whitened(rows, plan$center, plan$root), plan$radius, plan, source)
  list(estimate = plan$center + as.vector(z %*% plan$root))
}

# An upper triangle R with R'R the covariance.
covariance_root <- function(covariance, d, names) {
  if (is.null(covariance)) return(diag(d))
  must <- sprintf("NULL, variances above 0, or a positive definite %d x %d matrix", d, d)
  if (!is.matrix(covariance)) {
    variances <- check_bound(covariance, d, "covariance", names)
    if (any(variances < 2^-200 | variances > 2^200)) {
      stop_input("covariance", "made of variances from 2^-200 to 2^200", NULL,
                 "Take other units, such as thousands.")
    }
    return(diag(sqrt(variances), d))
  }
  ok <- is.numeric(covariance) && identical(dim(covariance), c(d, d)) && all(is.finite(covariance)) &&
    isSymmetric(unname(covariance)) && all(abs(covariance) <= 2^200)
  root <- if (ok) tryCatch(chol(unname(covariance)), error = function(e) NULL)
  if (is.null(root) || any(diag(root) < 2^-100)) {
    stop_input("covariance", must, describe(covariance), "Give an upper bound of the covariance.")
  }
  root
}

# (x - center) R^-1, each row by itself: column after column, in a fixed order.
whitened <- function(x, center, root) {
  z <- x
  for (j in seq_len(ncol(x))) {
    v <- pmin(pmax(x[, j] - center[[j]], -2^300), 2^300)
    for (k in seq_len(j - 1)) v <- v - root[k, j] * z[, k]
    z[, j] <- pmin(pmax(v / root[j, j], -2^300), 2^300)
  }
  z[is.nan(z)] <- 0
  z
}

coinpress_plan <- function(n, d, epsilon, delta, steps) {
  share <- if (steps == 1) 1 else c(rep(0.25 / (steps - 1), steps - 1), 0.75)
  # a ball's rows are two radii apart
  lattice <- vapply(zcdp_rho(epsilon, delta) * share, function(r) gaussian_steps(n, r, 2), 0)
  rho <- gaussian_rho(epsilon, delta, rep(d, steps), 4 * lattice^2, share)
  list(n = n, d = d, rho = rho, steps = steps, each = rho * share * (1 - 2^-40), lattice = lattice)
}

# How far standard normal rows of d variables reach, but for a share of 1 in 100.
coinpress_reach <- function(d, share = 0.01) sqrt(d + 2 * sqrt(d * log(1 / share)) + 2 * log(1 / share))

# The mean of rows whose covariance is at most one, in the ball of that radius about 0.
coinpress_mean <- function(z, radius, plan, source) {
  reach <- coinpress_reach(plan$d)
  center <- numeric(plan$d)
  for (t in seq_len(plan$steps)) {
    clip <- min(sqrt(radius^2 + 6 * radius + reach^2), radius + reach)
    lattice <- plan$lattice[[t]]
    places <- ball_places(z, center, clip, lattice)
    given <- add_gaussian(colSums(places), 4 * lattice^2, plan$each[[t]], source)
    found <- center + clip / lattice * given / plan$n
    smaller <- reach * sqrt(1 / plan$n + 2 * clip^2 / (plan$n^2 * plan$each[[t]]))
    if (t == plan$steps) return(found)
    if (smaller < radius) {
      z <- carried(places, center, clip / lattice)
      center <- found
      radius <- smaller
    }
  }
}

# Whole numbers, one row per point of the ball of radius `lattice` about 0, by that row only: clipped, rounded
# toward the centre, and put there if rounding should leave it outside all the same.
ball_places <- function(z, center, clip, lattice) {
  y <- z
  size <- numeric(nrow(z))
  for (j in seq_len(ncol(z))) {
    y[, j] <- (z[, j] - center[[j]]) / clip
    size <- pmax(size, abs(y[, j]))
  }
  size <- pmax(size, 2^-300)
  norm <- numeric(nrow(z))
  for (j in seq_len(ncol(z))) norm <- norm + (y[, j] / size)^2
  norm <- sqrt(norm) * size
  squares <- numeric(nrow(z))
  for (j in seq_len(ncol(z))) {
    y[, j] <- trunc(y[, j] / pmax(norm, 1) * lattice)
    squares <- squares + y[, j]^2
  }
  # sums of squares of at most 2^50 are exact, and larger ones are no smaller than that
  y[!is.finite(squares) | squares > lattice^2, ] <- 0
  y
}

carried <- function(places, center, step) {
  for (j in seq_len(ncol(places))) places[, j] <- center[[j]] + step * places[, j]
  places
}
