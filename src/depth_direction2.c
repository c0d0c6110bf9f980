/* depth_direction2.c - a direction in the plane along which a point is about as deep as it is.
 *
 * METHOD: rows are folded to a half turn and counted into buckets by a key that grows with the
 *   angle (b/a, or 2 - a/b): prefix sums give the count at every bucket edge; the rows of the
 *   buckets beside the best edge are then sorted and walked.
 * COST: O(n). DEGENERATE: all rows at p give (1, 0).
 * REFERENCE: Rousseeuw and Ruts (1996), Algorithm AS 307.
 */
#include "depth_direction2.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BUCKETS = 4096 };

typedef struct {
  double key;
  int step; /* what passing this row adds to the count on the left */
} turn;

size_t dpd_direction2_work_size(int n)
{
  return (size_t)n * sizeof(turn);
}

/* Key in [-1, 3] of the line through v; step: -1 if v itself points along it, 1 if -v does. */
static turn make_turn(double a, double b)
{
  bool wide = fabs(a) > fabs(b);
  turn t = {wide ? b / a : 2 - a / b, (wide ? a : b) > 0 ? -1 : 1};
  return t;
}

static int bucket_of(double key)
{
  int b = (int)((key + 1) * (BUCKETS / 4));
  return b < BUCKETS ? b : BUCKETS - 1;
}

static int compare_turns(const void *p, const void *q)
{
  double a = ((const turn *)p)->key, b = ((const turn *)q)->key;
  return (a > b) - (a < b);
}

/* The normal of the line whose key this is. */
static void set_normal(double key, double u[2])
{
  double a = key <= 1 ? 1 : 2 - key, b = key <= 1 ? key : 1;
  double size = sqrt(a * a + b * b);
  u[0] = -b / size;
  u[1] = a / size;
}

static int fewer(int f, int away)
{
  return f < away - f ? f : away - f;
}

void dpd_direction2_find(const double *x, const double *y, int n, double px, double py, void *work,
                         double u[2])
{
  turn *turns = work;
  int change[BUCKETS] = {0}, away = 0, left = 0;
  for (int i = 0; i < n; i++) {
    double a = x[i] - px, b = y[i] - py;
    if (a == 0 && b == 0) continue;
    turns[away] = make_turn(a, b);
    left += turns[away].step < 0;
    change[bucket_of(turns[away].key)] += turns[away].step;
    away++;
  }
  int best = away + 1, edge = 0, at_edge = 0, f = left;
  for (int b = 0; b < BUCKETS; b++) {
    if (fewer(f, away) < best) {
      best = fewer(f, away);
      edge = b;
      at_edge = f - (b > 0 ? change[b - 1] : 0);
    }
    f += change[b];
  }
  set_normal(edge * (4.0 / BUCKETS) - 1, u);
  /* the buckets before and after the edge, in order; at_edge: the count where they begin */
  int m = 0;
  for (int i = 0; i < away; i++) {
    int b = bucket_of(turns[i].key);
    if (b == edge || b == edge - 1) turns[m++] = turns[i];
  }
  qsort(turns, (size_t)m, sizeof *turns, compare_turns);
  f = at_edge;
  for (int i = 0; i + 1 < m; i++) {
    f += turns[i].step;
    if (fewer(f, away) >= best || turns[i].key == turns[i + 1].key) continue;
    best = fewer(f, away);
    set_normal((turns[i].key + turns[i + 1].key) / 2, u);
  }
}
