# The private median without bounds, by random differential privacy.

# The scale of the noise is a multiple of 2^-random_bits steps, and at least one step.
random_bits <- 14L

#' Median without bounds, random differential privacy as published: unproved
#'
#' Releases a median as [dp_median_smooth()] does, but without bounds: a central region of the data takes
#' their place. The published claim is (epsilon, delta)-differential privacy for data of probability 1 -
#' gamma, if the rows are independent draws from one law. **The published proof fails, and the claim is false
#' as printed**, see Details. Releases therefore say `guarantee = "unproved"`. Use this function for
#' comparison only. For data that need protection, use [dp_median()], or [dp_median_smooth()] with any bounds
#' that can be granted.
#'
#' @inheritParams dp_median_smooth
#' @param gamma The probability, between 0 and 1, of data for which the published claim says nothing.
#' @param region As in [dp_median_smooth()], without `"marginal"`.
#' @param range A public number: values beyond `-range` and `range` are moved there, and the step of the
#'   lattice is `range` over 2^29, rounded down to a power of two. The noise depends on it only
#'   through a floor of one step over alpha. It must be chosen without looking at the data.
#' @param na As in [dp_median()]; `"omit"` is refused, and for `"middle"` the middle is that of
#'   `-range` and `range`, 0.
#' @param ... Must be empty: a name that is not an argument is refused, see [dpdepth-errors].
#' @details **The region.** One variable: from the order statistic of rank floor(n/2 - n kappa) to that of
#' rank ceil(n/2 + n kappa), and one step more to both sides, with kappa = sqrt((1 - log gamma)/n). Several
#' variables: the region of depth m - ceil(2 n kappa), m being the largest depth, with the kappa of the
#' published Theorem 3. A deepest point of another sample of the same law lies in this region with probability
#' at least 1 - gamma. The extent of the region caps the bound of how far the estimate may move. n must be
#' such that the region is always bounded; fewer rows are refused.
#'
#' **Why it is unproved.** The published proof treats the region as fixed, but the region moves with the data,
#' and the theorem is false as printed: at epsilon = 1 and gamma = 0.05, with 30 Cauchy rows, about 15 of 100
#' pairs of neighbours are not (1, 1e-6)-indistinguishable. The share of pairs that are not (epsilon,
#' delta)-indistinguishable, for neighbours drawn independently from one law at gamma = 0.05, was 18% for 500
#' normal rows at epsilon = 0.1, and 31 to 41%, depending on the law, for 50 rows at epsilon = 0.25. That is
#' far above gamma.
#'
#' **What holds.** Two neighbours are indistinguishable if in both the smooth bound is attained before the
#' cap. With 500 rows of a normal, a uniform or a Cauchy law and epsilon = 1 this was so in all pairs tried.
#' It is not so for smaller epsilon, and for laws with heavier tails nothing is promised at any n. With
#' public bounds, however wide, [dp_median_smooth()] promises more, with little more noise. See
#' `vignette("proofs-smooth", "dpdepth")`, section 9.
#'
#' **Lattice.** The step of the lattice on which rows are rounded and noise is drawn depends on `range` only.
#' @return A [`dp_release`][dp_release] with `guarantee = "unproved"` and `gamma`. The `details` name the
#'   public constants `kappa`, `alpha`, `beta`, `range` and `step`.
#' @section Errors: As for [dp_median_smooth()]. Fewer rows than the condition needs are refused, with the
#' number that would do: 20 for one variable at gamma = 0.05, 580 for two, 1625 for three.
#' @references
#' Differentially private estimation via statistical depth (2022), preprint, Theorems 3 and 4.
#'
#' Hall, R., Wasserman, L. and Rinaldo, A. (2013). Random differential privacy. *Journal of Privacy and
#' Confidentiality 4*(2).
#'
#' Wei, F. and Dudley, R. M. (2012). Two-sample Dvoretzky-Kiefer-Wolfowitz inequalities. *Statistics and
#' Probability Letters 82*, 636-644.
#' @seealso [dp_median_smooth()]; `vignette("proofs-smooth", "dpdepth")`, section 9.
#' @examples
#' dp_median_random(faithful$waiting, epsilon = 4, delta = 1e-6, gamma = 0.05)
#' @export
dp_median_random <- function(x, epsilon, delta, gamma, region = c("auto", "exact", "directional"),
                             range = 2^20, ..., ledger = NULL, rng = NULL, na = "fail") {
  check_given()
  call <- sanitize_call(match.call(), "x")
  persons <- persons_detail(x)
  # the range's middle is 0
  x <- replace_missing(x, na, function(d, names) numeric(d))
  d <- ncol(x)
  epsilon <- check_epsilon(epsilon)
  delta <- check_delta(delta)
  gamma <- check_number(gamma, "gamma", 0, 1)
  region <- check_choice(region, c("auto", "exact", "directional"), "region")
  region <- smooth_method(region, nrow(x), d, "region")
  range <- check_number(range, "range", 0)
  kind <- if (d == 1) "median" else "tukey"
  check_random_dp_n(nrow(x), d, gamma, kind)
  source <- check_rng(rng)
  constants <- random_constants(epsilon, delta, d)
  step <- random_step(range)

  paid <- debit(ledger, "median (random DP)", nrow(x), epsilon, delta, source, "unproved")
  law <- random_law(random_rows(x, step), gamma, constants, region)
  index <- law$centre + half_laplace(d, law$scale, source, random_bits)
  names <- variable_names(x)
  new_release(
    stats::setNames(pmin(pmax(index * step, -range), range), names), paid, gamma = gamma,
    mechanism = "Laplace noise scaled to smooth sensitivity, bounds from the data, as published",
    n = nrow(x), d = d, call = call,
    details = c(list(what = "median", depth = smooth_depth(region, d),
                     kappa = random_dp_kappa(nrow(x), d, gamma, kind), alpha = constants$alpha,
                     beta = constants$beta, range = range, step = step), na_detail(na), persons)
  )
}

random_step <- function(range) {
  step <- 2^(floor(log2(range)) - 29)
  smaller <- "Take smaller units of the data."
  if (step == 0) stop_input("range", "large enough for a lattice of doubles", format(range), smaller)
  step
}

random_rows <- function(x, step) pmin(pmax(round(x / step), -2^29), 2^29)

# As smooth_constants(): the scale is rounded up to a multiple of 2^-14 and is at least one.
random_constants <- function(epsilon, delta, d) {
  constants <- smooth_noise(epsilon, delta * (1 - 1e-9), d)
  rounding <- 2^-20
  smoothness <- constants$beta - 2^-random_bits - rounding
  if (constants$alpha < d * 2^-8 || smoothness < constants$beta / 2) {
    must <- sprintf("larger for random differential privacy with %d variable%s", d, plural(d))
    stop_input("epsilon", must, format(epsilon))
  }
  c(constants, list(smoothness = smoothness, rounding = rounding))
}

# The centre and the scale of the noise, a multiple of 2^-random_bits. PRIVATE.
random_law <- function(z, gamma, constants, method) {
  n <- nrow(z)
  d <- ncol(z)
  minimum <- constants$alpha # of a scale of one step
  beta <- constants$smoothness
  reach <- random_dp_reach(n, d, gamma, if (d == 1) "median" else "tukey")
  open <- list(lower = rep(-Inf, d), upper = rep(Inf, d))
  found <- if (d == 1) random_line_law(z, gamma, beta, minimum)
           else if (d == 2) plane_law(z, open, beta, minimum, method, reach)
           else directional_law(z, open, beta, minimum, reach)
  scale <- ceiling(found$bound * exp(constants$rounding / 2) * 2^random_bits / constants$alpha)
  list(centre = as.vector(round(found$point)), scale = max(2^random_bits, scale))
}

random_line_law <- function(z, gamma, beta, minimum) {
  n <- nrow(z)
  far <- n * random_dp_kappa(n, 1, gamma, "median")
  y <- sort(z[, 1])
  lower <- y[[floor(n / 2 - far)]] - 1
  upper <- y[[min(n, ceiling(n / 2 + far))]] + 1
  k <- 0:n
  a <- median_windows(y, lower, upper, n + 1)
  list(point = median_columns(z), bound = max(minimum, exp(-beta * k) * a))
}
