# The rows of a call: complete ones where others are left out, and one of each person. The door is asked again
# with these rows.
#
# METHOD: a row that is replaced may have a value where the other one has none. So the rows that are left may
#   be one less, one more, or one less and one more: their number is private, and only laws of a row more or
#   less (R/mech-neighbours.R) hold. Where a row more or less is promised, the rest differ in one row more or
#   less at most, at the same epsilon. Where a replaced row is, two such steps are paid: each with epsilon/2,
#   delta/(1 + exp(epsilon/2)), and at four times its rho. Draws over counts of rows lose nothing by that.
# REFERENCE: vignettes/proofs-accounts.Rmd, section 4.

# A tally that left rows out says so. `id`: of persons.
chooses_rows <- function(x, id = NULL, na = "fail") {
  !is.null(id) || identical(na, "omit") || is_tally(x) && is_omitted(x)
}

# The release of the rows that are chosen, of a door whose call may ask for that. `arg`: which argument has
# the rows. `check(x)`: as of one_row_each(), told what stands for missing values. `incomplete(x)`: which rows
# lack a value; NULL where "omit" is the door's own affair.
release_chosen <- function(door, call, check, arg = "x", incomplete = incomplete_rows,
                           frame = parent.frame()) {
  given <- arguments_in(frame, door)
  omit <- chooses_rows(given[[arg]]) || !is.null(incomplete) && identical(given$na, "omit")
  id <- given$id
  rows <- one_row_each(given[[arg]], id, given$rng, check,
                       if (omit && !is_tally(given[[arg]])) incomplete)
  given[[arg]] <- if (omit && is_tally(rows)) with_private_size(replace(rows, "na", "fail")) else rows
  if (!is.null(id)) given["id"] <- list(NULL)
  if (omit && !is.null(given$na)) given$na <- "fail"
  steps <- if (omit && check_neighbours(given$neighbours) == "substitution") two_steps(given)
  for (name in names(steps)) given[[name]] <- steps[[name]]
  release <- told_of_rows(!is.null(steps), do.call(door, given, quote = TRUE))
  if (!is.null(steps)) release <- as_substitution(release, steps$ledger)
  # a tally's own detail goes with its mark
  as_called(release, call, c(if (omit) list(na = omitted_text), if (!is.null(id)) list(id = persons_text)))
}

# What a door was given, without what is missing; quoted: what is an expression must not be evaluated.
arguments_in <- function(frame, door) {
  names <- setdiff(names(formals(door)), "...")
  given <- mget(names, frame)
  here <- vapply(names, function(name) !identical(given[[name]], formals(function(none) NULL)$none), NA)
  c(given[here], if (exists("...", frame, inherits = FALSE)) eval(quote(list(...)), frame))
}

# Which rows lack a value, of data of numbers.
incomplete_rows <- function(x, arg = "x") {
  rowSums(!is.finite(check_data(x, arg, min_n = 0L, finite = FALSE))) > 0
}

# What each of two steps costs that make one replaced row.
two_steps <- function(given) {
  if (is.null(given$epsilon)) return(list(neighbours = "add_remove")) # which the door refuses
  epsilon <- check_epsilon(given$epsilon)
  delta <- if (is.null(given$delta)) 0 else check_delta(given$delta, zero = TRUE)
  check_ledger(given$ledger)
  ledger <- structure(list(ledger = given$ledger, epsilon = epsilon, delta = delta), class = "dp_two_steps")
  c(list(epsilon = group_epsilon(epsilon, "private", "substitution"), neighbours = "add_remove"),
    list(ledger = ledger),
    if (delta > 0) list(delta = delta / (1 + exp(epsilon / 2)) * (1 - 2^-40)))
}

# A refusal of private sizes is one of rows that are left out.
told_of_rows <- function(steps, release) {
  if (!steps) return(release)
  tryCatch(release, dpdepth_error_input = function(e) {
    if (!identical(e$arg, "neighbours")) stop(e)
    # the user said nothing of `neighbours`
    if (is.null(e$refused)) refuse_omitted() else refuse_omitted(e$refused)
  })
}

# What was drawn for a row more or less, as a release for a replaced row.
as_substitution <- function(release, whole) {
  release$neighbours <- "substitution"
  release$epsilon <- whole$epsilon
  if (release$delta > 0) release$delta <- whole$delta
  if (!is.null(release$details$rho)) release$details$rho <- 4 * release$details$rho
  release
}
