/* glue_noise.c - entries of the random sources and samplers. */
#include "r/convert.h"
#include "r/glue.h"
#include "r/host.h"
#include "samp/bernoulli.h"
#include "samp/cube.h"
#include "samp/noise.h"
#include "samp/rng.h"

#include <string.h>

/* Draws between two looks at the interrupt flag: a few milliseconds. */
enum { DRAW_BLOCK = 1 << 14 };

/* A whole number of an R double, which holds all of them up to 2^53. */
static dpd_status whole(double x, uint64_t *out)
{
  if (!(x >= 0 && x <= 0x1p53) || x != (double)(uint64_t)x) return DPD_ERR_DOMAIN;
  *out = (uint64_t)x;
  return DPD_OK;
}

/* And back. Fails with DPD_ERR_LIMIT where a double cannot hold it. */
static dpd_status to_double(int64_t z, double *out)
{
  const int64_t top = (int64_t)1 << 53;
  if (z <= -top || z >= top) return DPD_ERR_LIMIT;
  *out = (double)z;
  return DPD_OK;
}

static dpd_status draw_below(dpd_rng *rng, const double *par, double *out)
{
  uint64_t n, draw;
  DPD_TRY(whole(par[0], &n));
  DPD_TRY(dpd_rng_below(rng, n, &draw));
  return to_double((int64_t)draw, out);
}

/* Two whole numbers. */
static dpd_status whole_pair(const double *par, uint64_t *a, uint64_t *b)
{
  DPD_TRY(whole(par[0], a));
  return whole(par[1], b);
}

typedef dpd_status coin(dpd_rng *rng, uint64_t num, uint64_t den, bool *out);

static dpd_status draw_coin(dpd_rng *rng, const double *par, coin *toss, double *out)
{
  uint64_t num, den;
  bool draw;
  DPD_TRY(whole_pair(par, &num, &den));
  DPD_TRY(toss(rng, num, den, &draw));
  *out = draw;
  return DPD_OK;
}

static dpd_status draw_bernoulli_ratio(dpd_rng *rng, const double *par, double *out)
{
  return draw_coin(rng, par, dpd_bernoulli_ratio, out);
}

static dpd_status draw_bernoulli_double(dpd_rng *rng, const double *par, double *out)
{
  bool draw;
  DPD_TRY(dpd_bernoulli_double(rng, par[0], &draw));
  *out = draw;
  return DPD_OK;
}

static dpd_status draw_bernoulli_exp(dpd_rng *rng, const double *par, double *out)
{
  return draw_coin(rng, par, dpd_bernoulli_exp, out);
}

static dpd_status draw_bernoulli_half_rate(dpd_rng *rng, const double *par, double *out)
{
  dpd_rate rate;
  uint64_t gap;
  bool draw;
  DPD_TRY(dpd_rate_from_double(par[0], &rate));
  DPD_TRY(whole(par[1], &gap));
  DPD_TRY(dpd_bernoulli_half_rate(rng, rate, gap, &draw));
  *out = draw;
  return DPD_OK;
}

static dpd_status draw_geometric_exp(dpd_rng *rng, const double *par, double *out)
{
  uint64_t num, den, draw;
  DPD_TRY(whole_pair(par, &num, &den));
  DPD_TRY(dpd_geometric_exp(rng, num, den, &draw));
  return to_double((int64_t)draw, out);
}

static dpd_status draw_laplace_discrete(dpd_rng *rng, const double *par, double *out)
{
  uint64_t num, den;
  int64_t draw;
  DPD_TRY(whole_pair(par, &num, &den));
  DPD_TRY(dpd_laplace_discrete(rng, num, den, &draw));
  return to_double(draw, out);
}

static dpd_status draw_laplace_truncated(dpd_rng *rng, const double *par, double *out)
{
  uint64_t num, den, bound;
  int64_t draw;
  DPD_TRY(whole_pair(par, &num, &den));
  DPD_TRY(whole(par[2], &bound));
  DPD_TRY(dpd_laplace_truncated(rng, num, den, (int64_t)bound, &draw));
  return to_double(draw, out);
}

static dpd_status draw_gaussian_discrete(dpd_rng *rng, const double *par, double *out)
{
  uint64_t var_num, var_den;
  int64_t draw;
  DPD_TRY(whole_pair(par, &var_num, &var_den));
  DPD_TRY(dpd_gaussian_discrete(rng, var_num, var_den, &draw));
  return to_double(draw, out);
}

typedef struct {
  const char *name;
  int parameters;
  dpd_status (*draw)(dpd_rng *rng, const double *par, double *out);
} draw_law;

static const draw_law laws[] = {
    {"below", 1, draw_below},
    {"bernoulli_ratio", 2, draw_bernoulli_ratio},
    {"bernoulli_double", 1, draw_bernoulli_double},
    {"bernoulli_exp", 2, draw_bernoulli_exp},
    {"bernoulli_half_rate", 2, draw_bernoulli_half_rate},
    {"geometric_exp", 2, draw_geometric_exp},
    {"laplace_discrete", 2, draw_laplace_discrete},
    {"laplace_truncated", 3, draw_laplace_truncated},
    {"gaussian_discrete", 2, draw_gaussian_discrete},
};

static const draw_law *find_law(const char *name, R_xlen_t parameters)
{
  for (size_t i = 0; i < sizeof laws / sizeof laws[0]; i++)
    if (strcmp(laws[i].name, name) == 0 && laws[i].parameters == parameters) return &laws[i];
  Rf_error("internal: no such law");
}

typedef struct {
  int count;
  const draw_law *law;
  const double *parameters;
} draw_args;

static SEXP draw_body(dpd_rng *rng, void *data)
{
  const draw_args *args = data;
  SEXP out = PROTECT(Rf_allocVector(REALSXP, args->count));
  double *draws = REAL(out);
  for (int i = 0; i < args->count; i++) {
    if (i % DRAW_BLOCK == DRAW_BLOCK - 1) R_CheckUserInterrupt();
    dpd_raise(args->law->draw(rng, args->parameters, &draws[i]));
  }
  UNPROTECT(1);
  return out;
}

/* `count` independent draws of the distribution `law`; R/mech-noise.R has one function for each. */
SEXP ffi_draw(SEXP source, SEXP count, SEXP law, SEXP parameters)
{
  if (TYPEOF(parameters) != REALSXP || TYPEOF(law) != STRSXP || XLENGTH(law) != 1)
    Rf_error("internal: expected a law's name and its parameters");
  draw_args args = {as_count(count), find_law(CHAR(STRING_ELT(law, 0)), XLENGTH(parameters)),
                    REAL(parameters)};
  return with_rng(source, draw_body, &args);
}

static SEXP cube_body(dpd_rng *rng, void *data)
{
  const draw_args *args = data;
  int64_t *z = host_alloc((size_t)args->count, sizeof *z);
  uint64_t num, den;
  dpd_raise(whole_pair(args->parameters, &num, &den));
  dpd_raise(dpd_cube_discrete(rng, num, den, args->count, z));
  SEXP out = PROTECT(Rf_allocVector(REALSXP, args->count));
  for (int j = 0; j < args->count; j++)
    dpd_raise(to_double(z[j], &REAL(out)[j]));
  UNPROTECT(1);
  return out;
}

/* One draw of `size` numbers whose largest size has the rate of `parameters`. */
SEXP ffi_draw_cube(SEXP source, SEXP size, SEXP parameters)
{
  if (TYPEOF(parameters) != REALSXP || XLENGTH(parameters) != 2)
    Rf_error("internal: expected the parameters of a rate");
  draw_args args = {.count = as_count(size), .parameters = REAL(parameters)};
  return with_rng(source, cube_body, &args);
}

SEXP ffi_laplace_truncated_bound(SEXP eps, SEXP delta)
{
  int64_t bound = dpd_laplace_truncated_bound(as_number(eps), as_number(delta));
  if (bound < 0) dpd_raise(DPD_ERR_DOMAIN);
  return Rf_ScalarReal((double)bound);
}
