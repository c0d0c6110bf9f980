/* mech_median_state.h - what the exponential mechanism over halfspace depth has prepared. */
#ifndef MECH_MEDIAN_STATE_H
#define MECH_MEDIAN_STATE_H

#include "geom_shear.h"
#include "num_window.h"
#include "samp_boxtree.h"
#include "samp_hitrun.h"
#include "samp_jump.h"
#include "mech_median_exp.h"

enum { DPD_JUMPS = 6 };

struct dpd_median_exp {
  dpd_median_exp_spec spec;
  dpd_lattice lattice;
  dpd_shear shear;
  dpd_projected projected;
  dpd_window window;
  dpd_boxtree *tree;
  double *forms, *sizes; /* d x room: the directions as forms in w, and their magnitudes */
  double *extent;        /* d x d, twice: the coordinates of z as forms in w, likewise */
  double *least, *most;  /* count each: ranges of forms over a box */
  double *column[3];     /* lattice rows by column, for the exact depth */
  void *depth_work;
  double *dirs, *work, *form; /* the projected directions; n doubles a thread; one form */
  double *proj;               /* count */
  double *z, *w, *lo, *hi;    /* d each */
  dpd_hitrun line;            /* the chain and where it stands */
  dpd_jump jump[DPD_JUMPS];   /* its independent proposals */
  double *deep;               /* d: a deep point, from which the window was chosen */
  double *next;               /* d: the chain's proposal */
  int chain, step;
};

/* Depth count of z, exact or directional: what the mechanism scores by. */
int dpd_median_exp_score(const dpd_median_exp *m, const double *z);

/* Finds a deep point, chooses the ranks to keep and fills in their order statistics. */
void dpd_median_exp_window(dpd_median_exp *m, dpd_alloc alloc);

#endif
