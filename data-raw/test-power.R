# Size and power of private tests beside the same tests without privacy: writes vignettes/test-power.csv.
#
# Usage: Rscript data-raw/test-power.R [runs [test]]; of one test the rows are replaced, the others stay.
# Normal rows: one sample shifted by 0.3 standard deviations, one of two equal samples shifted by 0.3, a trend
# with slope 0.3. At the level 0.05, two-sided. Without privacy: the sign test, the median test of two samples
# by the hypergeometric law, and the quadrant test, with the smaller of both tails twice.

library(dpdepth)
runs <- c(as.integer(commandArgs(TRUE)), 2000L)[[1]]
options(dpdepth.rng = "R")

both_tails <- function(k, white, black, drawn) {
  min(1, 2 * min(stats::phyper(k, white, black, drawn), stats::phyper(k - 1, white, black, drawn, FALSE)))
}
upper <- function(v) rank(v, ties.method = "random") > length(v) - length(v) %/% 2

kinds <- list(
  "one sample" = list(
    data = function(n, shift) stats::rnorm(n) + shift,
    plain = function(x) stats::binom.test(sum(x > 0), length(x))$p.value,
    law = function(x, epsilon) dp_test(x, epsilon)$p.value
  ),
  "two samples" = list(
    data = function(n, shift) split(stats::rnorm(n) + shift * rep(0:1, each = n / 2), rep(0:1, each = n / 2)),
    plain = function(x) {
      n <- lengths(x)
      both_tails(sum(upper(unlist(x))[seq_len(n[[1]])]), n[[1]], n[[2]], sum(n) %/% 2)
    },
    law = function(x, epsilon) dp_test(x[[1]], epsilon, y = x[[2]])$p.value,
    median = function(x, epsilon) dp_test(x[[1]], epsilon, y = x[[2]], hypothesis = "median")$p.value
  ),
  "a trend" = list(
    data = function(n, shift) {
      x <- stats::rnorm(n)
      data.frame(x, y = shift * x + stats::rnorm(n))
    },
    plain = function(x) {
      n <- nrow(x)
      both_tails(sum(upper(x$x) & upper(x$y)), n %/% 2, n - n %/% 2, n %/% 2)
    },
    law = function(x, epsilon) dp_test(y ~ x, epsilon, data = x)$p.value,
    median = function(x, epsilon) dp_test(y ~ x, epsilon, data = x, hypothesis = "median")$p.value
  )
)

# Shares of runs at the level, without privacy, and at each epsilon; of "median" in a quarter of the runs.
epsilons <- c(0.5, 1, 2)
cell <- function(kind, n, shift) {
  k <- kinds[[kind]]
  found <- vapply(seq_len(runs), function(i) {
    x <- k$data(n, shift)
    slow <- if (is.null(k$median) || i > runs / 4) rep_len(NA, 3) else vapply(epsilons, k$median, 0, x = x)
    c(k$plain(x), vapply(epsilons, k$law, 0, x = x), slow) <= 0.05
  }, logical(7))
  share <- rowMeans(found, na.rm = TRUE)
  data.frame(test = kind, n = n, shift = shift, runs = runs, epsilon = epsilons, private = share[2:4],
             not_private = share[[1]], medians_only = share[5:7])
}

wanted <- commandArgs(TRUE)[-1]
if (length(wanted) == 0) wanted <- names(kinds)
file <- file.path("vignettes", "test-power.csv")
done <- if (length(wanted) < length(kinds)) subset(read.csv(file), !test %in% wanted)
for (kind in wanted) {
  set.seed(20242 + match(kind, names(kinds)))
  for (n in c(100, 400, 1000)) for (shift in c(0, 0.3)) {
    done <- rbind(done, cell(kind, n, shift))
    write.csv(done, file, row.names = FALSE)
  }
}
print(done)
