# Rank tests: Mann-Whitney of two samples and of two groups, Kendall's of a trend, signed ranks, and as many
# above as below.

# The tasks are those of R/dp-test.R, with what one row moves the score by, `sensitivity`. PRIVATE: rows.

# Sizes are public; `sizes`: without `mu` the score says how likely x is above y.
mann_whitney_task <- function(x, y, mu) {
  sizes <- as.double(c(nrow(x), nrow(y)))
  refuse_many(sum(sizes))
  if (min(sizes) < 8 && prod(sizes) > most_pairs_of_few) {
    stop_input(if (sizes[[1]] < sizes[[2]]) "x" else "y", "of at least 8 rows beside so many of the other",
               sprintf("of %d", min(sizes)), "Take test = \"quadrant\".")
  }
  list(method = "Mann-Whitney test of two samples", sizes = if (mu == 0) sizes, sensitivity = max(sizes),
       direction = "x tends to be above y where the score is above what is expected",
       score = function(source) mann_whitney_score(c(x - mu, y), rep(1:0, sizes) == 1, source),
       law = function() mann_whitney_law(sizes[[1]], sizes[[2]]))
}

# Sums of ranks are whole numbers that doubles hold.
refuse_many <- function(n, most = 1e8) {
  if (n > most) stop_input("x", sprintf("data of at most %s rows for ranks", grouped(most)), "data of more")
}

# Laws of so few rows are sums over all frequencies.
most_pairs_of_few <- 2^21

# Two groups, of which only the rows of both together are public.
groups_task <- function(formula, data, alternative, share) {
  names <- trend_names(formula)
  rows <- trend_rows(names, data)
  n <- as.double(nrow(rows))
  refuse_many(n)
  list(n = n, d = 2L, method = "Mann-Whitney test of two groups", tail = test_tail(alternative),
       hypothesis = sprintf("`%s` and `%s` are independent", names[[1]], names[[2]]),
       direction = sprintf("`%s` tends to be higher in the second group where the score is above 0",
                           names[[1]]),
       sensitivity = groups_move(n, share), law = function() groups_law(n, share),
       score = function(source) {
         first <- rows[, 2] == 1 # one group may be empty
         normalised_score(mann_whitney_score(rows[, 1], first, source), sum(first), n, share)
       })
}

# Two variables: Kendall's tau as a test.
kendall_task <- function(formula, data, alternative) {
  names <- trend_names(formula)
  rows <- trend_rows(names, data)
  n <- as.double(nrow(rows))
  refuse_many(n)
  list(n = n, d = 2L, method = "Kendall's rank test of a trend", tail = test_tail(alternative),
       hypothesis = sprintf("`%s` and `%s` are independent", names[[1]], names[[2]]),
       direction = sprintf("`%s` tends to rise with `%s` where the score is above what is expected",
                           names[[1]], names[[2]]),
       sensitivity = max(1, n - 1), law = function() kendall_law(n),
       score = function(source) kendall_score(rows[, 1], rows[, 2], source))
}

# Signed ranks; or the difference of how many are above and below mu.
signed_task <- function(x, y, mu, alternative, test) {
  x <- check_data(x, "x", max_d = 1L)
  n <- nrow(x)
  refuse_many(n)
  paired <- !is.null(y)
  if (paired) {
    y <- check_data(y, "y", max_d = 1L)
    check_same_rows(x, y)
    x <- x - y
  }
  of <- if (paired) "pairs" else "one sample"
  what <- if (paired) "differences" else "rows"
  at <- with_point(format(mu))
  task <- list(n = n, d = 1L, tail = test_tail(alternative), direction = sprintf(
    "%s tend to be above %s where the score is above what is expected", what, at
  ))
  if (test == "balance") {
    return(c(task, list(
      method = paste("balance test of", of), sensitivity = 2,
      hypothesis = sprintf("as many %s are above %s as below", what, at),
      score = function(source) sum(sign(x - mu)), law = function() balance_law(n)
    )))
  }
  c(task, list(
    method = paste("signed-rank test of", of), hypothesis = sprintf("%s are symmetric about %s", what, at),
    sensitivity = n, score = function(source) signed_rank_score(x - mu, source),
    law = function() signed_rank_law(n)
  ))
}

# -- how likely x is above y: from the released score, for nothing more ------------------------------------
#
# METHOD: U / (a b) has the mean theta = P(x > y) + P(x = y) / 2, and a variance of
#   theta (1 - theta) / min(a, b) at most. A limit is the theta for which the normal distribution with that
#   variance and the noise together are so far off with the probability (1 - level) / 2. Its level is that of
#   large samples.
# REFERENCE: van Dantzig, D. (1951); Cliff, N. (1993).

superiority_details <- function(score, sizes, rate) {
  p <- superiority_range(score, sizes, rate, 0.95)
  list(superiority = c("P(x > y)" = p[[1]], conf.low = p[[2]], conf.high = p[[3]]), sizes = sizes)
}

# The estimate and its limits.
superiority_range <- function(score, sizes, rate, level) {
  theta <- min(1, max(0, score / prod(sizes)))
  beyond <- function(from, to) {
    normal_laplace_tail(abs(to - from), sqrt(to * (1 - to) / min(sizes)), 1 / (rate * prod(sizes)))
  }
  limit <- function(end) {
    off <- function(to) beyond(theta, to) - (1 - level) / 2
    if (off(end) >= 0) return(end)
    stats::uniroot(off, sort(c(theta, end)), tol = 1e-9)$root
  }
  c(theta, limit(0), limit(1))
}

superiority_limits <- function(x, level) {
  p <- superiority_range(unname(x$estimate), x$details$sizes, x$null$rate, level)[-1]
  percent <- paste(vapply(100 * (1 + c(-1, 1) * level) / 2, format, "", digits = 3, trim = TRUE), "%")
  matrix(c(p, 2 * p - 1), 2, 2, byrow = TRUE, dimnames = list(c("P(x > y)", "Cliff's delta"), percent))
}

tidy_superiority <- function(frame, x, conf.int = FALSE, # nolint: object_name_linter.
                             conf.level = 0.95, ...) { # nolint: object_name_linter.
  if (!check_flag(conf.int, "conf.int")) return(frame)
  limits <- superiority_limits(x, noise_level(conf.level, "conf.level"))
  cbind(frame, conf.low = limits[[1, 1]], conf.high = limits[[1, 2]])
}
