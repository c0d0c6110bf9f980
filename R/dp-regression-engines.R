# The methods of dp_regression(): that of draws by depth, and what each of their files offers the door.

# What the door knows of a method, whose file is R/dp-regression-<method>.R: its own arguments, and
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

# What the door has for some methods only.
refuse_others <- function(given, method, arguments) {
  if (!"resolution" %in% arguments) refuse_resolution(given$resolution, method)
  for (argument in setdiff(c("interval", "at"), arguments)) {
    if (is.null(given[[argument]])) next
    stop_input(argument, sprintf("NULL with method = \"%s\"", method), describe_option(given[[argument]]),
               "Leave `method` out: \"exponential\" and \"batches\" have it.")
  }
}
