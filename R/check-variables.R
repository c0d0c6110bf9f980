# Checks of public numbers that belong to variables, by place or by name: bounds, resolutions, priors' fields.

# The `names` of data's variables, for the checks below, which match by them what has names; none, where data
# have none. (In a plan, without data, `names` is NULL.)
names_of <- function(x) if (is.null(colnames(x))) character() else colnames(x)

# Box ends, one number for all variables or one each; named ones are matched to `names`.
check_bounds <- function(lower, upper, d, arg = c("lower", "upper"), names = NULL) {
  single <- length(lower) == 1 && length(upper) == 1
  paired <- same_names(lower, upper, arg)
  lower <- paired[[1]]
  upper <- paired[[2]]
  lower <- check_bound(lower, d, arg[[1]], names)
  upper <- check_bound(upper, d, arg[[2]], names)
  check_ordered(lower, upper, arg, single)
  list(lower = lower, upper = upper)
}

# Two vectors that belong together, the second in the order of the first one's names. One number without a
# name is a default for all; names say which number is which, so that all of a vector's numbers have one, and
# numbers are not paired by name on one side and by place on the other.
same_names <- function(a, b, args) {
  vectors <- list(a, b)
  named <- vapply(vectors, function(v) is.numeric(v) && !is.null(names(v)), NA)
  for (i in which(named)) check_own_names(vectors[[i]], args[[i]])
  if (all(named)) {
    if (!setequal(names(a), names(b))) {
      stop_input(args[[2]], sprintf("named like `%s`", args[[1]]), "otherwise",
                 "Name the same ones in both.")
    }
    return(list(a, b[match(names(a), names(b))]))
  }
  if (any(named) && is.numeric(vectors[[which(!named)]]) && length(vectors[[which(!named)]]) > 1) {
    stop_input(args[!named], sprintf("named like `%s`, or one number for all", args[named]),
               "numbers without names",
               "Name the numbers in both, or in neither.")
  }
  vectors
}

check_own_names <- function(x, arg) {
  if (anyNA(names(x)) || !all(nzchar(names(x))) || anyDuplicated(names(x))) {
    stop_input(arg, "a vector in which each number has a name of its own, or none has",
               "one in which some lack a name or share one", "Name each number once.")
  }
}

# A vector named by columns is put in the columns' order; without names on either side, places count. But the
# name of one number alone is for a variable, and a vector of data has none.
match_names <- function(x, names, arg) {
  if (length(names) > 0) return(structure(x[name_order(names(x), names, arg)], names = names))
  if (length(x) == 1 && !is.null(names(x)) && !is.null(names)) {
    stop_input(arg, "one number without a name, as the data have none", "one with a name")
  }
  x
}

# The places among the names `given` of those in `names`; as they are where none are given.
name_order <- function(given, names, arg) {
  if (is.null(given) || identical(given, names)) return(seq_along(names))
  if (!setequal(given, names) || anyDuplicated(names) || anyDuplicated(given)) {
    stop_input(arg, paste("named", quote_names(names)), given_names(given, names),
               "Name each of them once, and nothing else; or leave the names out and let places count.")
  }
  match(names, given)
}

# `single`: one number each was given, for all variables.
check_ordered <- function(lower, upper, arg, single) {
  bad <- which(lower >= upper)
  if (length(bad) > 0) {
    stop_input(arg[[1]], sprintf("below `%s`", arg[[2]]),
               if (single) sprintf("%s where `%s` is %s", format(lower[[1]]), arg[[2]], format(upper[[1]]))
               else paste("at or above it in", which_places(bad, names(lower))),
               if (all(lower > upper)) "Perhaps the two changed places.")
  }
  if (!all(is.finite(upper - lower))) {
    stop_input(arg[[2]], sprintf("so near to `%s` that their difference is a finite number", arg[[1]]),
               NULL, "Take limits that are nearer to each other.")
  }
}

check_bound <- function(x, d, arg, names = NULL) {
  mend <- if (d > 1) sprintf("Give one number for all, or one for each of the %d.", d)
  must <- if (d == 1) "one finite number" else sprintf("1 or %d finite numbers", d)
  if (!is.numeric(x) || is.object(x) || length(dim(x)) > 1 || !length(x) %in% c(1L, d)) {
    stop_input(arg, must, describe_several(x), mend)
  }
  if (!all(is.finite(x))) stop_input(arg, must, "missing or infinite")
  x <- structure(as.double(x), names = names(x))
  as.double(match_names(spread_named(x, d, names, arg), names, arg))
}

# Numbers of which there are more or fewer than variables, or what is none.
describe_several <- function(x) {
  if (is.numeric(x) && !is.object(x) && is.null(dim(x)) && length(x) != 1) "another count of numbers"
  else describe(x)
}

# One number for each of d variables. A number with a name is for that variable, and is none for all.
spread_named <- function(x, d, names, arg) {
  if (length(x) == d) return(x)
  if (!is.null(names(x))) {
    must <- if (length(names) == 0) sprintf("one number without a name, or %d numbers", d)
            else paste("named", quote_names(names))
    near <- is_near(names(x), names)
    stop_input(arg, must, if (near) paste("only", quote_names(names(x))) else "one number with another name",
               "Name each of them; one number without a name is for all.")
  }
  rep_len(x, d)
}

# A resolution that names some of the variables, with the default of the others, d numbers or a function that
# gives them. Anything else is left as it is, for the checks.
fill_named <- function(resolution, default, names) {
  named <- names(resolution)
  if (is.null(named) || length(names) == 0 || !is.numeric(resolution) || is.object(resolution)) {
    return(resolution)
  }
  if (anyDuplicated(named) || anyDuplicated(names)) return(resolution)
  if (!all(named %in% names)) {
    stop_input("resolution", paste("named by variables, which are", quote_names(names)),
               given_names(named, names),
               "Name each variable once; variables that are left out keep the default.")
  }
  others <- setdiff(names, named)
  if (length(others) == 0) return(resolution)
  if (is.function(default)) default <- default()
  default <- rep_len(unname(default), length(names))
  c(resolution, stats::setNames(default[match(others, names)], others))
}

# Two vectors of finite numbers brought to one length and one set of names.
check_prior_fields <- function(a, b, args) {
  fields <- list(check_finite_numbers(a, args[[1]]), check_finite_numbers(b, args[[2]]))
  d <- max(lengths(fields))
  if (!all(lengths(fields) %in% c(1L, d))) {
    stop_input(args[[2]], sprintf("of length 1 or %d, like `%s`", length(fields[[1]]), args[[1]]),
               sprintf("of length %d", length(fields[[2]])))
  }
  fields <- same_names(fields[[1]], fields[[2]], args)
  names <- if (is.null(names(fields[[1]]))) names(fields[[2]]) else names(fields[[1]])
  fields <- lapply(fields, function(x) structure(rep_len(x, d), names = names))
  structure(fields, names = args)
}

check_finite_numbers <- function(x, arg) {
  must <- "a vector of finite numbers"
  if (!is.numeric(x) || is.object(x) || length(x) == 0 || length(dim(x)) > 1) {
    stop_input(arg, must, describe(x))
  }
  if (!all(is.finite(x))) stop_input(arg, must, "one with missing or infinite numbers")
  structure(as.double(x), names = names(x))
}
