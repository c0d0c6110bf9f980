# Regression by noisy sums of squares and products, with a ridge that follows their noise: the engine of
# rival_regression(method = "adassp").

plan_adassp <- function(n, terms, box, epsilon, delta) {
  check_sum_rows(n)
  plan <- adassp_plan(n, length(terms), epsilon, delta)
  c(plan, list(box = box, details = plan["rho"],
               mechanism = "discrete Gaussian noise on sums of squares and products"))
}

run_adassp <- function(x, y, plan, source) {
  rows <- adassp_rows(list(x = x, y = y), plan$box, plan$steps)
  theta <- adassp_fit(noisy_sums(rows$x, rows$y, plan, source), plan)
  list(estimate = line_from_centred(theta, plan$box))
}

# `d` columns with that of ones. Lattice, budget, units and squared sensitivities of both queries.
adassp_plan <- function(n, d, epsilon, delta) {
  first <- zcdp_rho(epsilon, delta) / 2
  steps <- 2^floor((52 - log2(n)) / 2) # n steps^2 <= 2^52: sums of products are exact
  entries <- d * (d + 1) / 2 - 1
  # a row has length sqrt(d) steps at most: Frobenius norm of xx' - zz', and length of xy - zw
  squares <- coarse_query(sqrt(2) * d * steps^2, entries, first)
  products <- coarse_query(2 * sqrt(d) * steps^2, d, first)
  rho <- gaussian_rho(epsilon, delta, c(entries, d), c(squares$square, products$square), 1 / 2)
  list(n = n, d = d, rho = rho, each = rho / 2 * (1 - 2^-40),
       steps = steps, squares = squares, products = products)
}

# Whole numbers in -steps, ..., steps, the first column all `steps`.
adassp_rows <- function(frame, limits, steps) {
  place <- function(v, bounds) 2 * lattice_place(v, bounds$lower, bounds$upper, steps) - steps
  x <- vapply(seq_len(ncol(frame$x)), function(j) {
    place(frame$x[, j], list(lower = limits$x$lower[[j]], upper = limits$x$upper[[j]]))
  }, frame$y)
  list(x = cbind(steps, matrix(x, nrow(frame$x))), y = place(frame$y, limits$y))
}

# Both sums with noise, a row in units of 1. The first square is public.
noisy_sums <- function(x, y, plan, source) {
  upper <- upper.tri(diag(plan$d), diag = TRUE)
  upper[1, 1] <- FALSE
  exact <- crossprod(x)
  given <- add_gaussian(floor(exact[upper] / plan$squares$unit), plan$squares$square, plan$each, source)
  squares <- matrix(0, plan$d, plan$d)
  squares[upper] <- given * plan$squares$unit / plan$steps^2
  squares <- squares + t(squares) - diag(diag(squares), plan$d)
  squares[1, 1] <- plan$n
  products <- add_gaussian(floor(crossprod(x, y)[, 1] / plan$products$unit), plan$products$square, plan$each,
                           source)
  list(squares = squares, products = products * plan$products$unit / plan$steps^2)
}

# After-work on the noisy sums: never fails.
adassp_fit <- function(sums, plan) {
  d <- plan$d
  sd <- sqrt(plan$squares$square / (2 * plan$each)) * plan$squares$unit / plan$steps^2
  reach <- sd * sqrt(d * log(2 * d^2 / 0.05)) # of the noise's eigenvalues, usually
  parts <- eigen(sums$squares, symmetric = TRUE)
  ridge <- max(0, reach - max(0, min(parts$values) - reach))
  values <- pmax(parts$values + ridge, sd)
  as.vector(parts$vectors %*% (crossprod(parts$vectors, sums$products) / values))
}

# Coefficients in the data's units.
line_from_centred <- function(theta, limits) {
  half <- function(b) (b$upper - b$lower) / 2
  slopes <- theta[-1] * half(limits$y) / half(limits$x)
  c(middle_of(limits$y) + half(limits$y) * theta[[1]] - sum(slopes * middle_of(limits$x)), slopes)
}
