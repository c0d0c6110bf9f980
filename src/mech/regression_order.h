/* regression_order.h - rows of a private regression by projection, by number and by how central. */
#ifndef MECH_REGRESSION_ORDER_H
#define MECH_REGRESSION_ORDER_H

#include "dpd.h"

typedef struct {
  double key;
  int row;
} dpd_keyed_row;

/* Sorts n rows by their keys, stably; x has room for n / 2 more. */
void dpd_keyed_rows_sort(dpd_keyed_row *x, int n);

/* Sorts them, and sets the order: ~row if the key is tied with the next. Is any? */
bool dpd_keyed_rows_order(dpd_keyed_row *x, int n, int *order);

/* Where the wanted row stands among rows in ascending order, or -1. */
int dpd_rows_find(const int *row, int size, int wanted);

/* The places of the `most` least numbers among those that are open (NULL: all are), least first,
 * or of fewer; returns how many. Numbers that are no numbers count as largest. */
int dpd_rows_central(const double *off, const bool *open, int size, int most, int *at);

enum { DPD_ROWS_CENTRAL_MOST = 8 };

#endif
