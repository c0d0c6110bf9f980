/* score_idd_smooth.c - smoothed integrated dual depth as an integer score.
 *
 * METHOD: along direction u the row i is rounded to the node b_i next to y = u'x_i, nodes being the
 *   multiples of a public power of two h. At node k the row adds step[k - b_i], the logistic
 *   function of slope (k - b_i) h in whole parts of 2^-STEP_BITS, made to rise; between the nodes
 *   k and k + 1 it adds the weighted mean of both, with weights in parts of 2^-PART_BITS. So a row
 *   adds a whole number in 0..TOP that does not fall in t = u'z; G is the sum over the rows and the
 *   score sums G (n TOP - G) over the directions. With G and G' of neighbours, G - G' = g - g',
 *   and G + G' = 2 H + g + g', H the other rows' sum, 0 <= H <= (n - 1) TOP: the score's change
 *   (g - g') (n TOP - G - G') is at most TOP (n - 1) TOP in size for n >= 2: for g > g' the second
 *   factor lies between (n - 2 (n - 1)) TOP - g - g' and n TOP - g - g', so that the product is at
 *   most g n TOP - g^2 <= (n - 1) TOP^2 at g' = 0 and at least (g - g') (-(n - 2) TOP - g - g') >=
 *   -(n - 1) TOP^2. For n = 1 the score lies in 0..TOP^2 / 4.
 *   Over an interval a..b of t the summand's bound is its value at b if G(b) is below half, at a
 *   if G(a) is above, else a quarter of (n TOP)^2.
 * COST: O(n d + nodes * steps) per direction to prepare, at most NODES numbers kept; where rows lie
 *   beyond these, n more. O(count d) per score or bound within the nodes kept; outside them a
 *   binary search among the rows, and those near.
 * DEGENERATE: tied rows add up at one node. A slope so steep that steps have less than a unit
 *   between them has nodes at all units: G then jumps. One so flat that the function does not end
 *   within STEPS steps is cut there: a public jump, at which G still rises. Sums are below 2^59.
 * REFERENCE: Ramsay, Jagannath and Chenouri (2022), definition 10.
 */
#include <math.h>
#include <string.h>

#include "mech/depth_score.h"
#include "num/project_block.h"
#include "num/sort.h"

enum {
  STEP_BITS = 20,
  PART_BITS = 8,
  NODES = 4096, /* kept for each direction, at most */
  STEPS = 192,  /* steps to each side are no more */
  NODES_A_SLOPE = 6,
  GROUP = 8 /* directions that are projected on at a time */
};
/* The logistic function ends here: what is left is 2^-21 and less. */
static const double LOGISTIC_REACH = 15;

#define TOP ((int64_t)1 << (STEP_BITS + PART_BITS))

typedef struct {
  double h;  /* the distance of nodes, a power of two */
  int reach; /* steps to each side */
  int64_t step[2 * STEPS + 1];
  int64_t first, nodes; /* the nodes kept */
  int64_t min, max;     /* of the rows' nodes */
  int64_t *sum;         /* nodes: of the steps, at each */
  double *sorted;       /* n: the rows' nodes, rising, where some lie beyond those kept; or NULL */
} smooth_direction;

typedef struct {
  dpd_score_spec spec;
  smooth_direction *dir;
} smooth;

static double node_of(const smooth_direction *s, double y)
{
  return floor(y / s->h + 0.5);
}

/* What a row `ahead` nodes below adds at a node. */
static int64_t step_at(const smooth_direction *s, int64_t ahead)
{
  if (ahead < -s->reach) return 0;
  if (ahead > s->reach) return (int64_t)1 << STEP_BITS;
  return s->step[ahead + s->reach];
}

/* Nodes and steps of a direction: public. */
static void set_steps(smooth_direction *s, double slope)
{
  int e;
  (void)frexp(1 / (slope * NODES_A_SLOPE), &e);
  s->h = e > 1 ? ldexp(1, e - 1) : 1;
  double reach = ceil(LOGISTIC_REACH / (slope * s->h));
  s->reach = reach < STEPS ? (int)reach : STEPS;
  int64_t last = 0;
  for (int k = -s->reach; k <= s->reach; k++) {
    double g = 1 / (1 + exp(-slope * s->h * k));
    int64_t step = (int64_t)rint(ldexp(g, STEP_BITS));
    if (step < last) step = last;
    s->step[k + s->reach] = last = step;
  }
}

/* The sum over the rows at node k, which is not kept. */
static int64_t sum_over_rows(const smooth *m, int u, int64_t k)
{
  const dpd_projected *p = m->spec.from;
  const smooth_direction *s = m->dir + u;
  if (k > s->max + s->reach) return (int64_t)p->n << STEP_BITS;
  if (k < s->min - s->reach) return 0;
  int lo = 0, hi = p->n; /* the first row that has not added all */
  while (lo < hi) {
    int mid = lo + (hi - lo) / 2;
    if (s->sorted[mid] < (double)(k - s->reach))
      lo = mid + 1;
    else
      hi = mid;
  }
  int64_t sum = (int64_t)lo << STEP_BITS;
  for (int i = lo; i < p->n && s->sorted[i] <= (double)(k + s->reach); i++)
    sum += step_at(s, k - (int64_t)s->sorted[i]);
  return sum;
}

static int64_t sum_at_node(const smooth *m, int u, int64_t k)
{
  const smooth_direction *s = m->dir + u;
  if (k >= s->first && k < s->first + s->nodes) return s->sum[k - s->first];
  return sum_over_rows(m, u, k);
}

/* G along direction u at t. */
static int64_t sum_at(const smooth *m, int u, double t)
{
  const smooth_direction *s = m->dir + u;
  double k = floor(t / s->h);
  int64_t part = (int64_t)floor((t - k * s->h) / s->h * (1 << PART_BITS));
  int64_t here = sum_at_node(m, u, (int64_t)k), next = sum_at_node(m, u, (int64_t)k + 1);
  return here * (((int64_t)1 << PART_BITS) - part) + next * part;
}

static dpd_u128 summand(const smooth *m, int64_t sum)
{
  return (dpd_u128)sum * (dpd_u128)(m->spec.from->n * TOP - sum);
}

static dpd_u128 score_at(void *ctx, const double *z)
{
  const smooth *m = ctx;
  const dpd_projected *p = m->spec.from;
  dpd_u128 score = 0;
  for (int u = 0; u < p->count; u++)
    score += summand(m, sum_at(m, u, dpd_project(p->dirs + (size_t)u * (size_t)p->d, z, p->d)));
  return score;
}

static dpd_u128 score_bound(void *ctx, const dpd_score_box *box)
{
  const smooth *m = ctx;
  int64_t half = m->spec.from->n * (TOP / 2);
  dpd_u128 score = 0;
  for (int u = 0; u < m->spec.from->count; u++) {
    int64_t sum = sum_at(m, u, box->max[u]);
    if (sum >= half) {
      sum = sum_at(m, u, box->min[u]);
      if (sum < half) sum = half;
    }
    score += summand(m, sum);
  }
  return score;
}

/* The rows' nodes along direction u, from their projections y, and the nodes to keep: about the
 * middle one. */
static void choose_nodes(smooth *m, int u, const double *y, int64_t *node)
{
  const dpd_projected *p = m->spec.from;
  smooth_direction *s = m->dir + u;
  double sum = 0;
  for (int i = 0; i < p->n; i++) {
    node[i] = (int64_t)node_of(s, y[i]);
    if (i == 0 || node[i] < s->min) s->min = node[i];
    if (i == 0 || node[i] > s->max) s->max = node[i];
    sum += (double)node[i];
  }
  s->first = s->min - s->reach;
  s->nodes = s->max + s->reach + 2 - s->first;
  if (s->nodes <= NODES) return;
  /* which ones is a matter of speed only */
  s->first = (int64_t)(sum / p->n) - NODES / 2;
  s->nodes = NODES;
}

/* Adds what `rows` rows at `node` add at the nodes kept: `rise` gets what they add from a node on
 * for good. */
static void add_rows(const smooth_direction *s, int64_t node, int64_t rows, int64_t *rise)
{
  int64_t from = node - s->reach - s->first, to = node + s->reach - s->first;
  if (from >= s->nodes) return;
  for (int64_t k = from < 0 ? 0 : from; k <= to && k < s->nodes; k++)
    s->sum[k] += rows * s->step[k - from];
  int64_t full = to + 1 < 0 ? 0 : to + 1;
  if (full < s->nodes) rise[full] += rows << STEP_BITS;
}

static void set_sums(smooth *m, int u, const int64_t *node, int64_t *count, int64_t *rise)
{
  smooth_direction *s = m->dir + u;
  int64_t before = s->first - s->reach - 1, room = s->nodes + 2 * s->reach + 2;
  memset(s->sum, 0, (size_t)s->nodes * sizeof *s->sum);
  memset(rise, 0, (size_t)s->nodes * sizeof *rise);
  memset(count, 0, (size_t)room * sizeof *count);
  for (int i = 0; i < m->spec.from->n; i++) {
    int64_t at = node[i] - before;
    count[at < 0 ? 0 : at >= room ? room - 1 : at]++;
  }
  for (int64_t k = 0; k < room; k++)
    if (count[k] > 0) add_rows(s, k + before, count[k], rise);
  int64_t full = 0;
  for (int64_t k = 0; k < s->nodes; k++) {
    full += rise[k];
    s->sum[k] += full;
  }
}

/* As score_at(), of projections. */
static dpd_u128 score_along(void *ctx, const double *t)
{
  const smooth *m = ctx;
  dpd_u128 score = 0;
  for (int u = 0; u < m->spec.from->count; u++)
    score += summand(m, sum_at(m, u, t[u]));
  return score;
}

static double summand_along(void *ctx, int u, double t)
{
  const smooth *m = ctx;
  return (double)summand(m, sum_at(m, u, t));
}

/* The node next to where half of all is reached. */
static double peak_along(void *ctx, int u)
{
  const smooth *m = ctx;
  const smooth_direction *s = m->dir + u;
  int64_t half = (int64_t)m->spec.from->n << (STEP_BITS - 1);
  int64_t below = s->min - s->reach - 1, above = s->max + s->reach + 1;
  while (above - below > 1) {
    int64_t mid = below + (above - below) / 2;
    if (sum_at_node(m, u, mid) < half)
      below = mid;
    else
      above = mid;
  }
  return (double)above * s->h;
}

/* Steps and sums of GROUP directions from u on, whose projections are y. */
static void set_group(smooth *m, int u, double *y, int64_t *node, dpd_alloc alloc)
{
  size_t n = (size_t)m->spec.from->n;
  int64_t *rise = node + n, *rows = rise + NODES;
  for (int k = u; k < u + GROUP && k < m->spec.from->count; k++, y += dpd_padded(n)) {
    smooth_direction *s = m->dir + k;
    set_steps(s, m->spec.slope[k]);
    choose_nodes(m, k, y, node);
    s->sum = alloc((size_t)s->nodes, sizeof *s->sum);
    set_sums(m, k, node, rows, rise);
    if (s->first <= s->min - s->reach && s->first + s->nodes > s->max + s->reach + 1) continue;
    s->sorted = alloc(n, sizeof *s->sorted);
    for (size_t i = 0; i < n; i++)
      s->sorted[i] = (double)node[i];
    dpd_sort_doubles(s->sorted, n, y);
  }
}

void dpd_score_idd_smooth_open(dpd_depth_score *out, const dpd_score_spec *spec, dpd_alloc alloc)
{
  smooth *m = alloc(1, sizeof *m);
  const dpd_projected *p = spec->from;
  size_t n = (size_t)p->n, d = (size_t)p->d, count = (size_t)p->count, padded = dpd_padded(n);
  memset(m, 0, sizeof *m);
  m->spec = *spec;
  m->dir = alloc(count, sizeof *m->dir);
  memset(m->dir, 0, count * sizeof *m->dir);
  int64_t *node = alloc(n + 2 * NODES + 2 * STEPS + 2, sizeof *node);
  /* the rows by column, for blocks of projections, which are whole numbers: exact in any order */
  double *packed = alloc(padded * (d + GROUP) + n * d, sizeof *packed);
  double *y = packed + padded * d, *column = y + padded * GROUP;
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < d; j++)
      column[i + j * n] = p->rows[i * d + j];
  dpd_pack_rows(column, n, p->d, NULL, packed);
  for (int u = 0; u < p->count; u += GROUP) {
    int size = p->count - u < GROUP ? p->count - u : GROUP;
    dpd_project_block(packed, n, p->d, p->dirs + (size_t)u * d, size, y);
    set_group(m, u, y, node, alloc);
    if (spec->pause != NULL) spec->pause();
  }
  dpd_u128 top = TOP, max = n * top;
  *out = (dpd_depth_score){.at = score_at, .bound = score_bound, .ctx = m};
  out->along = (dpd_score_along){score_along, summand_along, peak_along};
  out->most = max * max / 4 * count;
  out->times = 1;
  out->added = n * top * top * count;
  out->sensitivity = (n > 1 ? (n - 1) * top * top : top * top / 4) * count;
}
