# Several rows of one person: one of them is kept, drawn at random.
#
# METHOD: each id keeps one of its rows, each with the same chance, drawn apart from all others. With these
#   draws held fixed for all other ids, data sets that differ in the rows of one id keep rows that differ in
#   one: what is private for one row is private for one id, given the draws and so on average over them. The
#   rows kept stand in a random order: where they stood would move others' places, and batches go by place.
# REFERENCE: vignettes/proofs-accounts.Rmd, section 5.

# The places of the rows that are kept, in a random order. PRIVATE: id. `n`: how many rows there are.
kept_rows <- function(id, n, rng) {
  if (!is.atomic(id) || is.null(id) || length(dim(id)) > 1 || length(id) != n) {
    stop_input("id", "NULL, a vector with a value for each row, or the name of a column of the data",
               describe(id))
  }
  source <- check_rng(rng)
  if (n == 0) return(integer(0))
  by_id <- order(match(id, id), draw_below(n, 2^52, source))
  kept <- by_id[!duplicated(id[by_id])]
  kept[random_order(length(kept), source)]
}

# A column of the data may be named; it is then no variable.
take_column <- function(x, key, arg) {
  if (!is.character(key) || length(key) != 1) return(list(x = x, key = key))
  # what a name means may depend on n only where it is no column's: n may be private
  if (!is.data.frame(x) || !isTRUE(key %in% names(x))) {
    if (NROW(x) == 1) return(list(x = x, key = key))
    stop_input(arg, "a value for each row, or the name of a column of the data", "the name of no column")
  }
  list(x = x[setdiff(names(x), key)], key = x[[key]])
}

# One row of each id. `check(x)`: an error for data that are refused, of which the draw must not decide.
one_row_each <- function(x, id, rng, check) {
  if (is.null(id)) return(x)
  refuse_tally_id(x, id)
  taken <- take_column(x, id, "id")
  if (NROW(taken$x) > 0) check(taken$x)
  kept <- kept_rows(taken$key, NROW(x), rng)
  if (is.null(dim(taken$x))) taken$x[kept] else taken$x[kept, , drop = FALSE]
}

# The release of the rows that were kept, as one of the call that was made.
of_persons <- function(release, call) {
  release$call <- call
  release$details <- c(release$details, list(id = "one row of each, drawn at random; n counts ids"))
  release
}
