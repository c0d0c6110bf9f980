# The privacy budget: an account that refuses to overspend.

#' A privacy budget
#'
#' Every release costs some of the privacy of the people in the data, and the costs add up. A ledger keeps the
#' account of one data set's budget. Pass it to every `dp_*` call on these data as `ledger =`. A call that the
#' budget does not cover is refused with an error of class `dpdepth_error_budget`; it draws nothing and spends
#' nothing.
#'
#' Each call is debited *before* its noise is drawn. So interrupting a call and repeating it gains nothing,
#' and a failed private test spends its budget, too. A refused input (`dpdepth_error_input`) spends nothing.
#'
#' The sum bounds the loss only if each entry's guarantee is proved. An entry without a proved guarantee
#' ("stationary", "asymptotic" or "unproved"; see [dp_release]) says so in its label.
#'
#' The spends may exceed the total by at most a relative \eqn{10^{-10}}, so that three thirds of a budget
#' always fit into it. A ledger with `delta = 0` takes pure releases only.
#'
#' @section Two ways of adding up:
#' *Basic composition.* Releases with \eqn{(\epsilon_i, \delta_i)} are together \eqn{(\sum \epsilon_i, \sum
#' \delta_i)}-differentially private. `dp_ledger(epsilon, delta)` refuses by these sums.
#'
#' *Zero-concentrated privacy* (zCDP). A release has a cost rho, and these costs add up. An exact draw of an
#' exponential mechanism costs \eqn{\epsilon^2/8}; most medians, quantiles and regressions of this package are
#' such draws. Gaussian noise costs its rho; any other release costs \eqn{\epsilon^2/2}. Many small releases
#' cost far less in this account: a hundred medians with epsilon = 0.1 have \eqn{\sum \epsilon_i = 10}, and
#' are (2.42, 1e-6)-differentially private. `dp_ledger(rho = , delta = )` refuses by the sum of these costs;
#' the deltas of approximate releases (but not that of Gaussian noise) add up separately.
#'
#' With either way, `print()` and `glance()` show the smallest valid epsilon, at the ledger's delta or at
#' another delta that you give. The ledger's totals hold even if earlier releases influenced later calls. An
#' epsilon that is *read off* during the work holds only if the calls and their budgets were planned before.
#' To stop at some epsilon, make it the ledger's total.
#'
#' @section One account, not copies:
#' A ledger is mutable: after `b <- a`, both names are the *same* account. A copy made in any other way is a
#' separate account that does not see later spends, so the budget could be spent twice, unless the ledger is
#' kept in a file. So, without one:
#'
#' * [saveRDS()], [save()] and a saved workspace take a snapshot, and its print says that it is a copy. Going
#'   on from it is right only if it was taken after the last spend. Never return to an older snapshot.
#' * A worker of another process (\pkg{parallel}, \pkg{future}) gets a copy. In a forked worker a ledger of
#'   the parent refuses to spend; other workers cannot be recognised. Debit in the parent, or give each worker
#'   its own ledger with a share of the budget.
#'
#' The ledger knows only the calls that receive it, and cannot distinguish data sets. It protects against
#' mistakes, not against an analyst who bypasses it.
#'
#' @section A ledger in a file:
#' `dp_ledger(epsilon = 2, file = "study.ledger")` makes the file, or opens it if it has the same budget;
#' `dp_ledger(file = "study.ledger")` opens it. All sessions and processes that open the file spend from one
#' budget. Copies of the object, saved or sent to workers, do so, too.
#'
#' * *Each spend is on the disk before the draw.* The file is locked, read, checked against the budget, added
#'   to and synchronized, and only then is anything drawn. Two processes cannot spend the same share. If a
#'   process or the machine fails, either the entry is in the file or nothing was drawn. The lock ends with
#'   its process.
#' * *An incomplete last entry counts.* If its costs can be read, these count; if not, it counts as all that
#'   was left, and the ledger refuses every further call.
#' * *A file that was put back to an older state, or changed, is refused* by every ledger that has seen the
#'   newer state. Each line holds a checksum of all lines above it, so that changed lines are also refused
#'   where the file is opened for the first time. A new session cannot see that the file is an older copy. The
#'   checksums protect against accidents, not against somebody who computes them anew.
#' * Keep it on a local disk: network file systems may lock and synchronize less than they say. Where the
#'   system refuses a lock, the call is refused. The file holds costs and labels, as the print does, and no
#'   data.
#'
#' @param epsilon The budget's epsilon, from 1e-6 to 1e6. It may be left out where `rho` is given.
#' @param delta The budget's delta, from 0 to below 1. For `glance()`: the delta at which epsilon is wanted;
#'   by default the ledger's.
#' @param rho `NULL`, or the budget in zero-concentrated privacy, above 0 and at most 1e6. Where `epsilon` is
#'   given too, a call must fit into both.
#' @param file `NULL`, or the path of a file in which the ledger is kept.
#' @param x,object A ledger.
#' @param row.names,optional As in [as.data.frame()].
#' @param ... Of `dp_ledger()` must be empty: a name that is not an argument is refused. Else ignored.
#' @return `dp_ledger()` returns an object of class `dp_ledger`. `as.data.frame()` and `tidy()` give a data
#'   frame with a row for each spend: `label`, `epsilon`, `delta`, `rho`. `summary()` gives a data frame with
#'   a row for each unit of the budget (`epsilon`, `rho`, `delta`) and columns `total`, `spent`, `left`.
#'   `glance()` gives one row: `releases`, `epsilon` (the least that is valid at `delta`), `delta`, `account`
#'   ("basic" or "zCDP": which one gave it), `epsilon_basic`, `epsilon_zcdp` (`Inf` where the account does not
#'   apply), `proved` (is the guarantee of every entry?), `rho`. `format()` returns the lines that `print()`
#'   prints. None holds data.
#' @section Errors:
#' `dpdepth_error_input` (see [dpdepth-errors]) for an invalid budget. Calls with the ledger raise
#' `dpdepth_error_budget`, with nothing drawn, where the budget does not cover them, in a forked worker
#' (without a file), and where the ledger's file is missing, has changed, or cannot be locked or written. So
#' do `dp_ledger(file = )` and prints where it is missing or changed, and an assignment into a ledger.
#' @references
#' Dwork, C. and Roth, A. (2014). The algorithmic foundations of differential privacy. *Foundations and Trends
#' in Theoretical Computer Science* 9, theorem 3.16. \doi{10.1561/0400000042}
#'
#' Bun, M. and Steinke, T. (2016). Concentrated differential privacy: simplifications, extensions, and lower
#' bounds. *TCC*, lemmas 7 and 8.8 and section 8. \doi{10.1007/978-3-662-53641-4_24}
#'
#' Canonne, C., Kamath, G. and Steinke, T. (2020). The discrete Gaussian for differential privacy. *NeurIPS*,
#' corollary 13 (from rho to epsilon). \doi{10.48550/arXiv.2004.00010}
#'
#' Cesar, M. and Rogers, R. (2021). Bounding, concentrating, and truncating: unifying privacy loss composition
#' for data analytics. *ALT*, lemma 3.4 (bounded range). \doi{10.48550/arXiv.2004.07223}
#'
#' Whitehouse, J., Ramdas, A., Rogers, R. and Wu, Z. S. (2023). Fully-adaptive composition in differential
#' privacy. *ICML* (totals hold for adaptive budgets). \doi{10.48550/arXiv.2203.05481}
#' @examples
#' budget <- dp_ledger(epsilon = 2, delta = 1e-6)
#' budget
#' summary(budget)
#' as.data.frame(budget)
#'
#' # a hundred medians in zero-concentrated privacy
#' budget <- dp_ledger(rho = 0.2, delta = 1e-6)
#' for (day in 1:100) {
#'   dp_median(quakes$depth, 0.1, lower = 0, upper = 700, ledger = budget)
#' }
#' glance(budget)
#'
#' # an account that other sessions share, and that outlives this one
#' file <- tempfile(fileext = ".ledger")
#' budget <- dp_ledger(epsilon = 2, file = file)
#' dp_median(faithful$waiting, 1, lower = 0, upper = 200, ledger = budget)
#' dp_ledger(file = file)
#' unlink(file)
#' @export
dp_ledger <- function(epsilon = NULL, delta = 0, rho = NULL, file = NULL, ...) {
  check_given()
  asked <- !is.null(epsilon) || !is.null(rho) || !missing(delta)
  if (is.null(file) && is.null(epsilon) && is.null(rho)) {
    stop_input("epsilon", given_text("epsilon"), "missing")
  }
  delta <- check_delta(delta, zero = TRUE)
  total <- c(epsilon = if (is.null(epsilon)) Inf else check_epsilon(epsilon), delta = delta,
             rho = if (is.null(rho)) Inf else check_number(rho, "rho", 0, 1e6, closed = c(FALSE, TRUE)))
  account <- if (is.null(file)) new_account() else opened_account(file, total, asked)
  if (!is.null(file)) total <- account$total
  # `session`: an environment of this session, which is another one once the ledger was saved and read
  ledger <- list2env(list(total = total, account = account, process = Sys.getpid(), session = process),
                     parent = emptyenv())
  # what has been spent lives in the account's functions, so that nothing of the ledger needs to change
  lockEnvironment(ledger, bindings = TRUE)
  structure(ledger, class = "dp_ledger")
}

# The account of a file, which is made where a budget is given. `asked`: was any part of the budget?
opened_account <- function(file, total, asked) {
  if (!is.character(file) || is.object(file) || length(file) != 1 || is.na(file) || !nzchar(file)) {
    stop_input("file", "NULL or one path, such as \"study.ledger\"", describe(file))
  }
  if (Encoding(file) == "bytes" || !validEnc(file) || nchar(file, "bytes") > 4000) {
    stop_input("file", "a path in a valid encoding, of at most 4000 bytes", "another text")
  }
  account <- new_file_account(file, if (any(is.finite(total[c("epsilon", "rho")]))) total)
  if (asked && !identical(account$total, total)) {
    stop_input("file", "the path of a ledger with the budget that is given", "one with another budget",
               "Leave epsilon, delta and rho out to open a ledger that is there.")
  }
  account
}

# Debits a release of (epsilon, delta) or raises `dpdepth_error_budget` and changes nothing.
# `ledger` NULL: no account is kept. `label`: what it is for, public text. A guarantee that is not proved is
# named in the entry. `rho`: what it costs in zero-concentrated privacy where that is known to be less than
# what (epsilon, delta) implies; no delta is spent in that account then.
ledger_spend <- function(ledger, epsilon, delta, label, guarantee = "pure", rho = NULL) {
  if (is.null(ledger)) return(invisible(NULL))
  check_ledger(ledger)
  refuse_fork(ledger)
  asked <- release_cost(epsilon, delta, rho, guarantee)
  ledger$account$hold({
    spent <- ledger$account$spent(asked)
    # written so that NA refuses
    if (!isTRUE(all(asked >= 0)) || !isTRUE(all(spent <= budget_caps(ledger) * (1 + budget_slack)))) {
      stop_budget(ledger, asked)
    }
    ledger$account$add(ledger_label(label, guarantee), asked)
  })
  invisible(NULL)
}

# A file is read anew for each spend, and is the parent's too.
refuse_fork <- function(ledger) {
  if (!is.null(ledger$account$file)) return(invisible(NULL))
  if (process$loaded != Sys.getpid() && ledger$process != Sys.getpid()) {
    stop_dpdepth("budget", paste(
      "`ledger` belongs to the parent of this forked process, which would not see the spend.",
      "Nothing was spent. Debit in the parent, give each worker a ledger of its own, or keep the ledger in a",
      "file."
    ), arg = "ledger")
  }
}

stop_budget <- function(ledger, asked) {
  left <- budget_table(ledger)
  named <- function(values) toString(sprintf("%s = %s", rownames(left), vapply(values, format, "")))
  delta <- if (is.finite(ledger$total[["epsilon"]])) "delta" else "approximate"
  wanted <- asked[sub("delta", delta, rownames(left), fixed = TRUE)]
  stop_dpdepth("budget", with_point(sprintf(
    "`ledger` has %s left, which does not cover %s. Nothing was spent. Ask for less, or stop here.",
    named(left$left), named(wanted)
  )), arg = "ledger")
}

ledger_label <- function(label, guarantee) {
  label <- short_text(label, 100L)
  if (is_proved(guarantee)) return(label)
  sprintf("%s (%s: %s)", label, guarantee, weak_guarantees[[guarantee]])
}

check_ledger <- function(ledger) {
  if (is.null(ledger)) return(invisible(ledger))
  if (inherits(ledger, "dp_ledger") && is.environment(ledger) && is.list(ledger$account)) {
    return(invisible(ledger))
  }
  stop_input("ledger", "NULL or made by dp_ledger()", describe(ledger),
             "Make it once, ledger <- dp_ledger(epsilon, delta), and give it to each call.")
}

# A row for each unit that the ledger refuses by.
budget_table <- function(ledger) {
  caps <- budget_caps(ledger)
  rows <- c("epsilon", "rho", if (is.finite(caps[["epsilon"]])) "delta" else "approximate")
  rows <- rows[is.finite(caps[rows])]
  total <- unname(caps[rows])
  spent <- unname(ledger$account$spent()[rows])
  data.frame(total = total, spent = spent, left = pmax(0, total - spent),
             row.names = sub("approximate", "delta", rows, fixed = TRUE))
}

#' @rdname dp_ledger
#' @export
format.dp_ledger <- function(x, ...) with_point(ledger_lines(x))

ledger_lines <- function(x) {
  table <- budget_table(x)
  # what rounding leaves of a spent budget is nothing
  table$left[table$left <= table$total * budget_slack] <- 0
  cells <- vapply(table, function(column) vapply(column, format, ""), character(nrow(table)))
  cells <- rbind(colnames(cells), cells)
  text <- paste0("  ", formatC(c("", rownames(table)), width = -9))
  for (j in 1:3) text <- paste0(text, formatC(cells[, j], width = -(max(nchar(cells[, j])) + 2)))
  spends <- x$account$spends()
  in_rho <- is.finite(x$total[["rho"]])
  costs <- paste0(
    sprintf("epsilon = %s", vapply(spends$epsilon, format, "")),
    ifelse(spends$delta > 0, sprintf(", delta = %s", vapply(spends$delta, format, "")), ""),
    if (in_rho) sprintf(", rho = %s", vapply(spends$rho, format, ""))
  )
  units <- if (!in_rho) "by basic composition"
           else if (is.infinite(x$total[["epsilon"]])) "in zero-concentrated privacy"
           else "by basic composition and in zero-concentrated privacy"
  c(paste("<dp_ledger> Budget", units), sub(" +$", "", text), composition_line(x), place_line(x),
    if (nrow(spends) == 0) "Nothing spent yet."
    else c("Spent on:", sprintf("  %s. %s: %s", seq_len(nrow(spends)), spends$label, costs)))
}

# Where the account is kept, if not here alone.
place_line <- function(x) {
  if (!is.null(x$account$file)) return(sprintf("Kept in the file %s.", short_text(x$account$file)))
  if (identical(x$session, process)) return(NULL)
  "A copy that was saved or sent: it does not see what is spent from the original, or from other copies."
}

# Said where it is less than the sum that the table shows, or where the table shows none.
composition_line <- function(x) {
  minimum <- composed_epsilon(x$account$spent(), x$total[["delta"]])
  shown <- if (is.finite(x$total[["epsilon"]])) minimum$epsilon_basic else Inf
  if (minimum$epsilon == 0 || !isTRUE(minimum$epsilon < shown)) return(NULL)
  at <- if (minimum$delta > 0) sprintf("(%s, %s)", format(minimum$epsilon, digits = 4), format(minimum$delta))
        else format(minimum$epsilon, digits = 4)
  sprintf("What is spent is %s-differentially private%s%s.", at,
          if (minimum$account == "zCDP") ", by zero-concentrated composition" else "",
          if (minimum$proved) "" else ", if each entry keeps what it claims")
}

#' @rdname dp_ledger
#' @export
print.dp_ledger <- function(x, ...) {
  writeLines(format(x))
  invisible(x)
}

#' @rdname dp_ledger
#' @export
summary.dp_ledger <- function(object, ...) budget_table(object)

#' @rdname dp_ledger
#' @export
as.data.frame.dp_ledger <- function(x, row.names = NULL, # nolint: object_name_linter.
                                    optional = FALSE, ...) {
  out <- x$account$spends()
  if (!is.null(row.names)) row.names(out) <- row.names
  out
}

#' @rdname dp_ledger
#' @export
glance.dp_ledger <- function(x, delta = NULL, ...) {
  delta <- if (is.null(delta)) x$total[["delta"]] else check_delta(delta, zero = TRUE)
  spent <- x$account$spent()
  data.frame(releases = nrow(x$account$spends()), composed_epsilon(spent, delta), rho = spent[["rho"]],
             row.names = NULL)
}

#' @rdname dp_ledger
#' @export
tidy.dp_ledger <- function(x, ...) as.data.frame(x)

# A ledger changes by spending only.
#' @export
`$<-.dp_ledger` <- function(x, name, value) { # nolint: object_name_linter.
  stop_dpdepth("budget", paste("A ledger changes by spending only.",
                               "For another budget make another, with dp_ledger()."), arg = "ledger")
}

#' @export
`[[<-.dp_ledger` <- `$<-.dp_ledger`

# rho, rounded up, of draws whose log ratios between neighbours lie within ranges `each` wide, composed: those
# of the exponential mechanism at a rate of each/2 (Cesar and Rogers, 2021; Dong, Durfee and Rogers, 2020).
bounded_range_rho <- function(each) sum(each^2) / 8 * (1 + 1e-12)
