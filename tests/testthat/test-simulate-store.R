# Simulations on disk: killed or interrupted at any place, they go on without loss.

new_folder <- function() tempfile("simulation")

# Ends the process, or interrupts it, before the 4th replicate of any cell where it is told to.
stopped_estimates <- lapply(list(median = function(x, replicate) {
  how <- Sys.getenv("DPDEPTH_TEST_STOP")
  if (replicate == 4 && nzchar(how)) {
    tools::pskill(Sys.getpid(), if (how == "kill") tools::SIGKILL else tools::SIGINT)
    for (i in seq_len(3000)) identity(i) # R looks for an interrupt
  }
  stats::median(x)
}), in_global)

stopped_simulation <- function(path) {
  small_simulation(design = list(n = c(5, 9)), estimate = stopped_estimates, draw = small_laws["normal"],
                   replicates = 5, path = path, chunk = 2)
}

test_that("a process that is killed leaves whole files, and the rest is done later", {
  skip_on_cran()
  path <- new_folder()
  script <- tempfile(fileext = ".R")
  on.exit(unlink(c(path, script), recursive = TRUE))
  functions <- c("in_global", "small_laws", "small_estimates", "small_simulation", "stopped_estimates",
                 "stopped_simulation")
  code <- vapply(functions, function(name) paste(name, "<-", paste(deparse(get(name)), collapse = "\n")), "")
  writeLines(c("library(dpdepth)", "small_design <- NULL", code,
               sprintf("stopped_simulation(%s)", deparse(path))), script)
  Sys.setenv(DPDEPTH_TEST_STOP = "kill")
  command <- file.path(R.home("bin"), "Rscript")
  status <- with_libraries(suppressWarnings(
    system2(command, shQuote(script), stdout = FALSE, stderr = FALSE)
  ))
  Sys.unsetenv("DPDEPTH_TEST_STOP")
  expect_false(status == 0)
  # the chunk of the replicates 1 and 2 is there, that of 3 and 4 is not
  before <- list.files(path, "^chunk")
  expect_length(before, 1)
  kept <- readRDS(file.path(path, before))
  resumed <- stopped_simulation(path)
  expect_identical(resumed$results, stopped_simulation(NULL)$results)
  expect_identical(readRDS(file.path(path, before)), kept)
  expect_length(list.files(path, "^chunk"), 5)
})

test_that("an interrupt passes, and leaves what is done", {
  path <- new_folder()
  on.exit({
    Sys.unsetenv("DPDEPTH_TEST_STOP")
    unlink(path, recursive = TRUE)
  })
  Sys.setenv(DPDEPTH_TEST_STOP = "interrupt")
  old <- getOption("dpdepth.rng")
  set.seed(1)
  before <- .Random.seed
  expect_identical(tryCatch(stopped_simulation(path), interrupt = function(e) "interrupted"), "interrupted")
  expect_identical(getOption("dpdepth.rng"), old)
  expect_identical(.Random.seed, before)
  Sys.unsetenv("DPDEPTH_TEST_STOP")
  expect_length(list.files(path, "^chunk"), 1)
  expect_identical(stopped_simulation(path)$results, stopped_simulation(NULL)$results)
  expect_setequal(sub("-.*", "", list.files(path)), c("chunk", "manifest.rds"))
})

test_that("cells, replicates, laws and estimates are added, and nothing is done twice", {
  path <- new_folder()
  on.exit(unlink(path, recursive = TRUE))
  first <- small_simulation(path = path, draw = small_laws[1], estimate = small_estimates[1], replicates = 2)
  expect_identical(first$results, small_simulation(draw = small_laws[1], estimate = small_estimates[1],
                                                   replicates = 2)$results)
  all <- small_simulation(path = path)
  expect_identical(all$results, small_simulation()$results)
  # no estimate is called any more, and what is not asked for is left out
  refuse <- function(functions) lapply(functions, function(f) `body<-`(f, value = quote(stop("called"))))
  files <- list.files(path)
  again <- small_simulation(path = path, design = list(n = 50, epsilon = 2), replicates = 2)
  expect_identical(list.files(path), files)
  expect_identical(values_of(again), values_of(all)[names(values_of(again))])
  expect_length(values_of(again), 2 * 2 * 2)
  expect_identical(values_of(all)[order(names(values_of(all)))],
                   values_of(small_simulation())[order(names(values_of(all)))])
  expect_snapshot(error = TRUE, {
    small_simulation(path = path, seed = 2)
    small_simulation(path = path, truth = 1)
    small_simulation(path = path, measure = "distance")
    small_simulation(path = path, estimate = refuse(small_estimates))
    small_simulation(path = path, draw = refuse(small_laws))
  })
})

test_that("a file that was being written when the process ended is none", {
  path <- new_folder()
  on.exit(unlink(path, recursive = TRUE))
  dir.create(path)
  part <- function(name) writeBin(as.raw(1:9), file.path(path, name))
  part("manifest.rds.99.part")
  small_simulation(path = path, replicates = 1)
  part("chunk-0123.rds.99.part")
  expect_identical(small_simulation(path = path)$results, small_simulation()$results)
  # what cannot be written leaves nothing under the file's name, and no part
  whole <- file.path(path, "chunk-4567.rds")
  expect_error(with_bindings(list(save_whole = edited("save_whole", "saveRDS(object, part)",
                                                      "{ writeLines(\"half\", part); stop(\"full\") }")),
                             save_whole(1, whole)), "full")
  expect_length(list.files(path, "4567"), 0)
})

test_that("folders of something else are refused", {
  path <- new_folder()
  dir.create(path)
  on.exit(unlink(path, recursive = TRUE))
  file.create(file.path(path, "letter.txt"))
  expect_snapshot(error = TRUE, {
    open_store(path, NULL)
    open_store(file.path(path, "letter.txt"), NULL)
    open_store(1, NULL)
    merged_manifest(list(format = 1L, package = "0.0.1"), list(format = 1L, package = "0.0.2"))
  }, transform = function(lines) gsub(path, "<folder>", lines, fixed = TRUE))
})

test_that("a folder takes nothing of another study, and more laws and estimates of its own", {
  old <- list(format = 1L, package = "1", seed = 1L, truth = "0", measure = c(m = "k"), draw = c(a = "k"),
              estimate = c(e = "k"))
  for (part in names(old)) {
    new <- old
    new[[part]][[1]] <- if (is.integer(new[[part]])) 2L else "other"
    expect_error(merged_manifest(old, new), class = "dpdepth_error_input")
  }
  expect_identical(merged_manifest(old, replace(old, "draw", list(c(b = "k"))))$draw, c(a = "k", b = "k"))
})
