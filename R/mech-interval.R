# Private confidence intervals of quantiles of one variable: two one-sided scans, with exact thresholds.
#
# METHOD: src/mech/interval.c draws a centre and scans a public grid about it from both ends until a noisy
#   count passes a threshold t. A quantile of probability p lies beyond the released limit only if
#   B + nu - rho <= t. B is the number of rows at or beyond the quantile; its distribution is at least
#   Binomial(n, p) (from the left; 1 - p from the right). nu and rho are the geometric noises of a grid point
#   and of the threshold. t is the largest whole number for which this has a probability of at most
#   (1 - level) / 2. With few rows, or limits that are few steps of `resolution` wide, all of epsilon goes to
#   scans without a centre.

# Shares of epsilon in thousandths: the centre's, and in 40ths of the rest that of rho and of nu in either
# scan. They add up to the whole: a row that moves costs the centre's, rho's of one scan and nu's of both.
interval_shares <- function(centre = 0L, rest = c(14L, 13L, 13L)) {
  left <- 1000L - as.integer(centre)
  scans <- as.integer((left * rest[2:3]) %/% 40)
  c(centre = as.integer(centre), threshold = left - sum(scans), first = scans[[1]], second = scans[[2]])
}

# Of these, with few rows, the ones are taken that are expected to be narrowest. Thresholds are whole numbers,
# so that the best shares vary with n.
centre_menu <- as.integer(c(0, seq(100, 500, by = 50), 525, 550, 575, 600))
scan_menu <- list(
  c(14L, 13L, 13L), c(10L, 15L, 15L), c(10L, 16L, 14L), c(12L, 14L, 14L), c(12L, 15L, 13L), c(14L, 14L, 12L),
  c(16L, 12L, 12L), c(16L, 13L, 11L), c(18L, 11L, 11L), c(18L, 12L, 10L)
)

# Rows and epsilon below which the scans stop at once, in whatever shares.
min_interval_budget <- 40

# Rates of a scan's noises as the kernel has them, or more noise from rho and less from nu: so rounded,
# coverage is never overstated.
interval_rates <- function(epsilon, shares = interval_shares(), scan = 1) {
  list(rho = shares[["threshold"]] / 1000 * epsilon * (1 - 2^-39) - 2^-35,
       nu = shares[[2 + scan]] / 1000 * epsilon)
}

# P(nu - rho <= z), vectorised; sums of positive terms in closed form.
noise_below <- function(z, rates) {
  both <- -expm1(-(rates$nu + rates$rho))
  up <- which(z >= 0)
  down <- which(z < 0)
  z[up] <- 1 - exp(-rates$nu * (z[up] + 1)) * -expm1(-rates$rho) / both
  z[down] <- exp(rates$rho * z[down]) * -expm1(-rates$nu) / both
  z
}

# Values and probabilities of Binomial(n, p) up to a common factor, all but tails below 1e-250 (Bernstein).
binomial_weights <- function(n, p) {
  mode <- min(n, floor((n + 1) * p))
  reach <- ceiling(40 * sqrt(n * p * (1 - p)) + 800)
  up <- seq_len(min(reach, n - mode)) + mode
  down <- mode - seq_len(min(reach, mode))
  odds <- p / (1 - p)
  list(value = c(rev(down), mode, up),
       weight = c(rev(cumprod((down + 1) / (n - down) / odds)), 1, cumprod((n - up + 1) / up * odds)),
       reach = reach)
}

# The largest whole t with P(B + nu - rho <= t) <= alpha, B ~ Binomial(n, p), by an upper bound of that
# probability: each of `reach` factors of a weight has a relative error below 2^-50.
interval_threshold <- function(n, p, alpha, rates) {
  b <- binomial_weights(n, p)
  slack <- 1 + 2^-48 * (b$reach + 1000)
  total <- sum(b$weight)
  fits <- function(t) sum(b$weight * noise_below(t - b$value, rates)) / total * slack + 1e-250 <= alpha
  # from where a normal distribution would have it, in steps that double; n as a double: twice n may be no
  # integer
  high <- as.double(n)
  least <- -high
  spread <- sqrt(high * p * (1 - p) + 1 / rates$nu^2 + 1 / rates$rho^2)
  step <- ceiling(spread / 4)
  low <- max(least, floor(high * p + stats::qnorm(alpha) * spread))
  while (low > least && !fits(low)) {
    high <- low
    low <- max(least, low - step)
    step <- 2 * step
  }
  while (high == n && low > least && low + step < n) {
    if (fits(low + step)) low <- low + step else high <- low + step
    step <- 2 * step
  }
  # with n epsilon above 40, P(rho >= n) is below 1e-6
  if (low == least && !fits(low)) {
    stop_input("interval", "a level that so few rows can have", "a higher one", "Ask for a lower one.")
  }
  while (high - low > 1) {
    mid <- floor((low + high) / 2)
    if (fits(mid)) low <- mid else high <- mid
  }
  as.integer(low)
}

# All that is public of the interval of one quantile. `reach`: half the width of the limits in the least
# spread that counts. A public rule takes the shares of least expected width for normal rows. With many rows
# that would take time and gain little: then the centre has the least that will do.
interval_plan <- function(n, prob, level, epsilon, reach = most_reach, choose = n <= 50000) {
  key <- sprintf("%.0f %a %a %a %a %d", n, prob, level, epsilon, reach, choose)
  remembered(intervals_found, key, if (choose) narrowest_plan(n, prob, level, epsilon, reach)
                                   else least_centre_plan(n, prob, level, epsilon, reach))
}

# Plans by their public numbers: for variables alike, and simulations.
intervals_found <- new.env(parent = emptyenv())

# A door does not know the spread: it may be any from a tenth of half the limits' width to a ten-millionth.
# A resolution's step is the least spread that counts.
most_reach <- 1e7
interval_reach <- function(prior, resolution = NULL) {
  if (is.null(resolution)) return(most_reach)
  max(1, min(most_reach, scan_half(prior) / resolution))
}

# Half of what is scanned.
scan_half <- function(prior) {
  unname(if (is_dyadic(prior)) 2^52 * prior$unit
         else if (inherits(prior, "dp_prior_normal")) 36 * prior$sd
         else prior$upper / 2 - prior$lower / 2)
}

least_centre_plan <- function(n, prob, level, epsilon, reach) {
  asked <- list(n = n, prob = prob, epsilon = epsilon)
  serves <- vapply(centre_menu, function(share) {
    share > 0 && centre_failure(asked, share)(line_of(0.5 / reach)) <= most_lost
  }, NA)
  interval_plan_of(n, prob, level, epsilon, interval_shares(c(centre_menu[serves], 0L)[[1]]))
}

# The share of the centre first, then those of the scans: the least mean of the logarithm of the width over
# the spreads that may be.
narrowest_plan <- function(n, prob, level, epsilon, reach, threshold = interval_threshold) {
  reach <- served_reach(n, prob, epsilon, reach)
  reaches <- unique(pmin(10^(1:7), reach))
  least <- function(shares) {
    plans <- lapply(shares, interval_plan_of, n = n, prob = prob, level = level, epsilon = epsilon,
                    threshold = threshold)
    loss <- vapply(plans, function(plan) {
      unfit <- plan_lost(plan, reach) > most_lost || max(plan$early) >= early_most
      if (plan$shares[["centre"]] > 0 && unfit) return(Inf)
      mean(log(door_widths(n, plan, reaches)))
    }, 0)
    plans[[which.min(loss)]]
  }
  centre <- least(lapply(centre_menu, interval_shares))$shares[["centre"]]
  least(lapply(scan_menu, interval_shares, centre = centre))
}

# The reach that is prepared for: where the largest share of a centre does not serve `reach`, the largest that
# it serves. Even cells resolve a thousandth of the limits, so that a centre is worth its share from 1e4 on.
served_reach <- function(n, prob, epsilon, reach) {
  failure <- centre_failure(list(n = n, prob = prob, epsilon = epsilon), max(centre_menu))
  lost <- function(share) failure(line_of(share)) > most_lost
  ends <- 0.5 / c(reach, least_reach)
  if (reach <= least_reach || !lost(ends[[1]]) || lost(ends[[2]])) return(reach)
  0.5 / bisect_share(lost, ends[[1]], ends[[2]])
}

least_reach <- 1e4

# `early`: chances that a scan stops at its first point or, from above, on its way through empty cells.
# `threshold`: of counts with another distribution than the binomial.
interval_plan_of <- function(n, prob, level, epsilon, shares = interval_shares(),
                             threshold = interval_threshold) {
  rates <- list(first = interval_rates(epsilon, shares, 1), second = interval_rates(epsilon, shares, 2))
  alpha <- (1 - level) / 2
  centred <- shares[["centre"]] > 0
  mirrored <- !centred && prob > 0.5
  sides <- c(1 - prob, prob)
  if (mirrored) sides <- rev(sides)
  first <- threshold(n, sides[[1]], alpha, rates$first)
  second <- threshold(n, sides[[2]], alpha, rates$second)
  left <- if (mirrored) first else second
  # the chance that a grid point without rows stops the scan
  empty <- c(1 - noise_below(first, rates$first), 1 - noise_below(second, rates$second))
  cells <- if (centred) 1 else min(fine_cells(n, epsilon), 2^max(8, floor(log2(0.01 / empty[[1]]))))
  points <- c(if (centred) centred_points else cells, centred_points)
  ranks <- quantile_ranks(n, prob)
  list(n = n, prob = prob, level = level, epsilon = epsilon, mirrored = mirrored, first = first,
       second = second,
       cells = as.integer(cells), growth = if (!centred || n * epsilon >= 2500) 19L else 9L,
       ranks = c(ranks$below, ranks$above), shares = shares, rates = rates,
       early = c(first = min(1, points[[1]] * empty[[1]]), second = min(1, points[[2]] * empty[[2]])),
       # where between the limits the quantile is expected: by ranks
       weight = (n * prob - left) / (n - first - second))
}

# Cells between the bounds, a power of two. Coarse cells widen intervals by their own width; fine ones give
# the noise more chances to stop the scan early, which matters the less the more rows there are.
fine_cells <- function(n, epsilon) 2^min(20, round(log2(16 * n * epsilon)))

# Points of a grid about a centre that lie in empty space, roughly.
centred_points <- 100

check_interval_level_given <- function(interval) {
  check_number(interval, "interval", 0.5, 0.9999, closed = c(TRUE, TRUE))
}

# Refuses what cannot give an interval: `count` of them share epsilon.
check_interval_budget <- function(n, epsilon, count = 1) {
  if (epsilon / count < 1e-6) {
    stop_input("epsilon", sprintf("at least 1e-6 for each of %d intervals", count), format(epsilon))
  }
  if (n * epsilon / count > min_interval_budget) return(invisible(NULL))
  needed <- floor(min_interval_budget * count / epsilon) + 1
  of <- if (count > 1) sprintf(", which %d intervals share", count) else ""
  stop_input("interval", sprintf("NULL with so few rows for this `epsilon`%s", of),
             sprintf("asked for with n = %d and epsilon = %s", n, format(epsilon)),
             sprintf("An interval takes at least %s rows with this `epsilon`, or a larger `epsilon`.",
                     grouped(needed)))
}

# Even cells of a dyadic prior's support would be wider than any data: it takes a centre.
check_centred <- function(plans, prior, n, epsilon) {
  centred <- vapply(plans, function(plan) plan$shares[["centre"]] > 0, NA)
  if (!is_dyadic(prior) || all(centred)) return(invisible(NULL))
  stop_input("interval", "NULL without public limits with so few rows for this `epsilon`",
             sprintf("asked for with n = %s and epsilon = %s", grouped(n), format(epsilon)),
             "Give `lower` and `upper`, or take more rows, a larger `epsilon` or fewer intervals.")
}

# Warns of intervals of which more than one in 100 says nothing, where spreads are as small as those that
# releases are held against (warn_resolved()). An estimate beside a limit far out is the centre, if there is
# one.
warn_interval <- function(plans, dyadic = FALSE) {
  line <- line_of(if (dyadic) dyadic_share_warned else resolved_share_warned)
  failure <- vapply(plans, function(plan) interval_failure(plan, dyadic)(line), 0)
  if (max(failure) <= resolved_failure) return(invisible(NULL))
  centred <- plans[[which.max(failure)]]$shares[["centre"]] > 0
  often <- format(100 * max(failure), digits = 1)
  warn_dpdepth("accuracy", sprintf(paste(
    "With so few rows for this `epsilon` a limit of an interval lies far out, or is infinite%s, in %s%% of",
    "releases (where the data's spread is %s). It covers all the same. Take more rows or a larger `epsilon`."
  ), if (centred) "" else ", and the estimate beside it is as far out", often,
  if (dyadic) "a thousandth of their distance from the origin" else "a fiftieth of the limits' width"))
}

# The largest chance that a scan of a plan with a centre stops where there are no rows.
early_most <- 0.1

# Intervals of the quantiles `probs` of one variable, epsilon in all, in equal shares: pure epsilon-DP.
# PRIVATE: x, a matrix of one column. All else is public: `prior` of one variable, `resolution`
# NULL or one number above 0, `level` of each interval. Value: see draw_intervals().
quantile_interval <- function(x, probs, epsilon, prior, level, source, resolution = NULL,
                              reach = interval_reach(prior, resolution)) {
  plans <- interval_plans(nrow(x), probs, level, epsilon / length(probs), reach)
  draw_intervals(x, plans, prior, source, resolution)
}

# By plans of quantiles in increasing order: `interval` as new_release() takes it; `estimate`, for each a
# point between its limits, for which nothing more is spent. PRIVATE: x.
draw_intervals <- function(x, plans, prior, source, resolution = NULL) {
  drawn <- vapply(plans, function(plan) draw_interval(x, plan, prior, source, resolution)[1, ], c(0, 0, 0))
  limits <- matrix(t(drawn[1:2, ]), length(plans), 2, dimnames = list(NULL, c("lower", "upper")))
  points <- vapply(seq_along(plans), function(i) {
    interval_estimate(drawn[, i], plans[[i]], prior, resolution)
  }, 0)
  list(interval = limits, estimate = ordered_between(points, limits))
}

# Points in increasing order, each between its limits (unless two intervals lie in the wrong order, which two
# that cover do not).
ordered_between <- function(points, limits) {
  lower <- cummax(limits[, 1])
  upper <- pmax(rev(cummin(rev(limits[, 2]))), lower)
  pmax(lower, pmin(upper, cummax(points)))
}

# The plans of several quantiles; of equal ones and of many the choice of shares is made once, or not at all.
interval_plans <- function(n, probs, level, epsilon, reach = most_reach) {
  if (!all(1 - probs < 1 & probs < 1)) {
    stop_input("interval", "NULL for a quantile below 1e-16", "a level",
               "Take a quantile of a probability, or a region of a depth, that rows can tell from 0.")
  }
  kinds <- unique(probs)
  choose <- n <= 50000 && length(kinds) <= 10
  plans <- lapply(kinds, interval_plan, n = n, level = level, epsilon = epsilon, reach = reach,
                  choose = choose)
  plans[match(probs, kinds)]
}

# Limits and the centre, or NaN, a row for each draw. PRIVATE: x.
draw_interval <- function(x, plan, prior, source, resolution = NULL, draws = 1L) {
  numbers <- as.integer(c(plan$mirrored, plan$first, plan$second, plan$cells, plan$growth, plan$ranks,
                          plan$shares))
  .Call(ffi_interval, source, x, prior_fields(prior, resolution), plan$epsilon, numbers, draws)
}

# A point between the limits, for which nothing is spent: by ranks, as if the density were even between them,
# or, under limits of one sign, the logarithm's. The centre counts by the inverse variances that noise gives
# the two: its error goes as one over its share, that of ranks as 1.25 over the rest; and alone where a
# limit is astray. A point between an infinite limit and the other would go with the public bounds: then it is
# the centre alone, or the finite limit. Without any, it is between the public bounds (or three standard
# deviations of a normal prior).
interval_estimate <- function(drawn, plan, prior, resolution = NULL) {
  between <- function(point) min(drawn[[2]], max(drawn[[1]], point))
  estimate <- point_between(drawn, min(1, max(0, plan$weight)), prior)
  share <- plan$shares[["centre"]] / 1000
  finite <- is.finite(drawn[1:2])
  if (!all(finite) && share > 0) {
    estimate <- drawn[[3]]
  } else if (sum(finite) == 1) {
    estimate <- drawn[1:2][finite]
  } else if (share > 0) {
    weight <- if (limit_astray(drawn)) 1 else share^2 / (share^2 + ((1 - share) / 1.25)^2)
    estimate <- weight * between(drawn[[3]]) + (1 - weight) * estimate
  }
  if (is_dyadic(prior)) estimate <- prior$origin + round((estimate - prior$origin) / prior$unit) * prior$unit
  if (!is.null(resolution)) estimate <- round(estimate / resolution) * resolution
  between(estimate)
}

# A scan that stopped far out, where there are no rows, says nothing of where they are: of a centre between
# the limits one is thirty times as far as the other.
limit_astray <- function(drawn) {
  sides <- c(drawn[[3]] - drawn[[1]], drawn[[2]] - drawn[[3]])
  min(sides) > 0 && max(sides) > 30 * min(sides)
}

point_between <- function(limits, weight, prior) {
  normal <- inherits(prior, "dp_prior_normal")
  ends <- if (normal) prior$mean + c(-3, 3) * prior$sd
          else if (is_dyadic(prior)) prior$origin + c(-1, 1) * scan_half(prior)
          else c(prior$lower, prior$upper)
  low <- if (is.finite(limits[[1]])) limits[[1]] else min(ends[[1]], limits[[2]])
  high <- if (is.finite(limits[[2]])) limits[[2]] else max(ends[[2]], limits[[1]])
  if (normal || ends[[1]] < 0 && ends[[2]] > 0 || low * high <= 0) return(low + weight * (high - low))
  sign(low) * exp((1 - weight) * log(abs(low)) + weight * log(abs(high)))
}

# How epsilon is split: of all plans, which have equal parts of it.
interval_split <- function(plans) {
  centre <- mean(vapply(plans, function(plan) plan$shares[["centre"]], 0)) / 1000
  c(centre = centre, scans = 1 - centre)
}

# What intervals resolve, by a plan and a prior each, as resolved_spread() says it: the spreads of which the
# limits neither widen an interval nor take an estimate along; under a dyadic prior, as shares of the distance
# from its origin.
interval_resolves <- function(plans, priors, resolution = NULL, names = NULL) {
  dyadic <- is_dyadic(priors[[1]])
  width <- if (dyadic) dyadic_reach else 2 * vapply(priors, scan_half, 0)
  step <- if (is.null(resolution)) 0 else resolution
  share <- vapply(plans, resolved_plan, 0)
  list(share = max(ifelse(share * width <= step, 0, share)),
       at = stats::setNames(pmax(share * width, step), names), dyadic = dyadic)
}

# Of one plan, a share of the width of what is scanned. Even cells may be half as wide as the interval.
resolved_plan <- function(plan) {
  if (plan$shares[["centre"]] > 0) return(resolved_share(centre_failure(plan)))
  even <- 2 / plan$cells / limits_width(plan$n, plan, 10, fine = FALSE)$width
  max(even, resolved_share(interval_failure(plan)))
}
