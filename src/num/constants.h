/* constants.h - numbers that several kernels need. */
#ifndef NUM_CONSTANTS_H
#define NUM_CONSTANTS_H

#define DPD_PI 3.14159265358979323846

/* 1 / qnorm(3/4): times the MAD, the standard deviation of normal numbers. */
#define DPD_MAD_NORMAL 1.482602218505602

/* 2^64 divided by the golden ratio: its multiples are spread evenly. */
#define DPD_GOLDEN_64 UINT64_C(0x9e3779b97f4a7c15)

#endif
