# What the distribution of a release by smooth sensitivity depends on: the centre and the scale of the noise.
# PRIVATE.
#
# METHOD: S = max over k of exp(-beta k) A^(k), A^(k) nested upper bounds of the local sensitivity at
#   distance k. One variable: exact. "marginal": the vector of medians, A^(k) the sum of theirs. "exact"
#   and "directional": a deepest point, A^(k) the lesser of the regions' and of the windows' bounds.
# REFERENCE: vignettes/proofs-smooth.Rmd, sections 6 to 8.

# The centre (integers) and the scale of the noise, a multiple of 2^-scale_bits.
smooth_law <- function(z, lattice, constants, method = smooth_method("auto", nrow(z), ncol(z))) {
  minimum <- constants$alpha * min_scale / 2^scale_bits
  beta <- constants$smoothness
  found <- if (ncol(z) == 1) line_law(z, lattice, beta, minimum)
           else if (method == "marginal") marginal_law(z, lattice, beta, minimum)
           else if (ncol(z) == 2) plane_law(z, lattice, beta, minimum, method)
           else directional_law(z, lattice, beta, minimum)
  centre <- pmin(pmax(round(found$point), lattice$lower), lattice$upper)
  list(centre = as.vector(centre), scale = smooth_scale(found$bound, constants))
}

# The scale of the noise, a multiple of 2^-scale_bits steps, from a bound of the sensitivity in steps.
smooth_scale <- function(bound, constants) {
  bound <- max(bound, constants$alpha * min_scale / 2^scale_bits)
  max(min_scale, ceiling(bound * exp(constants$rounding / 2) * 2^scale_bits / constants$alpha))
}

# Up to so many rows the exact planar median is the default: its cost grows with n^2. On request, up to the
# second number.
plane_rows <- c(3000L, 20000L)

# The method, by n and d only.
smooth_method <- function(method, n, d, arg = "method") {
  method <- check_choice(method, c("auto", "exact", "directional", "marginal"), arg)
  if (method == "auto") return(if (d == 1 || d == 2 && n <= plane_rows[[1]]) "exact" else "directional")
  if (method == "exact" && (d > 2 || d == 2 && n > plane_rows[[2]])) {
    must <- "\"directional\" or \"marginal\" for more than two variables"
    if (d == 2) must <- sprintf("\"directional\" or \"marginal\" for more than %d rows", plane_rows[[2]])
    stop_input(arg, must, "\"exact\"")
  }
  if (d == 1) "exact" else method
}

# The last k at which not even the whole box is too small to matter. Public.
last_level <- function(n, lattice, beta, minimum) {
  max(0, min(n, ceiling(log(sum(lattice$upper - lattice$lower) / minimum) / beta)))
}

line_law <- function(z, lattice, beta, minimum) {
  bound <- median_sensitivity(z[, 1], lattice$lower, lattice$upper, beta, minimum)$value
  list(point = median_columns(z), bound = bound)
}

median_columns <- function(z) {
  p <- (nrow(z) + 1L) %/% 2L
  apply(z, 2, function(y) sort(y, partial = p)[[p]])
}

marginal_law <- function(z, lattice, beta, minimum) {
  k <- 0:last_level(nrow(z), lattice, beta, minimum)
  a <- vapply(seq_len(ncol(z)), function(j) {
    median_windows(z[, j], lattice$lower[[j]], lattice$upper[[j]], length(k))
  }, numeric(length(k)))
  list(point = median_columns(z), bound = max(minimum, exp(-beta * k) * rowSums(matrix(a, length(k)))))
}

# reach: as in tukey_level(); the bounds may then be infinite.
directional_law <- function(z, lattice, beta, minimum, reach = Inf) {
  k <- 0:min(last_level(nrow(z), lattice, beta, minimum), reach)
  o <- directional_sides(z)
  deepest <- directional_deepest(o)
  level <- tukey_level(deepest$level, o$n, o$d, c(k, length(k)), reach)
  a <- directional_diameter(o, level[-1], lattice$lower, lattice$upper, near = level[k + 1])
  a <- with_windows(a, o, deepest$level, lattice)
  tight <- function(i) {
    if (level[[i + 1]] < 1) return(a[[i]])
    min(a[[i]], directional_tight(o, level[[i + 1]], lattice$lower, lattice$upper, near = level[[i]]))
  }
  list(point = deepest$point, bound = lazy_maximum(exp(-beta * k), a, minimum, tight))
}

# max(least, weight * tight), tight(i) <= a[[i]] being computed only where it may matter.
lazy_maximum <- function(weight, a, minimum, tight) {
  value <- weight * a
  done <- logical(length(a))
  repeat {
    best <- which.max(value)
    if (done[[best]] || value[[best]] <= minimum) return(max(minimum, value[[best]]))
    value[[best]] <- weight[[best]] * tight(best)
    done[[best]] <- TRUE
  }
}

plane_law <- function(z, lattice, beta, minimum, method, reach = Inf) {
  last <- min(last_level(nrow(z), lattice, beta, minimum), reach)
  found <- plane_reach(plane_regions(z, method), nrow(z), plane_guess(z, method), last, reach)
  a <- plane_diameter(found$reach, lattice$lower, lattice$upper, near = found$near)
  a <- with_windows(a, directional_sides(z), found$level, lattice)
  list(point = found$centre, bound = max(minimum, exp(-beta * found$k) * a))
}

# a: A^(k) for k = 0, 1, ...
with_windows <- function(a, o, deepest, lattice) {
  first <- seq_len(min(length(a), window_levels))
  windows <- directional_total(o, side_windows(o, deepest, length(first), lattice$lower, lattice$upper))
  a[first] <- pmin(a[first], windows)
  a
}

# Widths of the windows of src/num/rank_window.c along each side, clipped along the axes: count x sides.
side_windows <- function(o, deepest, count, lower, upper) {
  diagonals <- ncol(o$value) - o$d
  ends <- cbind(c(lower, rep(-Inf, diagonals)), c(upper, rep(Inf, diagonals)))
  minimum <- ceiling(o$n / (o$d + 1))
  value <- directional_clip(o, o$value, lower, upper)
  .Call(ffi_rank_windows, value, ends, as.integer(deepest), as.integer(minimum), as.integer(count))
}

min_scale <- 2^20

scale_bits <- 12L

# The smooth sensitivity of the median of one variable, as the calculator and the release share it. The value
# is max(least, S); `profile` is the most levels to return.
median_sensitivity <- function(x, lower, upper, beta, minimum = 0, profile = 0L) {
  n <- length(x)
  ends <- c(lower, pmin(pmax(sort(as.vector(x)), lower), upper), upper)
  count <- min(profile, n + 1L)
  out <- .Call(ffi_sens_median, matrix(ends), (n + 1L) %/% 2L, beta, minimum, count)
  out$profile <- relevant_levels(out$profile, out$value, beta, upper - lower)
  out
}

# More levels of windows than this are not looked at: they would cost K^2, and the regions' bounds serve
# there.
window_levels <- 2000L

# A^(k) for k = 0, ..., count - 1 of one variable of integers. Beyond the first 2000 a window of twice the
# ranks stands in: nested too, and looked at for very small budgets only.
median_windows <- function(y, lower, upper, count) {
  n <- length(y)
  p <- (n + 1L) %/% 2L
  ends <- c(lower, pmin(pmax(sort(y), lower), upper), upper)
  first <- min(count, window_levels)
  near <- .Call(ffi_sens_median, matrix(ends), p, 1, Inf, as.integer(first))$profile
  k <- seq_len(count - first) + first - 1
  c(near, ends[pmin(p + k + 1, n + 1) + 1] - ends[pmax(p - k - 1, 0) + 1])
}

# The part of a profile before the k at which not even the whole width could win.
relevant_levels <- function(profile, value, beta, whole) {
  k <- seq_along(profile) - 1L
  profile[exp(-beta * k) * whole >= value]
}
