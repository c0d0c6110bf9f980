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
