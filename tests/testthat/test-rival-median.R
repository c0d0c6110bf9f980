# The door of the published medians: what it says of a method, and what it refuses.

test_that("guarantees, prints and the ledger say that nothing is proved", {
  skip_on_cran()
  ledger <- dp_ledger(9, 1e-3)
  of <- function(...) rival_median(datasets::faithful$waiting, 2, ..., rng = "R", ledger = ledger)
  chain <- of(lower = 0, upper = 200, steps = 1000)
  langevin <- of(method = "langevin", lower = 0, upper = 200, steps = 1000)
  random <- of(1e-6, "random_dp", gamma = 0.05)
  expect_identical(vapply(list(chain, langevin, random), `[[`, "", "guarantee"),
                   c("stationary", "unproved", "unproved"))
  expect_identical(vapply(list(chain, langevin, random), `[[`, NA, "exact"), c(FALSE, FALSE, TRUE))
  expect_identical(random$gamma, 0.05)
  expect_false(any(vapply(list(chain, langevin, random), function(r) glance(r)$proved, NA)))
  expect_match(as.data.frame(ledger)$label, "stationary|unproved")
  # a tally has its limits, and says how its rows were chosen
  tally <- dp_tally(datasets::faithful["waiting"], lower = 0, upper = 200, resolution = 1)
  expect_identical(rival_median(tally, 2, steps = 1000)$n, 272L)
})

test_that("prints stay as they are", {
  skip_on_cran()
  set.seed(1)
  expect_snapshot(rival_median(matrix(sin(1:400), ncol = 2), 1, lower = -2, upper = 2, directions = 20,
                               steps = 1000, rng = "R"))
})

test_that("a method refuses what it has no use for, says whose it is, and spends nothing", {
  ledger <- dp_ledger(1, 1e-3)
  refused <- function(text, ...) {
    expect_error(rival_median(1:99, 1, ..., ledger = ledger), text, class = "dpdepth_error_input")
  }
  refused("`gamma` is not an argument of .*\"chain\".*\"random_dp\" takes it", lower = 0, upper = 9,
          gamma = 0.1)
  refused("`depth` must be \"idd_smooth\" or", method = "langevin", lower = 0, upper = 9, depth = "idd")
  refused("`steps`.*\"chain\" or \"langevin\" takes it", 1e-6, "random_dp", gamma = 0.1, steps = 1000)
  refused("`delta` must be 0", 1e-6, lower = 0, upper = 9)
  refused("`lower` must be given")
  refused("`upper` must be NULL", 1e-6, "random_dp", upper = 9, gamma = 0.1)
  refused("`gamma`", 1e-6, "random_dp")
  refused("one of", method = "mcmc")
  refused("`neighbours`", lower = 0, upper = 9, neighbours = "add_remove")
  expect_error(rival_median(c(1, NA), 1, lower = 0, upper = 9), "missing", class = "dpdepth_error_input")
  expect_identical(nrow(as.data.frame(ledger)), 0L)
})
