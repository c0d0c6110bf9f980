/* lattice_hull.h - outer polytopes of lattice points in space, with proofs by linear duality. */
#ifndef GEOM_LATTICE_HULL_H
#define GEOM_LATTICE_HULL_H

#include "dpd.h"

enum {
  DPD_HULL_CORNERS = 96,
  DPD_HULL_FACES = 64,
  DPD_HULL_BITS = 41,  /* of the coefficients of faces and forms */
  DPD_HULL_REACH = 45, /* of coordinates */
};

/* a'z <= c */
typedef struct {
  int64_t a[3];
  dpd_i128 c;
} dpd_halfspace;

/* The lattice points that meet all faces, and perhaps others: corner k lies on the faces f[k], and
 * next[k][i] is the one along the edge that leaves f[k][i]. Which corners
 * there are is found in doubles. What dpd_hull_most() says of the points that meet all faces is
 * proved by any corners that are where their faces meet: at whole numbers z and `rest`, at most 1
 * in size and off by less than 2^-51. */
typedef struct {
  int corners;
  uint64_t faces;                /* in use */
  double x[3][DPD_HULL_CORNERS]; /* z + rest, rounded */
  double z[3][DPD_HULL_CORNERS], rest[3][DPD_HULL_CORNERS];
  uint8_t f[DPD_HULL_CORNERS][3], next[DPD_HULL_CORNERS][3];
  dpd_halfspace face[DPD_HULL_FACES];
  double reach; /* of the first box; corners are within twice that */
} dpd_hull;

/* What is known of the corners of a hull. */
typedef struct {
  const dpd_hull *hull;
  bool made[DPD_HULL_CORNERS];
  dpd_i128 q[DPD_HULL_CORNERS][3][3], det[DPD_HULL_CORNERS];
  double ray[DPD_HULL_CORNERS][3][3]; /* q / det */
} dpd_hull_proofs;

/* A box; |lo|, |hi| < 2^DPD_HULL_REACH. */
void dpd_hull_set_box(dpd_hull *h, const double lo[3], const double hi[3]);

typedef enum {
  DPD_HULL_CUT,   /* some corners are beyond, */
  DPD_HULL_WHOLE, /* none, */
  DPD_HULL_EMPTY, /* all; */
  DPD_HULL_STUCK  /* it cannot be cut: too many corners, or their rounding is in the way */
} dpd_hull_change;

/* The hull cut by one more face. out: of DPD_HULL_CUT alone; not `h`. */
dpd_hull_change dpd_hull_cut(const dpd_hull *h, const dpd_halfspace *by, dpd_hull *out);

void dpd_hull_copy(dpd_hull *to, const dpd_hull *from);

/* A hull in few bytes. */
size_t dpd_hull_pack_size(const dpd_hull *h);
void dpd_hull_pack(const dpd_hull *h, void *out);
void dpd_hull_unpack(const void *packed, dpd_hull *out);

/* -- proofs. Requires: |a| <= 2^DPD_HULL_BITS. */
void dpd_hull_prove(dpd_hull_proofs *p, const dpd_hull *h);

/* An upper bound of a'z over the lattice points that meet all faces; false: none is proved.
 * `corner`: the one to begin with, which should be the highest. */
bool dpd_hull_most(dpd_hull_proofs *p, const int64_t a[3], int corner, dpd_i128 *most);

/* The highest corner. */
int dpd_hull_highest(const dpd_hull *h, const int64_t a[3]);

/* The corners of face f in their order, from `first`, which is one; returns how many. */
int dpd_hull_face(const dpd_hull *h, int f, int first, int *at);

/* About the volume, of the hull with its corners at x. */
double dpd_hull_volume(const dpd_hull *h, double x[3][DPD_HULL_CORNERS]);

#endif
