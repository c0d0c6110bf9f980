# Private regressions through the origin: formulas without an intercept.

stop_origin <- function(method) {
  stop_formula(sprintf("it has no intercept, and %s fits one", method),
               "Leave out the 0 or the -1; or take dp_regression(method = \"exponential\").")
}

# A regressor that is called so has backticks in its name.
has_intercept <- function(terms) terms[[1]] == "(Intercept)"

slope_count <- function(terms) length(terms) - has_intercept(terms)
