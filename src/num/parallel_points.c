/* parallel_points.c - points, shared out over threads that have a workspace each. */
#include "num/parallel_points.h"

#include <stdlib.h>

dpd_status dpd_parallel_points_run(int m, int threads, int chunk, size_t size,
                                   dpd_parallel_point_job *job, void *context)
{
  int failed = 0;
  if (threads > m) threads = m > 0 ? m : 1;
#ifdef _OPENMP
#pragma omp parallel num_threads(threads) reduction(| : failed)
#endif
  {
    void *work = malloc(size);
    failed = work == NULL;
#ifdef _OPENMP
#pragma omp for schedule(dynamic, chunk)
#endif
    for (int i = 0; i < m; i++)
      if (!failed) job(context, work, i);
    free(work);
  }
  (void)threads;
  (void)chunk;
  return failed ? DPD_ERR_MEMORY : DPD_OK;
}
