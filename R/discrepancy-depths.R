# The discrepancy of each depth in normal and Cauchy populations, for discrepancy().

# c(discrepancy, standard error) at distance t in dimension d.
discrepancy_at <- function(task, depth, d, t, search = TRUE) {
  cdf <- switch(task$distribution, gaussian = stats::pnorm, cauchy = stats::pcauchy)
  scale <- rep_len(task$scale, d)
  if (depth == "halfspace") {
    reach <- if (task$distribution == "gaussian") max(scale) else sqrt(sum(scale^2))
    return(c(cdf(t / reach) - 0.5, 0))
  }
  if (depth == "simplicial") return(simplicial_discrepancy(t, scale, task, cdf))
  if (depth %in% c("spatial", "spatial modified")) {
    return(spatial_discrepancy(t, scale, task, cdf, depth == "spatial modified", search))
  }
  smooth <- if (depth == "idd") task$smooth else Inf
  if (d == 1) return(c(univariate_discrepancy(t, scale, depth, cdf, smooth), 0))
  if (task$distribution == "gaussian" && all(scale == scale[[1]])) {
    return(c(spherical_discrepancy(t, d, scale[[1]], depth, cdf, smooth), 0))
  }
  directional_discrepancy(t, scale, task, depth, cdf, smooth, search)
}

# What the univariate depth at distance z from the centre lacks, F = F_0(./a) or its smoothed form.
univariate_discrepancy <- function(z, a, depth, cdf, smooth) {
  if (is.finite(smooth)) {
    g <- smoothed_cdf(z, a, cdf, smooth)
    return((g - 0.5)^2)
  }
  upper <- cdf(abs(z) / a) - 0.5
  if (depth == "irw") 2 * upper else upper^2
}

# E plogis(s (z - a Y)): P(a Y + L/s <= z) with L logistic, by the trapezoid rule, with an error that is
# exponentially small for a smooth integrand that vanishes at both ends.
smoothed_cdf <- function(z, a, cdf, s) {
  v <- seq(-38, 38, by = 0.25)
  out <- numeric(length(z))
  a <- rep_len(a, length(z))
  weight <- 0.25 * stats::dlogis(v)
  for (k in seq_along(v)) out <- out + weight[[k]] * cdf((z - v[[k]] / s) / a)
  out
}

# The first coordinate of a uniform direction is sin(phi), with density proportional to
# cos(phi)^(d - 2) on the half circle.
spherical_discrepancy <- function(t, d, scale, depth, cdf, smooth) {
  total <- beta(0.5, (d - 1) / 2)
  density <- function(phi) 2 * cos(phi)^(d - 2) / total
  part <- function(phi) univariate_discrepancy(t * sin(phi), scale, depth, cdf, smooth) * density(phi)
  # where the density is, so that a high dimension's peak at zero is not missed
  width <- min(pi / 2, 12 / sqrt(d))
  found <- stats::integrate(part, 0, width, rel.tol = 1e-10, abs.tol = 0, subdivisions = 1000L,
                            stop.on.error = FALSE)
  # nearly a step at 0, or nearly 0 everywhere: rounding alone may keep it from ten digits, not from five
  if (!isTRUE(found$abs.error <= 1e-5 * found$value + 1e-12)) stop_status("limit")
  found$value
}

# Monte Carlo over public directions, at the worst x of length t that is found.
directional_discrepancy <- function(t, scale, task, depth, cdf, smooth, search) {
  d <- length(scale)
  u <- directions(d, task$directions, type = "uniform")
  a <- if (task$distribution == "gaussian") sqrt(drop(u^2 %*% scale^2)) else drop(abs(u) %*% scale)
  lack <- function(x) univariate_discrepancy(drop(u %*% x), a, depth, cdf, smooth)
  starts <- worst_candidates(scale)
  means <- apply(starts, 2, function(x) mean(lack(t * x)))
  x <- starts[, which.min(means)]
  if (search) x <- descend_sphere(x, function(x) mean(lack(t * x)))
  values <- lack(t * x)
  c(mean(values), stats::sd(values) / sqrt(length(values)))
}
