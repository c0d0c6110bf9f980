# Regression by fits of disjoint batches, released by depth along the axes after a private test: the engine of
# rival_regression(method = "tukeyem").

plan_tukeyem <- function(n, terms, box, epsilon, delta, batches = NULL, resolution = 2^-16) {
  d <- length(terms)
  epsilon <- check_number(epsilon, "epsilon", 1e-4, 1e6, closed = c(TRUE, TRUE))
  plan <- tukeyem_plan(n, d, epsilon, check_batches(batches, n, d, epsilon))
  resolution <- check_resolution(resolution, d, terms, default = 2^-16)
  details <- list(advice = "More batches or a larger `epsilon` let more data pass.",
                  batches = plan$batches, level = plan$level, epsilon_test = plan$test,
                  epsilon_draw = plan$draw, resolution = stats::setNames(resolution, terms))
  c(plan, list(delta = delta, resolution = resolution, middle = 0, details = details,
               mechanism = "restricted exponential mechanism over depth along the axes"))
}

run_tukeyem <- function(x, y, plan, source) {
  law <- tukeyem_law(batch_places(list(x = x, y = y), plan, plan$resolution, source), plan, plan$delta)
  # by chance the test may pass where there is nothing to draw from
  passed <- ptr_test(law$margin, plan$test, plan$delta, source) && !is.null(law$boxes)
  estimate <- if (passed) draw_boxes(law$boxes$low, law$boxes$high, plan$draw, source)[1, ] * plan$resolution
              else rep(NA_real_, plan$d)
  list(estimate = estimate, released = passed)
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
