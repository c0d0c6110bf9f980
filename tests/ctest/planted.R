# planted.R - the table of privacy bugs planted in the C files, each with the check that must see it: tools/planted.R.
#
# c_bug(file, from, to, ctest = ): `from`, which the file holds just once, becomes `to`, and the plain C test of
# that stem must fail. audit = : an expression of the helpers of tests/testthat, TRUE if what it looks at is
# broken, in the package with the bug built in. tests = : the stem of a file of tests/testthat that must fail
# with it.

c_bug <- function(file, from, to, ctest = NULL, audit = NULL, tests = NULL) {
  list(file = file, from = from, to = to, ctest = ctest, audit = audit, tests = tests)
}

bugs <- list(
  # -- random source ---------------------------------------------------------------------------------
  "a failure of the source is ignored" =
    c_bug("samp_rng.c", "DPD_TRY(rng->fill(rng->state, rng->bytes, rng->block));",
          "(void)rng->fill(rng->state, rng->bytes, rng->block);", ctest = "rng"),
  "the buffer is handed out again when the source fails" =
    c_bug("samp_rng.c", "    rng->used = rng->block; /* nothing is handed out if the source fails half way */",
          "    rng->used = 0;", ctest = "rng"),
  "bytes are used twice" =
    c_bug("samp_rng.c", "rng->used += size;", "rng->used += size / 2;", ctest = "rng"),
  "used bytes stay in the buffer" =
    c_bug("samp_rng.c", "  memset(rng->bytes + rng->used, 0, size);\n", "", ctest = "rng"),
  "the buffer is not wiped" = c_bug("samp_rng.c", "    p[i] = 0;", "    (void)p[i];", ctest = "rng"),
  "a number below n by the remainder" =
    c_bug("samp_rng.c", "  } while (word >= n);\n  *out = word;\n  return DPD_OK;\n}\n\ndpd_status dpd_rng_below_u128",
          "  } while (word > n);\n  *out = word % n;\n  return DPD_OK;\n}\n\ndpd_status dpd_rng_below_u128",
          ctest = "rng"),
  "entropy that comes short is taken as whole" =
    c_bug("samp_entropy.c", "    out += got;\n    len -= (size_t)got;\n  }\n  return DPD_OK;",
          "    out += got;\n    len = 0;\n  }\n  return DPD_OK;", ctest = "entropy"),
  "the system call's failure is taken as success" =
    c_bug("samp_entropy.c", "if (got <= 0) return DPD_ERR_ENTROPY;\n    out", "if (got <= 0) return DPD_OK;\n    out",
          ctest = "entropy"),

  # -- coins and noise -------------------------------------------------------------------------------
  "a coin that also falls at equality" =
    c_bug("samp_bernoulli.c", "if (product >= target) {", "if (product > target) {", ctest = "samp"),
  "the last word of a double's coin" =
    c_bug("samp_bernoulli.c", "*out = word < digits;", "*out = word <= digits;", ctest = "samp"),
  "exponential coins of the other parity" =
    c_bug("samp_bernoulli.c", "*out = k % 2 == 1;\n      return DPD_OK;\n    }\n  }\n}\n\ndpd_status dpd_bernoulli_exp_u128",
          "*out = k % 2 == 1 || k > 5;\n      return DPD_OK;\n    }\n  }\n}\n\ndpd_status dpd_bernoulli_exp_u128",
          ctest = "samp"),
  "one coin of exp(-1) too few" =
    c_bug("samp_bernoulli.c", "for (; whole > 0; whole--) {", "for (; whole > 1; whole--) {", ctest = "samp"),
  "rates rounded up" = c_bug("samp_bernoulli.c", "out->num = num - 64 - (num >> 40);", "out->num = num + 1;",
                             ctest = "rate"),
  "geometric, one more" =
    c_bug("samp_bernoulli.c", "*out = x < MAX_DEN ? (uint64_t)x : MAX_DEN;",
          "*out = x < MAX_DEN ? (uint64_t)x + 1 : MAX_DEN;", ctest = "samp"),
  "geometric of a scale 1% smaller" =
    c_bug("samp_bernoulli.c", "x = x <= UINT64_MAX ? (uint64_t)x / num : x / num;", "x = x * 99 / 100 / num;",
          ctest = "samp"),
  "geometric without the low part" =
    c_bug("samp_bernoulli.c", "dpd_u128 x = low + (dpd_u128)high * den;", "dpd_u128 x = (dpd_u128)high * den;",
          ctest = "samp"),
  "noise of one sign" = c_bug("samp_noise.c", "*out = negative ? -(int64_t)size : (int64_t)size;",
                              "*out = (int64_t)size;", ctest = "samp"),
  "minus zero is kept" = c_bug("samp_noise.c", "} while (negative && size == 0);", "} while (0);", ctest = "samp"),
  "truncated noise is clamped, not drawn again" =
    c_bug("samp_noise.c", "keep = z >= -bound && z <= bound;",
          "z = z < -bound ? -bound : z > bound ? bound : z;\n      keep = true;", ctest = "samp"),
  "truncated noise one short" = c_bug("samp_noise.c", "keep = z >= -bound && z <= bound;",
                                      "keep = z > -bound && z <= bound;", ctest = "samp"),
  "the truncation's bound rounded down" = c_bug("samp_noise.c", "double bound = ceil((gain", "double bound = floor((gain",
                                                audit = "truncation_is_wrong()"),
  "gaussian noise without rejection" =
    c_bug("samp_noise.c", "if (a < widest) return dpd_bernoulli_exp_u128(rng, a * a, b, keep);",
          "*keep = true;\n  if (a < widest) return DPD_OK;", ctest = "samp"),
  "gaussian noise of half the variance" = c_bug("samp_noise.c", "<< (2 * bits + 1);", "<< (2 * bits);",
                                                ctest = "samp"),

  # -- sensitivities ---------------------------------------------------------------------------------
  "windows one rank too narrow above" = c_bug("sens_windows.c", "at(s, high + p) -", "at(s, high + p - 1) -",
                                              ctest = "tukey"),
  "windows one rank too high" =
    c_bug("sens_windows.c", "int nu = mu - 1 > least ? mu - 2 : least - 1;",
          "int nu = mu - 1 > least ? mu - 1 : least;", audit = "audit_fails(check_smooth(2, 'exact', 6))"),
  "windows one rank too high, seen by the C test" =
    c_bug("sens_windows.c", "int nu = mu - 1 > least ? mu - 2 : least - 1;",
          "int nu = mu - 1 > least ? mu - 1 : least;", ctest = "tukey"),
  "windows of the largest depth, whatever k" =
    c_bug("sens_windows.c", "int mu = deepest - k > least ? deepest - k : least;", "int mu = deepest;",
          audit = "audit_fails(check_smooth(2, 'exact', 6))"),
  "windows of k - 1 replacements" = c_bug("sens_windows.c", "n - mu + 1, k), two", "n - mu + 1, k / 2), two",
                                          audit = "audit_fails(check_smooth(2, 'exact', 6))"),
  "the median's windows one step short" = c_bug("sens_median.c", "for (int t = 0; t <= k + 1; t++) {",
                                                "for (int t = 1; t <= k; t++) {", ctest = "sens"),
  "the median's windows one step short, seen by the audit" =
    c_bug("sens_median.c", "int j = p + t, i = j - k - 1;", "int j = p + t, i = j - k;",
          audit = "audit_fails(check_smooth(1, epsilon = 4))"),
  "no windows beyond 2000 levels" = c_bug("sens_median.c", "if (!done && n >= DIRECT) {", "if (0) {", ctest = "sens"),
  "windows beyond 2000 levels lose their left end" =
    c_bug("sens_median.c", "conquer(s, j0, j - 1, i0, arg);", "conquer(s, j0, j - 1, arg, arg);", ctest = "sens"),
  "Medsweep: reach of one row less" =
    c_bug("sens_medsweep.c", "q->n - q->p + 1 - k, true);", "q->n - q->p + 2 - k, true);", ctest = "medsweep"),
  "Medsweep: both ends of the same K" =
    c_bug("sens_medsweep.c", "larger(gap_most(s, k + 1, k), gap_most(s, k, k + 1))", "gap_most(s, k, k)",
          audit = "audit_fails(check_medsweep(1, 4))"),
  "deepest regression: ends rounded inward" =
    c_bug("sens_deepest.c", "if (up ? sign > 0 : sign < 0) t += sign;", "if (up ? sign < 0 : sign > 0) t += sign;",
          audit = "deepest_spreads(c(0, 2^50 + 1), c(0, 2^50), c(1, 1))$lo[2, 2] != 0"),
  "deepest regression: extents that do not nest" =
    c_bug("sens_deepest.c", "for (int d = s->n - 1; d >= 0; d--) {", "for (int d = s->n - 1; d >= s->n; d--) {",
          audit = "audit_fails(check_deepest(4))"),
  "deepest regression: unbounded depth of half a column" =
    c_bug("sens_deepest.c", "if (least > most) most = least;", "if (least < most) most = least;",
          audit = "audit_fails(check_deepest(4))"),
  "regions one rank too small" = c_bug("sens_tukey.c", "l[0] = (dpd_line){1, 0, (int64_t)x[n - level]};",
                                       "l[0] = (dpd_line){1, 0, (int64_t)x[n - level - (level < n)]};",
                                       ctest = "tukey"),

  # -- depth counts ----------------------------------------------------------------------------------
  "depth on a line open for closed" =
    c_bug("depth_halfspace.c", "    gt += exceeds(y[i], p, e);", "    gt += !exceeds(p, y[i], e);",
          ctest = "directional"),
  "depth on a sorted line open for closed" =
    c_bug("depth_halfspace.c", "    if (exceeds(sorted[mid], p, e))", "    if (!exceeds(p, sorted[mid], e))",
          ctest = "depth"),
  "depth in the plane without the rows at the point" =
    c_bug("depth_halfspace2.c", "  *count = at + open;", "  *count = open;", ctest = "depth"),

  # -- mechanisms ------------------------------------------------------------------------------------
  "the exponential mechanism at twice epsilon" =
    c_bug("samp_bernoulli.c", "(dpd_u128)1 << (DPD_RATE_BITS + 1),", "(dpd_u128)1 << DPD_RATE_BITS,",
          ctest = "samp"),
  "the exponential mechanism at twice epsilon, seen by its draws" =
    c_bug("mech_median_exp.c", "m->spec.n, m->spec.eps,\n",
          "m->spec.n,\n                          (dpd_rate){2 * m->spec.eps.num},\n",
          audit = "exponential_is_wrong()"),
  "rows beyond the lattice are not clamped" =
    c_bug("num_lattice.c", "return fmin(fmax(z, -l->clamp), l->clamp);", "return z;", ctest = "lattice"),
  "the restricted draw at twice epsilon" =
    c_bug("mech_restricted.c", "gap = eps * (k - top) / 2;", "gap = eps * (k - top);",
          audit = "restricted_draw_is_wrong()"),
  "the projection median's draw at twice its rate" =
    c_bug("samp_shells.c", "log_weight = -s->law.rate * s->width * i;",
          "log_weight = -2 * s->law.rate * s->width * i;", audit = "projection_draw_is_wrong()")
)
