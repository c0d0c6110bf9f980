/* test_projection.c - frames, draws around the projection median: shapes, supports, odd data.
 *
 * Chance tests have an error rate below 1e-6. */
#include "ctest.h"
#include "ctest_memory.h"

#include <math.h>
#include <string.h>

#include "depth/projection.h"
#include "geom/basis.h"
#include "mech/projection.h"
#include "num/project_block.h"
#include "samp/rng.h"
#include "samp/outlyingness_exact.h"

static uint64_t state = 7;

static double next(void)
{
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(state >> 11) * 0x1p-53 - 0.5;
}

static dpd_status fill(void *unused, unsigned char *out, size_t len)
{
  (void)unused;
  for (size_t i = 0; i < len; i++) {
    (void)next();
    out[i] = (unsigned char)(state >> 56);
  }
  return DPD_OK;
}

/* Coefficients are about one at most, reproduce the vectors, and the inverse is one. */
static void frames(void)
{
  enum { COUNT = 60 };
  double a[COUNT * 6];
  for (int d = 1; d <= 6; d++) {
    dpd_basis f;
    double scale = 1, worst = 0, most = 0;
    for (int i = 0; i < COUNT * d; i++)
      a[i] = next() * pow(10, 3 * (i % d)); /* columns of very different sizes */
    CHECK(dpd_basis_fit(&f, a, COUNT, d, ctest_alloc) == DPD_OK);
    for (int i = 0; i < COUNT; i++)
      for (int j = 0; j < d; j++) {
        double sum = 0;
        for (int k = 0; k < d; k++)
          sum += f.coef[i * d + k] * a[f.row[k] * d + j];
        scale = pow(10, 3 * j);
        worst = fmax(worst, fabs(sum - a[i * d + j]) / scale);
        most = fmax(most, fabs(f.coef[i * d + j]));
      }
    CHECK(worst < 1e-9);
    CHECK(most <= 1.0200001);
    for (int k = 0; k < d; k++)
      CHECK(fabs(f.coef[f.row[k] * d + k] - 1) < 1e-9);
  }
  for (int i = 0; i < COUNT; i++)
    a[2 * i + 1] = 3 * (a[2 * i] = next());
  dpd_basis flat;
  CHECK(dpd_basis_fit(&flat, a, COUNT, 2, ctest_alloc) == DPD_ERR_DOMAIN);
  memset(a, 0, sizeof a);
  CHECK(dpd_basis_fit(&flat, a, COUNT, 2, ctest_alloc) == DPD_ERR_DOMAIN);
}

/* One direction: no proposal outside the shell is made, and the law is Laplace's. */
static void line(void)
{
  enum { DRAWS = 20000 };
  double g = 1, b = 0.25, sum = 0, at, grid;
  int unit = 0, right = 0;
  dpd_outlyingness_law law = {1, 1, &g, &b, &unit, 40, 0, 0};
  dpd_outlyingness_exact *s;
  dpd_rng rng;
  dpd_rng_open(&rng, fill, NULL, 64);
  CHECK(dpd_outlyingness_exact_open(&s, &law, ctest_alloc) == DPD_OK);
  for (int i = 0; i < DRAWS; i++) {
    CHECK(dpd_outlyingness_exact_draw(s, &rng, 100000, &at, &grid) == DPD_OK);
    sum += fabs(at * grid - b);
    right += at * grid > b;
  }
  /* five standard errors; a rate 5% off is seven */
  CHECK(fabs(sum / DRAWS * 40 - 1) < 5 / sqrt(DRAWS));
  CHECK(fabs(right - DRAWS / 2.0) < 2.5 * sqrt(DRAWS));
  CHECK(dpd_outlyingness_exact_proposals(s) < 1.3 * DRAWS);
  dpd_outlyingness_law endless = law;
  endless.min = INFINITY;
  CHECK(dpd_outlyingness_exact_open(&s, &endless, ctest_alloc) == DPD_ERR_DOMAIN);
  dpd_rng_close(&rng);
}

/* Within a shell the level t has the exponential law: a point that is `share` of the first shell
 * away from the middle is kept from the quantile on that this law gives it. (A uniform law there
 * moves means by a thousandth only, which no number of draws that a test can make would show.) */
static void levels_within_a_shell(void)
{
  const double width = 0.125, rate = 40; /* of a shell, in units of 1 / rate */
  double g = 1, b = 0.25, at, grid;
  int unit = 0;
  dpd_outlyingness_law law = {1, 1, &g, &b, &unit, rate, 0, 0};
  dpd_outlyingness_exact *s;
  CHECK(dpd_outlyingness_exact_open(&s, &law, ctest_alloc) == DPD_OK);
  /* the first shell, its coin if there is one, the box's first point, the smallest level */
  uint64_t words[4] = {0};
  dpd_tape tape = {words, 4, 0};
  dpd_rng rng;
  dpd_rng_open_tape(&rng, &tape);
  CHECK(dpd_outlyingness_exact_draw(s, &rng, 1, &at, &grid) == DPD_AGAIN);
  size_t place = tape.pos - 2;
  const double first = at;
  for (double share = 0.25; share < 1; share += 0.25) {
    uint64_t from = 0, to = (uint64_t)1 << 53;
    words[place] = (uint64_t)((b + share * width / rate) / grid - first);
    while (to - from > 1) {
      uint64_t middle = from + (to - from) / 2;
      words[place + 1] = middle << 11;
      dpd_rng_open_tape(&rng, &tape);
      if (dpd_outlyingness_exact_draw(s, &rng, 1, &at, &grid) == DPD_OK)
        to = middle;
      else
        from = middle;
    }
    CHECK(fabs((double)to * 0x1p-53 - expm1(-share * width) / expm1(-width)) < 1e-6);
  }
}

/* The mean of rate (O - min O) is d where the level sets grow like a cone from the start. */
static void cones(void)
{
  enum { DRAWS = 4000, MOST = 4 };
  double dirs[MOST * MOST], location[MOST], spread[MOST], x[MOST];
  for (int d = 1; d <= MOST; d++) {
    double mean = 0;
    memset(dirs, 0, sizeof dirs);
    for (int u = 0; u < d; u++) {
      dirs[u * d + u] = 1;
      location[u] = 10 * u;
      spread[u] = 1 + u;
    }
    dpd_projection_spec spec = {d, d, dirs, location, spread, 9, 0x1p-30, false};
    dpd_projection *p;
    dpd_rng rng;
    dpd_rng_open(&rng, fill, NULL, 64);
    CHECK(dpd_projection_open(&p, &spec, ctest_alloc) == DPD_OK);
    for (int i = 0; i < DRAWS; i++) {
      double out = 0;
      dpd_status status;
      while ((status = dpd_projection_exact(p, &rng, x)) == DPD_AGAIN)
        ;
      CHECK(status == DPD_OK);
      for (int u = 0; u < d; u++) {
        out = fmax(out, fabs(x[u] - location[u]) / spread[u]);
        CHECK(x[u] * 0x1p30 == rint(x[u] * 0x1p30));
      }
      mean += 9 * out / DRAWS;
    }
    CHECK(fabs(mean - d) < 5 * sqrt(d / (double)DRAWS));
    spread[0] = 0; /* not safe: some law all the same */
    CHECK(dpd_projection_open(&p, &spec, ctest_alloc) == DPD_OK);
    CHECK(dpd_projection_exact(p, &rng, x) == DPD_OK && fabs(x[0]) < 10);
    dpd_rng_close(&rng);
  }
}

/* Without a source there is no draw. */
static void tapes(void)
{
  double one = 1, zero = 0, x;
  uint64_t words[1] = {0};
  dpd_tape tape = {words, 1, 0};
  dpd_rng rng;
  dpd_projection_spec spec = {1, 1, &one, &zero, &one, 1, 1, false};
  dpd_projection *p;
  dpd_rng_open_tape(&rng, &tape);
  CHECK(dpd_projection_open(&p, &spec, ctest_alloc) == DPD_OK);
  CHECK(dpd_projection_exact(p, &rng, &x) == DPD_ERR_ENTROPY);
  spec.chain = true;
  CHECK(dpd_projection_open(&p, &spec, ctest_alloc) == DPD_OK);
  dpd_projection_chains chains = {DPD_HITRUN, 2, 10, NULL};
  CHECK(dpd_projection_chain(p, &rng, &chains, &x) == DPD_ERR_ENTROPY);
}

/* Outlyingness is the largest ratio to the bit, though that of the second axis is a unit in the
 * last place larger; for tiny and large sizes, too. */
static void largest_ratios(double size)
{
  enum { ROWS = 24, POINTS = 21, AXES = 2 };
  static const double axes[AXES * AXES] = {1, 0, 0, 1};
  double x[ROWS * AXES], p[POINTS * AXES], rows[ROWS * AXES], points[ROWS * AXES];
  double zero[AXES] = {0, 0}, location[AXES], scale[AXES], got[POINTS];
  for (int i = 0; i < ROWS; i++)
    x[i] = x[ROWS + i] = size * next();
  for (int i = 0; i < POINTS; i++) {
    p[i] = 8 * size * next();
    p[POINTS + i] = nextafter(p[i], p[i] > 0 ? INFINITY : -INFINITY);
  }
  dpd_pack_rows(x, ROWS, AXES, NULL, rows);
  dpd_pack_rows(p, POINTS, AXES, NULL, points);
  dpd_outlyingness o = {.rows = rows,
                        .points = points,
                        .n = ROWS,
                        .m = POINTS,
                        .d = AXES,
                        .count = AXES,
                        .dirs = axes,
                        .magnitude = zero,
                        .threads = 1,
                        .location = location,
                        .scale = scale};
  o.work = ctest_alloc(dpd_outlyingness_scratch(&o), 1);
  dpd_outlyingness_begin(&o);
  dpd_outlyingness_run(&o, 0, AXES);
  dpd_outlyingness_end(&o, got);
  CHECK(scale[0] > 0 && scale[1] == scale[0]);
  for (int i = 0; i < POINTS; i++) {
    double one = fabs(p[i] - location[0]) / scale[0];
    CHECK(got[i] == fmax(one, fabs(p[POINTS + i] - location[1]) / scale[1]));
  }
}

int main(void)
{
  ctest_memory pool = {NULL, 0};
  ctest_pool = &pool;
  frames();
  line();
  levels_within_a_shell();
  cones();
  tapes();
  for (int round = 0; round < 20; round++)
    largest_ratios(ldexp(1, (round % 5 - 2) * 250));
  ctest_free(&pool);
  return ctest_report("projection");
}
