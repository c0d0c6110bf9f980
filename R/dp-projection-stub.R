# STUB, not private: stands in for the margin and constants of branch margin; to be deleted when that is merged.

projection_constants <- function(n, d, epsilon, delta, directions_count, location, scale) {
  rate <- n * epsilon / 500
  list(eta = epsilon / (4 * rate), tau = 2 + 60 * d / rate, epsilon_test = epsilon / 2,
       epsilon_draw = epsilon / 2, rate = rate)
}

projection_margin <- function(x, directions, location, scale, eta, tau, epsilon, delta) {
  p <- (nrow(x) + 1L) %/% 2L
  found <- apply(directions, 1, function(u) {
    y <- drop(x %*% u)
    center <- sort(y, partial = p)[[p]]
    c(center, sort(abs(y - center), partial = p)[[p]])
  })
  list(margin = if (all(found[2, ] > 0)) 1000 else 0, binding = "", profile = NULL,
       center = found[1, ], spread = found[2, ])
}
