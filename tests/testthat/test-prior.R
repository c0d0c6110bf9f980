# Priors: checks, recycling, names.

test_that("priors keep their fields as doubles of one length", {
  p <- prior_normal(0L, 1:3)
  expect_s3_class(p, c("dp_prior_normal", "dp_prior"), exact = TRUE)
  expect_identical(p$mean, c(0, 0, 0))
  expect_identical(p$sd, c(1, 2, 3))
  q <- prior_uniform(c(a = 0, b = 1), 9)
  expect_s3_class(q, c("dp_prior_uniform", "dp_prior"), exact = TRUE)
  expect_identical(q$lower, c(a = 0, b = 1))
  expect_identical(q$upper, c(a = 9, b = 9))
  expect_identical(prior_uniform(c(a = 0, b = 1), c(b = 9, a = 5))$upper, c(a = 5, b = 9))
})

test_that("bad fields are refused", {
  input <- function(expr, arg) expect_identical(expect_error(expr, class = "dpdepth_error_input")$arg, arg)
  bad <- list(NULL, NA, NaN, Inf, "a", double(), matrix(1, 2, 2), Sys.Date(), list(1), c(1, NA), factor(1))
  for (x in bad) {
    input(prior_normal(x, 1), "mean")
    input(prior_normal(0, x), "sd")
    input(prior_uniform(x, 1e9), "lower")
    input(prior_uniform(-1e9, x), "upper")
  }
  input(prior_normal(0, 0), "sd")
  input(prior_normal(0, c(1, -1)), "sd")
  input(prior_normal(0, 1e308), "sd")
  input(prior_normal(1:2, 1:3), "sd")
  input(prior_uniform(1, 1), "lower")
  input(prior_uniform(c(0, 2), c(1, 1)), "lower")
  input(prior_uniform(-1e308, 1e308), "upper")
  input(prior_uniform(c(a = 1, b = 2), c(a = 3, c = 4)), "upper")
})

test_that("prior_for() brings a prior to the data's dimension and order", {
  expect_identical(prior_for(prior_normal(0, 2), 3)$sd, c(2, 2, 2))
  expect_identical(prior_for(prior_normal(0, 2), 2, c("a", "b"))$sd, c(a = 2, b = 2))
  p <- prior_uniform(c(b = 0, a = 1), c(b = 9, a = 5))
  expect_identical(prior_for(p, 2, c("a", "b")), prior_uniform(c(a = 1, b = 0), c(a = 5, b = 9)))
  expect_identical(prior_for(p, 2), p)
  input <- function(expr) expect_identical(expect_error(expr, class = "dpdepth_error_input")$arg, "prior")
  input(prior_for(p, 3))
  input(prior_for(p, 2, c("a", "c")))
  for (x in list(NULL, 1, "normal", list(mean = 0, sd = 1))) input(prior_for(x, 1))
})

test_that("priors print on a line", {
  skip_on_cran()
  expect_snapshot({
    prior_normal(0, 10)
    prior_normal(c(0, 1 / 3), 10)
    prior_uniform(c(weight = 30, height = 120), c(weight = 250, height = 220))
    prior_uniform(rep(0, 4), rep(1, 4))
  })
  expect_snapshot(error = TRUE, {
    prior_normal(0, -1)
    prior_uniform(2, 1)
    prior_uniform(c(a = 1, b = 2), c(a = 3, c = 4))
    prior_uniform(c(a = 1, b = 2), c(3, 4))
    prior_uniform(c(a = 1, b = 2), c(a = 3))
    prior_for(prior_normal(c(a = 1), 1), 2, c("a", "b"))
    prior_for(prior_normal(1:2, 1), 3)
    prior_for("normal", 1)
  })
})

test_that("named numbers are for the variables named, all of them", {
  skip_on_cran()
  x <- data.frame(age = c(12, 30, 50), lwt = c(100, 120, 300))
  ledger <- dp_ledger(10, 0.1)
  input <- function(expr) {
    expect_error(expr, class = "dpdepth_error_input")
    expect_identical(nrow(as.data.frame(ledger)), 0L)
  }
  pairs <- list(list(c(lwt = 60, age = 12), c(61, 400)), list(c(lwt = 60), 400), list(c(foo = 1), 400),
                list(1, c(age = 400)), list(c(lwt = 60, age = 12), c(age = 400)), list(c(lwt = 60, 12), 400),
                list(c(lwt = 60, foo = 12), 400), list(c(1, 2), c(lwt = 60, age = 12)),
                list(c(age = 1, lwt = 2), c(61, 400)))
  for (p in pairs) {
    input(dp_median(x, 1, lower = p[[1]], upper = p[[2]], ledger = ledger))
    input(dp_median_smooth(x, 1, 1e-6, p[[1]], p[[2]], ledger = ledger))
    input(dp_median_exponential(x, 1, prior = prior_uniform(p[[1]], p[[2]]), ledger = ledger))
    input(dp_median_exponential(x, 1, prior = prior_normal(p[[1]], p[[2]]), ledger = ledger))
  }
  lower <- suppressWarnings(dp_median_smooth(x, 1, 1e-6, c(lwt = 60, age = 12),
                                             c(age = 61, lwt = 400)))$details$lower
  expect_identical(lower, c(age = 12, lwt = 60))
  prior <- dp_median(x, 1, lower = c(lwt = 60, age = 12), upper = c(age = 61, lwt = 400))$details$prior
  expect_identical(prior, prior_uniform(c(age = 12, lwt = 60), c(age = 61, lwt = 400)))
  # data without names: places count, and the two ends are paired by name
  plain <- suppressWarnings(dp_median_smooth(unname(as.matrix(x)), 1, 1e-6, c(a = 12, b = 60),
                                             c(b = 400, a = 61)))$details
  expect_identical(unname(plain$upper), c(61, 400))
  # bounds are not blamed on a prior
  blamed <- function(...) expect_error(dp_median(x, 1, ...), class = "dpdepth_error_input")$arg
  expect_identical(blamed(lower = 1:3, upper = 9), "lower")
  expect_identical(blamed(lower = 1), "upper")
  expect_identical(blamed(upper = 1), "lower")
  expect_identical(blamed(lower = 2, upper = 1), "lower")
})

# -- without bounds ------------------------------------------------------------------------------------

# Masses of grid points, in units of a shell's: point 0, then 2^i points a shell.
shell_of <- function(z) ifelse(z == 0, 0, floor(log2(pmax(abs(z), 1))) + 1)
dyadic_points <- function(points) apply(2^-shell_of(points), 1, prod)

test_that("points near the data have their exact probabilities, and far ones their shells'", {
  skip_on_cran()
  data <- list(ties = cbind(c(-3, 2, 2, 5, 6), c(1, 1, 1, 0, 9)),
               atom = cbind(rep(4, 5), c(-2, -2, -2, -2, 7)),
               far = cbind(c(-9, 2^40, 3, 40, 7), c(1e300, -1e300, 2, 3, 4)))
  box <- 0:15
  for (d in 1:2) {
    points <- as.matrix(expand.grid(rep(list(-15:15), d)))
    for (name in names(data)) {
      x <- data[[name]][, seq_len(d), drop = FALSE]
      weight <- half_rate(1.5)
      mass <- dyadic_points(points)
      near <- mass * weight(slow_axes(points, x))
      # depth is constant between rows and shells: the rest is 53^d less these, cell by cell
      inner <- x[abs(x) < 2^52]
      breaks <- sort(unique(c(-2^52, -2^(0:52) + 1, 0, 2^(0:51), 2^52, inner, inner + 1)))
      from <- utils::head(breaks, -1)
      cell_mass <- 53 * dyadic_mass(from, breaks[-1] - 1)
      cells <- as.matrix(expand.grid(rep(list(from), d)))
      masses <- apply(as.matrix(expand.grid(rep(list(cell_mass), d))), 1, prod)
      total <- sum(masses * weight(slow_axes(cells, x)))
      expect_equal(sum(cell_mass), 53)
      z <- draw_axes(x, prior_for(prior_dyadic(1), d), 1.5, "system", 4e4L)
      z <- z[rowSums(abs(z) > 15) == 0, , drop = FALSE]
      counts <- tabulate(drop((z + 15) %*% 31^(seq_len(d) - 1)) + 1, nrow(points))
      expect_law(c(counts, 4e4 - sum(counts)), c(near, total - sum(near)) / total, paste(name, d))
      flat <- weight(slow_axes(points, x))
      expect_not_law(counts, flat / sum(flat), paste(name, d, "a uniform prior"))
    }
  }
  # all of the grid is there, to its ends: shells by themselves
  z <- draw_axes(matrix(0), prior_dyadic(2^-30, 5), 1e-6, "system", 4e4L)
  expect_law(tabulate(shell_of((z - 5) * 2^30) + 1, 53), rep(1 / 53, 53), "shells")
  expect_true(any(z < 5) && any(z > 5))
})

test_that("all data of few rows on a small grid: the code's laws of neighbours are within epsilon", {
  skip_on_cran()
  cases <- list(list(points = matrix(-3:3 + 0), n = 1:4), list(points = grid_points(-1, 1, 2), n = 1:2))
  for (case in cases) {
    points <- case$points
    d <- ncol(points)
    mass <- dyadic_points(points)
    for (n in case$n) {
      sets <- unique(t(apply(as.matrix(expand.grid(rep(list(seq_len(nrow(points))), n))), 1, sort)))
      if (n == 1) sets <- t(sets)
      logs <- apply(sets, 1, function(s) log(dyadic_code_law(points[s, , drop = FALSE], 2, points, mass)))
      depth <- apply(sets, 1, function(s) slow_axes(points, points[s, , drop = FALSE]))
      # the rest of the grid has depth 0, where it is not on an axis' range of the data
      for (i in seq_len(nrow(sets))) {
        differ <- logs[, i] - log(mass) - depth[, i]
        expect_lt(diff(range(differ)), 1e-9)
      }
      shared <- function(a, b) sum(pmin(tabulate(a, nrow(points)), tabulate(b, nrow(points))))
      worst <- 0
      for (i in seq_len(nrow(sets))) for (j in seq_len(i - 1)) if (shared(sets[i, ], sets[j, ]) == n - 1) {
        worst <- max(worst, abs(logs[, i] - logs[, j]))
      }
      expect_lte(worst, 2)
      expect_gt(worst, 0.5)
    }
  }
})

test_that("the sizes that serve are those of the simulation, and draws agree", {
  skip_on_cran()
  d <- c(1, 2, 5, 10, 20, 50)
  rows <- function(away) {
    vapply(d, function(d) {
      ceiling(search_minimum(function(n) dyadic_failure(ceiling(n), d, 1, away) < 1e-3, 2, 1e5, 1.002))
    }, 0)
  }
  # measured: bench/unlimited.md
  expect_equal(rows(1), c(50, 76, 151, 280, 419, 887), tolerance = 0.03)
  expect_equal(rows(1000), c(80, 134, 295, 566, 1119, 2748), tolerance = 0.01)
  for (case in list(c(40, 1), c(60, 2), c(90, 2))) {
    n <- case[[1]]
    k <- case[[2]]
    x <- matrix(rep(stats::qnorm((seq_len(n) - 0.5) / n) + 1000, k), n)
    z <- draw_axes(x, prior_for(prior_dyadic(2^-16), k), 1, "system", 4000L)
    shallow <- sum(slow_axes(z, x) < n / 8)
    expect_prob(shallow, 4000, dyadic_failure(n, k, 1), paste("n", n, "d", k))
  }
  # as 1/epsilon, also where rows are paid for by the rate
  expect_equal(dyadic_rows(2, 0.1) / dyadic_rows(2, 1), 10, tolerance = 0.05)
  expect_equal(dyadic_rows(2, 1e-3) / dyadic_rows(2, 1), 1000, tolerance = 0.05)
})

test_that("dp_median() without limits: pure, wherever the data lie, and a warning where rows are few", {
  set.seed(4)
  x <- matrix(stats::rnorm(800), 400, dimnames = list(NULL, c("a", "b")))
  for (shift in c(0, -1e6, 1e8)) {
    ledger <- dp_ledger(1)
    r <- expect_no_warning(dp_median(x + shift, epsilon = 1, ledger = ledger))
    expect_identical(r$guarantee, "pure")
    expect_true(r$exact)
    expect_true(all(abs(coef(r) - shift) < 3))
    expect_identical(unname(r$details$prior$unit), c(2, 2)^-20)
    expect_identical(as.data.frame(ledger)$epsilon, 1)
  }
  expect_match(format(summary(r)), "2\\^-20|9.536743e-07", all = FALSE)
  whole <- coef(dp_median(round(10 * x), 2, resolution = 1))
  expect_identical(whole, round(whole))
  expect_warning(dp_median(x[1:30, ], 1), class = "dpdepth_warning_accuracy")
  expect_no_warning(dp_median(x[1:80, 1], 1))
  expect_warning(dp_median(x[1:75, 1], 1), class = "dpdepth_warning_accuracy")
  expect_warning(dp_median_exponential(x[1:30, ], 1, prior = prior_dyadic(1)),
                 class = "dpdepth_warning_accuracy")
  with_na <- rbind(x, c(NA, 1))
  expect_true(all(abs(coef(dp_median(with_na, 1, prior = prior_dyadic(2^-10, 0), na = "middle"))) < 3))
})

test_that("priors of one unit and of many, origins, names, and what is refused", {
  p <- prior_dyadic(c(a = 0.1, b = 1), c(b = 7, a = -3))
  expect_identical(p$unit[["b"]], 1)
  expect_identical(p$origin[["b"]], 7)
  expect_identical(prior_dyadic(), prior_dyadic(2^-20))
  expect_output(print(p), "dyadic prior of a, b|dyadic prior of b, a")
  x <- matrix(rep(c(0.3, 12), each = 300), 300, dimnames = list(NULL, c("a", "b")))
  expect_identical(coef(dp_median_exponential(x, 1, prior = p)), c(a = 0.3, b = 12))
  for (f in list(function() prior_dyadic(0), function() prior_dyadic(-1), function() prior_dyadic(Inf),
                 function() prior_dyadic(1, 2^52), function() prior_dyadic("1"),
                 function() prior_dyadic(1, 0, 3))) {
    expect_error(f(), class = "dpdepth_error_input")
  }
  ledger <- dp_ledger(1)
  refused <- function(...) {
    expect_error(suppressWarnings(dp_median(x, 1, ..., ledger = ledger)), class = "dpdepth_error_input")
    expect_identical(nrow(as.data.frame(ledger)), 0L)
  }
  refused(prior = p, directions = 50)
  refused(prior = p, method = "marginal")
  refused(prior = p, lower = 0, upper = 1)
  refused(prior = p, resolution = 0)
})

test_that("units have limits, a resolution is the unit, and the origin stays", {
  for (unit in 2^c(-901, 901)) {
    expect_error(prior_dyadic(unit), "from 2^-900 to 2^900", fixed = TRUE, class = "dpdepth_error_input")
    e <- expect_error(with_unit(prior_dyadic(1), unit, "x"), class = "dpdepth_error_input")
    expect_identical(e$arg, "resolution")
  }
  expect_identical(unname(with_unit(prior_dyadic(1, 100), 0.5, "x")$origin), 100)
  expect_no_warning(warn_dyadic(1L, 1, 1))
})

test_that("a unit that was declared is no default lattice", {
  x <- 4 + sin(1:400) / 9
  for (release in list(function(...) dp_median(x, 4, ...), function(...) dp_quantile(x, 0.5, 4, ...),
                       function(...) dp_median(x, 4, interval = 0.9, ...))) {
    shown <- function(unit) paste(format(release(prior = prior_dyadic(unit))), collapse = " ")
    expect_no_match(shown(0.01), "default")
    expect_match(shown(2^-20), "the default, fine one")
  }
})
