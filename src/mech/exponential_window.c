/* exponential_window.c - which ranks of projections the exponential mechanism keeps.
 *
 * METHOD: a point c has depth h(c); points of depth below h(c) - gap weigh less than
 *   exp(-WINDOW_MARGIN) of it, all together, so that ranks from there up to the largest depth are
 *   kept. The largest depth is not known: ranks are kept to some way above h(c), and a linear
 *   program says whether any point lies between the highest of them and its mirror image in every
 *   direction. If there is one, the search goes on from it with twice as much above.
 *   Where memory is short only every stride-th rank is kept, from the lowest that carries weight:
 *   bounds are then less than `stride` too high, and scores between kept ranks are counted. Where
 *   exp(eps stride / 2) is large, boxes seem to weigh far more than they do. So a second, narrower
 *   window ends at the least kept rank that a linear program shows to be no point's depth.
 *   Nothing of this changes the distribution of exact draws: outside the window bounds are weaker
 *   and scores are read off the rows, which would take for ever if much of the mass were there.
 * COST: one filling of the window, O(count n d), a repetition of it where the first look was not
 *   deep enough or the stride too wide, and programs of 2 count constraints each. Memory: 128 MB
 *   at most for the ranks in use, and less than that for earlier, smaller windows.
 * DEGENERATE: regions without interior count as not empty; a program lost by rounding ends the
 *   search.
 */
#include <math.h>
#include <string.h>

#include "mech/exponential_state.h"
#include "median/deep_point.h"
#include "num/project_tile.h"
#include "num/rank_fill.h"

enum {
  WINDOW_DOUBLES = 16 << 20, /* memory for order statistics: 128 MB; for chains three times that */
  RANKS_ABOVE = 16,          /* window ranks above the deep point's depth: so many at the least, */
  SHARE_ABOVE = 50           /* and this part of all */
};

/* What is left outside the window carries less than exp(-WINDOW_MARGIN) of the mass. */
#define WINDOW_MARGIN 40.0

/* eps stride / 2 above which the window is made narrower. */
#define STRIDE_MOST 16.0

/* Steps of filling, a thread, between two looks for an interrupt: a tenth of a second, or half of
 * one where directions are taken one by one. */
#define FILL_WORK 5e8

/* Moves z to a lattice point of the prior's support. */
static void move_inside(const dpd_exponential *m, double *z)
{
  const dpd_lattice *l = &m->lattice;
  for (int j = 0; j < m->spec.d; j++)
    z[j] = fmin(fmax(rint(z[j]), l->lo[j]), l->hi[j]);
}

/* Makes z, moved into the support, the deep point if it is deeper than `floor`. */
static void offer_start(dpd_exponential *m, double *z, int floor, int *best)
{
  move_inside(m, z);
  int depth = dpd_exponential_score_above(m, z, floor);
  if (depth <= floor) return;
  memcpy(m->deep.start, z, (size_t)m->spec.d * sizeof *z);
  *best = depth;
}

/* The first deep point: the median by coordinates, or one found from it that is deeper. The latter,
 * which mostly is, is looked at first, as the other then need not be looked at for long. */
static void first_start(dpd_exponential *m, int *best)
{
  double *median = m->w;
  dpd_deep_point_coordinatewise(&m->projected, m->work, m->z);
  move_inside(m, m->z);
  memcpy(median, m->z, (size_t)m->spec.d * sizeof *median);
  dpd_deep_point_find(&m->projected, m->work, m->z);
  offer_start(m, m->z, -1, best);
  offer_start(m, median, *best - 1, best);
}

/* Makes low, low + stride, ... end at high: above it if there are rows, else below low; where the
 * window holds all ranks, its last one goes. */
static void fit_stride(int n, double *low, double *high, double stride)
{
  double steps = ceil((*high - *low) / stride);
  if (*low + stride * steps <= n)
    *high = *low + stride * steps;
  else if (*high - stride * steps >= 1)
    *low = *high - stride * steps;
  else
    *high = *low + stride * (steps - 1);
}

/* The ranks to keep when the deep point has depth `depth`: all from the lowest that carries weight
 * to `above` the deep point's; every stride-th of them when memory is short. A chain needs them
 * all: then the lowest ones are not kept. */
static void choose_window(dpd_exponential *m, int depth, double above)
{
  const dpd_lattice *l = &m->lattice;
  double log_points = 0, log_prior = 0, memory = WINDOW_DOUBLES;
  for (int j = 0; j < m->spec.d; j++)
    log_points += log(l->hi[j] - l->lo[j] + 1);
  (void)dpd_lattice_log_prior(l, m->deep.start, &log_prior);
  double gap = (log_points - log_prior + WINDOW_MARGIN) / ldexp((double)m->spec.eps.num, -41);
  double ranks = fmax(4, floor((m->spec.chain ? 3 : 1) * memory / (2 * m->projected.room)));
  double high = fmax(1, fmin(m->spec.n, depth + above)), low = fmax(1, floor(depth - gap)),
         stride = 1;
  low = fmin(low, high);
  if (m->spec.chain) {
    high = fmax(1, fmin(high, depth + floor(ranks / 2)));
    low = fmin(high, fmax(low, high + 1 - ranks));
  } else {
    stride = ceil((high - low + 1) / ranks);
    fit_stride(m->spec.n, &low, &high, stride);
  }
  m->window.low = (int)low;
  m->window.high = (int)high;
  m->window.stride = (int)stride;
  m->window.ranks = (m->window.high - m->window.low) / m->window.stride + 1;
}

/* Memory for the window as it is now. What is left behind is less than what is in use: it at least
 * doubles each time, up to the limit. */
static void reserve_window(dpd_exponential *m, dpd_alloc alloc)
{
  size_t need = dpd_rank_window_values(&m->window), twice = 2 * m->window_room;
  if (need <= m->window_room) return;
  if (twice > WINDOW_DOUBLES) twice = WINDOW_DOUBLES;
  m->window_room = need > twice ? need : twice;
  m->window.value = alloc(m->window_room, sizeof *m->window.value);
}

/* Fills the window, in blocks of directions. */
static void fill_window(dpd_exponential *m)
{
  const dpd_projected *p = &m->projected;
  int size = dpd_tally_size(p->tally, p->n);
  int each = 1 + (int)(FILL_WORK / ((double)size * (p->d + 10)));
  if (each > DPD_TILE_DIRECTIONS) each -= each % DPD_TILE_DIRECTIONS;
  int block = m->spec.threads * (each < p->count ? each : p->count);
  for (int u = 0; u < p->count; u += block) {
    dpd_rank_window_fill(&m->window, u, block < p->count - u ? u + block : p->count,
                         m->spec.threads, m->work);
    if (block < p->count - u) dpd_exponential_pause(m);
  }
}

/* The least kept rank that surely is no point's depth; one above the window if none is found. */
static int empty_rank(dpd_exponential *m)
{
  const dpd_rank_window *w = &m->window;
  int holds = -1, fails = w->ranks;
  dpd_exponential_polytope_start(m);
  while (fails - holds > 1) {
    int mid = holds + (fails - holds) / 2;
    bool empty;
    (void)dpd_exponential_polytope_holds(m, w->low + mid * w->stride, &empty);
    if (empty)
      fails = mid;
    else
      holds = mid;
  }
  return w->low + fails * w->stride;
}

/* Windows that end at such ranks, as long as they are narrower by half. */
static void narrow_window(dpd_exponential *m, int best, dpd_alloc alloc)
{
  double half_eps = ldexp((double)m->spec.eps.num, -DPD_RATE_BITS - 1);
  while (!m->spec.chain && half_eps * m->window.stride > STRIDE_MOST) {
    dpd_rank_window wide = m->window;
    choose_window(m, best, fmax(RANKS_ABOVE, empty_rank(m) - best));
    if (2.0 * m->window.stride > wide.stride) {
      m->window = wide;
      return;
    }
    reserve_window(m, alloc);
    fill_window(m);
  }
}

void dpd_exponential_window(dpd_exponential *m, dpd_alloc alloc)
{
  int n = m->spec.n, best = -1;
  double above = fmax(RANKS_ABOVE, n / SHARE_ABOVE);
  bool empty;
  first_start(m, &best);
  for (;; above *= 2) {
    choose_window(m, best, above);
    reserve_window(m, alloc);
    fill_window(m);
    if (m->window.high < best + above) break;
    dpd_exponential_polytope_start(m);
    if (!dpd_exponential_polytope_holds(m, m->window.high, &empty)) break;
    offer_start(m, m->z, best, &best);
  }
  m->deep.depth = best;
  narrow_window(m, best, alloc);
}
