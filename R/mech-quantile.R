# Quantiles by the exponential mechanism: ranks, the tree in which they are drawn, the budget of its levels.

# Numbers above 0 and below 1, all of them public.
check_probs <- function(probs, most = 1000L, arg = "probs") {
  must <- sprintf("1 to %d numbers above 0 and below 1", most)
  if (!is.numeric(probs) || is.object(probs) || length(dim(probs)) > 1 || !length(probs) %in% seq_len(most)) {
    stop_input(arg, must, describe(probs))
  }
  if (anyNA(probs)) stop_input(arg, must, "missing")
  if (any(probs <= 0 | probs >= 1)) {
    ends <- "The least and the largest value are those of single rows: take 0.01 and 0.99, say."
    mend <- if (all(probs >= 0 & probs <= 1)) ends
            else if (all(probs > 0 & probs < 100)) "Divide percentages by 100."
    stop_input(arg, must, describe_numbers(probs, probs <= 0 | probs >= 1), mend)
  }
  as.double(probs)
}

# As stats::quantile() has them.
quantile_names <- function(probs) {
  paste0(formatC(100 * probs, format = "fg", width = 1, digits = 7), "%")
}

# Orders of rows that p asks for: at least `below` rows at or below the p-quantile and `above` at or above it.
# A whole n p is one also where 0.1 * 30 is not 3.
quantile_ranks <- function(n, probs) {
  rank <- n * probs
  whole <- round(rank)
  near <- abs(rank - whole) <= 4 * .Machine$double.eps * n
  list(below = ifelse(near, whole, ceiling(rank)), above = n - ifelse(near, whole, floor(rank)))
}

# Ranks where n is private: how many of n public points lie below each of `probs`. One row more is one point
# more, so that one gap between ranks grows by one and the others stay. The points are van der Corput's
# sequence and its mirror image in turn: ranks are near n * probs. All numbers are multiples of 2^-32, exact.
moving_ranks <- function(n, probs) {
  probs <- round(probs * 2^32) / 2^32
  mirrored <- n %/% 2
  corput_below(n - mirrored, probs) + mirrored - corput_below(mirrored, 1 - probs)
}

# How many of the first n <= 2^31 points of van der Corput's sequence lie below each of `probs`. The 2^k
# points from place s on, a multiple of 2^k, are v(s) + j/2^k, j = 0, ..., 2^k - 1.
corput_below <- function(n, probs) {
  count <- numeric(length(probs))
  start <- 0
  for (k in 31:0) {
    if (n %/% 2^k %% 2 == 0) next
    count <- count + pmin(pmax(ceiling((probs - start) * 2^k), 0), 2^k)
    start <- start + 2^-(k + 1)
  }
  count
}

# What the cut of scores takes for n where n is private: then it does not move.
private_cut_size <- 8388608L

# The public rule: how many quantiles of a block each level draws at once, and each level's share of epsilon.
# By simulation (bench/quantiles.R): the least mean rank error. With a small epsilon the score of many would
# be cut where it is still worth something: fewer are drawn at once.
quantile_levels <- function(m, epsilon = 1) {
  if (m <= 4 || m <= 19 && cut_serves(m, epsilon)) return(list(split = as.integer(m), share = 1))
  for (most in 10:4) {
    depth <- ceiling(log(m + 1) / log(most + 1) - 1e-9)
    split <- ceiling((m + 1)^(1 / depth) - 1e-9) - 1
    if (cut_serves(split, epsilon / depth)) break
  }
  list(split = rep(as.integer(split), depth), share = rep(1 / depth, depth))
}

# Has the kernel room for the cut that it wants for k quantiles at once (dpd_quantile_rate_of())?
cut_serves <- function(k, epsilon) min(2^20, 2^24 / k^2) * epsilon / 4 >= 45 * k + 40

# The nodes of the tree over quantiles 1..m: each draws `order` between `left` and `right`, drawn before
# (0 and m + 1: none), as evenly spread as can be.
quantile_tree <- function(m, levels) {
  nodes <- list()
  blocks <- list(c(0L, m + 1L))
  for (level in seq_along(levels$split)) {
    following <- list()
    for (block in blocks) {
      inside <- block[[2]] - block[[1]] - 1L
      k <- min(inside, levels$split[[level]])
      if (k == 0) next
      order <- block[[1]] + as.integer(round(seq_len(k) * (inside + 1) / (k + 1)))
      nodes[[length(nodes) + 1L]] <- list(left = block[[1]], right = block[[2]], order = order, level = level)
      ends <- c(block[[1]], order, block[[2]])
      following <- c(following, lapply(seq_len(k + 1L), function(j) ends[j + 0:1]))
    }
    blocks <- following
  }
  nodes
}

# epsilon of each level, and the delta that is spent. A replaced row moves the score of one block by at most 1
# or those of two by at most 1/2: a level of rate lambda costs 2 lambda, and lambda^2/2 of zero-concentrated
# privacy. The larger of the two is taken; where the first is, no delta is spent.
quantile_budget <- function(epsilon, delta, share) {
  down <- if (length(share) > 1) 1 - 2^-40 else 1
  basic <- epsilon * share / sum(share) * down
  rho <- if (delta > 0 && length(share) > 1) zcdp_rho(epsilon, delta) else 0
  composed <- sqrt(8 * rho) * share / sqrt(sum(share^2)) * down
  if (sum(composed) <= sum(basic)) return(list(each = basic, delta = 0, rho = NULL))
  list(each = composed, delta = delta, rho = rho)
}

check_level_epsilon <- function(each, epsilon) {
  if (all(each >= 1e-6 & each <= 1e6)) return(each)
  stop_input("epsilon", sprintf("from 1e-6 to 1e6 for each of %d levels of quantiles", length(each)),
             format(epsilon), "Each level gets a part of it.")
}

# What the kernel takes: places counted from 0.
tree_fields <- function(nodes, each) {
  whole <- function(field) vapply(nodes, function(node) as.integer(node[[field]]) - 1L, 0L)
  list(lengths(lapply(nodes, `[[`, "order")), whole("left"), whole("right"),
       unlist(lapply(nodes, `[[`, "order")) - 1L, each[whole("level") + 1L])
}

# Exact draws, one per row, of the quantiles `probs`, in increasing order, of the one column of x. PRIVATE: x.
draw_quantiles <- function(x, probs, prior, each, levels, source, draws = 1L, resolution = NULL,
                           private = FALSE) {
  n <- nrow(x)
  if (length(probs) == 1) {
    ranks <- quantile_ranks(n, probs)
    return(draw_axes(x, prior, each, source, draws, resolution, c(ranks$below, ranks$above, TRUE)))
  }
  fixed <- !private
  ranks <- if (fixed) as.double(round(n * probs)) else moving_ranks(n, probs)
  tree <- c(tree_fields(quantile_tree(length(probs), levels), each), if (fixed) n else private_cut_size)
  .Call(ffi_quantiles, source, x, prior_fields(prior, resolution), ranks, tree, draws)
}

# All that is public of the draws.
quantile_plan <- function(probs, epsilon, delta, limits, levels = quantile_levels(m, epsilon)) {
  sorted <- sort(unique(probs))
  m <- length(sorted)
  budget <- quantile_budget(epsilon, delta, levels$share)
  check_level_epsilon(budget$each, epsilon)
  depth <- length(levels$split)
  mechanism <- if (m == 1) "exponential mechanism over the depth of a quantile"
               else "exponential mechanism over the gaps' ranks"
  if (depth > 1) mechanism <- sprintf("%s, in %d levels", mechanism, depth)
  c(limits, list(
    sorted = sorted, levels = levels, budget = budget, mechanism = mechanism,
    guarantee = if (budget$delta > 0) "approximate" else "pure",
    label = if (m == 1) "quantile" else sprintf("%d quantiles", m), rho = bounded_range_rho(budget$each),
    details = c(
      list(what = if (length(probs) == 1) "quantile" else "quantiles", prior = limits$prior, probs = probs),
      if (depth > 1) list(epsilon_each = stats::setNames(budget$each, paste("level", seq_len(depth)))),
      if (!is.null(budget$rho)) list(rho = budget$rho), limits$step
    )
  ))
}

# -- draws from nested boxes ---------------------------------------------------------------------------

# Exact draws, one per row, for a matrix x of doubles and a prior of as many variables: pure epsilon-DP each.
# By depth along the axes, or by `ranks`: whole numbers of rows at or below and at or above a quantile of one
# variable, and whether rows beyond the prior's support count as rows at its ends. scored: in a last column,
# not for release, the score that all points of a draw's box have at least.
draw_axes <- function(x, prior, epsilon, source, draws = 1L, resolution = NULL, ranks = NULL,
                      scored = FALSE) {
  UseMethod("draw_axes")
}

#' @export
draw_axes.default <- function(x, prior, epsilon, source, draws = 1L, resolution = NULL, ranks = NULL,
                              scored = FALSE) {
  if (!is.null(ranks)) ranks <- as.integer(ranks)
  .Call(ffi_median_axes, source, x, prior_fields(prior, resolution), epsilon, ranks, draws, scored)
}

# The same of the median of one variable by its depth: rows beyond the support are beyond all points.
draw_middle <- function(x, prior, epsilon, source, draws = 1L, resolution = NULL) {
  side <- ceiling(nrow(x) / 2)
  draw_axes(x, prior, epsilon, source, draws, resolution, ranks = c(side, side, FALSE))
}

# One exact draw from nested boxes of whole numbers, one level per row, the first one public: the distribution
# has weight exp(epsilon k/2) where k levels, counted after the first, hold the point.
draw_boxes <- function(low, high, epsilon, source, draws = 1L) {
  .Call(ffi_draw_boxes, source, as.matrix(low), as.matrix(high), epsilon, draws)
}
