/* polytope.c - convex polytopes in space as intersections of halfspaces.
 *
 * METHOD: the faces are polygons, each clipped by the new halfspace (Sutherland and Hodgman); the
 *   points where edges are cut, and vertices on the new plane, make the new face, put in order
 *   by their angles about their mean. Volume and centroid by the pyramids over the faces from one
 *   vertex, themselves cut into simplices.
 * COST: O(vertices) per cut.
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
  dpd_corner *corner = dpd_list_add(&f->corner, sizeof *corner);
  if (corner != NULL) memcpy(corner->z, z, sizeof corner->z);
  return dpd_list_status(&f->corner);
}

/* Takes over the face's memory, also on failure. */
static dpd_status add_face(dpd_polytope *p, dpd_face *f)
{
  dpd_face *face = dpd_list_add(&p->face, sizeof *face);
  if (face != NULL)
    *face = *f;
  else
    dpd_list_close(&f->corner);
  return dpd_list_status(&p->face);
}

dpd_status dpd_polytope_open(dpd_polytope *p, const double lower[3], const double upper[3],
                             double tol)
{
  static const int corner[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  *p = (dpd_polytope){.tol = tol};
  for (int k = 0; k < 6; k++) {
    int a = k / 2, b = (a + 1) % 3, c = (a + 2) % 3;
    dpd_face f = {.excess = 0};
    for (int v = 0; v < 4; v++) {
      double z[3];
      z[a] = k % 2 ? upper[a] : lower[a];
      z[b] = corner[v][0] ? upper[b] : lower[b];
      z[c] = corner[v][1] ? upper[c] : lower[c];
      dpd_status status = push(&f, z);
      if (status != DPD_OK) {
        dpd_list_close(&f.corner);
        return status;
      }
    }
    DPD_TRY(add_face(p, &f));
  }
  return DPD_OK;
}

void dpd_polytope_close(dpd_polytope *p)
{
  dpd_face *face = p->face.item;
  for (size_t k = 0; k < p->face.count; k++)
    dpd_list_close(&face[k].corner);
  dpd_list_close(&p->face);
}

/* Clips one face to u'z <= c; what lies on the plane goes to `on` as well. */
static dpd_status clip(const dpd_polytope *p, dpd_face *f, const double u[3], double c,
                       dpd_face *on)
{
  const dpd_corner *corner = f->corner.item;
  size_t n = f->corner.count;
  dpd_face kept = {.excess = 0};
  dpd_status status = DPD_OK;
  for (size_t k = 0; k < n && status == DPD_OK; k++) {
    const double *v = corner[k].z, *w = corner[(k + 1) % n].z;
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
  dpd_list_close(&f->corner);
  *f = kept;
  return status;
}

typedef struct {
  double angle;
  dpd_corner at;
} angled;

static int compare_angles(const void *a, const void *b)
{
  double x = ((const angled *)a)->angle, y = ((const angled *)b)->angle;
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
  dpd_corner *corner = on->corner.item;
  size_t count = on->corner.count, n = 0;
  dpd_list sorted = {NULL, 0, 0, false};
  DPD_TRY(dpd_list_reserve(&sorted, count, sizeof(angled)));
  angled *c = sorted.item;
  complete(u, a, b);
  for (size_t k = 0; k < count; k++)
    for (int j = 0; j < 3; j++)
      mean[j] += corner[k].z[j] / (double)count;
  for (size_t k = 0; k < count; k++) {
    double off[3];
    for (int j = 0; j < 3; j++)
      off[j] = corner[k].z[j] - mean[j];
    c[k] = (angled){atan2(dot(off, b), dot(off, a)), corner[k]};
  }
  qsort(c, count, sizeof *c, compare_angles);
  for (size_t k = 0; k < count; k++)
    if (n == 0 || !near(corner[n - 1].z, c[k].at.z, tol)) corner[n++] = c[k].at;
  while (n > 1 && near(corner[0].z, corner[n - 1].z, tol))
    n--;
  on->corner.count = n;
  dpd_list_close(&sorted);
  return DPD_OK;
}

/* Drops faces without area. */
static void drop_faces(dpd_polytope *p)
{
  dpd_face *face = p->face.item;
  size_t n = 0;
  for (size_t k = 0; k < p->face.count; k++) {
    if (face[k].corner.count < 3)
      dpd_list_close(&face[k].corner);
    else
      face[n++] = face[k];
  }
  p->face.count = n;
}

/* The most u'z - c of a face's corners; *min becomes the smallest so far. */
static double excess(const dpd_face *f, const double u[3], double c, double *min)
{
  const dpd_corner *corner = f->corner.item;
  double low = *min, max = -INFINITY;
  for (size_t i = 0; i < f->corner.count; i++) {
    double at = dot(u, corner[i].z) - c;
    low = at < low ? at : low;
    max = at > max ? at : max;
  }
  *min = low;
  return max;
}

dpd_status dpd_polytope_cut(dpd_polytope *p, const double u[3], double c)
{
  double min = INFINITY, max = -INFINITY;
  dpd_face *face = p->face.item;
  for (size_t k = 0; k < p->face.count; k++) {
    face[k].excess = excess(&face[k], u, c, &min);
    max = fmax(max, face[k].excess);
  }
  if (max <= p->tol) return DPD_OK;
  if (min >= -p->tol) {
    dpd_polytope_close(p);
    return DPD_OK;
  }
  dpd_face on = {.excess = 0};
  dpd_status status = DPD_OK;
  for (size_t k = 0; k < p->face.count && status == DPD_OK; k++)
    if (face[k].excess >= -p->tol) status = clip(p, &face[k], u, c, &on);
  drop_faces(p);
  if (status == DPD_OK && on.corner.count > 0) status = put_in_order(&on, u, p->tol);
  if (status != DPD_OK || on.corner.count < 3) {
    dpd_list_close(&on.corner);
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

/* A corner of the polytope that the others are seen from. */
static const double *apex(const dpd_polytope *p)
{
  const dpd_face *face = p->face.item;
  const dpd_corner *corner = face[0].corner.item;
  return corner[0].z;
}

/* Six times the volume; the sum of volumes times four times the simplices' centres, less o. */
static double add_up(const dpd_polytope *p, double moment[3])
{
  const dpd_face *face = p->face.item;
  const double *o = apex(p);
  double total = 0;
  moment[0] = moment[1] = moment[2] = 0;
  for (size_t k = 0; k < p->face.count; k++) {
    const dpd_corner *v = face[k].corner.item;
    for (size_t i = 1; i + 1 < face[k].corner.count; i++) {
      const double *a = v[i].z, *b = v[i + 1].z;
      double volume = simplex_volume(o, v[0].z, a, b);
      total += volume;
      for (int j = 0; j < 3; j++)
        moment[j] += volume * ((v[0].z[j] - o[j]) + (a[j] - o[j]) + (b[j] - o[j]));
    }
  }
  return total;
}

double dpd_polytope_volume(const dpd_polytope *p)
{
  double moment[3];
  return p->face.count > 0 ? add_up(p, moment) / 6 : 0;
}

void dpd_polytope_centroid(const dpd_polytope *p, double z[3])
{
  const double *o = apex(p);
  double moment[3], total = add_up(p, moment);
  for (int j = 0; j < 3; j++)
    z[j] = o[j] + (total > 0 ? moment[j] / total / 4 : 0);
}
