# dp_median_projection() in one variable: the exact output laws of neighbours are (epsilon, delta)-close.

# The law of a release: its probability of passing the test, and the Laplace law that it then has.
exact_release <- function(x, plan) {
  m <- projection_margin(cbind(x), matrix(1), plan$location, plan$scale, plan$eta, plan$tau,
                         plan$epsilon_draw, plan$delta_draw, plan$levels)
  rate <- rate_of(plan$epsilon_test)
  z <- -200:200
  passes <- m$margin + z > ptr_threshold(plan$epsilon_test, plan$delta)
  list(pass = sum(pmf_laplace_discrete(z[passes], rate[[1]], rate[[2]])), center = m$center,
       width = m$spread / plan$rate, margin = m$margin)
}

# The least delta for which both are epsilon-close: an integral over the line, and the failed test.
release_delta <- function(a, b, epsilon) {
  at <- c(a$center, b$center)
  line <- function(by) seq(min(at) - 40 * by, max(at) + 40 * by, length.out = 4001)
  x <- sort(c(line(a$width), line(b$width)))
  density <- function(l) l$pass * exp(-abs(x - l$center) / l$width) / (2 * l$width)
  one <- function(a, b) {
    more <- pmax(density(a) - exp(epsilon) * density(b), 0)
    sum(diff(x) * (more[-1] + more[-length(more)]) / 2) + max(0, 1 - a$pass - exp(epsilon) * (1 - b$pass))
  }
  max(one(a, b), one(b, a))
}

# Random data, ties, a gap that one row can carry the median across (just safe, or not), heavy tails.
line_pair <- function(i, plan) {
  n <- sample(c(201, 401), 1)
  half <- (n - 1) / 2
  gap <- if (i %% 5 == 1) 0.5 * plan$eta / (1 + plan$tau) else 0.9 * plan$eta
  away <- ifelse(seq_len(half) > half / 3, 0.5, 0)
  two <- function() c(-gap / 2, -gap / 2 - seq_len(half) * 1e-6 - away, gap / 2 + seq_len(half) * 1e-6 + away)
  x <- switch(i %% 5 + 1, rnorm(n), two(), two(), c(rnorm(n - 20), rep(0.3, 20)), rt(n, 1))
  y <- x
  y[order(x)[[sample(c(half, half + 1, half + 2, sample(n, 1)), 1)]]] <-
    sample(c(1e3, -1e3, stats::median(x), gap / 2, rnorm(1)), 1)
  list(x, y)
}

test_that("one variable: laws of neighbours are close, and broken mechanisms' are not", {
  set.seed(1)
  epsilon <- 2
  delta <- 0.01
  found <- vapply(1:200, function(i) {
    eta <- runif(1, 0.2, 1)
    tau <- tau_with_room(runif(1, 0.1, 1), 1, 1, eta, 0.98, delta)$tau
    plan <- plan_projection(1, 1, epsilon, delta, "median", "mad", eta, tau, 1L)
    laws <- lapply(line_pair(i, plan), exact_release, plan)
    broken <- function(change) do.call(release_delta, c(lapply(unname(laws), change), epsilon))
    c(release_delta(laws[[1]], laws[[2]], epsilon),
      broken(function(l) replace(l, "width", l$width / 30)), broken(function(l) replace(l, "pass", 1)),
      abs(laws[[1]]$margin - laws[[2]]$margin), laws[[1]]$pass)
  }, numeric(5))
  expect_lte(max(found[1, ]), delta)
  expect_gt(max(found[2, ]), delta) # a rate that forgets eta
  expect_gt(max(found[3, ]), delta) # no test
  expect_lte(max(found[4, ]), 1)
  expect_gt(mean(found[5, ] > 0.9), 0.1) # and many pass
})
