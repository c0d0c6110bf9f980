# Medsweep regression, and what it shares with the deepest regression: frames of formulas, fits like lm()'s.

#' Medsweep regression
#'
#' A fast robust regression on any number of regressors: univariate median slopes, swept out of the regressors
#' and then, repeatedly, out of the response. It approximates the deepest regression, which cannot be computed
#' for more than a few regressors.
#'
#' The slope of u on v is the median of \eqn{(u - med u)/(v - med v)}, with x/0 infinite and 0/0 = 0 (it is
#' finite: fewer than half of the rows are on either side of the median of u). Regressor k is replaced by its
#' residuals from its slopes on the regressors before it (swept already). Then the response is swept by each
#' regressor in turn until no slope would change a fitted value by more than `tol` times the response's
#' spread. The intercept is the median of the residuals. The coefficients of the given regressors follow by
#' back substitution. (Paper and package differ there: the subscripts of the last step of the published
#' pseudocode are interchanged; these coefficients reproduce the swept fit exactly, which is tested.) All
#' medians are single order statistics, those of rank `floor((n + 1)/2)`, as in the private version.
#'
#' A regressor that is constant on more than half of the rows, such as the indicator of a smaller group, makes
#' more than half of the ratios infinite or 0/0. The median slope is then biased to 0 and often exactly 0. A
#' warning of class `dpdepth_warning_flat` names such regressors. (The same happens with the indicator of the
#' larger group. [regress_deepest()] has no such bias.)
#'
#' Each sweep costs O(n). The fit follows changes of origin and unit of each variable. When multiples of
#' regressors are added to the response it follows only approximately, and it depends on the order of
#' the regressors. With one regressor the slope breaks down only when half of the rows are replaced.
#' The fit depends on the data without any protection: it is not private.
#'
#' @param formula A formula with an intercept, as for [stats::lm()], with or without transformations.
#' @inheritParams regress_deepest
#' @param tol,max_iter When to stop sweeping the response: a share of its spread, and a number of rounds.
#' @param ... Must be empty: a name that is not an argument is refused, see [dpdepth-errors].
#' @return An object of classes `regress_medsweep` and `dpdepth_fit`, with the elements `coefficients`,
#'   `residuals`, `fitted.values`, `iterations`, `converged`, `df.residual`, `call`, `terms` and `model`,
#'   and with the methods of [regress_deepest()].
#' @section Errors:
#' `dpdepth_error_input` (see [dpdepth-errors]) for a bad argument: a formula without intercept or regressors,
#' values that are missing or infinite, a constant regressor, or one that the regressors before it determine.
#' @references
#' Van Aelst, S., Rousseeuw, P. J., Hubert, M. and Struyf, A. (2002). The deepest regression method.
#' *Journal of Multivariate Analysis 81*, 138-166. \doi{10.1006/jmva.2001.1997}
#' @seealso [regress_deepest()] for one regressor.
#' @examples
#' fit <- regress_medsweep(stack.loss ~ Air.Flow + Water.Temp + Acid.Conc.,
#'                         stackloss)
#' summary(fit)
#' @export
regress_medsweep <- function(formula, data, tol = 1e-8, max_iter = 100L, subset = NULL, ...) {
  check_names(environment(), sys.function(), sys.call())
  call <- match.call()
  tol <- check_number(tol, "tol", lower = 0, closed = c(TRUE, FALSE))
  max_iter <- check_count(max_iter, "max_iter")
  frame <- regress_frame(call, parent.frame())
  if (ncol(frame$x) == 0) {
    stop_input("formula", "a formula with at least one regressor", "one with none", "Write it as y ~ x.")
  }
  check_regressor_spread(frame$x, frame$labels)
  swept <- sweep_regressors(frame$x, frame$labels)
  warn_flat(swept$z, frame$labels)
  found <- sweep_response(frame$y, swept$z, tol, max_iter)
  slopes <- back_substitute(found$slopes, swept$theta)
  fit <- new_fit(c(found$intercept, slopes), frame, call, "regress_medsweep")
  fit$iterations <- found$iterations
  fit$converged <- found$converged
  fit
}

# The single order statistic that is the median.
median_rank <- function(x) {
  p <- floor((length(x) + 1) / 2)
  sort(x, partial = p)[[p]]
}

# Median slope of u on v.
median_slope <- function(u, v) {
  u <- u - median_rank(u)
  v <- v - median_rank(v)
  ratio <- u / v
  ratio[u == 0 & v == 0] <- 0
  # what sweeping leaves may be so small that quotients overflow
  slope <- if (anyNA(ratio)) NA else median_rank(ratio)
  if (!is.finite(slope)) stop_status("limit")
  slope
}

# Regressors with the earlier ones swept out: x[, k] = z[, k] + sum over i < k of theta[i, k] z[, i].
sweep_regressors <- function(x, labels = colnames(x)) {
  p <- ncol(x)
  z <- x
  theta <- matrix(0, p, p)
  for (k in seq_len(p)[-1]) {
    for (i in seq_len(k - 1)) theta[i, k] <- median_slope(x[, k], z[, i])
    z[, k] <- x[, k] - z[, seq_len(k - 1), drop = FALSE] %*% theta[seq_len(k - 1), k]
    if (max(abs(z[, k] - z[1, k])) <= 1e-12 * max(abs(x[, k]))) {
      stop_input("formula", "a formula with regressors that are not determined by other regressors",
                 sprintf("one whose `%s` is", labels[[k]]))
    }
  }
  list(z = z, theta = theta)
}

# Warns of regressors that are equal, once swept, on more than half of the rows.
warn_flat <- function(z, names) {
  flat <- apply(z, 2, function(v) sum(v == median_rank(v)) > length(v) / 2)
  if (!any(flat)) return(invisible())
  many <- sum(flat) > 1
  text <- sprintf("%s constant on more than half of the rows: %s drawn to 0, and often exactly 0.",
                  paste(quote_names(unique(names[flat])), if (many) "are" else "is"),
                  if (many) "their median slopes are" else "its median slope is")
  warning(structure(class = c("dpdepth_warning_flat", "dpdepth_warning", "warning", "condition"),
                    list(message = text, call = NULL)))
}

sweep_response <- function(y, z, tol, max_iter) {
  p <- ncol(z)
  slopes <- numeric(p)
  width <- apply(z, 2, middle_width)
  enough <- tol * middle_width(y)
  for (round in seq_len(max_iter)) {
    change <- 0
    for (k in seq_len(p)) {
      slope <- median_slope(y, z[, k])
      slopes[[k]] <- slopes[[k]] + slope
      y <- y - slope * z[, k]
      change <- max(change, abs(slope) * width[[k]])
    }
    if (change <= enough) break
  }
  list(slopes = slopes, intercept = median_rank(y), iterations = round, converged = change <= enough)
}

# Half the width of the middle of the data: of the middle half if it has a width.
middle_width <- function(x) {
  off <- stats::quantile(abs(x - median_rank(x)), c(0.5, 0.75, 0.9, 1), names = FALSE)
  if (off[[4]] == 0) 0 else off[off > 0][[1]]
}

# Coefficients b of x from those of z: sum_k b_k x_k = sum_k slopes_k z_k.
back_substitute <- function(slopes, theta) {
  for (i in rev(seq_along(slopes))) {
    after <- seq_along(slopes) > i
    slopes[[i]] <- slopes[[i]] - sum(theta[i, after] * slopes[after])
  }
  slopes
}

# Response and regressors of a formula, evaluated as lm() does, and checked. `labels`: the term that each
# column is of. (The columns of a term of text have names made of the data.)
regress_frame <- function(call, env) {
  if (is.null(call$formula)) stop_input("formula", "given", "missing")
  model <- evaluated_frame(call, env)
  terms <- attr(model, "terms")
  if (attr(terms, "response") == 0) {
    stop_input("formula", "a formula with a response", "one without", "Write it as y ~ x.")
  }
  if (attr(terms, "intercept") == 0) {
    stop_input("formula", "a formula with an intercept", "one without", "Leave out the 0 or the -1.")
  }
  if (!is.null(attr(terms, "offset"))) {
    stop_input("formula", "a formula without an offset", "one with an offset",
               "Subtract the offset from the response instead, as in I(y - x) ~ z.")
  }
  y <- stats::model.response(model)
  if (!is.numeric(y) || NCOL(y) != 1) {
    stop_input("formula", "a formula with one numeric response",
               sprintf("one whose response is %s", describe(y)))
  }
  missing <- names(model)[vapply(model, anyNA, NA)]
  if (length(missing) > 0) {
    names <- toString(sprintf("`%s`", missing))
    stop_input("data", "data without missing values", sprintf("data with some in %s", names))
  }
  design <- tryCatch(suppressWarnings(stats::model.matrix(terms, model)), error = stop_frame)
  kept <- colnames(design) != "(Intercept)"
  x <- design[, kept, drop = FALSE]
  labels <- attr(terms, "term.labels")[attr(design, "assign")[kept]]
  numbers <- matrix(c(x, y), length(y), ncol(x) + 1, dimnames = list(NULL, c(labels, names(model)[[1]])))
  check_finite(numbers, "data")
  if (nrow(x) < 2) stop_input("data", "data with at least 2 rows", sprintf("data with %d", nrow(x)))
  check_extent(numbers, "data")
  list(model = model, terms = terms, contrasts = attr(design, "contrasts"), x = unname_rows(x),
       y = as.double(unname(y)), rows = rownames(model), labels = labels)
}

# R's own messages, of bad terms and of logarithms of negative numbers, would be of no class.
evaluated_frame <- function(call, env) {
  call <- call[c(1L, match(c("formula", "data", "subset"), names(call), 0L))]
  call[[1L]] <- quote(stats::model.frame)
  call$na.action <- quote(stats::na.pass)
  call$drop.unused.levels <- TRUE
  tryCatch(suppressWarnings(eval(call, env)), error = stop_frame)
}

stop_frame <- function(error) {
  if (inherits(error, "dpdepth_error")) stop(error)
  stop_input("formula", "a formula that can be evaluated in `data` as by lm()", "one that fails",
             "lm() with the same formula and data says why.")
}

unname_rows <- function(x) {
  matrix(as.double(x), nrow(x), ncol(x), dimnames = list(NULL, colnames(x)))
}

# Refuses a regressor without spread, and data without two rows.
check_regressor_spread <- function(x, labels = colnames(x)) {
  if (nrow(x) < 2) stop_input("data", "data with at least 2 rows", sprintf("data with %d", nrow(x)))
  # of a tally apply() would make rows
  if (ncol(x) == 0) return(invisible(NULL))
  constant <- apply(x, 2, function(col) all(col == col[[1]]))
  if (any(constant)) {
    stop_input("formula", "a formula with regressors that are not constant",
               sprintf("one with constant %s", quote_names(unique(labels[constant]))))
  }
}

new_fit <- function(coefficients, frame, call, class) {
  names(coefficients) <- c("(Intercept)", colnames(frame$x))
  fitted <- drop(cbind(1, frame$x) %*% coefficients)
  structure(list(
    coefficients = coefficients, residuals = stats::setNames(frame$y - fitted, frame$rows),
    fitted.values = stats::setNames(fitted, frame$rows), call = call, terms = frame$terms,
    model = frame$model, contrasts = frame$contrasts, df.residual = length(frame$y) - length(coefficients),
    xlevels = stats::.getXlevels(frame$terms, frame$model)
  ), class = c(class, "dpdepth_fit"))
}
