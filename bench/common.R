# What the benchmarks share: where they ran, processes of their own, and the page that is written.

# The line under a title: the machine, its cores or threads, versions (`with`: of peers) and the commit.
ran_on <- function(processors, with = NULL) {
  info <- if (file.exists("/proc/cpuinfo")) readLines("/proc/cpuinfo") else character()
  machine <- c(sub(".*: ", "", grep("^model name", info, value = TRUE)), R.version$platform)[[1]]
  commit <- system2("git", c("rev-parse", "--short", "HEAD"), stdout = TRUE)
  paste0(paste(c(paste0(machine, ", ", processors), R.version.string, with, paste("commit", commit)),
               collapse = "; "), ".")
}

# How busy the machine was in the last minute.
machine_load <- function() {
  if (file.exists("/proc/loadavg")) sub(" .*", "", readLines("/proc/loadavg")) else "unknown"
}

# The peak memory of this process so far.
peak_mb <- function() {
  line <- grep("VmHWM", readLines("/proc/self/status"), value = TRUE)
  as.numeric(gsub("[^0-9]", "", line)) / 1024
}

# Runs code (text), which may use peak_mb(), in a fresh R: the words of the last line it prints.
in_fresh_r <- function(code) {
  file <- tempfile(fileext = ".R")
  on.exit(unlink(file))
  writeLines(c("source(\"bench/common.R\")", code), file)
  out <- system2(file.path(R.home("bin"), "Rscript"), file, stdout = TRUE)
  strsplit(utils::tail(out, 1), " ")[[1]]
}

# Writes bench/<name>.md, and shows it.
write_page <- function(name, lines) {
  writeLines(lines, sprintf("bench/%s.md", name))
  cat(lines, sep = "\n")
}
