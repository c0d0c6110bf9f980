/* halfplanes.c - intersections of closed halfplanes with integer coefficients, exactly.
 *
 * METHOD: linear programming by adding one constraint after the other (Seidel). While the best
 *   point so far satisfies the next halfplane, nothing changes; otherwise the new best is on its
 *   edge, and is an end of the interval that the earlier halfplanes leave there. Points are
 *   crossings of two edges, in homogeneous integers; all comparisons are the sign of
 *   a x + b y - c q.
 * EXACTNESS: with |a|, |b| <= 2^30 and |c| <= 2^60 crossings have |x|, |y| <= 2^91 and q <= 2^61,
 *   and |a x + b y - c q| < 2^123 fits 128 bits. The doubles that most comparisons of the best
 *   point are decided by have |x/q|, |y/q| <= 2^29, as it lies in the rectangle: the value computed
 *   is off by less than 2^11 (2^9 by the rounded crossing, 2^7 by the rounded c, 2^9 by products
 *   and sums), and is believed if it exceeds 2^12.
 * COST: O(count) expected in random order.
 * DEGENERATE: intersections that are points or segments, parallel and equal edges, empty
 *   intersections.
 * REFERENCE: Seidel (1991), Small-dimensional linear programming and convex hulls made easy.
 *   Discrete and Computational Geometry 6.
 */
#include "plane/halfplanes.h"

#include <math.h>

static bool outside(const dpd_line *l, const dpd_crossing *p)
{
  return l->a * p->x + l->b * p->y > (dpd_i128)l->c * p->q;
}

/* Where the edges of two halfplanes cross. Requires: det != 0, their determinant. */
static dpd_crossing cross(const dpd_line *l, const dpd_line *k, int64_t det)
{
  dpd_crossing p = {(dpd_i128)l->c * k->b - (dpd_i128)k->c * l->b,
                    (dpd_i128)l->a * k->c - (dpd_i128)k->a * l->c, det};
  if (det < 0) p = (dpd_crossing){-p.x, -p.y, -det};
  return p;
}

/* Whether the edge of l lies in the halfplane k, parallel to it. */
static bool holds_edge(const dpd_line *l, const dpd_line *k)
{
  /* k's (a, b) are those of l times t = ka/la = kb/lb: t lc <= kc */
  int64_t l0 = l->a != 0 ? l->a : l->b, k0 = l->a != 0 ? k->a : k->b;
  dpd_i128 left = (dpd_i128)k0 * l->c, right = (dpd_i128)k->c * l0;
  return l0 > 0 ? left <= right : left >= right;
}

/* The ends, along (-b, a), of the part of the edge of l[k] that the halfplanes before it leave. */
static bool cut_edge(const dpd_line *l, size_t k, dpd_crossing *low, dpd_crossing *high)
{
  size_t above = k, below = k;
  for (size_t i = 0; i < k; i++) {
    int64_t det = l[k].a * l[i].b - l[k].b * l[i].a;
    if (det == 0) {
      if (!holds_edge(&l[k], &l[i])) return false;
    } else if (det > 0) {
      if (above < k && !outside(&l[i], high)) continue;
      *high = cross(&l[k], &l[i], det);
      above = i;
    } else {
      if (below < k && !outside(&l[i], low)) continue;
      *low = cross(&l[k], &l[i], det);
      below = i;
    }
  }
  /* the rectangle bounds every line on both sides */
  return !outside(&l[above], low);
}

bool dpd_halfplanes_maximum(const dpd_line *l, size_t count, int64_t w1, int64_t w2,
                            dpd_crossing *best)
{
  if (l[0].c < -l[1].c || l[2].c < -l[3].c) return false;
  *best = (dpd_crossing){w1 >= 0 ? l[0].c : -l[1].c, w2 >= 0 ? l[2].c : -l[3].c, 1};
  double x = (double)best->x, y = (double)best->y;
  for (size_t k = 4; k < count; k++) {
    double off = (double)l[k].a * x + (double)l[k].b * y - (double)l[k].c;
    if (off < -0x1p12 || (off <= 0x1p12 && !outside(&l[k], best))) continue;
    dpd_crossing low = *best, high = *best;
    if (!cut_edge(l, k, &low, &high)) return false;
    *best = w2 * l[k].a - w1 * l[k].b >= 0 ? high : low;
    x = (double)best->x / (double)best->q;
    y = (double)best->y / (double)best->q;
  }
  return true;
}

int64_t dpd_crossing_ceiling(const dpd_crossing *p, int w1, int w2)
{
  dpd_i128 value = w1 * p->x + w2 * p->y, whole = value / p->q;
  return (int64_t)whole + (whole * p->q < value);
}

void dpd_crossing_round(const dpd_crossing *p, double z[2])
{
  z[0] = (double)p->x / (double)p->q;
  z[1] = (double)p->y / (double)p->q;
}

static size_t common_divisor(size_t a, size_t b)
{
  while (b > 0) {
    size_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

size_t dpd_halfplanes_stride(size_t count)
{
  size_t stride = (size_t)(0.6180339887498949 * (double)count) + 1;
  while (common_divisor(count, stride) > 1)
    stride++;
  return stride;
}
