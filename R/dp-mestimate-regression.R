# Private M-regression by noisy gradient descent, preconditioned by noisy sums of squares.
#
# METHOD: the regressors are v in [-1, 1] within their bounds, and z = (1, v with each coordinate clipped) is
#   of length sqrt(d) at most. The gradient of a row is psi(r) z, r the residual from the unclipped row in
#   units of f_t scales: |psi(r) z| <= B sqrt(d), and a far regressor pulls no harder than one at its bound.
#   First the sums of z z' are released; steps are multiplied by the inverse.

# The share of the budget of the sums of squares.
squares_share <- 0.2

mregression_mechanism <- function() {
  new_mechanism(
    plan_mregression, draw_mregression, data = "data", limits = FALSE, facts = facts_of_frame,
    incomplete = function(x, given) incomplete_for(given$x, x),
    read = function(given) {
      min_n <- if (given$private) 0L else 2L
      frame <- line_frame(given$x, given$data, given$na, min_n = min_n, counted = TRUE)
      if (!given$private) check_sum_rows(nrow(frame$x))
      fill_middle(frame, regression_box(given, ncol(frame$x), colnames(frame$x)))
    }
  )
}

plan_mregression <- function(facts, given) {
  delta <- check_delta(given$delta)
  limits <- mestimate_box(given, facts$d - 1L, facts$variables[-1])
  psi <- check_psi(given$psi, given$tuning)
  rows <- rows_in_sums(facts$n, facts$private)
  plan <- mregression_plan(rows, facts$d, given$epsilon, delta, psi, limits)
  left <- theta_errors(plan, 1, regressor_shares(NULL, limits$x))
  resolves <- descent_resolves(plan, psi, max(left$error))
  c(plan, list(
    label = "M-regression", what = "M-regression", class = "dp_regression", limits = limits, psi = psi,
    private = facts$private, delta = delta,
    mechanism = "discrete Gaussian noise on sums of bounded gradients",
    details = c(list(formula = facts$kept$formula), box_details(limits),
                list(psi = psi$kind, tuning = psi$tuning, scale = limits$scale, steps = plan$steps,
                     rho = plan$rho),
                resolves_detail(list(at = resolves * limits$scale), facts$private)),
    stated = frame_details(facts$kept), warn = function(said) warn_astray(plan, resolves)
  ))
}

# PRIVATE: frame.
draw_mregression <- function(frame, plan, source) {
  if (plan$private) plan <- count_rows(plan, nrow(frame$x), source)
  limits <- plan$limits
  theta <- mregression_descend(regression_rows(frame, limits), plan$psi, plan, source)
  half <- (limits$x$upper - limits$x$lower) / 2
  slopes <- theta[-1] * limits$scale / half
  intercept <- middle_of(limits$y) + limits$scale * theta[[1]] - sum(slopes * middle_of(limits$x))
  list(estimate = c(intercept, slopes), details = c(list(counted = plan$counted)[plan$private], plan$stated))
}

mestimate_box <- function(limits, p, names) {
  box <- regression_box(limits, p, names)
  width <- box$y$upper - box$y$lower
  box$scale <- mestimate_scale(limits$scale, width, 1L, NULL)
  box$distance <- width / box$scale / 2
  box
}

# The plan of the steps, and lattice and noise of the sums of squares. Slopes are shorter than the intercept,
# which decides the noise of a step.
mregression_plan <- function(rows, d, epsilon, delta, psi, limits) {
  widths <- mestimate_widths(limits$distance, psi)
  shares <- mestimate_shares(length(widths), squares_share + rows$count)
  squares <- squares_query(rows, d, zcdp_rho(epsilon, delta))
  plan <- mestimate_plan(rows, 1, epsilon, delta, psi, limits$distance, sqrt(d),
                         gaussian_noise(rows, d, epsilon, delta, shares, squares))
  plan$d <- d
  squares$rho <- plan$rho * squares$share
  squares$sd <- sqrt(squares$square / (2 * squares$rho)) * squares$unit / squares$steps^2
  c(plan, list(squares = squares, distance = limits$distance))
}

# n steps^2 <= 2^52: sums of products are exact. A row's products have a length of d steps^2 at most, and two
# rows' differ by sqrt(2) times that.
squares_query <- function(rows, d, rho) {
  steps <- 2^floor((52 - log2(rows$lattice)) / 2)
  share <- squares_share * (1 - 2^-40)
  entries <- d * (d + 1) / 2 - 1
  c(coarse_query(sqrt(rows$move) * d * steps^2, entries, rho * share),
    list(steps = steps, share = share, entries = entries))
}

# Rows in units: regressors v, unclipped but for sizes that double cannot hold, clipped ones z with the column
# of ones, and the response from the middle of its limits in scales. Each row by itself; `count`: how many are
# like it, of a tally.
regression_rows <- function(frame, limits) {
  far <- 2^200
  atoms <- atoms_of(frame$x)
  v <- atoms$points
  for (j in seq_len(ncol(v))) {
    half <- (limits$x$upper[[j]] - limits$x$lower[[j]]) / 2
    v[, j] <- pmin(pmax((v[, j] - middle_of(limits$x)[[j]]) / half, -far), far)
  }
  list(v = v, z = cbind(rep_len(1, nrow(v)), pmin(pmax(v, -1), 1)),
       count = atoms$count,
       y = pmin(pmax((frame$y - middle_of(limits$y)) / limits$scale, -far), far))
}

mregression_descend <- function(rows, psi, plan, source) {
  precondition <- inverse_squares(rows$z, rows$count, plan, source)
  theta <- numeric(plan$d)
  for (t in seq_len(plan$steps)) {
    places <- mregression_places(rows, theta, plan$widths[[t]], psi, plan$lattice[[t]])
    step <- plan$widths[[t]] * noisy_step(colSums(rows$count * places), t, plan, source)
    theta <- pmin(pmax(theta + as.vector(precondition %*% step), -plan$distance), plan$distance)
  }
  theta
}

# psi of the residuals times z, in units of their largest length: whole numbers. PRIVATE.
mregression_places <- function(rows, theta, width, psi, lattice) {
  residual <- rows$y - theta[[1]]
  for (j in seq_len(ncol(rows$v))) residual <- residual - theta[[j + 1]] * rows$v[, j]
  whole_places(psi_value(psi, residual / width) / psi$bound / sqrt(ncol(rows$z)) * rows$z, lattice)
}

# The inverse of the mean of z z' from noisy sums, with eigenvalues beyond the noise. PRIVATE: z, count.
inverse_squares <- function(z, count, plan, source) {
  d <- plan$d
  squares <- plan$squares
  upper <- upper.tri(diag(d), diag = TRUE)
  upper[1, 1] <- FALSE # n, which is public or was counted
  whole <- round(z * squares$steps)
  exact <- crossprod(whole, count * whole)
  given <- add_gaussian(floor(exact[upper] / squares$unit), squares$square, squares$rho, source)
  mean <- matrix(0, d, d)
  mean[upper] <- given * squares$unit / squares$steps^2 / plan$rows
  mean <- mean + t(mean) - diag(diag(mean), d)
  mean[1, 1] <- 1
  parts <- eigen(mean, symmetric = TRUE)
  minimum <- max(0.02, 2 * squares$sd / plan$rows * sqrt(d))
  parts$vectors %*% (t(parts$vectors) / pmax(parts$values, minimum))
}
