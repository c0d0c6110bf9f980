# Pictures of private tests: the released score beside its distribution under the hypothesis.
#
# METHOD: all that is drawn is public or released: the distribution is that from which the p-value is computed
#   (dp-test.R), noise included; of many rows at some hundred of its places.

# The distribution again, on all scores, or of a long one on some thousand; between the places that are known
# it is even.
null_law <- function(null) {
  ends <- range(null$score)
  step <- if (is.null(null$symmetric)) 1 else max(1, ceiling(diff(ends) / 4000))
  score <- seq(ends[[1]], ends[[2]], by = step)
  up_to <- if (length(score) == 1) 1 else stats::approx(null$score, null$up_to, score, ties = max)$y
  list(score = score, weight = diff(c(0, up_to)))
}

# Bars of the noisy score's distribution: places, their probabilities, and whether a score there has a p-value
# of at most 0.05.
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
  out <- if (private) private_null_at(x$null, at) else public_null_at(x$null, at, step)
  data.frame(at = at, chance = out$chance, step = step, region = names(test_regions)[1 + (out$p <= 0.05)])
}

# Chances of whole scores about `at`, the mean of `step` of them, and their p-values.
public_null_at <- function(null, at, step) {
  law <- null_law(null)
  up_to <- function(z) vapply(z, function(z) noisy_tail(z - law$score, law$weight, null$rate), 0)
  known <- if (is.null(null$symmetric)) law$weight else c(null$symmetric, list(laws = list(law)))
  from <- if (is.list(known)) 0 else law$score[[1]]
  list(chance = (up_to(at + step %/% 2) - up_to(at + step %/% 2 - step)) / step,
       p = vapply(at - from, test_p_value, 0, known, null$rate, null$tail))
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

picture.dp_test <- function(x, ...) { # nolint: object_name_linter.
  frame <- null_frame(x)
  half <- frame$step / 2
  bars <- lapply(names(test_regions), function(region) {
    here <- frame$region == region
    if (any(here)) {
      layer("bars", (frame$at - half)[here], 0, xend = (frame$at + half)[here], yend = frame$chance[here],
            key = region, fill = test_regions[[region]], colour = NA)
    }
  })
  new_picture(list(bars, rule(unname(x$estimate), lwd = 2, colour = "#0072B2", key = "released")),
              picture_axis("score with its noise"), picture_axis("probability"), test_title(x),
              with_point(paste(test_text(x), guarantee_name(x), sep = "; ")))
}
