# planted-plane.R - bugs planted in exact draws in the plane: boxes, lines through points that rows share, and
# coordinates along them: a part of the table in planted.R.

plane_bugs <- list(
  "boxes of the plane: bound one too low" = c_bug(
    "depth/halfspace_box.c", ctest = "halfspace_box",
    from = "return b->n - best;",
    to = "return b->n - best - (best > 0);"
  ),
  "boxes of the plane: arcs a little too long" = c_bug(
    "depth/halfspace_box.c", ctest = "halfspace_box",
    from = "if (!(*length > 0)) return false;",
    to = "*length += 1e-3;"
  ),
  "boxes of the plane: arcs that begin after a whole turn hold the angle 0" = c_bug(
    "depth/halfspace_box.c", ctest = "halfspace_box",
    from = "if (*start >= 2 * DPD_PI) *start -= 2 * DPD_PI;",
    to = "if (*start >= 4 * DPD_PI) *start -= 2 * DPD_PI;"
  ),
  "boxes of the plane: corners without the shear" = c_bug(
    "mech/exponential_score.c", ctest = "exponential_lines",
    from = "b + s->coef[2] * a +",
    to = "b +"
  ),
  "boxes of the plane: corners without the basis' second vector" = c_bug(
    "mech/exponential_score.c", ctest = "exponential_lines",
    from = "q = s->basis[2 * j + 1] * b;",
    to = "q = s->basis[2 * j + 1] * lo[1];"
  ),
  "lines through atoms: points on the line forgotten" = c_bug(
    "mech/exponential_lines.c", ctest = "exponential_lines",
    from = "return ceil(first) <= floor(last);",
    to = "return false;"
  ),
  "lines through atoms: lines along an axis hold no point" = c_bug(
    "mech/exponential_lines.c", ctest = "exponential_lines",
    from = "if (at < lo[c] || at > hi[c]) return false;",
    to = "return false;"
  ),
  "lines through atoms: points between two atoms forgotten" = c_bug(
    "mech/exponential_lines.c", ctest = "exponential_lines",
    from = "line->step[c] /= by;",
    to = "line->step[c] /= by > 0 ? 1 : by;"
  ),
  "lines through atoms: the lesser side" = c_bug(
    "mech/exponential_lines.c", ctest = "exponential_lines",
    from = "above > below ? above : below;",
    to = "above < below ? above : below;"
  ),
  "rows at a box's upper end are not counted" = c_bug(
    "mech/exponential_bound.c", ctest = "exponential_levels",
    from = "below += y <= b ? rows : 0;",
    to = "below += y < b ? rows : 0;"
  ),
  "rows at a box's lower end are not counted" = c_bug(
    "mech/exponential_bound.c", ctest = "exponential_levels",
    from = "above += y >= a ? rows : 0;",
    to = "above += y > a ? rows : 0;"
  ),
  # coordinates along a line
  "coordinates along a line: a wrong inverse" = c_bug(
    "geom/shear.c", ctest = "exponential_frame",
    from = "-b[0] / det, -a[1] / det",
    to = "b[0] / det, -a[1] / det"
  ),
  "coordinates along a line: steps of two" = c_bug(
    "geom/shear.c", ctest = "exponential_frame",
    from = "  if (fabs(det) != 1) return false;\n",
    to = ""
  ),
  "coordinates along a line: not offered" = c_bug(
    "mech/exponential_frame.c", ctest = "exponential_frame",
    from = "if (dpd_exponential_lines_heaviest(m, &line)) offer_line(m, &line, &weight);",
    to = "(void)line;"
  ),
  "coordinates along a line: not offered after refusals" = c_bug(
    "mech/exponential_frame.c", ctest = "exponential_frame",
    from = "k < m->lines && k < TURNS",
    to = "k < 0"
  ),
  "coordinates along a line: the lines with fewest rows" = c_bug(
    "mech/exponential_lines.c", ctest = "exponential_frame",
    from = "m->through[last - 1].beside > line.beside",
    to = "m->through[last - 1].beside < line.beside"
  ),
  "coordinates along a line: each second row only" = c_bug(
    "mech/exponential_lines.c", ctest = "exponential_frame",
    from = "  return (int)(at * (uint64_t)n >> 32);",
    to = "  (void)at;\n  return i * (n / count + 1) % n;"
  ),
  "coordinates along a band: none where columns are tied" = c_bug(
    "mech/exponential_frame.c", ctest = "exponential_frame",
    from = "  from.thin = 0;\n",
    to = ""
  ),
  "coordinates along a band: about a point far from it" = c_bug(
    "geom/shear.c", ctest = "exponential_frame",
    from = "if (fabs(off[1] - s->coef[2] * off[0]) > FAR_UNITS * s->unit[1]) centre = s->middle;",
    to = "(void)off;"
  )
)
