# The planned errors of releases by group: each group's planner, with what dp_by() passes on to it.

#' Plan private releases by group
#'
#' Computes the error that [dp_by()] is expected to add to each group's sampling error: a plan of one release,
#' such as [plan_median()], for each group, with the epsilon that a group has. Or finds how much epsilon, or
#' how many rows, a wanted error needs. It uses public numbers only, no data.
#'
#' @param sizes The number of rows that you expect of each group; names are the groups'. Where groups are
#'   private, do not take the numbers from the data.
#' @param plan The planner of the release: [plan_median()], [plan_quantile()], [plan_mean()],
#'   [plan_histogram()] or [plan_regression()]; for public groups also [plan_mestimate()].
#' @param epsilon,delta The budget of all groups together. `delta` is for public groups. `epsilon = NULL` for
#'   the least one that gives `error`; several give a plain data frame, see [dp_plan].
#' @param error The largest error wanted of a group, when something is sought: `epsilon`; or, if that is
#'   given, the number of all rows, for groups in the proportions of `sizes`.
#' @param groups,neighbours As in [dp_by()].
#' @param ... Further arguments of `plan`, the same for all groups, such as limits.
#' @details
#' Where groups are public, each release has the whole of epsilon. Where they are private, each has half of it
#' (all of it with `neighbours = "add_remove"`), since a row that moves leaves one group and enters another.
#' Medians and regressions lose nothing by that: a row more can only raise the counts they are drawn by, so
#' that with epsilon/2 they have the error of epsilon under substitution. Quantiles and counts have the error
#' of epsilon/2, means at most that.
#' @return A data frame of class `by_plan`, one row per group and, as the planner has them, a variable or
#'   probability: `group`, then the planner's columns, with `epsilon` that of all groups and `each` that of a
#'   group; of several methods the one that `dp_by()` chooses. See [dp_plan] for its methods. Pictures show
#'   the largest error for groups in these proportions; `n` is the number of all rows.
#' @section Errors:
#' `dpdepth_error_input` (see [dpdepth-errors]) for numbers outside their ranges, and for arguments that
#' `plan` does not take.
#' @seealso [dp_by()].
#' @examples
#' # medians of three regions
#' regions <- c(north = 200, south = 500, west = 3000)
#' plan_by(regions, epsilon = 1, lower = 0, upper = 100, spread = 10)
#' # the epsilon that their means take
#' plan_by(regions, plan = plan_mean, lower = 0, upper = 100, error = 0.5)
#' @export
plan_by <- function(sizes, ..., plan = plan_median, epsilon = NULL, delta = 0,
                    groups = c("private", "public"), neighbours = c("substitution", "add_remove"),
                    error = NULL) {
  planner <- planner_name(plan)
  check_given(further = setdiff(names(formals(plan)), c("n", "...")))
  if (is_grid(NULL, epsilon)) return(plan_grid(NULL, epsilon, match.call(), parent.frame()))
  groups <- check_choice(groups, c("private", "public"), "groups")
  private <- check_neighbours(neighbours)
  refuse_public_groups(groups, private, NULL)
  delta <- check_delta(delta, zero = TRUE)
  sizes <- check_group_sizes(sizes)
  if (groups == "private" && (planner == "mestimate" || delta > 0)) refuse_private_plan(planner, delta)
  check_planner_given(plan, planner, ...names())
  refuse_sought(list(...))
  of_group <- function(n, epsilon) {
    group_rows(planner, n, epsilon, delta, group_epsilon(epsilon, groups, private), groups, list(...))
  }
  wanted <- sought_by(sizes, epsilon, error, of_group)
  epsilon <- wanted$epsilon
  sizes <- wanted$sizes
  rows <- lapply(seq_along(sizes), function(k) {
    cbind(group = names(sizes)[[k]], of_group(sizes[[k]], epsilon))
  })
  rows <- do.call(rbind, rows)
  total <- sum(sizes)
  curve <- function(n, epsilon) {
    minimum <- of_group(max(1, round(min(sizes) / total * n)), epsilon)
    c(max(minimum$error), NA)
  }
  head <- sprintf("Error that privacy adds in %d group%s", length(sizes), plural(length(sizes)))
  out <- new_plan(rows, "by_plan", curve, "error in the smallest group", head = head,
                  notes = sprintf("each: the epsilon of a group's release; groups are %s", groups))
  attr(out, "total") <- total
  out
}

# Sizes and epsilon of all groups: those given, or the least that give the error. `of_group`: a group's plan.
sought_by <- function(sizes, epsilon, error, of_group) {
  if (is.null(error)) return(list(sizes = sizes, epsilon = check_epsilon(epsilon)))
  scaled <- function(n) pmax(ceiling(sizes / sum(sizes) * n), 1)
  wanted <- check_plan(if (is.null(epsilon)) sum(sizes), epsilon, error)
  # refusals of other arguments are the planner's own
  of_group(if (is.null(wanted$n)) 2^20 else min(sizes), if (is.null(epsilon)) 100 else epsilon)
  wanted <- sought_plan(wanted, function(n, epsilon) {
    rows <- tryCatch(of_group(min(scaled(n)), epsilon), dpdepth_error_input = function(e) NULL)
    !is.null(rows) && all(plan_reaches(rows, error))
  })
  list(sizes = if (is.null(epsilon)) sizes else scaled(wanted$n), epsilon = wanted$epsilon)
}

planners <- c("median", "quantile", "mean", "histogram", "regression", "mestimate")

# What a planner cannot do without.
check_planner_given <- function(plan, planner, given) {
  for (arg in setdiff(needed_arguments(plan), given)) {
    stop_input(arg, sprintf("given for plan = plan_%s", planner), "missing")
  }
}

planner_name <- function(plan) {
  for (name in planners) if (identical(plan, get(paste0("plan_", name)))) return(name)
  stop_input("plan", sprintf("one of %s", quote_names(paste0("plan_", planners))), describe(plan))
}

check_group_sizes <- function(sizes) {
  whole <- is.numeric(sizes) && !is.object(sizes) && length(sizes) > 0 && all(is.finite(sizes)) &&
    all(sizes >= 1 & sizes <= .Machine$integer.max & sizes == round(sizes))
  if (!whole) {
    stop_input("sizes", "whole numbers from 1 on, one for each group", describe(sizes),
               "They are public guesses of the groups' numbers of rows.")
  }
  if (is.null(names(sizes))) names(sizes) <- paste("group", seq_along(sizes))
  sizes
}

refuse_sought <- function(given) {
  for (arg in c("width", "interval")) {
    if (!is.null(given[[arg]])) {
      stop_input(arg, "left out in a plan by group", "given",
                 "Plan one group by its own planner for that.")
    }
  }
}

refuse_private_plan <- function(planner, delta) {
  if (delta > 0) stop_input("delta", "0 where groups are private", format(delta), "Take groups = \"public\".")
  stop_input("plan", "that of a release that takes neighbours = \"add_remove\", where groups are private",
             sprintf("plan_%s", planner),
             "Take groups = \"public\".")
}

# A group's plan with `each`: under add/remove the planners know another epsilon to have the same error.
group_rows <- function(planner, n, epsilon, delta, each, groups, further) {
  same <- if (groups == "private" && planner %in% c("median", "regression")) min(1e6, 2 * each) else each
  more <- if (groups == "private" && planner %in% c("mean", "histogram")) list(neighbours = "add_remove")
  call <- c(list(n = as.integer(n), epsilon = same, delta = delta), more, further)
  rows <- tidy(do.call(paste0("plan_", planner), call))
  if (!is.null(rows$chosen)) {
    # of regressions one method alone has a distribution where n is private
    taken <- if (groups == "private" && planner == "regression") rows$method == "exponential" else rows$chosen
    rows <- rows[taken, setdiff(names(rows), "chosen"), drop = FALSE]
  }
  if (nrow(rows) == 0) {
    stop_input("plan", "that of a release that these arguments allow", paste0("plan_", planner),
               "Take groups = \"public\", more rows or other limits.")
  }
  rows$epsilon <- epsilon
  row.names(rows) <- NULL
  cbind(rows, each = each)
}
