# Private medians: the front door, which chooses a method by public facts.

#' A private median
#'
#' Releases the median of one variable or the multivariate (Tukey) median of several under
#' differential privacy, with a method chosen from public facts: what was asked for, the number of
#' people and of variables. The release says which method it was and why.
#'
#' @param x Data, one individual a row: a numeric vector, matrix or data frame of numeric columns,
#'   without missing values.
#' @param epsilon Privacy budget, one number from 1e-6 to 1e6; usual values lie between 0.1 and 10.
#' @param delta Zero for pure differential privacy. A method that needs no delta spends none, and its
#'   release says `delta = 0`.
#' @param method `"auto"`, see Details; `"exponential"` for [dp_median_exponential()], with bounds or a prior;
#'   `"smooth"` for [dp_median_smooth()], with bounds and `delta` above 0; `"restricted"` for
#'   [dp_median_restricted()] and `"projection"` for [dp_median_projection()], with neither bounds nor
#'   a prior, and `delta` above 0.
#' @param ... Further arguments of the method, such as `sampler` or `directions`, or `resolution = 1` for
#'   whole numbers (see [dp_median_exponential()]).
#' @param lower,upper Public bounds of each variable, in its units: one number, or one a variable.
#'   They say where the median can lie; data outside them are welcome.
#' @param prior Instead of bounds, a public prior by [prior_uniform()] or [prior_normal()].
#' @param ledger A budget by [dp_ledger()] to spend from, or `NULL`.
#' @param rng `"system"` for operating-system entropy, `"R"` for R's stream (simulation only), or
#'   `NULL` for `getOption("dpdepth.rng")`. See [dpdepth_rng].
#' @details
#' With bounds or a prior, `"auto"` is the exponential mechanism. Without them, and with `delta` above 0, it
#' is the restricted exponential mechanism for one variable, and for two and three with up to 5000 rows (three
#' then take up to half a minute), if n is large enough that normal data would pass its private test
#' in 90% of cases; else the projection median with trimmed means and trimmed deviations (which withstands
#' less than a quarter of outliers; ask for `method = "projection"` to have the median and the MAD) if
#' `n * epsilon` is at least `2500 * sqrt(d)`, d variables; else the call is refused, and the error says what
#' would help.
#' Nothing of this looks at the data's values.
#' @return A [`dp_release`][dp_release]. Its `estimate` has one value a variable, in the variable's units.
#' @section Errors:
#' A bad argument raises `dpdepth_error_input`, a spent ledger `dpdepth_error_budget`, a failed
#' entropy source `dpdepth_error_entropy`; then nothing has been released. See [dpdepth-errors].
#' @references
#' Ramsay, K., Jagannath, A. and Chenouri, S. (2022). Differentially private multivariate medians.
#' \doi{10.48550/arXiv.2210.06459}
#' @examples
#' # the median sepal of irises, under bounds that any botanist would grant
#' dp_median(iris[1:2], epsilon = 1, lower = 0, upper = c(20, 10))
#'
#' # no bounds: eruptions of Old Faithful, duration and waiting time in minutes
#' dp_median(faithful, epsilon = 2, delta = 1e-6)
#' @seealso The methods themselves: [dp_median_exponential()], [dp_median_smooth()],
#' [dp_median_restricted()] and [dp_median_projection()]; [median_tukey()] without privacy.
#' @export
dp_median <- function(x, epsilon, delta = 0, method = "auto", ..., lower = NULL, upper = NULL,
                      prior = NULL, ledger = NULL, rng = NULL) {
  check_given()
  call <- sanitize_call(match.call(), "x")
  x <- check_data(x)
  delta <- check_delta(delta, zero = TRUE)
  asked <- check_choice(method, c("auto", "exponential", "smooth", "restricted", "projection"), "method")
  limits <- list(prior = prior, lower = lower, upper = upper)
  limits <- limits[!vapply(limits, is.null, NA)]
  chosen <- if (asked == "auto") choose_median(x, epsilon, delta, limits) else asked
  if (chosen %in% c("restricted", "projection") && length(limits) > 0) {
    stop_input(names(limits)[[1]], "NULL for a method that takes no limits", describe(limits[[1]]))
  }
  if (chosen == "smooth" && !is.null(prior)) {
    stop_input("prior", "NULL for smooth sensitivity, which takes bounds", describe(prior))
  }
  release <- switch(chosen,
    exponential = dp_median_exponential(x, epsilon, prior = public_prior(prior, lower, upper), ...,
                                        ledger = ledger, rng = rng),
    smooth = dp_median_smooth(x, epsilon, delta, lower, upper, ..., ledger = ledger, rng = rng),
    restricted = dp_median_restricted(x, epsilon, delta, ..., ledger = ledger, rng = rng),
    projection = if (asked == "auto") trimmed_projection(x, epsilon, delta, ..., ledger = ledger, rng = rng)
                 else dp_median_projection(x, epsilon, delta, ..., ledger = ledger, rng = rng)
  )
  release$call <- call
  release$details$why <- choice_reason(asked, chosen, delta, release$details$resolution)
  release
}

# The method by public facts: limits, delta, epsilon, and the size of the data.
choose_median <- function(x, epsilon, delta, limits) {
  if (length(limits) > 0 || delta == 0) return("exponential")
  n <- nrow(x)
  d <- ncol(x)
  epsilon <- check_restricted_epsilon(epsilon)
  if (restricted_takes(n, d) && restricted_passes(n, d, epsilon, delta)) return("restricted")
  if (n * epsilon >= rows_for_projection(d)) return("projection")
  stop_input("x", enough_rows(n, d, epsilon, delta), sprintf("data with %d row%s", n, plural(n)))
}

# What "auto" takes: at the normal a tenth of the noise of median and MAD, and rounded data pass the test.
trimmed_projection <- function(x, epsilon, delta, location = "trimmed", scale = "trimmed", ...) {
  dp_median_projection(x, epsilon, delta, location = location, scale = scale, ...)
}

# The projection median serves about so many rows at epsilon = 1, and somewhat more with many variables.
rows_for_projection <- function(d) 2500 * sqrt(d)

# Rows that the restricted mechanism takes, in half a minute at most.
restricted_takes <- function(n, d) n >= 4 && d <= 3 && (d == 1 || n <= max_restricted_rows)

restricted_passes <- function(n, d, epsilon, delta) {
  restricted_plan(n, d, epsilon, max(delta, least_restricted_delta))$pass >= 0.9
}

# What would do, in a sentence for the error: a size that is larger, and not far from the smallest.
enough_rows <- function(n, d, epsilon, delta) {
  enough <- ceiling(rows_for_projection(d) / epsilon)
  size <- ceiling(32 * 1.25^(0:26))
  for (rows in size[size > n & size < enough]) {
    if (!restricted_takes(rows, d)) break
    if (restricted_passes(rows, d, epsilon, delta)) enough <- rows
    if (enough == rows) break
  }
  must <- "data with about %d rows for a median without limits with this epsilon and delta (or limits given)"
  sprintf(must, enough)
}

# Bounds or a prior, not both.
public_prior <- function(prior, lower, upper) {
  if (is.null(prior)) {
    if (is.null(lower) || is.null(upper)) {
      stop_input("prior", "given, or both `lower` and `upper`: public limits for the median", "missing")
    }
    return(prior_uniform(lower, upper))
  }
  if (!is.null(lower) || !is.null(upper)) {
    stop_input("prior", "NULL when `lower` or `upper` are given", describe(prior))
  }
  prior
}

# Why this method, in a sentence made of public facts only.
choice_reason <- function(asked, chosen, delta, resolution = NULL) {
  if (asked != "auto") return("the method asked for")
  if (chosen %in% c("restricted", "projection")) {
    return("no public limits are given, and it suits data of this size")
  }
  reason <- "public limits are given, so a pure guarantee is to be had"
  if (delta > 0) reason <- paste0(reason, " and delta is not needed")
  if (!is.null(resolution)) {
    numbers <- if (all(resolution == round(resolution))) "whole numbers" else "multiples of the resolution"
    reason <- paste0(reason, sprintf("; the values were declared %s", numbers))
  }
  reason
}
