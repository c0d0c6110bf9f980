# The privacy audit's planted bugs in the published private regressions, as far as their own tests do not
# plant them. (Others: test-planted.R.)

spends <- function(name) function() rivals_spend_wrong(name)
fills <- function(name) function() rivals_fill_wrong(name)

rival_bugs <- list(
  "AdaSSP: the products have all of the budget" =
    bug(spends("adassp"), "noisy_sums", "plan$products$square, plan$each", "plan$products$square, plan$rho",
        worst = TRUE),
  "AdaSSP: a conversion with ten deltas" =
    bug(spends("adassp"), "plan_adassp", "length(terms), epsilon, delta)",
        "length(terms), epsilon, 10 * delta)"),
  "gradients: half of the steps are paid" =
    bug(spends("gradient"), "gradient_plan", "rho/steps", "rho/(steps %/% 2)"),
  "sums: the intercept has all of the budget" =
    bug(spends("noisystats"), "noisystats_line", "noisy_intercept(u, v, slope, each,",
        "noisy_intercept(u, v, slope, epsilon,"),
  "sums: the squares have two shares" =
    bug(spends("noisystats"), "noisystats_line", "noisy_cross_product(x, x, steps, each,",
        "noisy_cross_product(x, x, steps, 2 * each,"),
  "Theil-Sen: each smooth median has all of the budget" =
    bug(spends("smooth"), "theilsen_plan", "epsilon = epsilon/2", "epsilon = epsilon", worst = TRUE),
  "batches: a margin for ten deltas" =
    bug(spends("tukeyem"), "run_tukeyem", "plan, plan$delta)", "plan, 10 * plan$delta)"),
  "the mean response stands for rows that are incomplete" =
    bug(fills("adassp"), "fill_middle", "<- middle_of(box$y)", "<- mean(frame$y, na.rm = TRUE)",
        worst = TRUE),
  "a release tells how many rows were incomplete" =
    bug(fills("gradient"), "regression_rival_mechanism", "c(out$details, plan$stated)",
        "c(out$details, list(left = length(frame$incomplete)), plan$stated)", worst = TRUE),
  "a release is said to be of the complete rows" =
    bug(fills("noisystats"), "facts_of_frame", "else nrow(frame$x)",
        "else nrow(frame$x) - length(frame$incomplete)"),
  "nothing stands for rows that are incomplete" =
    bug(fills(c("gradient", "adassp", "theilsen")), "regression_rival_mechanism",
        "fill_middle(frame, plan$limits)", "frame", worst = TRUE),
  "batches: nothing stands for rows that are incomplete" =
    bug(fills("tukeyem"), "regression_rival_mechanism", "middle_in_rows(frame, plan$middle)", "frame")
)

test_that("all of these planted bugs are caught, and nothing without one", {
  expect_false(rivals_spend_wrong())
  expect_false(rivals_fill_wrong())
  expect_caught(rival_bugs)
})
