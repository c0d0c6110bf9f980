/* points.c - data and points as the geometric kernels take them. */
#include "r/points.h"

#include <R_ext/Utils.h>

#include <math.h>
#include <string.h>

#include "num/power_of_two.h"
#include "num/select.h"
#include "plane/angle.h"
#include "r/convert.h"
#include "r/host.h"

/* A column's spread, unless it is next to nothing beside the numbers themselves: then errors of
 * rounding would be large in units of the spread, and they are pooled over columns. */
static double column_unit(const double *x, size_t n, double *work)
{
  double spread = dpd_spread(x, n, work);
  for (size_t i = 0; i < n; i++)
    work[i] = fabs(x[i]);
  dpd_select_range(work, n, n / 2, n / 2);
  return spread > 0 ? fmax(spread, 0x1p-20 * work[n / 2]) : work[n / 2];
}

dpd_problem make_problem(SEXP points_, SEXP data_, double limit)
{
  dpd_matrix data = as_matrix(data_), points = as_matrix(points_);
  dpd_problem p = {data.x, points.x, NULL, data.nrow, points.nrow, data.ncol, NULL};
  size_t n = (size_t)p.n, m = (size_t)p.m, d = (size_t)p.d;
  p.err = host_alloc(d, sizeof *p.err);
  p.exponent = host_alloc(d, sizeof *p.exponent);
  memset(p.err, 0, d * sizeof *p.err);
  memset(p.exponent, 0, d * sizeof *p.exponent);
  if (limit > 0 && dpd_all_integers(data.x, n * d, limit) &&
      dpd_all_integers(points.x, m * d, limit))
    return p;
  double *rows = host_alloc(n * d, sizeof *rows), *queries = host_alloc(m * d, sizeof *queries);
  double *work = host_alloc(n, sizeof *work);
  for (size_t j = 0; j < d; j++) {
    double unit = column_unit(data.x + j * n, n, work);
    p.exponent[j] = unit > 0 ? dpd_unit_exponent(unit) : 0;
    dpd_change_unit(data.x + j * n, n, p.exponent[j], rows + j * n);
    dpd_change_unit(points.x + j * m, m, p.exponent[j], queries + j * m);
    /* all zero: the points' numbers have their own sizes to be compared by */
    p.err[j] = unit > 0 ? DPD_COORDINATE_EPS : 0x1p-1000;
  }
  p.data = rows;
  p.points = queries;
  return p;
}

dpd_problem make_exact_problem(SEXP points, SEXP data, int most)
{
  static const double limit[] = {0, 0x1p53, 0x1p50, 0x1p25, 0x1p15};
  int d = as_matrix(data).ncol;
  return make_problem(points, data, limit[d <= most ? d : 0]);
}

int block_size(double steps, int min)
{
  double size = 2e7 / (steps > 1 ? steps : 1);
  return size > 1e9 ? 1000000000 : size > min ? (int)size : min;
}

void over_points(const dpd_problem *p, int block, points_job *job, void *out)
{
  size_t all = (size_t)p->m, d = (size_t)p->d;
  double *some = host_alloc((size_t)(p->m < block ? p->m : block) * d, sizeof *some);
  for (int from = 0; from < p->m; from += block) {
    size_t m = (size_t)(p->m - from < block ? p->m - from : block);
    for (size_t j = 0; j < d; j++)
      memcpy(some + j * m, p->points + j * all + from, m * sizeof *some);
    dpd_raise(job(p, some, from, (int)m, out));
    host_progress((double)from + (double)m, p->m);
  }
}
