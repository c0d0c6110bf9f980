# The methods of dp_regression(): what each of their files offers the door.

# What the door knows of a method, whose file is R/dp-regression-<method>.R: what `...` may hold, and
#   plan(n, terms, limits, epsilon, delta, tau, ...): public numbers in; refuses before the debit, or
#     gives a list with epsilon and delta as they are spent, guarantee, what, mechanism, label (of the
#     ledger), middle (the response that stands for a row that is dropped; NULL: there is none), bounds
#     (list(lower, upper) of the coefficients, or a prior, or NULL), warn (a function without arguments),
#     details, tau where it has quantiles, and what run() wants. `limits` holds lower, upper and prior as
#     they were given.
#   run(x, y, plan, source): a list with estimate and exact, and, where they differ from the plan's,
#     mechanism, details and released.
regression_methods <- c("exponential", "batches", "deepest", "medsweep")

# `shape`: of the formula's columns, which sizes of batches go by, and intervals of a flag's slope.
regression_engine <- function(method, shape = plain_shape) {
  switch(method,
    exponential = list(plan = function(...) plan_exponential(..., flag = length(shape$dummies) > 0),
                       run = run_exponential, arguments = exponential_arguments),
    deepest = list(plan = plan_deepest, run = run_deepest, arguments = character()),
    medsweep = list(plan = plan_medsweep, run = run_medsweep, arguments = medsweep_arguments),
    batches = list(plan = function(...) plan_batches(..., shape = shape), run = run_batches,
                   arguments = batches_arguments)
  )
}

check_interval_for <- function(interval, method) {
  if (method %in% interval_methods) return(interval)
  stop_input("interval", sprintf("NULL with method = \"%s\"", method), describe_option(interval),
             "Leave `method` out: \"exponential\" and \"batches\" have intervals.")
}

# Those that have intervals.
interval_methods <- c("exponential", "batches")

# Those of "auto" that take one of these arguments; of intervals, which two methods have, those that take
# another argument, too.
methods_with <- function(arguments) {
  taking <- function(how, arguments, methods) {
    Filter(function(method) how(arguments %in% regression_engine(method)$arguments), methods)
  }
  if (!"interval" %in% arguments) {
    found <- taking(any, arguments, c("exponential", "batches"))
    # predictions without limits are drawn by depth unless batches are named
    return(if ("at" %in% arguments) setdiff(found, "batches") else found)
  }
  further <- taking(any, setdiff(arguments, "interval"), interval_methods)
  if (length(further) > 1) further <- taking(all, arguments, interval_methods)
  if (length(further) == 1) further else interval_methods
}

regression_arguments <- function() {
  unique(unlist(lapply(regression_methods, function(method) regression_engine(method)$arguments)))
}
