# Rows by the concentration bound of a paper, and rows seen: writes vignettes/concentration.csv.
#
# Usage: make simulations FIGURE=concentration, or Rscript data-raw/concentration.R [runs, 200] (three minutes
# of processor time)
#
# Theorem 11 and Corollary 7 of Ramsay, Jagannath and Chenouri (2022), for halfspace depth, standard normal
# rows of d variables, epsilon = 1, a normal prior with standard deviation 10 whose mean is `away` of these
# from the centre: P(distance > t) <= g.
#
# METHOD: if no share of a halfspace is off by more than s, the release is farther than t with a chance of at
#   most exp(n epsilon/2 (2 s - alpha(t) + L r))/prior(ball of radius r), for any r, with alpha(t) =
#   pnorm(t) - 1/2 and L = dnorm(0). (The theorem has s = alpha(t)/4; here the best s is taken.) The paper
#   gives no constants for the chance that a share is off by more; that of Lemma 12 of Cumings-Menon (2022)
#   is taken, 8 ((n^2 - 1)^d + 1) exp(2 s (2 + (2 - n) s)).
# theorem: the least n by both parts, to 1%; privacy: by the release's part alone, s = 0. seen: the least of
#   the simulated sizes from which on the share of runs farther than t is at most g, NA if none is.

source("data-raw/figures.R")
epsilon <- 1
g <- 0.1

release_part <- function(n, d, t, away, s) {
  r <- 10^seq(-6, 1, 0.02)
  near <- stats::pchisq((r / 10)^2, d, ncp = away^2, log.p = TRUE)
  exponent <- n * epsilon / 2 * (2 * s - (stats::pnorm(t) - 0.5) + stats::dnorm(0) * r) - near
  min(1, exp(min(exponent)))
}
sampling_part <- function(n, d, s) {
  min(1, exp(log(8) + log((n^2 - 1)^d + 1) + 2 * s * (2 + (2 - n) * s)))
}
theorem <- function(n, d, t, away) {
  shares <- (stats::pnorm(t) - 0.5) / 2 * seq(0.02, 0.98, 0.02)
  min(vapply(shares, function(s) sampling_part(n, d, s) + release_part(n, d, t, away, s), 0))
}
privacy <- function(n, d, t, away) release_part(n, d, t, away, 0)

least_n <- function(bound, d, t, away) {
  n <- ceiling(1.01^(200:2000))
  low <- 1
  high <- length(n)
  while (high - low > 1) {
    middle <- (low + high) %/% 2
    if (bound(n[[middle]], d, t, away) <= g) high <- middle else low <- middle
  }
  n[[high]]
}

estimate <- function(x, d, away) {
  prior <- prior_normal(c(10 * away, rep(0, d - 1)), 10)
  suppressWarnings(dp_median_exponential(x, epsilon, prior, directions = if (d > 2) 300))
}
sizes <- c(20, 30, 40, 60, 80, 100, 150, 200, 300, 400, 600, 800)
design <- expand.grid(n = sizes, d = 1:3, away = c(0, 5))
draw_rows <- function(n, d) matrix(stats::rnorm(n * d), n) # public-rng: simulated data
found <- simulate_figure("concentration", cells_of(design), draw_rows, list(release = estimate), "distance",
                         replicates = runs(200))
seen <- by_cell(found, function(v, cell) {
  data.frame(t = c(0.25, 0.5), far = colMeans(outer(c(v), c(0.25, 0.5), ">")))
})

table <- unique(seen[c("d", "away", "t")])
table <- table[order(table$away, table$t, table$d), ]
numbers <- lapply(seq_len(nrow(table)), function(i) {
  one <- table[i, ]
  here <- merge(seen, one)
  here <- here[order(-here$n), ]
  good <- cumprod(here$far <= g) == 1
  data.frame(one, epsilon = epsilon, chance = g, theorem = least_n(theorem, one$d, one$t, one$away),
             privacy = least_n(privacy, one$d, one$t, one$away),
             seen = if (any(good)) min(here$n[good]) else NA)
})
write_figure(do.call(rbind, numbers), "concentration", quote = FALSE)
