# Methods of releases that statisticians look for: what a release can say, and refusals in words of the rest.

#' What a release does not hold
#'
#' `nobs()` is the number of rows, which is public. A release holds no measure of its error: the usual
#' ones are functions of the data and would have to be bought with some of the budget. So `vcov()`,
#' `sigma()`, `logLik()`, `AIC()`, `BIC()`, `deviance()`, `anova()`, `terms()`, `residuals()` of a median,
#' `predict()` of a median, `tidy(conf.int = TRUE)` and
#' `predict(interval =)` are refused with an error of class `dpdepth_error_input` that says what there is
#' instead.
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
  refuse_method("predict()", "a median has no regressors to predict from", "coef() gives the estimate.")
}

# Intervals are refused, whatever asks for them.
refuse_interval <- function(asked, why = "it holds no measure of its error") {
  refuse_method(asked, sprintf("there is no confidence interval for this release: %s", why), paste(
    "Simulate the release on made-up data of the same shape, with rng = \"R\",",
    "to see how far it is from the truth; plan_median() and plan_regression() say what error to expect."
  ))
}

refuse_method <- function(asked, why, instead = NULL) {
  stop_dpdepth("input", paste(c(sprintf("%s is not available: %s.", asked, why), instead), collapse = " "),
               arg = "object")
}

# The arguments that tidy() of other fits takes.
check_tidy <- function(conf.int = FALSE, conf.level = NULL, ...) { # nolint: object_name_linter.
  if (!identical(conf.int, FALSE)) refuse_interval("tidy(conf.int = TRUE)")
}
