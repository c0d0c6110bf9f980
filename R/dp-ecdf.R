# The private distribution function: what is released, what it says at any value, and pictures of it.

#' A private distribution function
#'
#' Releases the distribution function of one variable as a staircase, under pure epsilon-differential privacy,
#' with a confidence band for the population's whole distribution function. `predict()` gives the share of
#' rows up to any value and `quantile()` every quantile, with simultaneous intervals, for no further budget.
#'
#' @inheritParams dp_quantile
#' @param lower,upper Public bounds of the variable, in its units. They say where the steps can lie. The data
#'   may lie outside them.
#' @param band `NULL`, or the level of a simultaneous confidence band, such as 0.95. It costs nothing: the
#'   noise is the same without it.
#' @param resolution `NULL`, or the public step in which the variable is counted or measured, such as 1;
#'   or `"type"`, see [dp_median()]. The function is then that of the variable rounded to it.
#' @param spread `NULL`, or the least standard deviation that the variable may have, in its units, as you know
#'   it without looking at the data. It determines whether the points need a centre, see Wide limits.
#' @details
#' **Points.** m points are drawn as [dp_quantile()] draws quantiles 1/(m + 1), ..., m/(m + 1). From
#' `n * epsilon = 2200` on m is the whole part of (n epsilon_2/5)^(2/3), at most 999, and the points take 0.4
#' of epsilon; below, it is that of (n epsilon_2/7)^(2/3), and they take 0.45. epsilon_2 is the rest: 0.6 or
#' 0.55 of epsilon. More points make the steps finer and the noise larger.
#'
#' **Wide limits.** Between limits of more than 1000 spreads points would run off into the space without rows.
#' Then a part of epsilon finds a private centre by ranks, and a scale: the median distance from it, rounded
#' to a power of two. The points are drawn from shells of doubling width about them. The band's height then
#' hardly depends on the limits. Centre and scale take about (4 log(width/spread) + 70)/(n epsilon) of epsilon
#' (`details$shares`), and at most 0.6 of it: with fewer rows there is no centre. Without `spread`, limits are
#' assumed to be 2^27 spreads wide (or one spread per step of `resolution`), and the part is at most 0.4. If
#' limits are tight, give a `spread`: that part then goes to the points. `details$resolves` is the least
#' spread that a centre serves. Without a centre it is a spread for which fewer than 1 in 100 of the points
#' between the quantiles 0.1 and 0.9 are far off.
#'
#' **Counts.** epsilon_2 pays for the numbers of rows at or below each point. Their noise is a random bridge:
#' whole numbers eta_1, ..., eta_m with probability proportional to `exp(-epsilon_2/2 * sum |eta_j -
#' eta_(j-1)|)`, which begins and ends in 0. A replaced row leaves one gap between points and enters another,
#' which this covers. The noise grows as the root of m only. The draws are exact.
#'
#' **Band.** The band misses the population's function anywhere with probability at most 1 - `band`, whatever
#' the distribution of the rows, if these are independent draws from it. Sampling (by Massart's inequality)
#' and noise (by its exact distribution) are accounted for. Its limits are staircases too. In simulations of a
#' normal distribution at 0.95 and epsilon = 1 its mean height was 0.176 with 1000 rows and 0.065 with 5000,
#' between limits from 20 to 10 million spreads on each side.
#'
#' The released values do not decrease: they are the nondecreasing numbers nearest to the noisy counts.
#' @return A [`dp_release`][dp_release] of class `dp_ecdf`, `guarantee = "pure"`. `estimate` has the
#'   function's values at the points `details$at`, which increase; `interval` the band there;
#'   `details$half_width` the band's half width at a point. `tidy()` gives one row per point.
#' @inheritSection dp_median Errors
#' @section Warnings: If n, epsilon and the limits alone imply that the limits are too wide for a given
#'   `spread`, or that the band is higher than one half, a warning of class `dpdepth_warning_accuracy` says so
#'   before anything is spent.
#' @references
#' Gillenwater, J., Joseph, M. and Kulesza, A. (2021). Differentially private quantiles. *ICML* (the points).
#' \doi{10.48550/arXiv.2102.08244}
#'
#' Massart, P. (1990). The tight constant in the Dvoretzky-Kiefer-Wolfowitz inequality. *Annals of
#' Probability* 18, Theorem 1. \doi{10.1214/aop/1176990746}
#' @examples
#' waits <- dp_ecdf(faithful$waiting, epsilon = 2, lower = 0, upper = 200,
#'                  band = 0.95, resolution = 1)
#' waits
#' # durations, between very wide limits
#' dp_ecdf(faithful$eruptions, epsilon = 2, lower = 0, upper = 1e6, spread = 0.1)
#' plot(waits)
#' # the share of waits up to an hour, and the quartiles
#' predict(waits, 60, interval = "confidence")
#' quantile(waits, c(0.25, 0.5, 0.75), interval = "confidence")
#' @seealso [plan_ecdf()] before the data are looked at; [predict.dp_ecdf()]; [dp_quantile()] for a few
#'   quantiles.
#' @export
dp_ecdf <- function(x, epsilon, lower = NULL, upper = NULL, prior = NULL, band = NULL, resolution = NULL,
                    spread = NULL, ..., id = NULL, ledger = NULL, rng = NULL, na = "fail") {
  release_by(ecdf_mechanism(), door_call())
}

ecdf_mechanism <- function() {
  new_mechanism(
    plan_steps, draw_steps, neighbours = "substitution",
    read = function(given) one_variable(read_rows(given)),
    ready = function(rows, plan) {
      check_many_rows(rows, 2)
      rows
    }
  )
}

plan_steps <- function(facts, given) {
  band <- if (!is.null(given$band)) check_band_level(given$band)
  spread <- if (!is.null(given$spread)) check_number(given$spread, "spread", 0)
  limits <- quantile_prior(given$prior, given$lower, given$upper, given$resolution, facts)
  plan <- ecdf_plan(facts$n, given$epsilon, band, limits, spread)
  c(plan, list(
    label = "distribution function", class = "dp_ecdf",
    mechanism = paste0("exponential mechanism over the gaps' ranks for the points",
                       if (is_centred(plan)) " about a private centre",
                       ", and counts with a bridge of discrete Laplace noise"),
    warn = function(said) warn_ecdf(facts$n, plan, said)
  ))
}

# PRIVATE: rows.
draw_steps <- function(rows, plan, source) {
  drawn <- draw_ecdf(rows, plan, source)
  list(estimate = drawn$estimate, terms = sprintf("F(%s)", format(drawn$at, digits = 7, trim = TRUE)),
       interval = drawn$band, details = list(at = drawn$at))
}

# PRIVATE: x. The parts compose: centre and scale if there are any, points, then counts at them.
draw_ecdf <- function(x, plan, source) {
  points <- plan$points
  prior <- if (is_centred(plan)) draw_centred_prior(x, plan, source) else points$prior
  at <- draw_quantiles(x, points$sorted, prior, points$budget$each, points$levels, source, 1L,
                       if (!is_centred(plan)) points$resolution)[1, ]
  if (is_centred(plan)) at <- within_support(at, points)
  noisy <- counts_below(x, at, points$resolution) + draw_bridge(plan$m, plan$counts, source)
  ecdf_staircase(at, noisy, nrow(x), plan$t)
}

# Before the debit, from public numbers.
warn_ecdf <- function(n, plan, said) {
  numbers <- sprintf("n = %s and epsilon = %s", said$rows(n), format(said$epsilon, digits = 4))
  if (!is_centred(plan) && isTRUE(plan$spread < plan$centre$serves)) {
    warn_resolved(plan$resolved, n, numbers, what = "the outermost points",
                  mends = "More rows, a larger epsilon or tighter limits would help; see plan_ecdf()",
                  from = 0)
  }
  if (is.null(plan$t) || 2 * plan$t < n / 2) return(invisible(NULL))
  warn_dpdepth("accuracy", sprintf(paste(
    "With %s the band is higher than one half and says little. It covers all the same.",
    "Take more rows or a larger `epsilon`; see plan_ecdf()."
  ), numbers))
}

#' @rdname dp_release
#' @export
format.dp_ecdf <- function(x, digits = 7L, ...) {
  k <- length(x$estimate)
  shown <- unique(round(seq(1, k, length.out = min(k, 9))))
  table <- cbind(at = x$details$at, estimate = unname(x$estimate), x$interval)[shown, , drop = FALSE]
  rownames(table) <- rep_len("", nrow(table))
  lines <- utils::capture.output(print(table, digits = digits))
  more <- if (length(shown) < k) sprintf("  (%d of %d points; tidy() has all)", length(shown), k)
  release_lines(x, lines, more)
}

#' @rdname dp_release
#' @export
tidy.dp_ecdf <- function(x, ...) {
  check_dots(c("conf.int", "conf.level"), "tidy()")
  frame <- data.frame(term = release_terms(x), at = x$details$at, estimate = unname(x$estimate))
  with_limits(frame, x, ...)
}

#' Values and quantiles of a private distribution function
#'
#' `predict()` gives the released function at any values, `quantile()` its inverse at any probabilities,
#' `as.function()` an R function. (`plot()` and `autoplot()` draw a staircase with its band.) Nothing is
#' spent: all are functions of what was released, and the intervals hold together, for all values and
#' probabilities.
#'
#' @param object,x A release by [dp_ecdf()].
#' @param newdata Values at which the function is wanted: finite numbers.
#' @param probs Probabilities whose quantiles are wanted.
#' @param interval `"none"`, or `"confidence"` for limits as well, if a band was released.
#' @param ... Must be empty.
#' @details
#' The function is constant between the released points and steps at them, and 0 before the first. Between two
#' points the population's lies between the values of both, up to the band. A quantile is the least released
#' point at which the function has reached the probability, and `Inf` where it does not reach it.
#' @return `predict()` and `quantile()`: a vector, or with limits a matrix with columns `fit`, `lwr` and
#'   `upr`. A bad argument raises `dpdepth_error_input` (see [dpdepth-errors]).
#' @examples
#' waits <- dp_ecdf(faithful$waiting, epsilon = 2, lower = 0, upper = 200,
#'                  band = 0.95, resolution = 1)
#' predict(waits, c(50, 60, 70), interval = "confidence")
#' quantile(waits, 0.9)
#' @name predict.dp_ecdf
NULL

#' @rdname predict.dp_ecdf
#' @export
predict.dp_ecdf <- function(object, newdata, interval = c("none", "confidence"), ...) {
  check_dots(character(), "predict()")
  interval <- check_choice(interval, c("none", "confidence"), "interval")
  if (missing(newdata)) stop_input("newdata", "given: values at which the function is wanted", "missing")
  v <- as.vector(check_points(newdata, 1L, "newdata"))
  at <- object$details$at
  i <- findInterval(v, at)
  fit <- c(0, unname(object$estimate))[i + 1]
  if (interval == "none") return(fit)
  check_band(object, "predict(interval = \"confidence\")")
  ends <- band_between(object)
  hit <- v %in% at
  upper <- ends$upper[i + 1]
  upper[hit] <- unname(object$interval[i[hit], "conf.high"])
  cbind(fit = fit, lwr = ends$lower[i + 1], upr = upper)
}

check_band <- function(x, asked) {
  if (!is.null(x$interval)) return(invisible(x))
  refuse_method(asked, "the release has no band: none was asked for",
                "Ask for it when releasing, as in dp_ecdf(band = 0.95): it costs nothing there.")
}

#' @rdname predict.dp_ecdf
#' @importFrom stats quantile
#' @export
quantile.dp_ecdf <- function(x, probs = c(0.25, 0.5, 0.75), interval = c("none", "confidence"), ...) {
  check_dots(character(), "quantile()")
  interval <- check_choice(interval, c("none", "confidence"), "interval")
  probs <- check_probs(probs)
  at <- x$details$at
  reached <- function(values) c(at, Inf)[1 + rowSums(outer(probs, unname(values), ">"))]
  fit <- stats::setNames(reached(x$estimate), quantile_names(probs))
  if (interval == "none") return(fit)
  check_band(x, "quantile(interval = \"confidence\")")
  below <- rowSums(outer(probs, unname(x$interval[, "conf.high"]), ">"))
  out <- cbind(fit = fit, lwr = c(-Inf, at)[1 + below], upr = reached(x$interval[, "conf.low"]))
  rownames(out) <- names(fit)
  out
}

#' @rdname predict.dp_ecdf
#' @export
as.function.dp_ecdf <- function(x, ...) released_function(x)

# The function's environment holds the release and nothing else.
released_function <- function(release) {
  force(release)
  function(v) predict.dp_ecdf(release, v)
}

# The band before the first point, between neighbours, and after the last.
band_between <- function(x) {
  list(lower = c(0, unname(x$interval[, "conf.low"])), upper = c(unname(x$interval[, "conf.high"]), 1))
}

# A row each stretch between points: where it begins and ends, the function, the band.
ecdf_frame <- function(x) {
  at <- x$details$at
  room <- max(diff(range(at)), 2^-20 * max(abs(at)), .Machine$double.xmin) / 20
  frame <- data.frame(from = c(at[[1]] - room, at), to = c(at, at[[length(at)]] + room),
                      estimate = c(0, unname(x$estimate)))
  if (is.null(x$interval)) return(frame)
  cbind(frame, band_between(x))
}

picture.dp_ecdf <- function(x, ...) { # nolint: object_name_linter.
  frame <- ecdf_frame(x)
  new_picture(list(
    if (!is.null(frame$lower)) {
      layer("bars", frame$from, frame$lower, xend = frame$to, yend = frame$upper, fill = band_colour,
            colour = NA)
    },
    layer("lines", as.vector(rbind(frame$from, frame$to)), rep(frame$estimate, each = 2))
  ), picture_axis("value"), picture_axis("share of rows up to it", limits = c(0, 1)), plot_title(x),
  paste0(with_point(guarantee_name(x)),
         if (!is.null(x$interval)) sprintf("; %s%% band", format(100 * x$details$level))))
}

printed_details.dp_ecdf <- function(x) x$details[names(x$details) != "at"] # nolint: object_name_linter.
