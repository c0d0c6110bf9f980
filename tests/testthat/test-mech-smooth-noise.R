# Constants of smooth sensitivity: against published values, integration, and the certificate.

# The exact delta of a ratio exp(+-lambda) at cost h, by quadrature over the l1 norm: density of norms of
# exp(lambda) Z against Z and back.
slow_delta <- function(lambda, h, d) {
  stick <- function(p_scale, q_scale) {
    positive <- function(r) {
      pmax(dgamma(r, d, scale = p_scale) - exp(h) * dgamma(r, d, scale = q_scale), 0)
    }
    loss <- function(r) {
      dgamma(r, d, scale = p_scale, log = TRUE) - dgamma(r, d, scale = q_scale, log = TRUE) - h
    }
    # one sign change; integrate on its positive side
    top <- 400 + 10 * d
    if (loss(1e-9) * loss(top) > 0) return(if (loss(1) > 0) 1 - exp(h) else 0)
    cut <- uniroot(loss, c(1e-9, top), tol = 1e-13)$root
    ends <- if (loss(top) > 0) cut + c(0, 0.5, 1, 2, 4, 8, 16, 32, 64, 128)
            else cut * c(0, 0.25, 0.5, 0.75, 1)
    sum(vapply(seq_along(ends[-1]), function(i) {
      integrate(positive, ends[[i]], ends[[i + 1]], rel.tol = 1e-10, abs.tol = 0)$value
    }, 0))
  }
  max(stick(exp(lambda), 1), stick(1, exp(lambda)))
}

test_that("the listed values, to six digits", {
  expect_equal(dilation_beta(c(1, 12, 1, 4, 1, 4), 1e-6, c(1, 1, 2, 2, 5, 10)),
               c(0.049694498, 0.407926351, 0.042862740, 0.145593994, 0.033650596, 0.094194143),
               tolerance = 1e-7)
  expect_equal(round(dilation_beta(c(1, 12, 1, 4, 1, 4), 1e-6, c(1, 1, 2, 2, 5, 10)), 5),
               c(0.04969, 0.40793, 0.04286, 0.14559, 0.03365, 0.09419))
})

test_that("the root's delta, by integration over the norm", {
  skip_on_cran()
  for (d in c(1, 2, 5)) {
    for (epsilon in c(0.5, 1, 4, 12)) {
      for (delta in c(1e-3, 1e-6, 1e-10)) {
        beta <- dilation_beta(epsilon, delta, d)
        expect_equal(slow_delta(beta, epsilon / 2, d), delta, tolerance = 1e-6)
        # and a beta 10% over is caught
        expect_gt(slow_delta(1.1 * beta, epsilon / 2, d), 1.01 * delta)
      }
    }
  }
})

test_that("published formulas promise a delta that they do not keep", {
  # the Lambert form: w exp(w) = delta exp(h) log(delta), the branch below -1
  lambert <- function(epsilon, delta) {
    h <- epsilon / 2
    w <- uniroot(function(w) log(-w) + w - log(-delta * log(delta)) - h, c(-200, -1), tol = 1e-13)$root
    w - log(delta) - h
  }
  expect_equal(slow_delta(lambert(12, 1e-6), 6, 1), 3.8e-4, tolerance = 0.02)
  expect_equal(slow_delta(lambert(4, 1e-6), 2, 1), 1.4e-6, tolerance = 0.04)
  # the quantile form
  expect_equal(slow_delta(6 / qexp(1e-6, lower.tail = FALSE), 6, 1), 2.6e-6, tolerance = 0.02)
  # which is needlessly small elsewhere
  for (d in c(1, 2, 5, 10)) {
    gain <- dilation_beta(c(0.5, 1, 4), 1e-6, d) / (c(0.25, 0.5, 2) / qgamma(1e-6, d, lower.tail = FALSE))
    expect_true(all(gain > 1.05 & gain < 2.3))
  }
})

test_that("monotone, vectorised, and at home in far tails", {
  epsilon <- c(1e-6, 1e-3, 0.1, 1, 10, 100, 1e4)
  for (d in c(1, 3, 50, 1000)) {
    beta <- dilation_beta(epsilon, 1e-8, d)
    expect_true(all(is.finite(beta) & beta > 0))
    expect_true(all(diff(beta) > 0))
    expect_true(all(diff(dilation_beta(1, 10^-(1:300), d)) < 0))
  }
  expect_true(all(diff(dilation_beta(1, 1e-6, 1:100)) < 0))
  expect_identical(dilation_beta(c(1, 2), 1e-6, 1), c(dilation_beta(1, 1e-6, 1), dilation_beta(2, 1e-6, 1)))
  expect_identical(dilation_beta(numeric(), 1e-6, 1), numeric())
  # d = 1: exact formula of the upper side, solved with other means
  for (delta in c(1e-30, 1e-100, 1e-250)) {
    beta <- dilation_beta(1, delta, 1)
    a <- (0.5 + beta) / expm1(beta)
    expect_equal(-a + log(-expm1(-beta)), log(delta), tolerance = 1e-9)
  }
})

test_that("bad arguments", {
  for (bad in list(0, -1, NA, Inf, "1", NULL, list(1))) {
    expect_error(dilation_beta(bad, 1e-6, 1), class = "dpdepth_error_input")
    expect_error(dilation_beta(1, bad, 1), class = "dpdepth_error_input")
    expect_error(dilation_beta(1, 1e-6, bad), class = "dpdepth_error_input")
    expect_error(smooth_noise(bad, 1e-6), class = "dpdepth_error_input")
    expect_error(smooth_noise(1, bad), class = "dpdepth_error_input")
  }
  expect_error(dilation_beta(1, 1, 1), class = "dpdepth_error_input")
  expect_error(dilation_beta(1, 1e-6, 1.5), class = "dpdepth_error_input")
  expect_error(smooth_noise(1, 1e-6, choice = "best"), class = "dpdepth_error_input")
})

test_that("the certified pair keeps delta for every shift and ratio tried; pairs 10% over do not", {
  for (epsilon in c(0.2, 1, 4, 12)) {
    pair <- smooth_noise(epsilon, 1e-6)
    expect_identical(pair$choice, "joint")
    book <- smooth_noise(epsilon, 1e-6, choice = "textbook")
    # less noise whatever the data: as smooth, and a larger alpha
    expect_identical(pair$beta, book$beta)
    expect_lt(book$alpha, 0.95 * pair$alpha)
    worst <- function(alpha, beta) {
      grid <- expand.grid(shift = alpha * c(0, 0.5, 0.9, 1), lambda = beta * c(0.01, 0.3, 0.7, 0.95, 1))
      max(mapply(function(m, l) max(divergence_up_line(epsilon, m, l), divergence_down_line(epsilon, m, l)),
                 grid$shift, grid$lambda))
    }
    expect_lte(worst(pair$alpha, pair$beta), 1e-6)
    expect_gt(worst(1.1 * pair$alpha, pair$beta), 1e-6)
    expect_gt(worst(pair$alpha, 1.1 * pair$beta), 1e-6)
    expect_false(certify_noise(1.1 * pair$alpha, pair$beta, epsilon, 1e-6, 1))
    expect_false(certify_noise(pair$alpha, 1.1 * pair$beta, epsilon, 1e-6, 1))
    # the textbook pair costs half of the delta that it pays
    expect_lt(worst(book$alpha, book$beta), 5.1e-7)
    expect_true(certify_noise(book$alpha, book$beta, epsilon, 1e-6, 1))
  }
  for (d in c(2, 5)) {
    pair <- smooth_noise(1, 1e-6, d)
    expect_identical(pair$choice, "joint")
    expect_true(certify_noise(0.999 * pair$alpha, pair$beta, 1, 1e-6, d))
    expect_false(certify_noise(1.1 * pair$alpha, pair$beta, 1, 1e-6, d))
    expect_false(certify_noise(pair$alpha, 1.1 * pair$beta, 1, 1e-6, d))
  }
})

# The smooth bound of evenly spread data, in spacings.
even_bound <- function(beta) max((1:5000) * exp(-beta * (0:4999)))

test_that("a given beta gets the most alpha that is certified", {
  # the prototype's pair: 28% less noise where beta does not matter, but more where it does
  given <- smooth_noise(1, 1e-6, beta = 0.0345)
  expect_identical(given$choice, "given")
  expect_equal(given$alpha, 0.693, tolerance = 2e-3)
  expect_equal(max(divergence_up_line(1, 0.5, 0.0345), divergence_down_line(1, 0.5, 0.0345)),
               4e-9, tolerance = 0.1)
  book <- smooth_noise(1, 1e-6, choice = "textbook")
  expect_lt(given$alpha * given$beta, book$alpha * book$beta)
  for (beta in c(0.01, 0.05, 0.08)) {
    given <- smooth_noise(1, 1e-6, beta = beta)
    expect_true(certify_noise(given$alpha, beta, 1, 1e-6, 1))
    expect_false(certify_noise(1.01 * given$alpha, beta, 1, 1e-6, 1))
  }
  for (bad in list(0, -1, 0.2, NA, "1")) {
    expect_error(smooth_noise(1, 1e-6, beta = bad), class = "dpdepth_error_input")
  }
})

test_that("with the textbook's beta evenly spread data need little more noise than with the best", {
  for (case in list(c(1, 1.01), c(4, 1.02), c(12, 1.06))) {
    epsilon <- case[[1]]
    joint <- smooth_noise(epsilon, 1e-6)
    shares <- seq(0.25, 0.9, 0.05) * dilation_beta(2 * epsilon, 1e-6, 1)
    noise <- vapply(shares, function(b) even_bound(b) / corner_alpha(b, epsilon, 1e-6, 1), 0)
    expect_lt(even_bound(joint$beta) / joint$alpha, case[[2]] * min(noise))
  }
})

test_that("constants for an epsilon beyond exp()'s range are found", {
  expect_gt(smooth_noise(1e6, 0.5, beta = 0.01)$alpha, 0)
})

test_that("dimensions that pgamma() cannot take are refused", {
  expect_gt(expect_no_warning(dilation_beta(1, 1e-6, 1e9)), 0)
  expect_error(dilation_beta(1, 1e-6, 1e308), "`d`", class = "dpdepth_error_input")
})
