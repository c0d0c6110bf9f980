# Class dp_release: what a private mechanism lets out, and nothing else.

#' Private releases
#'
#' Every `dp_*` function returns a `dp_release`: the private estimate with its guarantee. It holds
#' only what was privately released and what is public, so it may be printed, saved and published.
#' In particular it holds no data, no environment, no ledger, and a call from which everything that
#' could hold data is taken out: an argument with data stays only if it is a plain name, other
#' expressions appear as `<data>`, objects as `<data.frame>` and the like.
#'
#' @param x,object A `dp_release`.
#' @param digits Significant digits to print. The noise is mostly far larger than the last of the seven that
#'   are printed unless fewer are asked for; the release holds all of them, since rounding protects nothing.
#' @param row.names,optional As in [as.data.frame()].
#' @param main,... For `plot()`: the title, and further arguments for [graphics::plot.default()].
#'   Otherwise ignored.
#' @return A `dp_release` is a list with these fields.
#'
#'   | field | |
#'   |---|---|
#'   | `estimate` | named double vector; `NA` when not released |
#'   | `interval` | `NULL`, or the limits asked for: a row a number, columns `lower`, `upper` |
#'   | `epsilon`, `delta`, `gamma` | what was spent; `gamma` is `NULL` except for random DP |
#'   | `guarantee` | `"pure"`, `"approximate"`, `"stationary"`, `"asymptotic"` or `"unproved"`: see below |
#'   | `mechanism` | its name |
#'   | `neighbours` | `"substitution"` of a row, n being public, or `"add_remove"`, n being private |
#'   | `n`, `d` | rows (`NA` where n is private) and variables |
#'   | `exact` | `TRUE`: the draw follows the mechanism's law; `FALSE`: it does not, as a Markov chain's |
#'   | `released` | `FALSE` if a private test failed: the estimate is `NA` and the budget is spent |
#'   | `rng` | `"system"` or `"R"`: see [dpdepth_rng] |
#'   | `call` | the call, without data |
#'   | `details` | named list of public extras, such as the prior |
#'
#'   `coef()` returns the estimate and `confint()` the interval; `tidy()` and `as.data.frame()` a data frame
#'   of a row for each coordinate, with columns `term` and `estimate`, and `conf.low` and `conf.high` with
#'   `conf.int = TRUE` (for `as.data.frame()` where there is an interval, and besides those of `glance()`);
#'   `glance()` a data frame of one row: `mechanism`, `guarantee`, `epsilon`, `delta`, `gamma`, `n`, `d`,
#'   `exact`, `released`, `rng`, `proved` (is the guarantee proved?); `summary()` an object that prints both
#'   and the public range; `format()`
#'   the lines that `print()` prints; `plot()` its argument, invisibly; `autoplot()` a ggplot.
#'
#' @section What the guarantees are:
#' `"pure"` and `"approximate"` are proved for what the code does: (epsilon, 0)- and (epsilon,
#' delta)-differential privacy under substitution of one row. The other three are not proved, and the title of
#' the printed release, `glance()` and the [ledger][dp_ledger] say so:
#'
#' * `"stationary"`: a state of a Markov chain after a finite run (`exact = FALSE`). The law that the chain
#'   tends to is differentially private; *no privacy is proved for a finite run*, and runs that look
#'   converged have been seen to show where single rows lie.
#' * `"asymptotic"`: as published, for n large enough under conditions that the data cannot confirm.
#' * `"unproved"`: as published, but the published proof fails; its help page says how.
#'
#' `method = "auto"` and `sampler = "auto"` never choose one of these three.
#'
#' @examples
#' release <- dpdepth:::new_release(
#'   c(weight = 81.2, height = 169.4),
#'   list(epsilon = 1, delta = 0, guarantee = "pure", rng = "R", neighbours = "substitution"),
#'   mechanism = "exponential mechanism, halfspace depth", n = 12588, d = 2,
#'   call = quote(dp_median(x = people, epsilon = 1)),
#'   details = list(prior = prior_uniform(c(30, 120), c(250, 220)))
#' )
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
# `interval`: see release_interval().
new_release <- function(estimate, paid, mechanism, n, d, exact = TRUE, released = TRUE, gamma = NULL,
                        call = NULL, details = list(), interval = NULL) {
  guarantee <- check_choice(paid$guarantee, c("pure", "approximate", names(weak_guarantees)), "guarantee")
  if (guarantee == "pure" && !isTRUE(exact)) {
    stop_dpdepth("internal", "A draw that is not exact was called pure. Please report this.")
  }
  estimate <- structure(as.double(estimate), names = public_text(names(estimate)))
  if (!released) estimate[] <- NA_real_
  details <- c(details, paid["caution"][!is.null(paid$caution)])
  structure(
    list(
      estimate = estimate, interval = if (released) release_interval(interval, estimate, details),
      epsilon = as.double(paid$epsilon), delta = as.double(paid$delta),
      gamma = if (!is.null(gamma)) as.double(gamma), guarantee = guarantee,
      mechanism = public_text(mechanism), neighbours = paid$neighbours,
      n = if (paid$neighbours == "substitution") as.integer(n) else NA_integer_,
      d = as.integer(d), exact = isTRUE(exact), released = isTRUE(released),
      rng = check_choice(paid$rng, c("system", "R"), "rng"),
      # once more, in case the mechanism forgot: a clean call stays as it is
      call = sanitize_call(call), details = public_value(details)
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
#' @export
print.dp_release <- function(x, digits = 7L, ...) {
  writeLines(format(x, digits = digits))
  invisible(x)
}

#' @rdname dp_release
#' @export
format.dp_release <- function(x, digits = 7L, ...) {
  estimate <- utils::capture.output(print_numbers(estimate_table(x), digits))
  with_point(c(title_lines(x), "", paste0("  ", estimate), "", property_lines(release_properties(x))))
}

# Numbers of very different sizes, which print() would all write with exponents, each in its own way.
print_numbers <- function(table, digits) {
  if (!any(grepl("e", format(table, digits = digits), fixed = TRUE))) return(print(table, digits = digits))
  table[] <- vapply(table, format, "", digits = digits)
  print(table, quote = FALSE, right = TRUE)
}

title_lines <- function(x) {
  what <- if (is.null(x$details$what)) "estimate" else x$details$what
  title <- if (x$released) sprintf("<dp_release> Private %s, %s%s", what, guarantee_name(x),
                                     guarantee_caveat(x))
           else sprintf("<dp_release> Private %s: NOT RELEASED%s", what, guarantee_caveat(x))
  c(title,
    if (!x$released) {
      wrap_text(paste(c(sprintf("The private test failed. The budget is spent: %s.", spent_text(x)),
                        x$details$advice), collapse = " "))
    },
    if (!is.null(x$details$caution)) wrap_text(x$details$caution),
    if (x$rng == "R") wrap_text("Drawn from R's random stream for simulation: not for release."))
}

spent_text <- function(x) {
  toString(c(sprintf("epsilon = %s", format(x$epsilon)),
             if (x$delta > 0) sprintf("delta = %s", format(x$delta)),
             if (!is.null(x$gamma)) sprintf("gamma = %s", format(x$gamma))))
}

# Guarantees that are not proved, with what the title and the ledger say of them.
weak_guarantees <- c(
  stationary = "no privacy is proved for a finite run",
  asymptotic = "no privacy is proved for finite n",
  unproved = "the published proof fails"
)

is_proved <- function(guarantee) !guarantee %in% names(weak_guarantees)

guarantee_name <- function(x) {
  kind <- if (!is.null(x$gamma)) "(epsilon, delta, gamma)-random DP"
          else if (x$delta > 0 || x$guarantee %in% c("approximate", "asymptotic")) "(epsilon, delta)-DP"
          else "epsilon-DP"
  word <- if (x$guarantee == "approximate") "" else paste0(x$guarantee, " ")
  sprintf("%s%s, %s", word, kind, spent_text(x))
}

# What a title must not be silent about.
guarantee_caveat <- function(x) {
  caveat <- c(if (!x$exact) "exact = FALSE", if (!is_proved(x$guarantee)) weak_guarantees[[x$guarantee]])
  if (length(caveat) > 0) sprintf(" (%s)", paste(caveat, collapse = ": ")) else ""
}

# What `details$id` says where one row of each person was kept.
persons_text <- "one row of each, drawn at random; n counts ids"

# Do neighbours differ in a person's rows?
of_persons_rows <- function(x) identical(x$details$id, persons_text)

# `size`: what is public, or private.
neighbours_text <- function(x, size) {
  persons <- of_persons_rows(x)
  if (x$neighbours == "add_remove") {
    return(sprintf("one %s more or less; %s is private", if (persons) "person" else "row", size))
  }
  of <- paste0("substitution of ", if (persons) "all rows of one person" else "one row")
  # rows were left out
  if (!is.null(x$n) && is.na(x$n)) return(paste0(of, "; n, that of the complete rows, is private"))
  sprintf("%s; %s is public", of, size)
}

guarantee_sentence <- function(x) {
  factor <- "exp(epsilon)"
  if (x$epsilon <= 20) factor <- sprintf("%s = %s", factor, format(exp(x$epsilon), digits = 4))
  bound <- sprintf("%s %s changes the probability of any outcome by at most a factor %s%s%s",
                   if (x$neighbours == "add_remove") "adding or removing" else "replacing",
                   if (of_persons_rows(x)) "all rows of any one person" else "any one row", factor,
                   if (x$delta > 0) ", plus delta" else "",
                   if (!is.null(x$gamma)) ", except for data of probability gamma" else "")
  said <- switch(x$guarantee,
    stationary = paste0("of the law that the chain tends to it is true that ", bound, ". No privacy is ",
                        "proved for a finite run: a chain not there yet can show where single rows lie"),
    asymptotic = paste0(bound, ", for n large enough under conditions that the data cannot confirm"),
    unproved = paste0("published as: ", bound, ". The published proof ", if (x$exact) {
      "fails, and pairs of data that break this are known"
    } else {
      "is of another law than that of a finite run of the chain"
    }, "; see the method's help"),
    bound
  )
  sprintf("%s: %s", guarantee_name(x), said)
}

# What is printed below the estimate, as a named character vector.
release_properties <- function(x) {
  sampler <- if (x$exact) "exact: the draw follows the mechanism's law"
             else "exact = FALSE: the draw does not follow the mechanism's law exactly"
  noise <- if (x$rng == "system") "the operating system's entropy"
           else "R's random stream, for simulation: not for release"
  told <- c("what", "why", "advice", "caution", "resolves", "noise_form", "",
            if (!is.null(x$interval)) interval_details)
  extra <- printed_details(x)
  extra <- extra[!names(extra) %in% told]
  tested <- extra[names(extra) %in% test_details]
  if (!is.null(tested$p.value)) tested$p.value <- p_value_text(tested$p.value)
  extra <- extra[!names(extra) %in% test_details]
  bound <- at_bound(x)
  c(vapply(tested, detail_text, ""),
    "at its bound" = if (length(bound) > 0) gsub("`", "", quote_names(bound, 10L), fixed = TRUE),
    interval = interval_sentence(x),
    guarantee = guarantee_sentence(x),
    neighbours = neighbours_text(x, "n"),
    data = sprintf("%sd = %s %s%s", if (is.na(x$n)) "" else rows_text(x$n), grouped(x$d),
                   number_noun(x), plural(x$d)),
    resolves = if (!is.null(x$details$resolves)) spreads_text(x$details$resolves, is_dyadic(x$details$prior)),
    mechanism = x$mechanism,
    why = x$details$why,
    sampler = sampler,
    noise = noise,
    # a step is a size: nobody computes with its digits
    unlist(Map(detail_text, extra, ifelse(names(extra) == "step", 3, 7))),
    call = if (!is.null(x$call)) call_text(x$call))
}

# What of the details is printed, and what the numbers of an estimate are: classes have methods of their own.
printed_details <- function(x) UseMethod("printed_details")

printed_details.dp_release <- function(x) x$details # nolint: object_name_linter.

number_noun <- function(x) UseMethod("number_noun")

number_noun.dp_release <- function(x) "variable" # nolint: object_name_linter.

# Of a test: they stand first.
test_details <- c("p.value", "test", "hypothesis", "expected", "alternative")

rows_text <- function(n) sprintf("n = %s row%s, ", grouped(n), plural(n))

# The names of released numbers that lie on an end of their public range.
at_bound <- function(x) {
  range <- public_range(x)
  if (is.null(range) || !x$released || inherits(x$details$prior, "dp_prior_normal")) return(character())
  variable_text <- if (is.null(names(x$estimate))) seq_along(x$estimate) else names(x$estimate)
  variable_text[which(x$estimate == range$lower | x$estimate == range$upper)]
}

detail_text <- function(v, digits = 7) {
  if (inherits(v, "dp_prior")) return(format(v))
  if (is.matrix(v) && (length(v) > 12 || is.null(colnames(v)))) {
    return(sprintf("%d x %d matrix", nrow(v), ncol(v)))
  }
  if (is.matrix(v)) v <- split_columns(v)
  if (is.list(v)) {
    return(paste0(names(v), if (!is.null(names(v))) ": ", vapply(v, detail_text, "", digits),
                  collapse = "; "))
  }
  text <- vapply(v, function(e) trimws(format(e, digits = digits)), "")
  if (!is.null(names(v))) text <- sprintf("%s %s", names(v), text)
  if (length(text) > 12) text <- c(utils::head(text, 10), sprintf("and %d more", length(text) - 10))
  toString(text)
}

split_columns <- function(m) {
  stats::setNames(lapply(seq_len(ncol(m)), function(j) unname(m[, j])), colnames(m))
}

# <data> rather than `<data>`
call_text <- function(call) {
  paste(trimws(gsub("`(<[a-z. ]+>)`", "\\1", deparse(call, width.cutoff = 500L))), collapse = " ")
}

wrap_text <- function(text, ...) strwrap(text, width = max(30L, 0.95 * getOption("width")), ...)

short_names <- function(names) vapply(names, short_text, "", max = 30L, USE.NAMES = FALSE)

property_lines <- function(properties) {
  labels <- formatC(names(properties), width = -max(nchar(names(properties))))
  unlist(Map(function(label, text) {
    wrap_text(text, initial = paste0(label, "  "), exdent = nchar(label) + 2L)
  }, labels, properties), use.names = FALSE)
}

#' @rdname dp_release
#' @export
summary.dp_release <- function(object, ...) {
  check_dots(character(), "summary()")
  range <- public_range(object)
  terms <- tidy(object)
  if (!is.null(object$interval)) terms <- cbind(terms, object$interval, row.names = NULL)
  if (!is.null(range)) terms <- cbind(terms, bound_lower = range$lower, bound_upper = range$upper)
  structure(list(terms = terms, range = range$kind[1], properties = with_point(release_properties(object)),
                 title = with_point(title_lines(object))), class = "summary.dp_release")
}

#' @export
print.summary.dp_release <- function(x, digits = 7L, ...) {
  writeLines(c(x$title, ""))
  print(x$terms, digits = digits, row.names = FALSE)
  if (!is.null(x$range)) writeLines(wrap_text(sprintf(
    "bound_lower, bound_upper: %s, not a confidence interval", x$range)))
  writeLines(c("", property_lines(x$properties)))
  invisible(x)
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
