# Warnings of calls that are allowed and hopeless: from public numbers only, before a ledger is debited.

#' Warnings
#'
#' A call that is allowed and yet serves nobody says so in a warning, before anything is spent and from public
#' numbers alone, so that the warning says nothing of the data. All have class `dpdepth_warning` and one of
#' these.
#'
#' \describe{
#'   \item{`dpdepth_warning_privacy`}{The promise is kept, and is worth little: `delta` of 1/n or more, or
#'     `epsilon` above 20; or, in [dp_depth()], points and data may have been exchanged. Not given for
#'     `rng = "R"`, where nothing is promised.}
#'   \item{`dpdepth_warning_accuracy`}{The release will be noise: data of one row, or noise that is as wide as
#'     the bounds. The release keeps these words in `details$caution` and prints them.}
#'   \item{`dpdepth_warning_time`}{An exact draw may take very long, or practically not end. The budget is
#'     spent before it begins: an interrupted call has spent it.}
#'   \item{`dpdepth_warning_type`}{From [dp_tally()]: SQLite knows no type of a column, which may hold text.}
#'   \item{`dpdepth_warning_release`}{In a simulation (`rng = "R"`), a function given to [ptr()] failed.}
#'   \item{`dpdepth_warning_flat`, `dpdepth_warning_limit`}{From functions without privacy: see
#'     [regress_medsweep()] and [median_spatial()].}
#' }
#'
#' Where they are expected, as in a simulation, `suppressWarnings(expr, classes = "dpdepth_warning")` drops
#' these and no others.
#' @examples
#' tryCatch(
#'   dp_median(1:9, epsilon = 50, lower = 0, upper = 10),
#'   dpdepth_warning = function(w) conditionMessage(w)
#' )
#' @name dpdepth-warnings
#' @aliases dpdepth_warning dpdepth_warning_privacy dpdepth_warning_accuracy dpdepth_warning_release
#'   dpdepth_warning_type dpdepth_warning_flat dpdepth_warning_limit
NULL

# For every private release, before the debit. `n`: rows, or NA.
warn_hopeless <- function(n, epsilon, delta, source) {
  if (source == "system") {
    if (!is.na(n) && n > 1 && delta >= 1 / n) {
      warn_dpdepth("privacy", with_point(sprintf(paste(
        "`delta` is %s, and 1/n is %s: whoever publishes one row picked at random keeps such a promise.",
        "Take a `delta` far below 1/n."
      ), format(delta), format(1 / n, digits = 3))))
    }
    if (epsilon > 20) {
      warn_dpdepth("privacy", with_point(sprintf(paste(
        "`epsilon` is %s: a factor of exp(epsilon) in the probability of what is seen protects nobody.",
        "Usual values lie between 0.1 and 10."
      ), format(epsilon))))
    }
  }
  if (!is.na(n) && n == 1) {
    warn_dpdepth("accuracy", paste("The data have one row, and what is released of one row is noise.",
                                   "Wait for more rows."))
  }
}

# How warnings name n and epsilon: n as one that is assumed, where it is private, and the epsilon that was
# asked for, of which a draw may have a share.
warned_numbers <- function(epsilon, private = FALSE) {
  list(rows = if (isTRUE(private)) function(n) paste(n, "(assumed, since n is private)") else identity,
       epsilon = epsilon)
}

# Noise scaled to smooth sensitivity is at least exp(-beta k) / alpha times the whole of the bounds, k the
# rows that must be replaced to move the estimate anywhere.
warn_wide_noise <- function(k, d, constants) {
  if (log(d) - constants$smoothness * k < log(constants$alpha)) return(invisible(NULL))
  warn_dpdepth("accuracy", paste(
    "With so few rows for this `epsilon` and `delta` the noise is as wide as the bounds, or wider,",
    "for nearly all data. Take more rows, a larger `epsilon`, or another method."
  ))
}

# What `warn`, which is evaluated here, warns of accuracy: sentences or NULL; the warnings go their way.
accuracy_warnings <- function(warn) {
  heard <- NULL
  withCallingHandlers(warn, dpdepth_warning_accuracy = function(w) heard <<- c(heard, conditionMessage(w)))
  if (!is.null(heard)) paste(unique(heard), collapse = " ")
}

# The spreads that a release resolves: of larger ones fewer draws fail.
resolved_failure <- 0.01

# Before the debit. `numbers`: n, d and epsilon, in words; `what`: is noise; `mends`: what would help, and
# where one looks. `from`: shares of the width that are warned of. Of one row warn_hopeless() has said enough.
warn_resolved <- function(found, n, numbers, what = "the release", mends,
                          from = if (found$dyadic) dyadic_share_warned else resolved_share_warned) {
  if (n == 1 || found$share <= from) {
    return(invisible(NULL))
  }
  noise <- sprintf("%s may be noise %s (judged by these numbers alone).", what,
                   if (found$dyadic) "of any size" else "as wide as the public limits")
  warn_dpdepth("accuracy", with_point(paste(
    "With", numbers, if (is.infinite(found$share)) noise
    else sprintf("%s are resolved: of other data %s", spreads_text(found$at, found$dyadic), noise), mends
  )))
}

# One threshold for all releases. Limits that a user sets with some care are up to 50 spreads wide: where such
# limits may give noise, a call is warned of. At epsilon = 1 that is with fewer rows than 44 (one variable),
# 70 (two), 48 (three). A thousandth would warn of 56, 98 and 62, a ten-thousandth of 66, 119 and 72: of calls
# that are fine for nearly everybody. Nor would it help the careless much, since failures fall by e with
# 4/epsilon
# rows: limits of a million spreads take 86 rows. They have the number that each print shows.
resolved_share_warned <- 1 / 50

# A thousandth of the distance from the origin of a dyadic prior.
dyadic_share_warned <- 1e-3 / 106

resolves_text <- function(at) {
  text <- vapply(at, format, "", digits = 2)
  if (length(unique(text)) == 1) return(text[[1]])
  if (length(at) > 12) return(sprintf("%s to %s", format(min(at), digits = 2), format(max(at), digits = 2)))
  toString(if (is.null(names(at))) text else paste(names(at), text))
}

spreads_text <- function(at, dyadic) {
  if (any(is.infinite(at))) return("no spreads below a twentieth of the limits' width")
  if (!dyadic) return(sprintf("spreads of %s or more", resolves_text(at)))
  share <- if (all(at == 0)) "any share" else resolves_text(at)
  sprintf("spreads of %s of the distance from the prior's origin or more, not below its step", share)
}
