/* project_block.c - projections of many rows along many directions.
 *
 * METHOD: a product of matrices by blocks: four directions and eight rows at a time keep their
 *   sums in vector registers while the columns are read once, in the order in which they lie
 *   in memory. The wide version computes the same sums (no fused products), so its bits
 *   are those of the narrow one, and those of a plain loop over the columns.
 * COST: O(n d count).
 * DEGENERATE: n = 0 or count = 0 leaves `out` alone.
 */
#include "num/project_block.h"

#include <string.h>

#include "num/simd.h"

/* Four numbers side by side; one or two registers, by the target. */
typedef double lane4 __attribute__((vector_size(32)));

void dpd_pack_rows(const double *x, size_t n, int d, const double *centre, double *packed)
{
  for (size_t from = 0; from < n; from += DPD_BLOCK_ROWS) {
    size_t rows = n - from < DPD_BLOCK_ROWS ? n - from : DPD_BLOCK_ROWS;
    for (int j = 0; j < d; j++, packed += DPD_BLOCK_ROWS) {
      const double *column = x + (size_t)j * n + from;
      double shift = centre ? centre[j] : 0;
      for (size_t r = 0; r < DPD_BLOCK_ROWS; r++)
        packed[r] = r < rows ? column[r] - shift : 0;
    }
  }
}

/* Four directions, half a block at a time: eight narrow registers, or four wide ones. */
static DPD_FORCE_INLINE void project_four(const double *block, int d, const double *dirs,
                                          double *out, size_t stride)
{
  const double *u0 = dirs, *u1 = u0 + d, *u2 = u1 + d, *u3 = u2 + d;
  for (int half = 0; half < DPD_BLOCK_ROWS; half += 4) {
    lane4 s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0}, x;
    for (int j = 0; j < d; j++) {
      memcpy(&x, block + j * DPD_BLOCK_ROWS + half, sizeof x);
      s0 += x * u0[j];
      s1 += x * u1[j];
      s2 += x * u2[j];
      s3 += x * u3[j];
    }
    memcpy(out + half, &s0, sizeof s0);
    memcpy(out + half + stride, &s1, sizeof s1);
    memcpy(out + half + 2 * stride, &s2, sizeof s2);
    memcpy(out + half + 3 * stride, &s3, sizeof s3);
  }
}

static DPD_FORCE_INLINE void project_one(const double *block, int d, const double *u, double *out)
{
  lane4 s0 = {0}, s1 = {0}, x0, x1;
  for (int j = 0; j < d; j++) {
    memcpy(&x0, block + j * DPD_BLOCK_ROWS, sizeof x0);
    memcpy(&x1, block + j * DPD_BLOCK_ROWS + 4, sizeof x1);
    s0 += x0 * u[j];
    s1 += x1 * u[j];
  }
  memcpy(out, &s0, sizeof s0);
  memcpy(out + 4, &s1, sizeof s1);
}

static DPD_FORCE_INLINE void project_packed(const double *packed, size_t n, int d,
                                            const double *dirs, int count, double *out)
{
  size_t stride = dpd_padded(n), size = (size_t)d * DPD_BLOCK_ROWS;
  for (size_t from = 0; from < n; from += DPD_BLOCK_ROWS, packed += size) {
    int u = 0;
    for (; u + 4 <= count; u += 4)
      project_four(packed, d, dirs + (size_t)u * (size_t)d, out + (size_t)u * stride + from,
                   stride);
    for (; u < count; u++)
      project_one(packed, d, dirs + (size_t)u * (size_t)d, out + (size_t)u * stride + from);
  }
}

DPD_WIDE static void project_wide(const double *packed, size_t n, int d, const double *dirs,
                                  int count, double *out)
{
  if (d == 3) /* known to the compiler: without an inner loop */
    project_packed(packed, n, 3, dirs, count, out);
  else
    project_packed(packed, n, d, dirs, count, out);
}

void dpd_project_block(const double *packed, size_t n, int d, const double *dirs, int count,
                       double *out)
{
  if (DPD_HAS_WIDE)
    project_wide(packed, n, d, dirs, count, out);
  else
    project_packed(packed, n, d, dirs, count, out);
}
