# How likely a draw is noise, and what a release resolves: public numbers only. One rule for plans and doors.
#
# METHOD: rows of a normal distribution with the spread that is assumed stand in for the data. `failure` is
#   the chance that the draw lies beyond five spreads, of any variable or quantile. A prior enters by three
#   numbers, in shares of its mass: `density`, of one spread at the data; `point`, of one lattice point;
#   `out`, beyond five spreads. A normal prior is taken one standard deviation from the data, a dyadic one a
#   thousand spreads from its origin.
#   Level sets: level k has the weight (e^(eps k / 2) - e^(eps (k - 1) / 2)) times its volume; what fails is
#   level 0. Ranks: quantiles drawn at once err by a bridge of Laplace steps at rate lambda / 2, whose mass is
#   choose(2 k, k) / lambda^k in counts; the j lowest of them leave together at e^(-lambda r_j), r_j the rank
#   of the j-th, and those that stay may then lie anywhere within r_j ranks.
# REFERENCE: checked by data-raw/plan-failures.R.

far_spreads <- 5

# The n that a plan finds: fewer draws than that fail.
planned_failure <- 1 / 2000

# Above it a plan says `beyond`, and its error is that of the limits.
most_failure <- 1e-3

# Each variable's width that spreads are held against. A normal prior has the density of limits so wide; a
# dyadic one, of distances from its origin.
prior_width <- function(prior) {
  if (is_dyadic(prior)) return(rep_len(dyadic_reach, length(prior$unit)))
  unname(if (inherits(prior, "dp_prior_normal")) prior$sd / stats::dnorm(1) else prior$upper - prior$lower)
}

# `spread`: in the variables' units; NULL for the default. `width`: of prior_width().
prior_line <- function(prior, spread = NULL) {
  width <- prior_width(prior)
  if (is_dyadic(prior)) return(line_of(1e-3 / width))
  line_of((if (is.null(spread)) prior_units(prior)$spread else spread) / width)
}

line_of <- function(density, point = 0) {
  list(density = density, point = point, out = pmax(0, 1 - far_spreads * density))
}

# -- level sets -------------------------------------------------------------------------------------------

# Levels, as counts, of a normal sample of n rows of two variables or more, and the logarithm of their
# regions' volumes (up to a constant): the region of level l is about the ball whose tangent halfspaces hold
# the share p of the distribution, l = n p - c sqrt(n p (1 - p)). c allows for the least of many directions;
# it was fitted from above by data-raw/normal-profile.R.
normal_profile <- function(n, d) {
  radius <- seq(stats::qnorm(1 - 0.3 / n), 1e-3, length.out = 600)
  p <- stats::pnorm(-radius)
  count <- n * p - (0.25 + p) * sqrt(n * p * (1 - p))
  deepest <- floor(max(count))
  if (deepest < 1) return(numeric(0))
  d * log(stats::approx(count, radius, seq_len(deepest), rule = 2, ties = "ordered")$y)
}

# Half the sides of cubes that have the volume of levels 1, 2, ... of normal rows, in spreads, along the axes
# or of halfspace depth.
level_sides <- function(n, d, axes) {
  if (!axes && d > 1) {
    ball <- d / 2 * log(pi) - lgamma(d / 2 + 1)
    return(exp((normal_profile(n, d) + ball) / d - log(2)))
  }
  k <- seq_len((n + 1) %/% 2)
  pmax(0, -stats::qnorm((k - 0.5) / n))
}

# The chance that a draw over depth fails, as a function of a line: doors ask for many spreads.
level_failure <- function(n, d, epsilon, axes) {
  # the distribution depends on n epsilon, but for fluctuations
  rows <- min(n, max_profile_rows)
  rate <- epsilon * n / rows
  side <- level_sides(rows, d, axes)
  k <- seq_along(side)
  # samples of three variables are less deep than normal_profile() has it
  lost <- if (axes) 0 else 0.15 * max(0, d - 2) * sqrt(rows)
  gain <- rate * (k - lost) / 2 + log(-expm1(-rate / 2))
  function(line) {
    size <- lapply(seq_along(line$density), function(j) {
      point <- rep_len(line$point, length(line$density))[[j]]
      log(pmin(1, 2 * side * line$density[[j]] + point + 1e-300))
    })
    weight <- c(0, gain + Reduce(`+`, size) * d / length(size))
    inside <- exp(d * mean(log(pmin(1, 10 * line$density))))
    exp(-max(weight)) * (1 - inside) / sum(exp(weight - max(weight)))
  }
}

# -- ranks ------------------------------------------------------------------------------------------------

# The same of quantiles in increasing order, drawn in the levels of quantile_levels() with `each` epsilon. A
# block at an end of the limits fails by itself, as soon as `from` of its quantiles leave together.
rank_failure <- function(n, probs, each, levels, from = 1L) {
  m <- length(probs)
  blocks <- list()
  for (node in quantile_tree(m, levels)) {
    lambda <- each[[node$level]] / 2
    p <- probs[node$order]
    if (node$left == 0) blocks <- c(blocks, list(list(p = p, lambda = lambda)))
    if (node$right == m + 1) blocks <- c(blocks, list(list(p = rev(1 - p), lambda = lambda)))
  }
  function(line) {
    odds <- vapply(blocks, function(block) block_odds(n, block$p, block$lambda, line, from), 0)
    total <- sum(exp(pmin(odds, 700)))
    total / (1 + total)
  }
}

# The log odds that the lowest of some quantiles, `p`, leave downward. Counts are whole: at a large lambda a
# peak is as wide as the gap between two rows.
block_odds <- function(n, p, lambda, line, from) {
  k <- length(p)
  if (line$out <= 0 || k < from) return(-Inf)
  rank <- floor(n * p * (1 + 1e-12))
  peak <- 1 / tanh(lambda / 2)
  per_row <- line$density / (n * stats::dnorm(stats::qnorm(p)))
  near <- sum(log(per_row * peak + line$point)) + lchoose(2 * k, k) - k * log(2)
  near <- min(near, k * log(10 * line$density + line$point) - lgamma(k + 1))
  out <- vapply(from:k, function(j) {
    stay <- seq_len(k)[-seq_len(j)]
    # by row, between a quantile's place and the one r_j ranks below
    down <- stats::qnorm(p[stay]) - stats::qnorm(p[stay] - p[[j]] * (1 - 1e-3))
    room <- sum(log(line$density * down / (n * p[[j]]) + line$point)) +
      room_size(length(stay), rank[[j]], lambda)
    j * log(line$out) - lgamma(j + 1) - lambda * rank[[j]] + room
  }, 0)
  max(out) + log(sum(exp(out - max(out)))) - near
}

# The volume, in rows, of what k quantiles have that stay: ordered moves downward within `rank` rows are free,
# others cost lambda a row and make room for free ones.
room_size <- function(k, rank, lambda) {
  t <- seq(0, k)
  size <- t * log(max(rank, 1)) - lgamma(t + 1) + lchoose(2 * k - t, k - t) - (k - t) * log(lambda)
  max(size) + log(sum(exp(size - max(size))))
}

# The chance that the draw of a method of medians fails, as a function of a line. `epsilon`: of a draw.
median_failure <- function(n, d, epsilon, method) {
  if (d > 1 && method != "marginal") return(level_failure(n, d, epsilon, method == "axes"))
  one <- rank_failure(n, 0.5, epsilon, quantile_levels(1L, epsilon))
  function(line) {
    each <- vapply(rep_len(line$density, d), function(density) {
      one(list(density = density, point = max(line$point), out = max(0, 1 - 5 * density)))
    }, 0)
    -expm1(sum(log1p(-each)))
  }
}

# -- noise scaled to smooth sensitivity -------------------------------------------------------------------

# The chance that such noise moves a variable by five spreads. At the distance k the bound of the sensitivity
# is that of windows of k + 1 rows beside the median, up to 1.35 times as wide as those of quantiles, and
# three times as much for regions (data-raw/plan-failures.R), until as many rows move it through the whole
# limits. `least`: of the noise's scale, a share of the width. `apart`: a median of each variable; regions
# last to a share of the rows that every data set has, or to half the depth of normal rows.
smooth_failure <- function(n, d, constants, apart, least) {
  last <- if (apart) n %/% 2 else ceiling(max(n / (d + 1), n / 4 - sqrt(n) / 2)) - 1
  k <- seq_len(min(last, ceiling(50 / constants$smoothness))) - 1
  rows <- max(0, exp(-constants$smoothness * k) * stats::qnorm(0.5 + (k + 0.5) / n))
  rows <- rows * d * if (apart) 1.35 else 4
  whole <- d * exp(-constants$smoothness * last)
  function(line) {
    scale <- max(least, c(whole, rows * line$density) / constants$alpha)
    min(1, d * exp(-far_spreads * line$density / scale))
  }
}

# -- what a release resolves ------------------------------------------------------------------------------

# The largest share of the prior's width with failure(line) > resolved_failure; 0 if there is none down to the
# lattice's step, and Inf if there is one above a twentieth. `point`: a step, as a share of the width.
resolved_share <- function(failure, point = 0) {
  fails <- function(share) failure(line_of(share, point)) > resolved_failure
  if (fails(1 / 20)) return(Inf)
  low <- max(point, 2^-52)
  if (!fails(low)) return(0)
  bisect_share(fails, low, 1 / 20)
}

# `fails` at low, not at high: the largest at which it fails, from above.
bisect_share <- function(fails, low, high) {
  while (high > low * 1.01) {
    middle <- sqrt(low * high)
    if (fails(middle)) low <- middle else high <- middle
  }
  high
}

# What a door knows of its draw: the spreads that it resolves, a number per variable in its unit; of a dyadic
# prior as shares of the distance from the origin. `step`: of the lattice.
resolved_spread <- function(failure, prior, step = NULL, names = NULL) {
  width <- prior_width(prior)
  dyadic <- is_dyadic(prior)
  if (!is.null(prior$covariance)) step <- NULL
  share <- resolved_share(failure, if (is.null(step) || dyadic) 0 else max(step / width))
  # what lies below the lattice's step cannot be seen
  at <- if (is.null(step) || dyadic) share * width else pmax(share * width, step)
  if (dyadic) at <- share * dyadic_reach
  if (length(names) != length(at)) names <- NULL
  list(share = share, at = stats::setNames(at, names), dyadic = dyadic)
}

# For the release's details. Where n is private nothing that hangs on it is known.
resolves_detail <- function(found, private = FALSE) if (!private) list(resolves = found$at)

# The warning of dp_median() and the mechanisms below it.
warn_limits <- function(resolved, n, d, epsilon, prior, said = warned_numbers(epsilon)) {
  if (is_dyadic(prior)) return(warn_dyadic(n, d, epsilon, said))
  numbers <- sprintf("n = %s, d = %d and epsilon = %s", said$rows(n), d, format(said$epsilon))
  warn_resolved(resolved, n, numbers, mends = paste(
    "More rows, a larger epsilon, tighter limits or fewer variables would help; see plan_median()"
  ))
}

# -- whether rows suffice without limits ------------------------------------------------------------------

# The probability that the depth along the axes of a draw is below n/8, for d columns of quantiles of one
# distribution with scale 1, `away` scales from the origin, at a unit of 2^-16 scales. From public numbers;
# rows beyond max_profile_rows are paid for by the rate, as the distribution depends on n epsilon.
dyadic_failure <- function(n, d, epsilon, away = 1000, quantiles = stats::qnorm) {
  shallow_chance(n, d, epsilon, quantiles, function(a, b) dyadic_mass((a + away) * 2^16, (b + away) * 2^16))
}

# The same under bounds that are `wide` scales to each side.
bounds_failure <- function(n, d, epsilon, wide = 1000, quantiles = stats::qnorm) {
  shallow_chance(n, d, epsilon, quantiles, function(a, b) pmin(pmax((b - a) / (2 * wide), 2^-52), 1))
}

# The same, where an interval of an axis has the prior mass that `mass_of` says.
shallow_chance <- function(n, d, epsilon, quantiles, mass_of) {
  rows <- min(n, max_profile_rows)
  rate <- epsilon * n / rows
  x <- quantiles((seq_len(rows) - 0.5) / rows)
  k <- seq_len((rows + 1) %/% 2)
  mass <- mass_of(x[k], x[rows + 1 - k])
  weight <- c(0, d * log(mass) + rate * k / 2 + log(-expm1(-rate / 2)))
  # of what is drawn from level k's box, the share in the box of depth n/8 is deep enough
  deepest <- max(1, ceiling(rows / 8))
  share <- exp(weight - max(weight))
  inside <- exp(d * (log(mass[[deepest]]) - c(0, log(mass[seq_len(deepest - 1)]))))
  sum(share[seq_len(deepest)] * (1 - inside)) / sum(share)
}

max_profile_rows <- 4000

# The prior's mass of the grid points from a to b.
dyadic_mass <- function(a, b) {
  a <- ceiling(a)
  b <- floor(b)
  side <- function(r) {
    r <- pmin(pmax(r, 0), 2^52 - 1)
    shell <- ifelse(r > 0, floor(log2(pmax(r, 1))) + 1, 1)
    ifelse(r > 0, (shell - 1 + (r - 2^(shell - 1) + 1) * 2^(1 - shell)) / 106, 0)
  }
  inside <- a <= 0 & b >= 0
  both <- side(b) + side(-a) + 1 / 53
  one <- ifelse(a > 0, side(b) - side(a - 1), side(-a) - side(-b - 1))
  pmax(ifelse(inside, both, one), 2^-60)
}

# The rule of dp_median(): is a draw less deep than n/8 so rare that no warning is needed?
dyadic_serves <- function(n, d, epsilon, quantiles = stats::qnorm) {
  n > 1 && dyadic_failure(n, d, epsilon, quantiles = quantiles) < 1e-3
}

# The least n that suffices, about.
dyadic_rows <- function(d, epsilon, quantiles = stats::qnorm) {
  size <- search_minimum(function(n) dyadic_serves(ceiling(n), d, epsilon, quantiles), 2, 2^50, 1 + 1e-3)
  ceiling(size)
}

# Before the debit, from public numbers.
warn_dyadic <- function(n, d, epsilon, said = warned_numbers(epsilon)) {
  if (n == 1 || dyadic_serves(n, d, epsilon)) return(invisible(NULL))
  warn_dpdepth("accuracy", sprintf(paste(
    "With n = %s, d = %d and epsilon = %s the release may be noise of any size, and nothing in it would",
    "tell (judged by these numbers alone). Without limits, about %s rows serve; or give `lower` and `upper`,",
    "which serve fewer; see plan_median()."
  ), said$rows(n), d, format(said$epsilon), grouped(dyadic_rows(d, epsilon))))
}
