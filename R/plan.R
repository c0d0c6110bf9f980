# What the planners share: the numbers asked for, and a print's head.

# Two of the numbers of a plan, checked; the third, NULL, is what the plan finds. `name`: the argument's that
# was given as `error`.
check_plan <- function(n, epsilon, error, name = "error") {
  if (is.null(n) + is.null(epsilon) + is.null(error) != 1) {
    how <- sprintf("`n` and `epsilon` give the %s to expect; `%s` and one of them give the other.", name,
                   name)
    if (!is.null(n) && !is.null(epsilon)) stop_input(name, "NULL with `n` and `epsilon`", "given", how)
    stop_input(if (is.null(epsilon)) "epsilon" else "n",
               if (is.null(error)) sprintf("given, or `%s` in its place", name)
               else sprintf("given with `%s`", name), "missing", how)
  }
  if (!is.null(n)) n <- check_count(n, "n")
  if (!is.null(epsilon)) epsilon <- check_epsilon(epsilon)
  if (!is.null(error)) error <- check_number(error, name, 0)
  list(n = n, epsilon = epsilon, error = error)
}

# Several n or epsilons: a plan of each pair, whose rows stand in one plain data frame.
is_grid <- function(n, epsilon) length(n) > 1 || length(epsilon) > 1

plan_grid <- function(n, epsilon, call, frame) {
  given <- list(n = n, epsilon = epsilon)
  for (arg in names(given)) {
    plain <- is.null(given[[arg]]) || is.numeric(given[[arg]]) && !is.object(given[[arg]]) &&
      is.null(dim(given[[arg]]))
    if (!plain) stop_input(arg, "one number or several", describe(given[[arg]]))
  }
  pairs <- expand.grid(lapply(given, function(v) seq_len(max(1, length(v)))))
  rows <- lapply(seq_len(nrow(pairs)), function(i) {
    for (arg in names(given)) call[arg] <- list(given[[arg]][pairs[i, arg]])
    tidy.dp_plan(eval(call, frame))
  })
  rows <- do.call(rbind, rows)
  row.names(rows) <- NULL
  rows
}

# The first lines of a plan's print: what is expected, and for which n, `size` (a column's name) and epsilon.
plan_head <- function(x, what, size, digits) {
  count <- function(column) grouped(x[[column]][[1]])
  wrap_text(sprintf("<%s> %s, n = %s, %s = %s, epsilon = %s", class(x)[[1]], what, count("n"), size,
                    count(size), format(x$epsilon[[1]], digits = digits)))
}

# Which rows of a plan have the error that is wanted, and hardly ever fail: a private test passes as often as
# it must.
plan_reaches <- function(rows, error) {
  if (is.null(rows$failure)) return(rows$error <= error)
  tested <- rows$method %in% tested_medians
  rows$error <= error & rows$failure <= if (any(tested)) ifelse(tested, 1 - min_pass, planned_failure)
                                        else planned_failure
}

tested_medians <- c("restricted", "projection", "interior")

# Below this n epsilon every private regression fails.
min_budget <- 50

# Without overflow.
root_mean_square <- function(x) max(x) * sqrt(mean((x / max(x))^2))

percent_text <- function(p) {
  ifelse(p < most_failure, "< 0.1%", ifelse(p > 0.99, "> 99%", paste0(signif(100 * p, 2), "%")))
}

# Plans take values to be dense. Where half of the rows tie, ranks leave the draw less room beside them, and
# what lies between the limits outweighs it sooner; a resolution gives each value its lattice point.
ties_note <- function(prior, spread, door) {
  wide <- is_dyadic(prior) || any(prior_width(prior) / prior_units(prior, spread)$spread > 1000)
  if (!wide) return(NULL)
  sprintf("Planned for values that hardly tie: of counts or many zeros give %s a `resolution`.", door)
}
