/* glue_simplicial.c - entries of simplicial depth. */
#include <R_ext/Utils.h>
#include <math.h>
#include <string.h>

#include "depth/simplicial.h"
#include "depth/simplicial_incomplete.h"
#include "num/binomial.h"
#include "r/convert.h"
#include "r/glue.h"
#include "r/host.h"
#include "r/points.h"

static dpd_status count_points(const dpd_problem *p, const double *points, int from, int m,
                               void *out)
{
  int threads = host_threads_for(10.0 * pow(p->n, p->d > 1 ? p->d - 1 : 1) * m);
  dpd_points q = {p->data, points, p->err, p->n, p->d, m};
  void *top = vmaxget(), *scratch = host_alloc(dpd_simplicial_many_scratch(p->n, p->d, threads), 1);
  dpd_status status = dpd_simplicial_many(&q, threads, (double *)out + from, scratch);
  vmaxset(top);
  return status;
}

/* Shares of closed simplices at the rows of `points`, exact; one to three columns. */
SEXP ffi_simplicial(SEXP points, SEXP data)
{
  dpd_problem p = make_exact_problem(points, data, 3);
  int d = p.d, threads = host_threads();
  SEXP out = PROTECT(Rf_allocVector(REALSXP, p.m));
  double steps = d == 1 ? 0 : d == 2 ? 10.0 * p.n : 15.0 * p.n * p.n;
  int block = block_size(steps, 4 * threads);
  over_points(&p, block, count_points, REAL(out));
  UNPROTECT(1);
  return out;
}

/* A size x count matrix of zero-based indexes; count 0: all sets. */
static int *make_tuples(int n, int size, int *count, int seed)
{
  if (*count == 0) {
    *count = (int)dpd_choose((uint64_t)n, size);
    int *all = host_alloc((size_t)*count * (size_t)size, sizeof *all);
    dpd_incomplete_all(n, size, all);
    return all;
  }
  int *tuples = host_alloc((size_t)*count * (size_t)size, sizeof *tuples);
  dpd_incomplete_draw((uint64_t)seed, n, size, *count, tuples, host_alloc((size_t)n, sizeof(int)));
  return tuples;
}

/* Shares of `count` fixed simplices (0: of all) at the rows of `points`. */
SEXP ffi_simplicial_tuples(SEXP points, SEXP data, SEXP count_, SEXP seed)
{
  int threads = host_threads(), count = as_count(count_);
  dpd_problem p = make_problem(points, data, 0);
  int *tuples = make_tuples(p.n, p.d + 1, &count, as_count(seed));
  size_t m = (size_t)p.m;
  int *held = host_alloc(m, sizeof *held);
  memset(held, 0, m * sizeof *held);
  dpd_points q = {p.data, p.points, p.err, p.n, p.d, p.m};
  void *scratch = host_alloc(dpd_incomplete_scratch(p.d, threads), 1);
  int block = block_size((double)p.m * p.d * p.d + 3.0 * p.d * p.d * p.d, 1);
  for (int from = 0; from < count; from += block) {
    int to = count - from < block ? count : from + block;
    dpd_tuples some = {tuples, from, to};
    dpd_incomplete_count(&q, &some, threads, held, scratch);
    host_progress(to, count);
  }
  SEXP out = PROTECT(Rf_allocVector(REALSXP, p.m));
  for (size_t i = 0; i < m; i++)
    REAL(out)[i] = (double)held[i] / count;
  UNPROTECT(1);
  return out;
}

/* The tuples as a count x size matrix of one-based rows, and the most that hold one row. */
SEXP ffi_simplicial_load(SEXP n_, SEXP size_, SEXP count_, SEXP seed)
{
  int n = as_count(n_), size = as_count(size_), count = as_count(count_);
  int *tuples = make_tuples(n, size, &count, as_count(seed));
  SEXP out = PROTECT(Rf_allocVector(VECSXP, 2)), index = Rf_allocMatrix(INTSXP, count, size);
  SET_VECTOR_ELT(out, 0, index);
  for (int t = 0; t < count; t++)
    for (int k = 0; k < size; k++)
      INTEGER(index)[t + (size_t)k * (size_t)count] = tuples[(size_t)t * (size_t)size + k] + 1;
  int *work = host_alloc((size_t)n, sizeof *work);
  SET_VECTOR_ELT(out, 1, Rf_ScalarInteger(dpd_incomplete_load(tuples, count, size, n, work)));
  UNPROTECT(1);
  return out;
}
