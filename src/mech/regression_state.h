/* regression_state.h - what the exponential mechanism over regression depth has prepared. */
#ifndef MECH_REGRESSION_STATE_H
#define MECH_REGRESSION_STATE_H

#include "geom/shear.h"
#include "mech/regression.h"
#include "mech/regression_whole.h"
#include "num/prior_mass.h"
#include "samp/adaptive_rejection.h"

enum {
  DPD_REGRESSION_BITS = 40,   /* the prior's support is at most 2^39 steps wide */
  DPD_REGRESSION_SHELLS = 44, /* of a dyadic prior: its support is 2^45 steps wide */
  DPD_REGRESSION_RECENT = 32, /* proposals that a set of active rows is made for */
  DPD_REGRESSION_LEVELS = 20  /* sets of active rows at a time, at most */
};

/* Rows whose residuals may change sign within a box, and, for each direction, what the runs of
 * other rows between them add: a weight then costs as many steps as there are active rows. They are
 * some of the rows of the set above, whose box holds theirs. */
typedef struct dpd_active_rows {
  struct dpd_active_rows *parent;
  int size, room;
  double *fit, *y;            /* the rows: fit is size x k with stride `room` */
  double *tie, *top, *bottom; /* how close a fit is on the row, and y + tie, y - tie */
  double *forms, *sizes;  /* their fits as forms of w: size x k, size x 3, see dpd_shear_form() */
  double *target, *slack; /* y less the constant of the form; what rounding may do to both */
  dpd_whole_row *whole;   /* of three coefficients: what the rows are; or NULL */
  double *whole_unit;     /* and the unit of that */
  const int *count;       /* how many rows each is; NULL: one */
  int *counts;            /* room for that */
  int *term;              /* up [r >= 0] - down [r <= 0] + shift, times the count */
  int *order;             /* room x count: by projection, ~i if tied with the next; through the
                             origin: the sign of row i's projection */
  int *run, *run_top, *run_bottom; /* (room + 1) x count: before each, and after the last: sum of
                                              the run's terms, its largest and smallest at a split;
                                              through the origin: first alone, of other rows */
  bool *built;          /* count: runs and order along a direction are made when it is asked */
  int *place;           /* of the parent's rows: which of these it is, or -1, */
  int *fixed;           /* and the term of those that are none */
  int64_t above, below; /* other rows with r >= 0, r <= 0 */
  double *lo, *hi;      /* the box */
} dpd_active_rows;

struct dpd_regression {
  dpd_regression_spec spec;
  dpd_lattice lattice;
  dpd_regression_weights weights;
  dpd_mass *mass; /* of a dyadic prior, the same for each coordinate; or NULL */
  dpd_shear shear;
  int *axis;       /* k: the sheared coordinate j is that of the lattice's axis axis[j] */
  double *sheared; /* 2 k */
  int *heavy;      /* k: rows that many are equal to; the first's fit is that of the last w, ... */
  int heavy_count;
  dpd_alloc alloc;
  dpd_rejection *tree;
  dpd_active_rows all; /* every row, no runs: `run` is NULL, the box is everything */
  dpd_active_rows level[DPD_REGRESSION_LEVELS]; /* of rows of `all`, of level[0], ... */
  int levels, levels_most;                      /* in use; that there is room for */
  double asked, deepest; /* boxes bounded since the last look, and those within the last level */
  dpd_rejection_note
      note;           /* of the box that is bounded: directions that decided most, from the first */
  int next_direction; /* the direction that is tried next */
  int *unit;          /* k: theta_j is taken in units of 2^unit[j], so that it is at most 1 */
  double *extent;     /* k x (k + 3): the coordinates of z as forms of w, and their sizes */
  double *min, *max, *slack;       /* of a block of rows */
  double *lo, *hi, *z, *theta, *w; /* k each */
  bool *tied;                      /* count: has the direction ties? */
  int *first;                      /* count: the directions, the latest decisive ones first */
  double *recent;                  /* DPD_REGRESSION_RECENT x k: the last proposals */
  int64_t proposals;               /* points scored */
  bool aimed;                      /* was a deep fit sought? */
  const double *deep;              /* k: a deep fit w, if one is known, or NULL; with it: */
  double *tilt, *judged;           /* count x k, count: see mech/regression_directions.c */
};

/* What rounding may do to a row, in parts of its size: see mech/regression_rows.c. */
#define DPD_REGRESSION_SLACK(k) (0x1p-49 * (double)((k) + 2))

/* Entries of the rows, of which arrays are made: rows themselves without a tally. */
static inline size_t dpd_regression_entries(const dpd_regression *m)
{
  return (size_t)dpd_tally_size(m->spec.tally, m->spec.n);
}

/* Rows that row i of the set is. */
static inline int dpd_rows_of(const dpd_active_rows *a, int i)
{
  return a->count != NULL ? a->count[i] : 1;
}

/* Is a row's residual undecided, given its term over a box? One of an empty box would be, too. */
static inline bool dpd_undecided(const dpd_regression *m, const dpd_active_rows *a, int i)
{
  int rows = dpd_rows_of(a, i);
  return a->term[i] != rows * (m->weights.up + m->weights.shift) &&
         a->term[i] != rows * (m->weights.shift - m->weights.down);
}

enum { DPD_REGRESSION_BLOCK = 256 }; /* rows whose range over a box is found at once */

/* Moves of the active rows over the box lo..hi (bounds), or at the point z (exact); `sum` gets the
 * rows with r >= 0 and r <= 0. */
void dpd_regression_terms_box(dpd_regression *m, dpd_active_rows *a, const double *lo,
                              const double *hi, int64_t sum[2]);
void dpd_regression_terms_point(dpd_regression *m, dpd_active_rows *a, const double *z,
                                int64_t sum[2]);

/* The axis along which the fits of rows that are undecided over the box vary most, each row's range
 * being shared out among the axes; -1: none is. Requires: the terms of `a` over the box. For speed.
 */
int dpd_regression_widest(dpd_regression *m, const dpd_active_rows *a, const double *lo,
                          const double *hi);

/* An upper bound of the score over the box lo..hi of sheared indexes, at a point the score itself;
 * false if the prior has no mass there. */
bool dpd_regression_bound(dpd_regression *m, const double *lo, const double *hi, int *score);

/* The smallest weight along direction u and its opposite, given the terms. */
int64_t dpd_regression_weight(const dpd_regression *m, dpd_active_rows *a, int u,
                              const int64_t sum[2]);

/* The smallest of them along a few directions, given the terms over the box lo..hi. Notes them. */
int64_t dpd_regression_min_weight(dpd_regression *m, dpd_active_rows *a, const double *lo,
                                  const double *hi, const int64_t sum[2]);

/* By how much `weight`, the least of them, is above a bound, since of pairs of undecided rows one
 * at most counts. Requires: as there, after it. */
int64_t dpd_regression_conflicts(const dpd_regression *m, const dpd_active_rows *a,
                                 const double *lo, const double *hi, const int64_t sum[2],
                                 int64_t weight);

/* Seeks a deep fit; directions are chosen by it from now on. For speed. */
void dpd_regression_aim(dpd_regression *m);

/* Is the score at the lattice point z at least t? `a` must serve it. */
bool dpd_regression_at_least(dpd_regression *m, dpd_active_rows *a, const double *z, int t);

/* The lattice of the prior. Public. Fails as dpd_lattice_open(). */
dpd_status dpd_regression_set_lattice(dpd_lattice *l, dpd_prior prior, dpd_alloc alloc);

/* The prior's density at the lattice point z, up to a constant; false where it is zero. */
bool dpd_regression_prior_at(const dpd_regression *m, const double *z, double *log_prior);

/* -- of a dyadic prior, see dpd_rejection_target; mech/regression_prior.c */
void dpd_regression_set_mass(dpd_regression *m, dpd_alloc alloc);

/* A bound of the log of the box's mass over its points. Requires: m->lo, m->hi hold the ranges of
 * the box's coordinates z, in the order of the lattice's axes; a box of more than one point. */
bool dpd_regression_bound_mass(dpd_regression *m, const double *lo, const double *hi,
                               double *log_prior);
dpd_status dpd_regression_propose(void *ctx, dpd_rng *rng, const double *lo, const double *hi,
                                  double *w, double *log_prior);
double dpd_regression_cut(void *ctx, const double *lo, const double *hi, int axis);

/* The smallest set of rows that serves the box. */
dpd_active_rows *dpd_regression_active(dpd_regression *m, const double *lo, const double *hi);

/* Shears of the axes in their order, or of the longest first, whose coefficients are smaller; or no
 * shear. */
typedef enum {
  DPD_FRAME_IN_ORDER,
  DPD_FRAME_LONGEST_FIRST,
  DPD_FRAME_STRAIGHT,
  DPD_FRAMES
} dpd_regression_frame;

/* Rows in their units, their order along each direction, and the shear of the axes. */
void dpd_regression_set_units(dpd_regression *m);
void dpd_regression_set_orders(dpd_regression *m, dpd_alloc alloc);
void dpd_regression_set_frame(dpd_regression *m, dpd_regression_frame kind, dpd_alloc alloc);
void dpd_regression_set_forms(dpd_regression *m);

/* A frame along the fits through rows that many are equal to; false: there are none. */
bool dpd_regression_set_atom_frame(dpd_regression *m, dpd_alloc alloc);

/* The lattice point z of w; a form a'z as one of w, see dpd_shear_form(); a box of all w. */
void dpd_regression_point(dpd_regression *m, const double *w, double *z);
void dpd_regression_form(dpd_regression *m, const double *a, double *c, double size[3]);
void dpd_regression_cover(dpd_regression *m, double *lo, double *hi);

/* theta_j, in its unit, of the lattice point of index z. */
void dpd_regression_theta(const dpd_regression *m, const double *z, double *theta);

/* A tree of one box in the frame that is set. */
dpd_status dpd_regression_begin_tree(dpd_regression *m);

/* Room for a set of rows of `parent`, or for all rows (NULL). */
void dpd_active_rows_open(dpd_active_rows *a, dpd_active_rows *parent, int room,
                          const dpd_regression *m);

/* Makes note of a proposal; now and then chooses active rows anew. For speed only. */
void dpd_regression_follow_proposals(dpd_regression *m, const double *w);

#endif
