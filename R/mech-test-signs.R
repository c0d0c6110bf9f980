# Counts of signs and their distributions without and with noise, and p-values of all tests.

# The distribution of a sum of two independent smaller_count()s. What is left out is below 1e-15.
sum_law <- function(sizes) {
  sizes <- sort(sizes)
  small <- smaller_count(sizes[[1]])
  large <- smaller_count(sizes[[2]])
  at <- which(large > 1e-25)
  out <- numeric(sum(sizes) + 1)
  for (k in which(small > 1e-25)) out[at + k - 1] <- out[at + k - 1] + small[[k]] * large[at]
  out
}

# The distribution of min(B, n - B), B ~ Binomial(n, 1/2), on 0..n.
smaller_count <- function(n) {
  weight <- stats::dbinom(0:n, n, 0.5)
  out <- numeric(n + 1)
  half <- 0:(n %/% 2)
  out[half + 1] <- ifelse(2 * half == n, weight[half + 1], 2 * weight[half + 1])
  out
}

# The distribution of min over v of (n - |S_n - 2 S_v|) / 2 for a random walk S of n steps, on 0..n. Large n:
# at some 200 places, those between taken for the lower one, which makes p-values larger.
walk_law <- function(n) {
  most <- min(n, ceiling(12 * sqrt(n)))
  k <- floor((n - most) / 2):(n %/% 2)
  if (length(k) > 200) k <- unique(round(seq(k[[1]], n %/% 2, length.out = 200)))
  at_least <- vapply(n - 2 * k, walk_stays, 0, n = n)
  at_least[[1]] <- 1
  weight <- numeric(n + 1)
  weight[k + 1] <- pmax(0, at_least - c(at_least[-1], 0))
  weight
}

# P(|S_n - 2 S_v| <= m for all v): S stays in [(s - m) / 2, (s + m) / 2] where it ends at s. By reflection.
walk_stays <- function(m, n) {
  s <- seq(-m, m, 2)
  down <- -ceiling((s - m) / 2) + 1
  up <- floor((s + m) / 2) + 1
  ends_at <- function(v) stats::dbinom((n + v) / 2, n, 0.5)
  reach <- ceiling(8 * sqrt(n) / (m + 2)) + 1
  total <- 0
  for (j in -reach:reach) {
    reflected <- 2 * j * (down + up)
    total <- total + sum(ends_at(s + reflected) - ends_at(2 * up - s + reflected))
  }
  min(1, max(0, total))
}

test_tail <- function(alternative) switch(alternative, two.sided = "both", greater = "high", less = "low")

mood_law <- function(sizes) {
  n <- sum(sizes)
  stats::dhyper(0:n, sizes[[1]], sizes[[2]], n %/% 2)
}

quadrant_law <- function(n) mood_law(c(n %/% 2, n - n %/% 2))

# Of the distribution of a score, what pictures take: its distribution function at no more than `most` places,
# and mean and standard deviation with noise.
test_null <- function(law, rate, tail, most = 1000L) {
  one <- if (is.list(law)) law$laws[[1]] else list(score = seq_along(law) - 1, weight = law)
  keep <- which(one$weight > 1e-12 * max(one$weight))
  score <- one$score[keep]
  weight <- one$weight[keep] / sum(one$weight[keep])
  mean <- if (is.list(law)) law$ends / 2 else sum(weight * score)
  q <- exp(-rate)
  places <- unique(round(seq(1, length(keep), length.out = min(most, length(keep)))))
  list(score = score[places], up_to = cumsum(weight)[places], rate = rate, tail = tail,
       symmetric = if (is.list(law)) law[setdiff(names(law), "laws")],
       moments = c(mean = mean, sd = sqrt(sum(weight * (score - mean)^2) + 2 * q / (1 - q)^2)))
}

# P(S_0 + Z <= score), or >=, or twice the smaller; Z of discrete Laplace distribution; rounding is paid for.
# `law`: weights of 0, 1, ...; or a symmetric one, see R/mech-test-ranks.R.
test_p_value <- function(score, law, rate, tail = "low") {
  low <- high <- NULL
  if (is.list(law)) {
    if (tail != "high") low <- symmetric_tail(score, law, rate)
    if (tail != "low") high <- symmetric_tail(law$ends - score, law, rate)
  } else {
    value <- seq_along(law) - 1
    if (tail != "high") low <- noisy_tail(score - value, law, rate)
    if (tail != "low") high <- noisy_tail(value - score, law, rate)
  }
  p <- if (tail == "both") 2 * min(low, high) else c(low, high)
  min(1, p * (1 + 1e-9) + 1e-12)
}

# The lower tail, the largest of several distributions. `outer`: they are known to be so beyond the middle
# alone.
symmetric_tail <- function(score, law, rate) {
  if (isTRUE(law$outer) && 2 * score >= law$ends) return(1)
  lowered <- if (is.null(law$lowered)) 0 else law$lowered
  p <- max(mapply(function(l, low) noisy_tail(score + low - l$score, l$weight, rate), law$laws, lowered))
  # in the middle the least groups, which are left out, have the largest tails
  if (is.null(law$lowered)) p else if (p < 0.4) p * 1.001 else 1
}

# sum_k law_k P(Z <= z_k)
noisy_tail <- function(z, law, rate) {
  q <- exp(-rate)
  up <- z >= 0
  chance <- numeric(length(z))
  chance[up] <- 1 - exp(-rate * (z[up] + 1)) / (1 + q)
  chance[!up] <- exp(rate * z[!up]) / (1 + q)
  sum(law * chance)
}

# -- scores -------------------------------------------------------------------------------------------

# Which of the values are the h highest; ties at the h-th are broken as by independent uniform keys, one a
# row.
higher_half <- function(v, source, h = length(v) %/% 2) {
  if (h == 0) return(logical(length(v)))
  minimum <- length(v) - h + 1
  cut <- sort(v, partial = minimum)[[minimum]]
  top <- v > cut
  tied <- which(v == cut)
  repeat {
    keys <- draw_below(length(tied), 2^52, source)
    if (!anyDuplicated(keys)) break
  }
  top[tied[order(keys)[seq_len(h - sum(top))]]] <- TRUE
  top
}

# Of the higher half of both samples, the rows of the first.
mood_score <- function(x, y, source) sum(higher_half(c(x, y), source)[seq_along(x)])

# The rows in the higher half by both variables.
quadrant_score <- function(x, y, source) sum(higher_half(x, source) & higher_half(y, source))

# The largest regression depth of a horizontal line in (x, y), in O(n log n). Whole numbers in the order of y
# have the same, and are told apart by src/mech/slab_bound.c, of which the line is a box without sides.
trend_score <- function(x, y) {
  rows <- list(y = match(y, sort(unique(y))), v = rep_len(1, length(y)), u = numeric(length(y)), along = x,
               room = numeric(length(y)))
  rows <- lapply(rows, function(column) as.matrix(as.double(column)))
  as.double(.Call(ffi_slab_bounds, rows, matrix(0), matrix(0), 0))
}

# The same for two values of x, with all lines at once.
samples_score <- function(x, y) {
  values <- sort(unique(c(x, y)))
  low <- lapply(list(x, y), function(v) findInterval(values, sort(v)))
  high <- lapply(list(x, y), function(v) length(v) - findInterval(values, sort(v), left.open = TRUE))
  max(pmin(high[[1]] + low[[2]], low[[1]] + high[[2]], high[[1]] + high[[2]], low[[1]] + low[[2]]))
}

# -- the two columns of a formula -----------------------------------------------------------------------

trend_names <- function(formula) {
  parts <- as.list(formula)
  if (length(parts) != 3 || !is.name(parts[[2]]) || !is.name(parts[[3]])) {
    stop_input("x", "a formula of two columns, such as y ~ x, or a vector", "a formula of another form",
               "Make columns of transformed variables first.")
  }
  vapply(parts[2:3], as.character, "")
}

check_trend_data <- function(names, data) {
  columns <- columns_of(data)
  if (is.null(columns)) {
    stop_input("data", "a data frame or a tally with the formula's columns", describe_data(data))
  }
  check_frame(data, "data")
  missing <- setdiff(names, columns)
  if (length(missing) > 0) {
    stop_input("x", "a formula of two columns of `data`", sprintf("one with %s", quote_names(missing)))
  }
}

# The columns as numbers.
trend_rows <- function(names, data) {
  check_trend_data(names, data)
  rows <- data[names]
  if (is.data.frame(rows)) for (j in 1:2) rows[[j]] <- level_places(rows[[j]], names[[j]])
  check_data(rows, "data", min_d = 2L, max_d = 2L)
}

# Is the column a flag, or a factor of two declared levels? By its type alone.
is_two_levels <- function(data, name) {
  column <- if (is.data.frame(data)) data[[name]]
  is.logical(column) || is.factor(column)
}

# Two declared levels as 0 and 1. What is neither is missing, and refused as other missing values are. Other
# columns stay.
level_places <- function(column, name) {
  mend <- paste("Declare two levels, from what is public and not from the data:",
                "factor(x, levels = c(\"a\", \"b\")).")
  if (is.character(column)) {
    stop_input("data", "data whose columns are numeric, logical or factors of two levels",
               sprintf("one in which `%s` is %s", short_text(name), describe_data(column)), mend)
  }
  if (!is.factor(column)) return(column)
  levels <- factor_levels(column, short_text(name), "data")
  if (length(levels) != 2) {
    stop_input("data", "data whose factors have two levels",
               sprintf("one in which `%s` has %d", short_text(name), length(levels)), mend)
  }
  code <- factor_codes(column)
  if (anyNA(code)) {
    stop_input("data", "data without missing values",
               sprintf("data with rows of neither level in `%s`", short_text(name)),
               sprintf("If it may be known that there were some, leave them out: data[!is.na(data$`%s`), ].",
                       short_text(name)))
  }
  code - 1
}
