/* test_cube.c - the noise of a cube: exact laws of two and three numbers, by chi-square at 1e-6. */
#include "samp/cube.h"

#include "ctest.h"
#include "ctest_law.h"

enum { SIDE = 8, WIDE = 2 * SIDE + 1, CELLS = WIDE * WIDE * WIDE + 1 };

/* The law over {-SIDE, ..., SIDE}^m, and one cell for what lies beyond; `count` draws. */
static void law_is_exact(int m, uint64_t num, uint64_t den, long draws)
{
  static long count[CELLS];
  static double weight[CELLS];
  double q = exp(-(double)num / (double)den), beyond = 0;
  int cells = m == 1 ? WIDE : m == 2 ? WIDE * WIDE : WIDE * WIDE * WIDE;
  for (int i = 0; i <= cells; i++)
    count[i] = 0;
  for (int i = 0; i < cells; i++) {
    int size = 0;
    for (int j = 0, rest = i; j < m; j++, rest /= WIDE) {
      int z = rest % WIDE - SIDE;
      size = abs(z) > size ? abs(z) : size;
    }
    weight[i] = pow(q, size);
  }
  for (int r = SIDE + 1; r < 2000; r++)
    beyond += pow(q, r) * (pow(2.0 * r + 1, m) - pow(2.0 * r - 1, m));
  weight[cells] = beyond;
  for (long k = 0; k < draws; k++) {
    int64_t z[3];
    int at = 0;
    CHECK(dpd_cube_discrete(&source, num, den, m, z) == DPD_OK);
    for (int j = m - 1; j >= 0; j--)
      at = at < 0 || z[j] < -SIDE || z[j] > SIDE ? -1 : at * WIDE + (int)z[j] + SIDE;
    count[at < 0 ? cells : at]++;
  }
  CHECK(law_holds(count, weight, cells + 1, draws));
  /* a rate a twelfth off is rejected */
  for (int i = 0; i < cells; i++)
    weight[i] = pow(weight[i], 13.0 / 12);
  weight[cells] = 0;
  for (int r = SIDE + 1; r < 2000; r++)
    weight[cells] += pow(q, r * 13.0 / 12) * (pow(2.0 * r + 1, m) - pow(2.0 * r - 1, m));
  CHECK(!law_holds(count, weight, cells + 1, draws));
}

static void refusals(void)
{
  int64_t z[3] = {5, 5, 5};
  CHECK(dpd_cube_discrete(&source, 1, 2, 0, z) == DPD_ERR_DOMAIN);
  CHECK(dpd_cube_discrete(&source, 0, 2, 2, z) == DPD_ERR_DOMAIN);
  CHECK(dpd_cube_discrete(&source, 1, 0, 2, z) == DPD_ERR_DOMAIN);
  CHECK(dpd_cube_discrete(&source, 1, (uint64_t)1 << 62, 2, z) == DPD_ERR_LIMIT);
  dpd_tape tape = {NULL, 0, 0};
  dpd_rng none;
  dpd_rng_open_tape(&none, &tape);
  CHECK(dpd_cube_discrete(&none, 1, 2, 2, z) == DPD_ERR_ENTROPY);
  CHECK(z[0] == 5 && z[1] == 5 && z[2] == 5);
}

int main(void)
{
  start(11);
  law_is_exact(1, 1, 2, 60000);
  law_is_exact(2, 1, 2, 60000);
  law_is_exact(3, 2, 3, 60000);
  refusals();
  return ctest_report("cube");
}
