/* r_host.c - R as the host: random sources, memory, and errors of the kernels.
 *
 * with_rng() holds the package's only GetRNGstate()/PutRNGstate() pair. Leaving .Call by an
 * error or an interrupt between the two would rewind R's stream, and the next call would
 * draw the same noise; R_ExecWithCleanup() closes every way out.
 */
#include "r_host.h"

#include <R.h>
#include <R_ext/Random.h>
#include <string.h>

#include "samp_rng.h"

/* R's stream gives 32 good bits a draw with the default generator; other generators give
 * fewer, which is why the documentation calls this mode "for simulation". */
static dpd_status stream_fill(void *state, unsigned char *out, size_t len)
{
  (void)state;
  for (size_t i = 0; i + 4 <= len; i += 4) {
    uint32_t word = (uint32_t)(unif_rand() * 4294967296.0);
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
} rng_task;

static SEXP rng_run(void *p)
{
  rng_task *task = p;
  return task->body(&task->rng, task->data);
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
  for (size_t i = 0; i < len; i++)
    words[i] = (uint64_t)half[2 * i] | ((uint64_t)half[2 * i + 1] << 32);
  task->tape.words = words;
  task->tape.len = len;
  dpd_rng_open_tape(&task->rng, &task->tape);
}

SEXP with_rng(SEXP source, SEXP (*body)(dpd_rng *rng, void *data), void *data)
{
  rng_task task = {.stream = false, .body = body, .data = data};
  if (TYPEOF(source) == REALSXP) {
    open_tape(&task, source);
  } else {
    const char *name = CHAR(STRING_ELT(source, 0));
    if (strcmp(name, "system") == 0) {
      dpd_rng_open_system(&task.rng);
    } else if (strcmp(name, "R") == 0) {
      task.stream = true;
      /* a small block, so that little of the stream is drawn and thrown away */
      dpd_rng_open(&task.rng, stream_fill, NULL, sizeof(uint64_t));
    } else {
      dpd_rng_open(&task.rng, broken_fill, NULL, sizeof(uint64_t));
    }
  }
  if (task.stream) GetRNGstate();
  return R_ExecWithCleanup(rng_run, &task, rng_finish, &task);
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

void *host_alloc(size_t count, size_t size)
{
  return R_alloc(count > 0 ? count : 1, (int)size);
}

int host_threads(void)
{
#ifdef _OPENMP
  int threads = Rf_asInteger(Rf_GetOption1(Rf_install("dpdepth.threads")));
  return threads == NA_INTEGER || threads < 1 ? 1 : threads;
#else
  return 1;
#endif
}
