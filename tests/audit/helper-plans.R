# Settings of plans off the beaten track, and what releases do at the n that a plan finds: one table for the
# audit (test-plan-failures.R) and the figure (data-raw/plan-failures.R). Exported functions only.
#
# METHOD: normal rows, whose centre lies at 0.3 of the limits' half width. A draw fails beyond five spreads,
#   of any variable, quantile or vertex. `ratio` is the root mean squared error of the draws that do not fail
#   over the planned one, from the data's own quantile, medians or deepest point; of M-estimates and
#   regressions, whose own value is not at hand, with the sampling error in both; of regions it is the mean
#   area that differs.

# public-rng: simulated data
half_of <- function(lower, upper) (upper - lower) / 2
centre_of <- function(lower, upper) (lower + upper) / 2 + 0.3 * half_of(lower, upper)

# A median of d variables with spread 1.
median_case <- function(epsilon, d, error, half = NULL, prior = NULL, center = 0.3 * half, runs = 400, ...) {
  limits <- if (is.null(prior)) list(lower = -half, upper = half) else list(prior = prior)
  list(what = sprintf("median, d = %d", d), runs = runs,
       limits = if (is.null(prior)) sprintf("+-%g", half) else format(prior), epsilon = epsilon,
       plan = function() {
         it <- do.call(plan_median, c(list(d = d, epsilon = epsilon, error = error, spread = 1), limits,
                                      list(...)))
         as.list(it[it$chosen, ])
       },
       one = function(n) {
         x <- matrix(stats::rnorm(n * d, center), n)
         z <- stats::coef(do.call(dp_median, c(list(x, epsilon), limits, list(..., rng = "R"))))
         own <- if (d %in% 2:3) median_tukey(x) else apply(x, 2, function(v) sort(v)[(n + 1) %/% 2])
         list(far = any(abs(z - center) > 5), off = z - own)
       })
}

quantile_case <- function(epsilon, probs, error, lower = NULL, upper = NULL, prior = NULL, spread = 1,
                          center = centre_of(lower, upper), runs = 400) {
  limits <- if (is.null(prior)) list(lower = lower, upper = upper) else list(prior = prior)
  what <- if (length(probs) == 1) sprintf("quantile %g", probs) else sprintf("%d quantiles", length(probs))
  list(what = what,
       limits = if (is.null(prior)) sprintf("%g to %g", lower, upper) else format(prior), epsilon = epsilon,
       runs = runs,
       plan = function() {
         asked <- list(probs = probs, epsilon = epsilon, error = error, spread = spread)
         it <- do.call(plan_quantile, c(asked, limits))
         list(n = it$n[[1]], error = sqrt(mean(it$error^2)), failure = it$failure[[1]])
       },
       one = function(n) {
         x <- stats::rnorm(n, center, spread)
         z <- stats::coef(do.call(dp_quantile, c(list(x, probs, epsilon), limits, list(rng = "R"))))
         at <- center + spread * stats::qnorm(probs)
         list(far = any(abs(z - at) > 5 * spread), off = z - stats::quantile(x, probs, type = 1))
       })
}

mestimate_case <- function(epsilon, half, psi, d = 1, error = 1, runs = 300) {
  limits <- list(lower = rep(-half, d), upper = rep(half, d), scale = 1, psi = psi)
  list(what = sprintf("M-estimate (%s), d = %d", psi, d), limits = sprintf("+-%g", half), epsilon = epsilon,
       runs = runs,
       plan = function() {
         it <- do.call(plan_mestimate, c(list(epsilon = epsilon, error = error), limits))
         list(n = it$n[[1]], error = sqrt(mean(it$error^2 + it$sampling^2)), failure = it$failure[[1]])
       },
       one = function(n) {
         x <- matrix(stats::rnorm(n * d, 0.3 * half), n)
         off <- stats::coef(do.call(dp_mestimate, c(list(x, epsilon), limits, list(rng = "R")))) - 0.3 * half
         list(far = any(abs(off) > 5), off = off)
       })
}

polygon_share <- function(p, radius) {
  # where a polygon about 0 and a disc differ, in parts of the disc: by rays
  angle <- 2 * pi * seq_len(180) / 180
  next_one <- p[c(2:nrow(p), 1), , drop = FALSE]
  a <- p[, 1] * next_one[, 2] - p[, 2] * next_one[, 1]
  reach <- vapply(angle, function(t) {
    u <- c(cos(t), sin(t))
    down <- u[[1]] * (next_one[, 2] - p[, 2]) - u[[2]] * (next_one[, 1] - p[, 1])
    r <- a / down
    max(0, min(r[is.finite(r) & r > 0], 1e6))
  }, 0)
  mean(abs((reach / radius)^2 - 1))
}

region_case <- function(epsilon, half, error, runs = 300) {
  list(what = "region", limits = sprintf("+-%g", half), epsilon = epsilon, runs = runs, mean = TRUE,
       plan = function() {
         it <- plan_region(epsilon = epsilon, lower = -half, upper = half, spread = 1, error = error)
         list(n = it$n, error = it$area, failure = it$failure)
       },
       one = function(n) {
         x <- matrix(stats::rnorm(2 * n, 0.3 * half), n)
         release <- dp_region(x, epsilon = epsilon, lower = -half, upper = half, rng = "R")
         p <- release$details$region - 0.3 * half
         area <- polygon_share(p, sqrt(2 * log(2)))
         list(far = max(abs(p)) > 5 + sqrt(2 * log(2)), off = area)
       })
}

flag_case <- function(epsilon, share, error, runs = 200) {
  list(what = sprintf("regression, flag of %g", share), limits = "+-50", epsilon = epsilon, runs = runs,
       plan = function() {
         it <- plan_regression(p = 1, epsilon = epsilon, lower = -50, upper = 50, shares = share,
                               error = error)
         it <- it[it$chosen & !is.na(it$share), ]
         list(n = it$n[[1]], error = max(it$error), failure = max(it$failure))
       },
       one = function(n) {
         flag <- (seq_len(n) <= round(share * n)) + 0
         rows <- data.frame(flag = flag, y = 15 * flag + stats::rnorm(n))
         fit <- dp_regression(y ~ flag, rows, epsilon, lower = -50, upper = 50, rng = "R")
         off <- stats::coef(fit)[[2]] - 15
         list(far = abs(off) > 5, off = off)
       })
}

far_prior <- function(sd, d) prior_normal(rep(0, d), sd)
plan_settings <- list(
  median_case(1, 1, 1, 1e6), median_case(0.5, 1, 0.5, 1e7), median_case(0.05, 1, 0.5, 100),
  median_case(20, 1, 1, 1e6), median_case(1, 1, 0.05, 1e4), median_case(4, 1, 0.3, 1e7),
  median_case(1, 5, 1, 1e3), median_case(1, 20, 0.5, 1e4, runs = 300), median_case(1, 40, 1, 1e7, runs = 300),
  median_case(4, 40, 0.3, 50, runs = 300), median_case(0.2, 10, 0.5, 1e6, runs = 300),
  median_case(1, 2, 1, 1e4, runs = 300), median_case(4, 2, 1, 1e7, runs = 300),
  median_case(1, 3, 0.5, 100, runs = 150), median_case(8, 30, 0.3, 1e5, method = "marginal", runs = 300),
  median_case(1, 1, 1, prior = far_prior(1e5, 1), center = 1e5),
  median_case(1, 10, 1, prior = far_prior(1e3, 10), center = 1e3),
  median_case(1, 1, 1, prior = prior_dyadic(2^-16), center = 1000),
  median_case(1, 5, 1, prior = prior_dyadic(2^-16), center = 1000),
  median_case(1, 20, 1, prior = prior_dyadic(2^-16), center = 1000, runs = 300),
  quantile_case(1, 0.02, 0.01, -1e7, 1e7), quantile_case(1, 0.98, 0.01, 0, 1e6, spread = 2e4, center = 5e4),
  quantile_case(1, 1:3 / 4, 0.05, 0, 1e6, spread = 2e4, center = 5e4),
  quantile_case(1, 1:9 / 10, 0.05, -1e4, 1e4, runs = 300),
  quantile_case(2, 1:19 / 20, 0.02, -100, 100, runs = 300),
  quantile_case(1, 0.5, 0.1, prior = prior_dyadic(2^-16), center = 1000),
  quantile_case(8, c(0.1, 0.9), 0.05, -1e3, 1e3),
  region_case(1, 100, 0.3), region_case(4, 1e4, 0.3),
  mestimate_case(1, 1e6, "huber"), mestimate_case(1, 1e6, "tukey"), mestimate_case(4, 1e3, "logistic", d = 3),
  flag_case(1, 0.07, 0.5)
)

# A row: what was planned and what `runs` releases were. `error_sd`: of the ratio's logarithm, from the draws.
plan_outcome <- function(setting, runs) {
  plan <- setting$plan()
  found <- suppressWarnings(lapply(seq_len(runs), function(run) setting$one(plan$n)),
                            classes = "dpdepth_warning")
  far <- vapply(found, `[[`, NA, "far")
  power <- if (isTRUE(setting$mean)) 1 else 2
  size <- vapply(found[!far], function(it) mean(abs(it$off)^power), 0)
  data.frame(setting = setting$what, limits = setting$limits, epsilon = setting$epsilon, n = plan$n,
             failure = plan$failure, runs = runs, failed = sum(far), error = plan$error,
             ratio = mean(size)^(1 / power) / plan$error,
             error_sd = stats::sd(size) / mean(size) / power / sqrt(length(size)))
}
