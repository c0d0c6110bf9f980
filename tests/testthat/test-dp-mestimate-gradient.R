# Noisy gradient descent of M-estimates: what neighbours cost, planted bugs, the plan.

mcost <- function(x, epsilon = 1, delta = 0, psi = "huber", ..., lower = 0, upper = 40, scale = 1) {
  suppressWarnings(coef(dp_mestimate(as.matrix(x), epsilon, delta, psi, lower = lower, upper = upper,
                                     scale = scale, ...)))
}

# What a replaced row costs: on skewed neighbours in corners, far outside and tied, and where a row pulls one
# way and then the other in every step.
mestimate_costs_more <- function(count = 10) {
  set.seed(5)
  rho <- normal_rho(1, 0.05)
  line <- function(psi) function(d) mcost(d[, 1], 1, 0, psi, lower = -3, upper = 2, scale = 0.3)
  pure <- function(d) mcost(d, 1, lower = -3, upper = 5)
  gauss <- function(d) mcost(d, 1, 0.05, "logistic", lower = -3, upper = 5)
  far <- function(d, value) as.data.frame(rbind(rep(value, d), 0, rep(0.5, d)))
  ends <- function(run, d) queries_cost(run, far(d, 1e300), far(d, -1e300))
  any(ends(line("huber"), 1) > c(1, 0)) || any(ends(pure, 2) > c(1, 0)) || any(ends(gauss, 5) > c(0, rho)) ||
    any(worst_cost(line("tukey"), count) > c(1, 0)) || any(worst_cost(pure, count) > c(1, 0)) ||
    any(worst_cost(gauss, count, p = 4) > c(0, rho))
}

# A row's gradient is longer than the ball's radius.
gradients_too_long <- function() {
  at <- c(0, 1e-300, 0.3, 1, 2.095, 2.1, 4.6, 5, 1e9, 1e308)
  x <- as.matrix(expand.grid(c(-at, at), c(-at, at), c(0, 1)))
  long <- vapply(psi_kinds, function(kind) {
    any(rowSums(psi_places(x, numeric(3), rep(1, 3), psi_make(kind), 2^10)^2) > 2^20)
  }, NA)
  any(long)
}

test_that("neighbours cost at most what is paid, and nearly that much", {
  skip_on_cran()
  expect_false(mestimate_costs_more(25))
  expect_false(gradients_too_long())
  cost <- function(d, delta) {
    far <- function(value) as.data.frame(rbind(rep(value, d), 0, rep(0.5, d)))
    queries_cost(function(x) mcost(x, 1, delta, lower = -3, upper = 4), far(1e300), far(-1e300))
  }
  expect_equal(cost(1, 0)[[1]], 1, tolerance = 1e-4)
  expect_equal(cost(2, 0)[[1]], 1, tolerance = 1e-4)
  expect_equal(cost(5, 0.05)[[2]], normal_rho(1, 0.05), tolerance = 1e-4)
})

test_that("planted bugs are seen", {
  skip_on_cran()
  planted <- function(...) caught(bug(mestimate_costs_more, ...))
  expect_true(planted("noisy_step", "l1_reach(move, plan$d)", "l1_reach(radius, plan$d)")) # B T
  expect_true(planted("noisy_step", "move^2", "radius^2"))
  expect_true(planted("mestimate_shares", "(1 - last_share)/(steps - 1)", "last_share")) # not split
  expect_true(planted("gaussian_noise", "each = rho * shares", "each = rep(rho, length(shares))"))
  expect_true(planted("l1_reach", "l2 * sqrt(d)", "l2")) # the l2 norm for the l1 norm
  # rows mixed
  expect_true(planted("psi_places", "(x[, j] - center[[j]])", "(x[, j] - 9 * (mean(x[, j] > 0) > 0.4))"))
  expect_true(planted("mestimate_descend", "center <- pmin", # another way for some data
                      "center <- center + (mean(x) > 0.4)\n center <- pmin"))
  # the length is checked once more, so that it takes two bugs
  unchecked <- list("whole_places", "squares > lattice^2", "squares < 0")
  planted <- function(...) caught(do.call(bug, c(list(gradients_too_long), unchecked, list(...))))
  expect_true(planted("psi_weight", "1/pmax(1, s)", "1 + 0 * s")) # clipping left out
  expect_true(planted("psi_make", "tuning * 16/(25 * sqrt(5))", "tuning * 0.28")) # psi's bound wrong
})

test_that("a row beyond the ball is put at 0, whatever psi says", {
  places <- whole_places(rbind(c(1, 1), c(0.6, 0.8), c(NaN, 0), c(-1, 0), c(1e300, 0)), 16)
  expect_identical(places, rbind(c(0, 0), c(9, 12), c(0, 0), c(-16, 0), c(0, 0)))
})

test_that("bounds of the l1 norm are rounded up", {
  wrong <- function() any(outer(2^(2:30), 2:9, function(l2, d) mapply(l1_reach, l2, d)^2 < d * l2^2))
  expect_false(wrong())
  expect_true(caught(bug(wrong, "l1_reach", "ceiling(l2", "floor(l2")))
})

test_that("widths halve from the limits to the scale, and shares add up to one", {
  expect_identical(mestimate_widths(0.1, psi_make("huber")), c(1, 1))
  expect_identical(mestimate_widths(8, psi_make("huber", 1)), c(8, 4, 2, 1, 1))
  expect_identical(mestimate_widths(7, psi_make("logistic", 1)), c(7, 3.5, 1.75, 1, 1))
  expect_identical(mestimate_widths(4, psi_make("tukey", 1)), c(8, 4, 2, 1, 1))
  for (steps in c(2, 5, 40)) {
    shares <- mestimate_shares(steps, 0.2)
    expect_lte(sum(shares), 0.8)
    expect_equal(sum(shares), 0.8, tolerance = 1e-10)
  }
  # 2 B / (e n) for the last step: standard deviations of Laplace noise
  psi <- psi_make("huber")
  plan <- mestimate_plan(rows_in_sums(500, FALSE), 1L, 1, 0, psi, 8)
  expect_equal(plan$sd_step[[plan$steps]], sqrt(2) * 2 * 1.345 / (0.5 * 500) / psi_answer(psi),
               tolerance = 1e-6)
  expect_identical(mestimate_plan(rows_in_sums(500, FALSE), 40L, 1, 1e-6, psi, 8)$noise, "Gaussian")
  expect_identical(mestimate_plan(rows_in_sums(500, FALSE), 1L, 1, 1e-6, psi, 8)$guarantee, "pure")
})

test_that("the ledger has what the sums are paid with", {
  wrong <- function() {
    spent <- vapply(neighbour_kinds, function(neighbours) {
      ledger <- dp_ledger(2, 0.1)
      mcost(1:9, 1.5, 0, ledger = ledger, neighbours = neighbours)
      mcost(matrix(1:90, 2), 0.5, 0.05, ledger = ledger, neighbours = neighbours) # Gaussian noise
      unlist(as.data.frame(ledger)[c("epsilon", "delta", "rho")])[c(1:4, 6)]
    }, numeric(5))
    !all(abs(spent - c(1.5, 0.5, 0, 0.05, gaussian_rho(0.5, 0.05))) < 1e-12)
  }
  expect_false(wrong())
  planted <- function(...) expect_true(caught(bug(wrong, "debit", ...)))
  planted("list(epsilon = given$epsilon, delta", "list(epsilon = given$epsilon/2, delta")
  planted("0 else delta", "0 else delta/2")
})

# Rows at the edge of a bisquare do not pull: from one that is as wide as the limits, steps come to a stand
# far from rows that lie near a limit (at 95 for these rows about 3). Noise has a standard deviation of 0.08.
test_that("each psi comes to rows near a limit", {
  rows <- stats::qnorm(stats::ppoints(2000), 3, 15)
  for (kind in psi_kinds) {
    set.seed(11)
    low <- dp_mestimate(rows, 1, psi = kind, lower = 0, upper = 200, scale = 15, rng = "R")
    both <- dp_mestimate(cbind(rows, 200 - rows), 1, psi = kind, lower = 0, upper = 200, scale = 15,
                         rng = "R")
    expect_lt(abs(coef(low) - 3), 2)
    expect_lt(max(abs(coef(both) - c(3, 197))), 3)
  }
})

# -- n private ---------------------------------------------------------------------------------------------

# What a row more costs: the same outputs give the same release, and queries move by what is paid for.
private_mestimate_costs_more <- function(count = 8) {
  set.seed(6)
  rho <- normal_rho(1, 0.05)
  far <- function(d, value) as.data.frame(matrix(value, 1, d))
  of <- function(delta, psi, lower = -3, upper = 5, scale = 1) {
    function(d) {
      suppressWarnings(unclass(dp_mestimate(as.matrix(d), 1, delta, psi, lower = lower, upper = upper,
                                            scale = scale, neighbours = "add_remove")))
    }
  }
  line <- of(0, "huber", -3, 2, 0.3)
  worst <- function(run, p, limit) {
    for (i in seq_len(count)) {
      rows <- as.matrix(skewed_rows(pick(1:6), p))[, seq_len(p), drop = FALSE]
      if (any(queries_cost(run, rows, rows[-1, , drop = FALSE]) > limit)) return(TRUE)
    }
    any(queries_cost(run, far(p, 1e300), far(p, 1e300)[0, , drop = FALSE]) > limit)
  }
  worst(line, 1, c(1, 0)) || worst(of(0, "tukey"), 2, c(1, 0)) || worst(of(0.05, "logistic"), 5, c(0, rho))
}

test_that("where n is private a row more costs what is paid, nearly that much, and shows nowhere else", {
  skip_on_cran()
  expect_false(private_mestimate_costs_more(20))
  run <- function(x) mcost(x, lower = -3, upper = 5, neighbours = "add_remove")
  expect_equal(queries_cost(run, matrix(1e300, 1), matrix(0, 0, 1))[[1]], 1, tolerance = 1e-4)
  planted <- function(...) expect_true(caught(bug(private_mestimate_costs_more, ...)))
  planted("mestimate_plan", "rows$count", "0") # the count is not paid for
  planted("count_rows", "max(plan$counted, 1, ceiling(count_sd(plan)))", "max(n, 1)")
  planted("count_rows", "plan$counted <- if", "plan$most <- n\n plan$counted <- if", # n in the release
          "draw_descent", "list(counted = plan$counted)", "list(counted = plan$most)")
  planted("rows_in_sums", "move = 1", "move = 0.5")
  planted("rows_in_sums", "lattice = most_private_rows", "lattice = 2^30 * n",
          "facts_of", "if (given$private) private_size else nrow(rows)", "nrow(rows) + 1")
})

test_that("where n is private warnings tell nothing of it", {
  ask <- function(...) dp_mestimate(..., lower = 0, upper = 9, scale = 1, neighbours = "add_remove")
  told <- function() {
    # of one row, of a delta above 1/n, of the noise
    said <- lapply(list(numeric(), 5, 1:30), function(x) {
      lapply(c(1e-3, 1), function(epsilon) capture_warnings(ask(x, epsilon, 0.05)))
    })
    length(unique(said)) > 1
  }
  expect_false(told())
  expect_true(caught(bug(told, "facts_of", "if (given$private) private_size else nrow(rows)",
                         "max(1, nrow(rows))")))
})

test_that("with n private noise is half of that with n public, and data without rows have a law", {
  of <- function(neighbours, d, delta) {
    mestimate_plan(rows_in_sums(500, neighbours == "add_remove"), d, 1, delta, psi_make("huber"), 8)
  }
  for (case in list(list(1, 0), list(40, 1e-6))) {
    fixed <- do.call(of, c("substitution", case))
    private <- do.call(of, c("add_remove", case))
    less <- if (case[[2]] > 0) sqrt(1 - count_share) else 1 - count_share
    # noise has other lattices, which take a part of delta
    spent <- if (case[[2]] > 0) sqrt(fixed$rho / private$rho) else 1
    expect_equal(private$sd_step / fixed$sd_step, rep(0.5 / less * spent, fixed$steps), tolerance = 1e-9)
    expect_equal(spent, 1, tolerance = 1e-6)
    expect_lte(max(private$lattice) * most_tally, 2^53)
  }
  # what all queries cost, the count included
  plan <- of("add_remove", 40, 1e-6)
  expect_lte(sum(plan$each) + plan$count, plan$rho)
  expect_lte(gaussian_delta(1, plan$rho, c(rep(40, plan$steps), 1),
                            c((plan$move * plan$lattice)^2 / plan$each, plan$count_steps^2 / plan$count) / 2),
             1e-6 * (1 + 1e-9))
  # where noise leaves room for finer ones
  rows <- rows_in_sums(500, TRUE)
  expect_lte(max(mestimate_plan(rows, 1L, 500, 0, psi_make("huber"), 8)$lattice) * most_tally, 2^53)
  expect_lte(max(gaussian_noise(rows, 1, 500, 1e-6, c(0.5, 0.5))$lattice) * most_tally, 2^53)
  private <- function(...) dp_mestimate(..., lower = 0, upper = 9, scale = 1, neighbours = "add_remove")
  none <- suppressWarnings(private(numeric(), 1))
  expect_true(coef(none) >= 0 && coef(none) <= 9 && is.na(none$n))
  expect_warning(private(1:9, 1e-3), "assumed", class = "dpdepth_warning_accuracy")
})

test_that("a tally's release is that of its rows, at its size, which is not told", {
  x <- rep(c(1, 2, 4, 8), c(5, 90, 40, 2))
  t <- dp_tally(data.frame(x = x), lower = 0, upper = 9, resolution = 1)
  for (neighbours in neighbour_kinds) {
    run <- function(x) {
      set.seed(4)
      coef(dp_mestimate(x, 2, lower = 0, upper = 9, scale = 1, neighbours = neighbours, rng = "R"))
    }
    expect_identical(unname(run(t)), unname(run(x)))
  }
  many <- new_tally(cbind(x = c(3, 4)), c(1e9, 1e9), 0, 9, 1)
  r <- dp_mestimate(many, 1, scale = 1, neighbours = "add_remove", rng = "R")
  expect_equal(coef(r)[[1]], 3.5, tolerance = 1e-3)
  expect_lt(abs(r$details$counted - 2e9), 2000)
})

# What a run without a public scale hands to the draws of scales and asks of its noise, with draws that are
# `given`; and the release.
scaled_run <- function(x, epsilon, ..., given = c(4, 2), delta = 0) {
  asked <- list()
  draw <- function(x, probs, prior, each, ...) {
    asked[[length(asked) + 1]] <<- list(x = as.vector(unclass(x)), prior = prior, cost = sum(each))
    matrix(given[[2 - length(asked) %% 2]], 1)
  }
  queries <- NULL
  release <- with_bindings(list(draw_quantiles = draw), {
    queries <- rival_queries(function() {
      suppressWarnings(dp_mestimate(x, epsilon, delta, lower = 0, upper = 40, ..., rng = "R"))
    })
    queries$result
  })
  list(asked = asked, queries = queries$asked, release = release)
}

# Both parts together cost no more than epsilon, and distances are those from what was drawn.
scaled_costs_more <- function() {
  for (case in list(list(1, "substitution"), list(3, "substitution"), list(2, "add_remove"))) {
    private <- case[[2]] == "add_remove"
    x <- matrix(as.double(seq_len(60 * case[[1]])) %% 13, 60)
    run <- scaled_run(x, 1.5, neighbours = case[[2]])
    plan <- run$release
    spent <- sum(vapply(run$asked, `[[`, 0, "cost"))
    # a step: all of the rows pull one way, and one is replaced
    unit <- vapply(run$queries, `[[`, 0, "pays")
    far <- rbind(rep(1e300, case[[1]]), x[-1, , drop = FALSE])
    near <- rbind(rep(-1e300, case[[1]]), x[-1, , drop = FALSE])
    set.seed(1)
    a <- scaled_run(if (private) x[-1, , drop = FALSE] else far, 1.5, neighbours = case[[2]])
    b <- rival_outputs(a, if (private) far else near, case[[2]])
    moved <- Map(function(p, q) sum(abs(p$values - q$values)) * p$pays, a$queries, b$queries)
    rows <- if (private) rbind(x, 20) else x
    handed <- lapply(seq_len(case[[1]]), function(j) list(rows[, j], abs(rows[, j] - 4)))
    if (!identical(lapply(run$asked, `[[`, "x"), unlist(handed, recursive = FALSE))) return(TRUE)
    if (spent + sum(unlist(moved)) > 1.5 || spent < plan$details$scale_share * 1.49) return(TRUE)
  }
  FALSE
}

# The same run with the outputs of another.
rival_outputs <- function(a, x, neighbours) {
  again <- NULL
  draw <- function(x, ...) {
    again <<- !isTRUE(again)
    matrix(if (again) 4 else 2, 1)
  }
  second <- with_bindings(list(draw_quantiles = draw), rival_queries(function() {
    suppressWarnings(dp_mestimate(x, 1.5, 0, lower = 0, upper = 40, neighbours = neighbours, rng = "R"))
  }, lapply(a$queries, `[[`, "given")))
  must(identical(second$result$estimate, a$release$estimate), "the same release for the same outputs")
  must(identical(second$result$details, a$release$details), "the same details for the same outputs")
  list(queries = second$asked)
}

test_that("without a public scale both parts together cost epsilon, and planted bugs are seen", {
  skip_on_cran()
  expect_false(scaled_costs_more())
  planted <- function(...) caught(bug(scaled_costs_more, ...))
  expect_true(planted("plan_scaled_descent", "given$epsilon * (1 - share)", "given$epsilon"))
  expect_true(planted("plan_scaled_descent", "given$epsilon/facts$d", "given$epsilon"))
  expect_true(planted("scaled_plan", "pmin(pmax(scale, width", "pmin(pmax(scale + mean(rows > 99), width"))
  expect_true(planted("draw_mad", "deviations_from(x, m)", "deviations_from(x, 3)"))
})

test_that("a private scale is kept within its limits, said, and used as a public one", {
  x <- stats::qnorm(((1:2000) - 0.5) / 2000) + 20
  r <- dp_mestimate(x, 2, lower = 0, upper = 40, rng = "R")
  expect_equal(r$details$scale[[1]], 1, tolerance = 0.15)
  expect_identical(r$details$scale_share, 0.1)
  expect_lt(abs(coef(r) - 20), 0.2)
  expect_match(r$mechanism, "exponential mechanism of scales")
  expect_identical(r$guarantee, "pure")
  expect_identical(r$epsilon, 2)
  ledger <- dp_ledger(3, 1e-2)
  many <- dp_mestimate(matrix(x, 2000, 12), 2, 1e-4, lower = 0, upper = 40, ledger = ledger)
  expect_identical(many$guarantee, "approximate")
  expect_equal(as.data.frame(ledger)$rho, many$details$rho)
  share <- many$details$scale_share
  draws <- 12 * (0.4^2 + 0.6^2) * (2 * share / 12)^2 / 8
  expect_equal(many$details$rho, normal_rho(2 * (1 - share), 1e-4) + draws, tolerance = 1e-6)
  scale <- function(given) scaled_run(x, 2, given = given)$release$details$scale[[1]]
  expect_identical(c(scale(c(4, 0)), scale(c(4, 40))), c(40 * 2^-20, 20))
  expect_identical(scale_share(1e6, 1, 1), 0.1)
  expect_identical(scale_share(10, 1, 1), 0.5)
  expect_equal(scale_share(1000, 2, 1), 0.3)
  expect_warning(dp_mestimate(x[1:100], 1, lower = 0, upper = 40, rng = "R"), "scale that is drawn",
                 class = "dpdepth_warning_accuracy")
  private <- dp_mestimate(x, 2, lower = 0, upper = 40, neighbours = "add_remove", rng = "R")
  expect_identical(private$details$scale_share, private_scale_share)
  expect_lt(abs(coef(private) - 20), 0.5)
})
