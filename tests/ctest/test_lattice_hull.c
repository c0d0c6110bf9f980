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
  int faces, points, stuck;
  double reach, centre[3], point[POINTS][3];
} trial;

static void random_form(int64_t a[3], int bits)
{
  for (int j = 0; j < 3; j++)
    a[j] = within(((int64_t)1 << bits) - 4);
}

/* Faces about the centre along few forms, each a little turned. */
static void make_trial(trial *t, int kind)
{
  static dpd_hull spare;
  const int reach = kind % 2 ? 40 : 3, bits = kind % 3 == 0 ? 41 : 5;
  int64_t base[3];
  double lo[3], hi[3];
  t->reach = ldexp(1, reach);
  t->faces = t->points = t->stuck = 0;
  for (int j = 0; j < 3; j++) {
    lo[j] = -t->reach;
    hi[j] = t->reach;
    t->centre[j] = (double)within((int64_t)t->reach - NEAR);
  }
  dpd_hull_set_box(&t->hull, lo, hi);
  random_form(base, bits);
  for (int k = 0; k < CUTS; k++) {
    dpd_halfspace by;
    if (k % 4 == 3) random_form(base, bits);
    for (int j = 0; j < 3; j++)
      by.a[j] = (k % 2 ? -1 : 1) * (base[j] + within(3));
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

/* Is a'z above `most`? */
static bool is_above(const int64_t a[3], const double *z, double most)
{
  return dot(a, z) > (dpd_i128)floor(most);
}

static void check_forms(trial *t, dpd_hull_proofs *p, int *proved, int *close)
{
  int above = 0;
  for (int k = 0; k < FORMS; k++) {
    int64_t a[3];
    double most, size = 0;
    make_form(t, k, a);
    for (int j = 0; j < 3; j++)
      size += fabs((double)a[j]);
    /* from any corner */
    const int corner = k % 4 == 3 ? k % t->hull.corners : dpd_hull_highest(&t->hull, a);
    if (!dpd_hull_most(p, a, corner, &most)) continue;
    ++*proved;
    for (int i = 0; i < t->points; i++) {
      above += is_above(a, t->point[i], most);
      *close += (double)dot(a, t->point[i]) > most - 0x1p-47 * size * t->reach - 0.5;
    }
  }
  CHECK(above == 0);
}

/* w of z by the definition. */
static void frame_of(const dpd_lattice_frame *f, const double *z, double w[3])
{
  const dpd_i128 a = (int64_t)z[f->axis[0]], b = (int64_t)z[f->axis[1]];
  const dpd_i128 one = 1, s = f->s * a, t = f->t * a + f->u * b;
  w[0] = (double)a;
  w[1] = (double)(b + ((s + (one << (f->bits[0] - 1))) >> f->bits[0]));
  w[2] = (double)((int64_t)z[f->axis[2]] + ((t + (one << (f->bits[1] - 1))) >> f->bits[1]));
}

static int check_frame(const trial *t, dpd_hull_proofs *p)
{
  dpd_lattice_frame f;
  double middle[3], side[3][3];
  int out = 0, moved = 0, beyond = 0;
  if (!dpd_lattice_frame_about(&f, p)) return 0;
  dpd_lattice_frame_sides(&f, middle, side);
  for (int i = 0; i < t->points; i++) {
    double w[3], back[3], room = 0x1p-44 * 4 * t->reach;
    frame_of(&f, t->point[i], w);
    for (int j = 0; j < 3; j++)
      out += w[j] < f.lo[j] || w[j] > f.hi[j];
    dpd_lattice_frame_point(&f, w, back);
    moved += memcmp(back, t->point[i], sizeof back) != 0;
    for (int k = 0; k < FORMS; k++) {
      int64_t a[3];
      double away = 0, most = 0, size = 0;
      make_form(t, k, a);
      for (int j = 0; j < 3; j++) {
        away += (double)a[j] * (t->point[i][j] - middle[j]);
        size += fabs((double)a[j]);
        most +=
            fabs((double)a[0] * side[j][0] + (double)a[1] * side[j][1] + (double)a[2] * side[j][2]);
      }
      beyond += fabs(away) > most + room * size;
    }
  }
  CHECK(out == 0);
  CHECK(moved == 0);
  CHECK(beyond == 0);
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
  CHECK(back.corners == h->corners && back.faces == h->faces && back.slack == h->slack);
  for (int j = 0; j < 3; j++)
    CHECK(memcmp(back.x[j], h->x[j], corners * sizeof *h->x[j]) == 0);
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
  double most;
  dpd_hull_set_box(&h, lo, hi);
  CHECK(fabs(dpd_hull_volume(&h) - 3 * 6 * 9) < 1e-9);
  dpd_hull_prove(&p, &h);
  for (int k = 0; k < 8; k++)
    CHECK(dpd_hull_most(&p, a, k, &most) && fabs(most - (6 + 10 + 42)) < 1e-9);
  CHECK(dpd_hull_cut(&h, &by, &part) == DPD_HULL_CUT);
  CHECK(fabs(dpd_hull_volume(&part) - 4.5 * 9) < 1e-9);
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
    double value;
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
    CHECK(fabs(value) <= 2 * h.slack * 0x1p42);
  }
}

/* By how much, in slacks, corners are off their faces, at most. */
static double worst_corner(const dpd_hull *h)
{
  double worst = 0;
  for (int k = 0; k < h->corners; k++)
    for (int i = 0; i < 3; i++) {
      const dpd_halfspace *f = h->face + h->f[k][i];
      dpd_i128 off = -f->c * ((dpd_i128)1 << 24); /* all of their bits */
      double size = 0;
      for (int j = 0; j < 3; j++) {
        off += f->a[j] * (dpd_i128)rint(0x1p24 * h->x[j][k]);
        size += fabs((double)f->a[j]);
      }
      worst = fmax(worst, fabs(ldexp((double)off, -24)) / (h->slack * size));
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
      const double near = h.slack * (1 - (double)(within(500) + 500) / 1000 * length / wide);
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
  int proved = 0, framed = 0, close = 0, stuck = 0, highest = 0, negative = 0;
  const int trials = ctest_some(TRIALS);
  start(5);
  check_box();
  check_corners();
  for (int k = 0; k < trials; k++) {
    make_trial(&t, k);
    stuck += t.stuck;
    dpd_hull_prove(&p, &t.hull);
    check_forms(&t, &p, &proved, &close);
    framed += check_frame(&t, &p);
    check_pack(&t.hull);
  }
  for (int k = 0; k < trials; k++)
    check_units(&highest, &negative);
  CHECK(negative > 5 && highest > negative + 5);
  CHECK(proved > trials * FORMS * 0.9);
  CHECK(framed > trials * 0.9);
  CHECK(stuck < trials);
  CHECK(close > trials);
  return ctest_report("lattice_hull");
}
