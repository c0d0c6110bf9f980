# Discrepancies of simplicial and spatial depth in normal and Cauchy populations.

# Most dimensions in which simplices of Cauchy points are counted: a share 2^-d holds the centre.
max_cauchy_simplices <- 10L

# Simplicial depth, 2^-d at the centre. It is affine invariant, so that with normal coordinates the
# worst point lies along the widest of them. c(discrepancy, standard error).
simplicial_discrepancy <- function(t, scale, task, cdf) {
  d <- length(scale)
  if (d == 1) return(c(2 * (cdf(t / scale) - 0.5)^2, 0))
  if (task$distribution == "cauchy") return(simplicial_discrepancy_cauchy(t, scale, task))
  # 40 standard deviations away the share of simplices that hold the point is zero as a double
  r <- min(t / max(scale), 40)
  if (d == 2) return(c(simplicial_discrepancy_plane(r), 0))
  line <- abs(directions(d + 1, max(task$directions, d + 1), type = "uniform"))
  values <- 2^-d * simplicial_density(line, r)
  c(2^-d - mean(values), stats::sd(values) / sqrt(length(values)))
}

# In the plane three points miss x if and only if one of them, seen from x, has both others less than
# half a turn ahead: 1 - D = 3 E G(angle)^2, G the mass of the half turn ahead. The angle of a normal
# point has a density in closed form; the trapezoid rule is exact to rounding for periodic functions.
simplicial_discrepancy_plane <- function(r) {
  phi <- seq_len(4096) * 2 * pi / 4096
  m <- -r * cos(phi)
  density <- exp(-r^2 / 2) / (2 * pi) + m * stats::pnorm(m) * stats::dnorm(r * sin(phi))
  0.25 - (1 - 3 * sum(density * stats::pnorm(r * sin(phi))^2) * 2 * pi / 4096)
}

# The barycentric coordinates of the centre of d + 1 normal points are the coordinates of a line in
# d + 1 dimensions that is uniform; those of a point r away have the density g relative to it, with
# c the cosine between the line and (1, ..., 1):
#   g = exp(-r^2 (d + 1) c^2 / 2) E chi_d(r^2 (d + 1)(1 - c^2)) / E chi_d(0)
# (the density of the random form at zero, times the determinant that is left). A simplex holds the point
# when all coordinates have one sign; so D = 2^-d E g over lines of the positive orthant.
simplicial_density <- function(line, r) {
  d <- ncol(line) - 1
  c2 <- pmin(rowSums(line)^2 / (d + 1), 1)
  far <- r^2 * (d + 1) / 2
  exp(-far * c2) * chi_mean_ratio(far * (1 - c2), d)
}

# E of a noncentral chi variable with d degrees of freedom and noncentrality 2 z, as a multiple of the
# central one: a mixture by Poisson weights. At 257 points, a spline between them.
chi_mean_ratio <- function(z, d) {
  # E chi_k is proportional to gamma((k + 1) / 2) / gamma(k / 2)
  log_mean <- function(k) lgamma((k + 1) / 2) - lgamma(k / 2)
  at <- seq(1, sqrt(1 + max(z)), length.out = 257)
  if (at[[257]] == 1) return(rep(1, length(z)))
  reach <- function(z) 12 * sqrt(z) + 40
  last <- ceiling(max(at^2 - 1 + reach(at^2 - 1)))
  means <- exp(log_mean(d + 2 * (0:last)) - log_mean(d))
  mean_at <- function(z) {
    j <- max(0, floor(z - reach(z))):ceiling(z + reach(z))
    sum(stats::dpois(j, z) * means[1 + j])
  }
  stats::splinefun(at, vapply(at^2 - 1, mean_at, 0))(sqrt(1 + z))
}

# Shares of independent simplices of public Cauchy points (ratios of the coordinates of uniform directions).
simplicial_discrepancy_cauchy <- function(t, scale, task) {
  d <- length(scale)
  if (d > max_cauchy_simplices) {
    must <- sprintf("at most %d for simplicial depth and Cauchy coordinates", max_cauchy_simplices)
    stop_input("d", must, d)
  }
  count <- task$directions
  u <- directions(2, max(2, count * (d + 1) * d), type = "uniform")
  rows <- matrix(u[seq_len(count * (d + 1) * d), 1] / u[seq_len(count * (d + 1) * d), 2], ncol = d) *
    rep(scale, each = count * (d + 1))
  depth <- function(x) depth_simplicial(x, rows, tuples = count)
  # no search beyond the candidates: it would find the luckiest point, not the worst
  share <- max(depth(t * t(worst_candidates(scale))))
  # one more of either kind, so that no simplex at all is not taken for certainty
  p <- (share * count + 1) / (count + 2)
  c(max(0, 2^-d - share), sqrt(p * (1 - p) / count))
}

# Spatial depth: the least length of the mean of the unit vectors to x, |x| >= t. Depth need not fall
# along rays, so points further out are looked at too where coordinates have no common rotation.
spatial_discrepancy <- function(t, scale, task, cdf, modified, search) {
  d <- length(scale)
  power <- if (modified) 2 else 1
  if (d == 1) return(c((2 * cdf(t / scale) - 1)^power, 0))
  norm <- function(x) sqrt(sum(spatial_mean(x, scale, task$distribution)^2))
  if (task$distribution == "gaussian" && all(scale == scale[[1]])) {
    return(c(norm(c(t, numeric(d - 1)))^power, 0))
  }
  starts <- worst_candidates(scale)
  starts <- do.call(cbind, lapply(t * c(1, 1.25, 2, 4), function(r) r * starts))
  values <- apply(starts, 2, norm)
  x <- starts[, which.min(values)]
  r <- sqrt(sum(x^2))
  if (search) x <- r * descend_sphere(x / r, function(x) norm(r * x))
  c(norm(x)^power, 0)
}

# E (x - X)/|x - X| for independent coordinates. With 1/|v| = 2/sqrt(pi) int exp(-s^2 |v|^2) ds it is an
# integral over s of products of expectations of single coordinates v = x_j - X_j: `mass` is
# E exp(-s^2 v^2), `slope` the ratio of E v exp(-s^2 v^2) to it. In log s, by the trapezoid rule.
spatial_mean <- function(x, scale, distribution) {
  size <- max(abs(x), scale)
  s <- exp(seq(-34, 18, by = 0.125)) / size
  mass <- slope <- matrix(0, length(s), length(x))
  pair <- paste(x, scale)
  for (j in which(!duplicated(pair))) {
    if (distribution == "gaussian") {
      wide <- 1 + 2 * s^2 * scale[[j]]^2
      mass[, j] <- exp(-s^2 * x[[j]]^2 / wide) / sqrt(wide)
      slope[, j] <- x[[j]] / wide
    } else {
      z <- complex(real = s * x[[j]], imaginary = s * scale[[j]])
      w <- faddeeva(z)
      mass[, j] <- pmax(Re(w), 1e-300)
      slope[, j] <- Re(z * w) / (s * mass[, j])
    }
  }
  alike <- match(pair, pair)
  2 / sqrt(pi) * 0.125 * colSums(slope * exp(rowSums(log(mass[, alike, drop = FALSE]))) * s)[alike]
}

# w(z) = exp(-z^2) erfc(-iz) for Im z >= 0 (Weideman, 1994, Computation of the complex error function,
# SIAM Journal on Numerical Analysis 31): a rational series, here with 40 terms, to about 1e-13.
faddeeva <- function(z, terms = 40) {
  size <- sqrt(terms / sqrt(2))
  k <- seq(-2 * terms + 1, 2 * terms - 1)
  at <- size * tan(k * pi / (4 * terms))
  f <- c(0, exp(-at^2) * (size^2 + at^2))
  half <- seq_len(2 * terms)
  coefficient <- Re(stats::fft(c(f[-half], f[half]))) / (4 * terms)
  ratio <- (size + 1i * z) / (size - 1i * z)
  sum <- 0
  for (a in coefficient[(terms + 1):2]) sum <- sum * ratio + a
  2 * sum / (size - 1i * z)^2 + 1 / sqrt(pi) / (size - 1i * z)
}

# -- the search for the worst point of a given length --------------------------------------------------

# Unit columns: the axes of the largest scales, equal mixtures of them, and the scales' own direction.
worst_candidates <- function(scale) {
  d <- length(scale)
  by_size <- order(-scale)
  sizes <- unique(pmin(d, 2^(0:ceiling(log2(d)))))
  mixed <- vapply(sizes, function(k) as.double(seq_len(d) %in% by_size[seq_len(k)]), numeric(d))
  axes <- diag(d)[, by_size[seq_len(min(d, 8))], drop = FALSE]
  out <- cbind(mixed, axes, scale, scale * rep_len(c(1, -1), d))
  out / rep(sqrt(colSums(out^2)), each = d)
}

# A few steps of descent on the sphere along the axes.
descend_sphere <- function(x, f, passes = 2) {
  best <- f(x)
  for (step in 0.3 / 3^(seq_len(passes) - 1)) {
    for (j in seq_along(x)) {
      for (side in c(-1, 1)) {
        y <- x
        y[[j]] <- y[[j]] + side * step
        y <- y / sqrt(sum(y^2))
        value <- f(y)
        if (value < best) {
          x <- y
          best <- value
        }
      }
    }
  }
  x
}
