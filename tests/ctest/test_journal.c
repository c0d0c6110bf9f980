/* test_journal.c - the file of a ledger: locks, what reaches the disk, and what a failure leaves.
 *
 * The calls of the system are its own or stand-ins: a write does what a script says.
 */
#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include "num/journal.h"

#include "ctest.h"

#if !defined(_WIN32)

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { INTERRUPTED = -1, REFUSED = -2, WHOLE = 1 << 20 };

static char folder[] = "/tmp/dpdepth-journal-XXXXXX";
static char path[64], other[64];

static const int *script; /* bytes that a write takes at most, or one of the above */
static int writes, syncs, sync_fails;

static long scripted_write(int file, const void *bytes, size_t size)
{
  int what = script[writes++];
  if (what < 0) {
    errno = what == INTERRUPTED ? EINTR : ENOSPC;
    return -1;
  }
  return (long)write(file, bytes, (size_t)what < size ? (size_t)what : size);
}

static int scripted_sync(int file)
{
  syncs++;
  return sync_fails ? -1 : fsync(file);
}

/* As if another process put a new file in the place, after this one has opened the old one. */
static dpd_journal_status late_lock(int file)
{
  CHECK(rename(other, path) == 0);
  return dpd_journal_system().lock(file);
}

static dpd_journal_status no_lock(int file)
{
  (void)file;
  return DPD_JOURNAL_FAILED;
}

static dpd_journal opened(void)
{
  dpd_journal_calls calls = dpd_journal_system();
  calls.write = scripted_write;
  calls.sync = scripted_sync;
  dpd_journal j;
  CHECK(dpd_journal_open(&j, path, true, calls) == DPD_JOURNAL_DONE);
  return j;
}

static dpd_journal_status try_open(dpd_journal *j, const char *name, bool create)
{
  return dpd_journal_open(j, name, create, dpd_journal_system());
}

static bool holds(const dpd_journal *j, const char *text)
{
  char bytes[64] = "";
  int64_t size = dpd_journal_size(j);
  return size == (int64_t)strlen(text) &&
         dpd_journal_read(j, bytes, (size_t)size) == DPD_JOURNAL_DONE && strcmp(bytes, text) == 0;
}

static dpd_journal_status add(const dpd_journal *j, const int *how, const char *text)
{
  script = how;
  writes = syncs = 0;
  return dpd_journal_append(j, text, strlen(text));
}

/* An entry is whole and on the disk, or it failed and is not there; it may be if the disk fails. */
static void entries_are_whole(void)
{
  dpd_journal j = opened();
  CHECK(add(&j, (const int[]){WHOLE}, "one\n") == DPD_JOURNAL_DONE);
  CHECK(writes == 1 && syncs == 1 && holds(&j, "one\n"));
  CHECK(add(&j, (const int[]){1, INTERRUPTED, 2, WHOLE}, "two\n") == DPD_JOURNAL_DONE);
  CHECK(writes == 4 && syncs == 1 && holds(&j, "one\ntwo\n"));
  CHECK(add(&j, (const int[]){2, REFUSED}, "three\n") == DPD_JOURNAL_FAILED);
  CHECK(syncs == 1 && holds(&j, "one\ntwo\n"));
  CHECK(add(&j, (const int[]){2, 0}, "three\n") == DPD_JOURNAL_FAILED);
  CHECK(holds(&j, "one\ntwo\n"));
  sync_fails = 1;
  CHECK(add(&j, (const int[]){WHOLE}, "four\n") == DPD_JOURNAL_FAILED);
  CHECK(holds(&j, "one\ntwo\nfour\n"));
  sync_fails = 0;
  dpd_journal_close(&j);
  dpd_journal_close(&j);
  j = opened();
  CHECK(holds(&j, "one\ntwo\nfour\n"));
  char bytes[64];
  CHECK(dpd_journal_read(&j, bytes, 14) == DPD_JOURNAL_FAILED);
  dpd_journal_close(&j);
}

/* In this process, in another one, and after that one was killed. */
static void one_at_a_time(void)
{
  dpd_journal j = opened(), k;
  CHECK(try_open(&k, path, true) == DPD_JOURNAL_BUSY && k.file < 0);
  pid_t child = fork();
  if (child == 0) _exit(try_open(&k, path, true) == DPD_JOURNAL_BUSY ? 0 : 1);
  int status = -1;
  CHECK(waitpid(child, &status, 0) == child && status == 0);
  dpd_journal_close(&j);
  child = fork();
  if (child == 0) {
    if (try_open(&k, path, true) == DPD_JOURNAL_DONE) abort();
    _exit(0);
  }
  CHECK(waitpid(child, &status, 0) == child && WIFSIGNALED(status));
  CHECK(try_open(&j, path, false) == DPD_JOURNAL_DONE);
  dpd_journal_close(&j);
}

/* What is no plain file, cannot be locked, or is no longer in its place is not used. */
static void the_file_is_the_path(void)
{
  dpd_journal j;
  CHECK(try_open(&j, "/dev/null", false) == DPD_JOURNAL_FAILED && j.file < 0);
  CHECK(try_open(&j, folder, false) == DPD_JOURNAL_FAILED && j.file < 0);
  CHECK(try_open(&j, other, false) == DPD_JOURNAL_MISSING && j.file < 0);
  CHECK(mkfifo(other, 0600) == 0);
  CHECK(try_open(&j, other, false) == DPD_JOURNAL_FAILED && j.file < 0);
  unlink(other);
  CHECK(try_open(&j, other, true) == DPD_JOURNAL_DONE && dpd_journal_size(&j) == 0);
  dpd_journal_close(&j);
  dpd_journal_calls calls = dpd_journal_system();
  calls.lock = no_lock;
  CHECK(dpd_journal_open(&j, path, false, calls) == DPD_JOURNAL_FAILED && j.file < 0);
  calls.lock = late_lock;
  CHECK(dpd_journal_open(&j, path, false, calls) == DPD_JOURNAL_BUSY && j.file < 0);
}

int main(void)
{
  CHECK(mkdtemp(folder) != NULL);
  snprintf(path, sizeof path, "%s/a", folder);
  snprintf(other, sizeof other, "%s/b", folder);
  entries_are_whole();
  one_at_a_time();
  the_file_is_the_path();
  unlink(path);
  unlink(other);
  rmdir(folder);
  return ctest_report("journal");
}

#else

int main(void)
{
  CHECK(sizeof(dpd_journal) > 0);
  return ctest_report("journal");
}

#endif
