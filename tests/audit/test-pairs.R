# The privacy audit: exact laws of neighbours, random ones and ones sought by hill climbing.
#
# `make audit` looks at a thousand pairs and more of each mechanism; a normal run at few, so that the code
# does not rot. Laws are exact: nothing here fails by chance.

# No ratio above 1: the divergence is at most delta, centres move by at most alpha times the smaller scale,
# scales by at most exp(beta), margins by at most one.
expect_private <- function(check, seed, label, pairs = audit_size(12, 1000)) {
  set.seed(seed)
  worst <- suppressWarnings(audit_worst(check, pairs, climbs = audit_size(1, 4), steps = audit_size(10, 200)),
                            classes = "dpdepth_warning")
  expect(worst <= 1, sprintf("%s: %.6g times what is allowed", label, worst))
  if (audit_slow) cat(sprintf("\n  %-28s at most %.4f of what is allowed", label, worst))
}

test_that("the median by smooth sensitivity", {
  for (epsilon in audit_size(c(1, 12), c(0.3, 1, 4, 12))) {
    expect_private(check_smooth(1, epsilon = epsilon), 1, paste("one variable", epsilon))
  }
  for (epsilon in audit_size(6, c(1, 6))) {
    expect_private(check_smooth(2, "exact", epsilon), 2, paste("plane, exact", epsilon))
    expect_private(check_smooth(2, "directional", epsilon), 3, paste("plane, directional", epsilon))
    expect_private(check_smooth(3, "directional", epsilon), 4, paste("space", epsilon))
    expect_private(check_smooth(2, "marginal", epsilon), 5, paste("plane, marginal", epsilon))
  }
  for (method in c("exact", "directional", "marginal")) {
    expect_private(check_smooth(2, method, 6, width = c(1, 40)), 19, paste("unequal bounds,", method))
  }
  expect_private(check_smooth(3, "directional", 6, width = c(1, 10, 0.3)), 20, "unequal bounds, space")
})

test_that("levels beyond 2000", {
  for (d in 1:2) {
    set.seed(21)
    worst <- audit_worst(check_far(d), audit_size(4, 100), climbs = 0, steps = 0)
    expect(worst <= 1 && worst > 0.99, sprintf("%d variables: %.6g times what is allowed", d, worst))
  }
})

test_that("regressions", {
  for (epsilon in audit_size(4, c(1, 8))) {
    expect_private(check_deepest(epsilon), 6, paste("deepest", epsilon))
    expect_private(check_deepest(epsilon, lower = c(-1, 0), upper = c(1, 20)), 22,
                   paste("deepest, unequal bounds", epsilon))
  }
  for (epsilon in audit_size(2, c(1, 6))) {
    expect_private(check_medsweep(1, epsilon), 7, paste("Medsweep, one regressor", epsilon))
    expect_private(check_medsweep(2, 2 * epsilon), 8, paste("Medsweep, two regressors", 2 * epsilon))
  }
})

test_that("the exponential mechanism on the line", {
  for (epsilon in c(0.5, 4)) expect_private(check_exponential(epsilon), 9, paste("exponential", epsilon))
})

test_that("depth along the axes", {
  for (d in 1:3) {
    for (epsilon in audit_size(1, c(0.3, 1, 4))) {
      expect_private(check_axes(d, if (d == 3) 4 else if (d == 2) 6 else 60, epsilon), 19,
                     paste("along the axes", d, epsilon))
    }
  }
})

test_that("the restricted exponential mechanism, test and draw together", {
  for (epsilon in audit_size(5, c(3, 5))) {
    expect_private(check_restricted(1, epsilon = epsilon), 10, paste("restricted, line", epsilon))
  }
  expect_private(check_restricted(1, level = 2, epsilon = 4), 11, "restricted, line, level 2")
  expect_private(check_restricted(2, sizes = 8:14), 12, "restricted, two variables", audit_size(10, 1000))
})

test_that("propose, test, release", {
  expect_private(check_ptr(), 13, "ptr()")
  expect_private(check_ptr(1, 1e-6, 2^-6), 14, "ptr(), a small scale")
})

test_that("the projection median: margins, the claim for margins above 0, the whole", {
  pairs <- if (audit_slow) expand.grid(location = c("median", "trimmed", "huber", "mom"),
                                       scale = c("mad", "iqr", "trimmed"), stringsAsFactors = FALSE)
           else data.frame(location = c("median", "huber"), scale = c("mad", "trimmed"))
  for (i in seq_len(nrow(pairs))) {
    pair <- unlist(pairs[i, ])
    label <- paste("projection:", toString(pair))
    expect_private(check_projection(pair[[1]], pair[[2]]), 15, label, audit_size(6, 400))
    expect_private(check_projection_margin(1 + i %% 2 + 1, pair[[1]], pair[[2]]), 16,
                   paste(label, "several variables"), audit_size(6, 400))
  }
  expect_private(check_projection(), 17, "projection: median, mad")
})

test_that("the ruler measures", {
  # against sums over a fine grid, and against a law worked by hand
  for (case in list(c(1, 1, 2, 0.3), c(1, 2, 1, 0.3), c(3, 1, 1, 1), c(0, 1, 3, 0.5), c(0.5, 1, 1, -1))) {
    x <- seq(-60, 60, by = 1e-3)
    p <- exp(-abs(x) / case[[2]]) / (2 * case[[2]])
    q <- exp(-abs(x - case[[1]]) / case[[3]]) / (2 * case[[3]])
    expect_equal(ruler_line(case[[1]], case[[2]], case[[3]], case[[4]]),
                 1e-3 * sum(pmax(p - exp(case[[4]]) * q, 0)), tolerance = 1e-5)
  }
  # equal scales: 1 - exp(-(shift - e)/2)
  expect_equal(ruler_line(3, 1, 1, 1), -expm1(-1))
  # in two coordinates at no shift, the privacy loss is a function of the l1 norm: see dilation_beta()
  beta <- dilation_beta(2, 1e-3, 2)
  expect_equal(max(ruler(0, 1, exp(beta), 1, 2), ruler(0, exp(beta), 1, 1, 2)), 1e-3, tolerance = 1e-3)
})

test_that("climbs climb: they find what random pairs do not", {
  set.seed(18)
  check <- check_smooth(1, epsilon = 1)
  start <- list(matrix(0.5, 9), matrix(c(0.25, rep(0.5, 8))))
  reached <- suppressWarnings(audit_climb(check, start, 60), classes = "dpdepth_warning")
  before <- suppressWarnings(pair_loss(check, start), classes = "dpdepth_warning")
  expect_gt(audit_score(reached), audit_score(before))
  expect_lte(max(rowSums(reached$pair[[1]] != reached$pair[[2]]),
                 sum(reached$pair[[1]] != reached$pair[[2]])), 1)
})
