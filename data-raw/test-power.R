# Size and power of private tests beside the same tests without privacy: writes vignettes/test-power.csv.
#
# Usage: make simulations FIGURE=test-power, or Rscript data-raw/test-power.R [runs]
# Normal rows: one sample shifted by 0.3 standard deviations, one of two equal samples shifted by 0.3, a trend
# with slope 0.3. At the level 0.05, two-sided. Without privacy: the sign test, the median test of two samples
# by the hypergeometric law, and the quadrant test, with the smaller of both tails twice.
# The committed table is of 22 November 2026: it has the same laws and settings, and other samples, as it was
# made before the script stood on simulate_releases().

source("data-raw/figures.R")

both_tails <- function(k, white, black, drawn) {
  min(1, 2 * min(stats::phyper(k, white, black, drawn), stats::phyper(k - 1, white, black, drawn, FALSE)))
}
upper <- function(v) rank(v, ties.method = "random") > length(v) - length(v) %/% 2

# public-rng: simulated data
draws <- list(
  "one sample" = function(n, shift) stats::rnorm(n) + shift,
  "two samples" = function(n, shift) {
    split(stats::rnorm(n) + shift * rep(0:1, each = n / 2), rep(0:1, each = n / 2))
  },
  "a trend" = function(n, shift) {
    x <- stats::rnorm(n)
    data.frame(x, y = shift * x + stats::rnorm(n))
  }
)

kinds <- list(
  "one sample" = list(
    plain = function(x) stats::binom.test(sum(x > 0), length(x))$p.value,
    law = function(x, epsilon) dp_test(x, epsilon)$p.value
  ),
  "two samples" = list(
    plain = function(x) {
      n <- lengths(x)
      both_tails(sum(upper(unlist(x))[seq_len(n[[1]])]), n[[1]], n[[2]], sum(n) %/% 2)
    },
    law = function(x, epsilon) dp_test(x[[1]], epsilon, y = x[[2]], test = "quadrant")$p.value,
    median = function(x, epsilon) dp_test(x[[1]], epsilon, y = x[[2]], test = "sign")$p.value
  ),
  "a trend" = list(
    plain = function(x) {
      n <- nrow(x)
      both_tails(sum(upper(x$x) & upper(x$y)), n %/% 2, n - n %/% 2, n %/% 2)
    },
    law = function(x, epsilon) dp_test(y ~ x, epsilon, data = x, test = "quadrant")$p.value,
    median = function(x, epsilon) dp_test(y ~ x, epsilon, data = x, test = "sign")$p.value
  )
)

# Which reject: without privacy, at each epsilon, and of test = "sign" in a quarter of the runs.
epsilons <- c(0.5, 1, 2)
count <- runs(2000)
rejects <- function(x, law, replicate) {
  k <- kinds[[law]]
  slow <- if (is.null(k$median) || replicate > count / 4) rep_len(NA, 3)
          else vapply(epsilons, k$median, 0, x = x)
  as.numeric(c(k$plain(x), vapply(epsilons, k$law, 0, x = x), slow) <= 0.05)
}

design <- expand.grid(shift = c(0, 0.3), n = c(100, 400, 1000), law = names(kinds), stringsAsFactors = FALSE)
found <- simulate_figure("test-power", cells_of(design), draws, rejects, replicates = count, seed = 20242)
table <- by_cell(found, function(v, cell) {
  share <- colMeans(v, na.rm = TRUE)
  data.frame(test = cell$law, runs = nrow(v), epsilon = epsilons, private = share[2:4],
             not_private = share[[1]], medians_only = ifelse(is.nan(share[5:7]), NA, share[5:7]))
})
write_figure(table[c("test", "n", "shift", "runs", "epsilon", "private", "not_private", "medians_only")],
             "test-power")
