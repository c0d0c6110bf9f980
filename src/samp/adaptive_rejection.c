/* adaptive_rejection.c - exact draws from exp(eps score / 2) times a prior, on a box of Z^d.
 *
 * METHOD: the leaves of a binary tree cut the box into parts. On leaf j with N_j integer
 *   points, score <= U_j and prior <= m_j. A round proposes leaf j with probability W_j / sum W,
 *   integers W_j >= w_j = N_j m_j exp(eps U_j / 2) / C, draws an integer point z of it
 *   uniformly, and accepts with probability
 *       (w_j / W_j) (prior(z) / m_j) exp(-eps (U_j - score(z)) / 2).
 *   So an accepted point has density prior(z) exp(eps score(z) / 2) / constant, whatever the
 *   tree. A rejected round cuts its leaf in two along the longest side; since each round's
 *   accepted law is the target given all earlier rounds, adapting does not bias the draw.
 * EXACT: the leaf, the point and exp(-eps gap / 2) are drawn by integer arithmetic. The two
 *   ratios are doubles with a relative error below 2^-38, drawn exactly as dyadic rationals;
 *   they move the law by a factor within exp(+-2^-36), which dpd_rate's slack of 2^-34 pays.
 *   A leaf whose weight would be below one unit has W_j = 1 and pays the difference by coins:
 *   whole scores by raising U_j (only an upper bound), the rest by coins of exp(-500) and more,
 *   so no ratio underflows.
 * ENDS: with probability one, for every target: the tree is finite, every leaf with prior mass
 *   holds a point that is accepted with positive probability, and so is each round, at a rate
 *   bounded below. Nor does it wait for ever in practice: a leaf of one point has its own score
 *   and prior for bounds, so that what is refused there is the ratio w / W alone, and a leaf of
 *   more points is cut when it refuses. So at most one refusal falls on each node with more than
 *   one point while the tree has room. (A leaf of one point whose bound stayed above its score
 *   would be proposed exp(eps gap / 2) times for each draw.)
 * COST: a round costs one weight descent, one score test and, when rejected, two bounds.
 * REFERENCE: McSherry and Talwar (2007), the exponential mechanism; Dymetman, Bouchard and
 *   Carter (2012), joint optimisation and sampling by adaptive rejection.
 */
#include "samp/adaptive_rejection.h"

#include <math.h>
#include <string.h>

#include "samp/bernoulli.h"
#include "samp/rng.h"

/* Weights are integers in units of 2^-DPD_REJECTION_UNITS of the weight exp(log_ref); the heaviest
 * leaf has 2^-20 of that (2^40 units) when the scale is set, which it is anew when the total has
 * fallen below 2^36 units. Leaves only get lighter. A test sets fewer units, so that what is paid
 * for whole units can be seen. */
#ifndef DPD_REJECTION_UNITS
#define DPD_REJECTION_UNITS 60
#endif
#define SCALE_LOG (DPD_REJECTION_UNITS * 0.69314718055994530942)
/* No single coin is rarer than exp(-COIN_LOG): far from underflow. */
#define COIN_LOG 500.0
/* Halves that keep this share of a leaf's weight are hardly better than the leaf. */
#define MUCH_KEPT 0.99
/* Another side is cut only if its halves keep less than this: else boxes would become needles. */
#define LITTLE_KEPT 0.75
enum { BLOCK_BITS = 10, BLOCK = 1 << BLOCK_BITS }; /* nodes that memory is asked for at a time */
static const uint64_t RESCALE_BELOW = (uint64_t)1 << (DPD_REJECTION_UNITS - 24);

typedef struct {
  uint64_t weight;  /* of the leaf, or the sum below */
  int64_t score;    /* the bound that coins are counted from; above `bound` if w is small */
  double keep;      /* w / W, in (0, 1], apart from exp(-rest) */
  double rest;      /* further coins, where w is below one unit */
  double log_prior; /* bound of the log prior density */
  double log_count; /* log of the number of integer points */
  int bound;        /* bound of the score */
  int parent, left; /* left + 1 is the right child; 0: a leaf */
  int stale, hint;  /* cuts in a row that lowered no bound; the side that told, or -1 */
} node;

struct dpd_rejection {
  int d, nodes, room, max_nodes; /* room: nodes that the blocks hold */
  dpd_alloc alloc;
  double half_eps, log_ref; /* log of the weight of 2^DPD_REJECTION_UNITS units */
  int ref_score;            /* scores count from here in log_ref */
  dpd_rate eps;
  dpd_rejection_target target;
  const double *unit;
  node **node;   /* block by block; a block never moves, so nothing is copied or left behind */
  double **side; /* 2 d a node: lower ends, upper ends */
  int patience;  /* cuts that may lower no bound before all sides are tried */
  int core;      /* the leaf that dpd_rejection_carve() cuts next */
  double proposals, accepted;
};

static node *node_at(const dpd_rejection *t, int j)
{
  return t->node[j >> BLOCK_BITS] + (j & (BLOCK - 1));
}

static double *box_lo(const dpd_rejection *t, int j)
{
  return t->side[j >> BLOCK_BITS] + 2 * (size_t)(j & (BLOCK - 1)) * (size_t)t->d;
}

static double *box_hi(const dpd_rejection *t, int j)
{
  return box_lo(t, j) + t->d;
}

/* Log of N m exp(eps (U - ref_score) / 2), U = bound + raise. The scores are subtracted as
 * integers first: their product with eps / 2 may be large, its rounding error with it. */
static double log_weight(const dpd_rejection *t, const node *b, double raise)
{
  return b->log_count + b->log_prior + t->half_eps * (b->bound - t->ref_score + raise);
}

/* A leaf of less than one unit gets W = 1 and pays the deficit exp(-D) by coins: as many whole
 * scores as D holds, which raise the bound that exact coins are counted from, and the rest. */
static void set_weight(const dpd_rejection *t, node *b)
{
  b->weight = 0;
  b->score = b->bound;
  b->keep = 1;
  b->rest = 0;
  if (b->log_prior == -INFINITY) return;
  double offset = SCALE_LOG - t->log_ref, units = log_weight(t, b, 0) + offset;
  if (units < 0) {
    double raise = floor(-units / t->half_eps);
    /* the quotient may have been rounded up to a whole number: w <= W must not fail by a score */
    if (log_weight(t, b, raise) + offset > 0) raise -= 1;
    b->weight = 1;
    b->score += (int64_t)raise;
    b->rest = fmax(0, -(log_weight(t, b, raise) + offset));
    return;
  }
  double w = exp(units);
  b->weight = (uint64_t)ceil(w);
  b->keep = fmin(1, w / (double)b->weight); /* W as a double may lie below w by one ulp */
}

/* Bounds and weight of node j, whose box is set. */
static void fill_node(dpd_rejection *t, int j, int cap)
{
  node *b = node_at(t, j);
  const double *lo = box_lo(t, j), *hi = box_hi(t, j);
  b->left = 0;
  b->log_count = 0;
  for (int k = 0; k < t->d; k++)
    b->log_count += log(hi[k] - lo[k] + 1);
  b->bound = cap;
  if (!t->target.bound(t->target.ctx, lo, hi, cap, &b->bound, &b->log_prior))
    b->log_prior = -INFINITY;
}

static void rescale(dpd_rejection *t)
{
  const node *top = node_at(t, 0); /* the root, or the heaviest leaf with prior mass */
  bool found = false;
  for (int j = 0; j < t->nodes; j++) {
    const node *b = node_at(t, j);
    if (b->left != 0 || b->log_prior == -INFINITY) continue;
    if (!found || log_weight(t, b, 0) > log_weight(t, top, 0)) top = b;
    found = true;
  }
  t->ref_score = top->bound;
  /* the heaviest leaf gets 2^40 units (of 60): the sum of 2^22 leaves stays below 2^63 */
  t->log_ref = log_weight(t, top, 0) + 20 * 0.69314718055994530942;
  for (int j = t->nodes - 1; j >= 0; j--) {
    node *b = node_at(t, j);
    if (b->left == 0)
      set_weight(t, b);
    else
      b->weight = node_at(t, b->left)->weight + node_at(t, b->left + 1)->weight;
  }
}

/* Room for another block of nodes. */
static void grow(dpd_rejection *t)
{
  int k = t->room >> BLOCK_BITS;
  t->node[k] = t->alloc(BLOCK, sizeof *t->node[k]);
  t->side[k] = t->alloc(2 * BLOCK * (size_t)t->d, sizeof *t->side[k]);
  t->room += BLOCK;
}

dpd_status dpd_rejection_open(dpd_rejection **out, int d, const double *lo, const double *hi,
                              const double *unit, int cap, dpd_rate eps,
                              dpd_rejection_target target, int max_nodes, dpd_alloc alloc)
{
  dpd_rejection *t = alloc(1, sizeof *t);
  *out = t;
  memset(t, 0, sizeof *t);
  t->d = d;
  t->max_nodes = max_nodes;
  t->eps = eps;
  t->half_eps = ldexp((double)eps.num, -DPD_RATE_BITS - 1);
  t->target = target;
  t->unit = unit;
  t->patience = d;
  t->alloc = alloc;
  size_t blocks = (size_t)max_nodes / BLOCK + 1;
  t->node = alloc(blocks, sizeof *t->node);
  t->side = alloc(blocks, sizeof *t->side);
  grow(t);
  memcpy(box_lo(t, 0), lo, (size_t)d * sizeof *lo);
  memcpy(box_hi(t, 0), hi, (size_t)d * sizeof *hi);
  t->nodes = 1;
  node_at(t, 0)->parent = -1;
  node_at(t, 0)->stale = 0;
  node_at(t, 0)->hint = -1;
  fill_node(t, 0, cap);
  if (node_at(t, 0)->log_prior == -INFINITY) return DPD_ERR_DOMAIN;
  t->ref_score = node_at(t, 0)->bound;
  rescale(t);
  return DPD_OK;
}

void dpd_rejection_impatient(dpd_rejection *t)
{
  t->patience = 1;
}

/* The axis along which leaf j is longest, in units; -1 for a single point. */
static int longest_axis(const dpd_rejection *t, int j)
{
  const double *lo = box_lo(t, j), *hi = box_hi(t, j);
  int axis = -1;
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
    memcpy(box_lo(t, left + k), box_lo(t, j), bytes);
    memcpy(box_hi(t, left + k), box_hi(t, j), bytes);
    node_at(t, left + k)->parent = j;
  }
  box_hi(t, left)[axis] = cut;
  box_lo(t, left + 1)[axis] = cut + 1;
  for (int k = 0; k < 2; k++)
    fill_node(t, left + k, node_at(t, j)->bound);
}

/* The same at the middle. */
static void halve(dpd_rejection *t, int j, int axis, int left)
{
  double lo = box_lo(t, j)[axis];
  cut_box(t, j, axis, floor(lo + (box_hi(t, j)[axis] - lo) / 2), left);
}

/* How much of leaf j's bounding weight its halves keep, in [0, 1]. */
static double kept_weight(const dpd_rejection *t, int j, int left)
{
  const node *b = node_at(t, j);
  double sum = 0, whole = log_weight(t, b, 0);
  for (int k = 0; k < 2; k++) {
    const node *half = node_at(t, left + k);
    if (half->log_prior > -INFINITY) sum += exp(log_weight(t, half, 0) - whole);
  }
  return sum;
}

/* The side, but for `axis`, whose halves keep the least weight, if that is little; -1 if none
 * does. */
static int telling_axis(dpd_rejection *t, int j, int axis, int left)
{
  int best = -1;
  double least = LITTLE_KEPT;
  for (int k = 0; k < t->d; k++) {
    if (k == axis || !(box_hi(t, j)[k] > box_lo(t, j)[k])) continue;
    halve(t, j, k, left);
    double kept = kept_weight(t, j, left);
    if (kept < least) {
      least = kept;
      best = k;
    }
  }
  return best;
}

/* Halves leaf j along its longest side. Where such cuts lowered no bound for long, the other
 * sides are tried: rows in a hyperplane are found by cutting across it only. The side that told
 * is tried first below. */
static void halve_well(dpd_rejection *t, int j, int axis, int left)
{
  const node *b = node_at(t, j);
  int stale = 0, hint = b->hint;
  bool again = hint >= 0 && box_hi(t, j)[hint] > box_lo(t, j)[hint];
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
    node_at(t, left + k)->stale = stale;
    node_at(t, left + k)->hint = hint;
  }
}

/* Is there room for two more nodes? */
static bool make_room(dpd_rejection *t)
{
  if (t->nodes + 2 > t->max_nodes) return false;
  if (t->nodes + 2 > t->room) grow(t);
  return true;
}

/* The two nodes after the last become the parts of leaf j. */
static void adopt(dpd_rejection *t, int j)
{
  int left = t->nodes;
  for (int k = 0; k < 2; k++)
    set_weight(t, node_at(t, left + k));
  t->nodes += 2;
  node_at(t, j)->left = left;
  for (int a = j; a >= 0; a = node_at(t, a)->parent) {
    node *above = node_at(t, a);
    above->weight = node_at(t, above->left)->weight + node_at(t, above->left + 1)->weight;
  }
  if (node_at(t, 0)->weight < RESCALE_BELOW) rescale(t);
}

/* Cuts leaf j in two; a single point, or a full tree, is left. */
static void split(dpd_rejection *t, int j)
{
  int axis = longest_axis(t, j);
  if (axis < 0 || !make_room(t)) return;
  halve_well(t, j, axis, t->nodes);
  adopt(t, j);
}

/* Cuts the core at `cut`; the side `keep` (0: below, 1: above) is the core then. */
static bool cut_core(dpd_rejection *t, int axis, double cut, int keep)
{
  int j = t->core, left = t->nodes;
  if (!make_room(t)) return false;
  cut_box(t, j, axis, cut, left);
  for (int k = 0; k < 2; k++) {
    node_at(t, left + k)->stale = 0;
    node_at(t, left + k)->hint = -1;
  }
  adopt(t, j);
  t->core = left + keep;
  return true;
}

bool dpd_rejection_carve(dpd_rejection *t, const double *lo, const double *hi)
{
  for (int k = 0; k < t->d; k++)
    if (!(lo[k] <= box_hi(t, t->core)[k] && hi[k] >= box_lo(t, t->core)[k] && lo[k] <= hi[k]))
      return false;
  for (int k = 0; k < t->d; k++) {
    if (lo[k] > box_lo(t, t->core)[k] && !cut_core(t, k, lo[k] - 1, 1)) return false;
    if (hi[k] < box_hi(t, t->core)[k] && !cut_core(t, k, hi[k], 0)) return false;
  }
  return true;
}

static dpd_status draw_leaf(const dpd_rejection *t, dpd_rng *rng, int *leaf)
{
  uint64_t at;
  int j = 0;
  DPD_TRY(dpd_rng_below(rng, node_at(t, 0)->weight, &at));
  while (node_at(t, j)->left != 0) {
    j = node_at(t, j)->left;
    if (at >= node_at(t, j)->weight) {
      at -= node_at(t, j)->weight;
      j++;
    }
  }
  *leaf = j;
  return DPD_OK;
}

static dpd_status draw_point(const dpd_rejection *t, dpd_rng *rng, int leaf, double *w)
{
  const double *lo = box_lo(t, leaf), *hi = box_hi(t, leaf);
  for (int k = 0; k < t->d; k++) {
    uint64_t at;
    DPD_TRY(dpd_rng_below(rng, (uint64_t)(hi[k] - lo[k]) + 1, &at));
    w[k] = lo[k] + (double)at;
  }
  return DPD_OK;
}

/* Is the point w of leaf j accepted? The three factors are independent coins; the one
 * that reads the data comes last. */
static dpd_status accept(const dpd_rejection *t, dpd_rng *rng, int j, const double *w, bool *yes)
{
  const node *b = node_at(t, j);
  double log_prior;
  uint64_t slack;
  *yes = false;
  if (!t->target.log_prior(t->target.ctx, w, &log_prior)) return DPD_OK;
  double keep = b->keep * exp(log_prior - b->log_prior);
  DPD_TRY(dpd_bernoulli_double(rng, keep < 1 ? keep : 1, yes));
  for (double rest = b->rest; rest > 0 && *yes; rest -= COIN_LOG)
    DPD_TRY(dpd_bernoulli_double(rng, exp(-fmin(rest, COIN_LOG)), yes));
  if (!*yes) return DPD_OK;
  /* score >= U - G with P(G >= g) = exp(-eps g / 2) is the coin exp(-eps (U - score) / 2) */
  DPD_TRY(dpd_geometric_exp(rng, t->eps.num, (uint64_t)1 << (DPD_RATE_BITS + 1), &slack));
  int64_t level = (int64_t)slack >= b->score ? 0 : b->score - (int64_t)slack;
  *yes = level <= b->bound && t->target.at_least(t->target.ctx, w, (int)level);
  return DPD_OK;
}

dpd_status dpd_rejection_draw(dpd_rejection *t, dpd_rng *rng, int rounds, double *w)
{
  for (int r = 0; r < rounds; r++) {
    int leaf;
    bool yes;
    DPD_TRY(draw_leaf(t, rng, &leaf));
    DPD_TRY(draw_point(t, rng, leaf, w));
    DPD_TRY(accept(t, rng, leaf, w, &yes));
    t->proposals++;
    if (yes) {
      t->accepted++;
      return DPD_OK;
    }
    split(t, leaf);
  }
  return DPD_AGAIN;
}

void dpd_rejection_counts(const dpd_rejection *t, double *proposals, double *accepted, int *nodes)
{
  *proposals = t->proposals;
  *accepted = t->accepted;
  *nodes = t->nodes;
}
