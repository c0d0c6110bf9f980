# planted-interval.R - bugs planted in the intervals of quantiles: a part of the table in planted.R.
interval_bugs <- list(
  "interval: both scans share the threshold's noise" = c_bug(
    "mech/interval.c", ctest = "interval",
    from = "  uint64_t rho;\n  DPD_TRY(dpd_geometric_exp(",
    to = "  static uint64_t rho;\n  if (!second) DPD_TRY(dpd_geometric_exp("
  ),
  "interval: eps_3 for eps_3 / 2 of counts that move both ways" =
    c_bug("mech/interval.c", "{2 * part_of(", "{4 * part_of(", ctest = "interval"),
  "interval: two scans charged as eps_2 + eps_3" =
    c_bug("mech/interval.c", "m->eps_2 = part_of(spec, 1);",
          "m->eps_2 = part_of(spec, 1) + part_of(spec, 3);", ctest = "interval"),
  "interval: no noise on the threshold" = c_bug(
    "mech/interval.c", ctest = "interval",
    from = "threshold + (int64_t)(rho < most ? rho : most);",
    to = "threshold + 0 * (int64_t)(rho < most ? rho : most);"
  ),
  "interval: a point's noise one lower" =
    c_bug("mech/interval.c", "(level - above + 1)", "(level - above)", ctest = "interval"),
  "interval: open counts" =
    c_bug("mech/interval.c", "value_at(m, sign, next) >= m->grid[at]",
          "value_at(m, sign, next) > m->grid[at]", ctest = "interval"),
  "interval: rows in no order" = c_bug(
    "mech/interval.c", ctest = "interval",
    from = "  dpd_sort_doubles(r->value, size, alloc(size, sizeof(double)));\n",
    to = "  if (size > INT_MAX / 2) dpd_sort_doubles(r->value, size, alloc(size, sizeof(double)));\n"
  ),
  "interval: the stop point in place of the last passed" =
    c_bug("mech/interval.c", "m->grid[stop - 1] - inner;", "m->grid[stop - (stop == m->points)] - inner;",
          ctest = "interval"),
  "interval: the centre's rate is not its share" =
    c_bug("mech/interval.c", ".eps = {part_of(s, 0)}", ".eps = s->eps", ctest = "interval"),
  "interval: no share for the centre is checked" =
    c_bug("mech/interval.c", "return s[0] + s[1] + s[2] + s[3] == all;",
          "return s[1] + s[2] + s[3] <= all;", ctest = "interval"),
  "interval: the second grid is about the row next to the centre" = c_bug(
    "mech/interval.c", ctest = "interval",
    from = "  *c = dpd_fine_nearest(&m->fine, x);\n",
    to = paste0("  *c = dpd_fine_nearest(&m->fine, x);\n",
                "  if (*c < (int64_t)m->rows.value[0]) *c = (int64_t)m->rows.value[0];\n")
  ),
  "interval: the grid begins at the outermost row" = c_bug(
    "mech/interval.c", ctest = "interval",
    from = "  if (hi > c) m->grid[m->points++] = hi;\n",
    to = paste0("  if ((int64_t)m->rows.value[m->rows.size - 1] < hi)\n",
                "    hi = (int64_t)m->rows.value[m->rows.size - 1];\n",
                "  if (hi > c) m->grid[m->points++] = hi;\n")
  ),
  "interval: one noise for all points of a stretch" = c_bug(
    "mech/interval.c", ctest = "interval",
    from = "    at += (int)passed;\n",
    to = "    if (passed > 0) passed = stretch;\n    at += (int)passed;\n"
  ),
  "interval: crossed limits are cut, not exchanged" =
    c_bug("mech/interval.c", "    near = far;\n    far = kept;\n", "    near = far;\n    (void)kept;\n",
          ctest = "interval"),
  "interval: a mirrored centre" =
    c_bug("mech/interval.c", "  if (m->spec.mirrored) *c = -*c;\n", "", ctest = "interval"),
  "interval: a stretch ends one point late" =
    c_bug("mech/interval.c", "if (grid[mid] <= y)", "if (grid[mid] < y)", ctest = "interval"),
  "interval: mirrored thresholds" =
    c_bug("mech/interval.c", "second ? m->spec.second : m->spec.first",
          "second ? m->spec.first : m->spec.second", ctest = "interval"),
  "interval: the scans' shares exchanged" =
    c_bug("mech/interval.c", "m->step_3[second]", "m->step_3[!second]", ctest = "interval"),
  "interval: a second scan's share below one unit" =
    c_bug("mech/interval.c", "bool drawn = m->step_3[1] > 0 || spec->shares[3] == 0;",
          "bool drawn = true;", ctest = "interval"),
  "interval: without a second scan a limit at its end" =
    c_bug("mech/interval.c", "  stop_too = 0;\n", "  stop_too = 1;\n", ctest = "interval"),
  "interval: shares above the whole" =
    c_bug("mech/interval.c", "return s[0] + s[1] + s[2] + s[3] == all;",
          "return s[0] + s[1] + s[2] + s[3] >= all;", ctest = "interval"),
  "waiting: any place in the block" =
    c_bug("samp/first_success.c", "  } while (!accept);", "  } while (accept != accept);",
          ctest = "interval"),
  "waiting: coins without their 1/j" = c_bug(
    "samp/first_success.c", ctest = "interval",
    from = "    if (more) DPD_TRY(dpd_bernoulli_ratio(rng, 1, j, &more));\n",
    to = ""
  ),
  "waiting: a power's coins without their 1/i" = c_bug(
    "samp/first_success.c", ctest = "interval",
    from = "    if (stop) DPD_TRY(dpd_bernoulli_ratio(rng, 1, i, &stop));\n",
    to = ""
  ),
  "interval: a share of eps is rounded up" =
    c_bug("mech/interval.c", "/ DPD_INTERVAL_SHARES);", "/ DPD_INTERVAL_SHARES) + 1;", ctest = "interval"),
  "interval: the threshold's noise is cut at 2^10" =
    c_bug("mech/interval.c", "MOST_NOISE_BITS = 40", "MOST_NOISE_BITS = 10", ctest = "interval"),
  "interval: the threshold's noise is taken off" = c_bug(
    "mech/interval.c", ctest = "interval",
    from = "threshold + (int64_t)(rho",
    to = "threshold - (int64_t)(rho"
  ),
  "interval: before the first of the rows another is counted" =
    c_bug("mech/interval.c", "- (k + 1 < r->size ?", "- (k < r->size ?", ctest = "interval"),
  "interval: the last rows but one are all rows" =
    c_bug("mech/interval.c", "- (k + 1 < r->size ?", "- (k + 2 < r->size ?", ctest = "interval")
)
