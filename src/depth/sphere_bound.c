/* sphere_bound.c - how few rows any halfspace through a row's great circle can hold.
 *
 * METHOD: the sphere is covered by the cones over a grid on the sides of a cube. A row that is on
 *   one side of a cone's four edges is on that side of all directions in it, as these are sums of
 *   the edges with factors >= 0. So a direction of the cone has no fewer rows inside than are on
 *   the positive side of all edges, and its opposite no fewer than on the negative one. The least
 *   of these over the cones that the great circle of row i meets, those of which row i is not on
 *   one side, bounds all directions of that circle.
 * EXACTNESS (e = NULL): |v| <= 2^26 and edges <= 2^5: products and sums are exact.
 * ROUNDING: a row counts as on one side only if u'v is beyond 2^-12 max|v_k| times the grid's size,
 *   for edges u of which the largest coordinate is that size: so u'v is beyond that part of sums
 *   of edges, too, far above all that rounding and errors, 2^-30 of the row at most, do. Rows
 *   above 2^1000 are refused: an infinite product would decide their side.
 * COST: O(grid^2 n): some multiplications per row and edge, in vector registers, and a bit for
 *   it.
 * DEGENERATE: rows that count on no side of a cone are on circles that meet it.
 */
#include "depth/sphere_bound.h"

#include <math.h>
#include <string.h>

#include "num/scratch.h"
#include "num/simd.h"

#define MOST_SIZE 0x1p1000 /* sums of products with edges stay finite */

enum { GRID = 10, FEW = 100, WORD = 64 };

/* Four numbers side by side, and what a comparison of them gives. */
typedef double lane4 __attribute__((vector_size(32)));
typedef int64_t mask4 __attribute__((vector_size(32)));

typedef struct {
  double *v[3], *margin; /* padded to whole words by zeros, which are on no side */
  uint64_t *side[2][2];  /* of two rows of the grid: on the positive and on the negative side */
  size_t words;
  int n, *bound;
} sphere;

static size_t lay_out(sphere *s, int n, void *work)
{
  dpd_scratch a = {work, 0};
  s->n = n;
  s->words = ((size_t)n + WORD - 1) / WORD;
  for (int k = 0; k < 3; k++)
    s->v[k] = dpd_scratch_take(&a, s->words * WORD, sizeof(double));
  s->margin = dpd_scratch_take(&a, s->words * WORD, sizeof(double));
  for (int k = 0; k < 4; k++)
    s->side[k / 2][k % 2] = dpd_scratch_take(&a, (GRID + 1) * s->words, sizeof(uint64_t));
  return a.used + DPD_LINE;
}

size_t dpd_sphere_bound_scratch(int n)
{
  sphere s;
  return lay_out(&s, n, NULL);
}

/* The rows, with margins; false if some error or row is too large. */
static bool set_rows(sphere *s, const dpd_sphere_rows *r)
{
  size_t padded = s->words * WORD;
  bool good = true;
  for (int i = 0; i < s->n; i++) {
    double size = 0;
    for (int k = 0; k < 3; k++) {
      s->v[k][i] = r->v[k][i];
      size = fmax(size, fabs(r->v[k][i]));
    }
    s->margin[i] = r->e != NULL ? GRID * 0x1p-12 * size : 0;
    good &= r->e == NULL || (r->e[i] <= 0x1p-30 * size && size <= MOST_SIZE);
  }
  for (size_t i = (size_t)s->n; i < padded; i++)
    s->v[0][i] = s->v[1][i] = s->v[2][i] = s->margin[i] = 0;
  return good;
}

/* The row of bit 16 lane + step is 4 step + lane of its word. */
static uint64_t join(const mask4 *part)
{
  const mask4 p = *part;
  return (uint64_t)p[0] | (uint64_t)p[1] << 16 | (uint64_t)p[2] << 32 | (uint64_t)p[3] << 48;
}

/* On which side of edge u the rows are. */
static DPD_FORCE_INLINE void find_sides(const sphere *s, const double u[3], uint64_t *positive,
                                        uint64_t *negative)
{
  for (size_t w = 0; w < s->words; w++) {
    mask4 above = {0}, below = {0}, bit = {1, 1, 1, 1};
    for (size_t i = w * WORD; i < (w + 1) * WORD; i += 4, bit += bit) {
      lane4 x, y, z, margin;
      memcpy(&x, s->v[0] + i, sizeof x);
      memcpy(&y, s->v[1] + i, sizeof y);
      memcpy(&z, s->v[2] + i, sizeof z);
      memcpy(&margin, s->margin + i, sizeof margin);
      x = x * u[0] + y * u[1] + z * u[2];
      above |= (x > margin) & bit;
      below |= (-x > margin) & bit;
    }
    positive[w] = join(&above);
    negative[w] = join(&below);
  }
}

/* Lowers the bounds of the rows whose bits are set in word w. */
static DPD_FORCE_INLINE void lower(const sphere *s, size_t w, uint64_t bits, int bound)
{
  for (; bits != 0; bits &= bits - 1) {
    int b = __builtin_ctzll(bits), i = (int)w * WORD + 4 * (b % 16) + b / 16;
    if (i < s->n && bound < s->bound[i]) s->bound[i] = bound;
  }
}

/* One cone: edges k and k + 1 of both rows of the grid. */
static DPD_FORCE_INLINE void look_at_cone(const sphere *s, size_t k)
{
  const uint64_t *p = s->side[0][0] + k * s->words, *q = s->side[1][0] + k * s->words,
                 *a = s->side[0][1] + k * s->words, *b = s->side[1][1] + k * s->words;
  size_t next = s->words;
  int positive = 0, negative = 0;
  for (size_t w = 0; w < s->words; w++) {
    positive += __builtin_popcountll(p[w] & p[next + w] & q[w] & q[next + w]);
    negative += __builtin_popcountll(a[w] & a[next + w] & b[w] & b[next + w]);
  }
  int bound = positive < negative ? positive : negative;
  for (size_t w = 0; w < s->words; w++) {
    uint64_t up = p[w] & p[next + w] & q[w] & q[next + w],
             down = a[w] & a[next + w] & b[w] & b[next + w];
    lower(s, w, ~(up | down), bound);
  }
}

/* The cones over one side of the cube, that of axis c; those of the side across are opposite. */
static DPD_FORCE_INLINE void look_at_side(sphere *s, int c)
{
  double u[3];
  u[c] = GRID;
  for (int i = 0; i <= GRID; i++) {
    uint64_t *const *at = s->side[i % 2];
    u[(c + 1) % 3] = 2 * i - GRID;
    for (int k = 0; k <= GRID; k++) {
      u[(c + 2) % 3] = 2 * k - GRID;
      find_sides(s, u, at[0] + (size_t)k * s->words, at[1] + (size_t)k * s->words);
    }
    for (size_t k = 0; k < GRID && i > 0; k++)
      look_at_cone(s, k);
  }
}

DPD_WIDE static void look_wide(sphere *s, int c)
{
  look_at_side(s, c);
}

bool dpd_sphere_bound(const dpd_sphere_rows *r, void *work, int *bound)
{
  sphere s;
  if (r->n < FEW) return false;
  lay_out(&s, r->n, work);
  if (!set_rows(&s, r)) return false;
  s.bound = bound;
  for (int i = 0; i < r->n; i++)
    bound[i] = r->n;
  for (int c = 0; c < 3; c++)
    if (DPD_HAS_WIDE)
      look_wide(&s, c);
    else
      look_at_side(&s, c);
  return true;
}
