# planted-fits.R - the bugs planted in growing lists and in regions of fits: a part of the table in planted.R.

fit_bugs <- list(
  "the size of a list wraps" = c_bug(
    "num/list.c", ctest = "list",
    from = "room <= most ? realloc(l->item, room * size) : NULL",
    to = "realloc(l->item, room * size)"
  ),
  "a list that failed goes on" = c_bug(
    "num/list.c", ctest = "list",
    from = "  if (l->failed) return DPD_ERR_MEMORY;\n  if (count",
    to = "  if (count"
  ),
  "rows of one x are split" = c_bug(
    "median/regression_regions.c", ctest = "regression_regions",
    from = "if (i == 0 || rows[i] != rows[i - 1]) r->groups++;",
    to = "r->groups++;"
  ),
  "rows on the fit do not count" = c_bug(
    "depth/regression_signs.c", ctest = "regression_regions",
    from = "return s->n - s->above - s->below + (up < down ? up : down);",
    to = "return up < down ? up : down;"
  ),
  "one side of the fit only" = c_bug(
    "depth/regression_signs.c", ctest = "regression_regions",
    from = "(up < down ? up : down);",
    to = "up;"
  ),
  "an unbounded level is taken for bounded" = c_bug(
    "median/regression_regions.c", ctest = "regression_regions",
    from = "r->unbounded = w->unbounded;",
    to = "r->unbounded = w->unbounded - 1;"
  ),
  "lines that cross in a column count more than once" = c_bug(
    "median/regression_regions.c", ctest = "regression_regions",
    from = "if (!odd && w->at[c].row > i) {",
    to = "if (!odd) {"
  ),
  "a column of a crossing counts as one between crossings, too" = c_bug(
    "median/regression_regions.c", ctest = "regression_regions",
    from = "s.to = odd ? column : column - 1;",
    to = "s.to = column;"
  ),
  "slopes of crossings are rounded toward zero" = c_bug(
    "median/regression_regions.c", ctest = "regression_regions",
    from = "if ((rest < 0) != (dx < 0)) whole--;",
    to = ""
  ),
  "equal rows count as many lines" = c_bug(
    "median/regression_regions.c", ctest = "regression_regions",
    from = "if (i == 0 || !same_row(r, i, i - 1)) walk_line",
    to = "walk_line"
  ),
  "a level's fits without those above it" = c_bug(
    "median/regression_regions.c", ctest = "regression_regions",
    from = "dpd_big_add(r->count[h].limb, r->count[h + 1].limb, LIMBS);",
    to = ""
  ),
  "intercepts of a product that overflows" = c_bug(
    "median/regression_regions.c", ctest = "regression_regions",
    from = "dpd_big_set(term, LIMBS, y * columns);",
    to = "dpd_big_set(term, LIMBS, (int64_t)(y * columns));"
  ),
  "the last fit of a column is the first of the next" = c_bug(
    "median/regression_pick.c", ctest = "regression_regions",
    from = "if (dpd_big_sign(sum, LIMBS) > 0)",
    to = "if (dpd_big_sign(sum, LIMBS) >= 0)"
  ),
  "fits between two lines, whatever their depth" = c_bug(
    "median/regression_pick.c", ctest = "regression_regions",
    from = "if (end == s->n || dpd_signs_depth(s) < level) continue;",
    to = "if (end == s->n) continue;"
  ),
  "a fit's number may be one too large" = c_bug(
    "mech/regression_restricted.c", ctest = "regression_regions",
    from = "while (dpd_big_sign(rest, LIMBS) >= 0);",
    to = "while (dpd_big_sign(rest, LIMBS) > 0);"
  ),
  "the restricted regression's draw at twice epsilon" = c_bug(
    "mech/regression_restricted.c", audit = "restricted_fit_draw_is_wrong()",
    from = "dpd_u128 step = dpd_level_step(eps);",
    to = "dpd_u128 step = 2 * dpd_level_step(eps);"
  ),
  "the base level with the factor of the others" = c_bug(
    "mech/regression_restricted.c", audit = "restricted_fit_draw_is_wrong()",
    from = "  dpd_levels_settle(",
    to = "  product[0].whole += (int64_t)(dpd_level_offset(step) >> 60);\n  dpd_levels_settle("
  ),
  "a level's fits are those of the base level" = c_bug(
    "mech/regression_restricted.c", audit = "restricted_fit_draw_is_wrong()",
    from = "m->level = m->base + above;",
    to = "m->level = m->base;"
  )
)
