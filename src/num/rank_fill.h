/* rank_fill.h - fills a window of ranks with the order statistics of projections. */
#ifndef NUM_RANK_FILL_H
#define NUM_RANK_FILL_H

#include "num/rank_window.h"

/* Doubles that filling works in, a thread. */
size_t dpd_rank_window_work(const dpd_projected *p);

/* Fills in the order statistics of directions first..end - 1, quickest for whole
 * DPD_TILE_DIRECTIONS a thread. work: as many doubles for each thread. */
void dpd_rank_window_fill(dpd_rank_window *w, int first, int end, int threads, double *work);

#endif
