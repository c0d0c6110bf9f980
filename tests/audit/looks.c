/* looks.c - an error after so many looks for events, which loops of R and of kernels make. */
#include <R.h>
#include <Rinternals.h>

extern void (*R_PolledEvents)(void);

static void (*before)(void);
static double left;

static void look(void)
{
  if (--left >= 0) return;
  R_PolledEvents = before;
  Rf_error("no looks are left");
}

/* From now on; R_PosInf: no limit. Value: how many were left. */
SEXP limit_looks(SEXP most)
{
  const double rest = left;
  if (R_PolledEvents != look) before = R_PolledEvents;
  left = Rf_asReal(most);
  R_PolledEvents = look;
  return Rf_ScalarReal(rest);
}
