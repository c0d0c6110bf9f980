# Bugs planted in dp_depth(), each of which must be seen: in what neighbours lose, or in what is released.

loses <- function(depth = "halfspace", d = 1, m = 3, delta = 0) {
  function() {
    set.seed(1)
    depth_losses(depth, d, m, 15, delta) > 1 + 1e-9
  }
}
many <- loses(m = 60, delta = 1e-3)
parts <- loses("spatial", 2)
untrue <- function() depths_off() > 1
# the standard deviation that the release says, against that of the noise it asked for
misstated <- function() {
  got <- with_noise(0, c(0, 1), 1:9, 1, "spatial", lower = 0, upper = 9)
  step <- with_noise(1, c(0, 1), 1:9, 1, "spatial", lower = 0, upper = 9)$estimate - got$estimate
  abs(got$noise_sd / (step[[1]] * sqrt(2 * exp(-got$rate)) / (1 - exp(-got$rate))) - 1) > 1e-6
}

depth_value_bugs <- list(
  "the budget of each point is that of all" =
    bug(loses(), "depth_noise", "each <- epsilon/m *", "each <- epsilon *"),
  "Gaussian noise for one point" = bug(many, "noisy_scores", "law$m * parts^2", "parts^2"),
  "a zero-concentrated budget twice as large" =
    bug(many, "depth_noise", "zcdp_rho(epsilon, delta)", "2 * zcdp_rho(epsilon, delta)"),
  "the rate of a unit for that of a part" =
    bug(parts, "noisy_scores", "laplace_rate(law$each, parts)", "laplace_rate(law$each, 1)"),
  "noise in units, scores in parts" =
    bug(parts, "noisy_scores", "laplace_rate(law$each, parts)", "laplace_rate(law$each, 1)",
        "noisy_scores", "(score + noise)/parts", "(score + parts * noise)/parts"),
  "noise on every other number" =
    bug(loses(), "noisy_scores", "(score + noise)/parts", "(score + 2 * noise)/parts"),
  "Gaussian noise on every other number" =
    bug(many, "noisy_scores", "add_gaussian(score, square, law$rho, source)",
        "(2 * add_gaussian(score/2, square, law$rho, source))"),
  "no d + 1 in the sensitivity" = bug(untrue, "depth_sensitivity", "simplicial = (d + 1)/n",
                                      "simplicial = 1/n"),
  "3/n for 1/n" = bug(untrue, "depth_sensitivity", "halfspace = 1/n", "halfspace = 3/n"),
  "n for n - 1" = bug(untrue, "depth_sensitivity", "(n - 1)/n^2 else 1/4", "1/n else 1/4"),
  "n - 1 for n" = bug(untrue, "depth_sensitivity", "irw = 2/n", "irw = 2/(n - 1)"),
  "the points of another depth" = bug(untrue, "depth_value_plan", "match(depth, names(median_depths))",
                                      "match(\"spatial\", names(median_depths))"),
  "a standard deviation of a unit" = bug(misstated, "noisy_scores", "-expm1(-r)/parts", "-expm1(-r)"),
  "a standard deviation half as large" =
    bug(misstated, "noisy_scores", "sqrt(2 * exp(-r))", "sqrt(exp(-r)/2)")
)

test_that("bugs planted in private depths are seen, and nothing else", {
  expect_caught(depth_value_bugs)
  for (audit in c(loses(), many, parts, untrue, misstated)) expect_false(audit())
})
