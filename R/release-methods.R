# Methods of releases that statisticians look for: what a release can say, and refusals in words of the rest.

#' What a release does not hold
#'
#' `nobs()` is the number of rows, which is public. A release holds no measure of its error but the interval
#' that was asked for: the usual ones are functions of the data and would have to be bought with some of the
#' budget. So `vcov()`, `sigma()`, `residuals()` of a median, `predict()` of a median and, without an
#' interval, `confint()`, `tidy(conf.int = TRUE)` and `predict(interval =)` are refused with an error of class
#' `dpdepth_error_input` that says what there is instead.
#'
#' @param object A [`dp_release`][dp_release].
#' @param ... Ignored.
#' @return `nobs()`: a whole number, or `NA` where it was not told. The others raise `dpdepth_error_input`.
#' @examples
#' release <- dp_median(faithful, epsilon = 1, lower = 0, upper = c(10, 180))
#' nobs(release)
#' tryCatch(vcov(release), error = conditionMessage)
#' @importFrom stats nobs
#' @export
nobs.dp_release <- function(object, ...) object$n

#' @rdname nobs.dp_release
#' @importFrom stats vcov
#' @export
vcov.dp_release <- function(object, ...) {
  refuse_method("vcov()", paste("a release holds no covariances: those of its noise may depend on the data,",
                                "and those of sampling are functions of the data"))
}

#' @rdname nobs.dp_release
#' @importFrom stats sigma
#' @export
sigma.dp_release <- function(object, ...) {
  refuse_method("sigma()", "the spread of the data was not released")
}

#' @rdname nobs.dp_release
#' @export
residuals.dp_release <- function(object, ...) {
  refuse_method("residuals()", "a release holds no data",
                "With the data at hand, subtract coef() of the release.")
}

#' @rdname nobs.dp_release
#' @export
predict.dp_release <- function(object, ...) {
  refuse_method("predict()", "a median has no regressors to predict from", "coef() gives the estimate.")
}

refuse_method <- function(asked, why, instead = NULL) {
  stop_dpdepth("input", paste(c(sprintf("%s is not available: %s.", asked, why), instead), collapse = " "),
               arg = "object")
}
