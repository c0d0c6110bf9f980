# The exponential mechanism over nested boxes of whole numbers, exact for any number of variables.

# One exact draw from nested boxes of whole numbers, a level a row, the first one public: the law has weight
# exp(epsilon k/2) where k levels, counted after the first, hold the point.
draw_boxes <- function(low, high, epsilon, source, draws = 1L) {
  .Call(ffi_draw_boxes, source, as.matrix(low), as.matrix(high), epsilon, draws)
}
