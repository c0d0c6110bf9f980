/* regression_space_lines.c - weights of regression depth along directions, by the rows of a set.
 *
 * METHOD: as mech/regression_plane_sets.c, along many directions. Between two rows of the set the
 *   others are a run along each direction: the sum of their terms, its largest and its smallest at
 *   a split. A set's line along a direction is made from that of the set above when the direction
 *   is asked for. Through the origin a line is the side of each row, and what all others add.
 * COST: a weight O(rows of the set); a line O(rows of the set above), once.
 * DEGENERATE: rows tied along a direction have no split between them; a run without a split counts
 *   by its sum only; a set without rows is one run.
 */
#include "mech/regression_passage.h"
#include "mech/regression_space_state.h"

/* Where items are written, and the run since the last one. */
typedef struct {
  dpd_space_item *item;
  dpd_passage run;
} line_writer;

/* A row of the set above: ends the run if it is one of the set, else adds to it. Without a branch
 * that nobody could predict: what is written of other rows is written over. */
static inline void write_row(line_writer *w, int place, int fixed)
{
  const bool own = place >= 0;
  *w->item = (dpd_space_item){place, w->run};
  w->item += own;
  w->run.sum = own ? 0 : w->run.sum + fixed;
  w->run.top = own ? -DPD_NO_SPLIT : w->run.top;
  w->run.bottom = own ? DPD_NO_SPLIT : w->run.bottom;
}

/* The line of a set of all rows, or of those of the line `above`. */
static void write_line(const dpd_regression_space *m, const dpd_space_set *s, int u,
                       const dpd_space_item *above, dpd_space_item *out)
{
  line_writer w = {out, dpd_passage_empty};
  const int size = s->parent->size;
  const int *order = m->order + (size_t)m->rows * (size_t)u;
  for (int k = 0; k < size && above == NULL; k++) {
    int i = order[k] < 0 ? ~order[k] : order[k];
    write_row(&w, s->place[i], s->fixed[i]);
    if (order[k] >= 0) dpd_passage_split(&w.run);
  }
  for (int k = 0; k < size && above != NULL; k++) {
    dpd_passage_add(&w.run, above[k].run);
    write_row(&w, s->place[above[k].at], s->fixed[above[k].at]);
  }
  if (above != NULL) dpd_passage_add(&w.run, above[size].run);
  *w.item = (dpd_space_item){-1, w.run};
}

/* The side of a row along direction u. */
static int side_of(const dpd_regression_space *m, int row, int u)
{
  const size_t n = (size_t)dpd_tally_size(m->spec.tally, m->spec.n);
  const double x = m->spec.projection[(size_t)m->row[row].from + n * (size_t)u];
  return (x > 0) - (x < 0);
}

/* The same through the origin: the sum of an item's run is the side of its row. */
static void write_sides(const dpd_regression_space *m, const dpd_space_set *s, int u,
                        const dpd_space_item *above, dpd_space_item *out)
{
  const dpd_space_set *from = s->parent;
  dpd_passage others = {0, 0, 0};
  if (above != NULL) others = above[from->size].run;
  for (int i = 0; i < from->size; i++) {
    const int side = above != NULL ? above[i].run.sum : side_of(m, i, u), at = s->place[i];
    if (at >= 0)
      out[at] = (dpd_space_item){at, {side, 0, 0}};
    else
      dpd_passage_side(&others, side, s->fixed[i]);
  }
  out[s->size] = (dpd_space_item){-1, others};
}

/* The set's line along u. */
static const dpd_space_item *line_along(dpd_regression_space *m, dpd_space_set *s, int u)
{
  if (s->line_of[u] >= 0) return s->line[s->line_of[u]];
  const dpd_space_item *above = NULL;
  if (s->parent->parent != NULL) above = line_along(m, s->parent, u);
  int l = s->turn;
  s->turn = l + 1 < s->lines ? l + 1 : 0;
  if (s->direction[l] >= 0) s->line_of[s->direction[l]] = -1;
  s->direction[l] = u;
  s->line_of[u] = l;
  if (s->line[l] == NULL) s->line[l] = m->alloc((size_t)s->room + 2, sizeof **s->line);
  if (m->spec.origin)
    write_sides(m, s, u, above, s->line[l]);
  else
    write_line(m, s, u, above, s->line[l]);
  return s->line[l];
}

static dpd_passage pass_all(const dpd_regression_space *m, int u)
{
  const int *order = m->order + (size_t)m->rows * (size_t)u;
  dpd_passage p = {0, 0, 0};
  for (int k = 0; k < m->rows; k++) {
    p.sum += m->term[order[k] < 0 ? ~order[k] : order[k]];
    if (order[k] >= 0) dpd_passage_split(&p);
  }
  return p;
}

static dpd_passage pass_line(const dpd_regression_space *m, const dpd_space_item *line, int size)
{
  const int *term = m->term;
  dpd_passage p = {0, 0, 0};
  for (int k = 0; k < size; k++) {
    dpd_passage_add(&p, line[k].run);
    p.sum += term[line[k].at];
  }
  dpd_passage_add(&p, line[size].run);
  return p;
}

static dpd_passage pass_sides(const dpd_regression_space *m, const dpd_space_set *s, int u,
                              const dpd_space_item *line)
{
  dpd_passage p = {0, 0, 0};
  if (line != NULL) p = line[s->size].run;
  for (int i = 0; i < s->size; i++)
    dpd_passage_side(&p, line != NULL ? line[i].run.sum : side_of(m, i, u), m->term[i]);
  return p;
}

int64_t dpd_space_weight(dpd_regression_space *m, dpd_space_set *s, int u, const int64_t sum[2])
{
  const dpd_space_item *line = s->parent == NULL ? NULL : line_along(m, s, u);
  dpd_passage p;
  if (m->spec.origin)
    p = pass_sides(m, s, u, line);
  else
    p = line == NULL ? pass_all(m, u) : pass_line(m, line, s->size);
  return dpd_passage_weight(&m->weights, sum, p);
}

int64_t dpd_space_score(dpd_regression_space *m, const double *z)
{
  int64_t sum[2], least = INT64_MAX;
  dpd_space_terms_at(m, &m->all, z, sum);
  for (int u = 0; u < m->spec.count; u++) {
    int64_t weight = dpd_space_weight(m, &m->all, u, sum);
    if (weight < least) least = weight;
  }
  return least;
}
