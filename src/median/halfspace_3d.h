/* halfspace_3d.h - the deepest region of halfspace depth in space, exact. */
#ifndef MEDIAN_HALFSPACE_3D_H
#define MEDIAN_HALFSPACE_3D_H

#include "dpd.h"
#include "geom/polytope.h"

/* Column-major data (n x 3) of spreads about one, not on one plane, with a point in the middle of
 * them; errors as in depth/halfspace.h. */
typedef struct {
  const double *data, *err, *centre;
  int n, lo, hi, threads;
} dpd_space_levels;

typedef struct {
  int level;
  double z[3];
  bool found;
} dpd_deepest_3d;

/* A search in blocks. */
typedef struct {
  const dpd_space_levels *p;
  dpd_list *planes; /* a list for each row, of rows 0..done - 1 */
  dpd_list numbers; /* five for each plane */
  double *work;
  void *workers;
  int done, lo, hi;
  double ball[4]; /* in the region of the deepest level: centre and radius */
  dpd_polytope region;
  int rows, cut; /* halfspaces of the region, and those that it was cut by */
} dpd_space_search;

/* The centroid of {z : h(z) >= level} for the largest level in lo..hi with a point, h the closed
 * count of depth/halfspace.h; `found` is false if rounding leaves not even level lo a point. The
 * same result for any number of threads and blocks.
 * DPD_AGAIN: planes of `rows` rows more were listed, one level was looked at, or the
 * region was cut by some of its planes; call again. Who
 * opened a search closes it, also one that was left or failed.
 * Requires: 1 <= lo <= hi <= n, a point of depth lo or more to exist; *p and the scratch stay.
 * scratch: dpd_halfspace_3d_median_scratch() bytes.
 * Fails: DPD_ERR_MEMORY; DPD_ERR_LIMIT (rounding). */
size_t dpd_halfspace_3d_median_scratch(int n, int threads);
void dpd_halfspace_3d_median_open(dpd_space_search *s, const dpd_space_levels *p, void *scratch);
dpd_status dpd_halfspace_3d_median(dpd_space_search *s, int rows, dpd_deepest_3d *out);
void dpd_halfspace_3d_median_close(dpd_space_search *s);

#endif
