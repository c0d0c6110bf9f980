# What tests of several files take: expectations, changed functions, interrupts, leaks, simulations.

# -- expectations ---------------------------------------------------------------------------------------

# run() gives the same bits on one thread and on two, and leaves R's generator alone.
expect_same_bits <- function(run) {
  seed <- globalenv()$.Random.seed
  on_threads <- function(threads) {
    old <- dpdepth_threads(threads)
    on.exit(dpdepth_threads(old))
    run()
  }
  expect_identical(on_threads(1), on_threads(2))
  expect_identical(globalenv()$.Random.seed, seed)
}

# A result that is not private says so, prints and draws.
expect_marked <- function(x) {
  expect_s3_class(x, "nonprivate")
  expect_output(print(x), "NOT PRIVATE")
  pdf(NULL)
  on.exit(dev.off())
  expect_identical(withVisible(plot(x)), list(value = x, visible = FALSE))
}

# Plots with base graphics and, where it is installed, ggplot2 end without an error.
expect_pictures <- function(x) {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_identical(plot(x), x)
  skip_if_not_installed("ggplot2")
  expect_s3_class(ggplot2::autoplot(x), "ggplot")
  ggplot2::ggplotGrob(ggplot2::autoplot(x))
}

# The largest number of each row of a matrix with few columns.
most_of_rows <- function(m) do.call(pmax, lapply(seq_len(ncol(m)), function(j) m[, j]))

# The rows of a tally, in the order of its points.
sorted_rows <- function(t) t$points[rep.int(seq_along(t$count), t$count), , drop = FALSE]

# A refusal of the argument `arg`, with its class and without a call.
raises <- function(expr, arg) {
  e <- expect_error(expr, class = "dpdepth_error_input")
  expect_identical(e$arg, arg)
  expect_s3_class(e, "dpdepth_error")
  expect_null(conditionCall(e))
  invisible(e)
}

# Texts that R compares by other rules where they stand together: encodings, bytes that are no text, and what
# R prints for these. No two of them are one key but those of `no valid text`.
odd_keys <- function() {
  marked <- function(text, encoding) `Encoding<-`(text, encoding)
  c(utf8 = "\u00fcb", latin1 = marked("\xf8b", "latin1"), bytes = marked("\xff", "bytes"),
    utf8_bytes = marked("\xc3\xa9", "bytes"), broken = marked("\xc3", "UTF-8"), native = "\xfe",
    surrogate = marked("\xed\xa0\x80", "UTF-8"), none = "\uffff", shown = "\\xff", tagged = "<ff>",
    empty = "", called_na = "NA", far = "\U0001f600", long = strrep("\u00e9", 999), missing = NA)
}

# -- the package's functions with others, or other text, in their place for a time ----------------------

# Evaluates `code` while internal names of the package have other values: in its namespace, and in the copy of
# that in which tests run.
with_bindings <- function(bindings, code) {
  old <- mget(as.character(names(bindings)), envir = asNamespace("dpdepth"))
  swap <- function(values) {
    for (name in names(values)) for (place in known_places(name)) {
      locked <- bindingIsLocked(name, place)
      if (locked) unlockBinding(name, place)
      assign(name, values[[name]], place)
      if (locked) lockBinding(name, place)
    }
  }
  on.exit(swap(old))
  swap(bindings)
  force(code)
}

# The function with `from` in its text, which must be there just once, replaced by `to`. Otherwise nothing is
# planted, and the error has a class of its own, lest it be taken for what an audit sees.
edited <- function(name, from, to, fun = get(name, asNamespace("dpdepth"))) {
  text <- paste(deparse(fun, width.cutoff = 500L), collapse = "\n")
  places <- gregexpr(from, text, fixed = TRUE)[[1]]
  if (length(places) != 1 || places[[1]] < 0) {
    said <- sprintf("not planted: %s() has `%s` %d times", name, from, sum(places > 0))
    stop(structure(class = c("not_planted", "error", "condition"), list(message = said, call = NULL)))
  }
  eval(str2lang(sub(from, to, text, fixed = TRUE)), asNamespace("dpdepth"))
}

known_places <- function(name) {
  if (is.null(places_found[[name]])) assign(name, places_of(name), places_found)
  places_found[[name]]
}
places_found <- new.env(parent = emptyenv())

places_of <- function(name) {
  places <- list(asNamespace("dpdepth"))
  env <- environment(with_bindings)
  while (!identical(env, globalenv()) && !identical(env, emptyenv())) {
    # a helper of the same name is another thing
    same <- exists(name, env, inherits = FALSE) && identical(env[[name]], places[[1]][[name]])
    if (same && !identical(env, places[[1]])) places <- c(places, env)
    env <- parent.env(env)
  }
  places
}

# A planted bug: edits(name, from, to, ...) of one or more functions, and the audit that is to see it: a
# function without arguments that is TRUE if what it looks at is broken. `seed`: where a search begins that
# soon finds it.
bug <- function(audit, ..., worst = FALSE, seed = 21) {
  parts <- list(...)
  edits <- split(parts, (seq_along(parts) - 1) %/% 3)
  list(audit = audit, edits = edits, worst = worst, seed = seed)
}

planted <- function(bug) {
  bindings <- list()
  for (e in bug$edits) {
    before <- if (is.null(bindings[[e[[1]]]])) get(e[[1]], asNamespace("dpdepth")) else bindings[[e[[1]]]]
    bindings[[e[[1]]]] <- edited(e[[1]], e[[2]], e[[3]], before)
  }
  # constants are remembered; what a bug makes of them is forgotten again
  for (memory in c("noise_found", "intervals_found", "profiles_found", "bridges_found")) {
    if (any(names(bindings) %in% made_of(memory))) bindings[[memory]] <- new.env(parent = emptyenv())
  }
  bindings
}

# The package's functions that what is remembered there may depend on: those that name it, and all that these
# name, and so on, as a symbol or as text.
made_of <- function(memory) {
  if (is.null(made_found[[memory]])) {
    all <- as.list(asNamespace("dpdepth"), all.names = TRUE)
    reach <- names(all)[vapply(all, function(f) is.function(f) && memory %in% all.names(body(f)), NA)]
    new <- reach
    while (length(new) > 0) {
      new <- setdiff(intersect(unlist(lapply(all[new], words_within)), names(all)), reach)
      reach <- c(reach, new)
    }
    assign(memory, reach, made_found)
  }
  made_found[[memory]]
}
made_found <- new.env(parent = emptyenv())

words_within <- function(x) {
  if (is.function(x)) return(c(words_within(formals(x)), words_within(body(x))))
  if (is.character(x)) return(x)
  if (is.name(x)) return(as.character(x))
  if (is.call(x) || is.pairlist(x)) x <- as.list(x)
  if (is.list(x)) unlist(lapply(unname(x), function(part) if (!missing(part)) words_within(part)))
}

# A pipeline that debits when the release is built, after the draw.
late_debit <- function(audit) {
  bug(audit, "release_by", "paid <- debit(", "paid <- function() debit(",
      "release_by", ", paid,", ", paid(),")
}

# (Warnings of the package are muffled: testthat keeps a trace of each, which takes longer than the audit.)
# What is edited runs too seldom to be worth compiling.
caught <- function(bug) {
  level <- compiler::enableJIT(0)
  on.exit(compiler::enableJIT(level))
  audit <- function() tryCatch(isTRUE(bug$audit()), audit_breach = function(e) TRUE)
  # what a bug raises within a draw is seen as it is
  bindings <- utils::modifyList(list(drawn_alone = function(draw, source) draw), planted(bug))
  with_bindings(bindings, suppressWarnings(audit(), classes = "dpdepth_warning"))
}

# -- interrupts at a known place, whatever the load: no timer, no clock ---------------------------------

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

# -- releases: an example, and whether one holds given numbers in any form ------------------------------

# Everything that can be seen of a release, as text and as bytes.
visible_text <- function(r) {
  shown <- utils::capture.output({
    # of an environment, dput() says that it cannot be complete
    suppressWarnings(dput(r, control = "exact"))
    print(r)
    print(unclass(r), digits = 17)
    str(r)
    short <- summary(r)
    print(short)
    str(short)
    utils::write.csv(as.data.frame(r))
  })
  # deparse() gives what dput() writes
  paste(c(shown, format(r), format(r, digits = 17), deparse(r)), collapse = "\n")
}

holds_bytes <- function(bytes, value) {
  for (pattern in list(writeBin(value, raw(), endian = "big"), writeBin(value, raw(), endian = "little"))) {
    if (length(grepRaw(pattern, bytes, fixed = TRUE)) > 0) return(TRUE)
  }
  FALSE
}

leaks <- function(r, canaries) {
  text <- visible_text(r)
  bytes <- serialize(r, NULL)
  # each by itself, as format() gives all the digits of the longest
  digits <- substr(vapply(canaries, format, "", digits = 15), 1, 8)
  found <- vapply(seq_along(canaries), function(i) {
    grepl(digits[[i]], text, fixed = TRUE) || holds_bytes(bytes, canaries[[i]]) ||
      length(grepRaw(digits[[i]], bytes, fixed = TRUE)) > 0
  }, NA)
  sum(found)
}

# In the data of all calls: a number that must show in no message and no release.
canary <- 0.7313731

canary_text <- "7313731"

nasty_values <- c(0, -1, 1, 0.5, 2, 3, 7, 1e-300, 5e-324, 1e308, -1e308, 2^53, 2^31, -2^31, 1e15 + 0.5,
                  199999.95)

# A row in the units of a prior's covariance: TRUE if it depends on the rows beside it, or is not finite.
whitening_tells <- function() {
  scale <- outer(10^(-2:2), 10^(-2:2))
  whitening <- prior_whitening(prior_normal(0, covariance = scale * (0.3 + diag(0.7, 5))))
  x <- matrix(sample(c(nasty_values, stats::rnorm(9)), 5 * 40, TRUE), ncol = 5)
  whole <- whiten_rows(x, whitening)
  order <- sample.int(40)
  alone <- do.call(rbind, lapply(1:40, function(i) whiten_rows(x[i, , drop = FALSE], whitening)))
  !identical(whole, alone) || !identical(whiten_rows(x[order, ], whitening), whole[order, ]) ||
    !all(is.finite(whole))
}

# A release as mechanisms make them; arguments replace its fields.
people_release <- function(...) {
  args <- list(
    estimate = c(weight = 81.25, height = 169.5), paid = list(),
    mechanism = "exponential mechanism, halfspace depth", n = 12588, d = 2, exact = TRUE,
    call = quote(dp_median(x = people, epsilon = 1)),
    details = list(what = "median", why = "two variables: exact depth and an exact sampler",
                   prior = prior_uniform(c(30, 120), c(250, 220)), directions = 1000, step = c(0.5, 0.25))
  )
  new <- list(...)
  args[setdiff(names(new), names(formals(paid_for)))] <- new[setdiff(names(new), names(formals(paid_for)))]
  args$paid <- do.call(paid_for, new[intersect(names(new), names(formals(paid_for)))])
  do.call(new_release, args, quote = TRUE)
}

# As debit() gives it, without a warning or a ledger.
paid_for <- function(epsilon = 1, delta = 0, guarantee = "pure", rng = "system",
                     neighbours = "substitution", caution = NULL) {
  list(epsilon = epsilon, delta = delta, guarantee = guarantee, rng = rng, neighbours = neighbours,
       caution = caution)
}

# -- small simulations ----------------------------------------------------------------------------------

# Small simulations. Functions live in the global environment, so that workers get no test's frame along.

in_global <- function(f) {
  environment(f) <- globalenv()
  f
}

small_laws <- lapply(list(
  normal = function(n) stats::rnorm(n), # public-rng: simulated data
  Cauchy = function(n) stats::rcauchy(n) # public-rng: simulated data
), in_global)

small_estimates <- lapply(list(
  private = function(x, epsilon) dpdepth::dp_median(x, epsilon, lower = -50, upper = 50),
  public = function(x) stats::median(x)
), in_global)

small_design <- list(n = c(20, 50), epsilon = c(0.5, 2))

small_simulation <- function(..., design = small_design, draw = small_laws, estimate = small_estimates,
                             replicates = 3) {
  simulate_releases(design, draw, estimate, ..., replicates = replicates)
}

# Runs `code` with R's libraries told to the processes that it starts, in whatever folder they run.
with_libraries <- function(code) {
  old <- Sys.getenv("R_LIBS")
  Sys.setenv(R_LIBS = paste(.libPaths(), collapse = .Platform$path.sep))
  on.exit(Sys.setenv(R_LIBS = old))
  force(code)
}

# The values by what they are of, whatever their order.
values_of <- function(simulation) {
  rows <- tidy(simulation)
  stats::setNames(rows$value, do.call(paste, rows[setdiff(sort(names(rows)), c("value", "status"))]))
}

# Without cautions, where these are not what is tested.
quietly <- function(code) suppressWarnings(code, classes = "dpdepth_warning")
