# Limits of the median absolute deviation: an interval of the median, then scans over radii about it.
#
# METHOD: let [L, U] cover a median m of the distribution, and M be a median of |X - m|. For a radius r let
#   W(r) be the most rows that any window of centre in [L, U] and radius r holds, and V(r) the most that lie
#   at distance r or beyond from any such centre. If m is in [L, U] then W(M) and V(M) are at least as many
#   rows as lie up to, and from, the distance M about m: at least Binomial(n, 1/2), whatever [L, U] is. So M
#   has limits by the scans of R/mech-interval.R, up over W and down over V, and how uncertain the median is
#   hardly widens them: about the median of a distribution with one mode a window's content falls with the
#   square of the distance. Centres are finitely many, each with a part of [L, U], and radii are wider by
#   what is left.
# PRIVATE: a replaced row moves W and V by one at most at each r, not all the same way: a scan costs that of
#   the threshold's noise and twice that of a point's (kernels know counts that move one way, which cost it
#   once). Windows are counted at radii that are public given [L, U].
# ROUNDING: computed distances do not fall as true ones grow, so that a place among the radii is a
#   nondecreasing function of the distance; what is left to round is moved outwards.
# REFERENCE: vignettes/proofs-ranks.Rmd, section 4.

# Shares of epsilon and of the risk that the interval of the median has; and of a scan's epsilon that its
# threshold and a point have, in thousandths. By simulation.
mad_interval_shares <- c(epsilon = 0.35, risk = 0.1)
window_shares <- c(centre = 0L, threshold = 600L, first = 400L, second = 0L)

mad_interval_split <- function() {
  share <- mad_interval_shares[["epsilon"]]
  c(median = share, distances = 1 - share)
}

# How many centres have parts of [L, U].
window_centres <- 64L

# Public numbers only.
mad_interval_plan <- function(n, epsilon, level, limits) {
  check_interval_budget(n, epsilon, 3L)
  share <- mad_interval_shares * (1 - 2^-40)
  left <- (1 - 2^-40) * (1 - share)
  reach <- interval_reach(limits$prior, limits$resolution)
  median <- interval_plans(n, 0.5, 1 - share[["risk"]] * (1 - level), share[["epsilon"]] * epsilon, reach)
  list(limits = limits, median = median[[1]],
       windows = windows_plan(n, 1 - left[["risk"]] * (1 - level), left[["epsilon"]] * epsilon))
}

# Of both scans, as interval_plan_of() has one of two; `cells` as many as radii mostly are. Fine radii give
# the noise more chances to stop a scan early.
windows_plan <- function(n, level, epsilon) {
  share <- window_shares / 1000
  each <- epsilon / 2 / (share[["threshold"]] + 2 * share[["first"]])
  rates <- interval_rates(each, window_shares)
  threshold <- interval_threshold(n, 0.5, (1 - level) / 2, rates)
  empty <- 1 - noise_below(threshold, rates)
  fineness <- floor(max(16, min(n * rates$nu / 2, 0.01 / empty / radii_turns, 4096)))
  list(n = n, prob = 0.5, level = level, epsilon = each, mirrored = FALSE, first = threshold,
       second = threshold, cells = as.integer(radii_turns * fineness), growth = 19L, ranks = c(1L, 1L),
       shares = window_shares, rates = list(first = rates, second = rates), fineness = fineness)
}

# Radii between which numbers grow e-fold are as many as the fineness; a wide range has so many such parts.
radii_turns <- 20

# Increasing numbers from 0 to `width`: even ones, a sixteenth of `off` apart, as long as that is more than a
# part of themselves, 1 / `fineness`, from there on by that part. `whole`: whole numbers.
radii <- function(off, width, fineness, whole) {
  first <- max(min(off, width) / 16, width * 2^-40)
  if (whole) first <- max(1, first)
  turns <- max(0, ceiling(log(width / (first * fineness)) * (fineness + 1)))
  at <- first * c(seq_len(fineness), fineness * (1 + 1 / fineness)^seq_len(turns))
  if (whole) at <- unique(ceiling(at))
  c(0, at[at < width], width)
}

# Centres between two ends, and the distance from the next of them that no number between the ends exceeds (no
# whole number, if `whole`).
centres_between <- function(ends, whole, count = window_centres) {
  at <- ends[[1]] + (ends[[2]] - ends[[1]]) * (2 * seq_len(count) - 1) / (2 * count)
  at <- unique(pmin(pmax(if (whole) round(at) else at, ends[[1]]), ends[[2]]))
  gap <- max(at[[1]] - ends[[1]], ends[[2]] - at[[length(at)]], diff(at) / 2)
  list(at = at, gap = if (whole) floor(gap) else gap * (1 + 2^-50))
}

# For each radius the most rows whose place is there or before, over centres, and there or after. PRIVATE: x.
count_windows <- function(x, centres, radii) {
  values <- as.vector(atoms_of(x)$points)
  count <- entry_counts(x)
  # searches are fast in order; a tally is in order
  if (is.null(count)) values <- sort(values)
  within <- rep(0, length(radii))
  beyond <- within
  for (centre in centres) {
    held <- count_places(findInterval(abs(values - centre), radii), count, length(radii))
    within <- pmax(within, cumsum(held))
    beyond <- pmax(beyond, rev(cumsum(rev(held))))
  }
  list(within = within, beyond = beyond)
}

# PRIVATE: all.
count_places <- function(place, count, size) {
  if (is.null(count)) return(as.double(tabulate(place, size)))
  sums <- rowsum(count, place)
  replace(numeric(size), as.integer(rownames(sums)), sums)
}

# One scan over the places 0, 1, ... of radii: down over `beyond`, or up over `within`. Its limit is the last
# place that is not excluded. PRIVATE: windows.
draw_window_limit <- function(windows, up, plan, source) {
  top <- length(windows$within) - 1
  held <- if (up) diff(c(0, windows$within)) else -diff(c(windows$beyond, 0))
  plan$mirrored <- up
  plan$cells <- as.integer(top)
  rows <- new_tally(matrix(seq(0, top)), held, 0, top, 1, 1)
  draw_interval(rows, plan, prior_uniform(0, top), source, 1)[1, ][[if (up) 1 else 2]]
}

# PRIVATE: x.
draw_mad_interval <- function(x, plan, source) {
  limits <- plan$limits
  step <- limits$resolution
  whole <- !is.null(step)
  drawn <- draw_intervals(x, list(plan$median), limits$prior, source, step)
  known <- all(is.finite(drawn$interval))
  ends <- if (known) as.vector(drawn$interval) else rep(drawn$estimate, 2)
  width <- unname(limits$prior$upper - limits$prior$lower)
  if (whole) {
    # in steps from here on
    x <- each_value(x, function(values) whole_steps(values, step))
    ends <- whole_steps(ends, step)
    width <- ceiling(width / step)
  }
  centres <- centres_between(ends, whole)
  at <- radii((ends[[2]] - ends[[1]]) / 2, width, plan$windows$fineness, whole)
  windows <- count_windows(x, centres$at, at)
  found <- c(draw_window_limit(windows, TRUE, plan$windows, source),
             draw_window_limit(windows, FALSE, plan$windows, source))
  found <- radii_ends(found, at, whole)
  ends <- if (known) moved_out(found, centres$gap, whole) else c(0, Inf)
  middle <- if (is.finite(found[[2]])) found[[1]] / 2 + found[[2]] / 2 else found[[1]]
  if (whole) middle <- round(middle)
  unit <- if (whole) step else 1
  list(estimate = min(max(middle, ends[[1]]), ends[[2]]) * unit, interval = ends * unit)
}

# The outer radii of places, in order. What has the last place may be anywhere beyond.
radii_ends <- function(places, at, whole) {
  beyond <- c(at[-1] - whole, Inf)
  lower <- if (is.finite(places[[1]])) at[[places[[1]] + 1]] else 0
  upper <- if (is.finite(places[[2]])) beyond[[places[[2]] + 1]] else Inf
  sort(c(lower, upper))
}

# Limits, wider by `gap` and by more than distances and these sums are rounded.
moved_out <- function(ends, gap, whole) {
  slack <- if (whole) 0 else 2^-50
  c(max(0, ends[[1]] * (1 - slack) - gap * (1 + slack)), (ends[[2]] + gap) * (1 + slack))
}
