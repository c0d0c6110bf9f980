# Simplicial depth.

# The number of simplices where all would be too many, for more than three variables.
default_tuples <- 10000L

# Limits of the exact counts: all partial sums below 2^63.
max_simplicial_rows <- c(.Machine$integer.max, 2^21, 2^16)

#' Simplicial depth
#'
#' The simplicial depth (Liu depth) of a point is the share of simplices that hold the point, among all
#' simplices with `d + 1` rows of the data as corners: segments for one variable, triangles for two,
#' tetrahedra for three. It does not change under affine transformations.
#'
#' Simplices are closed: the boundary belongs to them. Rows that coincide or lie on one line or plane make a
#' flat simplex, the convex hull of its corners. So ties, duplicates and collinear rows are counted without
#' exception, and a row lies in each of its own simplices.
#' (`ddalpha::depth.simplicial()` agrees on data in general position; in degenerate ones it may leave
#' out simplices that hold the point on their boundary, and above 1291 rows its number of triangles
#' overflows.) Computations on whole numbers have no rounding; for other numbers, rows and
#' directions that differ by rounding only are ties, as in [depth_halfspace()].
#'
#' **Exact**, for up to three variables (`tuples = NULL`): O(log n) for each point after sorting, O(n)
#' expected in the plane, O(n^2) in space.
#'
#' **Over a fixed set of simplices**, for any number of variables: `tuples` of them, chosen by `seed`
#' without looking at the data (blocks of random permutations of the row numbers, so that each row is
#' in about `tuples * (d + 1) / n`). With more than three variables `tuples = NULL` means 10,000, or all
#' if there are no more than that. The error of such a share is about `sqrt(D (1 - D) / tuples)`.
#' R's random numbers are neither read nor changed.
#'
#' One replaced row changes the depth by at most \eqn{(d + 1)/n}. The depth is robust to few outliers only: a
#' few distant rows lower the depth of all others a little, and a share of 1 - 2^(-1/(d+1)) of the rows (21%
#' in the plane) is in half of all simplices. The result depends on
#' the data without any protection: it is not private.
#'
#' @inheritParams depth_halfspace
#' @param tuples The number of simplices, or `NULL`, see Details.
#' @param seed The seed of their choice: a whole number from 0 to 2147483647. Choose it without looking at the
#'   data.
#' @param ... Must be empty: a name that is not an argument is refused, see [dpdepth-errors].
#' @return A numeric vector with the depths of the rows of `x`.
#' @section Errors:
#' `dpdepth_error_input` (see [dpdepth-errors]) for a bad argument, and for data with fewer than `d + 1`
#' rows, which have no simplices.
#' @references
#' Liu, R. Y. (1990). On a notion of data depth based on random simplices. *Annals of Statistics 18*,
#' 405-414. \doi{10.1214/aos/1176347507}
#'
#' Rousseeuw, P. J. and Ruts, I. (1996). Algorithm AS 307: bivariate location depth. *Applied
#' Statistics 45*, 516-526. \doi{10.2307/2986073}
#' @seealso [depth_halfspace()], which a few outliers cannot move.
#' @examples
#' # the eruptions of Old Faithful, and which of them most triangles hold
#' depth <- depth_simplicial(faithful, faithful)
#' faithful[order(-depth)[1:3], ]
#'
#' # four measurements of iris flowers, over 2000 simplices
#' summary(depth_simplicial(iris[1:4], iris[1:4], tuples = 2000))
#' @export
depth_simplicial <- function(x, data, tuples = NULL, seed = 1L, ...) {
  check_given()
  data <- check_data(data, "data")
  d <- ncol(data)
  if (nrow(data) < d + 1) {
    stop_input("data", sprintf("data with at least %d rows, one more than columns", d + 1),
               sprintf("%d", nrow(data)), "Take more rows or fewer columns.")
  }
  x <- check_points(x, d, names = colnames(data))
  if (is.null(tuples) && d <= 3) {
    if (nrow(data) > max_simplicial_rows[[d]]) {
      stop_input("tuples", sprintf("a count for more than %d rows", max_simplicial_rows[[d]]), "NULL",
                 "Say how many simplices to look at, such as 10000.")
    }
    return(with_progress_bar("simplicial depth", .Call(ffi_simplicial, x, data)))
  }
  tuples <- check_tuples(tuples, nrow(data), d)
  seed <- check_count(seed, "seed", lower = 0L)
  with_progress_bar("simplicial depth", .Call(ffi_simplicial_tuples, x, data, tuples, seed))
}

# The number of simplices, as an integer; 0 means all of them.
check_tuples <- function(tuples, n, d) {
  if (is.null(tuples)) return(if (choose(n, d + 1) <= default_tuples) 0L else default_tuples)
  check_count(tuples, "tuples", upper = floor(.Machine$integer.max / (d + 1)))
}

# The simplices of depth_simplicial(tuples = ) (`rows`, a matrix of row numbers), and `sensitivity`: how much
# one replaced row can change the depth.
simplicial_tuples <- function(n, d, tuples = NULL, seed = 1L) {
  out <- .Call(ffi_simplicial_load, as.integer(n), as.integer(d + 1), check_tuples(tuples, n, d),
               check_count(seed, "seed", lower = 0L))
  list(rows = out[[1]], sensitivity = out[[2]] / nrow(out[[1]]))
}
