# regression-methods.R - what the scripts regression-*.R share: the paper's design, and the methods that are
# compared.

source("data-raw/figures.R")
delta <- 1e-6

# The search of the deepest regression does not depend on epsilon, and constants not on the data: each is
# found once. The releases are those of dp_regression() all the same.
remember_searches <- function() {
  remember("deepest_spreads", 1)
  remember("smooth_constants", 20)
}

# The design of section 5 of Cumings-Menon (2022): y = 1 + 2 x + v, x and v from one law.
# public-rng: simulated data
laws <- list(normal = list(draw = stats::rnorm, quartile = stats::qnorm(0.75)),
             Laplace = list(draw = function(n) sample(c(-1, 1), n, TRUE) * stats::rexp(n), quartile = log(2)),
             "t (3)" = list(draw = function(n) stats::rt(n, 3), quartile = stats::qt(0.75, 3)))
draw_line <- function(law, n) {
  x <- laws[[law]]$draw(n)
  data.frame(x = x, y = 1 + 2 * x + laws[[law]]$draw(n))
}
at_quartiles <- function(law) cbind(1, c(-1, 1) * laws[[law]]$quartile)

# A method is a function of data (the response is y), epsilon and a box (ranges x and y) that gives a fit.
limited <- function(method) {
  force(method)
  function(data, epsilon, box) {
    dp_regression(y ~ ., data, epsilon, delta, method = method, lower = -50, upper = 50)
  }
}
in_box <- function(method, ...) {
  function(data, epsilon, box) {
    rival_regression(y ~ ., data, epsilon, method = method, x_lower = box$x[[1]], x_upper = box$x[[2]],
                     lower = box$y[[1]], upper = box$y[[2]], ...)
  }
}

ours <- list(exponential = limited("exponential"), batches = limited("batches"), deepest = limited("deepest"),
             Medsweep = limited("medsweep"))
boxed <- list(
  NoisyStats = in_box("noisystats"),
  # noise of scale 6 Delta / epsilon in place of 3 Delta / epsilon
  "NoisyStats, twice the noise" = function(data, epsilon, box) {
    in_box("noisystats")(data, epsilon / 2, box)
  },
  "Theil-Sen" = in_box("theilsen", matchings = 10L),
  "Theil-Sen, one matching" = in_box("theilsen"),
  gradient = in_box("gradient", delta = delta, steps = 30L, clip = 10),
  "gradient, clipped at 0.25" = in_box("gradient", delta = delta, steps = 30L, clip = 0.25),
  AdaSSP = in_box("adassp", delta = delta)
)
tukeyem <- function(data, epsilon, box) {
  rival_regression(y ~ ., data, epsilon, delta, "tukeyem")
}

# The fit, or NULL where public numbers refused it: the settings of a simulation are all of them valid.
attempt <- function(method, data, epsilon, box) {
  tryCatch(suppressWarnings(method(data, epsilon, box)), dpdepth_error_input = function(e) NULL)
}

# Of errors, a row each replicate, NA where nothing was released: how many failed, mean squared (with its
# standard error) and median absolute error.
error_summary <- function(v) {
  done <- v[!is.na(rowSums(v)), , drop = FALSE]
  squared <- rowMeans(done^2)
  of <- function(value) if (nrow(done) > 0) signif(value, 3) else NA
  data.frame(replicates = nrow(v), failed = nrow(v) - nrow(done), mse = of(mean(squared)),
             mse_se = of(stats::sd(squared) / sqrt(nrow(done))), median_abs = of(stats::median(abs(done))))
}
