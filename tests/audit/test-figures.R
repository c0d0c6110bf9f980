# The scripts of simulated figures run, in small, and make the tables that the vignettes read.

test_that("figures are made in small", {
  root <- normalizePath(file.path("..", ".."))
  skip_if_not(dir.exists(file.path(root, "data-raw")))
  scripts <- list.files(file.path(root, "data-raw"), "[.]R$", full.names = TRUE)
  calls <- function(file, what) any(grepl(sprintf("^[^#]*(%s)[(]", what), readLines(file)))
  is_figure <- function(file) {
    calls(file, "simulate_figure") || calls(file, "write_figure") && calls(file, "pick|cells_of")
  }
  scripts <- Filter(is_figure, scripts)
  old <- setwd(root)
  Sys.setenv(SMALL = "1")
  on.exit({
    setwd(old)
    Sys.unsetenv("SMALL")
  })
  places <- file.path("build", "simulations")
  tables <- function() list.files(places, "-small[.]csv$")
  unlink(file.path(places, tables()))
  for (script in scripts) {
    frame <- new.env(parent = globalenv())
    frame$source <- function(file) sys.source(file, frame)
    utils::capture.output(sys.source(script, frame))
  }
  # each table that a vignette reads is one of them
  written <- sub("-small", "", tables())
  whole <- list.files("vignettes", "[.]csv$")
  only_first <- sprintf("projection-simulation-%d.csv", c(5, 10, 15, 20)) # as that of two variables
  expect_setequal(written, setdiff(whole, only_first))
  for (file in intersect(written, whole)) {
    small <- utils::read.csv(file.path(places, sub("[.]csv$", "-small.csv", file)))
    expect_identical(names(small), names(utils::read.csv(file.path("vignettes", file), nrows = 1)),
                     info = file)
    expect_gt(nrow(small), 0)
  }
  unlink(file.path(places, tables()))
})
