# Releases by group as tables, and in full.

#' @rdname dp_by
#' @order 2
#' @export
as.data.frame.dp_by <- function(x, row.names = NULL, # nolint: object_name_linter.
                                optional = FALSE, ...) {
  out <- tidy(x)
  if (!is.null(row.names)) row.names(out) <- row.names
  out
}

#' @rdname dp_by
#' @order 2
#' @export
summary.dp_by <- function(object, ...) {
  check_dots(character(), "summary()")
  structure(list(release = object, estimates = tidy(object), whole = glance(object)), class = "summary.dp_by")
}

#' @export
print.summary.dp_by <- function(x, ...) {
  writeLines(format(x$release, rows = Inf, ...))
  invisible(x)
}
