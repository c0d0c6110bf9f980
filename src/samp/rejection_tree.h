/* rejection_tree.h - the tree of boxes behind samp/adaptive_rejection. */
#ifndef SAMP_REJECTION_TREE_H
#define SAMP_REJECTION_TREE_H

#include "dpd.h"

/* What a target may note of a leaf, for the bounds of leaves that are cut from it, and the axis
 * across which it is cut, -1 for its longest side. For speed. */
enum { DPD_REJECTION_NOTES = 4 };
typedef struct {
  int at[DPD_REJECTION_NOTES];
  int axis;
} dpd_rejection_note;

/* A leaf of whatever shape: the log of its number of integer points, and upper bounds of the score
 * and of the log prior density over them, -INFINITY where there is none. */
typedef struct {
  double log_count, log_prior;
  int bound;
} dpd_rejection_part;

enum { DPD_REJECTION_PARTS = 3 }; /* that a leaf is cut into, at most */

/* The target: an integer score and a prior density on the integer points of a box. */
typedef struct {
  void *ctx;
  /* Upper bounds over the integer points of the box lo..hi: of the score, at most `cap` (itself
   * known to be one), and of the log prior density. False: the prior is zero on the box.
   * For a box of one point: its score and its log prior themselves, or a draw may take for ever. */
  bool (*bound)(void *ctx, const double *lo, const double *hi, int cap, int *score,
                double *log_prior);
  /* Log prior density at w; false: zero. */
  bool (*log_prior)(void *ctx, const double *w, double *out);
  /* Is the score at w at least t? Of t at most the box's bound. */
  bool (*at_least)(void *ctx, const double *w, int t);
  /* Or NULL: holds what was noted of the leaf above (of the first: what it holds at opening) when
   * bound() is called; what bound() leaves there is noted. */
  dpd_rejection_note *note;
  /* NULL, or: proposals within a box are not uniform, but have the distribution q on its N points.
   * Draws w from it and writes the log of prior(w) / (N q(w)), -INFINITY for zero, of which bound()
   * gives an upper bound then in place of one of the log prior's, at a single point the number
   * itself. */
  dpd_status (*propose)(void *ctx, dpd_rng *rng, const double *lo, const double *hi, double *w,
                        double *log_prior);
  /* NULL, or the last point below the cut of a box across an axis: lo <= it < hi there. For speed
   * only. */
  double (*cut)(void *ctx, const double *lo, const double *hi, int axis);
  /* NULL, or leaves are no boxes, but sets of points that the target knows by their numbers, from 0
   * on; of the above it has at_least() alone, for the point picked last. Partitions the points of a
   * leaf into those of the leaves first, first + 1, ...; returns their number, 0 if the leaf is not
   * cut. */
  int (*part)(void *ctx, int leaf, int first, dpd_rejection_part *parts);
  /* With it: draws one of the leaf's points uniformly, and its log prior density. */
  dpd_status (*pick)(void *ctx, dpd_rng *rng, int leaf, double *w, double *log_prior);
} dpd_rejection_target;

typedef struct dpd_rejection dpd_rejection;

/* A target on the box lo..hi of Z^d. The tree keeps `unit`; it copies the box. */
typedef struct {
  dpd_rejection_target target;
  int d;
  const double *lo, *hi;
  const double *unit; /* public or private lengths that a leaf's longest side is found in: for
                         speed only */
  int cap;            /* an upper bound of the score on the box */
  dpd_rate eps;
  int max_nodes;
  dpd_rejection_part root; /* with part(): leaf 0; d = 0 then, and no box */
} dpd_rejection_spec;

/* A tree of one leaf, the box. Ensures *out != NULL. Fails: DPD_ERR_DOMAIN when the prior is zero
 * on the box. */
dpd_status dpd_rejection_open(dpd_rejection **out, const dpd_rejection_spec *spec, dpd_alloc alloc);

/* The same of another spec, of the same d and max_nodes, in the memory of the tree. */
dpd_status dpd_rejection_reopen(dpd_rejection *t, const dpd_rejection_spec *spec);

/* Tries all sides of a box as soon as a cut lowers no bound: for rows that lie in hyperplanes of
 * equal coordinates. For speed only. */
void dpd_rejection_impatient(dpd_rejection *tree);

/* Cuts slabs off the core, at first the root, until it lies within lo..hi, for a target whose
 * bounds outside that box are known to be low: nested boxes, the widest first, before the first
 * draw. False: nothing of the core would be left, or the tree is full. For speed only: the
 * distribution is the same wherever leaves are cut. */
bool dpd_rejection_carve(dpd_rejection *tree, const double *lo, const double *hi);

/* -- for samp/adaptive_rejection.c alone */

/* Weights are integers in units of 2^-DPD_REJECTION_UNITS of the weight exp(log_ref); the heaviest
 * leaf has 2^-20 of that (2^40 units) when the scale is set, which it is anew when the total has
 * fallen below 2^36 units. Leaves only get lighter. A test sets fewer units, so that what is paid
 * for whole units can be seen. */
#ifndef DPD_REJECTION_UNITS
#define DPD_REJECTION_UNITS 60
#endif
#define DPD_REJECTION_SCALE (DPD_REJECTION_UNITS * 0.69314718055994530942)

enum {
  DPD_NODE_BITS = 10,
  DPD_NODES = 1 << DPD_NODE_BITS /* nodes that memory is asked for at a time */
};

typedef struct {
  uint64_t weight;  /* of the leaf, or the sum below */
  int64_t score;    /* the bound that coins are counted from; above `bound` if w is small */
  double keep;      /* w / W, in (0, 1], apart from exp(-rest) */
  double rest;      /* further coins, where w is below one unit */
  double log_prior; /* bound of the log prior density */
  double log_count; /* log of the number of integer points */
  int bound;        /* bound of the score */
  int parent, left; /* left, left + 1, ... are the parts; 0: a leaf */
  int parts;
  int stale, hint; /* cuts in a row that lowered no bound; the side that decided, or -1 */
  dpd_rejection_note note;
} dpd_rejection_node;

struct dpd_rejection {
  int d, nodes, room, max_nodes; /* room: nodes that the blocks hold */
  dpd_alloc alloc;
  double half_eps, log_ref; /* log of the weight of 2^DPD_REJECTION_UNITS units */
  double scale;             /* DPD_REJECTION_SCALE */
  int ref_score;            /* scores count from here in log_ref */
  dpd_rate eps;
  dpd_rejection_target target;
  const double *unit;
  dpd_rejection_node **node; /* block by block; a block never moves, so nothing is copied */
  double **side;             /* 2 d a node: lower ends, upper ends */
  int patience;              /* cuts that may lower no bound before all sides are tried */
  int core;                  /* the leaf that dpd_rejection_carve() cuts next */
  double proposals, accepted;
};

static inline dpd_rejection_node *dpd_rejection_at(const dpd_rejection *t, int j)
{
  return t->node[j >> DPD_NODE_BITS] + (j & (DPD_NODES - 1));
}

static inline double *dpd_rejection_lo(const dpd_rejection *t, int j)
{
  return t->side[j >> DPD_NODE_BITS] + 2 * (size_t)(j & (DPD_NODES - 1)) * (size_t)t->d;
}

static inline double *dpd_rejection_hi(const dpd_rejection *t, int j)
{
  return dpd_rejection_lo(t, j) + t->d;
}

/* Is there no room for the parts of a leaf? Then leaves are cut no more. */
static inline bool dpd_rejection_full(const dpd_rejection *t)
{
  return t->nodes + (t->target.part != NULL ? DPD_REJECTION_PARTS : 2) > t->max_nodes;
}

/* Log of N m exp(eps (U - ref_score) / 2), U = bound + raise. */
double dpd_rejection_log_weight(const dpd_rejection *t, const dpd_rejection_node *b, double raise);

/* All weights, in units of the heaviest leaf. */
void dpd_rejection_rescale(dpd_rejection *t);

/* Cuts leaf j; a single point, or a leaf of a full tree, is left. */
void dpd_rejection_split(dpd_rejection *t, int j);

#endif
