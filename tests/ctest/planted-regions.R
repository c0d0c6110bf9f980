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
  )
)
