/* test_noise.c - epsilon as a rational, and the least bound of truncated Laplace noise. */
#include "samp/bernoulli.h"
#include "samp/noise.h"

#include <math.h>

#include "ctest.h"

static double edge_mass(double r, int64_t bound)
{
  double q = exp(-r);
  return -expm1(-r) * exp(-r * (double)bound) / (1 + q - 2 * q * exp(-r * (double)bound));
}

static void bounds_are_least(void)
{
  const double eps[6] = {0.01, 0.1, 0.5, 1, 3, 40};
  for (int i = 0; i < 6; i++)
    for (double delta = 0.3; delta > 1e-30; delta *= 0.37) {
      dpd_rate rate = {0};
      CHECK(dpd_rate_from_double(eps[i], &rate) == DPD_OK);
      double r = (double)rate.num * 0x1p-40;
      int64_t bound = dpd_laplace_truncated_bound(eps[i], delta);
      CHECK(bound >= 1 && edge_mass(r, bound) <= delta * (1 + 1e-13));
      if (bound > 1) CHECK(edge_mass(r, bound - 1) > delta * (1 - 1e-12));
    }
  CHECK(dpd_laplace_truncated_bound(1, 1e-5) == 11);
  CHECK(dpd_laplace_truncated_bound(1, 1e-6) == 14);
  CHECK(dpd_laplace_truncated_bound(1e-6, 0x1p-1074) > 0);
  CHECK(dpd_laplace_truncated_bound(1, 0) == -1 && dpd_laplace_truncated_bound(1, 1) == -1);
  CHECK(dpd_laplace_truncated_bound(NAN, 0.1) == -1 && dpd_laplace_truncated_bound(1, NAN) == -1);
}

static void rates_round_down(void)
{
  dpd_rate rate = {7};
  CHECK(dpd_rate_from_double(1, &rate) == DPD_OK && rate.num == ((uint64_t)1 << 40) - 65);
  CHECK(dpd_rate_from_double(1e-6, &rate) == DPD_OK && rate.num == 1099511 - 64);
  CHECK(dpd_rate_from_double(1e6, &rate) == DPD_OK);
  CHECK(rate.num == UINT64_C(1000000) * ((uint64_t)1 << 40) - 64 - 1000000);
  rate.num = 7;
  CHECK(dpd_rate_from_double(9.9e-7, &rate) == DPD_ERR_DOMAIN);
  CHECK(dpd_rate_from_double(1.1e6, &rate) == DPD_ERR_DOMAIN);
  CHECK(dpd_rate_from_double(NAN, &rate) == DPD_ERR_DOMAIN && rate.num == 7);
}
int main(void)
{
  bounds_are_least();
  rates_round_down();
  return ctest_report("noise");
}
