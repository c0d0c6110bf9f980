/* shear_ranges.c - the ranges of linear forms over a box of sheared coordinates.
 *
 * METHOD: the middle of a form over the box, and half its length, in the order of the coordinates;
 *   outward by what the shear's rounding and that of the doubles may add (geom/shear.c).
 * COST: O(d) per form, four forms per instruction where the processor can: the same bits.
 * DEGENERATE: as geom/shear.c.
 */
#include <math.h>

#include "geom/shear.h"
#include "num/simd.h"

enum { NARROW = 8 }; /* forms that wide registers gain nothing for */

/* What the sums of doubles may be off by, in parts of a form's second size. */
static double error_over(const dpd_shear *s, const double *lo, const double *hi)
{
  double reach = 0;
  for (int k = 0; k < s->d; k++)
    reach = fmax(reach, fmax(fabs(lo[k]), fabs(hi[k])) / (s->reduced ? s->unit[k] : 1));
  return s->reduced    ? 0x1p-49 * (reach + 1)
         : s->identity ? 0 /* an identity's sums are exact */
                       : s->error * (reach + 1);
}

static DPD_FORCE_INLINE void find_ranges(const dpd_shear *s, const dpd_shear_forms *forms,
                                         const double *lo, const double *hi, double *restrict min,
                                         double *restrict max)
{
  const double *c = forms->c, *size = forms->size, error = error_over(s, lo, hi);
  const int count = forms->count;
  const size_t stride = forms->stride;
  for (int u = 0; u < count; u++)
    min[u] = max[u] = 0;
  /* the middle of the range, and half its length */
  for (int k = 0; k < s->d; k++, c += stride) {
    double mid = lo[k] / 2 + hi[k] / 2, half = hi[k] / 2 - lo[k] / 2;
#ifdef _OPENMP
#pragma omp simd
#endif
    for (int u = 0; u < count; u++) {
      min[u] += c[u] * mid;
      max[u] += fabs(c[u]) * half;
    }
  }
#ifdef _OPENMP
#pragma omp simd
#endif
  for (int u = 0; u < count; u++) {
    double at = min[u] + size[u + 2 * stride], half = max[u] + (size[u] + size[u + stride] * error);
    min[u] = at - half;
    max[u] = at + half;
  }
}

DPD_WIDE static void find_wide(const dpd_shear *s, const dpd_shear_forms *forms, const double *lo,
                               const double *hi, double *min, double *max)
{
  find_ranges(s, forms, lo, hi, min, max);
}

void dpd_shear_ranges(const dpd_shear *s, const dpd_shear_forms *forms, const double *lo,
                      const double *hi, double *min, double *max)
{
  if (DPD_HAS_WIDE && forms->count > NARROW)
    find_wide(s, forms, lo, hi, min, max);
  else
    find_ranges(s, forms, lo, hi, min, max);
}
