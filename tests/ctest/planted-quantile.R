# planted-quantile.R - privacy bugs planted in the C files of quantiles; see planted.R.

quantile_bugs <- list(
  # one
  "quantile: the rate is not halved" = c_bug(
    "mech/boxes.c", ctest = "boxes",
    from = "dpd_u128 step = dpd_level_step(s->eps);",
    to = "dpd_u128 step = 2 * dpd_level_step(s->eps);"
  ),
  "quantile: a rank too many" = c_bug(
    "mech/axes.c", ctest = "boxes",
    from = "return m->spec.n + 1 - m->spec.above",
    to = "return m->spec.n - m->spec.above"
  ),
  "quantile: the weight of the mass before the one" = c_bug(
    "mech/boxes.c", ctest = "boxes",
    from = "dpd_product_times(m->product + r, mass);",
    to = "dpd_product_times(m->product + r, mass > 1 ? mass - 1 : 1);"
  ),
  "quantile: levels end with the quantile" = c_bug(
    "mech/axes.c", ctest = "boxes",
    from = ".count = m->down + m->up + 1,",
    to = ".count = m->down + 1,"
  ),
  "median of one variable: rows beyond the support count at its ends" = c_bug(
    "mech/axes.c", ctest = "boxes",
    from = "  if (!m->spec.to_ends) return at;\n",
    to = ""
  ),
  "quantile: rows beyond the support stay there" = c_bug(
    "mech/axes.c", ctest = "boxes",
    from = "if (!m->spec.to_ends) return at;",
    to = "return at;"
  ),
  "quantile: scores are cut ten times as near" = c_bug(
    "mech/axes.c", ctest = "boxes",
    from = "#define REACH 170.0",
    to = "#define REACH 17.0"
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
    "num/sort.c", ctest = "quantile_node",
    from = "if (x[mid] <= z)",
    to = "if (x[mid] < z)"
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
    "mech/quantiles.c", ctest = "quantiles",
    from = "(cell >> (CELL_BITS - m->fine.bits))",
    to = "0 * (cell >> (CELL_BITS - m->fine.bits))"
  ),
  "quantiles: a block's gaps from the first rank on" = c_bug(
    "mech/quantiles.c", ctest = "quantiles",
    from = "double before = left < 0 ? 0 : s->rank[left];",
    to = "double before = 0;\n  (void)left;"
  ),
  # what both stand on
  "fine lattice: rows above the support are put on its last point" = c_bug(
    "num/fine_lattice.c", ctest = "quantile_node",
    from = "f->lattice.hi[0] + 1)",
    to = "f->lattice.hi[0])"
  ),
  "weights: one coin less" =
    c_bug("samp/weight.c", "ok && coins > 0;", "ok && coins > 1;", ctest = "quantile_node"),
  "weights: drawn by their powers of two alone" = c_bug(
    "samp/weight.c", ctest = "quantile_node",
    from = "if (part < weight[found].part)",
    to = "if (part <= UINT64_MAX)"
  ),
  "quantile: order statistics of the outer levels are not looked for" = c_bug(
    "mech/axes.c", ctest = "boxes",
    from = "n, m->lo, m->hi, m->column, m->work);",
    to = "n, m->lo + 4, m->hi, m->column, m->work);"
  ),
  "quantiles: each node at the first one's rate" =
    c_bug("mech/quantiles.c", ".rate = m->rate[v]};", ".rate = m->rate[0]};", ctest = "quantiles"),
  "quantiles: a private size moves the cut of all nodes" = c_bug(
    "mech/quantiles.c", ctest = "quantiles",
    from = "spec->size[v], spec->public_n, m->fine.bits",
    to = "spec->size[v], spec->n, m->fine.bits"
  ),
  "quantiles: a node's stretch begins with the support" = c_bug(
    "mech/quantiles.c", ctest = "quantiles",
    from = ".from = left < 0 ? m->fine.first : m->z[left],",
    to = ".from = m->fine.first,"
  ),
  "quantiles: a node's stretch ends with the support" = c_bug(
    "mech/quantiles.c", ctest = "quantiles",
    from = ".to = right < s->m ? m->z[right] : m->fine.last,",
    to = ".to = m->fine.last,"
  ),
  "quantiles: ranks of n - 1 rows" =
    c_bug("mech/quantiles.c", "s->rank[right] : s->n;", "s->rank[right] : s->n - 1;", ctest = "quantiles"),
  "quantiles: a row before the stretch counts" = c_bug(
    "mech/quantiles.c", ctest = "quantiles",
    from = "int64_t first = left < 0 ? 0 : rows_to(m, m->z[left]);",
    to = "int64_t first = left < 0 ? 0 : rows_to(m, m->z[left]) - (rows_to(m, m->z[left]) > 0);"
  ),
  "quantiles: nothing beyond the cut where v may be the cut" = c_bug(
    "mech/quantile_node.c", ctest = "quantile_node",
    from = "d->rate.cut > most ? dpd_weight_zero()",
    to = "d->rate.cut >= most ? dpd_weight_zero()"
  ),
  "quantiles: q is rounded to nearest" =
    c_bug("mech/quantile_node.c", "exp(-h) * (1 + 0x1p-50)", "exp(-h)", ctest = "quantile_node"),
  "quantiles: windows from the start alone, rows too few" = c_bug(
    "mech/quantile_node.c", ctest = "quantile_node",
    from = "sum + (e < 0 ? e : 0) - spare / 2",
    to = "sum - spare / 2"
  ),
  "quantiles: windows from the start alone, rows too many" = c_bug(
    "mech/quantile_node.c", ctest = "quantile_node",
    from = "sum + (e > 0 ? e : 0) + spare / 2",
    to = "sum + spare / 2"
  ),
  "quantile: a drawn level counted from the lowest" = c_bug(
    "mech/axes.c", ctest = "boxes",
    from = "return level > 0 ? level - down : INT_MIN;",
    to = "return level > 0 ? level : INT_MIN;"
  ),
  "quantiles: beyond the cut from the whole support" = c_bug(
    "mech/quantile_node.c", ctest = "quantile_node",
    from = "const int64_t ends[2] = {d->from, d->to};",
    to = "const int64_t ends[2] = {d->fine->first, d->fine->last};"
  )
)
