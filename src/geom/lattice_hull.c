/* lattice_hull.c - outer polytopes of lattice points in space, with proofs by linear duality.
 *
 * METHOD: each corner lies on three faces, and has three edges: corners of more faces are several
 *   at one place. A cut keeps the corners that are not beyond, and adds one on each edge that
 *   leaves them. So far doubles, and nothing is said of the points by them.
 *   A form a is at most its value at a corner at all points of the faces if a = sum mu_i a_i over
 *   the corner's faces with no mu_i below 0. mu_i = det(.., a, ..) / det(a_0, a_1, a_2),
 *   determinants of whole numbers, which decide the sign; where one is below 0 the edge that leaves
 *   that face leads to a higher corner.
 * EXACT: coefficients are of B = 41 bits: cross products of 2 B + 1 bits, determinants below
 *   3 2^(3 B + 1). The corner is sought from the whole numbers z next to it: faces are met at
 *   z + x, x = sum (c_i - a_i'z) q_i / det, q_i the cross products, where |c_i - a_i'z| < 2^42:
 *   sums below 3 2^125. z is moved until |x| is at most 1: so x, a quotient of two whole numbers
 *   that are rounded, is off by less than 2^-51, and the sum of a form a over x by less than
 *   2^-50 sum |a_j|. The slack, 2^-49 sum |a_j|, is more; the form's whole number a'z is exact.
 * COST: a cut O(corners); a proof O(1) and O(corners) for the highest one.
 * DEGENERATE: a corner counts as beyond a new face only if it is farther than rounding; where faces
 *   meet in no point that is found, or nearly parallel ones far away, the hull is not cut.
 */
#include "geom/lattice_hull.h"

#include <math.h>
#include <string.h>

enum {
  STEPS = 12, /* to a higher corner */
  TRIES = 6   /* to find the whole numbers next to a corner */
};
#define SLACK 0x1p-49 /* of a form at a corner, in parts of the sum of its coefficients */
#define NEAR 0x1p42   /* of a face at the whole numbers next to a corner */

typedef struct {
  dpd_i128 q[3][3], det;
} corner_dual;

static void cross(const int64_t *a, const int64_t *b, dpd_i128 *q)
{
  for (int j = 0; j < 3; j++) {
    int k = (j + 1) % 3, l = (j + 2) % 3;
    q[j] = (dpd_i128)a[k] * b[l] - (dpd_i128)a[l] * b[k];
  }
}

static dpd_i128 dot_exact(const dpd_i128 *q, const int64_t *a)
{
  return q[0] * a[0] + q[1] * a[1] + q[2] * a[2];
}

static corner_dual dual_of(const dpd_hull *h, int k)
{
  const uint8_t *f = h->f[k];
  const int64_t *a = h->face[f[0]].a, *b = h->face[f[1]].a, *c = h->face[f[2]].a;
  corner_dual d = {.det = 0};
  cross(b, c, d.q[0]);
  cross(c, a, d.q[1]);
  cross(a, b, d.q[2]);
  d.det = dot_exact(d.q[0], a);
  return d;
}

static inline double size_of(const int64_t *a)
{
  return fabs((double)a[0]) + fabs((double)a[1]) + fabs((double)a[2]);
}

static dpd_i128 value_at(const int64_t *a, const dpd_hull *h, int k)
{
  return (dpd_i128)a[0] * (int64_t)h->z[0][k] + (dpd_i128)a[1] * (int64_t)h->z[1][k] +
         (dpd_i128)a[2] * (int64_t)h->z[2][k];
}

static inline double value_of_rest(const int64_t *a, const dpd_hull *h, int k)
{
  return (double)a[0] * h->rest[0][k] + (double)a[1] * h->rest[1][k] + (double)a[2] * h->rest[2][k];
}

/* How far the corner's faces are beyond its whole numbers; false: too far for exact sums. */
static bool set_gaps(const dpd_hull *h, int k, int64_t gap[3])
{
  for (int i = 0; i < 3; i++) {
    const dpd_halfspace *f = h->face + h->f[k][i];
    const dpd_i128 c = f->c - value_at(f->a, h, k);
    if (!(fabs((double)c) < NEAR)) return false;
    gap[i] = (int64_t)c;
  }
  return true;
}

/* About where the faces meet, from whole numbers that are far from there. */
static void step_nearer(dpd_hull *h, int k, const corner_dual *d)
{
  for (int i = 0; i < 3; i++) {
    const dpd_halfspace *f = h->face + h->f[k][i];
    const double c = (double)(f->c - value_at(f->a, h, k)) / (double)d->det;
    for (int j = 0; j < 3; j++)
      h->rest[j][k] = (i > 0 ? h->rest[j][k] : 0) + c * (double)d->q[i][j];
  }
}

/* Where the corner's faces meet; false: not found. */
static bool settle(dpd_hull *h, int k)
{
  const corner_dual d = dual_of(h, k);
  if (d.det == 0) return false;
  for (int t = 0; t < TRIES; t++) {
    int64_t gap[3];
    for (int j = 0; j < 3; j++) {
      h->z[j][k] = rint(h->x[j][k]);
      if (!(fabs(h->z[j][k]) <= 2 * h->reach)) return false;
    }
    bool found = set_gaps(h, k, gap);
    if (!found) step_nearer(h, k, &d);
    for (int j = 0; j < 3 && found; j++)
      h->rest[j][k] =
          (double)(d.q[0][j] * gap[0] + d.q[1][j] * gap[1] + d.q[2][j] * gap[2]) / (double)d.det;
    for (int j = 0; j < 3; j++) {
      h->x[j][k] = h->z[j][k] + h->rest[j][k];
      found = found && fabs(h->rest[j][k]) <= 1;
    }
    if (found) return true;
  }
  return false;
}

void dpd_hull_set_box(dpd_hull *h, const double lo[3], const double hi[3])
{
  double reach = 1;
  h->corners = 8;
  h->faces = (1u << 6) - 1;
  for (int j = 0; j < 3; j++) {
    reach = fmax(reach, fmax(fabs(lo[j]), fabs(hi[j])));
    for (int s = 0; s < 2; s++) {
      dpd_halfspace *f = h->face + 2 * j + s;
      *f = (dpd_halfspace){.c = s ? (int64_t)hi[j] : -(int64_t)lo[j]};
      f->a[j] = s ? 1 : -1;
    }
  }
  h->reach = reach;
  for (int k = 0; k < 8; k++)
    for (int j = 0; j < 3; j++) {
      int s = k >> j & 1;
      h->x[j][k] = h->z[j][k] = s ? hi[j] : lo[j];
      h->rest[j][k] = 0;
      h->f[k][j] = (uint8_t)(2 * j + s);
      h->next[k][j] = (uint8_t)(k ^ (1 << j));
    }
}

/* New corners that stand on a face and the new one, waiting for the other end of their edge. */
typedef struct {
  int8_t corner[DPD_HULL_FACES][2];
  uint8_t count[DPD_HULL_FACES];
} edge_ends;

/* A hull that is cut: how far its corners are beyond, and where those that are kept stand. */
typedef struct {
  const dpd_hull *whole;
  int face; /* the new one */
  double off[DPD_HULL_CORNERS];
  uint8_t place[DPD_HULL_CORNERS];
} hull_cut;

/* Corner `k` is kept, its neighbour along edge i beyond: a corner between. */
static void add_between(const hull_cut *c, int k, int i, dpd_hull *out)
{
  const dpd_hull *h = c->whole;
  int w = h->next[k][i], at = out->corners++, kept = c->place[k];
  double t = c->off[k] < 0 ? c->off[k] / (c->off[k] - c->off[w]) : 0;
  for (int j = 0; j < 3; j++)
    out->x[j][at] = h->x[j][k] + t * (h->x[j][w] - h->x[j][k]);
  /* it leaves face i of k for the new one; along that edge it comes back to k */
  out->f[at][0] = (uint8_t)c->face;
  out->f[at][1] = h->f[k][(i + 1) % 3];
  out->f[at][2] = h->f[k][(i + 2) % 3];
  out->next[at][0] = (uint8_t)kept;
  out->next[kept][i] = (uint8_t)at;
}

/* Joins the new corners along the edges of the new face. */
static bool join_new(dpd_hull *out, int first)
{
  edge_ends e;
  memset(e.count, 0, sizeof e.count);
  for (int k = first; k < out->corners; k++)
    for (int i = 1; i < 3; i++) {
      int f = out->f[k][i];
      if (e.count[f] == 2) return false;
      e.corner[f][e.count[f]++] = (int8_t)k;
    }
  for (int k = first; k < out->corners; k++)
    for (int i = 1; i < 3; i++) {
      int f = out->f[k][i];
      if (e.count[f] != 2) return false;
      /* the edge on face f leaves the other one, 3 - i */
      out->next[k][3 - i] = (uint8_t)(e.corner[f][0] == k ? e.corner[f][1] : e.corner[f][0]);
    }
  return true;
}

static int free_face(uint64_t faces)
{
  for (int f = 0; f < DPD_HULL_FACES; f++)
    if ((faces >> f & 1) == 0) return f;
  return -1;
}

/* The corners that are not beyond, and those between; false: they do not join. */
static bool make_cut(hull_cut *c, double room, dpd_hull *out)
{
  const dpd_hull *h = c->whole;
  const double *off = c->off;
  out->corners = 0;
  out->reach = h->reach;
  for (int k = 0; k < h->corners; k++) {
    if (off[k] > room) continue;
    int at = out->corners++;
    c->place[k] = (uint8_t)at;
    for (int j = 0; j < 3; j++) {
      out->x[j][at] = h->x[j][k];
      out->z[j][at] = h->z[j][k];
      out->rest[j][at] = h->rest[j][k];
      out->f[at][j] = h->f[k][j];
    }
  }
  const int kept = out->corners;
  for (int k = 0; k < h->corners; k++)
    for (int i = 0; off[k] <= room && i < 3; i++) {
      if (off[h->next[k][i]] > room)
        add_between(c, k, i, out);
      else
        out->next[c->place[k]][i] = c->place[h->next[k][i]];
    }
  return join_new(out, kept);
}

dpd_hull_change dpd_hull_cut(const dpd_hull *h, const dpd_halfspace *by, dpd_hull *out)
{
  hull_cut c = {.whole = h, .face = free_face(h->faces)};
  const double size = size_of(by->a), room = SLACK * size, clear = 0x1p-46 * size * h->reach;
  int kept = 0, edges = 0;
  for (int k = 0; k < h->corners; k++) {
    c.off[k] = (double)by->a[0] * h->x[0][k] + (double)by->a[1] * h->x[1][k] +
               (double)by->a[2] * h->x[2][k] - (double)by->c;
    if (!(fabs(c.off[k]) > clear))
      c.off[k] = (double)(value_at(by->a, h, k) - by->c) + value_of_rest(by->a, h, k);
    kept += c.off[k] <= room;
  }
  if (kept == h->corners) return DPD_HULL_WHOLE;
  if (kept == 0) return DPD_HULL_EMPTY;
  if (c.face < 0) return DPD_HULL_STUCK;
  for (int k = 0; k < h->corners; k++)
    for (int i = 0; c.off[k] <= room && i < 3; i++)
      edges += c.off[h->next[k][i]] > room;
  if (kept + edges > DPD_HULL_CORNERS || !make_cut(&c, room, out)) return DPD_HULL_STUCK;
  out->faces = 0;
  for (int k = 0; k < out->corners; k++)
    for (int i = 0; i < 3; i++)
      out->faces |= (uint64_t)1 << out->f[k][i];
  for (int f = 0; f < DPD_HULL_FACES; f++)
    if (out->faces >> f & 1) out->face[f] = f == c.face ? *by : h->face[f];
  for (int k = kept; k < out->corners; k++)
    if (!settle(out, k)) return DPD_HULL_STUCK;
  return DPD_HULL_CUT;
}

void dpd_hull_copy(dpd_hull *to, const dpd_hull *from)
{
  const size_t corners = (size_t)from->corners;
  to->corners = from->corners;
  to->faces = from->faces;
  to->reach = from->reach;
  for (int j = 0; j < 3; j++) {
    memcpy(to->x[j], from->x[j], corners * sizeof *to->x[j]);
    memcpy(to->z[j], from->z[j], corners * sizeof *to->z[j]);
    memcpy(to->rest[j], from->rest[j], corners * sizeof *to->rest[j]);
  }
  memcpy(to->f, from->f, corners * sizeof *to->f);
  memcpy(to->next, from->next, corners * sizeof *to->next);
  for (int f = 0; f < DPD_HULL_FACES && from->faces >> f != 0; f++)
    if (from->faces >> f & 1) to->face[f] = from->face[f];
}

void dpd_hull_prove(dpd_hull_proofs *p, const dpd_hull *h)
{
  p->hull = h;
  memset(p->made, 0, sizeof p->made);
}

int dpd_hull_highest(const dpd_hull *h, const int64_t a[3])
{
  const double p = (double)a[0], q = (double)a[1], r = (double)a[2];
  double most = -INFINITY;
  int best = 0;
  for (int k = 0; k < h->corners; k++) {
    double v = p * h->x[0][k] + q * h->x[1][k] + r * h->x[2][k];
    if (v > most) {
      most = v;
      best = k;
    }
  }
  return best;
}

static void make_proof(dpd_hull_proofs *p, int k)
{
  const corner_dual d = dual_of(p->hull, k);
  memcpy(p->q[k], d.q, sizeof d.q);
  p->det[k] = d.det;
  p->made[k] = true;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      p->ray[k][i][j] = (double)d.q[i][j] / (double)d.det;
}

/* Is multiplier i of the form below 0 at corner k? In doubles where that is clear. */
static bool is_negative(const dpd_hull_proofs *p, int k, int i, const int64_t a[3])
{
  const double *ray = p->ray[k][i];
  double mu = 0, size = 0;
  for (int j = 0; j < 3; j++) {
    double v = (double)a[j] * ray[j];
    mu += v;
    size += fabs(v);
  }
  if (fabs(mu) > 0x1p-48 * size) return mu < 0;
  dpd_i128 d = dot_exact(p->q[k][i], a);
  return d != 0 && (d < 0) != (p->det[k] < 0);
}

bool dpd_hull_most(dpd_hull_proofs *p, const int64_t a[3], int corner, dpd_i128 *most)
{
  const dpd_hull *h = p->hull;
  int k = corner;
  for (int s = 0; s < STEPS; s++) {
    int below = -1;
    if (!p->made[k]) make_proof(p, k);
    for (int i = 0; i < 3 && below < 0; i++)
      if (is_negative(p, k, i, a)) below = i;
    if (below < 0) {
      *most = value_at(a, h, k) + (dpd_i128)floor(value_of_rest(a, h, k) + SLACK * size_of(a));
      return true;
    }
    k = h->next[k][below];
  }
  return false;
}

int dpd_hull_face(const dpd_hull *h, int f, int first, int *at)
{
  int count = 0, k = first, from = -1;
  do {
    at[count++] = k;
    int to = -1;
    for (int i = 0; i < 3 && to < 0; i++)
      if (h->f[k][i] != f && h->next[k][i] != from) to = h->next[k][i];
    if (to < 0) break;
    from = k;
    k = to;
  } while (k != first && count < h->corners);
  return count;
}

double dpd_hull_volume(const dpd_hull *h, double x[3][DPD_HULL_CORNERS])
{
  double sum = 0;
  uint64_t seen = 0;
  int at[DPD_HULL_CORNERS];
  const double o[3] = {x[0][0], x[1][0], x[2][0]};
  for (int k = 0; k < h->corners; k++)
    for (int i = 0; i < 3; i++) {
      int f = h->f[k][i];
      if (seen >> f & 1) continue;
      seen |= (uint64_t)1 << f;
      int count = dpd_hull_face(h, f, k, at);
      double part = 0, u[3], v[3], w[3];
      for (int j = 0; j < 3; j++) {
        u[j] = x[j][at[0]] - o[j];
        v[j] = x[j][at[1]] - o[j];
      }
      for (int c = 2; c < count; c++) {
        for (int j = 0; j < 3; j++)
          w[j] = x[j][at[c]] - o[j];
        part += u[0] * (v[1] * w[2] - v[2] * w[1]) + u[1] * (v[2] * w[0] - v[0] * w[2]) +
                u[2] * (v[0] * w[1] - v[1] * w[0]);
        memcpy(v, w, sizeof v);
      }
      sum += fabs(part);
    }
  return sum / 6;
}
