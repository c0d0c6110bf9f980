# Pictures of tests: the law that is drawn is that of the noisy score, and the region that of p-values.

test_that("bars are probabilities of noisy scores, and mark those with small p-values", {
  law <- stats::dbinom(0:30, 30, 0.5)
  z <- -400:400
  noise <- exp(-0.8 * abs(z)) / sum(exp(-0.8 * abs(z)))
  for (tail in c("low", "high", "both")) {
    null <- test_null(law, 0.8, tail)
    found <- null_frame(list(null = null, estimate = c(score = 11)))
    total <- outer(0:30, z, `+`)
    chance <- outer(law, noise)
    expect_equal(found$chance, vapply(found$at, function(k) sum(chance[total == k]), 0), tolerance = 1e-8)
    p <- vapply(found$at, test_p_value, 0, law, 0.8, tail)
    expect_identical(found$region == "p at most 0.05", p <= 0.05)
    mean <- sum(chance * total)
    expect_equal(null$moments, c(mean = mean, sd = sqrt(sum(chance * (total - mean)^2))), tolerance = 1e-9)
  }
})

test_that("laws of many rows are drawn at some hundred places, with the released score in sight", {
  law <- smaller_count(200000)
  null <- test_null(law, 1, "low")
  expect_lte(length(null$score), 1000)
  again <- null_law(null)
  expect_lt(max(abs(cumsum(again$weight) - cumsum(law)[again$score + 1])), max(law))
  found <- null_frame(list(null = null, estimate = c(score = 90000)))
  expect_lte(nrow(found), 320)
  expect_true(90000 %in% found$at)
  # the law as it is known at few places
  coarse <- null_law(test_null(walk_law(20000), 1, "low"))
  expect_lt(max(coarse$weight), 0.02)
  expect_equal(sum(coarse$weight), 1)
})

test_that("both pictures draw the score, and printing tells what to expect", {
  r <- dp_test(sleep$extra, 2, alternative = "greater", rng = "R")
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_identical(plot(r), r)
  skip_if_not_installed("ggplot2")
  built <- ggplot2::ggplot_build(ggplot2::autoplot(r))
    at <- built$data[[length(built$data) - 4]] # before what has limits and the legend
  expect_identical(at$x, unname(r$estimate))
  expect_identical(at$colour, "#0072B2")
  expect_match(built$plot$labels$caption, "by the hypothesis 10.0, sd 2.3", fixed = TRUE)
  expect_match(format(r), "expected +mean 10, sd 2.3", all = FALSE)
  expect_error(ggplot2::autoplot(r, colour = 2), class = "dpdepth_error_input")
})
