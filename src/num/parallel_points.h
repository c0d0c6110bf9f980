/* parallel_points.h - points, shared out over threads that have a workspace each. */
#ifndef NUM_PARALLEL_POINTS_H
#define NUM_PARALLEL_POINTS_H

#include "dpd.h"

/* What is done for point i with the thread's workspace. */
typedef void dpd_parallel_point_job(void *context, void *work, int i);

/* Calls `job` for the points 0 .. m - 1, in any order, `chunk` at a time on up to `threads`
 * threads, each with `size` bytes of workspace. Fails: DPD_ERR_MEMORY; then some points may be left
 * out. */
dpd_status dpd_parallel_points_run(int m, int threads, int chunk, size_t size,
                                   dpd_parallel_point_job *job, void *context);

#endif
