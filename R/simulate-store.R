# Results of a simulation on disk: a manifest, and a file for each chunk.
#
# A file is written under another name and then renamed, which a file system does at once: whenever the
# process ends, each file is whole. Files are never changed, so that what is there can be read at any time.

store_format <- 1L

# Opens or makes the folder `path`. What is there must be of the same study, or lack some of its functions.
open_store <- function(path, study) {
  if (is.null(path)) return(NULL)
  if (!is.character(path) || length(path) != 1 || is.na(path) || !nzchar(path)) {
    stop_input("path", "NULL or the name of a folder", describe(path))
  }
  if (file.exists(path) && !dir.exists(path)) stop_input("path", "the name of a folder", "that of a file")
  file <- file.path(path, "manifest.rds")
  old <- if (file.exists(file)) readRDS(file)
  # a run that was killed may have left parts of files
  strange <- grep("[.]part$", list.files(path), value = TRUE, invert = TRUE)
  if (is.null(old) && length(strange) > 0) {
    stop_input("path", "a new or empty folder, or one of an earlier run", "one with other files")
  }
  both <- merged_manifest(old, study_manifest(study))
  dir.create(path, showWarnings = FALSE, recursive = TRUE)
  if (!identical(both, old)) save_whole(both, file)
  path
}

study_manifest <- function(study) {
  keys <- function(functions) vapply(functions, function_key, "")
  truth <- study$truth
  list(
    format = store_format, package = as.character(utils::packageVersion("dpdepth")), seed = study$seed,
    truth = if (is.function(truth)) function_key(truth)
            else paste(c(value_text(truth), names(truth)), collapse = " "),
    measure = keys(study$measure), draw = keys(study$draw), estimate = keys(study$estimate)
  )
}

# Distributions and estimates may be added; nothing may change.
merged_manifest <- function(old, new) {
  if (is.null(old)) return(new)
  refuse <- function(arg, must, was) {
    stop_input(arg, sprintf("%s of the run that `path` holds", must), was,
               "Take another folder for another simulation, or remove this one.")
  }
  if (!identical(old$format, new$format) || !identical(old$package, new$package)) {
    stop_input("path", "a folder of this version of the package", sprintf("one of version %s", old$package),
               "Take another folder, or remove this one.")
  }
  if (!identical(old$seed, new$seed)) refuse("seed", sprintf("%d, the seed", old$seed), format(new$seed))
  if (!identical(old$truth, new$truth)) refuse("truth", "the truth", "another one")
  if (!identical(old$measure, new$measure)) refuse("measure", "the measures", "others")
  for (arg in c("draw", "estimate")) {
    common <- intersect(names(old[[arg]]), names(new[[arg]]))
    changed <- common[old[[arg]][common] != new[[arg]][common]]
    if (length(changed) > 0) {
      refuse(arg, "the functions", sprintf("changed in %s", dQuote(short_text(changed[[1]]), FALSE)))
    }
    added <- setdiff(names(new[[arg]]), common)
    new[[arg]] <- c(old[[arg]], new[[arg]][added])
  }
  new
}

# A chunk's name says what it holds, so that two runs that share a folder write the same.
save_chunk <- function(path, chunk) {
  if (is.null(path)) return(invisible(NULL))
  r <- chunk$results
  unit <- paste(r$key, r$replicate, r$estimate)
  name <- sha256_text(paste(unique(unit), collapse = "\n"))
  save_whole(chunk, file.path(path, sprintf("chunk-%s.rds", substr(name, 1, 32))))
}

save_whole <- function(object, file) {
  part <- sprintf("%s.%d.part", file, Sys.getpid())
  on.exit(unlink(part))
  saveRDS(object, part)
  if (!file.rename(part, file)) stop_input("path", "a folder that can be written to", "another one")
}

read_chunks <- function(path) {
  if (is.null(path)) return(list())
  lapply(sort(list.files(path, "^chunk-.*[.]rds$", full.names = TRUE), method = "radix"), readRDS)
}
