/* exponential_state.h - what the exponential mechanism over halfspace depth has prepared. */
#ifndef MECH_EXPONENTIAL_STATE_H
#define MECH_EXPONENTIAL_STATE_H

#include "geom/shear.h"
#include "mech/exponential.h"
#include "num/rank_window.h"
#include "plane/lattice_polygon.h"
#include "samp/adaptive_rejection.h"
#include "samp/chain_run.h"
#include "samp/hit_and_run.h"
#include "samp/independence_proposal.h"
#include "samp/level.h"

/* The linear programs over the points of one depth: see mech/exponential_polytope.c. */
typedef struct {
  double *a, *b, *c; /* constraints a'x <= b about the deep point, in units; the objective */
  double *z, *y;     /* a solution, and its multipliers */
  double unit;
  int rows, *basis;
  void *work;
} dpd_exponential_polytope;

/* A basis and its multipliers for the next program with the same objective. */
typedef struct {
  bool set;
  int *basis; /* d + 1 */
  double *y;  /* d + 1 */
} dpd_simplex_start;

/* Boxes of sheared coordinates around the points of given depths. */
typedef struct {
  int count, cap;  /* boxes; no candidate is deeper than cap */
  int *t;          /* count: the depths, rising */
  double *lo, *hi; /* count x d: nested, integers; empty where lo > hi */
  dpd_simplex_start *start;
} dpd_exponential_levels;

/* In the plane: a point, and how many rows are there. */
typedef struct {
  double z[2];
  int rows;
} dpd_exponential_point;

/* The closed halfplane to the right of the line from a point to another, or along an axis where
 * `to` is -1, .., -4; how many rows are strictly to its left. */
typedef struct {
  int at, to, beside;
} dpd_exponential_side;

/* Polygons around the depth regions of the plane, and their lattice points. */
typedef struct {
  int gap;                       /* levels between two polygons */
  int points, sides, room, kept; /* the first `kept` sides bound some polygon */
  dpd_exponential_point *point;
  double *x, *y;
  void *sorting;
  dpd_exponential_side *side;
  size_t most; /* bounds that there is memory for */
  dpd_bounds bounds;
  int64_t *work;
  dpd_levels levels;
  dpd_product *weight; /* run r has the levels first[r] .. first[r + 1] - 1, and a polygon */
  int *first, *end;    /* of the sides 0 .. end[r] - 1 */
  dpd_u128 *count;     /* with so many points, */
  double *log_prior;   /* of at most that density */
} dpd_exponential_regions;

/* What bounds over boxes take: see mech/exponential_bound.c. */
typedef struct {
  double *forms, *sizes; /* d and 3 x room: the directions as forms in w, and their sizes */
  double *extent;        /* d x d and 3 x d: the coordinates of z as forms in w, likewise */
  double *min, *max;     /* ranges of forms over a box, a block of directions each */
  double *lo, *hi;       /* d each: a box */
  double *form;          /* d + 1: one form */
  int oldest;            /* of the added directions: the first to give way */
} dpd_exponential_bounds;

/* What was spent on the tree so far, and on what grounds another way is taken. */
typedef struct {
  bool atoms;     /* a twentieth of the rows agree in a coordinate */
  double refused; /* proposals without a draw, about */
  double looked;  /* rows that exact scores and bounds looked at, about */
  bool refitted;  /* the frame has been fitted to the target */
  bool counts;    /* in the plane: regions may be counted, */
  bool counted;   /* and were: the tree is not drawn from any more */
} dpd_exponential_effort;

/* The chain and where it stands: see mech/exponential_mcmc.c. */
typedef struct {
  dpd_hit_and_run line;
  dpd_jump *jump; /* its independent proposals */
  double *next;   /* d: its proposal */
  dpd_chain_place place;
} dpd_exponential_walk;

/* The rows for the exact depth, by column. */
typedef struct {
  double *column[3];
  void *work;
} dpd_exponential_exact;

/* A deep point, from which the window was chosen, and its score. */
typedef struct {
  double *start; /* d */
  int depth;
} dpd_exponential_deep;

/* spec, lattice, beyond and shear.unit are public: functions of the prior, the rate and sizes. All
 * else is made from the rows. */
struct dpd_exponential {
  dpd_exponential_spec spec;
  dpd_lattice lattice;
  bool beyond; /* the depth is exact and more than the directional one */
  dpd_alloc alloc;
  dpd_projected projected;
  double *dirs, *work; /* the projected directions; n doubles per thread */
  dpd_rank_window window;
  size_t window_room; /* doubles that the window's memory holds */
  dpd_exponential_deep deep;
  dpd_shear shear;
  dpd_rejection *tree;
  double *z, *w; /* d each: a lattice point, and its sheared coordinates */
  dpd_exponential_exact exact;
  dpd_exponential_bounds bound;
  dpd_exponential_levels levels;
  dpd_exponential_polytope polytope;
  dpd_exponential_regions *regions;
  dpd_exponential_effort effort;
  dpd_exponential_walk chain;
};

/* Depth count of z, exact or directional: what the mechanism scores by. */
int dpd_exponential_score(const dpd_exponential *m, const double *z);

/* The same if it is above `floor`; else some number that is not. */
int dpd_exponential_score_above(const dpd_exponential *m, const double *z, int floor);

/* Exact planar or spatial depth count of z, and a direction in which it is that shallow. */
int dpd_exponential_witness(const dpd_exponential *m, const double *z, double *normal);

/* Direction u as a form of the sheared coordinates, from m->dirs. */
void dpd_exponential_form(dpd_exponential *m, int u);

/* Memory for bounds; columns and memory for exact depths; the chain's proposals. */
void dpd_exponential_bound_open(dpd_exponential *m);
void dpd_exponential_exact_open(dpd_exponential *m);
void dpd_exponential_chain_open(dpd_exponential *m);

/* Makes the sheared coordinates the only directions that are added to those of the spec. */
void dpd_exponential_frame(dpd_exponential *m);

/* Coordinates for the rows: sheared, or the axes. After many refusals: fitted to the target. The
 * tree is to be opened anew. */
void dpd_exponential_frame_fit(dpd_exponential *m);
dpd_status dpd_exponential_frame_refit(dpd_exponential *m);

/* In the plane: counts the lattice points of depth regions, into m->regions, unless there are more
 * than `most` different rows, or too many. One draw z from them; DPD_AGAIN: all rounds refused. */
dpd_status dpd_exponential_regions_open(dpd_exponential *m, double most, bool *open);
dpd_status dpd_exponential_regions_draw(dpd_exponential *m, dpd_rng *rng, int rounds, double *z);

/* An upper bound of the log density on a polygon's lattice points. */
double dpd_exponential_density_bound(const dpd_lattice *l, const dpd_lattice_polygon *p);

/* What the box tree draws from. */
dpd_rejection_target dpd_exponential_target(dpd_exponential *m);

/* Memory for the programs, and their constraints: anew when directions were added. */
void dpd_exponential_polytope_open(dpd_exponential *m);
void dpd_exponential_polytope_start(dpd_exponential *m);

/* May some candidate have depth t, a kept rank? m->z is then one, about. empty: surely none. */
bool dpd_exponential_polytope_holds(dpd_exponential *m, int t, bool *empty);

/* Sets the depth t, a kept rank, of the programs by dpd_exponential_polytope_most(): an upper bound
 * of form'(z - start) over candidates z of that depth, whatever rounds; INFINITY if none is found.
 * at: where the last program of that form ended. */
void dpd_exponential_polytope_depth(dpd_exponential *m, int t);
double dpd_exponential_polytope_most(dpd_exponential *m, const double *form, dpd_simplex_start *at);

/* Memory for the boxes; the boxes for the shear as it is, with the log of about what they weigh. */
void dpd_exponential_levels_open(dpd_exponential *m);
double dpd_exponential_levels_set(dpd_exponential *m);

/* An upper bound, at most cap, of the depth of candidates in the box lo..hi. */
int dpd_exponential_levels_bound(const dpd_exponential *m, const double *lo, const double *hi,
                                 int cap);

/* Cuts the tree along the boxes. */
void dpd_exponential_levels_carve(const dpd_exponential *m, dpd_rejection *tree);

/* A look for an interrupt, between blocks of work. */
static inline void dpd_exponential_pause(const dpd_exponential *m)
{
  if (m->spec.pause != NULL) m->spec.pause();
}

/* Finds a deep point, chooses the ranks to keep and fills in their order statistics. */
void dpd_exponential_window(dpd_exponential *m, dpd_alloc alloc);

#endif
