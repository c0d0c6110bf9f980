# The search for lines whose draws do not end, by counted nodes: random shapes, limits, epsilon and quantiles.

line_shapes <- list(
  ties = function(n, s) list(x = sample(3, n, TRUE), y = sample(3, n, TRUE)),
  flags = function(n, s) list(x = rep_len(0:1, n), y = rep_len(c(0, 0, 1, 1), n)),
  clusters = function(n, s) {
    at <- rep_len(c(-2, 2), n)
    list(x = at + s * rnorm(n), y = at + s * rnorm(n))
  },
  likert = function(n, s) list(x = sample(5, n, TRUE), y = sample(5, n, TRUE)),
  collinear = function(n, s) {
    x <- rnorm(n)
    list(x = x, y = 1 + 2 * x + s * (runif(n) < 0.1) * rnorm(n))
  },
  square = function(n, s) {
    t <- rnorm(n)
    list(x = t, y = t^2 + s * rnorm(n))
  },
  cube = function(n, s) {
    t <- rnorm(n)
    list(x = t, y = t^3 + s * rnorm(n))
  },
  lattice = function(n, s) list(x = sample(10, n, TRUE), y = sample(10, n, TRUE) * s),
  far = function(n, s) list(x = c(1 / s, rnorm(n - 1)), y = c(-1 / s, rnorm(n - 1))),
  scales = function(n, s) {
    at <- rep_len(c(1, s), n)
    list(x = at * rnorm(n), y = at * rnorm(n))
  },
  circle = function(n, s) {
    t <- 2 * pi * seq_len(n) / n
    list(x = cos(t), y = sin(t) + s * rnorm(n))
  },
  hyperbola = function(n, s) {
    t <- seq(-1, 1, length.out = n)
    list(x = t, y = sign(t) * sqrt(1 + t^2) + s * rnorm(n))
  }
)

# The nodes that a draw takes.
line_nodes <- function(shape, n, s, limit, epsilon, weights, kind) {
  d <- line_shapes[[shape]](n, s)
  prior <- switch(kind, prior_uniform(c(-limit, -limit), c(limit, limit)), prior_normal(0, c(limit, limit)),
                  prior_dyadic(c(0.001, 0.001)))
  rows <- list(cbind(1, as.double(d$x)), as.double(d$y), matrix(as.double(d$x)), FALSE)
  drawn <- .Call(ffi_regression_draw, "R", rows, prior_fields(prior), epsilon, weights, 1L)
  drawn$counts[[3]]
}

test_that("draws of lines end within a bound of nodes, whatever rows, limits and epsilon", {
  skip_on_cran()
  set.seed(3)
  cases <- audit_size(100, 2000)
  worst <- 0
  for (i in seq_len(cases)) {
    n <- sample(audit_size(c(20, 60, 200), c(20, 100, 300, 1000)), 1)
    nodes <- line_nodes(sample(names(line_shapes), 1), n, 10^-sample(0:9, 1), 5 * 10^sample(0:11, 1),
                        exp(runif(1, log(0.01), log(20))),
                        list(c(1L, 1L), c(1L, 3L), c(9L, 1L, 1L))[[sample(3, 1)]], sample(3, 1))
    worst <- max(worst, nodes / (n + 500))
  }
  # 11.5 at most in 6000 cases: clusters narrower than a step of the lattice
  expect_lt(worst, 40)
})
