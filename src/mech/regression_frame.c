/* regression_frame.c - the coordinates in which the private regression's boxes are cut.
 *
 * METHOD: fits of equal depth have about the shape of (A'A)^-1, A the central rows in steps of the
 * lattice. The axes are taken in their order, or from the longest to the shortest: z_j = w_j +
 * rint(what z_0 .. z_{j-1} make), such that the fits move least along each w_k. These coefficients
 * are those of column k's regression on the columns after it, by orthogonal projection, twice, so
 * that where columns depend on each other linearly the axis follows their null direction to the
 * last bits of a double. Rounding to the lattice along it moves fits by no more than what
 * dpd_regression_spec.tie allows for, so a box as long as the lattice may hold one score.
 * Where columns are not nearly dependent the coefficients are those of least absolute deviations
 * (num/least_deviations): a coefficient that few rows have lies far out with some probability, and
 * what follows it must not move the fits of all others, as least squares would have it.
 * Private: it steers speed only.
 * COST: O(rows k^2) thirty times, rows at most 4000.
 * DEGENERATE: a column that others give adds no axis of its own: its coefficient is 0, and the axis
 * along which nothing changes is as good as endless.
 */
#include <math.h>
#include <string.h>

#include "mech/regression_state.h"
#include "num/inverse.h"
#include "num/least_deviations.h"
#include "num/sort.h"

enum { SHAPE_ROWS = 4000 }; /* rows that the shape is fitted to */

#define SHEAR_LIMIT 0x1p7     /* sheared indexes stay exact: 2^47 / 2^DPD_REGRESSION_BITS */
#define SHELL_LIMIT 0x1p3     /* the same for 2^DPD_REGRESSION_SHELLS */
#define RIDGE 1e-9            /* dependent columns have a shape, too: long where they cancel */
#define DEPENDENT 1e-11       /* what is left of a column that others give, in parts of it */
#define NEARLY_DEPENDENT 1e-4 /* of a column whose middle is about 1: what is left of it */
#define LOG_SIZE_MOST 100.0 /* units this many powers of two apart: the longer is never cut first */

/* The columns of every `by`-th row, each in a power of two near its middle size (exponent[j]). */
typedef struct {
  size_t rows, k;
  double *x, *mid, *spread; /* rows x k, row-major; medians and distances of the quartiles */
  double *step; /* of z_j times the column's power of two: step 2^exponent, step in [0.5, 1) */
  int *exponent;
} sample;

static void take_sample(const dpd_regression *m, sample *s, dpd_alloc alloc)
{
  const dpd_tally *t = m->spec.tally;
  size_t n = (size_t)m->spec.n, k = s->k = (size_t)m->spec.k, by = n / SHAPE_ROWS + 1;
  s->rows = (n + by - 1) / by;
  s->x = alloc(s->rows * k, sizeof *s->x);
  s->mid = alloc(3 * k, sizeof *s->mid);
  s->spread = s->mid + k;
  s->step = s->spread + k;
  s->exponent = alloc(k, sizeof *s->exponent);
  double *work = alloc(s->rows, sizeof *work);
  for (size_t j = 0; j < k; j++) {
    const double *from = m->spec.fit + j * dpd_regression_entries(m);
    for (size_t i = 0; i < s->rows; i++)
      s->x[i * k + j] = from[dpd_tally_entry(t, (int)(i * by))];
    for (size_t i = 0; i < s->rows; i++)
      work[i] = fabs(s->x[i * k + j]);
    dpd_sort_inplace(work, s->rows);
    double middle = work[s->rows / 2] > 0 ? work[s->rows / 2] : work[s->rows - 1];
    s->exponent[j] = middle > 0 ? 1 + ilogb(middle) : 0;
    for (size_t i = 0; i < s->rows; i++)
      work[i] = s->x[i * k + j] = ldexp(s->x[i * k + j], -s->exponent[j]);
    dpd_sort_inplace(work, s->rows);
    s->mid[j] = work[s->rows / 2];
    s->spread[j] = work[3 * s->rows / 4] - work[s->rows / 4];
    int e;
    s->step[j] = frexp(m->lattice.step[j], &e);
    s->exponent[j] += e;
  }
}

/* Is row i within 3 spreads of the median in every column that has a spread? */
static bool is_central(const sample *s, const double *x)
{
  for (size_t j = 0; j < s->k; j++) {
    if (s->spread[j] > 0 ? !(fabs(x[j] - s->mid[j]) <= 3 * s->spread[j]) : !(fabs(x[j]) <= 0x1p20))
      return false;
  }
  return true;
}

/* Keeps the central rows. */
static void keep_central(sample *s)
{
  size_t kept = 0;
  for (size_t i = 0; i < s->rows; i++)
    if (is_central(s, s->x + i * s->k)) {
      memmove(s->x + kept * s->k, s->x + i * s->k, s->k * sizeof *s->x);
      kept++;
    }
  s->rows = kept;
}

/* log2 of a step of z_j times the column's power of two. */
static double log_step(const sample *s, size_t j)
{
  return log2(s->step[j]) + s->exponent[j];
}

/* How many steps of axis `to` are as much as one of `from`, apart from the columns. */
static double step_ratio(const sample *s, int from, int to)
{
  return ldexp(s->step[from] / s->step[to], s->exponent[from] - s->exponent[to]);
}

static void take_moments(const sample *s, double *gram)
{
  size_t k = s->k;
  memset(gram, 0, k * k * sizeof *gram);
  for (size_t i = 0; i < s->rows; i++) {
    const double *x = s->x + i * k;
    for (size_t j = 0; j < k; j++)
      for (size_t l = 0; l < k; l++)
        gram[j * k + l] += x[j] * x[l];
  }
}

/* The axes by the size of fits along them, in steps: the longest first. gram: 2 k^2 + 2 k. */
static void order_axes(const sample *s, double *gram, int *axis)
{
  size_t k = s->k;
  double *cov = gram + k * k, *norm = cov + k * k, *length = norm + k;
  take_moments(s, gram);
  memset(cov, 0, k * k * sizeof *cov);
  for (size_t j = 0; j < k; j++)
    norm[j] = gram[j * k + j] > 0 ? sqrt(gram[j * k + j]) : 0;
  for (size_t j = 0; j < k; j++)
    for (size_t l = 0; l < k; l++)
      gram[j * k + l] = norm[j] > 0 && norm[l] > 0 ? gram[j * k + l] / norm[j] / norm[l] : j == l;
  for (size_t j = 0; j < k; j++) {
    gram[j * k + j] += RIDGE;
    cov[j * k + j] = 1;
  }
  bool shaped = dpd_invert(gram, cov, (int)k, RIDGE / 100);
  for (size_t j = 0; j < k; j++) {
    double size = shaped ? 0.5 * log2(fabs(cov[j * k + j])) : 0;
    length[j] = norm[j] > 0 ? size - log2(norm[j]) - log_step(s, j) : INFINITY;
    size_t at = j;
    for (; at > 0 && length[axis[at - 1]] < length[j]; at--)
      axis[at] = axis[at - 1];
    axis[at] = (int)j;
  }
}

/* Orthogonal directions q_j of the columns in the order of `axis`, from the last to the first, each
 * of length 1, or 0 where the columns after it give it: column j = sum_l>=j r_jl q_l. */
typedef struct {
  double *q, *r, *left; /* k x rows; k x k; k: lengths of what was left */
} projection_basis;

static void project_column(const sample *s, const int *axis, size_t j, projection_basis *b)
{
  size_t k = s->k, rows = s->rows;
  double *q = b->q + j * rows, *r = b->r + j * k, whole = 0, left = 0;
  for (size_t i = 0; i < rows; i++) {
    q[i] = s->x[i * k + (size_t)axis[j]];
    whole += q[i] * q[i];
  }
  for (int pass = 0; pass < 2; pass++)
    for (size_t l = j + 1; l < k; l++) {
      const double *other = b->q + l * rows;
      double part = 0;
      for (size_t i = 0; i < rows; i++)
        part += q[i] * other[i];
      for (size_t i = 0; i < rows; i++)
        q[i] -= part * other[i];
      r[l] += part;
    }
  for (size_t i = 0; i < rows; i++)
    left += q[i] * q[i];
  left = sqrt(left);
  bool dependent = !(left > DEPENDENT * sqrt(whole));
  for (size_t i = 0; i < rows; i++)
    q[i] = dependent ? 0 : q[i] / left;
  r[j] = b->left[j] = dependent ? 0 : left;
}

/* M: unit lower, by rows, in steps. */
static void set_matrix(const sample *s, const int *axis, const projection_basis *b, double *matrix)
{
  size_t k = s->k;
  memset(matrix, 0, k * k * sizeof *matrix);
  for (size_t j = 0; j < k; j++) {
    double *r = b->r + j * k;
    matrix[j * k + j] = 1;
    for (size_t l = j + 1; l < k; l++) {
      const double *other = b->r + l * k;
      if (!(b->left[l] > 0)) continue;
      double times = r[l] / other[l];
      for (size_t h = l; h < k; h++)
        r[h] -= times * other[h];
      matrix[l * k + j] = -times * step_ratio(s, axis[j], axis[l]);
    }
  }
}

/* The coefficients of least absolute deviations. Coordinates that few rows
 * have lie far out with some probability, and the axes along them then move no other row. */
static void set_majority(const sample *s, const int *axis, projection_basis *b, double *matrix,
                         dpd_alloc alloc)
{
  size_t k = s->k;
  dpd_deviations_rows rows = {s->x, s->rows, k};
  double *c = alloc(k, sizeof *c);
  int *column = alloc(k, sizeof *column);
  for (size_t j = 0; j < k; j++) {
    /* only projection finds dependent columns to the last bits */
    if (!(b->left[j] > NEARLY_DEPENDENT * sqrt((double)s->rows))) continue;
    size_t d = 0;
    column[0] = axis[j];
    /* a column that others give, or of zeros, would leave the fit undetermined */
    for (size_t l = j + 1; l < k; l++)
      if (b->left[l] > 0) column[++d] = axis[l];
    double mean = dpd_deviations_fit(rows, column, d, c, alloc);
    if (!(mean > 0 && isfinite(mean))) continue;
    d = 0;
    b->left[j] = mean * sqrt((double)s->rows);
    for (size_t l = j + 1; l < k; l++)
      matrix[l * k + j] = b->left[l] > 0 ? -c[d++] * step_ratio(s, axis[j], axis[l]) : 0;
  }
}

/* Sides to cut by: the fits' sizes along each w, relative to the longest. */
static void set_unit(const sample *s, const int *axis, const projection_basis *b, double *unit)
{
  double longest = -INFINITY;
  for (size_t j = 0; j < s->k; j++) {
    unit[j] = b->left[j] > 0 ? -log2(b->left[j]) - log_step(s, (size_t)axis[j]) : INFINITY;
    if (isfinite(unit[j])) longest = fmax(longest, unit[j]);
  }
  if (!isfinite(longest)) longest = 0;
  for (size_t j = 0; j < s->k; j++)
    unit[j] = exp2(isfinite(unit[j]) ? fmax(unit[j] - longest, -LOG_SIZE_MOST) : LOG_SIZE_MOST);
}

void dpd_regression_point(dpd_regression *m, const double *w, double *z)
{
  dpd_shear_point(&m->shear, w, m->sheared);
  for (int j = 0; j < m->spec.k; j++)
    z[m->axis[j]] = m->sheared[j];
}

void dpd_regression_form(dpd_regression *m, const double *a, double *c, double size[3])
{
  for (int j = 0; j < m->spec.k; j++)
    m->sheared[j] = a[m->axis[j]];
  dpd_shear_form(&m->shear, m->sheared, c, size);
}

void dpd_regression_cover(dpd_regression *m, double *lo, double *hi)
{
  double *from = m->sheared, *to = m->sheared + m->spec.k;
  for (int j = 0; j < m->spec.k; j++) {
    from[j] = m->lattice.lo[m->axis[j]];
    to[j] = m->lattice.hi[m->axis[j]];
  }
  dpd_shear_cover(&m->shear, from, to, lo, hi);
}

void dpd_regression_set_frame(dpd_regression *m, dpd_regression_frame kind, dpd_alloc alloc)
{
  size_t k = (size_t)m->spec.k;
  sample s;
  m->heavy_count = 0;
  take_sample(m, &s, alloc);
  keep_central(&s);
  double *gram = alloc(4 * k * k + 4 * k, sizeof *gram), *matrix = gram + 2 * k * k + 2 * k;
  projection_basis b = {.r = matrix + k * k, .left = matrix + 2 * k * k};
  double *unit = b.left + k;
  b.q = alloc(s.rows * k + 1, sizeof *b.q);
  memset(b.r, 0, k * k * sizeof *b.r);
  for (size_t j = 0; j < k; j++)
    m->axis[j] = (int)j;
  if (kind == DPD_FRAME_LONGEST_FIRST) order_axes(&s, gram, m->axis);
  for (size_t j = k; j-- > 0;)
    project_column(&s, m->axis, j, &b);
  bool full = true;
  for (size_t j = 0; j < k; j++)
    full &= b.left[j] > 0;
  /* where columns give each other, what counts is the direction that changes nothing */
  if (kind == DPD_FRAME_IN_ORDER && full && dpd_regression_set_atom_frame(m, alloc)) return;
  set_matrix(&s, m->axis, &b, matrix);
  set_majority(&s, m->axis, &b, matrix, alloc);
  set_unit(&s, m->axis, &b, unit);
  dpd_shear_set(&m->shear, (int)k, kind == DPD_FRAME_STRAIGHT ? NULL : matrix, unit,
                m->mass != NULL ? SHELL_LIMIT : SHEAR_LIMIT, alloc);
  /* too steep for the order of the lattice's axes */
  if (kind == DPD_FRAME_IN_ORDER && m->shear.identity)
    dpd_regression_set_frame(m, DPD_FRAME_LONGEST_FIRST, alloc);
}
