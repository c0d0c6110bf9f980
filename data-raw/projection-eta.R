# What eta does to the private projection median, for vignettes/projection.Rmd: writes
# vignettes/projection-eta.csv.
#
# Usage: make simulations FIGURE=projection-eta, or Rscript data-raw/projection-eta.R [runs, 50] (five
# minutes of processor time) The same normal rows for all eta, in multiples of the default; error: the
# squared distance to the centre.
# The committed table is of 23 November 2026: it has the same laws and settings, and other samples, as it was
# made before the script stood on simulate_releases().

source("data-raw/figures.R")
source("data-raw/projection-rows.R")

n <- pick(50000, 10000)
delta <- 10 / n
count <- pick(500L, 20L)
multiples <- pick(c(0.5, 0.7, 0.85, 1, 1.4, 2, 4, 8), c(0.5, 1))

# The rate, the squared error and whether it was released, of each multiple.
by_eta <- function(x, d) {
  default <- inner("projection_constants")(n, d, 2, delta, count, "median", "mad")
  vapply(multiples, function(times) {
    r <- dp_median_projection(x, 2, delta, eta = default$eta * times, directions = count, try_anyway = TRUE)
    c(r$details$rate, squared(coef(r)), r$released)
  }, c(0, 0, 0))
}

design <- data.frame(law = "normal", n = n, d = pick(c(2L, 10L), 2L))
found <- simulate_figure("projection-eta", design, draw_rows, list(eta = by_eta), "error",
                         replicates = runs(50, 1), seed = 77)
table <- by_cell(found, function(v, cell) {
  data.frame(run = rep(seq_len(nrow(v)), each = length(multiples)), times = multiples,
             matrix(t(v), ncol = 3, byrow = TRUE, dimnames = list(NULL, c("rate", "error", "released"))))
})
table$error <- signif(table$error, 5)
table$released <- table$released == 1
write_figure(table[order(table$run, table$d), c("run", "d", "times", "rate", "error", "released")],
             "projection-eta", quote = FALSE)
