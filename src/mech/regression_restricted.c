/* regression_restricted.c - the restricted exponential mechanism over regression depth: its draw.
 *
 * METHOD: with q = exp(-eps/2), q^-h on {h >= t} is, up to a factor, a sum over levels: 1 on all of
 *   Z(t), and q^-(l-t) (1 - q) on Z(l) for each l > t. So a level is drawn with these factors times
 *   the number of its fits, then a fit of it by its number, uniformly in integers. (With the factor
 *   1 - q on the base level as well the law is another one, and not private.)
 * EXACT: numbers of fits and draws are integers. A level's is kept to 64 bits, rounded down, and
 *   drawn as in samp/level.c: the law is off by factors within exp(+-2^-40), which dpd_rate's slack
 *   pays. No level is left out.
 * COST: O(n^2 log n) for the first draw of a level, then O(pieces log range + n log n). Memory: 16
 *   bytes a level, and what median/regression_regions.c says.
 * DEGENERATE: every level up to r->levels has a fit, so that no count is zero. A base level that is
 *   the highest is drawn always. Tied rows, vertical lines: median/regression_regions.c.
 * REFERENCE: Amin, Joseph, Ribero and Vassilvitskii (2022), Easy differentially private linear
 *   regression; Brown, Gaboardi, Smith, Ullman and Zakynthinou (2021), Covariance-aware
 *   private mean estimation without private covariance estimation.
 */
#include "mech/regression_restricted.h"

#include <string.h>

#include "num/big_integer.h"
#include "samp/rng.h"

enum { LIMBS = DPD_FIT_LIMBS };

/* The place of the highest one: of n > 0. */
static int top_bit(const uint64_t *n)
{
  int bit = 64 * LIMBS - 1;
  while (!(n[bit / 64] >> (bit % 64) & 1))
    bit--;
  return bit;
}

/* The 64 bits from the highest one down. */
static dpd_product leading_bits(const uint64_t *n)
{
  int low = top_bit(n) - 63, limb = low >= 0 ? low / 64 : 0, shift = low - 64 * limb;
  uint64_t part = shift < 0 ? n[0] << -shift : n[limb] >> shift;
  if (shift > 0) part |= n[limb + 1] << (64 - shift);
  return (dpd_product){part, low};
}

dpd_status dpd_fit_count_below(dpd_rng *rng, const dpd_fit_count *n, dpd_fit_count *out)
{
  int top = top_bit(n->limb), last = top / 64;
  uint64_t mask = UINT64_MAX >> (63 - top % 64), rest[LIMBS];
  do {
    memset(out, 0, sizeof *out);
    for (int k = 0; k <= last; k++)
      DPD_TRY(dpd_rng_u64(rng, &out->limb[k]));
    out->limb[last] &= mask;
    memcpy(rest, out->limb, sizeof rest);
    dpd_big_subtract(rest, n->limb, LIMBS);
  } while (dpd_big_sign(rest, LIMBS) >= 0);
  return DPD_OK;
}

void dpd_fit_mechanism_open(dpd_fit_mechanism *m, dpd_fit_regions *r, int base, dpd_rate eps,
                            dpd_product *product)
{
  int count = r->levels - base + 1;
  dpd_u128 step = dpd_level_step(eps);
  m->regions = r;
  m->base = base;
  m->level = 0;
  for (int k = 0; k < count; k++)
    product[k] = leading_bits(r->count[base + k].limb);
  dpd_levels_settle(&m->levels, product, count, step, dpd_level_offset(step));
}

dpd_status dpd_fit_mechanism_draw(dpd_fit_mechanism *m, dpd_rng *rng, dpd_i128 *intercept,
                                  int64_t *slope)
{
  dpd_fit_count index;
  if (m->level == 0) {
    int above;
    DPD_TRY(dpd_levels_draw(&m->levels, rng, &above));
    m->level = m->base + above;
  }
  DPD_TRY(dpd_fit_regions_find(m->regions, m->level));
  DPD_TRY(dpd_fit_count_below(rng, &m->regions->count[m->level], &index));
  dpd_fit_regions_pick(m->regions, m->level, &index, intercept, slope);
  m->level = 0;
  return DPD_OK;
}
