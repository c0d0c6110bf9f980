/* parallel.h - groups of directions, shared out over threads. */
#ifndef NUM_PARALLEL_H
#define NUM_PARALLEL_H

#include "dpd.h"

enum { DPD_GROUP = 8 }; /* directions that are projected at a time */

/* What is done with directions first .. first + size - 1, on thread `thread`. */
typedef void dpd_parallel_job(void *context, int thread, int first, int size);

/* Calls `job` for groups of at most DPD_GROUP directions that make up from .. to - 1, in any
 * order, on up to `threads` threads. */
void dpd_parallel_run(int from, int to, int threads, dpd_parallel_job *job, void *context);

#endif
