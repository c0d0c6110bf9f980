# One replicate of a simulation, and a chunk of them: what a worker does.

# The results of a chunk: `task` has the study (the functions, the truth and the seed), the cells, each a list
# of its key, factors and estimates, and the units: a cell (its place here) and a replicate each.
run_chunk <- function(task) {
  start <- proc.time()[["elapsed"]]
  old <- options(dpdepth.rng = "R", dpdepth.threads = task$threads)
  on.exit(options(old))
  calls <- study_calls(task$study, names(task$cells[[1]]$factors))
  # warnings that a simulation expects are not given
  found <- with_stream_kept(withCallingHandlers(
    lapply(seq_along(task$cell), function(i) {
      run_replicate(task$study, calls, task$cells[[task$cell[[i]]]], task$replicate[[i]])
    }),
    dpdepth_warning = function(w) invokeRestart("muffleWarning")
  ))
  out <- bind_units(found, task)
  out$seconds <- proc.time()[["elapsed"]] - start
  out
}

# All estimates of one replicate, on the same rows: a list of the records of each.
run_replicate <- function(study, calls, cell, replicate) {
  factors <- c(cell$factors, list(replicate = replicate))
  stream <- function(purpose) set_stream(stream_text(study$seed, cell$key, replicate, purpose))
  stream("rows")
  truth <- NULL
  x <- simulated("draw", {
    rows <- make_call(chosen_draw(calls$draw, factors[["law"]]), list(), factors)
    truth <- if (is.null(calls$truth)) study$truth else make_call(calls$truth, list(), factors)
    rows
  })
  lapply(cell$estimates, function(name) {
    stream(paste("estimate", name))
    release <- if (is_failure(x)) x
               else simulated("estimate", own_stream(make_call(calls$estimate[[name]], list(x), factors)))
    measured <- if (is_failure(release)) {
      rep_len(list(measured_record(NA_real_, release$class)), length(calls$measure))
    } else {
      measure_release(calls$measure, release, x, truth, factors)
    }
    failed <- lapply(measured, `[[`, "failure")
    failed <- if (is_failure(release)) list(release) else failed[lengths(failed) > 0]
    list(name = name, measured = measured, failed = failed)
  })
}

chosen_draw <- function(draw, law) {
  if (is.character(law) && law %in% names(draw)) draw[[law]] else draw[[1]]
}

# Each measure's values and their names. `status`: "ok", "withheld" if nothing was released, or an error's
# class.
measure_release <- function(measures, release, rows, truth, factors) {
  released <- !inherits(release, "dp_release") || isTRUE(release$released)
  given <- c(list(estimate = estimate_of(release), release = release, rows = rows, truth = truth), factors)
  lapply(names(measures), function(name) {
    measure <- measures[[name]]
    value <- simulated(name, {
      v <- make_call(measure, if (measure$by_name) list() else given["estimate"], given)
      if (!is.numeric(v) && !is.logical(v) || length(v) == 0) {
        stop_input("measure", "a function that returns numbers or flags", describe(v))
      }
      v
    })
    if (is_failure(value)) return(c(measured_record(NA_real_, value$class), list(failure = value)))
    measured_record(value, if (released) "ok" else "withheld")
  })
}

measured_record <- function(value, status) {
  # one number needs no name, and has none, so that estimates that name it and others are of one term
  terms <- if (length(value) == 1) "" else names(value)
  if (is.null(terms)) terms <- as.character(seq_along(value))
  list(value = as.double(value), term = terms, status = status, flag = is.logical(value))
}

# The estimate's numbers: of a release or a fit its coefficients.
estimate_of <- function(release) {
  if (is.numeric(release)) return(if (is.null(dim(release))) release else as.vector(release))
  tryCatch(stats::coef(release), error = function(e) NULL)
}

# A release that draws from the operating system would be another one in each run.
own_stream <- function(release) {
  if (inherits(release, "dp_release") && !identical(release$rng, "R")) {
    stop_input("estimate", "functions that make releases with R's stream, rng = \"R\"",
               "ones from another source",
               "Leave `rng` out: simulate_releases() sets it.")
  }
  release
}

# The calls of a study's functions, made once for all its replicates.
study_calls <- function(study, factors) {
  of_cell <- c(factors, "replicate")
  all <- c("estimate", "release", "rows", "truth", of_cell)
  list(
    draw = lapply(study$draw, prepared_call, FALSE, of_cell),
    truth = if (is.function(study$truth)) prepared_call(study$truth, FALSE, of_cell),
    estimate = lapply(study$estimate, prepared_call, TRUE, of_cell),
    measure = lapply(study$measure, function(f) prepared_call(f, !any(names(formals(f))[1] %in% all), all))
  )
}

# The call of a function of one value by place (`first`), and of those of `known` by name that it has
# arguments for. It names its values, so that no condition holds rows in its call. `lacks`: arguments that it
# needs and that nothing gives.
prepared_call <- function(f, first, known) {
  arguments <- formals(f)
  if (first && !identical(names(arguments)[1], "...")) arguments <- arguments[-1]
  given <- known[known %in% names(arguments)]
  needed <- vapply(arguments, function(v) is.symbol(v) && !nzchar(as.character(v)), NA)
  named <- stats::setNames(lapply(given, as.name), given)
  list(f = f, given = given, by_name = !first, lacks = setdiff(names(arguments)[needed], c(known, "...")),
       call = as.call(c(list(quote(.f)), if (first) list(quote(.value)), named)))
}

make_call <- function(prepared, first, others) {
  names(first) <- rep_len(".value", length(first))
  eval(prepared$call, c(first, others[prepared$given], list(.f = prepared$f)), baseenv())
}

# What the functions that the design asks for take must be there: a factor that is missing would fail in each
# replicate.
check_arguments <- function(study, design) {
  calls <- study_calls(study, names(design$cells))
  calls$truth <- if (!is.null(calls$truth)) list(calls$truth)
  laws <- design$cells$law
  if (is.character(laws) && any(laws %in% names(calls$draw))) calls$draw <- calls$draw[unique(laws)]
  calls$estimate <- calls$estimate[unique(unlist(design$sets))]
  for (arg in names(calls)) {
    lacks <- unlist(lapply(calls[[arg]], `[[`, "lacks"))
    if (length(lacks) > 0) {
      stop_input(arg, "made of functions whose arguments are factors of the design or have a default",
                 sprintf("with the argument `%s`, which is neither", short_text(lacks[[1]])),
                 "Add a factor of this name to `design`, or give the argument a default.")
    }
  }
}

# The value of `code`, or what went wrong.
simulated <- function(what, code) {
  tryCatch(code, error = function(e) {
    structure(list(what = what, class = class(e)[[1]], message = short_text(conditionMessage(e), 300L)),
              class = "simulation_failure")
  })
}

is_failure <- function(x) inherits(x, "simulation_failure")

# -- records of a chunk --------------------------------------------------------------------------------

# Columns of all units: rows are by unit, estimate, measure and term.
bind_units <- function(found, task) {
  measures <- names(task$study$measure)
  count <- lengths(found)
  runs <- unlist(found, recursive = FALSE)
  measured <- unlist(lapply(runs, `[[`, "measured"), recursive = FALSE)
  of <- function(field) lapply(measured, `[[`, field)
  values <- of("value")
  each <- lengths(values)
  key <- vapply(task$cells, `[[`, "", "key")[task$cell]
  # for each measured: its run and, of that, its unit
  run <- rep(seq_along(runs), each = length(measures))
  unit <- rep(seq_along(found), count)
  long <- function(v) rep(v, each)
  names <- vapply(runs, `[[`, "", "name")
  flags <- unlist(of("flag"))
  list(
    results = list(
      key = long(key[unit][run]), replicate = long(task$replicate[unit][run]),
      estimate = long(names[run]), measure = long(rep_len(measures, length(measured))),
      term = unlist(of("term")), value = unlist(values), status = long(unlist(of("status")))
    ),
    failures = failure_table(runs, key[unit], task$replicate[unit], names),
    flags = unique(rep_len(measures, length(measured))[flags])
  )
}

failure_table <- function(runs, key, replicate, names) {
  failed <- lapply(runs, `[[`, "failed")
  all <- unlist(failed, recursive = FALSE)
  run <- rep(seq_along(runs), lengths(failed))
  text <- function(field) vapply(all, `[[`, "", field)
  list(key = key[run], replicate = replicate[run], estimate = names[run], what = text("what"),
       class = text("class"), message = text("message"))
}

# -- streams of random numbers ---------------------------------------------------------------------

#
# METHOD: R's generator L'Ecuyer-CMRG, with a state that is a hash (SHA-256) of the seed, the cell's key, the
#   replicate's number and the purpose. So a stream depends on nothing else: not on other cells, on workers or
#   on their order. The state has six words of 32 bits, reduced modulo the generator's two primes.
# Why streams do not collide: the generator has two cycles of about 2^191 states each. To it a hash is as
#   good as a random place on them, and two of N streams that use L numbers each overlap with probability
#   below N^2 L / 2^190: 1e-30 for 1e9 streams of 1e9 numbers. Seeds of set.seed(), of 32 bits, would be the
#   same for two of 1e5 streams with probability 0.7.
# REFERENCE: L'Ecuyer, P. (1999), Good parameters and implementations for combined multiple recursive random
#   number generators, Operations Research 47, 159-164; L'Ecuyer, Simard, Chen and Kelton (2002), An
#   object-oriented random-number package with many long streams and substreams, Operations Research 50.

# The generator's moduli, for the first and the last three words.
stream_moduli <- rep(c(4294967087, 4294944443), each = 3)

# L'Ecuyer-CMRG with inversion and rejection, as .Random.seed has it.
stream_kind <- 10407L

# The state, as .Random.seed has it.
stream_state <- function(text) state_of_hash(sha256(text))

state_of_hash <- function(hash) {
  words <- readBin(hash[1:24], "integer", 6L, endian = "big")
  if (anyNA(words)) words[is.na(words)] <- 1L # 2^31, which is NA for R
  words <- (words + 2^32 * (words < 0)) %% stream_moduli
  # neither half may be all zero
  if (all(words[1:3] == 0)) words[[1]] <- 1
  if (all(words[4:6] == 0)) words[[4]] <- 1
  c(stream_kind, as.integer(words - 2^32 * (words >= 2^31)))
}

# `purpose`: "rows", or "estimate" and its name.
stream_text <- function(seed, key, replicate, purpose) {
  paste("dpdepth", seed, key, replicate, purpose)
}

set_stream <- function(text) assign(".Random.seed", stream_state(text), envir = globalenv())

# Evaluates `code`, in which R's stream may be set, and leaves the stream and its kind as they were.
with_stream_kept <- function(code) {
  kinds <- RNGkind() # public-rng: to be set again
  old <- get0(".Random.seed", globalenv(), inherits = FALSE)
  on.exit({
    # R warns of rounding in sample()
    suppressWarnings(do.call(RNGkind, as.list(kinds))) # public-rng: as they were
    if (is.null(old)) rm(".Random.seed", envir = globalenv())
    else assign(".Random.seed", old, envir = globalenv())
  })
  force(code)
}
