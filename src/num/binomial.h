/* binomial.h - binomial coefficients. */
#ifndef NUM_BINOMIAL_H
#define NUM_BINOMIAL_H

#include "dpd.h"

/* The number of sets of k out of n; saturates at the largest integer. */
uint64_t dpd_choose(uint64_t n, int k);

#endif
