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

regression_mechanism <- function() {
  new_mechanism(
    plan_regression_draw, draw_regression, data = "data", limits = FALSE, read = read_fits,
    ready = ready_fits, incomplete = function(x, given) incomplete_for(given$formula, x),
    facts = function(frame, given) {
      facts_of_frame(frame, given, private_regression_size(slope_count(frame$terms)))
    },
    na_text = function(na) {
      na_detail(na, "0 for the regressors, and the middle of the limits for the response,")
    }
  )
}

# PRIVATE: what is given.
read_fits <- function(given) {
  refuse_typed_fits(given$resolution)
  frame <- public_frame(given$formula, given$data, given$na, origin = TRUE, counted = TRUE)
  if (given$neighbours == "substitution") {
    # constant regressors have a distribution, too: whether there is one must not show
    check_regressor_spread(frame$x[, 0, drop = FALSE])
  } else if (nrow(frame$x) > most_private_fits) {
    stop_input("data", "data with at most 50,000,000 rows where n is private", "data with more")
  }
  frame
}

plan_regression_draw <- function(facts, given) {
  asked <- check_choice(given$method, c("auto", regression_methods), "method")
  limits <- stats::setNames(given[c("lower", "upper", "prior")], c("lower", "upper", "prior"))
  plan <- if (facts$private) plan_private_fit(asked, facts, given, limits)
          else plan_public_fit(asked, facts, given, limits)
  # of several quantiles, in increasing order
  terms <- if (length(plan$tau) > 1) tau_terms(facts$variables, plan$tau) else facts$variables
  bounds <- if (inherits(plan$bounds, "dp_prior")) list(prior = plan$bounds)
            else lapply(plan$bounds, stats::setNames, facts$variables)
  c(plan[names(plan) != "details"], list(
    terms = terms, class = "dp_regression", own = plan$details,
    details = c(list(formula = facts$kept$formula), bounds),
    told = c(if (!is.null(plan$resolved) && !facts$private) resolves_detail(plan$resolved),
             plan["why"][!is.null(plan$why)], frame_details(facts$kept))
  ))
}

plan_public_fit <- function(asked, facts, given, limits) {
  n <- facts$n
  terms <- facts$variables
  tau <- given$tau
  own <- if (!is.null(given$resolution)) list(resolution = given$resolution)
  named <- c(given$further, names(own), if (!is.null(given$interval)) "interval")
  led <- methods_with(named)
  method <- if (asked != "auto") asked
            else choose_regression(n, terms, limits, given$epsilon, given$delta, tau, led, facts$shape)
  if (!has_intercept(terms) && method != "exponential") stop_origin(sprintf("method = \"%s\"", method))
  if (asked == "auto") check_led_quantile(tau, method, named)
  engine <- regression_engine(method, facts$shape)
  refuse_strange(setdiff(given$further, engine$arguments), c(names(formals(dp_regression)), engine$arguments),
                 sprintf("`dp_regression(method = \"%s\")`", method))
  if (!"resolution" %in% engine$arguments) refuse_resolution(given$resolution, method)
  if (!is.null(given$interval)) own$interval <- check_interval_for(given$interval, method)
  further <- c(own, further_at(facts, given[given$further]))
  if (method == "exponential") {
    further$batches <- function() rows_of_batches(n, terms, limits, given$epsilon, given$delta)
  }
  # quoted: what is an expression would be evaluated here
  plan <- do.call(engine$plan, quote = TRUE,
                  c(list(n, terms, limits, given$epsilon, given$delta, tau), further))
  plan <- with_levels(plan, method, n, terms, facts$shape)
  led <- !identical(as.vector(tau), 0.5) || length(led) > 0
  check_draw_ends(asked, plan, n, terms, limits, given$epsilon, given$delta, led, facts$shape)
  slow <- is_slow_draw(n * given$epsilon, slope_count(terms), facts$shape, !has_limits(limits))
  caution <- suppressWarnings(accuracy_warnings(plan$warn()), classes = "dpdepth_warning")
  plan$why <- regression_reason(asked, method, given$delta, limits, plan, slow, caution)
  c(plan, list(run = engine$run, counted = counts_entries(method, plan)))
}

# PRIVATE: frame.
ready_fits <- function(frame, plan) {
  if (identical(plan$neighbours, "add_remove")) return(with_public_fit(frame, plan$middle))
  if (length(frame$incomplete) > 0) frame <- middle_in_rows(frame, plan$middle)
  if (plan$counted) frame else plain_frame(frame)
}

# PRIVATE: frame. What a method says of its draw comes before what was known of it.
draw_regression <- function(frame, plan, source) {
  drawn <- plan$run(frame$x, frame$y, plan, source)
  if (is.null(drawn$details)) drawn$details <- plan$own
  drawn$details <- c(drawn$details, plan$own[setdiff("rare", names(drawn$details))][!is.null(plan$own$rare)],
                     plan$told)
  drawn
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
