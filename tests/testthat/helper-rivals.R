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

# The published comparators with one budget and the same limits, and rows for them.
line_rival <- function(d, method, delta, ...) {
  rival_regression(y ~ x, d, 1, delta, method, 0, 1e4, 0, 1e4, ...)
}
rivals <- list(
  theilsen = function(d, ...) line_rival(d, "theilsen", 0, matchings = 2, ...),
  widened = function(d, ...) line_rival(d, "theilsen", 0, type = "widened", ...),
  smooth = function(d, ...) line_rival(d, "theilsen", 0, type = "smooth", ...),
  noisystats = function(d, ...) line_rival(d, "noisystats", 0, ...),
  gradient = function(d, ...) line_rival(d, "gradient", 1e-6, steps = 3, ...),
  adassp = function(d, ...) line_rival(d, "adassp", 1e-6, ...),
  tukeyem = function(d, ...) rival_regression(y ~ x, d, 1, 1e-6, "tukeyem", ...),
  coinpress = function(d, ...) rival_mean(d, 1, 1e-6, 0, 1e4, ...)
)

rival_rows <- function(n = 40) {
  x <- 1000 + (seq_len(n) * 0.618033988749895) %% 1 * 8999
  data.frame(x = x, y = rev(x) / 3)
}

# What all parts of a run claim to spend of its budget of 1 and 1e-6, as epsilon and rho, and the deltas of a
# test and its margin. A row moves `times` of the values that a median is of.
rival_claims <- function(run, times = 1) {
  spent <- c(epsilon = 0, rho = 0)
  deltas <- 1e-6
  own <- mget(c("add_laplace", "add_gaussian", "draw_boxes", "student_law", "ptr_test", "restricted_margin"),
              envir = asNamespace("dpdepth"))
  spend <- function(epsilon, rho = 0) spent <<- spent + c(epsilon, rho)
  with_bindings(list(
    add_laplace = function(value, sensitivity, epsilon, source) {
      spend(epsilon)
      own$add_laplace(value, sensitivity, epsilon, source)
    },
    add_gaussian = function(values, square, rho, source) {
      spend(0, rho)
      own$add_gaussian(values, square, rho, source)
    },
    draw_boxes = function(low, high, epsilon, ...) {
      spend(times * epsilon)
      own$draw_boxes(low, high, epsilon, ...)
    },
    student_law = function(sorted, plan) {
      spend(plan$epsilon)
      own$student_law(sorted, plan)
    },
    ptr_test = function(margin, epsilon, delta, rng) {
      spend(epsilon)
      deltas <<- c(deltas, delta)
      TRUE
    },
    restricted_margin = function(upper, lower, n, epsilon, delta) {
      deltas <<- c(deltas, delta)
      own$restricted_margin(upper, lower, n, epsilon, delta)
    }
  ), run())
  list(spent = spent, deltas = deltas)
}

# TRUE if the parts of a rival's run do not add up to its budget, but for rounding.
rivals_spend_wrong <- function(names = base::names(rivals)) {
  d <- rival_rows()
  d$y <- d$x
  wrong <- vapply(names, function(name) {
    set.seed(1) # where a sum of squares is above zero, so that all parts are run
    run <- function() suppressWarnings(rivals[[name]](d, rng = "R"))
    claims <- rival_claims(run, if (name == "theilsen") 2 else 1)
    share <- claims$spent[["epsilon"]] + claims$spent[["rho"]] / normal_rho(1, 1e-6)
    share > 1 || share < 1 - 1e-6 || any(claims$deltas != 1e-6)
  }, NA)
  any(wrong)
}

# TRUE if a release from rows with gaps is not that from rows with the public middle in their place, whole. (A
# test that fails has no estimate: of batches the fits count, too.)
rivals_fill_wrong <- function(names = base::names(rivals)) {
  filled <- gaps <- rival_rows()
  gaps$y[[3]] <- gaps$x[[7]] <- NA
  wrong <- vapply(names, function(name) {
    filled[c(3, 7), ] <- if (name %in% c("tukeyem", "coinpress")) 0 else 5000
    run <- function(data) {
      places <- NULL
      own <- tukeyem_law
      keep <- function(...) {
        places <<- ..1
        own(...)
      }
      set.seed(1)
      release <- with_bindings(list(tukeyem_law = keep),
                               suppressWarnings(rivals[[name]](data, na = "middle", rng = "R")))
      list(release, places)
    }
    !identical(run(gaps), run(filled))
  }, NA)
  any(wrong)
}
