# Tests of helper-mutants.R: what is told of planted bugs.

test_that("a bug whose text is not there, or twice, is not planted and not caught", {
  sees_all <- function() TRUE
  nowhere <- bug(sees_all, "smooth_law", "no such text", "x")
  expect_error(caught(nowhere), "not planted: smooth_law.* 0 times", class = "not_planted")
  twice <- bug(sees_all, "smooth_law", "lattice", "x")
  expect_error(caught(twice), "times", class = "not_planted")
  expect_failure(expect_caught(list(old = nowhere, fine = bug(sees_all, "is_tally", "dp_tally", "x"))),
                 "1 of 2 caught; \"old\" not planted")
  expect_failure(expect_caught(list(blind = bug(function() FALSE, "is_tally", "dp_tally", "x"))),
                 "\"blind\" missed")
})
