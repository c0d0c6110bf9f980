# Simple regression by noisy gradient descent.

#' Private regression by noisy gradients, for comparison
#'
#' Least squares for one regressor by gradient descent with clipped gradients and Gaussian noise. A published
#' method, here as a yardstick for [dp_regression()].
#'
#' @inheritParams dp_regress_noisystats
#' @param delta Between 0 and 1; much less than 1/n is usual.
#' @param steps How many steps are taken; the budget is spread evenly over them.
#' @param clip Where a row's gradient is clipped, in each of its two coordinates, with the response and the
#'   regressor in units of their bounds' widths.
#' @details
#' The line is described by its values at the lower and upper quartile of the regressor's bounds. A step
#' adds up the rows' clipped gradients, which are whole numbers on a public lattice, adds discrete Gaussian
#' noise, and moves by the sum over the root of the squared lengths of all sums so far, within a range of
#' twice the width of the response's bounds (the published steps know no range, and go further astray). The
#' line is the mean over the last half of the steps. Each step is zero-concentrated differentially private;
#' the whole budget is converted from `(epsilon, delta)` by the conversion of Canonne, Kamath and Steinke.
#' @return A [`dp_release`][dp_release] of class `dp_regression` with `guarantee = "approximate"`;
#'   [predict()] works.
#' @section Errors: As for [dp_regression()]. One regressor and at least two rows are needed.
#' @references
#' Alabi, D., McMillan, A., Sarathy, J., Smith, A. and Vadhan, S. (2022). Differentially private simple linear
#' regression. *Proceedings on Privacy Enhancing Technologies*. \doi{10.48550/arXiv.2007.05157}
#' (DPGradDescent.)
#'
#' Canonne, C., Kamath, G. and Steinke, T. (2020). The discrete Gaussian for differential privacy. *NeurIPS*.
#' \doi{10.48550/arXiv.2004.00010}
#' @seealso [dp_regression()], [dp_regress_theilsen()], [dp_regress_adassp()].
#' @examples
#' dp_regress_gradient(waiting ~ eruptions, faithful, epsilon = 1, delta = 1e-6, x_lower = 1,
#'                     x_upper = 6, lower = 30, upper = 120)
#' @export
dp_regress_gradient <- function(formula, data, epsilon, delta, x_lower, x_upper, lower, upper, steps = 80L,
                                clip = 1, ..., ledger = NULL, rng = NULL, na = "fail") {
  check_given()
  call <- sanitize_call(match.call(), "data")
  frame <- line_frame(formula, data, na)
  n <- nrow(frame$x)
  epsilon <- check_epsilon(epsilon)
  delta <- check_delta(delta)
  limits <- line_limits(x_lower, x_upper, lower, upper)
  plan <- gradient_plan(n, epsilon, delta, check_count(steps, "steps", upper = 10000L),
                        check_number(clip, "clip", 1e-6, 1e6, closed = c(TRUE, TRUE)))
  source <- check_rng(rng)
  paid <- debit(ledger, "regression (noisy gradients)", n, epsilon, delta, source, rho = plan$rho)
  frame <- fill_middle(frame, limits)
  p <- descend(unit_values(frame$x[, 1], limits$x), unit_values(frame$y, limits$y), plan, source)
  unit <- unit_line_at(p)
  line_release(
    list(estimate = line_from_unit(unit[[1]], unit[[2]], limits),
         details = list(steps = plan$steps, clip = plan$clip, rho = plan$rho)),
    frame, limits, na, paid, what = "regression by noisy gradients",
    mechanism = "discrete Gaussian noise on sums of clipped gradients", call = call
  )
}

gradient_plan <- function(n, epsilon, delta, steps, clip) {
  rho <- zcdp_rho(epsilon, delta)
  each <- rho / steps * (1 - 2^-40)
  list(rho = rho, each = each, steps = steps, clip = clip,
       lattice = gaussian_steps(n, each, sqrt(2))) # two coordinates, each moves by the whole lattice
}

# The values at the quartiles, for rows in the unit square.
descend <- function(u, v, plan, source) {
  p <- c(0.5, 0.5)
  total <- c(0, 0)
  squares <- 0
  for (t in seq_len(plan$steps)) {
    g <- noisy_gradient(u, v, p, plan, source)
    squares <- squares + sum(g^2)
    if (squares > 0) p <- pmin(pmax(p - g / sqrt(squares), -0.5), 1.5)
    if (t > plan$steps %/% 2) total <- total + p
  }
  total / (plan$steps - plan$steps %/% 2)
}

# The sum of the rows' gradients, each coordinate clipped and on the lattice, with noise.
noisy_gradient <- function(u, v, p, plan, source) {
  sums <- gradient_sums(u, v, p, plan)
  noisy <- add_gaussian(sums, 2 * plan$lattice^2, plan$each, source)
  plan$clip * (2 * noisy / plan$lattice - length(u))
}

# Whole numbers from 0 to n times the lattice's steps. A row moves each by as many steps at most. PRIVATE.
gradient_sums <- function(u, v, p, plan) {
  left <- 0.75 - u
  right <- u - 0.25
  excess <- 2 * (2 * (p[[1]] * left + p[[2]] * right) - v)
  c(sum(lattice_place(excess * left, -plan$clip, plan$clip, plan$lattice)),
    sum(lattice_place(excess * right, -plan$clip, plan$clip, plan$lattice)))
}
