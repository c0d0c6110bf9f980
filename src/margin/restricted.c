/* restricted.c - bounds of the lattice points of directional depth regions in space.
 *
 * METHOD: P(l, s) = {x : y_u(l) - s |u|_1 <= u'x <= y_u(n+1-l) + s |u|_1} has the volume of at
 * least |Z(l)| for s = 1/2, as it holds the unit cubes about the points of Z(l), and of at most
 * |Z(l)| for s = -1/2, as the nearest lattice point of each of its points is in Z(l). Twice P(l, s)
 * has integer coefficients, so that its vertices are exact and its volume has a small relative
 * error, however thin it is (geom/halfspaces.c). The points of Z(l) are those of P(l, 0)
 * (geom/lattice_cell.c).
 *
 * NESTING: for neighbours P'(l + 1, s) is part of P(l, s), exactly, and so are its volume, whether
 * it is 0, and whether P(l, 0) is empty. Computed logarithms of volumes are off by less than 2^-38
 * and the last bit of numbers below 2^8.
 *
 * EXACTNESS: |u|_1 < 2^12, so that u'x < 2^47 on rows; less u'c for the middle c of the region's
 * rectangle, doubled, and with |u|_1 added this is below 2^50, and coordinates are below 2^37.
 *
 * COST: a polytope a level, two at the base: O(directions x vertices). Memory does not depend on
 * the data.
 *
 * DEGENERATE: regions thinner than a step of the lattice in some direction have no lower bound, and
 * count as empty.
 */
#include "margin/restricted.h"

#include <math.h>
#include <string.h>

#include "geom/halfspaces.h"
#include "num/directions.h"
#include "num/parallel_points.h"
#include "num/project.h"
#include "num/sort.h"

enum { BLOCK_LEVELS = 16, BLOCK_DIRECTIONS = 64, TRIALS = 1000 };

/* One level's halfspaces, and workspace. */
typedef struct {
  dpd_halfspace *h;
  void *work;
  int axis[3]; /* direction number of each axis */
} level_memory;

static int64_t low_end(const dpd_space *s, int u, int level)
{
  return (int64_t)s->sorted[(size_t)u * (size_t)s->n + (size_t)level - 1];
}

static int64_t high_end(const dpd_space *s, int u, int level)
{
  return (int64_t)s->sorted[(size_t)u * (size_t)s->n + (size_t)(s->n - level)];
}

static void find_axes(const dpd_space *s, int axis[3])
{
  for (int u = s->count - 1; u >= 0; u--) {
    int k = dpd_axis_of(s->dirs + 3 * u, 3);
    if (k >= 0) axis[k] = u;
  }
}

/* What is cut out: scale (P(level, shift / scale) - centre). */
typedef struct {
  int level, scale, shift;
  int64_t centre[3];
} part;

/* u'(x - centre) scale <= scale y + shift |u|_1, or -u for the low end. */
static dpd_halfspace halfspace(const dpd_space *s, int u, int sign, int64_t y, const part *p)
{
  dpd_halfspace h = {{0, 0, 0}, y};
  int64_t size = 0;
  for (int k = 0; k < 3; k++) {
    int64_t v = (int64_t)s->dirs[3 * u + k];
    h.a[k] = sign * v;
    h.b -= v * p->centre[k];
    size += v < 0 ? -v : v;
  }
  h.b = sign * p->scale * h.b + p->shift * size;
  return h;
}

/* Whole numbers about the middle of the level's rectangle. */
static void find_centre(const dpd_space *s, const int axis[3], int level, int64_t centre[3])
{
  for (int k = 0; k < 3; k++) {
    int u = axis[k];
    double sum = (double)(low_end(s, u, level) + high_end(s, u, level));
    centre[k] = (int64_t)rint(sum / 2 / s->dirs[3 * u + k]);
  }
}

/* Finds the centre, and cuts the part out: false if it is empty. */
static bool cut_region(const dpd_space *s, const level_memory *w, part *p, dpd_solid *solid)
{
  int count = 6, level = p->level;
  find_centre(s, w->axis, level, p->centre);
  for (int k = 0; k < 3; k++) {
    int u = w->axis[k], sign = s->dirs[3 * u + k] > 0 ? 1 : -1;
    int64_t low = low_end(s, u, level), high = high_end(s, u, level);
    w->h[2 * k] = halfspace(s, u, sign, sign > 0 ? high : low, p);
    w->h[2 * k + 1] = halfspace(s, u, -sign, sign > 0 ? low : high, p);
  }
  for (int u = 0; u < s->count; u++) {
    if (u == w->axis[0] || u == w->axis[1] || u == w->axis[2]) continue;
    w->h[count++] = halfspace(s, u, 1, high_end(s, u, level), p);
    w->h[count++] = halfspace(s, u, -1, low_end(s, u, level), p);
  }
  return dpd_halfspaces_meet(w->h, count, w->work, solid);
}

/* The logarithm of the volume of P(level, shift / 2). */
static double bound_level(const dpd_space *s, const level_memory *w, int level, int shift)
{
  dpd_solid solid;
  part p = {level, 2, shift, {0, 0, 0}};
  if (!cut_region(s, w, &p, &solid)) return -INFINITY;
  return log(dpd_solid_volume(&solid) / 8);
}

bool dpd_restricted_bounds_holds(const dpd_space *s, int level, const int64_t z[3])
{
  double at[3] = {(double)z[0], (double)z[1], (double)z[2]};
  for (int u = 0; u < s->count; u++) {
    const double *v = s->dirs + 3 * u, *y = s->sorted + (size_t)u * (size_t)s->n;
    double p = v[0] * at[0] + v[1] * at[1] + v[2] * at[2]; /* whole numbers below 2^53 */
    if (p < y[level - 1] || p > y[s->n - level]) return false;
  }
  return true;
}

/* Whether one of some points of the cell's box, the same in every run, is in Z(level). */
static bool try_points(const dpd_space *s, int level, const dpd_restricted_bounds_cell *c)
{
  uint64_t state = 1;
  for (int round = 0; round < TRIALS; round++) {
    int64_t k[3], z[3];
    for (int i = 0; i < 3; i++) {
      state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
      k[i] = c->cell.low[i] + (int64_t)((dpd_u128)state * (dpd_u128)c->cell.size[i] >> 64);
    }
    if (!dpd_cell_point(&c->cell, k, z)) continue;
    for (int i = 0; i < 3; i++)
      z[i] += c->centre[i];
    if (dpd_restricted_bounds_holds(s, level, z)) return true;
  }
  return false;
}

/* False if P(level, 0) is empty. */
static bool fit_level(const dpd_space *s, const level_memory *w, int level, dpd_cell_column *column,
                      dpd_restricted_bounds_cell *c)
{
  dpd_solid solid;
  part p = {level, 1, 0, {0, 0, 0}};
  if (!cut_region(s, w, &p, &solid)) return false;
  memcpy(c->centre, p.centre, sizeof p.centre);
  dpd_cell_fit(&solid, column, &c->cell);
  c->certain = c->cell.count > 0 && (c->cell.counted || try_points(s, level, c));
  return true;
}

/* What is done for each level: volumes for a shift, or cells. */
typedef struct {
  int from, to, shift;
  double *volume;
  dpd_restricted_bounds_cells *cells;
  bool *found;
} levels;

typedef struct {
  const dpd_space *s;
  const levels *d;
  int axis[3];
} task;

/* A level into its own place. */
static void run_level(void *context, void *work, int i)
{
  const task *t = context;
  const levels *d = t->d;
  dpd_halfspace *h = work;
  level_memory w = {h, h + 2 * t->s->count, {t->axis[0], t->axis[1], t->axis[2]}};
  int l = d->from + i;
  if (d->volume != NULL) {
    d->volume[i] = bound_level(t->s, &w, l, d->shift);
    return;
  }
  size_t k = (size_t)(l - d->cells->level);
  d->found[i] = fit_level(t->s, &w, l, d->cells->column + DPD_CELL_COLUMNS * k, &d->cells->cell[k]);
}

/* Bytes for one level at a time. */
static size_t level_size(int count)
{
  size_t halfspaces = 2 * (size_t)count * sizeof(dpd_halfspace);
  return dpd_parallel_points_share(halfspaces + dpd_halfspaces_scratch(2 * count));
}

/* Levels from .. to - 1. */
static void do_levels(const dpd_space *s, const levels *d)
{
  task t = {s, d, {0, 1, 2}};
  dpd_parallel_points all = {d->to - d->from, s->threads, 1, level_size(s->count), s->levels};
  find_axes(s, t.axis);
  dpd_parallel_points_run(&all, run_level, &t);
}

static int end_of_block(int from, int last)
{
  return from + BLOCK_LEVELS <= last ? from + BLOCK_LEVELS : last + 1;
}

dpd_status dpd_restricted_bounds_bound(const dpd_space *s, dpd_restricted_bounds_bounds *b)
{
  int done = b->next, t = b->level;
  if (done < t) {
    levels up = {done + 1, end_of_block(done + 1, t), 1, b->upper + done, NULL, NULL};
    do_levels(s, &up);
    b->next = up.to - 1;
    return DPD_AGAIN;
  }
  /* from the base level on, until one is empty */
  int from = t + b->levels;
  if (from > s->n) return DPD_OK;
  levels low = {from, end_of_block(from, s->n), -1, b->lower + b->levels, NULL, NULL};
  do_levels(s, &low);
  for (int l = from; l < low.to; l++) {
    if (b->lower[b->levels] == -INFINITY) return DPD_OK;
    b->levels++;
  }
  return DPD_AGAIN;
}

dpd_status dpd_restricted_bounds_find_cells(const dpd_space *s, dpd_restricted_bounds_cells *b)
{
  bool found[BLOCK_LEVELS];
  int from = b->level + b->cells;
  if (from > s->n) return DPD_OK;
  levels d = {from, end_of_block(from, s->n), 0, NULL, b, found};
  do_levels(s, &d);
  for (int l = from; l < d.to; l++) {
    if (!found[l - from]) return DPD_OK;
    b->cells++;
  }
  return DPD_AGAIN;
}

static size_t lay_out(dpd_space *s, void *scratch)
{
  dpd_scratch a = {scratch, 0};
  size_t count = (size_t)s->count;
  s->sorted = dpd_scratch_take(&a, (size_t)s->n * count, sizeof *s->sorted);
  s->dirs = dpd_scratch_take(&a, 3 * count, sizeof *s->dirs);
  s->levels = dpd_scratch_take(&a, dpd_scratch_size(level_size(s->count), s->threads), 1);
  return a.used;
}

size_t dpd_restricted_bounds_scratch(int n, int count, int threads)
{
  dpd_space s = {.n = n, .count = count, .threads = threads};
  return lay_out(&s, NULL);
}

void dpd_restricted_bounds_open(dpd_space *s, const double *dirs, void *scratch)
{
  lay_out(s, scratch);
  s->sorted_count = 0;
  for (int u = 0; u < s->count; u++)
    for (int k = 0; k < 3; k++)
      s->dirs[3 * u + k] = dirs[u + k * s->count];
}

dpd_status dpd_restricted_bounds_project(dpd_space *s)
{
  for (int k = 0; k < BLOCK_DIRECTIONS && s->sorted_count < s->count; k++, s->sorted_count++) {
    double *y = s->sorted + (size_t)s->sorted_count * (size_t)s->n;
    dpd_project_rows(s->rows, s->n, 3, s->dirs + 3 * s->sorted_count, 1, y);
    dpd_sort_inplace(y, (size_t)s->n);
  }
  return s->sorted_count < s->count ? DPD_AGAIN : DPD_OK;
}
