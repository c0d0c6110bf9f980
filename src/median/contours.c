/* contours.c - many halfspace depth regions in the plane at once.
 *
 * METHOD: the halfplanes that bound the regions are found by one sweep (plane/line_sweep.c), and
 *   each region is cut from a rectangle of order statistics (plane/polygon.c); the vertices show
 *   for most halfplanes that they change nothing.
 * COST: O(n^2 log n) for the lines, O(vertices) per halfplane; O(n^2) memory, 12 bytes per
 *   halfplane of a requested level.
 * DEGENERATE: regions without interior as in median/region.c.
 * REFERENCE: Ruts and Rousseeuw (1996), Computing depth contours of bivariate point clouds; Miller
 *   et al. (2003), Efficient computation of location depth contours by methods of computational
 *   geometry.
 */
#include "median/contours.h"

#include <math.h>
#include <string.h>

#include "num/sort.h"

/* The rectangle of the level's order statistics; false if it is empty. */
static dpd_status open_region(const double *const sorted[2], int n, int level, dpd_polygon *region)
{
  double lower[2], upper[2], size = 1;
  bool empty = false;
  for (int k = 0; k < 2; k++) {
    lower[k] = sorted[k][level - 1];
    upper[k] = sorted[k][n - level];
    empty |= lower[k] > upper[k];
    size = fmax(size, fmax(fabs(lower[k]), fabs(upper[k])));
  }
  if (empty) lower[0] = upper[0] = lower[1] = upper[1] = 0;
  DPD_TRY(dpd_polygon_open(region, lower, upper, 0x1p-42 * size));
  if (empty) region->n = 0;
  return DPD_OK;
}

/* Whether all vertices are to the right of the line through a, by more than rounding, which turns
 * most halfplanes away; (dx, dy) need not be a unit vector. */
static bool holds_all(const dpd_polygon *p, double dx, double dy, const double a[2])
{
  double offset = dx * a[1] - dy * a[0], inside = offset - p->tol * (fabs(dx) + fabs(dy));
  for (int k = 0; k < p->n; k++)
    if (dx * p->vertex[k].z[1] - dy * p->vertex[k].z[0] > inside) return false;
  return true;
}

static dpd_status cut_region(const double *x, const double *y, const dpd_edge *e, size_t count,
                             dpd_polygon *region)
{
  for (size_t k = 0; k < count && region->n > 0; k++) {
    double a[2] = {x[e[k].i], y[e[k].i]}, dx = x[e[k].j] - a[0], dy = y[e[k].j] - a[1];
    if (holds_all(region, dx, dy, a)) continue;
    double length = hypot(dx, dy);
    dpd_halfplane h = {{-dy / length, dx / length}, {a[0], a[1]}};
    bool changed;
    DPD_TRY(dpd_polygon_cut(region, &h, &changed));
  }
  return DPD_OK;
}

static dpd_status cut_regions(const dpd_plane_levels *p, const double *const sorted[2],
                              const dpd_edges *e, dpd_polygon *region)
{
  int failed = 0, threads = p->threads < p->n ? p->threads : p->n;
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1) reduction(| : failed)
#endif
  for (int l = 0; l < p->count; l++) {
    dpd_status status = open_region(sorted, p->n, p->level[l], &region[l]);
    size_t edges;
    const dpd_edge *edge = dpd_edges_of(e, l, &edges);
    if (status == DPD_OK) status = cut_region(p->x, p->y, edge, edges, &region[l]);
    failed |= status != DPD_OK;
  }
  (void)threads;
  return failed ? DPD_ERR_MEMORY : DPD_OK;
}

size_t dpd_contours_scratch(const dpd_plane_levels *p)
{
  return 2 * (size_t)p->n * sizeof(double) + dpd_edges_scratch(p->n, p->count, p->threads);
}

dpd_status dpd_contours(const dpd_plane_levels *p, dpd_polygon *region, void *scratch)
{
  size_t n = (size_t)p->n;
  double *sorted = scratch;
  const double *column[2] = {sorted, sorted + n};
  dpd_edges e;
  memset(region, 0, (size_t)p->count * sizeof *region);
  memcpy(sorted, p->x, n * sizeof *sorted);
  memcpy(sorted + n, p->y, n * sizeof *sorted);
  dpd_sort_inplace(sorted, n);
  dpd_sort_inplace(sorted + n, n);
  DPD_TRY(dpd_edges_open(p, &e, sorted + 2 * n));
  dpd_status status = cut_regions(p, column, &e, region);
  dpd_edges_close(&e);
  return status;
}
