# A confidence region for the median of two variables, about a draw of the exponential mechanism.
#
# METHOD: the shape of the ellipse is that of a public covariance, or, with a large budget, drawn from
#   quantiles along four directions (mech-region.R). In units of the prior and of this shape it is a disc.
#   The plane about the released centre is cut into `disc_sides` sectors. M(r) is the largest over sectors of
#   the least number of rows in a halfplane, of as many public directions, that holds all of the sector beyond
#   the radius r: no point outside the disc has a larger halfspace depth. One replaced row moves M by at most
#   one. The scan (mech-confidence-scan.R) goes inward over public radii. Whether M(r) >= k is known from the
#   k-th largest row along each direction.
# COST: O(n log n) per direction, sorted once, and nothing that grows with n for each radius.
# REFERENCE: Hodges (1955), A bivariate sign test; vignettes/proofs-region.Rmd.

disc_sides <- 120L # a multiple of 4

# dp_median(x, interval =, method = "exponential") of two variables: pure.
median_region_mechanism <- function() {
  new_mechanism(plan_median_region_draw, draw_median_region, ready = function(rows, plan) plain_rows(rows))
}

plan_median_region_draw <- function(facts, given) {
  n <- facts$n
  prior <- public_prior(given$prior, given$lower, given$upper, 2L, facts$names, "an interval needs them")
  level <- check_interval_level_given(given$interval)
  if (n > disc_rows) {
    stop_input("interval", sprintf("NULL for regions of more than %s rows", grouped(disc_rows)),
               describe(given$interval), "Take method = \"auto\" for intervals of each variable.")
  }
  names <- facts$variables
  resolution <- tally_resolution(facts$declared, given$resolution, prior)
  draw <- exponential_plan(n, 2L, given$epsilon, prior, NULL, resolution, "exact", names)
  region <- region_plan(n, given$epsilon, level, prior)
  failure <- median_failure(n, 2L, region$centre, "exponential")
  resolved <- resolved_spread(failure, prior, draw$step[[1]], names)
  list(
    label = "median with region", what = "median", class = "dp_median_region", draw = draw, region = region,
    prior = prior,
    mechanism = "exponential mechanism over halfspace depth, and a scan of discs with a noisy threshold",
    details = c(
      list(prior = prior, depth = draw$label, level = level, shares = region$shares[region$shares > 0],
           simultaneous = TRUE,
           covers = paste("the population's median, if it lies within the public limits, as does the ellipse",
                          "that they frame,"),
           assumes = paste("the rows are independent, and the directions in which they lie from the median",
                           "are as likely as their opposites (else the ellipse may be far too small)")),
      resolves_detail(resolved), draw$step
    ),
    warn = function(said) warn_limits(resolved, n, 2L, region$centre, prior)
  )
}

# PRIVATE: rows.
draw_median_region <- function(rows, plan, source) {
  region <- plan$region
  shape <- if (region$shape > 0) draw_shape(rows, region$shape, plan$prior, source)
           else public_shape(plan$prior)
  centre <- draw_exponential(rows, plan$draw, region$centre, source)
  radius <- scan_discs(rows, centre, region, shape, source)
  # the last two are for pictures: see dp-region.R
  list(estimate = centre, interval = disc_limits(centre, radius, region, shape),
       details = list(region = cbind(centre = centre, radius = radius), shape = shape$factor))
}

# Rows along the directions from the centre, each direction's in increasing order, moved outward by what
# rounding may have done. `inverse` makes discs of ellipses, and nothing longer. Each row by itself, in one
# order of operations. PRIVATE.
disc_rows_along <- function(x, centre, scale, inverse = diag(2)) {
  # in units first: what overflows before or after is bounded, and is no NaN
  u <- bounded((x[, 1] - centre[[1]]) / scale[[1]])
  v <- bounded((x[, 2] - centre[[2]]) / scale[[2]])
  size <- bounded(abs(x[, 1]) / scale[[1]] + abs(centre[[1]]) / scale[[1]] +
                    abs(x[, 2]) / scale[[2]] + abs(centre[[2]]) / scale[[2]])
  slack <- ifelse(size < slope_limit, 2^-45 * size + 2^-1000, 4 * slope_limit)
  first <- inverse[1, 1] * u + inverse[1, 2] * v
  second <- inverse[2, 1] * u + inverse[2, 2] * v
  angle <- 2 * pi * (seq_len(disc_sides) - 1) / disc_sides
  vapply(angle, function(a) {
    along <- cos(a) * first + sin(a) * second + slack
    along[order(along)]
  }, numeric(nrow(x)))
}

# How far along direction l - 1 places from its middle a sector reaches inwards, in parts of the radius; for
# halfplanes that do not hold all of it, NA. Rounded inwards.
sector_reach <- function() {
  place <- pmin(seq_len(disc_sides) - 1, disc_sides + 1 - seq_len(disc_sides))
  reach <- cos(2 * pi * place / disc_sides + pi / disc_sides + 1e-9) - 1e-9
  ifelse(place < disc_sides / 4 & reach > 0, reach, NA)
}

# Is there a sector of which, beyond the radius, all halfplanes hold k rows or more?
discs_reach <- function(along, radius, k, parts) {
  n <- nrow(along)
  if (k <= 0) return(TRUE)
  if (k > n) return(FALSE)
  far <- along[n + 1 - k, ]
  held <- rep_len(TRUE, disc_sides)
  for (l in which(!is.na(parts))) {
    side <- (seq_len(disc_sides) + l - 2) %% disc_sides + 1
    held <- held & far[side] >= radius * parts[[l]]
    if (!any(held)) return(FALSE)
  }
  TRUE
}

# The first j from `from` on with M(radius[j]) >= least[j], or one more than there are. M grows inwards.
first_halt <- function(along, radius, minimum, parts, from = 1L, to = length(minimum)) {
  if (!discs_reach(along, radius[[to]], min(minimum[from:to]), parts)) return(length(minimum) + 1L)
  if (from == to) return(from)
  middle <- (from + to) %/% 2L
  found <- first_halt(along, radius, minimum, parts, from, middle)
  if (found <= middle) found else first_halt(along, radius, minimum, parts, middle + 1L, to)
}

# The radius of the last disc that passed; Inf if the first one did not, or all of them did.
scan_discs <- function(x, centre, region, shape, source) {
  radius <- region$radius
  minimum <- scan_noise(length(radius), 1L, region$t, region$threshold, region$halt, nrow(x), source)[, 1]
  along <- disc_rows_along(x, centre, region$scale, shape$inverse)
  at <- first_halt(along, radius, minimum, sector_reach())
  if (at == 1L || at > length(radius)) Inf else radius[[at - 1L]]
}

# The frame of the ellipse; infinite where it passes a public limit.
disc_limits <- function(centre, radius, region, shape) {
  reach <- radius * region$scale * sqrt(rowSums(shape$factor^2)) * (1 + 2^-40)
  limits <- cbind(lower = centre - reach, upper = centre + reach)
  limits[limits[, 1] <= region$lower, 1] <- -Inf
  limits[limits[, 2] >= region$upper, 2] <- Inf
  limits
}
