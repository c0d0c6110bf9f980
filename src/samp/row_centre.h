/* row_centre.h - a random centre among rows, for radial steps of Markov chains. */
#ifndef SAMP_ROW_CENTRE_H
#define SAMP_ROW_CENTRE_H

#include "num/rank_window.h"

/* The mean of 1, 2, 4, ... rows picked at random: a point (d) that does not depend on a chain. */
dpd_status dpd_row_centre_draw(const dpd_projected *p, dpd_rng *rng, double *centre);

#endif
