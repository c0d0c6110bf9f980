/* host.h - what the glue asks of R as a host: random sources, interrupts, errors. */
#ifndef R_HOST_H
#define R_HOST_H

#define R_NO_REMAP
#include <Rinternals.h>

#include "dpd.h"

/* Runs body(rng, data) with the source named by `source`, a string: "system" (operating-system
 * entropy), "R" (R's stream). R's stream is read before and saved after in "R" mode only, also
 * when body leaves by an error or an interrupt; the buffer is wiped on every way out.
 * For tests, `source` may also be a double vector: a tape of 32-bit halves, low half first,
 * or the string "broken": a source that always fails.
 * body may raise R errors (dpd_raise, R_CheckUserInterrupt), but must not run R code that
 * draws from R's stream: in "R" mode the stream is held by C until body returns. Nor may it
 * call with_rng() again. */
SEXP with_rng(SEXP source, SEXP (*body)(dpd_rng *rng, void *data), void *data);

/* One draw of d numbers, or DPD_AGAIN. */
typedef dpd_status draw_point(dpd_rng *rng, void *task, double *x);

/* A matrix of `draws` rows by `draw`, which is called again after DPD_AGAIN, with a look for an
 * interrupt in between. */
SEXP draw_points(SEXP source, int draws, int d, draw_point *draw, void *task);

/* list(draws, counts) of a rejection sampler. The counts, of proposals, draws and nodes, depend
 * on the rows: not for release. */
SEXP draws_with_counts(SEXP draws, const double counts[3]);

/* Where chains leave their states: if `keep`, element `at` of `list` becomes an array of steps x
 * chains x d numbers. NULL if not. Not for release. */
double *chain_trace(SEXP keep, SEXP list, int at, const int size[3]);

/* Raises the classed R error of a status; returns if it is DPD_OK. */
void dpd_raise(dpd_status status);

/* Between two blocks of work of which `done` of `total` steps are done: looks for an interrupt, and
 * moves the progress bar, if there is one. Not where private rows decide how long a step takes, nor
 * within with_rng(). */
void host_progress(double done, double total);

/* Memory that R frees at the end of .Call, also after an error, aligned as by malloc. For the
 * kernels' scratch and as their dpd_alloc. */
void *host_alloc(size_t count, size_t size);

/* Threads for OpenMP regions: the value of dpdepth_threads(), or 1 in a forked worker. */
int host_threads(void);

/* The same, but 1 for work of less than about a millisecond: waking threads would take longer. */
int host_threads_for(double steps);

#endif
