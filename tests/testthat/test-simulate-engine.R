# Engines of simulations: chunks, futures, progress. Whatever runs them, the numbers are the same.

# Runs `code` under a plan of futures.
under_plan <- function(strategy, code, ...) {
  skip_on_cran()
  skip_if_not_installed("future")
  old <- future::plan(strategy, ...)
  on.exit(future::plan(old))
  force(code)
}

test_that("two workers give what one gives, to the last bit", {
  one <- small_simulation()
  # a global of the functions goes along
  assign("simulation_offset", 10, globalenv())
  on.exit(rm("simulation_offset", envir = globalenv()))
  shifted <- in_global(function(x) stats::median(x) + simulation_offset)
  process <- in_global(function(x) Sys.getpid())
  two <- under_plan("multisession", workers = 2, {
    small_simulation(estimate = c(small_estimates, list(shifted = shifted, process = process)), chunk = 5)
  })
  expect_identical(values_of(two)[names(values_of(one))], values_of(one))
  rows <- tidy(two)
  of <- function(name) rows$value[rows$estimate == name]
  expect_identical(of("shifted"), of("public") + 10)
  # both have worked, and this process has not
  expect_length(unique(of("process")), 2)
  expect_false(Sys.getpid() %in% of("process"))
})

test_that("batchtools' local engine gives the same", {
  skip_on_cran()
  skip_if_not_installed("future.batchtools")
  own <- tempfile("batch")
  old <- options(future.cache.path = own)
  on.exit({
    unlink(own, recursive = TRUE)
    options(old)
  })
  two <- with_libraries(under_plan(future.batchtools::batchtools_local, {
    small_simulation(design = list(n = 20, epsilon = 2), chunk = 6)
  }))
  one <- values_of(small_simulation())
  expect_length(two$cells$n, 2)
  expect_identical(values_of(two), one[names(values_of(two))])
})

test_that("units are cell by cell, without those that are there", {
  design <- simulation_design(data.frame(n = 1:2, replicates = 1:2), NULL, c("a", "b"), 1L)
  units <- units_to_do(design, list())
  expect_identical(units[c("cell", "replicate")], list(cell = c(1L, 2L, 2L), replicate = c(1L, 1L, 2L)))
  record <- function(key, replicate, estimate) {
    list(results = list(key = key, replicate = replicate, estimate = estimate))
  }
  chunks <- list(record(design$key[c(1, 1)], c(1L, 1L), c("a", "b")), record(design$key[[2]], 2L, "b"))
  units <- units_to_do(design, chunks)
  expect_identical(units[c("cell", "replicate")], list(cell = c(2L, 2L), replicate = 1:2))
  expect_identical(units$sets[units$set], list(c("a", "b"), "a"))
})

test_that("chunks grow to the time that one may take, and leave work for all at the end", {
  engine <- list(workers = 2, batch = FALSE)
  pace <- new_pace(NULL, 1000, engine)
  expect_identical(next_size(pace, 1000, engine), 1)
  pace <- keep_pace(pace, 0.01, 1) # 500 of them in five seconds
  expect_identical(next_size(pace, 1000, engine), 8)
  pace <- keep_pace(keep_pace(pace, 0.08, 8), 0.64, 64)
  expect_identical(next_size(pace, 4000, engine), 500)
  expect_identical(next_size(pace, 1000, engine), 250)
  expect_identical(next_size(pace, 1, engine), 1)
  expect_identical(next_size(keep_pace(pace, 100, 1), 1000, engine), 1)
  expect_identical(next_size(new_pace(7L, 1000, engine), 3, engine), 7L)
  queue <- list(workers = Inf, batch = TRUE)
  expect_identical(next_size(new_pace(NULL, 1000, queue), 1000, queue), 10)
})

test_that("progress tells how many replicates are done, and nothing else", {
  skip_if_not_installed("progressr")
  steps <- NULL
  progressr::with_progress(withCallingHandlers(small_simulation(chunk = 9), progression = function(p) {
    steps <<- c(steps, if (p$type == "update") p$amount)
    expect_length(p$message, 0)
  }), handlers = progressr::handler_void, enable = TRUE)
  expect_identical(steps, c(9, 9, 6))
})
