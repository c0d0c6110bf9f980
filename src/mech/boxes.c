/* boxes.c - the exponential mechanism over nested boxes that are given by their ends.
 *
 * METHOD: as mech/axes.c, whose levels these are where the ends are order statistics: level k is
 *   drawn with weight V_0 for k = 0 and (1 - q) q^-k V_k for k >= 1, V_k the number of lattice
 *   points of box k and q = exp(-eps / 2), then a point of the box uniformly.
 * EXACT: V_k is a product of whole numbers, kept to 64 bits (samp/level.h): relative errors
 *   below d 2^-62 + 2^-59. Points are drawn in integers.
 * COST: O(count d) to open, O(count + d) for a draw.
 * DEGENERATE: boxes of one point, boxes equal to the one before, one level: all are fine.
 * REFERENCE: McSherry and Talwar (2007), Theorem 6.
 */
#include "mech/boxes.h"

#include <math.h>
#include <string.h>

#include "samp/level.h"
#include "samp/rng.h"

enum { MOST_AXES = 1 << 26 };

struct dpd_boxes {
  dpd_boxes_spec spec;
  dpd_product *product;
  dpd_levels levels;
};

static const double furthest = 0x1p52;

/* The number of whole numbers from `low` to `high`; 0 for none and for ends that are no whole
 * numbers of the size allowed. */
static dpd_u128 points_between(double low, double high)
{
  if (!(low >= -furthest && high <= furthest && low <= high)) return 0;
  if (low != floor(low) || high != floor(high)) return 0;
  return (dpd_u128)((int64_t)high - (int64_t)low) + 1;
}

static bool set_product(dpd_boxes *m, int k)
{
  dpd_product_one(m->product + k);
  for (int j = 0; j < m->spec.d; j++) {
    size_t at = (size_t)k + (size_t)j * (size_t)m->spec.count;
    dpd_u128 points = points_between(m->spec.low[at], m->spec.high[at]);
    if (points == 0) return false;
    dpd_product_times(m->product + k, points);
  }
  return true;
}

dpd_status dpd_boxes_open(dpd_boxes **out, const dpd_boxes_spec *spec, dpd_alloc alloc)
{
  if (spec->count < 1 || spec->d < 1 || spec->d > MOST_AXES) return DPD_ERR_DOMAIN;
  dpd_boxes *m = alloc(1, sizeof *m);
  memset(m, 0, sizeof *m);
  m->spec = *spec;
  m->product = alloc((size_t)spec->count, sizeof *m->product);
  int count = 0;
  while (count < spec->count && set_product(m, count))
    count++;
  if (count == 0) return DPD_ERR_DOMAIN;
  dpd_u128 step = dpd_level_step(spec->eps);
  dpd_levels_settle(&m->levels, m->product, count, step, dpd_level_offset(step));
  *out = m;
  return DPD_OK;
}

dpd_status dpd_boxes_draw(const dpd_boxes *m, dpd_rng *rng, double *x)
{
  int k = 0;
  DPD_TRY(dpd_levels_draw(&m->levels, rng, &k));
  for (int j = 0; j < m->spec.d; j++) {
    size_t at = (size_t)k + (size_t)j * (size_t)m->spec.count;
    dpd_u128 place;
    DPD_TRY(dpd_rng_below_u128(rng, points_between(m->spec.low[at], m->spec.high[at]), &place));
    x[j] = (double)((int64_t)m->spec.low[at] + (int64_t)place);
  }
  return DPD_OK;
}

const dpd_levels *dpd_boxes_levels(const dpd_boxes *m)
{
  return &m->levels;
}
