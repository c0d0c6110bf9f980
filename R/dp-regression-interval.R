# Intervals of a line's coefficients and predictions, by scans of nested slabs about the released line.
#
# METHOD: linear functions of the line (intercept and slope; with `at`, the slope and the predictions at the
#   two points) are scanned each by itself, inwards from the public range: M_i is the largest regression depth
#   of lines whose function lies outside the slab K_i about the released value (mech/slab_scan.c, rounded
#   upwards). The scans share the threshold's noise: centre, threshold and scans cost eps_1 + eps_2 + (scans)
#   eps_3. The slabs' intersection covers the line; what is not scanned has the range that they leave it.
#   For other quantiles than the median scores are shifted counts (mech-confidence-scan.R). Of several
#   quantiles each is a release by itself, with an equal share of epsilon. Both sides of a slab are one scan:
#   scans of each side by itself, which may end elsewhere, share eps_3, and were 4 to 34% wider in simulations
#   of normal, skew and heteroscedastic errors (n = 500 and 2000).
# COST: some hundred evaluations of O(n log n), wherever the regressor lies.
# REFERENCE: mech-confidence-scan.R; vignettes/proofs-region.Rmd.

# Shares of the budget and the ratio of neighbouring slabs, by simulation of y = x + N(0, 1) for n * epsilon
# from 300 to 5000. Fewer slabs have less chance to halt a scan far out: with 0.9 and a centre's share of 0.3
# errors of slopes were 1.1 to 1.5 times as large, and limits as wide or wider.
line_shares <- c(centre = 0.4, threshold = 0.18, scans = 0.42)
slab_ratio <- 0.75
# Of a flag, whose slope is as deep as half of the rows without it however far off it is: the slope's scan has
# most of what scans have, and slabs are few.
flag_ratio <- 0.6
flag_scans <- c(intercept = 0.1, slope = 0.9)

# The budget of a line's parts: the scans' shares one per form. A flag's centre has at least enough for three
# of ten rows to outweigh limits of 100 spreads (indicator_failure()), up to 0.6.
line_design <- function(n, epsilon, forms, flag) {
  if (!flag || nrow(forms) != 2) {
    return(list(shares = line_shares, halts = rep(1 / nrow(forms), nrow(forms)), ratio = slab_ratio))
  }
  centre <- min(0.6, max(0.43, 180 / (n * epsilon)))
  list(shares = c(centre = centre, threshold = 0.3 * (1 - centre), scans = 0.7 * (1 - centre)),
       halts = unname(flag_scans), ratio = flag_ratio)
}
slab_parts <- 40L # halvings of a cell
slab_rows_most <- 200000L

# What is public of each quantile; refuses before the debit. NULL without an interval. `weights`: of the
# quantiles.
plan_line_intervals <- function(interval, n, terms, epsilon, tau, prior, whitening, points, weights,
                                flag = FALSE) {
  if (is.null(interval)) return(NULL)
  share <- quantile_share(epsilon, tau)
  Map(function(tau, weights) {
    plan_line_interval(interval, n, terms, share, tau, prior, whitening, points, weights, flag)
  }, tau, weights)
}

# `flag`: is the regressor declared to be one? `near`: thresholds of other quantiles than the median for
# plans, which are quick.
plan_line_interval <- function(interval, n, terms, epsilon, tau, prior, whitening, points, weights,
                               flag = FALSE, near = FALSE) {
  level <- check_interval_level_given(interval)
  if (slope_count(terms) != 1 || !has_intercept(terms)) {
    mend <- if (!has_intercept(terms) || !identical(tau, 0.5)) "."
            else ", or method = \"batches\" for several regressors."
    stop_input("interval", "NULL without an intercept or with several regressors", format(level),
               paste0("Leave it out, or take a formula such as y ~ x", mend))
  }
  check_slab_rows(n, tau, level)
  corners <- line_corners(prior, whitening, points)
  # beyond, products with rows overflow, and what is made of a row is no number
  if (!all(abs(corners) <= slope_limit)) {
    stop_input("interval", "NULL with public limits of coefficients beyond 2^400", format(level),
               "Take larger units of the response, or nearer limits.")
  }
  forms <- line_forms(terms, points)
  design <- line_design(n, epsilon, forms, flag && identical(tau, 0.5))
  share <- epsilon * design$shares
  out <- list(level = level, forms = forms, corners = corners, shares = design$shares, ratio = design$ratio,
              sets = ceiling((if (is_dyadic(prior)) 46 else 40) * log(2) / -log(design$ratio)),
              centre = share[["centre"]], threshold = share[["threshold"]],
              halt = share[["scans"]] * design$halts * (1 - 2^-40), points = points)
  scans <- nrow(forms)
  if (identical(tau, 0.5)) {
    # a flag's rows are judged as a number's are: with_levels() adds the caution
    usual <- epsilon * line_shares
    check_scan_rows(n, epsilon, function(n) {
      scan_serves(n, level, usual[["threshold"]], usual[["scans"]] / scans, out$sets, scans)
    })
    out$t <- scan_threshold(n, 1 - level, scan_rates(out$threshold, out$halt), scans)
    return(out)
  }
  check_scan_rows(n, epsilon, function(n) {
    shifted_serves_scan(n, level, out$threshold, out$halt[[1]], out$sets, scans, weights)
  }, of = sprintf(" for `tau` = %s", format(tau)))
  sensitivity <- score_sensitivity(weights)
  out[c("threshold", "halt")] <- list(out$threshold / sensitivity, out$halt / sensitivity)
  out$t <- shifted_threshold(n, 1 - level, scan_rates(out$threshold, out$halt), scans, weights, near)
  c(out, list(weights = weights))
}

check_slab_rows <- function(n, tau, level) {
  median <- identical(tau, 0.5)
  most <- if (median) slab_rows_most else shifted_rows_most
  if (n <= most) return(invisible(NULL))
  stop_input("interval", sprintf("NULL for more than %s rows%s", grouped(most),
                                 if (median) "" else " and a quantile other than the median"), format(level),
             paste0("Leave it out, or take ", if (median) "method = \"batches\", or ",
                    "a random sample of the rows."))
}

# The functions that are scanned, rows of what multiplies intercept and slope.
line_forms <- function(terms, points) {
  if (is.null(points)) return(matrix(c(1, 0, 0, 1), 2, 2, dimnames = list(terms, NULL)))
  matrix(c(1, points$at[[1]], 1, points$at[[2]], 0, 1), 3, 2, byrow = TRUE,
         dimnames = list(c(point_names(1L), terms[[2]]), NULL))
}

# Coefficients at the corners of the prior's support.
line_corners <- function(prior, whitening, points) {
  about <- function(middle, reach) rbind(middle - reach, middle + reach)
  side <- if (is_dyadic(prior)) about(prior$origin, 2^44 * prior$unit)
          else if (inherits(prior, "dp_prior_normal")) about(prior$mean, 36 * prior$sd)
          else rbind(prior$lower, prior$upper)
  corners <- unname(as.matrix(expand.grid(side[, 1], side[, 2])))
  corners <- color_points(corners, whitening)
  t(apply(corners, 1, coefficients_of, points))
}

# Edges of slabs about `center` within the public range, from outside in: the left ones, the right ones. The
# last slab is nothing but the centre, so that the scan halts if any line of the range is deep enough.
slab_edges <- function(center, range, sets, ratio) {
  width <- c(Inf, (range[[2]] - range[[1]]) * ratio^seq_len(sets - 1), 0)
  list(left = pmax(center - width, range[[1]]), right = pmin(center + width, range[[2]]))
}

# Rows of a form a + b x = s: residuals y - s u - t v, t the other coordinate, split by x. Row by row; and,
# but for the median, the quantile's weights. s, t and y are those about a line that was released, so that
# products are as small as the differences that matter; `room` is what rounding may do to y. PRIVATE.
slab_rows <- function(x, y, form, points, weights = NULL, line = c(0, 0)) {
  x <- bounded(x)
  y <- bounded(y)
  rise <- line[[2]] * x
  room <- 2^-50 * (abs(y) + abs(line[[1]]) + abs(rise))
  y <- y - (line[[1]] + rise)
  one <- rep_len(1, length(x))
  if (form[[1]] == 0) { # a slope, about a public point
    pivot <- if (is.null(points)) 0 else mean(points$at)
    u <- bounded(x - pivot)
    v <- one
  } else {
    u <- one
    v <- bounded(x - form[[2]])
  }
  rows <- lapply(list(y = y, v = v, u = u, along = x, room = room), as.matrix)
  c(rows, if (!is.null(weights)) list(weights))
}

# Limits moved apart by more than rounding does to sums of numbers as large as `terms`.
outward <- function(limits, terms) limits + c(-1, 1) * 2^-49 * max(abs(terms))

# Limits of each form: one scan per row.
scan_line <- function(x, y, estimate, plan, source) {
  forms <- plan$forms
  # scores from 0 on: shifted ones lie on both sides of 0
  lift <- if (is.null(plan$weights)) 0L else length(y) * max(plan$weights)
  minimum <- scan_noise(plan$sets, nrow(forms), plan$t + lift, plan$threshold, plan$halt,
                        if (lift > 0) 2 * lift else length(y), source) - lift
  out <- matrix(0, nrow(forms), 2, dimnames = list(rownames(forms), c("lower", "upper")))
  for (j in seq_len(nrow(forms))) {
    range <- range(plan$corners %*% forms[j, ])
    center <- sum(forms[j, ] * estimate)
    edges <- slab_edges(0, outward(range - center, c(range, forms[j, ] * estimate)), plan$sets, plan$ratio)
    rows <- slab_rows(x, y, forms[j, ], plan$points, plan$weights, estimate)
    at <- .Call(ffi_slab_scan, rows, cbind(edges$left, edges$right), slab_parts, minimum[, j],
                matrix(0, 0, 2))[[1]]
    # it halts nowhere: no line of the public range is deep enough
    out[j, ] <- if (at > plan$sets) range
                else outward(center + c(edges$left[[at]], edges$right[[at]]), c(range, forms[j, ] * estimate))
    # a public bound was met
    out[j, out[j, ] <= range[[1]]] <- -Inf
    out[j, out[j, ] >= range[[2]]] <- Inf
  }
  out
}

# What a release holds of lines that were drawn and scanned, one per quantile.
lines_with_limits <- function(lines, plan) {
  several <- length(lines) > 1
  first <- plan$interval[[1]]
  stated <- list(level = first$level, shares = first$shares, simultaneous = !several,
               covers = "the line's true coefficients, if they lie within the public limits,",
               assumes = paste("errors are independent, each with", quantile_word(plan$tau),
                               "zero at its regressor's value; they need not have one distribution"))
  if (several) stated$together <- "quantile"
  ends <- Map(function(line, interval) {
    line_range(rbind(c(1, 0), c(0, 1)), interval$forms, line$limits)
  }, lines, plan$interval)
  if (!is.null(plan$points)) {
    stated$region <- do.call(rbind, Map(function(line, interval, tau) {
      out <- region_of(interval$forms, line$limits)
      if (several) rownames(out) <- paste0(rownames(out), ", tau ", format(tau))
      out
    }, lines, plan$interval, plan$tau))
  }
  list(estimate = unlist(lapply(lines, `[[`, "estimate")), exact = TRUE, details = c(plan$details, stated),
       interval = do.call(rbind, ends))
}

quantile_word <- function(tau) {
  if (length(tau) > 1) "that quantile" else if (tau == 0.5) "median" else paste("quantile", format(tau))
}

# What multiplies intercept and slope, and the limits of the sum.
region_of <- function(forms, limits) {
  structure(cbind(forms, limits), dimnames = list(rownames(forms), c("intercept", "slope", "lower", "upper")))
}

# Limits of the predictions at rows of regressors x, of all x together, those of the quantiles below one
# another. NA stays NA. NULL where limits do not hold together.
prediction_limits <- function(object, x) {
  x <- as.matrix(x)
  if (!isTRUE(object$details$simultaneous) && is.null(object$details$together)) return(NULL)
  tau <- object$details$tau
  if (length(tau) <= 1 && nrow(object$interval) != 2) {
    if (!is.null(object$details$region)) return(limits_from_points(object$details$region, x))
    return(box_range(cbind(rep_len(1, nrow(x)), x), object$interval))
  }
  region <- object$details$region
  if (is.null(region)) {
    region <- region_of(diag(2)[rep_len(1:2, nrow(object$interval)), , drop = FALSE], object$interval)
  }
  each <- nrow(region) / max(1, length(tau))
  do.call(rbind, lapply(seq_len(max(1, length(tau))), function(k) {
    region_limits(region[seq_len(each) + (k - 1) * each, , drop = FALSE], x)
  }))
}

# Of one line, all that lies in its region.
region_limits <- function(region, x) {
  out <- matrix(NA_real_, nrow(x), 2)
  known <- which(is.finite(x))
  wanted <- cbind(rep_len(1, length(known)), x[known])
  out[known, ] <- line_range(wanted, region[, 1:2, drop = FALSE], region[, 3:4, drop = FALSE])
  out
}

# The range of a + b q over the lines within the limits, for each row (1, q) of `wanted`. What is a form
# itself has its limits; else both ends are infinite if any limit is, and all corners are looked at.
line_range <- function(wanted, forms, limits) {
  out <- matrix(rep(c(-Inf, Inf), each = nrow(wanted)), ncol = 2, dimnames = list(NULL, c("lower", "upper")))
  corners <- if (all(is.finite(limits))) region_corners(forms, limits)
  for (i in seq_len(nrow(wanted))) {
    same <- which(forms[, 1] == wanted[i, 1] & forms[, 2] == wanted[i, 2])
    if (length(same) > 0) {
      out[i, ] <- limits[same[[1]], ]
    } else if (!is.null(corners)) {
      value <- corners %*% wanted[i, ]
      slack <- 1e-9 * max(abs(corners) %*% abs(wanted[i, ]))
      out[i, ] <- range(value) + c(-1, 1) * slack
    }
  }
  out
}

# Corners of the polygon of lines that keep all limits, some beyond it by rounding; if none keeps them, of the
# parallelogram of the first two forms.
region_corners <- function(forms, limits) {
  k <- nrow(forms)
  found <- NULL
  first <- NULL
  slack <- 1e-9 * (abs(limits[, 1]) + abs(limits[, 2]))
  for (i in seq_len(k - 1)) {
    for (j in seq.int(i + 1, k)) {
      for (ends in list(c(1, 1), c(1, 2), c(2, 1), c(2, 2))) {
        at <- solve(forms[c(i, j), ], c(limits[i, ends[[1]]], limits[j, ends[[2]]]), tol = 0)
        value <- forms %*% at
        if (i == 1 && j == 2) first <- rbind(first, at)
        if (all(value >= limits[, 1] - slack & value <= limits[, 2] + slack)) found <- rbind(found, at)
      }
    }
  }
  unname(if (is.null(found)) first else found)
}

# The chance that limits of a flag's slope, whose rarer value has the share `share`, are infinite: its scan
# halts at the first slab that is within them, outside of which fits are as deep as without those rows. By
# simulation slabs before it, which reach beyond the limits, hardly count.
flag_far <- function(plan, n, share) {
  rates <- scan_rates(plan$threshold, plan$halt[[length(plan$halt)]])
  1 - noise_law(plan$t - ceiling(n * (1 - share) / 2), rates$nu, rates$rho)
}
