# Medians and interior points without bounds: how often something is released, and errors, by method, law and
# n, at epsilon = 1 and delta = 1e-6. Writes vignettes/unbounded.csv. Some minutes on one core.
#
# error: the median over releases of |release - median of the law|, in units of half the law's quartile
# distance.
# rank: the median of |share of the law below the release - 1/2|. Drawn from R's stream: not for release.

library(dpdepth)

laws <- list(
  normal = list(draw = stats::rnorm, # public-rng: simulated data
                cdf = stats::pnorm, unit = stats::qnorm(0.75)),
  cauchy = list(draw = stats::rcauchy, cdf = stats::pcauchy, unit = 1), # public-rng: simulated data
  uniform = list(draw = function(n) stats::runif(n, -1, 1), # public-rng: simulated data
                 cdf = function(q) stats::punif(q, -1, 1), unit = 0.5),
  outliers = list(draw = function(n) stats::rnorm(n, 0, ifelse(stats::runif(n) < 0.8, 1, 1000)), # public-rng
                  cdf = function(q) 0.8 * stats::pnorm(q) + 0.2 * stats::pnorm(q / 1000),
                  unit = stats::qnorm(0.75 + 0.03)),
  clusters = list(draw = function(n) stats::rnorm(n) + 20 * (stats::runif(n) < 0.4), # public-rng: data
                  cdf = function(q) 0.6 * stats::pnorm(q) + 0.4 * stats::pnorm(q - 20), unit = 1)
)
laws$shifted <- within(laws$normal, at <- 1e9)
laws$tiny <- within(laws$normal, scale <- 1e-9)

methods <- list(
  dyadic = function(x) dp_median(x, 1, method = "exponential", rng = "R"),
  restricted = function(x) dp_median_restricted(x, 1, 1e-6, rng = "R"),
  "restricted axes" = function(x) dp_median_restricted(x, 1, 1e-6, directions = "axes", rng = "R"),
  "interior point" = function(x) dp_interior_point(x, 1, 1e-6, rng = "R"),
  "interior median" = function(x) dp_median(x, 1, 1e-6, method = "interior", rng = "R"),
  projection = function(x) {
    # what its refusals of fewer rows compute takes a second
    if (length(x) < 2500) return(c(x = NaN))
    dp_median_projection(x, 1, 1e-6, location = "trimmed", scale = "trimmed", directions = 1, rng = "R")
  },
  "random DP" = function(x) dp_median_random(x, 1, 1e-6, gamma = 0.05, rng = "R")
)

coef_of <- function(release) if (is.list(release)) coef(release) else release

centre_of <- function(law) stats::uniroot(function(q) law$cdf(q) - 0.5, c(-1, 30), tol = 1e-10)$root

one <- function(law, method, n, reps) {
  at <- if (is.null(law$at)) 0 else law$at
  scale <- if (is.null(law$scale)) 1 else law$scale
  centre <- centre_of(law)
  found <- vapply(seq_len(reps), function(i) {
    # neither edges of bins nor a prior's origin may meet the median by chance
    place <- at + scale * stats::runif(1, -50, 50) # public-rng: simulated data
    x <- place + scale * law$draw(n)
    tryCatch((suppressWarnings(unname(coef_of(method(x)))) - place) / scale,
             dpdepth_error_input = function(e) NaN)
  }, 0)
  got <- found[!is.na(found)]
  data.frame(n = n, reps = reps, refused = mean(is.nan(found)), released = length(got) / reps,
             error = if (length(got)) stats::median(abs(got - centre)) / law$unit else NA,
             rank = if (length(got)) stats::median(abs(law$cdf(got) - 0.5)) else NA)
}

set.seed(15)
args <- commandArgs(TRUE)
sizes <- c(100, 200, 300, 400, 500, 1000, 10000, 100000)
out <- if (length(args)) args[[1]] else "vignettes/unbounded.csv"
first <- TRUE
for (n in sizes) for (m in names(methods)) for (l in names(laws)) {
  if (n == 100000 && !l %in% c("normal", "cauchy")) next
  reps <- if (n > 3000) 50 else 200
  row <- data.frame(method = m, law = l, one(laws[[l]], methods[[m]], n, reps))
  row$error <- signif(row$error, 3)
  row$rank <- signif(row$rank, 3)
  utils::write.table(row, out, append = !first, col.names = first, row.names = FALSE, sep = ",",
                     quote = FALSE)
  first <- FALSE
}
