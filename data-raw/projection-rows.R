# projection-rows.R - rows of the simulations of the projection median, projection-simulation.R, -eta.R and
# -small.R.

# A quarter of the rows is moved by 5 in every variable (contaminated), or a tenth (outliers).
draw_rows <- function(law, n, d) {
  remember("projection_constants", 8)
  x <- matrix(stats::rnorm(n * d), n) # public-rng: simulated data
  switch(law,
    normal = x,
    contaminated = x + 5 * (seq_len(n) <= n / 4),
    outliers = x + 5 * (seq_len(n) <= n / 10),
    Cauchy = x / stats::rnorm(n) # public-rng: simulated data
  )
}

# The squared distance to the centre.
squared <- function(estimate) sum(estimate^2)
