/* refined.c - directional depths with the worst direction improved, a point at a time.
 *
 * METHOD: halfspace: let u be the best direction so far and b orthogonal to it. The least count
 *   over all directions in their plane is the planar halfspace depth of the rows' coordinates
 *   along u and b, and the planar kernel finds it with its direction; that direction is counted
 *   in full and kept if it is an improvement. b runs through the mean of the rows near the
 *   boundary of u's halfspace (the direction of steepest descent), the axes, and some mixes of
 *   them, until none helps.
 *   Projection: coordinate search on the sphere, u + t b for t = +-step and b the axes, halving the
 *   step when no axis improves the ratio.
 *   Both start from the directions given and are deterministic.
 * COST: O(n d) per attempt; some hundreds of attempts per point.
 * DEGENERATE: the result is never worse than that of the starts. d = 1: only the start.
 * REFERENCE: Dyckerhoff, Mozharovskyi and Nagy (2021), Approximate computation of projection
 *   depths, for searches on the sphere.
 */
#include "depth/refined.h"

#include <math.h>
#include <string.h>

#include "depth/halfspace.h"
#include "depth/projection.h"
#include "num/constants.h"
#include "num/order_stat.h"
#include "num/project_block.h"

#ifdef _OPENMP
#include <omp.h>
#endif

enum { SWEEPS = 30, PASSES = 200 };

typedef struct {
  const dpd_refine *r;
  double *packed;    /* the point, packed */
  double *y, *z;     /* projections of the rows along u and b */
  double *spare;     /* 2 n */
  double *u, *b, *v; /* the best direction, the one orthogonal to it, the one tried */
  void *plane;       /* of the planar kernel */
} refiner;

/* Doubles of one thread. */
static size_t lay_out(const dpd_refine *r, double *base, refiner *s)
{
  size_t n = dpd_padded((size_t)r->n), d = (size_t)r->d, at = 0;
  s->r = r;
  s->packed = base + at;
  at += d * DPD_BLOCK_ROWS;
  s->y = base + at;
  at += n;
  s->z = base + at;
  at += n;
  s->spare = base + at;
  at += 2 * n;
  s->u = base + at;
  at += d;
  s->b = base + at;
  at += d;
  s->v = base + at;
  at += d;
  s->plane = base + at;
  return at + dpd_halfspace2_scratch(r->n) / sizeof(double) + 1 + DPD_BLOCK_ROWS;
}

static refiner refiner_of(const dpd_refine *r, int thread)
{
  refiner s;
  double *base = r->work;
  lay_out(r, base + (size_t)thread * lay_out(r, base, &s), &s);
  return s;
}

size_t dpd_refine_scratch(const dpd_refine *r)
{
  refiner s;
  return (size_t)r->threads * lay_out(r, r->work, &s) * sizeof(double);
}

static void take_point(refiner *s, int i)
{
  int d = s->r->d;
  const double *from = s->r->points + (size_t)(i / DPD_BLOCK_ROWS) * (size_t)d * DPD_BLOCK_ROWS;
  memset(s->packed, 0, (size_t)d * DPD_BLOCK_ROWS * sizeof *s->packed);
  for (int j = 0; j < d; j++)
    s->packed[j * DPD_BLOCK_ROWS] = from[j * DPD_BLOCK_ROWS + i % DPD_BLOCK_ROWS];
}

static double project_point(const refiner *s, const double *u)
{
  double out[DPD_BLOCK_ROWS];
  dpd_project_block(s->packed, 1, s->r->d, u, 1, out);
  return out[0];
}

static void project_rows(const refiner *s, const double *u, double *y)
{
  dpd_project_block(s->r->rows, (size_t)s->r->n, s->r->d, u, 1, y);
}

/* v = p u + t b, made unit. */
static void combine(const refiner *s, double p, double t)
{
  double sum = 0;
  for (int j = 0; j < s->r->d; j++) {
    s->v[j] = p * s->u[j] + t * s->b[j];
    sum += s->v[j] * s->v[j];
  }
  sum = sqrt(sum);
  for (int j = 0; j < s->r->d; j++)
    s->v[j] /= sum;
}

/* b less its part along u, made unit; false if nothing is left. */
static bool make_tangent(const refiner *s)
{
  double along = 0, before = 0, after = 0;
  for (int j = 0; j < s->r->d; j++) {
    along += s->b[j] * s->u[j];
    before += s->b[j] * s->b[j];
  }
  for (int j = 0; j < s->r->d; j++) {
    s->b[j] -= along * s->u[j];
    after += s->b[j] * s->b[j];
  }
  if (!(after > 1e-12 * before)) return false;
  after = sqrt(after);
  for (int j = 0; j < s->r->d; j++)
    s->b[j] /= after;
  return true;
}

static bool axis_tangent(const refiner *s, int j)
{
  memset(s->b, 0, (size_t)s->r->d * sizeof *s->b);
  s->b[j] = 1;
  return make_tangent(s);
}

/* Rows on the closed positive side of the direction in v; projections are left in z. */
static int count_tried(const refiner *s)
{
  double at = project_point(s, s->v);
  int count = 0;
  project_rows(s, s->v, s->z);
  for (int i = 0; i < s->r->n; i++)
    count += s->z[i] >= at;
  return count;
}

/* Takes v over as the best direction; y becomes the rows' coordinates along it from the point. */
static void accept(const refiner *s)
{
  double at = project_point(s, s->v);
  memcpy(s->u, s->v, (size_t)s->r->d * sizeof *s->u);
  project_rows(s, s->u, s->y);
  for (int i = 0; i < s->r->n; i++)
    s->y[i] -= at;
}

/* b = minus the mean, from the point, of the rows next to the boundary. */
static bool descent_tangent(const refiner *s)
{
  int n = s->r->n, d = s->r->d, near = n / 20 > 2 * d ? n / 20 : 2 * d;
  for (int i = 0; i < n; i++)
    s->z[i] = fabs(s->y[i]);
  double reach = dpd_order_statistic(s->z, (size_t)n, (size_t)(near < n ? near : n - 1), s->spare);
  memset(s->b, 0, (size_t)d * sizeof *s->b);
  for (int i = 0; i < n; i++) {
    if (!(s->z[i] <= reach)) continue;
    const double *block = s->r->rows + (size_t)(i / DPD_BLOCK_ROWS) * (size_t)d * DPD_BLOCK_ROWS;
    for (int j = 0; j < d; j++)
      s->b[j] -= block[j * DPD_BLOCK_ROWS + i % DPD_BLOCK_ROWS] - s->packed[j * DPD_BLOCK_ROWS];
  }
  return make_tangent(s);
}

/* The direction of least count in the plane of u and b, into v. */
static void best_in_plane(const refiner *s)
{
  int n = s->r->n, count;
  double at = project_point(s, s->b), normal[2], size = 0;
  project_rows(s, s->b, s->z);
  for (int i = 0; i < n; i++) {
    s->z[i] -= at;
    size += fabs(s->y[i]) < fabs(s->z[i]) ? fabs(s->y[i]) : fabs(s->z[i]);
  }
  /* rows that rounding cannot separate from the boundary are tied with it */
  double error = 0x1p-48 * size / n + 0x1p-1000;
  dpd_plane_rows q = {s->y, s->z, n, 0, 0, error + error, NULL, NULL, 0};
  dpd_halfspace2_witness(&q, s->plane, &count, normal);
  combine(s, normal[0], normal[1]);
}

/* b = a mix of all axes with fixed signs, another one for each k. */
static bool mixed_tangent(const refiner *s, int k)
{
  uint64_t bits = DPD_GOLDEN_64 * (uint64_t)(k + 1);
  for (int j = 0; j < s->r->d; j++) {
    bits ^= bits << 13;
    bits ^= bits >> 7;
    bits ^= bits << 17;
    s->b[j] = (double)(int64_t)bits;
  }
  return make_tangent(s);
}

static bool choose_tangent(const refiner *s, int j)
{
  int d = s->r->d;
  return j < 0 ? descent_tangent(s) : j < d ? axis_tangent(s, j) : mixed_tangent(s, j - d);
}

/* One pass over the tangents; returns the count after it. */
static int sweep(const refiner *s, int count)
{
  for (int j = -1; j < 2 * s->r->d && count > 0; j++) {
    if (!choose_tangent(s, j)) continue;
    best_in_plane(s);
    int tried = count_tried(s);
    if (tried >= count) continue;
    count = tried;
    accept(s);
  }
  return count;
}

static int descend(const refiner *s, int count)
{
  for (int k = 0; k < SWEEPS; k++) {
    int before = count;
    count = sweep(s, count);
    if (count == before) break;
  }
  return count;
}

/* The start in v or its opposite, whichever has the lower count. */
static int open_start(const refiner *s)
{
  int count = count_tried(s);
  for (int j = 0; j < s->r->d; j++)
    s->v[j] = -s->v[j];
  int other = count_tried(s);
  if (other < count) return other;
  for (int j = 0; j < s->r->d; j++)
    s->v[j] = -s->v[j];
  return count;
}

/* Start k of point i into v; false if it is none. */
static bool take_start(const refiner *s, int i, int k)
{
  const dpd_refine *r = s->r;
  bool some = false;
  memcpy(s->v, r->start + ((size_t)i * (size_t)r->starts + (size_t)k) * (size_t)r->d,
         (size_t)r->d * sizeof *s->v);
  for (int j = 0; j < r->d; j++)
    some |= s->v[j] != 0;
  return some;
}

static void refine_halfspace(refiner *s, int i, void *counts, double *direction)
{
  int *count = (int *)counts + i;
  take_point(s, i);
  *count = s->r->n + 1;
  for (int k = 0; k<s->r->starts && * count> 0; k++) {
    if (!take_start(s, i, k)) continue;
    int found = open_start(s);
    accept(s);
    if (s->r->d > 1) found = descend(s, found);
    if (found >= *count) continue;
    *count = found;
    memcpy(direction, s->u, (size_t)s->r->d * sizeof *direction);
  }
}

/* The ratio along v. */
static double ratio_tried(const refiner *s)
{
  const dpd_refine *r = s->r;
  double location, scale;
  project_rows(s, s->v, s->y);
  dpd_center_of(r->center, s->y, (size_t)r->n, s->spare, &location, &scale);
  scale = dpd_outlyingness_scale(scale, s->v, r->d, r->magnitude);
  double gap = fabs(project_point(s, s->v) - location);
  /* directions in which the data have no extent are left to the set that was given */
  return scale > 0 ? gap / scale : 0;
}

static double climb(const refiner *s, double best)
{
  double step = 0.25;
  for (int pass = 0; pass < PASSES && step > 1e-3; pass++) {
    bool better = false;
    for (int j = 0; j < s->r->d; j++) {
      for (int side = -1; side <= 1; side += 2) {
        if (!axis_tangent(s, j)) break;
        combine(s, 1, side * step);
        double ratio = ratio_tried(s);
        if (!(ratio > best)) continue;
        best = ratio;
        better = true;
        memcpy(s->u, s->v, (size_t)s->r->d * sizeof *s->u);
        break;
      }
    }
    if (!better) step /= 2;
  }
  return best;
}

static void refine_projection(refiner *s, int i, void *ratios, double *direction)
{
  double *outlyingness = (double *)ratios + i;
  take_point(s, i);
  *outlyingness = -1;
  for (int k = 0; k < s->r->starts; k++) {
    if (!take_start(s, i, k)) continue;
    double found = ratio_tried(s);
    memcpy(s->u, s->v, (size_t)s->r->d * sizeof *s->u);
    if (s->r->d > 1) found = climb(s, found);
    if (found <= *outlyingness) continue;
    *outlyingness = found;
    memcpy(direction, s->u, (size_t)s->r->d * sizeof *direction);
  }
}

/* What is done with point i: its value goes to its place among all. */
typedef void refine_point(refiner *s, int i, void *values, double *direction);

static void refine_points(const dpd_refine *r, int from, int to, refine_point *one, void *values,
                          double *direction)
{
#ifdef _OPENMP
#pragma omp parallel for num_threads(r->threads) schedule(dynamic)
#endif
  for (int i = from; i < to; i++) {
    int thread = 0;
#ifdef _OPENMP
    thread = omp_get_thread_num();
#endif
    refiner s = refiner_of(r, thread);
    one(&s, i, values, direction + (size_t)i * (size_t)r->d);
  }
}

void dpd_refine_halfspace(const dpd_refine *r, int from, int to, int *count, double *direction)
{
  refine_points(r, from, to, refine_halfspace, count, direction);
}

void dpd_refine_projection(const dpd_refine *r, int from, int to, double *outlyingness,
                           double *direction)
{
  refine_points(r, from, to, refine_projection, outlyingness, direction);
}
