# Private correlations by ranks: Kendall's tau of two variables or of all pairs of many.

#' Private correlations
#'
#' Kendall's tau of two variables, or of all pairs of many, under differential privacy, without any limits of
#' the data: whole numbers of pairs of rows with whole noise. A sine makes the correlation matrix of an
#' elliptical distribution of them.
#'
#' @inheritParams dp_median
#' @param x Data of 2 to 100 variables, one individual a row: a matrix or data frame of numbers or flags, or a
#'   tally by [dp_tally()]. Infinite values have their place in the order.
#' @param delta 0 for a pure release; above 0, Gaussian noise is used where it is the smallest, as for many
#'   variables.
#' @param method `"kendall"`: tau. `"sine"`: sin(pi tau / 2), the correlation of elliptical distributions, and
#'   of many variables the nearest positive definite matrix ([Matrix::nearPD()]).
#' @param interval `NULL`, or the level of a confidence interval for each correlation, such as 0.95: see
#'   Intervals.
#' @param id `NULL`, or whose each row is: one row of each person is kept, see [dp_median()].
#' @param neighbours `"substitution"`: n is public. A row more or less may move a tau by any amount while n is
#'   private, so `"add_remove"` is refused.
#' @param na `"fail"`: missing values are refused, which shows that there were some. Or finite numbers that
#'   stand for them, one or one per variable. `"omit"` would make n private and is refused.
#' @param object,digits For `coef()` and `format()`: a release, and significant digits.
#' @param ... Must be empty: a name that is not an argument is refused, see [dpdepth-errors].
#' @details
#' Tau is the mean, over all pairs of rows, of 1 where the two variables order them alike, -1 where they order
#' them otherwise, and 0 where they tie in one (tau-a). It is the same after any increasing transformation of
#' either variable, and no outlier moves it by more than another row. One replaced row moves the sum over
#' pairs by at most 2 (n - 1), so the noise of two variables has a standard deviation of about `5.7 / (n
#' epsilon)`.
#'
#' **Many variables.** A row moves the sums of d variables by 2 (n - 1) each, by f = floor(d^2/4) times that
#' in all, and by sqrt(f) times that as a length. Of three noises the one is taken whose planned standard
#' deviation is the smallest: independent Laplace noise, paid for by the second; noise uniform in a cube of
#' random size, paid for by the first; with `delta`, Gaussian noise, paid for by the third. All are drawn
#' exactly. The release names it as its mechanism, and `details$noise_sd` is its standard deviation in a tau,
#' which is public. Values are cut to -1 and 1. Of ten independent normal variables, n = 5000 and epsilon = 1,
#' a correlation has a root mean squared error of 0.036, with `delta = 1e-6` of 0.031 (noise alone 0.027), and
#' of 0.015 without privacy; the nearest positive definite matrix then hardly differs.
#'
#' **As a covariance.** The matrix, multiplied by public standard deviations, may be the `covariance` of
#' [prior_normal()] for another release: it costs no more once it is released. See
#' `vignette("multivariate-simulations", "dpdepth")`.
#'
#' The proof is in `vignette("proofs-ranks", "dpdepth")`.
#' @section Intervals: Limits cover the population's tau (with `"sine"` its sine), sampling and noise counted,
#'   each by itself with this probability; nothing more is spent. They hold in samples of any size, whatever
#'   the distribution, by Hoeffding's inequality. Of two variables with `n * epsilon` of 400 or more, two
#'   fifths of epsilon buy a private variance of tau, with which they are much narrower, and hold for large n:
#'   at n = 2000 and epsilon = 1 they are 0.07 wide without correlation, where those of the first kind are
#'   0.17 wide. The rule is public; the print says which it was.
#' @return A [`dp_release`][dp_release] of class `dp_correlation`, `"pure"` or `"approximate"`. `coef()` gives
#'   the matrix, `estimate` the pairs, named `a:b`; `tidy()` has columns `var1`, `var2`, `estimate` and, with
#'   `conf.int = TRUE`, `conf.low` and `conf.high`. `plot()` and `autoplot()` draw the matrix.
#' @inheritSection dp_median Errors
#' @section Warnings: Where the noise's standard deviation in a tau exceeds 0.25, a warning of class
#'   `dpdepth_warning_accuracy` says so before anything is spent.
#' @references
#' Kendall, M. G. (1938). A new measure of rank correlation. *Biometrika* 30. \doi{10.1093/biomet/30.1-2.81}
#'
#' Knight, W. R. (1966). A computer method for calculating Kendall's tau with ungrouped data. *Journal of the
#' American Statistical Association* 61. \doi{10.1080/01621459.1966.10480879}
#'
#' Hoeffding, W. (1963). Probability inequalities for sums of bounded random variables. *Journal of the
#' American Statistical Association* 58. \doi{10.1080/01621459.1963.10500830}
#'
#' Hardt, M. and Talwar, K. (2010). On the geometry of differential privacy. *STOC* (noise of a norm).
#' \doi{10.1145/1806689.1806786}
#' @seealso [plan_correlation()] before the data are looked at; [dp_test()] for tests.
#' @examples
#' dp_correlation(faithful, epsilon = 2, interval = 0.95)
#'
#' # sepals and petals of irises: Kendall's tau of all pairs
#' sizes <- dp_correlation(iris[1:4], epsilon = 4)
#' coef(sizes)
#' plot(sizes)
#' @export
dp_correlation <- function(x, epsilon, delta = 0, method = c("kendall", "sine"), interval = NULL, ...,
                           neighbours = "substitution", id = NULL, ledger = NULL, rng = NULL, na = "fail") {
  release_by(correlation_mechanism(), door_call())
}

correlation_mechanism <- function() {
  new_mechanism(plan_taus, draw_taus, neighbours = "substitution", read = ordered_rows, incomplete = NULL,
                limits = FALSE,
                na_text = function(na) {
                  lapply(na_detail(na), sub, pattern = "missing and infinite", replacement = "missing")
                })
}

# Numbers as far out as doubles go stand for infinite ones. PRIVATE.
ordered_rows <- function(given) {
  x <- given[[given$arg]]
  if (kind_of(x) != "rows") return(check_size(check_tally(x, given$arg), given$arg, 2L, 2L, most_correlated))
  x <- check_data(x, given$arg, 2L, 2L, most_correlated, finite = FALSE)
  far <- .Machine$double.xmax
  x[] <- pmin(pmax(x, -far), far)
  if (identical(given$na, "fail")) return(check_finite(x, given$arg, mend_unordered))
  if (!is.numeric(given$na)) {
    stop_input("na", "\"fail\" or finite numbers", describe(given$na), mend_unordered)
  }
  fill_missing(x, given$na, NULL, given$arg)
}

mend_unordered <- paste(
  "Say with `na` which public numbers stand for missing values; or leave rows out with na.omit() if it may",
  "be known that there were some. There are no limits, and so no middle; and n must be public."
)

plan_taus <- function(facts, given) {
  method <- check_choice(given$method, c("kendall", "sine"), "method")
  if (method == "sine") check_matrix_package(facts$d)
  level <- if (!is.null(given$interval)) check_interval_level_given(given$interval)
  n <- facts$n
  squared <- !is.null(level) && facts$d == 2 && n * given$epsilon >= variance_rows
  share <- if (squared) variance_shares else c(tau = 1)
  noise <- tau_noise(n, facts$d, given$epsilon * share[["tau"]], given$delta)
  pairs <- utils::combn(facts$d, 2)
  names <- facts$variables
  list(
    label = "correlations", what = tau_words(method, facts$d), class = "dp_correlation", method = method,
    n = n, d = facts$d, noise = noise, level = level, delta = noise$delta, rho = noise$rho,
    square = if (squared) square_law(n, given$epsilon * share[["variance"]]),
    terms = paste(names[pairs[1, ]], names[pairs[2, ]], sep = ":"),
    mechanism = sprintf("discrete %s noise on numbers of concordant pairs", noise$kind),
    details = c(list(variables = names, noise_sd = noise$sd), noise["rho"][noise$delta > 0],
                if (!is.null(level)) tau_limit_details(level, method, squared, share)),
    warn = function(said) warn_correlation(noise$sd)
  )
}

tau_words <- function(method, d) {
  paste0(if (method == "sine") "correlation" else "Kendall's tau", if (d > 2) " of all pairs")
}

tau_limit_details <- function(level, method, squared, share) {
  c(list(level = level, simultaneous = FALSE,
         covers = if (method == "sine") "the sine sin(pi tau / 2) of the population's tau"
                  else "the population's tau",
         limits = if (squared) "asymptotic, by a private variance" else "of finite samples"),
    if (squared) list(shares = share, assumes = paste(
      "the rows are independent draws of one distribution, whatever it is, and n is large enough for tau to",
      "be nearly normal"
    )))
}

warn_correlation <- function(sd) {
  if (sd <= 0.25) return(invisible(NULL))
  warn_dpdepth("accuracy", sprintf(paste(
    "With so few rows for this `epsilon` the noise in each correlation has a standard deviation of %s. Take",
    "more rows, a larger `epsilon` or fewer variables."
  ), format(sd, digits = 2)))
}

# PRIVATE: rows.
draw_taus <- function(rows, plan, source) {
  law <- plan$noise$law
  sums <- concordances(rows, c(law$bits, plan$square$bits))
  pairs <- seq_along(plan$terms)
  tau <- add_tau_noise(sums[pairs], law, source) * law$unit
  limits <- if (!is.null(plan$square)) {
    squares <- add_tau_noise(sums[-pairs], plan$square, source)
    private_tau_limits(tau, squares, plan$n, plan$level, law, plan$square)
  } else if (!is.null(plan$level)) {
    proved_tau_limits(tau, plan$n, plan$level, law)
  }
  tau <- pmin(pmax(tau, -1), 1)
  if (plan$method == "kendall") return(list(estimate = tau, interval = limits))
  list(estimate = nearest_correlations(sin(pi * tau / 2), plan$d),
       interval = if (!is.null(limits)) sin(pi * limits / 2))
}

# -- what is shown -----------------------------------------------------------------------------------------

#' @rdname dp_correlation
#' @export
coef.dp_correlation <- function(object, ...) {
  variables <- object$details$variables
  pair_matrix(unname(object$estimate), length(variables), variables)
}

#' @rdname dp_correlation
#' @export
tidy.dp_correlation <- function(x, ...) {
  check_dots(c("conf.int", "conf.level"), "tidy()")
  variables <- x$details$variables
  pairs <- utils::combn(length(variables), 2)
  with_limits(data.frame(var1 = variables[pairs[1, ]], var2 = variables[pairs[2, ]],
                         estimate = unname(x$estimate)), x, ...)
}

correlations_shown <- 6L

#' @rdname dp_correlation
#' @export
format.dp_correlation <- function(x, digits = 3L, ...) {
  d <- length(x$details$variables)
  of_pairs <- d == 2 || !is.null(x$interval)
  table <- if (of_pairs) cbind(estimate = x$estimate, x$interval) else coef(x)
  shown <- seq_len(min(nrow(table), correlations_shown))
  part <- round(if (of_pairs) table[shown, , drop = FALSE] else table[shown, shown], digits)
  dimnames(part) <- lapply(dimnames(part), short_names)
  release_lines(x, utils::capture.output(print(part)), if (length(shown) < nrow(table)) {
    sprintf("  (%d of %d %s; coef() and tidy() have all)", length(shown), nrow(table),
            if (of_pairs) "pairs" else "variables")
  })
}

printed_details.dp_correlation <- function(x) { # nolint: object_name_linter.
  x$details[names(x$details) != "variables"]
}

# Squares, from red for -1 over white to blue for 1, with numbers where there is room.
picture.dp_correlation <- function(x, ...) { # nolint: object_name_linter.
  m <- coef(x)
  d <- nrow(m)
  names <- short_names(rownames(m))
  at <- expand.grid(i = seq_len(d), j = seq_len(d))
  value <- m[cbind(at$i, at$j)]
  colour <- grDevices::colorRampPalette(c("#B2182B", "white", "#2166AC"))(21)[round(10 * value) + 11]
  tiles <- lapply(split(seq_along(value), colour), function(k) {
    layer("bars", at$j[k] - 0.5, d + 0.5 - at$i[k], xend = at$j[k] + 0.5, yend = d + 1.5 - at$i[k],
          fill = colour[[k[[1]]]], colour = "white")
  })
  numbers <- if (d <= 12) lapply(c("black", "white"), function(ink) {
    k <- which((abs(value) > 0.6) == (ink == "white"))
    label <- sprintf("%.2f", value[k])
    if (length(k) > 0) layer("text", at$j[k], d + 1 - at$i[k], label = label, colour = ink)
  })
  new_picture(Filter(Negate(is.null), c(tiles, numbers)),
              picture_axis(at = seq_len(d), labels = names, limits = c(0.4, d + 0.6)), row_axis(names),
              plot_title(x), plot_caption(x))
}
