# Audits of the published mechanisms: data sets in corners and their neighbours, what a run asks of its noise,
# laws from nested boxes.

# Rows of p regressors and a response, mostly in the corners of [0, 1], with ties, a few far out.
skewed_rows <- function(n, p = 1) {
  values <- function(k) {
    switch(sample.int(4, 1), sample(0:1, k, TRUE) + 0, stats::rbeta(k, 0.2, 0.3),
           sample(c(0, 0.5, 1, -1e308, 1e308, 3, -2, 1e-300), k, TRUE), rep(stats::runif(1), k))
  }
  rows <- as.data.frame(matrix(values(n * p), n, p, dimnames = list(NULL, paste0("x", seq_len(p)))))
  rows$y <- values(n)
  rows
}

# The same rows but for one.
neighbour_rows <- function(rows) {
  rows[sample.int(nrow(rows), 1), ] <- skewed_rows(1, ncol(rows) - 1)[1, ]
  rows
}

# What a run asks of its noise: the values of its queries, and by what they are paid: the rate of Laplace
# noise or the variance of Gaussian noise. `outputs`: what the queries of an earlier run gave, so that both
# take the same way.
rival_queries <- function(run, outputs = NULL) {
  asked <- list()
  pays <- NULL
  keep <- function(kind, add) {
    force(add)
    function(values, ...) {
      given <- add(values, ...)
      at <- length(asked) + 1
      if (!is.null(outputs)) given <- outputs[[at]]
      asked[[at]] <<- list(kind = kind, values = values, pays = pays, given = given)
      given
    }
  }
  noise <- function(n, num, den = 1, rng = NULL) {
    pays <<- num / den
    round(stats::rnorm(n, sd = 3))
  }
  gaussian <- function(n, num, den = 1, rng = NULL) {
    pays <<- num / den
    round(stats::rnorm(n, sd = sqrt(num / den) / 10))
  }
  real <- mget(c("add_laplace", "add_gaussian"), envir = asNamespace("dpdepth"))
  result <- with_bindings(list(
    add_laplace = keep("laplace", real$add_laplace), add_gaussian = keep("gaussian", real$add_gaussian),
    draw_laplace_discrete = noise, draw_gaussian_discrete = gaussian
  ), run())
  list(asked = asked, result = result, outputs = lapply(asked, `[[`, "given"))
}

# What two data sets cost in one run each with the same outputs: epsilon of the Laplace noise, rho of the
# Gaussian noise.
queries_cost <- function(run, a, b) {
  first <- rival_queries(function() run(a))
  second <- rival_queries(function() run(b), first$outputs)
  must(length(first$asked) == length(second$asked), "the same queries for the same outputs")
  must(identical(first$result, second$result), "the same release for the same outputs")
  cost <- c(epsilon = 0, rho = 0)
  for (i in seq_along(first$asked)) {
    p <- first$asked[[i]]
    q <- second$asked[[i]]
    must(identical(p$pays, q$pays), "the same noise for the same outputs")
    must(all(c(p$values, q$values) == round(c(p$values, q$values))), "whole numbers")
    move <- abs(p$values - q$values)
    cost <- cost + if (p$kind == "laplace") c(sum(move) * p$pays, 0) else c(0, sum(move^2) / (2 * p$pays))
  }
  cost
}

# The worst cost over `count` pairs of neighbours; it ends early where one is beyond `limit`.
worst_cost <- function(run, count = 60, sizes = 4:12, p = 1, limit = c(Inf, Inf)) {
  worst <- c(epsilon = 0, rho = 0)
  for (i in seq_len(count)) {
    a <- skewed_rows(pick(sizes), p)
    worst <- pmax(worst, queries_cost(run, a, neighbour_rows(a)))
    if (any(worst > limit)) break
  }
  worst
}

# The logarithm of a draw's probability at whole points (rows), from the code's weights of levels.
boxes_log_law <- function(low, high, epsilon, points) {
  bits <- .Call(ffi_boxes_levels, as.matrix(low), as.matrix(high), epsilon)
  chance <- 2^-bits / sum(2^-bits)
  law <- 0
  for (k in seq_along(bits)) {
    from <- as.matrix(low)[k, ]
    to <- as.matrix(high)[k, ]
    inside <- colSums(t(points) >= from & t(points) <= to) == length(from)
    law <- law + inside * chance[[k]] / prod(to - from + 1)
  }
  log(law)
}
