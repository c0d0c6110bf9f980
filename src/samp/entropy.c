/* entropy.c - the operating system's entropy, failing closed.
 *
 * METHOD: getrandom(2) on Linux (interrupted and short reads are continued; a kernel
 *   without it is read through /dev/urandom), arc4random_buf(3) on macOS and the BSDs,
 *   BCryptGenRandom on Windows. Any other failure is DPD_ERR_ENTROPY: there is no
 *   fallback to a weaker source.
 * Nothing is kept between calls: each call from R asks anew, so forked workers never
 *   share noise.
 * COST: one call of the system for DPD_RNG_BUFFER bytes.
 * DEGENERATE: a signal is no failure. A source that returns nothing, an early end of the device, or
 *   a plain file in its place, is one.
 */
#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include "samp/entropy.h"

#include "samp/rng.h"

#if defined(_WIN32)

#include <windows.h>
/* after windows.h */
#include <bcrypt.h>

static dpd_status system_fill(void *state, unsigned char *out, size_t len)
{
  (void)state;
  NTSTATUS status = BCryptGenRandom(NULL, out, (ULONG)len, BCRYPT_USE_SYSTEM_PREFERRED_RNG);
  return status == 0 ? DPD_OK : DPD_ERR_ENTROPY;
}

#elif defined(__linux__)

#include <errno.h>
#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

static dpd_status device_fill(const dpd_entropy *from, unsigned char *out, size_t len)
{
  int fd;
  do {
    fd = open(from->device, O_RDONLY | O_CLOEXEC);
  } while (fd < 0 && errno == EINTR);
  if (fd < 0) return DPD_ERR_ENTROPY;
  struct stat info;
  /* a plain file in its place (a badly made chroot) would repeat itself */
  bool device = fstat(fd, &info) == 0 && S_ISCHR(info.st_mode);
  while (device && len > 0) {
    ssize_t got = from->read(fd, out, len);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    out += got;
    len -= (size_t)got;
  }
  close(fd);
  return len == 0 ? DPD_OK : DPD_ERR_ENTROPY;
}

dpd_status dpd_entropy_fill(const dpd_entropy *from, unsigned char *out, size_t len)
{
  while (len > 0) {
    ssize_t got = from->call(out, len, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == ENOSYS) return device_fill(from, out, len);
    if (got <= 0) return DPD_ERR_ENTROPY;
    out += got;
    len -= (size_t)got;
  }
  return DPD_OK;
}

static dpd_status system_fill(void *state, unsigned char *out, size_t len)
{
  (void)state;
  return dpd_entropy_fill(&(dpd_entropy){getrandom, read, "/dev/urandom"}, out, len);
}

#else

#include <stdlib.h>

static dpd_status system_fill(void *state, unsigned char *out, size_t len)
{
  (void)state;
  arc4random_buf(out, len);
  return DPD_OK;
}

#endif

void dpd_rng_open_system(dpd_rng *rng)
{
  dpd_rng_open(rng, system_fill, NULL, DPD_RNG_BUFFER);
}
