/* test_regression_pairs.c - bounds by pairs of rows that cannot both count, against all points of a
 * box; the same ones of all sets of active rows that hold it, and of a tally of the rows. */
#include "ctest.h"
#include "ctest_memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mech/regression_state.h"

enum { ENTRIES = 48, COPIES = 12, ROWS = COPIES * ENTRIES, AXES = 5, DIRECTIONS = 4 };
enum { CASES = 76, PLAIN = 56, BOXES = 20, SETS = 3 /* boxes within boxes */ };

/* Rows, or entries of a tally: their numbers column by column. */
typedef struct {
  int n;
  double fit[ROWS * AXES], y[ROWS], projection[ROWS * DIRECTIONS];
} rows;

static struct {
  double lower[AXES], upper[AXES], resolution[AXES];
  int count[ENTRIES], end[ENTRIES];
  dpd_tally tally;
} given;

static int below(int n)
{
  return (int)((double)rand() / ((double)RAND_MAX + 1) * n);
}

/* Regressors of size about 1, at times whole numbers with ties; half of the responses are beyond
 * most boxes. At times more rows are undecided than pairs are made of. */
static void make_entries(rows *e, int c, int k)
{
  int n = 0;
  e->n = ENTRIES;
  for (int i = 0; i < ENTRIES; i++) {
    e->y[i] = below(81) / 4.0 - 10 + (i % 2 == 0 ? 0 : below(2) == 0 ? 30 : -30);
    for (int j = 0; j < k; j++)
      e->fit[i + j * ENTRIES] = j == 0 ? 1 : c % 8 < 4 ? below(5) - 2 : below(4001) / 1e3 - 2;
    for (int u = 0; u < DIRECTIONS; u++)
      e->projection[i + u * ENTRIES] =
          e->fit[i + ENTRIES] * (u - 1) + e->fit[i + (k - 1) * ENTRIES] * (u > 0);
    given.count[i] = c % 9 == 8 ? 1 + below(COPIES) : below(3) > 0 ? 1 : 2;
    given.end[i] = n += given.count[i];
  }
  given.tally = (dpd_tally){n, ENTRIES, given.count, given.end};
}

static void write_out(rows *r, const rows *e)
{
  int n = r->n = given.tally.n;
  for (int i = 0; i < n; i++) {
    int entry = dpd_tally_entry(&given.tally, i);
    r->y[i] = e->y[entry];
    for (int j = 0; j < AXES; j++)
      r->fit[i + j * n] = e->fit[entry + j * ENTRIES];
    for (int u = 0; u < DIRECTIONS; u++)
      r->projection[i + u * n] = e->projection[entry + u * ENTRIES];
  }
}

/* On a lattice of whole numbers; of entries if there is a tally. */
static dpd_regression *open_on(const rows *r, int c, int k, const dpd_tally *tally)
{
  dpd_regression *m;
  for (int j = 0; j < k; j++) {
    given.lower[j] = -32;
    given.upper[j] = 32;
    given.resolution[j] = 1;
  }
  dpd_regression_spec spec = {.n = given.tally.n,
                              .k = k,
                              .count = DIRECTIONS,
                              .fit = r->fit,
                              .y = r->y,
                              .projection = r->projection,
                              .prior = {.d = k, .a = given.lower, .b = given.upper},
                              .eps = {(uint64_t)1 << DPD_RATE_BITS},
                              .tie = c % 3 == 0 ? 0.5 : 0,
                              .above = c < PLAIN ? 1 + c % 3 / 2 : 2,
                              .below = 1 + c % 5 / 4,
                              .shifted = c < PLAIN ? c % 7 == 6 : c < PLAIN + 4,
                              .origin = c >= PLAIN + 4,
                              .tally = tally};
  spec.prior.resolution = given.resolution;
  CHECK(dpd_regression_open(&m, &spec, ctest_alloc) == DPD_OK);
  return m;
}

/* The largest score of all points of the box. */
static int most_in(dpd_regression *m, const double *lo, const double *hi)
{
  int k = m->spec.k, most = 0, j = 0;
  double w[AXES], z[AXES];
  for (int i = 0; i < k; i++)
    w[i] = lo[i];
  while (j < k) {
    dpd_regression_point(m, w, z);
    int score = dpd_regression_score(m, z);
    if (score > most) most = score;
    for (j = 0; j < k && w[j] >= hi[j]; j++)
      w[j] = lo[j];
    if (j < k) w[j]++;
  }
  return most;
}

/* The weight that bounds a box by the rows of one set, and what pairs take off. */
typedef struct {
  int64_t weight, off;
} box_bound;

static box_bound bound_in(dpd_regression *m, dpd_active_rows *a, const double *lo, const double *hi)
{
  int64_t sum[2];
  m->note = (dpd_rejection_note){{-1, -1, -1, -1}, -1};
  m->next_direction = 0;
  dpd_regression_terms_box(m, a, lo, hi, sum);
  int64_t weight = dpd_regression_min_weight(m, a, lo, hi, sum);
  return (box_bound){weight, dpd_regression_conflicts(m, a, lo, hi, sum, weight)};
}

/* How much was taken off, of boxes in so many sets. */
static int taken_off[SETS + 1], taken_off_at[AXES + 1];

/* The bound is no less than the largest score, and the same by all rows and by any set that holds
 * the box, of rows and of entries. */
static void check_box(dpd_regression *m[2], const double *lo, const double *hi)
{
  const box_bound b = bound_in(m[0], &m[0]->all, lo, hi);
  int most = most_in(m[1], lo, hi), bound;
  CHECK(b.off >= 0 && most <= b.weight - b.off);
  if (m[0]->spec.origin) CHECK(b.off == 0);
  taken_off_at[m[0]->spec.k] += (int)b.off;
  for (int i = 0; i < 2; i++)
    for (int l = -1; l < m[i]->levels; l++) {
      box_bound other = bound_in(m[i], l < 0 ? &m[i]->all : m[i]->level + l, lo, hi);
      CHECK(other.weight == b.weight);
      CHECK(other.off == b.off);
      taken_off[l + 1] += (int)b.off;
    }
  CHECK(dpd_regression_bound(m[0], lo, hi, &bound) && most <= bound);
}

/* Boxes that hold fits near many rows, of a few steps a side, in sets of rows of wider ones. */
static void check_boxes(dpd_regression *m[2])
{
  const int k = m[0]->spec.k, side = k == 2 ? 24 : k == 3 ? 9 : k == 4 ? 5 : 3;
  double lo[AXES], hi[AXES], w[AXES];
  for (int b = 0; b < ctest_some(BOXES); b++) {
    for (int j = 0; j < k; j++) {
      lo[j] = below(13) - 6 - (j == 0 ? below(8) : 0);
      hi[j] = lo[j] + below(side);
    }
    for (int i = 0; i < 2; i++) {
      m[i]->levels = 0;
      for (int wide = SETS - 1; wide >= 0; wide--) {
        /* proposals for which a set is made that holds the box and wide^2 beside it, and hardly
         * more: half of them at either quartile */
        for (int t = 0; t < 2 * DPD_REGRESSION_RECENT; t++) {
          for (int j = 0; j < k; j++) {
            double side = hi[j] - lo[j] + 2 * wide * wide, far = fmax(0, side - 3) / 8;
            w[j] = lo[j] / 2 + hi[j] / 2 + (t % 2 == 0 ? -far : far);
          }
          dpd_regression_follow_proposals(m[i], w);
        }
      }
    }
    check_box(m, lo, hi);
  }
}

int main(void)
{
  rows r, e;
  dpd_regression *m[2];
  ctest_memory memory = {NULL, 0};
  ctest_pool = &memory;
  memset(&e, 0, sizeof e);
  srand(5);
  for (int c = 0; c < CASES; c++) {
    const int k = 2 + c % 4;
    make_entries(&e, c, k);
    write_out(&r, &e);
    m[0] = open_on(&r, c, k, NULL);
    m[1] = open_on(&e, c, k, &given.tally);
    for (int kind = 0; kind < DPD_FRAMES; kind++) {
      for (int i = 0; i < 2; i++) {
        dpd_regression_set_frame(m[i], (dpd_regression_frame)kind, ctest_alloc);
        CHECK(dpd_regression_begin_tree(m[i]) == DPD_OK);
      }
      check_boxes(m);
    }
    ctest_free(&memory);
  }
  for (int k = 2; k <= AXES; k++)
    CHECK(taken_off_at[k] > 0);
  for (int l = 0; l < SETS; l++)
    CHECK(taken_off[l] > 0);
  ctest_free(&memory);
  return ctest_report("regression_pairs");
}
