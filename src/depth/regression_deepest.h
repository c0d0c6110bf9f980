/* regression_deepest.h - regression depth along the lines through a row, and the deepest lines.
 *
 * In dual space row i is the line of the fits through it.
 */
#ifndef DEPTH_REGRESSION_DEEPEST_H
#define DEPTH_REGRESSION_DEEPEST_H

#include "depth/regression.h"
#include "num/list.h"
#include "plane/angle_sort.h"

/* Bytes of workspace for a walk. */
size_t dpd_regression_walk_scratch(int n);

/* Told of a vertex: the fit through rows i and j (of the rows on it, j is the one farthest from i
 * in x). `first`: no row on the fit comes before i. Returns the least depth that is still of
 * interest. */
typedef struct {
  int (*visit)(void *context, int i, int j, bool first, int depth);
  void *context;
} dpd_vertex_visitor;

/* Walks the fits through row i from slope -Inf to Inf and reports every vertex with depth `floor`
 * or more. Returns the last floor. */
int dpd_regression_walk(const dpd_lines *l, int i, int floor, const dpd_vertex_visitor *visitor,
                        void *work);

/* The same along an order of the rows that was made elsewhere; each vertex is reported at least
 * once
 * over all rows i, with `first` on one of the lines. Bytes of workspace; the walk. */
size_t dpd_regression_follow_scratch(int n);
int dpd_regression_follow(const dpd_lines *l, int i, const dpd_angle_order *order, int floor,
                          const dpd_vertex_visitor *visitor, void *work);

/* A vertex: the fit through two rows. */
typedef struct {
  int i, j;
} dpd_vertex_rows;

/* The deepest fits; all zero, none was seen yet. */
typedef struct {
  int depth;     /* of the deepest fits */
  dpd_list rows; /* of dpd_vertex_rows: the different vertices of that depth */
} dpd_deepest;

/* The lines first..last-1. */
typedef struct {
  int first, last, threads;
} dpd_deepest_range;

/* Searches the vertices of the lines; adds to what was found. O(n log n) per line. The result does
 * not depend on `threads`. scratch: dpd_regression_deepest_scratch() bytes, of as many threads or
 * more. The caller closes `found`, also after a failure.
 * Requires: at least two different x. Fails: DPD_ERR_MEMORY. */
size_t dpd_regression_deepest_scratch(int n, int threads);
dpd_status dpd_regression_deepest(const dpd_lines *l, const dpd_deepest_range *r,
                                  dpd_deepest *found, void *scratch);
void dpd_deepest_close(dpd_deepest *found);

#endif
