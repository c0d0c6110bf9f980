# planted-regions.R - the bugs planted in the scans behind intervals and regions: a part of the table in
# planted.R.

region_bugs <- list(
  "slabs: the score at a cell's two ends for its maximum" = c_bug(
    "mech/slab_scan.c", ctest = "slab_scan",
    from = "if (dpd_slab_bound_within(m->score, &t.box, fine, enough) < enough) return;",
    to = paste("dpd_slab_box a = t.box, b = t.box; a.hi[0] = a.lo[0]; b.lo[0] = b.hi[0];",
               "if (dpd_slab_bound_of(m->score, &a, enough) < enough &&",
               "dpd_slab_bound_of(m->score, &b, enough) < enough) return;")
  ),
  "slabs: ranges rounded inward" = c_bug(
    "mech/slab_bound.c", ctest = "slab_scan",
    from = "m->upper[i] = high + pad;",
    to = "m->upper[i] = high - pad;"
  ),
  "slabs: what lies outside a wider slab is forgotten" = c_bug(
    "mech/slab_scan.c", ctest = "slab_scan",
    from = "while (j < m->halt && score < m->cells.min[j])\n    j++;\n  return j;",
    to = "return score < m->cells.min[j] ? m->halt : j;"
  ),
  "slabs: one sign of a split" = c_bug(
    "mech/slab_bound.c", ctest = "slab_scan",
    from = "int now = up < down ? up : down;",
    to = "int now = up + 0 * down;"
  ),
  "slabs: a row counts for the range of the row before" = c_bug(
    "mech/slab_bound.c", ctest = "slab_scan",
    from = "m->end[k].at = ends(m, m->end[k].row);",
    to = "m->end[k].at = ends(m, m->end[k > 0 ? k - 1 : 0].row);"
  ),
  "slabs: no room for rounding" = c_bug(
    "mech/slab_bound.c", ctest = "slab_scan",
    from = "m->pad[i] = 8 * DBL_EPSILON *",
    to = "m->pad[i] = 0 * DBL_EPSILON *"
  ),
  "slabs: room for rounding by the innermost edge" = c_bug(
    "mech/slab_scan.c", ctest = "slab_scan",
    from = "fabs(cells->edge[side][0])",
    to = "fabs(cells->edge[side][cells->cells])"
  ),
  "slabs: a part's score is left off where a later cell halts" = c_bug(
    "mech/slab_scan.c", ctest = "slab_scan",
    from = "dpd_slab_bound_of(m->score, &t->box, m->cells.min[t->from])",
    to = "dpd_slab_bound_of(m->score, &t->box, min_from(m, t->from))"
  ),
  "slabs: a group of cells without its last" = c_bug(
    "mech/slab_scan.c", ctest = "slab_scan",
    from = "double a = edge[from], b = edge[to];",
    to = "double a = edge[from], b = edge[to > from + 1 ? to - 1 : to];"
  ),
  "slabs: other centres' ranges are not widened by the box" = c_bug(
    "mech/slab_bound.c", ctest = "slab_scan",
    from = "range[1] += fmax(a, b) + room",
    to = "range[1] += fmin(a, b) + room"
  ),
  "slabs: counts between events are looked at late" = c_bug(
    "mech/slab_bound.c", ctest = "slab_scan",
    from = "first = fmin(first, since);",
    to = "first = fmin(first, at);"
  ),
  "slabs: no room for the sides of parts" = c_bug(
    "mech/slab_scan.c", ctest = "slab_scan",
    from = "fine[j] = part_side(m, &t, j);",
    to = "fine[j] = 0;"
  ),
  "slabs: half the room for the sides of parts" = c_bug(
    "mech/slab_bound.c", ctest = "slab_scan",
    from = "part += fine[k] / 2 * u;",
    to = "part += fine[k] / 4 * u;"
  ),
  "slabs: bounds have less room for rounding than scores" = c_bug(
    "mech/slab_bound.c", ctest = "slab_scan",
    from = "double part = m->pad[i], size",
    to = "double part = m->pad[i] / 2, size"
  ),
  "slabs: no room for the rounding of rows about the released line" = c_bug(
    "mech/slab_bound.c", ctest = "slab_bound",
    from = "(r->room ? r->room[i] : 0)",
    to = "0 * (r->room ? r->room[i] : 0)"
  ),
  "slabs: room of the first row for all" = c_bug(
    "mech/slab_bound.c", ctest = "slab_bound",
    from = "(r->room ? r->room[i] : 0)",
    to = "(r->room ? r->room[0] : 0)"
  ),
  "slabs: one rounding for all that a bound has" = c_bug(
    "mech/slab_bound.c", ctest = "slab_bound",
    from = "(2 * r->slopes + 3) * (DBL_EPSILON / 2) : 0x1p-47",
    to = "(DBL_EPSILON / 2) : 0x1p-47"
  ),
  "slabs: quotients are not rounded" = c_bug(
    "mech/slab_bound.c", ctest = "slab_bound",
    from = "double unit = r->v[i] == 1 ?",
    to = "double unit = r->v[i] != 0 ?"
  ),
  "slabs: rounding of numbers at a box's lower limit" = c_bug(
    "mech/slab_bound.c", ctest = "slab_bound",
    from = "size += fmax(fabs(box->lo[k]), fabs(box->hi[k])) *",
    to = "size += fabs(box->lo[k]) *"
  ),
  "slabs: one part for all of its cell" = c_bug(
    "mech/slab_scan.c", ctest = "slab_scan",
    from = "if (t.from < m->halt && !is_hopeless(m, &t)) halve(m, t, k);",
    to = "if (t.from < m->halt && t.to - t.from > 1) halve(m, t, k);"
  ),
  "slabs: narrow boxes are left though they may halt the scan" = c_bug(
    "mech/slab_scan.c", ctest = "slab_scan",
    from = "return dpd_slab_bound_of(m->score, &t->box, enough) < enough;",
    to = "return dpd_slab_bound_of(m->score, &t->box, enough) <= enough;"
  ),
  "slabs: rows far from the centre are not centred" = c_bug(
    "mech/slab_bound.c", ctest = "slab_scan",
    from = "return fabs(c) * largest <= 0x1p510 ? c : 0;",
    to = "return fabs(c) * largest <= 0x1p510 ? 0 : 0;"
  ),
  "slabs: rows are split along the first direction alone" = c_bug(
    "mech/slab_bound.c", ctest = "slab_bound",
    from = "if (now < min) min = now;",
    to = "if (d == 0) min = now;"
  ),
  "slabs: other slopes at their lower limits" = c_bug(
    "mech/slab_scan.c", ctest = "slab_bound",
    from = "t->box.hi[k] = cells->high[k - 1];",
    to = "t->box.hi[k] = cells->low[k - 1];"
  ),
  "slabs: other slopes are not halved" = c_bug(
    "mech/slab_scan.c", ctest = "slab_bound",
    from = "if (change > max && can_halve(m, t, k)) {",
    to = "if (k == 0 && change > max && can_halve(m, t, k)) {"
  ),
  "slabs: other slopes have the first one's parts" = c_bug(
    "mech/slab_scan.c", ctest = "slab_bound",
    from = "fine[j] = part_side(m, &t, j);",
    to = "fine[j] = part_side(m, &t, 0);"
  ),
  "slabs: shifted counts with the other side's expectation" = c_bug(
    "mech/slab_bound.c", ctest = "slab_bound",
    from = "m->above = -n * m->rows.below;",
    to = "m->above = -n * m->rows.above;"
  ),
  "slabs: shifted counts whose trees are not shifted" = c_bug(
    "mech/slab_bound.c", ctest = "slab_bound",
    from = "m->tilt = rows->above - rows->below;",
    to = "m->tilt = 0;"
  ),
  "slabs: a row that changes sides counts once for a quantile" = c_bug(
    "mech/slab_bound.c", ctest = "slab_bound",
    from = "change(m, i, v > 0 ? -m->each : m->each);",
    to = "change(m, i, v > 0 ? -1 : 1);"
  ),
  "slabs: no score is below 0" = c_bug(
    "mech/slab_bound.c", ctest = "slab_bound",
    from = "max = INT_MIN;",
    to = "max = 0;"
  ),
  "slabs: a scan that stops for an interrupt is at its end" = c_bug(
    "mech/slab_scan.c", ctest = "slab_scan",
    from = "if (rows > BLOCK_ROWS) return DPD_AGAIN;",
    to = "if (rows > BLOCK_ROWS) break;"
  )
)
