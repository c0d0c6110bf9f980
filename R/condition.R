# Classed errors: one constructor, one function a class. No message holds a data value.

#' Errors
#'
#' Every error that the package raises on purpose has class `dpdepth_error` and one of these
#' classes, for [tryCatch()]. No message and no field holds a value of the data: a message names
#' the argument, what it must be, and of what kind it was. (Values of public parameters, such as
#' a negative `epsilon`, are shown, and so are the names of arguments and columns, which count as public; the
#' text of an option and the names of limits only where they are nearly what they should be.)
#'
#' \describe{
#'   \item{`dpdepth_error_input`}{A bad argument; its name is in the condition's field `arg`. Raised
#'     before anything is drawn and before a ledger is touched: *nothing is spent*.}
#'   \item{`dpdepth_error_budget`}{The [ledger][dp_ledger] does not hold what the release costs.
#'     Nothing is drawn and nothing is spent.}
#'   \item{`dpdepth_error_entropy`}{The operating system's source of randomness failed. Nothing is
#'     released and no weaker source is used instead. The budget is spent: it is debited before
#'     drawing, so that interrupting and trying again buys nothing.}
#'   \item{`dpdepth_error_memory`, `dpdepth_error_limit`}{Not enough memory for a workspace, or a bound on
#'     work was reached. Nothing is released. (Where R itself cannot find the room for a vector, or its
#'     own limit on memory is reached, the error is R's and has none of these classes.)}
#'   \item{`dpdepth_error_database`}{A database did not answer a statement of [dp_tally()]. What its driver
#'     said is left out, as it may hold data; the field `statement` names its kind. *Nothing is
#'     spent*, unless the message says so.}
#'   \item{`dpdepth_error_internal`}{A bug in the package. Please report it.}
#' }
#'
#' Warnings (class `dpdepth_warning`, see [dpdepth-warnings]) are judged by public numbers only and said
#' before anything is spent.
#'
#' A private test that fails is *not* an error: it is a result (`released = FALSE`) and has spent
#' its budget. See [dp_release].
#'
#' Whether a call failed can be seen by everybody who sees the output, so an error after the data
#' is looked at may say something about it (that it has a missing value, say). Clean the
#' data and settle the arguments before a release is made.
#'
#' @examples
#' tryCatch(
#'   dp_ledger(epsilon = -1),
#'   dpdepth_error_input = function(e) conditionMessage(e)
#' )
#' @name dpdepth-errors
#' @aliases dpdepth_error dpdepth_error_input dpdepth_error_budget dpdepth_error_entropy
#'   dpdepth_error_memory dpdepth_error_limit dpdepth_error_database dpdepth_error_internal
NULL

# Raises an error of class `dpdepth_error_<kind>`, `dpdepth_error`.
stop_dpdepth <- function(kind, message, ..., call = NULL) {
  stop(structure(
    class = c(paste0("dpdepth_error_", kind), "dpdepth_error", "error", "condition"),
    list(message = message, call = call, ...)
  ))
}

# Warns with class `dpdepth_warning_<class>`, `dpdepth_warning`, from public facts only.
warn_dpdepth <- function(class, message) {
  warning(structure(
    class = c(paste0("dpdepth_warning_", class), "dpdepth_warning", "warning", "condition"),
    list(message = message, call = NULL)
  ))
}

# Before the debit of a draw of which public numbers do not say that it ends. `what`: of what, or over what;
# `usual`: how long it is for most data; `mend`: what would help.
warn_unbounded_draw <- function(what, mend, usual = "seconds") {
  warn_dpdepth("time", with_point(paste(c(
    sprintf(paste("An exact draw %s takes %s for most data; for some, such as tight clusters or columns",
                  "that nearly determine each other, it takes very long, or practically does not end."),
            what, usual),
    spent_before, mend
  ), collapse = " ")))
}

spent_before <- "The budget is spent before the draw begins: an interrupted call has spent it."

# What code of others says may hold data: a driver of a database, a class's own as.double(). Of an error it is
# told that there was one. NULL stands for it here, and messages are shown again before anything is raised.
# (RPostgreSQL tries statements by try(), which prints.)
muted <- function(code) {
  old <- options(show.error.messages = FALSE)
  on.exit(options(old))
  tryCatch(suppressMessages(suppressWarnings(code)), error = function(e) NULL)
}

# A bad argument: its name, what it must be, what it was (or NULL), and how to mend it, in whole sentences, if
# that does not follow. Text of numbers has a decimal point where it is made here, in the call.
stop_input <- function(arg, must, was, mend = NULL, ...) {
  message <- with_point({
    # "given, not missing" says it twice; NULL: nothing can be said of it
    not <- if (is.null(was) || identical(was, "missing")) "" else sprintf(", not %s", was)
    paste(c(sprintf("`%s` must be %s%s.", arg, must, not), mend), collapse = " ")
  })
  stop_dpdepth("input", message, arg = arg, ...)
}

# Called by the C glue for a status that is not success.
stop_status <- function(kind) {
  stop_dpdepth(kind, switch(kind,
    entropy = paste(
      "The operating system's entropy source failed.",
      "Nothing was released, and no weaker source was used instead."
    ),
    memory = "There is not enough memory for this computation: smaller data or fewer points would need less.",
    limit = "The computation reached its bound on work or memory: smaller data would need less.",
    "An internal check of the package failed. Please report this."
  ))
}

# Says what a wrong argument was by its type alone: no value, as it may be data under a wrong name, and no
# length, as n may be private.
describe <- function(x) if (missing_value(x)) "NA" else describe_data(x)

# The same for data: not even one missing value is shown.
describe_data <- function(x) {
  if (is.null(x)) return("NULL")
  if (is.data.frame(x)) return("a data frame")
  if (is.factor(x)) return("a factor")
  if (is.function(x)) return("a function")
  if (is.matrix(x)) return(paste(with_article(typeof(x)), "matrix"))
  if (is.object(x)) {
    # a class could be any text
    kind <- class(x)[[1]]
    return(if (is_plain_name(kind)) sprintf("an object of class <%s>", kind) else "an object")
  }
  if (is.atomic(x)) return(paste(with_article(typeof(x)), "vector"))
  with_article(typeof(x))
}

# The same of numbers, of which those of `bad` break a rule: the number where one alone was given; of several
# the places, as a vector could be data under a wrong name.
describe_numbers <- function(given, bad, what = if (sum(bad) == 1) "another number" else "other numbers",
                             digits = NULL) {
  if (length(given) == 1) return(format(as.double(given), digits = digits))
  sprintf("%s in %s", what, which_places(which(bad), names(bad)))
}

# By name where all of them have one, by place otherwise; the first five of many.
which_places <- function(index, names, noun = "place") {
  if (!is.null(names) && !anyNA(names) && all(vapply(names, is_plain_name, NA))) {
    return(quote_names(names[index]))
  }
  sprintf("%s%s %s", noun, plural(length(index)), gsub("`", "", quote_names(index), fixed = TRUE))
}

plural <- function(k) if (isTRUE(k == 1)) "" else "s"

with_article <- function(noun) paste(if (grepl("^[aeiou]", noun)) "an" else "a", noun)

missing_value <- function(x) is.atomic(x) && length(x) == 1 && is.na(x)

# Names for a message: quoted, the first five of many.
quote_names <- function(names, max = 5L) {
  text <- toString(sprintf("`%s`", utils::head(names, max)))
  if (length(names) > max) text <- sprintf("%s and %d more", text, length(names) - max)
  text
}

# What else could be text made of data.
is_plain_name <- function(name) nzchar(name) && nchar(name) <= 40 && make.names(name) == name

# Text of numbers as R's code has them, with a point, whatever options(OutDec = ) says: in a sentence a comma
# would part two numbers.
with_point <- function(code) {
  old <- options(OutDec = ".")
  on.exit(options(old))
  force(code)
}

# A whole number with commas between thousands; options(OutDec = ",") would have R warn of two commas.
grouped <- function(x) with_point(format(x, big.mark = ",", scientific = FALSE))

# -- cautions --------------------------------------------------------------------------------------

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
  if (!dyadic) return(if (all(at == 0)) "any spread" else sprintf("spreads of %s or more", resolves_text(at)))
  share <- if (all(at == 0)) "any share" else resolves_text(at)
  sprintf("spreads of %s of the distance from the prior's origin or more, not below its step", share)
}
