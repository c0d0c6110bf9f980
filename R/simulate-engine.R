# The replicates that are still to be done, in chunks, here or by futures.

# Chunks grow until one takes about as long as this, in seconds, and longer in long runs: so that what a
# chunk costs besides (.03 seconds) is little, and what an interrupt loses is little too. `last`: the
# shortest at the end, which all workers should reach at about the same time.
chunk_seconds <- c(least = 5, most = 60, share = 0.01, last = 0.25)

# Units (cell, replicate, and which estimates) that `chunks` lack, cell by cell.
units_to_do <- function(design, chunks) {
  cell <- rep(seq_along(design$key), design$replicates)
  replicate <- sequence(design$replicates)
  sets <- design$sets
  set <- cell
  done <- unlist(lapply(chunks, function(chunk) {
    unique(do.call(paste, chunk$results[c("key", "replicate", "estimate")]))
  }))
  if (length(done) > 0) {
    left <- lapply(sort(unique(unlist(sets)), method = "radix"), function(name) {
      asked <- vapply(sets, function(s) name %in% s, NA)[cell]
      ifelse(asked & !paste(design$key[cell], replicate, name) %in% done, name, NA)
    })
    text <- do.call(paste, c(left, sep = "\r"))
    distinct <- which(!duplicated(text))
    sets <- lapply(distinct, function(i) {
      names <- unlist(lapply(left, `[[`, i))
      names[!is.na(names)]
    })
    set <- match(text, text[distinct])
  }
  keep <- lengths(sets)[set] > 0
  list(cell = cell[keep], replicate = replicate[keep], set = set[keep], sets = sets)
}

# The task of some units: see run_chunk().
chunk_task <- function(study, design, units, which, threads) {
  cell <- units$cell[which]
  set <- units$set[which]
  kind <- paste(cell, set)
  first <- which(!duplicated(kind))
  cells <- Map(function(i, s) {
    list(key = design$key[[i]], factors = lapply(design$cells, `[[`, i), estimates = units$sets[[s]])
  }, cell[first], set[first])
  list(study = study, cells = cells, cell = match(kind, kind[first]), replicate = units$replicate[which],
       threads = threads)
}

# Runs all units and hands each chunk's results to `keep`. Chunks are collected as they come.
run_units <- function(study, design, units, size, keep) {
  engine <- future_engine()
  total <- length(units$cell)
  step <- progress_signal(total)
  active <- list()
  at <- 0L
  pace <- new_pace(size, total, engine)
  repeat {
    while (at < total && length(active) < engine$workers) {
      next_units <- at + seq_len(min(next_size(pace, total - at, engine), total - at))
      at <- at + length(next_units)
      task <- chunk_task(study, design, units, next_units, engine$threads)
      active <- c(active, list(engine$start(task)))
    }
    if (length(active) == 0) break
    ended <- engine$ended(active)
    for (job in active[ended]) {
      chunk <- engine$value(job)
      pace <- keep_pace(pace, chunk$seconds, job$units)
      chunk$seconds <- NULL
      keep(chunk)
      step(job$units)
    }
    active <- active[!ended]
  }
}

# -- sizes of chunks -----------------------------------------------------------------------------------

# A queue of batch jobs gets few and large chunks.
new_pace <- function(size, total, engine) {
  if (is.null(size) && engine$batch) size <- ceiling(total / (2 * min(engine$workers, 50)))
  list(fixed = size, size = 1, last = 1, start = proc.time()[["elapsed"]])
}

# How many units to take next: at first one, later for chunk_seconds, and never so many that workers would
# wait for the last chunk.
next_size <- function(pace, left, engine) {
  if (!is.null(pace$fixed)) return(pace$fixed)
  share <- max(ceiling(left / (2 * engine$workers)), pace$last)
  max(1, min(pace$size, share, left))
}

keep_pace <- function(pace, seconds, units) {
  each <- max(seconds, 1e-3) / units
  spent <- proc.time()[["elapsed"]] - pace$start
  goal <- min(chunk_seconds[["most"]], max(chunk_seconds[["least"]], chunk_seconds[["share"]] * spent))
  pace$size <- max(1, min(8 * max(pace$size, units), goal / each))
  pace$last <- ceiling(chunk_seconds[["last"]] / each)
  pace
}

# -- engines -------------------------------------------------------------------------------------------

# Here, or by the plan of the package future. `start` gives a job; `ended` says which jobs have a value.
future_engine <- function() {
  here <- list(
    workers = 1L, threads = getOption("dpdepth.threads"), batch = FALSE,
    start = function(task) list(chunk = run_chunk(task), units = length(task$cell)),
    ended = function(jobs) rep(TRUE, length(jobs)), value = function(job) job$chunk
  )
  if (!requireNamespace("future", quietly = TRUE)) return(here)
  if (inherits(future::plan(), "sequential")) return(here)
  batch <- inherits(future::plan(), "batchtools")
  wait <- 0.002
  found <- NULL
  list(
    workers = as.double(future::nbrOfWorkers()), threads = 1L, batch = batch,
    start = function(task) {
      if (is.null(found)) found <<- study_globals(task$study)
      list(future = start_future(task, found), units = length(task$cell))
    },
    ended = function(jobs) {
      ended <- vapply(jobs, function(job) future::resolved(job$future), NA)
      # longer and longer, up to a tenth of a second, or two seconds for batch jobs
      wait <<- if (any(ended)) 0.002 else min(1.5 * wait, if (batch) 2 else 0.1)
      if (!any(ended)) Sys.sleep(wait)
      ended
    },
    value = function(job) future::value(job$future)
  )
}

# The names are such that they hide nothing of the user's.
start_future <- function(task, found) {
  globals <- c(found$globals, list(.dpdepth_task = task, .dpdepth_run = run_chunk))
  future::future(quote(.dpdepth_run(.dpdepth_task)), substitute = FALSE, globals = globals,
                 packages = found$packages, seed = NULL, envir = baseenv())
}

# What the functions of a study refer to in the global environment, and the packages that they use.
study_globals <- function(study) {
  functions <- Filter(is.function, c(study$draw, study$estimate, study$measure, list(study$truth)))
  names(functions) <- sprintf(".dpdepth_function%d", seq_along(functions))
  frame <- list2env(functions, parent = globalenv())
  found <- future::getGlobalsAndPackages(as.call(c(list(quote(list)), lapply(names(functions), as.name))),
                                         envir = frame)
  globals <- found$globals[setdiff(names(found$globals), names(functions))]
  list(globals = as.list(globals), packages = setdiff(found$packages, "dpdepth"))
}

# A function of the number of units that were done: a signal of the package progressr.
progress_signal <- function(total) {
  if (total == 0 || !requireNamespace("progressr", quietly = TRUE)) return(function(units) NULL)
  signal <- progressr::progressor(steps = total, on_exit = FALSE)
  function(units) signal(amount = units)
}
