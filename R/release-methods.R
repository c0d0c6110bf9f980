# Methods of releases that statisticians expect: answers of a release, and refusals in words of the rest.

#' What a release does not hold
#'
#' `nobs()` is the number of rows, which is public. A release holds no measure of its error except a requested
#' interval: the usual measures are functions of the data and would cost budget. So `vcov()`, `sigma()`,
#' `logLik()`, `AIC()`, `BIC()`, `deviance()`, `anova()`, `terms()`, `residuals()`, `fitted()`, `formula()`
#' and `predict()` of a release without a regression and, without an interval, `confint()`,
#' `tidy(conf.int = TRUE)` and `predict(interval =)` are refused with an error of class `dpdepth_error_input`
#' that names an alternative. For releases by group ([dp_by()]) all of these are refused except `confint()`:
#' use each group's release, as in `nobs(x$releases$a)`.
#'
#' A release is not a sample: `mean()`, `median()`, `quantile()`, `range()`, `round()`, arithmetic,
#' comparisons and `c()` are refused, except `median()` and `quantile()` of releases of [dp_quantile()] and
#' [dp_ecdf()]. `coef()` and `as.numeric()` give the numbers; `as.character()`, `paste()` and inline code of a
#' knitr document give one line. `update()` is refused, also for plans: another draw spends the budget again.
#'
#' @param object A [`dp_release`][dp_release].
#' @param ... Ignored.
#' @return `nobs()`: a whole number, or `NA` where n is private. The others raise `dpdepth_error_input`.
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

# What likelihoods and fits of models have; all refused alike.
no_likelihood <- "a release has no likelihood: it is drawn by depth, with noise that protects the rows"

#' @rdname nobs.dp_release
#' @importFrom stats logLik
#' @export
logLik.dp_release <- function(object, ...) { # nolint: object_name_linter.
  refuse_method("logLik()", no_likelihood)
}

#' @rdname nobs.dp_release
#' @importFrom stats AIC
#' @export
AIC.dp_release <- function(object, ...) refuse_method("AIC()", no_likelihood) # nolint: object_name_linter.

#' @rdname nobs.dp_release
#' @importFrom stats BIC
#' @export
BIC.dp_release <- function(object, ...) refuse_method("BIC()", no_likelihood) # nolint: object_name_linter.

#' @rdname nobs.dp_release
#' @importFrom stats deviance
#' @export
deviance.dp_release <- function(object, ...) refuse_method("deviance()", no_likelihood)

#' @rdname nobs.dp_release
#' @importFrom stats anova
#' @export
anova.dp_release <- function(object, ...) {
  refuse_method("anova()", "a release holds no sums of squares", paste(
    "Releases of two models spend the budget twice; compare them on data that need no protection."
  ))
}

#' @rdname nobs.dp_release
#' @param x As `object`.
#' @importFrom stats terms
#' @export
terms.dp_release <- function(x, ...) {
  refuse_method("terms()", "a release holds no model frame, whose terms could hold data",
                "formula() of a regression gives its formula, coef() the names of its coefficients.")
}

#' @rdname nobs.dp_release
#' @export
predict.dp_release <- function(object, ...) {
  refuse_method("predict()", "this release has no regressors to predict from", "coef() gives the estimate.")
}

#' @rdname nobs.dp_release
#' @importFrom stats fitted
#' @export
fitted.dp_release <- function(object, ...) {
  refuse_method("fitted()", "this release has no regressors", "coef() gives the estimate.")
}

#' @rdname nobs.dp_release
#' @importFrom stats formula
#' @export
formula.dp_release <- function(x, ...) {
  refuse_method("formula()", "this release was made without a formula", "x$call is its call.")
}

refuse_method <- function(asked, why, instead = NULL) {
  stop_dpdepth("input", paste(c(sprintf("%s is not available: %s.", asked, why), instead), collapse = " "),
               arg = "object")
}
