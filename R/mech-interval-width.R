# The expected width of an interval of one quantile: public numbers only.
#
# METHOD: thresholds are exact and public. For normal rows the count that a scan meets at each point of its
#   grid is replaced by its expectation; the chance that the scan stops there then follows from the
#   distribution of its noises, and so does the expected limit.
# REFERENCE: mech-interval.R.

# Middles of so many parts of equal chance of the threshold's noise.
noise_nodes <- function(rate, count = 40L) floor(stats::qexp((seq_len(count) - 0.5) / count, rate))

# Where a scan over points that hold `count` rows stops: chances, rows, a column each `rho`, and what is left
# of a scan that passes all. `weight`: how many points of the grid each stands for.
stop_chances <- function(count, t, rates, rho, weight = 1) {
  missing <- outer(-count, t + rho + 1, `+`)
  pass <- log1p(-exp(-rates$nu * pmax(missing, 0)))
  left <- exp(apply(pass * weight, 2, cumsum))
  rbind(1, left[-nrow(left), , drop = FALSE]) - left
}

# The mean limit of a scan, and the chance that it is infinite. `at`: points inwards; `before`: what is
# released if the scan stops there.
mean_limit <- function(count, before, t, rates, weight = 1, nodes = 40L) {
  stops <- rowMeans(stop_chances(count, t, rates, noise_nodes(rates$rho, nodes), weight))
  infinite <- stops[[1]] / (if (length(weight) > 1) weight[[1]] else 1)
  stops[[1]] <- stops[[1]] - infinite
  left <- max(0, 1 - infinite - sum(stops))
  list(at = (sum(stops * before) + left * before[[length(before)]]) / max(1 - infinite, 1e-300),
       infinite = infinite)
}

# Of the plan of a quantile of n standard normal rows between bounds `half` from their median. `fine`: to a
# part in a thousand, else in 200 and many times as quick.
limits_width <- function(n, plan, half, fine = TRUE) {
  if (plan$shares[["centre"]] > 0) return(centred_width(n, plan, half, fine))
  rows <- function(z) n * stats::pnorm(-z)
  nodes <- if (fine) 40L else 8L
  grid <- scan_points(n, plan$first, plan$rates$first, half, 2 * half / plan$cells, if (fine) 1500L else 200L)
  first <- mean_limit(rows(grid$at), grid$before, plan$first, plan$rates$first, grid$weight, nodes)
  # distances shrink by a twentieth
  steps <- if (fine) 700 else 300
  distance <- (first$at + half) * 0.95^seq.int(0, steps)
  second <- mean_limit(rows(distance - first$at), distance[c(1, seq_len(steps))] - first$at, plan$second,
                       plan$rates$second, nodes = nodes)
  list(width = max(0, first$at + second$at), infinite = max(first$infinite, second$infinite))
}

# The same of a grid about a centre, whose rank errs by a distribution of two exponential tails: at its
# quantiles. A centre that is lost in the limits leaves cells as wide as its distance from the rows; where
# that is rare (most_lost) the width is that of the others.
centred_width <- function(n, plan, half, fine = TRUE) {
  rate <- plan$shares[["centre"]] / 1000 * plan$epsilon / 2
  away <- stats::qexp((seq_len(if (fine) 8L else 2L) - 0.5) / (if (fine) 8L else 2L), rate)
  centres <- stats::qnorm(pmin(pmax(plan$prob + c(-away, away) / n, 0.1 / n), 1 - 0.1 / n))
  found <- rowMeans(vapply(pmin(pmax(centres, -half), half), function(c) {
    # of each scan's own side first
    upper <- centred_limit(n, c, plan$first, plan$rates$first, half, plan$growth, fine)
    lower <- centred_limit(n, -c, plan$second, plan$rates$second, half, plan$growth, fine)
    c(upper$at + lower$at, max(upper$infinite, lower$infinite))
  }, c(0, 0)))
  width <- max(0, found[[1]])
  lost <- plan_lost(plan, half)
  if (lost > most_lost) width <- (1 - lost) * width + lost * half / plan$growth
  list(width = width, infinite = found[[2]])
}

centred_limit <- function(n, c, t, rates, half, growth, fine) {
  distance <- function(far) far * (1 + 1 / growth)^-seq.int(0, log(far / 1e-4) / log1p(1 / growth))
  at <- c(c + distance(max(half - c, 1e-3)), c - rev(distance(max(half + c, 1e-3))))
  # rare stops far out count as ten spreads
  before <- pmin(c(at[[1]], at[-length(at)]), 10)
  mean_limit(n * stats::pnorm(-at), before, t, rates, nodes = if (fine) 40L else 8L)
}

# No centre is taken with a larger chance to be lost in the limits. Of rows in their middle it is half of what
# rank_failure() says, which has them anywhere.
most_lost <- 0.002

# The chance that a centre is lost in limits, `half` their width in spreads.
plan_lost <- function(plan, half) {
  if (plan$shares[["centre"]] == 0) 0 else centre_failure(plan)(line_of(0.5 / half))
}

# As a function of a line. The centre is one quantile, drawn with its share of epsilon.
centre_failure <- function(plan, share = plan$shares[["centre"]]) {
  rank_failure(plan$n, plan$prob, share / 1000 * plan$epsilon, quantile_levels(1L))
}

# The chance, as a function of a line, that a limit is infinite or beyond five spreads of the quantile: the
# centre is lost, or a scan stops at one of its points out there, where rows in the limits' middle have none.
# Under a dyadic prior points begin at the end of its support.
interval_failure <- function(plan, dyadic = FALSE) {
  centred <- plan$shares[["centre"]] > 0
  lost <- if (centred) centre_failure(plan) else function(line) 0
  growth <- if (centred) plan$growth else 19
  function(line) {
    far <- if (dyadic) 52 * log(2) else max(0, -log(2 * far_spreads * line$density))
    points <- 1 + far / log1p(1 / growth)
    first <- if (centred) points else max(1, plan$cells * (0.5 - far_spreads * line$density))
    min(1, lost(line) + early_stop(first, plan$first, plan$rates$first) +
          early_stop(points, plan$second, plan$rates$second))
  }
}

# The chance that a scan stops at one of so many points without rows.
early_stop <- function(points, t, rates) {
  one <- exp(-rates$nu * pmax(t + noise_nodes(rates$rho) + 1, 0))
  mean(-expm1(points * log1p(-one)))
}

# Expected widths at a door, where half the limits' width may be any of `reaches` spreads: an infinite limit
# counts as five widths.
door_widths <- function(n, plan, reaches) {
  if (plan$shares[["centre"]] == 0) {
    at <- reaches + stats::qnorm(max(plan$prob, 1 - plan$prob))
    return(vapply(at, function(half) {
      found <- limits_width(n, plan, half, fine = FALSE)
      found$width * (1 + 4 * found$infinite)
    }, 0))
  }
  # that of the grid hardly depends on the limits
  found <- centred_width(n, plan, 10, fine = FALSE)
  width <- found$width * (1 + 4 * found$infinite)
  # of rows in the limits' middle
  lost <- vapply(reaches, plan_lost, 0, plan = plan) / 2
  astray <- reaches / plan$growth * (1 + 4 * found$infinite)
  exp((1 - lost) * log(width) + lost * log(pmax(width, astray)))
}

# Points of the first scan from the bound inwards: its own, or, if there are many, fewer that stand for them.
scan_points <- function(n, t, rates, half, step, most = 1500L) {
  place <- function(count) -stats::qnorm(min(max(count / n, 0.1 / n), 1 - 0.1 / n))
  top <- min(half, place(t - 40 / rates$nu))
  end <- max(-half, place(t + 8 / rates$rho) - step)
  own <- (top - end) / step <= most
  # the grid's own places: of cells wider than the rows' spread these are the limit
  if (own) top <- min(half, half - floor((half - top) / step) * step)
  near <- if (own) seq(top, end - step, by = -step) else seq(top, end, length.out = most)
  far <- if (top < half) seq(half, top, length.out = 200)[-200]
  at <- c(far, near)
  weight <- c(if (top < half) rep_len((half - top) / step / 199, 199),
              rep_len(if (own) 1 else (near[[1]] - near[[2]]) / step, length(near)))
  list(at = at, before = at + step, weight = pmax(weight, 1))
}

# The width that four of five intervals do not exceed, of n rows with a distribution that is symmetric about 0
# and has the share `beyond`(z) at z and beyond. A grid of fewer points stands for that of the scan.
usual_width <- function(n, plan, beyond, half) {
  z <- 0.02 * sinh(seq(1, -1, length.out = 300) * asinh(half / 0.02))
  weight <- c(1, pmax(1, -diff(z) * plan$cells / (2 * half)))
  first <- early_limit(n * beyond(z), z, plan$first, plan$rates$first, weight)
  distance <- (first + half) * 0.95^seq.int(0, 300)
  max(2^-40, first + early_limit(n * beyond(distance - first), distance - first, plan$second,
                                 plan$rates$second))
}

# The limit of a scan that one in five lies beyond.
early_limit <- function(count, at, t, rates, weight = 1) {
  stopped <- cumsum(rowMeans(stop_chances(count, t, rates, noise_nodes(rates$rho, 8L), weight)))
  early <- which(stopped >= 0.2)
  at[[if (length(early) == 0) length(at) else max(1, early[[1]] - 1)]]
}
