# Theil-Sen regression by private medians of the predictions of pairs of rows: the engine of
# rival_regression(method = "theilsen").

plan_theilsen <- function(n, terms, box, epsilon, delta, type = c("exponential", "widened", "smooth"),
                          matchings = 1L, width = NULL) {
  type <- check_choice(type, c("exponential", "widened", "smooth"), "type")
  plan <- theilsen_plan(box, epsilon, check_matchings(matchings, n), type, width)
  plan$mechanism <- switch(type, exponential = "exponential mechanism for two medians",
                           widened = "exponential mechanism for two medians, widened",
                           smooth = "Student noise scaled to smooth sensitivity, for two medians")
  plan
}

run_theilsen <- function(x, y, plan, source) {
  values <- theilsen_values(x[, 1], y, matching_pairs(length(y), plan$matchings, source), plan)
  places <- vapply(1:2, function(k) draw_median(sort(values[, k]), plan, source), 0)
  p <- plan$low + plan$step * places
  slope <- (p[[2]] - p[[1]]) / (plan$at[[2]] - plan$at[[1]])
  list(estimate = c(p[[1]] - slope * plan$at[[1]], slope))
}

# A count, at most as many as there are disjoint matchings of n rows.
check_matchings <- function(matchings, n) {
  most <- n - 1L + n %% 2L
  if (identical(matchings, "all")) {
    if (n <= 2000) return(most)
    stop_input("matchings", "a count for data of more than 2000 rows", "\"all\"",
               "Ten matchings are nearly as good.")
  }
  if (is.character(matchings)) stop_input("matchings", "a count or \"all\"", describe(matchings))
  check_count(matchings, "matchings", upper = most)
}

# What is public: the two places, the lattice of values, what a median may spend.
theilsen_plan <- function(limits, epsilon, matchings, type, width) {
  high <- limits$y$upper - limits$y$lower
  wide <- limits$x$upper - limits$x$lower
  if (is.null(width)) width <- 0.01 * high
  width <- check_number(width, "width", lower = 0, closed = c(TRUE, FALSE))
  # two medians, and a row is in so many pairs
  each <- epsilon / (2 * matchings)
  if (each < 1e-6) {
    stop_input("epsilon", sprintf("at least 2e-6 for each of %d matchings", matchings), format(epsilon))
  }
  if (type == "smooth" && epsilon / 2 < min_student_epsilon) {
    stop_input("epsilon", sprintf("at least %s with type = \"smooth\"", 2 * min_student_epsilon),
               format(epsilon))
  }
  step <- 2 * high / theilsen_steps
  widened <- min(theilsen_steps, round(width / step))
  list(type = type, at = limits$x$lower + wide * c(0.25, 0.75), low = limits$y$lower - high / 2, step = step,
       upper = limits$y$upper + high / 2, each = each, epsilon = epsilon / 2, matchings = matchings,
       widened = widened,
       details = c(list(matchings = matchings), if (type == "widened") list(width = width)))
}

# Pairs of rows, one per row: `count` disjoint matchings of the complete graph, in a random numbering. With an
# odd number of rows each matching leaves one out.
matching_pairs <- function(n, count, source) {
  m <- n + n %% 2
  row <- random_order(m, source) # m > n: a row that is none
  rounds <- random_order(m - 1, source)[seq_len(count)] - 1
  s <- seq_len(m / 2 - 1)
  from <- c(rep(m - 1, count), outer(s, rounds, `+`) %% (m - 1))
  to <- c(rounds, outer(-s, rounds, `+`) %% (m - 1))
  pairs <- cbind(row[from + 1], row[to + 1])
  pairs[pairs[, 1] <= n & pairs[, 2] <= n, , drop = FALSE]
}

# The places on the lattice of each pair's line at both quartiles: a function of the pair's two rows and of
# its public number. A pair without a line is at one end or the other.
theilsen_values <- function(x, y, pairs, plan) {
  a <- pairs[, 1]
  b <- pairs[, 2]
  slope <- (y[b] - y[a]) / (x[b] - x[a])
  middle <- x[a] / 2 + x[b] / 2
  ends <- theilsen_steps * (seq_along(a) %% 2)
  vapply(plan$at, function(at) {
    value <- slope * (at - middle) + (y[a] / 2 + y[b] / 2)
    value[x[a] == x[b]] <- NaN
    lattice_place(value, plan$low, plan$upper, theilsen_steps, ends)
  }, ends)
}

# A median's place on the lattice, from sorted places.
draw_median <- function(sorted, plan, source) {
  if (plan$type == "smooth") return(draw_median_smooth(sorted, plan, source))
  boxes <- median_boxes(sorted, plan)
  draw_boxes(boxes$low, boxes$high, plan$each, source)[[1]]
}

# Level k, after level 0 for the whole range, holds the places with k values at or below and k at or above.
# Widened: within `widened` of such, up to the level of the median.
median_boxes <- function(sorted, plan) {
  low <- sorted
  high <- rev(sorted)
  if (plan$type == "widened") {
    levels <- seq_len((length(sorted) + 1) %/% 2)
    low <- pmax(low[levels] - plan$widened, 0)
    high <- pmin(high[levels] + plan$widened, theilsen_steps)
  }
  list(low = c(0, low), high = c(theilsen_steps, high))
}

# -- Student's t -----------------------------------------------------------------------------------

#
# METHOD: P(j) is proportional to (3 s^2 + j^2)^-2 over the whole numbers j. A shift by h costs at most
#   2 h/(sqrt(3) s), and a scale that is exp(b) times as large at most 4 b. So with b = epsilon/8 and
#   s = 4 S/(sqrt(3) epsilon), S a b-smooth bound of the sensitivity, the noise is pure epsilon-DP.
# ROUNDING: s is a whole number of at least 2^20, which pays 4 2^-20 of the budget; so does the sampler's
#   relative error, below 2^-40: `smoothness` is less than b by 2^-19.
# REFERENCE: Bun and Steinke (2019), Average-case averages; Nissim, Raskhodnikova and Smith (2007).

# Steps across the range that a Theil-Sen median is looked for in.
theilsen_steps <- 2^40

# Below, the rounding of the scale is not small beside the budget.
min_student_epsilon <- 1e-3

student_constants <- function(epsilon) {
  list(smoothness = epsilon / 8 - 2^-19, factor = 4 / (sqrt(3) * epsilon))
}

# A median's place with noise, clipped to the range. A row moves at most `matchings` of the values.
draw_median_smooth <- function(sorted, plan, source) {
  law <- student_law(sorted, plan)
  min(max(law$centre + draw_student(law$scale, source), 0), theilsen_steps)
}

# The centre and the scale, both whole numbers. PRIVATE.
student_law <- function(sorted, plan) {
  constants <- student_constants(plan$epsilon)
  found <- median_smooth_bound(sorted, plan$matchings, constants$smoothness)
  scale <- ceiling(max(found * constants$factor * (1 + 2^-40), 2^20))
  list(centre = sorted[[(length(sorted) + 1) %/% 2]], scale = scale)
}

# max over l of exp(-beta l) A(l), A(l) the longest window of (l + 1) k ranks that holds the median's rank.
# PRIVATE.
median_smooth_bound <- function(sorted, k, beta) {
  n <- length(sorted)
  rank <- (n + 1) %/% 2
  ends <- c(rep(0, n + 1), sorted, rep(theilsen_steps, n + 1))
  best <- 0
  l <- 0
  while (exp(-beta * l) * theilsen_steps > best) {
    h <- (l + 1) * k
    at <- n + 1 + rank + 0:min(h, n)
    length <- if (h > n) theilsen_steps else max(ends[at] - ends[at - h])
    best <- max(best, exp(-beta * l) * length)
    l <- l + 1
  }
  best
}

# A whole number (in size at least 2^52: rounded) with the distribution above, to a relative error of 2^-40.
# Size r is proposed in [0, s) or in [2^(b-1) s, 2^b s), b = 1, 2, ..., by fair coins; the weight
# relative to the proposal's is greatest at r = 2 s.
draw_student <- function(scale, source) {
  repeat {
    block <- 0
    while (draw_below(1L, 2, source) == 1) block <- block + 1
    times <- 2^max(0, block - 1) # the block's width, in scales
    r <- (block > 0) * times * scale + draw_wide(times * scale, source)
    negative <- draw_below(1L, 2, source) == 1
    kept <- times * 2^(block + 1) * 49 / 16 / (3 + (r / scale)^2)^2
    if (draw_bernoulli_double(1L, min(1, kept), source) && !(negative && r == 0)) {
      return(if (negative) -r else r)
    }
  }
}

# Uniform on 0, ..., size - 1; in 2^52 steps where that is more than 2^52.
draw_wide <- function(size, source) {
  if (size <= 2^52) draw_below(1L, size, source) else size * 2^-52 * draw_below(1L, 2^52, source)
}
