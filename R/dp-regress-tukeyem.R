# Regression by fits of disjoint batches, released by depth along the axes after a private test.

#' Private regression by fits of batches, for comparison
#'
#' Rows are dealt at random into batches, each batch has its least squares fit, and a point of great depth
#' along the axes among these fits is drawn if a private test finds that safe ("TukeyEM"). It needs no
#' bounds and any number of regressors, and many rows. A published method, here as a yardstick for
#' [dp_regression()].
#'
#' @inheritParams dp_regression
#' @param delta Between 0 and 1; much less than 1/n is usual.
#' @param batches The number of batches: at least 8, and each has more rows than there are regressors. `NULL`:
#'   1000/epsilon, or as many as there can be.
#' @param resolution The step of the public lattice that fits and releases are rounded to: one number, or
#'   one a coefficient (the intercept first), rounded down to powers of two. The lattice has 2^40 steps to
#'   each side of zero.
#' @param na As in [dp_regression()]; `"omit"` is refused, and with `"middle"` a row of zeros stands for a
#'   row with missing values.
#' @param ... Must be empty: a name that is not an argument is refused, see [dpdepth-errors].
#' @details
#' One row is in one batch, and moves one of the fits, however far. From there on the method is that of
#' [dp_median_restricted()] with depth along the axes, whose level sets are boxes: level a quarter of the
#' batches, half of the budget for the test and half for the draw. Published code gives the shells of its
#' draw other volumes, and jitters ties with floating-point noise; the test here is that of
#' `vignette("proofs-restricted", "dpdepth")`, which is sharper. If the test fails, nothing is released
#' (`released = FALSE`) and the budget is spent.
#' @return A [`dp_release`][dp_release] of class `dp_regression` with `guarantee = "approximate"`;
#'   [predict()] works.
#' @section Errors: As for [dp_regression()]. Fewer rows than eight batches need are refused.
#' @references
#' Amin, K., Joseph, M., Ribero, M. and Vassilvitskii, S. (2022). Easy differentially private linear
#' regression. \doi{10.48550/arXiv.2208.07353}
#' @seealso [dp_regression()], [dp_regress_adassp()], [dp_median_restricted()].
#' @examples
#' dp_regress_tukeyem(stations ~ mag, quakes, epsilon = 4, delta = 1e-6, batches = 300)
#' @export
dp_regress_tukeyem <- function(formula, data, epsilon, delta, batches = NULL, resolution = 2^-16,
                               ..., ledger = NULL, rng = NULL, na = "fail") {
  check_given()
  call <- sanitize_call(match.call(), "data")
  frame <- line_frame(formula, data, na, line = FALSE)
  n <- nrow(frame$x)
  terms <- c("(Intercept)", colnames(frame$x))
  epsilon <- check_number(epsilon, "epsilon", 1e-4, 1e6, closed = c(TRUE, TRUE))
  delta <- check_delta(delta)
  plan <- tukeyem_plan(n, length(terms), epsilon, check_batches(batches, n, length(terms), epsilon))
  resolution <- check_resolution(resolution, length(terms), terms, default = 2^-16)
  source <- check_rng(rng)
  paid <- debit(ledger, "regression (batches)", n, epsilon, delta, source)
  frame$x[frame$incomplete, ] <- 0
  frame$y[frame$incomplete] <- 0
  law <- tukeyem_law(batch_places(frame, plan, resolution, source), plan, delta)
  # by chance the test may pass where there is nothing to draw from
  passed <- ptr_test(law$margin, plan$test, delta, source) && !is.null(law$boxes)
  estimate <- if (passed) draw_boxes(law$boxes$low, law$boxes$high, plan$draw, source)[1, ] * resolution
              else rep(NA_real_, length(terms))
  details <- list(advice = "More batches or a larger `epsilon` let more data pass.",
                  batches = plan$batches, level = plan$level, epsilon_test = plan$test,
                  epsilon_draw = plan$draw, resolution = stats::setNames(resolution, terms))
  line_release(
    list(estimate = estimate, released = passed, details = details), frame, NULL, na, paid,
    what = "regression by batches",
    mechanism = "restricted exponential mechanism over depth along the axes", call = call
  )
}

check_batches <- function(batches, n, d, epsilon) {
  most <- min(n %/% d, 2^20)
  if (most < 8) {
    stop_input("data", sprintf("a data frame with at least %d rows for %d coefficients", 8 * d, d),
               sprintf("one with %d", n))
  }
  if (is.null(batches)) return(as.integer(max(8, min(most, ceiling(1000 / epsilon)))))
  check_count(batches, "batches", 8L, most)
}

# Level, budgets, and the rate of the draw: that which the sampler makes of its share, to the last bit.
tukeyem_plan <- function(n, d, epsilon, batches) {
  draw <- min(epsilon / 2, most_draw_rate)
  units <- floor(draw * 2^40)
  list(batches = batches, size = n %/% batches, d = d, level = max(2L, batches %/% 4L), test = epsilon / 2,
       draw = draw, rate = (units - 64 - floor(units * 2^-40)) * 2^-40)
}

# The fits of the batches, each row by one batch alone, on the lattice. PRIVATE.
batch_places <- function(frame, plan, resolution, source) {
  order <- random_order(nrow(frame$x), source)
  fits <- matrix(0, plan$batches, plan$d)
  for (b in seq_len(plan$batches)) {
    rows <- order[(b - 1) * plan$size + seq_len(plan$size)]
    fits[b, ] <- least_squares(frame$x[rows, , drop = FALSE], frame$y[rows])
  }
  place <- round(sweep(fits, 2, resolution, `/`))
  place[is.nan(place)] <- 0
  pmin(pmax(place, -2^40), 2^40)
}

# Coefficients of any rows: what other regressors determine is 0. By the package's own loops: a library may
# sum in another order where the rows lie elsewhere in memory, which is no function of these rows. `rows` are
# numbered at random, and a fit's last bits go by their order.
least_squares <- function(x, y) {
  fit <- function(kept) {
    part <- x[, kept, drop = FALSE] + 0
    .Call(ffi_batch_fits, part, as.double(y), seq_along(y), 1L, rep(NaN, length(kept) + 1), FALSE)[1, ]
  }
  kept <- seq_len(ncol(x))
  beta <- fit(kept)
  if (anyNA(beta)) {
    kept <- integer()
    beta <- fit(kept)
    for (j in seq_len(ncol(x))) {
      more <- fit(c(kept, j))
      if (anyNA(more)) next
      kept <- c(kept, j)
      beta <- more
    }
  }
  out <- numeric(ncol(x) + 1)
  out[c(1, kept + 1)] <- beta
  out
}

# The safety margin, and the boxes of the levels from the least one on that hold points, if there are any.
# PRIVATE.
tukeyem_law <- function(places, plan, delta) {
  m <- nrow(places)
  low <- apply(places, 2, sort)
  high <- low[m:1, , drop = FALSE]
  empty <- rowSums(low > high) > 0
  levels <- if (any(empty)) which(empty)[[1]] - 1 else m
  volume <- rowSums(log(pmax(high - low + 1, 1)))
  if (levels < plan$level) return(list(margin = 0, boxes = NULL))
  drawn <- plan$level:levels
  list(margin = restricted_margin(volume[seq_len(plan$level)], volume[drawn], m, plan$rate, delta),
       boxes = list(low = low[drawn, , drop = FALSE], high = high[drawn, , drop = FALSE]))
}
