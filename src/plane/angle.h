/* angle.h - directions from a point to the rows of planar data, as sortable keys. */
#ifndef PLANE_ANGLE_H
#define PLANE_ANGLE_H

#include "dpd.h"

/* Relative rounding error of a coordinate, and of its difference to another. */
#define DPD_COORDINATE_EPS 0x1p-50

/* Rows of planar data, and the point p that they are seen from. */
typedef struct {
  const double *x, *y;
  int n;
  double px, py;
  double pad;          /* absolute error of the differences to p; 0: all numbers are exact */
  const double *error; /* NULL, or each row's error, in place of the one made from pad */
  const int *count;    /* NULL, or how many rows each of the n entries is, */
  int rows;            /* and how many they are in all; for halfspace depth alone */
} dpd_plane_rows;

/* Rows in all, and of entry i. */
static inline int dpd_plane_size(const dpd_plane_rows *q)
{
  return q->count != NULL ? q->rows : q->n;
}

static inline int dpd_plane_count(const dpd_plane_rows *q, int i)
{
  return q->count != NULL ? q->count[i] : 1;
}

typedef struct {
  dpd_plane_rows q;
  double scale; /* from keys to buckets; a little less, so that no key passes the last */
  int buckets;
} dpd_angle;

/* The error of row i's difference to p: 0, given, or pad + 2^-50 times the sizes of the numbers. */
double dpd_angle_row_error(const dpd_angle *k, int i);

/* The key of v = x_i - p in [0, 4), and whether v had to be negated. Requires: v is not zero. */
double dpd_angle_of(double dx, double dy, int *sign);

/* A vector v of that key that need not be negated; 0 <= key <= 4. */
void dpd_angle_direction(double key, double v[2]);

/* How far the key may be off, in a row with error e > 0. */
double dpd_angle_error(double dx, double dy, double e);

/* code[i] = 2 * bucket + sign for rows away from p, 2 * buckets for rows at p. Returns whether the
 * interval of some key holds the edge of a bucket. */
bool dpd_angle_code(const dpd_angle *k, int *code);

/* The buckets that the interval of a key reaches: `first` may be -1, `last` may be the number of
 * buckets or more, when the interval goes round the half turn. */
void dpd_angle_reach(const dpd_angle *k, double key, double error, int *first, int *last);

#endif
