/* integrated.h - depths made of the ranks of projections: directional halfspace, integrated
 * rank-weighted and integrated dual depth. */
#ifndef DEPTH_INTEGRATED_H
#define DEPTH_INTEGRATED_H

#include "dpd.h"

/* With lt = #{u'x_i < u'q} and le = #{u'x_i <= u'q}, of n: */
typedef enum {
  DPD_RANK_HALFSPACE, /* min over u of min(le, n - lt) */
  DPD_RANK_IRW,       /* sum over u of min(le, n - lt) */
  DPD_RANK_IDD        /* sum over u of le (n - le) */
} dpd_rank_kind;

typedef struct {
  dpd_rank_kind kind;
  const double *rows;   /* n rows, packed by dpd_pack_rows() */
  const double *points; /* m points, packed; the same pointer as `rows` if they are the data */
  int n, m, d, count;
  const double *dirs; /* count x d, a direction after the other */
  int threads;
  void *work; /* dpd_integrated_scratch() bytes */
} dpd_integrated;

size_t dpd_integrated_scratch(const dpd_integrated *r);

/* Before the first block. Requires: n >= 1, m >= 0, count >= 1, threads >= 1. */
void dpd_integrated_begin(dpd_integrated *r);

/* Directions from..to - 1. Whole numbers are added, so the result does not depend on the
 * blocks, on their order, or on `threads`. */
void dpd_integrated_run(dpd_integrated *r, int from, int to);

/* The minimum over n, 2 times the mean of min(le, n - lt)/n, or the mean of le (n - le)/n^2.
 * In between, the depth of the directions up to now if `count` is how many there were. */
void dpd_integrated_end(const dpd_integrated *r, int count, double *depth);

/* DPD_RANK_HALFSPACE: the first direction that reaches the minimum at each point, zero-based; the
 * smaller count may be on its side or on the other. */
void dpd_integrated_worst(const dpd_integrated *r, int *direction);

#endif
