# What exact draws over regression depth take, and when they are noise: public rules.

# Where an exact draw over regression depth takes about half a minute: rows by the number of regressors.
exact_regression_rows <- c(2e6, 1e5, 2e4, 2e3)

# By name so many are taken: with four regressors a draw takes half a minute.
named_regression_rows <- c(2e6, 1e5, 2e4, 1e4)

exact_regression_serves <- function(n, p) {
  p <= length(exact_regression_rows) && n <= c(Inf, exact_regression_rows)[[p + 1]]
}

# Fits of up to so many coefficients are drawn without a caution: boxes that do not get on give way to cuts by
# the rows, and nearly all data take seconds. With more, the draw of one nasty data set in twenty or in five
# does not end: bench/ends.md, which has the data of two regressors, too, that take longest.
most_uncautioned_coefficients <- 3L

draw_is_uncautioned <- function(terms) length(terms) <= most_uncautioned_coefficients

# A draw with a large epsilon is sought among the very deepest fits. Seen with an epsilon of 8 and up to four
# regressors, one of them skew: ten seconds and more from so many rows on; so with 4.5 to 6 and three
# regressors, while 4 takes less than one. `epsilon`: of one draw.
is_steep_draw <- function(n, p, epsilon) {
  p %in% 2:4 && epsilon > quick_epsilon[[p - 1]] && n * epsilon >= steep_worth[[p - 1]]
}

quick_epsilon <- c(6, 4, 4)
steep_worth <- c(6000, 2000, 200)

# The largest epsilon of a draw that is not, in tenths.
largest_quick_epsilon <- function(n, p) {
  max(quick_epsilon[[p - 1]], (ceiling(10 * steep_worth[[p - 1]] / n) - 1) / 10)
}

# Were there an exact draw, but for how long it may take?
# How many directions there are if nothing is said. Chains take the least of these numbers along which fits
# near the data outweigh those far away, by a formula; where none does, the first. `worth`: of the quantile
# that gets least. Each row is put in order along each direction: `chain_cells` of them at most.
default_fit_directions <- function(p, n, worth) {
  if (p <= length(exact_regression_rows)) return(max(100L, p))
  for (directions in chain_directions[n * chain_directions <= chain_cells]) {
    if (!far_fits_prevail(n, p, worth, directions)) return(max(directions, p))
  }
  max(chain_directions[[1]], p)
}

chain_directions <- c(300L, 600L, 1200L, 2400L)
chain_cells <- 1e8

# What epsilon is worth to each of the quantiles that share it, beside a median's: see warn_shallow().
quantile_worth <- function(epsilon, tau) 2 * pmin(tau, 1 - tau) * epsilon / length(tau)

# A dyadic prior a thousand scales from its origin has the density of bounds so many scales wide to each side.
dyadic_width <- 53000

# Rows times epsilon from which on fewer than one draw in 1000 under prior_dyadic() has a depth below n/8, for
# one regressor and two, normal data whose coefficients lie 1000 spreads from the origin: bench/unlimited.R.
dyadic_regression_rows <- c(160, 330)

dyadic_regression_serves <- function(n, p, epsilon) {
  p <= length(dyadic_regression_rows) && n * epsilon >= c(80, dyadic_regression_rows)[[p + 1]]
}

# The chance that a draw lies where the depth is near zero: the peak of the distribution against all that the
# limits allow. `half`: of the limits' width, in scales. The deepest fit of a sample is less deep than n/2, by
# what was fitted to simulations.
exponential_failure <- function(n, p, epsilon, half) {
  far <- if (p > 1) far_log_weight(n, p, epsilon, default_fit_directions(p, n, epsilon)) else 0
  stats::plogis(exponential_log_odds(n, p, epsilon, half) + far)
}

# The planned error of a slope, in units of the errors' spread over the regressor's.
exponential_error <- function(n, p, epsilon) {
  rate <- epsilon * n * stats::dnorm(0) * sqrt(2 / pi) / 2
  (1 + 0.03 * p) * sqrt(pi / (2 * n) + (p + 2) / rate^2)
}

exponential_log_odds <- function(n, p, epsilon, half) {
  d <- p + 1
  rate <- epsilon * n * stats::dnorm(0) * sqrt(2 / pi) / 2
  d * log(half * rate) - (d * log(d) - d) - epsilon / 2 * (n / 2 - 0.2 * p * sqrt(n))
}

# Do fits far from the data outweigh those near it, under bounds of 50 times the errors' spread to each side?
# On the safe side of simulations, see bench/regression-chain.md.
far_fits_prevail <- function(n, p, epsilon, directions) {
  if (p < 2) return(rep_len(FALSE, length(epsilon)))
  vapply(epsilon, function(epsilon) {
    exponential_log_odds(n, p, epsilon, 50) + far_log_weight(n, p, epsilon, directions) > 0
  }, NA)
}

# The logarithm of the mean of exp(epsilon h / 2) over fits far from the data. Their residuals are those of
# their slopes alone; along a direction at an angle t to these a share t/pi of the rows counts, so that h is
# n t/pi, t being the least angle to one of so many directions, taken as random ones.
far_log_weight <- function(n, p, epsilon, directions) {
  rate <- epsilon * n / (2 * pi)
  t <- seq(0, pi / 2, length.out = 2001)
  none_nearer <- stats::pbeta(cos(t)^2, 1 / 2, (p - 1) / 2)^directions
  # E exp(rate t) = 1 + the integral of rate exp(rate t) none_nearer(t)
  most <- rate * pi / 2
  most + log(exp(-most) + rate * t[[2]] * sum(exp(rate * t - most) * none_nearer))
}

# -- rows ---------------------------------------------------------------------------------------------

# Rows and bounds beyond are moved there or refused: products of two such numbers are finite.
slope_limit <- 2^400

bounded <- function(x) pmin(pmax(as.vector(x), -slope_limit), slope_limit)

# What multiplies the coefficients of a fit to give its value in each row.
with_ones <- function(x) unname(cbind(rep_len(1, nrow(x)), x))

# -- fits through the origin -------------------------------------------------------------------------

# A regressor that is called so has backticks in its name.
has_intercept <- function(terms) terms[[1]] == "(Intercept)"

slope_count <- function(terms) length(terms) - has_intercept(terms)

# -- limits of coefficients ------------------------------------------------------------------------

# Bounds by position or by the coefficients' names.
coefficient_bounds <- function(limits, terms) {
  lower <- limits$lower
  upper <- limits$upper
  if (!is.null(limits$prior)) {
    stop_input("prior", "NULL for a method that takes bounds", describe(limits$prior),
               "Give `lower` and `upper` instead.")
  }
  for (arg in c("lower", "upper")) {
    if (is.null(get(arg))) {
      stop_input(arg, "given: public bounds of the coefficients", "missing",
                 "Give one number for all, or one for each coefficient, the intercept first.")
    }
  }
  check_bounds(coefficient_names(lower, terms), coefficient_names(upper, terms), length(terms), names = terms)
}

# Bounds with the coefficients' names as they are: `intercept` and names without backticks will do, too, where
# no coefficient is named so.
coefficient_names <- function(v, terms) {
  if (!is.numeric(v) || is.null(names(v))) return(v)
  bare <- sub("^`(.*)`$", "\\1", terms)
  for (i in which(!names(v) %in% terms)) {
    at <- which(bare == names(v)[[i]])
    if (tolower(names(v)[[i]]) %in% "intercept") at <- which(terms == "(Intercept)")
    if (length(at) == 1) names(v)[[i]] <- terms[[at]]
  }
  v
}

into_bounds <- function(x, bounds) pmin(pmax(x, bounds$lower), bounds$upper)

# For methods without quantiles but the median.
check_half <- function(tau, method) {
  if (!identical(as.vector(tau), 0.5)) {
    stop_input("tau", sprintf("0.5 for method = \"%s\", which fits medians", method), describe(tau),
               "Leave `method` out for other quantiles.")
  }
}

# The prior of the coordinates, uniform or normal: of the coefficients, or of predictions at the points.
coordinate_prior <- function(limits, terms, points) {
  names <- if (is.null(points)) terms
  k <- length(terms)
  if (!is.null(limits$prior)) {
    if (!is.null(limits$lower) || !is.null(limits$upper)) {
      stop_input("prior", "NULL when `lower` or `upper` are given", describe(limits$prior),
                 "Leave one of the two out.")
    }
    if (inherits(limits$prior, "dp_prior")) {
      limits$prior[] <- lapply(limits$prior, coefficient_names, terms)
    }
    return(prior_for(limits$prior, k, names))
  }
  if (is.null(limits$lower) && is.null(limits$upper)) return(prior_for(prior_dyadic(), k, names))
  for (arg in c("lower", "upper")) {
    if (is.null(limits[[arg]])) {
      what <- if (is.null(points)) "coefficients" else "predictions at the points `at`"
      stop_input(arg, sprintf("given: public bounds of the %s", what), "missing",
                 "Give one number for all, or one for each, the intercept first; or give a `prior`.")
    }
  }
  bounds <- check_bounds(coefficient_names(limits$lower, terms), coefficient_names(limits$upper, terms), k,
                         names = names)
  bounds_prior(bounds, names)
}

prior_middle <- function(prior) {
  unname(if (is_dyadic(prior)) prior$origin
         else if (inherits(prior, "dp_prior_normal")) prior$mean
         else prior$lower / 2 + prior$upper / 2)
}

middle_response <- function(prior, points) coefficients_of(prior_middle(prior), points)[[1]]

point_names <- function(p) sprintf("point %d", seq_len(p + 1L))

# The release's prior of predictions says of which points.
name_points <- function(prior, p) {
  vectors <- setdiff(names(prior), "covariance")
  prior[vectors] <- lapply(unclass(prior)[vectors], stats::setNames, point_names(p))
  if (!is.null(prior$covariance)) dimnames(prior$covariance) <- rep(list(point_names(p)), 2)
  prior
}

# What a release says about the points.
points_details <- function(points, prior) {
  if (is.null(points)) return(NULL)
  list(at = points$at, predictions = name_points(prior, ncol(points$at)))
}

# The names of what is released for each batch, and its prior.
batches_coordinates <- function(terms, points) if (is.null(points)) terms else point_names(length(terms) - 1L)

# The coefficients of a fit from its coordinates.
coefficients_of <- function(coordinates, points) {
  if (is.null(points)) return(coordinates)
  slopes <- as.vector(points$inverse %*% (coordinates[-1] - coordinates[[1]]))
  c(coordinates[[1]] - sum(points$at[1, ] * slopes), slopes)
}

# What was given for a method alone. Points `at` may be a data frame of the formula's variables, like new
# data; one whose columns are named as the regressors has these.
further_at <- function(facts, further) {
  at <- further$at
  bare <- function(names) sub("^`(.*)`$", "\\1", names)
  regressors <- setdiff(facts$variables, "(Intercept)")
  if (!is.data.frame(at) || setequal(bare(names(at)), bare(regressors))) return(further)
  used <- all.vars(str2lang(facts$kept$formula)[[3]])
  if (all(used %in% names(at))) further$at <- unname(new_rows(facts$kept, at, arg = "at")$x)
  further
}

# The method's own arguments, points as values of regressors.
own_arguments <- function(facts, given, arguments) {
  further_at(facts, given[intersect(arguments, names(given))])
}
