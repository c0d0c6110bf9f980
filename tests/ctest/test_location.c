/* test_location.c - univariate locations and scales: cases worked by hand, and roots. */
#include "num/location.h"

#include <math.h>

#include "ctest.h"

static void both(dpd_location location, dpd_scale scale, const double *y, size_t n, double *t,
                 double *s)
{
  double work[64];
  dpd_center c = {location, scale, 0.25, 1.345, n < 3 ? 1 : 3};
  dpd_center_of(&c, y, n, work, t, s);
}

static void worked_by_hand(void)
{
  const double y[8] = {1, 2, 4, 8, 16, 32, 64, 128};
  double t, s;
  both(DPD_MEDIAN, DPD_MAD, y, 8, &t, &s);
  CHECK(t == 8 && s == 7); /* the lower median; distances 0 4 6 7 8 24 56 120 */
  both(DPD_MEDIAN, DPD_MAD, y, 7, &t, &s);
  CHECK(t == 8 && s == 7); /* 0 4 6 7 8 24 56 */
  both(DPD_TRIMMED, DPD_TRIMMED_MAD, y, 8, &t, &s);
  CHECK(t == 15 && s == 9); /* 4 8 16 32: distances 11 7 1 17 */
  both(DPD_MEDIAN, DPD_IQR, y, 8, &t, &s);
  CHECK(s == 62); /* y_(7) - y_(2) */
  both(DPD_MOM, DPD_MAD, y, 8, &t, &s);
  CHECK(fabs(t - 28.0 / 3) < 1e-14); /* blocks of 2, 3, 3 rows: 1.5, 28/3, 224/3 */
  both(DPD_MEDIAN, DPD_IQR, y, 1, &t, &s);
  CHECK(t == 1 && s == 0);
}

static void huber_solves_its_equation(void)
{
  double y[21], t, s, sum = 0;
  for (int i = 0; i < 21; i++)
    y[i] = tan(0.14 * (i - 10)) + 0.3 * (i % 4);
  both(DPD_HUBER, DPD_MAD, y, 21, &t, &s);
  double c = 1.345 * 1.482602218505602 * s;
  for (int i = 0; i < 21; i++)
    sum += fmax(-1, fmin(1, (y[i] - t) / c));
  CHECK(fabs(sum) < 1e-12);
  const double flat[5] = {3, 3, 3, 8, 9};
  both(DPD_HUBER, DPD_MAD, flat, 5, &t, &s);
  CHECK(t == 3 && s == 0);
}

int main(void)
{
  worked_by_hand();
  huber_solves_its_equation();
  return ctest_report("location");
}
