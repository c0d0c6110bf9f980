# Simulations of releases: a design of cells, replicates of each, and their results.

#' Simulate releases over a design
#'
#' Draws rows and makes releases of them, repeatedly, in each cell of a factorial design. So you see how the
#' accuracy of a release depends on the distribution of the data, sample size, epsilon and method. One process
#' or many give the same results to the last bit. Results can be kept on disk, and a stopped run continues
#' from there. The data are simulated and the noise comes from R's stream: *nothing of it is for release*.
#'
#' @param design The cells: a list of factors to cross, or a data frame with one row per cell. Factors are
#'   vectors of text, numbers or flags. Two columns have a meaning: `replicates`, the number of replicates
#'   where cells differ in it, and `estimate`, the name of a cell's only estimate (without it a cell has all
#'   estimates).
#' @param draw Makes the rows of a replicate: a function with factors as arguments, by name, such as
#'   `function(n, d) matrix(rnorm(n * d), n)`. Or a list of such functions by name, the distributions: the
#'   factor `law` picks one, and a design without this factor is crossed with all of them.
#' @param estimate Estimates from the rows: a function, or a list of functions by name, which all get the same
#'   rows. The first argument is the rows, the others are factors by name. It returns a release, numbers, or a
#'   fit that `coef()` takes.
#' @param measure What to keep of an estimate. By name: `"error"`, the estimate minus the truth, for each
#'   coordinate; `"distance"`, the Euclidean norm of that; `"covers"`, whether the interval of a release holds
#'   the truth; `"width"`, the width of the interval. Or a function, or a list of names and functions. A
#'   function's arguments are, by name, `estimate` (its numbers), `release` (what `estimate` returned),
#'   `rows`, `truth`, and factors; a first argument of another name is the estimate's numbers. It returns
#'   numbers or flags, with names if there are several.
#' @param truth The true value: a number, a vector, or a function of factors.
#' @param replicates The number of replicates of a cell, at most 1e7.
#' @param seed A whole number; another one gives other random numbers.
#' @param path A folder, for results that outlast the session. A call with the same folder reads what is there
#'   and does the rest.
#' @param chunk The number of replicates that a process gets at once; `NULL` for as many as take some seconds.
#' @param ... Must be empty: a name that is not an argument is refused, see [dpdepth-errors].
#' @param x,object A simulation.
#' @param digits Significant digits to print.
#' @details
#' **Workers.** If the package future is installed, its plan decides where replicates run, such as
#' `future::plan("multisession")` on the processors of a machine. Workers get the objects of the global
#' environment and the packages that the functions use. Each worker has one thread.
#'
#' **Random numbers.** Each replicate of a cell has its own stream for its rows, and one for each estimate:
#' R's L'Ecuyer generator, with a state that is a hash of the seed, the cell's names and values, the
#' replicate's number and the estimate's name. You may add or remove cells, replicates and estimates, in any
#' order and on any number of workers; the others stay the same. Cells are independent, except those that
#' differ only in `estimate`, which have the same rows. R's stream in the session does not change.
#'
#' **On disk.** Each file is whole whenever the process is killed. With another seed, version, measure or
#' truth, or another function under the same name, the folder is refused; more cells, replicates,
#' distributions or estimates are added to it. Functions that these call, and objects that they enclose, are
#' not compared.
#'
#' **Failures** stay in the result: where `draw`, `estimate` or `measure` raises an error, values are `NA` and
#' `status` is the error's class; `$failures` has the messages. A release with a failed private test has
#' status `"withheld"`. Warnings of class `dpdepth_warning` are muffled.
#'
#' **Progress** is signalled through the package progressr:
#' `progressr::with_progress(simulate_releases(...))`, or `progressr::handlers(global = TRUE)` once in a
#' session.
#' @return An object of class `dp_simulation`. `tidy()` and `as.data.frame()` have a row for each cell,
#'   replicate, estimate, measure and coordinate, with the factors and `replicate`, `estimate`, `measure`,
#'   `term`, `value`, `status`. `summary()` has a row for each cell, estimate, measure and coordinate:
#'   `replicates`; how many of them `failed` or were `withheld`; `mean`, `rmse` (root mean square) and
#'   `median`, each with its Monte Carlo standard error, `mean_se` and so on; of flags, `coverage` (their
#'   share) with Wilson's limits at level 0.95, `coverage_low` and `coverage_high`.
#'   `glance()` has one row. `autoplot()` and `plot()` draw a summary with two Monte Carlo errors on either
#'   side, or the limits of shares.
#' @section Errors:
#' `dpdepth_error_input` (see [dpdepth-errors]) for a bad argument, for functions with an argument that is no
#' factor of the design and has no default, and for a `path` with results of another simulation.
#' @references
#' L'Ecuyer, P. (1999). Good parameters and implementations for combined multiple recursive random number
#' generators. *Operations Research 47*, 159-164. \doi{10.1287/opre.47.1.159}
#'
#' Bengtsson, H. (2021). A unifying framework for parallel and distributed processing in R using futures. *The
#' R Journal 13*, 208-227. \doi{10.32614/RJ-2021-048}
#' @seealso `vignette("simulations", "dpdepth")`; [plan_median()] for errors without a simulation.
#' @examples
#' # the error of a private median and of the median, for two distributions
#' found <- simulate_releases(
#'   list(n = c(50, 200), epsilon = c(0.5, 2)),
#'   draw = list(normal = function(n) rnorm(n), Cauchy = function(n) rcauchy(n)),
#'   estimate = list(
#'     private = function(x, epsilon) {
#'       dp_median(x, epsilon, lower = -50, upper = 50)
#'     },
#'     public = function(x) median(x)
#'   ),
#'   replicates = 20
#' )
#' found
#' summary(found)[1:4, c("law", "n", "epsilon", "estimate", "rmse", "rmse_se")]
#' @order 1
#' @export
simulate_releases <- function(design, draw, estimate, measure = "error", truth = 0, replicates = 100L,
                              seed = 1L, path = NULL, chunk = NULL, ...) {
  check_given()
  call <- match.call()
  laws <- if (is.function(draw)) NULL else names(check_functions(draw, "draw"))
  study <- list(
    draw = check_functions(draw, "draw", "rows"),
    estimate = check_functions(estimate, "estimate", "estimate"), measure = check_measures(measure),
    truth = check_truth(truth), seed = check_count(seed, "seed", lower = 0L)
  )
  replicates <- check_count(replicates, "replicates", upper = 1e7L)
  if (!is.null(chunk)) chunk <- check_count(chunk, "chunk")
  design <- simulation_design(design, laws, names(study$estimate), replicates)
  check_arguments(study, design)
  path <- open_store(path, study)
  chunks <- read_chunks(path)
  units <- units_to_do(design, chunks)
  run_units(study, design, units, chunk, function(new) {
    save_chunk(path, new)
    chunks <<- c(chunks, list(new))
  })
  new_simulation(design, study, chunks, call)
}

# The results of all chunks that the design asks for, in its order.
new_simulation <- function(design, study, chunks, call) {
  measures <- names(study$measure)
  flags <- intersect(measures, unlist(lapply(chunks, `[[`, "flags")))
  structure(
    list(
      cells = design$cells, results = chosen_records(design, study, chunks, "results"),
      failures = chosen_records(design, study, chunks, "failures"), replicates = design$replicates,
      sets = design$sets, estimates = names(study$estimate), measures = measures, flags = flags,
      seed = study$seed, version = utils::packageVersion("dpdepth"), call = call
    ),
    class = "dp_simulation"
  )
}

# The records of one kind, with `cell` instead of a key. A run that two chunks have is taken from the
# first: both are the same.
chosen_records <- function(design, study, chunks, kind) {
  parts <- lapply(chunks, `[[`, kind)
  fields <- names(parts[[1]])
  all <- lapply(stats::setNames(fields, fields), function(field) unlist(lapply(parts, `[[`, field)))
  from <- rep(seq_along(parts), vapply(parts, function(part) length(part$key), 0L))
  cell <- match(all$key, design$key)
  run <- paste(cell, all$replicate, all$estimate)
  rank <- match(all$estimate, names(study$estimate))
  asked <- !is.na(cell) & all$replicate <= design$replicates[cell]
  asked[asked] <- mapply(is.element, all$estimate[asked], design$sets[cell[asked]])
  asked <- asked & from == from[match(run, run)]
  order <- order(cell, all$replicate, rank, method = "radix")
  order <- order[asked[order]]
  out <- as.data.frame(all[setdiff(fields, "key")], stringsAsFactors = FALSE)[order, , drop = FALSE]
  out <- cbind(cell = cell[order], out)
  row.names(out) <- NULL
  out
}

# -- measures --------------------------------------------------------------------------------------

simulation_measures <- list(
  error = function(estimate, truth) needed_estimate(estimate) - matched_truth(truth, estimate),
  distance = function(estimate, truth) {
    sqrt(sum((needed_estimate(estimate) - matched_truth(truth, estimate))^2))
  },
  covers = function(estimate, release, truth) {
    limits <- needed_interval(release)
    truth <- rep_len(matched_truth(truth, estimate), nrow(limits))
    stats::setNames(limits[, 1] <= truth & truth <= limits[, 2], rownames(limits))
  },
  width = function(release) {
    limits <- needed_interval(release)
    stats::setNames(limits[, 2] - limits[, 1], rownames(limits))
  }
)

needed_estimate <- function(estimate) {
  if (is.numeric(estimate) && length(estimate) > 0) return(estimate)
  stop_input("estimate", "functions that return a release, numbers, or a fit that coef() takes",
             describe(estimate), "Or give functions of `release` as `measure`.")
}

needed_interval <- function(release) {
  limits <- if (inherits(release, "dp_release")) release$interval
  if (is.null(limits)) {
    stop_input("estimate", "functions that make releases with an interval", "releases without one",
               "Add `interval = 0.95` to the call.")
  }
  limits
}

# By name where both have the same names, else by place.
matched_truth <- function(truth, estimate) {
  if (!length(truth) %in% c(1L, length(estimate))) {
    stop_input("truth", sprintf("one number, or one for each of the estimate's %d", length(estimate)),
               sprintf("%d numbers", length(truth)),
               "A truth for each distribution or cell is a function of factors, such as function(n, law).")
  }
  by_name <- length(truth) > 1 && !is.null(names(truth)) && setequal(names(truth), names(estimate))
  unname(if (by_name) truth[names(estimate)] else truth)
}

# Names of simulation_measures, functions, or both.
check_measures <- function(measure) {
  if (is.character(measure)) measure <- as.list(measure)
  if (is.function(measure)) return(list(measure = measure))
  if (!is.list(measure) || length(measure) == 0) {
    stop_input("measure", "names of measures, a function, or a list of functions with names",
               describe(measure))
  }
  named <- vapply(measure, is.character, NA)
  of <- vapply(measure[named], check_choice, "", choices = names(simulation_measures), arg = "measure")
  if (is.null(names(measure))) names(measure) <- rep_len("", length(measure))
  names(measure)[named][!nzchar(names(measure)[named])] <- of[!nzchar(names(measure)[named])]
  measure[named] <- simulation_measures[of]
  check_functions(measure, "measure")
}

check_truth <- function(truth) {
  if (is.function(truth)) truth else check_finite_numbers(truth, "truth")
}
