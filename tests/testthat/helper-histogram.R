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
    bins <- histogram_bins(x, breaks, NULL, if (is.null(breaks)) 1, 0, "linear")
    plan <- histogram_plan(epsilon, delta, bins, neighbours)
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
