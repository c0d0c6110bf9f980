/* halfspace_box.c - an upper bound of the planar halfspace depth over a parallelogram.
 *
 * METHOD: a closed halfspace {x: u'x >= u'z} excludes row x for every z of the set if
 *   u'(x - corner) < 0 at all four corners. Seen from the corners x spans a cone of directions
 *   from angle a to b, b - a < pi, and the u that exclude it are the open arc from b + pi/2 to
 *   a + 3 pi/2; a row within the set is never excluded. The arc of directions that most rows have
 *   in common excludes that many for every z: the depth is at most n less their number. One
 *   sort of all ends of arcs finds it. This is the bound along the best of all directions;
 *   mech/exponential_bound.c takes some of them.
 * EXACT: angles are computed with an error below 2^-49 and arcs are 2^-46 shorter at each end, so
 *   that a row counted as excluded is excluded.
 * COST: O(n log n), four arc tangents per row. Memory: three doubles per row.
 * DEGENERATE: no rows: 0. A set that is a point or a segment is no exception; a row at a corner is
 *   never excluded.
 * REFERENCE: Rousseeuw and Ruts (1996), Algorithm AS 307, for a point.
 */
#include "depth/halfspace_box.h"

#include <math.h>
#include <stdbool.h>

#include "num/constants.h"
#include "num/sort.h"

#define SLACK 0x1p-46

size_t dpd_halfspace2_box_scratch(int n)
{
  return 3 * (size_t)n * sizeof(double);
}

size_t dpd_halfspace2_box_scratch_of(int entries)
{
  size_t m = (size_t)entries;
  return (2 * m + m / 2 + 1) * sizeof(dpd_counted);
}

/* The arc of directions that leave row i out: its start in [0, 2 pi) and its length. */
static bool find_arc(const dpd_plane_box *b, int i, double *start, double *length)
{
  double ax = b->x[i] - b->corner[0][0], ay = b->y[i] - b->corner[0][1], min = 0, max = 0;
  if (ax == 0 && ay == 0) return false;
  for (int k = 1; k < 4; k++) {
    double cx = b->x[i] - b->corner[k][0], cy = b->y[i] - b->corner[k][1];
    if (cx == 0 && cy == 0) return false;
    double angle = atan2(ax * cy - ay * cx, ax * cx + ay * cy);
    min = fmin(min, angle);
    max = fmax(max, angle);
  }
  *length = DPD_PI - (max - min) - 2 * SLACK;
  if (!(*length > 0)) return false;
  *start = atan2(ay, ax) + max + DPD_PI / 2 + SLACK;
  if (*start < 0) *start += 2 * DPD_PI;
  if (*start >= 2 * DPD_PI) *start -= 2 * DPD_PI;
  return true;
}

/* The same with the counts of a tally's entries. */
static int count_box(const dpd_plane_box *b, dpd_counted *work)
{
  const dpd_tally *t = b->tally;
  dpd_counted *start = work, *end = start + t->size, *room = end + t->size;
  int arcs = 0, over = 0, best;
  double length;
  for (int i = 0; i < t->size; i++) {
    if (!find_arc(b, i, &start[arcs].key, &length)) continue;
    end[arcs].key = start[arcs].key + length;
    start[arcs].count = end[arcs].count = t->count[i];
    if (end[arcs].key > 2 * DPD_PI) {
      end[arcs].key -= 2 * DPD_PI;
      over += t->count[i];
    }
    arcs++;
  }
  dpd_counted_sort(start, room, arcs);
  dpd_counted_sort(end, room, arcs);
  best = over;
  for (int i = 0, j = 0; i < arcs; i++) {
    for (; j < arcs && end[j].key <= start[i].key; j++)
      over -= end[j].count;
    over += start[i].count;
    if (over > best) best = over;
  }
  return t->n - best;
}

int dpd_halfspace2_box(const dpd_plane_box *b, void *work)
{
  if (b->tally != NULL) return count_box(b, work);
  double *start = work, *end = start + b->n, *spare = end + b->n, length;
  int arcs = 0, over = 0, best;
  for (int i = 0; i < b->n; i++) {
    if (!find_arc(b, i, start + arcs, &length)) continue;
    end[arcs] = start[arcs] + length;
    if (end[arcs] > 2 * DPD_PI) { /* holds the angle 0 */
      end[arcs] -= 2 * DPD_PI;
      over++;
    }
    arcs++;
  }
  dpd_sort_doubles(start, (size_t)arcs, spare);
  dpd_sort_doubles(end, (size_t)arcs, spare);
  best = over;
  for (int i = 0, j = 0; i < arcs; i++) {
    for (; j < arcs && end[j] <= start[i]; j++)
      over--;
    over++;
    if (over > best) best = over;
  }
  return b->n - best;
}
