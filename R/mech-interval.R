# Private confidence intervals of quantiles of one variable: two one-sided scans, with exact thresholds.
#
# METHOD: src/mech/interval.c scans public grids from both bounds until a noisy count passes a threshold t.
#   A quantile of probability p lies beyond the released limit only if B + nu - rho <= t, where B is the
#   number of rows at or beyond it, which is at least Binomial(n, p) (from the left; 1 - p from the right) in
#   law, and nu and rho are the geometric noises of a grid point and of the threshold. t is the largest whole
#   number for which this has a probability of at most (1 - level) / 2.

# Shares of epsilon in 40ths, of rho and of nu in either scan, that add up to the whole: a row that moves
# costs rho's share of one scan and nu's of both.
interval_shares <- c(threshold = 14L, first = 13L, second = 13L)

# Of these, with few rows, the one is taken that is expected to be narrowest. Thresholds are whole numbers, so
# that the best shares vary with n.
interval_menu <- list(
  interval_shares, c(10L, 15L, 15L), c(10L, 16L, 14L), c(12L, 14L, 14L), c(12L, 15L, 13L), c(14L, 14L, 12L),
  c(16L, 12L, 12L), c(16L, 13L, 11L), c(18L, 11L, 11L), c(18L, 12L, 10L)
)

# Rows and epsilon below which the scans stop at once, in whatever shares.
min_interval_budget <- 40

# Rates of a scan's noises as the kernel has them, or more noise from rho and less from nu: so rounded,
# coverage is never overstated.
interval_rates <- function(epsilon, shares = interval_shares, scan = 1) {
  list(rho = shares[[1]] / 40 * epsilon * (1 - 2^-39) - 2^-35, nu = shares[[1 + scan]] / 40 * epsilon)
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
  # from where a normal law would have it, in steps twice as long each time; doubles: twice n may be no
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

# All that is public of the interval of one quantile: by a public rule the shares of least expected width for
# normal rows between bounds a hundred standard deviations off, where an infinite limit counts as five widths.
# With many rows the choice would take time, and gains little.
interval_plan <- function(n, prob, level, epsilon, choose = n <= 50000) {
  key <- sprintf("%.0f %a %a %a %d", n, prob, level, epsilon, choose)
  if (is.null(intervals_found[[key]])) {
    plan <- if (choose) narrowest_plan(n, prob, level, epsilon) else interval_plan_of(n, prob, level, epsilon)
    assign(key, plan, intervals_found)
  }
  intervals_found[[key]]
}

# Plans by their public numbers: for variables alike, and simulations.
intervals_found <- new.env(parent = emptyenv())

narrowest_plan <- function(n, prob, level, epsilon) {
  plans <- lapply(interval_menu, interval_plan_of, n = n, prob = prob, level = level, epsilon = epsilon)
  # both sides alike: a scan's first point is the bound
  loss <- vapply(plans, function(plan) {
    found <- limits_width(n, plan, 100 + stats::qnorm(max(prob, 1 - prob)), fine = FALSE)
    found$width * (1 + 4 * found$infinite)
  }, 0)
  plans[[which.min(loss)]]
}

# `early`: chances that a scan stops at its first point or, from above, on its way through empty cells.
interval_plan_of <- function(n, prob, level, epsilon, shares = interval_shares) {
  rates <- list(first = interval_rates(epsilon, shares, 1), second = interval_rates(epsilon, shares, 2))
  alpha <- (1 - level) / 2
  mirrored <- prob > 0.5
  sides <- c(1 - prob, prob)
  if (mirrored) sides <- rev(sides)
  first <- interval_threshold(n, sides[[1]], alpha, rates$first)
  second <- interval_threshold(n, sides[[2]], alpha, rates$second)
  left <- if (mirrored) first else second
  # the chance that a grid point without rows stops the scan
  empty <- c(1 - noise_below(first, rates$first), 1 - noise_below(second, rates$second))
  cells <- min(fine_cells(n, epsilon), 2^max(8, floor(log2(0.01 / empty[[1]]))))
  list(prob = prob, level = level, epsilon = epsilon, mirrored = mirrored, first = first, second = second,
       cells = as.integer(cells), shares = shares, rates = rates,
       early = c(first = min(1, cells * empty[[1]]), second = min(1, second_points * empty[[2]])),
       # where between the limits the quantile is expected: by ranks
       weight = (n * prob - left) / (n - first - second))
}

# Cells between the bounds, a power of two. Coarse cells widen intervals by their own width; fine ones give
# the noise more chances to stop the scan early, which matters the less the more rows there are.
fine_cells <- function(n, epsilon) 2^min(20, round(log2(16 * n * epsilon)))

# Points of the second grid that lie in empty space, roughly.
second_points <- 100

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

# Warns of intervals that will hardly say anything: a scan that stops before it meets data.
warn_interval <- function(plan) {
  if (max(plan$early) < 0.1) return(invisible(NULL))
  warn_dpdepth("accuracy", paste(
    "With so few rows for this `epsilon` a limit of the interval will often lie far out, or be infinite.",
    "It covers all the same. Take more rows or a larger `epsilon`."
  ))
}

# The steps of the public lattice, as lattice_steps().
interval_step <- function(prior, name, resolution = NULL) {
  check_lattice_steps(.Call(ffi_interval_step, prior_fields(prior, resolution)), name, resolution)
}

# Intervals of the quantiles `probs` of one variable, epsilon in all, in equal shares: pure epsilon-DP.
# PRIVATE: x, a matrix of one column. All else is public: `prior` of one variable (not dyadic), `resolution`
# NULL or one number above 0, `level` of each interval (of all of them together if `simultaneous`).
# Value: `interval` as new_release() takes it, `estimate`: for each a point between its limits by ranks, for
# which nothing more is spent, and `plans`, public.
quantile_interval <- function(x, probs, epsilon, prior, level, source, resolution = NULL,
                              simultaneous = FALSE) {
  m <- length(probs)
  each <- if (simultaneous) 1 - (1 - level) / m else level
  plans <- interval_plans(nrow(x), probs, each, epsilon / m)
  limits <- vapply(plans, function(plan) draw_interval(x, plan, prior, source, resolution)[1, ], c(0, 0))
  interval <- matrix(t(limits), m, 2, dimnames = list(NULL, c("lower", "upper")))
  centres <- vapply(seq_len(m), function(i) {
    interval_centre(interval[i, ], plans[[i]]$weight, prior, resolution)
  }, 0)
  list(interval = interval, estimate = centres, plans = plans)
}

# The plans of several quantiles; of equal ones and of many the choice of shares is made once, or not at all.
interval_plans <- function(n, probs, level, epsilon) {
  if (!all(1 - probs < 1 & probs < 1)) {
    stop_input("interval", "NULL for a quantile below 1e-16", "a level",
               "Take a quantile of a probability, or a region of a depth, that rows can tell from 0.")
  }
  kinds <- unique(probs)
  choose <- n <= 50000 && length(kinds) <= 10
  lapply(kinds, interval_plan, n = n, level = level, epsilon = epsilon, choose = choose)[match(probs, kinds)]
}

# A row for each draw. PRIVATE: x.
draw_interval <- function(x, plan, prior, source, resolution = NULL, draws = 1L) {
  numbers <- as.integer(c(plan$mirrored, plan$first, plan$second, plan$cells, plan$shares))
  .Call(ffi_interval, source, x, prior_fields(prior, resolution), plan$epsilon, numbers, draws)
}

# A point between the limits, for which nothing is spent: by ranks, as if the density were even between them.
# Where a limit is infinite, the public bound (or three standard deviations of a normal prior) stands for it.
interval_centre <- function(limits, weight, prior, resolution = NULL) {
  normal <- inherits(prior, "dp_prior_normal")
  ends <- if (normal) prior$mean + c(-3, 3) * prior$sd else c(prior$lower, prior$upper)
  low <- if (is.finite(limits[[1]])) limits[[1]] else min(ends[[1]], limits[[2]])
  high <- if (is.finite(limits[[2]])) limits[[2]] else max(ends[[2]], limits[[1]])
  centre <- low + min(1, max(0, weight)) * (high - low)
  if (is.null(resolution)) return(centre)
  min(limits[[2]], max(limits[[1]], round(centre / resolution) * resolution))
}
