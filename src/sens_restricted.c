/* sens_restricted.c - bounds of the lattice points of directional depth regions in space.
 *
 * METHOD: P(l, s) = {x : y_u(l) - s |u|_1 <= u'x <= y_u(n+1-l) + s |u|_1} has the volume of at
 * least |Z(l)| for s = 1/2, as it holds the unit cubes about the points of Z(l), and of at most
 * |Z(l)| for s = -1/2, as the nearest lattice point of each of its points is in Z(l). Volumes are
 * those of polytopes in doubles (geom_polytope.c), with s larger and smaller by room for rounding
 * that grows by 2 DRIFT with each level away from the base level t: upper bound, l <= t: s = 1.5 +
 * DRIFT (1 + 2 (t - l)), lower bound, l >= t: s = -0.5 - DRIFT (1 + 2 (l - t)), and only if a cube
 * of 3 + DRIFT (1 + 2 (l - t)) to each side fits into P(l, 0), by a linear programme.
 *
 * ROUNDING: in units of the lattice a computed polytope for s lies between P(l, s - DRIFT) and
 * P(l, s + DRIFT): each of up to 2006 cuts may lose or leave TOLERANCE and rounding of 2^-14 at
 * most, together less than DRIFT, and the programme is off by less than that. A replaced row moves
 * regions by one level at most, and s by 2 DRIFT, so that computed bounds are nested but for the
 * rounding of the volumes. That is below a share of 2^-8, as all polytopes hold a unit cube and
 * reach less than 2^37: simplices add up without cancellation, and each is off by 2^-50 of an area
 * times a length, which is less than that share of the polytope.
 *
 * COST: a linear programme and a polytope or two a level, O(directions x vertices).
 *
 * DEGENERATE: regions without a cube of that size have no lower bound: they count as empty.
 */
#include "sens_restricted.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geom_lp.h"
#include "geom_polytope.h"
#include "num_directions.h"
#include "num_project.h"
#include "num_sort.h"

#define DRIFT 0.5
#define TOLERANCE 0x1p-13
/* The programme's numbers are lattice units times this. */
#define LP_UNIT 0x1p-36

static double size_of(const double *u)
{
  return fabs(u[0]) + fabs(u[1]) + fabs(u[2]);
}

static double low_end(const dpd_space *s, int u, int level)
{
  return s->sorted[(size_t)u * (size_t)s->n + (size_t)level - 1];
}

static double high_end(const dpd_space *s, int u, int level)
{
  return s->sorted[(size_t)u * (size_t)s->n + (size_t)(s->n - level)];
}

/* Direction number of each axis. */
static void find_axes(const dpd_space *s, int axis[3])
{
  for (int u = s->count - 1; u >= 0; u--) {
    int k = dpd_axis_of(s->dirs + 3 * u, 3);
    if (k >= 0) axis[k] = u;
  }
}

/* The centre and half-side of a largest cube in P(level, 0), by its programme's rows a, b. */
static dpd_status largest_cube(const dpd_space *s, const int axis[3], int level, double *a,
                               double *b, double cube[4])
{
  static const double up[4] = {0, 0, 0, 1};
  double work[64];
  for (int u = 0; u < s->count; u++) {
    const double *v = s->dirs + 3 * u;
    double length = size_of(v), *row = a + 8 * u;
    for (int k = 0; k < 3; k++) {
      row[k] = v[k] / length;
      row[4 + k] = -row[k];
    }
    row[3] = row[7] = 1;
    b[2 * u] = high_end(s, u, level) * LP_UNIT / length;
    b[2 * u + 1] = -low_end(s, u, level) * LP_UNIT / length;
  }
  int basis[4] = {2 * axis[0], 2 * axis[0] + 1, 2 * axis[1], 2 * axis[2]};
  bool feasible;
  dpd_lp lp = {a, b, up, 2 * s->count, 4, 0x1p-46};
  DPD_TRY(dpd_lp_maximise(&lp, basis, work, cube, &feasible));
  if (!feasible) cube[3] = -INFINITY;
  for (int k = 0; k < 4; k++)
    cube[k] /= LP_UNIT;
  return DPD_OK;
}

/* P(level, shift) about a whole point near the centre: opens p, which the caller closes. */
static dpd_status cut_region(const dpd_space *s, const int axis[3], int level, double shift,
                             const double centre[3], dpd_polytope *p)
{
  double lower[3], upper[3];
  for (int k = 0; k < 3; k++) {
    const double v = s->dirs[3 * axis[k] + k], low = low_end(s, axis[k], level) / v,
                 high = high_end(s, axis[k], level) / v;
    lower[k] = fmin(low, high) - centre[k] - shift;
    upper[k] = fmax(low, high) - centre[k] + shift;
    if (lower[k] >= upper[k]) {
      *p = (dpd_polytope){NULL, 0, 0, TOLERANCE};
      return DPD_OK;
    }
  }
  DPD_TRY(dpd_polytope_open(p, lower, upper, TOLERANCE));
  for (int u = 0; u < s->count && p->n > 0; u++) {
    const double *v = s->dirs + 3 * u;
    double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]), more = shift * size_of(v);
    double at = v[0] * centre[0] + v[1] * centre[1] + v[2] * centre[2];
    double w[3] = {v[0] / length, v[1] / length, v[2] / length};
    double m[3] = {-w[0], -w[1], -w[2]};
    DPD_TRY(dpd_polytope_cut(p, w, (high_end(s, u, level) - at + more) / length));
    if (p->n > 0) DPD_TRY(dpd_polytope_cut(p, m, (at - low_end(s, u, level) + more) / length));
  }
  return DPD_OK;
}

/* Whole numbers around the vertices, and around what the order statistics allow. */
static void put_box(const dpd_space *s, const int axis[3], int level, const dpd_polytope *p,
                    const double centre[3], double box[6])
{
  for (int k = 0; k < 3; k++) {
    const double v = s->dirs[3 * axis[k] + k], low = low_end(s, axis[k], level) / v,
                 high = high_end(s, axis[k], level) / v;
    double least = INFINITY, most = -INFINITY;
    for (int f = 0; f < p->n; f++)
      for (int i = 0; i < p->face[f].n; i++) {
        least = fmin(least, p->face[f].vertex[3 * i + k]);
        most = fmax(most, p->face[f].vertex[3 * i + k]);
      }
    bool lost = least > most; /* by rounding */
    box[k] = fmax(fmin(low, high), lost ? -INFINITY : floor(centre[k] + least));
    box[3 + k] = fmin(fmax(low, high), lost ? INFINITY : ceil(centre[k] + most));
  }
}

typedef struct {
  double upper, lower, box[6];
  bool empty; /* for certain */
} level_bounds;

static dpd_status bound_level(const dpd_space *s, const int axis[3], int t, int level, double *work,
                              level_bounds *out)
{
  double cube[4], centre[3], room = DRIFT * (1 + 2 * abs(level - t));
  dpd_polytope p;
  *out = (level_bounds){-INFINITY, -INFINITY, {0}, true};
  DPD_TRY(largest_cube(s, axis, level, work, work + 8 * (size_t)s->count, cube));
  out->empty = cube[3] < -DRIFT;
  if (out->empty) return DPD_OK;
  for (int k = 0; k < 3; k++)
    centre[k] = rint(cube[k]);
  dpd_status status = cut_region(s, axis, level, 1.5 + room, centre, &p);
  if (status == DPD_OK && level <= t) out->upper = log(dpd_polytope_volume(&p));
  if (status == DPD_OK && level >= t) put_box(s, axis, level, &p, centre, out->box);
  dpd_polytope_close(&p);
  if (status != DPD_OK || level < t || cube[3] < 3 + room) return status;
  status = cut_region(s, axis, level, -0.5 - room, centre, &p);
  if (status == DPD_OK && p.n > 0) out->lower = log(dpd_polytope_volume(&p));
  dpd_polytope_close(&p);
  return status;
}

/* Levels from .. to - 1, each into its own place. */
static dpd_status bound_levels(const dpd_space *s, int t, int from, int to, int threads,
                               level_bounds *out)
{
  int axis[3] = {0, 1, 2}, failed = 0;
  find_axes(s, axis);
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1) reduction(| : failed)
#endif
  for (int l = from; l < to; l++) {
    double *work = malloc(10 * (size_t)s->count * sizeof *work);
    dpd_status status = DPD_ERR_MEMORY;
    if (work != NULL) status = bound_level(s, axis, t, l, work, &out[l - from]);
    failed |= status == DPD_OK ? 0 : status == DPD_ERR_LIMIT ? 1 : 2;
    free(work);
  }
  return failed == 0 ? DPD_OK : failed == 1 ? DPD_ERR_LIMIT : DPD_ERR_MEMORY;
}

dpd_status dpd_space_bound(const dpd_space *s, int threads, dpd_space_bounds *b)
{
  int t = b->level;
  enum { BLOCK = 32 };
  level_bounds *all = malloc((size_t)(t + BLOCK) * sizeof *all);
  if (all == NULL) return DPD_ERR_MEMORY;
  b->levels = b->boxes = 0;
  dpd_status status = bound_levels(s, t, 1, t + 1, threads, all);
  for (int l = 1; l <= t && status == DPD_OK; l++)
    b->upper[l - 1] = all[l - 1].upper;
  /* levels above the base in blocks, until one is empty */
  bool more = true, solid = true;
  for (int from = t; from <= s->n && more && status == DPD_OK; from += BLOCK) {
    int to = from + BLOCK < s->n + 1 ? from + BLOCK : s->n + 1;
    status = bound_levels(s, t, from, to, threads, all);
    for (int l = from; l < to && more && status == DPD_OK; l++) {
      const level_bounds *found = &all[l - from];
      more = !found->empty;
      if (!more) break;
      memcpy(b->box + 6 * (size_t)b->boxes++, found->box, sizeof found->box);
      solid = solid && found->lower > -INFINITY;
      if (solid) b->lower[b->levels++] = found->lower;
    }
  }
  free(all);
  return status;
}

dpd_status dpd_space_open(dpd_space *s, const double *rows, int n, const double *dirs, int count)
{
  double *sorted = malloc((size_t)n * (size_t)count * sizeof *sorted);
  double *across = malloc(3 * (size_t)count * sizeof *across);
  *s = (dpd_space){n, count, across, sorted};
  if (sorted == NULL || across == NULL) return DPD_ERR_MEMORY;
  for (int u = 0; u < count; u++) {
    double *y = sorted + (size_t)u * (size_t)n;
    for (int k = 0; k < 3; k++)
      across[3 * u + k] = dirs[u + k * count];
    dpd_project(rows, n, 3, dirs + u, (size_t)count, y);
    dpd_sort_inplace(y, (size_t)n);
  }
  return DPD_OK;
}

void dpd_space_close(dpd_space *s)
{
  free(s->sorted);
  free(s->dirs);
  *s = (dpd_space){0, 0, NULL, NULL};
}
