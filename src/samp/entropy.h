/* entropy.h - the calls of Linux that entropy comes from, which a test replaces. */
#ifndef SAMP_ENTROPY_H
#define SAMP_ENTROPY_H

#include "dpd.h"

#if defined(__linux__)

#include <sys/types.h>

/* getrandom(2), and for kernels without it the device and read(2). */
typedef struct {
  ssize_t (*call)(void *out, size_t len, unsigned flags);
  ssize_t (*read)(int file, void *out, size_t len);
  const char *device;
} dpd_entropy;

/* Fills `out`. Fails: DPD_ERR_ENTROPY, see samp/entropy.c; what `out` then holds is no entropy. */
dpd_status dpd_entropy_fill(const dpd_entropy *from, unsigned char *out, size_t len);

#endif

#endif
