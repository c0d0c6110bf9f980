# The privacy audit's machinery: releases with recorded noise, a ruler for laws, a search for bad neighbours.
#
# METHOD: a release is run with samplers that record what they are asked for and draw nothing, so that the
#   law of what it would have drawn is known exactly. Laws of neighbours are compared by a ruler that shares
#   no code with the package. Bad neighbours are sought by hill climbing: rows change, the pair stays one of
#   neighbours, and what brings the laws further apart is kept.

# A check is a list:
#   start()     a pair of neighbours, list(a, b): matrices that differ in one row
#   row(m)      a new row for the data set m
#   law(m)      the law of the release for m
#   loss(p, q)  list(ratio, hint): above 1 the guarantee is broken; the hint guides the search where it is 0

# What the tests have in common.
testthat::source_test_helpers(file.path("..", "testthat"), env = environment())

# -- the ruler -----------------------------------------------------------------------------------

laplace_hint <- function(p, q) {
  sum(abs(p$centre - q$centre)) / min(p$scale, q$scale) + abs(log(p$scale / q$scale))
}

# -- the search ----------------------------------------------------------------------------------

# What is maximised: the ratio's logarithm where there is one, otherwise the hint, which counts for less.
audit_score <- function(loss) {
  if (loss$ratio > 1e-12) 30 + log(loss$ratio) else 1 - 1 / (1 + max(0, loss$hint))
}

pair_loss <- function(check, pair) check$loss(check$law(pair[[1]]), check$law(pair[[2]]))

# Some random change of a pair that leaves it one of neighbours.
change_pair <- function(check, pair) {
  n <- nrow(pair[[1]])
  i <- sample.int(n, 1)
  private <- which(rowSums(pair[[1]] != pair[[2]]) > 0)
  value <- change_row(check, pair[[1 + (stats::runif(1) < 0.5)]], i)
  kind <- sample.int(6, 1)
  if (kind == 1 || length(private) == 0) { # another row differs
    pair[[2]] <- pair[[1]]
    pair[[2]][i, ] <- value
  } else if (kind == 2) { # the row that differs, in one of both
    side <- sample.int(2, 1)
    pair[[side]][private, ] <- change_row(check, pair[[side]], private)
  } else { # common rows: one, or some into one place
    rows <- if (kind == 3) sample.int(n, sample.int(max(1, n %/% 3), 1)) else i
    for (r in setdiff(rows, private)) for (side in 1:2) pair[[side]][r, ] <- value
  }
  pair
}

change_row <- function(check, m, i) {
  own <- m[i, ]
  other <- m[sample.int(nrow(m), 1), ]
  small <- 2^-stats::runif(1, 0, 30) * sample(c(-1, 0, 1), ncol(m), TRUE)
  switch(sample.int(6, 1), check$row(m), other, own + small * check$unit, other + small * check$unit,
         ifelse(stats::runif(ncol(m)) < 0.5, own, other), (own + other) / 2)
}

# The best of a climb: list(ratio, hint, pair). It ends early where the guarantee is broken.
audit_climb <- function(check, pair, steps) {
  best <- c(pair_loss(check, pair), list(pair = pair))
  for (i in seq_len(steps)) {
    if (best$ratio > 1) break
    tried <- change_pair(check, best$pair)
    if (!is.null(check$keep)) tried <- lapply(tried, check$keep)
    loss <- pair_loss(check, tried)
    if (audit_score(loss) >= audit_score(best)) best <- c(loss, list(pair = tried))
  }
  best
}

# The largest ratio over random pairs, and over climbs from the worst of these. `early`: ends as soon as it is
# above 1.
audit_worst <- function(check, pairs, climbs, steps, early = FALSE) {
  worst <- 0
  top <- list()
  for (i in seq_len(pairs)) {
    pair <- check$start()
    loss <- pair_loss(check, pair)
    worst <- max(worst, loss$ratio)
    if (early && worst > 1) return(worst)
    top[[length(top) + 1]] <- list(score = audit_score(loss), pair = pair)
    if (length(top) > climbs) top <- top[order(-vapply(top, `[[`, 0, "score"))[seq_len(climbs)]]
  }
  for (start in top) {
    worst <- max(worst, audit_climb(check, start$pair, steps)$ratio)
    if (early && worst > 1) break
  }
  worst
}
