# Where n is private, no condition tells it: data that differ in their number of rows alone are refused in the
# same words, whatever is wrong with them and under whatever name they are given.

random_sizes <- function() c(sample(2:4, 1), sample(6:60, 2)) # public-rng: which sizes are compared

test_that("refusals of few rows and of many say the same, where neighbours differ by a row", {
  expect_identical(telling(size_calls(), random_sizes()), character())
  misplaced <- c(misplaced_calls(column_doors, column_of_size, between),
                 misplaced_calls(private_frames, good_rows, between))
  expect_identical(telling(misplaced, random_sizes()), character())
})

test_that("so do they where one row of each person is kept", {
  expect_identical(telling(person_calls(), random_sizes()), character())
})

test_that("bugs planted in refusals are seen", {
  some <- size_calls()
  some <- c(some[grepl("^(mean|pairs|by), ", names(some))],
            misplaced_calls(private_frames["mean"], good_rows, between))
  tells <- function() length(telling(some, c(6, 9))) > 0
  bugs <- list(
    "a length" = bug(tells, "describe_data", "paste(with_article(typeof(x)), \"vector\")",
                     "paste(with_article(typeof(x)), \"vector of length\", length(x))"),
    "a dimension" = bug(tells, "describe_data", "return(\"a data frame\")",
                        "return(paste(\"a data frame of\", nrow(x)))"),
    "rows of the other sample" = bug(tells, "check_same_rows", "\"as long as `%s`\", args[[1]]",
                                     "\"%d rows long, like `%s`\", NROW(x), args[[1]]"),
    "a class's warnings" = bug(tells, "muted", "suppressMessages(suppressWarnings(code))",
                               "suppressMessages(code)"),
    "a class's messages" = bug(tells, "muted", "suppressMessages(suppressWarnings(code))",
                               "suppressWarnings(code)"),
    "a class's errors" = bug(tells, "as_numbers", "muted(as.double(x))", "as.double(x)"),
    "frames that were changed by hand" = bug(tells, "check_frame", "if (whole)", "if (TRUE)")
  )
  seen <- vapply(bugs, caught, NA)
  expect(all(seen), sprintf("missed: %s", toString(names(bugs)[!seen])))
})
