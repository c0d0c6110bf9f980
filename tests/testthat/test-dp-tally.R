# Tests of dp_tally() on data in memory and in chunks: R/dp-tally.R.

test_that("a tally of rows holds their rounded points, whatever holds the rows", {
  set.seed(2)
  x <- data.frame(a = sample(0:9, 50, TRUE), b = stats::rnorm(50), who = 1:50)
  t <- dp_tally(x, c("b", "a"), lower = c(a = 0, b = -5), upper = c(a = 10, b = 5),
                resolution = c(a = 1, b = 0.5))
  expect_identical(sorted_rows(t)[, "b"], sort(round(2 * x$b) / 2))
  expect_identical(c(t$n, t$lower, t$upper, t$step), c(50, b = -5, a = 0, b = 5, a = 10, b = 0.5, a = 1))
  same <- function(x) dp_tally(x, c("b", "a"), lower = c(-5, 0), upper = c(5, 10), resolution = c(0.5, 1))
  expect_identical(same(as.matrix(x)), t)
  if (requireNamespace("data.table", quietly = TRUE)) expect_identical(same(data.table::as.data.table(x)), t)
  expect_identical(names(dp_tally(1:3, lower = 0, upper = 9)$step), "x")
  half <- cbind(x$a, b = x$b)
  t <- dp_tally(half, lower = -9, upper = 9, resolution = 1)
  expect_identical(sorted_rows(t)[, "x1"], sort(half[, 1]))
  expect_identical(dp_tally(numeric(), lower = 0, upper = 9)$n, 0)
  for (rows in c(7, 10, 50)) expect_identical(with_bindings(list(block_rows = rows), same(x)), same(x))
})

test_that("rows outside the limits stay outside, as the doors leave them", {
  x <- c(1, 2, 3, 40, -1e6)
  t <- dp_tally(x, lower = 0, upper = 9, resolution = 1)
  expect_identical(sorted_rows(t)[, 1], sort(x))
})

test_that("rows and their tally give the same draws from the same tape, outside the limits too", {
  set.seed(3)
  for (d in c(1, 2, 5)) {
    x <- matrix(stats::rnorm(40 * d, 0, 3), 40)
    for (resolution in list(NULL, 0.25, 0.1)) {
      draw <- function(x) {
        set.seed(4)
        dp_median_exponential(x, 20, lower = -4, upper = 4, resolution = resolution, rng = "R")$estimate
      }
      expect_identical(draw(dp_tally(x, lower = -4, upper = 4, resolution = resolution)), draw(x))
    }
  }
})

test_that("missing values are refused in memory, or become public ones", {
  x <- data.frame(a = c(1, NA, 3), b = c(1, 2, Inf))
  expect_error(dp_tally(x, lower = 0, upper = 9), "missing", class = "dpdepth_error_input")
  t <- dp_tally(x, lower = 0, upper = 8, resolution = 1, na = "middle")
  expect_identical(t$points[, "a"], c(1, 4))
  t <- dp_tally(x, lower = 0, upper = 8, resolution = 1, na = 7)
  expect_identical(sorted_rows(t)[, "b"], c(1, 7, 2))
})

test_that("one row of each id is kept, and the id's column is no variable", {
  x <- data.frame(who = rep(1:20, 3), a = rep(1:20, 3), b = 1)
  t <- dp_tally(x, lower = 0, upper = 30, resolution = 1, id = ~who, rng = "R")
  expect_identical(sorted_rows(t)[, "a"], as.double(1:20))
  expect_identical(colnames(t$points), c("a", "b"))
  expect_identical(dp_tally(x, "a", 0, 30, 1, id = x$who, rng = "R")$n, 20)
  # what decides over a refusal is not the draw
  x$a[1] <- NA
  expect_error(dp_tally(x, "a", 0, 30, 1, id = ~who), class = "dpdepth_error_input")
})

test_that("chunks give the tally of all rows", {
  set.seed(6)
  x <- data.frame(b = sample(20, 90, TRUE), a = stats::runif(90))
  chunks <- function(x) {
    parts <- c(split(x, rep(1:4, length.out = NROW(x))), list(NULL))
    function() {
      first <- parts[[1]]
      parts <<- parts[-1]
      first
    }
  }
  limits <- list(lower = 0, upper = 32, resolution = 1)
  whole <- do.call(dp_tally, c(list(x, c("a", "b")), limits))
  expect_identical(do.call(dp_tally, c(list(chunks(x), c("a", "b")), limits)), whole)
  expect_identical(do.call(dp_tally, c(list(chunks(x$b)), limits))$n, 90)
  # variables by their names
  turned <- list(x[1:50, ], x[51:90, 2:1], NULL)
  expect_identical(do.call(dp_tally, c(list(function() {
    now <- turned[[1]]
    turned <<- turned[-1]
    now
  }), limits)), do.call(dp_tally, c(list(x), limits)))
  odd <- list(x, x["a"], NULL)
  expect_error(do.call(dp_tally, c(list(function() {
    odd <<- odd[-1]
    odd[[1]]
  }, c("a", "b")), limits)), "vars", class = "dpdepth_error_input")
  first <- list(x, x["a"])
  expect_error(do.call(dp_tally, c(list(function() {
    now <- first[[1]]
    first <<- first[-1]
    now
  }), limits)), "columns of the first", class = "dpdepth_error_input")
  expect_error(dp_tally(function() NULL, lower = 0, upper = 1), class = "dpdepth_error_input")
  expect_error(dp_tally(function() x, lower = 0, upper = 1, id = ~a), class = "dpdepth_error_input")
})

test_that("a file that fread() reads in chunks, and in parts that are merged, is its rows", {
  skip_if_not_installed("data.table")
  set.seed(9)
  x <- data.frame(a = sample(20, 90, TRUE), b = round(stats::runif(90), 2), flag = stats::runif(90) > 0.5)
  file <- tempfile(fileext = ".csv")
  on.exit(unlink(file))
  utils::write.csv(x, file, row.names = FALSE)
  chunks <- function(from, to, by) {
    function() {
      if (from > to) return(NULL)
      rows <- data.table::fread(file, skip = from, nrows = min(by, to - from + 1), header = FALSE,
                                col.names = names(x))
      from <<- from + by
      rows
    }
  }
  count <- function(x, margins) dp_tally(x, lower = 0, upper = 32, resolution = 0.5, margins = margins)
  for (margins in c(FALSE, TRUE)) {
    whole <- count(x, margins)
    expect_identical(count(chunks(1, 90, 17), margins), whole)
    expect_identical(c(count(chunks(1, 40, 11), margins), count(chunks(41, 90, 50), margins)), whole)
  }
})

test_that("chunks that readr hands to a function add up to the file's rows", {
  skip_if_not_installed("readr")
  x <- data.frame(a = rep(c(1.5, 2, 7), 30), key = rep(c("u", "v"), 45))
  file <- tempfile(fileext = ".csv")
  on.exit(unlink(file))
  utils::write.csv(x, file, row.names = FALSE)
  count <- function(x) dp_tally(x, "a", 0, 8, 0.5, by = ~key, levels = c("u", "v"))
  add <- function(chunk, position, sum) if (is.null(sum)) count(chunk) else c(sum, count(chunk))
  callback <- getExportedValue("readr", "AccumulateCallback")$new(add)
  total <- getExportedValue("readr", "read_csv_chunked")(file, callback, chunk_size = 17, progress = FALSE,
                                                         show_col_types = FALSE)
  expect_identical(total, count(x))
})

test_that("batches of arrow's readers and data sets are their rows", {
  x <- data.frame(a = c(1.5, 2, 7), b = 1:3, key = c("u", "v", "u"))
  count <- function(x, ...) dp_tally(x, c("b", "a"), 0, 8, 0.5, by = ~key, levels = c("u", "v"), ...)
  # what is asked of a reader
  left <- list(x[1:2, ], x[3, ])
  reader <- structure(list(read_next_batch = function() {
    now <- left[1][[1]]
    left <<- left[-1]
    now
  }), class = "RecordBatchReader")
  left <- c(left, list(NULL))
  expect_identical(count(reader), count(x))
  expect_error(count(reader, id = ~b), "database", class = "dpdepth_error_input")
  skip_if_not_installed("arrow")
  arrow <- function(name) getExportedValue("arrow", name)
  folder <- tempfile()
  on.exit(unlink(folder, recursive = TRUE))
  arrow("write_dataset")(x, folder)
  for (data in list(arrow("open_dataset")(folder), arrow("arrow_table")(x))) {
    expect_identical(count(data), count(x))
    expect_identical(dp_tally(data, "a", 0, 8, 0.5), dp_tally(x, "a", 0, 8, 0.5))
  }
})

test_that("bad arguments are refused, and no message shows data", {
  x <- data.frame(a = canary, b = canary)
  bad <- list(list(vars = 1), list(vars = "z"), list(vars = c("a", "a")), list(lower = 3), list(upper = NA),
              list(resolution = -1), list(id = ~z), list(table = "t"), list(na = "x"), list(rng = "x"),
              list(tbl = "text"), list(tbl = NULL), list(tbl = list(1)),
              list(tbl = sum), list(tbl = mean),
              list(tbl = factor("a")), list(weights = 1))
  for (args in bad) {
    call <- list(tbl = x[c(1, 1), ], lower = 0, upper = 2)
    call[names(args)] <- args
    e <- tryCatch(do.call(dp_tally, call, quote = TRUE), error = identity)
    expect_s3_class(e, "dpdepth_error_input")
    expect_false(grepl(canary_text, conditionMessage(e), fixed = TRUE))
  }
  t <- dp_tally(x, lower = 0, upper = 1)
  expect_error(dp_tally(t, lower = 0, upper = 1), "c()", fixed = TRUE, class = "dpdepth_error_input")
})

test_that("a reader that never says NULL is told so, and empty chunks between others are taken", {
  chunks <- list(1:3, numeric(), 4:5, NULL)
  k <- 0
  some <- function() {
    k <<- k + 1
    chunks[[k]]
  }
  expect_identical(dp_tally(some, lower = 0, upper = 9, resolution = 1)$n, 5)
  endless <- function() data.frame(a = numeric())
  expect_error(dp_tally(endless, lower = 0, upper = 9), "returns NULL at", class = "dpdepth_error_input")
})
