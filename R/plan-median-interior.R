# The planned error of dp_median(method = "interior"): public numbers.
#
# METHOD: the rows of the middle slice of a normal law, at equal distances in rank. Bins are as wide as the
#   power of two below the median distance of their pairs, and lie anywhere: chances and squares of the
#   distance from the centre to the nearest edge are averaged over 4 widths and 8 places.

# A row of plan_median(), or NULL where there is no slice of rows.
interior_error <- function(n, epsilon, delta, spread) {
  seen <- interior_average(n, interior_plan(epsilon, delta))
  if (is.null(seen)) return(NULL)
  data.frame(method = "interior", guarantee = "approximate", n = n, d = 1, epsilon = epsilon, delta = delta,
             error = (if (is.null(spread)) 1 else spread) * seen$error,
             failure = 1 - seen$chance, beyond = seen$chance < 0.5, chosen = FALSE)
}

interior_average <- function(n, plan, alpha = default_alpha) {
  ranks <- slice_ranks(n, alpha)
  if (ranks[[2]] <= ranks[[1]]) return(NULL)
  ends <- (ranks - c(1, 0)) / n
  rows <- stats::qnorm(ends[[1]] + (seq_len(200) - 0.5) / 200 * diff(ends))
  distance <- stats::median(abs(outer(rows, rows, "-")))
  cases <- expand.grid(phase = (0:3 + 0.5) / 4, offset = (0:7 + 0.5) / 8)
  width <- distance * 2^-cases$phase
  chance <- vapply(seq_along(width), function(i) {
    edges <- width[[i]] * (seq(-20, 20) + cases$offset[[i]])
    share <- diff(pmin(pmax((stats::pnorm(edges) - ends[[1]]) / diff(ends), 0), 1))
    two_bins(noise_tail(plan$threshold - round(share * diff(ranks)), plan$location))
  }, 0)
  off <- width * pmin(cases$offset, 1 - cases$offset)
  list(chance = mean(chance), error = sqrt(mean(off^2)))
}

# The probability that two bins or more are reported, which are so with these probabilities.
two_bins <- function(p) {
  none <- prod(1 - p)
  one <- sum(vapply(seq_along(p), function(i) p[[i]] * prod(1 - p[-i]), 0))
  max(0, 1 - none - one)
}
