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
    c_bug("mech/interval.c", "m->eps_2 = part_of(spec, 0);",
          "m->eps_2 = part_of(spec, 0) + part_of(spec, 2);", ctest = "interval"),
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
  "interval: the cell's inner edge" =
    c_bug("mech/interval.c", "int64_t end = bounded ? m->grid[stop - 1] : hi",
          "int64_t end = bounded ? m->grid[stop - (stop == count)] : hi", ctest = "interval"),
  "interval: a stretch ends one point late" =
    c_bug("mech/interval.c", "if (grid[mid] <= y)", "if (grid[mid] < y)", ctest = "interval"),
  "interval: mirrored thresholds" =
    c_bug("mech/interval.c", "second ? m->spec.second : m->spec.first",
          "second ? m->spec.first : m->spec.second", ctest = "interval"),
  "interval: the scans' shares exchanged" =
    c_bug("mech/interval.c", "m->step_3[second]", "m->step_3[!second]", ctest = "interval"),
  "interval: shares above the whole" =
    c_bug("mech/interval.c", "return s[0] + s[1] + s[2] == all;", "return s[0] + s[1] + s[2] >= all;",
          ctest = "interval"),
  "waiting: any place in the block" =
    c_bug("samp/waiting.c", "  } while (!accept);", "  } while (accept != accept);", ctest = "interval"),
  "waiting: coins without their 1/j" = c_bug(
    "samp/waiting.c", ctest = "interval",
    from = "    if (more) DPD_TRY(dpd_bernoulli_ratio(rng, 1, j, &more));\n",
    to = ""
  ),
  "waiting: a power's coins without their 1/i" = c_bug(
    "samp/waiting.c", ctest = "interval",
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
  )
)
