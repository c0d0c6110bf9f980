# Confidence for depth regions of the plane: limits of quantiles along public directions.
#
# METHOD: a part of epsilon draws the region as ever; the rest pays for an interval of each end of each
#   direction, by two one-sided scans (mech-interval.R), that cover all together (Bonferroni). The halfplanes
#   at the outer limits hold the population's region; those at the inner ones lie within its region along
#   these directions. Nothing is assumed but that rows are independent draws of one distribution.
# REFERENCE: vignettes/proofs-region.Rmd, section 7.

region_split <- c(region = 0.3, interval = 0.7)

# What is public; refuses before the debit.
region_interval_plan <- function(interval, measure, level, n, epsilon, k, prior) {
  confidence <- check_interval_level_given(interval)
  if (measure != "depth") {
    stop_input("interval", "NULL with measure = \"mass\"", format(confidence),
               paste("Which depth has this mass depends on the population. Take measure = \"depth\";",
                     "level = 0.12 is the depth of the bag of a normal distribution."))
  }
  check_interval_budget(n, epsilon, 2 * k)
  each <- 1 - (1 - confidence) / (2 * k)
  plans <- interval_plans(n, c(level, 1 - level), each, epsilon / (2 * k) * (1 - 2^-40))
  list(confidence = confidence, plans = plans, directions = line_directions(k), prior = prior)
}

# All that is public of a region and its limits.
interval_region_plan <- function(interval, n, level, measure, epsilon, directions, prior) {
  k <- if (is.null(directions)) interval_directions(n, epsilon) else directions
  limits <- region_interval_plan(interval, measure, level, n, epsilon * region_split[["interval"]], k, prior)
  plan <- depth_region_plan(n, level, measure, epsilon * region_split[["region"]], 0, k, prior)
  plan$mechanism <- paste0(plan$mechanism, ", and two one-sided scans with noisy thresholds for each end")
  plan$total <- epsilon
  c(plan, list(interval = limits))
}

# How many directions, where intervals share epsilon.
interval_directions <- function(n, epsilon) if (n * epsilon >= 20000) 8L else 4L

# Limits of the quantiles at depth and 1 - depth along each direction, K x 4. PRIVATE: z, rows in the prior's
# units.
draw_region_limits <- function(z, plan, source) {
  t(vapply(seq_len(nrow(plan$directions)), function(i) {
    u <- plan$directions[i, ]
    along <- matrix(u[[1]] * z[, 1] + u[[2]] * z[, 2])
    ends <- lapply(plan$plans, function(end) {
      draw_interval(along, end, direction_prior(plan$prior, u), source)[1, 1:2]
    })
    unlist(ends)
  }, numeric(4)))
}

# The polygons of the limits, within the square of half the width `half`, in the prior's units. An infinite
# limit bounds nothing; of the inner one it leaves nothing. Sides are moved by more than rounding may do.
limit_polygons <- function(limits, directions, half) {
  u <- rbind(directions, -directions)
  room <- 1e-9 * half
  cut <- function(at) {
    p <- half * cbind(c(-1, 1, 1, -1), c(-1, -1, 1, 1))
    for (i in which(at < Inf)) p <- clip_polygon(p, u[i, ], at[[i]])
    p[!duplicated(p), , drop = FALSE]
  }
  list(outer = cut(c(limits[, 4], -limits[, 1]) + room), inner = cut(c(limits[, 3], -limits[, 2]) - room))
}

# The released part of them.
region_confidence <- function(z, plan, half, in_units, source) {
  limits <- draw_region_limits(z, plan, source)
  parts <- lapply(limit_polygons(limits, plan$directions, half), in_units)
  c(parts, list(
    confidence = plan$confidence, shares = region_split,
    covers = sprintf(paste(
      "with probability %s or more, sampling and noise counted, the outer polygon holds the population's",
      "region of this depth, as far as it lies within the public limits, and the inner one lies within the",
      "population's region along the %d directions, if rows are independent draws of one law"
    ), format(plan$confidence), nrow(plan$directions))
  ))
}
