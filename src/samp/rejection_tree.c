/* rejection_tree.c - the tree of boxes behind samp/adaptive_rejection: bounds, weights and cuts.
 *
 * METHOD: see samp/adaptive_rejection.c. A leaf has an upper bound of its score and of its log
 *   prior, and an integer weight W >= w. It is halved along its longest side, or another one where
 *   that decides nothing, or cut where dpd_rejection_carve() says.
 * COST: two bounds a cut, 2 d where other sides are tried, and a walk to the root for the sums;
 *   O(nodes) when the scale is set anew. Memory: about 16 d + 100 bytes per node, taken in blocks,
 *   for max_nodes nodes at most.
 * DEGENERATE: a leaf of one point is never cut. A leaf without prior mass has weight 0, and is
 *   never proposed; a root without is DPD_ERR_DOMAIN. A full tree is cut no more: draws stay exact,
 *   and cost more proposals. A leaf of less than one unit, however light, keeps one: see
 *   set_weight().
 * REFERENCE: as samp/adaptive_rejection.c.
 */
#include "samp/rejection_tree.h"

#include <math.h>
#include <string.h>

/* Halves that keep this share of a leaf's weight are hardly better than the leaf. */
#define MUCH_KEPT 0.99
/* Another side is cut only if its halves keep less than this: else boxes would become needles. */
#define LITTLE_KEPT 0.75
/* Where the longest side is that many times the side that decided, it is looked at first. */
#define NEEDLE 64.0
static const uint64_t RESCALE_BELOW = (uint64_t)1 << (DPD_REJECTION_UNITS - 24);

/* Log of N m exp(eps (U - ref_score) / 2), U = bound + raise. The scores are subtracted as
 * integers first: their product with eps / 2 may be large, its rounding error with it. */
double dpd_rejection_log_weight(const dpd_rejection *t, const dpd_rejection_node *b, double raise)
{
  return b->log_count + b->log_prior + t->half_eps * (b->bound - t->ref_score + raise);
}

/* A leaf of less than one unit gets W = 1 and pays the deficit exp(-D) by coins: as many whole
 * scores as D holds, which raise the bound that exact coins are counted from, and the rest. */
static void set_weight(const dpd_rejection *t, dpd_rejection_node *b)
{
  b->weight = 0;
  b->score = b->bound;
  b->keep = 1;
  b->rest = 0;
  if (b->log_prior == -INFINITY) return;
  double offset = t->scale - t->log_ref, units = dpd_rejection_log_weight(t, b, 0) + offset;
  if (units < 0) {
    double raise = floor(-units / t->half_eps);
    /* the quotient may have been rounded up to a whole number: w <= W must not fail by a score */
    if (dpd_rejection_log_weight(t, b, raise) + offset > 0) raise -= 1;
    b->weight = 1;
    b->score += (int64_t)raise;
    b->rest = fmax(0, -(dpd_rejection_log_weight(t, b, raise) + offset));
    return;
  }
  double w = exp(units);
  b->weight = (uint64_t)ceil(w);
  b->keep = fmin(1, w / (double)b->weight); /* W as a double may lie below w by one ulp */
}

/* Bounds and weight of node j, whose box is set. */
static void fill_node(dpd_rejection *t, int j, int cap)
{
  dpd_rejection_node *b = dpd_rejection_at(t, j);
  const double *lo = dpd_rejection_lo(t, j), *hi = dpd_rejection_hi(t, j);
  b->left = 0;
  b->log_count = 0;
  for (int k = 0; k < t->d; k++)
    b->log_count += log(hi[k] - lo[k] + 1);
  b->bound = cap;
  if (t->target.note != NULL && b->parent >= 0)
    *t->target.note = dpd_rejection_at(t, b->parent)->note;
  if (!t->target.bound(t->target.ctx, lo, hi, cap, &b->bound, &b->log_prior))
    b->log_prior = -INFINITY;
  if (t->target.note != NULL) b->note = *t->target.note;
}

static uint64_t sum_parts(const dpd_rejection *t, const dpd_rejection_node *b)
{
  uint64_t sum = 0;
  for (int k = 0; k < b->parts; k++)
    sum += dpd_rejection_at(t, b->left + k)->weight;
  return sum;
}

void dpd_rejection_rescale(dpd_rejection *t)
{
  const dpd_rejection_node *top =
      dpd_rejection_at(t, 0); /* the root, or the heaviest leaf with prior mass */
  bool found = false;
  for (int j = 0; j < t->nodes; j++) {
    const dpd_rejection_node *b = dpd_rejection_at(t, j);
    if (b->left != 0 || b->log_prior == -INFINITY) continue;
    if (!found || dpd_rejection_log_weight(t, b, 0) > dpd_rejection_log_weight(t, top, 0)) top = b;
    found = true;
  }
  t->ref_score = top->bound;
  /* the heaviest leaf gets 2^40 units (of 60): the sum of 2^22 leaves stays below 2^63 */
  t->log_ref = dpd_rejection_log_weight(t, top, 0) + 20 * 0.69314718055994530942;
  for (int j = t->nodes - 1; j >= 0; j--) {
    dpd_rejection_node *b = dpd_rejection_at(t, j);
    if (b->left == 0)
      set_weight(t, b);
    else
      b->weight = sum_parts(t, b);
  }
}

static void set_part(dpd_rejection *t, int j, int parent, const dpd_rejection_part *part)
{
  *dpd_rejection_at(t, j) = (dpd_rejection_node){.parent = parent,
                                                 .log_count = part->log_count,
                                                 .log_prior = part->log_prior,
                                                 .bound = part->bound};
}

/* Room for another block of nodes. */
static void grow(dpd_rejection *t)
{
  int k = t->room >> DPD_NODE_BITS;
  t->node[k] = t->alloc(DPD_NODES, sizeof *t->node[k]);
  if (t->d > 0) t->side[k] = t->alloc(2 * DPD_NODES * (size_t)t->d, sizeof *t->side[k]);
  t->room += DPD_NODES;
}

dpd_status dpd_rejection_open(dpd_rejection **out, const dpd_rejection_spec *spec, dpd_alloc alloc)
{
  dpd_rejection *t = alloc(1, sizeof *t);
  size_t blocks = (size_t)spec->max_nodes / DPD_NODES + 1;
  *out = t;
  memset(t, 0, sizeof *t);
  t->alloc = alloc;
  t->node = alloc(blocks, sizeof *t->node);
  t->side = alloc(blocks, sizeof *t->side);
  t->d = spec->d;
  grow(t);
  return dpd_rejection_reopen(t, spec);
}

dpd_status dpd_rejection_reopen(dpd_rejection *t, const dpd_rejection_spec *spec)
{
  size_t side = (size_t)spec->d * sizeof *spec->lo;
  *t = (dpd_rejection){.d = spec->d,
                       .room = t->room,
                       .max_nodes = spec->max_nodes,
                       .alloc = t->alloc,
                       .half_eps = ldexp((double)spec->eps.num, -DPD_RATE_BITS - 1),
                       .eps = spec->eps,
                       .scale = DPD_REJECTION_SCALE,
                       .target = spec->target,
                       .unit = spec->unit,
                       .node = t->node,
                       .side = t->side,
                       .patience = spec->d};
  t->nodes = 1;
  if (t->target.part != NULL) {
    set_part(t, 0, -1, &spec->root);
  } else {
    memcpy(dpd_rejection_lo(t, 0), spec->lo, side);
    memcpy(dpd_rejection_hi(t, 0), spec->hi, side);
    dpd_rejection_at(t, 0)->parent = -1;
    dpd_rejection_at(t, 0)->stale = 0;
    dpd_rejection_at(t, 0)->hint = -1;
    fill_node(t, 0, spec->cap);
  }
  if (dpd_rejection_at(t, 0)->log_prior == -INFINITY) return DPD_ERR_DOMAIN;
  t->ref_score = dpd_rejection_at(t, 0)->bound;
  dpd_rejection_rescale(t);
  return DPD_OK;
}

void dpd_rejection_impatient(dpd_rejection *t)
{
  t->patience = 1;
}

/* The axis that leaf j is noted to be cut across, or along which it is longest, in units; -1 for a
 * single point. */
static int longest_axis(const dpd_rejection *t, int j)
{
  const double *lo = dpd_rejection_lo(t, j), *hi = dpd_rejection_hi(t, j);
  int axis = t->target.note != NULL ? dpd_rejection_at(t, j)->note.axis : -1;
  if (axis >= 0 && hi[axis] > lo[axis]) return axis;
  axis = -1;
  double longest = 0;
  for (int k = 0; k < t->d; k++) {
    double side = (hi[k] - lo[k]) / t->unit[k];
    if (side > longest) {
      longest = side;
      axis = k;
    }
  }
  return axis;
}

/* Makes the nodes `left` and `left` + 1 the parts of leaf j up to `cut` and above it. */
static void cut_box(dpd_rejection *t, int j, int axis, double cut, int left)
{
  size_t bytes = (size_t)t->d * sizeof(double);
  for (int k = 0; k < 2; k++) {
    memcpy(dpd_rejection_lo(t, left + k), dpd_rejection_lo(t, j), bytes);
    memcpy(dpd_rejection_hi(t, left + k), dpd_rejection_hi(t, j), bytes);
    dpd_rejection_at(t, left + k)->parent = j;
  }
  dpd_rejection_hi(t, left)[axis] = cut;
  dpd_rejection_lo(t, left + 1)[axis] = cut + 1;
  for (int k = 0; k < 2; k++)
    fill_node(t, left + k, dpd_rejection_at(t, j)->bound);
}

/* The same at the middle, or where the target has it. */
static void halve(dpd_rejection *t, int j, int axis, int left)
{
  const double *lo = dpd_rejection_lo(t, j), *hi = dpd_rejection_hi(t, j);
  double cut = floor(lo[axis] + (hi[axis] - lo[axis]) / 2);
  if (t->target.cut != NULL) cut = t->target.cut(t->target.ctx, lo, hi, axis);
  cut_box(t, j, axis, cut, left);
}

/* How much of leaf j's bounding weight its halves keep, in [0, 1]. */
static double kept_weight(const dpd_rejection *t, int j, int left)
{
  const dpd_rejection_node *b = dpd_rejection_at(t, j);
  double sum = 0, whole = dpd_rejection_log_weight(t, b, 0);
  for (int k = 0; k < 2; k++) {
    const dpd_rejection_node *half = dpd_rejection_at(t, left + k);
    if (half->log_prior > -INFINITY) sum += exp(dpd_rejection_log_weight(t, half, 0) - whole);
  }
  return sum;
}

/* The side, but for `axis`, whose halves keep the least weight, if that is little; -1 if none
 * does. */
static int telling_axis(dpd_rejection *t, int j, int axis, int left)
{
  int best = -1;
  double min = LITTLE_KEPT;
  for (int k = 0; k < t->d; k++) {
    if (k == axis || !(dpd_rejection_hi(t, j)[k] > dpd_rejection_lo(t, j)[k])) continue;
    halve(t, j, k, left);
    double kept = kept_weight(t, j, left);
    if (kept < min) {
      min = kept;
      best = k;
    }
  }
  return best;
}

static double side_in_units(const dpd_rejection *t, int j, int k)
{
  return (dpd_rejection_hi(t, j)[k] - dpd_rejection_lo(t, j)[k]) / t->unit[k];
}

/* Halves leaf j along its longest side. Where such cuts lowered no bound for long, the other
 * sides are tried: rows in a hyperplane are found by cutting across it only. The side that decided
 * is tried first below. */
static void halve_well(dpd_rejection *t, int j, int axis, int left)
{
  const dpd_rejection_node *b = dpd_rejection_at(t, j);
  int stale = 0, hint = b->hint;
  bool again = hint >= 0 && dpd_rejection_hi(t, j)[hint] > dpd_rejection_lo(t, j)[hint];
  if (again && side_in_units(t, j, axis) > NEEDLE * side_in_units(t, j, hint)) {
    halve(t, j, axis, left);
    again = kept_weight(t, j, left) >= LITTLE_KEPT;
  }
  if (again) {
    halve(t, j, hint, left);
    again = kept_weight(t, j, left) < LITTLE_KEPT;
  }
  if (!again) {
    hint = -1;
    halve(t, j, axis, left);
    if (kept_weight(t, j, left) >= MUCH_KEPT) stale = b->stale + 1;
    if (stale >= t->patience) {
      stale = 0;
      hint = telling_axis(t, j, axis, left);
      halve(t, j, hint >= 0 ? hint : axis, left);
    }
  }
  for (int k = 0; k < 2; k++) {
    dpd_rejection_at(t, left + k)->stale = stale;
    dpd_rejection_at(t, left + k)->hint = hint;
  }
}

/* Is there room for the parts of a leaf? */
static bool make_room(dpd_rejection *t)
{
  if (dpd_rejection_full(t)) return false;
  if (t->nodes + DPD_REJECTION_PARTS > t->room) grow(t);
  return true;
}

/* So many nodes after the last become the parts of leaf j. */
static void adopt(dpd_rejection *t, int j, int parts)
{
  int left = t->nodes;
  for (int k = 0; k < parts; k++)
    set_weight(t, dpd_rejection_at(t, left + k));
  t->nodes += parts;
  dpd_rejection_at(t, j)->left = left;
  dpd_rejection_at(t, j)->parts = parts;
  for (int a = j; a >= 0; a = dpd_rejection_at(t, a)->parent)
    dpd_rejection_at(t, a)->weight = sum_parts(t, dpd_rejection_at(t, a));
  if (dpd_rejection_at(t, 0)->weight < RESCALE_BELOW) dpd_rejection_rescale(t);
}

/* The same where the target makes the parts. */
static void split_shape(dpd_rejection *t, int j)
{
  dpd_rejection_part part[DPD_REJECTION_PARTS];
  if (!make_room(t)) return;
  int parts = t->target.part(t->target.ctx, j, t->nodes, part);
  for (int k = 0; k < parts; k++)
    set_part(t, t->nodes + k, j, part + k);
  if (parts > 0) adopt(t, j, parts);
}

void dpd_rejection_split(dpd_rejection *t, int j)
{
  if (t->target.part != NULL) {
    split_shape(t, j);
    return;
  }
  int axis = longest_axis(t, j);
  if (axis < 0 || !make_room(t)) return;
  halve_well(t, j, axis, t->nodes);
  adopt(t, j, 2);
}

/* Cuts the core at `cut`; the side `keep` (0: below, 1: above) is the core then. */
static bool cut_core(dpd_rejection *t, int axis, double cut, int keep)
{
  int j = t->core, left = t->nodes;
  if (!make_room(t)) return false;
  cut_box(t, j, axis, cut, left);
  for (int k = 0; k < 2; k++) {
    dpd_rejection_at(t, left + k)->stale = 0;
    dpd_rejection_at(t, left + k)->hint = -1;
  }
  adopt(t, j, 2);
  t->core = left + keep;
  return true;
}

bool dpd_rejection_carve(dpd_rejection *t, const double *lo, const double *hi)
{
  for (int k = 0; k < t->d; k++)
    if (!(lo[k] <= dpd_rejection_hi(t, t->core)[k] && hi[k] >= dpd_rejection_lo(t, t->core)[k] &&
          lo[k] <= hi[k]))
      return false;
  for (int k = 0; k < t->d; k++) {
    if (lo[k] > dpd_rejection_lo(t, t->core)[k] && !cut_core(t, k, lo[k] - 1, 1)) return false;
    if (hi[k] < dpd_rejection_hi(t, t->core)[k] && !cut_core(t, k, hi[k], 0)) return false;
  }
  return true;
}
