/* quantiles.c - many quantiles of one variable by a tree of exact draws.
 *
 * METHOD: rows are rounded to the public lattice, and each gets a random cell of its lattice point:
 *   ties are broken at random, so that a quantile lies within an atom, and not beside it. Given the
 *   cells, two data sets that differ in one row differ in one position. Sorted once. A node draws
 *   points between two that were drawn before, from the rows between them (mech/quantile_node), the
 *   gaps being differences of public ranks. What is released is the lattice point of a cell.
 * COST: O(n) for the sort; nodes cost no more with n.
 * DEGENERATE: rows beyond the support are moved to its ends.
 */
#include "mech/quantiles.h"

#include <string.h>

#include "mech/quantile_node.h"
#include "num/fine_lattice.h"
#include "num/sort.h"
#include "samp/bernoulli.h"
#include "samp/rng.h"

enum { CELL_BITS = 16 };

struct dpd_quantiles {
  dpd_quantiles_spec spec;
  dpd_fine fine;
  int64_t *row, *z; /* n positions, sorted; m that were drawn */
  uint64_t *work;
  dpd_quantile_work *node;
  dpd_quantile_rate *rate;
  int next, at; /* the node whose turn it is, and its first place in `order`; -1: the sort */
};

static bool is_tree(const dpd_quantiles_spec *s)
{
  int64_t total = 0;
  for (int v = 0; v < s->nodes; v++) {
    if (s->size[v] < 1 || s->size[v] > DPD_QUANTILE_SPLITS) return false;
    if (s->left[v] < -1 || s->right[v] > s->m || s->left[v] >= s->right[v]) return false;
    total += s->size[v];
  }
  for (int j = 0; total == s->m && j < s->m; j++)
    if (s->order[j] < 0 || s->order[j] >= s->m) return false;
  return total == s->m && s->n >= 1 && s->public_n >= 1;
}

dpd_status dpd_quantiles_open(dpd_quantiles **out, const dpd_quantiles_spec *spec, dpd_alloc alloc)
{
  if (!is_tree(spec)) return DPD_ERR_DOMAIN;
  dpd_quantiles *m = alloc(1, sizeof *m);
  size_t n = (size_t)spec->n;
  int k = 1;
  int64_t cut = 1;
  *out = m;
  memset(m, 0, sizeof *m);
  m->spec = *spec;
  DPD_TRY(dpd_fine_open(&m->fine, spec->prior, CELL_BITS, alloc));
  m->rate = alloc((size_t)spec->nodes, sizeof *m->rate);
  for (int v = 0; v < spec->nodes; v++) {
    dpd_rate eps;
    DPD_TRY(dpd_rate_from_double(spec->eps[v], &eps));
    m->rate[v] = dpd_quantile_rate_of(eps, spec->size[v], spec->public_n, m->fine.bits);
    if (m->rate[v].cut > cut) cut = m->rate[v].cut;
    if (spec->size[v] > k) k = spec->size[v];
  }
  m->row = alloc(n, sizeof *m->row);
  m->work = alloc(n, sizeof *m->work);
  m->z = alloc((size_t)spec->m, sizeof *m->z);
  m->node = dpd_quantile_work_open(k, cut, spec->n, alloc);
  m->next = -1;
  return DPD_OK;
}

static dpd_status spread_rows(dpd_quantiles *m, dpd_rng *rng)
{
  const dpd_tally *t = m->spec.tally;
  int size = dpd_tally_size(t, m->spec.n), at = 0;
  for (int i = 0; i < size; i++) {
    int64_t point = dpd_fine_nearest(&m->fine, m->spec.data[i]);
    for (int k = dpd_tally_count(t, i); k > 0; k--) {
      uint16_t cell;
      DPD_TRY(dpd_rng_u16(rng, &cell));
      m->row[at++] = point + (cell >> (CELL_BITS - m->fine.bits));
    }
  }
  dpd_sort_positions(m->row, (size_t)m->spec.n, m->work);
  return DPD_OK;
}

/* The number of rows at or below z. */
static int64_t rows_to(const dpd_quantiles *m, int64_t z)
{
  return dpd_positions_to(m->row, m->spec.n, z);
}

static dpd_status draw_node(dpd_quantiles *m, dpd_rng *rng, int v)
{
  const dpd_quantiles_spec *s = &m->spec;
  int left = s->left[v], right = s->right[v], k = s->size[v];
  int64_t gap[DPD_QUANTILE_SPLITS + 1], z[DPD_QUANTILE_SPLITS];
  double before = left < 0 ? 0 : s->rank[left];
  for (int j = 0; j <= k; j++) {
    double rank = j < k ? s->rank[s->order[m->at + j]] : right < s->m ? s->rank[right] : s->n;
    gap[j] = (int64_t)rank - (int64_t)before;
    if (gap[j] < 0) return DPD_ERR_DOMAIN;
    before = rank;
  }
  int64_t first = left < 0 ? 0 : rows_to(m, m->z[left]);
  int64_t last = right < s->m ? rows_to(m, m->z[right]) : s->n;
  dpd_quantile_node node = {.fine = &m->fine,
                            .row = m->row + first,
                            .rows = last - first,
                            .from = left < 0 ? m->fine.first : m->z[left],
                            .to = right < s->m ? m->z[right] : m->fine.last,
                            .k = k,
                            .gap = gap,
                            .rate = m->rate[v]};
  DPD_TRY(dpd_quantile_node_draw(&node, m->node, rng, z));
  for (int j = 0; j < k; j++)
    m->z[s->order[m->at + j]] = z[j];
  m->at += k;
  return DPD_OK;
}

dpd_status dpd_quantiles_draw(dpd_quantiles *m, dpd_rng *rng, double *z)
{
  if (m->next < 0) {
    DPD_TRY(spread_rows(m, rng));
    m->next = m->at = 0;
    return DPD_AGAIN;
  }
  DPD_TRY(draw_node(m, rng, m->next));
  if (++m->next < m->spec.nodes) return DPD_AGAIN;
  for (int j = 0; j < m->spec.m; j++)
    z[j] = dpd_fine_value(&m->fine, m->z[j]);
  m->next = -1;
  return DPD_OK;
}
