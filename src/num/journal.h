/* journal.h - a file that grows by whole entries, used by one process at a time. */
#ifndef NUM_JOURNAL_H
#define NUM_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum {
  DPD_JOURNAL_DONE,
  DPD_JOURNAL_BUSY,    /* another process has it, or it was put aside meanwhile: try again */
  DPD_JOURNAL_MISSING, /* there is no such file */
  DPD_JOURNAL_FAILED   /* the system refused, or it is no plain file */
} dpd_journal_status;

/* What locks a file, adds bytes at its end (as many as it returns) and brings them to the disk
 * (0 if it did): the system's, or stand-ins in tests. */
typedef struct {
  dpd_journal_status (*lock)(int file);
  long (*write)(int file, const void *bytes, size_t size);
  int (*sync)(int file);
} dpd_journal_calls;

dpd_journal_calls dpd_journal_system(void);

typedef struct {
  int file; /* negative: closed */
  dpd_journal_calls calls;
} dpd_journal;

/* Opens the file and locks it against all other openings, of this process as well. `create`:
 * makes it where there is none. Whatever but DPD_JOURNAL_DONE comes, nothing is left open. */
dpd_journal_status dpd_journal_open(dpd_journal *j, const char *path, bool create,
                                    dpd_journal_calls calls);

/* How many bytes it has; negative on failure. */
int64_t dpd_journal_size(const dpd_journal *j);

/* Reads the first `size` bytes. */
dpd_journal_status dpd_journal_read(const dpd_journal *j, void *out, size_t size);

/* Adds bytes at the end. DPD_JOURNAL_DONE: they are on the disk. On failure what was written is
 * taken back, or stays where that fails as well. */
dpd_journal_status dpd_journal_append(const dpd_journal *j, const void *bytes, size_t size);

/* Closes and unlocks. May be called again. */
void dpd_journal_close(dpd_journal *j);

#endif
