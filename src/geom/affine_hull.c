/* affine_hull.c - where a region without interior lies: on the edges of some of its halfspaces.
 *
 * METHOD: of the halfspaces whose edges z is next to, the normal that stands out most from those
 *   taken before is taken, up to three (Gram and Schmidt); z is moved along each onto its edge.
 * COST: three passes over the halfspaces. No memory.
 * DEGENERATE: normals that differ from the span of those before by less than a ten-thousandth are
 *   not taken, because rounding may be the only difference.
 */
#include "geom/affine_hull.h"

#include <math.h>

static const double DIFFERENT = 1e-4;

void dpd_affine_hull_settle(const dpd_halfspace_rows *m, double near, double z[3])
{
  double q[3][3], at[3];
  for (int rank = 0; rank < 3; rank++) {
    double best = DIFFERENT;
    for (int i = 0; i < m->rows; i++) {
      double u[3], c = m->b[i], length = 0, slack = c;
      for (int k = 0; k < 3; k++) {
        u[k] = m->a[m->columns * (size_t)i + (size_t)k];
        slack -= u[k] * z[k];
      }
      if (fabs(slack) > near) continue;
      for (int l = 0; l < rank; l++) {
        double along = u[0] * q[l][0] + u[1] * q[l][1] + u[2] * q[l][2];
        for (int k = 0; k < 3; k++)
          u[k] -= along * q[l][k];
        c -= along * at[l];
      }
      for (int k = 0; k < 3; k++)
        length = hypot(length, u[k]);
      if (length <= best) continue;
      best = length;
      for (int k = 0; k < 3; k++)
        q[rank][k] = u[k] / length;
      at[rank] = c / length;
    }
    if (best == DIFFERENT) return;
    double off = at[rank];
    for (int k = 0; k < 3; k++)
      off -= q[rank][k] * z[k];
    for (int k = 0; k < 3; k++)
      z[k] += off * q[rank][k];
  }
}
