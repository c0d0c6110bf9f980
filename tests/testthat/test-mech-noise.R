# The random sources and the exact samplers: laws, privacy, failure, reproducibility.

# Draws a setting: 2e6 reject a scale 1% off with near certainty (noncentrality 200 for the
# Laplace law on 16 cells, needed: 66 at ALPHA), and 1.5e5 one 4% off; DPDEPTH_LAW_DRAWS=1e7 for the long run.
LAW_DRAWS <- as.numeric(Sys.getenv("DPDEPTH_LAW_DRAWS", audit_size("1.5e5", "2e6")))
OFF <- audit_size(0.04, 0.01)

# A fixed tape of `len` words, as 32-bit halves, by Park and Miller's generator.
fixed_tape <- function(len, seed = 20) {
  x <- numeric(4 * len)
  for (i in seq_along(x)) x[[i]] <- seed <- (16807 * seed) %% 2147483647
  x <- x %% 65536
  65536 * x[c(TRUE, FALSE)] + x[c(FALSE, TRUE)]
}

SAMPLERS <- list(
  below = function(n, rng) draw_below(n, 1000, rng),
  below_wide = function(n, rng) draw_below(n, 3 * 2^50, rng),
  bernoulli_ratio = function(n, rng) draw_bernoulli_ratio(n, 1, 3, rng),
  bernoulli_double = function(n, rng) draw_bernoulli_double(n, 0.1, rng),
  bernoulli_exp = function(n, rng) draw_bernoulli_exp(n, 3, 2, rng),
  bernoulli_half_rate = function(n, rng) draw_bernoulli_half_rate(n, 0.5, 3, rng),
  geometric_exp = function(n, rng) draw_geometric_exp(n, 2, 7, rng),
  laplace_discrete = function(n, rng) draw_laplace_discrete(n, 1, 10, rng),
  laplace_truncated = function(n, rng) draw_laplace_truncated(n, 1, 10, 25, rng),
  laplace_flat = function(n, rng) draw_laplace_truncated(n, 1, 10, 5, rng),
  gaussian_discrete = function(n, rng) draw_gaussian_discrete(n, 10, 3, rng),
  gaussian_wide = function(n, rng) draw_gaussian_discrete(n, 2^53, 3, rng)
)

# The law is right; with the scale larger or smaller by OFF it is rejected.
expect_scale <- function(x, low, high, pmf, label) {
  counts <- count_over(x, low, high)
  law <- function(factor) {
    p <- pmf(seq(low, high), factor)
    c(p, max(0, 1 - sum(p)))
  }
  expect_law(counts, law(1), label)
  expect_not_law(counts, law(1 + OFF), paste(label, "scale up"))
  expect_not_law(counts, law(1 - OFF), paste(label, "scale down"))
}

test_that("discrete Laplace draws follow the exact law, and not one off by a little", {
  skip_on_cran()
  for (rate in list(c(1, 1), c(1, 2), c(1, 10), c(3, 7), c(2, 1), rate_of(0.25))) {
    reach <- ceiling(15 * max(1, rate[[2]] / rate[[1]]))
    x <- draw_laplace_discrete(LAW_DRAWS, rate[[1]], rate[[2]])
    expect_scale(x, -reach, reach,
                 function(z, f) pmf_laplace_discrete(z, rate[[1]], rate[[2]] * f),
                 sprintf("laplace %g/%g", rate[[1]], rate[[2]]))
  }
})

test_that("truncated discrete Laplace draws follow the exact law, and not one off by a little", {
  skip_on_cran()
  settings <- list(c(1, 1, 4), c(1, 1, 11), c(1, 3, 12), c(rate_of(0.5), 20))
  for (s in settings) {
    x <- draw_laplace_truncated(LAW_DRAWS, s[[1]], s[[2]], s[[3]])
    expect_true(all(abs(x) <= s[[3]]))
    expect_scale(x, -s[[3]], s[[3]],
                 function(z, f) pmf_laplace_truncated(z, s[[1]], s[[2]] * f, s[[3]]),
                 sprintf("truncated %g/%g to %g", s[[1]], s[[2]], s[[3]]))
  }
  # a flat law says little about its scale: agreement only, and nothing past the bound
  x <- draw_laplace_truncated(1e5, 1, 100, 30)
  expect_law(tabulate(x + 31, 61), pmf_laplace_truncated(-30:30, 1, 100, 30), "flat")
  expect_identical(draw_laplace_truncated(3, 1, 1, 0), c(0, 0, 0))
})

test_that("discrete Gaussian draws follow the exact law, and not one off by a little", {
  skip_on_cran()
  for (var in list(c(1, 2), c(1, 1), c(2, 1), c(10, 3), c(100, 1), c(314159265, 2^20))) {
    reach <- ceiling(9 * sqrt(var[[1]] / var[[2]]))
    x <- draw_gaussian_discrete(LAW_DRAWS, var[[1]], var[[2]])
    expect_scale(x, -reach, reach,
                 function(z, f) pmf_gaussian_discrete(z, var[[1]] * f^2, var[[2]]),
                 sprintf("gaussian %g/%g", var[[1]], var[[2]]))
  }
  # far too wide for cells: against the normal cdf, whose error is of order 1/sigma
  x <- draw_gaussian_discrete(1e5, 2^53, 3)
  expect_cdf(x, function(q) pnorm(q, sd = sqrt(2^53 / 3)), label = "wide gaussian")
})

test_that("geometric draws follow the exact law, and not one off by a little", {
  skip_on_cran()
  for (rate in list(c(1, 1), c(1, 10), c(5, 2), rate_of(0.1))) {
    reach <- ceiling(15 * max(1, rate[[2]] / rate[[1]]))
    x <- draw_geometric_exp(LAW_DRAWS * if (rate[[1]] > rate[[2]]) 2 else 1, rate[[1]], rate[[2]])
    expect_scale(x, 0, reach,
                 function(g, f) pmf_geometric_exp(g, rate[[1]], rate[[2]] * f),
                 sprintf("geometric %g/%g", rate[[1]], rate[[2]]))
  }
})

test_that("coins have their exact probabilities, and exponents off by a little are rejected", {
  n <- LAW_DRAWS
  for (x in list(c(8, 5), c(1, 1), c(5, 2))) {
    k <- sum(draw_bernoulli_exp(n, x[[1]], x[[2]]))
    expect_prob(k, n, exp(-x[[1]] / x[[2]]))
    expect_not_prob(k, n, exp(-(1 + OFF) * x[[1]] / x[[2]]))
    expect_not_prob(k, n, exp(-(1 - OFF) * x[[1]] / x[[2]]))
  }
  k <- sum(draw_bernoulli_half_rate(n, 0.4, 8))
  expect_prob(k, n, exp(-rate_of(0.4)[[1]] / 2^40 * 4))
  expect_not_prob(k, n, exp(-0.4 * 8), "the missing factor 2")
  n <- 2e5
  for (p in c(0.1, 1 / 3, 0.5, 1e-3, 1 - 1e-3)) {
    expect_prob(sum(draw_bernoulli_double(n, p)), n, p)
  }
  for (r in list(c(1, 3), c(2^53 - 1, 2^53), c(1, 2^53), c(577, 1000))) {
    expect_prob(sum(draw_bernoulli_ratio(n, r[[1]], r[[2]])), n, r[[1]] / r[[2]])
  }
  expect_prob(sum(draw_bernoulli_exp(n, 1, 1e6)), n, exp(-1e-6))
  expect_true(all(draw_bernoulli_exp(100, 0), draw_bernoulli_double(100, 1)))
  expect_false(any(draw_bernoulli_double(100, 0), draw_bernoulli_double(100, 2^-1074),
                   draw_bernoulli_exp(100, 2^53)))
})

test_that("bounded integers are uniform", {
  for (size in c(2, 3, 10, 1000, 70000)) {
    x <- draw_below(2e5, size)
    cell <- floor(x * min(size, 50) / size)
    probs <- tabulate(floor((seq_len(size) - 1) * min(size, 50) / size) + 1) / size
    expect_law(tabulate(cell + 1, length(probs)), probs, sprintf("below %g", size))
  }
  x <- draw_below(1e5, 3 * 2^50)
  expect_cdf(x, function(q) q / (3 * 2^50), label = "wide")
  expect_prob(sum(x %% 2), 1e5, 0.5, "the lowest bit")
})

test_that("R's stream gives the same laws, whatever generator stands behind it", {
  old <- RNGkind()
  on.exit(RNGkind(old[[1]], old[[2]], old[[3]]))
  for (kind in c("Mersenne-Twister", "Wichmann-Hill", "L'Ecuyer-CMRG", "Knuth-TAOCP-2002")) {
    suppressWarnings(RNGkind(kind))
    set.seed(7)
    x <- draw_laplace_discrete(1e5, 1, 10, rng = "R")
    expect_law(count_over(x, -100, 100), c(pmf_laplace_discrete(-100:100, 1, 10), 0) +
                 c(rep(0, 201), 2 * exp(-10.1) / (1 + exp(-0.1))), kind)
    expect_prob(sum(draw_below(1e5, 2, rng = "R")), 1e5, 0.5, kind)
    expect_prob(sum(draw_below(1e5, 3 * 2^50, rng = "R") %% 2), 1e5, 0.5, kind)
  }
})

test_that("a tape gives golden draws", {
  tape <- fixed_tape(4000)
  golden <- list(
    below = c(726, 268, 849, 259, 932, 562, 997, 224),
    below_wide = c(1111954702506710, 219787807561636, 2171186251912726,
                   2175458747159892, 1719049229190298, 1852789594871804,
                   641768633673683, 925914220041260),
    bernoulli_ratio = c(0, 1, 0, 0, 1, 0, 0, 1),
    bernoulli_double = c(0, 0, 0, 0, 1, 0, 0, 0),
    bernoulli_exp = c(0, 1, 1, 1, 0, 0, 0, 1),
    bernoulli_half_rate = c(1, 1, 1, 1, 0, 0, 0, 0),
    geometric_exp = c(2, 0, 0, 3, 3, 3, 11, 1),
    laplace_discrete = c(-18, -1, 0, 7, 13, -3, 7, -7),
    laplace_truncated = c(-18, -1, 0, 7, 13, -3, 7, -7),
    laplace_flat = c(1, -4, -1, 0, 1, -1, -1, -5),
    gaussian_discrete = c(2, 1, 0, 1, 4, -1, -2, 1),
    gaussian_wide = c(17603286, 14731237, 98112852, 49285934, -62297370,
                      3737121, -32402854, -56766885)
  )
  for (name in names(golden)) {
    expect_identical(as.double(SAMPLERS[[name]](8, tape)), golden[[name]], label = name)
  }
  expect_setequal(names(golden), names(SAMPLERS))
})

test_that("a source that ends anywhere gives an error and no draws", {
  for (name in names(SAMPLERS)) {
    tape <- fixed_tape(400, seed = 3)
    whole <- SAMPLERS[[name]](6, tape)
    used <- 0
    repeat {
      got <- tryCatch(SAMPLERS[[name]](6, tape[seq_len(2 * used)]), dpdepth_error = identity)
      if (!inherits(got, "error")) break
      expect_s3_class(got, "dpdepth_error_entropy")
      used <- used + 1
    }
    expect_gt(used, 1)
    expect_identical(got, whole, label = name)
  }
})

test_that("a failing entropy source is an error of its class in every sampler", {
  before <- get0(".Random.seed", globalenv())
  for (name in names(SAMPLERS)) {
    expect_error(SAMPLERS[[name]](1, "broken"), class = "dpdepth_error_entropy")
    expect_identical(SAMPLERS[[name]](0, "broken") + 0, numeric())
  }
  expect_identical(get0(".Random.seed", globalenv()), before)
})

test_that("set.seed() steers R mode and only R mode", {
  for (name in names(SAMPLERS)) {
    draw <- function(rng) SAMPLERS[[name]](60, rng)
    set.seed(1)
    first <- draw("R")
    second <- draw("R")
    set.seed(1)
    expect_identical(draw("R"), first, label = name)
    expect_false(identical(first, second), label = name)
    set.seed(1)
    before <- .Random.seed
    third <- draw("system")
    expect_identical(.Random.seed, before, label = name)
    expect_false(identical(draw("system"), third), label = name)
  }
  old <- options(dpdepth.rng = "R")
  on.exit(options(old))
  set.seed(2)
  x <- draw_laplace_discrete(50, 1, 10)
  set.seed(2)
  expect_identical(draw_laplace_discrete(50, 1, 10), x)
  expect_false(identical(draw_laplace_discrete(50, 1, 10, rng = "system"), x))
})

test_that("system mode does not even create .Random.seed", {
  old <- get0(".Random.seed", globalenv())
  on.exit(if (!is.null(old)) assign(".Random.seed", old, globalenv()))
  if (!is.null(old)) rm(".Random.seed", envir = globalenv())
  for (name in names(SAMPLERS)) SAMPLERS[[name]](10, "system")
  try(SAMPLERS[[1]](1, "broken"), silent = TRUE)
  expect_false(exists(".Random.seed", globalenv()))
})

# A sampler's first draws after `seed` are not those after a call that was left in the middle.
first_draws <- function() draw_laplace_discrete(20, 1, 100, rng = "R")

test_that("R's stream has moved after an error in the middle", {
  set.seed(11)
  before <- .Random.seed
  first <- first_draws()
  set.seed(11)
  # a draw beyond 2^53, which no double holds: 100 draws avoid it with probability 0.64^100
  expect_error(draw_laplace_discrete(100, 1, 2^53, rng = "R"), class = "dpdepth_error_limit")
  expect_false(identical(.Random.seed, before))
  expect_false(identical(first_draws(), first))
})

test_that("R's stream has moved after an interrupt in the middle of every sampler", {
  skip_on_os("windows")
  set.seed(11)
  first <- first_draws()
  for (name in names(SAMPLERS)) {
    expect_true(interrupt_advances(function() SAMPLERS[[name]](4e4, "R")), label = name)
    expect_false(identical(first_draws(), first), label = name)
  }
})

test_that("the test of interrupts sees a stream that was rewound and a call that was not left", {
  skip_on_os("windows")
  rewound <- function() {
    before <- .Random.seed
    on.exit(assign(".Random.seed", before, globalenv()))
    draw_laplace_discrete(4e4, 1, 10, rng = "R")
  }
  expect_false(interrupt_advances(rewound))
  expect_false(interrupt_advances(function() suspendInterrupts(draw_laplace_discrete(4e4, 1, 10, rng = "R"))))
})

test_that("forked workers draw different noise", {
  skip_on_os("windows")
  draws <- parallel::mclapply(1:8, function(i) draw_laplace_discrete(20, 1, 1000, rng = "system"),
                              mc.cores = 2, mc.preschedule = FALSE)
  draws[[9]] <- draw_laplace_discrete(20, 1, 1000, rng = "system")
  # any two workers agree in 20 draws with probability below 1e-60
  expect_identical(anyDuplicated(draws), 0L)
  # nor does one lag behind another
  expect_lt(max(table(unlist(draws))), 12)
})

test_that("results survive a collection at every allocation", {
  skip_on_cran()
  # the entry itself: R's own checks allocate ten times as often
  entry <- dpdepth:::ffi_draw
  rates <- list(laplace_discrete = c(1, 10), gaussian_discrete = c(10, 1))
  draw <- function(law) .Call(entry, "R", 2L, law, rates[[law]])
  set.seed(5)
  want <- c(draw_laplace_discrete(2, 1, 10, rng = "R"), draw_gaussian_discrete(2, 10, 1, rng = "R"))
  set.seed(5)
  on.exit(gctorture(FALSE))
  gctorture(TRUE)
  got <- c(draw("laplace_discrete"), draw("gaussian_discrete"))
  gctorture(FALSE)
  expect_identical(got, want)
})

test_that("bad parameters of draws are errors", {
  expect_error(draw_laplace_discrete(-1, 1, 1), class = "dpdepth_error_input")
  expect_error(draw_laplace_discrete(1, 1, 1, rng = "fast"), class = "dpdepth_error_input")
  expect_error(draw_laplace_discrete(1, 0.5, 1), class = "dpdepth_error_internal")
  expect_error(draw_laplace_discrete(1, NaN, 1), class = "dpdepth_error_internal")
  expect_error(draw_laplace_discrete(1, 2^54, 1), class = "dpdepth_error_internal")
  expect_error(draw_laplace_discrete(1, 0, 1), class = "dpdepth_error_internal")
  expect_error(draw_bernoulli_double(1, 1.5), class = "dpdepth_error_internal")
  expect_error(draw_gaussian_discrete(1, 1, 0), class = "dpdepth_error_internal")
  expect_error(draw_below(1, 0), class = "dpdepth_error_internal")
})

# Privacy, from the exact laws: a count moves by one between neighbours.

test_that("discrete Laplace noise is eps-DP, and 10% too little of it is not", {
  z <- -200:200
  for (eps in c(0.1, 0.5, 1, 2)) {
    private <- function(eps_used, eps) {
      rate <- rate_of(eps_used)
      p <- pmf_laplace_discrete(z, rate[[1]], rate[[2]])
      q <- pmf_laplace_discrete(z - 1, rate[[1]], rate[[2]])
      max_log_ratio(p, q) <= eps
    }
    expect_true(private(eps, eps))
    expect_false(private(1.1 * eps, eps))
  }
})

test_that("truncated discrete Laplace noise is (eps, delta)-DP at its bound and not below", {
  private <- function(eps, delta, bound, rate = rate_of(eps)) {
    z <- seq(-bound - 1, bound + 1)
    p <- pmf_laplace_truncated(z, rate[[1]], rate[[2]], bound)
    q <- pmf_laplace_truncated(z - 1, rate[[1]], rate[[2]], bound)
    max(hockey_stick(p, q, eps), hockey_stick(q, p, eps)) <= delta * (1 + 1e-12)
  }
  for (eps in c(0.05, 0.2, 1, 2, 5)) {
    for (delta in c(0.1, 1e-2, 1e-4, 1e-6, 1e-9)) {
      bound <- laplace_truncated_bound(eps, delta)
      expect_true(private(eps, delta, bound))
      if (bound > 1) expect_false(private(eps, delta, bound - 1))
      # 10% too little noise: the excess, about eps/20, shows under a small delta
      if (delta <= 1e-4) expect_false(private(eps, delta, bound, rate_of(1.1 * eps)))
    }
  }
  expect_identical(laplace_truncated_bound(1, 1e-5), 11)
  expect_identical(laplace_truncated_bound(1, 1e-6), 14)
})

test_that("a rate never exceeds its epsilon and stays within 65 units below", {
  for (eps in c(1e-6, 0.1, 1 / 3, 1, exp(1), 4000)) {
    gap <- eps * 2^40 - rate_of(eps)[[1]]
    expect_true(gap >= 64 && gap < 65)
  }
})

test_that("the statistical helpers reject what they should and accept the rest", {
  probs <- dbinom(0:20, 20, 0.3)
  counts <- rowSums(stats::rmultinom(1, 1e5, probs))
  expect_law(counts, probs)
  expect_not_law(counts, dbinom(0:20, 20, 0.31))
  expect_identical(law_pvalue(c(1, 5), c(0, 1)), 0)
  expect_identical(sum(probs[pool_cells(1e3 * probs, 25) == 1] * 1e3) >= 25, TRUE)
  expect_equal(clopper_pearson(0, 100, 0.05), c(0, 1 - 0.025^(1 / 100)))
  expect_equal(wilson(5, 10, 0.05), c(0.2365931, 0.7634069), tolerance = 1e-6)
  expect_equal(dkw_band(100, 0.05), 0.1358102, tolerance = 1e-6)
  expect_equal(dkw_distance(c(0.25, 0.75), punif), 0.25)
  expect_equal(hockey_stick(c(0.5, 0.5), c(0.25, 0.75), log(1.5)), 0.125)
  expect_equal(max_log_ratio(c(0.5, 0.5), c(0.25, 0.75)), log(2))
  expect_identical(max_log_ratio(c(0.5, 0.5), c(0, 1)), Inf)
  expect_equal(sum(pmf_laplace_discrete(-400:400, 1, 10)), 1)
  expect_equal(sum(pmf_gaussian_discrete(-200:200, 100, 3)), 1)
  expect_equal(sum(pmf_geometric_exp(0:400, 1, 10)), 1)
})

test_that("Laplace rates are at most what the sensitivity allows, and near it", {
  for (epsilon in c(1e-6, 0.01, 1, 20, 1e6)) for (s in c(1, 3, 2^20, 2^24 + 1)) {
    rate <- laplace_rate(epsilon, s)
    expect_lte(rate[[1]] / rate[[2]] * s, epsilon)
    expect_gt(rate[[1]] / rate[[2]] * s, epsilon * (1 - 0.01))
    expect_true(all(rate == round(rate) & rate >= 1 & rate <= 2^53))
  }
})

test_that("there is no Laplace rate below 2^-52: it was 2^-52, up to 244 times what was asked for", {
  for (rate in 2^-c(52, 53, 60)) expect_error(laplace_rate(rate, 1), class = "dpdepth_error_internal")
  for (rate in 2^-c(49, 50, 51)) expect_lte(do.call(`/`, as.list(laplace_rate(rate, 1))), rate)
})

test_that("a sum has discrete Laplace noise of its rate", {
  drawn <- replicate(4000, add_laplace(7, 3, 1.5, "system")) - 7
  expect_law(count_over(drawn, -40, 40), c(pmf_laplace_discrete(-40:40, 1, 2), 0))
  expect_not_law(count_over(drawn, -40, 40), c(pmf_laplace_discrete(-40:40, 1, 1), 0))
})

test_that("each sum has noise of its own", {
  set.seed(3)
  noisy <- add_laplace(numeric(20), 1, 0.01, "R")
  set.seed(3)
  rate <- laplace_rate(0.01, 1)
  expect_identical(noisy, draw_laplace_discrete(20, rate[[1]], rate[[2]], "R"))
})

test_that("a source that was drawn from is closed, and leaves no random byte", {
  expect_true(.Call(ffi_rng_wiped, "system"))
  expect_true(.Call(ffi_rng_wiped, "R"))
})
