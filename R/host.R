# What long work takes and shows: how many threads the C kernels use, and the progress bar.

#' Threads for the C kernels
#'
#' Depths and sensitivities are computed in parallel over query points or directions.
#' Results have the same bits for any number of threads; random draws are never made
#' in parallel. In a forked worker, one thread is used for any setting.
#'
#' By default the number of threads is the number of processors, or less if `OMP_NUM_THREADS`,
#' `OMP_THREAD_LIMIT` or the processor quota of a control group (Linux, as in containers) limits it, and at
#' most two while a package is checked (`_R_CHECK_LIMIT_CORES_`). All of these are read when the package is
#' loaded.
#'
#' @section Progress:
#' Long work without privacy, such as depths of many points, shows a progress bar in interactive sessions
#' where the package cli is installed; `options(dpdepth.progress = FALSE)` leaves it out. Private releases
#' show none, not even a sign of life without a fraction. How long a draw takes, and after which of its steps,
#' may depend on the rows. Time is outside the promise, but what a call prints is inside it, and is kept in
#' logs and reports.
#' @param threads A whole number from 1 to 1024, or `NULL` to leave the setting as it is.
#' @param ... Must be empty: a name that is not an argument is refused, see [dpdepth-errors].
#' @return The number of threads in force before the call, invisibly if it was changed.
#' @section Errors: A bad argument raises `dpdepth_error_input`, see [dpdepth-errors].
#' @examples
#' dpdepth_threads()
#' old <- dpdepth_threads(1)
#' dpdepth_threads(old)
#' @export
dpdepth_threads <- function(threads = NULL, ...) {
  check_given()
  old <- getOption("dpdepth.threads", default_threads())
  if (is.null(threads)) return(old)
  options(dpdepth.threads = check_count(threads, "threads", upper = 1024L))
  invisible(old)
}

# Threads for the next C call. A forked worker gets one: it has inherited the thread pool's
# records but not its threads, and would wait for them for ever.
usable_threads <- function() {
  if (!identical(Sys.getpid(), process$loaded)) return(1L)
  getOption("dpdepth.threads", 1L)
}

# As many as the machine, OpenMP's own settings and the container allow; two at most under checks.
default_threads <- function(cores = detectCores(), groups = "/proc/self/cgroup",
                            root = "/sys/fs/cgroup") {
  check <- Sys.getenv("_R_CHECK_LIMIT_CORES_", "")
  checked <- nzchar(check) && !tolower(check) %in% c("false", "no")
  limits <- c(if (is.na(cores)) 1 else cores, whole_setting("OMP_NUM_THREADS"),
              whole_setting("OMP_THREAD_LIMIT"), cgroup_cores(groups, root), if (checked) 2)
  as.integer(max(1, min(limits, 1024, na.rm = TRUE)))
}

# A whole number of 1 or more in the environment, the first of a list; NA if there is none.
whole_setting <- function(name) {
  value <- trimws(sub(",.*", "", Sys.getenv(name, "")))
  if (grepl("^[0-9]{1,9}$", value) && as.numeric(value) >= 1) as.numeric(value) else NA_real_
}

# Processors that the control groups of this process and those above them allow, rounded up: version 2
# (`cpu.max`) and version 1 (`cpu.cfs_quota_us` over `cpu.cfs_period_us`). NA if there is no limit.
cgroup_cores <- function(groups, root) {
  lines <- strsplit(read_quietly(groups), ":", fixed = TRUE)
  limits <- NA_real_
  for (line in lines[lengths(lines) >= 3]) {
    path <- paste(line[-(1:2)], collapse = ":")
    controllers <- strsplit(line[[2]], ",", fixed = TRUE)[[1]]
    if (identical(line[[2]], "")) {
      limits <- c(limits, path_cores(root, path))
    } else if ("cpu" %in% controllers) {
      for (folder in c(line[[2]], "cpu")) limits <- c(limits, path_cores(file.path(root, folder), path))
    }
  }
  if (all(is.na(limits))) NA_real_ else ceiling(min(limits, na.rm = TRUE))
}

# The least quota of a group and of those above it. In a container the group's own path may not be there: then
# its root is.
path_cores <- function(root, path) {
  minimum <- NA_real_
  repeat {
    minimum <- min(minimum, quota_cores(file.path(root, path)), na.rm = TRUE)
    if (path %in% c("/", "", ".")) break
    path <- dirname(path)
  }
  if (is.finite(minimum)) minimum else NA_real_
}

quota_cores <- function(folder) {
  first <- function(file) c(read_quietly(file.path(folder, file)), "")[[1]]
  parts <- strsplit(first("cpu.max"), " ", fixed = TRUE)[[1]]
  if (length(parts) == 0) parts <- c(first("cpu.cfs_quota_us"), first("cpu.cfs_period_us"))
  share <- suppressWarnings(as.numeric(parts))
  # "max", or -1, is no limit
  if (length(share) == 2 && all(is.finite(share)) && all(share > 0)) share[[1]] / share[[2]] else Inf
}

# A file's lines; none if it cannot be read.
read_quietly <- function(file) {
  if (!file.exists(file)) return(character(0))
  tryCatch(suppressWarnings(readLines(file)), error = function(e) character(0))
}

# The process that loaded the package: in a forked worker it is another one than the worker's.
process <- new.env(parent = emptyenv())

# -- the progress bar of long work without privacy ------------------------------------------------------

# It is drawn by the package cli, where that is installed. A bar speaks of public counts only, such as how
# many directions are done, and is opened by functions that promise no privacy: how fast a private mechanism
# goes may depend on the rows, and is not shown. (Simulations signal their progress to the package progressr
# instead, see R/simulate-engine.R.)

# `move`: what moves the bar that is open, a function of the steps done and of all of them; NULL without one.
progress <- new.env(parent = emptyenv())

# Evaluates `code`, in which move_progress() moves a bar with this label. Bars within it are not opened.
with_progress_bar <- function(label, code, open = open_bar) {
  wanted <- isTRUE(getOption("dpdepth.progress", interactive()))
  bar <- if (is.null(progress$move) && wanted) open(label)
  if (is.null(bar)) return(code)
  progress$move <- bar$move
  on.exit({
    progress$move <- NULL
    bar$close()
  })
  code
}

# cli shows a bar after some seconds (its option cli.progress_show_after).
open_bar <- function(label) {
  if (!requireNamespace("cli", quietly = TRUE)) return(NULL)
  id <- cli::cli_progress_bar(label, total = 1, .auto_close = FALSE)
  list(
    move = function(done, total) cli::cli_progress_update(set = done / total, id = id),
    close = function() cli::cli_progress_done(id = id)
  )
}

# Called between blocks of work, in C by host_progress().
move_progress <- function(done, total) if (!is.null(progress$move)) progress$move(done, total)
