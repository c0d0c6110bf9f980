/* logistic.h - means of logistic steps: smoothed distribution functions and their tables. */
#ifndef NUM_LOGISTIC_H
#define NUM_LOGISTIC_H

#include "dpd.h"

/* G(t) = mean of plogis(s (t - y_i)). The table holds, at equally spaced nodes, G and the
 * spacing times G'; between nodes G is the cubic that matches them at both ends.
 * |table - G| < 1e-8 everywhere in the window. */
typedef struct {
  double lo;  /* the first node */
  double inv; /* nodes per unit of t */
  int nodes;
  double *node; /* 2 x nodes: G, G' / inv */
} dpd_logistic_table;

/* Nodes a unit of t. */
double dpd_logistic_density(double s);

/* Nodes that a window of this width takes; may be infinite. */
double dpd_logistic_nodes(double width, double s);

/* Bytes of workspace for a table of so many nodes. */
size_t dpd_logistic_scratch(int nodes);

/* The scale of the steps, and the window of the table. */
typedef struct {
  double s, lo, hi;
} dpd_logistic_window;

/* A table over lo..hi, in t->node of the size that dpd_logistic_nodes() says.
 * Requires: n >= 1, s > 0, lo <= hi, all finite. */
void dpd_logistic_build(dpd_logistic_table *t, const double *y, size_t n, dpd_logistic_window w,
                        double *work);

/* G at q by the table, and its slope if asked for; false outside the window. */
static inline bool dpd_logistic_look_up(const dpd_logistic_table *t, double q, double *value,
                                        double *slope)
{
  double at = (q - t->lo) * t->inv;
  if (!(at >= 0 && at < (double)(t->nodes - 1))) return false;
  int k = (int)at;
  const double *v = t->node + 2 * (size_t)k;
  double f = at - k, rise = v[2] - v[0];
  double c2 = 3 * rise - 2 * v[1] - v[3], c3 = v[1] + v[3] - 2 * rise;
  *value = v[0] + f * (v[1] + f * (c2 + f * c3));
  if (slope) *slope = t->inv * (v[1] + f * (2 * c2 + 3 * f * c3));
  return true;
}

/* G at q by the sum over all numbers, and its slope if asked for. */
double dpd_logistic_mean(const double *y, size_t n, double s, double q, double *slope);

/* G at q from sorted numbers: only those near q are looked at, to full precision. */
double dpd_logistic_sorted(const double *sorted, size_t n, double s, double q);

#endif
