# figures.R - what the scripts of simulated figures share: processes, results on disk, a small version.
#
# A script sources it and is run by `make simulations FIGURE=name`, or `Rscript data-raw/name.R`. Results of a
# run that was stopped stand in build/simulations/name, and the next run goes on there; a run that ends
# removes them. CORES processes are used, by default two. With SMALL=1 sizes are small, and the table goes to
# build/simulations/name-small.csv: so the tests see that each script runs.

library(dpdepth)
dpdepth_threads(1)

# The small version's value, or the whole one's.
pick <- function(whole, small) if (nzchar(Sys.getenv("SMALL"))) small else whole

# simulate_releases() for the figure `name`.
simulate_figure <- function(name, ...) {
  cores <- suppressWarnings(as.integer(Sys.getenv("CORES", "2")))
  if (requireNamespace("future", quietly = TRUE) && cores > 1 && pick(TRUE, FALSE)) {
    old <- future::plan("multisession", workers = cores)
    on.exit(future::plan(old))
  }
  run <- function() simulate_releases(..., path = pick(file.path("build", "simulations", name), NULL))
  found <- if (!requireNamespace("progressr", quietly = TRUE)) run()
           else progressr::with_progress(run(), enable = interactive() || isatty(stderr()))
  if (nrow(found$failures) > 0) {
    print(utils::head(found$failures))
    stop("replicates failed", call. = FALSE)
  }
  found
}

# Writes the figure's table, and removes the results that it is made of.
write_figure <- function(table, name, ...) {
  places <- file.path("build", "simulations")
  dir.create(places, showWarnings = FALSE, recursive = TRUE)
  row.names(table) <- NULL
  utils::write.csv(table, pick(file.path("vignettes", paste0(name, ".csv")),
                               file.path(places, paste0(name, "-small.csv"))), row.names = FALSE, ...)
  if (pick(TRUE, FALSE)) unlink(file.path(places, name), recursive = TRUE)
  print(table)
}
