# The mean of clipped rows: exact sums of whole numbers and integer noise.

#' Private mean of a bounded variable
#'
#' Releases the mean of one variable or several, after each value is clipped to public bounds. The noise is
#' Laplace, or Gaussian where `delta` is given and that noise is smaller. Its scale is the width of the bounds
#' divided by n epsilon: take a mean where bounds are tight and tails are light. Elsewhere take [dp_median()],
#' whose error grows only with the logarithm of the limits' width.
#'
#' @inheritParams dp_median
#' @param delta 0 for Laplace noise; above 0, Gaussian noise is used where it is the smaller one, as for many
#'   variables.
#' @param lower,upper Public bounds of each variable, one number or one per variable. Values outside are moved
#'   to the nearer bound: the release is the mean of these clipped values.
#' @param na As in [dp_median()]; with `"middle"` the middle of the bounds replaces a row with missing values.
#' @param neighbours As in [dp_median()]; `"add_remove"` where n is private: see below.
#' @param id `NULL`, or the person of each row: one row of each person is kept, see [dp_median()].
#' @param ... Must be empty: a name that is not an argument is refused, see [dpdepth-errors].
#' @details
#' Values are clipped and rounded to a public lattice of up to 2^25 steps across the bounds, each by itself.
#' So the sums are whole numbers without rounding errors, and one row moves each by at most the lattice's
#' length. The noise is a whole number, drawn exactly: its bits reveal nothing about the data (Mironov, 2012).
#' With d variables each gets epsilon/d; the Gaussian draw has one budget for all, and is the least for
#' `(epsilon, delta)` (Balle and Wang, 2018).
#'
#' The sum with its noise is not clipped, so the release's expectation is the clipped mean. `details$noise_sd`
#' is the noise's standard deviation, which is public. The proof is in `vignette("proofs-rivals", "dpdepth")`,
#' section 1.
#'
#' **A private size** (`neighbours = "add_remove"`). Two sums are released with noise: of the distances of the
#' values from the lower bound, and from the upper one. A row adds the bounds' width to both together, so they
#' cost what the one sum costs under substitution. The noise of the mean is no larger: in the middle of the
#' bounds its standard deviation is 0.7 of that. The release is a ratio of the two, cut to the bounds. The
#' noise of a mean depends on n. So the release has `details$noise_rows` in place of `noise_sd`: the standard
#' deviation of a sum's noise in rows.
#' @return A [`dp_release`][dp_release] with `guarantee = "pure"`, or `"approximate"` where the noise is
#'   Gaussian.
#' @inheritSection dp_median Errors
#' @section Warnings: Where the noise's standard deviation exceeds a quarter of the bounds' width, a warning
#' of class `dpdepth_warning_accuracy` says so before anything is spent.
#' @references
#' Balle, B. and Wang, Y.-X. (2018). Improving the Gaussian mechanism for differential privacy: analytical
#' calibration and optimal denoising. *ICML*. \doi{10.48550/arXiv.1805.06530}
#'
#' Dwork, C., McSherry, F., Nissim, K. and Smith, A. (2006). Calibrating noise to sensitivity in private data
#' analysis. *TCC*, section 3. \doi{10.1007/11681878_14}
#'
#' Ghosh, A., Roughgarden, T. and Sundararajan, M. (2012). Universally utility-maximizing privacy mechanisms.
#' *SIAM Journal on Computing* 41 (integer noise). \doi{10.1137/09076828X}
#'
#' Mironov, I. (2012). On significance of the least significant bits for differential privacy. *CCS*.
#' \doi{10.1145/2382196.2382264}
#' @seealso [dp_median()]; [rival_mean()], which clips to balls that shrink about the mean.
#' @examples
#' # ages are within 0 and 110: the noise has a standard deviation of about 0.3
#' # years
#' dp_mean(infert$age, epsilon = 2, lower = 0, upper = 110)
#' @export
dp_mean <- function(x, epsilon, delta = 0, lower = NULL, upper = NULL, ..., neighbours = "substitution",
                    id = NULL, ledger = NULL, rng = NULL, na = "fail") {
  release_by(mean_mechanism(), door_call())
}

# Sums have distributions without any row: where n is private no public one is needed.
mean_mechanism <- function() {
  new_mechanism(plan_means, draw_means, kinds = c("rows", "tally", "margins"), read = read_bare)
}

plan_means <- function(facts, given) {
  bounds <- mean_bounds(given$lower, given$upper, facts$d, facts$names)
  plan <- mean_plan(if (facts$private) most_private_rows else facts$n, given$epsilon, given$delta, bounds)
  named <- function(v) stats::setNames(v, facts$variables)
  details <- c(list(lower = named(bounds$lower), upper = named(bounds$upper)),
               if (facts$private) list(noise_rows = named(plan$sd * plan$n / plan$width))
               else list(noise_sd = named(plan$sd)),
               if (!is.null(plan$rho)) list(rho = plan$rho))
  c(plan, list(label = "mean", what = "mean of clipped values", bounds = bounds, private = facts$private,
               mechanism = sprintf("discrete %s noise on sums of clipped values", plan$noise),
               details = details, warn = if (!facts$private) function(said) warn_mean(plan)))
}

# PRIVATE: rows.
draw_means <- function(rows, plan, source) {
  drawn <- if (plan$private) draw_mean_ratio(rows, plan$bounds, plan, source)
           else draw_mean(rows, plan$bounds, plan, source)
  unit <- plan$width / plan$steps
  drawn$details <- c(
    if (plan$private) list(counted = stats::setNames(drawn$rows, variable_names(rows))),
    list(noise_form = c(plan$law, list(unit = unit / drawn$rows, rounding = unit / 2,
                                      sums = if (plan$private) 2 else 1)))
  )
  drawn
}

mean_bounds <- function(lower, upper, d, names) {
  given <- c(lower = is.null(lower), upper = is.null(upper))
  if (any(given)) {
    stop_input(names(given)[given][[1]], "given: a public bound of the values", "missing",
               "A mean needs both; dp_median() works without.")
  }
  bounds <- check_bounds(lower, upper, d, names = names)
  for (arg in c("lower", "upper")) {
    far <- abs(bounds[[arg]]) > 2^1000
    if (any(far)) stop_input(arg, "at most 2^1000 in size", describe_numbers(bounds[[arg]], far))
  }
  bounds
}

# The noise, public numbers only: the smaller of Laplace noise, epsilon/d for each variable, and Gaussian
# noise of one budget for all. `sd`: of the means, in the variables' units.
mean_plan <- function(n, epsilon, delta, bounds) {
  d <- length(bounds$lower)
  each <- epsilon / d * (if (d > 1) 1 - 2^-40 else 1)
  if (each < 1e-6) {
    stop_input("epsilon", sprintf("at least 1e-6 for each of %d variables", d), format(epsilon))
  }
  steps <- 2^floor(min(25, 51 - log2(n)))
  if (steps < 16) stop_input("x", "data with at most 2^47 rows", "longer data")
  rho <- if (delta > 0) gaussian_rho(epsilon, delta) else 0
  width <- bounds$upper - bounds$lower
  if (rho > 0 && sqrt(d / (2 * rho)) < sqrt(2) / each) {
    steps <- gaussian_steps(n, zcdp_rho(epsilon, delta), sqrt(d))
    rho <- gaussian_rho(epsilon, delta, 2 * d, d * steps^2) # where n is private a variable has two sums
    variance <- gaussian_variance(d * steps^2, rho)
    return(list(n = n, noise = "Gaussian", guarantee = "approximate", delta = delta, rho = rho, steps = steps,
                width = width, sd = sqrt(variance[[1]] / variance[[2]]) / steps / n * width,
                law = list(noise = "Gaussian", variance = variance[[1]] / variance[[2]])))
  }
  rate <- laplace_rate(each, steps)
  decay <- rate[[1]] / rate[[2]]
  list(n = n, noise = "Laplace", guarantee = "pure", delta = 0, rho = NULL, steps = steps, each = each,
       width = width, sd = sqrt(2 * exp(-decay)) / -expm1(-decay) / steps / n * width,
       law = list(noise = "Laplace", rate = decay))
}

warn_mean <- function(plan) {
  if (all(plan$sd <= plan$width / 4)) return(invisible(NULL))
  warn_dpdepth("accuracy", paste(
    "With so few rows for this `epsilon` the noise is as wide as the bounds. Take more rows, a larger",
    "`epsilon` or, if you know some, tighter bounds."
  ))
}

# Where n is private no number of rows may decide over steps; sums of so many are exact.
most_private_rows <- 2^31

# The lower and the upper sums of places and of places left, one column per variable, the variables' lower
# sums first. A row adds `steps` to both sums of a variable together, and at most that as their Euclidean
# length.
# PRIVATE: x.
two_sided_sums <- function(x, bounds, steps) {
  sums <- place_sums(x, bounds, steps)
  c(sums[1, ], sums[2, ])
}

# Of each variable the sum of places and of places left: whole numbers, exact as they are below 2^53.
# PRIVATE: x, rows or a tally.
place_sums <- function(x, bounds, steps) {
  atoms <- atoms_of(x)
  count <- atoms$count
  vapply(seq_len(ncol(x)), function(j) {
    place <- lattice_place(atoms$points[, j], bounds$lower[[j]], bounds$upper[[j]], steps)
    c(sum(count * place), sum(count * (steps - place)))
  }, numeric(2))
}

# The estimate, and how many rows it is a mean of: with noise where n is private. PRIVATE: x, which may have
# no rows.
draw_mean_ratio <- function(x, bounds, plan, source) {
  sums <- two_sided_sums(x, bounds, plan$steps)
  noisy <- if (plan$noise == "Gaussian") add_gaussian(sums, ncol(x) * plan$steps^2, plan$rho, source)
           else add_laplace(sums, plan$steps, plan$each, source)
  low <- noisy[seq_len(ncol(x))]
  high <- noisy[-seq_len(ncol(x))]
  # where the sums say nothing, a step: the noise's limits are then the bounds
  list(estimate = bounds$lower + mean_share(low, high) * plan$width, rows = pmax(1, low + high) / plan$steps)
}

# The mean's place between the bounds, from 0 to 1; in the middle where the sums say nothing of it.
mean_share <- function(low, high) {
  share <- low / (low + high)
  share[low + high <= 0] <- 0.5
  pmin(pmax(share, 0), 1)
}

# PRIVATE: x.
draw_mean <- function(x, bounds, plan, source) {
  sums <- place_sums(x, bounds, plan$steps)[1, ]
  noisy <- if (plan$noise == "Gaussian") add_gaussian(sums, ncol(x) * plan$steps^2, plan$rho, source)
           else add_laplace(sums, plan$steps, plan$each, source)
  list(estimate = bounds$lower + noisy / plan$steps / plan$n * plan$width, rows = plan$n)
}
