/* boxes.c - the exponential mechanism over nested boxes: a level, then a point of its box.
 *
 * METHOD: a score h whose sets {h >= k} are boxes, k = 0, 1, ..., each within the one before. Level
 *   k is drawn with weight V_0 for k = 0 and (1 - q) q^-k V_k for k >= 1, V_k the mass of box k and
 *   q = exp(-eps / 2), then a point of the box by its mass. So z has weight mass(z) f(h(z)),
 *   f(t) = 1 + (1 - q) (q^-1 + ... + q^-t) = q^-t. (Level 0 has no factor 1 - q: with it the
 *   distribution is another one, and not private where level 0 is not everything.) V_k is a product
 *   over axes, and so are draws from a box: independent integers, no rejection.
 * EXACT: masses and draws are integers. V_k is kept to 64 bits, rounded down: d factors cost less
 *   than d 2^-62; samp/level adds 2^-59. Probabilities are off by factors within exp(+-2^-35) for
 *   d <= 2^26, which dpd_rate's slack of 2^-34 pays. The factor 1 - q is a little too small, which
 *   keeps f(t + 1) <= q^-1 f(t): see the proofs.
 * COST: one mass per run and axis to prepare, O(runs + d) for a draw, 16 bytes per run.
 * DEGENERATE: boxes of one point, boxes equal to the one before, one level: all are fine.
 * REFERENCE: McSherry and Talwar (2007), Theorem 6.
 */
#include "mech/boxes.h"

#include <math.h>

#include "samp/rng.h"

struct dpd_boxes {
  dpd_boxes_spec spec;
  dpd_product *product; /* one a run */
  dpd_levels levels;
  int next;  /* the axis whose turn it is */
  int level; /* of the draw that is being made; -1: none */
  int drawn; /* of the last one */
};

dpd_boxes *dpd_boxes_open(const dpd_boxes_spec *spec, dpd_alloc alloc)
{
  dpd_boxes *m = alloc(1, sizeof *m);
  *m = (dpd_boxes){.spec = *spec, .level = -1};
  if (spec->first == NULL) m->spec.runs = spec->count;
  m->product = alloc((size_t)m->spec.runs, sizeof *m->product);
  return m;
}

/* Multiplies each level's product by the mass of its box along axis j. */
static void add_axis(dpd_boxes *m, int j)
{
  dpd_boxes_spec *s = &m->spec;
  s->enter(s->of, j, -1);
  for (int r = 0; r < s->runs; r++) {
    int k = s->first != NULL ? s->first[r] : r;
    dpd_u128 mass = s->mass(s->of, k);
    if (mass == 0) {
      s->runs = r; /* boxes are nested: none above holds a point */
      s->count = k;
      return;
    }
    if (j == 0) dpd_product_one(m->product + r); /* memory of empty levels is never touched */
    dpd_product_times(m->product + r, mass);
  }
}

dpd_status dpd_boxes_prepare(dpd_boxes *m)
{
  const dpd_boxes_spec *s = &m->spec;
  add_axis(m, m->next);
  if (s->count == 0) return DPD_ERR_DOMAIN;
  m->next++;
  if (m->next < s->d) return DPD_AGAIN;
  dpd_u128 step = dpd_level_step(s->eps);
  dpd_level_runs runs = {m->product, s->first, s->runs, s->count};
  dpd_levels_settle(&m->levels, runs, step, dpd_level_offset(step));
  m->next = 0;
  return DPD_OK;
}

dpd_status dpd_boxes_draw(dpd_boxes *m, dpd_rng *rng, double *x)
{
  const dpd_boxes_spec *s = &m->spec;
  dpd_u128 unit;
  if (m->level < 0) DPD_TRY(dpd_levels_draw(&m->levels, rng, &m->level));
  s->enter(s->of, m->next, m->level);
  DPD_TRY(dpd_rng_below_u128(rng, s->mass(s->of, m->level), &unit));
  x[m->next] = s->point(s->of, m->level, unit);
  m->next++;
  if (m->next < s->d) return DPD_AGAIN;
  m->next = 0;
  m->drawn = m->level;
  m->level = -1;
  return DPD_OK;
}

int dpd_boxes_level(const dpd_boxes *m)
{
  return m->drawn;
}

const dpd_levels *dpd_boxes_levels(const dpd_boxes *m)
{
  return &m->levels;
}

/* -- given by their ends ----------------------------------------------------------------------- */

typedef struct {
  dpd_box_ends ends;
  size_t axis; /* where the ends along the axis begin */
} given_boxes;

static const double furthest = 0x1p52;

static void enter_given(void *of, int j, int level)
{
  given_boxes *b = of;
  (void)level;
  b->axis = (size_t)j * (size_t)b->ends.count;
}

/* The number of whole numbers of the box; 0 for none and for ends that are no whole numbers of the
 * size allowed. */
static dpd_u128 given_mass(void *of, int level)
{
  const given_boxes *b = of;
  double low = b->ends.low[b->axis + (size_t)level], high = b->ends.high[b->axis + (size_t)level];
  if (!(low >= -furthest && high <= furthest && low <= high)) return 0;
  if (low != floor(low) || high != floor(high)) return 0;
  return (dpd_u128)((int64_t)high - (int64_t)low) + 1;
}

static double given_point(void *of, int level, dpd_u128 unit)
{
  const given_boxes *b = of;
  return (double)((int64_t)b->ends.low[b->axis + (size_t)level] + (int64_t)unit);
}

dpd_status dpd_boxes_open_ends(dpd_boxes **out, const dpd_box_ends *ends, dpd_alloc alloc)
{
  if (ends->count < 1 || ends->d < 1 || ends->d > DPD_BOXES_AXES) return DPD_ERR_DOMAIN;
  given_boxes *b = alloc(1, sizeof *b);
  *b = (given_boxes){.ends = *ends};
  dpd_boxes_spec spec = {.d = ends->d,
                         .count = ends->count,
                         .eps = ends->eps,
                         .of = b,
                         .enter = enter_given,
                         .mass = given_mass,
                         .point = given_point};
  *out = dpd_boxes_open(&spec, alloc);
  return DPD_OK;
}
