# boxed-rows.R - the free box of regression-paper.R and regression-gradient.R.

# The rows within the smallest box [-c, c]^2 that holds a share psi of them, and the box.
boxed_rows <- function(data, psi) {
  if (is.na(psi)) return(list(data = data))
  size <- pmax(abs(data$x), abs(data$y))
  edge <- sort(size)[[ceiling(psi * length(size))]]
  list(data = data[size <= edge, ], box = list(x = c(-edge, edge), y = c(-edge, edge)))
}
