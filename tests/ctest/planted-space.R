# planted-space.R - bugs planted in private planes by row cuts, in whole rows and where boxes hand
# over: a part of the table in planted.R.

space_bug <- function(file, from, to, ctest = "regression_space") {
  c_bug(paste0(file, ".c"), from = from, to = to, ctest = ctest)
}

space_bugs <- list(
  # rows as whole numbers
  "whole rows: the power of two of another coordinate" = space_bug(
    "mech/regression_whole", "power[j] - top + w->bits", "power[0] - top + w->bits",
    ctest = "regression_whole"
  ),
  "whole rows: a response that is far is forgotten" = space_bug(
    "mech/regression_whole", "clamped(ldexp(y, w->bits - top), MOST_RESPONSE)",
    "fmod(ldexp(y, w->bits - top), 16)",
    ctest = "regression_whole"
  ),
  "whole rows: rows of zeros are on every fit" = space_bug(
    "mech/regression_whole", "zero ? (y > 0) - (y < 0)", "zero ? 0", ctest = "regression_whole"
  ),
  "boxes: what whole rows are off by is left out" = space_bug(
    "mech/regression_active", "slack[i] + off * unit[i]", "slack[i]", ctest = "regression_whole"
  ),
  "boxes: steps of a coordinate's one candidate overflow" = space_bug(
    "mech/regression_rows", "far > 0 ? far : m->lattice.step[j]", "far > 0 ? far : 1",
    ctest = "regression_whole"
  ),
  "boxes: signs of three coefficients by doubles" = space_bug(
    "mech/regression_active", "  if (a->whole != NULL) {\n    whole_terms_point",
    "  if (m == NULL) {\n    whole_terms_point",
    ctest = "regression_fits"
  ),
  "boxes: a set of active rows has other whole rows" = space_bug(
    "mech/regression_active", "a->whole[to] = from->whole[i];", "a->whole[to] = from->whole[0];",
    ctest = "regression"
  ),
  # the hand-over
  "boxes hand over within a proposal: the point that was refused is drawn" = space_bug(
    "mech/regression_fits", "  DPD_TRY(dpd_regression_try(f->boxes, rng, rounds, theta));",
    paste0("  if (dpd_regression_try(f->boxes, rng, rounds, theta) == DPD_AGAIN && left <= 2)\n",
           "    for (int j = 0; j < 3; j++)\n      theta[j] = f->spec.prior.a[j];"),
    ctest = "regression_fits"
  ),
  "boxes hand over another rate" = space_bug(
    "mech/regression_fits", "    DPD_TRY(dpd_regression_space_open(",
    "    f->spec.eps.num *= 2;\n    DPD_TRY(dpd_regression_space_open(", ctest = "regression_fits"
  ),
  # hulls and what they prove
  "hulls: coefficients' signs of a proof swapped" = space_bug(
    "geom/lattice_hull", "if (fabs(mu) > 0x1p-48 * size) return mu < 0;",
    "if (fabs(mu) > 0x1p-48 * size) return false;", ctest = "lattice_hull"
  ),
  "hulls: the determinant's sign is left out" = space_bug(
    "geom/lattice_hull", "d != 0 && (d < 0) != (p->det[k] < 0)", "d < 0", ctest = "lattice_hull"
  ),
  "hulls: a clear sign by doubles is not clear" = space_bug(
    "geom/lattice_hull", "if (fabs(mu) > 0x1p-48 * size) return mu < 0;", "return mu < 0;",
    ctest = "lattice_hull"
  ),
  "hulls: no slack" = space_bug(
    "geom/lattice_hull", "value_of_rest(a, h, k) + SLACK * size_of(a)", "value_of_rest(a, h, k)",
    ctest = "lattice_hull"
  ),
  "hulls: corners are where doubles have them" = space_bug(
    "geom/lattice_hull", "    if (!settle(out, k)) return DPD_HULL_STUCK;", "    ;", ctest = "lattice_hull"
  ),
  "hulls: the whole numbers of a corner are far from it" = space_bug(
    "geom/lattice_hull", "found = found && fabs(h->rest[j][k]) <= 1;", "", ctest = "lattice_hull"
  ),
  "hulls: corners beyond a face stay" = space_bug(
    "geom/lattice_hull", "if (kept == 0) return DPD_HULL_EMPTY;", "if (kept == 0) return DPD_HULL_WHOLE;"
  ),
  "hulls: an empty one is not proved" = space_bug(
    "mech/regression_space_hulls", "change == DPD_HULL_EMPTY && is_beyond(m, h, by + k)",
    "change != DPD_HULL_WHOLE"
  ),
  "hulls: a slab ends a unit early" = space_bug(
    "mech/regression_space_hulls", "? -r->top - 1 : bottom - 1;", "? -r->top - 1 : bottom - 2;"
  ),
  "hulls: the other end of a slab" = space_bug(
    "mech/regression_space_hulls", "? -r->top - 1 : bottom - 1;", "? -bottom - 1 : r->top - 1;"
  ),
  "hulls: the cut of an axis or a form a point early" = space_bug(
    "mech/regression_space_hulls", "out[0].c = -out[0].c - 1;", "out[0].c = -out[0].c - 2;"
  ),
  "hulls: packed without a face" = space_bug(
    "geom/lattice_hull_pack", "if (out->faces >> f & 1) from = take",
    "if (out->faces >> f & 1 && f != 3) from = take"
  ),
  # boxes about hulls
  "frames: a form's range lacks its last point" = space_bug(
    "geom/lattice_frame", "s * (most - at_o);", "s * (most - at_o) - (s > 0);"
  ),
  "frames: vectors that are not dual to their forms" = space_bug(
    "geom/lattice_frame", "f->v[i][k] += (int64_t)q * f->v[j][k];", "f->v[i][k] -= (int64_t)q * f->v[j][k];"
  ),
  "frames: a basis of every other point" = space_bug(
    "geom/lattice_frame", "f->v[i][k] += (int64_t)q * f->v[j][k];",
    "f->v[i][k] = f->v[i][k] * (k == 0 ? 2 : 1) + (int64_t)q * f->v[j][k];"
  ),
  "frames: forms are not reduced" = space_bug(
    "geom/lattice_frame", "s < STEPS && reduce_once(&b)", "s < 1 && reduce_once(&b)", ctest = "lattice_hull"
  ),
  "frames: points without the first" = space_bug(
    "geom/lattice_frame", "int64_t sum = (int64_t)f->o[i];", "int64_t sum = 0;"
  ),
  "frames: an index counts from another origin" = space_bug(
    "geom/lattice_frame", "((int64_t)z[i] - (int64_t)f->o[i])", "(int64_t)z[i]"
  ),
  "frames: sides without the room of rounding" = space_bug(
    "geom/lattice_frame", "return 0x1p-48 * extent_of(f);", "return 0x1p-70 * extent_of(f);",
    ctest = "lattice_hull"
  ),
  "frames: forms that are too large for a face" = space_bug(
    "geom/lattice_frame", "FORM_BITS = 38", "FORM_BITS = 40", ctest = "lattice_hull"
  ),
  "frames: the first point stays where flat hulls are far in steps" = space_bug(
    "geom/lattice_frame", "middle = lo + (hi - lo) / 2;", "middle = 0;", ctest = "lattice_hull"
  ),
  # leaves
  "planes: signs of a path are not looked at" = space_bug(
    "mech/regression_space", "*log_prior = dpd_space_holds(m, leaf, z) ?", "*log_prior = leaf >= 0 ?"
  ),
  "planes: points beyond the support" = space_bug(
    "mech/regression_leaf_prior", "dpd_lattice_log_prior(&p->lattice, z, &sum) ? sum : -INFINITY",
    "dpd_lattice_log_prior(&p->lattice, z, &sum) ? sum : 0"
  ),
  "planes: rows on a fit are no part" = space_bug(
    "mech/regression_space_cuts", "const int count = row < 0 ? 2 : 3;", "const int count = 2;"
  ),
  "planes: a part without points is any that is light" = space_bug(
    "mech/regression_space_cuts", "return out->log_prior > -INFINITY;",
    "return out->log_prior > -INFINITY && log_weight(m, out) > 0;"
  ),
  "planes: the bound of a part one too low" = space_bug(
    "mech/regression_space_cuts", "if (least < out->bound) out->bound = (int)least;",
    "if (least < out->bound) out->bound = (int)least - 1;"
  ),
  "planes: the bound of a leaf one too low" = space_bug(
    "mech/regression_space_cuts", "if (least < c->bound) c->bound = (int)least;",
    "if (least < c->bound) c->bound = (int)least - 1;"
  ),
  "planes: the bound of a point one too low" = space_bug(
    "mech/regression_space_cuts", "if (score < c->bound) c->bound = (int)score;",
    "if (score < c->bound) c->bound = (int)score - 1;"
  ),
  "planes: halves share a point's plane" = space_bug(
    "mech/regression_space_hulls", "(is_below_cut(m, s, z) != (s->sign == DPD_SPACE_ABOVE))", "(false)"
  ),
  "planes: a half's box ends before the cut" = space_bug(
    "mech/regression_space_cuts", "step->frame.hi[j] = step->cut;", "step->frame.hi[j] = step->cut - 1;"
  ),
  "planes: the halves' form has another origin" = space_bug(
    "mech/regression_space_hulls", "out[0].c += (dpd_i128)out[0].a[j] * (int64_t)f->o[j];", ";"
  ),
  "planes: hulls that are made again take the form of another box" = space_bug(
    "mech/regression_space_hulls", "*f = &dpd_space_node_at(m, step->parent)->frame;", "*f = &step->frame;"
  ),
  "planes: hulls are trimmed within their outer points" = space_bug(
    "mech/regression_space_cuts", "4 * (int64_t)f->hi[j] + 1}", "4 * (int64_t)f->hi[j] - 1}"
  ),
  "planes: a hull that is trimmed has the proofs of the one before" = space_bug(
    "mech/regression_space_cuts", "  if (cut) dpd_hull_prove(&m->proofs, h);", "  ;"
  ),
  "planes: the prior of a part over half its box" = space_bug(
    "mech/regression_space_cuts", "fmin(c->log_prior, dpd_leaf_prior_bound(&m->prior, lo, hi))",
    "fmin(c->log_prior, dpd_leaf_prior_bound(&m->prior, lo, lo))"
  ),
  "planes: rows are decided by the middle of a box" = space_bug(
    "mech/regression_space_terms", "far += fabs(", "far += 0 * fabs("
  ),
  "planes: rows are decided by a far box without the room of rounding" = space_bug(
    "mech/regression_space_terms", "/ (0x1p-48 * m->reach);", "/ (0x1p-38 * m->reach);"
  ),
  "planes: rows are decided by corners alone, without proof" = space_bug(
    "mech/regression_space_terms", "if (!above) above = !is_below(p, r, -1, -r->top);", ""
  ),
  "planes: a row ends a unit early" = space_bug(
    "mech/regression_space_terms", "if (!below) below = !is_below(p, r, 1, low);",
    "if (!below) below = !is_below(p, r, 1, low + 1);"
  ),
  # sets
  "planes: merged rows count once" = space_bug(
    "mech/regression_space_rows", "last->count += m->row[i].count;", ";"
  ),
  "planes: rows of other projections are merged" = space_bug(
    "mech/regression_space_rows", "if (x[a->from] != x[b->from]) return", "if (n == 0) return"
  ),
  "planes: a set that is made anew keeps its lines" = space_bug(
    "mech/regression_space_sets", "  clear_lines(s);\n  reserve_map", "  reserve_map"
  ),
  "planes: other rows of a set count for nothing" = space_bug(
    "mech/regression_space_lines", "w->run.sum = own ? 0 : w->run.sum + fixed;",
    "w->run.sum = own ? 0 : w->run.sum;"
  ),
  "planes: splits between tied rows" = space_bug(
    "mech/regression_space_lines", "if (order[k] >= 0) dpd_passage_split(&w.run);",
    "dpd_passage_split(&w.run);"
  ),
  "planes: ties of all rows are split" = space_bug(
    "mech/regression_space_lines", "if (order[k] >= 0) dpd_passage_split(&p);", "dpd_passage_split(&p);"
  ),
  "planes through the origin: other rows count for nothing" = space_bug(
    "mech/regression_space_lines", "dpd_passage_side(&others, side, s->fixed[i]);", ";"
  ),
  "planes through the origin: the side of another row" = space_bug(
    "mech/regression_space_lines", "above != NULL ? above[i].run.sum : side_of(m, i, u), at",
    "side_of(m, i, u), at"
  ),
  "planes: the first directions alone decide" = space_bug(
    "mech/regression_space", "best = 0, most = m->spec.count;", "best = 0, most = 1;"
  )
)
