# planted-plane.R - bugs planted in exact draws in the plane: boxes, polygons, and
# coordinates along lines: a part of the table in planted.R.

plane_bugs <- list(
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
  # polygons around depth regions
  "polygons of the plane: rows on the other side of a line" = c_bug(
    "mech/exponential_regions.c", ctest = "exponential_regions",
    from = "int ends[2] = {i, code / 2}, back = code % 2;",
    to = "int ends[2] = {i, code / 2}, back = 1 - code % 2;"
  ),
  "polygons of the plane: rows on opposite rays forgotten" = c_bug(
    "mech/exponential_regions.c", ctest = "exponential_regions",
    from = "    behind += on[1];\n",
    to = "    behind += 0;\n"
  ),
  "polygons of the plane: rows on a line are beside it" = c_bug(
    "mech/exponential_regions.c", ctest = "exponential_regions",
    from = "    ahead -= on[0];\n    int all = on[0] + on[1] + r->point[i].rows, left = ahead + behind;",
    to = "    int all = on[0] + on[1] + r->point[i].rows, left = ahead + behind;\n    ahead -= on[0];"
  ),
  "polygons of the plane: along an axis the other side" = c_bug(
    "mech/exponential_regions.c", ctest = "exponential_regions",
    from = "j == 0 ? more : less}, on);",
    to = "j == 0 ? less : more}, on);"
  ),
  "polygons of the plane: a level too deep" = c_bug(
    "mech/exponential_regions.c", ctest = "exponential_regions",
    from = "r->side[end].beside < level)",
    to = "r->side[end].beside <= level)"
  ),
  "polygons of the plane: several levels of one polygon are not told apart" = c_bug(
    "mech/exponential_regions.c", ctest = "exponential_regions",
    from = "if (kept && (level == 0 || dpd_exponential_score(m, z) >= level)) return DPD_OK;",
    to = "if (kept) return DPD_OK;"
  ),
  "polygons of the plane: a level drawn from the polygon before its own" = c_bug(
    "mech/exponential_regions.c", ctest = "exponential_regions",
    from = "if (r->first[mid] <= level)",
    to = "if (r->first[mid] < level)"
  ),
  "polygons of the plane: the prior within a level forgotten" = c_bug(
    "mech/exponential_regions.c", ctest = "exponential_regions",
    from = "fmin(1, exp(log_prior - r->log_prior[run]))",
    to = "1"
  ),
  "polygons of the plane: the prior between levels forgotten" = c_bug(
    "mech/exponential_regions.c", ctest = "exponential_regions",
    from = "frexp(exp(r->log_prior[run]), &power)",
    to = "frexp(1, &power)"
  ),
  "polygons of the plane: a bound of the prior that is too low" = c_bug(
    "mech/exponential_density.c", ctest = "exponential_regions",
    from = "    most[1] = all;\n",
    to = "    most[1] = most[0];\n"
  ),
  "polygons of the plane: the prior bounded by one box" = c_bug(
    "mech/exponential_density.c", ctest = "exponential_regions",
    from = "#define GAP 0.25",
    to = "#define GAP 1000"
  ),
  "polygons of the plane: the prior bounded over columns without points" = c_bug(
    "mech/exponential_density.c", ctest = "exponential_regions",
    from = " || dpd_strip_count(s, from, to) == 0) return;",
    to = ") return;"
  ),
  "polygons of the plane: the prior bounded over half the columns" = c_bug(
    "mech/exponential_density.c", ctest = "exponential_regions",
    from = "for (int k = 0; k < 2; k++)",
    to = "for (int k = 0; k < 1; k++)"
  ),
  "columns of a strip: the greatest height at the wrong end" = c_bug(
    "plane/lattice_polygon.c", ctest = "exponential_regions",
    from = "above[0] > above[1] ? above[0] : above[1]",
    to = "above[0] > above[1] ? above[1] : above[0]"
  ),
  "polygons of the plane: equal rows of a tally counted once" = c_bug(
    "mech/exponential_regions.c", ctest = "exponential_regions",
    from = "p[r->points - 1].rows += p[i].rows;",
    to = "p[r->points - 1].rows += 1;"
  ),
  "polygons of the plane: lines with two rows left out" = c_bug(
    "mech/exponential_regions.c", ctest = "exponential_regions",
    from = "level > s.beside + on ||",
    to = "level > s.beside + on - 2 ||"
  ),
  "polygons of the plane: bounds of the last polygon only" = c_bug(
    "mech/exponential_regions.c", ctest = "exponential_regions",
    from = "r->side[r->kept++] = r->side[from];",
    to = "r->side[(r->kept = from) - from] = r->side[from];"
  ),
  "polygons of the plane: deepest level left out" = c_bug(
    "mech/exponential_regions.c", ctest = "exponential_regions",
    from = "if (empty) r->levels.count = level;",
    to = "if (empty) r->levels.count = level - 1;"
  ),
  "polygons of the plane: never looked for" = c_bug(
    "mech/exponential.c", ctest = "exponential_regions",
    from = "dpd_exponential_regions_open(m, most, &m->effort.counted)",
    to = "dpd_exponential_regions_open(m, 0 * most, &m->effort.counted)"
  ),
  "polygons of the plane: bounds that are left are forgotten" = c_bug(
    "plane/lattice_polygon.c", ctest = "exponential_regions",
    from = "  b->n_below = n_below;\n",
    to = "  b->n_below = n_below > 1 ? n_below - 1 : 1;\n"
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
    from = "    offer_line(m, &weight);",
    to = "    (void)weight;"
  ),


  "coordinates along a line: each second row only" = c_bug(
    "mech/exponential_frame.c", ctest = "exponential_frame",
    from = "  return (int)(at * (uint64_t)n >> 32);",
    to = "  (void)at;\n  return i * (n / count + 1) % n;"
  ),

  "coordinates along a band: about a point far from it" = c_bug(
    "geom/shear.c", ctest = "exponential_frame",
    from = "if (fabs(off[1] - s->coef[2] * off[0]) > FAR_UNITS * s->unit[1]) centre = s->middle;",
    to = "(void)off;"
  ),
  "circles end one row too soon" = c_bug(
    "depth/halfspace_3d.c", ctest = "sphere_bound",
    from = "s->bound[i] >= best) break;",
    to = "s->bound[i] >= best - 8) break;"
  )
)
