# Private regressions through the origin: formulas without an intercept.

# A regressor that is called so has backticks in its name.
has_intercept <- function(terms) terms[[1]] == "(Intercept)"

slope_count <- function(terms) length(terms) - has_intercept(terms)
