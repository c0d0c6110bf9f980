# The privacy audit of quantiles: what is handed to the kernel, what levels cost, and the kernel's law.

# What dp_quantile() gives draw_quantiles(), for data and for a neighbour with a row far out.
quantiles_handed <- function(x, ...) {
  handed <- NULL
  keep <- function(x, probs, prior, each, levels, source, draws = 1L, resolution = NULL, ...) {
    handed <<- list(x = x, rest = list(probs, prior, each, levels, resolution))
    matrix(0, draws, length(probs))
  }
  quiet <- function(code) suppressWarnings(code, classes = "dpdepth_warning")
  with_bindings(list(draw_quantiles = keep), quiet(dp_quantile(x, ..., epsilon = 1)))
  handed
}

# Rows as they are, all else by public numbers alone, and levels that cost no more than epsilon.
quantiles_are_handed_wrong <- function() {
  x <- c(0.3, 4, 4, 7.25, 9, 11, 2, 2, 5, 6)
  far <- replace(x, 4, 1e4)
  asked <- list(list(probs = 0.5, lower = 0, upper = 10), list(probs = 1:29 / 30, lower = 0, upper = 10),
                list(probs = 1:3 / 4, prior = prior_dyadic(0.5)),
                list(probs = 0.2, lower = 0, upper = 10, resolution = 1))
  wrong <- vapply(asked, function(a) {
    one <- do.call(quantiles_handed, c(list(x), a))
    other <- do.call(quantiles_handed, c(list(far), a))
    !identical(as.vector(one$x), x) || !identical(as.vector(other$x), far) ||
      !identical(one$rest, other$rest)
  }, NA)
  any(wrong) || any(vapply(c(2L, 19L, 29L, 99L), quantile_levels_cost_more, NA))
}

# A substitution touches one block a level, or two by half: the cost is that of the dearest node of each
# level, if blocks of a level share no row.
quantile_levels_cost_more <- function(m, delta = 0.3) {
  levels <- quantile_levels(m)
  nodes <- quantile_tree(m, levels)
  level <- vapply(nodes, `[[`, 0L, "level")
  ends <- t(vapply(nodes, function(node) c(node$left, node$right), c(0L, 0L)))
  overlap <- tapply(seq_along(level), level, function(rows) {
    any(ends[rows[-1], 1] < ends[utils::head(rows, -1), 2])
  })
  cost <- function(delta, share) {
    budget <- quantile_budget(1, delta, share)
    each <- budget$each
    if (length(share) == length(levels$split)) each <- tapply(tree_fields(nodes, each)[[5]], level, max)
    if (budget$delta == 0) sum(each) > 1 else budget$delta > delta || sum(each^2) / 8 > zcdp_rho(1, delta)
  }
  any(overlap) || cost(0, levels$share) || cost(delta, levels$share) || cost(delta, rep(1, 6)) ||
    cost(0, c(0.3, 0.7))
}

# The law of one, and of two, between the rows of [0, 1].
quantiles_are_drawn_wrong <- function(draws = 10000L) {
  x <- c(0.1, 0.35, 0.4, 0.8)
  each <- list(0.5, 1:2 / 3)
  any(vapply(each, function(p) {
    z <- draw_quantiles(matrix(x), p, prior_uniform(0, 1), 2, list(split = length(p), share = 1), "system",
                        draws)
    at <- as.matrix(expand.grid(rep(list(0:4), length(p))))
    at <- at[apply(at, 1, function(v) !is.unsorted(v)), , drop = FALSE]
    w <- diff(c(0, x, 1))
    if (length(p) == 1) {
      score <- -abs(at[, 1] - 2)
      weight <- exp(score) * w[at + 1]
    } else {
      off <- abs(at[, 1] - 1) + abs(at[, 2] - at[, 1] - 2) + abs(4 - at[, 2] - 1)
      weight <- exp(-off / 2) * w[at[, 1] + 1] * w[at[, 2] + 1] / ifelse(at[, 1] == at[, 2], 2, 1)
    }
    seen <- matrix(findInterval(z, x), nrow(z))
    name <- function(m) do.call(paste, as.data.frame(m))
    counts <- tabulate(match(name(seen), name(at)), nrow(at))
    law_pvalue(counts, weight / sum(weight)) < ALPHA
  }, NA))
}
