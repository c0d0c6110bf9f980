/* huber.h - how far Huber's location moves when numbers are replaced. */
#ifndef MARGIN_HUBER_H
#define MARGIN_HUBER_H

#include "margin/location.h"
#include "margin/mad.h"

/* Bytes of workspace. */
size_t dpd_huber_scratch(int n, int most);

/* Bounds of T, the root of sum psi((y_i - T)/c) = 0 with c = bend times the MAD of y: lower, upper
 * and shift of r. Returns false if more order statistics are needed in e. */
bool dpd_huber_reach(const dpd_reach *r, const dpd_mad_ends *e, const double *y, double bend,
                     double location, double *work);

#endif
