# planted-regions.R - the bugs planted in the scans behind intervals and regions: a part of the table in
# planted.R.

region_bugs <- list(
  "slabs: the score at a cell's two ends for its maximum" = c_bug(
    "mech/slab_scan.c", ctest = "slab_scan",
    from = "score(m, t.lo, t.hi, enough) >= enough) halve",
    to = "(score(m, t.lo, t.lo, enough) >= enough || score(m, t.hi, t.hi, enough) >= enough)) halve"
  ),
  "slabs: ranges rounded inward" = c_bug(
    "mech/slab_scan.c", ctest = "slab_scan",
    from = "(a < b ? b : a) + m->pad[i];",
    to = "(a < b ? b : a) - m->pad[i];"
  ),
  "slabs: what lies outside a wider slab is forgotten" = c_bug(
    "mech/slab_scan.c", ctest = "slab_scan",
    from = "while (j < m->halt && score < m->cells.least[j])\n    j++;\n  return j;",
    to = "return score < m->cells.least[j] ? m->halt : j;"
  ),
  "slabs: one sign of a split" = c_bug(
    "mech/slab_scan.c", ctest = "slab_scan",
    from = "return up < down ? up : down;",
    to = "return up;"
  ),
  "slabs: a row counts for the range of the row before" = c_bug(
    "mech/slab_scan.c", ctest = "slab_scan",
    from = "m->end[k].at = ends(m, m->end[k].row);",
    to = "m->end[k].at = ends(m, m->end[k > 0 ? k - 1 : 0].row);"
  ),
  "slabs: no room for rounding" = c_bug(
    "mech/slab_scan.c", ctest = "slab_scan",
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
    from = "score(m, t.lo, t.hi, m->cells.least[t.from])",
    to = "score(m, t.lo, t.hi, enough)"
  ),
  "slabs: a group of cells without its last" = c_bug(
    "mech/slab_scan.c", ctest = "slab_scan",
    from = "double a = edge[from], b = edge[to];",
    to = "double a = edge[from], b = edge[to > from + 1 ? to - 1 : to];"
  ),
  "frames: directions without the prior's units" = c_bug(
    "mech/frames.c", ctest = "frames",
    from = "exp(mean - log(m->lattice.scale[j]))",
    to = "1"
  ),
  "frames: proposals are bounded" = c_bug(
    "mech/frames.c", ctest = "frames",
    from = "if (!is_deep(m, (size_t)level)) continue;",
    to = "if (!is_deep(m, (size_t)level) && i < 1000) continue;"
  ),
  "frames: projections beyond 2^52" = c_bug(
    "mech/frames.c", ctest = "frames",
    from = "int bits = 51 - DIRECTION_BITS",
    to = "int bits = 60 - DIRECTION_BITS"
  )
)
