# The privacy audit's planted bugs in private quantiles. (Others: test-planted.R; in C: tests/ctest.)

handed <- "draw_quantiles(rows, plan$sorted, plan$prior,"
quantile_bugs <- list(
  "quantiles: a prior from the data" =
    bug(quantiles_are_handed_wrong, "draw_asked_quantiles", handed,
        "draw_quantiles(rows, plan$sorted, prior_uniform(min(rows), max(rows) + 1),", worst = TRUE),
  "quantiles: rows beyond the mean are pulled in" =
    bug(quantiles_are_handed_wrong, "draw_asked_quantiles", handed,
        "draw_quantiles(pmax(rows, mean(rows)), plan$sorted, plan$prior,"),
  "quantiles: a step from the data" =
    bug(quantiles_are_handed_wrong, "draw_asked_quantiles", "plan$resolution, plan$private",
        "max(diff(sort(unique(as.vector(rows))))), plan$private", worst = TRUE),
  "quantiles: levels cost more than epsilon together" =
    bug(quantiles_are_handed_wrong, "quantile_budget", "basic <- epsilon * share/sum(share)",
        "basic <- epsilon * share/max(share)", worst = TRUE),
  "quantiles: each node has all of epsilon" =
    bug(quantiles_are_handed_wrong, "tree_fields", "each[whole(\"level\") + 1L]",
        "rep(sum(each), length(nodes))", worst = TRUE),
  "quantiles: concentrated privacy of half the rate" =
    bug(quantiles_are_handed_wrong, "quantile_budget", "sqrt(8 * rho)", "sqrt(32 * rho)"),
  "quantiles: blocks that overlap" =
    bug(quantiles_are_handed_wrong, "quantile_tree", "ends[j + 0:1]", "c(ends[[1]], ends[[j + 1]])"),
  "quantiles: the kernel's rate doubled, one" =
    bug(quantiles_are_drawn_wrong, "draw_quantiles", "draw_axes(x, prior, each,",
        "draw_axes(x, prior, 2 * each,", worst = TRUE),
  "quantiles: the kernel's rate doubled, several" =
    bug(quantiles_are_drawn_wrong, "draw_quantiles", "levels), each)", "levels), 2 * each)", worst = TRUE),
  "quantiles: ranks of n - 1 rows" =
    bug(quantiles_are_drawn_wrong, "draw_quantiles", "round(n * probs)", "round((n - 1) * probs)")
)

test_that("all of these planted bugs are caught, and nothing without one", {
  expect_false(quantiles_are_handed_wrong())
  expect_false(quantiles_are_drawn_wrong())
  expect_caught(quantile_bugs)
})
