# Smooth sensitivities against brute force.

# The sorted integer data sets of n values 0..top, one a row.
all_sets <- function(n, top) {
  sets <- unique(t(apply(as.matrix(expand.grid(rep(list(0:top), n))), 1, sort)))
  if (n == 1) matrix(0:top) else unname(sets)
}

# Rows that must be replaced to turn one multiset into another.
replaced <- function(a, b) length(a) - sum(pmin(tabulate(a + 1, 20), tabulate(b + 1, 20)))

test_that("one variable: A(k) is the largest local sensitivity at distance k, S their discounted maximum", {
  skip_on_cran()
  for (n in 1:audit_size(4, 5)) {
    sets <- all_sets(n, 4)
    p <- (n + 1) %/% 2
    for (bounds in list(c(0, 4), c(1, 3))) {
      median <- pmin(pmax(sets[, p], bounds[[1]]), bounds[[2]])
      distance <- apply(sets, 1, function(a) apply(sets, 1, replaced, b = a))
      distance <- matrix(distance, nrow(sets))
      local <- vapply(seq_len(nrow(sets)), function(i) max(abs(median[distance[i, ] <= 1] - median[[i]])), 0)
      right <- logical(nrow(sets))
      for (i in seq_len(nrow(sets))) {
        s <- sens_median(sets[i, ], bounds[[1]], bounds[[2]], 0.1)
        at <- vapply(s$profile$k, function(k) max(local[distance[i, ] <= k]), 0)
        all_k <- vapply(0:n, function(k) max(local[distance[i, ] <= k]), 0)
        right[[i]] <- identical(s$profile$A, at) && abs(s$value - max(exp(-0.1 * (0:n)) * all_k)) < 1e-8
      }
      expect_true(all(right))
    }
  }
})

# All windows, slowly.
slow_sens_median <- function(x, a, b, beta) {
  n <- length(x)
  p <- (n + 1) %/% 2
  c <- c(a, pmin(pmax(sort(x), a), b), b)
  discount <- exp(-beta * (0:n))
  best <- function(i) {
    j <- max(p, i) + seq_len(n + 2 - max(p, i))
    max(discount[j - i] * (c[j] - c[[i]]))
  }
  max(vapply(seq_len(p + 1), best, 0))
}

test_that("one variable: equal to all windows, also by divide and conquer", {
  skip_on_cran()
  set.seed(1)
  for (n in c(1, 2, 7, 60, 400)) {
    for (beta in c(1e-6, 1e-3, 0.05, 1, 30)) {
      x <- round(rnorm(n), 1)
      expect_equal(sens_median(x, -3, 5, beta)$value, slow_sens_median(x, -3, 5, beta), tolerance = 1e-12)
      expect_equal(sens_median(x * 0 + 9, -3, 5, beta)$value, slow_sens_median(x * 0 + 9, -3, 5, beta))
    }
  }
  # beyond 2000: ties in the middle, then a long way out
  for (x in list(c(rnorm(700), numeric(4300)), rcauchy(4501), c(numeric(2300), rep(1, 2300)))) {
    for (beta in c(1e-5, 1e-4, 1e-3)) {
      expect_equal(sens_median(x, -50, 80, beta)$value, slow_sens_median(x, -50, 80, beta), tolerance = 1e-9)
    }
  }
})

test_that("one variable: nested and beta-smooth over random neighbours", {
  skip_on_cran()
  set.seed(2)
  for (i in seq_len(audit_size(80, 200))) {
    n <- sample(1:12, 1)
    x <- sample(0:9, n, TRUE)
    y <- replace(x, sample(n, 1), sample(c(-20, 0:9, 20), 1))
    s <- sens_median(x, 1, 8, 1e-3)
    r <- sens_median(y, 1, 8, 1e-3)
    k <- seq_len(min(nrow(s$profile), nrow(r$profile) - 1))
    expect_true(all(s$profile$A[k] <= r$profile$A[k + 1]))
    for (beta in c(0.01, 0.3, 2)) {
      ratio <- sens_median(x, 1, 8, beta)$value / sens_median(y, 1, 8, beta)$value
      expect_lte(abs(log(ratio)), beta + 1e-12)
    }
  }
})

test_that("the result is marked, prints and draws", {
  s <- sens_median(faithful$waiting, 0, 180, 0.05)
  expect_marked(s)
  expect_named(s$profile, c("k", "level", "A"))
  expect_error(plot(dpdepth:::new_nonprivate(1)), class = "dpdepth_error_input")
})

test_that("bad arguments", {
  expect_error(sens_median(iris, 0, 1, 0.1), class = "dpdepth_error_input")
  expect_error(sens_median(1:3, 1, 0, 0.1), class = "dpdepth_error_input")
  for (bad in list(0, -1, NA, Inf, "1")) {
    expect_error(sens_median(1:3, 0, 1, bad), class = "dpdepth_error_input")
  }
})
