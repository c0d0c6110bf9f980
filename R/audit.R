# Audits of privacy: what draws on two neighbouring data sets prove against a claim. Not private.

#' Audit a privacy claim
#'
#' Runs a mechanism many times on two neighbouring data sets and gives a lower confidence bound of the epsilon
#' between them; a claim below that bound is rejected. With `exact = TRUE` it compares the exact
#' distributions. An audit can refute a claim but never prove one, because it uses two data sets and simple
#' events. It is **not private**: audit on made-up data.
#'
#' @param mechanism A function of a data set (its first argument) that returns a release of this package or a
#'   numeric vector of fixed length. With `exact = TRUE`: a function that gives the logarithms of the
#'   probabilities of all outcomes, in an order that does not depend on the data.
#' @param data,neighbour Two data sets that differ in one row.
#' @param ... Further arguments of `mechanism`, by their full names.
#' @param epsilon,delta The claim. They are passed to `mechanism` if it has arguments of these names.
#' @param draws The number of draws on each data set, at most 1e7. Half of them choose an event, the others
#'   test it.
#' @param level The confidence of the bound: a right claim is rejected with probability `1 - level` at most.
#' @param statistic `NULL` to use each coordinate of a draw by itself; or a function that computes one number
#'   or several from a draw.
#' @param exact Does `mechanism` give log-probabilities?
#' @param x,object An audit.
#' @param row.names,optional As in [as.data.frame()].
#' @param digits Significant digits to print.
#' @details
#' **The bound.** On the first half of the draws one event is chosen for which the two data sets seem to
#' differ most: `statistic` at most, or at least, a threshold; equal to a value; among cells that are likelier
#' for one data set than `exp(epsilon)` allows; or no release (a draw with a missing value, or an error:
#' failures are outcomes, too). It is counted on the second half. Clopper-Pearson limits, each at
#' `(1 - level)/2`, bound its probability from below by p on one data set and from above by q on the other;
#' the bound is `log((p - delta)/q)`. As the event was chosen on other draws, the bound holds with confidence
#' `level` for any mechanism with independent draws. Its sharpness depends on the event: 20,000 draws reject
#' most claims that are too low by a factor of 1.5.
#'
#' **The curve.** The hockey-stick divergence at epsilon is the least delta with which the mechanism is
#' (epsilon, delta)-private between the two data sets. For each epsilon of a grid `tidy()` gives `delta`,
#' estimated on the second half by events of the first, and `delta_low`, its lower confidence bound (for each
#' epsilon by itself). With `exact = TRUE` the curve is the true one.
#'
#' Mechanisms of this package draw from the system's entropy; `rng = "R"` makes an audit reproducible by
#' `set.seed()`.
#' @return An object of class `privacy_audit`: a list with `epsilon` and `delta` of the claim; `lower`, the
#'   bound, or the exact epsilon at `delta`; `rejected`; `level`; `draws`; `exact`; `event`, in words;
#'   `counts`, how often it was seen on each data set; `curve`. `tidy()` gives the curve, `glance()` a row of
#'   the rest (`lower` at least 0 there, because a negative bound carries no information); `as.data.frame()`
#'   is `tidy()`, `summary()` prints both; `plot()` and `autoplot()` draw the curve and the claim.
#' @section Errors: `dpdepth_error_input` for a bad argument, and for draws of different lengths.
#' @references
#' Clopper, C. J. and Pearson, E. S. (1934). The use of confidence or fiducial limits illustrated in the case
#' of the binomial. *Biometrika* 26. \doi{10.1093/biomet/26.4.404}
#'
#' Ding, Z., Wang, Y., Wang, G., Zhang, D. and Kifer, D. (2018). Detecting violations of differential privacy.
#' *CCS*. \doi{10.1145/3243734.3243818}
#'
#' Jagielski, M., Ullman, J. and Oprea, A. (2020). Auditing differentially private machine learning: how
#' private is private SGD? *NeurIPS*. \doi{10.48550/arXiv.2006.07709}
#' @examples
#' # a median of made-up data
#' x <- c(1, 2, 2, 3, 7)
#' audit_privacy(dp_median, x, c(x[-1], 9), epsilon = 1, draws = 100, lower = 0,
#'               upper = 10, resolution = 1, rng = "R")
#'
#' # a mean with half of the noise that it needs
#' noisy <- function(x) {
#'   mean(pmin(pmax(x, 0), 1)) + (rexp(1) - rexp(1)) / (2 * length(x))
#' }
#' audit <- audit_privacy(noisy, rep(0, 10), c(1, rep(0, 9)), epsilon = 1)
#' audit
#' plot(audit)
#' # randomised response: the exact distribution
#' respond <- function(bit) log(if (bit) c(0.25, 0.75) else c(0.75, 0.25))
#' audit_privacy(respond, TRUE, FALSE, epsilon = log(3), exact = TRUE)
#' @seealso `vignette("threat-model", "dpdepth")`, about the promise.
#' @export
audit_privacy <- function(mechanism, data, neighbour, ..., epsilon, delta = 0, draws = 20000L, level = 0.999,
                          statistic = NULL, exact = FALSE) {
  check_given(further = if (!missing(mechanism)) passed_on(mechanism, ...names()))
  if (!is.function(mechanism)) stop_input("mechanism", "a function", describe(mechanism))
  epsilon <- check_epsilon(epsilon)
  delta <- check_delta(delta, zero = TRUE)
  level <- check_number(level, "level", 0.5, 1)
  check_flag(exact, "exact")
  if (!is.null(statistic) && !is.function(statistic)) {
    stop_input("statistic", "NULL or a function", describe(statistic))
  }
  takes <- names(formals(args(mechanism)))
  claim <- list(epsilon = epsilon, delta = delta)[intersect(c("epsilon", "delta"), takes)]
  run <- function(x) do.call(mechanism, c(list(x), list(...), claim), quote = TRUE)
  found <- if (exact) compare_laws(run, data, neighbour, epsilon, delta)
           else compare_draws(run, data, neighbour, statistic, check_count(draws, "draws", 100L, 1e7L),
                              epsilon, delta, level)
  structure(c(list(epsilon = epsilon, delta = delta, level = if (exact) 1 else level, exact = exact), found),
            class = "privacy_audit")
}

# Names that `...` may hold: those that the mechanism takes.
passed_on <- function(mechanism, given) {
  if (!is.function(mechanism)) return(character())
  takes <- names(formals(args(mechanism)))
  # (dp_by() looks at names itself)
  ours <- identical(environment(mechanism), environment(dp_by)) && !identical(mechanism, dp_by)
  if ("..." %in% takes && !ours) takes <- given
  setdiff(takes, c("...", names(formals(audit_privacy))))
}

# -- exact distributions -------------------------------------------------------------------------------

compare_laws <- function(run, data, neighbour, epsilon, delta) {
  p <- log_law(run_once(run, data))
  q <- log_law(run_once(run, neighbour))
  if (length(p) != length(q)) {
    stop_input("mechanism", "a function that gives equally many log-probabilities for both data sets",
               sprintf("one that gives %d and %d", length(p), length(q)))
  }
  ratio <- p - q
  ratio[p == q] <- 0 # both impossible, too
  worst <- max(abs(ratio))
  lower <- if (delta == 0) worst else exact_epsilon(p, q, delta, worst)
  curve <- curve_grid(epsilon)
  curve$delta <- curve$delta_low <- vapply(curve$epsilon, function(e) exact_delta(p, q, e), 0)
  # log-probabilities are sums of some thousand rounded terms
  list(lower = lower, rejected = lower > epsilon * (1 + 1e-9) + 1e-9, draws = NA_integer_, counts = NULL,
       event = sprintf("outcome %d", which.max(abs(ratio))), curve = curve)
}

log_law <- function(given) {
  if (!is.numeric(given) || length(given) == 0 || anyNA(given) || abs(sum(exp(given)) - 1) > 1e-6) {
    stop_input("mechanism", "a function that gives log-probabilities that add up to 1", describe(given))
  }
  as.double(given)
}

# The hockey-stick divergence, the larger of both directions.
exact_delta <- function(p, q, epsilon) {
  one <- function(p, q) sum(pmax(exp(p) - exp(epsilon + q), 0))
  max(one(p, q), one(q, p))
}

exact_epsilon <- function(p, q, delta, worst) {
  # probabilities of logarithms are rounded
  delta <- delta * (1 + 1e-9) + 1e-14
  if (exact_delta(p, q, 0) <= delta) return(0)
  # beyond all finite ratios only outcomes that are impossible in one distribution are left
  top <- if (is.finite(worst)) worst else max(abs((p - q)[is.finite(p) & is.finite(q)]), 0) + 1
  if (exact_delta(p, q, top) > delta) return(Inf)
  stats::uniroot(function(e) exact_delta(p, q, e) - delta, c(0, top), tol = 1e-10)$root
}

# -- what is shown -------------------------------------------------------------------------------------

#' @rdname audit_privacy
#' @export
format.privacy_audit <- function(x, digits = 4L, ...) {
  claim <- sprintf("epsilon = %s%s", format(x$epsilon, digits = digits),
                   if (x$delta > 0) paste(", delta =", format(x$delta)) else "")
  lower <- format(max(0, x$lower), digits = digits)
  bound <- if (x$exact) sprintf("Between these two data sets epsilon is %s%s", lower,
                                if (x$delta > 0) sprintf(" at delta = %s", format(x$delta)) else "")
           else sprintf("With confidence %s, epsilon is %s or more", format(x$level, digits = 10), lower)
  seen <- if (!x$exact) {
    sprintf(": \"%s\" came in %s of %s draws on one data set and in %s on the other", x$event,
            grouped(x$counts[[1]]), grouped(x$counts[[3]]), grouped(x$counts[[2]]))
  }
  c(sprintf("<privacy_audit> Claim: %s", claim),
    wrap_text(paste0(bound, seen, ".")),
    wrap_text(if (x$rejected) "The claim is REJECTED."
              else "The claim is not rejected, which proves nothing about other data sets and events."),
    wrap_text("NOT PRIVATE: an audit's draws tell of the data. Audit on made-up data."))
}

#' @rdname audit_privacy
#' @export
print.privacy_audit <- function(x, ...) {
  writeLines(format(x, ...))
  invisible(x)
}

#' @rdname audit_privacy
#' @export
tidy.privacy_audit <- function(x, ...) {
  check_dots(character(), "tidy()")
  x$curve
}

#' @rdname audit_privacy
#' @export
glance.privacy_audit <- function(x, ...) {
  check_dots(character(), "glance()")
  data.frame(epsilon = x$epsilon, delta = x$delta, lower = max(0, x$lower), rejected = x$rejected,
             level = x$level, draws = x$draws, exact = x$exact)
}

#' @rdname audit_privacy
#' @export
as.data.frame.privacy_audit <- function(x, row.names = NULL, # nolint: object_name_linter.
                                        optional = FALSE, ...) {
  out <- x$curve
  if (!is.null(row.names)) row.names(out) <- row.names
  out
}

#' @rdname audit_privacy
#' @export
summary.privacy_audit <- function(object, ...) {
  check_dots(character(), "summary()")
  structure(list(audit = object, result = glance(object), curve = object$curve),
            class = "summary.privacy_audit")
}

#' @export
print.summary.privacy_audit <- function(x, digits = 4L, ...) {
  writeLines(c(format(x$audit, digits = digits), "", "The curve, at some epsilon:"))
  some <- unique(round(seq(1, nrow(x$curve), length.out = 8)))
  print(x$curve[some, ], digits = digits, row.names = FALSE)
  invisible(x)
}

#' @rdname audit_privacy
#' @export
plot.privacy_audit <- function(x, ...) plot_picture(x, picture(x), ...)

#' @rdname audit_privacy
#' @method autoplot privacy_audit
#' @rawNamespace S3method(ggplot2::autoplot,privacy_audit)
autoplot.privacy_audit <- function(object, ...) { # nolint: object_name_linter.
  check_dots(character(), "autoplot()")
  picture_ggplot(picture(object))
}

picture.privacy_audit <- function(x, ...) { # nolint: object_name_linter.
  curve <- x$curve
  new_picture(list(
    layer("lines", curve$epsilon, curve$delta, lwd = 2, key = "divergence"),
    if (!x$exact) layer("lines", curve$epsilon, curve$delta_low, lty = 2, key = "lower bound"),
    layer("points", x$epsilon, x$delta, pch = 4, cex = 1.4, lwd = 2, key = "the claim")
  ), picture_axis("epsilon"), picture_axis("delta"),
  sprintf("Hockey-stick divergence, %s", if (x$exact) "exact" else "estimated"))
}
