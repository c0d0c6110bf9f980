# Exact laws of the noise, and distances between laws: slow, simple, independent of the C code.

# P(z) proportional to exp(-|z| num/den) over the integers, in closed form.
pmf_laplace_discrete <- function(z, num, den = 1) {
  rate <- num / den
  tanh(rate / 2) * exp(-abs(z) * rate)
}

# The same over -bound, ..., bound, normalised by the sum itself.
pmf_laplace_truncated <- function(z, num, den, bound) {
  rate <- num / den
  ifelse(abs(z) <= bound, exp(-abs(z) * rate), 0) / sum(exp(-abs(seq(-bound, bound)) * rate))
}

# P(z) proportional to exp(-z^2 / (2 var)); the sum is cut at 40 sigma, where exp(-800) is left.
pmf_gaussian_discrete <- function(z, var_num, var_den = 1) {
  var <- var_num / var_den
  support <- seq(0, ceiling(40 * sqrt(var)) + 1)
  weight <- exp(-support^2 / (2 * var))
  exp(-z^2 / (2 * var)) / (2 * sum(weight) - 1)
}

# P(G = g) when P(G >= g) = exp(-g num/den).
pmf_geometric_exp <- function(g, num, den = 1) exp(-g * num / den) * -expm1(-num / den)

# The least delta for which P(S) <= exp(eps) Q(S) + delta for every event S: one direction.
hockey_stick <- function(p, q, eps) sum(pmax(p - exp(eps) * q, 0))

# max |log p - log q|: the least pure epsilon, both directions. Infinite when one law puts mass
# where the other has none.
max_log_ratio <- function(p, q) {
  either <- p > 0 | q > 0
  max(abs(log(p[either]) - log(q[either])))
}

# Counts of whole numbers over low, ..., high; everything else in one last cell.
count_over <- function(x, low, high) {
  inside <- x >= low & x <= high
  c(tabulate(x[inside] - low + 1, high - low + 1), sum(!inside))
}

# P(w) of rounded Laplace noise of scale t: over the half-odd numbers.
pmf_half <- function(w, t) 0.5 * exp(-(abs(w) - 0.5) / t) * -expm1(-1 / t)

# The divergence of the releases p, q = list(centre, scale) with product Laplace noise, the larger of both
# orders. (The real laws are those of rounded Laplace noise, clipped to the bounds: post-processing.)
laplace_divergence <- function(p, q, epsilon) {
  d <- length(p$centre)
  shift <- sum(abs(p$centre - q$centre))
  max(ruler(shift, p$scale, q$scale, epsilon, d), ruler(shift, q$scale, p$scale, epsilon, d))
}

# The law of one variable's draw over a lattice of candidates.
median_line_law <- function(x, epsilon, candidates) {
  h <- pmin(rowSums(outer(candidates, x, ">=")), rowSums(outer(candidates, x, "<=")))
  weight <- exp(epsilon * (h - max(h)) / 2)
  weight / sum(weight)
}

# The log ratios that occur, with their probabilities under the first law.
merge_losses <- function(loss, mass) {
  key <- round(loss, 9)
  mass <- tapply(mass, key, sum)
  list(loss = as.numeric(names(mass)), mass = as.numeric(mass))
}

# delta at epsilon of d draws, one a variable, each on the same pair of neighbours: exact.
composed_delta <- function(pair, each, d, epsilon) {
  p <- median_line_law(pair[[1]], each, 0:200)
  q <- median_line_law(pair[[2]], each, 0:200)
  one <- merge_losses(log(p / q), p)
  all <- list(loss = 0, mass = 1)
  for (j in seq_len(d)) {
    all <- merge_losses(as.vector(outer(all$loss, one$loss, "+")), as.vector(outer(all$mass, one$mass)))
  }
  sum(all$mass * pmax(0, -expm1(epsilon - all$loss)))
}

# The sharpest kind of pair (half of the mass gains, half loses), and others.
line_pairs <- list(list(c(0, 100), c(100, 200)), list(c(0, 100, 100), c(200, 100, 100)), list(0, 200),
                   list(c(20, 60, 90, 150), c(20, 60, 180, 150)))

# What a release must do besides, whatever its law.
must <- function(holds, what) {
  if (isTRUE(holds)) return(invisible(NULL))
  stop(structure(class = c("audit_breach", "error", "condition"), list(message = what, call = NULL)))
}

# Runs a release and records what its test is asked; the test passes.
recorded_test <- function(release, bindings = list()) {
  asked <- list()
  passing <- function(margin, epsilon, delta, rng) {
    asked[[length(asked) + 1]] <<- list(margin = margin, epsilon = epsilon, delta = delta)
    TRUE
  }
  out <- with_bindings(c(list(ptr_test = passing), bindings), release())
  must(length(asked) == 1, "one test")
  c(asked[[1]], list(release = out))
}

# Mass between u <= v, both on one side of the centre, of a Laplace law.
laplace_mass <- function(u, v, centre, scale) {
  left <- exp((pmin(v, centre) - centre) / scale) - exp((pmin(u, centre) - centre) / scale)
  right <- exp((centre - pmax(u, centre)) / scale) - exp((centre - pmax(v, centre)) / scale)
  0.5 * (left + right)
}

# The integral of (p - exp(e) q)+ for p Laplace at 0 of scale s, q at shift >= 0 of scale t: for each e.
# The log ratio of the densities is linear on three pieces.
ruler_line <- function(shift, s, t, e) {
  rise <- 1 / s - 1 / t
  at_zero <- log(t / s) + shift / t
  at_shift <- log(t / s) - shift / s
  excess <- function(u, v) {
    v <- pmax(u, v)
    q <- laplace_mass(u, v, shift, t)
    laplace_mass(u, v, 0, s) - ifelse(q > 0, exp(e + log(q)), 0)
  }
  before <- if (rise > 0) excess(pmin((e - at_zero) / rise, 0), 0)
            else if (rise < 0) excess(-Inf, pmin((e - at_zero) / rise, 0))
            else ifelse(at_zero > e, excess(-Inf, 0), 0)
  between <- excess(0, pmin(pmax((at_zero - e) / (1 / s + 1 / t), 0), shift))
  after <- if (rise < 0) excess(shift + pmax((e - at_shift) / -rise, 0), Inf)
           else if (rise > 0) ifelse(at_shift > e, excess(shift, shift + pmax((at_shift - e) / rise, 0)), 0)
           else ifelse(at_shift > e, excess(shift, Inf), 0)
  pmax(before, 0) + pmax(between, 0) + pmax(after, 0)
}

# The same in d coordinates, all of the shift along one axis (the worst, vignettes/proofs-smooth.Rmd, section
# 3): an integral over the l1 norm of the other coordinates, of law Gamma(d - 1).
ruler <- function(shift, s, t, e, d) {
  if (d == 1) return(ruler_line(shift, s, t, e))
  ends <- seq(0, 60, length.out = 3001)
  share <- -diff(stats::pgamma(ends, d - 1, lower.tail = FALSE))
  g <- (ends[-1] + ends[-3001]) / 2
  sum(share * ruler_line(shift, s, t, e - (d - 1) * log(t / s) + g - g * s / t))
}

# -- the corner of the smooth bounds -----------------------------------------------------------

# How far the log of the noise's scale moves, at most, when equal rows are replaced one by one by the box's
# upper corner: at beta = 1 and an alpha of 1/2, in a box of 2^40 steps (2^28 for the plane's exact regions,
# whose halfplanes are made of products). At most 1 and what rounding up adds. A fall from the whole box to
# the least scale takes 40 levels or so: all of them are looked at.
corner_climb <- function(method, d, n = 60) {
  top <- if (method == "exact" && d == 2) 2^28 else 2^40
  constants <- list(alpha = 0.5, smoothness = 1, rounding = 2^-20)
  grid <- list(lower = rep(0, d), upper = rep(top, d))
  scales <- vapply(0:n, function(k) {
    rows <- matrix(rep(c(top, 0), c(k, n - k)), n, d)
    smooth_law(rows, grid, constants, method)$scale
  }, 0)
  must(min(scales) < 1.01 * min_scale && max(scales) > top, "from one end to the other")
  max(abs(diff(log(scales))))
}

corner_most <- 1 + 1.01 * 2^-20

corner_cases <- list(list("exact", 1), list("exact", 2), list("directional", 2), list("marginal", 2),
                     list("directional", 3))

# Propose, test, release: P(margin + Z > T), Z discrete Laplace.
pass_exactly <- function(margin, epsilon, delta) {
  q <- exp(-epsilon)
  above <- ptr_threshold(epsilon, delta) + 1 - margin
  ifelse(above > 0, q^above, 1 + q - q^(1 - above)) / (1 + q)
}
