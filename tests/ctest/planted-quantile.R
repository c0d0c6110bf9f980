# planted-quantile.R - privacy bugs planted in the C files of quantiles; see planted.R.

quantile_bugs <- list(
  # one
  "quantile: the rate is not halved" = c_bug(
    "mech/quantile.c", ctest = "quantile",
    from = "dpd_u128 step = dpd_level_step(spec->eps);",
    to = "dpd_u128 step = 2 * dpd_level_step(spec->eps);"
  ),
  "quantile: a rank too many" = c_bug(
    "mech/quantile.c", ctest = "quantile",
    from = "to = s->n + 1 - s->above - k;",
    to = "to = s->n - s->above - k;"
  ),
  "quantile: the weight of the mass before the one" = c_bug(
    "mech/quantile.c", ctest = "quantile",
    from = "dpd_product_times(m->product + t, mass);",
    to = "dpd_product_times(m->product + t, mass > 1 ? mass - 1 : 1);"
  ),
  "quantile: levels end with the quantile" = c_bug(
    "mech/quantile.c", ctest = "quantile",
    from = "while (count <= down + up &&",
    to = "while (count <= down &&"
  ),
  # several
  "quantiles: the rate is not halved" = c_bug(
    "mech/quantile_node.c", ctest = "quantile_node",
    from = "ldexp((double)eps.num, -DPD_RATE_BITS - 2)",
    to = "ldexp((double)eps.num, -DPD_RATE_BITS - 1)"
  ),
  "quantiles: q is rounded down" = c_bug(
    "mech/quantile_node.c", ctest = "quantile_node",
    from = "exp(-h) * (1 + 0x1p-50)",
    to = "exp(-h) * (1 - 0x1p-50)"
  ),
  "quantiles: the last gap is off by one" = c_bug(
    "mech/quantile_node.c", ctest = "quantile_node",
    from = "b[i] = power_of(m, llabs(d->rows - i - d->gap[j]));",
    to = "b[i] = power_of(m, llabs(d->rows - i - d->gap[j] - 1));"
  ),
  "quantiles: gaps between are off by one" = c_bug(
    "mech/quantile_node.c", ctest = "quantile_node",
    from = "llabs(i - held - d->gap[j - 1])",
    to = "llabs(i - held - d->gap[j - 1] + 1)"
  ),
  "quantiles: rows below in place of rows up to" = c_bug(
    "mech/quantile_node.c", ctest = "quantile_node",
    from = "if (d->row[mid] <= z)",
    to = "if (d->row[mid] < z)"
  ),
  "quantiles: intervals without their first point" = c_bug(
    "mech/quantile_node.c", ctest = "quantile_node",
    from = "d->row[i - 1] > d->from ? d->row[i - 1] : d->from;",
    to = "d->row[i - 1] > d->from ? d->row[i - 1] + 1 : d->from;"
  ),
  "quantiles: unordered runs" = c_bug(
    "mech/quantile_node.c", ctest = "quantile_node",
    from = "if (i > before) v =",
    to = "if (i >= 0) v ="
  ),
  "quantiles: sorted where they share an interval, and not paid for" = c_bug(
    "mech/quantile_node.c", ctest = "quantile_node",
    from = "run = dpd_weight_over(dpd_weight_times(run, w), (uint32_t)r + 1);",
    to = "run = dpd_weight_times(run, w);"
  ),
  "quantiles: a run's gaps are free" = c_bug(
    "mech/quantile_node.c", ctest = "quantile_node",
    from = "held += d->gap[last];",
    to = "held += 0 * d->gap[last];"
  ),
  "quantiles: moving sums begin a step late" = c_bug(
    "mech/quantile_node.c", ctest = "quantile_node",
    from = "moving_sum(m, lo, hi, i + 1, length)",
    to = "moving_sum(m, lo, hi, i + 2, length)"
  ),
  "quantiles: the end of a chunk is forgotten" = c_bug(
    "mech/quantile_node.c", ctest = "quantile_node",
    from = "if (s >= lo && s < chunk)",
    to = "if (s > hi && s < chunk)"
  ),
  "quantiles: beyond the cut as below it" = c_bug(
    "mech/quantile_node.c", ctest = "quantile_node",
    from = "if (!ok && spare > 0) DPD_TRY(not_power(rng, d->rate.q, spare, &ok));",
    to = "ok = true;\n    (void)spare;\n    (void)not_power;"
  ),
  "quantiles: all beyond the cut, and no k!" = c_bug(
    "mech/quantile_node.c", ctest = "quantile_node",
    from = "part[1] = dpd_weight_over(dpd_weight_times(part[1], whole), (uint32_t)j);",
    to = "part[1] = dpd_weight_times(part[1], whole);"
  ),
  "quantiles: windows too narrow" = c_bug(
    "mech/quantile_node.c", ctest = "quantile_node",
    from = "spare = d->rate.cut - 1 - llabs(e);",
    to = "spare = d->rate.cut - 3 - llabs(e);"
  ),
  "quantiles: rows stay in the first cell of their point" = c_bug(
    "mech/quantiles.c", ctest = "quantile",
    from = "(cell >> (CELL_BITS - m->fine.bits))",
    to = "0 * (cell >> (CELL_BITS - m->fine.bits))"
  ),
  "quantiles: a block's gaps from the first rank on" = c_bug(
    "mech/quantiles.c", ctest = "quantile",
    from = "double before = left < 0 ? 0 : s->rank[left];",
    to = "double before = 0;\n  (void)left;"
  ),
  # what both stand on
  "fine lattice: rows above the support are put on its last point" = c_bug(
    "num/fine_lattice.c", ctest = "quantile_node",
    from = "f->lattice.hi[0] + 1)",
    to = "f->lattice.hi[0])"
  ),
  "weights: drawn by their powers of two alone" = c_bug(
    "samp/weight.c", ctest = "quantile_node",
    from = "if (part < weight[found].part)",
    to = "if (part <= UINT64_MAX)"
  )
)
