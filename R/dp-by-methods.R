# Releases by group as tables, and in full; what each group's release is to be asked for.

#' @rdname dp_by
#' @export
tidy.dp_by <- function(x, ...) {
  check_dots(c("conf.int", "conf.level"), "tidy()")
  parts <- Map(function(group, release) {
    k <- length(release$estimate)
    frame <- data.frame(group = rep_len(group, k), term = release_terms(release),
                        estimate = unname(release$estimate), released = rep_len(release$released, k))
    if (!is.null(release$p.value)) frame$p.value <- release$p.value
    with_limits(frame, release, ...)
  }, names(x$releases), x$releases)
  do.call(rbind, unname(parts))
}

# With limits, if there are any.
by_table <- function(x) tidy.dp_by(x, conf.int = !is.null(x$releases[[1]]$interval))

#' @rdname dp_by
#' @export
coef.dp_by <- function(object, ...) by_matrix(object, tidy.dp_by(object), "estimate")

# A row for each group, and a column for each term that some group has, matched by name: NA where a group has
# no such term. Terms of one name are matched in their order.
by_matrix <- function(x, table, column) {
  groups <- names(x$releases)
  place <- match(table$group, groups)
  again <- stats::ave(seq_along(place), place, match(table$term, table$term), FUN = seq_along)
  key <- paste(again, table$term)
  out <- matrix(NA_real_, length(groups), length(unique(key)),
                dimnames = list(groups, table$term[!duplicated(key)]))
  out[cbind(place, match(key, unique(key)))] <- table[[column]]
  out
}

# What pictures show: of tests the p-values, as the scores of groups of unlike sizes cannot be compared.
by_shown <- function(table) if (is.null(table$p.value)) "estimate" else "p.value"

#' @rdname dp_by
#' @param parm,level As in [confint()] of a release: see [dp_release]. Rows are named `group: term`.
#' @importFrom stats confint
#' @export
confint.dp_by <- function(object, parm, level = object$releases[[1]]$details$level, ...) {
  check_dots(character(), "confint()")
  limits <- lapply(object$releases, confint, parm, level)
  names <- lapply(names(limits), function(group) paste(group, rownames(limits[[group]]), sep = ": "))
  limits <- do.call(rbind, limits)
  rownames(limits) <- unlist(names)
  limits
}

#' @rdname dp_by
#' @order 2
#' @export
as.data.frame.dp_by <- function(x, row.names = NULL, # nolint: object_name_linter.
                                optional = FALSE, ...) {
  out <- cbind(by_table(x), glance(x)[-1], row.names = NULL)
  if (!is.null(row.names)) row.names(out) <- row.names
  out
}

#' @rdname dp_by
#' @order 2
#' @export
summary.dp_by <- function(object, ...) {
  check_dots(character(), "summary()")
  structure(list(release = object, estimates = by_table(object), whole = glance(object)),
            class = "summary.dp_by")
}

#' @export
print.summary.dp_by <- function(x, ...) {
  writeLines(format(x, ...))
  invisible(x)
}

#' @export
format.summary.dp_by <- function(x, digits = 7L, ...) {
  by_lines(x$release, digits, Inf, by_properties(x$release))
}

# What is asked of one release at a time.
refuse_of_groups <- function(asked) {
  refuse_method(sprintf("%s()", asked), "there is one release for each group",
                sprintf("Ask each of them, as in lapply(x$releases, %s).", asked))
}

#' @export
nobs.dp_by <- function(object, ...) refuse_of_groups("nobs")

#' @export
vcov.dp_by <- function(object, ...) refuse_of_groups("vcov")

#' @export
sigma.dp_by <- function(object, ...) refuse_of_groups("sigma")

#' @export
residuals.dp_by <- function(object, ...) refuse_of_groups("residuals")

#' @export
fitted.dp_by <- function(object, ...) refuse_of_groups("fitted")

#' @export
predict.dp_by <- function(object, ...) refuse_of_groups("predict")

#' @export
logLik.dp_by <- function(object, ...) refuse_of_groups("logLik") # nolint: object_name_linter.

#' @export
deviance.dp_by <- function(object, ...) refuse_of_groups("deviance")

#' @export
formula.dp_by <- function(x, ...) refuse_of_groups("formula")

#' @export
terms.dp_by <- function(x, ...) refuse_of_groups("terms")
