# Streams of random numbers of a simulation: one for each replicate's rows, and one for each of its estimates.
#
# METHOD: R's generator L'Ecuyer-CMRG, with a state that is a hash (SHA-256) of the seed, the cell's key, the
#   replicate's number and the purpose. So a stream depends on nothing else: not on other cells, on workers or
#   on their order. The state has six words of 32 bits, reduced modulo the generator's two primes.
# Why streams do not collide: the generator has two cycles of about 2^191 states each. To it a hash is as
#   good as a random place on them, and two of N streams that use L numbers each overlap with probability
#   below N^2 L / 2^190: 1e-30 for 1e9 streams of 1e9 numbers. Seeds of set.seed(), of 32 bits, would be the
#   same for two of 1e5 streams with probability 0.7.
# REFERENCE: L'Ecuyer, P. (1999), Good parameters and implementations for combined multiple recursive random
#   number generators, Operations Research 47, 159-164; L'Ecuyer, Simard, Chen and Kelton (2002), An
#   object-oriented random-number package with many long streams and substreams, Operations Research 50.

# The generator's moduli, for the first and the last three words.
stream_moduli <- rep(c(4294967087, 4294944443), each = 3)

# L'Ecuyer-CMRG with inversion and rejection, as .Random.seed has it.
stream_kind <- 10407L

# The state, as .Random.seed has it.
stream_state <- function(text) state_of_hash(sha256(text))

state_of_hash <- function(hash) {
  words <- readBin(hash[1:24], "integer", 6L, endian = "big")
  if (anyNA(words)) words[is.na(words)] <- 1L # 2^31, which is NA for R
  words <- (words + 2^32 * (words < 0)) %% stream_moduli
  # neither half may be all zero
  if (all(words[1:3] == 0)) words[[1]] <- 1
  if (all(words[4:6] == 0)) words[[4]] <- 1
  c(stream_kind, as.integer(words - 2^32 * (words >= 2^31)))
}

# `purpose`: "rows", or "estimate" and its name.
stream_text <- function(seed, key, replicate, purpose) {
  paste("dpdepth", seed, key, replicate, purpose)
}

set_stream <- function(text) assign(".Random.seed", stream_state(text), envir = globalenv())

# Evaluates `code`, in which R's stream may be set, and leaves the stream and its kind as they were.
with_stream_kept <- function(code) {
  kinds <- RNGkind() # public-rng: to be set again
  old <- get0(".Random.seed", globalenv(), inherits = FALSE)
  on.exit({
    # R warns of rounding in sample()
    suppressWarnings(do.call(RNGkind, as.list(kinds))) # public-rng: as they were
    if (is.null(old)) rm(".Random.seed", envir = globalenv())
    else assign(".Random.seed", old, envir = globalenv())
  })
  force(code)
}
