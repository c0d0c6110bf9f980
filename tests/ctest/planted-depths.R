# planted-depths.R - bugs planted in the private medians over other depths: a part of the table in planted.R.
depth_bugs <- list(
  "depths are cut off as scores of draws are" = c_bug(
    "mech/depth_median.c", ctest = "depth_score",
    from = "return (double)all_parts(m, m->score.at(m->score.ctx, z));",
    to = "return dpd_depth_median_parts(m, m->score.at(m->score.ctx, z));"
  ),
  "private size: the unit of substitution" = c_bug(
    "mech/depth_median.c", ctest = "depth_score",
    from = "m->spec.private_size ? m->score.added : m->score.sensitivity",
    to = "m->score.sensitivity"
  ),
  "private size: parts by the number of rows" = c_bug(
    "mech/depth_median.c", ctest = "depth_score",
    from = "  if (m->spec.private_size) {\n    m->parts",
    to = "  if (false) {\n    m->parts"
  ),
  "private size: simplices that do not hold the point are forgotten" = c_bug(
    "mech/score_simplicial.c", ctest = "depth_score",
    from = "out->added = 2 * (dpd_u128)p->d * out->sensitivity;",
    to = "out->added = ((dpd_u128)p->d + 1) * out->sensitivity;"
  ),
  "private size: a sum of unit vectors grows only" = c_bug(
    "mech/score_spatial.c", ctest = "depth_score",
    from = "out->added = 2 * r;",
    to = "out->added = r;"
  ),
  "private size: half of modified spatial depth" = c_bug(
    "mech/score_spatial.c", ctest = "depth_score",
    from = "out->added = 4 * n * r * r;",
    to = "out->added = 2 * n * r * r;"
  ),
  "private size: mid-counts move by one" = c_bug(
    "mech/score_integrated.c", ctest = "depth_score",
    from = "irw ? 1 : 4 * (dpd_u128)n",
    to = "irw ? 1 : 2 * (dpd_u128)n"
  ),
  "private size: the largest slope of G (n - G) is forgotten" = c_bug(
    "mech/score_idd_smooth.c", ctest = "depth_score",
    from = "out->added = n * top * top * count;",
    to = "out->added = n * top * top / 4 * count;"
  ),
  "simplicial depth: a row in too few simplices" = c_bug(
    "mech/score_simplicial.c", ctest = "depth_median",
    from = ".sensitivity = dpd_choose(n - 1, p->d)",
    to = ".sensitivity = dpd_choose(n, p->d + 1) / n"
  ),
  "simplicial depth: arcs half as wide" = c_bug(
    "mech/score_simplicial.c", ctest = "depth_median",
    from = "wide = asin(rho / r) + ANGLE_SLACK",
    to = "wide = asin(rho / r) / 2"
  ),
  "simplicial depth: arcs counted twice" = c_bug(
    "mech/score_simplicial.c", ctest = "depth_median",
    from = "int within = ahead + behind - i - 1;",
    to = "int within = ahead + behind - i;"
  ),
  "simplicial depth: the box's other end on the line" = c_bug(
    "mech/score_simplicial.c", ctest = "depth_median",
    from = "s->x[below] < box->lo[0]",
    to = "s->x[below] < box->hi[0]"
  ),
  "spatial depth: a unit vector moves by one" = c_bug(
    "mech/score_spatial.c", ctest = "depth_median",
    from = "out->sensitivity = 2 * r;",
    to = "out->sensitivity = r;"
  ),
  "modified spatial depth: half the sensitivity" = c_bug(
    "mech/score_spatial.c", ctest = "depth_median",
    from = "n > 1 ? 4 * (n - 1) * r * r : r * r",
    to = "n > 1 ? 2 * (n - 1) * r * r : r * r"
  ),
  "modified spatial depth: n - 1 rows of one are none" = c_bug(
    "mech/score_spatial.c", ctest = "depth_median",
    from = "n > 1 ? 4 * (n - 1) * r * r : r * r",
    to = "n > 1 ? 4 * (n - 1) * r * r : r * r / 2"
  ),
  "spatial depth: rows near the box do not turn" = c_bug(
    "mech/score_spatial.c", ctest = "depth_median",
    from = "chords += length > rho ? chord(rho / length) : 2;",
    to = "chords += length > rho ? chord(rho / length) : 0;"
  ),
  "spatial depth: the box's radius is its longest side's" = c_bug(
    "mech/score_spatial.c", ctest = "depth_median",
    from = "    rho += side * side;",
    to = "    rho = fmax(rho, side * side / 2);"
  ),
  "rank-weighted depth: half the sensitivity" = c_bug(
    "mech/score_integrated.c", ctest = "depth_median",
    from = "out->sensitivity = (irw ? 1 : each) * count;",
    to = "out->sensitivity = ((irw ? 1 : each) * count + 1) / 2;"
  ),
  "dual depth: counts move by one" = c_bug(
    "mech/score_integrated.c", ctest = "depth_median",
    from = "n > 1 ? 4 * ((dpd_u128)n - 1) : 1",
    to = "n > 1 ? 2 * ((dpd_u128)n - 1) : 1"
  ),
  "integrated depths: open counts where closed ones belong" = c_bug(
    "mech/score_integrated.c", ctest = "depth_median",
    from = "if (up_to ? x[mid] <= t : x[mid] < t)",
    to = "if (x[mid] < t)"
  ),
  "integrated depths: the bound at the far end" = c_bug(
    "mech/score_integrated.c", ctest = "depth_median",
    from = "if (b < m) return summand_at(s, u, b);",
    to = "if (b < m) return summand_at(s, u, a);"
  ),
  "dual depth: its peak beside the middle row is forgotten" = c_bug(
    "mech/score_integrated.c", ctest = "depth_median",
    from = "  if (a < m && left > most) most = left;\n  if (b > m && right > most) most = right;\n",
    to = "  (void)left;\n  (void)right;\n"
  ),
  "smoothed depth: sensitivity for independent rows" = c_bug(
    "mech/score_idd_smooth.c", ctest = "depth_median",
    from = "n > 1 ? (n - 1) * top * top : top * top / 4",
    to = "n > 1 ? (n - 1) * top * top / 2 : top * top / 4"
  ),
  "smoothed depth: the bound is that of the near end" = c_bug(
    "mech/score_idd_smooth.c", ctest = "depth_median",
    from = "if (sum < half) sum = half;",
    to = ""
  ),
  "smoothed depth: rows beyond the nodes are lost" = c_bug(
    "mech/score_idd_smooth.c", ctest = "depth_median",
    from = "if (full < s->nodes) rise[full] += rows << STEP_BITS;",
    to = ""
  ),
  "other depths: the rate of a unit for that of a part" = c_bug(
    "mech/depth_median.c", ctest = "depth_median",
    from = "dpd_rate eps = {m->spec.eps.num >> m->parts};",
    to = "dpd_rate eps = {m->spec.eps.num >> (m->parts - 1)};"
  ),
  "other depths: the remainder of a score is lost" = c_bug(
    "mech/depth_median.c", ctest = "depth_median",
    from = "(whole << m->parts) + (rest << m->parts) / unit",
    to = "whole << m->parts"
  ),
  "halfspace depth along directions: rows on one side" = c_bug(
    "mech/score_integrated.c", ctest = "depth_median",
    from = "(uint64_t)(up_to < n - below ? up_to : n - below)",
    to = "(uint64_t)up_to"
  ),
  "halfspace depth along directions: a bound of half the rows" = c_bug(
    "mech/score_integrated.c", ctest = "depth_median",
    from = "uint64_t min = (uint64_t)s->spec.from->n;",
    to = "uint64_t min = (uint64_t)s->spec.from->n / 4;"
  ),
  "exact halfspace depth: two rows for one" = c_bug(
    "mech/score_halfspace.c", ctest = "depth_median",
    from = ".most = (dpd_u128)rows, .sensitivity = 1",
    to = ".most = (dpd_u128)rows, .sensitivity = 2"
  ),
  "exact halfspace depth: one column twice" = c_bug(
    "mech/score_halfspace.c", ctest = "depth_median",
    from = ".x = s->column[0], .y = s->column[1],",
    to = ".x = s->column[0], .y = s->column[0],"
  ),
  "smoothed depth: rows that have added all are lost" = c_bug(
    "mech/score_idd_smooth.c", ctest = "depth_chain",
    from = "int64_t sum = (int64_t)lo << STEP_BITS;",
    to = "int64_t sum = 0;"
  ),
  "smoothed depth: far rows add at their nodes alone" = c_bug(
    "mech/score_idd_smooth.c", ctest = "depth_chain",
    from = "if (s->sorted[mid] < (double)(k - s->reach))",
    to = "if (s->sorted[mid] < (double)k)"
  ),
  "chain over depths: the rate of a unit for that of a part" = c_bug(
    "mech/depth_drift.c", ctest = "depth_chain",
    from = "ldexp((double)(m->spec.eps.num >> m->parts), -DPD_RATE_BITS - 1)",
    to = "ldexp((double)m->spec.eps.num, -DPD_RATE_BITS - 1)"
  ),
  "chain over depths: one projection for all" = c_bug(
    "mech/score_integrated.c", ctest = "depth_chain",
    from = "sum += summand_at(s, u, t[u]);",
    to = "sum += summand_at(s, u, t[0]);"
  ),
  "Langevin steps are not weighed by their proposals" = c_bug(
    "mech/depth_drift.c", ctest = "depth_chain",
    from = "log_ratio += (k->noise[j] * k->noise[j] - back * back) / 2;",
    to = "log_ratio += 0 * back;"
  ),
  "Langevin steps are always taken" = c_bug(
    "mech/depth_drift.c", ctest = "depth_chain",
    from = "  if (log(u) < log_ratio) {",
    to = "  if (log_ratio > -INFINITY) {"
  ),
  "slices begin at the density itself" = c_bug(
    "samp/slice_line.c", ctest = "depth_chain",
    from = "(at.radial ? d * at.at : 0) + log(1 - u);",
    to = "(at.radial ? d * at.at : 0);"
  ),
  "rays without their factor" = c_bug(
    "mech/depth_chain.c", ctest = "depth_chain",
    from = "c->there.log_weight + gain >= level",
    to = "c->there.log_weight >= level"
  ),
  "independent proposals are not weighed" = c_bug(
    "mech/depth_chain.c", ctest = "depth_chain",
    from = "  gain += log_proposal(c, a, &c->here) - log_proposal(c, a, &c->there);\n",
    to = ""
  ),
  "independent proposals: no row is where it is" = c_bug(
    "mech/depth_chain.c", ctest = "depth_chain",
    from = "here += j == a.to;",
    to = "here += j > a.to;"
  ),
  "chains over depths: the last one's state" = c_bug(
    "samp/chain_run.c", ctest = "depth_chain",
    from = "if (pick) dpd_lattice_nearest(lattice, w, 1, run->draw);",
    to = "if (pick || ended) dpd_lattice_nearest(lattice, w, 1, run->draw);"
  ),
  "chains over depths are adapted to the end" = c_bug(
    "mech/depth_chain.c", ctest = "depth_drift",
    from = "c->place.step < run->steps / 2",
    to = "c->place.step < run->steps"
  ),
  "chains over depths start in the prior's middle" = c_bug(
    "mech/depth_chain.c", ctest = "depth_drift",
    from = "    if (plain)\n",
    to = "    if (true)\n"
  ),
  "chains over depths begin with the last one's size" = c_bug(
    "mech/depth_chain.c", ctest = "depth_drift",
    from = "  if (c->m->score.along.at != NULL) dpd_depth_drift_restart(&c->drift);\n",
    to = ""
  ),
  "slices shrink away from the state" = c_bug(
    "samp/slice_line.c", ctest = "depth_drift",
    from = "    if (s < at.at)\n",
    to = "    if (s > at.at)\n"
  ),
  "rays begin elsewhere than at the state" = c_bug(
    "samp/slice_line.c", ctest = "depth_drift",
    from = "  at.at = log(size);",
    to = "  at.at = log(size) / 2;"
  ),
  "independent proposals: the prior's density without its scale" = c_bug(
    "mech/depth_chain.c", ctest = "depth_drift",
    from = " + log(l->scale[j])",
    to = ""
  ),
  "independent proposals: limits half a step too narrow" = c_bug(
    "mech/depth_chain.c", ctest = "depth_drift",
    from = "log(l->hi[j] - l->lo[j] + 1);",
    to = "log(l->hi[j] - l->lo[j]);"
  ),
  "independent proposals of one coordinate have the density of all" = c_bug(
    "mech/depth_chain.c", ctest = "depth_drift",
    from = "  double gain = c->there.log_weight - c->here.log_weight;\n",
    to = "  double gain = c->there.log_weight - c->here.log_weight;\n  a.from = 0;\n"
  ),
  "chains over depths: proposals alone, no lines" = c_bug(
    "mech/depth_chain.c", ctest = "depth_drift",
    from = "  if (kind < jumps) return jump_step(c, rng);",
    to = "  return jump_step(c, rng);"
  ),
  "Langevin steps: the gradient of another state" = c_bug(
    "mech/depth_drift.c", ctest = "depth_drift",
    from = "    set_pull(k, there);\n",
    to = ""
  ),
  "published Langevin steps drift twice as far" = c_bug(
    "mech/depth_drift.c", ctest = "depth_drift",
    from = "here->w[j] + h / 2 * s * s * k->side[j]",
    to = "here->w[j] + h * s * s * k->side[j]"
  ),
  "published Langevin steps without the prior's pull" = c_bug(
    "mech/depth_drift.c", ctest = "depth_drift",
    from = "j < d && m->lattice.prior.normal; j++",
    to = "j < 0; j++"
  ),
  "published Langevin steps leave the limits" = c_bug(
    "mech/depth_drift.c", ctest = "depth_drift",
    from = "    here->w[j] = fmin(fmax(w, l->lo[j]), l->hi[j]);",
    to = "    here->w[j] = w;"
  ),
  "simplicial depth in space: a row in too few tetrahedra" = c_bug(
    "mech/score_simplicial_3d.c", ctest = "depth_median",
    from = ".sensitivity = dpd_choose(n - 1, 3)",
    to = ".sensitivity = dpd_choose(n, 4) / n + 1"
  ),
  "simplicial depth in space: three times as careful as need be" = c_bug(
    "mech/score_simplicial_3d.c", ctest = "depth_median",
    from = ".sensitivity = dpd_choose(n - 1, 3)",
    to = ".sensitivity = 3 * dpd_choose(n - 1, 3)"
  ),
  "simplicial depth in space: a direction to which rows are orthogonal" = c_bug(
    "depth/simplicial_3d.c", ctest = "simplicial",
    from = "t < CURVE && best <= 0",
    to = "t < CURVE && best < 0"
  ),
  "simplicial depth in space: rows in a face's plane are beside it" = c_bug(
    "mech/score_simplicial_3d.c", ctest = "depth_median",
    from = "front += side > 0;",
    to = "front += side >= 0;"
  ),
  "simplicial depth in space: the wrong side of a face" = c_bug(
    "mech/score_simplicial_3d.c", ctest = "depth_median",
    from = "side > 0 ? beyond[0] : side < 0 ? beyond[1]",
    to = "side > 0 ? beyond[1] : side < 0 ? beyond[0]"
  ),
  "simplicial depth in space: faces through the centre change nothing" = c_bug(
    "mech/score_simplicial_3d.c", ctest = "depth_median",
    from = ": (uint64_t)s->n - 3;",
    to = ": 0;"
  ),
  "simplicial depth in space: half the box" = c_bug(
    "mech/score_simplicial_3d.c", ctest = "depth_median",
    from = "b.half[c] = (box->hi[c] - box->lo[c]) / 2;",
    to = "b.half[c] = (box->hi[c] - box->lo[c]) / 4;"
  ),
  "simplicial depth in space: faces that touch the box" = c_bug(
    "mech/score_simplicial_3d.c", ctest = "depth_median",
    from = "if (fmin(p, q) > reach || fmax(p, q) < -reach) return false;",
    to = "if (fmin(p, q) >= reach || fmax(p, q) <= -reach) return false;"
  ),
  "smoothed depth: 3/n for 1/n" = c_bug(
    "mech/score_idd_smooth.c", ctest = "depth_median",
    from = "n > 1 ? (n - 1) * top * top : top * top / 4",
    to = "n > 1 ? 3 * (n - 1) * top * top : top * top / 4"
  ),
  "dual depth: n - 2 for n - 1" = c_bug(
    "mech/score_integrated.c", ctest = "depth_median",
    from = "n > 1 ? 4 * ((dpd_u128)n - 1) : 1",
    to = "n > 2 ? 4 * ((dpd_u128)n - 2) : 1"
  ),
  "numbers at the lower bound are not kept" = c_bug(
    "num/range_scan.c", ctest = "range_scan",
    from = "kept += (v >= lo) & (v <= hi);",
    to = "kept += (v > lo) & (v <= hi);"
  ),
  "of equal numbers a rank is lost" = c_bug(
    "num/order_stat.c", ctest = "ecdf",
    from = "    most = below;",
    to = "    most = rank;"
  ),
  "private size: scores past what an int holds" = c_bug(
    "mech/depth_median.c", ctest = "depth_score",
    from = "return parts < (dpd_u128)1 << SCORE_BITS ? (int)parts : 1 << SCORE_BITS;",
    to = "return (int)(unsigned)parts;"
  ),
  "an order statistic beside what was kept" = c_bug(
    "num/order_stat.c", ctest = "ecdf",
    from = "if (k >= below && k < below + inside && narrow",
    to = "if (k >= below && k <= below + inside && narrow"
  ),
  "an order statistic beside what was kept again" = c_bug(
    "num/order_stat.c", ctest = "ecdf",
    from = "if (k < below || k >= below + inside) return false;",
    to = "if (k < below || k > below + inside) return false;"
  ),
  "a window of ranks beside what was kept" = c_bug(
    "num/order_stat.c", ctest = "ecdf",
    from = "if (*first < below || *last >= below + inside) return 0;",
    to = "if (*first < below || *last > below + inside) return 0;"
  ),
  "a window that was narrowed: its last rank counted among all" = c_bug(
    "num/order_stat.c", ctest = "ecdf",
    from = "    *last -= below;",
    to = ""
  ),
  "a window of all ranks is not copied" = c_bug(
    "num/order_stat.c", ctest = "ecdf",
    from = "if (width == n) {",
    to = "if (width + 1 >= n) {"
  ),
  "a cone with two edges, for its bound" = c_bug(
    "depth/sphere_bound.c", ctest = "sphere_bound",
    from = "positive += __builtin_popcountll(p[w] & p[next + w] & q[w] & q[next + w]);",
    to = "positive += __builtin_popcountll(p[w] & p[next + w]);"
  ),
  "a ratio a little above the largest is passed over" = c_bug(
    "depth/projection.c", ctest = "projection",
    from = "(gap > top * bound) | (-gap > top * bound)",
    to = "(gap > top * bound * (1 + 0x1p-40)) | (-gap > top * bound * (1 + 0x1p-40))"
  ),
  "bounds from sums that overflow" = c_bug(
    "depth/sphere_bound.c", ctest = "sphere_bound",
    from = "size && size <= MOST_SIZE);",
    to = "size);"
  )
)
