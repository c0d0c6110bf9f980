# Runs the package's tests under R CMD check.
library(testthat)
library(dpdepth)

# Two processes share the files (DESCRIPTION), each with one thread, as a check may use two cores; with a heap
# that R need not tidy up often, and without compiling what runs once. They take this over from here.
Sys.setenv(OMP_NUM_THREADS = "1", OMP_WAIT_POLICY = "passive", R_NSIZE = "4000000", R_VSIZE = "256M",
           R_ENABLE_JIT = "0")

test_check("dpdepth")
