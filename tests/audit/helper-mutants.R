# The privacy audit's planted bugs: text edits of the package's R functions, and how they are told.

# All of them are caught. One that is not planted, as the package does not have its text, is not: it is told
# by itself.
expect_caught <- function(bugs) {
  found <- vapply(bugs, function(bug) {
    set.seed(bug$seed)
    tryCatch(if (caught(bug)) "caught" else "missed", not_planted = conditionMessage)
  }, "")
  rest <- found[found != "caught"]
  expect(length(rest) == 0, sprintf("%d of %d caught; %s", sum(found == "caught"), length(found),
                                    paste(sprintf("\"%s\" %s", names(rest), rest), collapse = "; ")))
}

# Audits by exact laws: the check is made while the bug is in place.
by_laws <- function(check, ..., pairs = 300, climbs = 3, steps = 200) {
  force(check)
  function() {
    made <- check(...)
    audit_worst(made, pairs, climbs, steps, early = TRUE) > 1
  }
}

# The same as a value, for bugs that are built in (tests/ctest/planted.R).
audit_fails <- function(check, pairs = 80, climbs = 1, steps = 60) {
  tryCatch(audit_worst(check, pairs, climbs, steps, early = TRUE) > 1, audit_breach = function(e) TRUE)
}

# Draws of the noise of smooth sensitivity: each by itself and two together.
noise_is_wrong <- function(draws = 4000) {
  t <- 5
  w <- vapply(seq_len(draws), function(i) half_laplace(2L, t * 2^scale_bits, "system"), c(0, 0))
  values <- seq(-120, 120) + 0.5
  p <- pmf_half(values, t)
  group <- findInterval(cumsum(p), c(0.25, 0.5, 0.75), left.open = TRUE)
  one <- vapply(0:3, function(g) sum(p[group == g]), 0)
  at <- matrix(group[round(w + 120.5)], 2)
  together <- tabulate(1 + at[1, ] + 4 * at[2, ], 16)
  many <- half_laplace(audit_size(3e5, 4e6), t * 2^scale_bits, "system")
  law_pvalue(together, as.vector(outer(one, one)) / sum(one)^2) < ALPHA ||
    law_pvalue(count_over(many - 0.5, -120, 120), c(p, max(0, 1 - sum(p)))) < ALPHA
}

# Draws of the exponential mechanism on the line by the front door, against the law of the audit. (600 draws
# miss twice epsilon with probability below 1e-9.)
exponential_is_wrong <- function(draws = 600) {
  x <- matrix(c(0.3, 0.32, 0.35, 0.5, 0.52, 0.6, 0.62))
  law <- exponential_law(x, 2)
  breaks <- c(0, law$y, 1)
  p <- exp(law$log_density((breaks[-1] + breaks[-9]) / 2)) * diff(breaks)
  draw <- function() coef(dp_median_exponential(x, 2, prior = prior_uniform(0, 1)))
  drawn_wrong(draws, draw, function(drawn) {
    law_pvalue(tabulate(findInterval(drawn, breaks, rightmost.closed = TRUE), 8), p / sum(p))
  })
}

# The same in the plane, on a lattice of 16 points.
plane_is_wrong <- function(draws = 400) {
  x <- cbind(c(0, 1, 1, 2, 2, 0, 3), c(0, 0, 1, 1, 2, 2, 3))
  points <- as.matrix(expand.grid(0:3, 0:3))
  p <- exp(7 * depth_halfspace(points, x))
  draw <- function() {
    z <- coef(dp_median_exponential(x, 2, lower = c(0, 0), upper = c(3, 3), resolution = 1))
    z[[1]] + 4 * z[[2]]
  }
  drawn_wrong(draws, draw, function(drawn) law_pvalue(tabulate(drawn + 1, 16), p / sum(p)))
}

# Looks after an eighth, a quarter, half and all of the draws, ALPHA being shared, and ends when it has seen.
# `draw` gives one number or several, of one law each.
drawn_wrong <- function(draws, draw, pvalue) {
  drawn <- NULL
  for (size in ceiling(draws / c(8, 4, 2, 1))) {
    while (length(drawn) < size) drawn <- c(drawn, unname(draw()))
    if (pvalue(drawn) < ALPHA / 4) return(TRUE)
  }
  FALSE
}

# Draws of the projection median of one variable along one direction: Laplace.
projection_draw_is_wrong <- function(draws = 40000) {
  found <- draw_projections(draws, matrix(1), 3, 2, 5, source = "system")$draws
  cdf <- function(x) ifelse(x < 3, exp(5 * (x - 3) / 2) / 2, 1 - exp(-5 * (x - 3) / 2) / 2)
  dkw_distance(found, cdf) > dkw_band(draws)
}

# The private test by itself: margins that differ by one, at the test's epsilon, and margin 0.
test_is_wrong <- function() {
  wrong <- function(epsilon, delta) {
    p <- vapply(0:12, pass_chance, 0, epsilon = epsilon, delta = delta)
    ratios <- abs(c(diff(log(p)), diff(log1p(-p[p < 1]))))
    p[[1]] > delta * (1 + 1e-9) || any(ratios > epsilon * (1 + 1e-9))
  }
  wrong(1, 0.01) || wrong(0.3, 1e-4) || wrong(2, 0.05)
}

# delta of truncated discrete Laplace noise of that bound at the rate of epsilon.
truncation_is_wrong <- function() {
  wrong <- function(epsilon, delta) {
    q <- exp(-epsilon)
    a <- laplace_truncated_bound(epsilon, delta)
    (1 - q) * q^a / (1 + q - 2 * q^(a + 1)) > delta
  }
  any(mapply(wrong, c(1, 1, 0.2, 3), c(1e-5, 1e-6, 1e-3, 1e-9)))
}

# Two releases that know R's seed are not the same. (Rows enough that none is clipped to a bound.)
noise_is_known <- function() {
  one <- function() {
    set.seed(1)
    coef(dp_median_smooth(1:999 / 1000, 1, 1e-6, 0, 1))
  }
  identical(one(), one()) && identical(one(), one())
}

# The calls that spend, each with a ledger.
spending_calls <- list(
  function(l) dp_median_smooth(1:9 / 10, 1, 1e-6, 0, 1, ledger = l),
  function(l) {
dp_regression(dist ~ speed, cars, 1, 1e-6, lower = 0, upper = 1, ledger = l,
                            method = "deepest")
},
  function(l) {
dp_regression(dist ~ speed, cars, 1, 1e-6,
                            method = "medsweep", lower = 0, upper = 1, ledger = l)
},
  function(l) dp_median_restricted(1:9 / 10, 1, 1e-6, ledger = l),
  function(l) dp_median_projection(1:9 / 10, 1, 1e-6, directions = 1, try_anyway = TRUE, ledger = l),
  function(l) dp_median_exponential(1:9 / 10, 1, prior = prior_uniform(0, 1), ledger = l),
  function(l) {
    dp_median_exponential(1:9 / 10, 1, prior = prior_uniform(0, 1), directions = "axes", ledger = l)
  },
  function(l) dp_quantile(1:9 / 10, 1:30 / 31, 1, lower = 0, upper = 1, ledger = l),
  function(l) dp_ecdf(1:9 / 10, 1, lower = 0, upper = 1, ledger = l),
  function(l) dp_mean(1:9 / 10, 1, lower = 0, upper = 1, ledger = l),
  function(l) suppressWarnings(dp_mestimate(1:9 / 10, 1, lower = 0, upper = 1, scale = 0.3, ledger = l)),
  function(l) suppressWarnings(dp_mestimate(1:9 / 10, 1, lower = 0, upper = 1, ledger = l)),
  function(l) suppressWarnings(dp_scale(1:9 / 10, 1, 0, 1, ledger = l)),
  function(l) suppressWarnings(dp_correlation(cbind(1:9, 9:1), 1, interval = 0.9, ledger = l)),
  function(l) {
    suppressWarnings(dp_mestimate(dist ~ speed, 1, 1e-6, data = cars, x_lower = 0, x_upper = 30, lower = 0,
                                  upper = 150, scale = 20, ledger = l))
  },
  function(l) {
    suppressWarnings(rival_mestimate(1:9 / 10, 1, 1e-6, lower = 0, upper = 1,
                                  scale = 0.3, ledger = l))
  },
  function(l) dp_histogram(1:9 / 10, 1, breaks = 0:1, ledger = l),
  function(l) dp_interior_point(1:99 / 10, 1, 1e-6, ledger = l),
  function(l) suppressWarnings(dp_region(cbind(1:9, 9:1), 0.5, 1, lower = 0, upper = 9, ledger = l)),
  function(l) ptr(3, function(epsilon, laplace) laplace(0, 1, epsilon), 1, 1e-6, ledger = l)
)

# What is left is as documented; a second call of the same cost is refused; an interrupt while drawing buys
# nothing.
ledger_is_wrong <- function() {
  interrupted <- function(...) stop("interrupted")
  # the exponential mechanism asks for the prior's fields when it draws, and before for the lattice
  samplers <- list(half_laplace = interrupted, ptr_test = interrupted, draw_law = interrupted,
                   prior_fields = interrupted, draw_mean = interrupted,
                   axes_steps = function(...) c(x = 2^-20), lattice_steps = function(...) c(x = 2^-20))
  wrong <- vapply(spending_calls, function(call) {
    ledger <- dp_ledger(1.5, 1.5e-6)
    call(ledger)
    short <- !isTRUE(all.equal(as.data.frame(ledger)$epsilon, 1))
    again <- tryCatch(is.list(call(ledger)), dpdepth_error_budget = function(e) FALSE)
    broken <- dp_ledger(1.5, 1.5e-6)
    with_bindings(samplers, try(call(broken), silent = TRUE))
    short || again || nrow(as.data.frame(broken)) != 1
  }, NA)
  any(wrong)
}

# By delta alone: what two releases cost together is their sum, and a third of one is refused.
deltas_are_wrong <- function() {
  ledger <- dp_ledger(1000, 2.5e-6)
  refused <- vapply(1:3, function(i) {
    tryCatch(is.list(ledger_spend(ledger, 1, 1e-6, "test")), dpdepth_error_budget = function(e) TRUE)
  }, NA)
  !identical(refused, c(FALSE, FALSE, TRUE)) || !isTRUE(all.equal(summary(ledger)["delta", "spent"], 2e-6))
}

# The epsilon that is read is below the exact loss of a hundred flips of a coin, or of a hundred exponential
# mechanisms on two atoms; a delta is spent twice; a budget of rho is passed.
accounts_are_wrong <- function() {
  loses <- function(each, flip, rho) {
    ledger <- dp_ledger(rho = 100, delta = 0.5)
    for (i in 1:100) ledger_spend(ledger, each, 0, "test", rho = rho)
    read <- glance(ledger, delta = 1e-4)$epsilon_zcdp
    heads <- 0:100
    chance <- stats::dbinom(heads, 100, stats::plogis(flip))
    sum(chance * pmax(0, -expm1(read - flip * (2 * heads - 100)))) > 1e-4
  }
  # at the rate 1/2 the loss is 1/2 to both sides, with scores that differ by one on each of two atoms
  short <- loses(1, 1, NULL) || loses(1, 0.5, bounded_range_rho(1))
  twice <- new_account()
  twice$add("approximate", release_cost(0.1, 1e-6))
  refused <- tryCatch(ledger_spend(dp_ledger(rho = 0.1), 1, 0, "test"),
                      dpdepth_error_budget = function(e) TRUE)
  short || composed_epsilon(twice$spent(), 1e-6)$epsilon_zcdp < Inf || !isTRUE(refused)
}

# All but the estimate is the same for two data sets, and nothing of the data is in it.
release_tells <- function() {
  x <- 1000 + (seq_len(40) * 0.618033988749895) %% 1 * 8999
  d <- data.frame(x = x, y = rev(x) / 3)
  torn <- function(v) v^rep(c(1, 4), each = 20)
  makers <- list(
    function(x, d) do.call(dp_median_smooth, list(x, 1, 1e-6, 0, 1e4)),
    function(x, d) {
dp_regression(y ~ x, d, 1, 1e-6, lower = 0, upper = 1,
                                 method = "deepest")
}, # x and d are where the formula is
    function(x, d) do.call(dp_regression, list(y ~ x, d, 1, 1e-6, method = "medsweep", lower = 0, upper = 1)),
    function(x, d) do.call(dp_median_restricted, list(x, 20, 1e-6, level = 8, resolution = 1)),
    function(x, d) do.call(dp_median_projection, list(x, 1, 1e-6, directions = 1, try_anyway = TRUE)),
    function(x, d) ptr(sum(x > 1e5), function(epsilon, laplace) laplace(1, 1, epsilon), 1, 1e-6),
    function(x, d) do.call(dp_median_exponential, list(x, 1, prior = prior_uniform(0, 1e4))),
    function(x, d) {
      do.call(dp_median_exponential, list(x, 1, prior = prior_uniform(0, 1e4), directions = "axes"))
    },
    function(x, d) do.call(dp_quantile, list(x, c(0.2, 0.5), 1, lower = 0, upper = 1e4))
  )
  rest <- function(r) {
    r$estimate <- r$released <- NULL
    r
  }
  for (make in makers) {
    one <- make(x, d)
    if (leaks(one, c(x, d$y)) > 0 || !identical(rest(one), rest(make(torn(x), torn(d))))) return(TRUE)
  }
  failed <- with_bindings(list(ptr_test = function(...) FALSE), list(
    ptr(3, function(epsilon, laplace) laplace(1, 1, epsilon), 1, 1e-6),
    dp_median_restricted(1:40, 1, 1e-6, resolution = 1)
  ))
  !all(is.na(unlist(lapply(failed, coef))))
}

# What the user's functions of ptr() may do and what may not come of it: more than epsilon pays for, values
# without noise, their own errors, an answer without a debit, another shape.
ptr_tells <- function() {
  x <- 0.7313731
  wrong <- function(margin, release) {
    ledger <- dp_ledger(1, 1e-6)
    out <- tryCatch(ptr(margin, release, 1, 1e-6, ledger = ledger), condition = identity)
    !inherits(out, "dp_release") || out$released || !identical(coef(out), c(estimate = NA_real_)) ||
      nrow(as.data.frame(ledger)) != 1
  }
  plain <- function(epsilon, laplace) laplace(x, 1, epsilon)
  wrong(1e6, function(epsilon, laplace) laplace(x, 1, 1000 * epsilon)) ||
    wrong(1e6, function(epsilon, laplace) rep(list(laplace(x, 1, epsilon)), 100)) ||
    wrong(1e6, function(epsilon, laplace) laplace(c(x, x), 1, epsilon)) ||
    wrong(1e6, function(epsilon, laplace) laplace(NaN, 1, epsilon)) ||
    wrong(1e6, function(epsilon, laplace) x) ||
    wrong(1e6, function(epsilon, laplace) stop(x)) ||
    wrong(stop(x), plain) || wrong(warning(x), plain) || wrong(x, plain) ||
    wrong(1e6, function(epsilon, laplace) {
      laplace(x, 1, epsilon)
      1L
    }) ||
    ptr_shows(structure(class = c("shown", "condition"), list(message = x, call = NULL))) || ptr_leaves(x)
}

# Does a condition of the user's own get out?
ptr_shows <- function(condition) {
  seen <- FALSE
  zero <- function(epsilon, laplace) laplace(0, 1, epsilon)
  withCallingHandlers(ptr(signalCondition(condition), zero, 1, 1e-6),
                      shown = function(c) seen <<- TRUE)
  seen
}

# Does return() in an argument leave the caller?
ptr_leaves <- function(x) {
  left <- TRUE
  (function() {
    ptr(return(x), function(epsilon, laplace) laplace(0, 1, epsilon), 1, 1e-6)
    left <<- FALSE
  })()
  left
}

# An account cannot be emptied from outside.
account_opens <- function() {
  ledger <- dp_ledger(1)
  ledger_spend(ledger, 1, 0, "all")
  fresh <- dp_ledger(1)
  for (name in ls(fresh)) try(assign(name, get(name, fresh), ledger), silent = TRUE)
  !identical(summary(ledger)["epsilon", "spent"], 1)
}

# Names that a function does not have are refused, and no value shows.
names_tell <- function() {
  x <- c(0.7313731, 1:9)
  told <- vapply(list(list(weights = x), list(level = x), list(0, "exponential", x)), function(more) {
    raised <- tryCatch(do.call(dp_median, c(list(x, 1, lower = 0, upper = 10), more)), error = identity)
    !inherits(raised, "dpdepth_error_input") ||
      grepl("7313731", paste(deparse(unclass(raised)), collapse = " "), fixed = TRUE)
  }, NA)
  any(told)
}

# Errors about data do not show any.
errors_tell <- function() {
  bad <- list(c(NA, 0.7313731), c(Inf, 0.7313731), "0.7313731", list(0.7313731), factor("0.7313731"))
  texts <- vapply(bad, function(x) {
    raised <- tryCatch(dp_median_smooth(x, 1, 1e-6, 0, 1), error = identity)
    paste(deparse(unclass(raised)), collapse = " ")
  }, "")
  any(grepl("7313731", texts, fixed = TRUE))
}
