# Distributions of counts of signs without and with noise, and p-values.

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

mood_law <- function(sizes) {
  n <- sum(sizes)
  stats::dhyper(0:n, sizes[[1]], sizes[[2]], n %/% 2)
}

quadrant_law <- function(n) mood_law(c(n %/% 2, n - n %/% 2))

# Of the distribution of a score, what pictures take: its distribution function at no more than `most` places,
# and mean and standard deviation with noise.
test_null <- function(law, rate, tail, most = 1000L) {
  keep <- which(law > 1e-12 * max(law))
  score <- keep - 1
  weight <- law[keep] / sum(law[keep])
  mean <- sum(weight * score)
  q <- exp(-rate)
  places <- unique(round(seq(1, length(keep), length.out = min(most, length(keep)))))
  list(score = score[places], up_to = cumsum(weight)[places], rate = rate, tail = tail,
       moments = c(mean = mean, sd = sqrt(sum(weight * (score - mean)^2) + 2 * q / (1 - q)^2)))
}

# P(S_0 + Z <= score), or >=, or twice the smaller; Z of discrete Laplace distribution; rounding is paid for.
test_p_value <- function(score, law, rate, tail = "low") {
  value <- seq_along(law) - 1
  low <- if (tail != "high") noisy_tail(score - value, law, rate)
  high <- if (tail != "low") noisy_tail(value - score, law, rate)
  p <- if (tail == "both") 2 * min(low, high) else c(low, high)
  min(1, p * (1 + 1e-9) + 1e-12)
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

# Two declared levels as 0 and 1, and between them what is neither, whose group, as in dp_by(), is none. Other
# columns stay.
level_places <- function(column, name) {
  mend <- paste("Declare two levels, from what is public and not from the data:",
                "factor(x, levels = c(\"a\", \"b\")). Rows of other values stand between the two.")
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
  place <- factor_codes(column) - 1
  replace(place, is.na(place), 0.5)
}
