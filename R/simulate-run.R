# One replicate of a simulation, and a chunk of them: what a worker does.

# The results of a chunk: `task` has the study (the functions, the truth and the seed), the cells, each a list
# of its key, factors and estimates, and the units: a cell (its place here) and a replicate each.
run_chunk <- function(task) {
  start <- proc.time()[["elapsed"]]
  old <- options(dpdepth.rng = "R", dpdepth.threads = task$threads)
  on.exit(options(old))
  found <- with_stream_kept(Map(function(cell, replicate) {
    run_replicate(task$study, task$cells[[cell]], replicate)
  }, task$cell, task$replicate))
  out <- bind_units(found, task)
  out$seconds <- proc.time()[["elapsed"]] - start
  out
}

# All estimates of one replicate, on the same rows: a list of the records of each.
run_replicate <- function(study, cell, replicate) {
  factors <- c(cell$factors, list(replicate = replicate))
  stream <- function(purpose) set_stream(stream_text(study$seed, cell$key, replicate, purpose))
  stream("rows")
  truth <- NULL
  x <- simulated("draw", {
    rows <- call_with(chosen_draw(study$draw, factors[["law"]]), list(), factors)
    truth <- if (is.function(study$truth)) call_with(study$truth, list(), factors) else study$truth
    rows
  })
  lapply(cell$estimates, function(name) {
    stream(paste("estimate", name))
    release <- if (is_failure(x)) x
               else simulated("estimate", own_stream(call_with(study$estimate[[name]], list(x), factors)))
    measured <- lapply(names(study$measure), function(measure) {
      if (is_failure(release)) return(measured_record(NA_real_, release$class))
      measure_release(study$measure[[measure]], measure, release, x, truth, factors)
    })
    failed <- if (is_failure(release)) list(release)
              else Filter(Negate(is.null), lapply(measured, `[[`, "failure"))
    list(name = name, measured = measured, failed = failed)
  })
}

chosen_draw <- function(draw, law) {
  if (is.character(law) && law %in% names(draw)) draw[[law]] else draw[[1]]
}

# A measure's values and their names. `status`: "ok", "withheld" if nothing was released, or an error's class.
measure_release <- function(f, name, release, rows, truth, factors) {
  released <- !inherits(release, "dp_release") || isTRUE(release$released)
  given <- c(list(estimate = estimate_of(release), release = release, rows = rows, truth = truth), factors)
  by_name <- any(names(formals(f))[1] == names(given))
  value <- simulated(name, {
    v <- call_with(f, if (isTRUE(by_name)) list() else given["estimate"], given)
    if (!is.numeric(v) && !is.logical(v) || length(v) == 0) {
      stop_input("measure", "a function that returns numbers or flags", describe(v))
    }
    v
  })
  if (is_failure(value)) return(c(measured_record(NA_real_, value$class), list(failure = value)))
  measured_record(value, if (released) "ok" else "withheld")
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
    stop_input("estimate", "functions that make releases with R's stream, rng = \"R\"", "with another source",
               "Leave `rng` out: simulate_releases() sets it.")
  }
  release
}

# A function of some values by place and of those of the others by name that it has arguments for. The call
# names its values, so that no condition holds rows in its call.
call_with <- function(f, first, others) {
  taken <- names(formals(f))
  taken <- if (length(first) > 0) taken[-1] else taken
  given <- others[names(others) %in% taken]
  places <- sprintf(".value%d", seq_along(first))
  frame <- list2env(c(stats::setNames(first, places), given, list(.f = f)), parent = baseenv())
  named <- stats::setNames(lapply(names(given), as.name), names(given))
  eval(as.call(c(list(quote(.f)), lapply(places, as.name), named)), frame)
}

# The value of `code`, or what went wrong. Warnings that a simulation expects are not given.
simulated <- function(what, code) {
  tryCatch(
    withCallingHandlers(code, dpdepth_warning = function(w) invokeRestart("muffleWarning")),
    error = function(e) {
      structure(list(what = what, class = class(e)[[1]], message = short_text(conditionMessage(e), 300L)),
                class = "simulation_failure")
    }
  )
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
