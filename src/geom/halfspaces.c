/* halfspaces.c - intersections of closed halfspaces with integer coefficients, exactly.
 *
 * METHOD: a box is cut by one halfspace after the other. Vertices are kept as quotients of
 *   integers, with the three planes they lie on and the three edges that leave them. An edge from
 *   an inner to an outer vertex gets a new vertex on the new plane; a face with outer vertices has
 *   two of these, which the new face's edge joins. The volume is the sum of the simplices of a
 *   vertex o of the polytope, a vertex p of a face f, and an edge from v to w between f and g:
 *   det(p - o, v - p, w - v) = (b_f - f'o) (b_g - g'p) t, where w - v = t (f x g), and
 *   |t| = (b_h - h'v)/|det(f, g, h)|, h being w's third plane. All factors are exact quotients and
 *   all terms are >= 0, so that thin polytopes have volumes with as many digits as others.
 * EXACTNESS: with |a_j| <= 2^11 and |b| <= 2^52 minors of two directions are at most 2^23,
 *   determinants of three 2^36, a vertex's numerators 3 * 2^75 < 2^77, and det b - a'x is below
 *   2^88 + 3 * 2^88 = 2^90; w'x in ranges is below 3 * 2^117. All fit 128 bits.
 *   Most comparisons are decided in doubles: a vertex's coordinates are at most `size`, the largest
 *   end of the box, to within 2^-51 of it, so that a'x - b is off by less than 3 * 2^11 (2^-51 +
 *   2^-51) size + 2^-51 * (3 * 2^11 size) < 2^-37.4 size as long as |a'x - b| is no larger than
 *   a'x; it is believed beyond 2^-36 size.
 * DEGENERATE: b_k stands for b_k + e_k with infinitesimals 0 < e_0 << e_1 << ... Then no four
 *   planes meet, a closed intersection that is not empty has an interior, and one that is empty
 *   stays so. A vertex on plane k of unperturbed planes is inside the perturbed one, since e_k is
 *   much larger than all that moves the vertex. Volumes and ranges are the limits for e -> 0: those
 *   of the polytope itself.
 * COST: O(vertices) comparisons a halfspace, in vector registers, and O(1) for each vertex that
 *   comes or goes.
 * REFERENCE: Edelsbrunner and Muecke (1990), Simulation of simplicity, ACM Transactions on
 *   Graphics 9; Preparata and Shamos (1985), Computational Geometry, section 7.3.
 */
#include "geom/halfspaces.h"

#include <math.h>
#include <string.h>

#include "num/simd.h"

#define BELIEVED 0x1p-36

/* A simple polytope with F faces has 2 F - 4 vertices; one cut may add as many before it removes
 * any. */
static size_t most_corners(int count)
{
  return 4 * (size_t)count;
}

size_t dpd_halfspaces_scratch(int count)
{
  size_t most = most_corners(count);
  return most * (sizeof(dpd_corner) + 4 * sizeof(double) + 2 * sizeof(int)) +
         (size_t)count * sizeof(int);
}

static void open_solid(dpd_solid *s, const dpd_halfspace *h, int count, void *work)
{
  size_t most = most_corners(count);
  double *at = (double *)((dpd_corner *)work + most);
  *s = (dpd_solid){.h = h, .count = count, .corner = work, .at = {at, at + most, at + 2 * most}};
  s->excess = at + 3 * most;
  void *rest = at + 4 * most;
  s->number = rest;
  s->out = s->number + most;
  s->face = s->out + most;
  for (int k = 0; k < count; k++)
    s->face[k] = -1;
}

static void cross(const int64_t a[3], const int64_t b[3], int64_t c[3])
{
  c[0] = a[1] * b[2] - a[2] * b[1];
  c[1] = a[2] * b[0] - a[0] * b[2];
  c[2] = a[0] * b[1] - a[1] * b[0];
}

static int64_t dot(const int64_t a[3], const int64_t b[3])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Places vertex v where its planes meet. */
static void place(dpd_solid *s, int v)
{
  dpd_corner *c = &s->corner[v];
  int64_t minor[3][3];
  for (int i = 0; i < 3; i++)
    cross(s->h[c->plane[(i + 1) % 3]].a, s->h[c->plane[(i + 2) % 3]].a, minor[i]);
  int64_t det = dot(s->h[c->plane[0]].a, minor[0]), sign = det < 0 ? -1 : 1;
  c->det = sign * det;
  for (int j = 0; j < 3; j++) {
    c->x[j] = 0;
    for (int i = 0; i < 3; i++)
      c->x[j] += (dpd_i128)(sign * minor[i][j]) * s->h[c->plane[i]].b;
    s->at[j][v] = (double)c->x[j] / (double)c->det;
  }
}

/* det (b - a'x) for x the vertex. */
static dpd_i128 room(const dpd_halfspace *h, const dpd_corner *c)
{
  return (dpd_i128)c->det * h->b - (h->a[0] * c->x[0] + h->a[1] * c->x[1] + h->a[2] * c->x[2]);
}

/* Whether vertex v is beyond plane k; not if it is on it, as the plane is moved outward. */
static bool beyond(const dpd_solid *s, int k, int v)
{
  return room(&s->h[k], &s->corner[v]) < 0;
}

/* The eight vertices of the box; false if it is empty. */
static bool open_box(dpd_solid *s)
{
  const dpd_halfspace *h = s->h;
  for (int j = 0; j < 3; j++) {
    const dpd_halfspace *up = &h[2 * j], *down = &h[2 * j + 1];
    if ((dpd_i128)up->b * -down->a[j] < (dpd_i128)-down->b * up->a[j]) return false;
    double high = (double)up->b / (double)up->a[j], low = (double)down->b / (double)down->a[j];
    s->size = fmax(s->size, fmax(fabs(low), fabs(high)));
  }
  for (int v = 0; v < 8; v++) {
    for (int j = 0; j < 3; j++) {
      s->corner[v].plane[j] = 2 * j + (v >> j & 1);
      s->corner[v].next[j] = v ^ 1 << j;
    }
    place(s, v);
    s->number[v] = 0;
  }
  s->n = 8;
  return true;
}

/* Four numbers side by side, and what a comparison of them gives. */
typedef double lane4 __attribute__((vector_size(32)));
typedef int64_t mask4 __attribute__((vector_size(32)));

/* The vertices' a'x - b in doubles; returns whether one of them is `least` or more. */
static DPD_FORCE_INLINE bool find_excess(dpd_solid *s, const dpd_halfspace *h, double least)
{
  const double a = (double)h->a[0], b = (double)h->a[1], c = (double)h->a[2], e = (double)h->b;
  const double *x = s->at[0], *y = s->at[1], *z = s->at[2];
  mask4 some = {0};
  bool any = false;
  int v = 0;
  for (; v + 4 <= s->n; v += 4) {
    lane4 p, q, r;
    memcpy(&p, x + v, sizeof p);
    memcpy(&q, y + v, sizeof q);
    memcpy(&r, z + v, sizeof r);
    p = a * p + b * q + c * r - e;
    memcpy(s->excess + v, &p, sizeof p);
    some |= p >= least;
  }
  for (; v < s->n; v++) {
    s->excess[v] = a * x[v] + b * y[v] + c * z[v] - e;
    any |= s->excess[v] >= least;
  }
  return any || (some[0] | some[1] | some[2] | some[3]) != 0;
}

DPD_WIDE static bool find_excess_wide(dpd_solid *s, const dpd_halfspace *h, double least)
{
  return find_excess(s, h, least);
}

/* Lists the vertices beyond plane k in s->out, in order, and numbers them -1, others being 0;
 * returns how many there are. */
static int classify(dpd_solid *s, int k)
{
  double believed = BELIEVED * s->size;
  bool any =
      DPD_HAS_WIDE ? find_excess_wide(s, &s->h[k], -believed) : find_excess(s, &s->h[k], -believed);
  int out = 0;
  if (!any) return 0;
  for (int v = 0; v < s->n; v++) {
    double e = s->excess[v];
    if (e < -believed || (e <= believed && !beyond(s, k, v))) continue;
    s->number[v] = -1;
    s->out[out++] = v;
  }
  return out;
}

/* Joins the new vertices c and the one noted for face f, or notes c. */
static void pair(dpd_solid *s, int k, int f, int c)
{
  int d = s->face[f];
  s->face[f] = d < 0 ? c : -1;
  if (d < 0) return;
  for (int i = 0; i < 3; i++) {
    dpd_corner *p = &s->corner[c], *q = &s->corner[d];
    if (p->plane[i] != k && p->plane[i] != f) p->next[i] = d;
    if (q->plane[i] != k && q->plane[i] != f) q->next[i] = c;
  }
}

/* A new vertex on the edge of v that leaves its i-th plane. */
static void add_corner(dpd_solid *s, int k, int v, int i)
{
  int c = s->n++;
  dpd_corner *old = &s->corner[v], *fresh = &s->corner[c];
  *fresh = (dpd_corner){.plane = {k, old->plane[(i + 1) % 3], old->plane[(i + 2) % 3]},
                        .next = {v, -1, -1}};
  old->next[i] = c;
  s->number[c] = 0;
  place(s, c);
  pair(s, k, fresh->plane[1], c);
  pair(s, k, fresh->plane[2], c);
}

/* New vertices on the edges from v, which is beyond plane k, to vertices that are not. */
static void cut_edges(dpd_solid *s, int k, int v)
{
  for (int i = 0; i < 3; i++) {
    int w = s->corner[v].next[i];
    if (s->number[w] < 0) continue;
    for (int j = 0; j < 3; j++)
      if (s->corner[w].next[j] == v) add_corner(s, k, w, j);
  }
}

/* Puts vertex `from` in the place of vertex `to`. */
static void move_corner(dpd_solid *s, int from, int to)
{
  const dpd_corner *c = &s->corner[to];
  s->corner[to] = s->corner[from];
  for (int i = 0; i < 3; i++) {
    dpd_corner *other = &s->corner[c->next[i]];
    s->at[i][to] = s->at[i][from];
    for (int j = 0; j < 3; j++)
      if (other->next[j] == from) other->next[j] = to;
  }
}

/* Drops the vertices listed, the last ones taking their places. */
static void drop(dpd_solid *s, int out)
{
  while (out-- > 0) {
    int v = s->out[out];
    s->n--;
    s->number[v] = 0;
    if (v < s->n) move_corner(s, s->n, v);
  }
}

bool dpd_halfspaces_meet(const dpd_halfspace *h, int count, void *work, dpd_solid *solid)
{
  open_solid(solid, h, count, work);
  if (!open_box(solid)) return false;
  for (int k = 6; k < count; k++) {
    int out = classify(solid, k);
    if (out == 0) continue;
    if (out == solid->n) {
      solid->n = 0;
      return false;
    }
    for (int v = 0; v < out; v++)
      cut_edges(solid, k, solid->out[v]);
    drop(solid, out);
  }
  for (int v = 0; v < solid->n; v++)
    for (int i = 0; i < 3; i++)
      solid->face[solid->corner[v].plane[i]] = v;
  return true;
}

/* b - a'x at a vertex: to within a relative error of 2^-51. */
static double distance(const dpd_halfspace *h, const dpd_corner *c)
{
  return (double)room(h, c) / (double)c->det;
}

/* Six times the simplices over the two faces of the edge from v that leaves its i-th plane. */
static double edge_volume(const dpd_solid *s, const dpd_corner *v, int i)
{
  const dpd_corner *w = &s->corner[v->next[i]], *o = &s->corner[0];
  int f = v->plane[(i + 1) % 3], g = v->plane[(i + 2) % 3], third = -1;
  for (int j = 0; j < 3; j++)
    if (w->plane[j] != f && w->plane[j] != g) third = w->plane[j];
  double t = distance(&s->h[third], v) / (double)w->det;
  const dpd_corner *on_f = &s->corner[s->face[f]], *on_g = &s->corner[s->face[g]];
  return t * (distance(&s->h[f], o) * distance(&s->h[g], on_f) +
              distance(&s->h[g], o) * distance(&s->h[f], on_g));
}

/* Errors: 2^-50 for t, 2^-49.4 for what it is multiplied by, and 2^-53 a sum of up to three times
 * 4200 terms / 2: below 2^-38. */
double dpd_solid_volume(const dpd_solid *s)
{
  double sum = 0;
  for (int v = 0; v < s->n; v++)
    for (int i = 0; i < 3; i++)
      if (s->corner[v].next[i] > v) sum += edge_volume(s, &s->corner[v], i);
  return sum / 6;
}

static dpd_i128 form(const dpd_corner *c, const int64_t w[3])
{
  return w[0] * c->x[0] + w[1] * c->x[1] + w[2] * c->x[2];
}

double dpd_corner_form(const dpd_corner *c, const int64_t w[3])
{
  return (double)form(c, w) / (double)c->det;
}

static dpd_i128 floor_div(dpd_i128 a, dpd_i128 b)
{
  dpd_i128 q = a / b;
  return q * b > a ? q - 1 : q;
}

void dpd_solid_range(const dpd_solid *s, const int64_t w[3], int64_t range[2])
{
  range[0] = INT64_MAX;
  range[1] = INT64_MIN;
  for (int v = 0; v < s->n; v++) {
    const dpd_corner *c = &s->corner[v];
    dpd_i128 at = form(c, w);
    int64_t low = (int64_t)-floor_div(-at, c->det), high = (int64_t)floor_div(at, c->det);
    range[0] = low < range[0] ? low : range[0];
    range[1] = high > range[1] ? high : range[1];
  }
}
