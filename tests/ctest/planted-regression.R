# planted-regression.R - the bugs planted in the exponential mechanism over regression depth and over nested
# boxes: a part of the table in planted.R.

regression_bugs <- list(
  # -- private regression ----------------------------------------------------------------------------
  "splits between tied rows" = c_bug(
    "mech/regression_rows.c", tests = "dp-regression-exponential",
    from = "bool same = s + 1 < n && x[s].key == x[s + 1].key;",
    to = "bool same = false;"
  ),
  "rows on the fit count on one side" = c_bug(
    "mech/regression_active.c", tests = "dp-regression-exponential",
    from = "f <= a->top[i], f >= a->bottom[i], sum",
    to = "f <= a->top[i], f > a->top[i], sum"
  ),
  "the rate of a unit for the heavier weight" = c_bug(
    "mech/regression.c", tests = "dp-regression-exponential",
    from = "{m->spec.eps.num / (uint64_t)heavy}",
    to = "{m->spec.eps.num}"
  ),
  "bounds of a box rounded inward" = c_bug(
    "mech/regression_active.c", ctest = "regression",
    from = "y >= m->least[i] - e, y <= m->most[i] + e",
    to = "y > m->least[i] + e, y < m->most[i] - e"
  ),
  "bounds of a box without the tolerance" = c_bug(
    "mech/regression_rows.c", ctest = "regression",
    from = " * reach + DBL_MIN + m->all.tie[i];",
    to = " * reach + DBL_MIN;"
  ),
  "forms of the axes in another order" = c_bug(
    "mech/regression_frame.c", ctest = "regression",
    from = "m->sheared[j] = a[m->axis[j]];",
    to = "m->sheared[j] = a[j];"
  ),

  # -- the exponential mechanism over nested boxes ---------------------------------------------------
  "nested boxes: a point too many on each axis" = c_bug(
    "mech/boxes.c", tests = "mech-boxes",
    from = "(int64_t)low) + 1;",
    to = "(int64_t)low) + 2;"
  ),
  "nested boxes: twice the rate" = c_bug(
    "mech/boxes.c", tests = "mech-boxes",
    from = "step = dpd_level_step(spec->eps);",
    to = "step = 2 * dpd_level_step(spec->eps);"
  ),
  "nested boxes: levels weigh as their first axis" = c_bug(
    "mech/boxes.c", tests = "mech-boxes",
    from = "    dpd_product_times(m->product + k, points);",
    to = "    if (j == 0) dpd_product_times(m->product + k, points);"
  ),
  "nested boxes: levels without the factor 1 - q" = c_bug(
    "mech/boxes.c", tests = "mech-boxes",
    from = "dpd_level_offset(step));",
    to = "0);"
  )
)
