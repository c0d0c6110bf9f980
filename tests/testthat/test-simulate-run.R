# Replicates of simulations: what functions are given, and what becomes of errors.

test_that("functions get the factors that they have arguments for", {
  found <- simulate_releases(
    list(n = 3, law = "any", shift = 2),
    draw = function(n, shift) seq_len(n) + shift,
    estimate = list(all = function(x, law, replicate) c(sum(x), nchar(law), replicate), largest = max),
    measure = function(number, rows, truth, n) c(first = number[[1]], x = rows[[1]], t = truth, n = n),
    truth = function(shift) 10 * shift, replicates = 2
  )
  rows <- tidy(found)
  expect_identical(names(rows), c("n", "law", "shift", "replicate", "estimate", "measure", "term", "value",
                                  "status"))
  expect_identical(rows$term, rep(c("first", "x", "t", "n"), 4))
  expect_identical(rows$value, c(12, 3, 20, 3, 5, 3, 20, 3)[rep(1:8, 2)])
  expect_identical(rows$replicate, rep(1:2, each = 8))
  expect_identical(unique(rows$status), "ok")
})

test_that("measures get what their arguments name, or the estimate's numbers", {
  found <- simulate_releases(
    list(n = 9), function(n) seq_len(n), function(x) dp_median(x, 1, lower = 3, upper = 4),
    measure = list(is = function(release) inherits(release, "dp_release"),
                   of = function(n, rows) n - rows[[2]], rounds = round,
                   far = function(truth, estimate) truth - round(estimate[["x"]])),
    truth = 7, replicates = 1
  )
  rows <- tidy(found)
  expect_identical(rows$value[1:2], c(1, 7))
  expect_identical(rows$value[[3]], 7 - rows$value[[4]])
  expect_identical(rows$term, rep("", 4))
})

test_that("an error is kept with its class, whoever raised it", {
  found <- simulate_releases(
    list(n = c(1, 5)),
    draw = function(n) if (n == 1) stop(errorCondition("no rows", class = "of_draw")) else seq_len(n),
    estimate = list(
      fails = function(x) stop("no estimate"), refused = function(x) dp_median(x, -1, lower = 0, upper = 9),
      system = function(x) dp_median(x, 1, lower = 0, upper = 9, rng = "system"), works = function(x) 3
    ),
    measure = list(a = function(estimate) estimate, b = function(estimate) stop("no measure"),
                   c = function(estimate) "text"),
    replicates = 1
  )
  status <- tidy(found)$status
  lost <- rep(c("simpleError", "dpdepth_error_input"), c(3, 6))
  expect_identical(status, c(rep("of_draw", 12), lost, "ok", "simpleError", "dpdepth_error_input"))
  expect_identical(which(!is.na(tidy(found)$value)), 22L)
  expect_identical(found$failures$what, c(rep("draw", 4), rep("estimate", 3), "b", "c"))
  expect_identical(found$failures$message[c(1, 5, 8)], c("no rows", "no estimate", "no measure"))
  expect_match(found$failures$message[[7]], "rng = \"R\"", fixed = TRUE)
  expect_identical(glance(found)$failed, 8L)
})

test_that("a release that a test withholds is no failure", {
  found <- simulate_releases(
    list(), draw = function() seq_len(60), measure = "error",
    estimate = function(x) dp_median_restricted(cbind(x, rev(x)^2), 1, 1e-6), replicates = 1
  )
  expect_identical(unique(tidy(found)$status), "withheld")
  expect_identical(glance(found)[c("failed", "withheld")], data.frame(failed = 0L, withheld = 1L))
})

test_that("conditions hold no rows in their calls", {
  heard <- NULL
  rows <- matrix(pi, 50, 2)
  withCallingHandlers(
    simulate_releases(list(), function() rows, function(x) as.integer("none"), replicates = 1),
    warning = function(w) {
      heard <<- w
      invokeRestart("muffleWarning")
    }
  )
  expect_s3_class(heard, "warning")
  expect_false(any(grepl("3.14", deparse(conditionCall(heard)), fixed = TRUE)))
})

test_that("a factor that a function needs and the design lacks is refused before anything is drawn", {
  draws <- function(...) stop("drawn")
  try_study <- function(..., draw = draws, estimate = function(x) 1, design = list(n = 5)) {
    simulate_releases(design, draw, estimate, ..., replicates = 1)
  }
  expect_snapshot(error = TRUE, {
    try_study(draw = function(n, spread) rnorm(n, 0, spread))
    try_study(draw = list(normal = function(n) rnorm(n), t = function(n, df) rt(n, df)))
    try_study(estimate = list(one = function(x) 1, other = function(x, epsilon) epsilon))
    try_study(truth = function(shift) shift)
    try_study(measure = list(far = function(estimate, size) estimate > size))
  })
  # what has a default, `...`, functions without formals, and what the design does not ask for
  found <- try_study(
    design = list(law = "normal", n = 3, estimate = c("sum", "most")),
    draw = list(normal = function(n, spread = 2, ...) spread * seq_len(n), t = function(df) df),
    estimate = list(sum = sum, most = function(...) max(...), other = function(x, epsilon) epsilon)
  )
  expect_identical(tidy(found)$value, c(12, 6))
  expect_identical(nrow(found$failures), 0L)
})

# -- streams of random numbers ---------------------------------------------------------------------

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
