# Private depth regions in the plane: the front door.

#' A private bagplot
#'
#' Releases what a bagplot shows of two variables under differential privacy: their median; the bag, a convex
#' polygon that holds half of the rows; and a fence about it, beyond which rows are unusual.
#'
#' @inheritParams dp_median
#' @param x Data of two variables: a matrix or data frame, one individual per row.
#' @param level Of the region: with `measure = "mass"` the share of rows that it holds, above 0 and below 1,
#'   0.5 for the bag; with `measure = "depth"` its halfspace depth, above 0 and below 0.5.
#' @param delta Zero for pure differential privacy. It is spent only where it makes the draws more accurate:
#'   with many directions and a large delta.
#' @param lower,upper Public bounds of each variable, in its units: one number, or one per variable. They say
#'   where the region can lie. The data may lie outside. Their widths are the units in which directions are
#'   evenly spaced, so wide bounds of one variable and tight ones of the other make a worse polygon.
#' @param prior Instead of bounds, a public prior by [prior_uniform()] or [prior_normal()]. With a public
#'   covariance, directions are evenly spaced in its units, which is far better for correlated variables.
#' @param measure What `level` is: `"mass"`, a share of the rows, as in the bagplot; or `"depth"`, as in
#'   [depth_region()].
#' @param directions `NULL` for the number of directions by the public rule under Details, or a whole number
#'   from 2 to 64. The polygon has up to twice as many sides.
#' @param fence The factor by which the region is enlarged about the median to make the fence: 3 in the
#'   bagplot; `NULL` for no fence. It costs nothing. The region ends at the public limits. The fence is this
#'   region, enlarged, and may reach beyond them.
#' @param interval `NULL`; or, with `measure = "depth"`, a level of confidence such as 0.95: see Confidence.
#' @param neighbours As in [dp_median()]; with `"add_remove"`, where n is private, the number of directions
#'   and the depth of the sides are those for 10,000 rows.
#' @param id `NULL`, or the person of each row: one row of each person is kept, see [dp_median()].
#' @param na `"fail"`: missing and infinite values are refused, which shows that there were some. Or public
#'   values that replace them, `"omit"`, or `"middle"`, with limits: see [dp_median()].
#' @param ... Must be empty: a name that is not an argument is refused, see [dpdepth-errors].
#' @details
#' **What is drawn.** The region of halfspace depth a is the intersection of the halfplanes u'z <= q(u), q(u)
#' being the quantile 1 - a of the rows along u. Along each of K public directions three quantiles, a, 1/2 and
#' 1 - a, are drawn together as [dp_quantile()] draws them. All draws share epsilon equally, or with `delta`
#' the zero-concentrated budget where that is more. The rest follows from them without the data: the *median*
#' is the point nearest to the K median lines by least squares; the *polygon* has 2K sides, one for each end
#' of each direction. Where noise puts a side on the wrong side of the median, the side is moved out to it, so
#' the region is never empty.
#'
#' **Mass.** With `measure = "mass"` one more draw finds the factor at which the polygon, blown up about the
#' median, holds this share of the rows. The polygon keeps the shape of the region of depth a. If regions of
#' all depths have one shape, as in elliptical distributions, it is the depth region of this mass. Otherwise
#' it is nearly that, because a is near the depth wanted. With `measure = "depth"` the polygon of depth
#' `level` is released, whatever it holds.
#'
#' **The public rule.** K is 16, 8 or 4, the largest that leaves each direction enough of the budget: 8 from
#' about 3200 rows at epsilon = 1, 16 from about 17000. The depth a is that of the region wanted at a normal
#' distribution, 0.12 for the bag, and nearer to 1/4 with few rows: sides farther in have less noise, but
#' follow skew shapes less. The release names both. With few sides the polygon is somewhat larger than the
#' region, by 5% of a disc's area with K = 4. Without privacy, see [depth_region()].
#'
#' **Confidence** (`interval = 0.95`, `measure = "depth"`). Two more polygons are released. With this
#' probability or more, sampling and noise counted, the outer one holds the population's region of depth
#' `level`, as far as it lies within the public limits, and the inner one lies within the population's region
#' of this depth along the K directions. Rows must be independent draws of one distribution; nothing else is
#' assumed, in samples of any size. The polygons come from intervals of both quantiles along each direction,
#' which take 0.7 of epsilon; K is 4, or 8 from `n * epsilon = 20000` on. A depth of 0.12 takes about 5000
#' rows at epsilon = 1, a depth of 0.25 about 2000. With fewer a side may be missing, and the inner polygon
#' empty.
#'
#' **Accuracy.** At epsilon = 1 and bounds of 50 standard deviations to each side, the area in which bag and
#' population's bag differed was 0.14 to 0.28 of the latter's with 1000 rows, and 0.05 to 0.10 with 5000
#' (without privacy 0.07 to 0.09, and 0.03 to 0.04). Table and proof of privacy are in
#' `vignette("proofs-region", "dpdepth")`.
#' @return A [`dp_release`][dp_release] of class `dp_region`. `estimate` is the median; `details$region` and
#'   `details$fence` have the polygons' vertices, counterclockwise, `details$quantiles` the drawn quantiles in
#'   units of the prior, one row per direction, `details$outer` and `details$inner` the polygons of
#'   `interval`, `details$side_depth` the depth a at which they were drawn, and `details$factor` the factor of
#'   the mass. `tidy()` has a row for each vertex and the median, with columns `part` and `vertex` and the two
#'   variables. `summary()` adds areas. No single rows are released: there is no loop, and no outliers are
#'   drawn.
#' @inheritSection dp_median Errors
#' @section Warnings: If n, the level, epsilon and the limits alone imply that the region is hardly more than
#' noise as wide as the limits, a warning of class `dpdepth_warning_accuracy` says so before anything is
#' spent.
#' @references
#' Kong, L. and Mizera, I. (2012). Quantile tomography: using quantiles with multivariate data. *Statistica
#' Sinica* 22, 1589-1610 (depth regions from quantiles along directions). \doi{10.5705/ss.2010.224}
#'
#' Rousseeuw, P. J., Ruts, I. and Tukey, J. W. (1999). The bagplot: a bivariate boxplot. *American
#' Statistician* 53, 382-387. \doi{10.1080/00031305.1999.10474494}
#' @examples
#' # eruptions of Old Faithful, duration and waiting time in minutes
#' bag <- dp_region(faithful, epsilon = 4, lower = 0, upper = c(10, 180))
#' bag
#' plot(bag)
#' head(tidy(bag))
#' @seealso [depth_region()] without privacy; [dp_median()] for a median alone, or with a
#'   confidence region.
#' @export
dp_region <- function(x, level = 0.5, epsilon, delta = 0, lower = NULL, upper = NULL, prior = NULL,
                      measure = c("mass", "depth"), directions = NULL, fence = 3, interval = NULL, ...,
                      neighbours = "substitution", id = NULL, ledger = NULL, rng = NULL, na = "fail") {
  release_by(region_mechanism(), door_call())
}

region_mechanism <- function() {
  new_mechanism(plan_polygons, draw_polygons,
                read = function(given) two_variables(plain_rows(read_rows(given))))
}

plan_polygons <- function(facts, given) {
  measure <- check_choice(given$measure, c("mass", "depth"), "measure")
  level <- check_number(given$level, "level", 0, if (measure == "mass") 1 else 0.5)
  directions <- if (!is.null(given$directions)) check_count(given$directions, "directions", 2L, 64L)
  fence <- if (!is.null(given$fence)) check_number(given$fence, "fence", 1, 100)
  prior <- public_prior(given$prior, given$lower, given$upper, 2, facts$names, "a region needs them")
  refuse_dyadic(prior, "a region")
  n <- facts$n
  plan <- if (is.null(given$interval)) {
    depth_region_plan(n, level, measure, given$epsilon, given$delta, directions, prior)
  } else {
    interval_region_plan(given$interval, n, level, measure, given$epsilon, directions, prior)
  }
  resolved <- resolved_spread(region_failure(n, plan), prior, names = facts$names)
  c(plan, list(
    label = "depth region", what = "depth region", class = "dp_region", fence = fence,
    private = facts$private, variables = facts$variables,
    details = c(region_details(plan), resolves_detail(resolved, facts$private)),
    warn = function(said) warn_region(resolved, n, plan, said)
  ))
}

# PRIVATE: rows.
draw_polygons <- function(rows, plan, source) {
  z <- whiten_rows(rows, plan$frame)
  quantiles <- draw_direction_quantiles(z, plan, source, plan$private)
  sides <- polygon_sides(quantiles, plan)
  gauge <- draw_gauge(z, sides, plan, source, plan$private)
  in_units <- function(p) name_columns(color_points(p, plan$frame), plan$variables)
  region <- in_units(blown_polygon(sides, gauge, plan$half))
  median <- in_units(matrix(sides$centre, 1))[1, ]
  confidence <- if (!is.null(plan$interval)) region_confidence(z, plan$interval, plan$half, in_units, source)
  colnames(quantiles) <- quantile_names(plan$probs)
  list(estimate = median, details = c(
    list(quantiles = quantiles), if (plan$measure == "mass") list(factor = gauge), list(region = region),
    confidence,
    if (!is.null(plan$fence)) {
      list(fence = blown_region(region, median, plan$fence), fence_factor = plan$fence)
    }
  ))
}

two_variables <- function(x) {
  if (ncol(x) == 2) return(x)
  stop_input("x", "data of two variables", sprintf("data of %d", ncol(x)),
             "Choose two columns, as in data[c(\"a\", \"b\")]; dp_quantile() is for one.")
}

# The polygon about the median, blown up.
blown_region <- function(region, median, factor) {
  out <- region
  for (j in 1:2) out[, j] <- median[[j]] + factor * (region[, j] - median[[j]])
  out
}

# What is public of the draws.
region_details <- function(plan) {
  k <- nrow(plan$directions)
  mass <- plan$measure == "mass"
  c(list(prior = plan$prior, measure = plan$measure, level = plan$level, directions = k,
         side_depth = plan$probs[[1]],
         epsilon_each = c(direction = plan$each[[1]], if (mass) c(mass = plan$each[[k + 1]]))),
    if (!is.null(plan$rho)) list(rho = plan$rho))
}

# Before the debit, from public numbers.
warn_region <- function(resolved, n, plan, said) {
  if (!is.null(plan$interval)) warn_interval(plan$interval$plans)
  numbers <- sprintf("n = %s, epsilon = %s and %d directions", said$rows(n), format(said$epsilon),
                     nrow(plan$directions))
  warn_resolved(resolved, n, numbers, what = "the region", mends = paste(
                  "More rows, a larger epsilon or tighter limits would help; see plan_region()"
                ))
}

# The polygons are described, not printed.
printed_details.dp_region <- function(x) { # nolint: object_name_linter.
  parts <- region_parts(x)
  sides <- vapply(parts, nrow, 0L)
  polygons <- paste0(toString(sprintf("%s of %d vertices", names(parts), sides)),
                     if (!is.null(parts$fence)) ", the region blown up about the median",
                     "; tidy() has them, plot() draws them")
  hidden <- c("region", "fence", "quantiles", "fence_factor", "outer", "inner")
  c(x$details[!names(x$details) %in% hidden], polygons = polygons)
}

region_parts <- function(x) {
  parts <- x$details[c("inner", "region", "outer", "fence")]
  parts[!vapply(parts, is.null, NA)]
}

#' @rdname dp_region
#' @param object A release by `dp_region()`.
#' @export
summary.dp_region <- function(object, ...) {
  check_dots(character(), "summary()")
  parts <- region_parts(object)
  areas <- data.frame(part = names(parts), vertices = vapply(parts, nrow, 0L),
                      area = vapply(parts, polygon_area, 0), row.names = NULL)
  structure(list(median = coef(object), parts = areas, title = with_point(title_lines(object)),
                 properties = with_point(release_properties(object))),
            class = c("summary.dp_region", "summary.dp_release"))
}

#' @export
format.summary.dp_region <- function(x, digits = 7L, ...) {
  median <- utils::capture.output(print(x$median, digits = digits))
  c(x$title, "", median, "", table_lines(x$parts, digits), "", property_lines(x$properties))
}

#' @rdname dp_region
#' @export
tidy.dp_region <- function(x, ...) {
  check_dots(c("conf.int", "conf.level"), "tidy()")
  parts <- c(list(median = t(x$estimate)), region_parts(x))
  rows <- vapply(parts, nrow, 0L)
  frame <- data.frame(part = rep(names(parts), rows), vertex = sequence(rows), do.call(rbind, parts),
                      row.names = NULL, check.names = FALSE)
  with_limits(frame, x, ...)
}

# -- pictures --------------------------------------------------------------------------------------

part_fills <- c(fence = "#E8F1FA", outer = "#C5DCEF", region = "#6BA3D0", inner = "#4A86B8")

# Polygons, outermost first, the median and the public box, of which no more is shown than lies about these.
picture.dp_region <- function(x, ...) { # nolint: object_name_linter.
  range <- public_range(x)
  parts <- if (inherits(x, "dp_region")) rev(region_parts(x)) else list(region = region_outline(x, range))
  axis <- function(j) {
    picture_axis(release_terms(x)[[j]], limits = range(unlist(lapply(parts, function(part) part[, j]))))
  }
  new_picture(list(
    layer("bars", range$lower[[1]], range$lower[[2]], xend = range$upper[[1]], yend = range$upper[[2]],
          colour = "grey60", lty = 2),
    Map(function(name, part) {
      layer("polygon", part[, 1], part[, 2], key = name, fill = part_fills[[name]], colour = "#1F5F99")
    }, names(parts), parts),
    centre_layer(x$estimate)
  ), axis(1), axis(2), plot_title(x), plane_caption(x))
}

picture.dp_median_region <- picture.dp_region # nolint: object_name_linter.

# The ellipse of a confidence region; the public box where it is infinite.
region_outline <- function(x, range) {
  radius <- x$details$region[[1, "radius"]]
  if (is.infinite(radius)) {
    return(cbind(range$lower[[1]] + c(0, 1, 1, 0) * (range$upper[[1]] - range$lower[[1]]),
                 range$lower[[2]] + c(0, 0, 1, 1) * (range$upper[[2]] - range$lower[[2]])))
  }
  angle <- 2 * pi * (seq_len(180) - 1) / 180
  reach <- radius * prior_reach(x$details$prior)$scale
  edge <- x$details$shape %*% rbind(cos(angle), sin(angle))
  cbind(x$estimate[[1]] + reach[[1]] * edge[1, ], x$estimate[[2]] + reach[[2]] * edge[2, ])
}

plane_caption <- function(x) {
  said <- if (inherits(x, "dp_region")) {
    sprintf("%s %s", x$details$measure, format(x$details$level))
  } else {
    paste0(sprintf("%s%% region", format(100 * x$details$level)),
           if (is.infinite(x$details$region[[1, "radius"]])) ", infinite: the public limits")
  }
  sprintf("%s; %s; dashed: the public limits, where in sight", guarantee_name(x), said)
}

# -- confidence ------------------------------------------------------------------------------------

#
# METHOD: a part of epsilon draws the region as ever; the rest pays for an interval of each end of each
#   direction, by two one-sided scans (mech-interval.R), that cover all together (Bonferroni). The halfplanes
#   at the outer limits hold the population's region; those at the inner ones lie within its region along
#   these directions. Nothing is assumed but that rows are independent draws of one distribution.
# REFERENCE: vignettes/proofs-region.Rmd, section 7.

region_split <- c(region = 0.3, interval = 0.7)

# What is public; refuses before the debit.
region_interval_plan <- function(interval, measure, level, n, epsilon, k, prior) {
  confidence <- check_interval_level_given(interval)
  if (measure != "depth") {
    stop_input("interval", "NULL with measure = \"mass\"", format(confidence),
               paste("Which depth has this mass depends on the population. Take measure = \"depth\";",
                     "level = 0.12 is the depth of the bag of a normal distribution."))
  }
  check_interval_budget(n, epsilon, 2 * k)
  each <- 1 - (1 - confidence) / (2 * k)
  plans <- interval_plans(n, c(level, 1 - level), each, epsilon / (2 * k) * (1 - 2^-40))
  list(confidence = confidence, plans = plans, directions = line_directions(k), prior = prior)
}

# All that is public of a region and its limits.
interval_region_plan <- function(interval, n, level, measure, epsilon, directions, prior) {
  # fewer directions where intervals share epsilon
  k <- if (!is.null(directions)) directions else if (n * epsilon >= 20000) 8L else 4L
  limits <- region_interval_plan(interval, measure, level, n, epsilon * region_split[["interval"]], k, prior)
  plan <- depth_region_plan(n, level, measure, epsilon * region_split[["region"]], 0, k, prior)
  plan$mechanism <- paste0(plan$mechanism, ", and two one-sided scans with noisy thresholds for each end")
  plan$total <- epsilon
  c(plan, list(interval = limits))
}

# Limits of the quantiles at depth and 1 - depth along each direction, K x 4. PRIVATE: z, rows in the prior's
# units.
draw_region_limits <- function(z, plan, source) {
  t(vapply(seq_len(nrow(plan$directions)), function(i) {
    u <- plan$directions[i, ]
    along <- matrix(u[[1]] * z[, 1] + u[[2]] * z[, 2])
    ends <- lapply(plan$plans, function(end) {
      draw_interval(along, end, direction_prior(plan$prior, u), source)[1, 1:2]
    })
    unlist(ends)
  }, numeric(4)))
}

# The polygons of the limits, within the square of half the width `half`, in the prior's units. An infinite
# limit bounds nothing; of the inner one it leaves nothing. Sides are moved by more than rounding may do.
limit_polygons <- function(limits, directions, half) {
  u <- rbind(directions, -directions)
  room <- 1e-9 * half
  cut <- function(at) {
    p <- half * cbind(c(-1, 1, 1, -1), c(-1, -1, 1, 1))
    for (i in which(at < Inf)) p <- clip_polygon(p, u[i, ], at[[i]])
    p[!duplicated(p), , drop = FALSE]
  }
  list(outer = cut(c(limits[, 4], -limits[, 1]) + room), inner = cut(c(limits[, 3], -limits[, 2]) - room))
}

# The released part of them.
region_confidence <- function(z, plan, half, in_units, source) {
  limits <- draw_region_limits(z, plan, source)
  parts <- lapply(limit_polygons(limits, plan$directions, half), in_units)
  c(parts, list(
    confidence = plan$confidence, shares = region_split,
    covers = sprintf(paste(
      "with probability %s or more, sampling and noise counted, the outer polygon holds the population's",
      "region of this depth, as far as it lies within the public limits, and the inner one lies within the",
      "population's region along the %d directions, if rows are independent draws of one distribution"
    ), format(plan$confidence), nrow(plan$directions))
  ))
}
