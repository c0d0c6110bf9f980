# The planned error of private regressions, and which one serves: public numbers only.

#' Plan a private regression
#'
#' Computes, from public numbers alone, the expected error of a coefficient by each method of
#' [dp_regression()], which of them the default takes, and whether rows and budget suffice at all.
#'
#' @inheritParams plan_median
#' @param p The number of regressors: columns, after factors are written out, without the intercept.
#' @param lower,upper,prior Public limits of the coefficients or a prior of them, as in [dp_regression()];
#'   none of them for a regression without limits.
#' @param spread A guess at the standard deviation of a regressor, in its unit.
#' @param noise A guess at the standard deviation of the errors, in the unit of the response. Neither must be
#'   taken from the data.
#' @param error The error wanted of the method that is taken, when `n` or `epsilon` is sought.
#' @param indicators How many of the `p` regressors are indicators (columns of 0 and 1) of a factor, which has
#'   one fewer than it has levels: one number, or one for each factor. With `interval`, batches have as many
#'   rows as these take.
#' @param shares The shares of the rows that have these indicators, as you assume them: one number, or one for
#'   each indicator, factor after factor; without `indicators`, of flags, such as `shares = c(0.07, 0.3)`.
#'   `NULL`: the levels of a factor are taken as equally frequent. Not to be taken from the data. With
#'   `interval` for one regressor, a flag: see [interval_plan].
#' @param tau The quantile of the response, or several, which share `epsilon`, as in [dp_regression()].
#' @param interval `NULL`, or the level of intervals of the coefficients, such as 0.95: the plan is then that
#'   of their widths, see [interval_plan].
#' @param width With `interval`, the mean width wanted of a slope's, when `n` or `epsilon` is sought; with
#'   several `tau` that of the widest.
#' @param pairs With `interval`, `TRUE` for slopes by differences of two rows, as in [dp_regression()].
#' @details
#' **Error.** `error` is the root mean squared error of a slope, sampling included, for independent
#' normal regressors and normal errors. In units of `noise/spread`, of the exponential mechanism over
#' regression depth it is about the root of pi/(2 n) + 40 (p + 2)/(epsilon n)^2. Batches have the error of
#' least squares of a batch's rows, by the number of batches; their size is the one with the least error among
#' those that serve. Without limits they are pure where [prior_dyadic()] serves; else, with `delta`, they are
#' released by the restricted mechanism, whose test takes its share of epsilon.
#'
#' **Where it fails.** At n epsilon of less than about 50 every method fails. Beyond that `failure` is the
#' chance that the prior outweighs the rows, and the release is noise as wide as the limits, or of any size
#' without them, or that a private test fails. Where it is above 1/1000 (that of a
#' test: 1/20), `beyond` is `TRUE` and `error` that of the limits, or `Inf`; else `error` is that of draws
#' that do not fail. The `n` or `epsilon` found for an `error` is the least with which the method that is
#' taken reaches it with a `failure` of at most 1/2000.
#'
#' **What to trust.** In simulations draws began to fail within 20% of the n that `failure` says, on the safe
#' side for three regressors; where it is above 1%, errors were up to 1.7 times those planned; on
#' curved or skew real data (Boston's houses) up to 2.1 times. See
#' `vignette("regression-simulations", "dpdepth")`.
#'
#' **Time.** The print says about how long an exact draw takes under limits, if that is a second or more: 50
#' seconds for 100,000 rows and two regressors, 5 for 1,000 rows and four. These are measured for normal data;
#' skew data take several times as long. It also says where a draw of some data practically does not end.
#'
#' **Flags and levels of factors.** With `indicators` or `shares` each method has a row for each share s, and
#' the column `share`: `error` is then that of such an indicator's coefficient, in the unit of the response.
#' With the exponential mechanism the n s rows that have it count, not n. The coefficient is noise where n s
#' epsilon is too small against the limits: in one of 1000 draws with 55 (limits of 50 times the noise) and 85
#' (without limits), in one of two with 21 and 53, if `units` are the regressors' sizes. For Boston's houses
#' (`MASS::Boston`: rooms, status and a flag of 7%) 36% of draws were noise with equal `units`, where 3.5%
#' were planned, and none with `units = c(0.7, 7, 0.25)`. Batches take any share that some hundred batches
#' have: a share 1 - (1 - s)^m of batches of m rows determines the coefficient. An `error` wanted is then that
#' of the worst row of the method.
#'
#' **Quantiles.** With a `tau` other than 0.5, or several, the plan has one row for each, of the exponential
#' mechanism with its share of `epsilon`, and the columns `tau` and `shifted`, by which of the two scores of
#' [dp_regression()] it is drawn. Draws by weighted counts (`shifted` is `FALSE`) also have an intercept too
#' near to the median's, by up to four times the error of a slope. With `shares` each quantile has their rows,
#' too; counts less their expectation take three to nine times the rows of a level that medians do. An `error`
#' wanted is that of the worst quantile. The plan refuses what [dp_regression()] refuses, in the same words.
#' @return A data frame of class `regression_plan`, one row per available method: `method`; `guarantee`; `n`,
#'   `p`, `epsilon`; `delta`, what it spends; `batches`, their number or `NA`; `error`; `failure`; `beyond`;
#'   with indicators `share`; and `chosen`: what `"auto"` takes, see the methods in [dp_regression()].
#'   `tidy()` gives it as a plain data frame. `plot()` and `autoplot()` draw the errors at n and epsilon from
#'   a tenth of the plan's to ten times as much, where the methods do not fail.
#' @section Errors:
#' `dpdepth_error_input` (see [dpdepth-errors]) for numbers outside their ranges, for other than two of `n`,
#' `epsilon` and `error`, for one of `lower` and `upper` alone or with a `prior`, and for an `error` that no
#' `n` or `epsilon` reaches. Nothing is ever spent.
#' @seealso [plan_median()]; [interval_plan] for intervals.
#' @examples
#' plan_regression(n = 500, p = 3, epsilon = 1, lower = -50, upper = 50)
#'
#' # many regressors, no limits
#' plan_regression(n = 6000, p = 8, epsilon = 1)
#'
#' # how many rows for slopes within a tenth?
#' plan_regression(p = 1, epsilon = 1, lower = -50, upper = 50, error = 0.1)
#'
#' plot(plan_regression(n = 500, p = 2, epsilon = 1, lower = -50, upper = 50))
#' @order 1
#' @export
plan_regression <- function(n = NULL, p, epsilon = NULL, delta = 0, lower = NULL, upper = NULL, prior = NULL,
                            ..., spread = 1, noise = 1, error = NULL, indicators = 0,
                            shares = NULL, tau = 0.5, interval = NULL, width = NULL, pairs = FALSE) {
  check_given()
  if (is_grid(n, epsilon)) return(plan_grid(n, epsilon, match.call(), parent.frame()))
  p <- check_count(p, "p", 0L, upper = 1e4)
  if (p == 0) {
    stop_input("p", "1 or more, the number of regressors", "0",
               "plan_median(d = 1) is for the median of one variable.")
  }
  shape <- check_shape(indicators, p, shares, check_number(noise, "noise", 0))
  delta <- check_delta(delta, zero = TRUE)
  prior <- plan_regression_prior(lower, upper, prior, p + 1L)
  unit <- check_number(noise, "noise", 0) / check_number(spread, "spread", 0)
  if (!is.null(interval)) {
    if (!is.null(shares) && (p > 1 || isTRUE(pairs))) {
      stop_input("shares", "NULL with `interval` and batches: the width is that of a number's slope",
                 describe(shares),
                 "That of a flag's is larger. `indicators` says how many there are.")
    }
    return(plan_regression_interval(n, p, epsilon, prior, spread, noise, interval, width, error, tau, pairs,
                                    shape))
  }
  check_no_width(width)
  if (!isFALSE(pairs)) stop_input("pairs", "left out without `interval`", describe(pairs))
  wanted <- check_plan(n, epsilon, error)
  if (!identical(tau, 0.5)) tau <- check_plan_taus(tau, wanted$n, p, wanted$epsilon, prior)
  plan <- function(n, epsilon) regression_errors(n, p, epsilon, delta, prior, unit, shape, tau)
  wanted <- sought_plan(wanted, function(n, epsilon) {
    errors <- plan(n, epsilon)
    reached <- errors$chosen & !errors$beyond & errors$error <= wanted$error &
      errors$failure <= planned_failure
    # of too few rows some errors are not known
    isTRUE(if (identical(tau, 0.5)) any(errors$chosen) && all(reached[errors$chosen]) else all(reached))
  }, less = "Ask for a larger error, or plan for fewer regressors or tighter limits.",
  rows = function(enough) search_count(enough, 4, .Machine$integer.max), budgets = c(1e-4, 1e3, 1 + 1e-3))
  rows <- plan(wanted$n, wanted$epsilon)
  structure(rows, class = c("regression_plan", "dp_plan", "data.frame"), assumed = c(noise, spread),
            after = failure_note(list(n = n, epsilon = epsilon), error, max(rows$error[rows$chosen], 0),
                                 wanted$n),
            plan = list(p = p, delta = delta, prior = prior, unit = unit, shape = shape, tau = tau))
}

plan_regression_prior <- function(lower, upper, prior, d) {
  if (is.null(prior) && is.null(lower) && is.null(upper)) return(prior_for(prior_dyadic(), d))
  if (is.null(prior)) {
    for (arg in c("lower", "upper")) {
      if (is.null(get(arg))) {
        stop_input(arg, "given with the other limit", "missing",
                   "Give both, or a `prior`, or none of them for a regression without limits.")
      }
    }
  }
  public_prior(prior, lower, upper, d)
}

# The methods with their errors of a slope. `unit`: the errors' spread over that of a regressor.
regression_errors <- function(n, p, epsilon, delta, prior, unit, shape = plain_shape, tau = 0.5) {
  if (!identical(tau, 0.5)) return(tau_errors(n, p, epsilon, tau, prior, unit, shape))
  half <- if (is_dyadic(prior)) dyadic_width * unit else stats::median(prior_units(prior)$half)
  failure <- exponential_failure(n, p, epsilon, half / unit)
  lost <- n * epsilon < min_budget || failure > most_failure
  wide <- if (is_dyadic(prior)) Inf else sqrt(mean(prior_units(prior)$wide^2))
  exact <- exact_regression_serves(n, p) && !(is_dyadic(prior) && p > length(dyadic_regression_rows))
  serves <- exact && !(is_dyadic(prior) && !dyadic_regression_serves(n, p, epsilon))
  batches <- batches_errors(n, p, epsilon, delta, prior, unit, wide, !serves)
  certain <- serves && draw_is_uncautioned(plan_terms(p))
  if (!is.null(batches)) batches$chosen <- !batches$beyond && !certain
  out <- data.frame(
    method = "exponential", guarantee = "pure", n = n, p = p,
    epsilon = epsilon, delta = 0, batches = NA_integer_,
    error = if (lost) wide else unit * exponential_error(n, p, epsilon),
    failure = failure, beyond = lost, chosen = serves && (certain || !any(batches$chosen))
  )
  out <- rbind(if (exact) out, batches)
  with_shares(out, shape, if (is_dyadic(prior)) dyadic_width else half / shape$noise, wide, is_dyadic(prior))
}

# The same of batches. `alone`: no other method is available.
batches_errors <- function(n, p, epsilon, delta, prior, unit, wide, alone) {
  out <- data.frame(
    method = "batches", guarantee = "pure", n = n, p = p, epsilon = epsilon, delta = 0, batches = NA_integer_,
    error = wide, failure = 1, beyond = TRUE, chosen = FALSE
  )
  if (n < 4 * (p + 2)) return(if (alone) out)
  choice <- choose_batches(n, p + 1, epsilon, delta, prior)
  pure <- choice$law == "exponential"
  serves <- choice$serves && n * epsilon >= min_budget
  if (!pure) {
    out$guarantee <- "approximate"
    out$delta <- delta
  }
  out$batches <- choice$batches
  if (serves || !pure) out$error <- unit * choice$error
  if (n * epsilon >= min_budget) out$failure <- choice$failure
  out$beyond <- !serves
  out
}

# Seconds of processor time that an exact draw takes for each row, by the number of regressors: rounded, of
# normal data with limits of +-50 and epsilon = 1, in one thread (data-raw/draw-seconds.R).
draw_seconds <- c(2e-5, 1e-4, 4e-4, 5e-3)

# Of two regressors; with more rows boxes give way to cuts by the rows, which take five times as long.
boxed_rows_most <- 70000

# What is said of a draw that takes longer than a second; NULL where there is none, and without limits, where
# none was timed.
seconds_text <- function(x) {
  p <- x$p[[1]]
  timed <- is.null(x$tau) && p <= length(draw_seconds) && !is_dyadic(attr(x, "plan")$prior)
  if (!timed || !any(x$method == "exponential" & x$chosen)) return(NULL)
  by_rows <- p == 2 && x$n[[1]] > boxed_rows_most
  seconds <- signif(x$n[[1]] * draw_seconds[[p]] * if (by_rows) 5 else 1, 1)
  if (seconds < 1) return(NULL)
  sprintf(paste("An exact draw takes about %s second%s of processor time for normal data, several times as",
                "long for skew data."), format(seconds, big.mark = ","), plural(seconds))
}

plan_shown.regression_plan <- function(x, digits) { # nolint: object_name_linter.
  assumed <- format(attr(x, "assumed")[[1]], digits = digits)
  spread <- format(attr(x, "assumed")[[2]], digits = digits)
  note <- ifelse(x$chosen, "<- auto", "")
  note[x$beyond] <- trimws(paste(note[x$beyond], "fails"))
  list(
    title = "Expected error of a slope", size = sprintf(", p = %s", grouped(x$p[[1]])),
    before = sprintf(paste(
      "error: root mean squared, sampling included, if errors are normal with standard deviation %s",
      "(`noise`) and regressors independent and normal with %s (`spread`)"
    ), assumed, spread),
    table = as.data.frame(optional = TRUE, c(
      if (!is.null(x$tau)) list(tau = each_text(x$tau, 7L)),
      list(method = x$method, guarantee = x$guarantee, delta = x$delta),
      if (is.null(x$tau)) list(batches = ifelse(is.na(x$batches), "", format(x$batches))),
      if (!is.null(x$share)) list(share = share_text(x$share)),
      list(error = each_text(x$error, digits), failure = percent_text(x$failure), " " = note)
    )),
    left = TRUE, after = regression_advice(x)
  )
}

regression_advice <- function(x) {
  finite <- all(is.finite(x$error))
  c(if (!is.null(x$share)) paste("share: of the rows that have a flag or a level, whose coefficient's error",
                                 "it is; empty for a number's slope"),
    if (!is.null(x$tau)) quantile_caution(x),
    seconds_text(x), attr(x, "after"),
    if (any(x$method == "exponential" & x$chosen) && !draw_is_uncautioned(plan_terms(x$p[[1]]))) {
      sprintf(paste("For some data an exact draw of %d coefficients practically does not end: see",
                    "dp_regression_exponential()."), x$p[[1]] + 1L)
    },
    if (!any(x$chosen) && (is.null(x$tau) || !finite)) paste0(
      if (finite) "Nothing that `auto` takes serves here: "
      else "Without limits so few rows give noise of any size: give `lower` and `upper`, or ",
      "leave `n` out and give `error`, to see how many rows serve."
    ),
    if (x$n[[1]] * x$epsilon[[1]] < min_budget) {
      with_point(sprintf("n epsilon is %s: below about %s every private regression fails.",
                         format(x$n[[1]] * x$epsilon[[1]], digits = 3), format(min_budget)))
    })
}

share_text <- function(share) ifelse(is.na(share), "", paste0(signif(100 * share, 2), "%"))

# -- pictures --------------------------------------------------------------------------------------

picture.regression_plan <- function(x, ...) { # nolint: object_name_linter.
  panels <- unname(panel_names(x$n[[1]], x$epsilon[[1]]))
  curves <- plan_curves(x)
  planned <- cbind(tidy(x), series = plan_series(x))[!x$beyond, ]
  layers <- lapply(panels, function(panel) {
    here <- curves[curves$facet == panel, ]
    list(rule(here$cliff[[1]], lty = 3, colour = "grey50", panel = panel),
         series_layers(unique(plan_series(x)), function(name, colour, lty, pch) {
           one <- here[here$method == name, ]
           at <- planned[planned$series == name, ]
           list(layer("lines", one$at, one$error, colour = colour, lty = lty, lwd = 2, key = name,
                      panel = panel),
                if (nrow(at) > 0) {
                  layer("points", if (panel == panels[[1]]) at$n else at$epsilon, at$error, colour = colour,
                        pch = pch, key = name, panel = panel)
                })
         }))
  })
  new_picture(layers, picture_axis(log = TRUE, free = TRUE), picture_axis("error of a slope", log = TRUE),
              sprintf("Expected error of a slope, p = %s", grouped(x$p[[1]])),
              "Points: the plan. Left of the dotted line every private regression fails.",
              panels = panels, below = TRUE)
}

# What a line stands for.
plan_series <- function(x) {
  name <- if (is.null(x$tau)) x$method else paste("tau =", vapply(x$tau, format, "", USE.NAMES = FALSE))
  if (is.null(x$share)) return(name)
  ifelse(is.na(x$share), name, paste0(name, ", share ", share_text(x$share)))
}

# The plan at a tenth of its n to ten times as many, and the same of epsilon: facet, at, method, error (NA
# where the method fails) and cliff, below which all fail.
plan_curves <- function(x) {
  plan <- attr(x, "plan")
  n <- x$n[[1]]
  epsilon <- x$epsilon[[1]]
  # a plan with a test takes longer
  steps <- 10^seq(-1, 1, length.out = if (plan$delta > 0) 13 else 31)
  rows <- unique(pmin(pmax(round(n * steps), 4), .Machine$integer.max))
  budgets <- epsilon * steps
  facets <- panel_names(n, epsilon)
  curve <- function(facet, at, n, epsilon, cliff) {
    errors <- regression_errors(n, plan$p, epsilon, plan$delta, plan$prior, plan$unit,
                                plan$shape, plan$tau)
    errors$method <- plan_series(errors)
    errors$error[errors$beyond] <- NA
    data.frame(facet = facet, at = at, errors[c("method", "error")], cliff = cliff)
  }
  out <- c(lapply(rows, function(v) curve(facets[[1]], v, v, epsilon, min_budget / epsilon)),
           lapply(budgets, function(v) curve(facets[[2]], v, n, v, min_budget / n)))
  out <- do.call(rbind, out)
  out$facet <- factor(out$facet, facets)
  out
}
