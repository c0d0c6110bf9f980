/* score_simplicial.c - simplicial depth as an integer score, on the line and in the plane.
 *
 * METHOD: the score is the number of closed segments or triangles of rows that hold the point. A
 *   row takes part in C(n - 1, d) of them, which is what one replaced row moves the score by at
 *   most. A row more moves n times the score's share of C(n, d + 1), which is (d + 1) / C(n - 1, d)
 *   times the score, by 1 - d to d + 1.
 *   Bound over a box: a triangle holds no point of it if, seen from any of its points, the three
 *   rows lie in an open half turn. In the coordinates of boxes (geom/shear), in units of half
 *   the box's sides, rows at distance r > rho from the centre, rho the radius about the square, are
 *   seen at angles within asin(rho / r) of those from the centre: arcs shorter than a half turn.
 *   Three arcs that lie in an open half turn are counted at the one that begins first: with the
 *   arcs in the order of their beginnings L, arc i is followed within L_i..L_i + pi by
 *   #{R < L_i + pi} + #{R < L_i - pi} - i - 1 arcs, R their ends, L in 0..2 pi.
 * COST: O(n log n) per score, O(n) per bound, both times the cost of angles.
 * DEGENERATE: rows within rho of the centre are in no triangle that surely misses the box.
 * REFERENCE: Liu (1990), On a notion of data depth based on random simplices.
 */
#include <math.h>
#include <string.h>

#include "depth/simplicial.h"
#include "mech/depth_score.h"
#include "mech/score_simplicial_3d.h"
#include "num/binomial.h"
#include "num/constants.h"
#include "num/sort.h"

/* More than angles and their arcs may be off. */
static const double ANGLE_SLACK = 0x1p-30;

typedef struct {
  dpd_score_spec spec;
  uint64_t all;
  double *sheared;             /* 2 n: the rows in the coordinates of boxes */
  double *x, *y;               /* n each: the rows by column; on the line x rising, y nothing */
  double off[2];               /* how far they may be off */
  double *begin, *end, *spare; /* n each */
  void *work;
} simplicial;

static dpd_u128 score_line(void *ctx, const double *z)
{
  const simplicial *s = ctx;
  return s->all - dpd_simplicial1_outside(s->x, s->spec.from->n, z[0], 0);
}

static dpd_u128 bound_line(void *ctx, const dpd_score_box *box)
{
  const simplicial *s = ctx;
  uint64_t below = 0, above = 0, n = (uint64_t)s->spec.from->n;
  while (below < n && s->x[below] < box->lo[0])
    below++;
  while (above < n && s->x[n - 1 - above] > box->hi[0])
    above++;
  return s->all - dpd_choose(below, 2) - dpd_choose(above, 2);
}

static dpd_u128 score_plane(void *ctx, const double *z)
{
  const simplicial *s = ctx;
  dpd_plane_rows q = {s->x, s->y, s->spec.from->n, z[0], z[1], 0, NULL, NULL, 0};
  return s->all - dpd_simplicial2_outside(&q, s->work);
}

/* The arcs of the rows away from the box; how many there are. */
static int set_arcs(const simplicial *s, const dpd_score_box *box)
{
  double half[2], mid[2];
  int arcs = 0;
  for (int j = 0; j < 2; j++) {
    half[j] = (box->to[j] - box->from[j]) / 2;
    mid[j] = box->from[j] + half[j];
    half[j] += s->off[j];
  }
  const double rho = 1.41421356237309515 * (1 + 0x1p-40);
  for (int i = 0; i < s->spec.from->n; i++) {
    double dx = (s->sheared[2 * i] - mid[0]) / half[0];
    double dy = (s->sheared[2 * i + 1] - mid[1]) / half[1];
    double r = sqrt(dx * dx + dy * dy);
    if (!(r * (1 - ANGLE_SLACK) > rho)) continue;
    double angle = atan2(dy, dx), wide = asin(rho / r) + ANGLE_SLACK;
    double from = angle - wide;
    if (from < 0) from += 2 * DPD_PI;
    s->begin[arcs] = from;
    s->end[arcs++] = from + 2 * wide;
  }
  return arcs;
}

static dpd_u128 bound_plane(void *ctx, const dpd_score_box *box)
{
  const simplicial *s = ctx;
  int arcs = set_arcs(s, box), ahead = 0, behind = 0;
  dpd_u128 outside = 0;
  dpd_sort_doubles(s->begin, (size_t)arcs, s->spare);
  dpd_sort_doubles(s->end, (size_t)arcs, s->spare);
  for (int i = 0; i < arcs; i++) {
    while (ahead < arcs && s->end[ahead] < s->begin[i] + DPD_PI)
      ahead++;
    while (behind < arcs && s->end[behind] < s->begin[i] - DPD_PI)
      behind++;
    int within = ahead + behind - i - 1;
    if (within > 1) outside += dpd_choose((uint64_t)within, 2);
  }
  return outside < s->all ? s->all - outside : 0;
}

/* The rows in the coordinates of boxes: a linear map, so that triangles stay triangles. A lattice
 * point of a box lies within `off` of it there; half a step at least, so that no box is flat. */
static void set_sheared(simplicial *s)
{
  const dpd_projected *p = s->spec.from;
  const double zero[2] = {0, 0};
  for (int j = 0; j < 2; j++) {
    double form[2], constant, off;
    dpd_shear_coordinate(s->spec.shear, j, zero, form, &constant, &off);
    for (int i = 0; i < p->n; i++)
      s->sheared[2 * i + j] = form[0] * s->x[i] + form[1] * s->y[i] + constant;
    s->off[j] = off + 0.5; /* which pays for the sums' rounding, too: below 2^-10 */
  }
}

void dpd_score_simplicial_open(dpd_depth_score *out, const dpd_score_spec *spec, dpd_alloc alloc)
{
  const dpd_projected *p = spec->from;
  if (p->d == 3) {
    dpd_score_simplicial3_open(out, spec, alloc);
    return;
  }
  simplicial *s = alloc(1, sizeof *s);
  size_t n = (size_t)p->n;
  memset(s, 0, sizeof *s);
  s->spec = *spec;
  s->x = alloc(7 * n, sizeof *s->x);
  s->y = s->x + n;
  s->begin = s->y + n;
  s->end = s->begin + n;
  s->spare = s->end + n;
  s->sheared = s->spare + n;
  for (size_t i = 0; i < n; i++) {
    s->x[i] = p->rows[i * (size_t)p->d];
    if (p->d == 2) s->y[i] = p->rows[2 * i + 1];
  }
  s->all = dpd_choose(n, p->d + 1);
  *out = (dpd_depth_score){.most = s->all, .sensitivity = dpd_choose(n - 1, p->d), .ctx = s};
  out->times = p->d + 1;
  out->added = 2 * (dpd_u128)p->d * out->sensitivity;
  if (p->d == 1) {
    dpd_sort_doubles(s->x, n, s->spare);
    out->at = score_line;
    out->bound = bound_line;
  } else {
    set_sheared(s);
    s->work = alloc(dpd_simplicial2_scratch(p->n), 1);
    out->at = score_plane;
    out->bound = bound_plane;
  }
}
