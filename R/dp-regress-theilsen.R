# Theil-Sen regression by private medians of the predictions of pairs of rows.

#' Private Theil-Sen regression, for comparison
#'
#' Each pair of rows of a random matching has a line, which has a value at the lower and at the upper quartile
#' of the regressor's bounds. The median of these values is released at both places, and the line through the
#' two. A published method, here as a yardstick for [dp_regression()].
#'
#' @inheritParams dp_regression
#' @param epsilon Privacy budget, one number from 1e-6 to 1e6; usual values lie between 0.1 and 10.
#' @param x_lower,x_upper Public bounds of the regressor. They say where the two values are taken; rows may
#'   lie beyond.
#' @param lower,upper Public bounds of the response. The values are looked for in a range of twice their width
#'   about their middle; rows may lie beyond.
#' @param type How the medians are released: `"exponential"`: by the exponential mechanism; `"widened"`: by
#'   the same with values counted as equal within `width`, so that many equal rows are no trouble;
#'   `"smooth"`: by noise with heavy tails, scaled to the smooth sensitivity.
#' @param matchings How many pairs a row is in: a whole number, or `"all"` for all pairs. More pairs vary
#'   less, but each needs more noise.
#' @param width With `type = "widened"`: a public width in units of the response; by default a hundredth of
#'   that of the bounds.
#' @param ... Must be empty: a name that is not an argument is refused, see [dpdepth-errors].
#' @details
#' Published versions let each of the two medians have the whole budget, drop pairs with equal regressors
#' (an error when there are no others), or cut an odd row off after shuffling so that other pairs change,
#' too. Here each median has half of the budget, a row is in `matchings` pairs whatever the data, and pairs
#' that have no line count half as very high and half as very low, by their public numbers. Matchings are
#' drawn with the secret noise and are not released.
#' @return A [`dp_release`][dp_release] of class `dp_regression` with `guarantee = "pure"`; [predict()] works.
#' @section Errors: As for [dp_regression()]. One regressor and at least four rows are needed; at most 2000
#'   rows with `matchings = "all"`.
#' @references
#' Alabi, D., McMillan, A., Sarathy, J., Smith, A. and Vadhan, S. (2022). Differentially private simple linear
#' regression. *Proceedings on Privacy Enhancing Technologies*. \doi{10.48550/arXiv.2007.05157}
#' (DPTheilSen; corrected, see `vignette("proofs-rivals", "dpdepth")`.)
#' @seealso [dp_regression()], [dp_regress_noisystats()], [dp_regress_gradient()].
#' @examples
#' dp_regress_theilsen(waiting ~ eruptions, faithful, epsilon = 1, x_lower = 1, x_upper = 6,
#'                     lower = 30, upper = 120)
#' @export
dp_regress_theilsen <- function(formula, data, epsilon, x_lower, x_upper, lower, upper,
                                type = c("exponential", "widened", "smooth"), matchings = 1L, width = NULL,
                                ..., ledger = NULL, rng = NULL, na = "fail") {
  check_given()
  call <- sanitize_call(match.call(), "data")
  type <- check_choice(type, c("exponential", "widened", "smooth"), "type")
  frame <- line_frame(formula, data, na, min_n = 4L)
  n <- nrow(frame$x)
  epsilon <- check_epsilon(epsilon)
  limits <- line_limits(x_lower, x_upper, lower, upper)
  matchings <- check_matchings(matchings, n)
  plan <- theilsen_plan(limits, epsilon, matchings, type, width)
  source <- check_rng(rng)
  paid <- debit(ledger, "regression (Theil-Sen)", n, epsilon, 0, source)
  frame <- fill_middle(frame, limits)
  values <- theilsen_values(frame$x[, 1], frame$y, matching_pairs(n, matchings, source), plan)
  places <- vapply(1:2, function(k) draw_median(sort(values[, k]), plan, source), 0)
  p <- plan$low + plan$step * places
  slope <- (p[[2]] - p[[1]]) / (plan$at[[2]] - plan$at[[1]])
  line_release(
    list(estimate = c(p[[1]] - slope * plan$at[[1]], slope),
         details = c(list(matchings = matchings), plan$public)),
    frame, limits, na, paid, what = "Theil-Sen regression",
    mechanism = switch(type, exponential = "exponential mechanism for two medians",
                       widened = "exponential mechanism for two medians, widened",
                       smooth = "Student noise scaled to smooth sensitivity, for two medians"),
    call = call
  )
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
       widened = widened, public = if (type == "widened") list(width = width))
}

# Pairs of rows, one a row: `count` disjoint matchings of the complete graph, in a random numbering. With an
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
