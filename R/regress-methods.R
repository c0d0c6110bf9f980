# Methods of regress_deepest() and regress_medsweep(); coef(), residuals(), fitted() and formula()
# are R's own, which find what they look for.

fit_title <- function(x) {
  if (inherits(x, "regress_deepest")) "Deepest regression" else "Medsweep regression"
}

# How the fit was found.
fit_note <- function(x) {
  n <- length(x$residuals)
  if (inherits(x, "regress_deepest")) {
    return(paste(depth_note(x, n), if (!x$exact) along_note(x), sep = if (x$exact) "" else "\n"))
  }
  sprintf("%d rows; %s after %d round%s of sweeps.", n,
          if (x$converged) "converged" else "NOT converged", x$iterations, if (x$iterations == 1) "" else "s")
}

# Quantiles have no number of rows: theirs weigh differently.
depth_note <- function(x, n) {
  kind <- if (x$exact) "line" else "fit"
  fits <- if (x$candidates == 1) paste("one", kind) else sprintf("%d %ss", x$candidates, kind)
  if (x$tau == 0.5) {
    sprintf("Regression depth %d of %d rows (%.3f), reached by %s through rows.", round(x$depth * n), n,
            x$depth, fits)
  } else {
    sprintf("Weighted regression depth %.3f for tau = %s with %d rows, reached by %s through rows.", x$depth,
            format(x$tau), n, fits)
  }
}

along_note <- function(x) {
  sprintf("Depth along %d directions: an upper bound of the fit's; a deeper fit may exist.", x$directions)
}

#' @export
print.dpdepth_fit <- function(x, digits = max(3L, getOption("digits") - 3L), ...) {
  cat(fit_title(x), ": ", paste(deparse(x$call), collapse = "\n"), "\n\n", sep = "")
  print(format(x$coefficients, digits = digits), quote = FALSE)
  cat("\n", fit_note(x), "\n", sep = "")
  invisible(x)
}

#' @export
summary.dpdepth_fit <- function(object, ...) {
  r <- object$residuals
  structure(list(
    fit = object, residuals = stats::quantile(r, names = FALSE),
    scale = stats::mad(r), coefficients = cbind(Estimate = object$coefficients)
  ), class = "summary.dpdepth_fit")
}

#' @export
print.summary.dpdepth_fit <- function(x, digits = max(3L, getOption("digits") - 3L), ...) {
  cat(fit_title(x$fit), ": ", paste(deparse(x$fit$call), collapse = "\n"), "\n\nResiduals:\n", sep = "")
  print(stats::setNames(signif(x$residuals, digits), c("Min", "1Q", "Median", "3Q", "Max")))
  cat("\nCoefficients:\n")
  print(x$coefficients, digits = digits)
  cat("\nScale of the residuals (MAD): ", format(x$scale, digits = digits), "\n", sep = "")
  cat(fit_note(x$fit), "\n", sep = "")
  invisible(x)
}

# Refuses what predict() of other fits can do and this one cannot.
check_predict <- function(interval = "none", se.fit = FALSE, type = "response", # nolint: object_name_linter.
                          ...) {
  check_dots(character(), "predict()")
  refuse <- function(arg, must, was, mend = "These fits have no standard errors.") {
    others <- c("confidence", "prediction", "response", "link", "terms")
    stop_input(arg, must, describe_option(was, others), mend)
  }
  if (!identical(interval, "none")) refuse("interval", "\"none\"", interval)
  if (!identical(se.fit, FALSE)) refuse("se.fit", "FALSE", se.fit)
  if (!identical(type, "response")) refuse("type", "\"response\"", type, NULL)
}

describe_option <- function(x, known = character()) {
  if (is.character(x) && length(x) == 1 && !is.na(x)) describe_text(x, known)
  else if (is.logical(x) && length(x) == 1) format(x)
  else describe(x)
}

#' @export
predict.dpdepth_fit <- function(object, newdata, ...) {
  check_predict(...)
  if (missing(newdata) || is.null(newdata)) return(object$fitted.values)
  terms <- stats::delete.response(object$terms)
  frame <- stats::model.frame(terms, newdata, na.action = stats::na.pass, xlev = object$xlevels)
  classes <- attr(terms, "dataClasses")
  if (!is.null(classes)) stats::.checkMFClasses(classes, frame)
  design <- stats::model.matrix(terms, frame, contrasts.arg = object$contrasts)
  drop(design %*% object$coefficients)
}

#' @importFrom stats nobs
#' @export
nobs.dpdepth_fit <- function(object, ...) length(object$residuals)

#' @export
tidy.dpdepth_fit <- function(x, ...) {
  check_fit_tidy(...)
  data.frame(term = names(x$coefficients), estimate = unname(x$coefficients))
}

#' @export
glance.dpdepth_fit <- function(x, ...) {
  deepest <- inherits(x, "regress_deepest")
  data.frame(method = if (deepest) "deepest" else "medsweep", nobs = length(x$residuals),
             df.residual = x$df.residual, sigma = stats::mad(x$residuals),
             depth = if (deepest) x$depth else NA_real_,
             iterations = if (deepest) NA_integer_ else x$iterations,
             converged = deepest || x$converged)
}

check_fit_tidy <- function(conf.int = FALSE, ...) { # nolint: object_name_linter.
  if (!identical(conf.int, FALSE)) refuse_errors("tidy(conf.int = TRUE)")
}

# No standard errors are known for these fits.
refuse_errors <- function(asked) {
  refuse_method(asked, "these fits have no standard errors",
                "Bootstrap the fit: its coefficients on resampled rows, by coef().")
}

#' @importFrom stats vcov
#' @export
vcov.dpdepth_fit <- function(object, ...) refuse_errors("vcov()")

#' @importFrom stats confint
#' @export
confint.dpdepth_fit <- function(object, parm, level = 0.95, ...) refuse_errors("confint()")

#' @importFrom stats sigma
#' @export
sigma.dpdepth_fit <- function(object, ...) stats::mad(object$residuals)

#' Plot a robust regression
#'
#' The data and the line when there is one numeric regressor, residuals against fitted values otherwise.
#'
#' @param x,object A fit made by [regress_deepest()] or [regress_medsweep()].
#' @param main The title.
#' @param ... For `plot()`: further arguments of [graphics::plot.default()]; for `autoplot()`: none.
#' @return `plot()`: `x`, invisibly. `autoplot()`: a ggplot.
#' @examples
#' plot(regress_deepest(dist ~ speed, cars))
#' plot(regress_medsweep(mpg ~ wt + hp, mtcars))
#' @export
plot.dpdepth_fit <- function(x, main = NULL, ...) plot_picture(x, picture(x), main, ...)

#' @rdname plot.dpdepth_fit
#' @method autoplot dpdepth_fit
#' @rawNamespace S3method(ggplot2::autoplot,dpdepth_fit)
autoplot.dpdepth_fit <- function(object, ...) {
  check_dots(character(), "autoplot()")
  picture_ggplot(picture(object))
}

picture.dpdepth_fit <- function(x, ...) { # nolint: object_name_linter.
  line <- length(x$coefficients) == 2
  at <- unname(if (line) stats::model.matrix(x$terms, x$model)[, 2] else x$fitted.values)
  beta <- unname(if (line) x$coefficients else c(0, 0))
  new_picture(list(
    layer("points", at, unname(x$residuals + if (line) x$fitted.values else 0), colour = "#00000080"),
    layer("lines", range(at), beta[[1]] + beta[[2]] * range(at), colour = "#0072B2", lwd = 2)
  ), picture_axis(if (line) names(x$coefficients)[[2]] else "Fitted values"),
  picture_axis(if (line) names(x$model)[[1]] else "Residuals"), fit_title(x))
}
