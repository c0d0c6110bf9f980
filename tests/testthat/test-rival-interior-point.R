# The interior point as published: exact law on small data and its neighbours, what is released, refusals.
# Error rates: ALPHA = 1e-6 an expectation (helper-stat.R).

# The law of the heavy bins of counts: a data frame of subsets (a flag a bin), noisy counts enumerated.
heavy_law <- function(held, plan, share) {
  z <- -plan$bound:plan$bound
  p <- prop.table(exp(-abs(z) * plan$rate[[1]] / plan$rate[[2]]))
  noise <- as.matrix(expand.grid(rep(list(seq_along(z)), length(held$count))))
  list(bins = apply(noise, 1, function(i) {
    noisy <- held$count + z[i]
    kept <- noisy > max(plan$bound, share)
    list(bin = held$bin[kept], count = noisy[kept])
  }), p = apply(noise, 1, function(i) prod(p[i])))
}

# The law of the release, by name; "none" where nothing is released.
release_law <- function(x, plan) {
  first <- seq_len(length(x) %/% 2) * 2
  scales <- heavy_law(bin_counts(binade_bins(abs(x[first - 1] - x[first]))), plan, length(first) / 32)
  largest <- vapply(scales$bins, function(b) max(b$bin, 0), 0)
  out <- c(none = 0)
  for (k in unique(largest)) {
    p <- sum(scales$p[largest == k])
    if (k == 0) {
      out[["none"]] <- out[["none"]] + p
      next
    }
    width <- binade_ends(k)$from / 8
    rows <- heavy_law(bin_counts(binary_floor(x, width)), plan, 0)
    point <- vapply(rows$bins, function(b) {
      if (length(b$bin) < 2) "none" else format(max(b$bin[order(-b$count, b$bin)[1:2]]))
    }, "")
    each <- tapply(rows$p * p, point, sum)
    for (name in names(each)) out[[name]] <- sum(out[name], each[[name]], na.rm = TRUE)
  }
  out
}

small_plan <- function(epsilon, delta) plan_truncated_interior(list(), list(epsilon = epsilon, delta = delta))

test_that("draws follow the enumerated law", {
  skip_on_cran()
  set.seed(61)
  plan <- small_plan(8, 0.3)
  for (x in list(c(0, 8, 0, 8, 0, 8), c(0, 1, 0, 8, 8, 0))) {
    law <- release_law(x, plan)
    expect_equal(sum(law), 1)
    drawn <- replicate(4000, draw_truncated_interior(matrix(x), plan, "R")$estimate)
    drawn <- factor(ifelse(is.na(drawn), "none", vapply(drawn, format, "")), names(law))
    expect_false(anyNA(drawn))
    expect_law(as.integer(table(drawn)), unname(law))
    other <- release_law(x, small_plan(4, 0.3))
    expect_not_law(as.integer(table(drawn)), unname(replace(law * 0, names(other), other)[names(law)]),
                   "half of epsilon")
  }
})

# Do laws of data that differ in one row have a hockey-stick divergence above delta?
passes_delta <- function(epsilon = 2, delta = 0.2, values = c(0, 1, 8)) {
  plan <- small_plan(epsilon, delta)
  sets <- as.matrix(expand.grid(rep(list(values), 4)))
  laws <- apply(sets, 1, release_law, plan)
  any(vapply(seq_along(laws), function(i) {
    near <- which(rowSums(sets != rep(sets[i, ], each = nrow(sets))) == 1)
    any(vapply(near, function(j) law_gap(laws[[i]], laws[[j]], epsilon) > delta, NA))
  }, NA))
}

test_that("neighbours' laws are (epsilon, delta)-close, and bins that show without noise are caught", {
  skip_on_cran()
  expect_false(passes_delta())
  broken <- bug(passes_delta, "plan_truncated_interior", "bound = laplace", "bound = 0 * laplace")
  expect_true(caught(broken))
})

# Has a count more than a quarter of the budget? Of two counts in each histogram, a replaced row changes four.
count_overspends <- function() {
  any(vapply(c(0.5, 1, 4), function(epsilon) {
    plan <- small_plan(epsilon, 1e-3)
    rate <- plan$rate[[1]] / plan$rate[[2]]
    q <- exp(-rate)
    last <- function(a) (1 - q) * q^a / (1 + q - 2 * q^(a + 1))
    rate > epsilon / 4 || last(plan$bound) > 1e-3 / 4 || last(plan$bound - 1) < 1e-3 / 4
  }, NA))
}

test_that("each count has a quarter of the budget, and a smaller bound would pass it", {
  expect_false(count_overspends())
  for (b in list(
    bug(count_overspends, "plan_truncated_interior", "given$epsilon/4", "given$epsilon/2"),
    bug(count_overspends, "plan_truncated_interior", "delta/4", "delta/2"),
    bug(count_overspends, "plan_truncated_interior", "bound = laplace", "bound = -1 + laplace")
  )) expect_true(caught(b))
})

test_that("a release is an interior point, and says so; few rows release nothing", {
  set.seed(62)
  for (shift in c(0, 1e9)) {
    x <- rnorm(3000) + shift
    r <- rival_interior_point(x, 1, 1e-6, rng = "R")
    expect_true(r$released)
    expect_true(coef(r) > min(x) && coef(r) <= max(x))
    expect_identical(r$guarantee, "approximate")
    expect_identical(log2(r$details$width), round(log2(r$details$width)))
  }
  for (x in list(1, c(1, 2), rnorm(40), rep(3, 500))) {
    few <- suppressWarnings(rival_interior_point(x, 1, 1e-6, rng = "R"))
    expect_false(few$released)
    expect_identical(few$estimate[[1]], NA_real_)
  }
  for (scale in c(1e-310, 1e300)) {
    expect_no_error(rival_interior_point(rnorm(2000) * scale, 2, 1e-6, rng = "R"))
  }
})

test_that("what it cannot take is refused, and nothing is spent", {
  ledger <- dp_ledger(9, 0.5)
  refused <- function(...) {
    expect_error(rival_interior_point(..., ledger = ledger), class = "dpdepth_error_input")
  }
  refused(cbind(1:9, 1:9), 1, 1e-6)
  refused(1:9, 1, 0)
  refused(1:9, 3e-6, 1e-6)
  refused(c(1:9, NA), 1, 1e-6)
  refused(1:9, 1, 1e-6, neighbours = "add_remove")
  expect_identical(summary(ledger)$spent, c(0, 0))
})

test_that("any epsilon has its noise, and a release comes after its debit", {
  for (epsilon in c(3e4, 1e6)) {
    ledger <- dp_ledger(epsilon, 0.5)
    r <- suppressWarnings(rival_interior_point(sin(1:400), epsilon, 1e-6, ledger = ledger, rng = "R"))
    expect_true(r$released)
    expect_identical(r$epsilon, epsilon)
  }
})
