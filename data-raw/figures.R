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

# How many replicates: the script's first argument, or `whole`.
runs <- function(whole, small = 2L) {
  given <- suppressWarnings(as.integer(commandArgs(TRUE)[1]))
  pick(if (is.na(given)) whole else given, small)
}

# The cells, or the first of them.
cells_of <- function(design, small = 1L) pick(design, utils::head(design, small))

# A function of the package that is not exported.
inner <- function(name) utils::getFromNamespace(name, "dpdepth")

# Functions of the package that remember what they found for the last `keep` calls, in this process: for
# what does not change from replicate to replicate. The small version does without, for it shares its process
# with the tests.
remember <- function(name, keep) {
  compute <- inner(name)
  if (isTRUE(attr(compute, "remembers")) || pick(FALSE, TRUE)) return(invisible())
  known <- list()
  again <- function(...) {
    given <- list(...)
    for (one in known) if (identical(one$given, given)) return(one$value)
    value <- compute(...)
    known <<- utils::head(c(list(list(given = given, value = value)), known), keep)
    value
  }
  utils::assignInNamespace(name, structure(again, remembers = TRUE), "dpdepth")
}

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

# A row for each cell and estimate: the cell's factors, the estimate, and what `f` makes of a matrix with a
# row for each replicate and a column for each number that the estimate has, and of the cell.
by_cell <- function(found, f) {
  r <- found$results
  run <- paste(r$cell, r$estimate)
  tables <- lapply(split(seq_along(run), factor(run, unique(run))), function(i) {
    terms <- unique(r$term[i])
    v <- matrix(r$value[i], ncol = length(terms), byrow = TRUE, dimnames = list(NULL, terms))
    cell <- found$cells[r$cell[[i[[1]]]], , drop = FALSE]
    data.frame(cell, estimate = r$estimate[[i[[1]]]], f(v, cell), row.names = NULL, check.names = FALSE)
  })
  do.call(rbind, unname(tables))
}

# Writes the figure's table, and removes the results that it is made of. `...`: as of write.csv().
write_figure <- function(table, figure, ...) {
  places <- file.path("build", "simulations")
  dir.create(places, showWarnings = FALSE, recursive = TRUE)
  row.names(table) <- NULL
  utils::write.csv(table, pick(file.path("vignettes", paste0(figure, ".csv")),
                               file.path(places, paste0(figure, "-small.csv"))), row.names = FALSE, ...)
  if (pick(TRUE, FALSE)) unlink(file.path(places, figure), recursive = TRUE)
  print(utils::head(table, 20))
}
