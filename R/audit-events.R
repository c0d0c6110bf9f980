# Events for an audit: the one that distinguishes two sets of draws, and what its counts prove.
#
# METHOD: candidates are half-lines of each statistic, its frequent values, unions of cells between quantiles
#   that are likelier on one side than the claim allows, and no release. The best by its bound on the first
#   half of the draws is counted on the second.

# The epsilons of a hockey-stick curve about a claim.
curve_grid <- function(epsilon) data.frame(epsilon = seq(0, 3 * epsilon, length.out = 31))

compare_draws <- function(run, data, neighbour, statistic, draws, epsilon, delta, level) {
  sides <- lapply(list(data, neighbour), function(x) audit_draws(run, x, statistic, draws))
  if (all(is.na(unlist(sides)))) run_once(run, data) # whose error says why
  if (ncol(sides[[1]]) != ncol(sides[[2]])) sides <- same_width(sides)
  found <- test_claim(sides, epsilon, delta, level)
  curve <- curve_grid(epsilon)
  curve[c("delta", "delta_low")] <- t(vapply(curve$epsilon, curve_point, numeric(2),
                                             table = event_table(halves(sides)$first),
                                             second = halves(sides)$second, level = level))
  c(found, list(draws = draws, curve = curve))
}

# An error of the function that is audited, with a class.
run_once <- function(run, x) {
  tryCatch(run(x), error = function(e) {
    if (inherits(e, "dpdepth_error")) stop(e)
    stop_input("mechanism", "a function that can be called with these data", "one that fails",
               paste("It says:", conditionMessage(e)))
  })
}

# A side on which all draws failed has no width of its own.
same_width <- function(sides) {
  failed <- vapply(sides, function(v) all(is.na(v)), NA)
  if (sum(failed) != 1) refuse_lengths()
  sides[[which(failed)]] <- matrix(NA_real_, nrow(sides[[1]]), ncol(sides[[which(!failed)]]))
  sides
}

# The first half of the draws chooses an event, the second counts it.
test_claim <- function(sides, epsilon, delta, level) {
  half <- halves(sides)
  event <- choose_event(event_table(half$first), epsilon, function(k, n) event_bound(k, n, delta, level))
  counts <- event_counts(event, half$second)
  of <- nrow(half$second[[1]])
  lower <- event_bound(counts, of, delta, level)
  list(lower = lower, rejected = lower > epsilon, event = event$label, counts = c(counts, of))
}

halves <- function(sides) {
  first <- seq_len(nrow(sides[[1]]) %/% 2L)
  list(first = lapply(sides, function(v) v[first, , drop = FALSE]),
       second = lapply(sides, function(v) v[-first, , drop = FALSE]))
}

# The divergence at an epsilon, estimated and as its lower limit.
curve_point <- function(epsilon, table, second, level) {
  of <- nrow(second[[1]])
  # exp() may be infinite
  times <- function(k) ifelse(k == 0, 0, exp(epsilon) * k)
  best <- choose_event(table, epsilon, function(k, n) (k[, 1] - times(k[, 2])) / n)
  k <- event_counts(best, second)
  limits <- event_limits(k, of, level)
  pmax(0, c((k[[1]] - times(k[[2]])) / of, limits[[1]] - times(limits[[2]])))
}

refuse_lengths <- function() {
  stop_input("mechanism", "a function whose draws are numeric vectors of one length", "one with other draws",
             "Let `statistic` make one number of a draw.")
}

# One row per draw, one column per statistic. A failed draw is a row of NA: a failure is an outcome.
audit_draws <- function(run, x, statistic, draws) {
  one <- function() {
    drawn <- tryCatch(suppressWarnings(run(x)), error = function(e) NULL)
    if (inherits(drawn, c("dp_release", "dp_by"))) drawn <- stats::coef(drawn)
    if (!is.null(drawn) && !is.null(statistic)) drawn <- statistic(drawn)
    # nothing at all, as of a histogram without bins
    if (length(drawn) == 0) return(NULL)
    if (!is.numeric(drawn) && !is.logical(drawn)) refuse_lengths()
    as.double(drawn)
  }
  out <- lapply(seq_len(draws), function(i) one())
  width <- max(1L, lengths(out))
  if (!all(lengths(out) %in% c(0L, width))) refuse_lengths()
  values <- lapply(out, function(v) if (is.null(v)) rep(NA_real_, width) else v)
  matrix(unlist(values), ncol = width, byrow = TRUE)
}

# Clopper-Pearson limits: of the first probability from below and of the second from above, for pairs of
# counts of n draws each.
event_limits <- function(k, n, level) {
  alpha <- (1 - level) / 2
  k <- matrix(k, ncol = 2)
  low <- ifelse(k[, 1] == 0, 0, stats::qbeta(alpha, k[, 1], n - k[, 1] + 1))
  high <- ifelse(k[, 2] == n, 1, stats::qbeta(alpha, k[, 2] + 1, n - k[, 2], lower.tail = FALSE))
  matrix(c(low, high), ncol = 2)
}

# The bound of epsilon that counts prove; -Inf where they prove none.
event_bound <- function(k, n, delta, level) {
  limits <- event_limits(k, n, level)
  ifelse(limits[, 1] > delta, log(pmax(limits[, 1] - delta, 0) / limits[, 2]), -Inf)
}

# The parts of candidates, counted once: of each statistic thresholds with how many draws of each side are at
# most that, below it and in all, and cells with how many are in them. `sides`: two matrices of draws.
event_table <- function(sides) {
  list(n = nrow(sides[[1]]), missed = vapply(sides, function(v) sum(rowSums(is.na(v)) > 0), 0),
       along = lapply(seq_len(ncol(sides[[1]])), function(j) table_along(lapply(sides, function(v) v[, j]))))
}

table_along <- function(values) {
  sorted <- lapply(values, sort) # without missing values
  pooled <- sort(unlist(sorted))
  if (length(pooled) == 0) return(NULL)
  cuts <- unique(pooled[unique(round(seq(1, length(pooled), length.out = 300)))])
  count <- function(...) {
    matrix(vapply(sorted, function(v) findInterval(cuts, v, ...) + 0, 0 * cuts), ncol = 2)
  }
  ends <- c(-Inf, cuts[unique(round(seq(1, length(cuts), length.out = 24)))], Inf)
  list(cuts = cuts, up_to = count(), below = count(left.open = TRUE),
       sizes = matrix(rep(lengths(sorted), each = length(cuts)), ncol = 2), ends = ends,
       cells = vapply(sorted, function(v) tabulate(findInterval(v, ends), length(ends) - 1) + 0,
                      numeric(length(ends) - 1)))
}

# The event of largest worth(counts, n), counts being a matrix of two columns.
choose_event <- function(table, epsilon, worth) {
  failed <- function(at) list(label = "no release", holds = function(v) rowSums(is.na(v)) > 0)
  # nothing is worth anything where delta is nearly one
  best <- c(failed(1), list(worth = -Inf, swap = FALSE))
  look <- function(event, counts) {
    for (swap in c(FALSE, TRUE)) {
      value <- worth(if (swap) counts[, 2:1, drop = FALSE] else counts, table$n)
      at <- which.max(value)
      if (length(at) == 1 && value[[at]] > best$worth) {
        best <<- c(event(at), list(worth = value[[at]], swap = swap))
      }
    }
  }
  look(failed, matrix(table$missed, 1))
  for (j in seq_along(table$along)) {
    if (!is.null(table$along[[j]])) look_along(table$along[[j]], j, epsilon, look)
  }
  best
}

# Half-lines, values and cells of the statistic j.
look_along <- function(given, j, epsilon, look) {
  event <- function(sign, compare) {
    force(compare)
    function(at) {
      t <- given$cuts[[at]]
      list(label = sprintf("statistic %d %s %s", j, sign, format(t, digits = 7)),
           holds = function(v) !is.na(v[, j]) & compare(v[, j], t))
    }
  }
  look(event("<=", `<=`), given$up_to)
  look(event(">=", `>=`), given$sizes - given$below)
  look(event("=", `==`), given$up_to - given$below)
  for (way in list(1:2, 2:1)) {
    kept <- which(given$cells[, way[[1]]] > exp(epsilon) * given$cells[, way[[2]]])
    look_cells(kept, given$ends, given$cells, j, look)
  }
}

look_cells <- function(kept, ends, cells, j, look) {
  if (length(kept) == 0) return(invisible(NULL))
  look(function(at) {
    list(label = sprintf("statistic %d in one of %d cells", j, length(kept)),
         holds = function(v) !is.na(v[, j]) & findInterval(v[, j], ends) %in% kept)
  }, matrix(colSums(cells[kept, , drop = FALSE]), 1))
}

# How often the event came on each side, the likelier side first.
event_counts <- function(event, sides) {
  counts <- vapply(sides, function(v) sum(event$holds(v)), 0)
  if (event$swap) rev(counts) else counts
}
