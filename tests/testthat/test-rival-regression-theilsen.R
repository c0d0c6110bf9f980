# Private Theil-Sen regression: matchings, sensitivities by brute force, laws of neighbours, failure branches,
# planted bugs. Error rates: ALPHA = 1e-6 an expectation (helper-stat.R).

theilsen <- function(data, epsilon = 1, ..., lower = 0, upper = 1) {
  rival_regression(y ~ x1, data, epsilon, 0, "theilsen", 0, 1, lower, upper, ...)
}
plan_of <- function(type = "exponential", matchings = 1L, epsilon = 1, width = NULL) {
  theilsen_plan(list(x = list(lower = 0, upper = 1), y = list(lower = 0, upper = 1)), epsilon, matchings,
                type, width)
}

# -- matchings ---------------------------------------------------------------------------------

matchings_are_wrong <- function() {
  for (n in 4:11) {
    for (k in unique(c(1, 2, n - 1 + n %% 2))) {
      pairs <- matching_pairs(n, k, "system")
      key <- paste(pmin(pairs[, 1], pairs[, 2]), pmax(pairs[, 1], pairs[, 2]))
      if (nrow(pairs) != k * (n %/% 2) || anyDuplicated(key) || any(pairs[, 1] == pairs[, 2])) return(TRUE)
      if (any(tabulate(pairs, n) > k) || n %% 2 == 0 && any(tabulate(pairs, n) != k)) return(TRUE)
    }
  }
  FALSE
}

test_that("a row is in as many pairs as there are matchings", {
  skip_on_cran()
  expect_false(matchings_are_wrong())
  expect_true(caught(bug(matchings_are_wrong, "matching_pairs", "c(rounds, outer(-s,",
                         "c(rounds, outer(s + 1,")))
  all <- matching_pairs(7, 7, "system")
  expect_identical(nrow(unique(t(apply(all, 1, sort)))), 21L)
  # each perfect matching of four rows is as likely as the others
  with_row_1 <- replicate(3000, {
    p <- matching_pairs(4, 1, "system")
    setdiff(p[rowSums(p == 1) > 0, ], 1)
  })
  expect_law(tabulate(with_row_1, 4)[2:4], rep(1 / 3, 3))
})

# -- sensitivity -------------------------------------------------------------------------------

# Values of neighbours that differ, over all that a run could do: at most `matchings` in each place, the
# same number in all.
values_are_wrong <- function(count = 60) {
  set.seed(1)
  for (i in seq_len(count)) {
    a <- skewed_rows(pick(4:12))
    b <- neighbour_rows(a)
    k <- pick(seq_len(nrow(a) - 1))
    plan <- plan_of(matchings = k)
    pairs <- matching_pairs(nrow(a), k, "system")
    va <- theilsen_values(a$x1, a$y, pairs, plan)
    vb <- theilsen_values(b$x1, b$y, pairs, plan)
    if (!identical(dim(va), dim(vb)) || any(colSums(va != vb) > k)) return(TRUE)
    if (!all(c(va, vb) %in% 0:1 | c(va, vb) == round(c(va, vb))) || anyNA(c(va, vb))) return(TRUE)
    if (any(c(va, vb) < 0 | c(va, vb) > theilsen_steps)) return(TRUE)
  }
  FALSE
}

test_that("a row moves as many values as it has pairs, in 60 skewed data sets", {
  skip_on_cran()
  expect_false(values_are_wrong())
  # pairs with equal regressors dropped; a value that depends on other rows
  expect_true(caught(bug(values_are_wrong, "theilsen_values", "a <- pairs[, 1]",
                         "pairs <- pairs[x[pairs[, 1]] != x[pairs[, 2]], , drop = FALSE]\n a <- pairs[, 1]")))
  expect_true(caught(bug(values_are_wrong, "theilsen_values", "a <- pairs[, 1]",
                         "o <- order(x)\n pairs[] <- o[pairs]\n a <- pairs[, 1]")))
})

# -- laws of neighbours ------------------------------------------------------------------------

# log P at whole points, of one median.
median_log_law <- function(values, plan, points) {
  boxes <- median_boxes(sort(values), plan)
  boxes_log_law(boxes$low, boxes$high, plan$each, matrix(points))
}

# The largest loss of both medians together over pairs of neighbours, relative to epsilon.
worst_theilsen <- function(type, k, epsilon = 1, count = 25, width = NULL, limit = Inf) {
  plan <- plan_of(type, k, epsilon, width)
  worst <- 0
  for (i in seq_len(count)) {
    a <- skewed_rows(pick(6:10))
    b <- neighbour_rows(a)
    pairs <- matching_pairs(nrow(a), k, "system")
    loss <- 0
    for (j in 1:2) {
      va <- theilsen_values(a$x1, a$y, pairs, plan)[, j]
      vb <- theilsen_values(b$x1, b$y, pairs, plan)[, j]
      at <- c(outer(c(va, vb), c(-1, 0, 1), `+`), outer(c(va, vb), plan$widened * c(-1, 1), `+`))
      at <- unique(pmin(pmax(at, 0), theilsen_steps))
      loss <- loss + max(abs(median_log_law(va, plan, at) - median_log_law(vb, plan, at)))
    }
    worst <- max(worst, loss / epsilon)
    if (worst > limit) break
  }
  worst
}

test_that("laws of neighbours are within epsilon, and nearly reach it", {
  skip_on_cran()
  set.seed(2)
  reached <- 0
  for (type in c("exponential", "widened")) {
    for (k in c(1, 2, 5)) {
      found <- worst_theilsen(type, k)
      expect_lte(found, 1)
      reached <- max(reached, found)
    }
  }
  expect_gt(reached, 0.5)
  expect_lte(worst_theilsen("widened", 1, width = 0), 1)
})

test_that("planted bugs of the medians are seen", {
  loss <- function(type = "exponential", k = 1) {
    function() {
      set.seed(3)
      worst_theilsen(type, k, count = 100, limit = 1) > 1
    }
  }
  # the budget not split between two medians; pairs of a row not counted
  planted <- function(k, to) {
    caught(bug(loss("exponential", k), "theilsen_plan", "epsilon/(2 * matchings)", to))
  }
  expect_true(planted(2, "epsilon/matchings"))
  expect_true(planted(5, "epsilon/2"))
})

test_that("the widened median counts the best rank within the width", {
  plan <- plan_of("widened", 1, width = 10 * 2^-39)
  expect_identical(plan$widened, 10)
  z <- c(5, 40, 41, 70, 200)
  boxes <- median_boxes(z, plan)
  expect_identical(boxes$low, c(0, 0, 30, 31))
  expect_identical(boxes$high, c(theilsen_steps, 210, 80, 51))
  # draws of two equal halves: nothing but the middle for a large budget
  plan$each <- 400
  expect_true(all(replicate(50, draw_median(z, plan, "system")) %in% 31:51))
})

# -- smooth ------------------------------------------------------------------------------------

# The loss of neighbours, both medians: shift and change of scale on the law itself.
smooth_is_wrong <- function(count = 90, epsilon = 1) {
  set.seed(5)
  for (i in seq_len(count)) {
    k <- pick(1:3)
    plan <- plan_of("smooth", k, epsilon)
    a <- skewed_rows(pick(5:40))
    b <- neighbour_rows(a)
    pairs <- matching_pairs(nrow(a), k, "R")
    loss <- vapply(1:2, function(j) {
      laws <- lapply(list(a, b), function(d) {
        student_law(sort(theilsen_values(d$x1, d$y, pairs, plan)[, j]), plan)
      })
      p <- laws[[1]]
      q <- laws[[2]]
      away <- rep(c(-1, 1), each = 20) * 2^rep(-9:10, 2)
      at <- outer(c(p$centre, q$centre), c(p$scale, q$scale) * away, `+`)
      # constants are those of the integral: scales are 2^20 steps or more
      law <- function(l, x) 3 * log(l$scale) - 2 * log(3 * l$scale^2 + (x - l$centre)^2)
      max(abs(law(p, at) - law(q, at)))
    }, 0)
    if (sum(loss) > epsilon) return(TRUE)
  }
  FALSE
}

test_that("smooth medians of neighbours are within epsilon, and planted bugs are not", {
  skip_on_cran()
  expect_false(smooth_is_wrong())
  planted <- function(...) caught(bug(smooth_is_wrong, ...))
  expect_true(planted("student_constants", "4/(sqrt(3) * epsilon)", "1/(sqrt(3) * epsilon)"))
  expect_true(planted("median_smooth_bound", "max(best, exp(-beta * l) * length)",
                      "max(best, (l == 0) * length)"))
  expect_true(planted("median_smooth_bound", "h <- (l + 1) * k", "h <- l + 1"))
})

# -- the release -------------------------------------------------------------------------------

test_that("what is released, spent and said; predict() works", {
  d <- data.frame(x1 = (0:99) / 100)
  d$y <- 0.2 + 0.5 * d$x1
  ledger <- dp_ledger(100)
  for (type in c("exponential", "widened", "smooth")) {
    r <- theilsen(d, 20, type = type, matchings = 3, ledger = ledger)
    expect_s3_class(r, c("dp_regression", "dp_release"), exact = TRUE)
    expect_identical(r$guarantee, "pure")
    expect_identical(r$delta, 0)
    expect_named(coef(r), c("(Intercept)", "x1"))
    expect_equal(predict(r, data.frame(x1 = c(0.25, 0.75))), c("1" = 0.325, "2" = 0.575), tolerance = 0.05)
  }
  expect_identical(as.data.frame(ledger)$epsilon, c(20, 20, 20))
  # other units
  d2 <- data.frame(x1 = 1000 * d$x1 - 500, y = 10 * d$y - 7)
  r <- rival_regression(y ~ x1, d2, 15, 0, "theilsen", -500, 500, -7, 3, matchings = "all")
  expect_equal(unname(coef(r)), c(10 * 0.45 - 7, 0.005), tolerance = 0.02)
  expect_identical(r$details$matchings, 99L)
})

test_that("every data set has a release of the same shape, silently", {
  skip_on_cran()
  set.seed(6)
  shapes <- list(
    data.frame(x1 = rep(1, 9), y = rep(c(-1e308, 1e308, 0), 3)),
    data.frame(x1 = c(-1, 1, 1, 1) * 1e308, y = 1:4),
    data.frame(x1 = 1e-320 * 1:6, y = 1e308 * c(-1, 1)), data.frame(x1 = 1:5, y = rep(1e300, 5)),
    data.frame(x1 = 0, y = 0)[rep(1, 4), ]
  )
  for (d in c(shapes, lapply(1:20, function(i) skewed_rows(pick(4:9))))) {
    for (type in c("exponential", "widened", "smooth")) {
      expect_silent(r <- theilsen(d, 1, type = type, matchings = pick(list(1, 3, "all"))))
      expect_true(all(is.finite(coef(r))) && r$released)
    }
  }
})

test_that("bad arguments are refused and spend nothing", {
  d <- data.frame(x1 = 1:9, y = 1:9, z = 1:9)
  ledger <- dp_ledger(1)
  bad <- function(formula = y ~ x1, epsilon = 1, x = c(0, 9), y = c(0, 9), ..., data = d) {
    expect_error(rival_regression(formula, data, epsilon, 0, "theilsen", x[[1]], x[[2]], y[[1]], y[[2]], ...,
                                  ledger = ledger), class = "dpdepth_error_input")
  }
  bad(y ~ x1 + z)
  bad(epsilon = 0)
  bad(epsilon = 2e-6, matchings = 2)
  bad(epsilon = 1e-3, type = "smooth")
  bad(x = c(9, 0))
  bad(y = c(0, 1e-100))
  bad(y = c(1e9, 1e9 + 1))
  bad(x = c(0, 1e100))
  bad(matchings = 10)
  bad(matchings = 0)
  bad(matchings = "some")
  bad(type = "other")
  bad(width = -1)
  bad(data = d[1:3, ])
  bad(data = replace(d, "y", NA_real_))
  bad(weights = 1)
  expect_identical(nrow(as.data.frame(ledger)), 0L)
  dropped <- rival_regression(y ~ x1, replace(d, 1, c(NA, 2:9)), 1, 0, "theilsen", 0, 9, 0, 9, na = "middle")
  expect_identical(dropped$n, 9L)
})

test_that("all pairs of many rows are refused before they are made", {
  expect_error(check_matchings("all", 2001L), "2000 rows", class = "dpdepth_error_input")
  expect_identical(check_matchings("all", 2000L), 1999L)
})

# -- Student's t -----------------------------------------------------------------------------------

pmf_student <- function(j, s) {
  a <- sqrt(3) * s
  # sum over all whole j of (a^2 + j^2)^-2, closed form
  total <- pi / (2 * a^3) / tanh(pi * a) + pi^2 / (2 * a^2 * sinh(pi * a)^2)
  1 / (a^2 + j^2)^2 / total
}

test_that("Student noise has its law, at small and large scales", {
  skip_on_cran()
  for (s in c(1, 2, 7)) {
    j <- -2000:2000
    expect_equal(sum(pmf_student(j, s)), 1, tolerance = 1e-6)
    drawn <- replicate(600, draw_student(s, "system"))
    counts <- count_over(drawn, -2000, 2000)
    p <- pmf_student(j, s)
    expect_law(counts, c(p, max(0, 1 - sum(p))))
    half <- pmf_student(j, s / 2)
    expect_not_law(counts, c(half, max(0, 1 - sum(half))))
  }
  s <- 2^45
  drawn <- replicate(600, draw_student(s, "system")) / s
  expect_cdf(drawn, function(x) stats::pt(x, 3))
})

test_that("the smooth bound is that of brute force, and smooth", {
  skip_on_cran()
  slow <- function(z, k, beta) {
    n <- length(z)
    at <- function(i) if (i < 1) 0 else if (i > n) theilsen_steps else z[[i]]
    rank <- (n + 1) %/% 2
    found <- vapply(0:(2 * n), function(l) {
      h <- (l + 1) * k
      exp(-beta * l) * max(vapply(0:h, function(t) at(rank + t) - at(rank + t - h), 0))
    }, 0)
    max(found)
  }
  set.seed(4)
  for (i in 1:20) {
    z <- sort(round(theilsen_steps * stats::rbeta(pick(3:9), 0.3, 0.3)))
    k <- pick(1:3)
    beta <- pick(c(0.05, 0.3, 2))
    expect_equal(median_smooth_bound(z, k, beta), slow(z, k, beta))
  }
})

# The loss of neighbours by the proof: a shift by the smooth bound S, and a scale exp(b) times as
# large, both rounded up to whole numbers.
loss_is_passed <- function() {
  wrong <- vapply(c(1e-3, 0.1, 1, 30), function(epsilon) {
    constants <- student_constants(epsilon)
    scale <- ceiling(2^20 + 0:50 / 51)
    next_scale <- ceiling(exp(constants$smoothness) * (2^20 + 0:50 / 51))
    loss <- 2 / (sqrt(3) * constants$factor) + 4 * max(log(next_scale / scale), log(1 + 2^-20))
    sampler <- 2 * 2^-40
    loss + sampler > epsilon || loss < 0.98 * epsilon
  }, NA)
  any(wrong)
}

test_that("shift, change of scale and rounding cost at most epsilon, and nearly that much", {
  expect_false(loss_is_passed())
  planted <- function(...) caught(bug(loss_is_passed, ...))
  expect_true(planted("student_constants", "epsilon/8 - 2^-19", "epsilon/8"))
  expect_true(planted("student_constants", "4/(sqrt(3)", "3.99/(sqrt(3)"))
})

law_is_wrong <- function() {
  plan <- list(epsilon = 1, matchings = 1)
  law_of <- function(z) student_law(z * 2^30, plan)
  # of an even number the lower of both in the middle, whose rank the bound is about; a scale of 2^20 or more
  law_of(c(1, 2, 9, 12))$centre != 2 * 2^30 || law_of(rep(3, 400))$scale != 2^20 ||
    law_of(1:7)$centre != 4 * 2^30
}

test_that("centre and bound are of one rank, the scale pays for rounding, and medians stay in the range", {
  expect_false(law_is_wrong())
  planted <- function(...) caught(bug(law_is_wrong, ...))
  expect_true(planted("student_law", "(length(sorted) + 1)%/%2", "length(sorted)%/%2 + 1"))
  expect_true(planted("student_law", "(1 + 2^-40), 2^20)", "(1 + 2^-40), 1)"))
  plan <- list(epsilon = 1, matchings = 1)
  for (noise in c(-2^60, 2^60)) {
    fixed <- list(draw_student = function(scale, source) noise)
    drawn <- with_bindings(fixed, draw_median_smooth(1:9, plan, "R"))
    expect_identical(drawn, if (noise < 0) 0 else theilsen_steps)
  }
})

test_that("what is proposed is kept with the law's weight over the proposal's, nowhere above one", {
  kept_at <- function(block, part) {
    coins <- c(rep(1, block), 0, 0)
    kept <- NULL
    size <- 2^24
    r <- with_bindings(list(
      draw_below = function(...) {
        coin <- coins[[1]]
        coins <<- coins[-1]
        coin
      },
      draw_wide = function(size, source) size * part,
      draw_bernoulli_double = function(count, p, source) {
        kept <<- p
        TRUE
      }
    ), draw_student(size, "system"))
    # the proposal's density at r is 2^-(block + 1) over the block's width
    c(weight = kept * 2^-(block + 1) / max(1, 2^(block - 1)) * (3 + (r / size)^2)^2, kept = kept)
  }
  found <- mapply(kept_at, rep(0:5, each = 5), rep(c(0, 0.01, 0.1, 0.5, 0.99), 6))
  expect_equal(found["weight", ], rep(49 / 16, 30))
  expect_equal(max(found["kept", ]), 1)
})
