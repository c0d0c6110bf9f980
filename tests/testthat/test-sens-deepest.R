# Smooth sensitivity of the deepest regression: depths and widths against slow twins, bounds against brute
# force.

lower <- c(-2, -1.5)
upper <- c(3, 2)
steps <- c(2^-20, 2^-20)

random_rows <- function(n, kind) {
  switch(kind, list(x = sample(-3:3, n, TRUE), y = sample(-3:3, n, TRUE)),
         list(x = sample(0:1, n, TRUE), y = sample(0:9, n, TRUE)),
         list(x = sample(9, n, TRUE), y = round(4 * rnorm(n))),
         list(x = round(16 * rnorm(n)), y = round(16 * rnorm(n))))
}

test_that("depths, unbounded depths, ends of all levels and the mean, against the definition, with ties", {
  skip_on_cran()
  set.seed(1)
  for (i in seq_len(audit_size(60, 120))) {
    d <- random_rows(sample(2:audit_size(9, 11), 1), i %% 4 + 1)
    o <- oracle_spreads(d$x, d$y)
    found <- deepest_spreads(d$x, d$y, steps)
    expect_identical(found$depth, as.integer(o$top))
    expect_identical(found$unbounded, as.integer(o$unbounded))
    a <- steps[[1]] * deepest_diameters(found, lower / steps, upper / steps, slack = 0)
    exact <- vapply(0:found$depth, oracle_diameter, 0, o = o, lower = lower, upper = upper)
    expect_gte(min(a - exact), -1e-9)
    expect_lte(max(a - exact), 4 * steps[[1]])
    if (found$vertices > found$unbounded) {
      middle <- colMeans(o$lines[o$depth == o$top, , drop = FALSE])
      expect_equal(found$centre * steps, middle, tolerance = 1e-7)
    }
  }
})

test_that("numbers that are no integers are compared without rounding", {
  set.seed(2)
  for (unit in c(0.1, 1 / 3, 1e-90, 1e90)) {
    # exact ties that rounding hides: differences of 0.1, 0.2, ... are not multiples of each other
    d <- random_rows(9, 1)
    x <- d$x * 2^-30 + unit
    y <- d$y * 2^-30
    exact <- deepest_spreads((x - unit) * 2^30, d$y, steps) # shifts and units of x do not change depths
    found <- deepest_spreads(x, y, steps)
    if (unit <= 1) expect_identical(found[c("depth", "unbounded")], exact[c("depth", "unbounded")])
  }
  # a line off by one unit of the last place is off the line
  x <- c(0, 1, 2, 3)
  y <- c(0, 1, 2 + 2^-51, 3)
  on <- deepest_spreads(x, c(0, 1, 2, 3), steps)
  off <- deepest_spreads(x, y, steps)
  expect_identical(on$depth, 4L)
  expect_identical(off$depth, 3L)
  # 0.1 + 0.2 is not 0.3
  y <- c(0, 0.1, 0.1 + 0.2, 0.3)
  expect_identical(deepest_spreads(c(0, 1, 3, 3), y, steps)$unbounded, 1L)
})

test_that("huge, tiny and far numbers", {
  for (x in list(c(1e300, 1, 2, 3), c(1e-310, 0, 1, 2), 2^40 + 1:4)) {
    found <- deepest_spreads(x, c(1, -1e308, 3, 5), steps)
    expect_true(found$depth >= 2 && all(is.finite(c(found$lo, found$hi, found$centre))))
  }
  expect_identical(deepest_spreads(c(1, 1), c(0, 1), steps)[c("depth", "unbounded", "vertices")],
                   list(depth = 1L, unbounded = 1L, vertices = 0L))
  expect_identical(deepest_spreads(7, 1, steps)$depth, 1L)
})

test_that("ends that doubles take for whole numbers are rounded outward", {
  below <- deepest_spreads(c(0, 2^50 + 1), c(0, 2^50), c(1, 1)) # the slope 1 - 2^-50
  expect_identical(c(below$lo[2, 2], below$hi[2, 2]), c(0, 1))
  above <- deepest_spreads(c(0, 2^50 - 1), c(0, 2^50), c(1, 1)) # 1 + 2^-50
  expect_identical(c(above$lo[2, 2], above$hi[2, 2]), c(1, 2))
})

# -- every data set on a grid --------------------------------------------------------------------

# The true largest movements of the clipped estimates from within distance k, and what is found in each set.
movements <- function(x, y, n) {
  all <- all_datasets(as.matrix(expand.grid(x, y)), n)
  each <- seq_len(nrow(all$counts))
  found <- lapply(each, function(i) {
    z <- dataset(all, i)
    list(seen = deepest_spreads(z[, 1], z[, 2], steps), z = z)
  })
  f <- t(vapply(found, function(d) {
    at <- if (d$seen$vertices > d$seen$unbounded) d$seen$centre * steps else (lower + upper) / 2
    pmin(pmax(at, lower), upper)
  }, numeric(2)))
  move <- outer(f[, 1], f[, 1], function(a, b) abs(a - b)) + outer(f[, 2], f[, 2], function(a, b) abs(a - b))
  local <- apply(move * (all$apart <= 1), 1, max)
  most <- vapply(0:2, function(k) apply((all$apart <= k) * rep(local, each = length(each)), 1, max), local)
  list(found = found, most = most, apart = all$apart)
}

# Those, once for all bounds, and the bounds A^(k).
seen_before <- new.env()
exhaust <- function(x, y, n, bound) {
  key <- paste(toString(x), toString(y), n, sep = "; ")
  if (is.null(seen_before[[key]])) seen_before[[key]] <- movements(x, y, n)
  e <- seen_before[[key]]
  c(list(a = t(vapply(e$found, function(d) bound(d$seen, d$z), numeric(n + 1)))), e)
}

ours <- function(seen, z) {
  a <- steps[[1]] * deepest_diameters(seen, lower / steps, upper / steps, slack = 0)
  a[deepest_levels(seen$depth, nrow(z)) + 1]
}

# Vertices only, as published: regions taken for bounded at every level above 0.
published <- function(seen, z) {
  o <- oracle_spreads(z[, 1], z[, 2])
  level <- deepest_levels(seen$depth, nrow(z))
  vapply(level, oracle_diameter, 0, o = o, lower = lower, upper = upper, unbounded = 0)
}

test_that("never below the true movement at distances 0, 1, 2, and nested: all data sets on small grids", {
  skip_on_cran()
  for (case in list(list(0:2, 0:2, 5), list(0:3, 0:1, 5), list(c(0, 1, 3), c(0, 2), 8))) {
    e <- exhaust(case[[1]], case[[2]], case[[3]], ours)
    expect_gte(min(e$a[, 1:3] - e$most), -1e-9)
    near <- which(e$apart == 1, arr.ind = TRUE)
    n <- case[[3]]
    expect_lte(max(e$a[near[, 1], seq_len(n)] - e$a[near[, 2], seq_len(n) + 1]), 0)
    expect_true(all(e$a[, n + 1] == sum(upper - lower)))
  }
})

# The bounds of dp_regression(), in which the two estimates have regions of their own.
reaches <- function(seen, z) steps[[1]] * deepest_reaches(seen, nrow(z), lower / steps, upper / steps)

test_that("so are the mechanism's lower bounds, which are tight for some data", {
  skip_on_cran()
  for (case in list(list(0:2, 0:2, 5), list(c(0, 1, 3), c(0, 2), 8))) {
    n <- case[[3]]
    e <- exhaust(case[[1]], case[[2]], n, reaches)
    wide <- exhaust(case[[1]], case[[2]], n, ours)$a
    expect_gte(min(e$a[, 1:3] - e$most), -1e-9)
    near <- which(e$apart == 1, arr.ind = TRUE)
    expect_lte(max(e$a[near[, 1], seq_len(n)] - e$a[near[, 2], seq_len(n) + 1]), 0)
    expect_true(all(e$a[, n + 1] == sum(upper - lower)))
    expect_lte(max(e$a - wide), 3 * steps[[1]])
  }
  expect_lt(min(e$a - wide), -1)
  expect_lt(min((e$a[, 1] - e$most[, 1])[e$most[, 1] > 0]), 1e-4)
  # both in the inner region: too small
  inner <- function(seen, z) {
    a <- steps[[1]] * deepest_diameters(seen, lower / steps, upper / steps)
    a[c(seen$depth, utils::head(deepest_levels(seen$depth, nrow(z)), -1)) + 1]
  }
  e <- exhaust(0:3, 0:1, 5, inner)
  expect_lt(min(e$a[, 1:3] - e$most), -0.5)
})

# The level of K = k in place of k + 1.
late <- function(seen, z) {
  a <- steps[[1]] * deepest_diameters(seen, lower / steps, upper / steps, slack = 0)
  n <- nrow(z)
  a[pmax(seen$depth - 2L * 0:n, ceiling(n / 3) - 0:n, 0) + 1]
}

test_that("regions taken for bounded at level 1, as published, are caught, and a level too many", {
  skip_on_cran()
  e <- exhaust(0:2, 0:1, 5, published)
  expect_lt(min(e$a[, 1:3] - e$most), -0.5)
  e <- exhaust(0:3, 0:1, 5, late)
  expect_lt(min(e$a[, 1:3] - e$most), -0.5)
})

# -- larger data ---------------------------------------------------------------------------------

test_that("nested, smooth and never below the movement, over random neighbours", {
  skip_on_cran()
  set.seed(3)
  for (i in 1:60) {
    n <- sample(5:60, 1)
    d <- if (i %% 2) list(x = rnorm(n), y = rnorm(n)) else random_rows(n, i %% 4 + 1)
    e <- d
    at <- sample(n, 1)
    e$x[[at]] <- sample(c(d$x, 1e6, -1e6, 0.1), 1)
    e$y[[at]] <- sample(c(d$y, 1e9, -1e9, 0.1), 1)
    one <- sens_deepest(d$x, d$y, lower, upper, 0.2)
    two <- sens_deepest(e$x, e$y, lower, upper, 0.2)
    k <- seq_len(min(nrow(one$profile), nrow(two$profile) - 1))
    expect_true(all(one$profile$A[k] <= two$profile$A[k + 1]))
    expect_lte(abs(log(one$value / two$value)), 0.2 + 1e-12)
    a <- deepest_spreads(d$x, d$y, steps)
    b <- deepest_spreads(e$x, e$y, steps)
    expect_lte(abs(a$depth - b$depth), 1)
    expect_gte(min(a$depth, b$depth), n / 3)
    clip <- function(s) pmin(pmax(s$centre * steps, lower), upper)
    if (min(a$vertices - a$unbounded, b$vertices - b$unbounded) > 0) {
      expect_lte(sum(abs(clip(a) - clip(b))), min(one$profile$A[[1]], two$profile$A[[1]]) + 1e-9)
    }
  }
})

test_that("as the non-private fit's search, and the same bits for any number of threads", {
  set.seed(4)
  x <- round(rnorm(150), 1)
  y <- round(x + rnorm(150), 1)
  found <- deepest_spreads(10 * x, 10 * y, steps)
  expect_identical(found$depth, .Call(ffi_regression_deepest, round(10 * cbind(x, y)), c(1L, 1L))[[1]])
  old <- dpdepth_threads(1)
  on.exit(dpdepth_threads(old))
  one <- deepest_spreads(x, y, steps)
  dpdepth_threads(3)
  expect_identical(deepest_spreads(x, y, steps), one)
})

test_that("the calculator: fields, units, refusals", {
  s <- sens_deepest(cars$speed, cars$dist, c(-100, 0), c(100, 10), 0.1)
  expect_s3_class(s, "nonprivate")
  expect_named(s$profile, c("k", "level", "A"))
  expect_equal(s$value, max(exp(-0.1 * s$profile$k) * s$profile$A))
  # in other units, with bounds to match, the same but for the roundings outward
  t <- sens_deepest(cars$speed, cars$dist / 1024, c(-100, 0) / 1024, c(100, 10) / 1024, 0.1)
  expect_equal(t$value, s$value / 1024, tolerance = 1e-6)
  expect_identical(t$depth, s$depth)
  file <- withr_png()
  on.exit(unlink(file))
  expect_identical(plot(s), s)
  grDevices::dev.off()
  expect_snapshot(s)
  bad <- function(...) expect_error(sens_deepest(...), class = "dpdepth_error_input")
  bad(1:3, 1:4, 0, 1, 0.1)
  bad(c(1, NA), 1:2, 0, 1, 0.1)
  bad(1:2, 1:2, 1, 1, 0.1)
  bad(1:2, 1:2, 0, 1, 0)
  bad(1:2, 1:2, 0, c(1, 1, 1), 0.1)
  bad(cbind(1:2, 1:2), 1:2, 0, 1, 0.1)
  bad(1:2, 1:2, 0, 1e-200, 0.1)
})
