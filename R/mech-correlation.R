# Kendall's tau of all pairs of variables: scores, how far a row moves them, noise, and limits.
#
# METHOD: K, the sum over pairs of rows of sign(dx) sign(dy), is a whole number, and tau = K / (n (n - 1) /
#   2). A replaced row moves the K of d variables by at most 2 (n - 1) each, 2 (n - 1) f in all and 2 (n - 1)
#   sqrt(f) as their Euclidean length, f = floor(d^2 / 4). Of independent Laplace noise, noise paid for by the
#   largest change alone (the cube) and, where delta is given, Gaussian noise the one is taken that is planned
#   to be the smallest. Numbers that doubles do not hold are counted in units of a power of two, rounded down.
# REFERENCE: vignettes/proofs-ranks.Rmd.

most_correlated <- 100L # variables

# How far one replaced row moves the K of d variables, in units of 2 (n - 1) and of its square.
tau_moves <- function(d) floor(d^2 / 4)

count_pairs <- function(n) n * (n - 1) / 2

# Public numbers only. `sd`: of a tau's noise; `law`: of whole numbers, of which `unit` is one step of tau.
tau_noise <- function(n, d, epsilon, delta = 0) {
  bits <- max(0, ceiling(2 * log2(n) - 52))
  laws <- list(laplace_law(n, d, epsilon, bits), if (d > 2) cube_law(n, d, epsilon, bits),
               if (d > 2 && delta > 0) gaussian_law(n, d, epsilon, delta, bits))
  laws <- Filter(Negate(is.null), laws)
  for (i in seq_along(laws)) laws[[i]]$unit <- 2^laws[[i]]$bits / count_pairs(n)
  sd <- vapply(laws, function(law) law$sd * law$unit, 0)
  law <- laws[[which.min(sd)]]
  if (law$sd > 2^45) {
    stop_input("epsilon", "so large that doubles hold the noise", format(epsilon), "Take a larger `epsilon`.")
  }
  list(kind = law$kind, law = law, sd = min(sd), delta = if (law$kind == "Gaussian") delta else 0,
       rho = law$rho)
}

# `above(w)`: at least the chance that one number's noise is above w.
laplace_law <- function(n, d, epsilon, bits) {
  pairs <- d * (d - 1) / 2
  move <- 2 * (n - 1) * tau_moves(d) / 2^bits + if (bits > 0) pairs else 0
  if (epsilon / move < 2^-48) return(list(kind = "Laplace", sd = Inf, bits = bits))
  rate <- laplace_rate(epsilon, move)
  decay <- rate[[1]] / rate[[2]]
  list(kind = "Laplace", bits = bits, rate = rate, decay = decay, sd = sqrt(2 * exp(-decay)) / -expm1(-decay),
       above = function(w) {
         tail <- exp(-decay * (floor(abs(w)) + (w >= 0))) / (1 + exp(-decay))
         below <- exp(-decay * ceiling(abs(w))) / (1 + exp(-decay))
         ifelse(w >= 0, tail, 1 - below)
       })
}

# Trials grow with exp(pairs * decay / 2): with noise of few steps there is no cube. Its law is at most
# exp(decay) times that of rounded cubes of a gamma size.
cube_law <- function(n, d, epsilon, bits) {
  pairs <- d * (d - 1) / 2
  move <- 2 * (n - 1) / 2^bits + (bits > 0)
  if (epsilon / move < 2^-48) return(NULL)
  rate <- laplace_rate(epsilon, move)
  decay <- rate[[1]] / rate[[2]]
  if (pairs * decay > 8) return(NULL)
  list(kind = "cube", bits = bits, rate = rate, decay = decay,
       sd = sqrt((pairs + 1) * (pairs + 2) / 3) / decay,
       above = function(w) {
         t <- pmax(0, floor(w) + 0.5) * decay
         tail <- stats::pgamma(t, pairs + 1, lower.tail = FALSE) -
           t / pairs * stats::pgamma(t, pairs, lower.tail = FALSE)
         ifelse(w >= 0, pmin(1, exp(decay) * tail / 2), 1)
       })
}

gaussian_law <- function(n, d, epsilon, delta, bits) {
  pairs <- d * (d - 1) / 2
  size <- 2 * (n - 1) * sqrt(tau_moves(d))
  bits <- max(bits, ceiling(log2(size) - (50 + log2(2 * zcdp_rho(epsilon, delta))) / 2))
  if (size / 2^bits < 16) return(NULL)
  move <- size / 2^bits * (1 + 2^-40) + if (bits > 0) sqrt(pairs) else 0
  rho <- gaussian_rho(epsilon, delta, pairs, move^2)
  variance <- gaussian_variance(move^2, rho)
  sd <- sqrt(variance[[1]] / variance[[2]])
  list(kind = "Gaussian", bits = bits, variance = variance, rho = rho, sd = sd,
       above = function(w) ifelse(w >= 0, stats::pnorm(floor(w) / sd, lower.tail = FALSE), 1))
}

# K of all pairs in units of 2^bits, and with a second number of bits the sum over rows of the squares of
# their own sums of signs. PRIVATE: x, rows or a tally.
concordances <- function(x, bits) .Call(ffi_concordance, x, as.integer(bits))

# Whole numbers with noise of that law. PRIVATE: values.
add_tau_noise <- function(values, law, source) {
  m <- length(values)
  values + switch(law$kind,
    Laplace = draw_laplace_discrete(m, law$rate[[1]], law$rate[[2]], source),
    cube = draw_cube_discrete(m, law$rate[[1]], law$rate[[2]], source),
    Gaussian = draw_gaussian_discrete(m, law$variance[[1]], law$variance[[2]], source)
  )
}

# -- limits in samples of any size -----------------------------------------------------------------------
#
# METHOD: with theta = (1 + tau) / 2, u = (1 + K / (n (n - 1) / 2)) / 2 is a U-statistic of signs in [0, 1]
#   for which P(u >= v) <= exp(-k KL(v, theta)), v > theta, k = floor(n / 2), whatever the law and its ties.
#   G(w), this bound at the released value less w, grows with w, and noise W is independent of the rows: the
#   released value is reached with probability E G(W) at most, which a sum over steps of w bounds from above.
# REFERENCE: Hoeffding (1963), Probability inequalities for sums of bounded random variables, section 5.

noise_steps <- 256L

# Released values of tau, not cut to [-1, 1]: columns lower and upper.
proved_tau_limits <- function(tau, n, level, law) {
  end <- function(v) proved_tau_end(v, n, (1 - level) / 2, law)
  cbind(lower = vapply(tau, end, 0), upper = -vapply(-tau, end, 0))
}

# The least tau for which a value as large as `tau` has a chance of `risk`.
proved_tau_end <- function(tau, n, risk, law) {
  step <- law$unit / 2 # of u
  # rounding down adds up to a unit to -K
  u <- (1 + tau) / 2 - if (law$bits > 0) step else 0
  far <- noise_reach_of(law, risk / 1000)
  w <- seq(-far, far, length.out = noise_steps)
  chance <- law$above(w)
  missed <- function(theta) {
    g <- reached_chance(u - w * step, theta, n %/% 2)
    g[[1]] + sum(chance[-noise_steps] * diff(g)) + chance[[noise_steps]]
  }
  low <- 0
  high <- 1
  for (i in 1:40) {
    middle <- (low + high) / 2
    if (missed(middle) <= risk) low <- middle else high <- middle
  }
  2 * low - 1
}

# Noise that is above it with a chance of at most `risk`.
noise_reach_of <- function(law, risk) {
  high <- 1
  while (law$above(high) > risk) high <- 2 * high
  low <- 0
  while (high - low > 1e-3 * high) {
    middle <- (low + high) / 2
    if (law$above(middle) > risk) low <- middle else high <- middle
  }
  high
}

# At least the chance that a mean of k signs in [0, 1] with expectation theta is v or more.
reached_chance <- function(v, theta, k) {
  inside <- pmin(pmax(v, theta), 1)
  part <- function(a, b) ifelse(a > 0, a * log(a / b), 0)
  apart <- part(inside, theta) + part(1 - inside, 1 - theta)
  ifelse(v > 1, 0, exp(-k * apart))
}

# -- limits by a private variance -------------------------------------------------------------------------
#
# METHOD: of two variables, with R_i the sum of a row's signs, Q = sum R_i^2 says the variance of tau: 4 V /
#   n, V = Q / (n (n - 1)^2) - tau^2. A replaced row moves Q by at most (2 n - 3)^2 + 1. Both have Laplace
#   noise, and V is taken at one-sided limits of both. All that is not finite-sample is the normal law of tau.
# REFERENCE: Hoeffding (1948), A class of statistics with asymptotically normal distribution.

variance_shares <- c(tau = 0.6, variance = 0.4) * (1 - 2^-40)
variance_rows <- 400 # n epsilon from which on it serves

square_law <- function(n, epsilon) {
  bits <- max(0, ceiling(3 * log2(n) - 52))
  rate <- laplace_rate(epsilon, ((2 * n - 3)^2 + 1) / 2^bits + (bits > 0))
  list(kind = "Laplace", bits = bits, rate = rate, decay = rate[[1]] / rate[[2]])
}

# Noise with a chance of at most `risk` above it: of whole Laplace noise.
laplace_reach <- function(decay, risk) max(0, log(1 / (risk * (1 + exp(-decay)))) / decay)

# `squares`: Q with noise, in units. A tenth of the risk each for what may be too small in V.
private_tau_limits <- function(tau, squares, n, level, law, square) {
  risk <- (1 - level) / 10
  high <- (squares + 1 + laplace_reach(square$decay, risk)) * 2^square$bits / (n * (n - 1)^2)
  low <- max(0, abs(tau) - laplace_reach(law$decay, risk) * law$unit)
  sd <- sqrt(4 * min(1, max(0, high - low^2)) / n)
  half <- normal_laplace_reach(sd, law$unit / law$decay, 4 * risk)
  ends <- pmin(pmax(c(tau - half, tau + half), -1), 1)
  cbind(lower = ends[[1]], upper = ends[[2]])
}

# t with P(N + L > t) = risk, N normal and L Laplace noise of that scale.
normal_laplace_reach <- function(sd, scale, risk) {
  most <- 50 * (sd + scale)
  stats::uniroot(function(t) normal_laplace_tail(t, sd, scale) - risk, c(0, most), tol = 1e-10 * most)$root
}

# -- the nearest correlation matrix ------------------------------------------------------------------------

check_matrix_package <- function(d) {
  if (d == 2 || requireNamespace("Matrix", quietly = TRUE)) return(invisible(NULL))
  stop_input("method", "\"kendall\" without the package Matrix", "\"sine\"",
             "Install it for the nearest positive definite matrix.")
}

# Of released numbers alone.
nearest_correlations <- function(pairs, d) {
  m <- pair_matrix(pairs, d)
  if (d > 2) m <- as.matrix(Matrix::nearPD(m, corr = TRUE, maxit = 1000)$mat)
  m[lower.tri(m)]
}

# The matrix of the pairs (1, 2), (1, 3), ..., (2, 3), ...
pair_matrix <- function(pairs, d, names = NULL) {
  m <- diag(d)
  m[lower.tri(m)] <- pairs
  m[upper.tri(m)] <- t(m)[upper.tri(m)]
  if (!is.null(names)) dimnames(m) <- list(names, names)
  m
}
