/* test_entropy.c - the system's source when its calls come short, are interrupted or fail.
 *
 * getrandom() and read() are stand-ins: each call does what a script says.
 */
#include "samp/entropy.h"

#include "samp/rng.h"

#include "ctest.h"

#if defined(__linux__)

#include <errno.h>
#include <string.h>

enum { INTERRUPTED = -1, REFUSED = -2, UNKNOWN = -3, NOTHING = 0, SIZE = 16 };

static const int *script; /* bytes a call gives at most, or one of the above */
static int calls;

static ssize_t next_call(void *out, size_t size)
{
  int what = script[calls++];
  if (what < 0) {
    errno = what == INTERRUPTED ? EINTR : what == UNKNOWN ? ENOSYS : EFAULT;
    return -1;
  }
  size_t got = (size_t)what < size ? (size_t)what : size;
  memset(out, calls, got); /* bytes tell which call they came from */
  return (ssize_t)got;
}

static ssize_t as_getrandom(void *out, size_t size, unsigned flags)
{
  CHECK(flags == 0);
  return next_call(out, size);
}

static ssize_t as_read(int file, void *out, size_t size)
{
  CHECK(file >= 0);
  return next_call(out, size);
}

/* Any device: what it gives is the script's. */
static dpd_status fill(const int *how, const char *device, unsigned char *out)
{
  script = how;
  calls = 0;
  memset(out, 0, SIZE + 1);
  return dpd_entropy_fill(&(dpd_entropy){as_getrandom, as_read, device}, out, SIZE);
}

/* The buffer is filled by as many calls as it takes, without a gap and no further: by the system
 * call, by the device, and by one after the other. */
static void short_reads_go_on(void)
{
  static const int how[][6] = {{3, INTERRUPTED, 1, SIZE},
                               {UNKNOWN, 3, INTERRUPTED, 1, SIZE},
                               {3, INTERRUPTED, UNKNOWN, INTERRUPTED, 1, SIZE}};
  static const int from[][3] = {{1, 3, 4}, {2, 4, 5}, {1, 5, 6}}; /* which call gave the bytes */
  for (size_t k = 0; k < sizeof how / sizeof *how; k++) {
    unsigned char out[SIZE + 1];
    CHECK(fill(how[k], "/dev/null", out) == DPD_OK);
    CHECK(calls == from[k][2]);
    for (int i = 0; i < SIZE; i++)
      CHECK(out[i] == from[k][i < 3 ? 0 : i < 4 ? 1 : 2]);
    CHECK(out[SIZE] == 0);
  }
}

static void failures_are_failures(void)
{
  static const int how[][4] = {{REFUSED},
                               {NOTHING},
                               {5, REFUSED},
                               {5, NOTHING},
                               {INTERRUPTED, REFUSED},
                               {UNKNOWN, REFUSED},
                               {UNKNOWN, NOTHING},
                               {UNKNOWN, 5, NOTHING},
                               {5, UNKNOWN, 5, REFUSED},
                               {UNKNOWN, UNKNOWN}};
  unsigned char out[SIZE + 1];
  for (size_t i = 0; i < sizeof how / sizeof *how; i++)
    CHECK(fill(how[i], "/dev/null", out) == DPD_ERR_ENTROPY);
}

/* A device that is not there; a plain file in its place, which is not read. */
static void devices_are_devices(const char *plain)
{
  static const int how[] = {UNKNOWN, SIZE};
  unsigned char out[SIZE + 1];
  CHECK(fill(how, "/dev/null", out) == DPD_OK && calls == 2);
  CHECK(fill(how, plain, out) == DPD_ERR_ENTROPY && calls == 1);
  CHECK(fill(how, "/dev/null/none", out) == DPD_ERR_ENTROPY && calls == 1);
}

int main(int count, char **argument)
{
  CHECK(count > 0);
  short_reads_go_on();
  failures_are_failures();
  devices_are_devices(argument[0]);
  return ctest_report("entropy");
}

#else

int main(void)
{
  CHECK(DPD_RNG_BUFFER > 0);
  return ctest_report("entropy");
}

#endif
