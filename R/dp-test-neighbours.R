# The sign test of one sample or of pairs whose number is private.
#
# METHOD: the rows that speak against the hypothesis, h, and the others, l, are released with noise: a row
#   more moves one of the two by one. Given n, h - l is stochastically at most a walk of n fair steps or its
#   absolute value, whose tails rise with n by steps of two. So the p-value is the largest up to an upper
#   confidence bound of n from the noisy h + l, and the chance that this bound is below n is added.
# REFERENCE: Berger and Boos (1994); vignettes/proofs-accounts.Rmd, section 4.

# The chance that the bound of n is below n.
size_doubt <- 1e-4

# One sample or pairs: others have two private sizes, or a half of the rows that a row more moves.
refuse_private_task <- function(formula) {
  refuse_private_size(if (formula) "a formula" else "two samples", paste(
    "The distribution of its count is decided by how many rows there are on each side, which are private."
  ))
}

# What a sign test is called, with n public, too.
sign_words <- function(mu, alternative, paired) {
  of <- if (paired) "the median difference" else "the median"
  list(method = paste("sign test", if (paired) "of pairs" else "of one sample"),
       hypothesis = switch(alternative, two.sided = sprintf("%s is %s", of, with_point(format(mu))),
                           greater = sprintf("%s is at most %s", of, with_point(format(mu))),
                           less = sprintf("%s is at least %s", of, with_point(format(mu)))))
}

# As tasks are in R/dp-test.R, for a number of rows that nothing else may know. PRIVATE: x, y.
private_sign_task <- function(x, y, mu, alternative, paired) {
  x <- one_sample(x)
  if (paired) {
    y <- check_data(y, "y", min_n = 0L, max_d = 1L)
    check_same_rows(x, y)
    x <- x - y
  }
  c(sign_words(mu, alternative, paired), list(
    n = private_size, d = 1L, counts = function() sign_counts(atoms_of(x), mu, alternative)
  ))
}

# Against the hypothesis, and for it: a row counts in one of them. Ties at mu speak for it.
sign_counts <- function(atoms, mu, alternative) {
  count <- atoms$count
  above <- sum(count[atoms$points > mu])
  below <- sum(count[atoms$points < mu])
  against <- switch(alternative, two.sided = max(above, below), greater = above, less = below)
  c(against = against, other = sum(count) - against)
}

# Noisy counts, their difference and sum, and the p-value.
private_sign_test <- function(task, alternative, rate, source) {
  counts <- task$counts() + draw_laplace_discrete(2, rate[[1]], rate[[2]], source)
  score <- counts[[1]] - counts[[2]]
  counted <- sum(counts)
  list(score = score, counted = counted,
       p = private_p_value(score, counted, rate[[1]] / rate[[2]], alternative),
       null = private_null(counted, rate[[1]] / rate[[2]], alternative))
}

# What pictures take: the distribution of the score if there were as many rows as were counted.
private_null <- function(counted, rate, alternative) {
  walk <- fair_walk(max(0, counted), alternative == "two.sided")
  mean <- sum(walk$weight * walk$score)
  q <- exp(-rate)
  list(counted = counted, rate = rate, alternative = alternative,
       moments = c(mean = mean, sd = sqrt(sum(walk$weight * (walk$score - mean)^2) + 4 * q / (1 - q)^2)))
}

# Chances of whole scores `at`, and their p-values.
private_null_at <- function(null, at) {
  walk <- fair_walk(max(0, null$counted), null$alternative == "two.sided")
  tail <- function(m) sum(walk$weight * noise_difference_tail(m - walk$score, null$rate))
  list(chance = vapply(at, function(z) tail(z) - tail(z + 1), 0),
       p = vapply(at, private_p_value, 0, null$counted, null$rate, null$alternative))
}

# A walk of n fair steps, or its absolute value. What is left out is below 1e-30.
fair_walk <- function(n, absolute) {
  reach <- ceiling(6 * sqrt(n)) + 1
  up <- max(0, floor(n / 2) - reach):min(n, ceiling(n / 2) + reach)
  steps <- 2 * up - n
  list(score = if (absolute) abs(steps) else steps, weight = stats::dbinom(up, n, 0.5))
}

# `score`: of the noisy counts' difference; `counted`: their sum.
private_p_value <- function(score, counted, rate, alternative) {
  most <- max(0, counted + size_margin(rate))
  if (alternative != "two.sided" && score <= 0) return(1) # tails need not rise there
  p <- max(vapply(max(0, most - 1):most, walk_tail, 0, score, rate, alternative == "two.sided"))
  min(1, (p + size_doubt) * (1 + 1e-9) + 1e-12)
}

# The least q with P(Z_1 + Z_2 < -q) of at most size_doubt.
size_margin <- function(rate) {
  search_count(function(q) noise_difference_tail(q + 1, rate) <= size_doubt, 1, 2^40)
}

# P(S_n + Z_1 - Z_2 >= t), S_n a walk of n fair steps or its absolute value.
walk_tail <- function(n, t, rate, absolute) {
  walk <- fair_walk(n, absolute)
  sum(walk$weight * noise_difference_tail(t - walk$score, rate))
}

# P(Z_1 - Z_2 >= m), whole m, Z_1 and Z_2 of discrete Laplace distributions; their sum has the same
# distribution.
noise_difference_tail <- function(m, rate) {
  q <- exp(-rate)
  less <- -expm1(-rate)
  k <- ifelse(m >= 1, m, 1 - m) # P(Z >= m) = 1 - P(Z >= 1 - m)
  tail <- (less / (1 + q))^2 * exp(-rate * k) * ((k + (1 + q^2) / (less * (1 + q))) / less + q / less^2)
  ifelse(m >= 1, tail, 1 - tail)
}
