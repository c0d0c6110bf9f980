# Private M-estimates by noisy gradient descent: steps, shares of the budget, exact sums of bounded gradients.
#
# METHOD: steps t = 1, ..., T with public widths f_1 >= ... >= f_T = 1 of psi, in scales, and public shares of
#   the budget. A row's gradient is psi(u) for u the residual in units of f_t scales, of length at most B. In
#   units of B it is a vector of whole numbers in the ball of radius M, so that a row that is replaced moves
#   the sum by at most 2 M in the l2 norm, and 2 M sqrt(d) in the l1 norm; one that is added, by half of that.
#   Where n is private a noisy count is released first, and stands for it.
# REFERENCE: vignettes/proofs-mestimate.Rmd.

# What the last of all steps has of the budget, the others have equal shares of the rest.
last_share <- 0.5

# Widths of psi: halved from that of the limits to 1, which comes twice. Rows near the edge of a bisquare
# hardly pull. With s the share of its reach at which rows lie, a step takes (1 - s^2)^2 of the way, and the
# next psi has half the reach: rows stay as deep in it if 2 (1 - (1 - s^2)^2) <= 1, that is for s <= 0.54. So
# it starts at twice the width.
mestimate_widths <- function(distance, psi) {
  first <- max(1, distance / psi$tuning * if (psi$kind == "tukey") 2 else 1)
  c(pmax(1, first * 2^-seq(0, length.out = ceiling(log2(first) - 1e-9))), 1, 1)
}

mestimate_shares <- function(steps, before = 0) {
  c(rep((1 - last_share) / (steps - 1), steps - 1), last_share) * (1 - before) * (1 - 2^-40)
}

# What the count of rows has of the budget where n is private: steps are divided by it, and end near 0.
count_share <- 0.05

# Of n rows, or of a private number of which plans take n. move: a row that is replaced moves a sum by two
# gradients, one that is added by one. lattice: sums of so many rows are exact.
rows_in_sums <- function(n, private) {
  if (!private) return(list(n = n, lattice = n, move = 2, count = 0))
  list(n = n, lattice = most_private_rows, move = 1, count = count_share)
}

# Public numbers only. `reach`: the largest length of a row's gradient in units of psi's bound.
mestimate_plan <- function(rows, d, epsilon, delta, psi, distance, reach = 1, noise = NULL) {
  widths <- mestimate_widths(distance, psi)
  if (is.null(noise)) {
    noise <- step_noise(rows, d, epsilon, delta, mestimate_shares(length(widths), rows$count))
  }
  answer <- psi_answer(psi, d, 1 / widths)
  sensitivity <- reach * psi$bound / answer
  c(noise, list(n = rows$n, rows = rows$n, move = rows$move, d = d, steps = length(widths), widths = widths,
                sensitivity = sensitivity, sd_step = noise$sd * sensitivity,
                answer = answer[[length(widths)]]))
}

# Laplace or Gaussian noise, whichever is smaller in the last step. `sd`: of means of vectors of length 1;
# `count`: what the count of the rows gets, epsilon or rho.
step_noise <- function(rows, d, epsilon, delta, shares) {
  rho <- if (delta > 0) gaussian_rho(epsilon, delta) else 0
  each <- epsilon * shares
  last <- length(shares)
  if (rho > 0 && 1 / sqrt(2 * rho * shares[[last]]) < sqrt(2 * d) / each[[last]]) {
    return(c(gaussian_noise(rows, d, epsilon, delta, shares), list(delta = delta)))
  }
  bits <- floor(pmin(25, 51 - log2(rows$lattice), 44 + log2(each) - log2(rows$move * sqrt(d))))
  if (any(bits < 4)) {
    stop_input("epsilon", "so large that a lattice of doubles holds the noise", format(epsilon),
               "Take a larger `epsilon`.")
  }
  list(noise = "Laplace", guarantee = "pure", delta = 0, rho = NULL, each = each, lattice = 2^bits,
       count = epsilon * rows$count * (1 - 2^-40), sd = sqrt(2) * rows$move * sqrt(d) / each / rows$n)
}

# Of steps of d whole numbers each, a count in steps of its own, and a query before them (squares_query()).
gaussian_noise <- function(rows, d, epsilon, delta, shares, before = NULL) {
  steps_of <- function(share, move) gaussian_steps(rows$lattice, zcdp_rho(epsilon, delta) * share, move)
  lattice <- vapply(shares, steps_of, 0, rows$move)
  count <- rows$count * (1 - 2^-40)
  count_steps <- if (count > 0) steps_of(count, 1)
  rho <- gaussian_rho(epsilon, delta, c(rep(d, length(shares)), before$entries, rep(1, length(count_steps))),
                      c((rows$move * lattice)^2, before$square, count_steps^2),
                      c(shares, before$share, count[count > 0]))
  list(noise = "Gaussian", guarantee = "approximate", rho = rho, each = rho * shares, lattice = lattice,
       count = rho * count, count_steps = count_steps, sd = rows$move / sqrt(2 * rho * shares) / rows$n)
}

# The standard deviation of a count's noise.
count_sd <- function(plan) if (plan$noise == "Gaussian") 1 / sqrt(2 * plan$count) else sqrt(2) / plan$count

# The plan with a noisy count in place of n, after the debit. PRIVATE: n. A count below its noise would make
# steps of any length.
count_rows <- function(plan, n, source) {
  steps <- plan$count_steps
  plan$counted <- if (plan$noise == "Laplace") add_laplace(n, 1, plan$count, source)
                  else round(add_gaussian(n * steps, steps^2, plan$count, source) / steps)
  plan$rows <- max(plan$counted, 1, ceiling(count_sd(plan)))
  plan$sd_step <- plan$sd_step * plan$n / plan$rows
  plan
}

# The least spread in each coordinate, in scales and up to `scale` itself, that noise moves by five of it in
# fewer than resolved_failure draws. `error`: the root mean square that the last two steps leave. Inf where
# there is none, or where the noise of some step may lead so far that those after it do not come back, for
# normal rows with the spread of `scale`. `distance`: half the limits', in scales.
descent_resolves <- function(plan, psi, error, distance = plan$distance) {
  beyond <- resolved_failure / plan$d
  reach <- if (plan$noise == "Gaussian") stats::qnorm(1 - beyond / 2) else -log(beyond) / sqrt(2)
  least <- reach * error / far_spreads
  lost <- least > 1 || !leads_nowhere(plan, psi) &&
    descent_law(plan, psi, distance, 1)$failure > resolved_failure
  if (lost) Inf else least
}

warn_astray <- function(plan, resolves) {
  if (is.finite(resolves)) return(invisible(NULL))
  warn_dpdepth("accuracy", paste(
    if (plan$move == 2) "With so few rows for this `epsilon`"
    else "With 10,000 rows (assumed, since n is private) and this `epsilon`",
    "the noise may lead the steps astray. Take more rows, a larger `epsilon`, a larger `scale` or nearer",
    "limits."
  ))
}

# At a fifth of the range in which the next psi answers noise does no harm: nothing need be followed.
leads_nowhere <- function(plan, psi) {
  all(plan$widths * plan$sd_step * sqrt(plan$d) <= c(plan$widths[-1], 1) * psi$tuning / 10)
}

# Sums have distributions without any row.
mestimate_mechanism <- function() new_mechanism(plan_descent, draw_descent, read = read_bare)

plan_descent <- function(facts, given) {
  if (is.null(given$scale)) return(plan_scaled_descent(facts, given))
  bounds <- mestimate_limits(given, facts$d, facts$names)
  psi <- check_psi(given$psi, given$tuning, facts$d)
  rows <- rows_in_sums(facts$n, facts$private)
  plan <- mestimate_plan(rows, facts$d, given$epsilon, given$delta, psi, bounds$distance)
  # rows that agree answer by 1
  resolves <- descent_resolves(plan, psi, sqrt(last_errors(plan, 1 / plan$answer, 0)), bounds$distance)
  c(plan, list(
    label = "M-estimate", what = "M-estimate", bounds = bounds, psi = psi, private = facts$private,
    mechanism = sprintf("discrete %s noise on sums of bounded gradients", plan$noise),
    stated = if (!is.null(plan$rho)) list(rho = plan$rho),
    details = c(mestimate_details(psi, bounds, facts$variables),
                resolves_detail(list(at = stats::setNames(resolves * bounds$scale, facts$variables)),
                                facts$private)),
    warn = function(said) warn_astray(plan, resolves)
  ))
}

# Without a public scale a share of epsilon draws the median absolute deviation of each variable, and the
# descent is planned by it. Warnings take a twentieth of the limits' distance for it, and what the lattice has
# no room for is refused by the least scale, whose descent has the most steps.
plan_scaled_descent <- function(facts, given) {
  bounds <- mean_bounds(given$lower, given$upper, facts$d, facts$names)
  width <- bounds$upper - bounds$lower
  share <- if (facts$private) private_scale_share else scale_share(facts$n, facts$d, given$epsilon)
  each <- share * given$epsilon / facts$d * (1 - 2^-40)
  if (each < 1e-5) stop_input("epsilon", "larger without `scale`", format(given$epsilon), "Give a `scale`.")
  planned <- function(scale) {
    rest <- list(lower = bounds$lower, upper = bounds$upper, scale = scale, psi = given$psi,
                 tuning = given$tuning, delta = given$delta,
                 epsilon = given$epsilon * (1 - share) * (1 - 2^-40))
    plan_descent(facts, rest)
  }
  planned(width * 2^-least_scale)
  draws <- lapply(seq_len(facts$d), function(j) {
    prior <- prior_uniform(bounds$lower[[j]], bounds$upper[[j]])
    mad_plan(list(prior = prior, step = axes_steps(prior, facts$variables[[j]])), each)
  })
  plan <- planned(width / 20)
  spent <- sum(vapply(unlist(draws, recursive = FALSE), function(draw) draw$rho, 0))
  if (!is.null(plan$rho)) plan$rho <- plan$rho + spent
  plan$scaling <- list(draws = draws, planned = planned, private = facts$private)
  plan$mechanism <- paste0("exponential mechanism of scales, then ", plan$mechanism)
  plan$details <- list(scale_share = share)
  found <- quantiles_resolved(facts$n, draws[[1]]$median)
  warn_descent <- plan$warn
  plan$warn <- function(said) if (is.finite(found$share)) warn_descent(said) else warn_scale()
  plan
}

warn_scale <- function() {
  warn_dpdepth("accuracy", paste(
    "With so few rows for this `epsilon` the scale that is drawn may be far off. Give a public `scale`, or",
    "take more rows, a larger `epsilon` or nearer limits."
  ))
}

least_scale <- 20 # a scale is at least 2^-20 of the limits' distance, and at most half of it

# The share of epsilon that scales have, a tenth to half: with it a draw among limits a thousand scales wide
# fails in fewer than one of 200 calls.
private_scale_share <- 0.25 # where n is private
scale_share <- function(n, d, epsilon) min(0.5, max(0.1, 150 * d / (n * epsilon)))

# The plan by scales that are drawn. PRIVATE: rows.
scaled_plan <- function(rows, plan, source) {
  scaling <- plan$scaling
  width <- plan$bounds$upper - plan$bounds$lower
  if (scaling$private) rows <- and_row(rows, middle_of(plan$bounds))
  scale <- vapply(seq_along(scaling$draws), function(j) {
    1.4826 * draw_mad(column_of(rows, j), scaling$draws[[j]], source, scaling$private)
  }, 0)
  again <- scaling$planned(pmin(pmax(scale, width * 2^-least_scale), width / 2))
  again$stated <- c(again$details, list(rho = plan$rho)[!is.null(plan$rho)])
  again
}

# Limits and scale of each variable. `distance`: how far the middle of the limits is from their corners, in
# scales.
mestimate_limits <- function(limits, d, names) {
  bounds <- mean_bounds(limits$lower, limits$upper, d, names)
  width <- bounds$upper - bounds$lower
  scale <- mestimate_scale(limits$scale, width, d, names)
  c(bounds, list(scale = scale, distance = sqrt(sum((width / scale / 2)^2))))
}

mestimate_details <- function(psi, bounds, names) {
  c(list(psi = psi$kind, tuning = psi$tuning),
    lapply(bounds[c("lower", "upper", "scale")], stats::setNames, names))
}

# PRIVATE: rows.
draw_descent <- function(rows, plan, source) {
  if (!is.null(plan$scaling)) plan <- scaled_plan(rows, plan, source)
  if (plan$private) plan <- count_rows(plan, nrow(rows), source)
  estimate <- mestimate_descend(rows, plan$bounds, plan$psi, plan, source)
  list(estimate = estimate,
       details = c(list(steps = plan$steps, noise_sd = plan$sd_step[[plan$steps]] * plan$bounds$scale),
                   list(counted = plan$counted)[plan$private], plan$stated))
}

# PRIVATE: x.
mestimate_descend <- function(x, bounds, psi, plan, source) {
  atoms <- atoms_of(x)
  center <- middle_of(bounds)
  for (t in seq_len(plan$steps)) {
    unit <- plan$widths[[t]] * bounds$scale
    places <- psi_places(atoms$points, center, unit, psi, plan$lattice[[t]])
    center <- center + unit * noisy_step(colSums(atoms$count * places), t, plan, source)
    center <- pmin(pmax(center, bounds$lower), bounds$upper)
  }
  center
}

# The step that a sum of whole gradients asks for, in widths.
noisy_step <- function(sums, t, plan, source) {
  radius <- plan$lattice[[t]]
  move <- plan$move * radius
  given <- if (plan$noise == "Gaussian") add_gaussian(sums, move^2, plan$each[[t]], source)
           else add_laplace(sums, l1_reach(move, plan$d), plan$each[[t]], source)
  given / radius / plan$rows * plan$sensitivity[[t]]
}

# A bound of the l1 norm of whole numbers with that l2 norm.
l1_reach <- function(l2, d) if (d == 1) l2 else ceiling(l2 * sqrt(d) * (1 + 2^-40))

# psi of the rows, a row by itself: whole numbers in the ball of radius `lattice`, which is psi's bound.
psi_places <- function(x, center, unit, psi, lattice) {
  u <- x
  size <- numeric(nrow(x))
  for (j in seq_len(ncol(x))) {
    u[, j] <- pmin(pmax((x[, j] - center[[j]]) / unit[[j]], -2^300), 2^300)
    size <- pmax(size, abs(u[, j]))
  }
  size <- pmax(size, 2^-300)
  length <- numeric(nrow(x))
  for (j in seq_len(ncol(x))) length <- length + (u[, j] / size)^2
  weight <- psi_weight(psi, sqrt(length) * size) / psi$bound
  for (j in seq_len(ncol(x))) u[, j] <- u[, j] * weight
  whole_places(u, lattice)
}

# Rows of length 1 at most as whole numbers in the ball of radius `lattice`, toward 0; a row whose rounding
# leaves it outside is put at 0.
whole_places <- function(u, lattice) {
  squares <- numeric(nrow(u))
  for (j in seq_len(ncol(u))) {
    u[, j] <- trunc(u[, j] * lattice)
    squares <- squares + u[, j]^2
  }
  # sums of squares of at most 2^50 are exact, and larger ones are no smaller than that
  u[!is.finite(squares) | squares > lattice^2, ] <- 0
  u
}

# The public unit of residuals, for limits that are `width` apart.
mestimate_scale <- function(scale, width, d, names) {
  if (is.null(scale)) {
    stop_input("scale", "given: a public guess of the spread of the bulk of the data", "missing",
               "dp_median() works without.")
  }
  scale <- check_bound(scale, d, "scale", names)
  if (any(scale <= 0)) stop_input("scale", "above 0", describe_numbers(scale, scale <= 0))
  far <- scale < 2^-40 * width | scale > 2^40 * width
  if (any(far)) {
    stop_input("scale", "from 2^-40 to 2^40 times the distance between `lower` and `upper`",
               describe_numbers(scale, far))
  }
  scale
}

# -- expected errors ----------------------------------------------------------------------------------

# The mean square that the last two steps leave: a step moves by a share `pace` of what is left, and errs in
# that by `off`.
last_errors <- function(plan, pace, off) {
  sd <- plan$sd_step[plan$steps - 1:0]
  sd[[2]]^2 + ((1 - pace)^2 + off^2) * sd[[1]]^2
}

# The relative error of a noisy count of the rows.
count_error <- function(plan) if (plan$count > 0) count_sd(plan) / plan$n else 0

# What the regressors' standard deviations are of half the distance of their bounds.
regressor_shares <- function(x_spread, x) {
  half <- (x$upper - x$lower) / 2
  if (is.null(x_spread)) return(rep_len(0.5, length(half)))
  x_spread <- check_bound(x_spread, length(half), "x_spread", NULL)
  far <- x_spread < 1e-3 * half | x_spread > half
  if (any(far)) {
    stop_input("x_spread", "of 0.001 to 0.5 of the distance between `x_lower` and `x_upper`",
               describe_numbers(x_spread, far))
  }
  x_spread / half
}

# What the last two steps leave of the intercept and the slopes, in scales, where rows answer by `slope` and
# the regressors have these shares of regressor_shares().
theta_errors <- function(plan, slope, share) {
  squares <- c(1, share^2)
  noise <- plan$squares$sd / plan$n
  inverse <- 1 / pmax(squares, max(0.02, 2 * noise * sqrt(plan$d)))
  pace <- slope / plan$answer * squares * inverse
  off <- sqrt((pace * count_error(plan))^2 + (inverse * noise)^2)
  list(squares = squares, inverse = inverse, pace = pace,
       error = inverse * sqrt(last_errors(plan, pace, off)))
}
