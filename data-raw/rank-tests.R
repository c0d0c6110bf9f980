# Size and power of private rank tests beside wilcox.test(): writes vignettes/rank-tests.csv.
#
# Usage: make simulations FIGURE=rank-tests, or Rscript data-raw/rank-tests.R [runs]
# At the level 0.05, two-sided. `private`: the share of tests that reject; `not_private`: of wilcox.test() of
# a quarter of the data sets, by its normal approximation; `median_test`: of dp_test(test = "quadrant"), where
# there is an effect.
# Laws: two samples, groups whose sizes are private, and pairs; the first rows of the design have an effect.

source("data-raw/figures.R")

# public-rng: simulated data
two <- function(x, y) list(x = x, y = y)
signs <- function(n, p) two(sample(c(1, -1, 0), n, TRUE, p), NULL) # public-rng: simulated data
mostly_0 <- function(n) rexp(n) * (runif(n) > 0.9) # public-rng: simulated data
likert <- function(n, p) sample(1:5, n, TRUE, p) # public-rng: simulated data
laws <- list(
  "normal, shift 0.5" = function(n, m) two(rnorm(n, 0.5), rnorm(m)), # public-rng: simulated data
  "normal, shift 0.7" = function(n, m) two(rnorm(n, 0.7), rnorm(m)), # public-rng: simulated data
  "Poisson, 1 and 0.5" = function(n, m) two(rpois(n, 1), rpois(m, 0.5)), # public-rng: simulated data
  "five grades" = function(n, m) {
    two(likert(n, c(0.1, 0.15, 0.25, 0.3, 0.2)), likert(m, c(0.2, 0.25, 0.25, 0.2, 0.1)))
  },
  "pairs, 45 : 15 : 40" = function(n, m) signs(n, c(45, 15, 40)),
  "normal" = function(n, m) two(rnorm(n), rnorm(m)), # public-rng: simulated data
  "Cauchy" = function(n, m) two(rcauchy(n), rcauchy(m)), # public-rng: simulated data
  "Poisson, 0.5" = function(n, m) two(rpois(n, 0.5), rpois(m, 0.5)), # public-rng: simulated data
  "five equal grades" = function(n, m) two(likert(n, rep(0.2, 5)), likert(m, rep(0.2, 5))),
  "nine zeros of ten" = function(n, m) two(mostly_0(n), mostly_0(m)),
  "one value" = function(n, m) two(numeric(n), numeric(m)),
  "pairs, 30 : 30 : 40" = function(n, m) signs(n, c(30, 30, 40)),
  "pairs, normal" = function(n, m) two(rnorm(n), NULL), # public-rng: simulated data
  "pairs, nine zeros of ten" = function(n, m) signs(n, c(5, 5, 90))
)

# By the tasks of dp_test(), without its door: the distribution of a score is found once.
epsilons <- c(0.5, 1, 2)
tasks <- list(
  samples = function(x, share) inner("samples_task")(x$x, x$y, 0, "two.sided", "rank"),
  groups = function(x, share) {
    rows <- data.frame(v = c(x$x, x$y), g = rep(c(TRUE, FALSE), c(length(x$x), length(x$y))))
    inner("groups_task")(v ~ g, rows, "two.sided", share)
  },
  "signed ranks" = function(x, share) inner("signed_task")(x$x, NULL, 0, "two.sided", "rank"),
  balance = function(x, share) inner("signed_task")(x$x, NULL, 0, "two.sided", "balance")
)
# Scores up to which p-values are at most 0.05, by what is public.
critical <- new.env()
rejected <- function(score, task, key, rate) {
  p <- function(score) inner("test_p_value")(score, law, rate, task$tail)
  law <- task$law()
  if (!is.list(law)) return(p(score) <= 0.05)
  if (is.null(critical[[key]])) {
    middle <- floor(law$ends / 2)
    critical[[key]] <- middle - inner("search_count")(function(k) p(middle - k) <= 0.05, 1, 2^40)
  }
  min(score, law$ends - score) <= critical[[key]]
}
found_by <- function(task, key) {
  vapply(epsilons, function(epsilon) {
    rate <- inner("score_rate")(epsilon, task$sensitivity)
    score <- task$score("R") + inner("draw_laplace_discrete")(1, rate[[1]], rate[[2]], "R")
    rejected(score, task, paste(key, epsilon), rate[[1]] / rate[[2]])
  }, NA)
}
rejects_of <- function(x, test, share, effect) {
  key <- paste(test, length(x$x), length(x$y), share)
  c(found_by(tasks[[test]](x, share), key),
    if (!effect || test != "samples") rep_len(NA, 3)
    else found_by(inner("samples_task")(x$x, x$y, 0, "two.sided", "quadrant"), key))
}
wilcox <- function(x) {
  isTRUE(suppressWarnings(stats::wilcox.test(x$x, x$y, exact = FALSE))$p.value <= 0.05)
}
# A replicate is a hundred data sets, of which wilcox.test() sees a quarter.
each <- pick(100, 4)
rejects <- function(sets, test, share, effect) {
  c(mean(vapply(sets[seq_len(each / 4)], wilcox, NA)),
    rowMeans(vapply(sets, rejects_of, numeric(6), test, share, effect)))
}
draws <- lapply(laws, function(law) {
  force(law)
  function(n, m) lapply(seq_len(each), function(i) law(n, m))
})

of <- function(law, n, m, test, share = 0.5) {
  data.frame(law, n, m, test, share, effect = law %in% names(laws)[1:5])
}
pair <- function(law) rbind(of(law, 100, 0, "signed ranks"), of(law, 100, 0, "balance"))
both <- function(law, n, m, share = 0.5) rbind(of(law, n, m, "samples"), of(law, n, m, "groups", share))
design <- rbind(
  both("normal, shift 0.5", 100, 100), both("normal, shift 0.7", 30, 170, 0.15),
  both("Poisson, 1 and 0.5", 120, 120), both("five grades", 100, 100), pair("pairs, 45 : 15 : 40"),
  # no effect
  both("normal", 100, 100), both("normal", 30, 170, 0.15), both("Cauchy", 20, 20),
  both("Poisson, 0.5", 120, 120), both("five equal grades", 200, 40), both("nine zeros of ten", 60, 90),
  both("one value", 50, 80),
  pair("pairs, 30 : 30 : 40"), pair("pairs, normal"), pair("pairs, nine zeros of ten")
)
found <- simulate_figure("rank-tests", cells_of(design), draws, list(rejects = rejects),
                         replicates = runs(2000, 8) / each, seed = 30)
table <- by_cell(found, function(v, cell) {
  share <- colMeans(v)
  data.frame(runs = nrow(v) * each, epsilon = epsilons, private = share[2:4], not_private = share[[1]],
             median_test = share[5:7])
})
write_figure(table[c("law", "test", "n", "m", "share", "runs", "epsilon", "private", "not_private",
                     "median_test")], "rank-tests")
