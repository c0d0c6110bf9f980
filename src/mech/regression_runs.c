/* regression_runs.c - the weight of regression depth along a direction, from the active rows.
 *
 * METHOD: along a direction a split has the terms of the rows on one side of it. The rows between
 *   two active ones are a run: the sum of their terms, and its largest and smallest value at a
 *   split inside it or at its start, right after the active row before, are made when the direction
 *   is first asked for, from the runs of the set above.
 *   Through the origin there is one split, at a projection of 0.
 * COST: a weight O(active rows); runs O(rows of the set above), once per direction and set.
 * DEGENERATE: rows tied along a direction (~i; in a set of active rows the runs alone know of it)
 *   have no split between them; a run without a split counts by its sum only; a set without active
 *   rows is one run.
 * REFERENCE: as mech/regression.c.
 */
#include <string.h>

#include "mech/regression_passage.h"
#include "mech/regression_state.h"

static void pass_ties(const int *order, const int *term, int size, dpd_passage *p)
{
  for (int s = 0; s < size; s++) {
    int i = order[s];
    p->sum += term[i < 0 ? ~i : i];
    if (i >= 0) dpd_passage_split(p);
  }
}

static void pass_plain(const int *order, const int *term, int size, dpd_passage *p)
{
  for (int s = 0; s < size; s++) {
    p->sum += term[order[s]];
    dpd_passage_split(p);
  }
}

static void add_run(const dpd_active_rows *a, size_t at, dpd_passage *p)
{
  dpd_passage_add(p, (dpd_passage){a->run[at], a->run_top[at], a->run_bottom[at]});
}

/* A split right after an active row is one of the run that follows, at its start. */
static void pass_runs(const dpd_active_rows *a, const int *order, int u, dpd_passage *p)
{
  const size_t at = (size_t)u * ((size_t)a->room + 1);
  const int *term = a->term, size = a->size;
  const int *run = a->run + at, *run_top = a->run_top + at, *run_bottom = a->run_bottom + at;
  int sum = p->sum, most = p->top, least = p->bottom;
  for (int s = 0; s < size; s++) {
    int top = sum + run_top[s], bottom = sum + run_bottom[s];
    most = top > most ? top : most;
    least = bottom < least ? bottom : least;
    sum += run[s] + term[order[s]];
  }
  *p = (dpd_passage){sum, most, least};
  add_run(a, at + (size_t)size, p);
}

static void pass_origin(const int *side, const int *term, int size, dpd_passage *p)
{
  for (int i = 0; i < size; i++)
    dpd_passage_side(p, side[i], term[i]);
}

/* Of an active set: where runs are written, and what to do with each row of the set above. */
typedef struct {
  const int *place, *fixed;
  int *order, *run, *run_top, *run_bottom;
  int at;
} run_writer;

/* Ends the run before row i if that is active, else adds it. split: may one follow it? Without a
 * branch on `active`, which nobody could predict: what is written of other rows is written over. */
static inline void write_row(run_writer *w, int i, bool split, dpd_passage *p)
{
  const int to = w->place[i], at = w->at, sum = p->sum + w->fixed[i];
  const bool active = to >= 0;
  int spare = 0, *order = active ? w->order + at : &spare;
  w->run[at] = p->sum;
  w->run_top[at] = p->top;
  w->run_bottom[at] = p->bottom;
  *order = to;
  w->at = at + active;
  p->sum = active ? 0 : sum;
  p->top = active ? -DPD_NO_SPLIT : p->top;
  p->bottom = active ? DPD_NO_SPLIT : p->bottom;
  p->top = split && p->sum > p->top ? p->sum : p->top;
  p->bottom = split && p->sum < p->bottom ? p->sum : p->bottom;
}

/* Runs and order of the active rows along direction u, from those of the set above. */
static void set_runs(dpd_active_rows *a, int u)
{
  const dpd_active_rows *from = a->parent;
  const size_t at = (size_t)u * ((size_t)a->room + 1), above = (size_t)u * ((size_t)from->room + 1);
  const int *all = from->order + (size_t)u * (size_t)from->room, size = from->size;
  run_writer w = {a->place,
                  a->fixed,
                  a->order + (size_t)u * (size_t)a->room,
                  a->run + at,
                  a->run_top + at,
                  a->run_bottom + at,
                  0};
  dpd_passage p = dpd_passage_empty;
  if (from->run == NULL) {
    for (int s = 0; s < size; s++)
      write_row(&w, all[s] < 0 ? ~all[s] : all[s], all[s] >= 0, &p);
  } else {
    /* whether there is a split after a row, the next run knows */
    for (int s = 0; s < size; s++) {
      add_run(from, above + (size_t)s, &p);
      write_row(&w, all[s], false, &p);
    }
    add_run(from, above + (size_t)size, &p);
  }
  w.run[w.at] = p.sum;
  w.run_top[w.at] = p.top;
  w.run_bottom[w.at] = p.bottom;
}

/* The same through the origin: sides of the active rows, and what all others add. */
static void set_sides(dpd_active_rows *a, int u)
{
  const dpd_active_rows *from = a->parent;
  size_t at = (size_t)u * ((size_t)a->room + 1), above = (size_t)u * ((size_t)from->room + 1);
  const int *all = from->order + (size_t)u * (size_t)from->room;
  int *side = a->order + (size_t)u * (size_t)a->room;
  dpd_passage p = {0, 0, 0};
  if (from->run != NULL) p = (dpd_passage){0, from->run_top[above], from->run_bottom[above]};
  for (int i = 0; i < from->size; i++) {
    if (a->place[i] >= 0)
      side[a->place[i]] = all[i];
    else
      dpd_passage_side(&p, all[i], a->fixed[i]);
  }
  a->run_top[at] = p.top;
  a->run_bottom[at] = p.bottom;
}

/* The same of all sets above that have not been asked for u, the widest first. */
static void build_runs(const dpd_regression *m, dpd_active_rows *a, int u)
{
  while (!a->built[u]) {
    dpd_active_rows *b = a;
    while (b->parent->run != NULL && !b->parent->built[u])
      b = b->parent;
    if (m->spec.origin)
      set_sides(b, u);
    else
      set_runs(b, u);
    b->built[u] = true;
  }
}

int64_t dpd_regression_weight(const dpd_regression *m, dpd_active_rows *a, int u,
                              const int64_t sum[2])
{
  if (a->run != NULL) build_runs(m, a, u);
  const int *order = a->order + (size_t)u * (size_t)a->room;
  dpd_passage p = {0, 0, 0};
  if (m->spec.origin) {
    if (a->run != NULL) {
      size_t at = (size_t)u * ((size_t)a->room + 1);
      p = (dpd_passage){0, a->run_top[at], a->run_bottom[at]};
    }
    pass_origin(order, a->term, a->size, &p);
  } else if (a->run != NULL)
    pass_runs(a, order, u, &p);
  else if (m->tied[u])
    pass_ties(order, a->term, a->size, &p);
  else
    pass_plain(order, a->term, a->size, &p);
  return dpd_passage_weight(&m->weights, sum, p);
}

bool dpd_regression_at_least(dpd_regression *m, dpd_active_rows *a, const double *z, int t)
{
  int64_t sum[2];
  dpd_regression_terms_point(m, a, z, sum);
  for (int u = 0; u < m->spec.count; u++) {
    int v = m->first[u];
    if (dpd_regression_weight(m, a, v, sum) >= t) continue;
    /* the direction that decided is asked first next time */
    memmove(m->first + 1, m->first, (size_t)u * sizeof *m->first);
    m->first[0] = v;
    return false;
  }
  return true;
}
