# Propose, test, release: the private test of a safety margin, and the tool for any mechanism with one.

#' Propose, test, release
#'
#' Turns a mechanism that is private for most data sets into one that is private for all. A private test
#' decides whether the data are far enough from every data set for which the mechanism is not private. Use it
#' to build your own mechanism; the package has [dp_median_projection()] and [dp_median_restricted()].
#'
#' The test passes if `margin` plus noise exceeds a threshold. The noise is discrete Laplace, P(z)
#' proportional to exp(-epsilon_test |z|) over the whole numbers, drawn exactly. The threshold is the least
#' whole T for which the noise alone exceeds T with probability at most delta. Here epsilon_test = `share`
#' epsilon and epsilon_draw = (1 - `share`) epsilon.
#'
#' @section What you must guarantee:
#' The result is (epsilon, delta)-differentially private, for data sets that differ in one row, if all of the
#' following hold.
#'
#' 1. `margin` is a function of the data with values 0, 1, 2, ... that changes **by at most one** when any
#'    one row is replaced. This must hold for *every* pair of neighbours, as the computer computes it,
#'    rounding included. Where the computation fails, the value is 0.
#' 2. Whenever `margin` is 1 or more for one of two neighbours, `release` does one of two things: it requests
#'    the same draws for both, or it fails for both. The same draws are as many numbers, with the same
#'    sensitivities and epsilons, and the centers of each draw are at an l1 distance of at most its
#'    sensitivity.
#' 3. `margin` and `release` end with a value or an error. `ptr()` treats other exits that it can see, such as
#'    `return()` or `break` in the expression itself, or a restart, as failures; it does not see `quit()`.
#'    Side effects of `margin` and `release` (files, prints, global variables) and their running time are not
#'    protected.
#' 4. `epsilon`, `delta`, `share`, `n`, `names` and everything that `release` was set up with (such as a
#'    proposed scale of noise) were chosen without looking at the data.
#'
#' *Margins.* The distance to the nearest unsafe data set satisfies condition 1. So does any bound made of
#' nested bounds, see `vignette("proofs-projection", "dpdepth")`, and a margin cut off at a public number. A
#' search that gives up early on some data, or a quantity that is only *usually* stable, does not.
#'
#' *Failures.* Condition 2 must hold also where only one of two neighbours has a positive margin. If `release`
#' fails for only one of two neighbours, and the margin of one of them is large, the outcome distinguishes the
#' two.
#'
#' The proof is in `vignette("proofs-projection", "dpdepth")`, section 1.
#'
#' @section What the function ensures:
#' * The budget is debited before `margin` and `release` are evaluated.
#' * Errors, warnings, messages and other conditions of `margin` and `release` are not passed on: each would
#'   be an output without noise. Warnings and messages are dropped; conditions of other classes end the
#'   evaluation, as errors do.
#' * A `margin` that fails, or is not a whole number of at least 0, counts as 0.
#' * `release` returns no numbers. It requests noise for centers, and `ptr()` draws. So `release` cannot
#'   return a value without noise, or the mean of many draws.
#' * `release` fails if it raises an error; returns something that did not come from `laplace()` of this call;
#'   has centers that are missing or infinite; requests other than one number for each of `names`; spends
#'   epsilons whose sum exceeds epsilon_draw; or states a sensitivity outside 2^-900 to 2^900. The outcome is
#'   then that of a failed test.
#' * With `rng = "R"`, for simulated data, a warning (`dpdepth_warning_release`) says which of the two failed.
#' @param margin The safety margin: one whole number, 0 for data at which `release` is not safe.
#' @param release A function `release(epsilon, laplace)` that says what to release; `epsilon` is
#'   epsilon_draw. `laplace(center, sensitivity, epsilon)` requests `center` plus Laplace noise of scale
#'   `sensitivity / epsilon` for each coordinate, drawn in whole numbers on a public lattice. The draw is
#'   epsilon-close between neighbours whose centers have at most that l1 distance. Centers beyond a public
#'   range are moved to its end: 2^52 steps of the lattice to each side of 0, which is 2^31 to 2^32 times
#'   `sensitivity / epsilon`. `sensitivity` and `epsilon` must be public. `release` returns what `laplace()`
#'   returns, or a list of several such whose epsilons add up to at most epsilon_draw. It is called **whether
#'   or not** the test passes and must cope with unsafe data. Transform released numbers afterwards, from
#'   `coef()` of the result.
#' @param epsilon,delta The budget: epsilon of at least 1e-6, and delta in (0, 1).
#' @param share The share of epsilon that the test gets.
#' @param n The number of rows, for the record.
#' @param names The names of the released numbers, public: as many as `release` asks for.
#' @param ledger A [dp_ledger()] to debit, or `NULL`.
#' @param rng `"system"` or `"R"`, see [dpdepth_rng]; `NULL` for the option.
#' @param ... Must be empty: a name that is not an argument is refused, see [dpdepth-errors].
#' @return A [`dp_release`][dp_release]: `released` says whether the test passed (and `release` did not fail);
#'   if not, the estimate is `NA` for each of `names`, and the budget is spent all the same. `exact` is `TRUE`
#'   for `ptr()`'s own draws, and does not concern `margin` and `release`. The `details` hold `epsilon_test`,
#'   `epsilon_draw` and the `threshold`, but not the margin.
#' @section Errors:
#' `dpdepth_error_input` for a bad argument, `dpdepth_error_budget` for a ledger that does not cover the
#' release: nothing is spent then. Failures of `margin` and `release` are never errors.
#' @references
#' Dwork, C. and Lei, J. (2009). Differential privacy and robust statistics. *STOC*, 371-380 (the
#' test of section 4, with discrete noise). \doi{10.1145/1536414.1536466}
#' @seealso [margin_projection()]
#' @examples
#' # The median waiting time, with noise for a sensitivity of 4 minutes. The margin
#' # is the number of levels k at which the median cannot move by more than that.
#' proposed <- 4
#' margin_of <- function(x) {
#'   s <- sens_median(x, lower = 0, upper = 180, beta = 0.001)
#'   sum(cumprod(s$profile$A <= proposed))
#' }
#' median_of <- function(x) sort(x)[[136]]
#' ptr(margin_of(faithful$waiting),
#'     function(epsilon, laplace) {
#'       laplace(median_of(faithful$waiting), proposed, epsilon)
#'     },
#'     epsilon = 4, delta = 1e-4, n = 272, names = "waiting")
#' @export
ptr <- function(margin, release, epsilon, delta, share = 0.5, n = NA, names = "estimate", ...,
                ledger = NULL, rng = NULL) {
  call <- sanitize_call(match.call(), c("margin", "release"))
  check_given()
  check_release(substitute(release))
  # promises: nothing of the user's own is evaluated before the debit
  code <- list(margin = function() checked_margin(evaluate_silently(margin)),
               release = function(...) evaluate_silently(requested_draws(release, ...)))
  given <- list(code = code, epsilon = epsilon, delta = delta, share = share, n = n, names = names,
                ledger = ledger, rng = rng)
  release_by(ptr_mechanism(), list(given = given, call = call))
}

ptr_mechanism <- function() {
  new_mechanism(
    plan_ptr, draw_ptr, neighbours = "substitution", data = "code", limits = FALSE, incomplete = NULL,
    read = function(given) given$code, persons = function(given) NULL,
    facts = function(rows, given) {
      names <- check_names_of(given$names)
      list(n = if (missing_value(given$n)) NA_integer_ else check_count(given$n, "n"), d = length(names),
           variables = names, private = FALSE)
    }
  )
}

plan_ptr <- function(facts, given) {
  delta <- check_delta(given$delta)
  share <- check_number(given$share, "share", 0, 1)
  test <- check_epsilon(given$epsilon * share, "epsilon")
  draw <- check_epsilon(given$epsilon - test)
  list(label = "propose, test, release", mechanism = "propose, test, release", delta = delta, test = test,
       draw = draw, count = facts$d,
       details = list(advice = ptr_advice, epsilon_test = test, epsilon_draw = draw,
                      threshold = ptr_threshold(test, delta)))
}

# PRIVATE: code.
draw_ptr <- function(code, plan, source) {
  margin <- code$margin()
  asked <- code$release(plan$draw, plan$count)
  failed <- is.null(asked)
  if (failed) asked <- list(list(center = numeric(plan$count), sensitivity = 1, epsilon = plan$draw))
  estimate <- unlist(lapply(asked, function(r) {
    laplace_on_lattice(r$center, r$sensitivity, r$epsilon * (1 - sum_slack), source)
  }))
  passed <- ptr_test(margin$value, plan$test, plan$delta, source)
  if (source == "R") warn_failures(margin$failed, failed)
  list(estimate = estimate, released = passed && !failed)
}

ptr_advice <- paste(
  "More rows, or a larger epsilon, make a test pass more often. If it should have passed, try `margin`",
  "and `release` on made-up data with rng = \"R\", which warns of what failed.",
  "Trying again spends the budget again."
)

# A literal that is no function is refused; any other expression is the user's code, which is not
# evaluated before the debit.
check_release <- function(expression) {
  if (is.language(expression) || is.function(expression)) return(invisible(NULL))
  stop_input("release", "a function of epsilon and a source of noise", describe(expression))
}

check_names_of <- function(names) {
  ok <- is.character(names) && !is.object(names) && length(names) > 0 && !anyNA(names)
  if (!ok) stop_input("names", "the names of the numbers to be released, a character vector", describe(names))
  as.vector(names)
}

# The value of the user's code, or NULL if it fails. Conditions of it say nothing, of whatever class: a
# warning or message with a restart is muffled, all others are failures. Nor does a jump get out, such as
# return() in a promise of the caller's: the return() in on.exit() ends it here. Only interrupts go through,
# which R makes without any content.
evaluate_silently <- function(code) {
  jumped <- TRUE
  on.exit(if (jumped) return(NULL))
  outside <- length(computeRestarts())
  muffle <- function(condition) {
    if (inherits(condition, "interrupt") && length(condition) == 0) jumped <<- FALSE
    else if (!inherits(condition, "error")) {
      own <- utils::head(computeRestarts(), -outside)
      muffles <- Filter(function(r) r$name %in% c("muffleWarning", "muffleMessage"), own)
      if (length(muffles) > 0) invokeRestart(muffles[[1]])
      invokeRestart("dpdepth_failed")
    }
  }
  value <- withRestarts(
    tryCatch(withCallingHandlers(code, condition = muffle), error = function(e) NULL),
    dpdepth_failed = function() NULL
  )
  jumped <- FALSE
  value
}

checked_margin <- function(margin) {
  whole <- is_scalar_number(margin) && is.finite(margin) && margin == round(margin) && margin >= 0 &&
    margin < 2^52
  list(value = if (whole) as.double(margin) else 0, failed = !whole)
}

# What `release` asks for, or NULL. It is given a `laplace()` that writes down what is asked for and returns a
# token of it; draws are made of what was written down and then checked, and of nothing that was returned.
requested_draws <- function(release, epsilon, count) {
  if (!is.function(release)) return(NULL)
  book <- new.env(parent = emptyenv())
  book$requests <- list()
  laplace <- function(center, sensitivity, epsilon) {
    request <- list(center = center, sensitivity = sensitivity, epsilon = epsilon)
    book$requests <- c(book$requests, list(request))
    request_token(length(book$requests), book)
  }
  checked_draws(release(epsilon, laplace), book, epsilon, count)
}

request_token <- function(index, book) structure(index, class = "laplace_request", of = book)

# Sums of epsilons may pass the whole by so much, relatively; the draws make up for it.
sum_slack <- 2^-38

# The draws asked for, a list, or NULL if they are not `count` numbers that epsilon pays for.
checked_draws <- function(asked, book, epsilon, count) {
  if (!is.list(asked)) asked <- list(asked)
  if (is.object(asked) || length(asked) == 0) return(NULL)
  if (!all(vapply(asked, is_token, NA, book))) return(NULL)
  asked <- .subset(book$requests, vapply(asked, token_index, 0L))
  if (typeof(asked) != "list" || is.object(asked) || !all(vapply(asked, is_request, NA))) return(NULL)
  total <- sum(vapply(asked, function(r) as.double(r$epsilon), 0))
  if (total > epsilon * (1 + sum_slack / 4)) return(NULL)
  if (sum(vapply(asked, function(r) length(r$center), 0L)) != count) return(NULL)
  lapply(asked, function(r) lapply(r, as.double))
}

# A token as laplace() of this call returned it, to the last attribute.
is_token <- function(token, book) {
  if (typeof(token) != "integer") return(FALSE)
  index <- token_index(token)
  length(index) == 1 && index %in% seq_along(book$requests) && identical(token, request_token(index, book))
}

token_index <- function(token) {
  attributes(token) <- NULL
  token
}

is_request <- function(r) {
  if (typeof(r) != "list" || !identical(attributes(r), list(names = request_fields))) return(FALSE)
  within <- function(v, low, high) is_scalar_number(v) && is.finite(v) && v >= low && v <= high
  is.numeric(r$center) && !is.object(r$center) && length(r$center) > 0 && all(is.finite(r$center)) &&
    within(r$sensitivity, 2^-900, 2^900) && within(r$epsilon, 1e-6, 1e6)
}

request_fields <- c("center", "sensitivity", "epsilon")

# In a simulation only: on the release path nobody may learn what failed.
warn_failures <- function(margin, release) {
  if (margin) warn_dpdepth("release", "`margin` failed or is no whole number of at least 0. It counts as 0.")
  if (release) {
    warn_dpdepth("release", paste(
      "`release` failed, and nothing is released. It must return what laplace() returns, or a list of such:",
      "finite centers, one number for each of `names`, and epsilons that add up to its `epsilon` at most."
    ))
  }
}

# `center`, rounded to a grid of 2^-21 to 2^-20 of the scale, plus discrete Laplace noise on it, wider
# by what rounding may add to the distance of two centers: a step a coordinate.
laplace_on_lattice <- function(center, sensitivity, epsilon, source) {
  step <- 2^(floor(log2(sensitivity / epsilon)) - 20)
  scale <- ceiling((sensitivity / step + length(center)) / epsilon)
  noise <- draw_laplace_discrete(length(center), 1, scale, source)
  center[] <- (round(pmin(pmax(center / step, -2^52), 2^52)) + noise) * step
  center
}
