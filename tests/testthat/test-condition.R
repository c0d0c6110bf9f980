# Classed errors: constructors, descriptions without data, text of numbers.

test_that("errors of the kernels are classed", {
  for (kind in c("entropy", "memory", "limit", "internal")) {
    expect_error(stop_status(kind), class = paste0("dpdepth_error_", kind))
  }
})
