/* glue_journal.c - the file of a ledger: opened with a lock, read, added to, closed. */
#include <string.h>

#include "num/journal.h"
#include "r/glue.h"
#include "r/host.h"
#include "samp/rng.h"

/* The journal lives in the pointer's tag. */
static dpd_journal *journal_of(SEXP pointer)
{
  dpd_journal *j = TYPEOF(pointer) == EXTPTRSXP ? R_ExternalPtrAddr(pointer) : NULL;
  if (j == NULL || j->file < 0) Rf_error("internal: expected a journal that is open");
  return j;
}

static void close_pointer(SEXP pointer)
{
  dpd_journal *j = R_ExternalPtrAddr(pointer);
  if (j != NULL) dpd_journal_close(j);
  R_ClearExternalPtr(pointer);
}

/* A pointer, or the word that says why there is none. */
SEXP ffi_journal_open(SEXP path, SEXP create)
{
  const char *words[] = {"done", "busy", "missing", "failed"};
  const char *name = R_ExpandFileName(Rf_translateChar(STRING_ELT(path, 0)));
  SEXP room = PROTECT(Rf_allocVector(RAWSXP, sizeof(dpd_journal)));
  dpd_journal *j = (void *)RAW(room);
  j->file = -1;
  /* made before the file is opened: nothing that can raise comes after it */
  SEXP out = PROTECT(R_MakeExternalPtr(j, R_NilValue, room));
  R_RegisterCFinalizerEx(out, close_pointer, TRUE);
  dpd_journal_status status =
      dpd_journal_open(j, name, Rf_asLogical(create) == TRUE, dpd_journal_system());
  if (status != DPD_JOURNAL_DONE) out = Rf_mkString(words[status]);
  UNPROTECT(2);
  return out;
}

/* All bytes, or NULL if they cannot be read. */
SEXP ffi_journal_read(SEXP pointer)
{
  dpd_journal *j = journal_of(pointer);
  int64_t size = dpd_journal_size(j);
  if (size < 0) return R_NilValue;
  SEXP out = PROTECT(Rf_allocVector(RAWSXP, (R_xlen_t)size));
  dpd_journal_status status = dpd_journal_read(j, RAW(out), (size_t)size);
  UNPROTECT(1);
  return status == DPD_JOURNAL_DONE ? out : R_NilValue;
}

/* TRUE: the bytes are on the disk. */
SEXP ffi_journal_append(SEXP pointer, SEXP bytes)
{
  dpd_journal_status status =
      dpd_journal_append(journal_of(pointer), RAW(bytes), (size_t)XLENGTH(bytes));
  return Rf_ScalarLogical(status == DPD_JOURNAL_DONE);
}

SEXP ffi_journal_close(SEXP pointer)
{
  if (TYPEOF(pointer) == EXTPTRSXP) close_pointer(pointer);
  return R_NilValue;
}

static SEXP draw_name(dpd_rng *rng, void *data)
{
  (void)data;
  SEXP out = PROTECT(Rf_allocVector(RAWSXP, 2 * sizeof(uint64_t)));
  for (size_t i = 0; i < 2; i++) {
    uint64_t word;
    dpd_raise(dpd_rng_u64(rng, &word));
    memcpy(RAW(out) + i * sizeof word, &word, sizeof word);
  }
  UNPROTECT(1);
  return out;
}

/* 16 bytes that no other journal has, of the system's entropy. */
SEXP ffi_journal_name(void)
{
  SEXP source = PROTECT(Rf_mkString("system"));
  SEXP out = with_rng(source, draw_name, NULL);
  UNPROTECT(1);
  return out;
}
