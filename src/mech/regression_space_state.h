/* regression_space_state.h - what the exponential mechanism over depths of planes has prepared. */
#ifndef MECH_REGRESSION_SPACE_STATE_H
#define MECH_REGRESSION_SPACE_STATE_H

#include "geom/lattice_frame.h"
#include "mech/regression_leaf_prior.h"
#include "mech/regression_passage.h"
#include "mech/regression_space.h"
#include "mech/regression_whole.h"
#include "samp/adaptive_rejection.h"

/* Different rows. */
typedef struct {
  dpd_whole_row whole;
  int count; /* rows that are the same */
  int from;  /* one of them */
} dpd_space_row;

/* The sign of a row's residual at a point: the row lies above the fit, on it or below. */
typedef enum { DPD_SPACE_ABOVE, DPD_SPACE_ON, DPD_SPACE_BELOW, DPD_SPACE_ANY } dpd_space_sign;

enum { DPD_SPACE_NOTES = 4 };

/* How a node's points differ from those of its parent: by a row's sign, or, row = -1 - j, by z_j <=
 * cut (sign ABOVE) or z_j > cut (sign BELOW), or, row = -4 - j, likewise of w_j in the parent's
 * frame. ANY: not at all. */
enum { DPD_SPACE_AXIS = -1, DPD_SPACE_FORM = -4 };
typedef struct {
  int parent, row;
  dpd_space_sign sign;
  int set;       /* rows that are undecided over the node, or -1 */
  int undecided; /* how many, when it was cut; or -1 */
  bool scored;   /* is its bound the score of all its points? */
  double cut;
  int note[DPD_SPACE_NOTES]; /* directions of the least weights, or -1 */
  dpd_lattice_frame frame;   /* its points are in there */
} dpd_space_node;

/* A row along a direction, and the run of other rows before it. */
typedef struct {
  int at;
  dpd_passage run;
} dpd_space_item;

/* Rows whose signs may differ within a node, and their order along some directions, each made when
 * it is asked for: size + 1 items. */
typedef struct dpd_space_set {
  struct dpd_space_set *parent; /* NULL: of all rows */
  int owner;
  int size, room;
  int64_t used; /* when it was asked for last */
  int *row, *count;
  double *a[3], *top, *bottom; /* with room for rounding, */
  double *room_of;             /* which is that */
  int64_t above, below;        /* other rows with r >= 0, r <= 0 */
  int *place, *fixed;          /* of the parent's rows: which of these; the term of others */
  int mapped;                  /* room for that */
  int lines, turn;
  int *line_of, *direction; /* of directions; of lines: -1 for none */
  dpd_space_item **line;
} dpd_space_set;

enum {
  DPD_SPACE_CLASSES = 24, /* sets of class c have room for 2^-c of the rows */
  DPD_SPACE_SETS = 48,    /* of a class, at most */
  DPD_SPACE_BLOCK = 64,
  DPD_SPACE_THIN = 384, /* rows that cuts are chosen by, about, where there are more */
  DPD_SPACE_HULLS = 2048,
  DPD_SPACE_NODES = 1 << 10, /* that memory is asked for at a time */
  DPD_SPACE_NODES_MOST = 1 << 20
};

typedef struct {
  int owner, room;
  void *kept; /* of dpd_hull_pack() */
} dpd_space_hull;

struct dpd_regression_space {
  dpd_regression_spec spec;
  dpd_leaf_prior prior;
  dpd_regression_weights weights;
  dpd_alloc alloc;
  double reach; /* |z_j| are at most that */
  int rows;     /* different ones */
  dpd_space_row *row;
  int *order;  /* rows x count: by projection, ~i if tied with the next */
  int *term;   /* of the rows of the set in hand, */
  bool *open;  /* whether they are undecided */
  double *off; /* and how far from the middle of their ranges they are, if these are few */
  dpd_space_set all, thin;
  dpd_space_set set[DPD_SPACE_CLASSES][DPD_SPACE_SETS];
  int64_t clock;
  /* nodes by the numbers of the tree; a block never moves */
  dpd_space_node *block[DPD_SPACE_NODES_MOST / DPD_SPACE_NODES + 1];
  dpd_rejection *tree;
  int picked;  /* the leaf of the point that was picked last */
  int refuter; /* the direction that refused it, or -1 */
  int next_direction;
  int *first; /* count: the directions, the latest decisive ones first */
  dpd_space_hull hull[DPD_SPACE_HULLS];
  dpd_hull leaf, part, spare; /* in hand */
  dpd_hull_proofs proofs;
  float *value, *half; /* of rows at corners: for candidates */
  double half_rate;    /* of a unit of the score */
};

static inline dpd_space_node *dpd_space_node_at(const dpd_regression_space *m, int j)
{
  return m->block[j / DPD_SPACE_NODES] + j % DPD_SPACE_NODES;
}

/* -- rows; mech/regression_space_rows.c */
void dpd_space_set_rows(dpd_regression_space *m);

static inline dpd_space_sign dpd_space_sign_at(const dpd_space_row *r, const double *z)
{
  dpd_whole_sides at = dpd_whole_sides_at(&r->whole, z);
  return at.above && at.below ? DPD_SPACE_ON : at.above ? DPD_SPACE_ABOVE : DPD_SPACE_BELOW;
}

/* -- sets of rows; mech/regression_space_sets.c */
void dpd_space_set_all(dpd_regression_space *m);

/* The smallest set of rows that serves a node. */
dpd_space_set *dpd_space_serving(dpd_regression_space *m, int node);

/* The set of the node's own undecided rows, made of the one that serves it, given the terms of
 * that. */
dpd_space_set *dpd_space_own_set(dpd_regression_space *m, int node, dpd_space_set *from,
                                 int undecided);

/* A few rows of the set that stand for all of its own: to choose cuts by. */
dpd_space_set *dpd_space_thin_set(dpd_regression_space *m, dpd_space_set *from);

/* -- weights; mech/regression_space_lines.c */

/* The least weight along direction u, given the terms. */
int64_t dpd_space_weight(dpd_regression_space *m, dpd_space_set *s, int u, const int64_t sum[2]);

/* The score at z. */
int64_t dpd_space_score(dpd_regression_space *m, const double *z);

/* The term of so many rows; and what it was made of. */
static inline int dpd_space_term(const dpd_regression_space *m, int count, bool above, bool below)
{
  return count * ((above ? m->weights.up : 0) - (below ? m->weights.down : 0) + m->weights.shift);
}

/* -- terms; mech/regression_space_terms.c */

/* The terms of the set's rows over the points that are in a hull and a box; sum: rows with r >= 0
 * and r <= 0. */
void dpd_space_terms_over(dpd_regression_space *m, const dpd_space_set *s, dpd_hull_proofs *p,
                          const dpd_lattice_frame *f, int64_t sum[2]);

/* At a lattice point. */
void dpd_space_terms_at(dpd_regression_space *m, const dpd_space_set *s, const double *z,
                        int64_t sum[2]);

/* Sets the term of a row of the set, if it is one. */
void dpd_space_decide(dpd_regression_space *m, const dpd_space_set *s, int row, dpd_space_sign sign,
                      int64_t sum[2]);

/* -- hulls of nodes; mech/regression_space_hulls.c */

/* The halfspaces of a step, at most two. */
int dpd_space_halfspaces(const dpd_regression_space *m, const dpd_space_node *step,
                         dpd_halfspace out[2]);

/* Cuts the hull by a step, as far as it can be; false: it is proved to have no points. */
bool dpd_space_cut_hull(dpd_regression_space *m, const dpd_space_node *step, dpd_hull *h);
void dpd_space_hull_of(dpd_regression_space *m, int node, dpd_hull *out);
/* Hulls of nodes, made again where they gave way. */
void dpd_space_keep_hull(dpd_regression_space *m, int node, const dpd_hull *h);

/* Is z among the points of the leaf, if it is in the support? */
bool dpd_space_holds(const dpd_regression_space *m, int leaf, const double *z);

/* -- cuts; mech/regression_space_cuts.c: see dpd_rejection_target */
int dpd_space_part(void *ctx, int leaf, int first, dpd_rejection_part *parts);

/* -- candidates; mech/regression_space_try.c */

/* A leaf to be cut: its hull, a bound of its scores, directions of low weights. */
typedef struct {
  int leaf, bound;
  const dpd_hull *hull;
  const dpd_lattice_frame *frame;
  const int *note; /* DPD_SPACE_NOTES */
} dpd_space_leaf;

/* The row by which the leaf is best cut, of some of the set's, whose terms are those over the
 * leaf; -1: none. log_sum: of the weights of the parts then, in parts of the leaf's points. */
int dpd_space_choose_row(dpd_regression_space *m, const dpd_space_leaf *leaf, dpd_space_set *few,
                         double *log_sum);

#endif
