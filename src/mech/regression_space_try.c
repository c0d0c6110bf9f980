/* regression_space_try.c - by which row a leaf of planes is cut.
 *
 * METHOD: of the undecided rows those nearest to the middle of their range are tried, and some at
 *   random: the best leaves the least sum of volumes times exp(rate bound). All of it is about:
 *   values of the rows at the corners of the leaf are known once, those at the corners of a part
 *   lie between, and its volume is the share of the simplices that the leaf is made of. Steers
 *   speed only.
 * COST: O(rows x corners) each.
 * DEGENERATE: parts without volume weigh nothing; a leaf without is cut by the most central row.
 */
#include <math.h>
#include <string.h>

#include "mech/regression_order.h"
#include "mech/regression_space_state.h"
#include "num/splitmix.h"

enum { CENTRAL = 4, RANDOM = 4, SIMPLICES = 2 * DPD_HULL_CORNERS, STRIDE = 2 * DPD_SPACE_THIN };

/* A leaf's simplices, and the part in hand: corners that stay, and points of edges. */
typedef struct {
  dpd_regression_space *m;
  const dpd_hull *hull;
  const dpd_lattice_frame *frame;
  double w[3]
          [DPD_HULL_CORNERS]; /* corners in the frame's coordinates: thin hulls are round there */
  dpd_space_set *set;
  const int *note;
  int bound, simplices;
  uint8_t corner[SIMPLICES][4];
  double volume[SIMPLICES], whole;
  int kept, edges;
  uint8_t stays[DPD_HULL_CORNERS], from[3 * DPD_HULL_CORNERS], to[3 * DPD_HULL_CORNERS];
  float share[3 * DPD_HULL_CORNERS];
} leaf_parts;

static double simplex_volume(double w[3][DPD_HULL_CORNERS], const uint8_t *at)
{
  double e[3][3];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      e[i][j] = w[j][at[i + 1]] - w[j][at[0]];
  return fabs(e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) +
              e[0][1] * (e[1][2] * e[2][0] - e[1][0] * e[2][2]) +
              e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0]));
}

static void set_simplices(leaf_parts *l)
{
  const dpd_hull *h = l->hull;
  uint64_t seen = 0;
  int at[DPD_HULL_CORNERS];
  for (int i = 0; i < 3; i++) /* simplices from corner 0 over its own faces have no volume */
    seen |= (uint64_t)1 << h->f[0][i];
  for (int k = 1; k < h->corners; k++)
    for (int i = 0; i < 3; i++) {
      const int f = h->f[k][i];
      if (seen >> f & 1) continue;
      seen |= (uint64_t)1 << f;
      const int count = dpd_hull_face(h, f, k, at);
      for (int c = 2; c < count && l->simplices < SIMPLICES; c++) {
        uint8_t *s = l->corner[l->simplices];
        s[0] = 0;
        s[1] = (uint8_t)at[0];
        s[2] = (uint8_t)at[c - 1];
        s[3] = (uint8_t)at[c];
        l->volume[l->simplices] = simplex_volume(l->w, s);
        l->whole += l->volume[l->simplices++];
      }
    }
}

/* Rows less the middles of their slabs at each corner, and half the slabs. */
static void set_values(leaf_parts *l)
{
  const dpd_space_set *s = l->set;
  const dpd_hull *h = l->hull;
  double a[3][STRIDE], mid[STRIDE];
  for (int i = 0; i < s->size; i++) {
    const dpd_whole_row *r = &l->m->row[s->row[i]].whole;
    l->m->half[i] = (float)((double)r->gap / 2);
    mid[i] = (double)(r->top - dpd_whole_value(r, l->frame->o)) - (double)r->gap / 2;
    for (int j = 0; j < 3; j++) {
      const double v[3] = {(double)l->frame->v[j][0], (double)l->frame->v[j][1],
                           (double)l->frame->v[j][2]};
      a[j][i] = (double)dpd_whole_value(r, v);
    }
  }
  for (int k = 0; k < h->corners; k++) {
    const double x = l->w[0][k], y = l->w[1][k], z = l->w[2][k];
    float *value = l->m->value + (size_t)k * STRIDE;
#ifdef _OPENMP
#pragma omp simd
#endif
    for (int i = 0; i < s->size; i++)
      value[i] = (float)(a[0][i] * x + a[1][i] * y + a[2][i] * z - mid[i]);
  }
}

/* The share of a simplex where a form with these values at its corners is below 0. */
static double share_below(const double v[4])
{
  double d[4];
  int n = 0, low = 0;
  for (int i = 0; i < 4; i++)
    if (v[i] <= 0) d[n++] = v[i];
  low = n;
  for (int i = 0; i < 4; i++)
    if (v[i] > 0) d[n++] = v[i];
  if (low == 0) return 0;
  if (low == 4) return 1;
  if (low == 1) return d[0] / (d[0] - d[1]) * (d[0] / (d[0] - d[2])) * (d[0] / (d[0] - d[3]));
  if (low == 3) return 1 - d[3] / (d[3] - d[0]) * (d[3] / (d[3] - d[1])) * (d[3] / (d[3] - d[2]));
  double a = d[0] / (d[0] - d[2]), b = d[0] / (d[0] - d[3]);
  double c = d[1] / (d[1] - d[2]), e = d[1] / (d[1] - d[3]);
  return a * b + (1 - a) * c * e + a * (1 - b) * e;
}

/* How far the corner is beyond the part by row r. */
static inline float beyond(const leaf_parts *l, int r, int sign, int k)
{
  return (float)sign * l->m->value[(size_t)k * STRIDE + (size_t)r] + l->m->half[r];
}

/* The corners of a part. */
static void take_part(leaf_parts *l, int r, int sign)
{
  const dpd_hull *h = l->hull;
  float off[DPD_HULL_CORNERS];
  l->kept = l->edges = 0;
  for (int k = 0; k < h->corners; k++) {
    off[k] = beyond(l, r, sign, k);
    if (off[k] <= 0) l->stays[l->kept++] = (uint8_t)k;
  }
  for (int s = 0; s < l->kept; s++)
    for (int i = 0; i < 3; i++) {
      const int k = l->stays[s], w = h->next[k][i];
      if (off[w] <= 0) continue;
      l->from[l->edges] = (uint8_t)k;
      l->to[l->edges] = (uint8_t)w;
      l->share[l->edges++] = off[k] / (off[k] - off[w]);
    }
}

static double part_volume(const leaf_parts *l, int r, int sign)
{
  double sum = 0, off[DPD_HULL_CORNERS] = {0};
  for (int k = 0; k < l->hull->corners; k++)
    off[k] = (double)beyond(l, r, sign, k);
  for (int i = 0; i < l->simplices; i++) {
    const uint8_t *c = l->corner[i];
    const double v[4] = {off[c[0]], off[c[1]], off[c[2]], off[c[3]]};
    sum += l->volume[i] * share_below(v);
  }
  return sum;
}

/* The terms of a block of rows over the part. */
static void part_terms(const leaf_parts *l, int first, int size, int64_t sum[2])
{
  float min[DPD_SPACE_BLOCK], max[DPD_SPACE_BLOCK];
  dpd_regression_space *m = l->m;
  for (int i = 0; i < size; i++) {
    min[i] = INFINITY;
    max[i] = -INFINITY;
  }
  for (int k = 0; k < l->kept; k++) {
    const float *v = m->value + (size_t)l->stays[k] * STRIDE + first;
#ifdef _OPENMP
#pragma omp simd
#endif
    for (int i = 0; i < size; i++) {
      min[i] = v[i] < min[i] ? v[i] : min[i];
      max[i] = v[i] > max[i] ? v[i] : max[i];
    }
  }
  for (int k = 0; k < l->edges; k++) {
    const float *p = m->value + (size_t)l->from[k] * STRIDE + first;
    const float *q = m->value + (size_t)l->to[k] * STRIDE + first, t = l->share[k];
#ifdef _OPENMP
#pragma omp simd
#endif
    for (int i = 0; i < size; i++) {
      float v = p[i] + t * (q[i] - p[i]);
      min[i] = v < min[i] ? v : min[i];
      max[i] = v > max[i] ? v : max[i];
    }
  }
  const int up = m->weights.up, down = m->weights.down, shift = m->weights.shift;
  const int *count = l->set->count + first;
  const float *half = m->half + first;
  int *term = m->term + first, above = 0, below = 0;
#ifdef _OPENMP
#pragma omp simd reduction(+ : above, below)
#endif
  for (int i = 0; i < size; i++) {
    const int p = min[i] <= half[i] ? count[i] : 0, q = max[i] >= -half[i] ? count[i] : 0;
    term[i] = up * p - down * q + shift * count[i];
    above += p;
    below += q;
  }
  sum[0] += above;
  sum[1] += below;
}

static double log_part(leaf_parts *l, int r, int sign)
{
  const dpd_space_set *s = l->set;
  const double volume = part_volume(l, r, sign);
  int64_t sum[2] = {s->above, s->below}, bound = l->bound;
  if (!(volume > 0)) return -INFINITY;
  take_part(l, r, sign);
  for (int from = 0; from < s->size; from += DPD_SPACE_BLOCK)
    part_terms(l, from, s->size - from < DPD_SPACE_BLOCK ? s->size - from : DPD_SPACE_BLOCK, sum);
  for (int i = 0; i < DPD_SPACE_NOTES; i++) {
    if (l->note[i] < 0) continue;
    int64_t weight = dpd_space_weight(l->m, l->set, l->note[i], sum);
    if (weight < bound) bound = weight;
  }
  return log(volume / l->whole) + l->m->half_rate * (double)(bound - l->bound);
}

/* Rows of the set, among those that are open, that are nearest to the middle of their ranges, and
 * others. */
static int find_candidates(const dpd_regression_space *m, int leaf, const dpd_space_set *s,
                           int *row)
{
  int found = dpd_rows_central(m->off, m->open, s->size, CENTRAL, row);
  uint64_t state = (uint64_t)leaf;
  for (int k = 0; k < RANDOM && found >= CENTRAL; k++) {
    int i = (int)(dpd_splitmix_next(&state) % (uint64_t)s->size);
    if (m->open[i]) row[found++] = i;
  }
  return found;
}

int dpd_space_choose_row(dpd_regression_space *m, const dpd_space_leaf *leaf, dpd_space_set *few,
                         double *log_sum)
{
  leaf_parts l = {.m = m,
                  .hull = leaf->hull,
                  .frame = leaf->frame,
                  .set = few,
                  .note = leaf->note,
                  .bound = leaf->bound};
  int row[CENTRAL + RANDOM], best = -1;
  const int count = find_candidates(m, leaf->leaf, few, row);
  *log_sum = INFINITY;
  dpd_lattice_frame_corners(l.frame, l.hull, l.w);
  set_simplices(&l);
  set_values(&l);
  for (int k = 0; k < count; k++) {
    double a = log_part(&l, row[k], 1), b = log_part(&l, row[k], -1), more = fmax(a, b);
    double sum = more > -INFINITY ? more + log(exp(a - more) + exp(b - more)) : -INFINITY;
    if (best >= 0 && !(sum < *log_sum)) continue;
    *log_sum = sum;
    best = row[k];
  }
  return best < 0 ? -1 : few->row[best];
}
