/* cube.c - exact integer noise of several numbers whose largest size alone is paid for.
 *
 * METHOD: the mechanism of the norm whose unit ball is a cube. With q = exp(-num/den), the sum R of
 *   m + 1 geometric variables has P(R) ~ q^R (R + 1) ... (R + m). It is kept with probability
 *     prod over i = 1..m of (2R + 1)/(2R + 2i),
 *   which leaves P(R) ~ q^R (2R + 1)^m; z is then uniform on {-R, ..., R}^m. So
 *     P(z) ~ sum over R >= max |z_j| of q^R ~ q^(max |z_j|).
 * COST: m + 1 geometric draws a trial; about exp(m num / (2 den)) trials: for rates below 1/m few.
 * REFERENCE: Hardt and Talwar (2010), On the geometry of differential privacy (the norm and its
 *   body); Awan and Slavkovic (2021), Structure and sensitivity in differential privacy.
 */
#include "samp/cube.h"

#include "samp/bernoulli.h"
#include "samp/rng.h"

dpd_status dpd_cube_discrete(dpd_rng *rng, uint64_t num, uint64_t den, int m, int64_t *z)
{
  const uint64_t most = (uint64_t)1 << 52;
  uint64_t radius, part;
  bool keep;
  if (m < 1) return DPD_ERR_DOMAIN;
  do {
    radius = 0;
    for (int i = 0; i <= m; i++) {
      DPD_TRY(dpd_geometric_exp(rng, num, den, &part));
      if (part > most || (radius += part) > most) return DPD_ERR_LIMIT;
    }
    keep = true;
    for (int i = 1; keep && i <= m; i++)
      DPD_TRY(dpd_bernoulli_ratio(rng, 2 * radius + 1, 2 * (radius + (uint64_t)i), &keep));
  } while (!keep);
  for (int j = 0; j < m; j++) {
    DPD_TRY(dpd_rng_below(rng, 2 * radius + 1, &part));
    z[j] = (int64_t)part - (int64_t)radius;
  }
  return DPD_OK;
}
