/* tally.h - rows of which several may be the same: how many there are of each. */
#ifndef NUM_TALLY_H
#define NUM_TALLY_H

#include "dpd.h"

/* n rows, of which entry i stands for count[i] >= 1; end[i]: rows of the entries up to i. As if all
 * were written out, those of one entry after the other. Where kernels take a pointer to it, NULL
 * means that every row is an entry of its own. */
typedef struct {
  int n, size;
  const int *count, *end; /* size each; end[size - 1] = n < 2^31 - 1 */
} dpd_tally;

/* Entries of n rows. */
static inline int dpd_tally_size(const dpd_tally *t, int n)
{
  return t != NULL ? t->size : n;
}

static inline int dpd_tally_count(const dpd_tally *t, int i)
{
  return t != NULL ? t->count[i] : 1;
}

/* The entry of row i, 0 <= i < n. */
int dpd_tally_entry(const dpd_tally *t, int i);

/* A number, and how many rows have it. */
typedef struct {
  double key;
  int count;
} dpd_counted;

/* Sorts by key; room: n / 2. Entries of equal keys stay in their order. */
void dpd_counted_sort(dpd_counted *x, dpd_counted *room, int n);

/* The different values of a column, increasing, and how many rows are at most each. */
typedef struct {
  int size;
  double *value;
  int *end;
} dpd_runs;

/* Sorts the n entries x; value and end have room for n. */
void dpd_runs_set(dpd_runs *r, dpd_counted *x, dpd_counted *room, int n);

/* The order statistic of that rank, from 1 to all rows. */
double dpd_runs_row(const dpd_runs *r, int rank);

/* How many rows are at most t, and at least t. */
void dpd_runs_sides(const dpd_runs *r, double t, int *below, int *above);

/* out[k apart] = the order statistic of rank first + k stride, from 1, for k < size, of entries
 * that are sorted. */
typedef struct {
  int first, stride, size;
} dpd_ranks;

void dpd_counted_ranks(const dpd_counted *sorted, dpd_ranks ranks, double *out, ptrdiff_t apart);

#endif
