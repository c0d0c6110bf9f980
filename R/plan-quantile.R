# The planned error of private quantiles, in ranks and in the variable's units: public numbers.

#' Plan private quantiles
#'
#' Computes the error that [dp_quantile()] is expected to add to the sampling error of each quantile, in ranks
#' and in the variable's units, and whether the budget suffices at all. It uses public numbers only, no data.
#'
#' @inheritParams dp_quantile
#' @param n The number of rows, or `NULL` for the smallest one that gives `error`.
#' @param epsilon The privacy budget, or `NULL` for the smallest one that gives `error`.
#' @param lower,upper,prior Public limits or a prior, as in [dp_quantile()].
#' @param spread A guess at the standard deviation of the variable, in its units; `NULL` for a twentieth of
#'   the bounds' width, or of a normal prior's standard deviation, or, with [prior_dyadic()], 1. It must not
#'   be taken from the data.
#' @param error The largest error wanted, in ranks divided by n, when `n` or `epsilon` is sought: 0.01 for
#'   quantiles that are one per cent of the rows off.
#' @param interval `NULL`, or the level of a confidence interval of each quantile, such as 0.95: the plan is
#'   then that of their widths, see [interval_plan].
#' @param width With `interval`, the largest mean width wanted, when `n` or `epsilon` is sought.
#' @details
#' **Error.** `rank` is the root mean squared number of rows by which privacy moves the quantile. The path of
#' the draw's errors in ranks is a random bridge of discrete Laplace steps at rate epsilon/4 for the
#' quantiles drawn at once, and those drawn later between them add to what they inherit. For one quantile it
#' is 2 sqrt(2)/epsilon. `error` is `rank`, and what uneven distances between rows add, divided by n f, f
#' being the normal density at the quantile with standard deviation `spread`; `sampling`, sqrt(p (1 -
#' p)/n)/f, is the quantile's own error without privacy. The formulas are for large n, for values that are
#' dense about the quantile and for probabilities not too near 0 and 1. In simulations with 10/epsilon rows
#' and more between neighbouring quantiles, errors were within a fifth of them.
#'
#' `failure` is the chance that one of the quantiles lies more than five spreads off, for normal data: with
#' few rows beyond the first or the last one a draw may be noise as wide as the limits. Where it is above
#' 1/1000, `beyond` is `TRUE` and `error` that of the limits. The `n` or `epsilon` found for an `error` is
#' the least with which `failure` is at most 1/2000. Where many rows tie, wide limits make failures more
#' likely than planned: give [dp_quantile()] the `resolution` of counts and of values with many zeros. A
#' release says which spreads it resolves, see [plan_median()].
#' @return A data frame of class `quantile_plan`, a row for each of `probs` in increasing order: `prob`, `n`,
#'   `epsilon`, `delta`, `rank`, `error`, `sampling`, `failure` and `beyond`. `tidy()` gives it as a plain
#'   data frame.
#' @section Errors:
#' `dpdepth_error_input` (see [dpdepth-errors]) for numbers outside their ranges, for other than two of `n`,
#' `epsilon` and what is wanted (`error` or `width`), and for one that no `n` or `epsilon` reaches.
#' @seealso [dp_quantile()], [plan_median()]; [interval_plan] for intervals.
#' @examples
#' plan_quantile(n = 1000, probs = 1:9 / 10, epsilon = 1, lower = 0, upper = 100,
#'               spread = 10)
#'
#' # how many rows for quartiles that are one per cent of the rows off?
#' plan_quantile(probs = 1:3 / 4, epsilon = 0.5, lower = 0, upper = 120,
#'               error = 0.01)$n[1]
#' @export
plan_quantile <- function(n = NULL, probs = c(0.25, 0.5, 0.75), epsilon = NULL, delta = 0, lower = NULL,
                          upper = NULL, prior = NULL, spread = NULL, error = NULL, interval = NULL,
                          width = NULL, ...) {
  check_given()
  if (is_grid(n, epsilon)) return(plan_grid(n, epsilon, match.call(), parent.frame()))
  probs <- sort(unique(check_probs(probs)))
  delta <- check_delta(delta, zero = TRUE)
  prior <- public_prior(prior, lower, upper, 1, instead = "prior_dyadic() is one without limits")
  if (!is.null(spread)) spread <- check_number(spread, "spread", 0)
  if (!is.null(interval)) {
    return(plan_quantile_interval(n, probs, epsilon, prior, spread, interval, width, error))
  }
  check_no_width(width)
  wanted <- check_plan(n, epsilon, error)
  check_rank_error(error, probs)
  wanted <- sought_plan(wanted, function(n, epsilon) {
    plan <- quantile_errors(n, probs, epsilon, delta, prior, spread)
    plan$failure[[1]] <= planned_failure && max(plan$rank) <= wanted$error * n
  }, less = "Ask for a larger error, or plan for fewer or less extreme quantiles.",
  rows = function(enough) search_minimum(enough, 0.5, .Machine$integer.max, 1 + 1e-4),
  budgets = c(1e-6 * length(probs), 1e3, 1 + 1e-4))
  rows <- quantile_errors(wanted$n, probs, wanted$epsilon, delta, prior, spread)
  set <- failure_note(list(n = n, epsilon = epsilon), error, max(rows$rank) / wanted$n, wanted$n)
  structure(rows, class = c("quantile_plan", "dp_plan", "data.frame"),
            assumed = assumed_spread(prior, spread),
            after = c(set, ties_note(prior, spread, "dp_quantile()")))
}

# No draw is farther off.
check_rank_error <- function(error, probs) {
  most <- max(probs, 1 - probs)
  if (is.null(error) || error < most) return(invisible(NULL))
  stop_input("error",
             sprintf("below %s, in ranks divided by n: no quantile can be farther off", format(most)),
             format(error), "0.01 is for quantiles that are one per cent of the rows off.")
}

quantile_errors <- function(n, probs, epsilon, delta, prior, spread = NULL) {
  levels <- quantile_levels(length(probs), epsilon)
  budget <- quantile_budget(epsilon, delta, levels$share)
  each <- check_level_epsilon(budget$each, epsilon)
  rank <- sqrt(diag(rank_covariance(length(probs), each, levels, probs)))
  unit <- prior_units(prior, spread)$spread
  f <- stats::dnorm(stats::qnorm(probs)) / unit
  failure <- rank_failure(n, probs, each, levels)(prior_line(prior, spread))
  beyond <- failure > most_failure
  wide <- prior_units(prior, spread)$wide
  error <- sqrt(rank^2 + gap_variance(each[[length(each)]])) / (n * f)
  data.frame(prob = probs, n = n, epsilon = epsilon, delta = budget$delta, rank = rank,
             error = if (beyond) wide else pmin(error, wide), sampling = sqrt(probs * (1 - probs) / n) / f,
             failure = failure, beyond = beyond)
}

# Is that more likely than a plan takes?
quantile_fails <- function(n, probs, each, levels, prior, spread = NULL) {
  rank_failure(n, probs, each, levels)(prior_line(prior, spread)) > most_failure
}

# Covariances of the errors in ranks: in a node they are a bridge's, and what lies between two quantiles
# inherits of theirs in proportion.
rank_covariance <- function(m, each, levels, probs) {
  if (m == 1) return(matrix(8 / each^2))
  out <- matrix(0, m + 2, m + 2) # places 0..m + 1, of which the first and the last have no error
  at <- c(0, probs, 1)
  for (node in quantile_tree(m, levels)) {
    ends <- c(node$left, node$right) + 1L
    places <- node$order + 1L
    share <- (at[places] - at[[ends[[1]]]]) / (at[[ends[[2]]]] - at[[ends[[1]]]])
    weights <- cbind(1 - share, share)
    known <- out[ends, , drop = FALSE]
    inherited <- weights %*% out[ends, ends] %*% t(weights)
    out[places, ] <- weights %*% known
    out[, places] <- t(out[places, , drop = FALSE])
    out[places, places] <- inherited + bridge_covariance(length(places)) * (4 / each[[node$level]])^2
  }
  out[1 + seq_len(m), 1 + seq_len(m)]
}

# A walk of k + 1 Laplace steps of scale one that comes back to 0: its covariances after 1..k steps. The
# variances by convolution on a lattice; the correlations are those of a Gaussian bridge.
bridge_covariance <- function(k) {
  remembered(bridges_found, sprintf("%d", as.integer(k)), new_bridge_covariance(k))
}

# By k: searches for n ask for the same ones again and again.
bridges_found <- new.env(parent = emptyenv())

new_bridge_covariance <- function(k) {
  width <- 0.1
  at <- seq(-60, 60, by = width)
  step <- exp(-abs(at))
  step <- step / sum(step)
  law <- list(step)
  for (j in seq_len(k)) {
    wide <- stats::convolve(law[[j]], step, type = "open")
    law[[j + 1]] <- pmax(wide[length(at) %/% 2 + seq_along(at)], 0)
  }
  sd <- vapply(seq_len(k), function(j) {
    p <- law[[j]] * law[[k + 1 - j]]
    sqrt(sum(at^2 * p) / sum(p))
  }, 0)
  place <- seq_len(k) / (k + 1)
  gauss <- outer(place, place, function(a, b) pmin(a, b) * (1 - pmax(a, b)))
  stats::cov2cor(gauss) * outer(sd, sd)
}

plan_shown.quantile_plan <- function(x, digits) { # nolint: object_name_linter.
  list(
    title = sprintf("Expected error that privacy adds to %d quantile%s", nrow(x), plural(nrow(x))),
    before = c(
      sprintf(paste(
        "rank: root mean squared, in rows; error: the same in the variable's units, beside the sampling",
        "error, if the data are normal with %s"
      ), attr(x, "assumed")),
      if (x$beyond[[1]]) "The outermost quantiles may be noise as wide as the limits: few rows lie beyond."
    ),
    table = data.frame(prob = quantile_names(x$prob), rank = each_text(x$rank, digits),
                       error = each_text(x$error, digits), sampling = each_text(x$sampling, digits)),
    after = c(sprintf("failure: %s, that one of them lies more than five spreads off",
                      percent_text(x$failure[[1]])), attr(x, "after"))
  )
}

picture.quantile_plan <- function(x, ...) { # nolint: object_name_linter.
  sizes <- list(privacy = x$error, sampling = x$sampling)
  layers <- series_layers(names(sizes), function(name, colour, lty, pch) {
    list(layer("lines", x$prob, sizes[[name]], colour = colour, lty = lty, key = name),
         layer("points", x$prob, sizes[[name]], colour = colour, pch = pch, key = name))
  })
  new_picture(list(rule(y = 0, colour = "grey85"), layers), picture_axis("probability"),
              picture_axis("error"),
              sprintf("Error by quantile: n = %s, epsilon = %s", grouped(x$n[[1]]),
                      format(x$epsilon[[1]], digits = 3)))
}
