# planted-regression.R - the bugs planted in the exponential mechanism over regression depth, over nested
# boxes, and in the smooth sensitivity of the deepest regression: a part of the table in planted.R.

regression_bugs <- list(
  # -- smooth sensitivity of the deepest regression -----------------------------------------------
  "deepest regression: ends rounded inward" = c_bug(
    "sens/deepest.c", audit = "deepest_spreads(c(0, 2^50 + 1), c(0, 2^50), c(1, 1))$lo[2, 2] != 0",
    from = "if (up ? sign > 0 : sign < 0) t += sign;",
    to = "if (up ? sign < 0 : sign > 0) t += sign;"
  ),
  "deepest regression: a guard below the errors of rounding" = c_bug(
    "sens/deepest.c", ctest = "error_free",
    from = "v.error = 0x1p-49 *",
    to = "v.error = 0x1p-54 *"
  ),
  "deepest regression: no guard at all" = c_bug(
    "sens/deepest.c", ctest = "error_free",
    from = "v.error = 0x1p-49 *",
    to = "v.error = 0x1p-80 *"
  ),
  "deepest regression: a whole number's sign without what is lost of the difference" = c_bug(
    "sens/deepest.c", ctest = "error_free",
    from = "dpd_error_free_add_product(&top, -t, rest);",
    to = ""
  ),
  "deepest regression: a slope's numerator without what is lost of the difference" = c_bug(
    "sens/deepest.c", ctest = "error_free",
    from = "dpd_error_free_add(top, weight_b[side] * less);",
    to = ""
  ),
  "deepest regression: a mean of doubles" = c_bug(
    "sens/deepest.c", ctest = "error_free",
    from = "v->error < DPD_MEAN_UNIT / 4 ? v->value[k] : precise_value(v, k)",
    to = "v->value[k]"
  ),
  "deepest regression: errors of rounding without those of the rise" = c_bug(
    "sens/deepest.c", ctest = "error_free",
    from = "(fabs(v.yi) + fabs(rise) + fabs(b))",
    to = "(fabs(v.yi) + fabs(b))"
  ),
  "deepest regression: ends without the errors of rounding above" = c_bug(
    "sens/deepest.c", ctest = "error_free",
    from = "hi = v->value[side] + v->error;",
    to = "hi = v->value[side];"
  ),
  "deepest regression: vertices passed over without the errors of rounding" = c_bug(
    "sens/deepest.c", ctest = "error_free",
    from = "if (v.value[k] + v.error > *hi) {",
    to = "if (v.value[k] > *hi) {"
  ),
  "slopes of rows whose differences are no doubles" = c_bug(
    "plane/slope_sort.c", ctest = "error_free",
    from = "add_product(&sum, yj, fj, xk, ek);",
    to = "add_product(&sum, yj, fj, xk, 0);"
  ),
  "slopes told apart by doubles alone" = c_bug(
    "plane/slope_sort.c", ctest = "error_free",
    from = "if (fabs(p - q) > 0x1p-49 * (fabs(p) + fabs(q)))",
    to = "if (p != q)"
  ),
  "deepest regression: extents that do not nest" = c_bug(
    "sens/deepest.c", ctest = "error_free",
    from = "for (int d = s->n - 1; d >= 0; d--) {",
    to = "for (int d = s->n - 1; d >= s->n; d--) {"
  ),
  "deepest regression: unbounded depth of half a column" = c_bug(
    "sens/deepest.c", ctest = "error_free",
    from = "if (min > max) max = min;",
    to = "if (min < max) max = min;"
  ),

  # -- private regression ----------------------------------------------------------------------------
  "a level that no row has takes part in fits of other columns" = c_bug(
    "mech/regression_frame.c", ctest = "regression_directions",
    from = "if (b->left[l] > 0) column[++d] = axis[l];",
    to = "column[++d] = axis[l];"
  ),
  "a fit outside the limits tells no directions" = c_bug(
    "mech/regression_directions.c", ctest = "regression_directions",
    from = "if (find_fit(m, w)) set_deep(m, w);",
    to = "(void)find_fit(m, w);"
  ),
  "a deep fit in the sizes of its columns" = c_bug(
    "mech/regression_directions.c", ctest = "regression_directions",
    from = "b[at++] * size[k] / size[j] : 0;",
    to = "b[at++] : 0;"
  ),
  "the likeliest directions are the least likely" = c_bug(
    "mech/regression_directions.c", ctest = "regression_directions",
    from = "fabs(judged[u]) > most[at - 1])",
    to = "most[at - 1] < 0)"
  ),
  "a tree in the memory of another covers the box of that frame" = c_bug(
    "mech/regression.c", ctest = "regression",
    from = "    DPD_TRY(dpd_rejection_reopen(m->tree, &spec));",
    to = paste("    DPD_TRY((memcpy(hi, dpd_rejection_hi(m->tree, 0), k * sizeof *hi),",
               "dpd_rejection_reopen(m->tree, &spec)));")
  ),
  "each tree in memory of its own" = c_bug(
    "mech/regression.c", ctest = "regression",
    from = "  if (m->tree == NULL)\n",
    to = "  if (true)\n"
  ),
  "splits between tied rows" = c_bug(
    "mech/regression_order.c", ctest = "regression",
    from = "bool same = s + 1 < n && x[s].key == x[s + 1].key;",
    to = "bool same = false;"
  ),
  "through the origin, rows that are not active count for nothing" = c_bug(
    "mech/regression_runs.c", ctest = "regression",
    from = "dpd_passage_side(&p, all[i], a->fixed[i]);",
    to = "continue;"
  ),
  "through the origin, rows on one side count by which sums of others are kept" = c_bug(
    "mech/regression_runs.c", ctest = "regression",
    from = "p = (dpd_passage){0, a->run_top[at], a->run_bottom[at]};",
    to = "p = (dpd_passage){0, a->run_bottom[at], a->run_top[at]};"
  ),
  "through the origin, sides about another row" = c_bug(
    "mech/regression_rows.c", ctest = "regression",
    from = "(m->spec.projection[i] > 0) - (m->spec.projection[i] < 0);",
    to = "(m->spec.projection[i] > m->spec.projection[0]) - (m->spec.projection[i] < 0);"
  ),
  "rows on the fit count on one side" = c_bug(
    "mech/regression_active.c", ctest = "regression",
    from = "f <= a->top[i], f >= a->bottom[i], sum",
    to = "f <= a->top[i], f > a->top[i], sum"
  ),
  "the rate of a unit for the heavier weight" = c_bug(
    "mech/regression.c", ctest = "regression",
    from = "m->spec.eps.num / (uint64_t)heavy;",
    to = "m->spec.eps.num;"
  ),
  "bounds of a box rounded inward" = c_bug(
    "mech/regression_active.c", ctest = "regression_frame",
    from = "y[i] >= min[i] - slack[i], is_below = y[i] <= max[i] + slack[i];",
    to = "y[i] > min[i] + slack[i], is_below = y[i] < max[i] - slack[i];"
  ),
  "weights of the last box bound the next" = c_bug(
    "mech/regression_directions.c", ctest = "regression_frame",
    from = "  min_weights l = {{{-1, -1, -1, -1}, -1},",
    to = "  static min_weights l = {{{-1, -1, -1, -1}, -1},"
  ),
  "bounds of a box without the tolerance" = c_bug(
    "mech/regression_active.c", ctest = "regression_frame",
    from = " + DBL_MIN + a->tie[from + i];",
    to = " + DBL_MIN;"
  ),
  "bounds of a sheared box without the tolerance" = c_bug(
    "mech/regression_rows.c", ctest = "regression_frame",
    from = " * reach + DBL_MIN + m->all.tie[i];",
    to = " * reach + DBL_MIN;"
  ),
  "bounds of a sheared box without what rounding may do" = c_bug(
    "mech/regression_rows.c", ctest = "regression_frame",
    from = "DPD_REGRESSION_SLACK(k) * reach + DBL_MIN",
    to = "DBL_MIN"
  ),
  "bounds of a straight box without what rounding may do" = c_bug(
    "mech/regression_active.c", ctest = "regression_frame",
    from = "DPD_REGRESSION_SLACK(k) * m->slack[i] + DBL_MIN",
    to = "DBL_MIN"
  ),
  "forms of the axes in another order" = c_bug(
    "mech/regression_frame.c", ctest = "regression_frame",
    from = "m->sheared[j] = a[m->axis[j]];",
    to = "m->sheared[j] = a[j];"
  ),
  "coordinates that are no numbers where columns overflow" = c_bug(
    "geom/shear.c", ctest = "regression_frame",
    from = "if (isnan(sum)) return INFINITY;",
    to = ""
  ),

  "rows decided in a wider box are forgotten in one within it" = c_bug(
    "mech/regression_runs.c", ctest = "regression",
    from = "      add_run(from, above + (size_t)s, &p);",
    to = ""
  ),
  "runs of active rows: a split between rows that are tied" = c_bug(
    "mech/regression_runs.c", ctest = "regression",
    from = "write_row(&w, all[s] < 0 ? ~all[s] : all[s], all[s] >= 0, &p);",
    to = "write_row(&w, all[s] < 0 ? ~all[s] : all[s], true, &p);"
  ),
  "four regressors: the last of them counts for nothing at a point" = c_bug(
    "mech/regression_active.c", test = "four regressors: draws follow the law by definition",
    from = "    for (int j = 0; j < k; j++)\n      f += a->fit",
    to = "    for (int j = 0; j < (k < 5 ? k : 4); j++)\n      f += a->fit"
  ),
  "runs of active rows: no split after an active row" = c_bug(
    "mech/regression_runs.c", ctest = "regression",
    from = "p->top = split && p->sum > p->top",
    to = "p->top = split && !active && p->sum > p->top"
  ),

  # -- pairs of rows that cannot both count
  "pairs of rows: a row is in several" = c_bug(
    "mech/regression_pairs.c", ctest = "regression_pairs",
    from = "x->reach[from + t] = NEVER;",
    to = ""
  ),
  "pairs of rows: those that lie on the same side" = c_bug(
    "mech/regression_pairs.c", ctest = "regression_pairs",
    from = "fabsf(own + g[t])",
    to = "fabsf(own - g[t])"
  ),
  "pairs of rows: without the tolerance" = c_bug(
    "mech/regression_pairs.c", ctest = "regression_pairs",
    from = " - a->slack[i];",
    to = ";"
  ),
  "pairs of rows: the first axis does not count" = c_bug(
    "mech/regression_pairs.c", ctest = "regression_pairs",
    from = "for (int j = 0; j < axes; j++) {\n        const float *g",
    to = "for (int j = 1; j < axes; j++) {\n        const float *g"
  ),
  "pairs of rows: the other side of the split" = c_bug(
    "mech/regression_pairs.c", ctest = "regression_pairs",
    from = "(s < at.rows) == at.before_below",
    to = "(s < at.rows) != at.before_below"
  ),
  "pairs of rows: the heavier weight" = c_bug(
    "mech/regression_pairs.c", ctest = "regression_pairs",
    from = "m->weights.up < m->weights.down ? m->weights.up : m->weights.down",
    to = "m->weights.up > m->weights.down ? m->weights.up : m->weights.down"
  ),

  "pairs of rows: the split before all rows is found among all rows alone" = c_bug(
    "mech/regression_pairs.c", ctest = "regression_pairs",
    from = "if (s == 0 && top < 0) top = 0;",
    to = ""
  ),
  "pairs of rows: rows that are decided do not count" = c_bug(
    "mech/regression_pairs.c", ctest = "regression_pairs",
    from = "sum += a->run[at + (size_t)s];",
    to = ""
  ),
  "pairs of rows: an entry of a tally is one row" = c_bug(
    "mech/regression_pairs.c", ctest = "regression_pairs",
    from = ", dpd_rows_of(a, (int)i));",
    to = ", 1);"
  ),

  "pairs of rows: taken off twice" = c_bug(
    "mech/regression.c", ctest = "regression_pairs",
    from = "bound -= dpd_regression_conflicts(m, a, lo, hi, sum, bound);",
    to = "bound -= 2 * dpd_regression_conflicts(m, a, lo, hi, sum, bound);"
  ),
  "pairs of rows: through the origin, too" = c_bug(
    "mech/regression_pairs.c", ctest = "regression_pairs",
    from = "m->spec.k > AXES || m->spec.origin ||",
    to = "m->spec.k > AXES ||"
  ),
  "a box's room for rounding: that of its lower end" = c_bug(
    "mech/regression_active.c", ctest = "regression",
    from = "fmax(fabs(origin + lo[j]), fabs(origin + hi[j]));",
    to = "fabs(origin + lo[j]);"
  ),

  # -- its dyadic prior
  "dyadic boxes: the mass of the interval where it is, not where it may be" = c_bug(
    "mech/regression_prior.c", ctest = "regression_prior",
    from = "shift = heaviest_shift(a, b, min, max);",
    to = "shift = min;"
  ),
  "dyadic boxes: proposals that the shear does not move" = c_bug(
    "mech/regression_prior.c", ctest = "regression_prior",
    from = "int64_t shift = (int64_t)m->sheared[j], a",
    to = "int64_t shift = 0, a"
  ),
  "dyadic boxes: proposals that are evenly spread" = c_bug(
    "mech/regression.c", ctest = "regression_prior",
    from = ".propose = dyadic ? dpd_regression_propose : NULL",
    to = ".propose = NULL"
  ),
  "dyadic boxes: all points proposed are taken as they come" = c_bug(
    "samp/adaptive_rejection.c", ctest = "regression_prior",
    from = "b->keep * exp(log_prior - b->log_prior)",
    to = "b->keep"
  ),
  "dyadic boxes: the shift that takes the interval farthest from 0" = c_bug(
    "mech/regression_prior.c", ctest = "regression_prior",
    from = "shift = -(sum >= 0 ?",
    to = "shift = (sum >= 0 ?"
  ),
  "a prior's density beyond its support" = c_bug(
    "num/lattice.c", ctest = "lattice",
    from = "if (z[j] < l->lo[j] || z[j] > l->hi[j]) return false;",
    to = "if (z[j] < l->lo[j]) return false;"
  ),
  "no mass in the tails of a normal prior" = c_bug(
    "num/prior_mass.c", ctest = "axes",
    from = "return w > 1 ? (uint64_t)w : 1;",
    to = "return (uint64_t)w;"
  ),

  "frames of heavy rows: a row's sign is lost at its pivot" = c_bug(
    "mech/regression_atoms.c", ctest = "regression_frame",
    from = "a[j] = j == at ? 1 : a[j] / by;",
    to = "a[j] = j == at ? 1 : a[j] / fabs(by) * (a[at] < 0 ? -1 : 1);"
  ),
  "frames of heavy rows: a row that others give has a pivot" = c_bug(
    "mech/regression_atoms.c", ctest = "regression_frame",
    from = "found += pivot[found] >= 0;",
    to = "found += pivot[found] >= -1;"
  ),
  "frames of heavy rows: the first row's axis first" = c_bug(
    "mech/regression_atoms.c", ctest = "regression_frame",
    from = "m->axis[k - 1 - l] = pivot[l];",
    to = "m->axis[k - found + l] = pivot[l];"
  ),
  "frames of heavy rows: rows in the data's units" = c_bug(
    "mech/regression_atoms.c", ctest = "regression_frame",
    from = "a[j] = x * ldexp(m->lattice.step[j], -m->unit[j]);",
    to = "a[j] = ldexp(x, -m->unit[j]);"
  ),

  # -- its chain
  "slices: radial steps without the volume" = c_bug(
    "samp/slice_line.c", ctest = "regression_chain",
    from = "at.radial ? d * s : 0",
    to = "0"
  ),
  "regression chain: twice the rate" = c_bug(
    "mech/regression_chain.c", ctest = "regression_chain",
    from = "-DPD_RATE_BITS - 1);",
    to = "-DPD_RATE_BITS);"
  ),
  "regression chain: any deeper point is taken" = c_bug(
    "mech/regression_chain.c", ctest = "regression_chain",
    from = "ceil((level - gain - log_prior) / c->half_eps)",
    to = "ceil((level - gain - log_prior) / c->half_eps / 2)"
  ),
  "chains: the first one may leave no draw" = c_bug(
    "samp/chain_run.c", ctest = "regression_chain",
    from = "dpd_rng_below(rng, (uint64_t)t->chain + 1, &place)",
    to = "dpd_rng_below(rng, (uint64_t)chains, &place)"
  ),
  "chains: the draw is the last one's" = c_bug(
    "samp/chain_run.c", ctest = "regression_chain",
    from = "*pick = place == 0;",
    to = "*pick = true;"
  ),
  "regression chain: the depth of the state before" = c_bug(
    "mech/regression_chain.c", ctest = "regression_chain",
    from = "    c->x[j] = c->next[j];\n  set_density(c, log_prior);",
    to = "    c->x[j] = c->next[j];"
  ),

  # -- the exponential mechanism over nested boxes ---------------------------------------------------
  "nested boxes: a point too many on each axis" = c_bug(
    "mech/boxes.c", test = "the code's weights are the law's",
    from = "(int64_t)low) + 1;",
    to = "(int64_t)low) + 2;"
  ),
  "nested boxes: twice the rate" = c_bug(
    "mech/boxes.c", test = "the code's weights are the law's",
    from = "step = dpd_level_step(s->eps);",
    to = "step = 2 * dpd_level_step(s->eps);"
  ),
  "nested boxes: levels weigh as their first axis" = c_bug(
    "mech/boxes.c", test = "the code's weights are the law's",
    from = "    dpd_product_times(m->product + r, mass);",
    to = "    if (j == 0) dpd_product_times(m->product + r, mass);"
  ),
  "nested boxes: levels without the factor 1 - q" = c_bug(
    "mech/boxes.c", test = "the code's weights are the law's",
    from = "dpd_level_offset(step));",
    to = "0);"
  )
)
