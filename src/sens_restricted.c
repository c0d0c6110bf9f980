/* sens_restricted.c - bounds of the lattice points of directional depth regions in space.
 *
 * METHOD: P(l, s) = {x : y_u(l) - s |u|_1 <= u'x <= y_u(n+1-l) + s |u|_1} has the volume of at
 * least |Z(l)| for s = 1/2, as it holds the unit cubes about the points of Z(l), and of at most
 * |Z(l)| for s = -1/2, as the nearest lattice point of each of its points is in Z(l). Twice P(l, s)
 * has integer coefficients, so that its vertices are exact and its volume has a small relative
 * error, however thin it is (geom_halfspaces.c). Z(l) lies in the box of the vertices of P(l, 0).
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
#include "sens_restricted.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geom_halfspaces.h"
#include "num_directions.h"
#include "num_project.h"
#include "num_sort.h"

enum { BLOCK_LEVELS = 16, BLOCK_DIRECTIONS = 64 };

/* One level's halfspaces, and workspace. */
typedef struct {
  dpd_halfspace *h;
  void *work;
  int axis[3]; /* direction number of each axis */
} bench;

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

/* u'(x - centre) scale <= scale y + shift |u|_1, or -u for the low end. */
static dpd_halfspace halfspace(const dpd_space *s, int u, int sign, int64_t y,
                               const int64_t centre[3], int scale, int shift)
{
  dpd_halfspace h = {{0, 0, 0}, y};
  int64_t size = 0;
  for (int k = 0; k < 3; k++) {
    int64_t v = (int64_t)s->dirs[3 * u + k];
    h.a[k] = sign * v;
    h.b -= v * centre[k];
    size += v < 0 ? -v : v;
  }
  h.b = sign * scale * h.b + shift * size;
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

/* scale (P(level, shift / scale) - centre): false if it is empty. */
static bool cut_region(const dpd_space *s, const bench *w, int level, int scale, int shift,
                       int64_t centre[3], dpd_solid *solid)
{
  int count = 6;
  find_centre(s, w->axis, level, centre);
  for (int k = 0; k < 3; k++) {
    int u = w->axis[k], sign = s->dirs[3 * u + k] > 0 ? 1 : -1;
    int64_t low = low_end(s, u, level), high = high_end(s, u, level);
    w->h[2 * k] = halfspace(s, u, sign, sign > 0 ? high : low, centre, scale, shift);
    w->h[2 * k + 1] = halfspace(s, u, -sign, sign > 0 ? low : high, centre, scale, shift);
  }
  for (int u = 0; u < s->count; u++) {
    if (u == w->axis[0] || u == w->axis[1] || u == w->axis[2]) continue;
    w->h[count++] = halfspace(s, u, 1, high_end(s, u, level), centre, scale, shift);
    w->h[count++] = halfspace(s, u, -1, low_end(s, u, level), centre, scale, shift);
  }
  return dpd_halfspaces_meet(w->h, count, w->work, solid);
}

/* The logarithm of the volume of P(level, shift / 2); shift = 0: a box of P(level, 0), and 0. */
static double bound_level(const dpd_space *s, const bench *w, int level, int shift, double *box)
{
  dpd_solid solid;
  int64_t centre[3];
  if (!cut_region(s, w, level, shift == 0 ? 1 : 2, shift, centre, &solid)) return -INFINITY;
  if (shift != 0) return log(dpd_solid_volume(&solid) / 8);
  for (int k = 0; k < 3; k++) {
    int64_t along[3] = {k == 0, k == 1, k == 2}, range[2];
    dpd_solid_range(&solid, along, range);
    box[k] = (double)(centre[k] + range[0]);
    box[3 + k] = (double)(centre[k] + range[1]);
  }
  return 0;
}

/* Levels from .. to - 1, each into its own place. */
static dpd_status bound_levels(const dpd_space *s, int from, int to, int shift, int threads,
                               double *out, double *box)
{
  int axis[3] = {0, 1, 2}, failed = 0;
  size_t halfspaces = 2 * (size_t)s->count * sizeof(dpd_halfspace);
  find_axes(s, axis);
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1) reduction(| : failed)
#endif
  for (int l = from; l < to; l++) {
    dpd_halfspace *h = malloc(halfspaces + dpd_halfspaces_work_size(2 * s->count));
    bench w = {h, h == NULL ? NULL : h + 2 * s->count, {axis[0], axis[1], axis[2]}};
    if (h == NULL)
      failed = 1;
    else
      out[l - from] = bound_level(s, &w, l, shift, box == NULL ? NULL : box + 6 * (l - from));
    free(h);
  }
  return failed ? DPD_ERR_MEMORY : DPD_OK;
}

static int end_of_block(int from, int last)
{
  return from + BLOCK_LEVELS <= last ? from + BLOCK_LEVELS : last + 1;
}

dpd_status dpd_space_bound(const dpd_space *s, int threads, dpd_space_bounds *b)
{
  int done = b->next, t = b->level;
  if (done < t) {
    int to = end_of_block(done + 1, t);
    DPD_TRY(bound_levels(s, done + 1, to, 1, threads, b->upper + done, NULL));
    b->next = to - 1;
    return DPD_AGAIN;
  }
  /* from the base level on, until one is empty */
  int from = t + b->levels, to = end_of_block(from, s->n);
  if (from > s->n) return DPD_OK;
  DPD_TRY(bound_levels(s, from, to, -1, threads, b->lower + b->levels, NULL));
  for (int l = from; l < to; l++) {
    if (b->lower[b->levels] == -INFINITY) return DPD_OK;
    b->levels++;
  }
  return DPD_AGAIN;
}

dpd_status dpd_space_find_boxes(const dpd_space *s, int threads, dpd_space_boxes *b)
{
  double found[BLOCK_LEVELS];
  int from = b->level + b->boxes, to = end_of_block(from, s->n);
  if (from > s->n) return DPD_OK;
  DPD_TRY(bound_levels(s, from, to, 0, threads, found, b->box + 6 * (size_t)b->boxes));
  for (int l = from; l < to; l++) {
    if (found[l - from] == -INFINITY) return DPD_OK;
    b->boxes++;
  }
  return DPD_AGAIN;
}

dpd_status dpd_space_open(dpd_space *s, const double *rows, int n, const double *dirs, int count)
{
  double *sorted = malloc((size_t)n * (size_t)count * sizeof *sorted);
  double *across = malloc(3 * (size_t)count * sizeof *across);
  *s = (dpd_space){n, count, 0, rows, across, sorted};
  if (sorted == NULL || across == NULL) return DPD_ERR_MEMORY;
  for (int u = 0; u < count; u++)
    for (int k = 0; k < 3; k++)
      across[3 * u + k] = dirs[u + k * count];
  return DPD_OK;
}

dpd_status dpd_space_project(dpd_space *s)
{
  for (int k = 0; k < BLOCK_DIRECTIONS && s->sorted_count < s->count; k++, s->sorted_count++) {
    double *y = s->sorted + (size_t)s->sorted_count * (size_t)s->n;
    dpd_project(s->rows, s->n, 3, s->dirs + 3 * s->sorted_count, 1, y);
    dpd_sort_inplace(y, (size_t)s->n);
  }
  return s->sorted_count < s->count ? DPD_AGAIN : DPD_OK;
}

void dpd_space_close(dpd_space *s)
{
  free(s->sorted);
  free(s->dirs);
  *s = (dpd_space){0, 0, 0, NULL, NULL, NULL};
}
