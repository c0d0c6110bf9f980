# The rows of a release: one of each person (`id`), and the complete ones alone (`na = "omit"`).
#
# METHOD: a row that is replaced may have a value where the other one has none: the number of rows that are
#   left is private, and only mechanisms for a row more or less apply. Where a replaced row is promised, two
#   such steps are paid: each with epsilon/2, delta/(1 + exp(epsilon/2)), and together four times the rho of
#   one.
# REFERENCE: vignettes/proofs-accounts.Rmd, sections 4 and 5.

# One row of each id, and complete ones alone where others are left out.
chosen_rows <- function(mechanism, given) {
  if (given$omitted && !given$kept && !given$private) {
    # how many rows there are, complete or not, is public; a tally has the complete ones alone
    all <- given[[given$arg]]
    given$most <- if (kind_of(all) == "rows" && NROW(all) > 0) NROW(all)
  }
  given <- mechanism$keep(mechanism, given)
  given["id"] <- list(NULL)
  if (!given$omitted) return(given)
  given[[given$arg]] <- complete_rows(given[[given$arg]])
  # of a tally, too: what the call asks for is not what was done
  given$na <- "fail"
  if (given$private) given else two_steps(given)
}

# What the rows of one argument become; the others stay.
keep_rows <- function(mechanism, given) {
  x <- given[[given$arg]]
  check <- function(x) mechanism$read(replace(given, c(given$arg, "id"), list(x, NULL)))
  incomplete <- if (given$omitted) function(x) mechanism$incomplete(x, given)
  given[[given$arg]] <- one_row_each(x, given$id, given$rng, check, incomplete)
  given
}

# Which rows lack a value, of data of numbers.
incomplete_rows <- function(x, arg = "x") {
  rowSums(!is.finite(check_data(x, arg, min_n = 0L, finite = FALSE))) > 0
}

# What each of the two steps costs that make one replaced row.
two_steps <- function(given) {
  given$whole <- list(epsilon = given$epsilon, delta = given$delta)
  given$neighbours <- "add_remove"
  given$private <- TRUE
  given$epsilon <- group_epsilon(given$epsilon, "private", FALSE)
  if (isTRUE(given$delta > 0)) {
    given$delta <- given$delta / (1 + exp(given$whole$epsilon / 2)) * (1 - 2^-40)
  }
  given
}

# A refusal of private sizes is one of rows that are left out.
refused_as_omitted <- function(ready) {
  tryCatch(ready, dpdepth_error_input = function(e) {
    if (!identical(e$arg, "neighbours")) stop(e)
    # the user said nothing of `neighbours`
    if (is.null(e$refused)) refuse_omitted() else refuse_omitted(e$refused)
  })
}
