# ptr(): the general tool of propose, test, release.

test_that("ptr() releases, refuses, and does the same work either way", {
  calls <- 0
  given <- NULL
  release <- function(epsilon, laplace) {
    calls <<- calls + 1
    given <<- epsilon
    list(laplace(100, 1e-6, epsilon / 3), laplace(200, 1e-6, 2 * epsilon / 3))
  }
  yes <- ptr(1000, release, epsilon = 2, delta = 1e-6, share = 0.25, n = 10, names = c("a", "b"))
  no <- ptr(0, release, epsilon = 2, delta = 1e-6, names = c("a", "b"))
  expect_identical(calls, 2)
  expect_identical(given, 1)
  expect_s3_class(yes, "dp_release")
  expect_true(yes$released)
  # noise of scale 1e-6 and 2e-6: off by 1 with probability exp(-5e5)
  expect_equal(yes$estimate, c(a = 100, b = 200), tolerance = 0.01)
  expect_identical(yes$n, 10L)
  expect_identical(yes$details$epsilon_test, 0.5)
  expect_false(no$released)
  expect_identical(no$estimate, c(a = NA_real_, b = NA_real_))
  expect_identical(names(yes), names(no))
  expect_output(print(no), "NOT RELEASED")
  # nothing of the margin is in it
  expect_false(any(grepl("1000", capture.output(dput(unclass(yes))))))
})

test_that("the test and the draw share epsilon, whatever the share", {
  for (share in c(0.1, 0.25, 0.75, 0.9)) for (epsilon in c(0.3, 1, 7)) {
    given <- NULL
    out <- ptr(50, function(epsilon, laplace) {
      given <<- epsilon
      laplace(0, 1, epsilon)
    }, epsilon, 1e-6, share)
    expect_identical(out$details$epsilon_test, epsilon * share)
    expect_identical(out$details$epsilon_draw, given)
    expect_equal(given + out$details$epsilon_test, epsilon, tolerance = 1e-15)
  }
})

one <- function(epsilon, laplace) laplace(0, 1, epsilon)

test_that("ptr() debits its ledger, passed or not, and not for bad public arguments", {
  ledger <- dp_ledger(3, 1e-3)
  ptr(0, one, 1, 1e-4, ledger = ledger)
  ptr(99, one, 1, 1e-4, ledger = ledger)
  expect_equal(summary(ledger)["epsilon", "spent"], 2)
  refused <- function(...) expect_error(ptr(..., ledger = ledger), class = "dpdepth_error_input")
  refused(1, one, 1, 1e-4, n = methods::getClass("numeric"))
  refused(1, 3, 1, 1e-4)
  refused(1, one, 1, 0)
  refused(1, one, 1, 1e-4, share = 1)
  for (names in list(NULL, NA_character_, 2, character())) refused(1, one, 1, 1e-4, names = names)
  expect_error(ptr(1, one), class = "dpdepth_error_input")
  expect_error(ptr(1, one, 2, 1e-4, ledger = ledger), class = "dpdepth_error_budget")
  expect_equal(summary(ledger)["epsilon", "spent"], 2)
})

# Whatever `margin` and `release` do, the outcome is a release of one shape, without a word.
silent_release <- function(...) {
  # a margin of 0 passes with a probability of at most delta
  ledger <- dp_ledger(1, 1e-12)
  out <- expect_silent(tryCatch(ptr(..., epsilon = 1, delta = 1e-12, ledger = ledger), error = identity))
  expect_s3_class(out, "dp_release")
  expect_identical(nrow(as.data.frame(ledger)), 1L)
  out
}

test_that("failures of the margin are margin 0, without a word", {
  expect_true(silent_release(1e6, one)$released)
  bad <- list(-1, 0.5, NA, "a", c(1e6, 1e6), NULL, Inf, NaN, 2^60, TRUE, list(1e6), sum,
              as.POSIXct(0, origin = "1970-01-01"))
  for (margin in bad) expect_false(silent_release(margin, one)$released)
  x <- c(17.25, 3)
  expect_false(silent_release(stop("x[1] is ", x[[1]]), one)$released)
  expect_false(silent_release(stop_input("x", "less than 3", x[[1]]), one)$released)
  expect_true(silent_release({
    warning("x[1] is ", x[[1]])
    message("x[1] is ", x[[1]])
    1e6
  }, one)$released)
  old <- options(warn = 2)
  on.exit(options(old))
  expect_true(silent_release({
    warning("x[1] is ", x[[1]])
    1e6
  }, one)$released)
})

test_that("the budget is debited before any of the user's code runs", {
  ledger <- dp_ledger(1, 1e-4)
  seen <- NULL
  look <- function(value) {
    seen <<- c(seen, nrow(as.data.frame(ledger)))
    value
  }
  ptr(look(3), look(function(epsilon, laplace) look(laplace(0, 1, epsilon))), 1, 1e-4, ledger = ledger)
  expect_identical(seen, c(1L, 1L, 1L))
  expect_error(ptr(look(3), look(one), 1, 1e-4, ledger = ledger), class = "dpdepth_error_budget")
  expect_identical(seen, c(1L, 1L, 1L))
})

test_that("no number without noise, and none with too little, comes out of ptr()", {
  skip_on_cran()
  x <- c(17.25, 3)
  failed <- function(release, names = "estimate") {
    out <- silent_release(1e6, release, names = names)
    expect_false(out$released)
    expect_identical(out$estimate, stats::setNames(rep(NA_real_, length(names)), names))
    expect_false(any(grepl("17.25", capture.output(dput(unclass(out))), fixed = TRUE)))
  }
  failed(function(epsilon, laplace) laplace(x[[1]], 1, 1000 * epsilon))
  failed(function(epsilon, laplace) laplace(x[[1]], 1, epsilon * (1 + 1e-9)))
  failed(function(epsilon, laplace) replicate(100, laplace(x[[1]], 1, epsilon), FALSE), sprintf("v%d", 1:100))
  failed(function(epsilon, laplace) mean(unlist(replicate(100, laplace(x[[1]], 1, epsilon)))))
  failed(function(epsilon, laplace) list(laplace(x[[1]], 1, epsilon), laplace(0, 1, epsilon)), c("a", "b"))
  for (center in c(NaN, NA, Inf, -Inf)) failed(function(epsilon, laplace) laplace(center, 1, epsilon))
  failed(function(epsilon, laplace) laplace(c(x[[1]], NaN), 1, epsilon), c("a", "b"))
  failed(function(epsilon, laplace) x[[1]])
  failed(function(epsilon, laplace) list(x[[1]], laplace(0, 1, epsilon)), c("a", "b"))
  failed(function(epsilon, laplace) structure(x[[1]], class = "laplace_request"))
  failed(function(epsilon, laplace) structure(list(center = x[[1]]), class = "laplace_request"))
  failed(function(epsilon, laplace) laplace(x, 1, epsilon)) # two numbers where one was announced
  failed(function(epsilon, laplace) stop("x[1] is ", x[[1]]))
  failed(function(epsilon, laplace) "a")
  failed(function(epsilon, laplace) NULL)
  failed(function(epsilon, laplace) list())
  failed(stop("x[1] is ", x[[1]]))
  failed(x)
  for (s in list(0, -1, Inf, NA, "a", 1:2)) failed(function(epsilon, laplace) laplace(x[[1]], s, epsilon))
  for (e in list(0, -1, Inf, NA, "a", 1e-9)) failed(function(epsilon, laplace) laplace(x[[1]], 1, e))
  # names of the data's making are left behind
  named <- silent_release(1e6, function(epsilon, laplace) laplace(c("17.25" = 0), 1, epsilon))
  expect_named(named$estimate, "estimate")
  # thirds of epsilon are no more than epsilon, and one noise does not make up for another
  thirds <- function(epsilon, laplace) replicate(3, laplace(0, 1, epsilon / 3), FALSE)
  drawn <- silent_release(1e6, thirds, names = c("a", "b", "c"))$estimate
  expect_identical(length(unique(drawn)), 3L)
})

test_that("a simulation says what failed; the release is the same", {
  expect_warning(out <- ptr(stop("a"), one, 1, 1e-12, rng = "R"), "`margin` failed",
                 class = "dpdepth_warning_release")
  expect_false(out$released)
  expect_warning(out <- ptr(1e6, function(epsilon, laplace) 1, 1, 1e-12, rng = "R"), "`release` failed",
                 class = "dpdepth_warning_release")
  expect_false(out$released)
  expect_silent(ptr(1e6, one, 1, 1e-4, rng = "R"))
})

test_that("the noise that ptr() hands out is Laplace, and close between neighbouring centers", {
  draw <- function(center, n) dpdepth:::laplace_on_lattice(rep(center, n), 2, 0.5, "system")
  w <- draw(10, 4000)
  # rep() has 4000 coordinates: the noise is wider by 4000 steps in 2^20 or so
  laplace <- function(v) ifelse(v < 10, exp((v - 10) / 4) / 2, 1 - exp(-(v - 10) / 4) / 2)
  expect_cdf(w, function(v) laplace(v) + ifelse(v < 10, 0.004, -0.004), laplace)
  # the exact laws: P(w) proportional to exp(-|w - round(center/step)|/scale)
  for (epsilon in c(0.01, 0.5, 3)) {
    sensitivity <- 0.7
    step <- 2^(floor(log2(sensitivity / epsilon)) - 20)
    scale <- ceiling((sensitivity / step + 1) / epsilon)
    worst <- 0
    for (center in c(0, 0.3, 1e6 + 1 / 3)) {
      worst <- max(worst, abs(round((center + sensitivity) / step) - round(center / step)) / scale)
    }
    expect_lte(worst, epsilon)
  }
  # values on a public grid only
  one <- dpdepth:::laplace_on_lattice(c(a = pi), 1, 1, "system")
  expect_identical(one[["a"]] / 2^-20, round(one[["a"]] / 2^-20))
  expect_named(one, "a")
})

test_that("ptr() as a whole is private: exact laws on small data; a broken margin is caught", {
  # data: ones and zeros; the count c of n. Safe to release exactly (no noise) if all are alike or nearly:
  # the release is the majority, unsafe at c = n/2; its margin is the distance to that
  n <- 20
  majority <- function(c) c > n / 2
  margin <- function(c) if (majority(c)) c - n / 2 - 1 else n / 2 - c
  epsilon <- 1
  delta <- 0.01
  law <- function(c, margin) {
    p <- pass_exactly(margin(c), epsilon, delta)
    out <- c(fail = 1 - p, low = 0, high = 0)
    out[[if (majority(c)) "high" else "low"]] <- p
    out
  }
  worst <- function(margin) {
    max(vapply(0:(n - 1), function(c) {
      a <- law(c, margin)
      b <- law(c + 1, margin)
      max(hockey_stick(a, b, epsilon), hockey_stick(b, a, epsilon))
    }, 0))
  }
  expect_lte(worst(margin), delta + 1e-12)
  # one more than the truth: both neighbours of the border claim safety
  expect_gt(worst(function(c) margin(c) + 1), delta * 1.2)
})

test_that("a huge epsilon is a release like any other: the sampler of the test once refused it", {
  release <- function(epsilon, laplace) laplace(1, 1, 1)
  for (epsilon in c(1e4, 1e6)) {
    expect_true(ptr(50, release, epsilon, 1e-6, share = 0.9)$released)
    expect_identical(dpdepth:::ptr_threshold(epsilon, 1e-6), 0)
    expect_s3_class(dp_median_restricted(1:40 / 10, epsilon, 1e-6), "dp_release")
  }
})

test_that("no kind of condition comes out of the user's code, but interrupts", {
  x <- c(17.25, 3)
  mine <- function(...) structure(class = c(..., "condition"), list(message = paste(x[[1]]), call = NULL))
  for (condition in list(mine("my"), mine("interrupt"), mine("warning"), mine("message"), mine("error"))) {
    expect_false(silent_release(stop(condition), one)$released)
    expect_false(silent_release(1e6, function(epsilon, laplace) stop(condition))$released)
  }
  expect_false(silent_release(signalCondition(mine("my")), one)$released)
  # a restart of the caller is not taken
  out <- withCallingHandlers(
    withRestarts(ptr(stop(mine("warning")), one, 1, 1e-12), muffleWarning = function() "left"),
    my = function(e) stop("seen")
  )
  expect_false(out$released)
  left <- tryCatch(ptr(stop(structure(class = c("interrupt", "condition"), list())), one, 1, 1e-12),
                   interrupt = function(e) "interrupted")
  expect_identical(left, "interrupted")
})

test_that("return() and break in the arguments do not leave the caller of ptr()", {
  by_return <- function(...) {
    out <- ptr(return("left"), one, 1, 1e-12)
    c(out$released, ptr(1e6, return("left"), 1, 1e-12)$released)
  }
  expect_identical(by_return(), c(FALSE, FALSE))
  count <- 0
  for (i in 1:3) {
    ptr(break, one, 1, 1e-12)
    count <- count + 1
  }
  expect_identical(count, 3)
  expect_false(ptr(invokeRestart("abort"), one, 1, 1e-12)$released)
})

test_that("requests that laplace() did not make are failures", {
  failed <- function(release, names = "estimate") {
    expect_false(silent_release(1e6, release, names = names)$released)
  }
  make <- function(...) structure(list(...), class = "laplace_request")
  failed(function(epsilon, laplace) make(center = 17.25, sensitivity = 1, epsilon = epsilon))
  failed(function(epsilon, laplace) make(cent = 17.25, sens = 1, eps = 1e-3))
  failed(function(epsilon, laplace) make(center = 17.25, sensitivity = 1, epsilon = c(epsilon, 1e6)))
  failed(function(epsilon, laplace) structure(1L, class = "laplace_request"))
  failed(function(epsilon, laplace) {
    token <- laplace(17.25, 1, epsilon)
    class(token) <- c("mine", class(token))
    token
  })
  failed(function(epsilon, laplace) laplace(17.25, 1, c(epsilon, 1e6)))
  failed(function(epsilon, laplace) laplace(17.25, 1, structure(epsilon, class = "mine")))
  failed(function(epsilon, laplace) { # one budget does not pay for two draws
    token <- laplace(17.25, 1, epsilon)
    list(token, token)
  }, c("a", "b"))
  before <- NULL
  silent_release(1e6, function(epsilon, laplace) before <<- laplace(1, 1, epsilon))
  failed(function(epsilon, laplace) before)
  failed(function(epsilon, laplace) { # a token is of its own call, whatever number it has
    laplace(1, 1, epsilon)
    before
  })
})
