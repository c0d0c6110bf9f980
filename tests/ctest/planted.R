# planted.R - the table of privacy bugs planted in the C files, each with the check that must see it.
#
# tools/planted.R plants them. c_bug(file, from, to, ...): `from`, which the file holds once, becomes `to`.
#   ctest   the stem of a plain C test, which must fail: wherever possible, as it costs least
#   flags   with `ctest`: what the file with the bug is compiled with besides
#   audit   an expression of the helpers of tests/audit, TRUE if what it looks at is broken, in a package with
#           the bug built in
#   test    a part of the name of a test in tests/testthat, which must fail with the bug built in

c_bug <- function(file, from, to, ctest = NULL, audit = NULL, test = NULL, flags = NULL) {
  list(file = file, from = from, to = to, ctest = ctest, audit = audit, test = test, flags = flags)
}

bugs <- list(
  # -- masses of priors ------------------------------------------------------------------------------
  "a dyadic shell without its first point" = c_bug(
    "num/prior_mass.c", ctest = "axes",
    from = "((uint64_t)1 << (shell - 1)) + 1;",
    to = "((uint64_t)1 << (shell - 1));"
  ),
  "shells below the origin end a point early" =
    c_bug("num/prior_mass.c", "side - dyadic_side(-z) :", "side - dyadic_side(-z + 1) :", ctest = "axes"),
  "a dyadic draw by equal masses of points" =
    c_bug("num/prior_mass.c", "if (m->dyadic) return dyadic_point(m, t);",
          "if (m->dyadic) return a + (int64_t)t;", ctest = "axes"),

  # -- the restricted mechanism along the axes -------------------------------------------------------
  "along the axes: V_t for V_{t-1}" = c_bug(
    "margin/restricted_axes.c", audit = "restricted_axes_is_wrong()",
    from = "log_outer(s, s->level - 1, k) - s->eps / 2", to = "log_outer(s, s->level, k) - s->eps / 2"
  ),
  "along the axes: the weight is not nested" = c_bug(
    "margin/restricted_axes.c", audit = "restricted_axes_is_wrong()",
    from = "- log_weight(s, k);", to = "- log_weight(s, 0);"
  ),
  "along the axes: inner bounds a row short" = c_bug(
    "margin/restricted_axes.c", audit = "restricted_axes_is_wrong()",
    from = "int window = s->n + 1 - 2 * level - k;", to = "int window = s->n + 1 - 2 * level - k + (k > 0);"
  ),
  "along the axes: outer bounds a row short" = c_bug(
    "margin/restricted_axes.c", audit = "restricted_axes_is_wrong()",
    from = "int window = s->n + 1 - 2 * level + k;", to = "int window = s->n + 1 - 2 * level + k - (k > 0);"
  ),
  "along the axes: outer bounds of one place alone" = c_bug(
    "margin/restricted_axes.c", audit = "restricted_axes_is_wrong()",
    from = "largest(x + window, x, k + 1)", to = "largest(x + window, x, 1)"
  ),
  "along the axes: the published weights" = c_bug(
    "mech/boxes.c", audit = "restricted_axes_is_wrong()",
    from = "step, dpd_level_offset(step));", to = "step, 0);"
  ),
  "along the axes: the base level is cut, too, where another is the heaviest" = c_bug(
    "samp/level.c", audit = "restricted_axes_is_wrong()",
    from = "keep_bits(l->level + r, top - whole_bits(l->level + r));",
    to = paste("keep_bits(l->level + r, top - whole_bits(l->level + r) -",
               "(r == 0 && top > whole_bits(l->level) ? offset : 0));")
  ),
  "the first level is cut, too, where another is the heaviest" = c_bug(
    "samp/level.c", ctest = "level",
    from = "keep_bits(l->level + r, top - whole_bits(l->level + r));",
    to = paste("keep_bits(l->level + r, top - whole_bits(l->level + r) -",
               "(r == 0 && top > whole_bits(l->level) ? offset : 0));")
  ),
  "along the axes: a point's last place is lost" = c_bug(
    "mech/boxes.c", audit = "restricted_axes_is_wrong()",
    from = "((int64_t)high - (int64_t)low) + 1;",
    to = "((int64_t)high - (int64_t)low) + (high == low);"
  ),

  # -- sensitivities ---------------------------------------------------------------------------------
  "windows one rank too narrow above" =
    c_bug("sens/order_stat.c", "at(s, high + p) -", "at(s, high + p - 1) -", ctest = "tukey"),
  "windows one rank too high" = c_bug(
    "sens/order_stat.c", audit = "audit_fails(check_smooth(2, 'exact', 6))",
    from = "int nu = mu - 1 > min ? mu - 2 : min - 1;",
    to = "int nu = mu - 1 > min ? mu - 1 : min;"
  ),
  "windows one rank too high, seen by the C test" = c_bug(
    "sens/order_stat.c", ctest = "tukey",
    from = "int nu = mu - 1 > min ? mu - 2 : min - 1;",
    to = "int nu = mu - 1 > min ? mu - 1 : min;"
  ),
  "windows of the largest depth, whatever k" = c_bug(
    "sens/order_stat.c", ctest = "tukey",
    from = "int mu = deepest - k > min ? deepest - k : min;",
    to = "int mu = deepest;"
  ),
  "windows of k - 1 replacements" = c_bug(
    "sens/order_stat.c", ctest = "tukey",
    from = "n - mu + 1, k), two",
    to = "n - mu + 1, k / 2), two"
  ),
  "windows of the centre one rank too high, the deepest level" = c_bug(
    "sens/order_stat.c", ctest = "tukey",
    from = "int mu = deepest - k > min ? deepest - k : min;",
    to = "int mu = deepest - k > min ? deepest - k + 1 : min;"
  ),
  "windows one rank too high, data deeper than all data" = c_bug(
    "sens/order_stat.c", ctest = "tukey",
    from = "int nu = mu - 1 > min ? mu - 2 : min - 1;",
    to = "int nu = mu - 1 > min ? mu - 1 : min - 1;"
  ),
  "the median's windows one step short" = c_bug(
    "sens/median.c", ctest = "median",
    from = "for (int t = 0; t <= k + 1; t++) {",
    to = "for (int t = 1; t <= k; t++) {"
  ),
  "the median's windows one step short, seen by the audit" = c_bug(
    "sens/median.c", audit = "audit_fails(check_smooth(1, epsilon = 4))",
    from = "int j = p + t, i = j - k - 1;",
    to = "int j = p + t, i = j - k;"
  ),
  "no windows beyond 2000 levels" =
    c_bug("sens/median.c", "if (!done && n >= DIRECT) {", "if (0) {", ctest = "median"),
  "windows beyond 2000 levels lose their left end" = c_bug(
    "sens/median.c", ctest = "median",
    from = "conquer(s, j0, j - 1, i0, arg);",
    to = "conquer(s, j0, j - 1, arg, arg);"
  ),
  "the median's bound is zero where nothing near it differs" = c_bug(
    "sens/median.c", ctest = "median",
    from = "  if (beta * n > deepest && s.best < exp(-deepest) * whole) s.best = exp(-deepest) * whole;\n",
    to = ""
  ),
  "the median's bound: windows looked for at half the distance" =
    c_bug("sens/median.c", "/ beta + 2;", "/ beta / 2;", ctest = "median"),
  "Medsweep: residuals at a point of the sweep count" = c_bug(
    "sens/medsweep_count.c", ctest = "medsweep",
    from = "before - (a < b ? s->q->right[a] : 0);",
    to = "before;"
  ),
  "Medsweep: ties at the corner do not count" =
    c_bug("sens/medsweep_count.c", "count += q->w[i] == at;", "count += 0;", ctest = "medsweep"),
  "Medsweep: centres of one rank less" = c_bug(
    "sens/medsweep_count.c", ctest = "medsweep",
    from = "int low = q->p - 1 - k, high",
    to = "int low = q->p - 1 - k + (k > 0), high"
  ),
  "Medsweep: reach of one row less" = c_bug(
    "sens/medsweep.c", ctest = "medsweep",
    from = "q->n - q->p + 1 - k, true);",
    to = "q->n - q->p + 2 - k, true);"
  ),
  "Medsweep: both ends of the same K" = c_bug(
    "sens/medsweep.c", ctest = "medsweep",
    from = "larger(gap_max(s, k + 1, k), gap_max(s, k, k + 1))",
    to = "gap_max(s, k, k)"
  ),
  "regions one rank too small" = c_bug(
    "sens/tukey.c", ctest = "tukey",
    from = "l[0] = (dpd_line){1, 0, (int64_t)x[n - level]};",
    to = "l[0] = (dpd_line){1, 0, (int64_t)x[n - level - (level < n)]};"
  ),

  # -- depth counts ----------------------------------------------------------------------------------
  "depth on a line open for closed" = c_bug(
    "depth/halfspace.c", ctest = "project_block",
    from = "    gt += exceeds(y[i], p, e);",
    to = "    gt += !exceeds(p, y[i], e);"
  ),
  "depth on a sorted line open for closed" = c_bug(
    "depth/halfspace.c", ctest = "halfspace",
    from = "    if (exceeds(sorted[mid], p, e))",
    to = "    if (!exceeds(p, sorted[mid], e))"
  ),
  "depth in the plane without the rows at the point" =
    c_bug("depth/halfspace_2d.c", "  *count = at + open;", "  *count = open;", ctest = "halfspace"),

  # -- mechanisms ------------------------------------------------------------------------------------
  "the exponential mechanism at twice epsilon" = c_bug(
    "samp/bernoulli.c", ctest = "bernoulli",
    from = "(dpd_u128)1 << (DPD_RATE_BITS + 1),",
    to = "(dpd_u128)1 << DPD_RATE_BITS,"
  ),
  "the exponential mechanism at twice epsilon, seen by its draws" = c_bug(
    "mech/exponential.c", ctest = "exponential_window",
    from = ".eps = m->spec.eps,",
    to = ".eps = {2 * m->spec.eps.num},"
  ),
  "rows beyond the lattice are not clamped" =
    c_bug("num/lattice.c", "return fmin(fmax(z, -l->clamp), l->clamp);", "return z;", ctest = "lattice"),
  "a row that is no number stays none" = c_bug(
    "num/lattice.c", ctest = "lattice",
    from = "return fmin(fmax(z, -l->clamp), l->clamp);",
    to = "return z < -l->clamp ? -l->clamp : z > l->clamp ? l->clamp : z;"
  ),
  # weights of few units: at 2^60 of them no test can see what a unit is worth
  "a leaf's whole number of units is not paid for" = c_bug(
    "samp/rejection_tree.c", ctest = "adaptive_rejection", flags = "-DDPD_REJECTION_UNITS=30",
    from = "b->keep = fmin(1, w / (double)b->weight);",
    to = "b->keep = 1;"
  ),
  "a leaf of less than a unit does not pay whole scores" = c_bug(
    "samp/rejection_tree.c", ctest = "adaptive_rejection", flags = "-DDPD_REJECTION_UNITS=30",
    from = "    b->score += (int64_t)raise;\n",
    to = ""
  ),
  "a leaf of less than a unit does not pay the rest" = c_bug(
    "samp/rejection_tree.c", ctest = "adaptive_rejection", flags = "-DDPD_REJECTION_UNITS=30",
    from = "b->rest = fmax(0, -(dpd_rejection_log_weight(t, b, raise) + offset));",
    to = "b->rest = 0;"
  ),
  "a box around a depth region a step too small" = c_bug(
    "mech/exponential_levels.c", ctest = "exponential_levels",
    from = "floor(constant + most + off)",
    to = "floor(constant + most + off) - 1"
  ),
  "a bound of a box's depth one too low" = c_bug(
    "mech/exponential_levels.c", ctest = "exponential_levels",
    from = "l->t[missed] - 1 : cap",
    to = "l->t[missed] - 2 : cap"
  ),
  "a slab beside the core that loses its first points" = c_bug(
    "samp/rejection_tree.c", ctest = "adaptive_rejection",
    from = "dpd_rejection_lo(t, left + 1)[axis] = cut + 1;",
    to = "dpd_rejection_lo(t, left + 1)[axis] = cut + 2;"
  ),
  "the projection median's draw at twice its rate" = c_bug(
    "samp/outlyingness_exact.c", audit = "projection_draw_is_wrong()",
    from = "log_weight = -s->law.rate * s->width * i;",
    to = "log_weight = -2 * s->law.rate * s->width * i;"
  )
)

parts <- c("source", "draws", "plane", "lines", "space", "regression", "depths", "regions", "interval",
           "quantile", "ranks", "tally")
for (part in parts) source(file.path("tests", "ctest", sprintf("planted-%s.R", part)))
bugs <- c(bugs, source_bugs, exact_draw_bugs, plane_bugs, line_bugs, space_bugs, regression_bugs, depth_bugs,
          region_bugs, interval_bugs, quantile_bugs, rank_bugs, tally_bugs)
