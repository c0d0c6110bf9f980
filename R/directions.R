# Public directions: unit vectors that projections are taken along.

# The largest matrix of directions, in numbers: 512 MB, of which a depth may hold two more.
max_directions <- 2^26

#' Public directions
#'
#' Unit vectors along which data are projected. They are *public* randomness: the same for the same arguments
#' on every platform and in every version. They are drawn without any data, and without the secret stream that
#' protects a release or R's stream (`.Random.seed` is neither read nor changed). A private mechanism's
#' guarantee holds for every fixed set of directions.
#'
#' The random directions are uniform on the sphere: pairs of coordinates are points of the circle times square
#' roots of the spacings of uniform numbers, from the splitmix64 generator with arithmetic that IEEE 754 fixes
#' to the last bit, then rounded to multiples of \eqn{2^{-40}}. (Only 32-bit x87 processors differ, in one
#' component of 50,000, by \eqn{2^{-40}}.)
#'
#' A longer set begins with the shorter one: the first rows of `directions(d, 2000)` are
#' `directions(d, 1000)`.
#'
#' @param d The dimension, a whole number of at least 1.
#' @param n How many directions; at least `d` if the set is to contain the axes.
#' @param seed A whole number from 0 to 2147483647. Choose it without looking at the data.
#' @param type `"axes+uniform"`: the first `d` rows are the coordinate axes, the others uniform on
#'   the sphere. `"uniform"`: all are uniform.
#' @param ... Must be empty: a name that is not an argument is refused, see [dpdepth-errors].
#' @return A double matrix of `n` rows, each a unit vector (to within \eqn{10^{-11}}), and `d`
#'   columns. When `d` is 1 there is one direction up to its sign, and the matrix is 1 x 1.
#' @section Errors:
#' `dpdepth_error_input` (see [dpdepth-errors]) for a bad argument, and for a matrix of more than
#' \eqn{2^{28}} numbers (2 GB).
#' @references
#' Steele, G. L., Lea, D. and Flood, C. H. (2014). Fast splittable pseudorandom number generators.
#' *OOPSLA '14*, section 4. \doi{10.1145/2660193.2660195}
#' @examples
#' directions(2, n = 4)
#'
#' # directions in four dimensions, and the iris flowers' width along each of the
#' # first three
#' u <- directions(4, n = 100)
#' apply(as.matrix(iris[1:4]) %*% t(u[1:3, ]), 2, range)
#'
#' all(abs(rowSums(u^2) - 1) < 1e-11)
#' @export
directions <- function(d, n = 1000L, seed = 1L, type = c("axes+uniform", "uniform"), ...) {
  check_given()
  type <- check_choice(type, c("axes+uniform", "uniform"), "type")
  d <- check_count(d, "d", upper = max_directions)
  axes <- type == "axes+uniform"
  n <- check_directions_count(n, d, axes, "n")
  seed <- check_count(seed, "seed", lower = 0L)
  .Call(ffi_directions, d, n, seed, axes)
}

# How many directions, as an integer; one is all there are on the line.
check_directions_count <- function(n, d, axes, arg) {
  if (d == 1) {
    check_count(n, arg)
    return(1L)
  }
  lower <- if (axes) d else 1L
  upper <- floor(max_directions / d)
  if (upper < lower) {
    stop_input("d", sprintf("at most %d for directions with all axes", floor(sqrt(max_directions))), d,
               "Take fewer variables, or type = \"uniform\".")
  }
  check_count(n, arg, lower = lower, upper = upper)
}

# The argument `directions` of a method: a count, or a matrix of unit rows. Returns a matrix of
# unit rows with d columns; `add_axes` puts those axes in front that are missing (up to sign).
as_directions <- function(directions, d, add_axes = FALSE, arg = "directions") {
  if (!is.data.frame(directions) && is.null(dim(directions))) {
    if (!is.numeric(directions) || is.object(directions) || length(directions) != 1) {
      stop_input(arg, sprintf("a count or a matrix of unit rows with %d column%s", d, plural(d)),
                 describe(directions), "Make a matrix with directions().")
    }
    n <- check_directions_count(directions, d, TRUE, arg)
    return(.Call(ffi_directions, as.integer(d), n, 1L, TRUE))
  }
  u <- unname(check_data(directions, arg))
  if (ncol(u) != d) {
    stop_input(arg, sprintf("a matrix with %d column%s, like the data", d, plural(d)),
               sprintf("one with %d", ncol(u)), sprintf("Make one with directions(%d).", d))
  }
  u <- unit_rows(u, arg)
  if (add_axes) u <- rbind(missing_axes(u), u)
  u
}

# Rows within 1e-10 of length one are left as they are, so that what directions() made keeps
# its bits; the others, up to 1e-8, are divided by their length.
unit_rows <- function(u, arg) {
  off <- abs(rowSums(u^2) - 1) / 2
  if (any(off > 1e-8)) {
    stop_input(arg, "a matrix of unit rows (length 1 to within 1e-8)",
               sprintf("one with %d row%s of another length", sum(off > 1e-8), plural(sum(off > 1e-8))),
               "Divide each row by its length: u / sqrt(rowSums(u^2)).")
  }
  fix <- off > 1e-10
  u[fix, ] <- u[fix, , drop = FALSE] / sqrt(rowSums(u[fix, , drop = FALSE]^2))
  u
}

# The coordinate axes that no row equals up to its sign.
missing_axes <- function(u) {
  axial <- rowSums(u != 0) == 1 & rowSums(abs(u)) == 1
  found <- max.col(abs(u[axial, , drop = FALSE]), "first")
  diag(1, ncol(u))[setdiff(seq_len(ncol(u)), found), , drop = FALSE]
}

# -- units in which the columns of data are compared, and numbers stay finite -----------------------------

# Data, points and directions as the kernels take them. Drawn directions are for columns in units of their
# spread: the powers of two of that unit, which change no comparison, go to the columns, and the
# rest to the directions. Given ones are for the data as they are, in the unit `common`.
in_units <- function(data, directions, common, x = data[0, , drop = FALSE]) {
  u <- as_directions(directions, ncol(data))
  unit <- rep_len(common, ncol(data))
  if (!is_matrix_like(directions)) {
    spread <- .Call(ffi_column_spread, data)
    # where single numbers are so large that they would overflow, not quite that unit
    unit <- 2^floor(log2(pmax(spread, apply(abs(rbind(data, x)), 2, max) * 2^-900)))
    u <- t(unit_columns(t(u) * pmin(unit / spread, 2^1000)))
  }
  list(data = data / rep(unit, each = nrow(data)), x = x / rep(unit, each = nrow(x)), u = u, unit = unit)
}

# A column with its middle at zero and its quartiles about one apart.
comparable <- function(x) {
  x <- x - stats::median(x)
  size <- stats::quantile(abs(x), c(0.5, 0.75, 0.9, 1), names = FALSE)
  if (size[[4]] == 0) x else x / size[size > 0][[1]]
}

# A power of two that brings numbers near the largest double down, so that their sums are finite.
huge_unit <- function(...) {
  size <- max(0, vapply(list(...), function(x) if (length(x) > 0) max(abs(range(x))) else 0, 0))
  if (size > 2^900) 2^200 else 1
}

# A power of two near the data's spread.
spread_unit <- function(data) {
  unit <- huge_unit(data)
  unit * 2^round(log2(stats::median(.Call(ffi_column_spread, data / unit))))
}

# Columns of length one; those without a direction become zero.
unit_columns <- function(v) {
  v <- v / rep(apply(abs(v), 2, max), each = nrow(v))
  v <- v / rep(sqrt(colSums(v^2)), each = nrow(v))
  v[!is.finite(v)] <- 0
  v
}
