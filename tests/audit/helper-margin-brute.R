# The quantities behind the projection median's margin, against neighbours sought by climbing; and the same
# kernels with bugs planted in their C source, compiled apart from the package.

brute_pairs <- expand.grid(location = c("median", "trimmed", "huber", "mom"),
                           scale = c("mad", "iqr", "trimmed"), stringsAsFactors = FALSE)

# Skewed data sets of 8 to 20 rows in random order: heavy tails, ties, duplicates, one row far out, clusters.
brute_sets <- function(count = 54L) {
  lapply(seq_len(count), function(i) {
    n <- sample(8:20, 1)
    y <- switch(i %% 6 + 1, stats::rexp(n)^2, exp(1.5 * stats::rnorm(n)), round(4 * stats::rexp(n)),
                c(sample(3, n - 2, TRUE), 40, 41), c(stats::rgamma(n - 4, 0.5), rep(2, 4)),
                10 * (seq_len(n) > n * 0.7) + round(stats::rexp(n), 1))
    sample(y)
  })
}

# Data for which the bounds of Huber's location are finite, which takes more rows: the middle 60% between one
# and two bends wide, gaps where the MAD is, ties, one side heavier.
huber_sets <- function(count = 16L) {
  lapply(seq_len(count), function(i) {
    n <- sample(c(60, 75, 90), 1)
    y <- stats::qnorm(stats::ppoints(n)) + stats::rnorm(n) / 50
    if (i %% 2) y[abs(y) > 0.55 & abs(y) < 0.8] <- 0.8 * sign(y[abs(y) > 0.55 & abs(y) < 0.8])
    if (i %% 3 == 0) y <- round(4 * y) / 4
    if (i %% 4 == 0) y[y > 1] <- 5 + y[y > 1]
    sample(y)
  })
}

# How far Huber's location moves, for K = 1, ..., levels, by the proof's formulas over all order statistics.
twin_huber_shifts <- function(y, levels) {
  at <- twin_ranks(y)
  n <- length(y)
  p <- (n + 1) %/% 2
  r <- ceiling(n / 5)
  bend <- 1.345 * 1.482602218505602
  wide <- 0
  vapply(seq_len(levels), function(K) {
    mad <- twin_median_mad(y, K)
    i <- 0:(n + 1 - p - K)
    most <- bend * max(pmin((at(i + p + K) - at(i)) / 2, at(p + K) - at(i), at(i + p + K) - at(p - K)))
    least <- bend * mad[["least"]]
    range <- min(at(n + 1 - r - 0:K) - at(r + K - 0:K))
    within <- function(from, to) {
      if (!is.finite(to - from)) return(Inf)
      inner <- sum(y > to - least & y < from + least) - K
      above <- sum(y >= from + least) - sum(y < from - most)
      below <- sum(y <= to - least) - sum(y > to + most)
      ratio <- bend * mad[["scale_shift"]] / least
      if (inner <= 0) Inf else most * (2 + (2 * K + max(above, below)) * ratio) / inner
    }
    if (least <= 0 || range < most) {
      wide <<- Inf
      return(Inf)
    }
    rough <- within(at(r - K), at(n + 1 - r + K))
    wide <<- wide + rough
    here <- quick_huber(y, mad = twin_mad(y))
    min(rough, within(here - wide, here + wide))
  }, 0)
}

# Huber's root: Newton steps within a shrinking bracket, halved where the sum is flat or a step leaves it.
quick_huber <- function(y, mad) {
  bend <- 1.345 * 1.482602218505602 * mad
  if (bend == 0) return(twin_middle(y))
  low <- twin_middle(y) - 4 * bend
  high <- low + 8 * bend
  at <- low + 4 * bend
  for (step in 1:100) {
    z <- (y - at) / bend
    inside <- abs(z) < 1
    total <- sum(z[inside]) + sum(z >= 1) - sum(z <= -1)
    if (total > 0) low <- at else high <- at
    to <- at + bend * total / sum(inside)
    if (!is.finite(to) || to <= low || to >= high) {
      # a root already, where it is the only one
      if (any(inside) && abs(to - at) < 1e-13 * bend) break
      to <- (low + high) / 2
    }
    at <- to
    if (high - low < 1e-13 * bend) break
  }
  at
}

# Four locations; MAD, IQR, and the trimmed deviation about each location.
brute_statistics <- function(y) {
  sorted <- twin_sort(y)
  n <- length(y)
  q <- ceiling(n / 4)
  kept <- twin_kept(y, 0.25)
  mad <- twin_middle(abs(y - sorted[(n + 1) %/% 2]))
  at <- c(sorted[(n + 1) %/% 2], mean(kept), quick_huber(y, mad), twin_location(y, "mom"))
  c(at, mad, sorted[n + 1 - q] - sorted[q], vapply(at, function(t) mean(abs(kept - t)), 0))
}

# Data sets A within K - 1 replacements of y and B within K, neighbours, as a list of two; values that pull
# at what the statistics stand on.
brute_pair <- function(y, K) {
  values <- function(count) {
    switch(sample(4, 1), rep(1e3, count), rep(-1e3, count), sample(y, count, TRUE),
           rep(sample(y, 1), count) + stats::rnorm(1) / 4)
  }
  # rows in the middle and at the ends of the middle half matter most
  near <- order(abs(y - sample(stats::quantile(y, c(0.25, 0.5, 0.75), names = FALSE), 1)))
  rows <- if (stats::runif(1) < 0.7) near[seq_len(K)] else sample(length(y), K)
  a <- y
  a[rows[-1]] <- values(K - 1)
  b <- a
  b[rows[1]] <- values(1)
  list(a, b)
}

# The largest movements seen: for each K, T's range, |T - T'| (four), least S, |S - S'| (six).
brute_seen <- function(y, levels, tries) {
  lapply(seq_len(levels), function(K) {
    seen <- list(lower = rep(Inf, 4), upper = rep(-Inf, 4), location_shift = numeric(4), least = rep(Inf, 6),
                 scale_shift = numeric(6))
    for (i in seq_len(tries)) {
      pair <- brute_pair(y, K)
      a <- brute_statistics(pair[[1]])
      b <- brute_statistics(pair[[2]])
      seen <- list(lower = pmin(seen$lower, a[1:4], b[1:4]), upper = pmax(seen$upper, a[1:4], b[1:4]),
                   location_shift = pmax(seen$location_shift, abs(a - b)[1:4]),
                   least = pmin(seen$least, a[5:10], b[5:10]),
                   scale_shift = pmax(seen$scale_shift, abs(a - b)[5:10]))
    }
    seen
  })
}

# Does something seen leave the bounds (levels x five) of a pair?
leaves_bounds <- function(bounds, seen, pair, size) {
  at <- match(pair$location, c("median", "trimmed", "huber", "mom"))
  of <- switch(pair$scale, mad = 1, iqr = 2, trimmed = 2 + at)
  slack <- 1e-9 * size
  any(vapply(seq_along(seen), function(K) {
    s <- seen[[K]]
    b <- bounds[K, ]
    b[["lower"]] > s$lower[[at]] + slack || b[["upper"]] < s$upper[[at]] - slack ||
      b[["location_shift"]] < s$location_shift[[at]] - slack || b[["least"]] > s$least[[of]] + slack ||
      b[["scale_shift"]] < s$scale_shift[[of]] - slack
  }, NA))
}

# Are bounds for K of one not within those for K + 1 of its neighbour, bit by bit?
breaks_nesting <- function(b, w) {
  k <- seq_len(nrow(b) - 1)
  bad <- function(b, w) {
    any(w[k + 1, "lower"] > b[k, "lower"], w[k + 1, "upper"] < b[k, "upper"],
        w[k + 1, "location_shift"] < b[k, "location_shift"],
        w[k + 1, "least"] > b[k, "least"], w[k + 1, "scale_shift"] < b[k, "scale_shift"])
  }
  bad(b, w) || bad(w, b)
}

# Everything that is wrong with the margins that `run` computes on these data sets: labels. run(y, location,
# scale, eta, tau, room, levels): list(bounds, central, sensitivity, centre). `first`: one data set's faults
# will do.
margin_faults <- function(run, sets, seen, pairs = brute_pairs, levels = 3L, first = FALSE) {
  faults <- character()
  fault <- function(bad, what, pair) {
    if (bad) faults <<- union(faults, paste0(pair$location, "/", pair$scale, ": ", what))
  }
  for (i in seq_along(sets)) for (j in seq_len(nrow(pairs))) {
    if (first && length(faults) > 0) return(faults)
    y <- sets[[i]]
    pair <- pairs[j, ]
    of <- function(y, eta = 1, tau = 1, room = 1) run(y, pair$location, pair$scale, eta, tau, room, levels)
    here <- of(y)
    fault(leaves_bounds(here$bounds, seen[[i]], pair, max(abs(y))), "out of bounds", pair)
    for (try in 1:2) {
      z <- brute_pair(y, 1)[[2]]
      fault(breaks_nesting(here$bounds, of(z)$bounds), "not nested", pair)
    }
    if (pair$location == "huber" && length(y) > 20) {
      shift <- here$bounds[, "location_shift"]
      want <- twin_huber_shifts(y, levels)
      off <- abs(shift - want) > 1e-6 * want
      fault(any(is.finite(shift) != is.finite(want)) || any(off[is.finite(want)]),
            "not the formula's", pair)
    }
    # one direction: (2) asks for half the width of the range
    half <- (here$bounds[, "upper"] - here$bounds[, "lower"]) / 2 / here$bounds[, "least"]
    finite <- is.finite(here$central)
    fault(any(abs(here$central - half)[finite] > 2^-20), "left side of (2)", pair)
    # the decisions: at limits just above and just below what level k needs
    k <- (i + j) %% levels + 1L
    left <- here$bounds[, "location_shift"] + 0.7 * here$bounds[, "scale_shift"]
    left <- left / here$bounds[, "least"]
    central <- here$central[[k]]
    if (here$bounds[k, "least"] > 0 && left[[k]] > 1e-6 && max(left[[k]], central) < 100) {
      low <- of(y, left[[k]] * (1 - 1e-6), 0.7, central + (k + 0.5) * 2^-20)
      high <- of(y, left[[k]] * (1 + 1e-6), 0.7, central + (k + 1.5) * 2^-20)
      fault(low$sensitivity >= k || high$sensitivity < k, "decision of (1)", pair)
      # at the limit itself rounding may have hidden something
      fault(of(y, left[[k]], 0.7, 0)$sensitivity >= k, "limit of (1)", pair)
      fault(low$centre >= k || high$centre < k, "decision of (2)", pair)
      near <- of(z, left[[k]] * (1 + 1e-6), 0.7, central + (k + 1.5) * 2^-20)
      fault(abs(near$sensitivity - high$sensitivity) > 1 || abs(near$centre - high$centre) > 1,
            "margin moves by two", pair)
    }
  }
  faults
}

# As the package does it.
run_package <- function(y, location, scale, eta, tau, room, levels) {
  center <- dpdepth:::as_center(location, scale, 0.25, NULL, length(y))
  out <- .Call(dpdepth:::ffi_projection_margin, matrix(as.double(y)), matrix(1), center, c(eta, 2^-900),
               cbind(tau, room), levels, TRUE)
  list(bounds = name_bounds(out$bounds, levels), central = out$value, sensitivity = out$sensitivity,
       centre = out$central)
}

name_bounds <- function(bounds, levels) {
  structure(matrix(bounds, levels),
            dimnames = list(NULL, c("lower", "upper", "location_shift", "least", "scale_shift")))
}

# -- the kernels, compiled apart -------------------------------------------------------------------

margin_sources <- c("margin/projection", "margin/projection_center", "margin/huber",
                    "margin/mad", "margin/location", "margin/deviation", "geom/chebyshev",
                    "geom/chebyshev_exact", "num/big_integer", "num/location",
                    "num/range_scan", "num/order_stat", "num/select", "num/sort", "num/power_of_two",
                    "num/parallel", "num/project_block", "num/project", "num/directions")

margin_driver <- '
#include <stdlib.h>
#include "num/project_block.h"
#include "margin/projection.h"
static void *get(size_t count, size_t size) { return malloc(count * size + 1); } /* for a test: not freed */
void run_margin(double *y, int *n, double *c, double *limits, int *levels, double *bounds, double *central,
                double *out)
{
  double one = 1, t, s, *rows = malloc(dpd_padded((size_t)*n) * sizeof *rows);
  int which = 0, sensitivity = 0, centre = 0;
  dpd_margin m = {.n = *n, .d = 1, .count = 1, .dirs = &one, .threads = 1, .levels = *levels, .taus = 1};
  dpd_pack_rows(y, (size_t)*n, 1, NULL, rows);
  m.center = (dpd_center){(dpd_location)c[0], (dpd_scale)c[1], c[2], c[3], (int)c[4]};
  m.rows = rows;
  m.eta = limits[0];
  m.floor = limits[1];
  m.tau = limits + 2;
  m.room = limits + 3;
  m.location = &t;
  m.scale = &s;
  m.bounds = bounds;
  m.central = central;
  m.alloc = get;
  m.work = malloc(dpd_margin_scratch(&m));
  dpd_margin_begin(&m);
  dpd_margin_run(&m, 0, 1);
  dpd_margin_end(&m, &which, &sensitivity, &centre);
  out[0] = sensitivity;
  out[1] = centre;
  free(m.work);
  free(rows);
}
'

# The folder of C sources, or NULL where only the installed package is.
source_folder <- function() {
  here <- file.path("..", "..", "src")
  if (file.exists(file.path(here, "margin", "projection.c"))) here
}

# The objects of the installation that tools/install.sh keeps, if they are of these sources.
kept_objects <- function(folder) {
  kept <- file.path(folder, "..", "build", "objects")
  sources <- list.files(folder, recursive = TRUE, full.names = TRUE)
  made <- file.mtime(file.path(kept, "log"))
  if (is.na(made) || any(file.mtime(sources) > made)) return(character())
  objects <- paste0(margin_sources, ".o")
  stats::setNames(file.path(kept, objects), objects)
}

# A builder of shared libraries: builder(stem, from, to) compiles that file with the text replaced, and the
# others once, if at all; list(run, close).
margin_builder <- function(folder) {
  place <- tempfile("margin")
  dir.create(place)
  files <- c(list.files(folder, "[.]h$", recursive = TRUE), paste0(margin_sources, ".c"))
  for (file in files) {
    dir.create(file.path(place, dirname(file)), showWarnings = FALSE)
    file.copy(file.path(folder, file), file.path(place, file))
  }
  objects <- kept_objects(folder)
  # after the sources, so that make takes them as they are
  file.copy(objects, file.path(place, names(objects)))
  writeLines(margin_driver, file.path(place, "driver.c"))
  tool <- function(...) {
    old <- setwd(place)
    on.exit(setwd(old))
    out <- suppressWarnings(system2(file.path(R.home("bin"), "R"), c("CMD", "SHLIB", ...), stdout = TRUE,
                                    stderr = TRUE, env = "MAKEFLAGS=CFLAGS=-O0"))
    if (!is.null(attr(out, "status"))) stop(paste(out, collapse = "\n"))
    out
  }
  plain <- c("driver", margin_sources)
  openmp <- "$(SHLIB_OPENMP_CFLAGS)"
  writeLines(c("PKG_CPPFLAGS = -I.", paste("PKG_CFLAGS = -w", openmp), paste("PKG_LIBS =", openmp)),
             file.path(place, "Makevars"))
  said <- tool("-o", paste0("plain", .Platform$dynlib.ext), paste0(plain, ".c"))
  # one file again, and the link: as R has done it, without R and make
  compile <- grep(" -c driver[.]c ", said, value = TRUE)[[1]]
  link <- grep(paste0("plain", .Platform$dynlib.ext), said, value = TRUE, fixed = TRUE)
  link <- link[grepl("driver.o", link, fixed = TRUE)][[1]]
  again <- function(command) {
    old <- setwd(place)
    on.exit(setwd(old))
    if (system(paste(command, "2>&1"), ignore.stdout = TRUE) != 0) stop("failed: ", command)
  }
  built <- 0
  function(stem = NULL, from = NULL, to = NULL) {
    built <<- built + 1
    objects <- paste0(plain, ".o")
    patched <- paste0("planted", built)
    if (!is.null(stem)) {
      text <- paste(readLines(file.path(place, paste0(stem, ".c"))), collapse = "\n")
      once <- lengths(regmatches(text, gregexpr(from, text, fixed = TRUE))) == 1
      if (!once) stop("not once in ", stem, ": ", from)
      writeLines(sub(from, to, text, fixed = TRUE), file.path(place, paste0(patched, ".c")))
      again(gsub("driver", patched, compile, fixed = TRUE))
      objects[objects == paste0(stem, ".o")] <- paste0(patched, ".o")
    }
    library <- paste0(patched, .Platform$dynlib.ext)
    again(sub(paste(paste0(plain, ".o"), collapse = " "), paste(objects, collapse = " "),
              sub(paste0("plain", .Platform$dynlib.ext), library, link, fixed = TRUE), fixed = TRUE))
    dll <- dyn.load(file.path(place, library))
    symbol <- getNativeSymbolInfo("run_margin", dll)
    run <- function(y, location, scale, eta, tau, room, levels) {
      out <- .C(symbol, as.double(y), length(y), dpdepth:::as_center(location, scale, 0.25, NULL, length(y)),
                as.double(c(eta, 2^-900, tau, room)), levels, numeric(5 * levels), numeric(levels),
                numeric(2), NAOK = TRUE)
      list(bounds = name_bounds(out[[6]], levels), central = out[[7]], sensitivity = out[[8]][[1]],
           centre = out[[8]][[2]])
    }
    list(run = run, close = function() dyn.unload(file.path(place, library)))
  }
}
