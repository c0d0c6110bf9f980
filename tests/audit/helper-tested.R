# The privacy audit's checks of mechanisms with a private test, and of the exponential mechanism.

# P(the test passes), by running it on all values of its noise that matter.
pass_chance <- function(margin, epsilon, delta) {
  z <- seq(-4000, 4000)
  rate <- NULL
  all_values <- function(n, num, den = 1, rng = NULL) {
    rate <<- c(num, den)
    z
  }
  passes <- with_bindings(list(draw_laplace_discrete = all_values), ptr_test(margin, epsilon, delta,
                                                                             "system"))
  sum(pmf_laplace_discrete(z[passes], rate[[1]], rate[[2]]))
}

# The divergence of two releases that are made with probability `pass`, with Laplace noise in one variable.
passed_divergence <- function(p, q, epsilon) {
  one <- function(p, q) {
    shift <- abs(p$centre - q$centre)
    made <- if (p$pass <= 0) 0
            else if (q$pass <= 0) p$pass
            else p$pass * ruler_line(shift, p$scale, q$scale, epsilon + log(q$pass / p$pass))
    made + max(0, 1 - p$pass - exp(epsilon) * (1 - q$pass))
  }
  max(one(p, q), one(q, p))
}

# Of a margin that jumps the ratio is the jump; of one that does not the guarantees count.
margin_loss <- function(p, q, ratio, hint = 0) {
  move <- abs(p$margin - q$margin)
  list(ratio = if (move > 1) max(move, ratio) else ratio, hint = hint + move)
}

check_projection <- function(location = "median", scale = "mad", epsilon = 8, delta = 0.01, eta = 1,
                             tau = 3.5, sizes = c(5:12, 25, 40, 101, 201)) {
  list(
    start = function() if (stats::runif(1) < 0.4) gap_pair(eta, tau) else unit_pair(1, sizes),
    row = unit_row, unit = 1,
    law = function(m) {
      law <- NULL
      keep <- function(draws, directions, center, spread, rate, ...) {
        law <<- list(centre = center, scale = spread / rate)
        list(draws = matrix(0))
      }
      got <- recorded_test(function() {
        dp_median_projection(m, epsilon, delta, location, scale, eta, tau, 1L, try_anyway = TRUE)
      }, list(draw_projections = keep))
      c(law, list(margin = got$margin, draw = epsilon - got$epsilon,
                  pass = pass_chance(got$margin, got$epsilon, got$delta)))
    },
    loss = function(p, q) {
      # without spread there is nothing to draw from, and the margin must be 0
      drawn <- p$scale > 0 && q$scale > 0
      whole <- if (drawn) passed_divergence(p, q, epsilon) else max(p$pass, q$pass)
      safe <- if (max(p$margin, q$margin) < 1) 0 else if (drawn) laplace_divergence(p, q, p$draw) else 1
      hint <- if (drawn) laplace_hint(p, q) * (if (max(p$margin, q$margin) < 1) 0.1 else 1) else 0
      margin_loss(p, q, max(whole, safe) / delta, hint)
    }
  )
}

# A gap that one row can carry the median across, just safe or not.
gap_pair <- function(eta, tau) {
  n <- pick(c(21, 101, 201))
  half <- (n - 1) / 2
  gap <- eta * stats::runif(1) * pick(c(1, 8, 1 / (1 + tau)))
  away <- (seq_len(half) > half / 3) / 2 + seq_len(half) * 1e-6
  a <- matrix(c(-gap / 2, -gap / 2 - away, gap / 2 + away))
  b <- a
  b[order(a)[[half + sample.int(3, 1) - 1]], ] <- pick(c(1e3, -1e3, gap / 2))
  list(a, b)
}

# Several variables: the margin alone.
check_projection_margin <- function(d, location = "median", scale = "mad", epsilon = 8, delta = 0.01, eta = 1,
                                    tau = 4, sizes = c(5:12, 25, 40), count = 6L) {
  keep <- function(...) list(draws = matrix(0, 1, d))
  list(
    start = function() unit_pair(d, sizes), row = unit_row, unit = 1,
    law = function(m) {
      recorded_test(function() {
        dp_median_projection(m, epsilon, delta, location, scale, eta, tau, count, try_anyway = TRUE)
      }, list(draw_projections = keep))["margin"]
    },
    loss = function(p, q) margin_loss(p, q, 0, p$margin + q$margin)
  )
}

# -- restricted exponential mechanism ------------------------------------------------------------------

# Rows on the grid 0, ..., top, where the law of a draw is a table.
grid_pair <- function(d, top, sizes) {
  n <- pick(sizes)
  a <- round(top / 2 + matrix(stats::rnorm(n * d, sd = top * sample(c(0, 0.02, 0.06, 0.2), 1)), n))
  far <- sample(0:5, 1)
  if (far > 0) a[seq_len(far), ] <- sample(c(0, top, round(top * c(0.4, 0.6))), far * d, TRUE)
  a <- pmin(pmax(a, 0), top)
  b <- a
  b[sample.int(n, 1), ] <- sample(c(0, top, 0:top), d, TRUE)
  list(a, b)
}

# draw_restricted_axes() says what is drawn from: rows, level and budget; the law itself is by brute force.
check_restricted <- function(d, top = if (d == 1) 100 else 8, level = 4, epsilon = 5, delta = 0.02,
                             share = 0.4, sizes = c(8:14, 20)) {
  points <- grid_points(0, top, d)
  list(
    start = function() grid_pair(d, top, sizes), row = function(m) sample(c(0, top, 0:top), d, TRUE),
    unit = top / 4, keep = function(m) pmin(pmax(round(m), 0), top),
    law = function(m) {
      drawn <- NULL
      own <- draw_restricted_axes
      keep <- function(rows, level, budget, ...) {
        drawn <<- list(rows = rows, level = level, rate = budget[["draw"]])
        own(rows, level, budget, ...)
      }
      got <- recorded_test(function() {
        suppressWarnings(dp_median_restricted(m, epsilon, delta, level, share, 1))
      }, list(draw_restricted_axes = keep))
      pass <- pass_chance(got$margin, got$epsilon, got$delta)
      table <- slow_restricted_law(points, drawn$rows, drawn$level, drawn$rate)
      list(margin = got$margin, made = table, law = c(pass * table, 1 - pass), draw = epsilon - got$epsilon)
    },
    loss = restricted_loss(epsilon, delta)
  )
}

# Of laws that are tables.
restricted_loss <- function(epsilon, delta) {
  function(p, q) {
    worst <- max(hockey_stick(p$law, q$law, epsilon), hockey_stick(q$law, p$law, epsilon))
    # of the draw something is claimed from a data set whose margin is not 0 to its neighbours, not back
    from <- function(p, q) if (p$margin < 1) 0 else hockey_stick(p$made, q$made, p$draw)
    made <- max(from(p, q), from(q, p))
    margin_loss(p, q, max(worst, made) / delta, 0)
  }
}

# -- propose, test, release ---------------------------------------------------------------------------

# A median that moves by all that is proposed.
jump_pair <- function(proposed) {
  low <- stats::runif(1) * (1 - proposed)
  m <- pick(1:20)
  a <- matrix(rep(c(low, low + proposed), c(m + 1, m)))
  list(a, replace(a, 1, low + proposed))
}

# The median with noise for a proposed sensitivity, as in the help page of ptr().
check_ptr <- function(epsilon = 4, delta = 1e-3, proposed = 0.3, sizes = c(1:9, 21, 40), share = 0.5) {
  list(
    start = function() if (stats::runif(1) < 0.3) jump_pair(proposed) else unit_pair(1, sizes),
    row = unit_row, unit = 1,
    law = function(m) {
      s <- sens_median(m, 0, 1, beta = 0.001)
      margin <- sum(cumprod(s$profile$A <= proposed))
      centre <- pmin(pmax(median_columns(m), 0), 1)
      noise <- NULL
      silent <- function(n, num, den = 1, rng = NULL) {
        noise <<- c(n = n, scale = den / num)
        numeric(n)
      }
      used <- NULL
      draw <- function(epsilon, laplace) {
        used <<- epsilon
        laplace(centre, proposed, epsilon)
      }
      got <- recorded_test(function() ptr(margin, draw, epsilon, delta, share, n = nrow(m)),
                           list(draw_laplace_discrete = silent))
      must(noise[["n"]] == 1, "one draw")
      # the grid's step is the power of two that 2^20 such are at most the scale
      step <- 2^(floor(log2(proposed / used)) - 20)
      list(margin = got$margin, centre = got$release$estimate / step, scale = noise[["scale"]],
           pass = pass_chance(got$margin, got$epsilon, got$delta), draw = epsilon - got$epsilon)
    },
    loss = function(p, q) {
      whole <- passed_divergence(p, q, epsilon)
      # pure: the laws' largest log ratio
      pure <- abs(p$centre - q$centre) / p$scale / p$draw
      safe <- if (max(p$margin, q$margin) < 1) 0 else pure
      margin_loss(p, q, max(whole / delta, safe), pure / 100)
    }
  )
}

# -- the exponential mechanism on the line --------------------------------------------------------------

# Weights of the cells between the rows, under the uniform prior from 0 to 1: pure epsilon, so that the
# worst is a ratio of two cells' probabilities. test-audit-draws: the mechanism's draws have this law.
exponential_law <- function(m, epsilon) {
  y <- pmin(pmax(sort(m[, 1]), 0), 1)
  breaks <- c(0, y, 1)
  cells <- seq_along(y)
  depth <- c(0, pmin(cells, length(y) - cells))
  total <- sum(exp(epsilon * depth / 2) * diff(breaks))
  list(y = y, log_density = function(at) {
    below <- findInterval(at, y)
    epsilon * pmin(below, length(y) - below) / 2 - log(total)
  })
}

check_exponential <- function(epsilon = 1, sizes = audit_sizes) {
  list(
    start = function() unit_pair(1, sizes), row = unit_row, unit = 1,
    law = function(m) exponential_law(m, epsilon),
    loss = function(p, q) {
      ends <- sort(unique(c(0, p$y, q$y, 1)))
      if (length(ends) < 2) return(list(ratio = 0, hint = 0))
      at <- (ends[-1] + ends[-length(ends)]) / 2
      list(ratio = max(abs(p$log_density(at) - q$log_density(at))) / epsilon, hint = 0)
    }
  )
}
