# planted-tally.R - bugs planted where kernels count the entries of a tally: a part of the table in planted.R.
tally_bugs <- list(
  "tally: runs end by entries" =
    c_bug("num/tally.c", "    sum += x[i].count;\n    if", "    sum += 1;\n    if", ctest = "tally"),
  "tally: ranks by entries" =
    c_bug("num/tally.c", "      sum += sorted[++i].count;", "      i++, sum++;", ctest = "tally"),
  "tally: an entry one row too early" =
    c_bug("num/tally.c", "if (end[mid] > i)", "if (end[mid] >= i)", ctest = "tally"),
  "tally: a level from the beginning of its run" =
    c_bug("samp/level.c", "return first_of(l, r) + from + (int)place;",
          "return first_of(l, r) + (int)place;", ctest = "tally"),
  "levels: the logarithm of the first of four numbers for all" =
    c_bug("samp/level.c", "bits += digits[place];", "bits += digits[0];", ctest = "level"),
  "tally: a change of boxes from above is passed" =
    c_bug("mech/axes.c", "upper_rank(m, 0) - end};", "1};", ctest = "tally"),
  "tally: a run of levels holds those without a limit, too" =
    c_bug("mech/axes.c", "for (int i = -1; i < m->of[j].size", "for (int i = 0; i < m->of[j].size",
          ctest = "tally"),
  "tally: one cell for all rows of an entry" =
    c_bug("mech/quantiles.c", "k = dpd_tally_count(t, i); k > 0;", "k = dpd_tally_count(t, i) > 0; k > 0;",
          ctest = "tally"),
  "tally: rows along an axis without counts" =
    c_bug("mech/axes.c", "x[i].count = t->count[i];", "x[i].count = 1 + 0 * t->count[i];",
          ctest = "tally"),
  "tally: a scan's rows without counts" =
    c_bug("mech/interval.c", "m->spec.data[i]), t->count[i]};", "m->spec.data[i]), 1 + 0 * t->count[i]};",
          ctest = "tally"),
  "tally: one side along a direction without counts" =
    c_bug("num/rank_window.c", "ge += y >= t ? rows : 0;", "ge += y >= t;", ctest = "tally"),
  "tally: order statistics of projections without counts" =
    c_bug("num/rank_fill.c", "p->tally->count[i]};", "1};", ctest = "tally"),
  "tally: buckets without counts" =
    c_bug("depth/halfspace_2d.c", "tally[s->code[i]] += dpd_plane_count(&s->k.q, i);",
          "tally[s->code[i]]++;", ctest = "tally"),
  "tally: rays without counts" =
    c_bug("plane/angle_sweep.c", "at->f += r->sign ? rows_of(s, r) : -rows_of(s, r);",
          "at->f += r->sign ? 1 : -1;", ctest = "tally"),
  "tally: multiples in space without counts" =
    c_bug("depth/halfspace_3d.c", "same) ? rows_of(s, j) : 0;\n  }\n  return",
          "same);\n  }\n  return",
          ctest = "tally"),
  "tally: sums along a direction by entries" =
    c_bug("mech/score_integrated.c", "end[i] = sum += work[i].count;", "end[i] = sum += 1;",
          ctest = "tally"),
  "tally: a part that may hold less is passed over" =
    c_bug("plane/angle_sweep.c", "rise += r[i].sign ? rows : 0;", "rise += r[i].sign;", ctest = "tally"),
  "tally: a level is that of entries" =
    c_bug("mech/axes.c", ".count = m->down + m->up + 1,",
          ".count = spec->tally != NULL ? spec->tally->size + 1 : m->down + m->up + 1,", ctest = "tally"),
  "tally: active rows with the counts of others" =
    c_bug("mech/regression_active.c", "a->counts[to] = from->count[i];", "a->counts[to] = from->count[to];",
          ctest = "tally"),
  "tally: moves of a fit without counts" =
    c_bug("mech/regression_active.c", "a->term[i] = rows * (", "a->term[i] = (", ctest = "tally"),
  "tally: rows above a fit without counts" =
    c_bug("mech/regression_active.c", "sum[0] += above ? rows : 0;", "sum[0] += above;", ctest = "tally"),
  "tally: rows beside the active ones without counts" =
    c_bug("mech/regression_active.c", "rows * (m->weights.up + m->weights.shift) ? rows : 0;",
          "rows * (m->weights.up + m->weights.shift);", ctest = "tally")
)
