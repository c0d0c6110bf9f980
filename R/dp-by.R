# One release per group of the rows: what all of them cost together, and the result as one object.

#' Private releases by group
#'
#' Makes one release for each group of rows, such as a median for each region, and debits what they cost
#' together. A row is in one group only, so a hundred groups cost no more than one.
#'
#' @param x The data: a vector, matrix or data frame as `release` takes it; a formula, with `data`; or tallies
#'   that `dp_tally(by = )` counted, which know their groups. In a formula such as `wage ~ education` or
#'   `wage + hours ~ sex + ward` columns stand on the left and groups on the right; if `release` takes a
#'   formula itself, as [dp_regression()] does, it is that one, and the groups are `by`.
#' @param by The groups: a vector with a value for each row, or a formula that names a column of `x` or
#'   `data`, such as `~ward`; with several, `~ward + year`, each combination of their levels is a group. These
#'   columns are no variables of the release. Rows whose value is missing or not in `levels` are in no group:
#'   nothing is released of them.
#'   Left out with tallies, with a formula that has the groups, and with a grouped data frame of dplyr, whose
#'   columns of groups are taken.
#' @param release The function that makes the release of a group: [dp_median()], [dp_quantile()] or another
#'   function of this package with an argument `ledger`.
#' @param epsilon,delta The budget of all groups together.
#' @param ... Further arguments of `release`, the same for all groups: public numbers, such as limits.
#' @param data With a formula: a data frame, or tallies by group. It may stand second, in the place of `by`.
#' @param levels The public list of groups: values of `by`, compared as in [group_cost()]; for several columns
#'   a list of these, named by them. It may be left out where `by` is a factor, whose levels are taken to be
#'   public. Flags need it, `levels = c(FALSE, TRUE)`, since a column of numbers that are all missing is one
#'   of flags for R. A private group without rows has a release like any other, which is noise. Public groups
#'   must have rows.
#' @param groups What is protected. `"private"`: the group of a row is as private as its other values, and so
#'   are the sizes of groups. `"public"`: everyone's group is known, and so are the sizes; only the other
#'   values are protected.
#' @param neighbours `"substitution"`: one row is replaced, and the total number of rows is public.
#'   `"add_remove"`: one row is added or removed; for private groups.
#' @param id As in [dp_median()]: one row of each person is kept, whatever groups they are in. For private
#'   groups only, because the row that is kept decides the group.
#' @param ledger,rng As in [dp_median()].
#' @param object,row.names,optional As in [as.data.frame()] and [coef()].
#' @param digits Significant digits to print.
#' @param rows How many groups are printed.
#' @param main The title of the plot.
#' @details
#' **Private groups.** A replaced row may leave one group and enter another: one group has a row less, the
#' other a row more. So each group's release is made with `neighbours = "add_remove"` and half of epsilon, or
#' all of it if `neighbours = "add_remove"` is asked for. With medians, regressions and histograms this costs
#' no accuracy: their score, a count of rows, never decreases when a row is added, so half of epsilon gives
#' the same draws as the whole does under substitution. M-estimates lose a twentieth, which pays for a count
#' of the rows. Quantiles, means and tests are made with half of epsilon. Mechanisms that need a public size
#' or a `delta` are refused.
#'
#' **Public groups.** A row stays in its group, so each group is released with the whole of epsilon (parallel
#' composition).
#'
#' The ledger is debited once, for all groups, before anything is drawn.
#' @return An object of class `dp_by`: a list with `releases`, one [`dp_release`][dp_release] for each group,
#'   and `epsilon`, `delta`, `guarantee`, `neighbours` and `groups` of all releases together. `tidy()` has
#'   a row for each group and coordinate, with columns `group`, `term`, `estimate`, `released`, of tests
#'   `p.value` and, with `conf.int = TRUE`, `conf.low` and `conf.high`; `as.data.frame()` adds the columns of
#'   `glance()`, which has one row; `coef()` is a matrix with a row for each group and a column for each term,
#'   `NA` where a group has no such term; `plot()` and `autoplot()` draw the estimates of up to 12 terms with
#'   their intervals, of tests the p-values. `predict()` gives each row of `newdata` the estimates of its
#'   group, or its group's line, and `NA` where it is in none; `augment()`, whose generic is that of the
#'   packages generics and broom, binds them to `newdata` as `.fitted`.
#' @section Errors: `dpdepth_error_input` and `dpdepth_error_budget` as for `release`, before anything is
#' spent.
#' @references
#' McSherry, F. (2009). Privacy integrated queries. *SIGMOD*, Theorem 4 (parallel composition).
#' \doi{10.1145/1559845.1559850}
#' @seealso `vignette("proofs-accounts", "dpdepth")`, section 4; [dp_ledger()].
#' @examples
#' # the median sepal length of each species, whose lengths and species are both
#' # private
#' lengths <- dp_by(Sepal.Length ~ Species, iris, epsilon = 1, lower = 0,
#'                  upper = 20)
#' lengths
#' predict(lengths, data.frame(Species = c("setosa", "virginica")))
#'
#' # with intervals, if everyone's species is known
#' dp_by(Sepal.Length ~ Species, iris, epsilon = 3, lower = 0, upper = 20,
#'       interval = 0.9, groups = "public")
#' @order 1
#' @export
dp_by <- function(x, by = NULL, release = dp_median, epsilon, delta = 0, ..., data = NULL, levels = NULL,
                  groups = c("private", "public"), neighbours = c("substitution", "add_remove"),
                  id = NULL, ledger = NULL, rng = NULL) {
  check_given(further = taken_by(release))
  release_function(release)
  # formulas are public, and kept in the call
  rows <- list(x = x, by = by, data = data, id = id)
  call <- sanitize_call(match.call(), names(rows)[!vapply(rows, inherits, NA, "formula")])
  asked <- read_formula(x, by, data, release, id)
  groups <- check_choice(groups, c("private", "public"), "groups")
  private <- check_neighbours(neighbours)
  neighbours <- neighbour_kinds[[1 + private]]
  refuse_public_groups(groups, private, id)
  epsilon <- check_epsilon(epsilon)
  delta <- check_delta(delta, zero = TRUE)
  source <- check_rng(rng)
  rows <- grouped_rows(asked$x, asked$data, asked$by, levels, id, rng)
  refuse_public_groups(groups, private, if (rows$persons) TRUE)
  check_ledger(ledger)
  each <- group_epsilon(epsilon, groups, private)
  further <- c(list(epsilon = each), if (delta > 0) list(delta = delta),
               if (groups == "private") list(neighbours = "add_remove"))
  release_of <- function(which, ledger = NULL) {
    # quoted: what is an expression would be evaluated here, where the rows can be read
    do.call(release, c(rows$take(which), further, list(..., ledger = ledger, rng = rng)), quote = TRUE)
  }
  if (groups == "private") {
    refuse_public_size(release)
    rows$check(list(...)$na)
  }
  # what a call asks and warns of is found without a draw; of private groups it is the same for all
  tried <- if (groups == "private") rows$tried else rows$index
  if (groups == "public") refuse_empty_groups(rows$index)
  costs <- named_groups(groups,
                        lapply(tried, function(which) cost_of(function(ledger) release_of(which, ledger))))
  tell_warnings(unlist(lapply(costs, `[[`, "warnings"), recursive = FALSE))
  cost <- total_cost(lapply(costs, `[[`, "cost"), epsilon, groups, private)

  label <- sprintf("%s by group (%d)", costs[[1]]$label, length(rows$index))
  # what is to be said of the releases was said above
  suppressWarnings(debit(ledger, c(cost, list(label = label)), list(n = NA),
                         list(epsilon = cost$epsilon, neighbours = neighbours), source),
                   classes = "dpdepth_warning")
  releases <- lapply(rows$index, function(which) {
    made <- suppressWarnings(release_of(which), classes = "dpdepth_warning")
    made$call <- NULL
    made
  })
  structure(
    list(releases = releases, epsilon = cost$epsilon, delta = cost$delta, guarantee = cost$guarantee,
         neighbours = neighbours, groups = groups, persons = rows$persons, by = rows$by, rng = source,
         call = call),
    class = "dp_by"
  )
}

# -- arguments ---------------------------------------------------------------------------------------

# Names that a call may hold for `release`.
taken_by <- function(release) {
  if (!is.function(release)) return(character())
  release_function(release)
  setdiff(names(formals(release)), c("...", "formula", names(formals(dp_by))))
}

release_function <- function(release) {
  ours <- is.function(release) && identical(environment(release), environment(dp_by)) &&
    "ledger" %in% names(formals(release)) && "epsilon" %in% names(formals(release))
  if (ours) return(release)
  stop_input("release", "a function of this package that makes a release, such as dp_median",
             if (is.function(release)) "another function" else describe(release),
             "Give its arguments to dp_by(), as in dp_by(x, by, dp_median, 1, lower = 0, upper = 9).")
}

# With a formula the data may come second. A release that takes no formula itself is of the columns on the
# left, and those on the right are the groups. PRIVATE: x, by, data.
read_formula <- function(x, by, data, release, id) {
  if (!inherits(x, "formula")) return(list(x = x, by = by, data = data))
  if (is.null(data) && (is.data.frame(by) || is_tallies(by))) {
    data <- by
    by <- NULL
  }
  if ("data" %in% names(formals(release))) return(list(x = x, by = by, data = data))
  if (!is.null(by)) {
    stop_input("by", "left out where `release` takes no formula", describe_data(by),
               "In wage ~ education the groups are on the right.")
  }
  if (!is.data.frame(data)) stop_input("data", "a data frame with a formula", describe_data(data))
  check_frame(data, "data")
  if (length(x) != 3) {
    stop_input("x", "a formula of two sides, such as wage ~ education, or data", "a formula of one side")
  }
  groups <- x[-2]
  columns <- c(key_names(structure(call("~", x[[2]]), class = "formula"), "x"), key_names(groups, "x"))
  if (anyDuplicated(columns)) stop_input("x", "a formula that names each column once", "another one")
  if (inherits(id, "formula")) columns <- c(columns, key_names(id, "id", most = 1))
  strange <- columns[!columns %in% names(data)]
  if (length(strange) > 0) {
    stop_input("x", "a formula that names columns of the data", given_names(strange, names(data)))
  }
  if (sum(names(data) %in% columns) > length(unique(columns))) {
    stop_input("x", "a formula of columns that have names of their own", "one of a name that columns share")
  }
  list(x = as.data.frame(data)[unique(columns)], by = groups, data = NULL)
}

# The sizes of public groups are public, and their releases are made for rows that are replaced.
refuse_public_groups <- function(groups, private, id) {
  if (groups == "private") return(invisible(NULL))
  if (!is.null(id)) {
    stop_input("id", "NULL with groups = \"public\"", "given",
               "Which row of a person is kept decides on the group: take groups = \"private\".")
  }
  if (!private) return(invisible(NULL))
  stop_input("neighbours", "\"substitution\" with groups = \"public\"", "\"add_remove\"",
             "Sizes of public groups are known. With groups = \"private\" a row may be added or removed.")
}

# Who is in a public group is known, and so is that nobody is.
refuse_empty_groups <- function(index) {
  size <- vapply(index, known_count, 0)
  if (all(size > 0)) return(invisible(NULL))
  stop_input("levels", "groups that have rows, with groups = \"public\"",
             paste("a list with", quote_names(names(index)[size == 0]), "among them"),
             "Leave groups without rows out, as droplevels() does of a factor.")
}

refuse_public_size <- function(release) {
  if ("neighbours" %in% names(formals(release))) return(invisible(NULL))
  stop_input("release", "a function that has `neighbours`, such as dp_median, where groups are private",
             "another mechanism",
             paste("Its privacy is proved for data sets of one size only. Take one of these, or give",
                   "groups = \"public\" if everyone's group is known; then neither who is in which group nor",
                   "how many are in each is protected."))
}

# An argument that a release cannot have in private groups, such as an interval: `neighbours` is not what the
# call has to change.
named_groups <- function(groups, made) {
  if (groups == "public") return(made)
  tryCatch(made, dpdepth_error_input = function(e) {
    if (!identical(e$arg, "neighbours")) stop(e)
    stop_input("groups", "\"public\" with this release", "\"private\"", paste(
      "Give groups = \"public\" if everyone's group is known; the price: then neither who is in which group",
      "nor how many are in each is protected. Or take another release. It said:", conditionMessage(e)
    ))
  })
}

# -- cost --------------------------------------------------------------------------------------------

# What a release would enter in a ledger, its label, and the warnings of its checks, without a draw: the
# ledger that it gets records the entry and ends the call.
cost_of <- function(release) {
  warnings <- list()
  note <- function(label, cost) {
    signalCondition(structure(class = c("dpdepth_cost", "condition"), list(label = label, cost = cost)))
  }
  blank <- new_account()
  ledger <- structure(list2env(list(
    total = c(epsilon = Inf, delta = Inf, rho = Inf), process = Sys.getpid(),
    account = list(hold = blank$hold, spent = function(...) 0 * release_cost(0, 0), spends = blank$spends,
                   add = note)
  ), parent = emptyenv()), class = "dp_ledger")
  seen <- tryCatch(
    withCallingHandlers(release(ledger), dpdepth_warning = function(w) {
      warnings[[length(warnings) + 1L]] <<- w
      invokeRestart("muffleWarning")
    }),
    dpdepth_cost = function(c) unclass(c)
  )
  list(cost = seen$cost, label = seen$label, warnings = warnings)
}

# Each once.
tell_warnings <- function(warnings) {
  said <- vapply(warnings, conditionMessage, "")
  for (w in warnings[!duplicated(said)]) warning(w)
}

# Of all groups. Public: of the dearest. Private: what is asked for; a row that moves costs each of two groups
# half of it, and one that stays is a removal and an addition in one group: at most the whole, and four times
# the rho of one step (Bun and Steinke, 2016, Proposition 1.9). A delta would grow by exp(epsilon/2).
total_cost <- function(costs, epsilon, groups, private) {
  of <- function(unit) max(vapply(costs, `[[`, 0, unit))
  weak <- of("unproved") > 0
  delta <- of("delta")
  if (groups == "private" && delta > 0) {
    stop_input("delta", "0 where groups are private", format(delta), "Take a release that is pure.")
  }
  total <- list(
    epsilon = if (groups == "private") epsilon else of("epsilon"), delta = delta,
    rho = if (groups == "public" || private) of("rho") else 4 * of("rho"),
    guarantee = if (weak) "unproved" else if (delta > 0) "approximate" else "pure"
  )
  # beside an approximate release's delta no rho is kept without it
  if (delta > 0) total["rho"] <- list(NULL)
  total
}
