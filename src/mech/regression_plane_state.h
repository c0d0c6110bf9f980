/* regression_plane_state.h - what the exponential mechanism over depths of lines has prepared. */
#ifndef MECH_REGRESSION_PLANE_STATE_H
#define MECH_REGRESSION_PLANE_STATE_H

#include "mech/regression_leaf_prior.h"
#include "mech/regression_plane.h"
#include "mech/regression_whole.h"
#include "plane/lattice_polygon.h"
#include "samp/adaptive_rejection.h"

/* Different rows, v = p z_0 + q z_1 at the lattice point z: r >= 0 where v <= top, r <= 0 where
 * v >= top - gap. */
typedef struct {
  dpd_i128 top;
  int64_t p, q, gap;
  int count; /* rows that are the same */
} dpd_plane_row;

/* The sign of a row's residual at a point: the row lies above the line, on it or below. */
typedef enum { DPD_PLANE_ABOVE, DPD_PLANE_ON, DPD_PLANE_BELOW, DPD_PLANE_ANY } dpd_plane_sign;

/* How a node's points differ from those of its parent: by a row's sign, or, row = -1 - j, by z_j <=
 * cut (sign ABOVE) or z_j > cut (sign BELOW). ANY: not at all. */
typedef struct {
  int parent, row;
  dpd_plane_sign sign;
  int set; /* rows that are undecided over the node, or -1 */
  double cut;
  int undecided; /* how many different rows were, when it was cut */
} dpd_plane_node;

/* Rows whose signs may differ within a node, in the order of the direction, and what the runs of
 * other rows before each of them, and after the last, add: size + 1 runs. */
typedef struct {
  int owner; /* the node; -1: all points */
  int size, room;
  int64_t used;                    /* when it was asked for last */
  int *row, *count;                /* and how many each is */
  int *run, *run_top, *run_bottom; /* sum of the run's terms, its largest and smallest at a split */
  int64_t above, below;            /* other rows with r >= 0, r <= 0 */
} dpd_plane_set;

enum {
  DPD_PLANE_CLASSES = 24, /* sets of class c have room for 2^-c of the rows */
  DPD_PLANE_SETS = 32,    /* of a class, at most */
  DPD_PLANE_BLOCK = 64,   /* rows whose range over a polygon is found at once */
  DPD_PLANE_THIN = 512    /* rows that cuts are chosen by, about, where there are more */
};

/* Points of a polygon's border such that its lattice points lie in their hull. */
typedef struct {
  int size, room;
  double *x, *y;
  double *kept_x, *kept_y, *first, *last; /* for dpd_plane_terms_over() */
} dpd_plane_corners;

struct dpd_regression_plane {
  dpd_regression_spec spec;
  dpd_leaf_prior prior;
  dpd_regression_weights weights;
  dpd_alloc alloc;
  int bits;     /* |p|, |q| <= 2^bits */
  double reach; /* |z_0|, |z_1| are at most that */
  int rows;     /* different ones */
  dpd_plane_row *row;
  bool *first;                  /* of the rows with its projection? */
  double *p, *q, *top, *bottom; /* rows as doubles, with room for rounding */
  int *term;                    /* of the rows of the set in hand, */
  bool *open;                   /* and whether they are undecided */
  double *off; /* how far from the middle of their ranges rows are, if these are few */
  dpd_plane_set all, thin;
  dpd_plane_set set[DPD_PLANE_CLASSES][DPD_PLANE_SETS];
  int64_t clock;
  dpd_plane_node *node; /* by the numbers of the tree */
  int nodes_room;
  dpd_rejection *tree;
  int picked;                  /* the leaf of the point that was picked last */
  dpd_lattice_polygon polygon; /* the one in hand, for dpd_regression_plane_close() */
  dpd_bounds bounds;
  int bounds_room;
  int64_t *work;
  dpd_plane_corners corners;
  double half_rate; /* of a unit of the score */
};

/* -- rows; mech/regression_plane_rows.c */
void dpd_plane_set_rows(dpd_regression_plane *m);

static inline dpd_i128 dpd_plane_value(const dpd_plane_row *r, const double *z)
{
  return (dpd_i128)r->p * (int64_t)z[0] + (dpd_i128)r->q * (int64_t)z[1];
}

/* -- sets of rows and bounds; mech/regression_plane_sets.c */

/* The set of all rows. */
void dpd_plane_set_all(dpd_regression_plane *m);

/* The smallest set of rows that serves a node. */
dpd_plane_set *dpd_plane_serving(dpd_regression_plane *m, int node);

/* The set of the node's own undecided rows, made of the one that serves it, given the terms of
 * that. */
dpd_plane_set *dpd_plane_own_set(dpd_regression_plane *m, int node, const dpd_plane_set *from,
                                 int undecided);

/* A few rows of the set that stand for all of its own, with the runs of others: to choose cuts by.
 */
const dpd_plane_set *dpd_plane_thin_set(dpd_regression_plane *m, const dpd_plane_set *from);

/* The terms of the set's rows over a polygon; sum: rows with r >= 0 and r <= 0. */
void dpd_plane_terms_over(dpd_regression_plane *m, const dpd_plane_set *s, int64_t sum[2]);

/* Sets the term of a row of the set, if it is one. */
void dpd_plane_decide(dpd_regression_plane *m, const dpd_plane_set *s, int row, dpd_plane_sign sign,
                      int64_t sum[2]);

/* The least weight, given the terms. */
int64_t dpd_plane_weight(const dpd_regression_plane *m, const dpd_plane_set *s,
                         const int64_t sum[2]);

/* The score at z, of rows of a set that serves it. */
int64_t dpd_plane_score(dpd_regression_plane *m, const dpd_plane_set *s, const double *z);

/* -- polygons; mech/regression_plane_polygons.c */

/* Room for so many bounds above and below; those that there are stay. */
void dpd_plane_reserve_bounds(dpd_regression_plane *m, int most);

/* The bounds of one step of a node's path. Requires: room for two more of either kind. */
void dpd_plane_bound_step(const dpd_regression_plane *m, const dpd_plane_node *step, dpd_bounds *b);

/* m->bounds: those of a node. */
void dpd_plane_bound_node(dpd_regression_plane *m, int node);

/* m->corners, and the box around the polygon. Requires: a polygon with points. */
void dpd_plane_set_corners(dpd_regression_plane *m, const dpd_lattice_polygon *g);
void dpd_plane_set_box(const dpd_lattice_polygon *g, double lo[2], double hi[2]);

/* -- cuts; mech/regression_plane_cuts.c: see dpd_rejection_target */
int dpd_plane_part(void *ctx, int leaf, int first, dpd_rejection_part *parts);

#endif
