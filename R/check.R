# Checks of public arguments: each returns the value in the form the C side takes,
# or raises `dpdepth_error_input` naming the argument.

# Data as a double matrix, one individual a row; columns keep their names.
# `min_n`, `min_d`, `max_d`: the sizes the method can take.
check_data <- function(x, arg = "x", min_n = 1L, min_d = 1L, max_d = Inf) {
  if (is.data.frame(x)) x <- data_frame_matrix(x, arg)
  if (is.factor(x) || !(is.numeric(x) || is.logical(x) && length(x) == 0)) {
    stop_input(arg, "a numeric vector, matrix or data frame", describe(x))
  }
  if (is.object(x) && !is.matrix(x)) x <- as.numeric(x)
  if (length(dim(x)) > 2) stop_input(arg, "a vector, matrix or data frame", "a higher array")
  names <- colnames(x)
  x <- matrix(as.double(x), NROW(x), NCOL(x), dimnames = list(NULL, names))
  if (nrow(x) < min_n) {
    stop_input(arg, sprintf("data with at least %d row%s", min_n, if (min_n == 1) "" else "s"),
               sprintf("data with %d", nrow(x)))
  }
  if (ncol(x) < min_d || ncol(x) > max_d) {
    must <- if (min_d == max_d) sprintf("data with %d columns", min_d)
            else if (is.finite(max_d)) sprintf("data with %d to %d columns", min_d, max_d)
            else sprintf("data with at least %d column%s", min_d, if (min_d == 1) "" else "s")
    stop_input(arg, must, sprintf("data with %d", ncol(x)))
  }
  check_finite(x, arg)
  x
}

data_frame_matrix <- function(x, arg) {
  bad <- !vapply(x, function(col) is.numeric(col) && !is.factor(col), NA)
  if (any(bad)) {
    stop_input(arg, "a data frame of numeric columns",
               sprintf("one with non-numeric column%s %s", if (sum(bad) > 1) "s" else "",
                       toString(sprintf("`%s`", names(x)[bad]))))
  }
  if (ncol(x) == 0) return(matrix(0, nrow(x), 0))
  as.matrix(x)
}

# Which columns hold NA, NaN or Inf is said; which rows is not.
check_finite <- function(x, arg) {
  bad <- which(colSums(!is.finite(x)) > 0)
  if (length(bad) == 0) return(invisible(x))
  where <- if (is.null(colnames(x))) sprintf("column%s %s", if (length(bad) > 1) "s" else "", toString(bad))
           else toString(sprintf("`%s`", colnames(x)[bad]))
  kind <- if (anyNA(x)) "missing values (NA or NaN)" else "infinite values"
  stop_input(arg, "finite numbers without missing values", sprintf("data with %s in %s", kind, where))
}

# Query points as a matrix with d columns: a vector is one point, or n points when d = 1.
check_points <- function(x, d, arg = "x") {
  if (!is.data.frame(x) && is.null(dim(x)) && is.numeric(x) && d > 1) x <- matrix(x, nrow = 1)
  x <- check_data(x, arg, min_n = 0L)
  if (ncol(x) != d) {
    stop_input(arg, sprintf("points in %d dimension%s, as the data", d, if (d == 1) "" else "s"),
               sprintf("points in %d", ncol(x)))
  }
  x
}

# One finite number, in (lower, upper) or with closed ends where said.
check_number <- function(x, arg, lower = -Inf, upper = Inf, closed = c(FALSE, FALSE)) {
  must <- number_range(lower, upper, closed)
  if (!is.numeric(x) || is.object(x) || length(x) != 1 || !is.null(dim(x))) stop_input(arg, must, describe(x))
  if (!is.finite(x)) stop_input(arg, must, format(x))
  low <- if (closed[[1]]) x >= lower else x > lower
  high <- if (closed[[2]]) x <= upper else x < upper
  if (!low || !high) stop_input(arg, must, format(x))
  as.double(x)
}

number_range <- function(lower, upper, closed) {
  if (is.finite(lower) && is.finite(upper)) {
    return(sprintf("one number in %s%s, %s%s", if (closed[[1]]) "[" else "(", format(lower),
                   format(upper), if (closed[[2]]) "]" else ")"))
  }
  if (is.finite(lower)) {
    return(sprintf("one finite number %s %s", if (closed[[1]]) "of at least" else "above", format(lower)))
  }
  "one finite number"
}

# One whole number, as an integer.
check_count <- function(x, arg, lower = 1L, upper = .Machine$integer.max) {
  must <- sprintf("one whole number of at least %d", lower)
  if (upper < .Machine$integer.max) must <- sprintf("one whole number from %d to %d", lower, upper)
  if (!is.numeric(x) || is.object(x) || length(x) != 1) stop_input(arg, must, describe(x))
  if (!is.finite(x) || x != round(x) || x < lower || x > upper) stop_input(arg, must, format(x))
  as.integer(x)
}

check_flag <- function(x, arg) {
  if (!is.logical(x) || length(x) != 1 || is.na(x)) stop_input(arg, "TRUE or FALSE", describe(x))
  x
}

# One of the given strings; the default (the whole vector) means the first.
check_choice <- function(x, choices, arg) {
  if (identical(x, choices)) return(choices[[1]])
  must <- paste("one of", toString(dQuote(choices, FALSE)))
  if (!is.character(x) || length(x) != 1 || is.na(x)) stop_input(arg, must, describe(x))
  if (!x %in% choices) stop_input(arg, must, dQuote(x, FALSE))
  x
}

# Smallest and largest epsilon: below, the sampler's rounding (2^-34) would show; above,
# there is no privacy left to speak of and the exact rational no longer fits 64 bits.
check_epsilon <- function(x, arg = "epsilon") {
  check_number(x, arg, 1e-6, 1e6, closed = c(TRUE, TRUE))
}

# delta in (0, 1), or with zero allowed.
check_delta <- function(x, arg = "delta", zero = FALSE) {
  check_number(x, arg, 0, 1, closed = c(zero, FALSE))
}

# Box ends, one number for all variables or one each.
check_bounds <- function(lower, upper, d, arg = c("lower", "upper")) {
  lower <- check_bound(lower, d, arg[[1]])
  upper <- check_bound(upper, d, arg[[2]])
  bad <- which(lower >= upper)
  if (length(bad) > 0) {
    stop_input(arg[[1]], sprintf("below `%s`", arg[[2]]),
               sprintf("%s against %s", format(lower[[bad[[1]]]]), format(upper[[bad[[1]]]])))
  }
  list(lower = lower, upper = upper)
}

check_bound <- function(x, d, arg) {
  must <- if (d == 1) "one finite number" else sprintf("1 or %d finite numbers", d)
  if (!is.numeric(x) || is.object(x) || !length(x) %in% c(1L, d)) stop_input(arg, must, describe(x))
  if (!all(is.finite(x))) stop_input(arg, must, "one that is missing or infinite")
  rep_len(as.double(x), d)
}

# The random source's name: the argument, or the option.
check_rng <- function(rng) {
  if (is.null(rng)) {
    rng <- getOption("dpdepth.rng", "system")
    return(check_choice(rng, c("system", "R"), "options(dpdepth.rng = )"))
  }
  check_choice(rng, c("system", "R"), "rng")
}
