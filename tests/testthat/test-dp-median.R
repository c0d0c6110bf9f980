# dp_median() and dp_median_exponential(): privacy, randomness, checks, prints.
# Error rates: ALPHA = 1e-6 an expectation (helper-stat.R).

people <- data.frame(age = c(31, 44, 52, 67, 23, 58, 49), weight = c(61, 83.5, 92, 77, 70, 68.5, 101))
# so many rows that no accuracy warning is due
people <- people[rep(1:7, 10), ]
rownames(people) <- NULL
limits <- prior_uniform(c(18, 30), c(100, 250))

# -- privacy ---------------------------------------------------------------------------------

# All multisets of `size` points of a k x k grid, as row indexes into the grid.
multisets <- function(points, size) {
  if (size == 1) return(matrix(seq_len(points)))
  rest <- multisets(points, size - 1)
  do.call(rbind, lapply(seq_len(points), function(p) {
    keep <- rest[, 1] >= p
    cbind(rep(p, sum(keep)), rest[keep, , drop = FALSE])
  }))
}

# One number a row, the same for the same rows in any order.
set_key <- function(sets) {
  sets <- unname(sets)
  sorted <- matrix(sets[order(row(sets), sets)], ncol(sets))
  colSums(sorted * 26^(seq_len(nrow(sorted)) - 1))
}

test_that("depth counts move by at most one between all neighbours of few rows on a small grid", {
  skip_on_cran()
  side <- seq_len(audit_size(4, 5)) - 1
  grid <- unname(as.matrix(expand.grid(side, side)) + 0)
  dirs <- rbind(diag(2), fan(7))
  scores <- list(
    exact = function(data) .Call(ffi_halfspace_exact, grid, data),
    directional = function(data) .Call(ffi_halfspace_directional, grid, data, dirs, FALSE)
  )
  for (n in 1:audit_size(3, 4)) {
    for (name in names(scores)) {
      sets <- multisets(nrow(grid), n)
      depth <- apply(sets, 1, function(rows) scores[[name]](grid[rows, , drop = FALSE]))
      # data sets that share n - 1 rows are neighbours of each other
      shared <- if (n == 1) matrix(integer(), 1, 0) else multisets(nrow(grid), n - 1)
      keys <- set_key(sets)
      near <- lapply(seq_len(nrow(grid)), function(p) {
        depth[, match(set_key(cbind(p, shared)), keys), drop = FALSE]
      })
      spread <- do.call(pmax, near) - do.call(pmin, near)
      expect_lte(max(spread), 1)
      expect_equal(max(spread), 1) # and the bound is reached
    }
  }
})

# The exact law on a line of candidates, from depth counts: what privacy is about.
candidate_law <- function(x, epsilon, candidates) {
  depth <- round(depth_halfspace(candidates, x) * length(x))
  weight <- exp(epsilon * (depth - max(depth)) / 2)
  weight / sum(weight)
}

neighbour_ratio <- function(epsilon_used, pairs = 250) {
  candidates <- seq(0, 2000, 1)
  worst <- max_log_ratio(candidate_law(c(0, 1), epsilon_used, candidates),
                         candidate_law(c(1, 2000), epsilon_used, candidates))
  set.seed(4)
  random <- vapply(seq_len(pairs), function(i) {
    n <- sample(1:6, 1)
    x <- sample(0:2000, n, TRUE)
    y <- replace(x, sample(n, 1), sample(0:2000, 1))
    max_log_ratio(candidate_law(x, epsilon_used, candidates), candidate_law(y, epsilon_used, candidates))
  }, 0)
  max(worst, random)
}

test_that("exact laws of neighbours are within epsilon, and broken budgets are caught", {
  skip_on_cran()
  for (epsilon in audit_size(c(0.1, 2), c(0.1, 1, 3))) {
    expect_lte(neighbour_ratio(epsilon), epsilon * (1 + 1e-12))
    expect_gt(neighbour_ratio(1.1 * epsilon), epsilon) # epsilon 10% over
    expect_gt(neighbour_ratio(2 * epsilon), epsilon)   # the factor 2 missing
  }
})

# Counts of draws in the event that tells the two worst neighbours apart.
event_counts <- function(epsilon_used, draws) {
  vapply(list(c(0, 10), c(10, 1000)), function(x) {
    sum(draw_medians(draws, x, epsilon_used, prior_uniform(0, 1000)) <= 10)
  }, 0)
}

# Lower confidence bound on the epsilon of a mechanism from fresh draws on two neighbours.
epsilon_bound <- function(counts, draws) {
  log(clopper_pearson(counts[[1]], draws)[[1]] / clopper_pearson(counts[[2]], draws)[[2]])
}

test_that("draws on the worst neighbours are within epsilon, and broken budgets are caught", {
  skip_on_cran()
  draws <- audit_size(2e5, 3e6) # fewer do not tell 1.5, or 1.1, epsilon from epsilon
  expect_lte(epsilon_bound(event_counts(1, draws), draws), 1)
  expect_gt(epsilon_bound(event_counts(audit_size(1.5, 1.1), draws), draws), 1)
  expect_gt(epsilon_bound(event_counts(2, draws), draws), 1)
})

test_that("the release lies on the public grid within the prior, whatever the data", {
  for (x in list(people, people * 1e6, people * 0, -people)) {
    release <- dp_median_exponential(x, 2, prior = limits)
    step <- release$details$step
    value <- coef(release)
    expect_identical(unname(value / step), unname(round(value / step)))
    expect_true(all(value >= limits$lower & value <= limits$upper))
    expect_identical(step, dp_median_exponential(people, 2, prior = limits)$details$step)
  }
})

# -- randomness ------------------------------------------------------------------------------

test_that("set.seed() does not steer a release and the user's stream is left alone", {
  set.seed(1)
  before <- .Random.seed
  one <- dp_median(people, 1, prior = limits)
  expect_identical(.Random.seed, before)
  set.seed(1)
  expect_false(identical(coef(dp_median(people, 1, prior = limits)), coef(one)))
  expect_identical(one$rng, "system")
})

test_that("R's stream steers a simulation and moves on", {
  runs <- list(
    function() coef(dp_median_exponential(people, 1, prior = limits, directions = 20, rng = "R")),
    function() {
      coef(rival_median(people, 1, prior = limits, directions = 20, chains = 1, steps = 1000, rng = "R"))
    }
  )
  for (run in runs) {
    set.seed(1)
    one <- run()
    two <- run()
    set.seed(1)
    expect_identical(run(), one)
    expect_identical(run(), two)
    expect_false(identical(one, two))
  }
  old <- options(dpdepth.rng = "R")
  on.exit(options(old))
  expect_identical(dp_median(people, 1, prior = limits)$rng, "R")
})

test_that("an interrupted draw leaves R's stream moved on", {
  skip_on_os("windows")
  x <- matrix(seq_len(9000) %% 97, ncol = 9)
  fields <- prior_fields(prior_for(prior_uniform(0, 100), 9))
  set <- directions(9, 50)
  expect_true(interrupt_advances(function() {
    .Call(ffi_median_chain, "R", x, fields, 1, set, 4L, 5000L, FALSE)
  }))
})

test_that("a failed entropy source is an error and no output", {
  fields <- prior_fields(prior_for(limits, 2, names(people)))
  x <- as.matrix(people)
  expect_error(.Call(ffi_median_exp, "broken", x, fields, 1, TRUE, bounding_directions(2), 1L),
               class = "dpdepth_error_entropy")
  expect_error(.Call(ffi_median_chain, "broken", x, fields, 1, bounding_directions(2), 2L, 10L, FALSE),
               class = "dpdepth_error_entropy")
})

test_that("forked workers draw different noise", {
  skip_on_os("windows")
  draw <- function(i) coef(dp_median(people, 1, prior = limits))[["age"]]
  draws <- parallel::mclapply(1:8, draw, mc.cores = 2)
  expect_identical(anyDuplicated(unlist(draws)), 0L)
})

test_that("the law does not depend on the number of threads", {
  old <- dpdepth_threads(1)
  on.exit(dpdepth_threads(old))
  x <- space_data(4, 200)
  run <- function() {
    set.seed(3)
    coef(dp_median_exponential(x, 1, lower = -3, upper = 3, directions = 60, sampler = "exact", rng = "R"))
  }
  one <- run()
  dpdepth_threads(2)
  expect_identical(run(), one)
})

# -- what a release holds --------------------------------------------------------------------

test_that("no value of the data is in a release", {
  skip_on_cran()
  canary <- matrix(100 * abs(sin(1:400 * 12.9898)) + 1, ncol = 2)
  digits <- format(canary, digits = 15)
  leaks <- function(release) {
    raw <- serialize(release, NULL, xdr = FALSE)
    text <- c(capture.output(print(release)), capture.output(dput(release)), capture.output(str(release)),
              capture.output(summary(release)), format(release))
    found <- vapply(canary, function(v) length(grepRaw(writeBin(v, raw()), raw, fixed = TRUE)) > 0, NA)
    any(found) || any(vapply(digits, function(v) any(grepl(trimws(v), text, fixed = TRUE)), NA))
  }
  releases <- list(
    dp_median(canary, 1, lower = 0, upper = 200),
    do.call(dp_median, list(canary, 1, lower = 0, upper = 200)),
    do.call("dp_median_exponential", list(x = canary, epsilon = 1, prior = prior_uniform(0, 200))),
    lapply(list(canary), dp_median, epsilon = 1, lower = 0, upper = 200)[[1]],
    (function(data) dp_median(data + 0, 1, prior = prior_normal(50, 50)))(canary)
  )
  for (release in releases) expect_false(leaks(release))
  leaky <- releases[[1]]
  leaky$details$kept <- canary[3, 1]
  expect_true(leaks(leaky))
  size <- function(n) length(serialize(dp_median(rep(1:10, 5 * n), 1, lower = 0, upper = 20), NULL))
  expect_equal(size(1), size(1000), tolerance = 0.01)
})

test_that("a ledger is debited before the draw and refuses to overspend", {
  ledger <- dp_ledger(1.5)
  release <- dp_median(people, 1, prior = limits, ledger = ledger)
  expect_error(dp_median(people, 1, prior = limits, ledger = ledger), class = "dpdepth_error_budget")
  expect_error(dp_median(people, -1, prior = limits, ledger = ledger), class = "dpdepth_error_input")
  expect_s3_class(suppressWarnings(dp_median(people, 0.5, prior = limits, ledger = ledger)), "dp_release")
  expect_false(any(vapply(unclass(release), is.environment, NA)))
})

# -- choices, checks, prints -----------------------------------------------------------------

test_that("methods, depths and samplers are chosen from public facts", {
  wide <- function(d, n = 20) matrix(sin(seq_len(n * d)), n, d)
  release <- function(d, ..., n = 20, fun = dp_median_exponential) {
    suppressWarnings(fun(wide(d, n), 1, lower = -2, upper = 2, ...), classes = "dpdepth_warning")
  }
  expect_true(release(3, directions = 20)$exact)
  # beyond the exact limit: the axes
  expect_identical(release(4)$details$depth, "halfspace, along the axes")
  expect_identical(release(4, fun = dp_median)$details$depth, "halfspace, along the axes")
  expect_identical(release(4)$guarantee, "pure")
  expect_true(release(4)$exact)
  expect_error(release(4, directions = 20), "axes", class = "dpdepth_error_input")
  expect_identical(release(2)$details$depth, "halfspace, exact")
  expect_identical(release(3, directions = "exact")$details$depth, "halfspace, exact")
  expect_identical(release(3)$details$depth, "halfspace, along 1000 directions")
  expect_identical(release(4, sampler = "exact")$details$depth, "halfspace, along 1000 directions")
  expect_identical(release(2, directions = 30)$details$depth, "halfspace, along 30 directions")
  axis <- matrix(c(1, 0, 0), 1)
  expect_identical(release(3, directions = axis)$details$depth, "halfspace, along 3 directions")
  expect_identical(release(2, delta = 1e-6, fun = dp_median)$delta, 0)
})

test_that("bad arguments get their classed error", {
  bad <- function(...) expect_error(dp_median(...), class = "dpdepth_error_input")
  bad(c(1, NA), 1, lower = 0, upper = 1)
  bad(c(1, Inf), 1, lower = 0, upper = 1)
  bad(c("a", "b"), 1, lower = 0, upper = 1)
  bad(data.frame(a = 1:3, b = letters[1:3]), 1, lower = 0, upper = 1)
  bad(numeric(), 1, lower = 0, upper = 1)
  bad(1:5, 0, lower = 0, upper = 1)
  bad(1:5, -1, lower = 0, upper = 1)
  bad(1:5, NA, lower = 0, upper = 1)
  bad(1:5, c(1, 2), lower = 0, upper = 1)
  bad(1:5, Inf, lower = 0, upper = 1)
  bad(1:5, 1, delta = 1, lower = 0, upper = 1)
  bad(1:5, 1, delta = -0.1, lower = 0, upper = 1)
  bad(1:5, 1, upper = 9)
  bad(1:5, 1, lower = 0)
  bad(1:5, 1, lower = 1, upper = 1)
  bad(1:5, 1, lower = 2, upper = 1)
  bad(1:5, 1, lower = c(0, 0), upper = 1)
  bad(1:5, 1, lower = 0, upper = 1, prior = prior_normal(0, 1))
  bad(1:5, 1, prior = "normal")
  bad(people, 1, prior = prior_normal(c(1, 2, 3), 1))
  bad(people, 1, prior = limits, method = "best")
  bad(people, 1, prior = limits, depth = "zonoid")
  bad(people, 1, prior = limits, sampler = "mcmc")
  bad(people, 1, prior = limits, directions = matrix(1, 2, 2))
  bad(people, 1, prior = limits, directions = 0)
  bad(cbind(people, people), 1, lower = 0, upper = 300, directions = "exact")
  bad(people, 1, prior = limits, rng = "mersenne")
  bad(people, 1, prior = limits, ledger = 3)
  expect_error(dp_median_exponential(people, 1), class = "dpdepth_error_input")
  for (f in list(dp_median, dp_median_exponential, sampler_diagnostics, directions, prior_normal,
                 prior_uniform, dp_ledger, depth_halfspace, median_tukey)) {
    expect_error(f(), class = "dpdepth_error_input")
  }
  bad(people)
  # priors that no grid of doubles fits, and priors made by hand: nothing is spent
  ledger <- dp_ledger(1)
  bad(1:5, 1, lower = 0, upper = 1e-310, ledger = ledger)
  bad(1:5, 1, lower = 0, upper = 5e-324, ledger = ledger)
  bad(1:5, 1, prior = prior_normal(0, 1e-312), ledger = ledger)
  bad(1:5, 1, prior = structure(list(), class = "dp_prior"), ledger = ledger)
  forged <- structure(list(mean = "a", sd = 1), class = c("dp_prior_normal", "dp_prior"))
  bad(1:5, 1, prior = forged, ledger = ledger)
  wide <- matrix(0, 1e5, 9)
  bad(wide, 0.001, lower = -1, upper = 1, directions = 1000, ledger = ledger)
  expect_s3_class(dp_median(1:5, 20, lower = 0, upper = 9, ledger = dp_ledger(20)), "dp_release")
  expect_identical(nrow(as.data.frame(ledger)), 0L)
})

test_that("strong correlation: a first look that is not deep enough does not keep a draw waiting", {
  skip_on_cran()
  # the deep point that the search started from was 5% of all ranks too shallow, the window of ranks
  # ended below the mass, and the draw did not come to an end within minutes
  set.seed(1)
  x <- pmin(pmax(matrix(rnorm(4000) + 0.005 * exp(rnorm(12000)), ncol = 3), -10), 10)
  # so the draw's end is seen by what it takes of a tape: about 3000 words, and 50,000 are there
  fields <- prior_fields(prior_uniform(rep(-10, 3), 10))
  set <- as_directions(1000, 3, add_axes = TRUE)
  for (seed in 1:3) {
    set.seed(seed)
    tape <- floor(runif(1e5) * 2^32)
    drawn <- .Call(ffi_median_exp, tape, x, fields, 1, FALSE, set, 1L)
    expect_lt(max(abs(drawn$draws)), 0.5)
  }
})

test_that("prints and messages stay as they are", {
  skip_on_cran()
  shown <- function(...) {
    set.seed(1)
    dp_median(people, 1, prior = limits, ..., rng = "R")
  }
  expect_snapshot(shown())
  expect_snapshot(dp_median(people, 1, upper = 9), error = TRUE)
  expect_snapshot(dp_median(people, 1, prior = limits, lower = 0), error = TRUE)
  expect_snapshot(dp_median_exponential(people, 1), error = TRUE)
})

test_that("columns of which some have no name, or one name, are taken and told apart", {
  x <- cos(1:100)
  for (data in list(cbind(x, rev(x)), cbind(x, x))) {
    release <- dp_median(data, 1, lower = -5, upper = 5)
    expect_named(coef(release), if (anyDuplicated(colnames(data))) c("x", "x.1") else c("x", "x2"))
  }
})

test_that("rows are checked once, by whatever door they come", {
  x <- rep(1:50, 2) / 50
  doors <- list(
    function(...) dp_median(x, 1, lower = 0, upper = 1, ...),
    function(...) dp_median(x, 1, lower = 0, upper = 1, neighbours = "add_remove", ...),
    function(...) dp_median(x, 8, 1e-3, lower = 0, upper = 1, method = "smooth", ...),
    function(...) dp_median(x, 8, 1e-3, method = "restricted", ...),
    function(...) dp_median_projection(x, 8, 1e-3, directions = 1, try_anyway = TRUE, ...),
    function(...) dp_median_exponential(x, 1, prior_uniform(0, 1), ...),
    function(...) dp_median_smooth(x, 8, 1e-3, 0, 1, ...),
    function(...) dp_median_restricted(x, 8, 1e-3, ...),
    function(...) dp_median_projection(x, 8, 1e-3, directions = 1, try_anyway = TRUE, ...)
  )
  seen <- 0
  whole <- check_data
  counting <- list(check_data = function(...) {
    seen <<- seen + 1
    whole(...)
  })
  for (door in doors) {
    seen <- 0
    release <- with_bindings(counting, door(na = 0.5))
    expect_identical(seen, 1, label = deparse(body(door)))
    expect_match(release$details$na, "^0.5 stands for", label = deparse(body(door)))
  }
})
