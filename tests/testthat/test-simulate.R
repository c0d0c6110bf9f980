# Simulations as a whole: the same numbers whatever else is simulated, and R's stream as it was.

test_that("more cells, replicates, laws and estimates leave the others' numbers as they are", {
  all <- small_simulation(replicates = 5)
  values <- values_of(all)
  expect_length(values, 8 * 5 * 2)
  expect_false(anyDuplicated(unname(values)) > 0)
  part <- values_of(small_simulation(design = list(epsilon = 2, n = c(50L, 20L)), draw = small_laws["Cauchy"],
                                     estimate = small_estimates["private"], replicates = 2))
  expect_length(part, 2 * 2)
  expect_identical(part, values[names(part)])
  expect_identical(values_of(small_simulation(replicates = 5, chunk = 7)), values)
  other <- values_of(small_simulation(seed = 2))
  expect_false(any(other %in% values))
})

test_that("a column `estimate` picks estimates of the same rows", {
  cells <- data.frame(n = c(20, 20, 50), law = "normal", epsilon = 2,
                      estimate = c("public", "private", "public"), replicates = c(2, 2, 1))
  found <- small_simulation(design = cells)
  values <- values_of(found)
  expect_length(values, 2 * 2 + 1)
  expect_identical(values, values_of(small_simulation())[names(values)])
  expect_identical(found$cells, data.frame(n = c(20, 50), law = "normal", epsilon = 2))
})

test_that("R's stream and its kind stay as they were", {
  old <- RNGkind("Mersenne-Twister", "Box-Muller", "Rejection")
  on.exit(RNGkind(old[[1]], old[[2]], old[[3]]))
  set.seed(1)
  before <- .Random.seed
  found <- small_simulation()
  expect_identical(.Random.seed, before)
  rm(".Random.seed", envir = globalenv())
  again <- small_simulation()
  expect_false(exists(".Random.seed", globalenv(), inherits = FALSE))
  expect_identical(RNGkind(), c("Mersenne-Twister", "Box-Muller", "Rejection"))
  expect_identical(again$results, found$results)
})

test_that("bad arguments are told by name", {
  expect_error(simulate_releases(list(n = 5), rnorm, mean, replicates = 2e9), "from 1 to 10000000",
               class = "dpdepth_error_input")
  expect_snapshot(error = TRUE, {
    simulate_releases(1, rnorm, mean)
    simulate_releases(list(n = 5), 1, mean)
    simulate_releases(list(n = 5), rnorm, list(mean))
    simulate_releases(list(n = 5), rnorm, mean, replicates = 0)
    simulate_releases(list(n = 5), rnorm, mean, chunk = 0)
    simulate_releases(list(n = 5), rnorm, mean, reps = 3)
  })
})

# -- measures --------------------------------------------------------------------------------------

test_that("measures by name are what they say", {
  m <- simulation_measures
  estimate <- c(a = 3, b = 5)
  expect_identical(m$error(estimate, 1), c(a = 2, b = 4))
  expect_identical(m$error(estimate, c(b = 5, a = 1)), c(a = 2, b = 0))
  expect_identical(m$error(estimate, c(1, 5)), c(a = 2, b = 0))
  expect_identical(m$distance(estimate, c(0, 1)), 5)
  release <- structure(list(interval = rbind(a = c(1, 4), b = c(5, Inf))), class = "dp_release")
  expect_identical(m$covers(estimate, release, 4), c(a = TRUE, b = FALSE))
  expect_identical(m$covers(estimate, release, c(0, 5)), c(a = FALSE, b = TRUE))
  expect_identical(m$width(release), c(a = 3, b = Inf))
  expect_snapshot(error = TRUE, {
    m$error(estimate, 1:3)
    m$distance(NULL, 0)
    m$width(list())
  })
})

test_that("measures are given by name, as functions, or both", {
  expect_identical(check_measures("covers"), simulation_measures["covers"])
  expect_identical(check_measures(c("error", "width")), simulation_measures[c("error", "width")])
  both <- check_measures(list("error", far = "distance", own = max))
  expect_identical(both, list(error = simulation_measures$error, far = simulation_measures$distance,
                              own = max))
  expect_identical(check_measures(max), list(measure = max))
  expect_snapshot(error = TRUE, {
    check_measures("mse")
    check_measures(list(max))
    check_measures(1)
    check_truth("0")
  })
})
