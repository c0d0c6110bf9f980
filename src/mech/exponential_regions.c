/* exponential_regions.c - draws of a private median in the plane by counting lattice points.
 *
 * METHOD: exp(eps h / 2) is a sum over levels: 1 everywhere, and exp(eps k / 2) (1 - exp(-eps /
 *   2)) where h >= k, for k >= 1. With polygons P(k), P(0) the support, that hold all candidates
 *   of depth k or more, a level is drawn with these factors times the lattice points of P(k)
 *   (samp/level.c), then a point z of P(k) uniformly (plane/lattice_polygon.c), and z is kept if
 *   h(z) >= k. So z has the distribution wanted, whatever the polygons, and little is refused if
 *   they are hardly larger than the regions. However thin: three rows that are nearly on a line may
 *   have 2^30 lattice points between them that are far deeper than all others, and no box holds
 *   only such.
 *   P(k) is bounded by the sides that fewer than k rows are strictly beside: the closed halfplanes
 *   to the right of lines through two rows, and along the axes through one. If z is strictly
 *   beside a side, so is all of the closed halfplane through z with a parallel border: h(z) is at
 *   most the number of rows strictly beside. These polygons are the regions themselves. (If h(z) <
 *   k, some closed halfplane with z leaves out a set S of more than n - k rows, and z is not in
 *   its hull. If that is a polygon, an edge of it has S to one side and z strictly beside. If it
 *   is a segment, z is strictly beside its line, or on it and beyond an end, as an axis through
 *   that end shows.) They are so for levels that are kept in the window; below these the support
 *   stands in, which hardly ever is proposed from. Where 1 / eps is large, or sides are too many,
 *   some levels share the polygon of the lowest of them, at a few refusals per draw. Sides that
 *   have no candidate of a polygon's level on their line are left out: fewer rows are beside it or
 *   on it.
 *   With a normal prior a level has a further factor, an upper bound of the density on P(k)
 *   (mech/exponential_density.c), and z is kept with the rest of its own.
 * EXACT: sides of lines are counted exactly (plane/angle_sort.c), and so are lattice points;
 *   levels: samp/level.c, whose rate is below eps / 2 by a unit of 2^-60 and a share of 2^-63 a
 *   level. So for MOST_ROWS rows at most the distribution is that of the tree (mech/exponential.c)
 *   to within exp(2^-39) and exp(2^-43 eps), whichever of the two a draw comes from. Factors of a
 *   prior are doubles, with relative errors below 2^-40.
 * COST: O(m^2 log m) for m different rows, and a polygon for each run of levels; a draw O(k log k
 *   + n log n), k sides that bound some polygon. Memory: 12 bytes for each side of the levels
 *   kept.
 * DEGENERATE: rows at one point or on a line are bounded along the axes. No polygons where there
 *   are more than MOST_ROWS rows, MOST_POINTS different ones, or MOST_SIDES sides.
 * REFERENCE: Amin, Joseph, Ribero and Vassilvitskii (2022), Easy differentially private linear
 * regression, whose draw is from regions of depth, too.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mech/exponential_state.h"
#include "plane/angle_sort.h"
#include "samp/bernoulli.h"
#include "samp/rng.h"

enum { MOST_ROWS = 1 << 20, MOST_POINTS = 20000, MOST_SIDES = 4000000 };

static int compare_points(const void *left, const void *right)
{
  const dpd_exponential_point *a = left, *b = right;
  int x = (a->z[0] > b->z[0]) - (a->z[0] < b->z[0]);
  return x != 0 ? x : (a->z[1] > b->z[1]) - (a->z[1] < b->z[1]);
}

/* The different rows. */
static void find_points(dpd_exponential *m, dpd_exponential_regions *r)
{
  int size = dpd_tally_size(m->spec.tally, m->spec.n);
  dpd_exponential_point *p = r->point = m->alloc((size_t)size, sizeof *p);
  for (int i = 0; i < size; i++)
    p[i] = (dpd_exponential_point){{m->exact.column[0][i], m->exact.column[1][i]},
                                   dpd_tally_count(m->spec.tally, i)};
  qsort(p, (size_t)size, sizeof *p, compare_points);
  for (int i = 0; i < size; i++)
    if (r->points > 0 && compare_points(p + i, p + r->points - 1) == 0)
      p[r->points - 1].rows += p[i].rows;
    else
      p[r->points++] = p[i];
}

/* Where a side's line runs. */
static void find_way(const dpd_exponential_regions *r, const dpd_exponential_side *s,
                     int64_t way[2])
{
  static const int axis[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
  for (int j = 0; j < 2; j++)
    way[j] = s->to < 0 ? axis[-1 - s->to][j]
                       : (int64_t)r->point[s->to].z[j] - (int64_t)r->point[s->at].z[j];
}

/* One more side, with so many rows on its line, if it may bound a polygon: these are of the levels
 * low, low + gap, ... */
static void add_side(dpd_exponential *m, dpd_exponential_side s, int on)
{
  dpd_exponential_regions *r = m->regions;
  int low = m->window.low, level = low;
  if (s.beside >= low) level += (s.beside - low) / r->gap * r->gap + r->gap;
  if (level > m->levels.cap || level > s.beside + on || r->sides > MOST_SIDES) return;
  if (r->sides == r->room) {
    const dpd_exponential_side *old = r->side;
    r->room = r->room > 0 ? 2 * r->room : 1000;
    r->side = m->alloc((size_t)r->room, sizeof *r->side);
    if (old != NULL) memcpy(r->side, old, (size_t)r->sides * sizeof *old);
  }
  r->side[r->sides++] = s;
}

/* The sides of lines along axis j through point i, unless an earlier point is on it. */
static void add_axis(dpd_exponential *m, int i, int j)
{
  const dpd_exponential_regions *r = m->regions;
  int less = 0, on = 0;
  double at = r->point[i].z[1 - j];
  for (int k = 0; k < r->points; k++) {
    const dpd_exponential_point *p = r->point + k;
    if (p->z[1 - j] == at && k < i) return;
    less += p->z[1 - j] < at ? p->rows : 0;
    on += p->z[1 - j] == at ? p->rows : 0;
  }
  int more = m->spec.n - less - on;
  add_side(m, (dpd_exponential_side){i, -1 - 2 * j, j == 0 ? more : less}, on);
  add_side(m, (dpd_exponential_side){i, -2 - 2 * j, j == 0 ? less : more}, on);
}

/* The sides of lines through point i and later ones. */
static void add_lines(dpd_exponential *m, int i)
{
  dpd_exponential_regions *r = m->regions;
  dpd_angle_order order;
  dpd_plane_rows q = {r->x, r->y, r->points, r->x[i], r->y[i], 0, NULL, NULL, 0};
  dpd_angle_sort(&q, r->sorting, &order);
  int ahead = 0, behind = 0; /* rows on rays that are still to come, and opposite to earlier ones */
  for (int k = 0; k < order.away; k++)
    if (order.code[k] % 2 == 0) ahead += r->point[order.code[k] / 2].rows;
  for (int g = 0; g < order.groups; g++) {
    int on[2] = {0, 0}, least = r->points, code = 0;
    for (int k = order.start[g]; k < order.start[g + 1]; k++) {
      code = order.code[k];
      on[code % 2] += r->point[code / 2].rows;
      if (code / 2 < least) least = code / 2;
    }
    ahead -= on[0];
    int all = on[0] + on[1] + r->point[i].rows, left = ahead + behind;
    int ends[2] = {i, code / 2}, back = code % 2;
    if (least > i) {
      add_side(m, (dpd_exponential_side){ends[back], ends[1 - back], left}, all);
      add_side(m, (dpd_exponential_side){ends[1 - back], ends[back], m->spec.n - all - left}, all);
    }
    behind += on[1];
  }
}

static int compare_sides(const void *left, const void *right)
{
  const dpd_exponential_side *a = left, *b = right;
  return (a->beside > b->beside) - (a->beside < b->beside);
}

/* All sides that may matter, by rising numbers of rows beside them. */
static void find_sides(dpd_exponential *m)
{
  dpd_exponential_regions *r = m->regions;
  r->x = m->alloc(2 * (size_t)r->points, sizeof *r->x);
  r->y = r->x + r->points;
  r->sorting = m->alloc(dpd_angle_sort_scratch(r->points), 1);
  for (int i = 0; i < r->points; i++) {
    r->x[i] = r->point[i].z[0];
    r->y[i] = r->point[i].z[1];
  }
  for (int i = 0; i < r->points && r->sides <= MOST_SIDES; i++) {
    add_axis(m, i, 0);
    add_axis(m, i, 1);
    add_lines(m, i);
    if (i % 64 == 0) dpd_exponential_pause(m);
  }
  if (r->sides > 0) qsort(r->side, (size_t)r->sides, sizeof *r->side, compare_sides);
}

/* Room for so many bounds more. */
static void reserve_bounds(dpd_exponential *m, int more)
{
  dpd_exponential_regions *r = m->regions;
  dpd_bounds *b = &r->bounds;
  size_t need = (size_t)(b->n_above > b->n_below ? b->n_above : b->n_below) + (size_t)more;
  if (need <= r->most) return;
  r->most = 2 * need;
  dpd_bound *above = m->alloc(2 * r->most, sizeof *above), *below = above + r->most;
  if (b->n_above > 0) memcpy(above, b->above, (size_t)b->n_above * sizeof *above);
  if (b->n_below > 0) memcpy(below, b->below, (size_t)b->n_below * sizeof *below);
  b->above = above;
  b->below = below;
  r->work = m->alloc(2 * r->most, sizeof *r->work);
}

static void bound_side(const dpd_exponential_regions *r, const dpd_exponential_side *s,
                       dpd_bounds *b)
{
  int64_t way[2];
  find_way(r, s, way);
  dpd_bounds_add_side(b, (int64_t)r->x[s->at], (int64_t)r->y[s->at], way[0], way[1]);
}

/* The support's bounds above and below, which all polygons need. */
static void bound_support(dpd_exponential *m, dpd_bounds *b)
{
  reserve_bounds(m, 2);
  dpd_bounds_add(b, 0, 1, (int64_t)m->lattice.hi[1]);
  dpd_bounds_add(b, 0, -1, -(int64_t)m->lattice.lo[1]);
}

static void begin_bounds(dpd_exponential *m)
{
  dpd_bounds *b = &m->regions->bounds;
  b->n_above = b->n_below = 0;
  b->from = (int64_t)m->lattice.lo[0];
  b->to = (int64_t)m->lattice.hi[0];
}

/* Is the side's bound among those that were left? */
static bool is_left(const dpd_exponential_regions *r, const dpd_exponential_side *s)
{
  dpd_bound pair[2];
  dpd_bounds own = {pair, pair, 0, 0, INT64_MIN, INT64_MAX};
  bound_side(r, s, &own);
  if (own.n_above + own.n_below == 0) return true; /* of columns */
  const dpd_bound *all = own.n_above > 0 ? r->bounds.above : r->bounds.below;
  int count = own.n_above > 0 ? r->bounds.n_above : r->bounds.n_below;
  for (int k = 0; k < count; k++)
    if (memcmp(all + k, pair, sizeof *pair) == 0) return true;
  return false;
}

/* One more run, from level `first` on, with the bounds that there are. *empty: without points it is
 * none. */
static dpd_status add_run(dpd_exponential *m, int first, bool *empty)
{
  dpd_exponential_regions *r = m->regions;
  int run = r->levels.runs, power;
  dpd_lattice_polygon region = {.total = 0};
  dpd_bounds *b = &r->bounds;
  bound_support(m, b);
  dpd_status status = dpd_lattice_polygon_fill(&region, b, r->work);
  *empty = status == DPD_OK && region.total == 0;
  if (status == DPD_OK && !*empty) {
    const dpd_strip *strip = region.strip.item;
    b->from = strip[0].from;
    b->to = strip[region.strip.count - 1].to;
    r->first[run] = first;
    r->count[run] = region.total;
    r->log_prior[run] = dpd_exponential_density_bound(&m->lattice, &region);
    double part = frexp(exp(r->log_prior[run]), &power);
    dpd_product_one(r->weight + run);
    dpd_product_times(r->weight + run, region.total);
    dpd_product_times(r->weight + run, (dpd_u128)ldexp(part, 53));
    r->weight[run].whole += power - 53;
    r->levels.runs++;
  }
  dpd_lattice_polygon_close(&region);
  return status;
}

/* Adds the bounds of the sides from.. that fewer than `level` rows are beside. Returns where they
 * end. */
static int bound_level(dpd_exponential *m, int from, int level)
{
  dpd_exponential_regions *r = m->regions;
  int end = from;
  while (end < r->sides && r->side[end].beside < level)
    end++;
  reserve_bounds(m, end - from);
  for (int k = from; k < end; k++)
    bound_side(r, r->side + k, &r->bounds);
  return end;
}

/* All runs. Of the sides those that bound a polygon come first then. */
static dpd_status set_runs(dpd_exponential *m)
{
  dpd_exponential_regions *r = m->regions;
  int low = m->window.low, level = low;
  bool empty;
  begin_bounds(m);
  DPD_TRY(add_run(m, 0, &empty));
  if (low > 1) DPD_TRY(add_run(m, 1, &empty));
  r->levels.count = (m->levels.cap < m->spec.n ? m->levels.cap : m->spec.n) + 1;
  for (int from = 0; level < r->levels.count;) {
    int end = bound_level(m, from, level), run = r->levels.runs;
    DPD_TRY(add_run(m, level, &empty));
    if (empty) r->levels.count = level;
    if (empty) break;
    for (; from < end; from++)
      if (is_left(r, r->side + from)) r->side[r->kept++] = r->side[from];
    r->end[run] = r->kept;
    dpd_exponential_pause(m);
    if (end == r->sides) break;
    level += (r->side[end].beside - level) / r->gap * r->gap + r->gap; /* the next one it bounds */
  }
  return DPD_OK;
}

static void allocate_runs(dpd_exponential *m)
{
  dpd_exponential_regions *r = m->regions;
  size_t runs = (size_t)(m->spec.n / r->gap) + 4;
  if (runs > (size_t)r->sides + 4) runs = (size_t)r->sides + 4;
  r->weight = m->alloc(runs, sizeof *r->weight);
  r->first = m->alloc(2 * runs, sizeof *r->first);
  r->end = r->first + runs;
  r->end[0] = r->end[1] = 0;
  r->count = m->alloc(runs, sizeof *r->count);
  r->log_prior = m->alloc(runs, sizeof *r->log_prior);
}

dpd_status dpd_exponential_regions_open(dpd_exponential *m, double most, bool *open)
{
  dpd_exponential_regions *r = m->regions;
  *open = false;
  double half_eps = ldexp((double)m->spec.eps.num, -DPD_RATE_BITS - 1);
  if (m->spec.n > MOST_ROWS) return DPD_OK;
  if (r == NULL) {
    r = m->regions = m->alloc(1, sizeof *r);
    memset(r, 0, sizeof *r);
    r->gap = (int)fmax(1, fmin(m->spec.n, floor(0.5 / half_eps))); /* hardly anything is refused */
    find_points(m, r);
  }
  if (r->points > most || r->points > MOST_POINTS || r->sides > 0) return DPD_OK;
  find_sides(m);
  while (r->sides > MOST_SIDES) { /* half of the levels, at some refusals more: exp(2) at most */
    if (half_eps * r->gap > 1) return DPD_OK;
    r->gap *= 2;
    r->sides = 0;
    find_sides(m);
  }
  allocate_runs(m);
  DPD_TRY(set_runs(m));
  dpd_u128 step = dpd_level_step(m->spec.eps);
  dpd_level_runs runs = {r->weight, r->first, r->levels.runs, r->levels.count};
  dpd_levels_settle(&r->levels, runs, step, dpd_level_offset(step));
  *open = true;
  return DPD_OK;
}

/* A lattice point of run's polygon. */
static dpd_status pick(dpd_exponential *m, dpd_rng *rng, int run, double *z)
{
  dpd_exponential_regions *r = m->regions;
  dpd_lattice_polygon region = {.total = 0};
  dpd_u128 index;
  int64_t at[2];
  DPD_TRY(dpd_rng_below_u128(rng, r->count[run], &index));
  begin_bounds(m);
  reserve_bounds(m, r->end[run]);
  for (int k = 0; k < r->end[run]; k++)
    bound_side(r, r->side + k, &r->bounds);
  bound_support(m, &r->bounds);
  dpd_status status = dpd_lattice_polygon_fill(&region, &r->bounds, r->work);
  if (status == DPD_OK) dpd_lattice_polygon_pick(&region, index, at);
  dpd_lattice_polygon_close(&region);
  for (int j = 0; j < 2 && status == DPD_OK; j++)
    z[j] = (double)at[j];
  return status;
}

static int run_of(const dpd_exponential_regions *r, int level)
{
  int run = 0, end = r->levels.runs;
  while (end - run > 1) {
    int mid = run + (end - run) / 2;
    if (r->first[mid] <= level)
      run = mid;
    else
      end = mid;
  }
  return run;
}

dpd_status dpd_exponential_regions_draw(dpd_exponential *m, dpd_rng *rng, int rounds, double *z)
{
  const dpd_exponential_regions *r = m->regions;
  for (int round = 0; round < rounds; round++) {
    int level = 0;
    double log_prior;
    bool kept;
    DPD_TRY(dpd_levels_draw(&r->levels, rng, &level));
    int run = run_of(r, level);
    DPD_TRY(pick(m, rng, run, z));
    (void)dpd_lattice_log_prior(&m->lattice, z, &log_prior);
    DPD_TRY(dpd_bernoulli_double(rng, fmin(1, exp(log_prior - r->log_prior[run])), &kept));
    if (kept && (level == 0 || dpd_exponential_score(m, z) >= level)) return DPD_OK;
  }
  return DPD_AGAIN;
}
