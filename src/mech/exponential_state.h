/* exponential_state.h - what the exponential mechanism over halfspace depth has prepared. */
#ifndef MECH_EXPONENTIAL_STATE_H
#define MECH_EXPONENTIAL_STATE_H

#include "geom/shear.h"
#include "mech/exponential.h"
#include "num/rank_window.h"
#include "samp/adaptive_rejection.h"
#include "samp/hit_and_run.h"
#include "samp/independence_proposal.h"

enum { DPD_JUMPS = 6 };

struct dpd_exponential {
  dpd_exponential_spec spec;
  dpd_lattice lattice;
  dpd_shear shear;
  dpd_projected projected;
  dpd_rank_window window;
  dpd_rejection *tree;
  double *forms, *sizes; /* d and 3 x room: the directions as forms in w, and their sizes */
  double *extent;        /* d x d and 3 x d: the coordinates of z as forms in w, likewise */
  double *least, *most;  /* count each: ranges of forms over a box */
  double *column[3];     /* lattice rows by column, for the exact depth */
  void *depth_work;
  double *dirs, *work, *form; /* the projected directions; n doubles a thread; one form */
  size_t window_room;         /* doubles that the window's memory holds */
  bool beyond;                /* the depth is exact and more than the directional one */
  int oldest;                 /* of the added directions: the first to give way */
  double *z, *w, *lo, *hi;    /* d each */
  dpd_hit_and_run line;       /* the chain and where it stands */
  dpd_jump jump[DPD_JUMPS];   /* its independent proposals */
  dpd_alloc alloc;
  double refused; /* proposals without a draw, about */
  int patience;   /* so many of them, and a new tree is begun */
  bool refitted;  /* the frame has been fitted to the target */
  double *deep;   /* d: a deep point, from which the window was chosen */
  double *next;   /* d: the chain's proposal */
  int chain, step;
};

enum { DPD_MEDIAN_FORMS = 128 }; /* directions whose range over a box is found at once */

/* Depth count of z, exact or directional: what the mechanism scores by. */
int dpd_exponential_score(const dpd_exponential *m, const double *z);

/* Exact planar or spatial depth count of z, and a direction in which it is that shallow. */
int dpd_exponential_witness(const dpd_exponential *m, const double *z, double *normal);

/* Direction u as a form of the sheared coordinates, from m->dirs. */
void dpd_exponential_form(dpd_exponential *m, int u);

/* Makes the sheared coordinates the only directions that are added to those of the spec. */
void dpd_exponential_frame(dpd_exponential *m);

/* What the box tree draws from. */
dpd_rejection_target dpd_exponential_target(dpd_exponential *m);

/* A look for an interrupt, between blocks of work. */
static inline void dpd_exponential_pause(const dpd_exponential *m)
{
  if (m->spec.pause != NULL) m->spec.pause();
}

/* Finds a deep point, chooses the ranks to keep and fills in their order statistics. */
void dpd_exponential_window(dpd_exponential *m, dpd_alloc alloc);

#endif
