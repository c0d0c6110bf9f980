# The search for draws that do not end: nasty but honest data, doors, and the nodes that a draw takes.

# n rows of d variables, the last one a response; `s`: how narrow things are.
ends_shapes <- list(
  normal = function(n, d, s) normal_rows(n, d),
  ties = function(n, d, s) matrix(sample(3, n * d, TRUE), n),
  flags = function(n, d, s) matrix(sample(0:1, n * d, TRUE), n),
  likert = function(n, d, s) matrix(sample(5, n * d, TRUE), n),
  clusters = function(n, d, s) {
    of <- sample(2:4, 1)
    (2 * normal_rows(of, d))[rep_len(seq_len(of), n), , drop = FALSE] + s * normal_rows(n, d)
  },
  identical = function(n, d, s) {
    z <- normal_rows(n, d)
    z[seq_len(n %/% 2), ] <- rep(z[1, ], each = n %/% 2)
    z
  },
  collinear = function(n, d, s) {
    z <- normal_rows(n, d)
    if (d > 1) z[, d - 1] <- 0.3 * z[, 1] + s * stats::rt(n, 1)
    z
  },
  plane = function(n, d, s) {
    z <- normal_rows(n, d)
    z[, d] <- rowSums(z[, -d, drop = FALSE]) + s * (seq_len(n) %% 10 == 0)
    z
  },
  curve = function(n, d, s) outer(stats::rnorm(n), seq_len(d), `^`) + s * normal_rows(n, d),
  circle = function(n, d, s) {
    z <- normal_rows(n, d)
    z / sqrt(rowSums(z^2)) + s * normal_rows(n, d)
  },
  lattice = function(n, d, s) {
    # whole points on a few lines
    way <- matrix(sample(-2:2, 3 * d, TRUE), 3)
    way[sample(3, n, TRUE), , drop = FALSE] * sample(10, n, TRUE) + rep(sample(-3:3, d, TRUE), each = n)
  },
  far = function(n, d, s) rbind(normal_rows(n - 1, d), sample(c(-1, 1), d, TRUE) / s),
  scales = function(n, d, s) normal_rows(n, d) * rep_len(c(1, s), n),
  steps = function(n, d, s) cbind(round(normal_rows(n, d - 1)), round(normal_rows(n, 1) / s) * s),
  mixture = function(n, d, s) {
    both <- sample(setdiff(names(ends_shapes), "mixture"), 2)
    half <- n %/% 2
    rbind(ends_shapes[[both[[1]]]](half, d, s), ends_shapes[[both[[2]]]](n - half, d, s))
  }
)

normal_rows <- function(n, d) matrix(stats::rnorm(n * d), n)

# A regression of the last column on the others; `more`: further arguments.
ends_fit <- function(z, epsilon, limit, ...) {
  colnames(z) <- c(paste0("x", seq_len(ncol(z) - 1)), "y")
  more <- list(...)
  if (is.null(more$prior)) more[c("lower", "upper")] <- c(-limit, limit)
  given <- list(formula = y ~ ., data = as.data.frame(z), epsilon = epsilon, rng = "R")
  given[names(more)] <- more
  do.call(dp_regression, given, quote = TRUE)
}

ends_fits <- list(
  plain = function(...) ends_fit(...),
  named = function(...) ends_fit(..., method = "exponential"),
  tau = function(...) ends_fit(..., tau = 0.9, method = "exponential"),
  origin = function(...) ends_fit(..., formula = y ~ 0 + ., method = "exponential"),
  normal = function(z, epsilon, limit) ends_fit(z, epsilon, limit, prior = prior_normal(0, limit)),
  private = function(...) ends_fit(..., neighbours = "add_remove"),
  dyadic = function(z, epsilon, limit) {
    if (ncol(z) > 3) return(ends_fit(z, epsilon, limit))
    ends_fit(z, epsilon, limit, prior = prior_dyadic(2^-20), method = "exponential")
  },
  tally = function(z, epsilon, limit) {
    ends_fit(z, epsilon, limit, data = dp_tally(named_rows(z), lower = -limit, upper = limit))
  }
)

named_rows <- function(z) {
  colnames(z) <- c(paste0("x", seq_len(ncol(z) - 1)), "y")
  as.data.frame(z)
}

ends_median <- function(z, epsilon, limit, ...) {
  dp_median_exponential(z, epsilon, lower = -limit, upper = limit, ..., rng = "R")
}

# d: variables, with the response; most: rows; often: how often the door is taken.
ends_doors <- list(
  "1 regressor" = list(d = 2, most = 5000, fits = ends_fits),
  "2 regressors" = list(d = 3, most = 5000, often = 3, fits = ends_fits),
  "3 regressors" = list(d = 4, most = 5000, often = 3, fits = ends_fits),
  "4 regressors" = list(d = 5, most = 2000, often = 3, fits = ends_fits[names(ends_fits) != "dyadic"]),
  "halfspace, plane" = list(d = 2, most = 5000, fits = list(plain = ends_median)),
  "halfspace, space, exact" = list(d = 3, most = 300, often = 3, fits = list(plain = function(...) {
    ends_median(..., directions = "exact")
  })),
  "halfspace, space, default" = list(d = 3, most = 5000, fits = list(plain = ends_median)),
  "halfspace, 4 variables, directions" = list(d = 4, most = 1000, fits = list(plain = function(...) {
    ends_median(..., directions = 300, sampler = "exact")
  })),
  "simplicial, plane" = list(d = 2, most = 1000, often = 3, fits = list(plain = function(...) {
    ends_median(..., depth = "simplicial")
  })),
  "simplicial, space" = list(d = 3, most = 60, fits = list(plain = function(...) {
    ends_median(..., depth = "simplicial")
  })),
  "other depths" = list(d = 3, most = 300, fits = lapply(
    stats::setNames(nm = c("spatial", "spatial_modified", "irw", "idd", "idd_smooth")),
    function(depth) function(...) ends_median(..., depth = depth)
  )),
  axes = list(d = 5, most = 5000, fits = list(plain = ends_median)),
  quantiles = list(d = 1, most = 5000, fits = list(plain = function(z, epsilon, limit) {
    dp_quantile(z[, 1], c(0.1, 0.5, 0.9), epsilon, lower = -limit, upper = limit, rng = "R")
  }))
)

ends_sizes <- c(20, 50, 100, 300, 1000, 3000, 5000)

# Case i of the search: the door, the shape and public numbers, with which ends_rows() makes the data.
ends_case <- function(i, doors = names(ends_doors), sizes = ends_sizes) {
  set.seed(i)
  often <- vapply(ends_doors[doors], function(door) max(1, door$often), 0)
  door <- sample(doors, 1, prob = often)
  about <- ends_doors[[door]]
  n <- min(about$most, sizes[[sample(length(sizes), 1)]])
  # (with less the prior is drawn from)
  epsilon <- max(10 / n, exp(stats::runif(1, log(0.01), log(20))))
  list(seed = i, door = door, fit = sample(names(about$fits), 1), shape = sample(names(ends_shapes), 1),
       d = about$d, n = n, s = 10^-sample(1:9, 1), limit = 5 * 10^sample(0:11, 1),
       epsilon = signif(epsilon, 3))
}

ends_rows <- function(case) {
  set.seed(case$seed + 1e6)
  ends_shapes[[case$shape]](case$n, case$d, case$s)
}

# What became of a case: "ended", "cautioned" (the door spoke of time before the debit), "refused", or
# "endless" (the source ran dry); with the proposals and nodes of its last tree (NA: it has none). `source`:
# where the kernel's bits come from; `stop`: is a draw with a caution not begun?
ends_draw <- function(case, source = "R", stop = FALSE) {
  seen <- c(proposals = NA_real_, nodes = NA_real_)
  note <- function(drawn) {
    seen[] <<- drawn$counts[c(1, 3)]
    drawn$draws
  }
  z <- ends_rows(case)
  end <- "ended"
  draw <- function() {
    withCallingHandlers(
      ends_doors[[case$door]]$fits[[case$fit]](z, case$epsilon, case$limit),
      dpdepth_warning = function(w) {
        if (inherits(w, "dpdepth_warning_time")) {
          end <<- "cautioned"
          if (stop) stop_dpdepth("cautioned", "not begun")
        }
        invokeRestart("muffleWarning")
      }
    )
    end
  }
  end <- with_bindings(counting_draws(note, source), tryCatch(
    draw(),
    dpdepth_error_cautioned = function(e) "cautioned", dpdepth_error_input = function(e) "refused",
    dpdepth_error_entropy = function(e) if (end == "ended") "endless" else end
  ))
  c(list(end = end), as.list(seen))
}

# Bits for a draw, `words` of 64: a draw that takes more does not end here.
ends_tape <- function(words) floor(2^32 * stats::runif(2 * words))

# The package's draws with their counts noted.
counting_draws <- function(note, source) {
  list(
    draw_fit = function(rows, prior, epsilon, weights, from, resolution = NULL) {
      fields <- prior_fields(prior, resolution)
      note(.Call(ffi_regression_draw, source, rows, fields, epsilon, weights, 1L))[1, ]
    },
    draw_halfspace.default = function(x, plan, epsilon, from) {
      fields <- prior_fields(plan$prior, plan$resolution)
      note(.Call(ffi_median_exp, source, x, fields, epsilon, plan$exact, plan$directions, 1L))
    },
    draw_depth = function(x, plan, epsilon, from, private = FALSE) {
      fields <- prior_fields(plan$prior, plan$resolution)
      x <- on_entries(x, function(points) whiten_rows(points, plan$whitening))
      kind <- match(plan$kind, names(median_depths))
      drawn <- note(.Call(ffi_depth_median, source, x, fields, epsilon, kind, plan$directions, plan$smooth,
                          private, 1L))
      color_points(drawn, plan$whitening)[1, ]
    }
  )
}
