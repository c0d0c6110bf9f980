# Simple regression by noisy gradient descent: the engine of rival_regression(method = "gradient").

plan_gradient <- function(n, terms, box, epsilon, delta, steps = 80L, clip = 1) {
  plan <- gradient_plan(n, epsilon, delta, check_count(steps, "steps", upper = 10000L),
                        check_number(clip, "clip", 1e-6, 1e6, closed = c(TRUE, TRUE)))
  c(plan, list(box = box, details = plan[c("steps", "clip", "rho")],
               mechanism = "discrete Gaussian noise on sums of clipped gradients"))
}

run_gradient <- function(x, y, plan, source) {
  p <- descend(unit_values(x[, 1], plan$box$x), unit_values(y, plan$box$y), plan, source)
  unit <- unit_line_at(p)
  list(estimate = line_from_unit(unit[[1]], unit[[2]], plan$box))
}

gradient_plan <- function(n, epsilon, delta, steps, clip) {
  # two coordinates, each moves by the whole lattice
  lattice <- gaussian_steps(n, zcdp_rho(epsilon, delta) / steps, sqrt(2))
  rho <- gaussian_rho(epsilon, delta, rep(2, steps), 2 * lattice^2, 1 / steps)
  list(rho = rho, each = rho / steps * (1 - 2^-40), steps = steps, clip = clip, lattice = lattice)
}

# The values at the quartiles, for rows in the unit square.
descend <- function(u, v, plan, source) {
  p <- c(0.5, 0.5)
  total <- c(0, 0)
  squares <- 0
  for (t in seq_len(plan$steps)) {
    g <- noisy_gradient(u, v, p, plan, source)
    squares <- squares + sum(g^2)
    if (squares > 0) p <- pmin(pmax(p - g / sqrt(squares), -0.5), 1.5)
    if (t > plan$steps %/% 2) total <- total + p
  }
  total / (plan$steps - plan$steps %/% 2)
}

# The sum of the rows' gradients, each coordinate clipped and on the lattice, with noise.
noisy_gradient <- function(u, v, p, plan, source) {
  sums <- gradient_sums(u, v, p, plan)
  noisy <- add_gaussian(sums, 2 * plan$lattice^2, plan$each, source)
  plan$clip * (2 * noisy / plan$lattice - length(u))
}

# Whole numbers from 0 to n times the lattice's steps. A row moves each by as many steps at most. PRIVATE.
gradient_sums <- function(u, v, p, plan) {
  left <- 0.75 - u
  right <- u - 0.25
  excess <- 2 * (2 * (p[[1]] * left + p[[2]] * right) - v)
  c(sum(lattice_place(excess * left, -plan$clip, plan$clip, plan$lattice)),
    sum(lattice_place(excess * right, -plan$clip, plan$clip, plan$lattice)))
}
