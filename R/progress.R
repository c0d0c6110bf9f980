# The progress bar of long work without privacy: by the package cli, where it is installed.
#
# A bar speaks of public counts only, such as how many directions are done, and is opened by functions that
# promise no privacy: how fast a private mechanism goes may depend on the rows, and is not shown. (Simulations
# signal their progress to the package progressr instead, see R/simulate-engine.R.)

# `move`: what moves the bar that is open, a function of the steps done and of all of them; NULL without one.
progress <- new.env(parent = emptyenv())

# Evaluates `code`, in which move_progress() moves a bar with this label. Bars within it are not opened.
with_progress_bar <- function(label, code, open = open_bar) {
  bar <- if (is.null(progress$move) && shows_progress()) open(label)
  if (is.null(bar)) return(code)
  progress$move <- bar$move
  on.exit({
    progress$move <- NULL
    bar$close()
  })
  code
}

# options(dpdepth.progress = FALSE) is for those who want none.
shows_progress <- function() isTRUE(getOption("dpdepth.progress", interactive()))

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
