# Scans by the sparse vector technique: the distribution of a depth at the truth, thresholds, and noise.
#
# METHOD: a scan goes through nested sets K_0 > K_1 > ... and halts at the first with M_i + nu_i > t + rho,
#   M_i the largest score outside K_i, rho and nu_i geometric at the rates eps_2 and eps_3 / 2; several scans
#   may share rho: eps_2 + (scans) eps_3. The set before it is released. Where the score at the truth is S,
#   the truth is missed with probability P(S + nu - rho <= t) at most.
# REFERENCE: Hodges (1955), A bivariate sign test; Dwork and Roth (2014), section 3.6.
# vignettes/proofs-region.Rmd.

# P(S <= q) for whole q, S = (n - max over v of |W_n - 2 W_v|) / 2, W a simple random walk: the distribution
# of halfspace depth in the plane, and of the regression depth of a line, at the truth. Hodges' sum, in which
# all terms are positive; those left out are below exp(-50) together, and 1 stands for a probability near it.
depth_law <- function(q, n) {
  gap <- n - 2 * q
  short <- q >= 0 & gap > sqrt(n) / 10
  total <- numeric(length(q))
  left <- which(short)
  term <- 0
  while (length(left) > 0) {
    total[left] <- total[left] + stats::dbinom(q[left] - term * gap[left], n, 0.5)
    term <- term + 1
    left <- left[q[left] >= term * gap[left] & term * gap[left] <= 10 * sqrt(n)]
  }
  ifelse(short, pmin(1, 2 * gap * total), as.double(q >= 0))
}

# P(nu - rho <= d) for whole d, nu and rho geometric: P(nu >= k) = exp(-k nu_rate), so rho.
noise_law <- function(d, nu_rate, rho_rate) {
  # log(1 - exp(-a)) of sizes that may be small
  gone <- function(a) log(-expm1(-a))
  below <- exp(gone(nu_rate) - gone(nu_rate + rho_rate) + rho_rate * pmin(d, 0))
  above <- -expm1(-nu_rate * (pmax(d, 0) + 1) + gone(rho_rate) - gone(nu_rate + rho_rate))
  ifelse(d < 0, below, above)
}

# P(S + least of `scans` nu - rho <= t), S by `law`, rounded up.
miss_chance <- function(t, n, rates, scans = 1L, law = depth_law) {
  q <- seq.int(0, floor(n / 2))
  from <- max(1, sum(q < n / 2 - 12 * sqrt(n)))
  q <- q[from:length(q)]
  chance <- diff(c(0, law(q, n))) # what is below them counts as the first
  missed <- function(t) sum(pmax(chance, 0) * noise_law(t - q, scans * rates[["nu"]], rates[["rho"]]))
  vapply(t, missed, 0) + 1e-9
}

# The largest whole t with a chance of at most alpha to miss. -1 at least: then any score halts a scan.
scan_threshold <- function(n, alpha, rates, scans = 1L, law = depth_law) {
  lo <- -1
  hi <- ceiling(n / 2)
  while (hi - lo > 1) {
    mid <- floor((lo + hi) / 2)
    if (miss_chance(mid, n, rates, scans, law) <= alpha) lo <- mid else hi <- mid
  }
  lo
}

# The rate of a share of epsilon in units of 2^-40, rounded down, and no larger than the samplers take.
scan_rate <- function(share) rate_of(min(share, 4096))[[1]]

# The rates at which the noise is drawn: those of the shares, or less. `halt`: of all scans or of each; of
# these the mean, as the least of the scans' noise has the sum of their rates.
scan_rates <- function(threshold, halt) {
  list(rho = scan_rate(threshold) / 2^40, nu = mean(vapply(halt, scan_rate, 0)) / 2^41)
}

# What the largest score outside each set must reach for the scans to halt there: sets x scans. PRIVATE.
scan_noise <- function(sets, scans, t, threshold, halt, n, source) {
  rho <- draw_geometric_exp(1L, scan_rate(threshold), 2^40, rng = source)
  nu <- unlist(lapply(rep_len(halt, scans), function(halt) {
    draw_geometric_exp(sets, scan_rate(halt), 2^41, rng = source)
  }))
  minimum <- pmin(pmax(t + rho - nu + 1, 0), n + 1)
  matrix(as.integer(minimum), sets, scans)
}

# Does hardly any scan halt where scores are at most an eighth of the rows? Then intervals say something.
scan_serves <- function(n, level, threshold, halt, sets, scans) {
  if (halt < 1e-6 || threshold < 1e-6) return(FALSE)
  rates <- scan_rates(threshold, halt)
  t <- scan_threshold(n, 1 - level, rates, scans)
  sets * scans * (1 - noise_law(t - ceiling(n / 8), rates$nu, rates$rho)) < 0.1
}

# Refuses so few rows that limits would be the public bounds, by public numbers.
check_scan_rows <- function(n, epsilon, serves, arg = "interval", of = "") {
  if (serves(n)) return(invisible(NULL))
  enough <- search_count(serves, n + 1, 1e6)
  must <- "NULL for %s rows and epsilon = %s, which are too few for limits that say anything%s"
  stop_input(arg, sprintf(must, grouped(n), format(epsilon, digits = 6), of), "a level",
             paste(c("Leave it out, or take a larger epsilon",
                     if (!is.na(enough)) sprintf(" or about %s rows", grouped(enough)), "."),
                   collapse = ""))
}

# -- discs about a centre, see dp-median-region.R: what is public --------------------------------

# Shares of the budget, the narrowest in simulations of normal data for n * epsilon from 300 to 4000. With
# more of it, and no public covariance, a tenth goes to the ellipse's shape first.
region_shares <- c(shape = 0, centre = 0.3, threshold = 0.25, scan = 0.45)
shaped_shares <- c(shape = 0.1, centre = 0.27, threshold = 0.225, scan = 0.405)
min_shape_budget <- 4000
disc_ratio <- 0.9
disc_rows <- 100000L # at most

# What is public of the region; refuses before the debit.
region_plan <- function(n, epsilon, level, prior) {
  shaped <- n * epsilon >= min_shape_budget && !is_dyadic(prior) && is.null(prior$covariance)
  shares <- if (shaped) shaped_shares else region_shares
  share <- epsilon * shares
  reach <- prior_reach(prior)
  out <- list(shares = shares, shape = share[["shape"]], centre = share[["centre"]],
              threshold = share[["threshold"]],
              halt = share[["scan"]] * (1 - 2^-40), scale = reach$scale, lower = reach$lower,
              upper = reach$upper)
  # beyond the first disc about any point of the prior's support lies none of it
  # the last disc is a point, so that the scan halts if any point is deep enough
  sets <- ceiling(reach$octaves * log(2) / -log(disc_ratio)) + 1
  out$radius <- c(1.5 * max((reach$upper - reach$lower) / reach$scale) * disc_ratio^seq.int(0, sets - 2), 0)
  check_scan_rows(n, epsilon, function(n) scan_serves(n, level, out$threshold, out$halt, sets, 1L))
  out$t <- scan_threshold(n, 1 - level, scan_rates(out$threshold, out$halt))
  out
}

# A prior's units and support, and how many octaves of radii there are.
prior_reach <- function(prior) {
  if (is_dyadic(prior)) {
    return(list(scale = prior$unit, lower = prior$origin - 2^52 * prior$unit,
                upper = prior$origin + 2^52 * prior$unit, octaves = 54))
  }
  if (!inherits(prior, "dp_prior_normal")) {
    return(list(scale = (prior$upper - prior$lower) / 2, lower = prior$lower, upper = prior$upper,
                octaves = 40))
  }
  sd <- if (is.null(prior$covariance)) prior$sd else sqrt(diag(prior$covariance))
  list(scale = sd, lower = prior$mean - 36 * sd, upper = prior$mean + 36 * sd, octaves = 40)
}

# -- a shifted scan --------------------------------------------------------------------------------

#
# METHOD: for tau = above / (above + below) a split's rows count above + below each, less what is expected of
#   them: at the true fit such a score is -max over v of |2 W_v - W_n| at least, W a walk of n steps, +above
#   with chance below / (above + below) and -below else. Given W_n = s it stays within the bound m if W stays
#   from (s - m) / 2 to (s + m) / 2: a strip, whose transition matrix over above + below steps is raised to
#   its power. The distribution is taken at some m only, and counted as lower between them. A row moves the
#   score by 2 max(above, below).
# COST: some matrix products of (bound / (above + below)) rows a bound: seconds for 20,000 rows.
# REFERENCE: mech-confidence-scan.R; vignettes/proofs-region.Rmd, section 3.

# Bounds at which the distribution is taken, in standard deviations of W_n.
strip_bounds <- c(1.4, 1.7, 2, 2.2, 2.35, 2.5, 2.65, 2.8, 2.95, 3.1, 3.3, 3.6, 4, 4.5, 5.4)

shifted_rows_most <- 20000L

# By how much one row moves a score.
score_sensitivity <- function(weights) if (is.null(weights)) 1 else 2 * max(weights)

# P(max |2 W_v - W_n| <= m) for whole m, by a sum of products of positive numbers. Twice W - (s - m) / 2 lies
# from 0 to 2 m: its values at one time are 2 (above + below) apart, two classes of them by the parity of the
# steps upward.
strip_chance <- function(m, n, weights) {
  each <- sum(weights)
  up <- seq.int(0, n)
  up <- up[abs(each * up - weights[[2]] * n) <= m]
  total <- 0
  for (part in split(up, up %% 2)) {
    s <- each * part - weights[[2]] * n
    class <- (m - s[[1]]) %% (2 * each)
    period <- strip_steps(NULL, class, m, weights, each)
    at <- strip_steps(matrix_power(period, n %/% each), class, m, weights, n %% each)
    last <- (class - 2 * weights[[2]] * (n %% each)) %% (2 * each)
    total <- total + sum(at[cbind((m - s - class) / (2 * each) + 1, (m + s - last) / (2 * each) + 1)])
  }
  total
}

# A matrix whose columns are the values of `class` in the strip, `steps` steps later.
strip_steps <- function(at, class, m, weights, steps) {
  each <- sum(weights)
  size <- function(class) max(0, floor((2 * m - class) / (2 * each)) + 1)
  if (is.null(at)) at <- diag(size(class))
  for (step in seq_len(steps)) {
    to <- (class - 2 * weights[[2]]) %% (2 * each)
    down <- (class - 2 * weights[[2]] - to) / (2 * each) # -1 or 0
    out <- matrix(0, nrow(at), size(to))
    for (up in 0:1) {
      from <- seq_len(ncol(at))
      from <- from[from + down + up >= 1 & from + down + up <= ncol(out)]
      out[, from + down + up] <- out[, from + down + up] + at[, from] * (weights[[1 + up]] / each)
    }
    at <- out
    class <- to
  }
  at
}

matrix_power <- function(a, k) {
  out <- diag(nrow(a))
  while (k > 0) {
    if (k %% 2 == 1) out <- out %*% a
    k <- k %/% 2
    if (k > 0) a <- a %*% a
  }
  out
}

# For a walk in continuous time, which is near: 1 - 4 z (phi(z) + phi(3 z) + ...).
strip_chance_near <- function(z) {
  pmax(0, 1 - 4 * z * rowSums(outer(z, seq(1, 41, 2), function(z, j) stats::dnorm(z * j))))
}

# The distribution of the score at the truth from below: values, falling, and their chances; what is left
# counts as below all. `near`: for rules that need no more.
shifted_law <- function(n, weights, near = FALSE) {
  spread <- sqrt(prod(weights) * n)
  bounds <- unique(ceiling(strip_bounds * spread))
  if (near) return(list(score = -bounds, chance = diff(c(0, strip_chance_near(bounds / spread)))))
  key <- sprintf("shifted %.0f %d %d", n, weights[[1]], weights[[2]])
  remembered(intervals_found, key, {
    within <- vapply(bounds, strip_chance, 0, n = n, weights = weights)
    list(score = -bounds, chance = pmax(diff(c(0, within)), 0))
  })
}

# The largest whole t with P(S + least of `scans` nu - rho <= t) <= alpha; rates a unit of the score. If there
# is none, any score halts a scan.
shifted_threshold <- function(n, alpha, rates, scans, weights, near = FALSE) {
  law <- shifted_law(n, weights, near)
  missed <- function(t) {
    sum(law$chance * noise_law(t - law$score, scans * rates[["nu"]], rates[["rho"]])) +
      max(0, 1 - sum(law$chance)) + 1e-8
  }
  lo <- -n * max(weights) - 1
  hi <- 1
  while (hi - lo > 1) {
    mid <- floor((lo + hi) / 2)
    if (missed(mid) <= alpha) lo <- mid else hi <- mid
  }
  lo
}

# Does hardly any scan halt at a quarter of the way from far fits to the best? As scan_serves().
shifted_serves_scan <- function(n, level, threshold, halt, sets, scans, weights) {
  sensitivity <- score_sensitivity(weights)
  if (n > shifted_rows_most || halt / sensitivity < 1e-6 || threshold / sensitivity < 1e-6) return(FALSE)
  rates <- scan_rates(threshold / sensitivity, halt / sensitivity)
  t <- shifted_threshold(n, 1 - level, rates, scans, weights, near = TRUE)
  sets * scans * (1 - noise_law(t + floor(0.75 * n * min(weights)), rates$nu, rates$rho)) < 0.1
}
