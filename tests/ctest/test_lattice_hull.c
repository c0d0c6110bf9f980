/* test_lattice_hull.c - polytopes about lattice points, thin ones of faces that are near parallel:
 * what is proved of forms over them, and boxes about them, hold for all points that meet the faces.
 */
#include "ctest.h"
#include "ctest_law.h"

#include <math.h>
#include <string.h>

#include "geom/lattice_frame.h"

enum { TRIALS = 6000, CUTS = 9, NEAR = 2, POINTS = 125, FORMS = 12, PRISMS = 20000 };

/* Uniform on -most..most. */
static int64_t within(int64_t most)
{
  uint64_t at;
  CHECK(dpd_rng_below(&source, 2 * (uint64_t)most + 1, &at) == DPD_OK);
  return (int64_t)at - most;
}

static dpd_i128 dot(const int64_t *a, const double *z)
{
  return (dpd_i128)a[0] * (int64_t)z[0] + (dpd_i128)a[1] * (int64_t)z[1] +
         (dpd_i128)a[2] * (int64_t)z[2];
}

/* A hull, the faces that it was cut by, and points next to `centre` that meet them all. */
typedef struct {
  dpd_hull hull;
  dpd_halfspace face[2 * CUTS];
  int faces, points, stuck, flat;
  double reach, centre[3], point[POINTS][3];
} trial;

static void random_form(int64_t a[3], int bits)
{
  for (int j = 0; j < 3; j++)
    a[j] = within(((int64_t)1 << bits) - 4);
}

/* Faces about the centre along few forms, each a little turned; or three along one: a flat hull. */
static void make_trial(trial *t, int kind)
{
  static dpd_hull spare;
  const int flat = kind % 5 == 4, reach = flat || kind % 2 ? 40 : 3;
  const int bits = flat || kind % 3 == 0 ? 41 : 5;
  int64_t base[3];
  double lo[3], hi[3];
  t->reach = ldexp(1, reach);
  t->faces = t->points = t->stuck = 0;
  t->flat = flat;
  for (int j = 0; j < 3; j++) {
    lo[j] = -t->reach;
    hi[j] = t->reach;
    t->centre[j] = (double)within((int64_t)t->reach - NEAR);
  }
  dpd_hull_set_box(&t->hull, lo, hi);
  random_form(base, bits);
  for (int k = 0; k < (flat ? 3 : CUTS); k++) {
    dpd_halfspace by;
    if (k % 4 == 3) random_form(base, bits);
    for (int j = 0; j < 3; j++)
      by.a[j] = (k % 2 ? -1 : 1) * (base[j] + within(flat ? 0 : 3));
    by.c = dot(by.a, t->centre) + (within(1) != 0 ? 0 : within(3) + 3);
    t->face[t->faces++] = by;
    dpd_hull_change change = dpd_hull_cut(&t->hull, &by, &spare);
    CHECK(change != DPD_HULL_EMPTY); /* the centre meets all faces */
    if (change == DPD_HULL_CUT) dpd_hull_copy(&t->hull, &spare);
    t->stuck += change == DPD_HULL_STUCK;
  }
  for (int at = 0; at < POINTS; at++) {
    double z[3] = {t->centre[0] + at % 5 - NEAR, t->centre[1] + at / 5 % 5 - NEAR,
                   t->centre[2] + at / 25 - NEAR};
    bool meets = true;
    for (int k = 0; k < t->faces; k++)
      meets = meets && dot(t->face[k].a, z) <= t->face[k].c;
    if (meets) memcpy(t->point[t->points++], z, sizeof z);
  }
  CHECK(t->points > 0);
}

/* A form: of a face, a little turned, or any. */
static void make_form(const trial *t, int kind, int64_t a[3])
{
  random_form(a, kind % 2 ? 41 : 4);
  if (kind % 3 != 0)
    for (int j = 0; j < 3; j++)
      a[j] = t->face[kind % t->faces].a[j] + (kind % 3 == 1 ? 0 : within(2));
}

static void check_forms(trial *t, dpd_hull_proofs *p, int *proved, int *close)
{
  int above = 0;
  for (int k = 0; k < FORMS; k++) {
    int64_t a[3];
    dpd_i128 most;
    make_form(t, k, a);
    /* from any corner */
    const int corner = k % 4 == 3 ? k % t->hull.corners : dpd_hull_highest(&t->hull, a);
    if (!dpd_hull_most(p, a, corner, &most)) continue;
    ++*proved;
    for (int i = 0; i < t->points; i++) {
      above += dot(a, t->point[i]) > most;
      *close += dot(a, t->point[i]) == most;
    }
  }
  CHECK(above == 0);
}

/* w of z by the definition: what the coordinates of z - o are along the basis. */
static void frame_of(const dpd_lattice_frame *f, const double *z, dpd_i128 w[3])
{
  dpd_i128 e[3], det = 0;
  for (int i = 0; i < 3; i++)
    e[i] = (int64_t)z[i] - (int64_t)f->o[i];
  for (int j = 0; j < 3; j++) {
    const int64_t *p = f->v[(j + 1) % 3], *q = f->v[(j + 2) % 3];
    w[j] = 0;
    for (int i = 0; i < 3; i++) {
      const int k = (i + 1) % 3, l = (i + 2) % 3;
      const dpd_i128 cofactor = (dpd_i128)p[k] * q[l] - (dpd_i128)p[l] * q[k];
      w[j] += cofactor * e[i];
      if (j == 0) det += cofactor * f->v[0][i];
    }
  }
  CHECK(det == 1); /* a basis of all whole numbers */
}

/* Is the basis reduced: could no form be narrower over the corners by one multiple of another? */
static bool is_reduced(const dpd_lattice_frame *f, const dpd_hull *h)
{
  double w[3][DPD_HULL_CORNERS], g[3][3] = {{0}};
  dpd_lattice_frame_corners(f, h, w);
  for (int j = 0; j < 3; j++) {
    double mean = 0;
    for (int k = 0; k < h->corners; k++)
      mean += w[j][k] / h->corners;
    for (int k = 0; k < h->corners; k++)
      w[j][k] -= mean;
  }
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      for (int k = 0; k < h->corners; k++)
        g[i][j] += w[i][k] * w[j][k];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      if (i != j && 2 * fabs(g[i][j]) > 1.01 * g[i][i] + 1e-3) return false;
  return true;
}

/* Is a point another one by the definition, or a form so large that four times it is no face? */
static bool is_too_large(const dpd_lattice_frame *f, const double *w, const double *z)
{
  bool large = false;
  for (int i = 0; i < 3; i++) {
    int64_t a[3];
    dpd_i128 x = (int64_t)f->o[i];
    dpd_lattice_frame_form(f, i, a);
    for (int j = 0; j < 3; j++) {
      x += (dpd_i128)f->v[j][i] * (int64_t)w[j];
      large = large || llabs(a[j]) > (int64_t)1 << (DPD_HULL_BITS - 2);
    }
    large = large || x != (dpd_i128)z[i] || fabs(z[i]) > 0x1p53;
  }
  return large;
}

/* Forms at the box's own corners: are they beyond what its sides say? */
static int beyond_sides(const trial *t, const dpd_lattice_frame *f)
{
  double middle[3], side[3][3];
  const double room = dpd_lattice_frame_sides(f, middle, side);
  int beyond = 0;
  for (int k = 0; k < FORMS; k++) {
    int64_t a[3];
    double w[3], z[3], most = 0;
    make_form(t, k, a);
    for (int j = 0; j < 3; j++) {
      const double v[3] = {(double)f->v[j][0], (double)f->v[j][1], (double)f->v[j][2]};
      w[j] = dot(a, v) < 0 ? f->lo[j] : f->hi[j];
      most +=
          fabs((double)a[0] * side[j][0] + (double)a[1] * side[j][1] + (double)a[2] * side[j][2]);
    }
    for (int j = 0; j < 3; j++)
      most += (double)a[j] * middle[j] + room * fabs((double)a[j]);
    dpd_lattice_frame_point(f, w, z);
    beyond += dot(a, z) > (dpd_i128)most || is_too_large(f, w, z);
  }
  return beyond;
}

static int check_frame(const trial *t, dpd_hull_proofs *p, int *reduced)
{
  dpd_lattice_frame f;
  int out = 0, moved = 0;
  dpd_lattice_frame_set_box(&f, (double[3]){0, 0, 0}, (double[3]){0, 0, 0});
  if (!dpd_lattice_frame_about(&f, p)) return 0;
  *reduced += is_reduced(&f, p->hull);
  for (int i = 0; i < t->points; i++) {
    double w[3], back[3];
    dpd_i128 index[3];
    frame_of(&f, t->point[i], index);
    for (int j = 0; j < 3; j++) {
      w[j] = (double)index[j];
      out += w[j] < f.lo[j] || w[j] > f.hi[j];
      moved += dpd_lattice_frame_index(&f, j, t->point[i]) != index[j];
    }
    dpd_lattice_frame_point(&f, w, back);
    moved += memcmp(back, t->point[i], sizeof back) != 0;
  }
  CHECK(out == 0);
  CHECK(moved == 0);
  CHECK(beyond_sides(t, &f) == 0);
  return 1;
}

/* A packed hull is the same. */
static void check_pack(const dpd_hull *h)
{
  static unsigned char room[sizeof(dpd_hull)];
  static dpd_hull back;
  const size_t corners = (size_t)h->corners;
  CHECK(dpd_hull_pack_size(h) <= sizeof room);
  dpd_hull_pack(h, room);
  memset(&back, 1, sizeof back);
  dpd_hull_unpack(room, &back);
  CHECK(back.corners == h->corners && back.faces == h->faces && back.reach == h->reach);
  for (int j = 0; j < 3; j++)
    CHECK(memcmp(back.x[j], h->x[j], corners * sizeof *h->x[j]) == 0 &&
          memcmp(back.z[j], h->z[j], corners * sizeof *h->z[j]) == 0 &&
          memcmp(back.rest[j], h->rest[j], corners * sizeof *h->rest[j]) == 0);
  CHECK(memcmp(back.f, h->f, corners * sizeof *h->f) == 0);
  CHECK(memcmp(back.next, h->next, corners * sizeof *h->next) == 0);
  for (int f = 0; f < DPD_HULL_FACES; f++)
    if (h->faces >> f & 1)
      CHECK(memcmp(back.face[f].a, h->face[f].a, sizeof h->face[f].a) == 0 &&
            back.face[f].c == h->face[f].c);
}

/* Boxes: their volume, and their forms' most. */
static void check_box(void)
{
  static dpd_hull h, part;
  static dpd_hull_proofs p;
  const double lo[3] = {-1, -2, -3}, hi[3] = {2, 4, 6};
  const int64_t a[3] = {3, -5, 7};
  const dpd_halfspace by = {{1, 1, 0}, 0};
  dpd_i128 most;
  dpd_hull_set_box(&h, lo, hi);
  CHECK(fabs(dpd_hull_volume(&h, h.x) - 3 * 6 * 9) < 1e-9);
  dpd_hull_prove(&p, &h);
  for (int k = 0; k < 8; k++)
    CHECK(dpd_hull_most(&p, a, k, &most) && most == 6 + 10 + 42);
  CHECK(dpd_hull_cut(&h, &by, &part) == DPD_HULL_CUT);
  CHECK(fabs(dpd_hull_volume(&part, part.x) - 4.5 * 9) < 1e-9);
  CHECK(dpd_hull_cut(&h, &(dpd_halfspace){{1, 1, 1}, -7}, &part) == DPD_HULL_EMPTY);
  CHECK(dpd_hull_cut(&h, &(dpd_halfspace){{1, 1, 1}, 12}, &part) == DPD_HULL_WHOLE);
}

/* Multipliers that are 1 / det: of a form that is the third face of a corner but for a unit, whose
 * faces are such that doubles lose the unit. If it is above no face, the corner is its highest. */
static void check_units(int *highest, int *negative)
{
  static dpd_hull h, spare;
  static dpd_hull_proofs p;
  const double lo[3] = {-8, -8, -8}, hi[3] = {8, 8, 8};
  const int64_t most = (int64_t)1 << 40, m = within(most), n = within(most);
  dpd_halfspace face[3] = {{{0}, 0}, {{m, 1, 0}, 0}, {{0, n, 1}, 0}};
  int at = -1;
  random_form(face[0].a, 40);
  dpd_hull_set_box(&h, lo, hi);
  for (int k = 0; k < 3; k++) {
    for (int j = 0; j < 3; j++)
      face[k].a[j] *= k != 0 && *highest % 2 ? -1 : 1;
    if (dpd_hull_cut(&h, face + k, &spare) != DPD_HULL_CUT) return;
    dpd_hull_copy(&h, &spare);
  }
  for (int k = 0; k < h.corners; k++)
    if (h.face[h.f[k][0]].c == 0 && h.face[h.f[k][1]].c == 0 && h.face[h.f[k][2]].c == 0) at = k;
  if (at < 0) return;
  /* the corner is 0: multiplier i is of b'q_i over det, q_i as the rows of the inverse */
  for (int unit = -1; unit < 2; unit += 2) {
    const int64_t *f[3] = {face[0].a, face[1].a, face[2].a};
    int64_t b[3] = {f[2][0] + unit, f[2][1], f[2][2]};
    dpd_i128 det = 0, mu[3];
    dpd_i128 value;
    for (int i = 0; i < 3; i++) {
      const int64_t *v = f[(i + 1) % 3], *w = f[(i + 2) % 3];
      mu[i] = 0;
      for (int j = 0; j < 3; j++) {
        const int k = (j + 1) % 3, l = (j + 2) % 3;
        const dpd_i128 q = (dpd_i128)v[k] * w[l] - (dpd_i128)v[l] * w[k];
        mu[i] += q * b[j];
        if (i == 0) det += q * f[0][j];
      }
    }
    bool best = true;
    for (int i = 0; i < 3; i++)
      best = best && (mu[i] == 0 || (mu[i] < 0) == (det < 0));
    if (!best) continue;
    ++*highest;
    *negative += det < 0;
    dpd_hull_prove(&p, &h);
    CHECK(dpd_hull_most(&p, b, at, &value));
    CHECK(value == 0);
  }
}

/* By how much corners are off their faces, at most, in parts of what proofs allow for. */
static double worst_corner(const dpd_hull *h)
{
  double worst = 0;
  for (int k = 0; k < h->corners; k++)
    for (int i = 0; i < 3; i++) {
      const dpd_halfspace *f = h->face + h->f[k][i];
      dpd_i128 off = -f->c;
      long double rest = 0;
      double size = 0;
      for (int j = 0; j < 3; j++) {
        off += (dpd_i128)f->a[j] * (int64_t)h->z[j][k];
        rest += (long double)f->a[j] * h->rest[j][k];
        size += fabs((double)f->a[j]);
      }
      worst = fmax(worst, fabs((double)((long double)off + rest)) / (0x1p-49 * size));
    }
  return worst;
}

static double turned_form(const double u[3], const double v[3], double angle, int64_t a[3])
{
  double size = 0;
  for (int j = 0; j < 3; j++) {
    a[j] = (int64_t)rint(0x1p40 * (cos(angle) * u[j] + sin(angle) * v[j]));
    size += fabs((double)a[j]);
  }
  return size;
}

/* Prisms that are shorter than rounding, of faces that meet far away, cut next to their corners:
 * the corners there are must be where their faces meet. */
static void check_corners(void)
{
  static dpd_hull h, spare;
  const double hi[3] = {0x1p38, 0x1p38, 0x1p38}, lo[3] = {-0x1p38, -0x1p38, -0x1p38};
  double worst = 0;
  for (int rep = 0; rep < PRISMS; rep++) {
    double u[3], v[3], z[3], wide = ldexp(1, 31 + rep % 6), length = ldexp(1, rep % 24);
    dpd_hull_set_box(&h, lo, hi);
    for (int j = 0; j < 3; j++) {
      u[j] = (double)within(1000) / 1000;
      v[j] = (double)within(1000) / 1000;
      z[j] = (double)within((int64_t)1 << 37);
    }
    const double w[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2],
                         u[0] * v[1] - u[1] * v[0]};
    for (int k = 0; k < 14; k++) { /* two ends, six sides, six sides through corners or nearly */
      dpd_halfspace by;
      const int corner = (int)(within(1000) + 1000) % h.corners;
      const double size = turned_form(k < 2 ? w : u, k < 2 ? w : v, k < 2 ? 4 * k : k + rep, by.a);
      const double near =
          h.reach * 0x1p-48 * (1 - (double)(within(500) + 500) / 1000 * length / wide);
      double end = size * (k < 2 ? length : k < 8 ? wide : -near);
      for (int j = 0; j < 3; j++)
        end += (double)by.a[j] * (k < 8 ? z[j] : h.x[j][corner]);
      by.c = (dpd_i128)end;
      if (dpd_hull_cut(&h, &by, &spare) == DPD_HULL_CUT) dpd_hull_copy(&h, &spare);
    }
    worst = fmax(worst, worst_corner(&h));
  }
  CHECK(worst < 1);
}

int main(void)
{
  static trial t;
  static dpd_hull_proofs p;
  int proved = 0, framed[2] = {0}, reduced[2] = {0};
  int close = 0, stuck = 0, highest = 0, negative = 0;
  const int trials = ctest_some(TRIALS);
  start(5);
  check_box();
  check_corners();
  for (int k = 0; k < trials; k++) {
    make_trial(&t, k);
    stuck += t.stuck;
    dpd_hull_prove(&p, &t.hull);
    check_forms(&t, &p, &proved, &close);
    framed[t.flat] += check_frame(&t, &p, reduced + t.flat);
    check_pack(&t.hull);
  }
  for (int k = 0; k < trials; k++)
    check_units(&highest, &negative);
  CHECK(negative > 5 && highest > negative + 5);
  CHECK(proved > trials * FORMS * 0.9);
  CHECK(framed[0] + framed[1] > trials * 0.9);
  CHECK(reduced[0] > framed[0] * 0.9);
  CHECK(stuck < trials && close > trials);
  return ctest_report("lattice_hull");
}
