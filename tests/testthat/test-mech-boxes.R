# The exponential mechanism over nested boxes: laws by enumeration, levels, ends that are none.
# Error rates: ALPHA = 1e-6 an expectation (helper-stat.R).

# exp(epsilon k/2) at points held by k levels after the first.
slow_boxes_law <- function(low, high, epsilon, points) {
  depth <- -1
  for (k in seq_len(nrow(low))) {
    if (any(low[k, ] > high[k, ])) break
    depth <- depth + (colSums(t(points) >= low[k, ] & t(points) <= high[k, ]) == ncol(low))
  }
  p <- exp(epsilon * depth / 2)
  p / sum(p)
}

cases <- list(
  line = list(matrix(c(0, 3, 5, 6)), matrix(c(19, 15, 9, 6))),
  "an atom held by many levels" = list(matrix(c(0, 4, 4, 4, 4, 7)), matrix(c(19, 4, 4, 4, 4, 6))),
  "equal boxes" = list(matrix(c(-9, -9, -9)), matrix(c(9, 9, 9))),
  "one level" = list(matrix(2^52 - 5), matrix(2^52)),
  plane = list(cbind(c(0, 1, 3), c(-4, -2, -1)), cbind(c(7, 6, 4), c(3, 1, -1))),
  "an empty level" = list(cbind(c(0, 1, 3), c(0, 1, 3)), cbind(c(5, 4, 4), c(5, 4, 2)))
)

test_that("draws follow the law, and the code's weights are the law's", {
  for (name in names(cases)) {
    low <- cases[[name]][[1]]
    high <- cases[[name]][[2]]
    axes <- lapply(seq_len(ncol(low)), function(j) seq(low[1, j], high[1, j]))
    points <- as.matrix(expand.grid(axes))
    law <- slow_boxes_law(low, high, 1.2, points)
    expect_equal(exp(boxes_log_law(low, high, 1.2, points)), law, tolerance = 1e-9, info = name)
    drawn <- draw_boxes(low, high, 1.2, "system", 20000L)
    key <- function(m) drop(1000^seq_len(ncol(m)) %*% (t(m) - low[1, ]))
    counts <- tabulate(match(key(drawn), key(points)), nrow(points))
    expect_identical(sum(counts), 20000L)
    expect_law(counts, law, name)
    if (stats::sd(law) > 0) expect_not_law(counts, slow_boxes_law(low, high, 2.4, points), name)
  }
})

test_that("ends that are no whole numbers, an empty first level and two shapes are refused", {
  refused <- function(low, high, class = "dpdepth_error_internal") {
    expect_error(draw_boxes(low, high, 1, "system"), "internal|arguments|report")
  }
  refused(0.5, 2)
  refused(3, 2)
  refused(0, 2^60)
  refused(NaN, 1)
  expect_error(draw_boxes(0, matrix(1:2 + 0), 1, "system"), "two shapes")
})
