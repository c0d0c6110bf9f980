/* projections.c - R matrices as the packed rows and directions that the projection kernels take. */
#include "r/projections.h"

#include <string.h>

#include "depth/projection.h"
#include "num/project_block.h"
#include "r/host.h"

static const double *pack(dpd_matrix x, const double *centre)
{
  double *out = host_alloc(dpd_padded((size_t)x.nrow) * (size_t)x.ncol, sizeof *out);
  dpd_pack_rows(x.x, (size_t)x.nrow, x.ncol, centre, out);
  return out;
}

static const double *transpose(dpd_matrix u)
{
  double *out = host_alloc((size_t)u.nrow * (size_t)u.ncol, sizeof *out);
  for (int i = 0; i < u.nrow; i++)
    for (int j = 0; j < u.ncol; j++)
      out[(size_t)i * (size_t)u.ncol + (size_t)j] = u.x[i + (size_t)j * (size_t)u.nrow];
  return out;
}

dpd_task task_of(SEXP points, SEXP data, SEXP directions, bool centred)
{
  dpd_matrix x = as_matrix(data), q = as_matrix(points);
  size_t n = (size_t)x.nrow, size = n * (size_t)x.ncol * sizeof(double);
  dpd_task t = {.n = x.nrow, .m = q.nrow, .d = x.ncol};
  if (q.ncol != x.ncol) Rf_error("internal: points and data differ in dimension");
  if (centred) {
    t.centre = host_alloc((size_t)t.d, sizeof(double));
    t.magnitude = host_alloc((size_t)t.d, sizeof(double));
    dpd_typical(x.x, n, t.d, t.centre, t.magnitude, host_alloc(3 * n, sizeof(double)));
  }
  t.rows = pack(x, t.centre);
  bool same = q.x == x.x || (q.nrow == x.nrow && memcmp(q.x, x.x, size) == 0);
  t.points = same ? t.rows : pack(q, t.centre);
  if (directions != R_NilValue) {
    dpd_matrix u = as_matrix(directions);
    if (u.ncol != x.ncol) Rf_error("internal: directions and data differ in dimension");
    t.dirs = transpose(u);
    t.count = u.nrow;
  }
  return t;
}

int block_of(double steps, int min, int count)
{
  double block = 1e8 * host_threads() / (steps > 1 ? steps : 1);
  if (block < (double)min * host_threads()) block = (double)min * host_threads();
  return block < count ? (int)block : count;
}

dpd_center center_of(SEXP center)
{
  const double *v = REAL(center);
  dpd_center c = {.location = (dpd_location)v[0],
                  .scale = (dpd_scale)v[1],
                  .trim = v[2],
                  .huber = v[3],
                  .blocks = (int)v[4]};
  return c;
}
