# Exact laws, slow and simple and independent of the C code: of noise, histograms, scans, interior points.

# -- noise, and distances between laws ------------------------------------------------------------------

# P(z) proportional to exp(-|z| num/den) over the integers, in closed form.
pmf_laplace_discrete <- function(z, num, den = 1) {
  rate <- num / den
  tanh(rate / 2) * exp(-abs(z) * rate)
}

# The same over -bound, ..., bound, normalised by the sum itself.
pmf_laplace_truncated <- function(z, num, den, bound) {
  rate <- num / den
  ifelse(abs(z) <= bound, exp(-abs(z) * rate), 0) / sum(exp(-abs(seq(-bound, bound)) * rate))
}

# P(z) proportional to exp(-z^2 / (2 var)); the sum is cut at 40 sigma, where exp(-800) is left.
pmf_gaussian_discrete <- function(z, var_num, var_den = 1) {
  var <- var_num / var_den
  support <- seq(0, ceiling(40 * sqrt(var)) + 1)
  weight <- exp(-support^2 / (2 * var))
  exp(-z^2 / (2 * var)) / (2 * sum(weight) - 1)
}

# P(G = g) when P(G >= g) = exp(-g num/den).
pmf_geometric_exp <- function(g, num, den = 1) exp(-g * num / den) * -expm1(-num / den)

# The least delta for which P(S) <= exp(eps) Q(S) + delta for every event S: one direction.
hockey_stick <- function(p, q, eps) sum(pmax(p - exp(eps) * q, 0))

# max |log p - log q|: the least pure epsilon, both directions. Infinite when one law puts mass
# where the other has none.
max_log_ratio <- function(p, q) {
  either <- p > 0 | q > 0
  max(abs(log(p[either]) - log(q[either])))
}

# Counts of whole numbers over low, ..., high; everything else in one last cell.
count_over <- function(x, low, high) {
  inside <- x >= low & x <= high
  c(tabulate(x[inside] - low + 1, high - low + 1), sum(!inside))
}

# P(w) of rounded Laplace noise of scale t: over the half-odd numbers.
pmf_half <- function(w, t) 0.5 * exp(-(abs(w) - 0.5) / t) * -expm1(-1 / t)

# The divergence of the releases p, q = list(centre, scale) with product Laplace noise, the larger of both
# orders. (The real laws are those of rounded Laplace noise, clipped to the bounds: post-processing.)
laplace_divergence <- function(p, q, epsilon) {
  d <- length(p$centre)
  shift <- sum(abs(p$centre - q$centre))
  max(ruler(shift, p$scale, q$scale, epsilon, d), ruler(shift, q$scale, p$scale, epsilon, d))
}

# The law of one variable's draw over a lattice of candidates.
median_line_law <- function(x, epsilon, candidates) {
  h <- pmin(rowSums(outer(candidates, x, ">=")), rowSums(outer(candidates, x, "<=")))
  weight <- exp(epsilon * (h - max(h)) / 2)
  weight / sum(weight)
}

# The log ratios that occur, with their probabilities under the first law.
merge_losses <- function(loss, mass) {
  key <- round(loss, 9)
  mass <- tapply(mass, key, sum)
  list(loss = as.numeric(names(mass)), mass = as.numeric(mass))
}

# delta at epsilon of d draws, one a variable, each on the same pair of neighbours: exact.
composed_delta <- function(pair, each, d, epsilon) {
  p <- median_line_law(pair[[1]], each, 0:200)
  q <- median_line_law(pair[[2]], each, 0:200)
  one <- merge_losses(log(p / q), p)
  all <- list(loss = 0, mass = 1)
  for (j in seq_len(d)) {
    all <- merge_losses(as.vector(outer(all$loss, one$loss, "+")), as.vector(outer(all$mass, one$mass)))
  }
  sum(all$mass * pmax(0, -expm1(epsilon - all$loss)))
}

# The sharpest kind of pair (half of the mass gains, half loses), and others.
line_pairs <- list(list(c(0, 100), c(100, 200)), list(c(0, 100, 100), c(200, 100, 100)), list(0, 200),
                   list(c(20, 60, 90, 150), c(20, 60, 180, 150)))

# What a release must do besides, whatever its law.
must <- function(holds, what) {
  if (isTRUE(holds)) return(invisible(NULL))
  stop(structure(class = c("audit_breach", "error", "condition"), list(message = what, call = NULL)))
}

# Runs a release and records what its test is asked; the test passes.
recorded_test <- function(release, bindings = list()) {
  asked <- list()
  passing <- function(margin, epsilon, delta, rng) {
    asked[[length(asked) + 1]] <<- list(margin = margin, epsilon = epsilon, delta = delta)
    TRUE
  }
  out <- with_bindings(c(list(ptr_test = passing), bindings), release())
  must(length(asked) == 1, "one test")
  c(asked[[1]], list(release = out))
}

# Mass between u <= v, both on one side of the centre, of a Laplace law.
laplace_mass <- function(u, v, centre, scale) {
  left <- exp((pmin(v, centre) - centre) / scale) - exp((pmin(u, centre) - centre) / scale)
  right <- exp((centre - pmax(u, centre)) / scale) - exp((centre - pmax(v, centre)) / scale)
  0.5 * (left + right)
}

# The integral of (p - exp(e) q)+ for p Laplace at 0 of scale s, q at shift >= 0 of scale t: for each e.
# The log ratio of the densities is linear on three pieces.
ruler_line <- function(shift, s, t, e) {
  rise <- 1 / s - 1 / t
  at_zero <- log(t / s) + shift / t
  at_shift <- log(t / s) - shift / s
  excess <- function(u, v) {
    v <- pmax(u, v)
    q <- laplace_mass(u, v, shift, t)
    laplace_mass(u, v, 0, s) - ifelse(q > 0, exp(e + log(q)), 0)
  }
  before <- if (rise > 0) excess(pmin((e - at_zero) / rise, 0), 0)
            else if (rise < 0) excess(-Inf, pmin((e - at_zero) / rise, 0))
            else ifelse(at_zero > e, excess(-Inf, 0), 0)
  between <- excess(0, pmin(pmax((at_zero - e) / (1 / s + 1 / t), 0), shift))
  after <- if (rise < 0) excess(shift + pmax((e - at_shift) / -rise, 0), Inf)
           else if (rise > 0) ifelse(at_shift > e, excess(shift, shift + pmax((at_shift - e) / rise, 0)), 0)
           else ifelse(at_shift > e, excess(shift, Inf), 0)
  pmax(before, 0) + pmax(between, 0) + pmax(after, 0)
}

# The same in d coordinates, all of the shift along one axis (the worst, vignettes/proofs-smooth.Rmd, section
# 3): an integral over the l1 norm of the other coordinates, of law Gamma(d - 1).
ruler <- function(shift, s, t, e, d) {
  if (d == 1) return(ruler_line(shift, s, t, e))
  ends <- seq(0, 60, length.out = 3001)
  share <- -diff(stats::pgamma(ends, d - 1, lower.tail = FALSE))
  g <- (ends[-1] + ends[-3001]) / 2
  sum(share * ruler_line(shift, s, t, e - (d - 1) * log(t / s) + g - g * s / t))
}

# -- the corner of the smooth bounds -----------------------------------------------------------

# How far the log of the noise's scale moves, at most, when equal rows are replaced one by one by the box's
# upper corner: at beta = 1 and an alpha of 1/2, in a box of 2^40 steps (2^28 for the plane's exact regions,
# whose halfplanes are made of products). At most 1 and what rounding up adds. A fall from the whole box to
# the least scale takes 40 levels or so: all of them are looked at.
corner_climb <- function(method, d, n = 60) {
  top <- if (method == "exact" && d == 2) 2^28 else 2^40
  constants <- list(alpha = 0.5, smoothness = 1, rounding = 2^-20)
  grid <- list(lower = rep(0, d), upper = rep(top, d))
  scales <- vapply(0:n, function(k) {
    rows <- matrix(rep(c(top, 0), c(k, n - k)), n, d)
    smooth_law(rows, grid, constants, method)$scale
  }, 0)
  must(min(scales) < 1.01 * min_scale && max(scales) > top, "from one end to the other")
  max(abs(diff(log(scales))))
}

corner_most <- 1 + 1.01 * 2^-20

corner_cases <- list(list("exact", 1), list("exact", 2), list("directional", 2), list("marginal", 2),
                     list("directional", 3))

# Propose, test, release: P(margin + Z > T), Z discrete Laplace.
pass_exactly <- function(margin, epsilon, delta) {
  q <- exp(-epsilon)
  above <- ptr_threshold(epsilon, delta) + 1 - margin
  ifelse(above > 0, q^above, 1 + q - q^(1 - above)) / (1 + q)
}

# -- histograms -----------------------------------------------------------------------------------------

# Exact laws of private histograms: all values of the noise, one after the other, through the package's
# code.

# What comes of `run()` with each value of its integer noise up to `most`, and how likely it is: a named
# vector.
histogram_law <- function(run, most = 12) {
  asked <- NULL
  value <- NULL
  give <- function(n, num, den = 1, rng = NULL) {
    asked <<- c(n, num / den)
    if (is.null(value)) numeric(n) else value
  }
  with_bindings(list(draw_laplace_discrete = give), {
    run()
    noise <- as.matrix(expand.grid(rep(list(-most:most), asked[[1]])))
    seen <- vapply(seq_len(nrow(noise)), function(i) {
      value <<- unname(noise[i, ])
      paste(unlist(run()), collapse = " ")
    }, "")
  })
  q <- exp(-asked[[2]])
  chance <- exp(rowSums(matrix(log((1 - q) / (1 + q)) + log(q) * abs(noise), nrow(noise))))
  law <- tapply(chance, seen, sum)
  stats::setNames(as.vector(law), names(law))
}

# max over events of P(E) - exp(epsilon) Q(E), in both directions.
law_gap <- function(p, q, epsilon) {
  at <- union(names(p), names(q))
  p <- ifelse(is.na(p[at]), 0, p[at])
  q <- ifelse(is.na(q[at]), 0, q[at])
  max(sum(pmax(0, p - exp(epsilon) * q)), sum(pmax(0, q - exp(epsilon) * p)))
}

# The same of a histogram with infinitely many bins, or, with `breaks`, of public ones.
histogram_gap <- function(x, y, epsilon, delta, breaks = NULL, neighbours = "substitution") {
  law <- function(x) {
    bins <- histogram_bins(x, breaks, NULL, if (is.null(breaks)) 1, 0)
    plan <- histogram_plan(epsilon, delta, bins, neighbours == "add_remove")
    # wide enough for the noise, and both values at the ends count
    histogram_law(function() draw_histogram(list(value = x), bins, plan, "system")[c("term", "count")],
              ceiling(10 * plan$rate[[2]] / plan$rate[[1]]))
  }
  law_gap(law(x), law(y), epsilon)
}

histograms_are_wrong <- function() {
  cut <- 1e-4 # what enumeration leaves out
  pairs <- list(list(c(1, 1), c(1, 2)), list(c(1, 2), c(1, 3)), list(1, 2))
  # what a bug shows in first ends the search
  for (p in pairs) if (histogram_gap(p[[1]], p[[2]], 2, 0.05) > 0.05 + cut) return(TRUE)
  for (p in pairs[1:2]) if (histogram_gap(p[[1]], p[[2]], 2, 0, c(1, 2, 9)) > cut) return(TRUE)
  histogram_gap(c(1, 2), 1, 1, 0.05, NULL, "add_remove") > 0.05 + cut ||
    histogram_gap(numeric(), 1, 1, 0.05, NULL, "add_remove") > 0.05 + cut ||
    histogram_gap(c(1, 5, 5), c(1, 5), 1, 0, c(1, 2, 9), "add_remove") > cut
}

# -- scans of intervals by their definition, and what could be wrong with them --------------------------

# P(stop at the first point of stretch k), or past all, of a scan over stretches of `len` points with one
# count each. `rho`: NULL, or the threshold's noise, to condition on it.
stretch_law <- function(count, len, t, rates, rho = NULL) {
  weight <- 1
  if (is.null(rho)) {
    rho <- 0:ceiling(60 / rates$rho)
    weight <- exp(-rates$rho * rho) * -expm1(-rates$rho)
  }
  passed <- rep(1, length(rho))
  out <- numeric(length(count) + 1)
  for (k in seq_along(count)) {
    stop <- pmin(1, exp(-rates$nu * (t + rho - count[[k]] + 1)))
    out[[k]] <- sum(weight * passed * stop)
    passed <- passed * exp(len[[k]] * log1p(-stop))
  }
  out[[k + 1]] <- sum(weight * passed)
  out
}

# The joint law of both scans' places for rows on 0, ..., side - 1 without a centre: each grid has all points.
places_law <- function(x, side, t, rates, stretch = stretch_law) {
  down <- (side - 1):0
  first <- stretch(vapply(down, function(g) sum(x >= g), 0), rep(1, side), t, rates)
  second <- stretch(vapply(rev(down), function(g) sum(x <= g), 0), rep(1, side), t, rates)
  as.vector(outer(first, second))
}

# The least and largest sets of n rows on 0, ..., side - 1, up to order.
row_sets <- function(n, side) {
  grid <- as.matrix(expand.grid(rep(list(seq_len(side) - 1), n)))
  unique(t(apply(grid, 1, sort)))
}

# The largest log ratio over all neighbours.
largest_loss <- function(n, side, t, rates, law = places_law, ...) {
  sets <- row_sets(n, side)
  laws <- lapply(seq_len(nrow(sets)), function(i) log(law(sets[i, ], side, t, rates, ...)))
  key <- apply(sets, 1, paste, collapse = " ")
  worst <- 0
  for (i in seq_len(nrow(sets))) for (k in seq_len(n)) for (v in seq_len(side) - 1) {
    if (v <= sets[i, k]) next
    other <- match(paste(sort(replace(sets[i, ], k, v)), collapse = " "), key)
    worst <- max(worst, abs(laws[[i]] - laws[[other]]))
  }
  worst
}

# P(B + nu - rho <= t) by sums over all three.
miss_probability <- function(n, p, t, rates) {
  z <- seq(-ceiling(45 / rates$rho), ceiling(45 / rates$nu))
  noise <- vapply(z, function(v) {
    rho <- seq(max(0, -v), max(0, -v) + ceiling(45 / rates$rho))
    sum(exp(-rates$rho * rho - rates$nu * (rho + v))) * expm1(-rates$rho) * expm1(-rates$nu)
  }, 0)
  sum(vapply(0:n, function(b) stats::dbinom(b, n, p) * sum(noise[z <= t - b]), 0))
}

# -- what a replaced row does to an interior point's two steps ------------------------------------------

# The law of the scale that is drawn of `x`, by all orders of rows, and of each order all scores: a list
# of a matrix of scores (a row an order) as the package makes them, from draw_interior() itself.
scores_by_order <- function(x) {
  seen <- list()
  keep <- function(x, rate, source) {
    seen[[length(seen) + 1]] <<- list(order = x, score = pair_scores(x), rate = rate)
    1
  }
  orders <- permutations(length(x))
  for (i in seq_len(nrow(orders))) {
    with_bindings(list(draw_pair_scale = keep, random_order = function(n, source) orders[i, ]),
                  draw_interior(x, interior_plan(1, 0.01), "R"))
  }
  seen
}

permutations <- function(n) {
  all <- as.matrix(expand.grid(rep(list(seq_len(n)), n)))
  unname(all[apply(all, 1, anyDuplicated) == 0, , drop = FALSE])
}

# The probability that each candidate wins, exactly: geometric noise at a rate, ties to the first.
winner_law <- function(score, rate) {
  q <- exp(-rate)
  top <- max(score) + ceiling(30 / rate)
  v <- 0:top
  # P(score + noise <= v), each
  below <- vapply(score, function(s) ifelse(v >= s, 1 - q^(v - s + 1), 0), 0 * v)
  atom <- rbind(below[1, ], diff(below))
  before <- rbind(0, below[-nrow(below), , drop = FALSE])
  vapply(seq_along(score), function(i) {
    first <- seq_along(score) < i
    others <- apply(cbind(before[, first], below[, !first & seq_along(score) != i, drop = FALSE]), 1, prod)
    sum(atom[, i] * others)
  }, 0)
}

# Neighbours differ in the last row: with the rows in the same order, how far the worst score moves, and
# the log ratio of the laws of the scale over all orders, for some binades.
scale_moves <- function(p, at) {
  seen <- lapply(p, scores_by_order)
  moves <- Map(function(a, b) max(abs(a$score - b$score)), seen[[1]], seen[[2]])
  laws <- lapply(seen, function(orders) {
    # many orders have the same pairs, and the same scores
    key <- vapply(orders, function(s) paste(c(s$score[at], s$rate), collapse = " "), "")
    first <- which(!duplicated(key))
    each <- vapply(orders[first], function(s) winner_law(s$score[at], s$rate[[1]] / s$rate[[2]]), 0 * at)
    drop(each %*% tabulate(match(key, key[first]))) / length(orders)
  })
  c(move = max(unlist(moves)), loss = max(abs(log(laws[[1]] / laws[[2]]))))
}

interiors_are_wrong <- function() {
  neighbours <- list(list(c(0, 1, 3, 100), c(0, 1, 3, 7)), list(c(0, 100, 200, 1000), c(0, 100, 200, 201)),
                     list(c(100, 101, 102, 0), c(100, 101, 102, 101)))
  # binades of 1 to 128
  at <- 1074 + 1:9
  epsilon <- interior_shares[["scale"]] # of epsilon = 1
  plan <- interior_plan(1, 0.01)
  loss <- function(rate) 2 * rate[[1]] / rate[[2]]
  shows <- exp(-(plan$threshold - 1) * loss(plan$location) / 2) / (1 + exp(-loss(plan$location) / 2))
  own <- with_bindings(list(draw_geometric_exp = function(n, num, den, rng) {
    if (n != length(binades) + 1) stop("noise is shared")
    numeric(n)
  }), tryCatch(draw_pair_scale(c(1, 2, 4, 9), plan$scale, "R") > 0, error = function(e) FALSE))
  if (loss(plan$scale) + loss(plan$location) > 1 || shows > 0.01 || !own) return(TRUE)
  for (pair in neighbours) {
    far <- scale_moves(pair, at)
    if (far[["move"]] > 1 || far[["loss"]] > epsilon * (1 + 1e-6)) return(TRUE)
  }
  # a middle slice is sorted: a row that changes its rank would shift others against their partners
  slices <- lapply(c(0, 32), function(row) middle_rows(c(49, row, -9, 16, 99, 33), c(2L, 5L)))
  scale_moves(slices, at)[["loss"]] > epsilon * (1 + 1e-6)
}

# -- where n is private ----------------------------------------------------------------------------------

# The law of the pairs' distances of a random order, as a list of their sorted scores and its probabilities.
pair_laws <- function(x) {
  orders <- permutations(length(x))
  pairs <- length(x) %/% 2
  score <- apply(orders, 1, function(o) {
    y <- x[o]
    paste(pair_scores(y)[1074 + 1:9], collapse = " ")
  })
  table(score) / length(score)
}

# The loss of the scale's draw where a row is added: over all orders of both data sets.
private_scale_loss <- function(x, new) {
  rate <- interior_plan(1, 0.01, private = TRUE)$scale
  law <- function(x) {
    each <- pair_laws(x)
    laws <- vapply(strsplit(names(each), " "), function(s) {
      winner_law(as.numeric(s), rate[[1]] / rate[[2]])
    }, numeric(9))
    drop(laws %*% as.vector(each))
  }
  max(abs(log(law(x) / law(c(x, new)))))
}
