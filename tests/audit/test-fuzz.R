# The privacy audit's fuzzing: every exported function with random arguments, good and nasty.
#
# What is asked: an error has a class of the package, and one of bad input has spent nothing; no warning and
# no message of R's; no data in a message or a release. `make audit` makes 1e5 calls, notes each in a log and
# limits what it does: see fuzz_run().

test_that("random calls of every exported function do nothing that is not promised", {
  table <- fuzz_calls()
  expect_setequal(names(table), getNamespaceExports("dpdepth"))
  old <- options(dpdepth.threads = 1L)
  on.exit(options(old))
  told <- if (audit_slow) fuzz_run(table, 1e5, fuzz_log(), fuzz_looks) else fuzz_run(table, fuzz_rounds)
  expect(length(told) == 0, paste(c("strange calls:", told), collapse = "\n"))
})

test_that("a log says which call did not end, and a run goes on after it", {
  log <- tempfile()
  on.exit(unlink(log))
  table <- list(sens_median = list(x = "line"))
  run <- function(fun, rounds, ...) with_bindings(list(sens_median = fun), fuzz_run(table, rounds, log, ...))
  broken <- function(...) {
    count <<- count + 1
    if (count == 3) stop(structure(class = c("interrupt", "condition"), list(message = "", call = NULL)))
  }
  for (count in c(0, 2)) tryCatch(run(broken, 9), interrupt = function(e) NULL)
  expect_match(run(function(...) NULL, 5), "^call 3: sens_median\\(\\): did not end$")
  expect_identical(readLines(log), sprintf("call %d: sens_median()%s", c(1:3, 3:5),
                                           rep(c(" as promised", "", " as promised"), each = 2)))
  expect_match(run(function(...) stop("odd"), 6)[[2]], "^call 6: .*without a class: odd$")
  expect_length(run(function(...) NULL, 6), 2)
  expect_match(run(function(...) repeat {}, 7, 100)[[3]], "^call 7: .*took more than 100 looks")
  kernel <- function(...) rival_median(cbind(1:9, 9:1), 1, lower = 0, upper = 10, steps = 1e6, rng = "R")
  expect_match(run(kernel, 8, 5000)[[4]], "^call 8: .*took more than 5000 looks")
  expect_length(run(function(...) for (i in 1:1e5) NULL, 9, 1000), 4)
})

test_that("the harness sees what it looks for", {
  set.seed(23)
  seen <- function(fun, arguments = list(x = "line")) {
    with_bindings(list(sens_median = fun), {
      out <- NULL
      for (i in 1:20) if (is.null(out)) out <- fuzz_call("sens_median", arguments)
      paste(out$strange, collapse = "; ")
    })
  }
  expect_match(seen(function(...) stop("odd")), "without a class")
  expect_match(seen(function(x, ...) stop_input("x", "other", toString(0.7313731))), "data in a message")
  expect_match(seen(function(...) warning("NaNs produced")), "a warning")
  expect_match(seen(function(...) message("x")), "a message")
  expect_match(seen(function(...) stop_status("internal")), "internal")
  spent <- function(ledger = NULL, ...) {
    ledger_spend(ledger, 1, 0, "x")
    stop_input("x", "other", "this")
  }
  expect_match(seen(spent, list(ledger = "ledger")), "spent, then refused")
  leaky <- function(estimate, details = list(), call = NULL) {
    new_release(estimate, paid_for(rng = "R"), mechanism = "m", n = 1, d = 1, call = call, details = details)
  }
  expect_match(seen(function(...) leaky(1, list(a = canary))), "data in a release")
  expect_match(seen(function(...) leaky(Inf)), "not finite")
  expect_identical(seen(function(...) leaky(1)), "")
  # what goes to a public argument may be released, what goes to the data may not
  pools <- list(x = "line", lower = "low")
  expect_true(published(function(x, lower, ...) NULL, list(x = 1:3, c(canary, 1)), pools))
  expect_false(published(function(x, lower, ...) NULL, list(lower = 0, c(canary, 1)), pools))
  expect_false(published(function(x, lower, ...) NULL, list(x = 1:3, lower = 0, c(canary, 1)), pools))
})
