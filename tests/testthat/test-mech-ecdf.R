# The private distribution function's parts: sensitivity and law of the noise, its largest value, the
# half-width, the staircase. Error rates: ALPHA = 1e-6 an expectation (helper-stat.R).

# The weight of every vector of m whole numbers within +-reach.
bridge_law <- function(m, epsilon, reach) {
  at <- as.matrix(expand.grid(rep(list(-reach:reach), m)))
  variation <- rowSums(abs(t(apply(cbind(0, at, 0), 1, diff))))
  weight <- exp(-epsilon / 2 * variation)
  list(at = at, p = weight / sum(weight))
}

test_that("the noise follows its law", {
  skip_on_cran()
  law <- bridge_law(2, 1.4, 25)
  set.seed(1)
  drawn <- t(replicate(4000, draw_bridge(2, 1.4, "R")))
  name <- function(m) paste(m[, 1], m[, 2])
  counts <- tabulate(match(name(drawn), name(law$at)), nrow(law$at))
  order <- order(law$p, decreasing = TRUE)
  expect_law(counts[order], law$p[order])
  wrong <- bridge_law(2, 1.8, 25)
  expect_not_law(counts[order], wrong$p[order], "another rate")
  free <- exp(-0.7 * (abs(law$at[, 1]) + abs(law$at[, 2] - law$at[, 1])))
  expect_not_law(counts[order], (free / sum(free))[order], "a walk that need not come back")
})

test_that("over all neighbours of small data the loss of the counts is epsilon, not more", {
  # rows in three bins that two points make; noise moves by the difference of the counts
  sets <- as.matrix(expand.grid(0:2, 0:2, 0:2))
  sets <- sets[rowSums(sets) == 2, ]
  law <- bridge_law(2, 1, 20)
  inner <- abs(law$at[, 1]) <= 15 & abs(law$at[, 2]) <= 15
  loss <- 0
  for (i in seq_len(nrow(sets))) for (j in seq_len(nrow(sets))) {
    if (sum(abs(sets[i, ] - sets[j, ])) != 2) next
    shift <- cumsum(sets[i, ] - sets[j, ])[1:2]
    to <- match(paste(law$at[, 1] + shift[[1]], law$at[, 2] + shift[[2]]), paste(law$at[, 1], law$at[, 2]))
    loss <- max(loss, abs(log(law$p[inner] / law$p[to[inner]])))
  }
  expect_equal(loss, 1, tolerance = 1e-9)
})

# P(max(0, eta) >= k) by going through all places, step by step.
brute_tail <- function(k, m, epsilon, side = 60) {
  z <- -side:side
  step <- exp(-epsilon / 2 * abs(outer(z, z, "-")))
  mass <- function(k) {
    v <- as.numeric(z == 0)
    for (i in seq_len(m)) v <- as.vector(v %*% step) * (z < k)
    sum(v * exp(-epsilon / 2 * abs(z)))
  }
  1 - mass(k) / mass(Inf)
}

tails_are_wrong <- function() {
  any(vapply(list(c(1, 1), c(2, 1.5), c(7, 0.8), c(20, 2)), function(a) {
    k <- c(1, 2, 5, 9)
    exact <- vapply(k, brute_tail, 0, a[[1]], a[[2]])
    bound <- bridge_tail(a[[1]], a[[2]])$tail[k + 1]
    any(bound < exact) || any(bound > exact + 1e-7)
  }, NA))
}

test_that("the largest noise has the law that going through all places gives, rounded up", {
  expect_false(tails_are_wrong())
  expect_true(all(diff(bridge_tail(300, 0.05)$tail) <= 1e-9))
  expect_lt(bridge_tail(999, 1)$beyond, 1e-8)
  bugs <- list(
    "a step too few" = bug(tails_are_wrong, "bridge_tail", "exp(-m * log1p", "exp(-(m - 1) * log1p"),
    "a walk that need not come back" =
      bug(tails_are_wrong, "bridge_tail", "/home * (1 + slack)", "/1 * (1 + slack)"),
    "one sum for two" = bug(tails_are_wrong, "bridge_tail",
                            "stats::filter(stats::filter(rev(q), a$r, \"recursive\"), a$r, \"recursive\")",
                            "stats::filter(rev(q), a$r, \"recursive\")"),
    "not reflected" = bug(tails_are_wrong, "bridge_tail", "by = 2", "by = 1")
  )
  for (name in names(bugs)) expect_true(caught(bugs[[name]]), label = name)
})

# Misses by simulation of sup-deviations of uniform rows (the worst law) and of the noise's law.
half_width_is_wrong <- function() {
  set.seed(3)
  n <- 60
  t <- ecdf_half_width(n, 3L, 0.8, 0.8)
  # sorted rows: by row, and within one by value
  u <- matrix(stats::runif(2000 * n), n)
  u <- t(matrix(u[order(col(u), u)], n))
  above <- most_of_rows(rep(seq_len(n), each = 2000) - n * u)
  below <- most_of_rows(n * u - rep(seq_len(n), each = 2000) + 1)
  law <- bridge_law(3, 0.8, 12)
  eta <- law$at[sample.int(nrow(law$at), 2000, TRUE, law$p), ]
  missed <- sum(pmax(above + most_of_rows(eta), below + most_of_rows(-eta)) > t)
  missed > stats::qbinom(ALPHA, 2000, 0.2, lower.tail = FALSE) || missed < 0.08 * 2000
}

test_that("half-widths: misses as promised, near to it; known sizes", {
  skip_on_cran()
  expect_false(half_width_is_wrong())
  bugs <- list(
    "one side" =
      bug(half_width_is_wrong, "ecdf_half_width", "2 * deviation_tail(t", "0.5 * deviation_tail(t"),
    "no noise" =
      bug(half_width_is_wrong, "deviation_tail", "noise$tail[k[-1] + 1]", "0 * noise$tail[k[-1] + 1]"),
    "no sampling" = bug(half_width_is_wrong, "kolmogorov_tail", "-2 *", "-50 *")
  )
  for (name in names(bugs)) expect_true(caught(bugs[[name]]), label = name)
  height <- function(n, epsilon) {
    b <- ecdf_budget(n, epsilon)
    2 * ecdf_half_width(n, b$m, b$counts, 0.95) / n + 1 / (b$m + 1)
  }
  expect_lt(height(1000, 1), 0.172)
  expect_lt(height(5000, 1), 0.064)
  expect_equal(ecdf_half_width(1e5, 1L, 100, 0.95) / sqrt(1e5), sqrt(log(40) / 2), tolerance = 0.01)
  expect_identical(ecdf_half_width(10, 1L, 0.01, 0.95), 10)
  b <- ecdf_budget(1e9, 1e4)
  expect_identical(c(b$m, floor(b$counts)), c(999, 99))
})

test_that("with many rows points are drawn in levels of which the last has most, and cost their share", {
  for (n in c(2199, 2200, 5000, 1e6)) {
    b <- ecdf_budget(n, 1)
    limits <- quantile_prior(NULL, 0, 1, NULL, planned_facts(1L, 1L))
    plan <- quantile_plan(seq_len(b$m) / (b$m + 1), b$points, 0, limits,
                          b$levels)
    drawn <- lapply(quantile_tree(b$m, plan$levels), `[[`, "order")
    expect_identical(sort(unlist(drawn)), seq_len(b$m))
    expect_lte(max(lengths(drawn)), 15)
    expect_lte(sum(plan$budget$each) + b$counts, 1)
    expect_gte(sum(plan$budget$each) + b$counts, 1 - 2^-30)
    if (n >= 2200) expect_equal(plan$budget$each[[length(plan$budget$each)]], 0.24)
  }
  expect_identical(ecdf_levels(71L, 0.4, TRUE)$split, c(9L, 7L))
  expect_lt(plan_ecdf(5000, 1)$height, 0.0645)
})

test_that("the staircase: nearest nondecreasing numbers, each point once, within limits that do not cross", {
  skip_on_cran()
  s <- ecdf_staircase(c(1, 2, 2, 4), c(3, 2, 6, 12), 10, 1)
  expect_identical(s$at, c(1, 2, 4))
  expect_equal(s$estimate, c(0.25, 0.4, 1))
  expect_equal(s$band[, "lower"], c(0.2, 0.4, 1)) # the second pair crosses
  set.seed(4)
  for (i in 1:50) {
    m <- sample.int(9, 1)
    noisy <- sample(-5:25, m, TRUE)
    s <- ecdf_staircase(sort(sample.int(6, m, TRUE)), noisy, 20, sample.int(6, 1))
    numbers <- cbind(s$band[, 1], s$estimate, s$band[, 2])
    expect_true(all(apply(numbers, 1, diff) >= 0 & numbers[, 1] >= 0 & numbers[, 3] <= 1))
    expect_false(any(apply(numbers, 2, is.unsorted)))
  }
  expect_identical(counts_below(cbind(c(0.1 * 3, 0.7, 5)), c(0.3, 0.9), 0.1), c(1, 2))
  expect_identical(counts_below(cbind(c(2, 2, 3)), c(1, 2, 3)), c(0, 2, 3))
})
