/* halfspace_3d.c - the deepest region of halfspace depth in space, exact.
 *
 * METHOD: {h >= l} is the intersection of the closed halfspaces whose planes pass through three
 *   rows that are not on a line, with k rows outside and m on the plane, k < l <= k + m: as a plane
 *   turns about the row at it, the l-th from outside, it is bounded by those on which that row ties
 *   with two more. For each pair of rows the others, projected along the line through the two, are
 *   sorted by direction (plane/angle_sort.c), which gives the rows on and to both sides of each
 *   such plane. The planes of levels lo..hi are kept. A level has a point if and only if the linear
 *   programme "maximise r subject to u'z + r <= c" has r >= 0 (geom/linear_program.c); bisection
 *   finds the last. Its polytope is cut from a box (geom/polytope.c). One without interior is
 *   inflated by a little, and the centroid is put back on the planes that it then hardly leaves.
 * COST: O(n^3 log n) time; 24 bytes for each plane of levels lo..hi.
 * DEGENERATE: coplanar, collinear and equal rows are counted as they lie. All rows on a plane: for
 *   the caller.
 * REFERENCE: Rousseeuw and Struyf (1998), Computing location depth and regression depth in higher
 *   dimensions; Liu, Mosler and Mozharovskyi (2019), Fast computation of Tukey trimmed regions and
 *   median in dimension p > 2.
 */
#include "median/halfspace_3d.h"

#include <math.h>
#include <string.h>

#include "geom/affine_hull.h"
#include "geom/linear_program.h"
#include "num/scratch.h"
#include "num/select.h"
#include "plane/angle_sort.h"

#ifdef _OPENMP
#include <omp.h>
#endif

/* A region with a ball of less than this is taken to have no interior, and is inflated by it. */
#define THIN 0x1p-30
/* Feasible to within rounding. */
#define MISS 0x1p-40

enum { CUTS = 5000 }; /* planes a step */

/* The plane through three rows, as the edge of the side on which rows from `first` - 1 on of
 * the ranks from outside lie. */
typedef struct {
  int row[3], sign, first, last; /* levels that it bounds */
} plane;

typedef struct {
  const double *x[3], *err, *centre;
  int n, lo, hi, threads;
} space;

static space make_space(const dpd_space_levels *p)
{
  size_t n = (size_t)p->n;
  return (space){
      {p->data, p->data + n, p->data + 2 * n}, p->err, p->centre, p->n, p->lo, p->hi, p->threads};
}

static void add_plane(dpd_list *list, plane p)
{
  plane *to = dpd_list_add(list, sizeof *to);
  if (to != NULL) *to = p;
}

/* Memory of one thread: projected rows and their errors, then that of the sorting. */
typedef struct {
  double *a, *b, *error;
  void *sorting;
} worker;

static double row_error(const space *s, int i, int k)
{
  double e = s->err[0] + s->err[1] + s->err[2];
  if (!(e > 0)) return 0;
  for (int j = 0; j < 3; j++)
    e += DPD_COORDINATE_EPS * (fabs(s->x[j][i]) + fabs(s->x[j][k]));
  return e;
}

/* Projects all rows along w = x_j - x_i, of which coordinate c is the largest, with x_i at the
 * origin; false if the two rows coincide. Turned over if need be, so that counterclockwise
 * directions are on the side of w x v that rows to the left have. */
static bool project(const space *s, int i, int j, worker *t)
{
  double w[3], size = 0;
  int c = 0;
  for (int k = 0; k < 3; k++) {
    w[k] = s->x[k][j] - s->x[k][i];
    if (fabs(w[k]) > fabs(w[c])) c = k;
  }
  size = fabs(w[c]);
  double e = row_error(s, i, j), sign = w[c] < 0 ? -1 : 1;
  if (!(size > e)) return false;
  int a = (c + 1) % 3, b = (c + 2) % 3;
  bool exact = !(e > 0);
  double ra = exact ? w[a] : w[a] / w[c], rb = exact ? w[b] : w[b] / w[c], rc = exact ? w[c] : 1;
  for (int k = 0; k < s->n; k++) {
    double va = s->x[a][k] - s->x[a][i], vb = s->x[b][k] - s->x[b][i], vc = s->x[c][k] - s->x[c][i];
    t->a[k] = sign * (va * rc - vc * ra);
    t->b[k] = vb * rc - vc * rb;
    t->error[k] = exact ? 0 : 2 * row_error(s, i, k) + 2 * e * fabs(vc) / size;
  }
  return true;
}

/* Rows on the plane through three of them, which is noted for the first, and on either side. */
typedef struct {
  int row[3], on, left, right;
} plane_rows;

/* Both sides of a plane; its third row lies on the front of its line. */
static void add_sides(const space *s, dpd_list *list, const plane_rows *p)
{
  int i = p->row[0], j = p->row[1], third = p->row[2];
  if (p->left + 1 <= s->hi && p->left + p->on >= s->lo)
    add_plane(list, (plane){{i, j, third}, 1, p->left + 1, p->left + p->on});
  if (p->right + 1 <= s->hi && p->right + p->on >= s->lo)
    add_plane(list, (plane){{i, j, third}, -1, p->right + 1, p->right + p->on});
}

/* Planes through rows i < j and a later one. */
static void add_planes(const space *s, dpd_list *list, int i, int j, worker *t)
{
  dpd_angle_order r;
  if (!project(s, i, j, t)) return;
  dpd_plane_rows q = {t->a, t->b, s->n, 0, 0, 0, s->err[0] > 0 ? t->error : NULL, NULL, 0};
  dpd_angle_sort(&q, t->sorting, &r);
  int at = s->n - r.away, ahead = 0;
  for (int k = 0; k < r.away; k++)
    ahead += !(r.code[k] & 1);
  for (int g = 0; g < r.groups; g++) {
    int from = r.start[g], to = r.start[g + 1], back = 0, third = -1, side = 0;
    double most = -1;
    for (int k = from; k < to; k++) {
      int row = r.code[k] >> 1;
      back += r.code[k] & 1;
      double far = fmax(fabs(t->a[row]), fabs(t->b[row]));
      if (row > j && far > most) {
        most = far;
        third = row;
        side = r.code[k] & 1;
      }
    }
    int left = ahead - (to - from - back), right = r.away - (to - from) - left;
    plane_rows p = {{i, j, third}, to - from + at, side ? right : left, side ? left : right};
    if (third >= 0) add_sides(s, list, &p);
    ahead = left + back;
  }
}

static size_t lay_out_worker(worker *w, int n, dpd_scratch a)
{
  w->a = dpd_scratch_take(&a, (size_t)n, sizeof *w->a);
  w->b = dpd_scratch_take(&a, (size_t)n, sizeof *w->b);
  w->error = dpd_scratch_take(&a, (size_t)n, sizeof *w->error);
  w->sorting = dpd_scratch_take(&a, dpd_angle_sort_scratch(n), 1);
  return a.used;
}

static size_t worker_share(int n)
{
  worker w;
  return lay_out_worker(&w, n, (dpd_scratch){NULL, 0});
}

/* The planes of the levels through rows from..to - 1 and later ones, those of row i in list[i]: in
 * the same order for any threads. */
static dpd_status list_planes(const space *s, int from, int to, dpd_list *list, void *workers)
{
  const size_t share = worker_share(s->n);
#ifdef _OPENMP
#pragma omp parallel num_threads(s->threads)
#endif
  {
    worker w;
#ifdef _OPENMP
    lay_out_worker(&w, s->n, dpd_scratch_part(workers, share, omp_get_thread_num()));
#pragma omp for schedule(dynamic, 1)
#else
    lay_out_worker(&w, s->n, dpd_scratch_part(workers, share, 0));
#endif
    for (int i = from; i < to; i++)
      for (int j = i + 1; j < s->n && !list[i].failed; j++)
        add_planes(s, &list[i], i, j, &w);
  }
  for (int i = from; i < to; i++)
    DPD_TRY(dpd_list_status(&list[i]));
  return DPD_OK;
}

/* The halfspaces u'z + r <= b of one level, z relative to the centre. */
typedef struct {
  double *a, *b; /* four columns, row-major */
  int rows;
} program;

/* u points to the side that the plane's rows are counted from. */
static bool plane_normal(const space *s, const plane *p, double u[3])
{
  double v[3], w[3], length = 0;
  for (int k = 0; k < 3; k++) {
    w[k] = s->x[k][p->row[1]] - s->x[k][p->row[0]];
    v[k] = s->x[k][p->row[2]] - s->x[k][p->row[0]];
  }
  for (int k = 0; k < 3; k++) {
    u[k] = p->sign * (w[(k + 1) % 3] * v[(k + 2) % 3] - w[(k + 2) % 3] * v[(k + 1) % 3]);
    length = hypot(length, u[k]);
  }
  for (int k = 0; k < 3 && length > 0; k++)
    u[k] /= length;
  return length > 0;
}

static void add_row(program *m, const double u[3], double b)
{
  double *row = m->a + 4 * (size_t)m->rows;
  memcpy(row, u, 3 * sizeof *row);
  row[3] = 1;
  m->b[m->rows++] = b;
}

/* The rectangle of order statistics, as the first six halfspaces: +x, -x, +y, ... */
static void add_box(const space *s, int level, double *work, program *m)
{
  size_t n = (size_t)s->n, low = (size_t)level - 1, high = n - (size_t)level;
  for (int k = 0; k < 3; k++) {
    double u[3] = {0, 0, 0};
    memcpy(work, s->x[k], n * sizeof *work);
    dpd_select_range(work, n, high, high);
    u[k] = 1;
    add_row(m, u, work[high] - s->centre[k]);
    dpd_select_range(work, n, low, low);
    u[k] = -1;
    add_row(m, u, s->centre[k] - work[low]);
  }
}

static void fill_program(const space *s, const dpd_list *list, int level, double *work, program *m)
{
  m->rows = 0;
  add_box(s, level, work, m);
  for (int i = 0; i < s->n; i++)
    for (size_t k = 0; k < list[i].count; k++) {
      const plane *p = (const plane *)list[i].item + k;
      double u[3], b = 0;
      if (level < p->first || level > p->last || !plane_normal(s, p, u)) continue;
      for (int j = 0; j < 3; j++)
        b += u[j] * (s->x[j][i] - s->centre[j]);
      add_row(m, u, b);
    }
}

/* The centre and radius of a largest ball; a radius below -MISS says that there is no point. */
static dpd_status largest_ball(const program *m, double ball[4])
{
  static const double up[4] = {0, 0, 0, 1};
  double work[64];
  int basis[4] = {0, 1, 2, 4}; /* opposite sides of the box carry the objective */
  bool feasible;
  dpd_lp lp = {m->a, m->b, up, m->rows, 4, 0x1p-45};
  if (dpd_lp_scratch(4) > sizeof work) return DPD_ERR_MEMORY;
  DPD_TRY(dpd_lp_maximise(&lp, basis, work, ball, &feasible));
  if (!feasible) ball[3] = -INFINITY;
  return DPD_OK;
}

/* What is added to all halfspaces of a region without interior. */
static double padding(const dpd_space_search *q)
{
  return q->ball[3] < THIN ? THIN : 0;
}

/* The box of the region, from where it is cut. */
static dpd_status open_region(dpd_space_search *q, const program *m)
{
  double lower[3], upper[3], pad = padding(q);
  for (int k = 0; k < 3; k++) {
    lower[k] = -m->b[2 * k + 1] - pad;
    upper[k] = m->b[2 * k] + pad;
  }
  q->cut = 6;
  return dpd_polytope_open(&q->region, lower, upper, 0x1p-46);
}

/* Cuts the region by some planes more. */
static dpd_status cut_region(dpd_space_search *q, const program *m)
{
  int left = CUTS;
  for (; q->cut < m->rows && q->region.face.count > 0 && left > 0; q->cut++, left--)
    DPD_TRY(dpd_polytope_cut(&q->region, m->a + 4 * (size_t)q->cut, m->b[q->cut] + padding(q)));
  return left > 0 ? DPD_OK : DPD_AGAIN;
}

/* The centroid of the region; z is the ball's centre if rounding loses it. */
static void find_centroid(const dpd_space_search *q, const program *m, double z[3])
{
  memcpy(z, q->ball, 3 * sizeof *z);
  if (q->region.face.count > 0) dpd_polytope_centroid(&q->region, z);
  dpd_halfspace_rows rows = {m->a, m->b, 4, m->rows};
  if (padding(q) > 0) dpd_affine_hull_settle(&rows, 4 * THIN, z);
}

/* Looks at the level in the middle of those that are left. */
static dpd_status halve_levels(dpd_space_search *q, const space *s, program *m)
{
  int mid = q->lo + (q->hi - q->lo + 1) / 2;
  double ball[4];
  fill_program(s, q->planes, mid, q->work, m);
  DPD_TRY(largest_ball(m, ball));
  if (ball[3] >= -MISS)
    q->lo = mid;
  else
    q->hi = mid - 1;
  return DPD_OK;
}

/* The deepest level's region and its centroid, in steps. */
static dpd_status find_point(dpd_space_search *q, const space *s, program *m, dpd_deepest_3d *out)
{
  if (q->cut == 0) {
    fill_program(s, q->planes, q->lo, q->work, m);
    q->rows = m->rows;
    DPD_TRY(largest_ball(m, q->ball));
    *out = (dpd_deepest_3d){.level = q->lo, .found = q->ball[3] >= -MISS};
    if (!out->found) return DPD_OK;
    DPD_TRY(open_region(q, m));
  }
  m->rows = q->rows;
  DPD_TRY(cut_region(q, m));
  find_centroid(q, m, out->z);
  for (int k = 0; k < 3; k++)
    out->z[k] += s->centre[k];
  return DPD_OK;
}

/* What is sized beforehand: the lists of planes, n numbers, and the threads' parts. */
static size_t lay_out(dpd_space_search *q, int n, int threads, dpd_scratch a)
{
  q->planes = dpd_scratch_take(&a, (size_t)n, sizeof *q->planes);
  q->work = dpd_scratch_take(&a, (size_t)n, sizeof *q->work);
  q->workers = dpd_scratch_take(&a, dpd_scratch_size(worker_share(n), threads), 1);
  return a.used;
}

size_t dpd_halfspace_3d_median_scratch(int n, int threads)
{
  dpd_space_search q;
  return dpd_scratch_size(lay_out(&q, n, threads, (dpd_scratch){NULL, 0}), 1);
}

void dpd_halfspace_3d_median_open(dpd_space_search *q, const dpd_space_levels *p, void *scratch)
{
  *q = (dpd_space_search){.p = p, .lo = p->lo, .hi = p->hi};
  lay_out(q, p->n, p->threads, dpd_scratch_part(scratch, 0, 0));
  memset(q->planes, 0, (size_t)p->n * sizeof *q->planes);
}

void dpd_halfspace_3d_median_close(dpd_space_search *q)
{
  for (int i = 0; i < q->p->n; i++)
    dpd_list_close(&q->planes[i]);
  dpd_list_close(&q->numbers);
  dpd_polytope_close(&q->region);
}

dpd_status dpd_halfspace_3d_median(dpd_space_search *q, int rows, dpd_deepest_3d *out)
{
  const int n = q->p->n, from = q->done;
  space s = make_space(q->p);
  if (from < n) {
    q->done = rows < n - from ? from + rows : n;
    DPD_TRY(list_planes(&s, from, q->done, q->planes, q->workers));
    return DPD_AGAIN;
  }
  size_t total = 6;
  for (int i = 0; i < n; i++)
    total += q->planes[i].count;
  DPD_TRY(dpd_list_reserve(&q->numbers, total, 5 * sizeof(double)));
  double *a = q->numbers.item;
  program of_level = {a, a + 4 * total, 0};
  if (q->lo == q->hi) return find_point(q, &s, &of_level, out);
  DPD_TRY(halve_levels(q, &s, &of_level));
  return DPD_AGAIN;
}
