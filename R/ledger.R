# The privacy budget: an account that refuses to overspend.

# How far the sum of the spends may pass the total, relatively: a third three times must fit.
budget_slack <- 1e-10

#' A privacy budget
#'
#' Every release costs some of the privacy of the people in the data, and the costs add up: by basic
#' composition, releases with \eqn{(\epsilon_i, \delta_i)} are together
#' \eqn{(\sum \epsilon_i, \sum \delta_i)}-differentially private. A ledger is an account of one data
#' set's budget: give it to every `dp_*` call on these data as `ledger =`, and a call that the
#' budget does not cover is refused with an error of class `dpdepth_error_budget`, before anything is
#' drawn and with nothing spent.
#'
#' Each call is debited *before* its noise is drawn: interrupting a call and trying again
#' buys nothing, and a private test that fails has spent its budget as well. An input that is refused
#' (`dpdepth_error_input`) spends nothing.
#'
#' The sum is a bound on what was lost only as far as each entry's guarantee is proved. An entry whose
#' guarantee is not ("stationary", "asymptotic" or "unproved"; see [dp_release]) says so in its label.
#'
#' Sums are of ordinary numbers, so that the spends may pass the total by at most a relative
#' \eqn{10^{-10}}: three times 1/3 of a budget always fits into it. A ledger with `delta = 0` takes pure
#' releases only.
#'
#' @section One account, not copies:
#' A ledger is mutable: after `b <- a`, both names are the *same* account. A copy made in other
#' ways is an account of its own that knows nothing of later spends, and the budget can then be spent
#' twice. So:
#'
#' * [saveRDS()], [save()] and a saved workspace take a snapshot. Going on from it is right only if it
#'   was taken after the last spend; never go back to an older one.
#' * A worker of another process (\pkg{parallel}, \pkg{future}) gets a copy. In a forked worker
#'   a ledger of the parent refuses to spend; for other workers this cannot be seen. Debit in the
#'   parent, or give each worker a ledger of its own with a share of the budget.
#' * The ledger knows the calls it is given to and no others, and cannot tell one data set from
#'   another. It protects from slips, not from an analyst who goes round it.
#'
#' @param epsilon,delta The budget: `epsilon` from 1e-6 to 1e6, `delta` from 0 to below 1.
#' @param x,object A ledger.
#' @param row.names,optional As in [as.data.frame()].
#' @param ... Ignored.
#' @return `dp_ledger()` returns an object of class `dp_ledger`. `as.data.frame()` and `tidy()` give a data
#'   frame with a row for each spend: `label`, `epsilon`, `delta`. `summary()` gives a data frame with rows
#'   `epsilon` and `delta` and columns `total`, `spent`, `left`. `format()` returns the lines that `print()`
#'   prints. None holds data.
#' @section Errors:
#' `dpdepth_error_input` (see [dpdepth-errors]) for an `epsilon` that is not from 1e-6 to 1e6 and a `delta`
#' that is not from 0 to below 1. Calls that are given the ledger raise `dpdepth_error_budget`, with nothing
#' spent, where the budget does not cover them and in a forked worker; so does an assignment into a ledger.
#' @references
#' Dwork, C. and Roth, A. (2014). The algorithmic foundations of differential privacy. *Foundations and
#' Trends in Theoretical Computer Science* 9, theorem 3.16. \doi{10.1561/0400000042}
#' @examples
#' budget <- dp_ledger(epsilon = 2, delta = 1e-6)
#' budget
#' summary(budget)
#' as.data.frame(budget)
#' @export
dp_ledger <- function(epsilon, delta = 0, ...) {
  check_given()
  epsilon <- check_epsilon(epsilon)
  delta <- check_delta(delta, zero = TRUE)
  ledger <- list2env(list(
    total = c(epsilon = epsilon, delta = delta), account = new_account(), process = Sys.getpid()
  ), parent = emptyenv())
  # what has been spent lives in the account's functions, so that nothing of the ledger needs to change
  lockEnvironment(ledger, bindings = TRUE)
  structure(ledger, class = "dp_ledger")
}

# The list of spends, which can be read and added to. To add one takes the same time however many there are:
# each has a place of its own in `entries`, and the sums are kept, with what rounding took from them.
new_account <- function() {
  entries <- new.env(hash = TRUE, parent = emptyenv())
  state <- list(count = 0, sum = c(epsilon = 0, delta = 0), error = c(epsilon = 0, delta = 0))
  list(
    spent = function(more = c(0, 0)) with_spend(state, more)$sum + with_spend(state, more)$error,
    spends = function() {
      rows <- unname(mget(entry_key(seq_len(state$count)), entries))
      data.frame(label = vapply(rows, `[[`, "", 1), epsilon = vapply(rows, `[[`, 0, 2),
                 delta = vapply(rows, `[[`, 0, 3))
    },
    add = function(label, spend) {
      after <- with_spend(state, spend)
      assign(entry_key(after$count), list(label, spend[[1]], spend[[2]]), entries)
      # an entry counts from here on: one assignment, so that an interrupt comes before or after it
      state <<- after
    }
  )
}

entry_key <- function(k) sprintf("%.0f", k)

# Sums without loss: `error` is what the rounded additions have dropped so far (Knuth's exact sum of two).
with_spend <- function(state, spend) {
  sum <- state$sum + spend
  back <- sum - state$sum
  lost <- (state$sum - (sum - back)) + (spend - back)
  list(count = state$count + 1, sum = sum, error = state$error + lost)
}

# Debits a release of (epsilon, delta) or raises `dpdepth_error_budget` and changes nothing.
# `ledger` NULL: no account is kept. `label`: what it is for, public text. A guarantee that is not proved is
# named in the entry.
ledger_spend <- function(ledger, epsilon, delta, label, guarantee = "pure") {
  if (is.null(ledger)) return(invisible(NULL))
  check_ledger(ledger)
  if (process$loaded != Sys.getpid() && ledger$process != Sys.getpid()) {
    stop_dpdepth("budget", paste(
      "`ledger` belongs to the parent of this forked process, which would not see the spend.",
      "Nothing was spent. Debit in the parent, or give each worker a ledger of its own."
    ), arg = "ledger")
  }
  asked <- c(epsilon = as.double(epsilon), delta = as.double(delta))
  spent <- ledger$account$spent(asked)
  # written so that NA refuses
  if (!isTRUE(all(asked >= 0)) || !isTRUE(all(spent <= ledger$total * (1 + budget_slack)))) {
    left <- budget_table(ledger)$left
    stop_dpdepth("budget", with_point(sprintf(
      "`ledger` has epsilon = %s, delta = %s left, which does not cover epsilon = %s, delta = %s. %s",
      format(left[[1]]), format(left[[2]]), format(asked[[1]]), format(asked[[2]]),
      "Nothing was spent. Ask for less, or stop here."
    )), arg = "ledger")
  }
  ledger$account$add(ledger_label(label, guarantee), asked)
  invisible(NULL)
}

ledger_label <- function(label, guarantee) {
  if (is_proved(guarantee)) return(short_text(label))
  sprintf("%s (%s: %s)", short_text(label), guarantee, weak_guarantees[[guarantee]])
}

check_ledger <- function(ledger) {
  if (is.null(ledger)) return(invisible(ledger))
  if (inherits(ledger, "dp_ledger") && is.environment(ledger) && is.list(ledger$account)) {
    return(invisible(ledger))
  }
  stop_input("ledger", "NULL or made by dp_ledger()", describe(ledger),
             "Make it once, ledger <- dp_ledger(epsilon, delta), and give it to each call.")
}

budget_table <- function(ledger) {
  spent <- unname(ledger$account$spent())
  total <- unname(ledger$total)
  data.frame(total = total, spent = spent, left = pmax(0, total - spent), row.names = c("epsilon", "delta"))
}

#' @rdname dp_ledger
#' @export
format.dp_ledger <- function(x, ...) with_point(ledger_lines(x))

ledger_lines <- function(x) {
  table <- budget_table(x)
  # what rounding leaves of a spent budget is nothing
  table$left[table$left <= table$total * budget_slack] <- 0
  cells <- vapply(table, function(column) vapply(column, format, ""), c("", ""))
  cells <- rbind(colnames(cells), cells)
  text <- paste0("  ", formatC(c("", "epsilon", "delta"), width = -9))
  for (j in 1:3) text <- paste0(text, formatC(cells[, j], width = -(max(nchar(cells[, j])) + 2)))
  spends <- x$account$spends()
  delta <- ifelse(spends$delta > 0, paste(", delta =", vapply(spends$delta, format, "")), "")
  lines <- sprintf("  %s. %s: epsilon = %s%s", seq_len(nrow(spends)), spends$label,
                   vapply(spends$epsilon, format, ""), delta)
  c("<dp_ledger> Budget by basic composition", sub(" +$", "", text),
    if (nrow(spends) == 0) "Nothing spent yet." else c("Spent on:", lines))
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
tidy.dp_ledger <- function(x, ...) as.data.frame(x)

# A ledger changes by spending only.
#' @export
`$<-.dp_ledger` <- function(x, name, value) { # nolint: object_name_linter.
  stop_dpdepth("budget", paste("A ledger changes by spending only.",
                               "For another budget make another, with dp_ledger()."), arg = "ledger")
}

#' @export
`[[<-.dp_ledger` <- `$<-.dp_ledger`
