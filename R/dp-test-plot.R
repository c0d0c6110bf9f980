# Pictures of private tests: the released score beside its law under the hypothesis.
#
# METHOD: all that is drawn is public or released: the law is that from which the p-value is computed
#   (dp-test.R), noise included; of many rows at some hundred of its places.

# The law again, on all scores; between the places that are known it is even.
null_law <- function(null) {
  score <- seq(min(null$score), max(null$score))
  up_to <- if (length(score) == 1) 1 else stats::approx(null$score, null$up_to, score)$y
  list(score = score, weight = diff(c(0, up_to)))
}

# Bars of the noisy score's law: places, their probabilities, and whether a score there has a p-value of at
# most 0.05.
null_frame <- function(x) {
  moments <- x$null$moments
  private <- !is.null(x$null$counted)
  ends <- moments[["mean"]] + c(-1, 1) * 4.5 * max(moments[["sd"]], 0.5)
  if (!private) { # not far beyond the largest and the least score
    beyond <- 6 / x$null$rate
    ends <- pmin(pmax(ends, min(x$null$score) - beyond), max(x$null$score) + beyond)
  }
  ends <- range(ends, x$estimate)
  step <- max(1, ceiling(diff(ends) / 300))
  # bars of several scores, about one of them
  at <- unname(x$estimate) + step * seq(ceiling((ends[[1]] - x$estimate) / step) - 1,
                                        floor((ends[[2]] - x$estimate) / step) + 1)
  out <- if (private) private_null_at(x$null, at) else public_null_at(x$null, at)
  data.frame(at = at, chance = out$chance, step = step, region = names(test_regions)[1 + (out$p <= 0.05)])
}

# Chances of whole scores `at`, and their p-values.
public_null_at <- function(null, at) {
  law <- null_law(null)
  q <- exp(-null$rate)
  list(chance = vapply(at, function(z) sum(law$weight * q^abs(z - law$score)), 0) * (1 - q) / (1 + q),
       p = vapply(at - law$score[[1]], test_p_value, 0, law$weight, null$rate, null$tail))
}

test_text <- function(x) {
  moments <- x$null$moments
  p <- p_value_text(x$p.value, 2)
  sprintf("score %s, p %s; by the hypothesis %s, sd %s", format(unname(x$estimate)),
          if (startsWith(p, "<")) p else paste("=", p), format(moments[["mean"]], digits = 3, nsmall = 1),
          format(moments[["sd"]], digits = 2))
}

test_title <- function(x) {
  paste0("Private ", x$method, if (x$rng == "R") " (simulation, not for release)")
}

test_regions <- c("p above 0.05" = "grey75", "p at most 0.05" = "#E69F00")

#' @rdname dp_test
#' @param main,object The title of a picture; a release to draw, as the `x` of `plot()`. Its `...` go to
#'   [plot.default()].
#' @export
plot.dp_test <- function(x, main = test_title(x), ...) {
  frame <- null_frame(x)
  half <- frame$step / 2
  graphics::plot.default(range(frame$at - half, frame$at + half), room_for_legend(c(0, frame$chance), 3),
                         type = "n", xlab = "score with its noise", ylab = "probability", ...)
  fitted_title(main)
  graphics::rect(frame$at - half, 0, frame$at + half, frame$chance, col = test_regions[frame$region],
                 border = NA)
  graphics::abline(v = x$estimate, lwd = 2, col = "#0072B2")
  right <- x$estimate > mean(range(frame$at)) # not across the line
  graphics::legend(if (right) "topleft" else "topright", c("released", names(test_regions)),
                   col = c("#0072B2", test_regions), lwd = c(2, 6, 6), bty = "n", cex = 0.8)
  caption_below(with_point(test_text(x)))
  invisible(x)
}

#' @rdname dp_test
#' @method autoplot dp_test
#' @rawNamespace S3method(ggplot2::autoplot,dp_test)
autoplot.dp_test <- function(object, ...) { # nolint: object_name_linter.
  check_dots(character(), "autoplot()")
  test_ggplot(object)
}

# A plain function, see release_ggplot().
test_ggplot <- function(object) {
  force(object)
  frame <- null_frame(object)
  frame$region <- factor(frame$region, names(test_regions))
  released <- data.frame(score = unname(object$estimate), what = "released")
  ggplot2::ggplot(frame) +
    ggplot2::geom_col(aes_of(x = "at", y = "chance", fill = "region"), width = frame$step[[1]]) +
    ggplot2::geom_vline(aes_of(xintercept = "score", colour = "what"), released, linewidth = 1) +
    ggplot2::scale_fill_manual(values = test_regions, name = NULL, drop = FALSE) +
    ggplot2::scale_colour_manual(values = c(released = "#0072B2"), name = NULL) +
    ggplot2::labs(x = "score with its noise", y = "probability", title = title_of_lines(test_title(object)),
                  subtitle = caption_of_lines(with_point(test_text(object))),
                  caption = with_point(guarantee_name(object))) +
    opaque_theme() +
    ggplot2::theme(legend.position = "bottom")
}
