# Table 1: quantiles of each numeric variable and counts of each factor, for all rows and by group.
#
# METHOD: each variable is released by dp_quantile() or dp_histogram(), of groups by dp_by(). What each costs
#   is found without a draw, and their sum is debited once. See R/plan-summary.R for the shares.

#' A private table of summaries
#'
#' Releases what the first table of a paper shows: for each numeric variable the median and quartiles, for
#' each factor the counts of its levels, for all rows and by group. One budget pays for the table.
#'
#' @param data A data frame, PRIVATE, one row per individual. Factors are counted; their levels are public.
#'   Other columns are summarised by quantiles and need limits: numbers, and flags as 0 and 1, since a column
#'   of numbers that are all missing is one of flags for R. Make factors of flags to count them:
#'   `factor(x, levels = c(FALSE, TRUE))`. Text columns are refused: declare their levels, or leave them out.
#' @param epsilon Privacy budget of the whole table, one number from 1e-6 to 1e6.
#' @param by `NULL`, or a formula that names the columns of groups, such as `~sex` or `~sex + ward`. Rows
#'   whose value is missing or not in `levels` are in no group; what is released of all rows counts them. Left
#'   out with a grouped data frame of dplyr, whose groups these are.
#' @param lower,upper Public limits of the numeric columns: one number for all of them, or a vector named by
#'   columns.
#' @param resolution `NULL`; or the public steps of numeric columns, one number or a vector named by some of
#'   them, such as `c(age = 1)`; or `"type"`, see [dp_median()].
#' @param quantiles Which quantiles of numeric columns, increasing, at most 9 numbers above 0 and below 1.
#' @param groups,neighbours,levels As in [dp_by()].
#' @param id As in [dp_median()]; with `by` for private groups only. The row that is kept of a person is the
#'   same for all variables.
#' @param na `"fail"`: missing values are refused, which shows that there were some. `"omit"`, `"middle"` or
#'   finite numbers, one or named by columns: for numeric columns as in [dp_median()]; missing values of
#'   factors are then in no count.
#' @param ledger,rng As in [dp_median()].
#' @param ... Must be empty: a name that is not an argument is refused, see [dpdepth-errors].
#' @param x,object A table.
#' @param digits Significant digits of quantiles in the table.
#' @param wide `FALSE` for one row per number, `TRUE` for the table as it is printed, of text.
#' @param row.names,optional As in [as.data.frame()].
#' @details
#' **What is released.** For each numeric column, the quantiles of all rows and, with `by`, of each group. For
#' each factor, the counts of its levels; with `by`, those in each group and of the rows without a group,
#' whose sums are the counts of all rows. The sizes of private groups are released, too; those of public
#' groups are exact. `tidy()` has the numbers as they were released. A table shows negative counts as 0, and
#' percentages of the counts of a variable in a group.
#'
#' **The shares of epsilon** are public. A release with an expected error of c / epsilon rows in groups of m
#' rows has a relative error of c / (m epsilon). The shares minimise the sum of the squares of all relative
#' errors: they are proportional to (c / m)^(2/3). Groups are assumed to have equal sizes. `details$shares`
#' has the shares; [plan_summary()] computes the errors beforehand.
#'
#' **Marks.** `~` marks a count whose noise may be more than half of it (1.96 standard deviations), and
#' quantiles that may be noise as wide as their limits: with limits 50 standard deviations wide they are such
#' noise with a probability above 1/100 in a group of its released size. A warning of class
#' `dpdepth_warning_accuracy`, before anything is spent, names those that are so in groups of equal sizes.
#'
#' **The guarantee** is that of all releases together: pure epsilon-differential privacy by composition
#' (Dwork and Roth, 2014, Theorem 3.16), in groups as in [dp_by()]. The ledger is debited once, before
#' anything is drawn.
#' @return A [`dp_release`][dp_release] of class `dp_summary`, `guarantee = "pure"`. `tidy()` returns a data
#'   frame with columns `variable`, `term`, `group` (`"all"` for all rows), `kind`, `estimate`, `share` (of a
#'   count in its group), `sd` (of a count's noise) and `uncertain` (marked by `~`). `tidy(wide = TRUE)` is a
#'   data frame of text for `knitr::kable()` or `gt::gt()`, as in `gt::gt(tidy(x, wide = TRUE))`; knitr shows
#'   a table by itself, with its notes. `summary()` has what was spent on each part. `plot()` and `autoplot()`
#'   draw the quantiles, one panel per variable.
#' @section Errors: `dpdepth_error_input` and `dpdepth_error_budget` as in [dp_quantile()] and
#'   [dp_histogram()], with the column's name, before anything is spent.
#' @references
#' Dwork, C. and Roth, A. (2014). The algorithmic foundations of differential privacy. *Foundations and Trends
#' in Theoretical Computer Science* 9. \doi{10.1561/0400000042}
#' @seealso [plan_summary()], [dp_by()], [dp_quantile()], [dp_histogram()].
#' @examples
#' chicks <- ChickWeight[c("weight", "Time", "Diet")]
#' dp_summary(chicks, epsilon = 2, lower = 0, upper = c(weight = 1000, Time = 30),
#'            resolution = c(Time = 1))
#'
#' # by group, whose levels are public and whose members are private
#' table <- dp_summary(chicks[c("weight", "Diet")], epsilon = 4, by = ~Diet,
#'                     lower = 0, upper = 1000)
#' table
#' plot(table)
#' @order 1
#' @export
dp_summary <- function(data, epsilon, by = NULL, lower = NULL, upper = NULL, resolution = NULL,
                       quantiles = c(0.25, 0.5, 0.75), groups = c("private", "public"), levels = NULL, ...,
                       neighbours = c("substitution", "add_remove"), id = NULL, ledger = NULL, rng = NULL,
                       na = "fail") {
  check_given()
  call <- sanitize_call(match.call(), c("data", "id"))
  epsilon <- check_epsilon(epsilon)
  groups <- check_choice(groups, c("private", "public"), "groups")
  private <- check_neighbours(neighbours)
  quantiles <- check_increasing(quantiles)
  source <- check_rng(rng)
  check_ledger(ledger)
  if (is.null(by)) by <- groups_of_frame(data)
  if (!is.null(by)) refuse_public_groups(groups, private, id)
  rows <- summary_rows(data, by, levels, id)
  variables <- summary_variables(rows$data,
                                 list(lower = lower, upper = upper, resolution = resolution, na = na))
  rows <- kept_summary_rows(rows, variables, groups, private, rng)
  n <- if (private) NA else nrow(rows$data)
  given <- list(quantiles = quantiles, groups = groups, neighbours = neighbour_kinds[[1 + private]], na = na,
                rng = rng, epsilon = epsilon, door = "dp_summary()")
  parts <- summary_parts(variables, levels(rows$group), groups, quantiles, epsilon)
  names(parts) <- vapply(parts, part_name, "")
  parts <- lapply(parts, function(part) {
    of_variable(part$variable, with_doubt(part, n, variables, length(levels(rows$group)), given))
  })
  release_of <- function(part, ledger = NULL) {
    own <- list(variable = variables[[part$variable]], ledger = ledger)
    of_variable(part$variable, release_part(part, rows, c(given, own)))
  }
  costs <- lapply(parts, function(part) cost_of(function(ledger) release_of(part, ledger)))
  plan <- list(
    label = "table of summaries", rho = sum(vapply(costs, function(part) part$cost[["rho"]], 0)),
    warn = function(...) warn_summary(parts, lapply(costs, `[[`, "warnings"), n, epsilon)
  )
  paid <- debit(ledger, plan, list(n = n, private = private, names = names(variables)), given, source)
  drawn <- lapply(parts, function(part) suppressWarnings(release_of(part), classes = "dpdepth_warning"))
  new_summary(parts, drawn, rows, given, paid, n, call)
}

# The columns that are summarised, the group of each row, and whose it is. PRIVATE.
summary_rows <- function(data, by, levels, id) {
  if (is_tallies(data) || kind_of(data) != "rows") {
    stop_input("data", "a data frame", "a tally", paste(
      "A tally holds numbers on a lattice, no factors, and of several variables perhaps only each by itself.",
      "Release its variables one by one, with dp_quantile(tally[\"age\"], ...), or by group with dp_by()."
    ))
  }
  if (!is.data.frame(data)) stop_input("data", "a data frame", describe_data(data))
  check_frame(data, "data")
  data <- as.data.frame(data)
  if (is.null(by)) {
    if (!is.null(levels)) stop_input("levels", "left out without `by`", "given")
    taken <- list(x = data)
  } else {
    key_names(by, "by")
    taken <- take_keys(data, by, "by")
    taken$group <- group_keys(taken$keys, nrow(data), levels)
    if (any(c("all", no_group) %in% levels(taken$group))) {
      stop_input("by", sprintf("columns without levels \"all\" and \"%s\"", no_group),
                 "ones with such a level")
    }
  }
  owned <- if (is.null(id)) list(x = taken$x) else take_ids(taken$x, id)
  list(data = owned$x, group = taken$group, id = owned$id, persons = !is.null(id),
       by = names(taken$keys))
}

# One row of each person, refused for what any row has. `counted`: the groups, and a last one of the rows
# without a group, which is no column of the table.
kept_summary_rows <- function(rows, variables, groups, private, rng) {
  for (name in names(variables)) {
    of_variable(name, refuse_gaps(rows$data[[name]], variables[[name]]$na))
  }
  n <- nrow(rows$data)
  if (n == 0 && !private) stop_input("data", "a data frame with at least 1 row", "one with 0")
  if (rows$persons) {
    kept <- kept_rows(rows$id, n, rng)
    rows$data <- rows$data[kept, , drop = FALSE]
    rows$group <- rows$group[kept]
  }
  if (is.null(rows$group)) return(rows)
  code <- factor_codes(rows$group)
  levels <- levels(rows$group)
  if (groups == "public") refuse_empty_levels(code, levels)
  rows$counted <- rows$group
  if (groups == "private" || anyNA(code)) {
    code[is.na(code)] <- length(levels) + 1L
    rows$counted <- structure(code, levels = c(levels, no_group), class = "factor")
  }
  rows
}

no_group <- "(no group)"

refuse_gaps <- function(column, na) {
  if (!identical(na, "fail") || length(column) == 0) return(invisible(NULL))
  if (!is.factor(column)) return(replace_missing(column, na))
  if (!anyNA(factor_codes(column))) return(invisible(NULL))
  stop_input("x", "data without missing values", "data with some", mend_missing)
}

# Who is in a public group is known, and so is that nobody is.
refuse_empty_levels <- function(code, levels) {
  empty <- tabulate(code, length(levels)) == 0
  if (!any(empty)) return(invisible(NULL))
  stop_input("by", "columns whose levels, and combinations of them, all have rows, with groups = \"public\"",
             paste("ones with", quote_names(levels[empty]), "without rows"),
             "Leave these out, as droplevels(f) does, and interaction(f, g, drop = TRUE) of combinations.")
}

# What is public of each column: its levels, or its limits and step; and what becomes of missing values. That
# a column is a factor is public, as its name is; which type the others have may depend on the rows.
summary_variables <- function(data, given) {
  names <- names(data)
  if (length(names) == 0) {
    stop_input("data", "a data frame with columns besides those of `by` and `id`", "one without")
  }
  if (anyDuplicated(names) || anyNA(names) || !all(nzchar(names))) {
    stop_input("data", "a data frame whose columns have names of their own", "another one")
  }
  counted <- vapply(data, is.factor, NA)
  other <- which(!counted & !vapply(data, function(v) is_number_like(v) || is_flag_like(v), NA))
  if (length(other) > 0) {
    stop_input("data", "a data frame of numbers, flags and factors",
               sprintf("one in which `%s` is %s", short_text(names[[other[[1]]]]),
                       describe_data(data[[other[[1]]]])),
               paste("Declare the levels of text, factor(x, levels = c(\"a\", \"b\")), make numbers of dates",
                     "with as.numeric(), or leave the column out."))
  }
  rule <- if (identical(given$na, "fail")) "fail" else "omit"
  given <- Map(each_column, given, names(given), list(names[!counted]))
  stats::setNames(lapply(names, function(name) {
    column <- data[[name]]
    if (!is.factor(column)) return(lapply(given, `[[`, name))
    list(levels = factor_levels(column, short_text(name), "data"), na = rule)
  }), names)
}

# An error names the column.
of_variable <- function(name, release) {
  tryCatch(release, dpdepth_error_input = function(e) {
    e$message <- sprintf("Of column `%s`: %s", short_text(name), conditionMessage(e))
    stop(e)
  })
}

# Before the debit, of public numbers.
warn_summary <- function(parts, warnings, n, epsilon) {
  doubt <- Map(function(part, said) {
    part$doubt || part$kind == "quantiles" && any(vapply(said, inherits, NA, "dpdepth_warning_accuracy"))
  }, parts, warnings)
  named <- vapply(parts[unlist(doubt)], part_name, "")
  if (length(named) == 0) return(invisible(NULL))
  warn_dpdepth("accuracy", with_point(paste(
    sprintf("With%s epsilon = %s", if (is.na(n)) "" else sprintf(" n = %s and", grouped(n)), format(epsilon)),
    "for the whole table, quantiles may be noise as wide as the public limits:",
    sprintf("those of %s (judged by these numbers alone).", toString(named)),
    "More rows, a larger epsilon, tighter limits, fewer columns or fewer `quantiles` would help; see",
    "plan_summary()."
  )))
}

# What a part releases. PRIVATE: rows.
release_part <- function(part, rows, given) {
  own <- switch(
    part$kind,
    quantiles = c(given$variable, list(probs = given$quantiles)),
    counts = given$variable["na"],
    # a row without a group is in no count
    sizes = list(na = "omit")
  )
  values <- if (part$kind == "sizes") rows$group else rows$data[[part$variable]]
  release <- if (part$kind == "quantiles") dp_quantile else dp_histogram
  common <- c(list(values, epsilon = part$epsilon), own, given[c("neighbours", "ledger", "rng")])
  if (part$rows == "all") return(do.call(release, common, quote = TRUE))
  grouped <- list(by = if (part$kind == "counts") rows$counted else rows$group, release = release,
                  groups = given$groups)
  do.call(dp_by, c(common, grouped), quote = TRUE)
}
