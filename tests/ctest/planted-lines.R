# planted-lines.R - the bugs planted in the private lines by row cuts: a part of the table in planted.R.

line_bug <- function(file, from, to) c_bug(file, from, to, ctest = "regression_plane")

line_bugs <- list(
  # -- rows ----------------------------------------------------------------------------------------
  "lines: a slab ends a unit early" = line_bug(
    "mech/regression_whole.c", "r.gap = 2 * room;", "r.gap = 2 * room - 1;"
  ),
  "lines: a slab of one side" = line_bug(
    "mech/regression_whole.c", "rint(clamped(less_origin(w->lattice, k, y, a), beyond)) + room;",
    "rint(clamped(less_origin(w->lattice, k, y, a), beyond));"
  ),
  "lines: the lattice's origin is left out of a row" = line_bug(
    "mech/regression_whole.c", "add_product(&sum, -a[j], l->origin[j]);",
    "add_product(&sum, -a[j], 0);"
  ),
  "lines: merged rows count once" = line_bug(
    "mech/regression_plane_rows.c", "row[end - 1].count += row[i].count;", ";"
  ),
  "lines: rows with one slope are merged whatever their responses" = line_bug(
    "mech/regression_plane_rows.c", "return (a->top > b->top) - (a->top < b->top);", "return 0;"
  ),
  "lines: splits between rows with one projection" = line_bug(
    "mech/regression_plane_rows.c", "m->first[i] = i == first;", "m->first[i] = true;"
  ),
  # -- sets and bounds -----------------------------------------------------------------------------
  "lines: a set without the last run" = line_bug(
    "mech/regression_plane_sets.c",
    "below(m, term, count) ? count : 0;\n    }\n  }\n  add_run(from, from->size, &p);",
    "below(m, term, count) ? count : 0;\n    }\n  }"
  ),
  "lines: decided rows are left out of a set's counts" = line_bug(
    "mech/regression_plane_sets.c", "s->above += counts_above(m, term, count) ? count : 0;", ""
  ),
  "lines: the term of decided rows is left out of their run" = line_bug(
    "mech/regression_plane_sets.c", "      p.sum += term;\n      s->above", "      s->above"
  ),
  "lines: rows on the line of a part count above alone" = line_bug(
    "mech/regression_plane_sets.c", "below = sign != DPD_PLANE_ABOVE;", "below = sign == DPD_PLANE_BELOW;"
  ),
  "lines: a polygon's least value decides both signs" = line_bug(
    "mech/regression_plane_sets.c", "below = max[i] >= bottom;", "below = min[i] >= bottom;"
  ),
  "lines: corners between the ends of a block's slopes are dropped" = line_bug(
    "mech/regression_plane_sets.c", "bool high = b[k] > b[most[0]] && a[k] > a[most[1]];",
    "bool high = false;"
  ),
  "lines: a score without rows on the line" = line_bug(
    "mech/regression_plane_sets.c", "bool above = v <= r->top,", "bool above = v < r->top - r->gap,"
  ),
  # -- cuts ----------------------------------------------------------------------------------------
  "lines: points on a slab's border belong to two parts" = line_bug(
    "mech/regression_plane_polygons.c", "dpd_bounds_add(b, r->p, r->q, bottom - 1);",
    "dpd_bounds_add(b, r->p, r->q, bottom);"
  ),
  "lines: points beyond a slab's border belong to no part" = line_bug(
    "mech/regression_plane_polygons.c", "-r->q, -r->top - 1);", "-r->q, -r->top - 2 * r->gap - 9);"
  ),
  "lines: rows on a slab are bounded on one side" = line_bug(
    "mech/regression_plane_polygons.c", "  dpd_bounds_add(b, -r->p, -r->q, -bottom);\n", ""
  ),
  "lines: a child is missed" = line_bug(
    "mech/regression_plane_cuts.c", ".count = row < 0 ? 2 : 3,", ".count = 2,"
  ),
  "lines: a cut along an axis leaves a column out" = line_bug(
    "mech/regression_plane_polygons.c", "dpd_bounds_add(b, -x, -y, -cut - 1);",
    "dpd_bounds_add(b, -x, -y, -cut - 2);"
  ),
  "lines: a bound one too low" = line_bug(
    "mech/regression_plane_cuts.c", "out->bound = (int)bound;", "out->bound = (int)bound - 1;"
  ),
  "lines: the prior of a box's far end" = line_bug(
    "mech/regression_leaf_prior.c", "return fmin(fmax(mode, lo), hi);", "return lo;"
  ),
  "lines: corners without the last column" = line_bug(
    "mech/regression_plane_polygons.c", "if (last || !same_bound(&s[k].above, &s[k + 1].above))",
    "if (!last && !same_bound(&s[k].above, &s[k + 1].above))"
  ),
  "lines: the support's lower end is left out" = line_bug(
    "mech/regression_plane_polygons.c", "dpd_bounds_add(b, 0, -1, -(int64_t)m->prior.lattice.lo[1]);",
    "dpd_bounds_add(b, 0, -1, -(int64_t)m->prior.lattice.lo[1] + 1);"
  ),
  "lines: light parts have a bound one too low" = line_bug(
    "mech/regression_plane_cuts.c", "(dpd_rejection_part){-INFINITY, -INFINITY, c->bound};",
    "(dpd_rejection_part){-INFINITY, -INFINITY, c->bound - 1};"
  ),
  "lines: twice the rate" = line_bug(
    "mech/regression_plane.c", "m->spec.eps.num / (uint64_t)heavy}", "2 * m->spec.eps.num / (uint64_t)heavy}"
  ),
  "lines: halves are never tried" = c_bug(
    "mech/regression_plane_cuts.c", "PATIENCE = 16", "PATIENCE = 100000", ctest = "regression_plane_cuts"
  ),
  "lines: halves are taken under uniform priors alone" = c_bug(
    "mech/regression_plane_cuts.c", "if (m->node[leaf].undecided < PATIENCE) return false;",
    "if (!dpd_leaf_prior_is_uniform(&m->prior) || m->node[leaf].undecided < PATIENCE) return false;",
    ctest = "regression_plane_cuts"
  ),
  "lines: rows compete with halves" = c_bug(
    "mech/regression_plane_cuts.c", "int rows = stuck ? 0 : find_candidates", "int rows = find_candidates",
    ctest = "regression_plane_cuts"
  ),
  "lines: counts of polygons one short" = line_bug(
    "plane/lattice_polygon.c", "                    (to - from + 1));", "                    (to - from));"
  ),
  "a tree: a third part weighs nothing" = line_bug(
    "samp/rejection_tree.c", "for (int k = 0; k < b->parts; k++)\n    sum +=",
    "for (int k = 0; k < 2; k++)\n    sum +="
  )
)
