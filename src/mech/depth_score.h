/* depth_score.h - depths as integer scores of lattice points, bounded over boxes. */
#ifndef MECH_DEPTH_SCORE_H
#define MECH_DEPTH_SCORE_H

#include "dpd.h"
#include "geom/shear.h"
#include "num/rank_window.h" /* dpd_projected: the lattice rows and the directions */

/* A box of candidates: the ranges of their coordinates, of their projections, the box itself. */
typedef struct {
  const double *lo, *hi;   /* d: lattice points */
  const double *min, *max; /* count: one a direction, outward */
  const double *from, *to; /* d: of sheared indexes */
} dpd_score_box;

/* For structures: R's memory is aligned for doubles alone. */
typedef dpd_u128 dpd_wide __attribute__((aligned(8)));

/* A score that is a sum over directions, as a function of the projections t (count) of a point. at:
 * the score, exactly. summand: what direction u adds where its projection is t; peak: where it
 * adds most. For chains. */
typedef struct {
  dpd_u128 (*at)(void *ctx, const double *t); /* NULL: the score is no such sum */
  double (*summand)(void *ctx, int u, double t);
  double (*peak)(void *ctx, int u);
} dpd_score_along;

/* Score and bound lie in 0..most, and one replaced row moves the score of any point by at most
 * `sensitivity`. Both are functions of the lattice rows, as a sum over them if they are rounded at
 * all, so that their order does not matter.
 * Where n is private: times score / added, n times the depth in some unit, differs by at most 1
 * between any two points in how a row more moves it, and at each by at most 1. */
typedef struct {
  dpd_wide most, sensitivity, added;
  int times;
  dpd_u128 (*at)(void *ctx, const double *z);
  /* At least the score of every lattice point of the box. */
  dpd_u128 (*bound)(void *ctx, const dpd_score_box *box);
  void *ctx;
  dpd_score_along along;
} dpd_depth_score;

typedef enum {
  DPD_SCORE_IRW,              /* sum over u of min(#{<=}, #{>=}) */
  DPD_SCORE_IDD,              /* sum over u of c (2n - c), c = #{<} + #{<=} */
  DPD_SCORE_IDD_SMOOTH,       /* sum over u of G (n - G), G a sum of logistic steps */
  DPD_SCORE_SPATIAL,          /* n less the norm of the sum of unit vectors */
  DPD_SCORE_SPATIAL_MODIFIED, /* n^2 less its square */
  DPD_SCORE_SIMPLICIAL,       /* closed simplices that hold the point; d <= 3 */
  DPD_SCORE_HALFSPACE,        /* the least over u of min(#{<=}, #{>=}) */
  DPD_SCORE_HALFSPACE_EXACT   /* rows in the poorest closed halfspace; d = 2 or 3 */
} dpd_score_kind;

typedef struct {
  dpd_score_kind kind;
  const dpd_projected *from;
  const dpd_shear *shear; /* the coordinates of boxes */
  const double *scale;    /* d: public units of the coordinates, in steps */
  const double *slope;    /* count, of DPD_SCORE_IDD_SMOOTH: of the steps, a unit of projection */
  void (*pause)(void);    /* called between blocks of work; may be NULL */
  bool bounds;            /* false: at() alone will be called */
} dpd_score_spec;

/* Requires n >= 1, and for DPD_SCORE_SIMPLICIAL n >= d + 1. */
void dpd_score_integrated_open(dpd_depth_score *out, const dpd_score_spec *spec, dpd_alloc alloc);
void dpd_score_idd_smooth_open(dpd_depth_score *out, const dpd_score_spec *spec, dpd_alloc alloc);
void dpd_score_spatial_open(dpd_depth_score *out, const dpd_score_spec *spec, dpd_alloc alloc);
void dpd_score_simplicial_open(dpd_depth_score *out, const dpd_score_spec *spec, dpd_alloc alloc);
void dpd_score_halfspace_open(dpd_depth_score *out, const dpd_score_spec *spec, dpd_alloc alloc);

#endif
