/* parallel_points.h - points, shared out over threads that have a workspace each. */
#ifndef NUM_PARALLEL_POINTS_H
#define NUM_PARALLEL_POINTS_H

#include "dpd.h"
#include "num/scratch.h"

/* What is done for point i with the thread's workspace. */
typedef void dpd_parallel_point_job(void *context, void *work, int i);

/* How m points are shared out: `chunk` at a time on up to `threads` threads, each with `size` bytes
 * of the block `scratch` of dpd_scratch_size(size, threads) bytes; size is a multiple of DPD_LINE,
 * as dpd_parallel_points_share() makes it. */
typedef struct {
  int m, threads, chunk;
  size_t size;
  void *scratch;
} dpd_parallel_points;

size_t dpd_parallel_points_share(size_t size);

/* Calls `job` for the points 0 .. m - 1, in any order. */
void dpd_parallel_points_run(const dpd_parallel_points *p, dpd_parallel_point_job *job,
                             void *context);

#endif
