# Plans keep their word: releases at the n that a plan finds, at unusual settings (helper-plans.R).
#
# Error rates: each expectation fails with probability at most ALPHA where a plan's failures are rarer than
# 1 / 200, all plans' together than 1 / 1000, and errors are 0.8 to 1.25 times what was planned, 0.9 to 1.1
# times in the mean (ratios: by a normal approximation of their logarithm). 40 draws of one setting reject
# failures in one of three draws with probability 0.997; all of the long form reject one in 200 for their
# mean with 0.9998.

too_often <- function(failed, runs, most) stats::pbinom(failed - 1, runs, most, lower.tail = FALSE) < ALPHA
off_planned <- function(ratio, sd, range) {
  any((log(ratio) - log(range)) * c(-1, 1) > -sd * stats::qnorm(ALPHA))
}

breaks_word <- function(outcome) {
  with(outcome, too_often(failed, runs, 1 / 200) || off_planned(ratio, error_sd, c(0.8, 1.25)))
}

plan_breaks <- function(setting, runs = 40) breaks_word(plan_outcome(plan_settings[[setting]], runs))

kind <- vapply(plan_settings, `[[`, "", "what")
wide <- vapply(plan_settings, `[[`, "", "limits")
first_of <- function(what, limits = "") which(grepl(what, kind, fixed = TRUE) & grepl(limits, wide))[[1]]
one <- first_of("median, d = 1", "1e.06")
five <- first_of("median, d = 5", "1000")
deciles <- first_of("9 quantiles")
settings <- audit_size(c(one, five, first_of("d = 10", "normal"), first_of("d = 5", "dyadic"),
                         first_of("3 quantiles"), first_of("2 quantiles")), seq_along(plan_settings))

test_that("at the planned n draws seldom fail, and err as planned", {
  skip_on_cran()
  expect_gte(length(plan_settings), 30)
  set.seed(274)
  found <- do.call(rbind, lapply(plan_settings[settings], function(setting) {
    plan_outcome(setting, audit_size(40, setting$runs))
  }))
  for (i in seq_along(settings)) {
    said <- sprintf("%s, %s: %d of %d failed, ratio %.2f", found$setting[[i]], found$limits[[i]],
                    found$failed[[i]], found$runs[[i]], found$ratio[[i]])
    expect(!breaks_word(found[i, ]), said)
  }
  expect_false(too_often(sum(found$failed), sum(found$runs), 1 / 1000))
  together <- sqrt(sum(found$error_sd^2)) / nrow(found)
  expect_false(off_planned(exp(mean(log(found$ratio))), together, c(0.9, 1.1)))
})

test_that("plans whose rule of failure is broken are rejected", {
  skip_on_cran()
  lenient <- "exp(-max(weight)) * (1 - inside)"
  expect_caught(list(
    # as it was: an n where the draw is as likely as not within the data
    "levels: nothing beyond" = bug(function() plan_breaks(five), "level_failure", lenient,
                                   paste("1e-9 *", lenient)),
    "ranks: epsilon doubled, one" = bug(function() plan_breaks(one), "rank_failure",
                                        "lambda <- each[[node$level]]/2", "lambda <- each[[node$level]]"),
    "ranks: epsilon doubled, several" = bug(function() plan_breaks(deciles), "rank_failure",
                                            "lambda <- each[[node$level]]/2",
                                            "lambda <- each[[node$level]]"),
    "ranks: limits do not count" = bug(function() plan_breaks(one), "block_odds", "j * log(line$out)",
                                       "j * log(20 * line$density)")
  ))
})
