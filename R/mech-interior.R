# Interior points without bounds: a scale from random pairs, a histogram at that scale, an edge between
# two bins.
#
# METHOD: rows are paired by a fresh uniform permutation, so that a replaced row changes one pair. The
#   binades (2^j, 2^(j+1)], all those that doubles have, are scored by min(#{0 < Y <= 2^(j+1)}, #{Y >
#   2^j}), Y being the pairs' distances: largest at their median. The largest score plus geometric noise
#   wins (pure). Bins that are 2^j wide, counted with noise, are reported from a threshold on. A bin that
#   is reported holds rows: with two of them each edge after the first and not after the last is above
#   the smallest row and not above the largest.
# FLOATING POINT: widths are powers of two, and edges multiples of them that doubles hold: no rounding.
# REFERENCE: vignettes/proofs-unbounded.Rmd, section 3. Aliakbarpour, Silver, Steinke and Ullman (2024).

# Of shares tried by simulation, those that take the fewest rows for normal, Cauchy and uniform data and
# mixtures. data-raw/unbounded.R has the chances of release with these.
interior_shares <- c(scale = 0.35, location = 0.65)

# All public. A row that is replaced changes the counts of two bins, and one pair; one more the count of one
# bin, and it changes or adds one pair.
interior_plan <- function(epsilon, delta, shares = interior_shares, private = FALSE) {
  location <- laplace_rate(shares[["location"]] * epsilon, if (private) 1 else 2)
  list(scale = laplace_rate(shares[["scale"]] * epsilon, 2), location = location,
       threshold = stability_threshold(location, delta), shares = shares)
}

# Rows beyond are moved there, each by itself.
most_interior <- 2^1020

# An interior point, or NA; and the width of the bins. PRIVATE: x, in any order.
draw_interior <- function(x, plan, source) {
  x <- pmin(pmax(x, -most_interior), most_interior)
  width <- draw_pair_scale(x[random_order(length(x), source)], plan$scale, source)
  found <- stable_bins(bin_counts(binary_floor(x, width)), plan$location, plan$threshold, source)
  list(point = interior_edge(found$bin, found$count, width), width = width)
}

# The lower end of a binade near the median distance of pairs: a power of two. PRIVATE: x, in random
# order.
draw_pair_scale <- function(x, rate, source) {
  score <- pair_scores(x)
  noisy <- score + draw_geometric_exp(length(score), rate[[1]], rate[[2]], source)
  c(binades[[1]], binades)[[which.max(noisy)]]
}

# How many pairs lie on the poorer side of each binade, that binade counted on both. PRIVATE: x.
pair_scores <- function(x) {
  pairs <- length(x) %/% 2
  k <- binade_bins(abs(x[seq_len(pairs)] - x[pairs + seq_len(pairs)]))
  held <- tabulate(k[k > 0], length(binades) + 1)
  pmin(cumsum(held), rev(cumsum(rev(held))))
}

# The largest multiple of `width`, a power of two, up to each number. Numbers of 2^52 widths and more are
# multiples themselves.
binary_floor <- function(x, width) {
  near <- abs(x) < 2^52 * width
  whole <- floor(x[near] / width)
  whole[whole == 0 & x[near] < 0] <- -1 # a quotient that underflowed
  x[near] <- whole * width
  x
}

# The edge nearest to the weighted median of the bins, of those after the first and not after the last; NA
# with fewer than two bins.
interior_edge <- function(bin, count, width) {
  last <- length(bin)
  if (last < 2) return(NA_real_)
  total <- cumsum(count)
  m <- which(total >= total[[last]] / 2)[[1]]
  first_half <- total[[m]] - total[[last]] / 2 > count[[m]] / 2
  if (m == last || m > 1 && first_half) return(bin[[m]])
  upper <- bin[[m]] + width
  # widths below a double's precision are lost in the sum
  if (upper > bin[[m]] && upper < bin[[m + 1]]) upper else bin[[m + 1]]
}

# -- chances, from public numbers --------------------------------------------------------------------

# P(Z >= k), at the rate of a count's noise.
noise_tail <- function(k, rate) {
  q <- exp(-rate[[1]] / rate[[2]])
  ifelse(k > 0, q^k, 1 + q - q^(1 - k)) / (1 + q)
}

# No data have a larger chance of two reported bins, up to a factor that does not matter here: two that
# share the rows.
most_interior_chance <- function(n, plan) noise_tail(plan$threshold - ceiling(n / 2), plan$location)^2

# The least n with which that is at least `chance`.
interior_rows_needed <- function(plan, chance) {
  search_count(function(n) most_interior_chance(n, plan) >= chance, 2, 2^53)
}

# Before the debit: refuses what cannot be expected to succeed.
check_interior_rows <- function(n, plan, rows = "rows", assumed = FALSE) {
  if (most_interior_chance(n, plan) >= 0.01) return(invisible(NULL))
  minimum <- format(interior_rows_needed(plan, 0.5), scientific = FALSE, big.mark = ",")
  must <- "data with at least %s %s, and mostly twice as many, with this epsilon and delta"
  stop_input("x", sprintf(must, minimum, rows),
             sprintf("data with %s%s", format(n), if (assumed) " (assumed, since n is private)" else ""),
             "See plan_interior_point().")
}

# The middle slice of ranks whose interior points are medians up to alpha.
#
# METHOD: for independent rows of any distribution, with probability 0.95 or more all ranks lo, ..., n + 1 -
#   lo lie between its quantiles 1/2 - alpha and 1/2 + alpha: at most as many rows as Binomial(n, 1/2 - alpha)
#   says lie below the former, and no more than lo - 1 do so but with probability 0.025.

check_alpha <- function(alpha) check_number(alpha, "alpha", 0, 0.5)

# c(lo, n + 1 - lo), public; all ranks without an alpha.
slice_ranks <- function(n, alpha = NULL) {
  if (is.null(alpha)) return(c(1, n))
  low <- stats::qbinom(0.975, n, 0.5 - alpha) + 1
  c(low, n + 1 - low)
}

# -- the mechanism ------------------------------------------------------------------------------------

# An interior point of all rows, or of a slice of them.
interior_mechanism <- function(plan, neighbours = neighbour_kinds) {
  new_mechanism(plan, draw_interior_point, neighbours = neighbours, limits = FALSE, read = function(given) {
    given[[given$arg]] <- in_rows(given[[given$arg]], given)
    read_bare(given, max_d = 1L)
  })
}

# Rows for a mechanism that counts no weights; where n is private no message has their number.
in_rows <- function(x, given) {
  plain_rows(if (given$private) with_private_size(x) else x, given$arg)
}

# `ranks`: public, of the slice; NULL for all rows, of which the number is private.
interior_details <- function(facts, given, ranks, what, details = list()) {
  delta <- check_delta(given$delta)
  plan <- interior_plan(given$epsilon, delta, private = given$private)
  size <- if (is.null(ranks)) facts$n else ranks[[2]] - ranks[[1]] + 1L
  check_interior_rows(size, plan, if (size < facts$n) sprintf("of %d rows in the middle slice", facts$n)
                                  else "rows", assumed = facts$private)
  c(plan, list(
    label = what, what = what, delta = delta, ranks = ranks,
    mechanism = "interior point: scale of random pairs, then a stable histogram",
    details = c(list(advice = interior_advice), details, plan[c("shares", "threshold")])
  ))
}

# PRIVATE: rows.
draw_interior_point <- function(rows, plan, source) {
  x <- as.vector(rows)
  drawn <- draw_interior(if (is.null(plan$ranks)) x else middle_rows(x, plan$ranks), plan, source)
  released <- !is.na(drawn$point)
  list(estimate = drawn$point, released = released, details = if (released) list(width = drawn$width))
}

# The rows of these ranks. A replaced row changes one of them at most: ties do not matter, since only
# values are taken.
middle_rows <- function(x, ranks) {
  if (ranks[[1]] == 1 && ranks[[2]] == length(x)) return(x)
  sort(x)[ranks[[1]]:ranks[[2]]]
}

interior_advice <- paste(
  "Fewer than two bins were reported. More rows, or a larger epsilon or delta, help, see",
  "plan_interior_point(). Trying again spends the budget again."
)

# -- the median: an interior point of the middle slice ----------------------------------------------------

default_alpha <- 0.25

# `alpha`: how far the release's rank may be from the median's.
median_interior_mechanism <- function() interior_mechanism(plan_slice, neighbours = "substitution")

plan_slice <- function(facts, given) {
  check_size(matrix(0, 1, facts$d), max_d = 1L)
  alpha <- check_alpha(if (is.null(given$alpha)) default_alpha else given$alpha)
  ranks <- slice_ranks(facts$n, alpha)
  if (ranks[[2]] <= ranks[[1]]) {
    stop_input("alpha", sprintf("so large that %d rows have a middle slice", facts$n), format(alpha),
               "Take a larger `alpha`, more rows, or another method.")
  }
  interior_details(facts, given, ranks, "median", list(alpha = alpha, ranks = ranks))
}
