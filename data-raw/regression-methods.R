# The methods that the scripts regression-simulations.R and regression-data.R compare, and their tables.

source("data-raw/regression-once.R")
remember("plan_restricted", 20)
options(dpdepth.rng = "R") # simulations
delta <- 1e-6

# A method is a function of data (the response is y), epsilon and a box (ranges x and y) that gives a fit.
private <- function(method, ...) {
  force(method)
  function(data, epsilon, box) {
    dpdepth::dp_regression(y ~ ., data, epsilon, delta, method = method, ...)
  }
}
limited <- function(method) private(method, lower = -50, upper = 50)
in_box <- function(release, ...) {
  function(data, epsilon, box) {
    release(y ~ ., data, epsilon, x_lower = box$x[[1]], x_upper = box$x[[2]], lower = box$y[[1]],
            upper = box$y[[2]], ...)
  }
}

ours <- list(exponential = limited("exponential"), batches = limited("batches"),
             restricted = private("restricted"), deepest = limited("deepest"), Medsweep = limited("medsweep"))
boxed <- list(
  NoisyStats = in_box(dpdepth::dp_regress_noisystats),
  "Theil-Sen" = in_box(dpdepth::dp_regress_theilsen, matchings = 10L),
  "Theil-Sen, one matching" = in_box(dpdepth::dp_regress_theilsen),
  gradient = in_box(dpdepth::dp_regress_gradient, delta = delta, steps = 30L, clip = 10),
  "gradient, clipped at 0.25" = in_box(dpdepth::dp_regress_gradient, delta = delta, steps = 30L, clip = 0.25),
  AdaSSP = in_box(dpdepth::dp_regress_adassp, delta = delta)
)
tukeyem <- function(data, epsilon, box) dpdepth::dp_regress_tukeyem(y ~ ., data, epsilon, delta)

# The fit, or NULL where public numbers refused it: the settings of a simulation are all of them valid.
attempt <- function(method, data, epsilon, box) {
  tryCatch(suppressWarnings(method(data, epsilon, box)), dpdepth_error_input = function(e) NULL)
}

# Puts rows into the table vignettes/<name>.csv, in place of those with the same keys.
put_rows <- function(rows, name, keys, numbers) {
  for (column in numbers) rows[[column]] <- signif(rows[[column]], 3)
  file <- sprintf("vignettes/%s.csv", name)
  if (file.exists(file)) {
    known <- utils::read.csv(file)
    id <- function(table) do.call(paste, c(lapply(table[keys], as.character), sep = "|"))
    rows <- rbind(known[!id(known) %in% id(rows), names(rows)], rows)
  }
  rows <- rows[do.call(order, c(unname(rows[keys]), method = "radix")), ]
  utils::write.csv(rows, file, row.names = FALSE, na = "")
}
