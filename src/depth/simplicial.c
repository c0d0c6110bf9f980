/* simplicial.c - simplicial depth on the line and in the plane, and of many points.
 *
 * METHOD: a set of rows does not hold p if and only if an open halfplane beside p holds it all;
 *   rows at p are in no such set. In the plane such a set has a first direction, counterclockwise:
 *   for a direction that a rows share, with s rows less than a half turn ahead, the triples are
 *   C(a, 3) + C(a, 2) s + a C(s, 2). With the rows in folded order one pass gives s for both ends
 *   of every line through p. On the line: both rows strictly on the same side.
 * COST: d = 1: O(log n) per point after sorting; d = 2: O(n) expected, O(n log n) at worst.
 * DEGENERATE: all rows at p: nothing is outside. Counts are 64-bit: n(n-1)(n-2) is above 2^31 from
 *   n = 1292 on.
 * REFERENCE: Liu (1990), On a notion of data depth based on random simplices; Rousseeuw and Ruts
 *   (1996), Algorithm AS 307: bivariate location depth.
 */
#include "depth/simplicial.h"

#include <math.h>
#include <string.h>

#include "depth/simplicial_3d.h"
#include "num/binomial.h"
#include "num/parallel_points.h"
#include "num/sort.h"
#include "plane/angle_sort.h"

/* C(n, 3) and C(n, 4) and all partial sums stay below 2^63 up to these. */
enum { MOST_PLANE = 1 << 21, MOST_SPACE = 1 << 16 };

/* Rows at or below p, less those that equal it if `strict`. */
static int rank_of(const double *sorted, int n, double p, double e, bool strict)
{
  int lo = 0, hi = n;
  while (lo < hi) {
    int mid = lo + (hi - lo) / 2;
    double gap = sorted[mid] - p;
    double error = e > 0 ? e + DPD_COORDINATE_EPS * (fabs(sorted[mid]) + fabs(p)) : 0;
    if (strict ? gap >= -error : gap > error)
      hi = mid;
    else
      lo = mid + 1;
  }
  return lo;
}

uint64_t dpd_simplicial1_outside(const double *sorted, int n, double p, double e)
{
  uint64_t below = (uint64_t)rank_of(sorted, n, p, e, true);
  uint64_t above = (uint64_t)(n - rank_of(sorted, n, p, e, false));
  return dpd_choose(below, 2) + dpd_choose(above, 2);
}

size_t dpd_simplicial2_scratch(int n)
{
  return dpd_angle_sort_scratch(n);
}

/* Triples whose first direction is shared by a rows, with s rows less than a half turn ahead. */
static inline uint64_t triples(uint64_t a, uint64_t s)
{
  uint64_t pairs = s * (s - (s > 0)) / 2;
  if (a == 1) return pairs;
  return a * pairs + a * (a - (a > 0)) / 2 * s + dpd_choose(a, 3);
}

uint64_t dpd_simplicial2_outside(const dpd_plane_rows *q, void *work)
{
  dpd_angle_order r;
  dpd_angle_sort(q, work, &r);
  uint64_t outside = 0, ahead = 0, away = (uint64_t)r.away;
  for (int i = 0; i < r.away; i++)
    ahead += !(r.code[i] & 1);
  /* ahead: rows from the group's line on, counterclockwise, up to its other end */
  for (int g = 0; g < r.groups; g++) {
    int from = r.start[g], to = r.start[g + 1];
    uint64_t back = r.code[from] & 1, all = (uint64_t)(to - from);
    if (all == 1) { /* as below, without branches that cannot be foreseen */
      uint64_t left = ahead - !back, s = left + back * (away - 1 - 2 * left);
      outside += s * (s - (s > 0)) / 2;
      ahead = left + back;
      continue;
    }
    for (int i = from + 1; i < to; i++)
      back += r.code[i] & 1;
    uint64_t front = all - back, left = ahead - front;
    outside += triples(front, left) + triples(back, away - all - left);
    ahead = left + back;
  }
  return outside;
}

static void share_line(const dpd_points *p, double *share, double *sorted)
{
  memcpy(sorted, p->data, (size_t)p->n * sizeof *sorted);
  dpd_sort_doubles(sorted, (size_t)p->n, sorted + p->n);
  uint64_t all = dpd_choose((uint64_t)p->n, 2);
  for (int i = 0; i < p->m; i++) {
    uint64_t outside = dpd_simplicial1_outside(sorted, p->n, p->points[i], p->err[0]);
    share[i] = (double)(all - outside) / (double)all;
  }
}

typedef struct {
  const dpd_points *points;
  uint64_t all;
  double *share;
} task;

static void share_one(void *context, void *work, int i)
{
  const task *t = context;
  const dpd_points *q = t->points;
  size_t n = (size_t)q->n, m = (size_t)q->m;
  const double *x[3] = {q->data, q->data + n, q->data + 2 * n * (q->d == 3)};
  const double *at = q->points + i;
  double p[3] = {at[0], at[m], q->d == 3 ? at[2 * m] : 0};
  dpd_plane_rows plane = {x[0], x[1], q->n, p[0], p[1], q->err[0] + q->err[1], NULL, NULL, 0};
  uint64_t outside = q->d == 2 ? dpd_simplicial2_outside(&plane, work)
                               : dpd_simplicial3_outside(x, q->n, p, q->err, work);
  t->share[i] = (double)(t->all - outside) / (double)t->all;
}

static size_t thread_size(int n, int d)
{
  if (d == 1) return 2 * (size_t)n * sizeof(double);
  return d == 2 ? dpd_simplicial2_scratch(n) : dpd_simplicial3_scratch(n);
}

size_t dpd_simplicial_many_scratch(int n, int d, int threads)
{
  return dpd_scratch_size(dpd_parallel_points_share(thread_size(n, d)), threads);
}

dpd_status dpd_simplicial_many(const dpd_points *p, int threads, double *share, void *scratch)
{
  int n = p->n, d = p->d;
  if (d < 1 || d > 3 || n < d + 1) return DPD_ERR_DOMAIN;
  if (n > (d == 3 ? MOST_SPACE : d == 2 ? MOST_PLANE : n)) return DPD_ERR_LIMIT;
  size_t size = dpd_parallel_points_share(thread_size(n, d));
  if (d == 1) {
    share_line(p, share, (double *)(void *)dpd_scratch_part(scratch, size, 0).base);
    return DPD_OK;
  }
  task t = {p, dpd_choose((uint64_t)n, d + 1), share};
  dpd_parallel_points all = {p->m, threads, 4, size, scratch};
  dpd_parallel_points_run(&all, share_one, &t);
  return DPD_OK;
}
