/* simplicial_3d.c - simplicial depth in space: how many tetrahedra of rows miss a point.
 *
 * METHOD: let v_i = x_i - p, not zero, and u a direction orthogonal to none. Call row i red if
 *   u'v_i > 0 and blue if not, and let w_i = v_i / u'v_i, points of a plane. By Radon, a set of
 *   rows does not hold p if and only if a line strictly separates its red w from its blue w. So of
 *   the sets of four there are: all of one colour; three red and a blue outside their closed
 *   triangle, which the planar method counts around each blue row, and the same with colours
 *   changed; and pairs of a red and a blue segment without a common point. Such a pair has one
 *   common tangent with the red segment on its left and the blue one on its right, both closed.
 *   From its last red point a to its first blue point c: the second red row is left of the line,
 *   behind a on it, or at a (and later in the data); the second blue row is right of it, beyond c,
 *   or at c. Over the blue rows that share a direction from a, "beyond or at" makes C(b, 2) in all,
 *   in whatever order. So sorted directions around each red row give all pairs. Directions from w_a
 *   to w_j are those of v_j, projected along v_a, times the colour of j.
 * EXACTNESS: |v| <= 2^26 makes the projected coordinates exact below 2^53, as in
 *   depth/halfspace_3d.c.
 * ROUNDING: as there. Of a few fixed u the one is taken that is clearest of the data. If each is
 *   orthogonal to a row, u = (1, t, t^2 mod P) are tried, t = 0, 1, ..., P a prime: a row over its
 *   coordinates' common divisor, (a, b, c), is orthogonal to at most two of them, as
 *   a + b t + c t^2 has two zeros mod P at most. P > 2 n, so that whole rows leave one.
 * COST: O(n^2) expected, O(n^2 log n) at worst.
 * DEGENERATE: rows at p hold p in every set; parallel and coplanar rows are ties of directions.
 * REFERENCE: the sets counted are those of Liu (1990). Other O(n^2) methods (Gil, Steiger and
 *   Wigderson, 1992; Cheng and Ouyang, 2001) take general position for granted.
 */
#include "depth/simplicial_3d.h"

#include <math.h>

#include "num/binomial.h"
#include "plane/angle_sort.h"
#include "plane/center.h"

enum { TRIES = 16, CURVE = 262139 };

typedef struct {
  double *v[3], *e; /* rows away from p, less p, and the errors of that */
  double *a, *b, *error;
  signed char *colour; /* 1 red, -1 blue */
  bool exact;
  void *plane;
  int n;
} space;

size_t dpd_simplicial3_scratch(int n)
{
  return 7 * (size_t)n * sizeof(double) + dpd_angle_sort_scratch(n) + (size_t)n;
}

static void lay_out(space *s, int n, void *work)
{
  double **part[] = {&s->v[0], &s->v[1], &s->v[2], &s->e, &s->a, &s->b, &s->error}, *at = work;
  for (int k = 0; k < 7; k++, at += n)
    *part[k] = at;
  s->plane = at;
  s->colour = (signed char *)s->plane + dpd_angle_sort_scratch(n);
}

/* How far u stays from being orthogonal to a row, in errors of the rows; 0 if it is. */
static double clearance(const space *s, const double u[3])
{
  double lowest = INFINITY;
  for (int i = 0; i < s->n; i++) {
    double at = u[0] * s->v[0][i] + u[1] * s->v[1][i] + u[2] * s->v[2][i];
    double size = fabs(s->v[0][i]) + fabs(s->v[1][i]) + fabs(s->v[2][i]);
    double margin = fabs(at) / (s->e[i] + DPD_COORDINATE_EPS * size);
    if (margin < lowest) lowest = margin;
  }
  return lowest;
}

/* Colours by a direction with whole components below 2^20: exact products with exact rows. */
static void choose_colours(space *s)
{
  uint64_t state = 1;
  double best = -1, u[3] = {0, 0, 0};
  for (int t = 0; t < TRIES && !(s->exact && best > 0); t++) {
    double w[3];
    for (int k = 0; k < 3; k++) {
      state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
      w[k] = (double)((int64_t)(state >> 43 | 1) - (1 << 20)); /* odd, so not zero */
    }
    double clear = clearance(s, w);
    if (clear <= best) continue;
    best = clear;
    for (int k = 0; k < 3; k++)
      u[k] = w[k];
  }
  for (int t = 0; t < CURVE && best <= 0; t++) {
    u[0] = 1;
    u[1] = t;
    u[2] = (double)((int64_t)t * t % CURVE);
    best = clearance(s, u);
  }
  for (int i = 0; i < s->n; i++) {
    double at = u[0] * s->v[0][i] + u[1] * s->v[1][i] + u[2] * s->v[2][i];
    s->colour[i] = at > 0 ? 1 : -1;
  }
}

static int largest_coordinate(const space *s, int i)
{
  int c = 0;
  for (int k = 1; k < 3; k++)
    if (fabs(s->v[k][i]) > fabs(s->v[c][i])) c = k;
  return c;
}

/* Directions from w_i to all others, counterclockwise as seen from a fixed side of the plane. */
static void project(const space *s, int i)
{
  int c = largest_coordinate(s, i);
  const double *va = s->v[(c + 1) % 3], *vb = s->v[(c + 2) % 3], *vc = s->v[c];
  double ia = va[i], ib = vb[i], ic = vc[i];
  bool mirrored = (ic < 0) != (s->colour[i] < 0);
  double unit = s->exact ? 1 : ic, ra = ia / unit, rb = ib / unit, rc = ic / unit;
  double k = 1 + fmax(fabs(ia), fabs(ib)) / fabs(ic), share = k * s->e[i] / fabs(ic);
  for (int j = 0; j < s->n; j++) {
    double sign = s->colour[j], side = mirrored ? -sign : sign;
    s->a[j] = side * (va[j] * rc - vc[j] * ra);
    s->b[j] = sign * (vb[j] * rc - vc[j] * rb);
    s->error[j] = k * s->e[j] + share * fabs(vc[j]);
  }
}

static inline uint64_t pairs(uint64_t n)
{
  return n * (n - (n > 0)) / 2;
}

/* Triples of one colour in an open halfplane, from `a` rows of a direction and `s` ahead. */
static uint64_t triples(uint64_t a, uint64_t s)
{
  return a * pairs(s) + pairs(a) * s + dpd_choose(a, 3);
}

/* Rows of one line through w_i, or on one side of it, by colour: own and other. */
typedef struct {
  uint64_t own, other;
} tally;

/* Rows from..to - 1 of the order: at the front of the line (sides[0]), and at its back. */
static void count_rows(const space *s, const dpd_angle_order *r, int from, int to, int colour,
                       tally sides[2])
{
  for (int k = from; k < to; k++) {
    tally *t = &sides[r->code[k] & 1];
    if (s->colour[r->code[k] >> 1] == colour)
      t->own++;
    else
      t->other++;
  }
}

/* Around row i: triples of the other colour that miss it, and, if it is red, disjoint pairs of
 * a red segment that ends there and a blue one. */
static uint64_t count_at_row(const space *s, int i)
{
  dpd_angle_order r;
  int colour = s->colour[i];
  dpd_plane_rows q = {s->a, s->b, s->n, 0, 0, 0, s->exact ? NULL : s->error, NULL, 0};
  dpd_angle_sort(&q, s->plane, &r);
  uint64_t later = 0, count = 0;
  for (int k = r.away; k < s->n; k++)
    later += s->colour[r.code[k] >> 1] == colour && r.code[k] >> 1 > i;
  tally all[2] = {{0, 0}, {0, 0}};
  count_rows(s, &r, 0, r.away, colour, all);
  tally up = all[0], down = all[1]; /* left and right of the line, the line's own ends included */
  for (int g = 0; g < r.groups; g++) {
    tally here[2] = {{0, 0}, {0, 0}};
    count_rows(s, &r, r.start[g], r.start[g + 1], colour, here);
    tally front = here[0], back = here[1];
    tally left = {up.own - front.own, up.other - front.other};
    tally right = {down.own - back.own, down.other - back.other};
    count += triples(front.other, left.other) + triples(back.other, right.other);
    if (colour > 0) {
      count += (left.own + back.own + later) * (front.other * right.other + pairs(front.other));
      count += (right.own + front.own + later) * (back.other * left.other + pairs(back.other));
    }
    up = (tally){left.own + back.own, left.other + back.other};
    down = (tally){right.own + front.own, right.other + front.other};
  }
  return count;
}

uint64_t dpd_simplicial3_outside(const double *const x[3], int n, const double p[3],
                                 const double err[3], void *work)
{
  space s;
  lay_out(&s, n, work);
  s.exact = dpd_center_exact(err, 3);
  s.n = dpd_center_rows(x, n, 3, p, err, &(dpd_centered){s.v, s.e, NULL, NULL});
  choose_colours(&s);
  uint64_t red = 0, outside = 0;
  for (int i = 0; i < s.n; i++)
    red += s.colour[i] > 0;
  uint64_t blue = (uint64_t)s.n - red;
  outside = dpd_choose(red, 4) + dpd_choose(blue, 4);
  if (red == 0 || blue == 0) return outside;
  for (int i = 0; i < s.n; i++) {
    project(&s, i);
    outside += count_at_row(&s, i);
  }
  return outside;
}
