# The scripts of simulated figures run, in small, and make tables of the columns that the vignettes read.

test_that("figures are made in small", {
  root <- normalizePath(file.path("..", ".."))
  skip_if_not(dir.exists(file.path(root, "data-raw")))
  scripts <- list.files(file.path(root, "data-raw"), "[.]R$", full.names = TRUE)
  stands_on <- function(file) "source(\"data-raw/figures.R\")" %in% readLines(file)
  scripts <- Filter(stands_on, scripts)
  expect_gt(length(scripts), 1)
  old <- setwd(root)
  Sys.setenv(SMALL = "1")
  on.exit({
    setwd(old)
    Sys.unsetenv("SMALL")
  })
  for (script in scripts) {
    name <- sub("[.]R$", "", basename(script))
    utils::capture.output(sys.source(script, new.env(parent = globalenv())))
    file <- file.path("build", "simulations", paste0(name, "-small.csv"))
    small <- utils::read.csv(file)
    unlink(file)
    whole <- file.path("vignettes", paste0(name, ".csv"))
    expect_identical(names(small), names(utils::read.csv(whole, nrows = 1)))
    expect_gt(nrow(small), 0)
  }
})
