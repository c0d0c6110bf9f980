/* rejection_refine.c - boxes of the rejection tree that are cut in depth before the first draw.
 *
 * METHOD: leaves that are heavier than a goal are cut, the heavier part first; where cuts are few,
 *   in passes whose goals come down, so that the heaviest leaves are cut. Weights are set at the
 *   end.
 * COST: that of the cuts; a pass walks through the whole tree.
 * DEGENERATE: a tree that is full ends the refining, and is as good as any.
 * REFERENCE: as samp/adaptive_rejection.c.
 */
#include <math.h>

#include "samp/rejection_tree.h"

/* Passes of refining: each walks through the whole tree. */
#define PASSES_MOST 64

/* The log of what leaf b weighs more than the goal. */
static double log_excess(const dpd_rejection *t, const dpd_rejection_node *b)
{
  return b->log_count + b->log_prior + t->half_eps * (b->bound - t->goal.score) - t->goal.log_mass;
}

void dpd_rejection_aim(dpd_rejection *t, const dpd_rejection_goal *goal)
{
  t->goal = *goal;
  t->waits_most = 64 * t->d + 2; /* two for each cut above a leaf: a side has at most 2^53 points */
  t->waiting = t->alloc((size_t)t->waits_most, sizeof *t->waiting);
  t->waits = 1;
  t->waiting[0] = 0;
  double root = log_excess(t, dpd_rejection_at(t, 0));
  if (goal->step > 0) t->goal.step = fmax(goal->step, root / PASSES_MOST);
  t->ahead = goal->step > 0 && root > 0 ? t->goal.step * floor(root / t->goal.step) : 0;
}

static bool is_heavy(const dpd_rejection *t, const dpd_rejection_node *b)
{
  return b->log_prior > -INFINITY && log_excess(t, b) > t->ahead;
}

/* Cuts leaf j as dpd_rejection_split() does, and leaves all weights for later. */
static void cut_in_depth(dpd_rejection *t, int j, int axis)
{
  int left = t->nodes;
  if (t->target.enter != NULL)
    t->target.enter(t->target.ctx, dpd_rejection_lo(t, j), dpd_rejection_hi(t, j));
  dpd_rejection_halve(t, j, axis, left);
  t->nodes += 2;
  t->goal.most--;
  dpd_rejection_at(t, j)->left = left;
  dpd_rejection_at(t, j)->parts = 2;
  /* the heavier part is cut first */
  int heavy = dpd_rejection_log_weight(t, dpd_rejection_at(t, left), 0) <
                      dpd_rejection_log_weight(t, dpd_rejection_at(t, left + 1), 0)
                  ? 1
                  : 0;
  t->waiting[t->waits++] = left + 1 - heavy;
  t->waiting[t->waits++] = left + heavy;
}

/* Again from the root, for lighter leaves. */
static bool begin_pass(dpd_rejection *t)
{
  if (!(t->ahead > 0)) return false;
  t->ahead = fmax(0, t->ahead - t->goal.step);
  t->waits = 1;
  t->waiting[0] = 0;
  return true;
}

bool dpd_rejection_refine(dpd_rejection *t, int cuts)
{
  if (t->waiting == NULL) return false;
  while ((t->waits > 0 || begin_pass(t)) && t->goal.most > 0 && t->waits + 2 <= t->waits_most) {
    if (cuts-- == 0) return true;
    int j = t->waiting[--t->waits], axis = dpd_rejection_longest_axis(t, j);
    if (dpd_rejection_at(t, j)->left != 0) { /* dpd_rejection_carve() cut it */
      t->waiting[t->waits++] = dpd_rejection_at(t, j)->left;
      t->waiting[t->waits++] = dpd_rejection_at(t, j)->left + 1;
      continue;
    }
    if (axis < 0 || !is_heavy(t, dpd_rejection_at(t, j))) continue;
    if (!dpd_rejection_make_room(t)) break;
    cut_in_depth(t, j, axis);
  }
  t->waiting = NULL;
  dpd_rejection_rescale(t);
  return false;
}
