# Class dp_release: privately released and public values, and nothing else.

#' Private releases
#'
#' Every `dp_*` function returns a `dp_release`: the private estimate with its guarantee. It holds only
#' privately released and public values, so you may print, save and publish it. It holds no data, no
#' environment and no ledger. Its call holds no data either: an argument with data stays only if it is a plain
#' name, other expressions appear as `<data>`, objects as `<data.frame>` and the like.
#'
#' @param x,object A `dp_release`.
#' @param digits Significant digits to print, 7 by default. The noise is mostly far larger than the last of
#'   these; the release holds all digits, because rounding protects nothing.
#' @param row.names,optional As in [as.data.frame()].
#' @param main,... For `plot()`: the title, and further arguments for [graphics::plot.default()].
#'   Otherwise ignored.
#' @return A `dp_release` is a list with these fields.
#'
#'   | field | |
#'   |---|---|
#'   | `estimate` | named double vector; `NA` when not released |
#'   | `interval` | `NULL`, or the limits: one row per number, columns `lower`, `upper` |
#'   | `epsilon`, `delta`, `gamma` | what was spent; `gamma` is `NULL` except for random DP |
#'   | `guarantee` | `"pure"`, `"approximate"`, `"stationary"`, `"asymptotic"` or `"unproved"`: see below |
#'   | `mechanism` | its name |
#'   | `neighbours` | `"substitution"` of a row, n being public, or `"add_remove"`, n being private |
#'   | `n`, `d` | rows (`NA` where n is private) and variables |
#'   | `exact` | `TRUE`: the draw has the mechanism's distribution; `FALSE`: not so, as with chains |
#'   | `released` | `FALSE` if a private test failed: the estimate is `NA` and the budget is spent |
#'   | `rng` | `"system"` or `"R"`: see [dpdepth_rng] |
#'   | `call` | the call, without data |
#'   | `details` | named list of public extras, such as the prior |
#'
#'   `coef()` returns the estimate and `confint()` the interval; `tidy()` and `as.data.frame()` a data frame
#'   with one row per coordinate and columns `term` and `estimate`, and `conf.low` and `conf.high` with
#'   `conf.int = TRUE` (`as.data.frame()` adds these where there is an interval, and the columns of
#'   `glance()`); `glance()` a data frame of one row: `mechanism`, `guarantee`, `epsilon`, `delta`, `gamma`,
#'   `n`, `d`, `exact`, `released`, `rng`, `proved` (is the guarantee proved?); `summary()` an object that
#'   prints all properties and the public range; `format()` of a release or its summary the lines that
#'   `print()` prints; `plot()` its argument, invisibly; `autoplot()` a ggplot.
#'
#' @section What is printed:
#' `print()` shows the guarantee with its caveats, cautions, the estimate with its limits, what they cover,
#' the number of rows, what the release resolves, and the treatment of missing values and of several rows of
#' one person; for a test the p-value comes first. `summary()` also shows the neighbours, the mechanism and
#' why it was chosen, the sampler, the noise, the steps of the lattice, the prior, the shares of the budget,
#' the call and all other `details`.
#'
#' @section What the guarantees are:
#' `"pure"` and `"approximate"` are proved for the code: (epsilon, 0)- and (epsilon, delta)-differential
#' privacy under substitution of one row. The other three are not proved, and the title of the printed
#' release, `glance()` and the [ledger][dp_ledger] say so:
#'
#' * `"stationary"`: a state of a Markov chain after a finite run (`exact = FALSE`). The limiting distribution
#'   of the chain is differentially private; *no privacy is proved for a finite run*, and runs that looked
#'   converged have revealed the positions of single rows.
#' * `"asymptotic"`: as published, for n large enough under conditions that the data cannot confirm.
#' * `"unproved"`: as published, but the published proof fails; its help page says how.
#'
#' `method = "auto"` and `sampler = "auto"` never choose one of these three.
#'
#' @examples
#' release <- dp_median(faithful, epsilon = 1, lower = c(0, 30),
#'                      upper = c(10, 150))
#' release
#' coef(release)
#' tidy(release)
#' glance(release)
#' plot(release)
#' @order 1
#' @name dp_release
#' @aliases dp_release-class
NULL

# A release from its parts. `paid`: what debit() gave, of which the caution goes to `details`. `details`:
# named list of PUBLIC extras, printed by name; `what` (a noun for the title, such as "median"), `why` (of the
# mechanism), `caution` (that it is noise, by public numbers) and `advice` (after a failed test) have their
# own places. Values are copied bare; anything that could hold an environment or a function is refused.
# `interval`: see release_interval(). `data`: arguments of the call that have data.
new_release <- function(estimate, paid, mechanism, n, d, exact = TRUE, released = TRUE, gamma = NULL,
                        call = NULL, data = "x", details = list(), interval = NULL) {
  guarantee <- check_choice(paid$guarantee, c("pure", "approximate", names(weak_guarantees)), "guarantee")
  if (guarantee == "pure" && !isTRUE(exact)) {
    stop_dpdepth("internal", "A draw that is not exact was called pure. Please report this.")
  }
  estimate <- structure(as.double(estimate), names = public_text(names(estimate)))
  if (!released) estimate[] <- NA_real_
  details <- c(details, paid["caution"][!is.null(paid$caution)])
  if (!is.null(interval)) interval <- if (released) release_interval(interval, estimate, details)
  structure(
    list(
      estimate = estimate, interval = interval,
      epsilon = as.double(paid$epsilon), delta = as.double(paid$delta),
      gamma = if (!is.null(gamma)) as.double(gamma), guarantee = guarantee,
      mechanism = public_text(mechanism), neighbours = paid$neighbours,
      n = if (paid$neighbours == "substitution") as.integer(n) else NA_integer_,
      d = as.integer(d), exact = isTRUE(exact), released = isTRUE(released),
      rng = check_choice(paid$rng, c("system", "R"), "rng"),
      call = sanitize_call(call, data), details = public_value(details)
    ),
    class = "dp_release"
  )
}

public_text <- function(x) if (is.null(x)) NULL else as.vector(as.character(x))

# A copy with plain parts only: numbers, text, flags, priors, and lists of them.
public_value <- function(x) {
  if (is.null(x)) return(NULL)
  if (inherits(x, "dp_prior")) return(structure(public_value(unclass(x)), class = class(x)))
  if (is.object(x) || !(is.atomic(x) || is.list(x)) || !length(dim(x)) %in% c(0L, 2L)) {
    stop_dpdepth("internal", "A release was given something that is not plain. Please report this.")
  }
  names <- public_text(names(x))
  if (is.matrix(x) && !is.list(x)) {
    labels <- if (!is.null(dimnames(x))) lapply(unname(dimnames(x)), public_text)
    return(matrix(as.vector(x), nrow(x), ncol(x), dimnames = labels))
  }
  x <- if (is.list(x)) lapply(unname(x), public_value) else as.vector(x)
  names(x) <- names
  x
}

#' @rdname dp_release
#' @importFrom stats coef
#' @export
coef.dp_release <- function(object, ...) object$estimate

#' @rdname dp_release
#' @export
as.data.frame.dp_release <- function(x, row.names = NULL, # nolint: object_name_linter.
                                     optional = FALSE, ...) {
  out <- cbind(tidy(x, conf.int = !is.null(x$interval)), glance.dp_release(x), row.names = NULL)
  if (!is.null(row.names)) row.names(out) <- row.names
  out
}

#' @importFrom generics tidy
#' @export
generics::tidy

#' @importFrom generics glance
#' @export
generics::glance

#' @rdname dp_release
#' @export
tidy.dp_release <- function(x, ...) {
  check_dots(c("conf.int", "conf.level"), "tidy()")
  with_limits(data.frame(term = release_terms(x), estimate = unname(x$estimate)), x, ...)
}

#' @rdname dp_release
#' @export
glance.dp_release <- function(x, ...) {
  check_dots(character(), "glance()")
  data.frame(mechanism = x$mechanism, guarantee = x$guarantee, epsilon = x$epsilon, delta = x$delta,
             gamma = if (is.null(x$gamma)) NA_real_ else x$gamma, n = x$n, d = x$d, exact = x$exact,
             released = x$released, rng = x$rng, proved = is_proved(x$guarantee))
}

# The public range of each coordinate (columns lower, upper, kind), or NULL where none is known.
public_range <- function(x) {
  k <- length(x$estimate)
  prior <- x$details$prior
  if (inherits(prior, "dp_prior_uniform")) {
    range <- list(prior$lower, prior$upper, "the prior's box")
  } else if (inherits(prior, "dp_prior_normal")) {
    range <- list(prior$mean - 3 * prior$sd, prior$mean + 3 * prior$sd,
                  "the prior's mean -/+ 3 standard deviations")
  } else {
    range <- list(x$details$lower, x$details$upper, "the public bounds")
  }
  each <- k / max(1, length(x$details$tau)) # quantiles share one range
  fits <- function(v) is.numeric(v) && length(v) %in% c(1, each) && all(is.finite(v))
  if (k == 0 || !fits(range[[1]]) || !fits(range[[2]])) return(NULL)
  data.frame(lower = rep_len(unname(range[[1]]), k), upper = rep_len(unname(range[[2]]), k),
             kind = range[[3]])
}

# Guarantees that are not proved, with what the title and the ledger say of them.
weak_guarantees <- c(
  stationary = "no privacy is proved for a finite run",
  asymptotic = "no privacy is proved for finite n",
  unproved = "the published proof fails"
)

is_proved <- function(guarantee) !guarantee %in% names(weak_guarantees)

# -- calls without data: what may stay of the call that made a release ---------------------------------

# Functions of public parameters; a call of any other function is replaced whole.
public_functions <- c(
  "c", "(", "+", "-", "*", "/", "^", ":", "~", "list", "rep", "rep_len", "sqrt", "log", "exp", "diag",
  "prior_normal", "prior_uniform", "prior_dyadic", "directions", "I"
)

# The longest c() or text of public parameters that is kept.
max_call_args <- 100L
max_call_text <- 80L

# The call `call` (of match.call() or sys.call()) with nothing in it that could hold data.
#
# What stays: syntactic names; numbers, strings, TRUE, FALSE and NULL as single literals; calls of
# public_functions on such things. An argument in `data_args` (the first unnamed ones for those that
# the call does not name) stays only if it is a bare name. All else, such as objects that do.call()
# puts into the call, inline data, functions, environments and formulas with theirs, becomes a name
# that says its kind, such as `<data.frame>`. Attributes go, and with them source references and
# environments.
# A function put into the call as an object is named `fun` if that is given.
sanitize_call <- function(call, data_args = "x", fun = NULL) {
  if (!is.call(call)) return(NULL)
  parts <- as.list(call)
  names <- public_names(names(parts), length(parts))
  is_data <- names %in% data_args
  # (the first part is the function)
  unnamed <- which(names == "")
  unnamed <- unnamed[unnamed != 1L]
  is_data[unnamed[seq_len(min(length(unnamed), sum(!data_args %in% names)))]] <- TRUE
  for (i in seq_along(parts)) {
    # list(...) keeps a NULL as a part
    parts[i] <- list(if (i == 1) clean_head(parts[[1]], fun)
                     else if (is_data[[i]]) clean_data(parts[[i]])
                     else clean_part(parts[[i]]))
  }
  named_call(parts, names)
}

# The call of these parts; where a name is not empty, with names.
named_call <- function(parts, names) {
  names(parts) <- if (any(nzchar(names))) names
  as.call(parts)
}

# Argument names: what is no syntactic name could be text made from data.
public_names <- function(names, count) {
  if (is.null(names)) return(rep_len("", count))
  names <- as.vector(names)
  named <- which(names != "" | is.na(names))
  own <- names[named]
  names[named[is.na(own) | make.names(own) != own | nchar(own) > max_call_text]] <- ""
  names
}

# `f` or `pkg::f`.
clean_head <- function(head, fun) {
  if (is.name(head)) return(clean_name(head))
  if (is.call(head) && length(head) == 3 && is.name(head[[1]]) &&
      as.character(head[[1]]) %in% c("::", ":::") && is.name(head[[2]]) && is.name(head[[3]])) {
    return(as.call(list(head[[1]], clean_name(head[[2]]), clean_name(head[[3]]))))
  }
  if (is.null(fun)) as.name("<function>") else as.name(fun)
}

clean_data <- function(part) {
  if (is.name(part)) return(clean_name(part))
  if (is.call(part) && !is.object(part)) as.name("<data>") else kind_name(part)
}

# A name that could be one of a variable: syntactic, or of a public function, and not too long.
clean_name <- function(name) {
  text <- as.character(name)
  ok <- nchar(text) <= max_call_text && (make.names(text) == text || text %in% public_functions)
  if (ok || grepl("^\\.\\.\\.$|^\\.\\.[0-9]+$|^<[a-z. ]+>$", text)) as.name(text) else as.name("<name>")
}

clean_part <- function(part) {
  if (is.name(part)) return(clean_name(part))
  if (is.call(part)) return(clean_call(part))
  if (is_public_literal(part)) return(as.vector(part))
  kind_name(part)
}

# A call of a public function on public parts, without attributes (a formula has an environment).
clean_call <- function(call) {
  head <- call[[1]]
  bare <- if (is.call(head) && length(head) == 3) head[[3]] else head
  if (!is.name(bare) || !as.character(bare) %in% public_functions || length(call) > max_call_args) {
    return(as.name("<expression>"))
  }
  parts <- as.list(call)
  names <- public_names(names(parts), length(parts))
  parts[] <- lapply(parts, function(part) if (missing_part(part)) quote(`<name>`) else clean_part(part))
  parts[[1]] <- clean_head(head, NULL)
  named_call(parts, names)
}

# The empty name that stands for a missing argument.
missing_part <- function(part) is.name(part) && !nzchar(as.character(part))

is_public_literal <- function(x) {
  if (is.null(x)) return(TRUE)
  if (!is.null(attributes(x)) || length(x) != 1) return(FALSE)
  is.numeric(x) || is.logical(x) || is.character(x) && (is.na(x) || nchar(x, "bytes") <= max_call_text)
}

# `<data.frame>`, `<numeric>`: kinds from a fixed list, since a class could be any text.
kind_name <- function(x) {
  kind <- if (is.function(x)) "function"
          else if (inherits(x, "dp_ledger")) "ledger"
          else if (is.environment(x)) "environment"
          else if (is.data.frame(x)) "data.frame"
          else if (inherits(x, "formula")) "formula"
          else if (inherits(x, "dp_prior")) "prior"
          else if (is.factor(x)) "factor"
          else if (is.object(x)) "object"
          else if (is.matrix(x)) "matrix"
          else if (is.numeric(x)) "numeric"
          else if (is.logical(x)) "logical"
          else if (is.character(x)) "character"
          else if (is.list(x)) "list"
          else "object"
  as.name(sprintf("<%s>", kind))
}

# Below 1e-11 a p-value is mostly what pays for its rounding, see test_p_value().
p_value_text <- function(p, digits = 4) sub("<", "< ", format.pval(p, digits, eps = 1e-11), fixed = TRUE)
