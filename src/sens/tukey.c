/* tukey.c - how far halfspace depth regions of integer data in the plane reach, exactly.
 *
 * METHOD: a region is an intersection of closed halfplanes with integer coefficients: those of a
 *   sweep over the lines through pairs of rows (plane/line_sweep.c), or those of given directions.
 *   Whether it is empty, and its largest l1 distances and widths (the supports along e1, e2, e1 +
 *   e2, e1 - e2 and their opposites), are linear programs in integers (plane/halfplanes.c). The
 *   outline of one region is found by more of these, along the outward normal of each side found so
 *   far, until nothing more than 2^-6 is gained; its vertices are points of the region, so that
 *   every mean of them with weights that are not negative is one.
 * COST: O(n^2 log n) for the sweep, then O(halfplanes) expected a level.
 * DEGENERATE: regions that are points or segments, or empty; ties, collinear and equal rows.
 * REFERENCE: Ruts and Rousseeuw (1996), Computing depth contours of bivariate point clouds;
 *   vignettes/proofs-smooth.Rmd.
 */
#include "sens/tukey.h"

#include <math.h>
#include <string.h>

#include "num/list.h"
#include "num/sort.h"
#include "plane/halfplanes.h"
#include "plane/line_sweep.h"

enum { MOST_VERTICES = 256 };
static const double small_side = 0x1p-4, small_gain = 0x1p-6, small_area = 0x1p-6;

static const int reach_of[DPD_TUKEY_REACHES][2] = {{1, 0}, {-1, 0},  {0, 1},  {0, -1},
                                                   {1, 1}, {-1, -1}, {1, -1}, {-1, 1}};

/* -- one region -------------------------------------------------------------------------------- */

typedef struct {
  const dpd_line *l;
  size_t count;
  double z[MOST_VERTICES][2];
  int n, tries;
} outline;

static void add_vertex(outline *o, const double z[2])
{
  if (o->n < MOST_VERTICES) memcpy(o->z[o->n++], z, 2 * sizeof *z);
}

/* The vertices between p and q, counterclockwise. */
static void refine(outline *o, const double p[2], const double q[2])
{
  double dx = q[0] - p[0], dy = q[1] - p[1], size = fmax(fabs(dx), fabs(dy)), r[2];
  if (size < small_side || o->tries++ >= MOST_VERTICES) return;
  dpd_crossing best;
  int64_t w1 = (int64_t)(dy / size * 0x1p29), w2 = (int64_t)(-dx / size * 0x1p29);
  if (!dpd_halfplanes_maximum(o->l, o->count, w1, w2, &best)) return;
  dpd_crossing_round(&best, r);
  if ((dy * (r[0] - p[0]) - dx * (r[1] - p[1])) / size < small_gain) return;
  refine(o, p, r);
  add_vertex(o, r);
  refine(o, r, q);
}

/* The centroid of the outline; of one without area the middle of its longer extent. */
static void outline_centre(const outline *o, double ends[4][2], double z[2])
{
  double total = 0, sum[2] = {0, 0};
  const double *a = o->z[0];
  for (int k = 1; k + 1 < o->n; k++) {
    const double *b = o->z[k], *c = o->z[k + 1];
    double area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    if (area <= 0) continue;
    total += area;
    for (int i = 0; i < 2; i++)
      sum[i] += area * ((a[i] + b[i] + c[i]) / 3);
  }
  int from = ends[0][0] - ends[2][0] >= ends[1][1] - ends[3][1] ? 0 : 1;
  for (int i = 0; i < 2; i++)
    z[i] = total > small_area ? sum[i] / total : (ends[from][i] + ends[from + 2][i]) / 2;
}

static void find_centre(const dpd_line *l, size_t count, double centre[2])
{
  static const int axis[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
  outline o = {.l = l, .count = count};
  double ends[4][2];
  for (int k = 0; k < 4; k++) {
    dpd_crossing best;
    if (!dpd_halfplanes_maximum(l, count, axis[k][0], axis[k][1], &best)) return;
    dpd_crossing_round(&best, ends[k]);
  }
  for (int k = 0; k < 4; k++) {
    add_vertex(&o, ends[k]);
    refine(&o, ends[k], ends[(k + 1) % 4]);
  }
  outline_centre(&o, ends, centre);
}

/* Supports along all of reach_of; false if the region is empty. */
static bool find_reach(const dpd_line *l, size_t count, double *reach)
{
  for (int s = 0; s < DPD_TUKEY_REACHES; s++) {
    dpd_crossing best;
    int w1 = reach_of[s][0], w2 = reach_of[s][1];
    if (!dpd_halfplanes_maximum(l, count, w1, w2, &best)) return false;
    reach[s] = (double)dpd_crossing_ceiling(&best, w1, w2);
  }
  return true;
}

static bool solve_region(const dpd_line *l, size_t count, double *reach, double *centre)
{
  if (!find_reach(l, count, reach)) return false;
  if (centre != NULL) find_centre(l, count, centre);
  return true;
}

/* x <= ., -x <= ., y <= ., -y <= . of the sorted columns of a level. */
static void open_lines(const double *x, const double *y, int n, int level, dpd_line *l)
{
  l[0] = (dpd_line){1, 0, (int64_t)x[n - level]};
  l[1] = (dpd_line){-1, 0, -(int64_t)x[level - 1]};
  l[2] = (dpd_line){0, 1, (int64_t)y[n - level]};
  l[3] = (dpd_line){0, -1, -(int64_t)y[level - 1]};
}

/* -- all halfspaces ---------------------------------------------------------------------------- */

/* The halfplanes of a level in a scattered order; returns how many. */
static size_t level_lines(const dpd_plane_levels *t, const dpd_edge *e, size_t count, dpd_line *l)
{
  size_t stride = dpd_halfplanes_stride(count), at = 0;
  for (size_t k = 0; k < count; k++) {
    int64_t x = (int64_t)t->x[e[at].i], y = (int64_t)t->y[e[at].i];
    int64_t dx = (int64_t)t->x[e[at].j] - x, dy = (int64_t)t->y[e[at].j] - y;
    l[4 + k] = (dpd_line){-dy, dx, dx * y - dy * x};
    at = (at + stride) % count;
  }
  return 4 + count;
}

/* Level number k into its place; a region that is not `at` has no centre. */
static void solve_level(const dpd_line *l, size_t count, int k, int at,
                        const dpd_tukey_reaches *out)
{
  double *reach = out->reach + DPD_TUKEY_REACHES * k;
  out->found[k] = solve_region(l, count, reach, k == at ? out->centre : NULL);
}

static dpd_status solve_levels(const dpd_plane_levels *t, const double *sorted, const dpd_edges *e,
                               int at, const dpd_tukey_reaches *out)
{
  int failed = 0, threads = t->threads < t->count ? t->threads : t->count;
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1) reduction(| : failed)
#endif
  for (int k = 0; k < t->count; k++) {
    size_t count;
    const dpd_edge *edge = dpd_edges_of(e, k, &count);
    dpd_list lines = {NULL, 0, 0, false};
    if (dpd_list_reserve(&lines, count + 4, sizeof(dpd_line)) == DPD_OK) {
      open_lines(sorted, sorted + t->n, t->n, t->level[k], lines.item);
      count = level_lines(t, edge, count, lines.item);
      solve_level(lines.item, count, k, at, out);
    }
    failed |= lines.failed;
    dpd_list_close(&lines);
  }
  (void)threads;
  return failed ? DPD_ERR_MEMORY : DPD_OK;
}

size_t dpd_tukey_reach_scratch(const dpd_plane_levels *t)
{
  return 2 * (size_t)t->n * sizeof(double) + dpd_edges_scratch(t->n, t->count, t->threads);
}

dpd_status dpd_tukey_reach(const dpd_plane_levels *t, int at, const dpd_tukey_reaches *out,
                           void *scratch)
{
  size_t n = (size_t)t->n;
  double *sorted = scratch;
  dpd_edges e;
  memcpy(sorted, t->x, n * sizeof *sorted);
  memcpy(sorted + n, t->y, n * sizeof *sorted);
  dpd_sort_inplace(sorted, n);
  dpd_sort_inplace(sorted + n, n);
  DPD_TRY(dpd_edges_open(t, &e, sorted + 2 * n));
  dpd_status status = solve_levels(t, sorted, &e, at, out);
  dpd_edges_close(&e);
  return status;
}

/* -- given directions -------------------------------------------------------------------------- */

size_t dpd_tukey_sides_scratch(const dpd_tukey_sides *t)
{
  return 2 * (size_t)t->sides * sizeof(dpd_line);
}

void dpd_tukey_sides_reach(const dpd_tukey_sides *t, int at, const dpd_tukey_reaches *out,
                           void *scratch)
{
  int n = t->n;
  dpd_line *l = scratch;
  for (int k = 0; k < t->count; k++) {
    int level = t->level[k];
    open_lines(t->value, t->value + n, n, level, l);
    for (int s = 2; s < t->sides; s++) {
      const double *v = t->value + (size_t)n * (size_t)s;
      int64_t a = (int64_t)t->side[s], b = (int64_t)t->side[s + t->sides];
      l[2 * s] = (dpd_line){a, b, (int64_t)v[n - level]};
      l[2 * s + 1] = (dpd_line){-a, -b, -(int64_t)v[level - 1]};
    }
    solve_level(l, 2 * (size_t)t->sides, k, at, out);
  }
}
