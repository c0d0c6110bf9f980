/* test_entropy.c - the system's source when the system call comes short, is interrupted or fails.
 *
 * The program's own getrandom() stands in for the C library's: each call does what a script says.
 */
#include "samp/rng.h"

#include "ctest.h"

#if defined(__linux__)

#include <errno.h>
#include <string.h>
#include <sys/types.h>

enum { INTERRUPTED = -1, REFUSED = -2, NOTHING = 0 };

static const int *script; /* bytes a call gives at most, or one of the above */
static int calls;

ssize_t getrandom(void *out, size_t size, unsigned flags);

ssize_t getrandom(void *out, size_t size, unsigned flags)
{
  (void)flags;
  int what = script[calls++];
  if (what < 0) {
    errno = what == INTERRUPTED ? EINTR : EFAULT;
    return -1;
  }
  size_t got = (size_t)what < size ? (size_t)what : size;
  memset(out, calls, got); /* bytes tell which call they came from */
  return (ssize_t)got;
}

static dpd_status first_word(const int *how, dpd_rng *rng, uint64_t *word)
{
  script = how;
  calls = 0;
  dpd_rng_open_system(rng);
  return dpd_rng_u64(rng, word);
}

/* The buffer is filled by as many calls as it takes, without a gap. */
static void short_reads_go_on(void)
{
  const int how[] = {3, INTERRUPTED, 1, DPD_RNG_BUFFER};
  dpd_rng rng;
  uint64_t word;
  unsigned char bytes[sizeof word];
  CHECK(first_word(how, &rng, &word) == DPD_OK);
  CHECK(calls == 4);
  memcpy(bytes, &word, sizeof word);
  CHECK(bytes[0] == 1 && bytes[2] == 1 && bytes[3] == 3 && bytes[4] == 4 && bytes[7] == 4);
  for (int i = sizeof word; i < DPD_RNG_BUFFER; i++)
    CHECK(rng.bytes[i] == 4);
}

static void failures_are_failures(void)
{
  static const int how[][3] = {
      {REFUSED}, {NOTHING}, {5, REFUSED}, {5, NOTHING}, {INTERRUPTED, REFUSED}};
  for (size_t i = 0; i < sizeof how / sizeof *how; i++) {
    dpd_rng rng;
    uint64_t word = 7;
    CHECK(first_word(how[i], &rng, &word) == DPD_ERR_ENTROPY);
    CHECK(word == 7);
  }
}

int main(void)
{
  short_reads_go_on();
  failures_are_failures();
  return ctest_report("entropy");
}

#else

int main(void)
{
  CHECK(DPD_RNG_BUFFER > 0);
  return ctest_report("entropy");
}

#endif
