# Methods of tallies: sums, and prints without contents. What all kinds share is of their class dp_counted.

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

# Prints are made of summaries, which hold nothing private.
#' @rdname dp_tally
#' @export
format.dp_counted <- function(x, ...) format(summary(x))

#' @export
format.summary.dp_tally <- function(x, ...) {
  shown <- function(v) format(unname(v), digits = 7)
  names <- vapply(names(x$lower), short_text, "")
  table <- list(c("", names), c("lower", shown(x$lower)), c("upper", shown(x$upper)),
                c(if (is.null(x$resolution)) "step" else "resolution", shown(x$step)))
  cells <- lapply(seq_along(table), function(k) {
    formatC(table[[k]], width = max(nchar(table[[k]])), flag = if (k == 1) "-" else "")
  })
  groups <- vapply(utils::head(x$groups, 20), short_text, "")
  c(wrap_text(tally_title(x)), paste0("  ", do.call(paste, c(cells, sep = "  "))),
    if (length(groups) > 0) {
      wrap_text(sprintf("groups: %s%s", toString(groups), if (length(x$groups) > 20) ", ..." else ""))
    },
    if (!identical(x$na, "fail")) wrap_text(paste0("na: ", x$na, ".")),
    wrap_text("Private data, as the rows are: for releases, not to be shown or shared."))
}

tally_title <- function(x) {
  rows <- if (is.na(x$n)) "complete rows" else sprintf("%s row%s", grouped(x$n), plural(x$n))
  about <- c(if (is.na(x$n)) "whose number is private", if (x$persons) "one of each id",
             if (isTRUE(x$margins)) "each variable by itself")
  count <- length(x$groups)
  sprintf("<%s> counts of %s%s %s%s public lattice", if (count > 0) "dp_tallies" else "dp_tally", rows,
          if (length(about) > 0) paste0(", ", toString(about), ",") else "",
          if (count > 0) sprintf("in %s group%s ", grouped(count), plural(count)) else "",
          if (!is.null(x$directions)) sprintf("along %d directions of a", nrow(x$directions))
          else if (x$cells) "in cells of a" else "on a")
}

#' @rdname dp_tally
#' @export
print.dp_counted <- function(x, ...) {
  writeLines(with_point(format(x)))
  invisible(x)
}

#' @rdname dp_tally
#' @export
summary.dp_tally <- function(object, ...) {
  public <- c("n", "lower", "upper", "step", "resolution", "persons", "margins", "na")
  about <- c(unclass(object)[public], list(cells = FALSE))
  about$margins <- is_margins(object)
  if (is_omitted(object)) about$n <- NA_real_
  structure(about, class = "summary.dp_tally")
}

#' @export
print.summary.dp_tally <- print.dp_counted

#' @importFrom utils str
#' @export
str.dp_counted <- function(object, ...) writeLines(with_point(tally_title(summary(object))))

#' @rdname dp_tally
#' @export
as.data.frame.dp_counted <- function(x, row.names = NULL, optional = FALSE, ...) {
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
summary.dp_tallies <- function(object, ...) {
  about <- unclass(summary(object$tallies[[1]]))
  if (!is.na(about$n)) about$n <- object$n
  structure(c(about, list(groups = names(object$tallies))), class = "summary.dp_tally")
}

# -- tallies in cells ------------------------------------------------------------------------------

#' @export
summary.dp_cells <- function(object, ...) {
  public <- c("n", "lower", "upper", "step", "resolution", "persons", "na")
  structure(c(unclass(object)[public], list(margins = length(object$lower) > 1, cells = TRUE)),
            class = "summary.dp_tally")
}

# R's own would make a list, whose print shows the contents.
#' @export
c.dp_counted <- function(...) {
  stop_input("...", "tallies without `refine` or `directions`", "others",
             "Count all rows in one call: a database, or data in memory.")
}

# -- tallies of projections ------------------------------------------------------------------------

#' @export
summary.dp_projected <- function(object, ...) {
  public <- c("n", "lower", "upper", "step", "resolution", "persons", "na", "directions")
  structure(c(unclass(object)[public], list(margins = FALSE, cells = FALSE)), class = "summary.dp_tally")
}
