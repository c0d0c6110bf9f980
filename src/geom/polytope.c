/* polytope.c - convex polytopes in space as intersections of halfspaces.
 *
 * METHOD: the faces are polygons, each clipped by the new halfspace (Sutherland and Hodgman); the
 *   points where edges are cut, and vertices on the new plane, make the new face, put in order
 *   by their angles about their mean. Volume and centroid by the pyramids over the faces from one
 *   vertex, themselves cut into simplices.
 * COST: O(vertices) a cut.
 * DEGENERATE: vertices within `tol` of the plane are on it; vertices closer than `tol` on the new
 *   face are one; faces of fewer than three vertices are dropped. Polytopes without interior are
 *   not represented: inflate them first.
 * REFERENCE: Sutherland and Hodgman (1974), Reentrant polygon clipping.
 */
#include "geom/polytope.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double dot(const double a[3], const double b[3])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static dpd_status push(dpd_face *f, const double z[3])
{
  if (f->n == f->room) {
    int room = 2 * f->room + 6;
    double *more = realloc(f->vertex, 3 * (size_t)room * sizeof *more);
    if (more == NULL) return DPD_ERR_MEMORY;
    f->vertex = more;
    f->room = room;
  }
  memcpy(f->vertex + 3 * f->n++, z, 3 * sizeof *z);
  return DPD_OK;
}

/* Takes over the face's memory, also on failure. */
static dpd_status add_face(dpd_polytope *p, dpd_face *f)
{
  if (p->n == p->room) {
    int room = 2 * p->room + 8;
    dpd_face *more = realloc(p->face, (size_t)room * sizeof *more);
    if (more == NULL) {
      free(f->vertex);
      return DPD_ERR_MEMORY;
    }
    p->face = more;
    p->room = room;
  }
  p->face[p->n++] = *f;
  return DPD_OK;
}

dpd_status dpd_polytope_open(dpd_polytope *p, const double lower[3], const double upper[3],
                             double tol)
{
  static const int around[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  *p = (dpd_polytope){NULL, 0, 0, tol};
  for (int k = 0; k < 6; k++) {
    int a = k / 2, b = (a + 1) % 3, c = (a + 2) % 3;
    dpd_face f = {NULL, 0, 0, 0};
    for (int v = 0; v < 4; v++) {
      double z[3];
      z[a] = k % 2 ? upper[a] : lower[a];
      z[b] = around[v][0] ? upper[b] : lower[b];
      z[c] = around[v][1] ? upper[c] : lower[c];
      dpd_status status = push(&f, z);
      if (status != DPD_OK) {
        free(f.vertex);
        return status;
      }
    }
    DPD_TRY(add_face(p, &f));
  }
  return DPD_OK;
}

void dpd_polytope_close(dpd_polytope *p)
{
  for (int k = 0; k < p->n; k++)
    free(p->face[k].vertex);
  free(p->face);
  *p = (dpd_polytope){NULL, 0, 0, p->tol};
}

/* Clips one face to u'z <= c; what lies on the plane goes to `on` as well. */
static dpd_status clip(const dpd_polytope *p, dpd_face *f, const double u[3], double c,
                       dpd_face *on)
{
  dpd_face kept = {NULL, 0, 0, 0};
  dpd_status status = DPD_OK;
  for (int k = 0; k < f->n && status == DPD_OK; k++) {
    const double *v = f->vertex + 3 * k, *w = f->vertex + 3 * ((k + 1) % f->n);
    double from = dot(u, v) - c, to = dot(u, w) - c;
    if (from <= p->tol) status = push(&kept, v);
    if (status == DPD_OK && fabs(from) <= p->tol) status = push(on, v);
    if (status != DPD_OK || !((from < -p->tol && to > p->tol) || (from > p->tol && to < -p->tol)))
      continue;
    double z[3], t = from / (from - to);
    for (int j = 0; j < 3; j++)
      z[j] = v[j] + t * (w[j] - v[j]);
    status = push(&kept, z);
    if (status == DPD_OK) status = push(on, z);
  }
  free(f->vertex);
  *f = kept;
  return status;
}

typedef struct {
  double angle, z[3];
} corner;

static int compare_corners(const void *a, const void *b)
{
  double x = ((const corner *)a)->angle, y = ((const corner *)b)->angle;
  return (x > y) - (x < y);
}

/* Two unit vectors that make a basis with u. */
static void complete(const double u[3], double a[3], double b[3])
{
  int k = fabs(u[0]) < fabs(u[1]) ? 0 : 1;
  if (fabs(u[2]) < fabs(u[k])) k = 2;
  double e[3] = {k == 0, k == 1, k == 2}, along = u[k], length = sqrt(1 - along * along);
  for (int j = 0; j < 3; j++)
    a[j] = (e[j] - along * u[j]) / length;
  b[0] = u[1] * a[2] - u[2] * a[1];
  b[1] = u[2] * a[0] - u[0] * a[2];
  b[2] = u[0] * a[1] - u[1] * a[0];
}

static bool near(const double a[3], const double b[3], double tol)
{
  return fabs(a[0] - b[0]) <= tol && fabs(a[1] - b[1]) <= tol && fabs(a[2] - b[2]) <= tol;
}

/* The points in their order around the face with normal u, each once. */
static dpd_status put_in_order(dpd_face *on, const double u[3], double tol)
{
  double a[3], b[3], mean[3] = {0, 0, 0};
  corner *c = malloc((size_t)on->n * sizeof *c);
  if (c == NULL) return DPD_ERR_MEMORY;
  complete(u, a, b);
  for (int k = 0; k < on->n; k++)
    for (int j = 0; j < 3; j++)
      mean[j] += on->vertex[3 * k + j] / on->n;
  for (int k = 0; k < on->n; k++) {
    double off[3];
    for (int j = 0; j < 3; j++) {
      c[k].z[j] = on->vertex[3 * k + j];
      off[j] = c[k].z[j] - mean[j];
    }
    c[k].angle = atan2(dot(off, b), dot(off, a));
  }
  qsort(c, (size_t)on->n, sizeof *c, compare_corners);
  int n = 0;
  for (int k = 0; k < on->n; k++) {
    if (n > 0 && near(on->vertex + 3 * (n - 1), c[k].z, tol)) continue;
    memcpy(on->vertex + 3 * n++, c[k].z, sizeof c[k].z);
  }
  while (n > 1 && near(on->vertex, on->vertex + 3 * (n - 1), tol))
    n--;
  on->n = n;
  free(c);
  return DPD_OK;
}

/* Drops faces without area. */
static void drop_faces(dpd_polytope *p)
{
  int n = 0;
  for (int k = 0; k < p->n; k++) {
    if (p->face[k].n < 3)
      free(p->face[k].vertex);
    else
      p->face[n++] = p->face[k];
  }
  p->n = n;
}

/* The most u'z - c of a face's vertices; *least becomes the least so far. */
static double excess(const dpd_face *f, const double u[3], double c, double *least)
{
  double low = *least, most = -INFINITY;
  for (int i = 0; i < f->n; i++) {
    double at = dot(u, f->vertex + 3 * i) - c;
    low = at < low ? at : low;
    most = at > most ? at : most;
  }
  *least = low;
  return most;
}

dpd_status dpd_polytope_cut(dpd_polytope *p, const double u[3], double c)
{
  double least = INFINITY, most = -INFINITY;
  for (int k = 0; k < p->n; k++) {
    p->face[k].excess = excess(&p->face[k], u, c, &least);
    most = fmax(most, p->face[k].excess);
  }
  if (most <= p->tol) return DPD_OK;
  if (least >= -p->tol) {
    dpd_polytope_close(p);
    return DPD_OK;
  }
  dpd_face on = {NULL, 0, 0, 0};
  dpd_status status = DPD_OK;
  for (int k = 0; k < p->n && status == DPD_OK; k++)
    if (p->face[k].excess >= -p->tol) status = clip(p, &p->face[k], u, c, &on);
  drop_faces(p);
  if (status == DPD_OK && on.n > 0) status = put_in_order(&on, u, p->tol);
  if (status != DPD_OK || on.n < 3) {
    free(on.vertex);
    return status;
  }
  return add_face(p, &on);
}

/* a b - c d with an error of at most two units of the last place (Kahan). */
static double difference(double a, double b, double c, double d)
{
  double cd = c * d, rest = fma(-c, d, cd);
  return fma(a, b, -cd) + rest;
}

/* Volume of the simplex of o and a triangle, times six: accurate for thin simplices, too. */
static double simplex_volume(const double o[3], const double a[3], const double b[3],
                             const double c[3])
{
  double p[3], q[3], r[3];
  for (int j = 0; j < 3; j++) {
    p[j] = a[j] - o[j];
    q[j] = b[j] - o[j];
    r[j] = c[j] - o[j];
  }
  return fabs(p[0] * difference(q[1], r[2], q[2], r[1]) -
              p[1] * difference(q[0], r[2], q[2], r[0]) +
              p[2] * difference(q[0], r[1], q[1], r[0]));
}

/* Six times the volume; the sum of volumes times four times the simplices' centres, less o. */
static double add_up(const dpd_polytope *p, double moment[3])
{
  const double *o = p->face[0].vertex;
  double total = 0;
  moment[0] = moment[1] = moment[2] = 0;
  for (int k = 0; k < p->n; k++) {
    const double *v = p->face[k].vertex;
    for (int i = 1; i + 1 < p->face[k].n; i++) {
      const double *a = v + 3 * i, *b = a + 3;
      double volume = simplex_volume(o, v, a, b);
      total += volume;
      for (int j = 0; j < 3; j++)
        moment[j] += volume * ((v[j] - o[j]) + (a[j] - o[j]) + (b[j] - o[j]));
    }
  }
  return total;
}

double dpd_polytope_volume(const dpd_polytope *p)
{
  double moment[3];
  return p->n > 0 ? add_up(p, moment) / 6 : 0;
}

void dpd_polytope_centroid(const dpd_polytope *p, double z[3])
{
  const double *o = p->face[0].vertex;
  double moment[3], total = add_up(p, moment);
  for (int j = 0; j < 3; j++)
    z[j] = o[j] + (total > 0 ? moment[j] / total / 4 : 0);
}
