/* central_moments.c - medians, scales and second moments of the columns of central rows.
 *
 * METHOD: medians and interquartile scales, or the scale of the middle nine tenths where that is
 *   larger; moments of the rows that are central in every column.
 * COST: O(m d log m + m d^2); 2 m doubles of work.
 * DEGENERATE: a column no wider than `thin`, constant ones among them, and one with a twentieth of
 *   its rows tied in its median are not sheared. Scales are at least 1. No central row: the moments
 *   are zero, and so is their number. Requires m >= 1.
 */
#include "geom/central_moments.h"

#include <math.h>
#include <string.h>

#include "num/sort.h"

#define TIED_SHARE 20  /* a column with this part of its rows in its median keeps its axis */
#define SHEAR_TRIM 2.0 /* central rows: within this many scales of the median, on every axis */

/* Do so many of the m sorted values agree with their median that they weigh something? */
static bool has_tied_median(const double *y, int m, double thin)
{
  double mid = y[m / 2];
  int from = m / 2, to = from;
  while (from > 0 && y[from - 1] == mid)
    from--;
  while (to < m - 1 && y[to + 1] == mid)
    to++;
  double share = (to - from + 1.0) / m;
  return TIED_SHARE * share >= 1 && share * thin > 2;
}

int dpd_columns_center(const double *rows, int m, int d, double thin, dpd_columns *c, double *work)
{
  int sheared = 0;
  for (int j = 0; j < d; j++) {
    double *y = work, *tmp = work + m;
    for (int i = 0; i < m; i++)
      y[i] = rows[i * d + j];
    dpd_sort_doubles(y, (size_t)m, tmp);
    c->mid[j] = y[m / 2];
    c->spread[j] = (y[(3 * m) / 4] - y[m / 4]) / 1.35;
    c->sheared[j] = c->spread[j] > thin && !has_tied_median(y, m, thin);
    sheared += c->sheared[j];
    c->spread[j] = fmax(c->spread[j], fmax(1, (y[m - 1 - m / 20] - y[m / 20]) / 3.3));
  }
  return sheared;
}

int dpd_columns_moments(const double *rows, int m, int d, const dpd_columns *c, double *cov)
{
  int used = 0;
  memset(cov, 0, (size_t)(d * d) * sizeof *cov);
  for (int i = 0; i < m; i++) {
    bool central = true;
    for (int j = 0; j < d; j++) {
      c->v[j] = c->sheared[j] ? (rows[i * d + j] - c->mid[j]) / c->spread[j] : 0;
      if (fabs(c->v[j]) > SHEAR_TRIM) central = false;
    }
    if (!central) continue;
    used++;
    for (int j = 0; j < d; j++)
      for (int k = 0; k <= j; k++)
        cov[j * d + k] += c->v[j] * c->v[k];
  }
  for (int j = 0; j < d; j++)
    if (!c->sheared[j]) cov[j * d + j] = used;
  return used;
}
