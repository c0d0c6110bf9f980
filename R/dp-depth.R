# Private depths of public points: an integer score with integer noise.

#' Private depths of public points
#'
#' How deep public points lie in private data: for each point the depth, with noise for pure
#' epsilon-differential privacy, or, with `delta` and many points, (epsilon, delta)-differential privacy.
#'
#' **The points are public.** They must be chosen without the data: reference values, a grid, released
#' medians, points of another study. Never take rows of the data for points: their places would be published.
#'
#' @param points The points: a numeric matrix or data frame of one point per row; a vector is one point, or as
#'   many points as numbers when the data have one variable. Names of rows (of a vector, for one variable)
#'   name the estimates; equal names are numbered. Where points and data have names of columns, columns are
#'   matched by them.
#' @param data The data, PRIVATE: a numeric matrix, data frame or vector of one individual per row; or a tally
#'   by `dp_tally()`, whose limits and resolution replace those left out.
#' @param epsilon,delta The privacy budget of all points together.
#' @param depth `"halfspace"`, `"simplicial"`, `"spatial"`, `"spatial_modified"`, `"irw"`, `"idd"` or
#'   `"idd_smooth"`, as in [dp_median_exponential()].
#' @param lower,upper,prior Public limits of the data, or a prior, as in [dp_median_exponential()]. They set
#'   the lattice, which ends at four times the limits (a prior's 36 standard deviations), and the units in
#'   which directions and distances are measured. Without them units are those of the data as they are given,
#'   and the lattice reaches to 4096 times the largest coordinate of the points (to 4096 if all are 0): where
#'   the data are much smaller or larger than the points, give limits.
#' @param directions `NULL` for the default: halfspace depth itself for one or two variables, else 1000 public
#'   directions, fewer above 25,000 rows. `"exact"` for halfspace depth itself with three variables; `"axes"`;
#'   a count or a matrix made by [directions()], to which missing axes are added.
#' @param resolution,smooth As in [dp_median_exponential()].
#' @param neighbours As in [dp_median()]; `"add_remove"` for all depths but simplicial depth of three
#'   variables.
#' @param id As in [dp_median()], of the rows of `data`.
#' @param ledger,rng,na As in [dp_median()]; `na = "middle"` needs limits.
#' @param ... Must be empty: a name that is not an argument is refused, see [dpdepth-errors].
#' @details
#' **Noise.** One replaced row moves the depth of each point by at most GS: 1/n for halfspace depth, `(d +
#' 1)/n` for simplicial depth (up to three variables; with three, up to 5000 rows), `2/n` for `"spatial"` and
#' `"irw"`, `4 (n - 1)/n^2` for `"spatial_modified"`, `(n - 1)/n^2` for `"idd"` and `"idd_smooth"`. A point's
#' depth is released with discrete Laplace noise of scale GS m/epsilon, m the number of points: its standard
#' deviation, `noise_sd` in the release, is public. With `delta` the noise is discrete Gaussian where that is
#' less, which is so for more than about a dozen points (zero-concentrated composition): it then grows with
#' the square root of m. In the worst case a row moves the depths of all points by GS at once, so that
#' composition is no loss.
#'
#' The noise has mean zero, and released depths are not cut off: they may be below 0.
#'
#' **A private size** (`neighbours = "add_remove"`). One row more moves n times the depth of a point by at
#' most one, in units of 1 (halfspace, dual), 2 (spatial, rank-weighted), 4 (modified spatial) or twice the
#' number of variables (simplicial). The number of rows is counted with noise, like one more point, and depths
#' are these numbers divided by it. A public row in the middle of the limits is counted, too (for simplicial
#' depth once per corner of a simplex). `noise_sd` is computed from the noisy number.
#'
#' **Depths of all rows.** For as many points as rows the noise is as large as the depths, because n depths
#' describe n rows. Draw a few points by [dp_median_exponential()] with a small epsilon, and ask for their
#' depths.
#'
#' **Lattice.** Rows and points are rounded to the public lattice of [dp_median_exponential()], and depths are
#' integers of the rounded rows, so that the guarantee holds to the last bit. `"idd"` takes mid-counts: an
#' atom of the data has F = 1/2 in its middle.
#' @return A [`dp_release`][dp_release] whose `estimate` has a depth for each point, with `guarantee =
#'   "pure"`, or `"approximate"` where `delta` was spent.
#' @inheritSection dp_median Errors
#' @inheritSection dp_median Warnings
#' @references
#' Ramsay, K., Jagannath, A. and Chenouri, S. (2022). Differentially private multivariate medians, section 7.
#' \doi{10.48550/arXiv.2210.06459}
#'
#' Canonne, C., Kamath, G. and Steinke, T. (2020). The discrete Gaussian for differential privacy. *NeurIPS*.
#' \doi{10.48550/arXiv.2004.00010}
#' @seealso [plan_depth()] for the noise beforehand; [plot.dp_depths()] for pictures and depth-depth plots of
#'   two data sets; [depth_halfspace()] and the other depths without privacy; [dp_median_exponential()].
#' @examples
#' # how central are eruptions of 2 and of 4 minutes among those of Old Faithful?
#' points <- rbind(short = c(2, 55), long = c(4, 75), middle = c(3.5, 71))
#' dp_depth(points, faithful, epsilon = 1, lower = 0, upper = c(10, 180))
#' @export
dp_depth <- function(points, data, epsilon, depth = "halfspace", delta = 0, lower = NULL, upper = NULL,
                     prior = NULL, directions = NULL, resolution = NULL, smooth = NULL, ...,
                     neighbours = "substitution", id = NULL, ledger = NULL, rng = NULL, na = "fail") {
  release_by(depth_mechanism(), door_call("data"))
}

depth_mechanism <- function() {
  new_mechanism(
    plan_values, draw_values, kinds = c("rows", "tally", "margins"), data = "data",
    read = function(given) {
      rows <- read_rows(given)
      depth <- check_choice(given$depth, c("halfspace", names(median_depths)), "depth")
      # disclosed limits, where n is private
      if (given$private) check_private_depth(nrow(rows), ncol(rows), depth, "data")
      rows
    },
    ready = ready_values
  )
}

plan_values <- function(facts, given) {
  n <- facts$n
  d <- facts$d
  z <- check_depth_points(given$points, d, if (length(facts$names) > 0) facts$names)
  depth <- check_choice(given$depth, c("halfspace", names(median_depths)), "depth")
  limited <- !is.null(given$prior) || !is.null(given$lower) || !is.null(given$upper)
  without <- "without them all, ?dp_depth says what is taken"
  prior <- if (limited) public_prior(given$prior, given$lower, given$upper, d, facts$names, without)
           else prior_for(points_limits(z, d), d, facts$names)
  plan <- depth_value_plan(n, d, prior, depth, given$directions,
                           tally_resolution(facts$declared, given$resolution, prior), given$smooth,
                           facts$variables)
  if (facts$private) plan$unit <- private_unit(depth, d)
  # where n is private it is counted with noise, too
  law <- depth_noise(nrow(z) + facts$private, given$epsilon, given$delta)
  c(plan, list(
    label = "depths of points", delta = law$delta, rho = law$rho, class = "dp_depths", law = law, points = z,
    what = sprintf("depth%s of %d point%s", if (nrow(z) > 1) "s" else "", nrow(z), plural(nrow(z))),
    mechanism = sprintf("discrete %s noise on %s", law$name, plan$score), terms = rownames(z), depth = depth,
    private = facts$private, along = given$directions,
    details = c(list(depth = plan$depth_label, points = z),
                if (limited) list(limits = if (is.null(given$prior)) prior else given$prior),
                plan$step[names(plan$step) != "lattice"]),
    warn = function(said) {
      if (!facts$private && check_rng(given$rng) == "system" && nrow(z) > n) warn_exchanged()
      if (!limited) warn_lost_points(z, plan$step[[1]])
      if (law$sd >= n * plan$peak) warn_depth_noise(nrow(z), n, said)
    }
  ))
}

warn_exchanged <- function() {
  warn_dpdepth("privacy", paste(
    "There are more points than rows of data. Points are public and are printed with the release, and they",
    "are the first argument: make sure that the two are not exchanged."
  ))
}

# PRIVATE: rows.
ready_values <- function(rows, plan) {
  # along the axes of the variables these are functions of each by itself
  if (!identical(plan$along, "axes") || !is.null(plan$whitening) || !plan$depth %in% counted_depths) {
    refuse_margins(rows, "data")
  }
  if (plan$private && plan$depth == "simplicial") rows <- with_corners(rows)
  if (plan$depth %in% counted_depths) rows else plain_rows(rows, "data")
}

# PRIVATE: rows.
draw_values <- function(rows, plan, source) {
  drawn <- draw_depths(rows, plan$points, plan, plan$law, plan$private, source)
  list(estimate = drawn$depth, details = list(noise_sd = drawn$sd))
}

check_depth_points <- function(points, d, names) {
  given <- if (is.data.frame(points) && .row_names_info(points) > 0) row.names(points)
           else if (is.matrix(points)) rownames(points)
           else if (is.numeric(points) && d == 1) names(points)
  z <- check_points(points, d, "points", names)
  if (nrow(z) == 0) {
    stop_input("points", "a matrix of at least one point", "an empty one",
               "Give a matrix of one row for each.")
  }
  labels <- paste0("point", seq_len(nrow(z)))
  named <- if (length(given) == nrow(z)) !is.na(given) & nzchar(given) else FALSE
  labels[named] <- given[named]
  rownames(z) <- make.unique(labels)
  z
}

# In place of limits: the same for all variables, so that directions and distances are those of the numbers
# as they are given.
points_limits <- function(z, d) {
  reach <- 2^12 * max(abs(z))
  if (reach == 0) reach <- 2^12
  if (reach < 1e-280 || reach > 1e280) {
    stop_input("points", "0 or from 1e-280 to 1e280 in size where no limits are given", "outside of that",
               "Give `lower` and `upper`.")
  }
  prior_uniform(rep(-reach, d), rep(reach, d))
}

# What is public of the scores: kind, directions, lattice, and `move`, what one replaced row moves the depth
# by.
depth_value_plan <- function(n, d, prior, depth, directions, resolution, smooth, names) {
  if (is_dyadic(prior)) {
    stop_input("prior", "made by prior_uniform() or prior_normal()", describe(prior),
               "Give limits, or leave them out.")
  }
  in_space <- depth == "simplicial" && d == 3
  check_depth_size(n, d, depth, if (depth == "simplicial") 3L else most_value_variables, "data",
                   if (in_space) most_space_rows else most_depth_rows(depth, d),
                   "Take fewer variables, or another depth.")
  smooth <- check_smooth_steps(smooth, depth)
  set <- if (depth == "halfspace") halfspace_directions(n, d, directions)
         else list(directions = depth_directions(n, d, depth, directions), exact = FALSE)
  lattice <- prior_lattice(prior, resolution, names, function(prior, resolution = NULL) {
    lattice_steps(prior, in_space || set$exact && d == 3, names, resolution)
  })
  what <- if (depth == "halfspace") "halfspace depth" else median_depths[[depth]]$what
  count <- nrow(set$directions)
  along <- !set$exact && d > 1 && (depth == "halfspace" || takes_directions(depth))
  kind <- if (depth != "halfspace") match(depth, names(median_depths)) else length(median_depths) + 1L
  c(list(kind = kind + (set$exact && d > 1), directions = set$directions, smooth = smooth, score = what,
         depth_label = paste0(what, if (along) sprintf(", along %d direction%s", count, plural(count))),
         sensitivity = depth_sensitivity(n, d, depth),
         peak = if (depth == "halfspace") 1 / 2 else median_depths[[depth]]$peak(d)), lattice)
}

most_value_variables <- 200L

# A depth costs their square: a second each.
most_space_rows <- 5000L

halfspace_directions <- function(n, d, directions) {
  exact <- identical(directions, "exact") || is.null(directions) && d <= 2
  if (exact && d > 3) {
    stop_input("directions", "a count or a matrix for more than 3 variables", "\"exact\"")
  }
  # the axes of an exact depth bound it, and no more
  set <- if (exact) diag(d) else depth_directions(n, d, "halfspace", directions)
  list(directions = set, exact = exact)
}

# What one replaced row moves the depth by, at most: rounded to a double, after the noise.
depth_sensitivity <- function(n, d, depth) {
  switch(depth,
    halfspace = 1 / n, simplicial = (d + 1) / n, spatial = 2 / n, irw = 2 / n,
    spatial_modified = if (n > 1) 4 * (n - 1) / n^2 else 1,
    idd = , idd_smooth = if (n > 1) (n - 1) / n^2 else 1 / 4
  )
}

# PRIVATE: the scores, before noise. Attribute "parts", which is public: what one row moves them by, at most.
depth_scores <- function(x, z, plan) {
  x <- on_entries(x, function(points) whiten_rows(points, plan$whitening))
  counted <- plan$kind > length(median_depths) # halfspace depth, whose count is monotone as it is
  .Call(ffi_depth_values, x, prior_fields(plan$prior, plan$resolution),
        plan$kind, plan$directions, plan$smooth, !is.null(plan$unit) && !counted,
        whiten_rows(z, plan$whitening))
}

# Depths with noise, and its standard deviation. Of a private size depths are scores that move by a unit where
# a row is added, with noise, divided by a noisy number of rows, the public one among them. PRIVATE: x.
draw_depths <- function(x, z, plan, law, private, source) {
  score <- depth_scores(x, z, plan)
  if (!private) {
    drawn <- noisy_scores(score, law, source)
    return(list(depth = drawn$values * plan$sensitivity, sd = drawn$sd * plan$sensitivity))
  }
  parts <- attr(score, "parts")
  drawn <- noisy_scores(structure(c(score, as.double(nrow(x)) * parts), parts = parts), law, source)
  rows <- max(1, drawn$values[[nrow(z) + 1]])
  list(depth = drawn$values[seq_len(nrow(z))] * (plan$unit / rows), sd = drawn$sd * (plan$unit / rows))
}

# The noise for m points: pure, with epsilon / m each, or Gaussian under zero-concentrated composition if that
# is less. sd: about, in units of what a row moves a depth by. Public numbers only.
depth_noise <- function(m, epsilon, delta) {
  each <- epsilon / m * (if (m > 1) 1 - 2^-40 else 1)
  rho <- if (delta > 0) zcdp_rho(epsilon, delta) else 0
  # what the sampler has room for
  fits <- rho > 0 && m * 2^24 / (2 * rho) < 2^50
  if (fits && sqrt(m / (2 * rho)) < sqrt(2) / each) {
    return(list(name = "Gaussian", m = m, rho = rho, delta = delta, sd = sqrt(m / (2 * rho))))
  }
  if (each < 1e-6) {
    stop_input("epsilon", sprintf("at least 1e-6 for each of the %d points", m), format(epsilon),
               "Ask for fewer points.")
  }
  list(name = "Laplace", m = m, each = each, delta = 0, sd = sqrt(2) / each)
}

# Scores with noise and its standard deviation, in units of what a row moves a depth by.
noisy_scores <- function(score, law, source) {
  parts <- attr(score, "parts")
  score <- as.vector(score)
  if (law$name == "Gaussian") {
    square <- law$m * parts^2
    variance <- gaussian_variance(square, law$rho)
    return(list(values = add_gaussian(score, square, law$rho, source) / parts,
                sd = sqrt(variance[[1]] / variance[[2]]) / parts))
  }
  rate <- laplace_rate(law$each, parts)
  noise <- draw_laplace_discrete(law$m, rate[[1]], rate[[2]], source)
  r <- rate[[1]] / rate[[2]]
  list(values = (score + noise) / parts, sd = sqrt(2 * exp(-r)) / -expm1(-r) / parts)
}

warn_depth_noise <- function(m, n, said) {
  warn_dpdepth("accuracy", with_point(sprintf(paste(
    "With n = %s and epsilon = %s for %d point%s the noise is as large as the depths. More rows, fewer",
    "points or a larger epsilon would help."
  ), said$rows(n), format(said$epsilon), m, plural(m))))
}

# Variables in units far larger than others' share one lattice with them where there are no limits.
warn_lost_points <- function(z, step) {
  size <- apply(abs(z), 2, max)
  lost <- size > 0 & size < 2^5 * step
  if (any(lost)) {
    warn_dpdepth("accuracy", with_point(sprintf(paste(
      "Without limits the lattice has steps of %s, and the points' coordinates of %s are hardly larger: its",
      "values are rounded away. Give `lower` and `upper`, or put the variables into like units."
    ), format(step[lost][[1]], digits = 3), quote_names(names(step)[lost]))))
  }
}
