/* sha256.h - the hash SHA-256, for seeds of simulations. */
#ifndef NUM_SHA256_H
#define NUM_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum { DPD_SHA256_BYTES = 32 };

/* The hash of `size` bytes.
 * Requires: `out` has room for DPD_SHA256_BYTES and does not overlap `bytes`. */
void dpd_sha256(const uint8_t *bytes, size_t size, uint8_t *out);

#endif
