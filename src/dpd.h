/* dpd.h - shared types of every layer: status codes and the random source's handle.
 *
 * No R headers here: everything but src/r/ and src/init.c is plain C99 and knows neither
 * R nor its memory. A kernel returns a dpd_status; only the glue raises errors.
 */
#ifndef DPD_H
#define DPD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum {
  DPD_OK = 0,
  DPD_AGAIN,       /* a resumable task has more to do: call it again */
  DPD_ERR_ENTROPY, /* the random source failed: nothing may be released */
  DPD_ERR_MEMORY,  /* an allocation failed */
  DPD_ERR_DOMAIN,  /* an argument breaks the function's Requires */
  DPD_ERR_LIMIT    /* a bound on work or memory was reached */
} dpd_status;

/* Returns from the calling function on anything but success. */
#define DPD_TRY(expr)                                                                              \
  do {                                                                                             \
    dpd_status dpd_try_status_ = (expr);                                                           \
    if (dpd_try_status_ != DPD_OK) return dpd_try_status_;                                         \
  } while (0)

/* 128-bit integers are a GNU extension that every compiler R supports has. */
__extension__ typedef unsigned __int128 dpd_u128;
__extension__ typedef __int128 dpd_i128;

enum { DPD_RNG_BUFFER = 512 };

/* A source of uniform random bytes: a function and its state, with a buffer that lives
 * as long as one call from R. Made by samp/rng.c (tape), samp/entropy.c (operating
 * system) or r/host.c (R's stream); wiped by dpd_rng_close(). */
typedef struct dpd_rng dpd_rng;
struct dpd_rng {
  dpd_status (*fill)(void *state, unsigned char *out, size_t len);
  void *state;
  size_t used;  /* bytes of `bytes` already handed out */
  size_t block; /* bytes asked for at a time, 8 to DPD_RNG_BUFFER, a multiple of 8 */
  unsigned char bytes[DPD_RNG_BUFFER];
};

/* A privacy parameter as an exact rational: value = num / 2^DPD_RATE_BITS.
 * Made by dpd_rate_from_double(), which rounds down. */
enum { DPD_RATE_BITS = 40 };
typedef struct {
  uint64_t num;
} dpd_rate;

/* Memory that the caller of a kernel frees when all is done (R_alloc in the glue). Never
 * returns NULL for a moderate size: it leaves by the host's own error instead. */
typedef void *(*dpd_alloc)(size_t count, size_t size);

#endif
