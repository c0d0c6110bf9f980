# Class nonprivate: results that depend on the data without protection, marked as such.

#' Results without privacy
#'
#' Calculators for research, such as smooth sensitivities and safety margins, return an object of
#' class `nonprivate`: its `value` depends on the data without any noise. Publishing it, or choosing
#' the arguments of a private release by it, voids the guarantee of that release.
#'
#' @param x An object of class `nonprivate`.
#' @param ... For `print()`: arguments for the value's own print. Otherwise ignored.
#' @return The object is a list with the `value`, what it is (`what`), and further fields of the
#'   calculator. `print()` returns its argument invisibly, `format()` the line that warns.
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
