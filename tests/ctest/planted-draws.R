# planted-draws.R - bugs planted in the private regression, boxes, bounds and trees: a part of the table in
# planted.R.
exact_draw_bugs <- list(
  "active rows: the run's bottom" = c_bug(
    "mech/regression_runs.c", ctest = "regression",
    from = "(dpd_passage){a->run[at], a->run_top[at], a->run_bottom[at]}",
    to = "(dpd_passage){a->run[at], a->run_top[at], DPD_NO_SPLIT}"
  ),
  "active rows: rows above are forgotten" = c_bug(
    "mech/regression_active.c", ctest = "regression",
    from = "a->above += term == rows * (m->weights.up + m->weights.shift) ? rows : 0;",
    to = ""
  ),
  "active rows: beyond its box above" = c_bug(
    "mech/regression_active.c", ctest = "regression",
    from = "if (lo[j] < a->lo[j] || hi[j] > a->hi[j]) return false;",
    to = "if (lo[j] < a->lo[j]) return false;"
  ),
  "active rows: rows of no move only" = c_bug(
    "mech/regression_runs.c", ctest = "regression",
    from = "  add_run(a, at + (size_t)size, p);\n}",
    to = "}"
  ),
  "regression's bounds without slack" = c_bug(
    "mech/regression_active.c", ctest = "regression",
    from = "is_above = y[i] >= min[i] - slack[i], is_below = y[i] <= max[i] + slack[i];",
    to = "is_above = y[i] >= min[i], is_below = y[i] <= max[i];\n    (void)slack;"
  ),
  "regression's bound: one too low" = c_bug(
    "mech/regression.c", ctest = "regression",
    from = "  *score = bound < cap ? (int)bound : cap;",
    to = "  *score = (bound < cap ? (int)bound : cap) - 1;"
  ),
  "regression's bound: cap of n for weights" = c_bug(
    "mech/regression.c", ctest = "regression",
    from = ".cap = heavy * m->spec.n,",
    to = ".cap = m->spec.n,"
  ),
  "regression's bound: forms without the origin" = c_bug(
    "mech/regression_rows.c", ctest = "regression",
    from = "      base += a[j] * l->origin[j];\n",
    to = ""
  ),
  "regression's acceptance: above only" = c_bug(
    "mech/regression_runs.c", ctest = "regression",
    from = ">= t) continue;",
    to = ">= t - 1) continue;"
  ),
  "regression's acceptance: half the directions" = c_bug(
    "mech/regression_runs.c", ctest = "regression",
    from = "  for (int u = 0; u < m->spec.count; u++) {\n    int v = m->first[u];",
    to = "  for (int u = 0; 2 * u < m->spec.count; u++) {\n    int v = m->first[u];"
  ),
  "weights swapped" = c_bug(
    "mech/regression_active.c", ctest = "regression",
    from = "(above ? w->up : 0) - (below ? w->down : 0)",
    to = "(above ? w->down : 0) - (below ? w->up : 0)"
  ),
  "shifted weights: the sensitivity of others" = c_bug(
    "mech/regression.c", ctest = "regression",
    from = "spec->shifted ? 2 * heavier : heavier;",
    to = "heavier;"
  ),
  "shifted weights: without the splits' expectation" = c_bug(
    "mech/regression.c", ctest = "regression",
    from = "w.shift = above - below;",
    to = "w.shift = 0;"
  ),
  "shifted weights: expected the other way round" = c_bug(
    "mech/regression.c", ctest = "regression",
    from = "(int64_t)spec->n * (heavier - below)",
    to = "(int64_t)spec->n * (heavier - above)"
  ),
  "prior bound at the box's first end" = c_bug(
    "num/lattice.c", ctest = "regression",
    from = "fmin(fmax(l->mean[j], lo[j]), hi[j])",
    to = "lo[j]"
  ),
  "rate rounded up for heavy" = c_bug(
    "mech/regression.c", ctest = "regression",
    from = "m->spec.eps.num / (uint64_t)heavy;",
    to = "m->spec.eps.num / (uint64_t)m->spec.above;"
  ),
  "begin anew forgets" = c_bug(
    "mech/regression.c", ctest = "regression",
    from = "  m->levels = 0;\n  m->proposals",
    to = "  m->proposals"
  ),
  # boxes, axes
  "nested boxes: a point of level 0's end" = c_bug(
    "mech/boxes.c", test = "the code's weights are the law's",
    from = "return (double)((int64_t)b->ends.low[b->axis + (size_t)level]",
    to = "(void)level;\n  return (double)((int64_t)b->ends.low[b->axis]"
  ),
  "along the axes: upper end one rank in" = c_bug(
    "mech/axes.c", ctest = "axes",
    from = "m->to = row_at(m, high);",
    to = "m->to = row_at(m, high - (level > 1 && level < n));"
  ),
  "along the axes: the level of no draw" = c_bug(
    "mech/boxes.c", ctest = "axes",
    from = "m->drawn = m->level;",
    to = "m->drawn = 0;"
  ),
  "projections: mirror image a rank in" = c_bug(
    "num/rank_fill.c", ctest = "rank_fill",
    from = "dpd_runs_row(r, w->from->n + 1 - t);",
    to = "dpd_runs_row(r, w->from->n + 1 - t - (t < w->from->n));"
  ),
  "projections: rows that tie on one side alone" = c_bug(
    "num/tally.c", ctest = "rank_fill",
    from = "r->value[from] == t ? r->end[from] : less;",
    to = "r->value[from] == t ? less : less;"
  ),
  "projections: rows that tie below are not above" = c_bug(
    "num/tally.c", ctest = "rank_fill",
    from = "*above = r->end[r->size - 1] - less;",
    to = "*above = r->end[r->size - 1] - *below;"
  ),
  "quantile: the level above the one drawn" = c_bug(
    "mech/axes.c", ctest = "boxes",
    from = "level > 0 ? level - down : INT_MIN",
    to = "level > 0 ? level - down + 1 : INT_MIN"
  ),
  "along the axes: dyadic point one before" = c_bug(
    "num/prior_mass.c", ctest = "axes",
    from = "    if (mass_before(m, mid) <= t)\n",
    to = "    if (mass_before(m, mid) < t)\n"
  ),
  "ranks of projections: brackets that begin too late" =
    c_bug("num/rank_fill.c", "first < band->below || ", "", ctest = "rank_fill"),
  "ranks of projections: brackets that end too early" =
    c_bug("num/rank_fill.c", " || last >= band->below + band->kept", "", ctest = "rank_fill"),
  "ranks of projections: bands without their last rows" =
    c_bug("num/rank_fill.c", "if (band->lost || ", "if (", ctest = "rank_fill"),
  "ranks of projections: two bands that share the middle rank" =
    c_bug("num/rank_fill.c", "if (2 * high < n) return", "if (2 * high < n + 2) return", ctest = "rank_fill"),
  "ranks of projections: what sorts lies where a band is" =
    c_bug("num/rank_fill.c", "work + room_of_bands((size_t)p->n) - f->room;", "work;", ctest = "rank_fill"),
  "ranks of projections: directions beyond the last" =
    c_bug("num/rank_fill.c", "end - u < by ? end - u : by", "by", ctest = "rank_fill"),
  "sides of projections: more rows than a tile has room for" =
    c_bug("num/project_tile.c", "((size_t)d + DPD_TILE_DIRECTIONS);", "((size_t)d + 1);",
          ctest = "project_tile"),
  "sides of projections: those of the last rows" =
    c_bug("num/project_tile.c", "sides[u].above += above;", "sides[u].above = above;",
          ctest = "project_tile"),
  "along the axes: level drawn anew for each axis" = c_bug(
    "mech/boxes.c", ctest = "axes",
    from = "if (m->level < 0) DPD_TRY",
    to = "DPD_TRY"
  ),
  "along the axes: a tally's draw by the prior of another axis" = c_bug(
    "mech/axes.c", ctest = "tally",
    from = "  dpd_mass_set(&m->mass, &m->lattice, j);\n",
    to = "  if (m->of == NULL || level < 0) dpd_mass_set(&m->mass, &m->lattice, j);\n"
  ),
  "along the axes: a draw from the ranks of the axis that was sorted last" = c_bug(
    "mech/axes.c", ctest = "axes",
    from = "(m->sorted && m->axis == j);",
    to = "m->sorted;"
  ),
  "bounds of points below the window: one too low" = c_bug(
    "mech/exponential_bound.c", ctest = "exponential_window",
    from = "*score = m->window.low - 1;",
    to = "*score = m->window.low - 2;"
  ),
  # exponential levels
  "boxes of depths: lower end a step up" = c_bug(
    "mech/exponential_levels.c", ctest = "exponential_levels",
    from = "ceil(constant - most - off)",
    to = "ceil(constant - most - off) + 1"
  ),
  "boxes of depths: off forgotten" = c_bug(
    "mech/exponential_levels.c", ctest = "exponential_levels",
    from = "floor(constant + most + off) : ceil(constant - most - off)",
    to = "floor(constant + most) : ceil(constant - most)"
  ),
  "boxes of depths: cap one too low" = c_bug(
    "mech/exponential_levels.c", ctest = "exponential_levels",
    from = "mid * w->stride - 1;",
    to = "mid * w->stride - 2;"
  ),
  "boxes of depths: touching boxes miss" = c_bug(
    "mech/exponential_levels.c", ctest = "exponential_levels",
    from = "if (hi[j] < a[j] ||",
    to = "if (hi[j] <= a[j] ||"
  ),
  "polytope: upper halfspaces a norm too near" = c_bug(
    "mech/exponential_polytope.c", ctest = "exponential_levels",
    from = "(hi[u] - at) / norm;",
    to = "(hi[u] - at) / norm * 0.99;"
  ),
  # how far locations and scales move
  "a spread moves as its upper end alone" = c_bug(
    "margin/location.c", ctest = "location",
    from = "up > down ? up : down;", to = "up;"
  ),
  "a spread moves as its lower end alone" = c_bug(
    "margin/location.c", ctest = "location",
    from = "up > down ? up : down;", to = "down;"
  ),
  "an order statistic moves by one step less" = c_bug(
    "margin/location.c", ctest = "location",
    from = "double gap = high[t] - low[t - K];", to = "double gap = high[t] - low[t - K + (t < K)];"
  ),
  "an order statistic's first move is left out" = c_bug(
    "margin/location.c", ctest = "location",
    from = "for (int t = 0; t <= K; t++)", to = "for (int t = 1; t <= K; t++)"
  ),
  "the least spread is not sought at both ends" = c_bug(
    "margin/location.c", ctest = "location",
    from = "for (int s = 0; s <= K; s++)", to = "for (int s = 1; s < K; s++)"
  ),
  "a trimmed mean's bound is that of one replacement" = c_bug(
    "margin/location.c", ctest = "location",
    from = "up += (high[K] - low[K - 1]) / kept;", to = "up = (high[K] - low[K - 1]) / kept;"
  ),
  "a trimmed mean's lower bound begins at the next row" = c_bug(
    "margin/location.c", ctest = "location",
    from = "down += (high[1 - K] - low[-K]) / kept;", to = "down += (high[1 - K] - low[1 - K]) / kept;"
  ),
  # deviation
  "trimmed deviation: last window" = c_bug(
    "margin/deviation.c", ctest = "deviation",
    from = "from <= K; from++",
    to = "from < K; from++"
  ),
  "trimmed deviation: direct bound without rounding" = c_bug(
    "margin/deviation.c", ctest = "deviation",
    from = " - 8 * K * error;",
    to = ";\n    (void)error;"
  ),
  "trimmed deviation: the move of one number without rounding" = c_bug(
    "margin/deviation.c", ctest = "deviation",
    from = "most / kept * shift + 2 * error",
    to = "most / kept * shift"
  ),
  # least squares
  "a row in two batches" = c_bug(
    "r/glue_least_squares.c", test = "fits are least squares of each batch",
    from = "t->order[b + i * t->count] - 1;",
    to = "t->order[b + i * t->count - (i == 0 && b > 0)] - 1;"
  ),
  "the fit before stands for none" = c_bug(
    "r/glue_least_squares.c", test = "batches without a fit of their own",
    from = "fine ? beta[j] : REAL(constant)[j];",
    to = "fine || b > 0 ? beta[j] : REAL(constant)[j];"
  ),
  "rank rule: none" = c_bug(
    "num/least_squares.c", test = "batches without a fit of their own",
    from = "if (!(rest > RANK_TOLERANCE * size)) return false;",
    to = "(void)size;"
  ),
  "undetermined coefficients: those of the columns left out alone" = c_bug(
    "num/least_squares.c", test = "coefficients that a batch does not determine",
    from = "if (!(fabs(t->part[i]) <= DEPENDENT)) known[t->pivot[i]] = false;",
    to = "(void)t->part[i];"
  ),
  "undetermined coefficients: 0 for those" = c_bug(
    "r/glue_least_squares.c", test = "coefficients that a batch does not determine",
    from = "if (!t->known[j]) beta[j] = t->constant[j];",
    to = "if (!t->known[j]) beta[j] = 0;"
  ),
  # restricted axes margin
  "along the axes: inner of the next level" = c_bug(
    "margin/restricted_axes.c", audit = "restricted_axes_is_wrong()",
    from = "log_inner(s, l, k) + s->eps",
    to = "log_inner(s, next, k) + s->eps"
  ),
  "along the axes: step of the whole weight" = c_bug(
    "margin/restricted_axes.c", test = "bounds are the formula's, for ties",
    from = "double term = log_inner(s, l, k) + s->eps * (l - s->level) / 2 + step;",
    to = "double term = log_inner(s, l, k) + s->eps * (l - s->level) / 2;\n    (void)step;"
  ),
  "along the axes: a level of the margin more" = c_bug(
    "margin/restricted_axes.c", test = "margins are counts of safe levels",
    from = "      safe = k + 1;",
    to = "      safe = k + 1 + (k == unsafe - 1);"
  ),
  # tree
  "tree of boxes: sums of the nearest only" = c_bug(
    "samp/rejection_tree.c", ctest = "adaptive_rejection",
    from = "for (int a = j; a >= 0; a",
    to = "for (int a = j; a == j && a >= 0; a"
  ),
  "tree of boxes: sides without their last point" = c_bug(
    "samp/rejection_tree.c", ctest = "adaptive_rejection",
    from = "b->log_count += log(hi[k] - lo[k] + 1);",
    to = "b->log_count += log(fmax(hi[k] - lo[k], 1));"
  ),
  "a tree in the memory of another is carved where that was" = c_bug(
    "samp/rejection_tree.c", ctest = "adaptive_rejection",
    from = "                       .room = t->room,",
    to = "                       .room = t->room,\n                       .core = t->core,"
  ),
  "a box is cut across a side of one point" = c_bug(
    "samp/rejection_tree.c", ctest = "adaptive_rejection",
    from = "if (axis >= 0 && hi[axis] > lo[axis]) return axis;",
    to = "if (axis >= 0) return axis;"
  ),
  "a single point is cut" = c_bug(
    "samp/rejection_tree.c", ctest = "adaptive_rejection",
    from = "return axis;\n  axis = -1;",
    to = "return axis;"
  )
)
