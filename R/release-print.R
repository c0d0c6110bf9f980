# What print() and summary() of a release show.

#' @rdname dp_release
#' @export
print.dp_release <- function(x, ...) {
  writeLines(format(x, ...))
  invisible(x)
}

#' @rdname dp_release
#' @export
format.dp_release <- function(x, digits = 7L, ...) {
  release_lines(x, utils::capture.output(print_numbers(estimate_table(x), digits)))
}

# What is printed of a release: `table`, the lines of its estimate, and `more`, a line about them.
release_lines <- function(x, table, more = NULL) {
  force(table) # whose numbers are R's, with its decimal mark
  properties <- release_properties(x)
  with_point(c(title_lines(x), "", paste0("  ", table), more, "",
               property_lines(properties[names(properties) %in% printed_properties])))
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
    stationary = paste0("of the distribution that the chain tends to it is true that ", bound,
                        ". No privacy is proved for a finite run: a chain not there yet can show where ",
                        "single rows lie"),
    asymptotic = paste0(bound, ", for n large enough under conditions that the data cannot confirm"),
    unproved = paste0("published as: ", bound, ". The published proof ", if (x$exact) {
      "fails, and pairs of data that break this are known"
    } else {
      "is of another distribution than that of a finite run of the chain"
    }, "; see the method's help"),
    bound
  )
  sprintf("%s: %s", guarantee_name(x), said)
}

# Of a test: they stand first.
test_details <- c("p.value", "test", "hypothesis", "superiority", "direction", "expected", "alternative")

# The properties that print() shows. summary() shows all.
printed_properties <- c(test_details, "at its bound", "interval", "limits at", "polygons", "covers",
                        "guarantee", "data", "resolves", "rare", "lattice", "na", "id")

# What summary() shows below the estimate, as a named character vector.
release_properties <- function(x) {
  sampler <- if (x$exact) "exact: the draw follows the mechanism's distribution"
             else "exact = FALSE: the draw does not follow the mechanism's distribution exactly"
  shown <- c("what", "why", "advice", "caution", "resolves", "noise_form", "",
            if (!is.null(x$interval)) interval_details)
  extra <- printed_details(x)
  extra <- extra[!names(extra) %in% shown]
  tested <- extra[names(extra) %in% test_details]
  if (!is.null(tested$p.value)) tested$p.value <- p_value_text(tested$p.value)
  extra <- extra[!names(extra) %in% test_details]
  bound <- at_bound(x)
  c(vapply(tested, detail_text, ""),
    "at its bound" = if (length(bound) > 0) gsub("`", "", quote_names(bound, 10L), fixed = TRUE),
    interval = interval_sentence(x),
    guarantee = guarantee_sentence(x),
    neighbours = neighbours_text(x, "n"),
    data = sprintf("%sd = %s %s%s", if (is.na(x$n)) "n is private, " else rows_text(x$n), grouped(x$d),
                   number_noun(x), plural(x$d)),
    resolves = if (x$released && !is.null(x$details$resolves)) {
      spreads_text(x$details$resolves, is_dyadic(x$details$prior))
    },
    mechanism = x$mechanism,
    why = x$details$why,
    sampler = sampler,
    noise = noise_text(x),
    # sizes: nobody computes with their digits
    unlist(Map(detail_text, extra, ifelse(names(extra) %in% c("step", "shares"), 3, 7))),
    call = if (!is.null(x$call)) call_text(x$call))
}

noise_text <- function(x) {
  if (x$rng == "R") return("R's random stream, for simulation: not for release")
  "the operating system's entropy"
}

# The details that summary() shows, and what the numbers of an estimate are: classes have methods of their
# own.
printed_details <- function(x) UseMethod("printed_details")

printed_details.dp_release <- function(x) x$details # nolint: object_name_linter.

number_noun <- function(x) UseMethod("number_noun")

number_noun.dp_release <- function(x) "variable" # nolint: object_name_linter.

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
print.summary.dp_release <- print.dp_release

#' @export
format.summary.dp_release <- function(x, digits = 7L, ...) {
  c(x$title, "", table_lines(x$terms, digits),
    if (!is.null(x$range)) {
      wrap_text(sprintf("bound_lower, bound_upper: %s, not a confidence interval", x$range))
    }, "", property_lines(x$properties))
}

table_lines <- function(frame, digits) {
  utils::capture.output(print(frame, digits = digits, row.names = FALSE))
}
