/* polygon.c - convex polygons as intersections of halfplanes.
 *
 * METHOD: a convex polygon is clipped by one halfplane at a time (Sutherland and Hodgman). Each
 *   edge remembers its halfplane, so that a new vertex is computed from two halfplanes as given,
 *   and errors do not pile up over cuts; only where they are nearly parallel it is interpolated
 *   along the edge. Two-term inner products are summed by fma() as if in twice the precision.
 * COST: O(vertices) per cut.
 * DEGENERATE: vertices within `tol` of the edge of a halfplane are inside, so a polygon that is
 *   only touched becomes the segment or the point that it is touched in; vertices closer than `tol`
 *   are one.
 * REFERENCE: Sutherland and Hodgman (1974), Reentrant polygon clipping; Jeannerod, Louvet and
 *   Muller (2013), Further analysis of Kahan's algorithm for 2 x 2 determinants.
 */
#include "plane/polygon.h"

#include <math.h>
#include <string.h>

/* a b + c d with an error of at most two units of the last place (Kahan). */
static double inner(double a, double b, double c, double d)
{
  double cd = c * d, rest = fma(c, d, -cd);
  return fma(a, b, cd) + rest;
}

double dpd_halfplane_distance(const dpd_halfplane *h, const double z[2])
{
  return inner(h->u[0], z[0] - h->a[0], h->u[1], z[1] - h->a[1]);
}

static bool near(const dpd_polygon *p, const double a[2], const double b[2])
{
  return fabs(a[0] - b[0]) <= p->tol && fabs(a[1] - b[1]) <= p->tol;
}

/* The crossing of the edge p -> q, at distances from < 0 <= to or reversed, with the edge of h. */
static void crossing(const dpd_vertex *p, const dpd_vertex *q, double from, double to,
                     const dpd_halfplane *h, double z[2])
{
  const dpd_halfplane *e = &p->edge;
  double along[2] = {-e->u[1], e->u[0]}; /* the edge runs this way from e->a */
  double sine = inner(h->u[0], along[0], h->u[1], along[1]);
  double t = from / (from - to);
  for (int k = 0; k < 2; k++)
    z[k] = p->z[k] + t * (q->z[k] - p->z[k]);
  if (fabs(sine) < 0x1p-20) return;
  double away = inner(h->u[0], h->a[0] - e->a[0], h->u[1], h->a[1] - e->a[1]) / sine;
  for (int k = 0; k < 2; k++)
    z[k] = e->a[k] + away * along[k];
}

/* The vertices after a cut, so far. */
typedef struct {
  dpd_vertex *vertex;
  int n;
} outline;

static void push(const dpd_polygon *p, outline *o, const dpd_vertex *v)
{
  /* the later of two that are one decides where to go on */
  if (o->n > 0 && near(p, o->vertex[o->n - 1].z, v->z))
    o->vertex[o->n - 1].edge = v->edge;
  else
    o->vertex[o->n++] = *v;
}

/* An empty outline with room for so many vertices. */
static dpd_status open_outline(dpd_polygon *p, int room, outline *o)
{
  DPD_TRY(dpd_list_reserve(&p->spare, (size_t)room, sizeof *o->vertex));
  *o = (outline){p->spare.item, 0};
  return DPD_OK;
}

/* The outline becomes the polygon. */
static void close_outline(dpd_polygon *p, outline *o)
{
  while (o->n > 1 && near(p, o->vertex[0].z, o->vertex[o->n - 1].z))
    o->n--;
  dpd_list kept = p->kept;
  p->kept = p->spare;
  p->spare = kept;
  p->vertex = o->vertex;
  p->n = o->n;
}

dpd_status dpd_polygon_open(dpd_polygon *p, const double lower[2], const double upper[2],
                            double tol)
{
  static const double normal[4][2] = {{0, -1}, {1, 0}, {0, 1}, {-1, 0}};
  outline o;
  memset(p, 0, sizeof *p);
  p->tol = tol;
  DPD_TRY(open_outline(p, 4, &o));
  for (int k = 0; k < 4; k++) {
    /* lower left, lower right, upper right, upper left */
    dpd_vertex v = {.z = {k == 1 || k == 2 ? upper[0] : lower[0], k >= 2 ? upper[1] : lower[1]}};
    memcpy(v.edge.a, v.z, sizeof v.z);
    memcpy(v.edge.u, normal[k], sizeof v.edge.u);
    push(p, &o, &v);
  }
  close_outline(p, &o);
  return DPD_OK;
}

void dpd_polygon_close(dpd_polygon *p)
{
  dpd_list_close(&p->kept);
  dpd_list_close(&p->spare);
  p->vertex = NULL;
  p->n = 0;
}

dpd_status dpd_polygon_cut(dpd_polygon *p, const dpd_halfplane *h, bool *changed)
{
  const double tol = p->tol;
  int kept = 0;
  outline o;
  for (int k = 0; k < p->n; k++)
    kept += dpd_halfplane_distance(h, p->vertex[k].z) <= tol;
  *changed = kept < p->n;
  if (!*changed) return DPD_OK;
  DPD_TRY(open_outline(p, 2 * p->n, &o)); /* two for each edge, whatever rounds */
  for (int k = 0; k < p->n; k++) {
    const dpd_vertex *v = &p->vertex[k], *w = &p->vertex[k + 1 < p->n ? k + 1 : 0];
    double from = dpd_halfplane_distance(h, v->z), to = dpd_halfplane_distance(h, w->z);
    dpd_vertex cut = {.edge = from <= tol ? *h : v->edge};
    if (from <= tol) {
      dpd_vertex keep = *v;
      if (to > tol && from >= -tol) keep.edge = *h;
      push(p, &o, &keep);
    }
    if ((from < -tol && to > tol) || (from > tol && to < -tol)) {
      crossing(v, w, from, to, h, cut.z);
      push(p, &o, &cut);
    }
  }
  close_outline(p, &o);
  return DPD_OK;
}

/* Twice the area of the triangle that vertex k and the next make with the first. */
static double triangle(const dpd_polygon *p, int k)
{
  const double *o = p->vertex[0].z, *a = p->vertex[k].z, *b = p->vertex[k + 1].z;
  return inner(a[0] - o[0], b[1] - o[1], -(a[1] - o[1]), b[0] - o[0]);
}

double dpd_polygon_area(const dpd_polygon *p)
{
  double sum = 0;
  for (int k = 1; k + 1 < p->n; k++)
    sum += triangle(p, k);
  return 0.5 * sum;
}

/* The length of the longest diagonal, and its middle. */
static double longest(const dpd_polygon *p, double middle[2])
{
  double most = -1;
  for (int i = 0; i < p->n; i++)
    for (int j = 0; j <= i; j++) {
      const double *a = p->vertex[i].z, *b = p->vertex[j].z;
      double length = hypot(a[0] - b[0], a[1] - b[1]);
      if (length <= most) continue;
      most = length;
      middle[0] = a[0] + 0.5 * (b[0] - a[0]);
      middle[1] = a[1] + 0.5 * (b[1] - a[1]);
    }
  return most;
}

void dpd_polygon_centroid(const dpd_polygon *p, double z[2])
{
  double length = longest(p, z), sum = 0, moment[2] = {0, 0};
  if (p->n < 3) return;
  const double *o = p->vertex[0].z;
  for (int k = 1; k + 1 < p->n; k++) {
    double area = triangle(p, k);
    const double *a = p->vertex[k].z, *b = p->vertex[k + 1].z;
    sum += area;
    for (int c = 0; c < 2; c++)
      moment[c] += area * ((a[c] - o[c]) + (b[c] - o[c])) / 3;
  }
  if (sum <= 2 * p->tol * length) return;
  for (int c = 0; c < 2; c++)
    z[c] = o[c] + moment[c] / sum;
}
