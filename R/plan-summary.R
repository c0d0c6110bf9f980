# The plan of a table of summaries: its parts, the share of epsilon of each, and their errors.
#
# METHOD: a part has an error of c / epsilon rows in groups of m rows, a relative error of c / (m epsilon).
#   The sum of their squares is least, for a sum of the epsilons, where these are proportional to
#   (c / m)^(2/3).

#' Plan a private table of summaries
#'
#' Computes the relative errors of [dp_summary()]; or the number of rows, or the epsilon, for which all of
#' them are at most `error`. It uses public numbers only, no data.
#'
#' @param n The number of rows, or `NULL` for the least one that gives `error`.
#' @param variables A list named by columns: for a factor the number of its levels, one number; for a numeric
#'   column its limits, `c(lower, upper)`.
#' @param epsilon The budget of the whole table, or `NULL` for the least one that gives `error`.
#' @param error The largest error wanted of any number, as a share of a group's rows, when `n` or `epsilon`
#'   is sought: 0.02 is two percent of a group for a count, and two percentiles for a quantile.
#' @param count The number of groups, which are taken to have equal sizes; 1 for a table without groups.
#' @param spread The standard deviations of the numeric columns, one number or a vector named by columns;
#'   `NULL` for a twentieth of the limits' widths.
#' @param quantiles,groups As in [dp_summary()].
#' @param ... Must be empty.
#' @details
#' `failure` is the probability that a quantile lies more than five standard deviations off, for normal data
#' (a group's, for groups). Sought numbers of rows and epsilon keep it at most 1/2000.
#' @return A data frame of class `summary_plan`, one row for each part of the table: `variable`; `kind`
#'   (`"quantiles"`, `"counts"`, or `"sizes"` of private groups); `rows` (`"all"` or `"groups"`); `n`;
#'   `epsilon` of the table; `share` of it; `rank`, the root mean squared error in rows; `error`, the same
#'   divided by the rows of a group; and `failure`. See [dp_plan] for its methods.
#' @inheritSection plan_mean Errors
#' @seealso [dp_summary()].
#' @examples
#' plan_summary(n = 2000,
#'              list(age = c(0, 120), income = c(0, 1e6), sex = 2, ward = 5),
#'              epsilon = 2)
#'
#' # how many rows for three groups?
#' three <- plan_summary(variables = list(age = c(0, 120), sex = 2), epsilon = 1,
#'                       error = 0.02, count = 3)
#' three$n[[1]]
#' @export
plan_summary <- function(n = NULL, variables, epsilon = NULL, error = NULL, count = 1, spread = NULL,
                         quantiles = c(0.25, 0.5, 0.75), groups = c("private", "public"), ...) {
  check_given()
  if (is_grid(n, epsilon)) return(plan_grid(n, epsilon, match.call(), parent.frame()))
  count <- check_count(count, "count", upper = 1000L)
  groups <- check_choice(groups, c("private", "public"), "groups")
  quantiles <- check_increasing(quantiles)
  given <- variables
  variables <- summary_design(variables, spread)
  levels <- if (count > 1) seq_len(count)
  wanted <- check_plan(n, epsilon, error)
  check_rank_error(error, quantiles)
  planned <- function(n, epsilon) {
    parts <- summary_parts(variables, levels, groups, quantiles, epsilon)
    rows <- do.call(rbind, lapply(parts, planned_part, variables, n, quantiles, count, groups))
    rows$epsilon <- epsilon
    rows
  }
  wanted <- sought_plan(wanted, function(n, epsilon) {
    rows <- planned(n, epsilon)
    max(rows$error) <= error && max(0, rows$failure, na.rm = TRUE) <= planned_failure
  })
  worst <- function(n, epsilon) c(max(planned(n, epsilon)$error), 0.5 / sqrt(n / count))
  rows <- planned(wanted$n, wanted$epsilon)
  new_plan(rows, "summary_plan", worst, "largest error, as a share of a group",
           "sampling error", head = "Errors that privacy adds to a table of summaries",
           notes = c("rank: in rows; error: divided by the rows of a group; failure: of normal data",
                     failure_note(list(n = n, epsilon = epsilon), error, max(rows$error), wanted$n),
                     if (is.null(spread) && any(lengths(given) == 2)) {
                       paste("A twentieth of the limits' width stands for the standard deviation of each",
                             "numeric column: give your guesses as `spread`.")
                     }))
}

check_increasing <- function(quantiles) {
  probs <- check_probs(quantiles, most = 9L, arg = "quantiles")
  if (all(diff(probs) > 0)) return(probs)
  stop_input("quantiles", "increasing numbers above 0 and below 1", "numbers in another order")
}

# A list named by columns. Limits are asked for of each.
each_column <- function(value, arg, columns, needed = arg %in% c("lower", "upper")) {
  all <- stats::setNames(vector("list", length(columns)), columns)
  words <- switch(arg, resolution = "type", na = c("fail", "omit", "middle"))
  if (is.character(value) && !is.null(words)) {
    return(replace(all, columns, check_choice(value, words, arg)))
  }
  # columns that `na` does not name must have all values
  if (arg == "na") all[] <- "fail"
  if (arg == "na" && is.null(value)) stop_input(arg, na_forms, "NULL")
  if (!is.null(value) && (!is.numeric(value) || is.object(value) || !is.null(dim(value)) || anyNA(value))) {
    stop_input(arg, "one number, or numbers named by columns", describe(value))
  }
  if (is.null(names(value)) && length(value) == 1) {
    value <- stats::setNames(rep(value, length(columns)), columns)
  }
  strange <- setdiff(names(value), columns)
  if (length(value) > 0 && (is.null(names(value)) || anyDuplicated(names(value)) || length(strange) > 0)) {
    stop_input(arg, "one number, or numbers named by numeric columns",
               if (length(strange) > 0) paste("numbers named", given_names(strange, columns)) else "others")
  }
  missing <- setdiff(columns, names(value))
  if (needed && length(missing) > 0) {
    stop_input(arg, "given for each numeric column", paste("missing for", quote_names(missing)),
               "Leave columns out of `data` that have no public limits.")
  }
  all[names(value)] <- as.list(value)
  all
}

# As of summary_variables(), with a spread.
summary_design <- function(variables, spread) {
  must <- "a list named by columns: a number of levels, or two limits c(lower, upper)"
  named <- is.list(variables) && !is.data.frame(variables) && length(variables) > 0 &&
    !is.null(names(variables)) && all(nzchar(names(variables))) && !anyDuplicated(names(variables))
  if (!named) stop_input("variables", must, describe(variables))
  counted <- lengths(variables) == 1
  limits <- lapply(variables, function(v) {
    if (!is.numeric(v) || is.object(v) || !length(v) %in% 1:2) {
      stop_input("variables", must, "a list of others")
    }
    if (length(v) == 1) {
      return(list(levels = seq_len(check_count(v, "variables", upper = 1e6, shown = FALSE))))
    }
    public_prior(NULL, v[[1]], v[[2]], 1)
    list(lower = v[[1]], upper = v[[2]])
  })
  spreads <- each_column(spread, "spread", names(variables)[!counted])
  Map(function(v, name) {
    spread <- spreads[[name]]
    if (!is.null(spread)) check_number(spread, "spread", 0)
    c(v, list(spread = spread))
  }, limits, names(variables))
}

planned_part <- function(part, variables, n, quantiles, count, groups) {
  of <- if (part$rows == "groups") count else 1
  m <- n / of
  failure <- if (part$kind == "quantiles") {
    each <- if (part$rows == "groups" && groups == "private") part$epsilon / 2 else part$epsilon
    part_failure(variables[[part$variable]], m, each, quantiles)
  } else {
    NA_real_
  }
  # (a count is of one cell of a group)
  rank <- part$cost / part$epsilon / if (part$kind == "sizes") count else of
  data.frame(variable = part$variable, kind = part$kind, rows = part$rows, n = n, epsilon = part$epsilon,
             share = part$share, rank = rank, error = rank / if (part$kind == "sizes") n / count else m,
             failure = failure)
}

part_failure <- function(variable, n, epsilon, quantiles, spread = variable$spread) {
  prior <- public_prior(NULL, variable$lower, variable$upper, 1)
  quantile_errors(n, quantiles, epsilon, 0, prior, spread)$failure[[1]]
}

# -- parts -------------------------------------------------------------------------------------------

# variables: by name, list(levels) or limits. levels: of the groups, or NULL. One list for each release:
# `variable`, `kind` ("quantiles", "counts", "sizes"), `rows` ("all", "groups"), `cost` (c times the number of
# groups), `share` and `epsilon`.
summary_parts <- function(variables, levels, groups, quantiles, epsilon) {
  part <- function(variable, kind, rows, cost) {
    list(variable = variable, kind = kind, rows = rows, cost = cost)
  }
  count <- max(1, length(levels))
  one_count <- histogram_plan(1, 0, list(public = TRUE), FALSE)$sd
  ranks <- unit_rank(quantiles)
  parts <- lapply(names(variables), function(name) {
    if (!is.null(variables[[name]]$levels)) {
      return(list(part(name, "counts", if (is.null(levels)) "all" else "groups", one_count * count)))
    }
    # in a private group quantiles are drawn with half of epsilon
    c(list(part(name, "quantiles", "all", ranks)), if (!is.null(levels)) {
      list(part(name, "quantiles", "groups", ranks * count * if (groups == "private") 2 else 1))
    })
  })
  sizes <- if (!is.null(levels) && groups == "private") {
    list(part("groups", "sizes", "all", one_count * count))
  }
  parts <- c(sizes, unlist(parts, recursive = FALSE))
  weight <- vapply(parts, `[[`, 0, "cost")^(2 / 3)
  # (rounded down: their sum must not pass 1)
  share <- floor(weight / sum(weight) * 2^40) / 2^40
  if (min(share) * epsilon < 1e-6) {
    least <- format(1e-6 / min(share), digits = 3)
    stop_input("epsilon", sprintf("at least %s for a table of %d parts", least, length(parts)),
               format(epsilon))
  }
  Map(function(part, share) c(part, list(share = share, epsilon = share * epsilon)), parts, share)
}

# The expected error of quantiles, in rows, times epsilon.
unit_rank <- function(quantiles) {
  m <- length(quantiles)
  levels <- quantile_levels(m)
  each <- quantile_budget(1, 0, levels$share)$each
  root_mean_square(sqrt(diag(rank_covariance(m, each, levels, quantiles))))
}

part_name <- function(part) {
  if (part$kind == "sizes") return("sizes of groups")
  if (part$rows == "all") part$variable else paste(part$variable, "by group")
}

# May a part's quantiles be noise, as a door would say of limits `1 / resolved_share_warned` spreads wide?
# `fails` says so of a number of rows. Of private numbers of rows the largest ones are taken. n: NA where it
# is private.
with_doubt <- function(part, n, variables, count, given) {
  part$fails <- function(rows) FALSE
  if (part$kind == "quantiles") {
    variable <- variables[[part$variable]]
    shared <- part$rows == "groups" && given$groups == "private" || identical(variable$na, "omit")
    spread <- (variable$upper - variable$lower) * resolved_share_warned
    each <- if (shared) part$epsilon / 2 else part$epsilon
    part$fails <- function(rows) {
      part_failure(variable, max(1, rows), each, given$quantiles, spread) > resolved_failure
    }
  }
  part$doubt <- !is.na(n) && part$fails(if (part$rows == "groups") n / count else n)
  part
}
