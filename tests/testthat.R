# Runs the package's tests under R CMD check.
library(testthat)
library(dpdepth)

test_check("dpdepth")
