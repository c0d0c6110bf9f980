# The expected width of an interval of one quantile: public numbers only.
#
# METHOD: thresholds are exact and public. For normal rows the count that a scan meets at each point of its
#   grid is replaced by its expectation; the chance that the scan stops there then follows from the law of its
#   noises, and so does the expected limit.
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

# Points of the first scan from the bound inwards: its own, or, if there are many, fewer that stand for them.
scan_points <- function(n, t, rates, half, step, most = 1500L) {
  place <- function(count) -stats::qnorm(min(max(count / n, 0.1 / n), 1 - 0.1 / n))
  top <- min(half, place(t - 40 / rates$nu))
  end <- max(-half, place(t + 8 / rates$rho) - step)
  own <- (top - end) / step <= most
  near <- if (own) seq(top, end - step, by = -step) else seq(top, end, length.out = most)
  far <- if (top < half) seq(half, top, length.out = 200)[-200]
  at <- c(far, near)
  weight <- c(if (top < half) rep_len((half - top) / step / 199, 199),
              rep_len(if (own) 1 else (near[[1]] - near[[2]]) / step, length(near)))
  list(at = at, before = at + step, weight = pmax(weight, 1))
}

# The width that four of five intervals do not exceed, of n rows with a law that is symmetric about 0 and has
# the share `beyond`(z) at z and beyond. A grid of fewer points stands for that of the scan.
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
