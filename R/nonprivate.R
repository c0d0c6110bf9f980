# Class nonprivate: results that depend on the data without protection, marked as such.

#' Results without privacy
#'
#' Calculators for research, such as smooth sensitivities and safety margins, return an object of
#' class `nonprivate`: its `value` depends on the data without any noise. Publishing it, or choosing
#' the arguments of a private release by it, voids the guarantee of that release.
#'
#' @param x,object An object of class `nonprivate`.
#' @param main The title.
#' @param ... For `print()`: arguments for the value's own print; for `plot()`: further arguments for
#'   [graphics::plot.default()]. Otherwise ignored.
#' @return The object is a list with the `value`, its meaning (`what`), and further fields of the calculator.
#'   `print()` and `plot()` return their argument invisibly, `format()` the warning line, `autoplot()` a
#'   ggplot. Objects with a profile or a curve can be drawn.
#' @name nonprivate
#' @aliases nonprivate-class
NULL

new_nonprivate <- function(value, ..., what = "value") {
  structure(list(value = value, ..., what = what), class = "nonprivate")
}

#' @rdname nonprivate
#' @export
format.nonprivate <- function(x, ...) {
  c(sprintf("<nonprivate> %s", x$what),
    wrap_text("NOT PRIVATE: computed from the data without noise. For research only; do not release it."))
}

#' @rdname nonprivate
#' @export
print.nonprivate <- function(x, ...) {
  writeLines(format(x))
  print(x$value, ...)
  invisible(x)
}

#' @rdname nonprivate
#' @export
plot.nonprivate <- function(x, main = NULL, ...) plot_picture(x, picture(x), main, ...)

#' @rdname nonprivate
#' @method autoplot nonprivate
#' @rawNamespace S3method(ggplot2::autoplot,nonprivate)
autoplot.nonprivate <- function(object, ...) { # nolint: object_name_linter.
  check_dots(character(), "autoplot()")
  picture_ggplot(picture(object))
}
