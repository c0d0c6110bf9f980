# The certificate of smooth noise: divergences against quadrature, pairs certified and pairs 10% over.

# Divergence of Laplace(mu, s_p) from Laplace(0, s_q) at epsilon, by quadrature between all kinks.
slow_divergence_line <- function(epsilon, mu, s_p, s_q) {
  p <- function(z) exp(-abs(z - mu) / s_p) / (2 * s_p)
  q <- function(z) exp(-abs(z) / s_q) / (2 * s_q)
  excess <- function(z) p(z) - exp(epsilon) * q(z)
  kinks <- sort(c(0, mu, seq(-700, 700, 0.25)))
  # split at sign changes too
  value <- excess(kinks)
  cross <- which(value[-1] * value[-length(value)] < 0)
  roots <- vapply(cross, function(i) uniroot(excess, kinks[i + 0:1], tol = 1e-14)$root, 0)
  ends <- unique(sort(c(kinks, roots)))
  middle <- (ends[-1] + ends[-length(ends)]) / 2
  half <- diff(ends) / 2
  # Gauss-Legendre, five points
  node <- c(0, 0.538469310105683, 0.906179845938664)
  weight <- c(0.568888888888889, 0.478628670499366, 0.236926885056189)
  total <- weight[[1]] * pmax(excess(middle), 0)
  for (k in 2:3) {
    total <- total + weight[[k]] * (pmax(excess(middle + node[[k]] * half), 0) +
                                      pmax(excess(middle - node[[k]] * half), 0))
  }
  sum(total * half)
}

test_that("closed forms of the divergence on the line, by quadrature", {
  skip_on_cran()
  for (lambda in c(0.01, 0.05, 0.4, 1)) {
    for (alpha in c(0, 0.05, 0.5, 1.3, 4)) {
      for (e in c(-3, -0.4, 0, 0.3, 1, 3)) {
        expect_equal(divergence_up_line(e, alpha, lambda), slow_divergence_line(e, alpha, exp(lambda), 1),
                     tolerance = 1e-6)
        expect_equal(divergence_down_line(e, alpha, lambda), slow_divergence_line(e, alpha, 1, exp(lambda)),
                     tolerance = 1e-6)
      }
    }
  }
  # equal scales: the known divergence of a shift
  expect_equal(divergence_down_line(0.4, 1, 0), 1 - exp((0.4 - 1) / 2), tolerance = 1e-12)
})

test_that("bounds in two coordinates lie just above the integral", {
  for (case in list(c(0.3, 0.1, 1), c(0.5, 0.04, 0.6), c(1, 0.3, 1.5))) {
    slow <- function(s_p, s_q) {
      # the second coordinate moves the threshold: quadrature over its size
      at <- (seq_len(4000) - 0.5) / 4000 * 60 * s_p
      shift <- log(dexp(at, 1 / s_q) / dexp(at, 1 / s_p))
      line <- if (s_p > s_q) divergence_up_line else divergence_down_line
      sum(dexp(at, 1 / s_p) * line(case[[3]] + shift, case[[1]], case[[2]])) * 60 * s_p / 4000
    }
    up <- divergence_up(case[[3]], case[[1]], case[[2]], 2)
    down <- divergence_down(case[[3]], case[[1]], case[[2]], 2)
    expect_gte(up, slow(exp(case[[2]]), 1) * (1 - 1e-4))
    expect_lte(up, slow(exp(case[[2]]), 1) * 1.1)
    expect_gte(down, slow(1, exp(case[[2]])) * (1 - 1e-4))
    expect_lte(down, slow(1, exp(case[[2]])) * 1.1 + 1e-12)
  }
})

test_that("the worst shift is along an axis (divergence in two coordinates on a grid)", {
  step <- 0.1
  at <- seq(-12, 12, step)
  z <- expand.grid(at, at)
  stick <- function(mu, s_p, s_q, e) {
    p <- exp(-(abs(z[, 1] - mu[[1]]) + abs(z[, 2] - mu[[2]])) / s_p) / (4 * s_p^2)
    q <- exp(-(abs(z[, 1]) + abs(z[, 2])) / s_q) / (4 * s_q^2)
    sum(pmax(p - exp(e) * q, 0)) * step^2
  }
  for (s in list(c(1, 1), c(1.2, 1), c(1, 1.2))) {
    axis <- stick(c(1, 0), s[[1]], s[[2]], 0.3)
    for (share in c(0.1, 0.3, 0.5)) {
      expect_lte(stick(c(1 - share, share), s[[1]], s[[2]], 0.3), axis + 1e-9)
    }
    expect_lt(stick(c(0.8, 0), s[[1]], s[[2]], 0.3), axis)
  }
})

test_that("divergence of the integer laws by summation is at most that of the real ones", {
  for (case in list(c(40, 41.5, 20), c(41.5, 40, 20), c(12, 12, 6), c(3, 3.3, 2))) {
    w <- seq(-4000, 4000) + 0.5
    summed <- hockey_stick(pmf_half(w - case[[3]], case[[1]]), pmf_half(w, case[[2]]), 0.5)
    least <- min(case[1:2])
    lambda <- abs(log(case[[1]] / case[[2]]))
    real <- if (case[[1]] > case[[2]]) divergence_up_line(0.5, case[[3]] / least, lambda)
            else divergence_down_line(0.5, case[[3]] / least, lambda)
    expect_lte(summed, real + 1e-12)
    expect_gte(summed, 0.8 * real - 1e-3)
  }
})
