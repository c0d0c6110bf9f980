# Small simulations. Functions live in the global environment, so that workers get no test's frame along.

in_global <- function(f) {
  environment(f) <- globalenv()
  f
}

small_laws <- lapply(list(
  normal = function(n) stats::rnorm(n), # public-rng: simulated data
  Cauchy = function(n) stats::rcauchy(n) # public-rng: simulated data
), in_global)

small_estimates <- lapply(list(
  private = function(x, epsilon) dpdepth::dp_median(x, epsilon, lower = -50, upper = 50),
  public = function(x) stats::median(x)
), in_global)

small_design <- list(n = c(20, 50), epsilon = c(0.5, 2))

small_simulation <- function(..., design = small_design, draw = small_laws, estimate = small_estimates,
                             replicates = 3) {
  simulate_releases(design, draw, estimate, ..., replicates = replicates)
}

# Runs `code` with R's libraries told to the processes that it starts, in whatever folder they run.
with_libraries <- function(code) {
  old <- Sys.getenv("R_LIBS")
  Sys.setenv(R_LIBS = paste(.libPaths(), collapse = .Platform$path.sep))
  on.exit(Sys.setenv(R_LIBS = old))
  force(code)
}

# The values by what they are of, whatever their order.
values_of <- function(simulation) {
  rows <- tidy(simulation)
  stats::setNames(rows$value, do.call(paste, rows[setdiff(sort(names(rows)), c("value", "status"))]))
}
