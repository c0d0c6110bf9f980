/* geom_shear.h - a one-to-one map of Z^d that straightens correlated data. */
#ifndef GEOM_SHEAR_H
#define GEOM_SHEAR_H

#include "dpd.h"

/* z_j = w_j + rint(sum_{k<j} coef_jk z_k): a bijection of Z^d for any real coefficients. */
typedef struct {
  int d;
  bool identity;
  double *coef;    /* d x d, strictly lower, row-major */
  double *inverse; /* d x d, (I - coef)^{-1}, unit lower */
  double rounding; /* bound of what rint() and its argument's error add to a column */
  double error;    /* relative error of forms, against their magnitudes times the box's reach */
  double *unit;    /* residual scale of each w_j: the side lengths to cut boxes by */
} dpd_shear;

/* Coefficients from the rows' own shape, so the shear is PRIVATE and may steer speed only.
 * rows: n x d row-major; scale: d fallback units. */
void dpd_shear_fit(dpd_shear *s, const double *rows, int n, int d, const double *scale,
                   dpd_alloc alloc);

/* A box of w that holds every w whose z lies in lo..hi. */
void dpd_shear_cover(const dpd_shear *s, const double *lo, const double *hi, double *wlo,
                     double *whi);

void dpd_shear_point(const dpd_shear *s, const double *w, double *z);

/* The linear form a'z as c'w + error: writes c and the two sizes of the error, what the shear's own
 * rounding may add, and sum_jk |a_j| |M_jk|, which the doubles' error is relative to. */
void dpd_shear_form(const dpd_shear *s, const double *a, double *c, double size[2]);

/* Lower and upper bounds, over the w of the box lo..hi, of `count` forms: form u has
 * coefficients c[u + k * stride], k < d, and sizes size[u], size[u + stride]. Outward, whatever
 * rounds. */
void dpd_shear_ranges(const dpd_shear *s, const double *c, const double *size, int count,
                      size_t stride, const double *lo, const double *hi, double *least,
                      double *most);

#endif
