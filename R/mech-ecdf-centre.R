# A private centre and scale for the points of a distribution function whose limits are wide.
#
# METHOD: points drawn between wide limits run off into the space without rows. So a centre c is drawn first,
#   by ranks, with epsilon_c; then w, the median of |x - c| among powers of two, with epsilon_w; then the
#   points, from shells of doubling width about c whose unit is w / 2^10. All three are draws of one
#   exponential mechanism each: their costs add. What fails is accuracy: the band covers for any points.
# REFERENCE: vignettes/proofs-quantile.Rmd, section 8.

# Limits of up to so many spreads need no centre: by simulation (n epsilon from 200 to 5000) the height
# without one reaches that with one at some 1000 to 2000.
ecdf_tight <- 1000
# The ratio of the limits' width to the spread that is prepared for where no spread is given.
ecdf_ratio <- 2^27
# The most of epsilon that goes to centre and scale; where no spread is given, limits may well be tight.
ecdf_centre_most <- 0.6
ecdf_unknown_most <- 0.4

# What is public: the epsilons of centre and scale, and the octaves of the scale, both NULL where limits are
# tight or rows too few. `serves`: the least spread for which points are near the rows' quantiles.
ecdf_centre <- function(n, epsilon, limits, spread = NULL) {
  prior <- limits$prior
  width <- ecdf_width(prior)
  most <- if (is.null(spread)) ecdf_unknown_most else ecdf_centre_most
  spread <- max(if (is.null(spread)) width / ecdf_ratio else spread, limits$resolution)
  tight <- list(serves = if (!is_dyadic(prior)) max(width / ecdf_tight, limits$resolution))
  if (!is_dyadic(prior) && width <= ecdf_tight * spread) return(tight)
  octaves <- if (is_dyadic(prior)) ceiling(log2(prior$unit)) + c(0, 52)
             else c(floor(log2(spread)) - 4, ceiling(log2(width)))
  # of a dyadic prior, 53 shells a side, and a median within a million spreads of the origin
  ratio <- if (is_dyadic(prior)) 106e6 else width / spread
  cost <- c(centre = centre_cost(n, ratio), scale = 4 / n * (log(diff(octaves) + 1) + 7))
  cost <- pmax(cost, 1e-6)
  if (sum(cost) > most * epsilon || any(abs(octaves) > 850)) return(tight)
  c(list(epsilon = cost, octaves = octaves), if (!is_dyadic(prior)) list(serves = spread))
}

# The least e with (n / 4) e >= log(ratio) + log(n e / 10) + 7: then hardly one of 1000 centres is lost.
centre_cost <- function(n, ratio) {
  e <- 0
  for (i in 1:50) e <- 4 / n * (log(ratio) + max(0, log(n * e / 10)) + 7)
  e
}

# Of a normal prior, that of limits as far out as it is taken to be.
ecdf_width <- function(prior) {
  if (is_dyadic(prior)) Inf else if (inherits(prior, "dp_prior_normal")) 8 * unname(prior$sd)
  else unname(prior$upper - prior$lower)
}

# Without a centre the outermost points run off into limits that are wide for so few rows. How much higher the
# band is for it: fitted to mean heights of normal rows, n epsilon from 200 to 1000, limits of 100 to 800
# spreads (within a fifth of what is added).
ecdf_run_off <- function(n, epsilon, width, spread) 0.0135 * sqrt(width / spread) * (200 / (n * epsilon))^1.3

# The shells from which points are drawn. PRIVATE: x.
draw_centred_prior <- function(x, plan, source) {
  limits <- plan$points
  octaves <- plan$centre$octaves
  draw <- function(x, prior, epsilon, resolution) {
    draw_quantiles(x, 0.5, prior, epsilon, NULL, source, 1L, resolution)[[1]]
  }
  centre <- draw(x, limits$prior, plan$centre$epsilon[["centre"]], limits$resolution)
  away <- each_value(x, function(v) pmin(pmax(ceiling(log2(abs(v - centre))), octaves[[1]]), octaves[[2]]))
  scale <- draw(away, prior_uniform(octaves[[1]], octaves[[2]]), plan$centre$epsilon[["scale"]], 1)
  # an origin has few enough units for doubles
  unit <- 2^max(scale - 10, ceiling(log2(abs(centre))) - 50)
  least <- if (is_dyadic(limits$prior)) limits$prior$unit else limits$resolution
  if (!is.null(least)) unit <- least * 2^max(0, ceiling(log2(unit / least)))
  prior_dyadic(unit, centre)
}

# Points beyond the support of the prior are moved to its ends.
within_support <- function(at, limits) {
  reach <- prior_reach(limits$prior)
  step <- if (is.null(limits$resolution)) 0 else limits$resolution
  end <- function(v, round) unname(if (step > 0) round(v / step) * step else v)
  pmin(pmax(at, end(reach$lower, ceiling)), end(reach$upper, floor))
}
