# The private histogram: counts of public bins, or of bins that are found by the data.

#' A private histogram
#'
#' Counts the rows in bins, under differential privacy. With public bins, given as `breaks` or `levels`,
#' the release is pure and has all bins. With a `width` alone, or `breaks = "log2"`, and a `delta`, the
#' bins cover the whole line, and the release has those that hold enough rows.
#'
#' @inheritParams dp_median
#' @param x A variable: numbers, flags, a factor, or text with `levels`.
#' @param delta 0 with public bins, which need none. With `width` or `breaks = "log2"` a number above 0:
#'   the largest probability with which a bin with a single row is reported.
#' @param breaks Public edges of bins, increasing: `[a, b)`, the last one with its upper end. `-Inf` and
#'   `Inf` are allowed. Rows outside all bins are not counted. Or `"log2"`: bins above 2^j and up to
#'   2^(j + 1), j any whole number, the same for negative numbers, and 0.
#' @param levels Public values to count, for factors, text, flags or whole numbers. A factor's own levels
#'   are taken to be public. Rows with other values are not counted. Values are compared as ids are, see
#'   [group_cost()]: 100000L is 1e5.
#' @param width The width of bins `[origin + j width, origin + (j + 1) width)`, j any whole number.
#' @param origin An edge of a bin.
#' @param neighbours As in [dp_median()]; with `"add_remove"` a row changes one count only, and the noise
#'   is half as large for the same epsilon.
#' @param na `"fail"`: data with missing or infinite values are refused, and the error reveals that there
#'   are some. `"omit"`: such rows are counted in no bin; n counts them. A number, or with `levels` one of
#'   them, replaces such values.
#' @param row.names,optional As in [as.data.frame()].
#' @param id `NULL`, or the person of each row: one row of each person is kept, see [dp_median()].
#' @param ... Must be empty: a name that is not an argument is refused, see [dpdepth-errors].
#' @details
#' **Noise.** A replaced row leaves one bin and enters another. So each count gets integer noise, drawn
#' exactly, with P(z) proportional to exp(-epsilon |z| / 2). `details$noise_sd` is its standard
#' deviation. Counts are not changed afterwards: they may be negative, and their sum is not n. `confint()`
#' gives limits of this noise.
#'
#' **Infinitely many bins.** A bin without rows is never reported. A bin with rows is reported if its
#' noisy count is at least `details$threshold`, the smallest number that a bin with one row reaches with a
#' probability of at most `delta`: 42 at epsilon = 1 and delta = 1e-9, 28 at 1e-6. So each reported bin
#' certainly holds rows, and sparse bins are missing. The limits that `confint()` gives hold for a bin before
#' its count is compared with the threshold. A bin that is reported just above it was often lifted by the
#' noise. Choose a width for which bins hold hundreds of rows. Do not compute it from the data;
#' [dp_interior_point()] finds one privately.
#'
#' Which bin a row is in depends on that row and on public numbers only, for numbers of any size. Rows
#' 2^40 widths away from the origin, or farther, are in two unbounded bins.
#'
#' The proof is in `vignette("proofs-unbounded", "dpdepth")`, sections 1 and 2.
#' @return A [`dp_release`][dp_release] of class `dp_histogram`, `"pure"` or `"approximate"`. The
#'   `estimate` has a count for each bin, named by it; none if no bin was reported. `tidy()` and
#'   `as.data.frame()` give columns `term`, `from`, `to` (not with levels) and `estimate`; `plot()` and
#'   `autoplot()` draw counts; of `breaks` at unequal distances rows per unit, so that areas are counts.
#' @inheritSection dp_median Errors
#' @references
#' Bun, M., Nissim, K. and Stemmer, U. (2019). Simultaneous private learning of multiple concepts. *JMLR*
#' 20 (histograms by stability). \doi{10.48550/arXiv.1511.08552}
#'
#' Karwa, V. and Vadhan, S. (2018). Finite sample differentially private confidence intervals. *ITCS*.
#' \doi{10.48550/arXiv.1711.03908}
#' @seealso [dp_ecdf()], which needs no bins; [dp_quantile()].
#' @examples
#' dp_histogram(faithful$waiting, epsilon = 1, breaks = seq(40, 100, by = 10))
#'
#' # wherever the data are
#' wide <- dp_histogram(faithful$waiting, epsilon = 2, delta = 1e-6, width = 15)
#' tidy(wide)
#' plot(wide)
#'
#' dp_histogram(warpbreaks$tension, epsilon = 1)
#' @export
dp_histogram <- function(x, epsilon, delta = 0, breaks = NULL, levels = NULL, width = NULL, origin = 0,
                         ..., neighbours = "substitution", id = NULL, ledger = NULL, rng = NULL,
                         na = "fail") {
  release_by(histogram_mechanism(), door_call())
}

histogram_mechanism <- function() {
  new_mechanism(
    plan_counts, draw_counts, limits = FALSE, incomplete = NULL,
    read = function(given) histogram_rows(given$x, given_bins(given), given$private, given$na),
    facts = function(rows, given) {
      counted <- if (is.null(rows$count)) length(rows$value) else sum(rows$count)
      list(n = if (given$private) NA else counted, d = 1L, private = given$private, bins = given_bins(given))
    },
    na_text = function(na) {
      if (identical(na, "omit")) list(na = "rows with a missing value are in no bin, and n counts them")
      else na_detail(na)
    }
  )
}

given_bins <- function(given) {
  histogram_bins(given$x, given$breaks, given$levels, given$width, given$origin)
}

plan_counts <- function(facts, given) {
  bins <- facts$bins
  delta <- histogram_delta(given$delta, bins)
  plan <- histogram_plan(given$epsilon, delta, bins, given$private)
  noise <- list(noise = "Laplace", rate = plan$rate[[1]] / plan$rate[[2]], unit = 1, rounding = 0, sums = 1)
  details <- list(bins = bins$kind, noise_sd = plan$sd, threshold = plan$threshold, width = bins$width,
                  origin = bins$origin, noise_form = noise)
  c(plan, list(
    label = "histogram", what = "histogram", class = "dp_histogram", bins = bins, delta = delta,
    mechanism = paste0("discrete Laplace noise on counts",
                       if (!bins$public) " of bins that reach a threshold"),
    details = Filter(Negate(is.null), details), warn = function(said) warn_histogram(facts$n, plan)
  ))
}

# PRIVATE: rows.
draw_counts <- function(rows, plan, source) {
  drawn <- draw_histogram(rows, plan$bins, plan, source)
  ends <- drawn[c("from", "to")]
  list(estimate = drawn$count, terms = drawn$term, details = ends[!vapply(ends, is.null, NA)])
}

# -- arguments ---------------------------------------------------------------------------------------

# What the bins are: public, or found by the data. `of(x)`: the bin of each row, NA for none.
histogram_bins <- function(x, breaks, levels, width, origin) {
  origin <- check_number(origin, "origin")
  if (is.factor(x) && is.null(levels)) levels <- attr(x, "levels")
  given <- c(breaks = !is.null(breaks), levels = !is.null(levels), width = !is.null(width))
  if (sum(given) != 1) {
    stop_input("breaks", "given, or one of `levels` and `width` in its place",
               if (any(given)) paste("given together:", quote_names(names(given)[given])) else "all left out",
               "Factors have levels and need none of these.")
  }
  if (origin != 0 && !given[["width"]]) stop_input("origin", "0 without `width`", format(origin))
  if (identical(breaks, "log2")) {
    return(list(kind = "powers of two", public = FALSE, of = binade_bins, ends = binade_ends))
  }
  if (given[["breaks"]]) break_bins(breaks)
  else if (given[["levels"]]) level_bins(levels)
  else equal_bins(width, origin)
}

break_bins <- function(breaks) {
  must <- "two or more increasing numbers, or \"log2\""
  if (!is.numeric(breaks) || is.object(breaks) || length(dim(breaks)) > 1) {
    stop_input("breaks", must, describe(breaks))
  }
  breaks <- as.double(breaks)
  if (length(breaks) < 2 || anyNA(breaks) || any(diff(breaks) <= 0)) {
    stop_input("breaks", must,
               if (length(breaks) < 2) "fewer" else "numbers in another order, or missing ones")
  }
  count <- length(breaks) - 1
  list(kind = "breaks", public = TRUE, count = count,
       of = function(x) {
         j <- findInterval(x, breaks, rightmost.closed = TRUE)
         j[!j %in% seq_len(count)] <- NA
         j
       },
       ends = function(j) list(from = breaks[j], to = breaks[j + 1]))
}

level_bins <- function(levels) {
  levels <- declared_keys(levels)
  list(kind = "levels", public = TRUE, count = length(levels), levels = levels,
       of = function(x) match(x, levels), ends = function(j) NULL)
}

equal_bins <- function(width, origin) {
  width <- check_number(width, "width", 2^-1000, 2^900, closed = c(TRUE, TRUE))
  if (abs(origin) > most_bins * width) {
    stop_input("origin", "at most 2^40 widths away from 0", format(origin), "Take one that is nearer to 0.")
  }
  list(kind = "width", public = FALSE, width = width, origin = origin,
       of = function(x) width_bins(x, width, origin), ends = function(j) width_ends(j, width, origin))
}

histogram_delta <- function(delta, bins) {
  if (bins$public) return(0)
  if (delta > 0) return(delta)
  stop_input("delta", "above 0 where bins are found by the data", "0",
             "Give a number far below 1/n, such as 1e-6; or public `breaks`, which need none.")
}

# Values of rows: numbers, or text for levels; NA for those in no bin. Of a tally, of its points, and how many
# rows each has. PRIVATE: x.
histogram_rows <- function(x, bins, private, na) {
  if (bins$kind == "levels") return(list(value = text_rows(x, bins$levels, private, na)))
  number_rows(x, private, na)
}

number_rows <- function(x, private, na) UseMethod("number_rows")

#' @export
number_rows.dp_tally <- function(x, private, na) {
  check_size(check_tally(x), min_n = as.integer(!private), max_d = 1L)
  list(value = as.vector(x$points), count = x$count)
}

#' @export
number_rows.default <- function(x, private, na) {
  x <- check_data(x, min_n = as.integer(!private), max_d = 1L, finite = FALSE)
  if (!is.numeric(na) && !identical(na, "omit") && !identical(na, "fail")) {
    stop_input("na", "\"fail\", \"omit\" or one finite number", describe(na))
  }
  # with a public row, since there may be no other
  if (!identical(na, "omit")) x <- replace_missing(rbind(x, 0, deparse.level = 0), na)[seq_len(nrow(x)), ]
  v <- as.vector(x)
  v[!is.finite(v)] <- NA
  list(value = v)
}

text_rows <- function(x, levels, private, na) {
  if (is.data.frame(x) && ncol(x) == 1) x <- x[[1]]
  plain <- is.factor(x) || is.atomic(x) && !is.object(x) && !is.null(x) && (is.numeric(x) || is.logical(x) ||
                                                                              is.character(x))
  if (!plain || length(dim(x)) > 1) {
    stop_input("x", "a factor, text, flags or numbers for counts of levels", describe_data(x))
  }
  x <- key_text(x)
  if (length(x) == 0 && !private) {
    stop_input("x", "data with at least 1 row", "data with 0")
  }
  if (identical(na, "omit")) return(x)
  if (identical(na, "fail")) {
    if (anyNA(x)) stop_input("x", "data without missing values", "data with some", mend_missing)
    return(x)
  }
  value <- if (is.atomic(na) && length(na) == 1) key_text(na) else NA
  if (!value %in% levels) stop_input("na", "\"fail\", \"omit\" or one of the levels", describe(na))
  ifelse(is.na(x), value, x)
}

# The noise and the threshold, public numbers only.
histogram_plan <- function(epsilon, delta, bins, private) {
  rate <- histogram_rate(epsilon, private)
  decay <- rate[[1]] / rate[[2]]
  list(guarantee = if (bins$public) "pure" else "approximate", rate = rate,
       sd = sqrt(2 * exp(-decay)) / -expm1(-decay),
       threshold = if (!bins$public) stability_threshold(rate, delta))
}

warn_histogram <- function(n, plan) {
  if (is.na(n) || is.null(plan$threshold) || n >= plan$threshold) return(invisible(NULL))
  warn_dpdepth("accuracy", paste(
    "There are fewer rows than a bin must have to be reported: see the threshold in the help. Take more",
    "rows, or a larger `epsilon` or `delta`."
  ))
}

# PRIVATE: rows.
draw_histogram <- function(rows, bins, plan, source) {
  at <- bins$of(rows$value)
  held <- bin_counts(at[!is.na(at)], rows$count[!is.na(at)])
  found <- if (bins$public) {
    all <- replace(numeric(bins$count), held$bin, held$count)
    list(bin = seq_len(bins$count), count = noisy_counts(all, plan$rate, source))
  } else {
    stable_bins(held, plan$rate, plan$threshold, source)
  }
  ends <- bins$ends(found$bin)
  c(list(count = found$count, term = bin_names(bins, ends)), ends)
}

# -- what is shown -----------------------------------------------------------------------------------

bin_names <- function(bins, ends) {
  if (bins$kind == "levels") return(bins$levels)
  from <- as.character(ends$from)
  to <- as.character(ends$to)
  if (bins$kind != "powers of two") {
    last <- bins$public & seq_along(to) == length(to)
    return(sprintf("%s%s, %s%s", ifelse(is.finite(ends$from) | bins$public, "[", "("), from, to,
                   ifelse(last, "]", ")")))
  }
  ifelse(ends$from == ends$to, "0",
         sprintf(ifelse(ends$to > 0, "(%s, %s]", "[%s, %s)"), from, to))
}

#' @rdname dp_histogram
#' @export
tidy.dp_histogram <- function(x, ...) {
  check_dots(c("conf.int", "conf.level"), "tidy()")
  frame <- data.frame(term = release_terms(x))
  if (x$details$bins != "levels") frame <- cbind(frame, from = x$details$from, to = x$details$to)
  with_limits(cbind(frame, estimate = unname(x$estimate)), x, ...)
}

#' @rdname dp_histogram
#' @export
as.data.frame.dp_histogram <- function(x, row.names = NULL, # nolint: object_name_linter.
                                       optional = FALSE, ...) {
  frame <- tidy(x)
  about <- glance.dp_release(x)
  out <- cbind(frame, about[rep_len(1L, nrow(frame)), ], row.names = NULL)
  if (!is.null(row.names)) row.names(out) <- row.names
  out
}

#' @rdname dp_histogram
#' @param digits Significant digits to print.
#' @export
format.dp_histogram <- function(x, digits = 7L, ...) {
  frame <- tidy(x)
  shown <- utils::head(frame, 30)
  lines <- if (nrow(shown) == 0) {
    "no bin reached the threshold"
  } else {
    cells <- cbind(count = format(shown$estimate, digits = digits))
    rownames(cells) <- short_names(shown$term)
    utils::capture.output(print(cells, quote = FALSE, right = TRUE))
  }
  more <- if (nrow(shown) < nrow(frame)) {
    sprintf("  (%d of %d bins; tidy() has all)", nrow(shown), nrow(frame))
  }
  release_lines(x, lines, more)
}

printed_details.dp_histogram <- function(x) { # nolint: object_name_linter.
  x$details[!names(x$details) %in% c("from", "to")]
}

# Where bars begin and end: of equal and given widths as they are, unbounded ones as wide as the widest
# other; else one beside the other.
histogram_bars <- function(x) {
  frame <- tidy(x)
  drawn <- x$details$bins %in% c("breaks", "width")
  if (!drawn || !any(is.finite(frame$to - frame$from))) {
    place <- seq_len(nrow(frame))
    return(cbind(frame[c("term", "estimate")], left = place - 0.5, right = place + 0.5,
                 height = frame$estimate, label = "rows, with noise"))
  }
  wide <- frame$to - frame$from
  room <- max(wide[is.finite(wide)])
  left <- ifelse(is.finite(frame$from), frame$from, frame$to - room)
  right <- ifelse(is.finite(frame$to), frame$to, left + room)
  # areas are what is seen: bars of unequal widths are rows per unit
  unequal <- min(right - left) < (1 - 1e-9) * room
  cbind(frame[c("term", "estimate")], left = left, right = right,
        height = frame$estimate / if (unequal) right - left else 1,
        label = if (unequal) "rows per unit, with noise" else "rows, with noise")
}

picture.dp_histogram <- function(x, ...) { # nolint: object_name_linter.
  if (length(x$estimate) == 0) stop_input("x", "a histogram with at least one bin", "empty")
  bars <- histogram_bars(x)
  named <- !x$details$bins %in% c("breaks", "width")
  new_picture(layer("bars", bars$left, 0, xend = bars$right, yend = bars$height, fill = interval_colour,
                    colour = "white"),
              if (named) picture_axis(at = (bars$left + bars$right) / 2, labels = short_names(bars$term))
              else picture_axis(),
              picture_axis(bars$label[[1]]), plot_title(x), with_point(guarantee_name(x)))
}
