/* regression_space_sets.c - rows that matter within a leaf of planes.
 *
 * METHOD: rows that are decided over a leaf are decided in all parts of it. A set knows which rows
 *   of the set above it has, and the terms of the others (mech/regression_space_lines.c). Sets are
 *   made for leaves that are cut; the ones that were asked for longest ago give way first, and
 *   those that were made of them are made of the set above.
 * COST: O(rows of the set above).
 * DEGENERATE: a set may have no rows.
 */
#include <math.h>
#include <string.h>

#include "mech/regression_space_state.h"

enum {
  LEAST_ROOM = 16,
  LINES = 24 /* of a set, at least */
};
#define LINE_ITEMS 2e5 /* of a set, or LINES lines */
/* Sets that there is room for in each class: their rows are 7 times those that there are. */
static const int places[] = {2, 3, 4, 6, 8, 12, 16, 24, 32, 48};

static int places_of(int c)
{
  const int last = (int)(sizeof places / sizeof *places) - 1;
  return places[c < last ? c : last];
}

static void open_set(dpd_regression_space *m, dpd_space_set *s, int room)
{
  const size_t n = (size_t)room, count = (size_t)m->spec.count;
  double lines = LINE_ITEMS / (room + 1);
  s->row = m->alloc(2 * n, sizeof *s->row);
  s->count = s->row + n;
  double *x = m->alloc(6 * n, sizeof *x);
  for (int j = 0; j < 3; j++)
    s->a[j] = x + (size_t)j * n;
  s->top = x + 3 * n;
  s->bottom = x + 4 * n;
  s->room_of = x + 5 * n;
  s->room = room;
  s->lines = lines > (double)count ? (int)count : lines < LINES ? LINES : (int)lines;
  s->line = m->alloc((size_t)s->lines, sizeof *s->line);
  s->direction = m->alloc((size_t)s->lines + count, sizeof *s->direction);
  s->line_of = s->direction + s->lines;
  for (int l = 0; l < s->lines; l++) {
    s->line[l] = NULL;
    s->direction[l] = -1;
  }
  for (size_t u = 0; u < count; u++)
    s->line_of[u] = -1;
}

static void clear_lines(dpd_space_set *s)
{
  for (int l = 0; l < s->lines; l++) {
    if (s->direction[l] >= 0) s->line_of[s->direction[l]] = -1;
    s->direction[l] = -1;
  }
  s->turn = 0;
}

static void add_row(const dpd_regression_space *m, dpd_space_set *s, int row, int count)
{
  const dpd_whole_row *r = &m->row[row].whole;
  const int at = s->size++;
  double size = 0;
  s->row[at] = row;
  s->count[at] = count;
  for (int j = 0; j < 3; j++) {
    s->a[j][at] = (double)r->a[j];
    size += fabs(s->a[j][at]);
  }
  double room = (size + 1) * m->reach * 0x1p-48;
  s->room_of[at] = room;
  s->top[at] = (double)r->top + room;
  s->bottom[at] = (double)(r->top - r->gap) - room;
}

void dpd_space_set_all(dpd_regression_space *m)
{
  dpd_space_set *s = &m->all;
  open_set(m, s, m->rows);
  s->owner = -1;
  for (int i = 0; i < m->rows; i++)
    add_row(m, s, i, m->row[i].count);
  m->term = m->alloc((size_t)m->rows, sizeof *m->term);
  m->open = m->alloc((size_t)m->rows, sizeof *m->open);
  m->off = m->alloc(2 * DPD_SPACE_THIN, sizeof *m->off);
  open_set(m, &m->thin, 2 * DPD_SPACE_THIN + 2);
  for (int c = 0; c < DPD_SPACE_CLASSES; c++)
    for (int k = 0; k < DPD_SPACE_SETS; k++)
      m->set[c][k].owner = -1;
}

dpd_space_set *dpd_space_serving(dpd_regression_space *m, int node)
{
  for (; node >= 0; node = dpd_space_node_at(m, node)->parent) {
    int at = dpd_space_node_at(m, node)->set;
    if (at < 0) continue;
    dpd_space_set *s = &m->set[at / DPD_SPACE_SETS][at % DPD_SPACE_SETS];
    s->used = ++m->clock;
    return s;
  }
  return &m->all;
}

static void reserve_map(dpd_regression_space *m, dpd_space_set *s, int rows)
{
  if (s->mapped >= rows) return;
  s->mapped = rows + rows / 4 + 8;
  s->place = m->alloc(2 * (size_t)s->mapped, sizeof *s->place);
  s->fixed = s->place + s->mapped;
}

/* A set that was made of `gone` is made of the set above that. */
static void lift_set(dpd_regression_space *m, dpd_space_set *s, const dpd_space_set *gone)
{
  dpd_space_set *from = gone->parent;
  const int *place = s->place, *fixed = s->fixed;
  s->mapped = 0; /* the old map is read still */
  reserve_map(m, s, from->size);
  for (int i = 0; i < from->size; i++) {
    const int at = gone->place[i];
    s->place[i] = at < 0 ? -1 : place[at];
    s->fixed[i] = at < 0 ? gone->fixed[i] : fixed[at];
  }
  s->parent = from;
}

/* Before a set gives way: those that were made of it are made of the one above. */
static void lift_sets(dpd_regression_space *m, const dpd_space_set *gone)
{
  for (int c = 0; c < DPD_SPACE_CLASSES; c++)
    for (int k = 0; k < places_of(c); k++)
      if (m->set[c][k].owner >= 0 && m->set[c][k].parent == gone) lift_set(m, &m->set[c][k], gone);
}

/* A place for a set of so many rows, not that of `from`: the one asked for least lately. */
static dpd_space_set *find_place(dpd_regression_space *m, int node, int size, dpd_space_set *from)
{
  int c = 0, best = 0;
  while (c + 1 < DPD_SPACE_CLASSES && (m->rows >> (c + 1)) >= size &&
         (m->rows >> (c + 1)) >= LEAST_ROOM)
    c++;
  if (m->set[c] == from) best = 1;
  for (int k = best; k < places_of(c); k++)
    if (&m->set[c][k] != from && m->set[c][k].used < m->set[c][best].used) best = k;
  dpd_space_set *s = &m->set[c][best];
  if (s->room == 0) open_set(m, s, m->rows >> c);
  if (s->owner >= 0) {
    dpd_space_node_at(m, s->owner)->set = -1;
    lift_sets(m, s);
  }
  s->owner = node;
  s->used = ++m->clock;
  s->parent = from;
  dpd_space_node_at(m, node)->set = c * DPD_SPACE_SETS + best;
  return s;
}

static void begin_set(dpd_regression_space *m, dpd_space_set *s, const dpd_space_set *from)
{
  clear_lines(s);
  reserve_map(m, s, from->size);
  s->size = 0;
  s->above = from->above;
  s->below = from->below;
}

dpd_space_set *dpd_space_own_set(dpd_regression_space *m, int node, dpd_space_set *from,
                                 int undecided)
{
  dpd_space_set *s = find_place(m, node, undecided, from);
  begin_set(m, s, from);
  for (int i = 0; i < from->size; i++) {
    const int term = m->term[i], count = from->count[i];
    s->place[i] = m->open[i] ? s->size : -1;
    s->fixed[i] = term;
    if (m->open[i]) {
      add_row(m, s, from->row[i], count);
      continue;
    }
    s->above += term != dpd_space_term(m, count, false, true) ? count : 0;
    s->below += term != dpd_space_term(m, count, true, false) ? count : 0;
  }
  return s;
}

dpd_space_set *dpd_space_thin_set(dpd_regression_space *m, dpd_space_set *from)
{
  dpd_space_set *s = &m->thin;
  int64_t all = 0, seen = 0, step;
  if (from->size <= 2 * DPD_SPACE_THIN) return from;
  for (int i = 0; i < from->size; i++)
    all += from->count[i];
  step = all / DPD_SPACE_THIN + 1;
  begin_set(m, s, from);
  s->parent = from;
  for (int i = 0; i < from->size; i++) {
    int64_t ticks = (seen + from->count[i]) / step - seen / step;
    seen += from->count[i];
    s->place[i] = ticks > 0 ? s->size : -1;
    s->fixed[i] = 0;
    if (ticks > 0) add_row(m, s, from->row[i], (int)(ticks * step));
  }
  return s;
}
