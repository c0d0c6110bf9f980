# Streams of simulations: states that R's generator takes, each its own.

test_that("a state is the hash's words, and R takes it", {
  text <- stream_text(1L, "key", 2L, "rows")
  # by sha256sum
  expect_identical(sha256_text(text), "50f122cf3d283d37322c0bccbf96fc89c22db2daad6fee8b440878b826736780")
  state <- stream_state(text)
  expect_identical((state[-1] + 2^32) %% 2^32,
                   c(1357980367, 1026047287, 841747404, 3214343305, 3257774810, 2909793931))
  with_stream_kept({
    set_stream(text)
    expect_identical(.Random.seed, state)
    drawn <- stats::runif(3) # public-rng: a test of the stream
    expect_identical(RNGkind(), c("L'Ecuyer-CMRG", "Inversion", "Rejection"))
    set_stream(text)
    expect_identical(stats::runif(3), drawn) # public-rng: a test of the stream
  })
})

test_that("words that the generator would refuse are reduced", {
  state <- function(hex) state_of_hash(as.raw(strtoi(substring(hex, seq(1, 47, 2), seq(2, 48, 2)), 16)))
  words <- function(...) paste(c(...), collapse = "")
  # R would draw a new state from the clock for these
  expect_identical(state(words(rep("00000000", 6))), c(10407L, 1L, 0L, 0L, 1L, 0L, 0L))
  # the moduli themselves, the largest words, and 2^31, which is no integer of R
  expect_identical(state(words("ffffff2f", "ffffffff", "80000000", "ffffa6bb", "ffffffff", "7fffffff")),
                   c(10407L, 0L, 208L, 1L, 0L, 22852L, 2147483647L))
  # less than 2^32 are negative in .Random.seed
  expect_identical(state(words("ffffff2e", "80000001", rep("00000001", 4)))[2:3], c(-210L, -2147483647L))
})

test_that("an error within leaves the stream as it was", {
  set.seed(3)
  before <- .Random.seed
  expect_error(with_stream_kept({
    set_stream("any")
    stop("of the code")
  }), "of the code")
  expect_identical(.Random.seed, before)
})
