# Methods of private regressions beyond those of every release.

#' Predictions of a private regression
#'
#' `predict()` is post-processing of the released coefficients, and as private as the release. `fitted()` and
#' `residuals()` need the data again, because a release holds none, and their results are not private.
#'
#' @param x,object A release by [dp_regression()].
#' @param newdata A data frame with the regressors. Factors may be given as text; their values must be among
#'   the levels of the release.
#' @param data The data of the release, with the response for `residuals()`.
#' @param interval `"none"`, or `"confidence"` for the limits of predictions, of a release with
#'   [`interval`][dp_regression]: they cover the true line at all rows of `newdata` together, as surely as the
#'   release covers its coefficients. They are narrowest between the points `at` of the release. With several
#'   regressors the release must be one of [dp_regression_batches()] with `simultaneous = TRUE`, whose limits
#'   follow from those of the coefficients and are wide, or with `at`.
#' @param level The level of the limits, which must be that of the release.
#' @param ... Of `predict()`: `se.fit` and `type` may be given as for other fits, but must ask for nothing
#'   more than predictions, since a release holds no standard errors. Otherwise ignored.
#' @return `coef()`: the coefficients; of several quantiles a matrix, one column per quantile. `tidy()`: a
#'   data frame of a row for each coefficient with columns `term`, `estimate` and, for quantiles, `tau`;
#'   `glance()` has one row, as for every [release][dp_release]. `predict()`: a numeric vector, one value per
#'   row of `newdata` (`NA` where it has missing values, or the release failed); of several quantiles a
#'   matrix, one column per quantile, each row in increasing order; with limits a matrix of the columns `fit`,
#'   `lwr` and `upr`, of several quantiles an array with one such matrix for each, the lines as they were
#'   drawn. `fitted()` and `residuals()`: an object of class [`nonprivate`][nonprivate] whose `value` is such
#'   a vector or matrix. A bad argument raises `dpdepth_error_input` (see [dpdepth-errors]).
#' @examples
#' fit <- dp_regression(dist ~ speed, cars, epsilon = 2, lower = c(-50, 0),
#'                      upper = c(50, 10))
#' predict(fit, data.frame(speed = c(10, 20)))
#' residuals(fit, cars)
#' @importFrom stats predict
#' @export
predict.dp_regression <- function(object, newdata, interval = "none", ...,
                                  level = object$details$level) {
  check_predict(...)
  interval <- check_choice(interval, c("none", "confidence"), "interval")
  if (interval == "confidence") check_interval_level(object, level, "predict(interval =)", "level")
  if (missing(newdata) || is.null(newdata)) {
    stop_input("newdata", "given: a release holds no data to predict for", "missing")
  }
  rows <- predict_rows(object, newdata, arrange = interval == "none")
  if (interval == "none") return(rows$fit)
  limits <- prediction_limits(object, rows$x)
  if (is.null(limits)) {
    refuse_method("predict(interval =)",
                  "each interval of this release covers by itself, and predictions take all of them",
                  paste("Limits of predictions come from dp_regression_batches(interval = , simultaneous =",
                        "TRUE), or from `at` there, for which another release is to be paid."))
  }
  if (!is.matrix(rows$fit)) return(cbind(fit = rows$fit, lwr = limits[, 1], upr = limits[, 2]))
  names <- list(rownames(rows$fit), c("fit", "lwr", "upr"), colnames(rows$fit))
  aperm(array(c(rows$fit, limits), c(dim(rows$fit), 3), names[c(1, 3, 2)]), c(1, 3, 2))
}

#' @rdname predict.dp_regression
#' @importFrom stats fitted
#' @export
fitted.dp_regression <- function(object, data, ...) {
  if (missing(data) || is.null(data)) stop_input("data", "given: a release holds none", "missing")
  new_nonprivate(predict_rows(object, data, arg = "data")$fit, what = "fitted values at the data")
}

#' @rdname predict.dp_regression
#' @importFrom stats residuals
#' @export
residuals.dp_regression <- function(object, data, ...) {
  if (missing(data) || is.null(data)) stop_input("data", "given: a release holds none", "missing")
  rows <- predict_rows(object, data, response = TRUE, arg = "data")
  new_nonprivate(rows$y - rows$fit, what = "residuals of the data")
}

# `arrange`: predictions of several quantiles in increasing order.
predict_rows <- function(object, newdata, response = FALSE, arg = "newdata", arrange = TRUE) {
  rows <- new_rows(object$details, newdata, response, arg)
  # by place: the formula fixes the columns' order, and names need not be unique
  design <- if (rows$intercept) cbind(rep_len(1, nrow(rows$x)), rows$x) else rows$x
  tau <- object$details$tau
  fit <- design %*% matrix(object$estimate, ncol(design))
  if (length(tau) <= 1) {
    return(list(fit = stats::setNames(as.vector(fit), rownames(newdata)), y = rows$y, x = rows$x))
  }
  if (arrange) fit[] <- t(apply(fit, 1, sort, na.last = TRUE))
  dimnames(fit) <- list(rownames(newdata), paste("tau =", vapply(tau, format, "")))
  list(fit = fit, y = rows$y, x = rows$x)
}

#' @rdname predict.dp_regression
#' @importFrom stats coef
#' @export
coef.dp_regression <- function(object, ...) {
  tau <- object$details$tau
  if (length(tau) <= 1) return(object$estimate)
  terms <- sub(", tau [^,]*$", "", names(object$estimate))
  size <- length(object$estimate) / length(tau)
  labels <- paste("tau =", vapply(tau, format, ""))
  matrix(object$estimate, size, dimnames = list(terms[seq_len(size)], labels))
}

#' @rdname predict.dp_regression
#' @export
tidy.dp_regression <- function(x, ...) {
  check_dots(c("conf.int", "conf.level"), "tidy()")
  tau <- x$details$tau
  if (is.null(tau)) return(tidy.dp_release(x, ...))
  out <- data.frame(term = release_terms(x), estimate = unname(x$estimate), tau = rep_len(tau, 1))
  if (length(tau) > 1) {
    out$term <- rep(rownames(coef(x)), length(tau))
    out$tau <- rep(tau, each = nrow(coef(x)))
  }
  with_limits(out, x, ...)
}

#' @importFrom stats formula
#' @export
formula.dp_regression <- function(x, ...) stats::as.formula(x$details$formula, env = baseenv())

printed_details.dp_regression <- function(x) { # nolint: object_name_linter.
  details <- x$details
  if (!is.matrix(details$region)) return(details)
  names(details)[names(details) == "region"] <- "limits at"
  details[["limits at"]] <- point_limits_text(details[["limits at"]])
  details
}

number_noun.dp_regression <- function(x) "coefficient" # nolint: object_name_linter.
