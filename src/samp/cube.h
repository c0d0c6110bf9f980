/* cube.h - exact integer noise of several numbers whose largest size alone is paid for. */
#ifndef SAMP_CUBE_H
#define SAMP_CUBE_H

#include "dpd.h"

/* P(z) ~ exp(-max |z_j| num / den) over the vectors of m whole numbers.
 * Requires an open rng, m >= 1, num >= 1, 1 <= den <= 2^62. Ensures: z has exactly this law, given
 * uniform words. Fails: as the source does, with DPD_ERR_DOMAIN on a broken Requires, and with
 * DPD_ERR_LIMIT where a size would be above 2^52. */
dpd_status dpd_cube_discrete(dpd_rng *rng, uint64_t num, uint64_t den, int m, int64_t *z);

#endif
