/* score_simplicial_3d.c - simplicial depth in space as an integer score.
 *
 * METHOD: the score is the number of closed tetrahedra of rows that hold the point. Bound over a
 *   box, with c a lattice point of it: if a tetrahedron meets the box and does not hold c, the way
 *   from c to a point of both enters it through a face, at a point of the box; the face's plane
 *   has c strictly on one side, and the fourth row is not strictly on that side. (In a flat
 *   tetrahedron some face meets the box, and the fourth row lies in its plane; a face that is a
 *   segment or a point has no side.) So the bound is the score at c and, for each triangle of rows
 *   that meets the box, the number of other rows that are not strictly on the side of c: all of
 *   them if c is not strictly on a side. These numbers are counted once, for both sides.
 *   Triangle and box: the bounding box, the plane, and the nine products of edges and axes.
 * EXACTNESS: coordinates of at most 2^24 make normals and products of edges exact; a side that is
 *   nearer to zero than rounding counts as none.
 * COST: O(n^2 log n) per score; O(n^3) per bound, 2 bytes for each side of each triangle; O(n^4)
 *   once.
 * DEGENERATE: equal, collinear and coplanar rows make the bound higher, not wrong. Boxes lie along
 *   the axes, so that draws are slow where rows lie near a plane or a line.
 * REFERENCE: Liu (1990), On a notion of data depth based on random simplices.
 */
#include "mech/score_simplicial_3d.h"

#include <math.h>
#include <string.h>

#include "depth/simplicial_3d.h"
#include "num/binomial.h"

/* More than the relative rounding error of a sum of three products. */
static const double SIDE_SLACK = 0x1p-50;

typedef struct {
  int n;
  bool bounds;
  uint64_t all;
  double *x[3]; /* the rows by column; the first one rises if there are bounds */
  double *y;    /* 3 n: the rows, less the middle of a box */
  /* Of triangle i < j < k, in that order of loops: how many rows are not surely in front of its
   * plane, and how many not surely behind. */
  uint16_t (*beyond)[2];
  void *work;
} space;

typedef struct {
  double a[3], normal[3]; /* the first row; exact */
} plane;

/* center: less mid, which is half a whole number at most, so that differences are exact. */
typedef struct {
  double mid[3], half[3], center[3];
} cuboid;

/* Three rows, less the middle of the box: v[row][coordinate]. */
typedef struct {
  double v[3][3];
} triangle;

static inline plane plane_of(const triangle *t)
{
  plane p;
  double u[3], v[3];
  for (int c = 0; c < 3; c++) {
    p.a[c] = t->v[0][c];
    u[c] = t->v[1][c] - p.a[c];
    v[c] = t->v[2][c] - p.a[c];
  }
  for (int c = 0; c < 3; c++) {
    int d = (c + 1) % 3, e = (c + 2) % 3;
    p.normal[c] = u[d] * v[e] - u[e] * v[d];
  }
  return p;
}

/* 1 surely in front, -1 surely behind, 0 neither: beside a plane without normal, too. */
static inline int side_of(const plane *p, double x, double y, double z)
{
  double u = p->normal[0] * (x - p->a[0]), v = p->normal[1] * (y - p->a[1]);
  double w = p->normal[2] * (z - p->a[2]), sum = u + v + w;
  double slack = SIDE_SLACK * (fabs(u) + fabs(v) + fabs(w));
  return sum > slack ? 1 : sum < -slack ? -1 : 0;
}

static inline bool plane_meets(const plane *p, const cuboid *b)
{
  double sum = 0, size = 0, reach = 0;
  for (int c = 0; c < 3; c++) {
    double term = p->normal[c] * p->a[c];
    sum += term;
    size += fabs(term);
    reach += fabs(p->normal[c]) * b->half[c];
  }
  return fabs(sum) <= reach + SIDE_SLACK * (size + reach);
}

/* No product of an edge and an axis separates the triangle from the box: exact. */
static bool edges_meet(const triangle *t, const cuboid *b)
{
  for (int r = 0; r < 3; r++) {
    const double *from = t->v[r], *to = t->v[(r + 1) % 3], *other = t->v[(r + 2) % 3];
    for (int c = 0; c < 3; c++) {
      int d = (c + 1) % 3, e = (c + 2) % 3;
      double along = to[d] - from[d], across = to[e] - from[e];
      double p = across * from[d] - along * from[e], q = across * other[d] - along * other[e];
      double reach = fabs(across) * b->half[d] + fabs(along) * b->half[e];
      if (fmin(p, q) > reach || fmax(p, q) < -reach) return false;
    }
  }
  return true;
}

/* Bounding boxes, but for the first coordinate, which the loops look at. */
static inline bool extents_meet(const triangle *t, const cuboid *b)
{
  for (int c = 1; c < 3; c++) {
    double p = t->v[0][c], q = t->v[1][c], r = t->v[2][c], half = b->half[c];
    if (p > half && q > half && r > half) return false;
    if (p < -half && q < -half && r < -half) return false;
  }
  return true;
}

/* How many tetrahedra on this triangle may meet the box and not hold its centre. */
static inline uint64_t excess_of(const space *s, const triangle *t, const uint16_t beyond[2],
                                 const cuboid *b)
{
  if (!extents_meet(t, b)) return 0;
  plane p = plane_of(t);
  if (!plane_meets(&p, b) || !edges_meet(t, b)) return 0;
  int side = side_of(&p, b->center[0], b->center[1], b->center[2]);
  return side > 0 ? beyond[0] : side < 0 ? beyond[1] : (uint64_t)s->n - 3;
}

static dpd_u128 score_at(void *ctx, const double *z)
{
  const space *s = ctx;
  const double *const x[3] = {s->x[0], s->x[1], s->x[2]};
  const double exact[3] = {0, 0, 0};
  return s->all - dpd_simplicial3_outside(x, s->n, z, exact, s->work);
}

static dpd_u128 score_bound(void *ctx, const dpd_score_box *box)
{
  const space *s = ctx;
  if (!s->bounds) return s->all;
  cuboid b;
  double center[3];
  triangle t;
  for (int c = 0; c < 3; c++) {
    b.mid[c] = (box->lo[c] + box->hi[c]) / 2;
    b.half[c] = (box->hi[c] - box->lo[c]) / 2;
    center[c] = floor(b.mid[c]);
    b.center[c] = center[c] - b.mid[c];
    for (int i = 0; i < s->n; i++)
      s->y[3 * i + c] = s->x[c][i] - b.mid[c];
  }
  dpd_u128 sum = score_at(ctx, center);
  size_t at = 0;
  int n = s->n;
  for (int i = 0; i < n - 2 && sum < s->all; i++) {
    memcpy(t.v[0], s->y + 3 * i, sizeof t.v[0]);
    for (int j = i + 1; j < n - 1; j++) {
      memcpy(t.v[1], s->y + 3 * j, sizeof t.v[1]);
      if (s->x[0][i] <= box->hi[0])
        for (int k = n - 1; k > j && s->x[0][k] >= box->lo[0]; k--) {
          memcpy(t.v[2], s->y + 3 * k, sizeof t.v[2]);
          sum += excess_of(s, &t, s->beyond[at + (size_t)(k - j - 1)], &b);
        }
      at += (size_t)(n - 1 - j);
    }
  }
  return sum < s->all ? sum : s->all;
}

static void sort_rows(space *s)
{
  for (int i = 1; i < s->n; i++)
    for (int k = i; k > 0 && s->x[0][k] < s->x[0][k - 1]; k--)
      for (int c = 0; c < 3; c++) {
        double other = s->x[c][k];
        s->x[c][k] = s->x[c][k - 1];
        s->x[c][k - 1] = other;
      }
}

static void count_sides(space *s, void (*pause)(void))
{
  size_t at = 0;
  triangle t;
  for (int i = 0; i < s->n - 2; i++) {
    if (pause) pause();
    for (int j = i + 1; j < s->n - 1; j++)
      for (int k = j + 1; k < s->n; k++, at++) {
        for (int c = 0; c < 3; c++) {
          t.v[0][c] = s->x[c][i];
          t.v[1][c] = s->x[c][j];
          t.v[2][c] = s->x[c][k];
        }
        plane p = plane_of(&t);
        int others = s->n, front = 0, behind = 0;
        for (int l = 0; l < s->n; l++) {
          if (l == i || l == j || l == k) {
            others--;
            continue;
          }
          int side = side_of(&p, s->x[0][l], s->x[1][l], s->x[2][l]);
          front += side > 0;
          behind += side < 0;
        }
        s->beyond[at][0] = (uint16_t)(others - front);
        s->beyond[at][1] = (uint16_t)(others - behind);
      }
  }
}

void dpd_score_simplicial3_open(dpd_depth_score *out, const dpd_score_spec *spec, dpd_alloc alloc)
{
  space *s = alloc(1, sizeof *s);
  size_t n = (size_t)spec->from->n;
  memset(s, 0, sizeof *s);
  s->n = spec->from->n;
  s->bounds = spec->bounds && s->n <= DPD_SIMPLICIAL3_BOUNDED;
  s->all = dpd_choose(n, 4);
  for (size_t c = 0; c < 3; c++) {
    s->x[c] = alloc(n, sizeof *s->x[c]);
    for (size_t i = 0; i < n; i++)
      s->x[c][i] = spec->from->rows[3 * i + c];
  }
  s->work = alloc(dpd_simplicial3_scratch(s->n), 1);
  if (s->bounds) {
    s->y = alloc(3 * n, sizeof *s->y);
    s->beyond = alloc((size_t)dpd_choose(n, 3), sizeof *s->beyond);
    sort_rows(s);
    count_sides(s, spec->pause);
  }
  *out = (dpd_depth_score){.most = s->all, .sensitivity = dpd_choose(n - 1, 3), .ctx = s};
  out->at = score_at;
  out->bound = score_bound;
}
