# Methods of tallies: sums, and prints without contents.

#' @rdname dp_tally
#' @export
c.dp_tally <- function(...) {
  tallies <- list(...)
  if (!all(vapply(tallies, is_tally, NA))) {
    stop_input("...", "tallies only", "tallies and other objects", "Count the others with dp_tally() first.")
  }
  for (t in tallies) check_tally(t, "...", margins = TRUE, omitted = TRUE)
  first <- tallies[[1]]
  for (part in c("lower", "upper", "step", "resolution", "margins", "na")) {
    alike <- vapply(tallies, function(t) identical(t[[part]], first[[part]]), NA)
    if (!all(alike)) {
      what <- if (part %in% c("lower", "upper")) "of the same variables with the same limits"
              else if (part == "margins") "that are all of margins, or none"
              else if (part == "na") "with the same rule for missing values"
              else "on the same lattice"
      stop_input("...", paste("tallies", what), "tallies that are not",
                 "Count all parts with the same `vars`, `lower`, `upper`, `resolution`, `margins` and `na`.")
    }
  }
  atoms <- if (is_margins(first)) add_margins(unname(tallies))
           else add_atoms(unname(lapply(tallies, function(t) list(points = t$points, count = t$count))))
  new_tally(atoms$points, atoms$count, first$lower, first$upper, first$step, first$resolution,
            any(vapply(tallies, `[[`, NA, "persons")), is_margins(first), first$na)
}

#' @rdname dp_tally
#' @export
format.dp_tally <- function(x, ...) {
  shown <- function(v) format(unname(v), digits = 7)
  names <- vapply(names(x$lower), short_text, "")
  table <- list(c("", names), c("lower", shown(x$lower)), c("upper", shown(x$upper)),
                c(if (is.null(x$resolution)) "step" else "resolution", shown(x$step)))
  cells <- lapply(seq_along(table), function(k) {
    formatC(table[[k]], width = max(nchar(table[[k]])), flag = if (k == 1) "-" else "")
  })
  lines <- paste0("  ", do.call(paste, c(cells, sep = "  ")))
  about <- c(if (x$persons) "one of each id,", if (is_margins(x)) "each variable by itself,")
  what <- paste0(if (length(about) > 0) ", ", paste(about, collapse = " "))
  rows <- if (is_omitted(x)) "complete rows, whose number is private,"
          else sprintf("%s row%s", grouped(x$n), plural(x$n))
  title <- sprintf("<dp_tally> counts of %s%s on a public lattice", rows, what)
  c(title, lines, if (!identical(x$na, "fail")) paste0("na: ", x$na, "."),
    "Private data, as the rows are: for releases, not to be shown or shared.")
}

#' @rdname dp_tally
#' @export
print.dp_tally <- function(x, ...) {
  writeLines(with_point(format(x)))
  invisible(x)
}

#' @rdname dp_tally
#' @export
summary.dp_tally <- function(object, ...) {
  public <- c("n", "lower", "upper", "step", "resolution", "persons", "margins")
  structure(unclass(object)[public], class = "summary.dp_tally")
}

#' @export
print.summary.dp_tally <- function(x, ...) {
  print.dp_tally(x)
}

#' @importFrom utils str
#' @export
str.dp_tally <- function(object, ...) {
  writeLines(format.dp_tally(object)[[1]])
}

#' @rdname dp_tally
#' @export
as.data.frame.dp_tally <- function(x, row.names = NULL, optional = FALSE, ...) {
  stop_input("x", "a release", "a tally, which is private data",
             "See summary() for a table of the public limits and steps.")
}

# -- tallies by group ------------------------------------------------------------------------------

#' @rdname dp_tally
#' @export
c.dp_tallies <- function(...) {
  parts <- list(...)
  if (!all(vapply(parts, is_tallies, NA))) {
    stop_input("...", "tallies by group alone", "something else among them",
               "Count the others with dp_tally(by = ) first.")
  }
  for (t in parts) check_tallies(t, "...")
  groups <- names(parts[[1]]$tallies)
  if (!all(vapply(parts, function(t) identical(names(t$tallies), groups), NA))) {
    stop_input("...", "tallies of the same groups", "tallies of others", "Count all with the same `levels`.")
  }
  # by place: a group's name may be empty
  of_group <- function(g) do.call(c, lapply(unname(parts), function(t) t$tallies[[g]]))
  new_tallies(stats::setNames(lapply(seq_along(groups), of_group), groups), sum(vapply(parts, `[[`, 0, "n")))
}

#' @export
`[.dp_tallies` <- function(x, i, ...) {
  x$tallies <- lapply(x$tallies, function(t) t[i])
  x
}

#' @rdname dp_tally
#' @export
format.dp_tallies <- function(x, ...) {
  groups <- names(x$tallies)
  some <- x$tallies[[1]]
  some$n <- x$n
  lines <- format.dp_tally(some)
  about <- sprintf(" in %s group%s on a", grouped(length(groups)), plural(length(groups)))
  c(sub("<dp_tally>", "<dp_tallies>", sub(" on a", about, lines[[1]], fixed = TRUE), fixed = TRUE), lines[-1])
}

#' @rdname dp_tally
#' @export
print.dp_tallies <- print.dp_tally

#' @rdname dp_tally
#' @export
summary.dp_tallies <- function(object, ...) {
  about <- unclass(summary.dp_tally(object$tallies[[1]]))
  structure(c(list(groups = names(object$tallies)), replace(about, "n", object$n)),
            class = "summary.dp_tallies")
}

#' @export
print.summary.dp_tallies <- function(x, ...) {
  writeLines(with_point(sprintf("<dp_tallies> counts of %s row%s in groups: %s", grouped(x$n), plural(x$n),
                                paste(vapply(utils::head(x$groups, 20), short_text, ""), collapse = ", "))))
  invisible(x)
}

#' @export
str.dp_tallies <- function(object, ...) {
  writeLines(format.dp_tallies(object)[[1]])
}

#' @rdname dp_tally
#' @export
as.data.frame.dp_tallies <- as.data.frame.dp_tally

# -- tallies in cells ------------------------------------------------------------------------------

#' @export
format.dp_cells <- function(x, ...) {
  lines <- format.dp_tally(x)
  c(sub(" on a public lattice", " in cells of a public lattice", lines[[1]], fixed = TRUE), lines[-1])
}

#' @export
print.dp_cells <- print.dp_tally

#' @export
summary.dp_cells <- function(object, ...) {
  summary.dp_tally(c(unclass(object), margins = TRUE))
}

#' @export
str.dp_cells <- function(object, ...) {
  writeLines(format.dp_cells(object)[[1]])
}

#' @export
as.data.frame.dp_cells <- as.data.frame.dp_tally

# R's own would make a list, whose print shows the contents.
#' @export
c.dp_cells <- function(...) {
  stop_input("...", "tallies without `refine` or `directions`", "others",
             "Count all rows in one call: a database, or data in memory.")
}

# -- tallies of projections ------------------------------------------------------------------------

#' @export
format.dp_projected <- function(x, ...) {
  lines <- format.dp_tally(x)
  about <- sprintf(" along %d directions of a public lattice", nrow(x$directions))
  c(sub(" on a public lattice", about, lines[[1]], fixed = TRUE), lines[-1])
}

#' @export
print.dp_projected <- print.dp_tally

#' @export
summary.dp_projected <- function(object, ...) {
  structure(unclass(object)[c("n", "lower", "upper", "step", "resolution", "persons", "directions")],
            class = "summary.dp_tally")
}

#' @export
str.dp_projected <- function(object, ...) {
  writeLines(format.dp_projected(object)[[1]])
}

#' @export
as.data.frame.dp_projected <- as.data.frame.dp_tally

#' @export
c.dp_projected <- c.dp_cells
