# Interrupts at a known place, whatever the load: no timer, no clock.

# Runs `call`, a function of no arguments, with an interrupt pending from its start, until R looks for one.
# TRUE if the call was left there, before its end.
#
# METHOD: the signal is sent while interrupts are suspended, so it waits. R's evaluator looks for one every
#   1000 steps; where that comes first, C was not reached, its count starts anew and the next try reaches it.
is_left_early <- function(call) {
  ended <- FALSE
  left <- tryCatch(
    suspendInterrupts({
      tools::pskill(Sys.getpid(), tools::SIGINT)
      allowInterrupts({
        call()
        ended <- TRUE
        for (j in seq_len(3000)) identity(j) # so that the signal never outlives the try
      })
      FALSE
    }),
    interrupt = function(e) TRUE
  )
  left && !ended
}

# Was a draw in C left with R's stream moved on?
interrupt_advances <- function(call, tries = 10L) {
  for (i in seq_len(tries)) {
    set.seed(11)
    before <- .Random.seed
    if (is_left_early(call) && !identical(.Random.seed, before)) return(TRUE)
  }
  FALSE
}
