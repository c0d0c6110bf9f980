# The private projection median: propose, test, release.

draw_projections <- function(directions, center, spread, rate, sampler = "exact", source = "R", draws = 1L,
                             origin = NULL, step = 2^-20, chains = 4L, steps = 1000L, trace = FALSE) {
  if (is.null(origin)) origin <- numeric(ncol(directions))
  .Call(ffi_draw_projection, source, t(directions), list(center, spread, origin, rate, step), sampler,
        as.integer(c(draws, chains, steps)), trace)
}
