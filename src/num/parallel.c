/* parallel.c - groups of directions, shared out over threads.
 *
 * METHOD: the groups are fixed by `from` and `to` alone; threads take them one at a time. So what a
 *   job computes for its group has the same bits for any number of threads.
 * COST: one call of the job per group; no memory.
 * DEGENERATE: to <= from makes no call. Without OpenMP the groups run in order, on thread 0.
 */
#include "num/parallel.h"

#ifdef _OPENMP
#include <omp.h>
#endif

void dpd_parallel_run(int from, int to, int threads, dpd_parallel_job *job, void *context)
{
  int groups = (to - from + DPD_GROUP - 1) / DPD_GROUP;
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(dynamic)
#endif
  for (int g = 0; g < groups; g++) {
    int thread = 0, first = from + g * DPD_GROUP;
#ifdef _OPENMP
    thread = omp_get_thread_num();
#endif
    job(context, thread, first, to - first < DPD_GROUP ? to - first : DPD_GROUP);
  }
  (void)threads;
}
