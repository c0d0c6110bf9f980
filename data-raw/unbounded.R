# Medians and interior points without bounds: how often something is released, and errors, by method, law and
# n, at epsilon = 1 and delta = 1e-6. Writes vignettes/unbounded.csv.
#
# Usage: make simulations FIGURE=unbounded, or Rscript data-raw/unbounded.R (some minutes on one core)
# error: the median over releases of |release - median of the law|, in units of half the law's quartile
# distance.
# rank: the median of |share of the law below the release - 1/2|. Drawn from R's stream: not for release.
# The committed table is of 24 November 2026: it has the same laws and settings, and other samples, as it was
# made before the script stood on simulate_releases().

source("data-raw/figures.R")

# public-rng: simulated data
laws <- list(
  normal = list(draw = stats::rnorm, cdf = stats::pnorm, unit = stats::qnorm(0.75)),
  cauchy = list(draw = stats::rcauchy, cdf = stats::pcauchy, unit = 1),
  uniform = list(draw = function(n) stats::runif(n, -1, 1), cdf = function(q) stats::punif(q, -1, 1),
                 unit = 0.5),
  outliers = list(draw = function(n) stats::rnorm(n, 0, ifelse(stats::runif(n) < 0.8, 1, 1000)),
                  cdf = function(q) 0.8 * stats::pnorm(q) + 0.2 * stats::pnorm(q / 1000),
                  unit = stats::qnorm(0.75 + 0.03)),
  clusters = list(draw = function(n) stats::rnorm(n) + 20 * (stats::runif(n) < 0.4),
                  cdf = function(q) 0.6 * stats::pnorm(q) + 0.4 * stats::pnorm(q - 20), unit = 1)
)
laws$shifted <- within(laws$normal, at <- 1e9)
laws$tiny <- within(laws$normal, scale <- 1e-9)
for (name in names(laws)) {
  cdf <- laws[[name]]$cdf
  laws[[name]]$centre <- stats::uniroot(function(q) cdf(q) - 0.5, c(-1, 30), tol = 1e-10)$root
}
scale_of <- function(law) if (is.null(law$scale)) 1 else law$scale

# Neither edges of bins nor a prior's origin may meet the median by chance, so its place is drawn, too.
draw_rows <- function(law, n) {
  law <- laws[[law]]
  place <- (if (is.null(law$at)) 0 else law$at) + scale_of(law) * stats::runif(1, -50, 50)
  list(x = place + scale_of(law) * law$draw(n), place = place)
}

methods <- list(
  dyadic = function(x) dp_median(x, 1, method = "exponential"),
  restricted = function(x) dp_median_restricted(x, 1, 1e-6),
  "interior point" = function(x) dp_interior_point(x, 1, 1e-6),
  "interior median" = function(x) dp_median(x, 1, 1e-6, method = "interior"),
  projection = function(x) {
    # what its refusals of fewer rows compute takes a second
    if (length(x) < 2500) return(NULL)
    dp_median_projection(x, 1, 1e-6, location = "trimmed", scale = "trimmed", directions = 1)
  },
  "random DP" = function(x) rival_median(x, 1, 1e-6, "random_dp", gamma = 0.05)
)

# The release's distance and rank, and whether the call was refused.
estimates <- lapply(methods, function(method) {
  force(method)
  function(rows, law) {
    law <- laws[[law]]
    release <- tryCatch(suppressWarnings(method(rows$x)), dpdepth_error_input = function(e) NULL)
    at <- if (is.null(release)) NaN else (unname(coef(release)) - rows$place) / scale_of(law)
    c(refused = is.null(release), error = abs(at - law$centre) / law$unit, rank = abs(law$cdf(at) - 0.5))
  }
})

design <- expand.grid(law = names(laws), estimate = names(methods),
                      n = c(100, 200, 300, 400, 500, 1000, 10000, 100000), stringsAsFactors = FALSE)
design <- cells_of(design[design$n < 1e5 | design$law %in% c("normal", "cauchy"), ], 8)
design$replicates <- ifelse(design$n > 3000, runs(50, 1), runs(200, 1))
found <- simulate_figure("unbounded", design, draw_rows, estimates, seed = 15)
table <- by_cell(found, function(v, cell) {
  typical <- function(values) if (all(is.na(values))) NA else signif(stats::median(values, na.rm = TRUE), 3)
  data.frame(reps = nrow(v), refused = mean(v[, "refused"]), released = mean(!is.na(v[, "error"])),
             error = typical(v[, "error"]), rank = typical(v[, "rank"]))
})
table <- table[order(table$n, match(table$estimate, names(methods)), match(table$law, names(laws))), ]
names(table)[names(table) == "estimate"] <- "method"
write_figure(table[c("method", "law", "n", "reps", "refused", "released", "error", "rank")], "unbounded",
             quote = FALSE)
