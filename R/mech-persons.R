# Several rows of one person: one of them is kept, drawn at random.
#
# METHOD: each id keeps one of its rows, each with the same chance, drawn apart from all others. With these
#   draws held fixed for all other ids, data sets that differ in the rows of one id keep rows that differ in
#   one: what is private for one row is private for one id, given the draws and so on average over them. The
#   rows kept stand in a random order: where they stood would move others' places, and batches go by place.
# REFERENCE: vignettes/proofs-accounts.Rmd, section 5.

#' Ids of persons
#'
#' The argument `id` of [dp_median()], [dp_quantile()], [dp_region()], [dp_regression()], [dp_by()] and other
#' doors gives the person of each row. One row of each id is kept, drawn at random. `group_cost()` computes
#' the privacy of a person with several rows where no `id` is given.
#'
#' @param rows The largest number of rows of a person.
#' @param epsilon,delta What a release is for each row.
#' @param ... Must be empty.
#' @details
#' **A formula names a column, and a vector is values**, however many rows there are: `~person` is the column,
#' and `"person"` the id of a single row. A vector of another length than the data is refused.
#'
#' **Ids are compared one by one**, each by its own text: 1 and 1L are one id, and so is the same text in two
#' encodings. What is no valid text is one id, and so is what is missing, as the code of a factor without a
#' level. Numbers that are not whole count with 15 digits.
#'
#' The methods' own doors, such as [dp_median_smooth()], and published rivals take no `id`: ask for the method
#' by `dp_median(method = , id = )`.
#'
#' **Without `id`** a person with k rows has less privacy: what is (epsilon, delta)-private for a row is
#' (k epsilon, delta (exp(k epsilon) - 1)/(exp(epsilon) - 1))-private for that person. `group_cost()` gives
#' both numbers. To give persons with up to k rows a certain epsilon, release with `epsilon / k`.
#'
#' @return A data frame with `rows`, `epsilon`, `delta`.
#' @section Errors: `dpdepth_error_input` for a bad argument, see [dpdepth-errors].
#' @references
#' Dwork, C. and Roth, A. (2014). The algorithmic foundations of differential privacy. *Foundations and Trends
#' in Theoretical Computer Science* 9, Theorem 2.2. \doi{10.1561/0400000042}
#' @examples
#' # three visits of each of 300 patients
#' visits <- data.frame(patient = rep(1:300, each = 3), minutes = 10 + 1:900 %% 21)
#' dp_median(visits, epsilon = 1, lower = 0, upper = 60, id = ~patient)
#'
#' # the privacy of persons with up to three rows, if a row has epsilon = 0.5
#' group_cost(3, epsilon = 0.5, delta = 1e-6)
#' @export
group_cost <- function(rows, epsilon, delta = 0, ...) {
  check_given()
  rows <- check_count(rows, "rows")
  epsilon <- check_epsilon(epsilon)
  delta <- check_delta(delta, zero = TRUE)
  # the sum of exp(i epsilon), i below `rows`, rounded up
  factor <- expm1(rows * epsilon) / expm1(epsilon) * (1 + 1e-12)
  if (is.nan(factor)) factor <- if (rows == 1) 1 else Inf
  data.frame(rows = rows, epsilon = rows * epsilon, delta = if (delta == 0) 0 else min(1, delta * factor))
}

# The ids, and the data without their column. PRIVATE.
take_ids <- function(x, id) {
  taken <- take_keys(x, id, "id", most = 1)
  list(x = taken$x, id = taken$keys[[1]])
}

# The places of the rows that are kept, in a random order. PRIVATE: id. `n`: how many rows there are; `among`:
# NULL, or the places of those that may be.
kept_rows <- function(id, n, rng, among = NULL) {
  id <- key_places(check_key(id, n, "id"))
  source <- check_rng(rng)
  if (!is.null(among)) id <- id[among]
  if (length(id) == 0) return(integer(0))
  by_id <- order(id, draw_below(length(id), 2^52, source))
  kept <- by_id[!duplicated(id[by_id])]
  kept <- kept[random_order(length(kept), source)]
  if (is.null(among)) kept else among[kept]
}

# One row of each id. `check(x)`: an error for data that are refused, of which the draw must not decide.
# `incomplete(x)`: NULL, or which rows to leave out before that.
one_row_each <- function(x, id, rng, check, incomplete = NULL) UseMethod("one_row_each")

# A tally's rows are chosen when they are counted.
#' @export
one_row_each.dp_tally <- function(x, id, rng, check, incomplete = NULL) {
  if (!is.null(id)) refuse_counted(x, "id", "NULL with a tally", "given", mend_counted_ids)
  x
}

mend_counted_ids <- "Give it to dp_tally(), which has the rows."

#' @export
one_row_each.default <- function(x, id, rng, check, incomplete = NULL) {
  if (is.null(id) && is.null(incomplete)) return(x)
  refuse_counted(x, "id", "NULL with a tally", "given", mend_counted_ids)
  taken <- if (is.null(id)) list(x = x) else take_ids(x, id)
  if (NROW(taken$x) > 0 && is.null(incomplete)) check(taken$x)
  kept <- if (!is.null(incomplete)) which(!incomplete(taken$x))
  if (!is.null(id)) kept <- kept_rows(taken$id, NROW(x), rng, kept)
  # without rows it may be anything that the release will refuse
  if (NROW(x) == 0) return(taken$x)
  if (is.null(dim(taken$x))) taken$x[kept] else taken$x[kept, , drop = FALSE]
}

# -- tests: a sample, two or a data frame ---------------------------------------------------------------

# What was given, with one row of each id.
keep_test_rows <- function(mechanism, given) {
  if (is.null(given$id)) return(given)
  if (given$formula) {
    check_trend_data(trend_names(given$x), given$data)
    given$data <- one_row_each(given$data, given$id, given$rng, function(data) {
      trend_rows(trend_names(given$x), data)
    })
  } else if (is.null(given$y)) {
    given$x <- one_row_each(given$x, given$id, given$rng, function(x) check_data(x, max_d = 1L))
  } else if (given$paired) {
    x <- check_data(given$x, max_d = 1L)
    y <- check_data(given$y, "y", max_d = 1L)
    check_same_rows(x, y)
    both <- one_row_each(unname(cbind(x, y)), given$id, given$rng, identity)
    given$x <- both[, 1]
    given$y <- both[, 2]
  } else {
    stop_input("id", "NULL with two samples, whose sizes are public", "given",
               "Give a formula, values ~ group, and a data frame of all rows; or tallies, counted with ids.")
  }
  given
}

# One row of each id in one sample or in both. Who is in both has a row in each, so that the release's promise
# is one of rows.
samples_persons <- function(x, y) {
  of <- c(x = "id" %in% names(persons_detail(x)), y = "id" %in% names(persons_detail(y)))
  if (!any(of)) return(NULL)
  if (is.null(y)) return(list(id = persons_text))
  who <- if (all(of)) "; a person in both has two rows" else ""
  list(id = sprintf("in %s: %s%s", quote_names(names(of)[of]), persons_text, who))
}
