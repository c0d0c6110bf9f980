/* journal.c - a file that grows by whole entries, used by one process at a time.
 *
 * METHOD: an advisory lock of the whole file (flock(2); LockFileEx on Windows), which the system
 *   lets go when its process ends, however it ends: there are no stale locks. After locking, the
 *   path must still lead to the file that was locked. An entry is written at the end and brought
 *   to the disk before the call returns (fsync(2); F_FULLFSYNC on macOS; _commit on Windows), and
 *   so is the folder's entry of a new file.
 * DEGENERATE: a signal is no failure. A write that comes short is taken back by cutting the file
 *   at its old end. Where bringing it to the disk fails, the entry stays: whether it is there is
 *   not known. A lock that the system cannot give (some file systems of networks) is a failure,
 *   not a file without a lock.
 */
#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include "num/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#if defined(_WIN32)

#include <io.h>
#include <stdio.h>
#include <windows.h>

static long add_bytes(int file, const void *bytes, size_t size)
{
  return _write(file, bytes, size > 1 << 20 ? 1 << 20 : (unsigned)size);
}

static long get_bytes(int file, void *out, size_t size)
{
  return _read(file, out, size > 1 << 20 ? 1 << 20 : (unsigned)size);
}

static int open_file(const char *path, bool create)
{
  int how = _O_RDWR | _O_BINARY | _O_NOINHERIT | _O_APPEND | (create ? _O_CREAT : 0);
  return _open(path, how, _S_IREAD | _S_IWRITE);
}

/* One byte far beyond the end: a locked byte could not be read by others, to copy the file. */
static dpd_journal_status lock_file(int file)
{
  OVERLAPPED at = {0};
  at.OffsetHigh = 0x40000000;
  HANDLE handle = (HANDLE)_get_osfhandle(file);
  if (LockFileEx(handle, LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &at))
    return DPD_JOURNAL_DONE;
  return GetLastError() == ERROR_LOCK_VIOLATION ? DPD_JOURNAL_BUSY : DPD_JOURNAL_FAILED;
}

/* A file that is open cannot be put aside. */
static bool in_place(int file, const char *path)
{
  (void)file;
  (void)path;
  return true;
}

static bool is_plain(int file)
{
  return GetFileType((HANDLE)_get_osfhandle(file)) == FILE_TYPE_DISK;
}

static int sync_folder(const char *path)
{
  (void)path;
  return 0;
}

static int sync_file(int file)
{
  return _commit(file);
}

static int cut_file(int file, int64_t size)
{
  return _chsize_s(file, size) == 0 ? 0 : -1;
}

static int64_t seek_file(int file, int64_t to, int from)
{
  return _lseeki64(file, to, from);
}

static void close_file(int file)
{
  _close(file);
}

#else

#include <sys/file.h>
#include <unistd.h>

static long add_bytes(int file, const void *bytes, size_t size)
{
  return (long)write(file, bytes, size);
}

static long get_bytes(int file, void *out, size_t size)
{
  return (long)read(file, out, size);
}

static int open_file(const char *path, bool create)
{
  int file;
  do {
    file = open(path, O_RDWR | O_CLOEXEC | O_APPEND | O_NONBLOCK | (create ? O_CREAT : 0), 0666);
  } while (file < 0 && errno == EINTR);
  return file;
}

static dpd_journal_status lock_file(int file)
{
  int status;
  do {
    status = flock(file, LOCK_EX | LOCK_NB);
  } while (status != 0 && errno == EINTR);
  if (status == 0) return DPD_JOURNAL_DONE;
  return errno == EWOULDBLOCK ? DPD_JOURNAL_BUSY : DPD_JOURNAL_FAILED;
}

static bool in_place(int file, const char *path)
{
  struct stat here, there;
  return fstat(file, &here) == 0 && stat(path, &there) == 0 && here.st_ino == there.st_ino &&
         here.st_dev == there.st_dev;
}

static bool is_plain(int file)
{
  struct stat info;
  return fstat(file, &info) == 0 && S_ISREG(info.st_mode);
}

static int sync_file(int file)
{
#if defined(F_FULLFSYNC)
  if (fcntl(file, F_FULLFSYNC) == 0) return 0;
#endif
  int status;
  do {
    status = fsync(file);
  } while (status != 0 && errno == EINTR);
  return status;
}

/* The folder's entry of the file; "." where the path names none. */
static int sync_folder(const char *path)
{
  char folder[4096];
  const char *end = strrchr(path, '/');
  size_t length = end == NULL ? 0 : end == path ? 1 : (size_t)(end - path);
  if (length >= sizeof folder) return -1;
  memcpy(folder, path, length);
  strcpy(folder + length, length == 0 ? "." : "");
  int file = open(folder, O_RDONLY | O_CLOEXEC);
  if (file < 0) return -1;
  int status = sync_file(file);
  close(file);
  return status;
}

static int cut_file(int file, int64_t size)
{
  return ftruncate(file, (off_t)size);
}

static int64_t seek_file(int file, int64_t to, int from)
{
  return (int64_t)lseek(file, (off_t)to, from);
}

static void close_file(int file)
{
  close(file);
}

#endif

static dpd_journal_status locked(const dpd_journal *j, const char *path, bool create)
{
  if (!is_plain(j->file)) return DPD_JOURNAL_FAILED;
  dpd_journal_status status = j->calls.lock(j->file);
  if (status != DPD_JOURNAL_DONE) return status;
  if (!in_place(j->file, path)) return DPD_JOURNAL_BUSY;
  /* an empty one is new, or its maker did not come further than this */
  if (create && dpd_journal_size(j) == 0 && sync_folder(path) != 0) return DPD_JOURNAL_FAILED;
  return DPD_JOURNAL_DONE;
}

dpd_journal_calls dpd_journal_system(void)
{
  return (dpd_journal_calls){lock_file, add_bytes, sync_file};
}

dpd_journal_status dpd_journal_open(dpd_journal *j, const char *path, bool create,
                                    dpd_journal_calls calls)
{
  j->calls = calls;
  j->file = open_file(path, create);
  if (j->file < 0) return errno == ENOENT ? DPD_JOURNAL_MISSING : DPD_JOURNAL_FAILED;
  dpd_journal_status status = locked(j, path, create);
  if (status != DPD_JOURNAL_DONE) dpd_journal_close(j);
  return status;
}

int64_t dpd_journal_size(const dpd_journal *j)
{
  return seek_file(j->file, 0, SEEK_END);
}

dpd_journal_status dpd_journal_read(const dpd_journal *j, void *out, size_t size)
{
  unsigned char *to = out;
  if (seek_file(j->file, 0, SEEK_SET) != 0) return DPD_JOURNAL_FAILED;
  while (size > 0) {
    long got = get_bytes(j->file, to, size);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return DPD_JOURNAL_FAILED;
    to += got;
    size -= (size_t)got;
  }
  return DPD_JOURNAL_DONE;
}

dpd_journal_status dpd_journal_append(const dpd_journal *j, const void *bytes, size_t size)
{
  const unsigned char *from = bytes;
  int64_t before = dpd_journal_size(j);
  if (before < 0) return DPD_JOURNAL_FAILED;
  while (size > 0) {
    long put = j->calls.write(j->file, from, size);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) {
      if (cut_file(j->file, before) == 0) (void)j->calls.sync(j->file);
      return DPD_JOURNAL_FAILED;
    }
    from += put;
    size -= (size_t)put;
  }
  return j->calls.sync(j->file) == 0 ? DPD_JOURNAL_DONE : DPD_JOURNAL_FAILED;
}

void dpd_journal_close(dpd_journal *j)
{
  if (j->file >= 0) close_file(j->file);
  j->file = -1;
}
