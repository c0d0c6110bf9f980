/* parallel_points.c - points, shared out over threads that have a workspace each.
 *
 * METHOD: threads take `chunk` points at a time. A point's result may depend on its number alone,
 *   not on what the thread's workspace holds, and so has the same bits for any number of threads.
 * COST: one call of the job per point; `size` bytes per thread.
 * DEGENERATE: m = 0 makes no call. Without OpenMP all points run in order, on thread 0.
 */
#include "num/parallel_points.h"

#ifdef _OPENMP
#include <omp.h>
#endif

size_t dpd_parallel_points_share(size_t size)
{
  return (size + DPD_LINE - 1) / DPD_LINE * DPD_LINE;
}

void dpd_parallel_points_run(const dpd_parallel_points *p, dpd_parallel_point_job *job,
                             void *context)
{
#ifdef _OPENMP
#pragma omp parallel for num_threads(p->threads) schedule(dynamic, p->chunk)
#endif
  for (int i = 0; i < p->m; i++) {
    int thread = 0;
#ifdef _OPENMP
    thread = omp_get_thread_num();
#endif
    job(context, dpd_scratch_part(p->scratch, p->size, thread).base, i);
  }
}
