/* depth_median_state.h - what the exponential mechanism over depths has prepared. */
#ifndef MECH_DEPTH_MEDIAN_STATE_H
#define MECH_DEPTH_MEDIAN_STATE_H

#include "geom/shear.h"
#include "mech/depth_median.h"
#include "samp/adaptive_rejection.h"

/* What bounds over boxes of sheared coordinates w take. */
typedef struct {
  double *forms, *sizes; /* count x d and x 3: the directions as forms in w, and their sizes */
  double *extent;        /* d x d and x 3: the coordinates of z as forms in w, likewise */
  double *min, *max;     /* count each: of the projections over a box */
  double *lo, *hi;       /* d each: a box */
  double *form;          /* d: one form */
} dpd_depth_median_box;

/* spec, lattice and parts are public; all else is made from the rows. */
struct dpd_depth_median {
  dpd_depth_median_spec spec;
  dpd_lattice lattice;
  int parts; /* k */
  dpd_projected projected;
  dpd_depth_score score;
  dpd_shear shear;
  dpd_rejection *tree;
  double *z, *w; /* d each */
  dpd_depth_median_box box;
};

/* A score in parts: floor(2^k S / D). */
int dpd_depth_median_parts(const dpd_depth_median *m, dpd_u128 score);

#endif
