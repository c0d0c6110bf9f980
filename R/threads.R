# How many threads the C kernels use.

#' Threads for the C kernels
#'
#' Depths and sensitivities are computed in parallel over query points or directions.
#' Results have the same bits for any number of threads; random draws are never made
#' in parallel. In a forked worker, one thread is used whatever the setting.
#'
#' @param threads A whole number from 1 to 1024, or `NULL` to leave the setting as it is.
#' @param ... Must be empty: a name that is not an argument is refused, see [dpdepth-errors].
#' @return The number of threads in force before the call, invisibly if it was changed.
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

# All cores, but never more than two while a package is being checked.
default_threads <- function() {
  limit <- Sys.getenv("_R_CHECK_LIMIT_CORES_", "")
  cores <- parallel::detectCores()
  if (is.na(cores)) cores <- 1L
  if (nzchar(limit) && !tolower(limit) %in% c("false", "no")) cores <- min(cores, 2L)
  cores
}
