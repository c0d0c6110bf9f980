# The population side: how fast depth falls off around the median, and constants of the depths.

#' Discrepancy function of a depth
#'
#' Computes the fall of the depth at distance t or more from the median:
#' \deqn{\alpha(t) = D(\theta) - \sup_{\|x - \theta\| \ge t} D(x)}{alpha(t) = D(theta) - sup of D(x) over
#' ||x - theta|| >= t}
#' for a population with median \eqn{\theta}. The function governs the accuracy of a depth-based median,
#' private or not: if empirical depths are within e of the population's, the median is within the distance t
#' for which \eqn{\alpha(t) = 2e}. Give `alpha` instead of `t` to find the distance.
#'
#' **Populations.** The coordinates are independent and centred at zero: normal with standard deviations
#' `scale`, or Cauchy with scale parameters `scale`. The projection on u is then distributed as a(u) times a
#' variable with distribution function \eqn{F_0}, with \eqn{a(u)^2 = \sum u_j^2 \sigma_j^2}{a(u)^2 = sum(u^2
#' scale^2)} for the normal and \eqn{a(u) = \sum |u_j| \sigma_j}{a(u) = sum(|u| scale)} for Cauchy. A normal
#' population with correlated coordinates has the discrepancy of its principal components; `scale` then holds
#' the square roots of the eigenvalues.
#'
#' **Halfspace depth.** The discrepancy is \eqn{F_0(t/c) - 1/2}. For the normal c is the largest of `scale`;
#' for Cauchy it is the Euclidean norm of `scale`, so that the discrepancy decreases with the dimension.
#'
#' **Integrated depths** (see [depth_irw()]). The discrepancy is \eqn{1 - 2 E F_0(-|u'x|/a(u))} and
#' \eqn{1/4 - E F_0(u'x/a(u)) F_0(-u'x/a(u))}, at the worst x of length t. For a normal population with equal
#' scales every x is the worst one, and the mean is one integral, evaluated numerically. Otherwise the mean is
#' over uniform public directions (Monte Carlo, with a standard error in column `se`). The worst x is sought
#' among the axes, the main directions of `scale` and equal mixtures of the axes of largest scale, and by a
#' local search from the worst of these. The result is an upper bound of the discrepancy, up to the Monte
#' Carlo error. The smoothed depth has \eqn{E plogis(smooth (t - a(u) Y))}, \eqn{Y \sim F_0}{Y from F_0}, in
#' the place of \eqn{F_0}.
#'
#' **Spatial depth.** The depth is 1 at the median. The discrepancy is the length of \eqn{E (x - X)/|x - X|},
#' an integral over products of normal or of Voigt functions of single coordinates, evaluated numerically for
#' both populations. For the modified depth it is the square of that. The depth need not decrease along rays,
#' so that points farther away than t are searched, too.
#'
#' **Simplicial depth.** The depth is \eqn{2^{-d}} at the median, which is also the largest possible
#' discrepancy. For the normal, depth is \eqn{2^{-d} E g(u)}{2^-d E g(u)} over directions u of d + 1
#' dimensions, with a density g in closed form: one integral in the plane, Monte Carlo over uniform public
#' directions beyond. For Cauchy, up to ten dimensions, it is the share of `directions` independent simplices
#' that hold x (one of the candidates above), which is inaccurate where the depth is near 1/`directions`.
#'
#' @param depth `"halfspace"`, `"simplicial"`, `"spatial"`, `"spatial modified"`, `"irw"` or `"idd"`; several
#'   for comparison.
#' @param distribution `"gaussian"` or `"cauchy"`.
#' @param t Distances from the median, positive; or `NULL`, with `alpha` given.
#' @param d Dimensions, one or several.
#' @param scale Standard deviations or Cauchy scales: one number, or one for each variable.
#' @param smooth For `"idd"`: the slope of the steps, `Inf` for none.
#' @param directions How many uniform directions (or simplices) the Monte Carlo mean takes.
#' @param alpha Instead of `t`: positive values of the discrepancy; the function finds their distances.
#' @param ... Must be empty: a name that is not an argument is refused, see [dpdepth-errors].
#' @return A data frame of class `dp_discrepancy` with columns `depth`, `distribution`, `d`, `t`, `alpha` and
#'   `se` (the standard error of `alpha`, 0 for formulas), one row for each combination; `t` is in the
#'   units of `scale`, depths are shares. Where `alpha` was given, `t` is `Inf` if no distance is enough, and
#'   the plot is that of Figure 1 of the paper: log t against the dimension. `plot()` returns its argument,
#'   invisibly; `autoplot()` a ggplot.
#' @section Errors:
#' A bad argument raises `dpdepth_error_input`, see [dpdepth-errors].
#' @references
#' Ramsay, K., Jagannath, A. and Chenouri, S. (2022). Differentially private multivariate medians.
#' \doi{10.48550/arXiv.2210.06459}, equation 2.3, Table 1 and Figure 1.
#' @examples
#' discrepancy("halfspace", "gaussian", t = c(0.5, 1, 2), d = 5)
#'
#' # as the dimension grows: halfspace depth suffers least from Cauchy tails
#' plot(discrepancy(c("halfspace", "irw", "idd"), "cauchy", alpha = 0.05,
#'                  d = c(2, 5, 10), directions = 2000))
#' @export
discrepancy <- function(depth = c("halfspace", "irw", "idd"), distribution = c("gaussian", "cauchy"),
                        t = NULL, d, scale = 1, smooth = Inf, directions = 10000L, alpha = NULL, ...) {
  check_given()
  task <- check_discrepancy(depth, distribution, d, scale, smooth, directions)
  if (is.null(t) == is.null(alpha)) {
    stop_input("t", "given, or `alpha` in its place", if (is.null(t)) "missing" else "given with it",
               "Give one of the two; the other is found.")
  }
  out <- if (is.null(alpha)) alpha_at(task, check_positive(t, "t"))
         else distance_of(task, check_positive(alpha, "alpha"))
  new_discrepancy(out[c("depth", "distribution", "d", "t", "alpha", "se")], if (is.null(alpha)) "t" else "d",
                  task)
}

alpha_at <- function(task, t) {
  out <- discrepancy_rows(task, "t", t)
  for (i in seq_len(nrow(out))) {
    found <- discrepancy_at(task, out$depth[[i]], out$d[[i]], out$t[[i]])
    out$alpha[[i]] <- found[[1]]
    out$se[[i]] <- found[[2]]
  }
  out
}

distance_of <- function(task, alpha) {
  out <- discrepancy_rows(task, "alpha", alpha)
  for (i in seq_len(nrow(out))) {
    alpha_of <- function(t) discrepancy_at(task, out$depth[[i]], out$d[[i]], t, search = FALSE)
    out$t[[i]] <- increasing_root(function(t) alpha_of(t)[[1]] - out$alpha[[i]])
    if (is.finite(out$t[[i]])) out$se[[i]] <- alpha_of(out$t[[i]])[[2]]
  }
  out
}

check_discrepancy <- function(depth, distribution, d, scale, smooth, directions) {
  depths <- c("halfspace", "simplicial", "spatial", "spatial modified", "irw", "idd")
  if (!is.character(depth) || length(depth) == 0 || !all(depth %in% depths)) {
    stop_input("depth", paste("one or more of", toString(dQuote(depths, FALSE))), describe(depth),
               "Give their names as text.")
  }
  distribution <- check_choice(distribution, c("gaussian", "cauchy"), "distribution")
  d <- check_dimensions(d)
  scale <- check_positive(scale, "scale")
  if (any(scale < 1e-100 | scale > 1e100)) {
    stop_input("scale", "from 1e-100 to 1e100", describe_numbers(scale, scale < 1e-100 | scale > 1e100),
               "Take other units.")
  }
  if (length(scale) > 1 && any(d != length(scale))) {
    of <- if (length(d) == 1) sprintf(" (%d)", d)
    stop_input("scale", paste0("one number, or as many as dimensions", of),
               sprintf("%d", length(scale)))
  }
  list(depth = unique(depth), distribution = distribution, d = d, scale = scale,
       smooth = check_smooth(smooth), directions = check_count(directions, "directions"))
}

check_dimensions <- function(d) {
  d <- check_positive(d, "d")
  bad <- d > 1e6 | d != round(d)
  if (any(bad)) stop_input("d", "whole numbers from 1 to 1000000", describe_numbers(d, bad))
  as.integer(d)
}

check_positive <- function(x, arg) {
  if (!is.numeric(x) || is.object(x) || length(x) == 0) stop_input(arg, "positive numbers", describe(x))
  if (!all(is.finite(x)) || any(x <= 0)) {
    stop_input(arg, "positive numbers", "numbers of which some are not",
               "Leave out zeros and missing values.")
  }
  as.double(x)
}

# One row for each combination; unknown values are missing.
discrepancy_rows <- function(task, given, values) {
  out <- expand.grid(v = values, d = task$d, depth = task$depth, stringsAsFactors = FALSE,
                     KEEP.OUT.ATTRS = FALSE)
  names(out)[[1]] <- given
  out$distribution <- task$distribution
  out[[setdiff(c("t", "alpha"), given)]] <- NA_real_
  out$se <- 0
  out
}

new_discrepancy <- function(out, along, task) {
  structure(out, class = c("dp_discrepancy", "data.frame"), along = along, scale = task$scale,
            smooth = task$smooth, directions = task$directions)
}

# The root of an increasing function on (0, Inf), or Inf if there is none below 1e12.
increasing_root <- function(f) {
  upper <- 1
  while (f(upper) < 0) {
    upper <- upper * 4
    if (upper > 1e12) return(Inf)
  }
  lower <- upper / 4
  while (f(lower) > 0) lower <- lower / 4
  exp(stats::uniroot(function(v) f(exp(v)), log(c(lower, upper)), tol = 1e-8)$root)
}

#' @export
print.dp_discrepancy <- function(x, digits = 4, ...) {
  inverse <- attr(x, "along") == "d"
  cat(if (inverse) "Distance from the median at which depth has fallen by alpha\n"
      else "Fall of depth at distance t from the median\n")
  out <- as.data.frame(x)
  class(out) <- "data.frame"
  if (all(out$se == 0)) out$se <- NULL
  print(out, digits = digits, row.names = FALSE)
  invisible(x)
}

# What the plots show: place, height and line of each row that has a finite height.
discrepancy_lines <- function(x) {
  inverse <- attr(x, "along") == "d"
  other <- if (inverse) x$alpha else x$d
  group <- if (length(unique(other)) == 1) x$depth else paste(x$depth, other, sep = ", ")
  out <- data.frame(at = if (inverse) x$d else x$t, value = if (inverse) log(x$t) else x$alpha,
                    group = factor(group, unique(group)))
  structure(out[is.finite(out$value), ], xlab = if (inverse) "dimension" else "distance t",
            ylab = if (inverse) "log t" else "discrepancy")
}

#' @rdname discrepancy
#' @param x,object A `dp_discrepancy`.
#' @param ... For `plot()`: graphical parameters; for `autoplot()`: none.
#' @export
plot.dp_discrepancy <- function(x, ...) plot_picture(x, picture(x), ...)

#' @rdname discrepancy
#' @method autoplot dp_discrepancy
#' @rawNamespace S3method(ggplot2::autoplot,dp_discrepancy)
autoplot.dp_discrepancy <- function(object, ...) {
  check_dots(character(), "autoplot()")
  picture_ggplot(picture(object))
}

picture.dp_discrepancy <- function(x, ...) { # nolint: object_name_linter.
  lines <- discrepancy_lines(x)
  groups <- split(lines, lines$group)
  layers <- series_layers(names(groups), function(name, colour, lty, pch) {
    mine <- groups[[name]][order(groups[[name]]$at), ]
    list(layer("lines", mine$at, mine$value, colour = colour, lty = lty, key = name),
         layer("points", mine$at, mine$value, colour = colour, pch = pch, key = name))
  })
  new_picture(layers, picture_axis(attr(lines, "xlab")), picture_axis(attr(lines, "ylab")),
              x$distribution[[1]])
}

# -- depths of the discrepancy ---------------------------------------------------------------------

# c(discrepancy, standard error) at distance t in dimension d.
discrepancy_at <- function(task, depth, d, t, search = TRUE) {
  cdf <- switch(task$distribution, gaussian = stats::pnorm, cauchy = stats::pcauchy)
  scale <- rep_len(task$scale, d)
  if (depth == "halfspace") {
    reach <- if (task$distribution == "gaussian") max(scale) else sqrt(sum(scale^2))
    return(c(cdf(t / reach) - 0.5, 0))
  }
  if (depth == "simplicial") return(simplicial_discrepancy(t, scale, task, cdf))
  if (depth %in% c("spatial", "spatial modified")) {
    return(spatial_discrepancy(t, scale, task, cdf, depth == "spatial modified", search))
  }
  smooth <- if (depth == "idd") task$smooth else Inf
  if (d == 1) return(c(univariate_discrepancy(t, scale, depth, cdf, smooth), 0))
  if (task$distribution == "gaussian" && all(scale == scale[[1]])) {
    return(c(spherical_discrepancy(t, d, scale[[1]], depth, cdf, smooth), 0))
  }
  directional_discrepancy(t, scale, task, depth, cdf, smooth, search)
}

# What the univariate depth at distance z from the centre lacks, F = F_0(./a) or its smoothed form.
univariate_discrepancy <- function(z, a, depth, cdf, smooth) {
  if (is.finite(smooth)) {
    g <- smoothed_cdf(z, a, cdf, smooth)
    return((g - 0.5)^2)
  }
  upper <- cdf(abs(z) / a) - 0.5
  if (depth == "irw") 2 * upper else upper^2
}

# E plogis(s (z - a Y)): P(a Y + L/s <= z) with L logistic, by the trapezoid rule, with an error that is
# exponentially small for a smooth integrand that vanishes at both ends.
smoothed_cdf <- function(z, a, cdf, s) {
  v <- seq(-38, 38, by = 0.25)
  out <- numeric(length(z))
  a <- rep_len(a, length(z))
  weight <- 0.25 * stats::dlogis(v)
  for (k in seq_along(v)) out <- out + weight[[k]] * cdf((z - v[[k]] / s) / a)
  out
}

# The first coordinate of a uniform direction is sin(phi), with density proportional to
# cos(phi)^(d - 2) on the half circle.
spherical_discrepancy <- function(t, d, scale, depth, cdf, smooth) {
  total <- beta(0.5, (d - 1) / 2)
  density <- function(phi) 2 * cos(phi)^(d - 2) / total
  part <- function(phi) univariate_discrepancy(t * sin(phi), scale, depth, cdf, smooth) * density(phi)
  # where the density is, so that a high dimension's peak at zero is not missed
  width <- min(pi / 2, 12 / sqrt(d))
  found <- stats::integrate(part, 0, width, rel.tol = 1e-10, abs.tol = 0, subdivisions = 1000L,
                            stop.on.error = FALSE)
  # nearly a step at 0, or nearly 0 everywhere: rounding alone may keep it from ten digits, not from five
  if (!isTRUE(found$abs.error <= 1e-5 * found$value + 1e-12)) stop_status("limit")
  found$value
}

# Monte Carlo over public directions, at the worst x of length t that is found.
directional_discrepancy <- function(t, scale, task, depth, cdf, smooth, search) {
  d <- length(scale)
  u <- directions(d, task$directions, type = "uniform")
  a <- if (task$distribution == "gaussian") sqrt(drop(u^2 %*% scale^2)) else drop(abs(u) %*% scale)
  lack <- function(x) univariate_discrepancy(drop(u %*% x), a, depth, cdf, smooth)
  starts <- worst_candidates(scale)
  means <- apply(starts, 2, function(x) mean(lack(t * x)))
  x <- starts[, which.min(means)]
  if (search) x <- descend_sphere(x, function(x) mean(lack(t * x)))
  values <- lack(t * x)
  c(mean(values), stats::sd(values) / sqrt(length(values)))
}
