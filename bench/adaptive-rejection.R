# The exact draws of the private median: proposals a draw by bounds, epsilon, variables and shape of data.
#
# Usage: Rscript bench/adaptive-rejection.R; writes bench/adaptive-rejection.md. Some minutes.

source("bench/common.R")
ns <- asNamespace("dpdepth")
shapes <- list(
  normal = function(n, d) matrix(rnorm(n * d), n),
  clusters = function(n, d) matrix(rnorm(n * d, sd = 1e-7), n) + rep(c(-3, 3), length.out = n),
  oblique = function(n, d) outer(rnorm(n), seq(1, 2, length.out = d)) + matrix(rnorm(n * d, sd = 1e-9), n),
  ties = function(n, d) matrix(round(2 * rnorm(n * d)), n),
  points = function(n, d) matrix(rnorm(8 * d), 8)[sample(8, n, TRUE), , drop = FALSE]
)

# Proposals up to the first draw, or NA after 3 seconds of processor time.
proposals <- function(x, epsilon, prior) {
  d <- ncol(x)
  plan <- ns$plan_depth(if (d > 2) 1000 else NULL, d, "exact")
  setTimeLimit(cpu = 3, transient = TRUE)
  on.exit(setTimeLimit())
  tryCatch(
    .Call(ns$ffi_median_exp, "system", x, ns$prior_fields(ns$prior_for(prior, d)), epsilon, plan$exact,
          plan$directions, 1L)$counts[[1]],
    error = function(e) NA
  )
}

widths <- 10^c(2, 5, 9, 15)
lines <- character()
for (shape in names(shapes)) {
  for (d in c(2, 3, 5, 7)) {
    for (epsilon in c(0.1, 1, 5, 50)) {
      set.seed(1)
      x <- shapes[[shape]](500, d)
      cell <- function(prior) {
        vapply(widths, function(w) format(proposals(x, epsilon, prior(w)), big.mark = ","), "")
      }
      uniform <- cell(function(w) dpdepth::prior_uniform(-w, w))
      normal <- cell(function(w) dpdepth::prior_normal(0, w))
      cells <- paste(c(uniform, normal), collapse = " | ")
      lines <- c(lines, sprintf("| %s | %d | %s | %s |", shape, d, format(epsilon), cells))
    }
  }
}
write_page("adaptive-rejection", c(
  "# Proposals of the exact sampler", "", ran_on(sprintf("%d cores", parallel::detectCores())),
  "Proposals up to the first draw of `dp_median_exponential()`: 500 rows, exact depth for two",
  "variables, 1000 directions for more; U: uniform prior on -w..w, N: normal prior with sd w.",
  "NA: none within 3 seconds of processor time.",
  "Made by `bench/adaptive-rejection.R`.", "",
  paste("| data | d | epsilon |",
        paste(sprintf("%s %.0e", rep(c("U", "N"), each = 4), widths), collapse = " | "), "|"),
  paste0("|", strrep("---|", 3), strrep("---:|", 8)), lines
))
