# What a replaced row does to an interior point's two steps.

# The law of the scale that is drawn of `x`, by all orders of rows, and of each order all scores: a list
# of a matrix of scores (a row an order) as the package makes them, from draw_interior() itself.
scores_by_order <- function(x) {
  seen <- list()
  keep <- function(x, rate, source) {
    seen[[length(seen) + 1]] <<- list(order = x, score = pair_scores(x), rate = rate)
    1
  }
  orders <- permutations(length(x))
  for (i in seq_len(nrow(orders))) {
    with_bindings(list(draw_pair_scale = keep, random_order = function(n, source) orders[i, ]),
                  draw_interior(x, interior_plan(1, 0.01), "R"))
  }
  seen
}

permutations <- function(n) {
  all <- as.matrix(expand.grid(rep(list(seq_len(n)), n)))
  unname(all[apply(all, 1, anyDuplicated) == 0, , drop = FALSE])
}

# The probability that each candidate wins, exactly: geometric noise at a rate, ties to the first.
winner_law <- function(score, rate) {
  q <- exp(-rate)
  top <- max(score) + ceiling(30 / rate)
  v <- 0:top
  # P(score + noise <= v), each
  below <- vapply(score, function(s) ifelse(v >= s, 1 - q^(v - s + 1), 0), 0 * v)
  atom <- rbind(below[1, ], diff(below))
  before <- rbind(0, below[-nrow(below), , drop = FALSE])
  vapply(seq_along(score), function(i) {
    first <- seq_along(score) < i
    others <- apply(cbind(before[, first], below[, !first & seq_along(score) != i, drop = FALSE]), 1, prod)
    sum(atom[, i] * others)
  }, 0)
}

# Neighbours differ in the last row: with the rows in the same order, how far the worst score moves, and
# the log ratio of the laws of the scale over all orders, for some binades.
scale_moves <- function(p, at) {
  seen <- lapply(p, scores_by_order)
  moves <- Map(function(a, b) max(abs(a$score - b$score)), seen[[1]], seen[[2]])
  laws <- lapply(seen, function(orders) {
    # many orders have the same pairs, and the same scores
    key <- vapply(orders, function(s) paste(c(s$score[at], s$rate), collapse = " "), "")
    first <- which(!duplicated(key))
    each <- vapply(orders[first], function(s) winner_law(s$score[at], s$rate[[1]] / s$rate[[2]]), 0 * at)
    drop(each %*% tabulate(match(key, key[first]))) / length(orders)
  })
  c(move = max(unlist(moves)), loss = max(abs(log(laws[[1]] / laws[[2]]))))
}

interiors_are_wrong <- function() {
  neighbours <- list(list(c(0, 1, 3, 100), c(0, 1, 3, 7)), list(c(0, 100, 200, 1000), c(0, 100, 200, 201)),
                     list(c(100, 101, 102, 0), c(100, 101, 102, 101)))
  # binades of 1 to 128
  at <- 1074 + 1:9
  epsilon <- interior_shares[["scale"]] # of epsilon = 1
  plan <- interior_plan(1, 0.01)
  loss <- function(rate) 2 * rate[[1]] / rate[[2]]
  shows <- exp(-(plan$threshold - 1) * loss(plan$location) / 2) / (1 + exp(-loss(plan$location) / 2))
  own <- with_bindings(list(draw_geometric_exp = function(n, num, den, rng) {
    if (n != length(binades) + 1) stop("noise is shared")
    numeric(n)
  }), tryCatch(draw_pair_scale(c(1, 2, 4, 9), plan$scale, "R") > 0, error = function(e) FALSE))
  if (loss(plan$scale) + loss(plan$location) > 1 || shows > 0.01 || !own) return(TRUE)
  for (pair in neighbours) {
    far <- scale_moves(pair, at)
    if (far[["move"]] > 1 || far[["loss"]] > epsilon * (1 + 1e-6)) return(TRUE)
  }
  FALSE
}

# -- where n is private ----------------------------------------------------------------------------------

# The law of the pairs' distances of a random order, as a list of their sorted scores and its probabilities.
pair_laws <- function(x) {
  orders <- permutations(length(x))
  pairs <- length(x) %/% 2
  score <- apply(orders, 1, function(o) {
    y <- x[o]
    paste(pair_scores(y)[1074 + 1:9], collapse = " ")
  })
  table(score) / length(score)
}

# The loss of the scale's draw where a row is added: over all orders of both data sets.
private_scale_loss <- function(x, new) {
  rate <- interior_plan(1, 0.01, neighbours = "add_remove")$scale
  law <- function(x) {
    each <- pair_laws(x)
    laws <- vapply(strsplit(names(each), " "), function(s) {
      winner_law(as.numeric(s), rate[[1]] / rate[[2]])
    }, numeric(9))
    drop(laws %*% as.vector(each))
  }
  max(abs(log(law(x) / law(c(x, new)))))
}
