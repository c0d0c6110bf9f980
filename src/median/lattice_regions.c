/* lattice_regions.c - the lattice points of all halfspace depth regions, counted and drawn exactly.
 *
 * METHOD: on the line, Z(l) = {y_(l), ..., y_(n+1-l)}. In the plane, Omega(l) is the
 * intersection of the rectangle of its order statistics and of halfplanes through two rows
 * (plane/line_sweep.c), whose lattice points are counted exactly (plane/lattice_polygon.c). Most
 * halfplanes do not touch the region: a polygon in doubles is cut along with them, and those that
 * it clears by more than `slack` are left out. It holds Omega(l) but for rounding: a cut loses at
 * most the polygon's tolerance and rounding of 2^-50 of the coordinates' size, and there are at
 * most MAX_CUTS cuts, together less than slack. So what is left out does not bound Omega(l), and
 * the count does not depend on rounding.
 *
 * COST: O(n^2 log n) for the halfplanes and O(vertices) for each; O(n^2) memory.
 *
 * DEGENERATE: equal and collinear rows; regions without interior or without lattice points.
 */
#include "median/lattice_regions.h"

#include <math.h>
#include <string.h>

#include "num/list.h"
#include "num/sort.h"
#include "plane/line_sweep.h"
#include "plane/polygon.h"

enum { MAX_CUTS = 2000 };
#define TOLERANCE 0x1p-46
#define SLACK 0x1p-34

typedef struct {
  const double *x, *y, *sorted[2];
  int n, levels, threads;
  double size;
  dpd_edges lines; /* those of level l have number l - 1 */
} plane;

/* Whether the halfplane to the right of a + (dx, dy) t holds the polygon with room to spare. */
static bool clears(const dpd_polygon *p, double dx, double dy, const double a[2], double slack)
{
  double inside = -slack * (fabs(dx) + fabs(dy));
  for (int k = 0; k < p->n; k++)
    if (dx * (p->vertex[k].z[1] - a[1]) - dy * (p->vertex[k].z[0] - a[0]) > inside) return false;
  return true;
}

/* The bounds of a level that may touch its region. */
static dpd_status choose_bounds(const plane *s, int level, dpd_polygon *p, dpd_bounds *b)
{
  bool prune = true;
  int cuts = 0;
  size_t count;
  const dpd_edge *edge = dpd_edges_of(&s->lines, level - 1, &count);
  for (size_t k = 0; k < count; k++) {
    int i = edge[k].i, j = edge[k].j;
    double a[2] = {s->x[i], s->y[i]}, dx = s->x[j] - a[0], dy = s->y[j] - a[1];
    if (prune && clears(p, dx, dy, a, SLACK * s->size)) continue;
    dpd_bounds_add(b, (int64_t)a[0], (int64_t)a[1], (int64_t)dx, (int64_t)dy);
    if (!prune) continue;
    double length = hypot(dx, dy);
    dpd_halfplane h = {{-dy / length, dx / length}, {a[0], a[1]}};
    bool changed;
    DPD_TRY(dpd_polygon_cut(p, &h, &changed));
    cuts += changed;
    prune = p->n >= 3 && cuts < MAX_CUTS;
  }
  return DPD_OK;
}

static dpd_status fill_level(const plane *s, int level, dpd_lattice_polygon *c)
{
  double lower[2], upper[2];
  size_t room = s->lines.start[level] - s->lines.start[level - 1] + 1;
  for (int k = 0; k < 2; k++) {
    lower[k] = s->sorted[k][level - 1];
    upper[k] = s->sorted[k][s->n - level];
    if (lower[k] > upper[k]) return DPD_OK;
  }
  /* as many bounds on either side as there are halfplanes, and what the fill needs for each */
  dpd_list memory = {NULL, 0, 0, false};
  DPD_TRY(dpd_list_reserve(&memory, 2 * room, sizeof(dpd_bound) + sizeof(int64_t)));
  dpd_bounds b = {.above = memory.item, .from = (int64_t)lower[0], .to = (int64_t)upper[0]};
  b.below = b.above + room;
  dpd_bounds_add(&b, 0, (int64_t)upper[1], 1, 0);
  dpd_bounds_add(&b, 0, (int64_t)lower[1], -1, 0);
  dpd_polygon p;
  dpd_status status = dpd_polygon_open(&p, lower, upper, TOLERANCE * s->size);
  if (status == DPD_OK) status = choose_bounds(s, level, &p, &b);
  dpd_polygon_close(&p);
  if (status == DPD_OK)
    status = dpd_lattice_polygon_fill(c, &b, (int64_t *)(void *)(b.below + room));
  dpd_list_close(&memory);
  return status;
}

static dpd_status fill_levels(const plane *s, dpd_lattice_polygon *columns)
{
  int failed = 0;
#ifdef _OPENMP
#pragma omp parallel for num_threads(s->threads) schedule(dynamic, 1) reduction(| : failed)
#endif
  for (int l = 1; l <= s->levels; l++)
    failed |= fill_level(s, l, &columns[l - 1]) != DPD_OK;
  return failed ? DPD_ERR_MEMORY : DPD_OK;
}

/* The largest level whose order statistics leave a rectangle; at most n. */
static int most_levels(const double *sorted, int n, int d)
{
  int level = 1;
  for (;; level++)
    for (int k = 0; k < d; k++) {
      const double *y = sorted + (size_t)k * (size_t)n;
      if (level >= n || y[level] > y[n - 1 - level]) return level;
    }
}

static dpd_status open_plane(dpd_lattice_regions *r, const double *rows, int threads,
                             dpd_alloc alloc)
{
  size_t n = (size_t)r->n, levels = (size_t)r->levels;
  plane s = {.x = rows, .y = rows + n, .sorted = {r->sorted, r->sorted + n}, .n = r->n};
  int *level = alloc(levels, sizeof *level);
  void *scratch = alloc(dpd_edges_scratch(r->n, r->levels, threads), 1);
  r->columns = alloc(levels, sizeof *r->columns);
  memset(r->columns, 0, levels * sizeof *r->columns);
  s.levels = r->levels;
  s.threads = threads;
  s.size = 1;
  for (size_t k = 0; k < 2; k++)
    s.size = fmax(s.size, fmax(fabs(s.sorted[k][0]), fabs(s.sorted[k][n - 1])));
  for (int l = 0; l < r->levels; l++)
    level[l] = l + 1;
  dpd_plane_levels p = {s.x, s.y, r->n, 0, level, r->levels, threads};
  DPD_TRY(dpd_edges_open(&p, &s.lines, scratch));
  dpd_status status = fill_levels(&s, r->columns);
  dpd_edges_close(&s.lines);
  return status;
}

dpd_status dpd_lattice_regions_open(dpd_lattice_regions *r, const double *rows, int n, int d,
                                    int threads, dpd_alloc alloc)
{
  size_t size = (size_t)n * (size_t)d;
  *r = (dpd_lattice_regions){.d = d, .n = n};
  if ((d != 1 && d != 2) || n < 1) return DPD_ERR_DOMAIN;
  r->sorted = alloc(size, sizeof *r->sorted);
  memcpy(r->sorted, rows, size * sizeof *rows);
  for (int k = 0; k < d; k++)
    dpd_sort_inplace(r->sorted + (size_t)k * (size_t)n, (size_t)n);
  int most = most_levels(r->sorted, n, d);
  r->levels = most;
  r->count = alloc((size_t)most, sizeof *r->count);
  if (d == 2) DPD_TRY(open_plane(r, rows, threads, alloc));
  for (int l = 1; l <= most; l++)
    r->count[l - 1] =
        d == 2 ? r->columns[l - 1].total : (dpd_u128)(r->sorted[n - l] - r->sorted[l - 1] + 1);
  while (r->levels > 0 && r->count[r->levels - 1] == 0)
    r->levels--;
  for (int l = r->levels; l < most && d == 2; l++)
    dpd_lattice_polygon_close(&r->columns[l]);
  return DPD_OK;
}

void dpd_lattice_regions_close(dpd_lattice_regions *r)
{
  for (int l = 0; l < r->levels && r->columns != NULL; l++)
    dpd_lattice_polygon_close(&r->columns[l]);
  *r = (dpd_lattice_regions){.d = r->d};
}

void dpd_lattice_regions_pick(const dpd_lattice_regions *r, int level, dpd_u128 index, int64_t *z)
{
  if (r->d == 2)
    dpd_lattice_polygon_pick(&r->columns[level - 1], index, z);
  else
    z[0] = (int64_t)r->sorted[level - 1] + (int64_t)index;
}
