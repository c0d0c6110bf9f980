# The privacy audit's negative controls: planted privacy bugs, which the audits must see.
#
# Each is planted and must be seen; a check of the package those called the worst. A bug that costs no
# privacy is not planted: a scale rounded to the nearest step and not up (`rounding` pays for it), calls that
# are sanitised by only one of the two places that do it, an intercept that is clipped once and not twice.
# Nor is what lies in C alone, which the C tests' own broken variants stand for.

# -- smooth sensitivity ------------------------------------------------------------------------------

line <- by_laws(check_smooth, 1, epsilon = 4)
tight <- by_laws(check_smooth, 1, epsilon = 12)
exact <- by_laws(check_smooth, 2, "exact", 6)
directional <- by_laws(check_smooth, 2, "directional", 6)
marginal <- by_laws(check_smooth, 2, "marginal", 6)
space <- by_laws(check_smooth, 3, "directional", 6)
unequal <- by_laws(check_smooth, 2, "exact", 6, width = c(1, 40))
far_marginal <- by_laws(check_far, 2, pairs = 20, climbs = 0)
scale_now <- "ceiling(bound * exp(constants$rounding/2) * 2^scale_bits/constants$alpha)"
late <- "reach = out$reach[, at[-1], drop = FALSE]"
first_level <- "reach = out$reach[, at[0 * k + 1], drop = FALSE]"
data_points <- paste("a <- vapply(tukey_level(found$level, nrow(z), 2, found$k + 1), function(l) {",
                     "v <- z[round(nrow(z) * depth_halfspace(z, z)) >= l, , drop = FALSE]",
                     "if (nrow(v) < 2) 0 else max(stats::dist(v, \"manhattan\")) }, 0)", sep = "\n")

smooth_bugs <- list(
  "beta 10% over" = bug(line, "smooth_constants", "<- constants$beta -", "<- 1.1 * constants$beta -",
                        worst = TRUE),
  "alpha doubled" = bug(line, "smooth_scale", "/constants$alpha)", "/(2 * constants$alpha))", worst = TRUE),
  "alpha 3% over" = bug(line, "smooth_scale", "/constants$alpha)", "/(1.03 * constants$alpha))"),
  "epsilon doubled: add/remove for substitution" =
    bug(line, "smooth_constants", "smooth_noise(epsilon,", "smooth_noise(2 * epsilon,", worst = TRUE),
  "delta ten times" = bug(line, "smooth_constants", "delta * (1 - 1e-09)", "10 * delta"),
  "the dilation takes all of epsilon" = bug(line, "dilation_beta", "rep_len(epsilon, size)/2",
                                            "rep_len(epsilon, size)"),
  "a certificate of one order only" =
    bug(line, "divergence_corner", "max(divergence_up(e, alpha, lambda, d, cells), ", "max(",
        "divergence_interval", "max(exp(slack) * divergence_up(e - slack, alpha, to, d, cells), ", "max("),
  "k for k + 1, one variable" = bug(line, "line_law", "minimum)$value", "minimum)$value * exp(-beta)"),
  "a median of the next rank" = bug(line, "median_columns", "(nrow(z) + 1L)%/%2L", "nrow(z)%/%2L + 1L"),
  "bounds taken from the data" =
    bug(line, "median_sensitivity", "sort(as.vector(x)), lower), upper), upper)",
        "sort(as.vector(x)), lower), upper), max(x))", worst = TRUE),
  "the lower bound forgotten" = bug(line, "median_sensitivity", "ends <- c(lower,", "ends <- c(min(x),"),
  "no floor, and rounding down" =
    bug(tight, "smooth_scale", paste0("max(min_scale, ", scale_now, ")"),
        "max(1, floor(bound * 2^scale_bits/constants$alpha))",
        "smooth_scale", "bound <- max(bound, constants$alpha * min_scale/2^scale_bits)", "NULL",
        "smooth_law", "minimum <- constants$alpha * min_scale/2^scale_bits", "minimum <- 0", seed = 9),
  "the diameter over data points" =
    bug(exact, "plane_law",
        "a <- plane_diameter(found$reach, lattice$lower, lattice$upper, near = found$near)",
        data_points,
        worst = TRUE),
  "c0 - K forgotten: the level stays at c0" =
    bug(exact, "tukey_level", "ceiling(n/(d + 1)) - k", "ceiling(n/(d + 1))", worst = TRUE),
  "a replaced row moves the depth of one deepest point only" =
    bug(exact, "tukey_level", "deepest - 2 * k", "deepest - k"),
  # (levels off by one make the bound smaller by exp(-beta) only, which what is known of planar regions
  # cannot tell from a bound that is loose: see the regressions for that)
  "levels that do not fall" = bug(exact, "plane_levels", late, first_level, worst = TRUE),
  "levels that do not fall, directional" = bug(directional, "plane_levels", late, first_level),
  "nothing known counts as no move" =
    bug(exact, "plane_diameter", "is.na(total), sum(upper - lower),", "is.na(total), 0,", worst = TRUE),
  "constants for one variable" =
    bug(marginal, "plan_smooth", "smooth_constants(given$epsilon, delta, d)",
        "smooth_constants(given$epsilon, delta, 1)"),
  "the largest move of a coordinate for their sum" =
    bug(marginal, "marginal_law", "rowSums(matrix(a, length(k)))", "apply(matrix(a, length(k)), 1, max)"),
  "bounds times 0.6, one variable" = bug(line, "smooth_scale", "bound * exp", "0.6 * bound * exp",
                                         worst = TRUE),
  "bounds times 0.6, plane" = bug(exact, "smooth_scale", "bound * exp", "0.6 * bound * exp"),
  "bounds times 0.6, directional" = bug(directional, "smooth_scale", "bound * exp", "0.6 * bound * exp"),
  "bounds times 0.6, space" = bug(space, "smooth_scale", "bound * exp", "0.6 * bound * exp"),
  "bounds times 0.6, marginal" = bug(marginal, "smooth_scale", "bound * exp", "0.6 * bound * exp"),
  "bounds 1% too small" = bug(line, "smooth_scale", "bound * exp", "0.99 * bound * exp"),
  "no windows beyond 2000 levels" =
    bug(far_marginal, "last_level", "max(0, min(n,", "max(0, min(2000, n,", worst = TRUE),
  "half of the levels" = bug(corner_is_wrong, "last_level", "/beta)))", "/beta/2)))", worst = TRUE),
  "windows beyond 2000 levels of nothing" =
    bug(far_marginal, "median_windows", "c(near, ends[", "c(near, 0 * ends["),
  "windows beyond 2000 levels one rank short above" =
    bug(far_marginal, "median_windows", "pmin(p + k + 1, n + 1)", "pmin(p + k, n + 1)"),
  "windows beyond 2000 levels one rank short below" =
    bug(far_marginal, "median_windows", "pmax(p - k - 1, 0)", "pmax(p - k, 0)"),
  "the noise of all coordinates in the smallest step" =
    bug(unequal, "draw_smooth", "(index + lattice$origin) * lattice$step",
        "(law$centre + lattice$origin) * lattice$step + (index - law$centre) * min(lattice$step)",
        worst = TRUE),
  "one step for all coordinates, the smallest" =
    bug(unequal, "smooth_lattice", "step <- 2^(ceiling(log2(bounds$upper - bounds$lower)) - bits)",
        "step <- rep(min(2^(ceiling(log2(bounds$upper - bounds$lower)) - bits)), length(bounds$lower))"),
  "the centre is not clipped" =
    bug(marginal, "smooth_law", "pmin(pmax(round(found$point), lattice$lower), lattice$upper)",
        "round(found$point)",
        worst = TRUE),
  "windows of one replacement less" =
    bug(exact, "with_windows", "pmin(a[first], windows)",
        "pmin(a[first], c(0, windows[-length(windows)]))"),
  "windows of a deepest level one too large" =
    bug(exact, "side_windows", "as.integer(deepest)", "as.integer(deepest + 1)", worst = TRUE),
  "windows of a least level one too large" =
    bug(directional, "side_windows", "as.integer(minimum)", "as.integer(minimum + 1)"),
  "windows of a deepest level that is too large" =
    bug(directional, "side_windows", "as.integer(deepest), as.integer(minimum)",
        "as.integer(o$n), as.integer(minimum)"),
  "levels that do not fall, in space" =
    bug(space, "directional_law", "c(k, length(k)), reach)", "0 * c(k, length(k)), reach)"),
  "half of the sum, in space" = bug(space, "directional_total", "total/(o$d - 1)", "total/(2 * (o$d - 1))")
)

# -- tests, draws, accounts, leaks ---------------------------------------------------------------------

restricted <- by_laws(check_restricted, 1)
projected <- by_laws(check_projection)
near_projected <- by_laws(check_projection, eta = 0.04, tau = 0.5)
proposed <- by_laws(check_ptr)
# V_{t-1} e^{-e/2} and V_t: a level that the draw may leave with probability 1/2
steep_is_wrong <- function() restricted_margin(c(60, 10), 10, 20, 100, 0.5) > 0
# a region of level t - 1 far larger than the deep ones, which weigh enough beside V_t
low_is_wrong <- function() restricted_margin(c(20, 5), rep(5, 8), 20, 1, 0.5) > 0
min_margin <- "margin <- min(out$sensitivity, out$central)"
own_epsilon <- "draw = epsilon - epsilon * plan$share"

test_bugs <- list(
  "a threshold one less" = bug(test_is_wrong, "ptr_threshold", "1e-09) - 1)", "1e-09) - 2)", worst = TRUE),
  "a threshold one less, seen by ptr()" = bug(proposed, "ptr_threshold", "1e-09) - 1)", "1e-09) - 2)"),
  "the test's noise half as wide" = bug(test_is_wrong, "ptr_test", "rate[[1]], rate[[2]]",
                                        "2 * rate[[1]], rate[[2]]"),
  "rates rounded up, by 1%" = bug(test_is_wrong, "rate_of", "floor(check_epsilon(epsilon) * 2^40) - 64",
                                  "ceiling(1.01 * check_epsilon(epsilon) * 2^40)"),
  "no test" = bug(restricted, "ptr_test", "> ptr_threshold(epsilon, delta)", "> -Inf", worst = TRUE),
  "the margin plus one, restricted" = bug(restricted, "restricted_axes_margin", ".Call(", "1L + .Call(",
                                          worst = TRUE),
  "the margin doubled" = bug(restricted, "restricted_axes_margin", ".Call(", "2L * .Call("),
  "a bound without delta" = bug(restricted, "restricted_axes_margin", "c(log(delta)", "c(0"),
  "sums of regions that cancel for a large epsilon" =
    bug(steep_is_wrong, "safety_bounds", "pmax(far, near) + log1p(exp(-abs(far - near)))",
        "upper[t - 1 - k] + log1p(-expm1(-epsilon / 2) * expm1(upper[t - k] - upper[t - 1 - k]))"),
  "V at t - k for t - 1 - k" = bug(low_is_wrong, "safety_bounds", "upper[t - 1 - k]", "upper[t - k]"),
  "the draw takes all of epsilon" = bug(restricted, "plan_restricted_median", own_epsilon, "draw = epsilon"),
  "the margin plus one, projection" = bug(projected, "projection_margin", min_margin, paste(min_margin,
                                                                                              "+ 1")),
  "a search that stops at 3 and says safe for ever" =
    bug(projected, "projection_margin", min_margin,
        "margin <- if (min(out$sensitivity, out$central) >= 3) 1000 else min(out$sensitivity, out$central)",
        worst = TRUE),
  "eta squared in the rate" =
    bug(near_projected, "projection_law", "log1p(ratio))/(eta +", "log1p(ratio))/(eta^2 +"),
  "ptr(): the draw takes all of epsilon" = bug(proposed, "plan_ptr", "given$epsilon - test", "given$epsilon"),
  "ptr(): the draw takes the test's share" =
    bug(by_laws(check_ptr, share = 0.8), "plan_ptr", "given$epsilon - test", "given$epsilon * share",
        worst = TRUE),
  "ptr(): a scale 1% too small" = bug(proposed, "laplace_on_lattice", "length(center))/epsilon)",
                                      "length(center))/(1.01 * epsilon))"),
  "ptr(): rounding forgotten" = bug(by_laws(check_ptr, 0.6, proposed = 0.31), "laplace_on_lattice",
                                    "sensitivity/step + length(center)", "sensitivity/step")
)

draw_bugs <- list(
  "one noise for all coordinates" = bug(noise_is_wrong, "half_laplace", "draw_geometric_exp(d,",
                                        "draw_geometric_exp(1L,",
                                        worst = TRUE),
  "one sign for all coordinates" = bug(noise_is_wrong, "half_laplace", "draw_below(d,", "draw_below(1L,"),
  "noise of one sign" = bug(noise_is_wrong, "half_laplace", "2 * draw_below(d, 2, rng) - 1", "1"),
  "R's seed decides" = bug(noise_is_known, "check_rng", "check_choice(rng, c(\"system\", \"R\"), \"rng\")",
                           "\"R\"",
                           "check_rng", "\"system\")", "\"R\")", worst = TRUE),
  "the same noise drawn twice" = bug(noise_is_known, "draw_law", ".Call(ffi_draw, draw_source(rng),",
                                     ".Call(ffi_draw, {\nset.seed(1)\n\"R\"\n},"),
  "truncated noise one short" = bug(truncation_is_wrong, "laplace_truncated_bound",
                                    "check_delta(delta))", "check_delta(delta)) - 1"),
  "the exponential mechanism without its 2" =
    bug(exponential_is_wrong, "draw_halfspace.default", "draw_middle(x, plan$prior, epsilon",
        "draw_middle(x, plan$prior, 2 * epsilon", worst = TRUE),
  "the exponential mechanism in the plane without its 2" =
    bug(plane_is_wrong, "draw_halfspace.default", "resolution), epsilon, plan$exact",
        "resolution), 2 * epsilon, plan$exact", worst = TRUE),
  "the median of one variable a rank to one side" =
    bug(exponential_is_wrong, "draw_middle", "c(side, side, FALSE)", "c(side, nrow(x) - side, FALSE)"),
  "a resolution from the data" =
    bug(exponential_is_wrong, "draw_halfspace.default",
        "draw_middle(x, plan$prior, epsilon, source, resolution = plan$resolution)",
        "draw_middle(x, plan$prior, epsilon, source, resolution = max(x) / 4)"),
  "a prior from the data" =
    bug(exponential_is_wrong, "draw_exponential", "whiten_rows(points, plan$whitening)",
        "whiten_rows(points, plan$whitening)); plan$prior <- prior_uniform(min(x), max(x)")
)

along_axes <- by_laws(check_axes, 1, 60, pairs = 40)
in_plane <- by_laws(check_axes, 2, 6, pairs = 40)
drawn_axes <- "draw_axes(x, plan$prior, epsilon, source,"
axes_bugs <- list(
  "along the axes: no 2 in the rate" =
    bug(along_axes, "draw_exponential", drawn_axes, "draw_axes(x, plan$prior, 2 * epsilon, source,",
        worst = TRUE),
  "along the axes: 10% over, in the plane" =
    bug(along_axes, "draw_exponential", drawn_axes, "draw_axes(x, plan$prior, 1.1 * epsilon, source,"),
  "along the axes: each row twice" =
    bug(in_plane, "draw_exponential", drawn_axes, "draw_axes(rbind(x, x), plan$prior, epsilon, source,",
        worst = TRUE),
  "along the axes: a prior from the data" =
    bug(in_plane, "draw_exponential", drawn_axes,
        paste("draw_axes(x, prior_for(prior_uniform(apply(x, 2, min), apply(x, 2, max) + 1), ncol(x)),",
              "epsilon, source,"),
        worst = TRUE),
  "along the axes: rows beyond the mean are pulled in" =
    bug(in_plane, "draw_exponential", drawn_axes,
        "draw_axes(pmax(x, floor(mean(x))), plan$prior, epsilon, source,"),
  "along the axes: epsilon doubled below the front door" =
    bug(axes_draws_are_wrong, "draw_axes.default", "resolution), epsilon", "resolution), 2 * epsilon",
        worst = TRUE),
  "along the axes: one column is left out" =
    bug(axes_draws_are_wrong, "draw_axes.default", "source, x,", "source, cbind(x[, 1], x[, 1]),",
        worst = TRUE)
)

batch_bugs <- list(
  "batches: rows are dealt by a regressor" =
    bug(batches_are_wrong, "batch_fits", "deal_rows(length(y), seed)", "order(x[, 1])", worst = TRUE),
  "batches: regressors are centred" =
    bug(batches_are_wrong, "batch_fits", "matrix(as.double(x), length(y))", "scale(x, scale = FALSE)"),
  "batches: the fit of all stands for none" =
    bug(batches_are_wrong, "batch_fits", "as.double(constant)", "rep_len(mean(y), ncol(x) + 1)"),
  "batches: the largest fit stands for none" =
    bug(batches_are_wrong, "even_fits", "2^1023", "max(fits, na.rm = TRUE)"),
  "batches: those without a coefficient change sides together" =
    bug(batches_are_wrong, "even_fits", "rep_len(c(-1, 1), length(none))", "(-1)^length(none)"),
  "batches: epsilon doubled" =
    bug(batches_are_wrong, "run_batches", "plan$prior, plan$epsilon,", "plan$prior, 2 * plan$epsilon,",
        worst = TRUE),
  "batches: the draw has all of epsilon" =
    bug(batches_are_wrong, "run_batches", "draw = plan$epsilon - plan$epsilon * plan$share",
        "draw = plan$epsilon"),
  "batches: a release with delta is called pure" =
    bug(batches_are_wrong, "plan_batches", "guarantee = if (pure) \"pure\" else \"approximate\"",
        "guarantee = \"pure\"", worst = TRUE),
  "batches: delta is not debited" =
    bug(batches_are_wrong, "plan_batches", "delta = if (pure) 0 else delta", "delta = 0", worst = TRUE),
  "batches: a margin for ten deltas" =
    bug(batches_are_wrong, "run_batches", "plan$delta, source)", "10 * plan$delta, source)"),
  "batches: the mean response stands for rows that are incomplete" =
    bug(batches_fill_wrong, "middle_in_rows", "frame$y[frame$incomplete] <- middle",
        "frame$y[frame$incomplete] <- mean(frame$y[-frame$incomplete])"),
  "restricted along the axes: no test" =
    bug(restricted_axes_spends_wrong, "draw_restricted_axes", "!ptr_test(margin,",
        "FALSE && !ptr_test(margin,"),
  "restricted along the axes: delta ten times" =
    bug(restricted_axes_spends_wrong, "draw_restricted_axes", "budget[[\"draw\"]], delta, most",
        "budget[[\"draw\"]], 10 * delta, most"),
  "restricted along the axes: the draw at twice its rate" =
    bug(restricted_axes_spends_wrong, "draw_restricted_axes", "sorted, level, budget[[\"draw\"]], source",
        "sorted, level, 2 * budget[[\"draw\"]], source", worst = TRUE),
  "restricted along the axes: another level's margin" =
    bug(restricted_axes_spends_wrong, "draw_restricted_axes", "restricted_axes_margin(sorted, level,",
        "restricted_axes_margin(sorted, level + 1,")
)

rule_bugs <- list(
  "composed medians: the rate epsilon_j for epsilon_j/2" =
    bug(marginal_budget_is_wrong, "marginal_budget", "sqrt(8 * rho/d)", "sqrt(32 * rho/d)", worst = TRUE),
  "composed medians: d - 1 for d" =
    bug(marginal_budget_is_wrong, "marginal_budget", "sqrt(8 * rho/d)", "sqrt(8 * rho/(d - 1))",
        worst = TRUE),
  "composed medians: a conversion without log(1/delta)" =
    bug(marginal_budget_is_wrong, "zcdp_rho", "less, log(delta)", "less, 0", worst = TRUE),
  "composed medians: epsilon for each variable" =
    bug(marginal_budget_is_wrong, "marginal_budget", "epsilon/d * down", "epsilon * down", worst = TRUE),
  "composed medians: epsilon for each draw" =
    bug(marginal_draws_are_wrong, "plan_marginal", "monotone_epsilon(each,",
        "monotone_epsilon(given$epsilon,", worst = TRUE),
  "a chain is called pure, a ledger does not say what it is" =
    bug(chain_is_called_private, "median_rival", "\"stationary\"", "\"pure\"",
        "new_release", "!isTRUE(exact)", "FALSE", worst = TRUE),
  "a guarantee without proof is called proved" =
    bug(chain_is_called_private, "is_proved", "!guarantee %in% names(weak_guarantees)", "TRUE", worst = TRUE)
)

leak_bugs <- list(
  "the ledger is debited after the draw" =
    modifyList(late_debit(ledger_is_wrong), list(worst = TRUE)),
  "half of the cost is debited" = bug(ledger_is_wrong, "release_cost", "as.double(epsilon)",
                                      "as.double(epsilon)/2"),
  "the ledger may be overspent" = bug(ledger_is_wrong, "ledger_spend", "(1 + budget_slack)", "2"),
  "deltas do not add up" =
    bug(deltas_are_wrong, "with_spend", "sum <- state$sum + spend",
        "spend[[2]] <- max(0, spend[[2]] - state$sum[[2]])\n    sum <- state$sum + spend", worst = TRUE),
  "deltas do not add up in the account's table" =
    bug(deltas_are_wrong, "budget_table", "unname(ledger$account$spent()[rows])",
        "c(ledger$account$spent()[[1]], max(0, ledger$account$spends()$delta))"),
  "any pure release costs what bounded range costs" =
    bug(accounts_are_wrong, "release_cost", "epsilon^2/2", "epsilon^2/8"),
  "bounded range costs half" =
    bug(accounts_are_wrong, "bounded_range_rho", "sum(each^2)/8", "sum(each^2)/16", worst = TRUE),
  "approximate releases fail for nothing" =
    bug(accounts_are_wrong, "composed_epsilon", "delta - spent[[\"approximate\"]]", "delta", worst = TRUE),
  "rho is refused by nobody" = bug(accounts_are_wrong, "budget_caps", "rho = total[[\"rho\"]]", "rho = Inf"),
  "an account forgets its sum" = bug(ledger_is_wrong, "new_account", "state <<- after", "NULL"),
  "nothing is debited" =
    bug(ledger_is_wrong, "release_by", "debit(given$ledger", "debit(NULL"),
  "data in the call" =
    bug(release_tells, "new_release", "sanitize_call(call, data)", "call", worst = TRUE),
  "data in the environment of a formula" =
    bug(release_tells, "plan_regression_draw", "list(formula = facts$kept$formula)",
        "list(formula = given$formula)",
        "public_value", "if (is.null(x))", "if (inherits(x, \"formula\")) return(x)\nif (is.null(x))",
        worst = TRUE),
  "the private scale is released" =
    bug(release_tells, "draw_smooth", "list(estimate", "list(details = list(spread = law$scale), estimate"),
  "a row is released" = bug(release_tells, "draw_smooth", "list(estimate",
                             "list(details = list(first = rows[[1]]), estimate"),
  "the estimate of a failed test" = bug(release_tells, "new_release", "estimate[] <- NA_real_",
                                        "estimate <- estimate"),
  "the margin is released" = bug(release_tells, "draw_ptr", "list(estimate = estimate",
                                 "list(details = list(margin = margin$value), estimate = estimate"),
  "ptr(): any number of draws" = bug(ptr_tells, "checked_draws", "total > epsilon * (1 + sum_slack/4)",
                                     "FALSE", worst = TRUE),
  "ptr(): any length" = bug(ptr_tells, "checked_draws", "!= count", "< count"),
  "ptr(): a center of any kind" = bug(ptr_tells, "is_request", "all(is.finite(r$center))", "TRUE",
                                      "checked_draws", "if (total", "asked[[1]]$center <- 0\nif (total"),
  "ptr(): values of the user's own" =
    bug(ptr_tells, "requested_draws", "checked_draws(release(epsilon, laplace), book, epsilon, count)", paste(
      "{", "out <- release(epsilon, laplace)",
      "if (is.double(out)) list(list(center = 0, sensitivity = 1, epsilon = epsilon))",
      "else checked_draws(out, book, epsilon, count)", "}", sep = "\n")),
  "ptr(): the user's own words" =
    bug(ptr_tells, "evaluate_silently", "error = function(e) NULL", "error = function(e) stop(e)",
        "evaluate_silently", "if (jumped)", "if (FALSE)", worst = TRUE),
  "ptr(): conditions of other classes" =
    bug(ptr_tells, "evaluate_silently", "invokeRestart(\"dpdepth_failed\")", "NULL"),
  "ptr(): return() leaves the caller" = bug(ptr_tells, "evaluate_silently", "if (jumped)", "if (FALSE)"),
  "ptr(): a request by hand" =
    bug(ptr_tells, "is_token", "identical(token, request_token(index, book))", "TRUE"),
  "ptr(): the margin first, then the debit" =
    bug(ptr_tells, "ptr", "check_release(substitute(release))", "force(margin)", worst = TRUE),
  "an account in an open environment" = bug(account_opens, "dp_ledger", "bindings = TRUE", "bindings = FALSE",
                                            worst = TRUE),
  "names are not looked at" = bug(names_tell, "refuse_strange", "if (length(strange) > 0)",
                                  "if (FALSE)", worst = TRUE),
  "data in a message" = bug(errors_tell, "check_finite", "\"finite numbers without missing values\"",
                            "toString(x)")
)

test_that("all planted bugs are caught", {
  bugs <- c(smooth_bugs, test_bugs, draw_bugs, axes_bugs, batch_bugs, rule_bugs, leak_bugs, formula_bugs)
  expect_gte(length(bugs), 40)
  worst <- vapply(bugs, `[[`, NA, "worst")
  expect_gte(sum(worst), 15)
  if (!identical(Sys.getenv("NOT_CRAN"), "true")) bugs <- bugs[worst]
  expect_caught(bugs)
})

test_that("without a bug nothing is caught", {
  nothing <- list(edits = list(), worst = FALSE)
  audits <- c(list(test_is_wrong, truncation_is_wrong, noise_is_known, noise_is_wrong, axes_draws_are_wrong,
                   batches_are_wrong, restricted_axes_spends_wrong,
                   marginal_budget_is_wrong, marginal_draws_are_wrong, chain_is_called_private,
                   ledger_is_wrong, release_tells, errors_tell, formula_tells, replacement_tells, ptr_tells,
                   account_opens, names_tell, deltas_are_wrong, accounts_are_wrong,
                   corner_is_wrong), if (audit_slow) c(exponential_is_wrong, plane_is_wrong))
  for (audit in audits) expect_false(caught(c(list(audit = audit), nothing)))
})
