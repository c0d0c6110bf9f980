/* host.c - R as the host: random sources, memory, and errors of the kernels.
 *
 * with_rng() holds the package's only GetRNGstate()/PutRNGstate() pair. Leaving .Call by an
 * error or an interrupt between the two would rewind R's stream, and the next call would
 * draw the same noise; R_ExecWithCleanup() closes every way out.
 */
#include "r/host.h"

#include <R.h>
#include <R_ext/Random.h>
#include <R_ext/Utils.h>
#include <stdlib.h>
#include <string.h>

#include "samp/rng.h"

enum {
  PROBE_BYTES = 1 << 20, /* less than this is not worth a look whether it is there */
  ALIGNMENT = 16         /* of 128-bit integers, which R_alloc() does not know */
};

/* The top `bits` bits of one number of R's stream. */
static uint64_t stream_bits(int bits)
{
  double u = unif_rand(), size = (double)((uint64_t)1 << bits);
  /* a user-supplied generator may reach the ends of [0, 1] */
  return u <= 0 ? 0 : u < 1 ? (uint64_t)(u * size) : (uint64_t)size - 1;
}

/* Three numbers per word: some of R's generators leave the bits below the 30th at zero, and
 * the samplers use a word's low bits as well as its high ones. */
static dpd_status stream_fill(void *state, unsigned char *out, size_t len)
{
  (void)state;
  for (size_t i = 0; i + sizeof(uint64_t) <= len; i += sizeof(uint64_t)) {
    uint64_t word = stream_bits(22);
    word = word << 21 | stream_bits(21);
    word = word << 21 | stream_bits(21);
    memcpy(out + i, &word, sizeof word);
  }
  return DPD_OK;
}

static dpd_status broken_fill(void *state, unsigned char *out, size_t len)
{
  (void)state;
  (void)out;
  (void)len;
  return DPD_ERR_ENTROPY;
}

typedef struct {
  dpd_rng rng;
  dpd_tape tape;
  bool stream;
  SEXP (*body)(dpd_rng *, void *);
  void *data;
  SEXP keep; /* protects the result while PutRNGstate() allocates */
} rng_task;

static SEXP rng_run(void *p)
{
  rng_task *task = p;
  SET_VECTOR_ELT(task->keep, 0, task->body(&task->rng, task->data));
  return R_NilValue;
}

static void rng_finish(void *p)
{
  rng_task *task = p;
  dpd_rng_close(&task->rng);
  if (task->stream) PutRNGstate();
}

static void open_tape(rng_task *task, SEXP source)
{
  size_t len = (size_t)XLENGTH(source) / 2;
  const double *half = REAL(source);
  uint64_t *words = host_alloc(len, sizeof *words);
  for (size_t i = 0; i < 2 * len; i++)
    if (!(half[i] >= 0 && half[i] < 0x1p32)) Rf_error("internal: a tape holds 32-bit halves");
  for (size_t i = 0; i < len; i++)
    words[i] = (uint64_t)half[2 * i] | ((uint64_t)half[2 * i + 1] << 32);
  task->tape.words = words;
  task->tape.len = len;
  dpd_rng_open_tape(&task->rng, &task->tape);
}

static void open_named(rng_task *task, const char *name)
{
  if (strcmp(name, "system") == 0) {
    dpd_rng_open_system(&task->rng);
  } else if (strcmp(name, "R") == 0) {
    task->stream = true;
    /* a small block, so that little of the stream is drawn and thrown away */
    dpd_rng_open(&task->rng, stream_fill, NULL, sizeof(uint64_t));
  } else if (strcmp(name, "broken") == 0) {
    dpd_rng_open(&task->rng, broken_fill, NULL, sizeof(uint64_t));
  } else {
    Rf_error("internal: no such random source");
  }
}

SEXP with_rng(SEXP source, SEXP (*body)(dpd_rng *rng, void *data), void *data)
{
  rng_task task = {.stream = false, .body = body, .data = data};
  if (TYPEOF(source) == REALSXP)
    open_tape(&task, source);
  else if (TYPEOF(source) == STRSXP && XLENGTH(source) == 1)
    open_named(&task, CHAR(STRING_ELT(source, 0)));
  else
    Rf_error("internal: expected a random source");
  task.keep = PROTECT(Rf_allocVector(VECSXP, 1));
  /* nothing that can raise comes between this and the cleanup's context */
  if (task.stream) GetRNGstate();
  R_ExecWithCleanup(rng_run, &task, rng_finish, &task);
  SEXP out = VECTOR_ELT(task.keep, 0);
  UNPROTECT(1);
  return out;
}

typedef struct {
  int draws, d;
  draw_point *draw;
  void *task;
} points_task;

static SEXP points_body(dpd_rng *rng, void *data)
{
  const points_task *t = data;
  SEXP out = PROTECT(Rf_allocMatrix(REALSXP, t->draws, t->d));
  double *x = host_alloc((size_t)t->d, sizeof *x);
  for (int i = 0; i < t->draws; i++) {
    dpd_status status;
    while ((status = t->draw(rng, t->task, x)) == DPD_AGAIN)
      R_CheckUserInterrupt();
    dpd_raise(status);
    for (int j = 0; j < t->d; j++)
      REAL(out)[i + (R_xlen_t)j * t->draws] = x[j];
  }
  UNPROTECT(1);
  return out;
}

double *chain_trace(SEXP keep, SEXP list, int at, const int size[3])
{
  if (Rf_asLogical(keep) != TRUE) return NULL;
  SEXP trace = Rf_alloc3DArray(REALSXP, size[0], size[1], size[2]);
  SET_VECTOR_ELT(list, at, trace);
  return REAL(trace);
}

SEXP draw_points(SEXP source, int draws, int d, draw_point *draw, void *task)
{
  points_task t = {draws, d, draw, task};
  return with_rng(source, points_body, &t);
}

SEXP draws_with_counts(SEXP draws, const double counts[3])
{
  const char *names[] = {"draws", "counts", ""};
  SEXP out = PROTECT(Rf_mkNamed(VECSXP, names));
  SET_VECTOR_ELT(out, 0, draws);
  SET_VECTOR_ELT(out, 1, Rf_allocVector(REALSXP, 3));
  memcpy(REAL(VECTOR_ELT(out, 1)), counts, 3 * sizeof *counts);
  UNPROTECT(1);
  return out;
}

void dpd_raise(dpd_status status)
{
  const char *kind;
  switch (status) {
  case DPD_OK: return;
  case DPD_ERR_ENTROPY: kind = "entropy"; break;
  case DPD_ERR_MEMORY: kind = "memory"; break;
  case DPD_ERR_LIMIT: kind = "limit"; break;
  default: kind = "internal"; break;
  }
  SEXP ns = PROTECT(R_FindNamespace(PROTECT(Rf_mkString("dpdepth"))));
  SEXP arg = PROTECT(Rf_mkString(kind));
  SEXP call = PROTECT(Rf_lang2(Rf_install("stop_status"), arg));
  Rf_eval(call, ns);
  Rf_error("unreachable: stop_status() returned"); /* stop_status() never returns */
}

void host_progress(double done, double total)
{
  R_CheckUserInterrupt();
  SEXP ns = PROTECT(R_FindNamespace(PROTECT(Rf_mkString("dpdepth"))));
  SEXP at = PROTECT(Rf_ScalarReal(done)), all = PROTECT(Rf_ScalarReal(total));
  SEXP call = PROTECT(Rf_lang3(Rf_install("move_progress"), at, all));
  Rf_eval(call, ns);
  UNPROTECT(5);
}

void *host_alloc(size_t count, size_t size)
{
  /* R_alloc() takes the size as an int: all goes into the count, which must not wrap */
  if (size > 0 && count > (SIZE_MAX - ALIGNMENT) / size) dpd_raise(DPD_ERR_MEMORY);
  size_t bytes = (count > 0 ? count * size : size) + ALIGNMENT;
  /* R's own error has no class of ours: what the system refuses is seen before R asks for it */
  void *probe = bytes >= PROBE_BYTES ? malloc(bytes) : NULL;
  if (bytes >= PROBE_BYTES && probe == NULL) dpd_raise(DPD_ERR_MEMORY);
  free(probe);
  char *block = R_alloc(bytes, 1);
  return block + (ALIGNMENT - (uintptr_t)block % ALIGNMENT) % ALIGNMENT;
}

int host_threads(void)
{
#ifdef _OPENMP
  SEXP ns = PROTECT(R_FindNamespace(PROTECT(Rf_mkString("dpdepth"))));
  SEXP call = PROTECT(Rf_lang1(Rf_install("usable_threads")));
  int threads = Rf_asInteger(Rf_eval(call, ns));
  UNPROTECT(3);
  return threads == NA_INTEGER || threads < 1 ? 1 : threads;
#else
  return 1;
#endif
}

int host_threads_for(double steps)
{
  return steps < 1e5 ? 1 : host_threads();
}
