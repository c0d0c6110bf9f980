# Measures of a simulation that have names, and the functions that a call gives.

simulation_measures <- list(
  error = function(estimate, truth) needed_estimate(estimate) - matched_truth(truth, estimate),
  distance = function(estimate, truth) {
    sqrt(sum((needed_estimate(estimate) - matched_truth(truth, estimate))^2))
  },
  covers = function(estimate, release, truth) {
    limits <- needed_interval(release)
    truth <- rep_len(matched_truth(truth, estimate), nrow(limits))
    stats::setNames(limits[, 1] <= truth & truth <= limits[, 2], rownames(limits))
  },
  width = function(release) {
    limits <- needed_interval(release)
    stats::setNames(limits[, 2] - limits[, 1], rownames(limits))
  }
)

needed_estimate <- function(estimate) {
  if (is.numeric(estimate) && length(estimate) > 0) return(estimate)
  stop_input("estimate", "functions that return a release, numbers, or a fit that coef() takes",
             describe(estimate), "Or give functions of `release` as `measure`.")
}

needed_interval <- function(release) {
  limits <- if (inherits(release, "dp_release")) release$interval
  if (is.null(limits)) {
    stop_input("estimate", "functions that make releases with an interval", "releases without one",
               "Add `interval = 0.95` to the call.")
  }
  limits
}

# By name where both have the same names, else by place.
matched_truth <- function(truth, estimate) {
  if (!length(truth) %in% c(1L, length(estimate))) {
    stop_input("truth", sprintf("one number, or one for each of the estimate's %d", length(estimate)),
               sprintf("%d numbers", length(truth)),
               "A truth for each law or cell is a function of factors, such as function(n, law).")
  }
  by_name <- length(truth) > 1 && !is.null(names(truth)) && setequal(names(truth), names(estimate))
  unname(if (by_name) truth[names(estimate)] else truth)
}

# Names of simulation_measures, functions, or both.
check_measures <- function(measure) {
  if (is.character(measure)) measure <- as.list(measure)
  if (is.function(measure)) return(list(measure = measure))
  if (!is.list(measure) || length(measure) == 0) {
    stop_input("measure", "names of measures, a function, or a list of functions with names",
               describe(measure))
  }
  named <- vapply(measure, is.character, NA)
  of <- vapply(measure[named], check_choice, "", choices = names(simulation_measures), arg = "measure")
  if (is.null(names(measure))) names(measure) <- rep_len("", length(measure))
  names(measure)[named][!nzchar(names(measure)[named])] <- of[!nzchar(names(measure)[named])]
  measure[named] <- simulation_measures[of]
  check_functions(measure, "measure")
}

check_truth <- function(truth) {
  if (is.function(truth)) truth else check_finite_numbers(truth, "truth")
}
