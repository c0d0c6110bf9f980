/* exponential_lines.c - bounds of the planar depth over boxes, by lines through two atoms.
 *
 * METHOD: where many rows agree in few points, all of a segment between two of them is deeper than
 *   what lies beside it, since a closed halfspace through one of its points holds one end of it at
 *   least. It has no breadth, and mostly no lattice point either, but each box that it crosses has
 *   its depth for a bound along every direction, however small the box. A lattice point beside the
 *   line has on its side of it only the rows that are strictly there: the depth over a box without
 *   a lattice point on the line is at most the greater of the two strict counts.
 * EXACT: sides are signs of cross products in 128 bits. The lattice points of the line are its
 *   first point plus multiples of one step, counted over a range of a coordinate that is rounded
 *   outward.
 * COST: O(n) a pair of atoms, once; a few operations a pair and box. At most MOST_ATOMS atoms,
 *   points that occur twice among SAMPLE rows, fewer where rows are many.
 * DEGENERATE: no atoms, no bounds.
 */
#include <math.h>

#include "mech/exponential_state.h"

enum { SAMPLE = 300, MOST_ATOMS = 30 };
/* Pairs times rows: less than a second. */
static const double MOST_WORK = 1e8;

static int64_t divisor(int64_t a, int64_t b)
{
  while (b != 0) {
    int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a < 0 ? -a : a;
}

int dpd_exponential_scattered(const dpd_exponential *m, int i, int count)
{
  int n = m->spec.n;
  if (count >= n) return i;
  /* multiples of the golden section modulo 2^32: no period of the rows is met */
  uint64_t at = (uint64_t)i * 2654435769u & 0xffffffffu;
  return (int)(at * (uint64_t)n >> 32);
}

/* Points that occur twice among some rows, the most frequent first: place[k] is an entry with point
 * k. */
static int find_atoms(const dpd_exponential *m, int most, int *place)
{
  int rows = m->spec.n < SAMPLE ? m->spec.n : SAMPLE, entry[SAMPLE], times[MOST_ATOMS], atoms = 0;
  for (int i = 0; i < rows; i++)
    entry[i] = dpd_tally_entry(m->spec.tally, dpd_exponential_scattered(m, i, rows));
  for (int i = 0; i < rows; i++) {
    const double x = m->column[0][entry[i]], y = m->column[1][entry[i]];
    int found = 1;
    for (int k = 0; k < atoms && found == 1; k++)
      if (m->column[0][place[k]] == x && m->column[1][place[k]] == y) found = 0;
    for (int j = i + 1; j < rows && found > 0; j++)
      found += m->column[0][entry[j]] == x && m->column[1][entry[j]] == y;
    if (found < 2) continue;
    int k = atoms < most ? atoms++ : most;
    for (; k > 0 && times[k - 1] < found; k--) {
      if (k == most) continue;
      times[k] = times[k - 1];
      place[k] = place[k - 1];
    }
    if (k == most) continue;
    times[k] = found;
    place[k] = entry[i];
  }
  return atoms;
}

/* The line through the points of two entries. */
static void set_line(const dpd_exponential *m, int a, int b, dpd_exponential_line *line)
{
  for (int c = 0; c < 2; c++) {
    line->at[c] = (int64_t)m->column[c][a];
    line->step[c] = (int64_t)m->column[c][b] - line->at[c];
  }
  int64_t by = divisor(line->step[0], line->step[1]);
  for (int c = 0; c < 2; c++)
    line->step[c] /= by;
}

static void count_sides(const dpd_exponential *m, dpd_exponential_line *line)
{
  int above = 0, below = 0, size = dpd_tally_size(m->spec.tally, m->spec.n);
  for (int i = 0; i < size; i++) {
    int rows = dpd_tally_count(m->spec.tally, i);
    int64_t x = (int64_t)m->column[0][i] - line->at[0], y = (int64_t)m->column[1][i] - line->at[1];
    dpd_i128 side = (dpd_i128)line->step[0] * y - (dpd_i128)line->step[1] * x;
    above += side > 0 ? rows : 0;
    below += side < 0 ? rows : 0;
  }
  line->beside = above > below ? above : below;
}

static int most_atoms(const dpd_exponential *m)
{
  int size = dpd_tally_size(m->spec.tally, m->spec.n);
  return (int)fmin(MOST_ATOMS, fmax(2, sqrt(2 * MOST_WORK / size)));
}

bool dpd_exponential_lines_heaviest(const dpd_exponential *m, dpd_exponential_line *line)
{
  int place[MOST_ATOMS], atoms = find_atoms(m, most_atoms(m), place);
  if (atoms > 1) set_line(m, place[0], place[1], line);
  return atoms > 1;
}

/* Puts the last line where it belongs: fewest rows beside it first. */
static void sort_in(dpd_exponential *m, int last)
{
  dpd_exponential_line line = m->through[last];
  for (; last > 0 && m->through[last - 1].beside > line.beside; last--)
    m->through[last] = m->through[last - 1];
  m->through[last] = line;
}

void dpd_exponential_lines_open(dpd_exponential *m)
{
  int place[MOST_ATOMS], count = 0, atoms = find_atoms(m, most_atoms(m), place);
  m->line_opened = true;
  m->through = m->alloc((size_t)(atoms * atoms) + 1, sizeof *m->through);
  for (int k = 0; k < atoms; k++)
    for (int j = 0; j < k; j++) {
      set_line(m, place[j], place[k], m->through + count);
      count_sides(m, m->through + count);
      sort_in(m, count++);
      if (count % 16 == 0) dpd_exponential_pause(m);
    }
  m->lines = count;
}

/* May a lattice point of the line lie in the box lo..hi of z? */
static bool has_point(const dpd_exponential_line *line, const double *lo, const double *hi)
{
  double first = -INFINITY, last = INFINITY;
  for (int c = 0; c < 2; c++) {
    double step = (double)line->step[c], at = (double)line->at[c];
    if (step == 0) {
      if (at < lo[c] || at > hi[c]) return false;
      continue;
    }
    double p = (lo[c] - at) / step, q = (hi[c] - at) / step;
    double slack = 0x1p-50 * (fabs(p) + fabs(q));
    first = fmax(first, fmin(p, q) - slack);
    last = fmin(last, fmax(p, q) + slack);
  }
  return ceil(first) <= floor(last);
}

int dpd_exponential_lines_bound(const dpd_exponential *m, const double *lo, const double *hi,
                                int cap)
{
  for (int k = 0; k < m->lines; k++) {
    const dpd_exponential_line *line = m->through + k;
    if (line->beside < cap && !has_point(line, lo, hi)) cap = line->beside;
  }
  return cap;
}
