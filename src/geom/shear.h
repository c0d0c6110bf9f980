/* shear.h - a one-to-one map of Z^d that straightens correlated data. */
#ifndef GEOM_SHEAR_H
#define GEOM_SHEAR_H

#include "dpd.h"
#include "num/tally.h"

/* z_j = w_j + rint(sum_{k<j} coef_jk z_k): a bijection of Z^d for any real coefficients. */
typedef struct {
  int d;
  bool identity;
  double *coef;    /* d x d, strictly lower, row-major */
  double *inverse; /* d x d, (I - coef)^{-1}, unit lower */
  double rounding; /* bound of what rint() and its argument's error add to a column */
  double error;    /* relative error of forms, against their magnitudes times the box's reach */
  double *unit;    /* residual scale of each w_j: the side lengths to cut boxes by */
  bool reduced;    /* instead: z = centre + basis w, w = back (z - centre), all integers; d = 2 */
  double basis[4], back[4], centre[2];
  double middle[2]; /* d = 2: a row in the middle of those that it was fitted to, or NAN */
} dpd_shear;

/* What a shear is fitted to: n x d rows, row-major; fallback units of the axes. A column keeps its
 * axis, unsheared, if its scale is below `thin` steps or many rows agree in its median: planes
 * that hold rows stay boxes. thin: as many as the score's rate times the rows. */
typedef struct {
  const double *rows;
  int n, d;
  const double *scale;
  double thin;
  const dpd_tally *tally; /* NULL: every row is an entry */
} dpd_shear_sample;

/* Coefficients from the rows' own shape, so the shear is PRIVATE and may steer speed only. */
void dpd_shear_fit(dpd_shear *s, const dpd_shear_sample *sample, dpd_alloc alloc);

/* No shear. */
void dpd_shear_none(dpd_shear *s, const dpd_shear_sample *sample, dpd_alloc alloc);

/* From z = M (w + rounding), M d x d, row-major, unit lower, and the units of w; the identity if
 * M is NULL, or a row of I - M^{-1} has |coefficients| whose sum exceeds `limit`, where indexes
 * reach 2^47 / limit. */
void dpd_shear_set(dpd_shear *s, int d, const double *matrix, const double *unit, double limit,
                   dpd_alloc alloc);

/* In the plane: the shear replaced by a reduced basis of Z^2 about the point `centre`, or a row if
 * that is far from them, where the rows are so thin that the shear's own rounding would matter.
 * Does nothing elsewhere. */
void dpd_shear_reduce(dpd_shear *s, const double *centre);

/* In the plane: a basis of Z^2 about `centre` whose first vector is `step`, of coprime entries, in
 * place of the shear, with units from its; false if entries are too large. */
bool dpd_shear_along(dpd_shear *s, const int64_t *step, const double *centre);

/* A box of w that holds every w whose z lies in lo..hi. */
void dpd_shear_cover(const dpd_shear *s, const double *lo, const double *hi, double *wlo,
                     double *whi);

void dpd_shear_point(const dpd_shear *s, const double *w, double *z);

/* Coordinate w_j as a form of z about `at`: |w_j - form'(z - at) - constant| <= off for all z whose
 * indexes are at most 2^35. */
void dpd_shear_coordinate(const dpd_shear *s, int j, const double *at, double *form,
                          double *constant, double *off);

/* The linear form a'z as c'w + size[2] + error: writes c, the two sizes of the error (what the
 * shear's own rounding may add, and sum_jk |a_j| |M_jk|, which the doubles' error is relative
 * to), and the constant. */
void dpd_shear_form(const dpd_shear *s, const double *a, double *c, double size[3]);

/* `count` forms of w: form u has coefficients c[u + k * stride], k < d, and sizes
 * size[u + k * stride], k < 3. */
typedef struct {
  const double *c, *size;
  int count;
  size_t stride;
} dpd_shear_forms;

/* Lower and upper bounds of the forms over the w of the box lo..hi. Outward, whatever rounds. */
void dpd_shear_ranges(const dpd_shear *s, const dpd_shear_forms *forms, const double *lo,
                      const double *hi, double *min, double *max);

#endif
