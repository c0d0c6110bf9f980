/* regression_signs.c - the regression depth of a fit whose residuals change sign one by one.
 *
 * METHOD: the depth is #{s = 0} + min(N- + min S, N+ - max S), S the sums of the signs of the first
 *   0, 1, ... groups of equal x (depth/regression.c). A binary tree over the groups keeps the sum
 *   of each part, and the least and the largest of its sums from the left, the empty one included.
 * COST: O(log groups) a change of sign. Memory O(n).
 * DEGENERATE: one group; sums are taken between groups only, so equal x are never split.
 */
#include "depth/regression_signs.h"

#include <string.h>

struct dpd_signs_node {
  int sum, min, max;
};

static int leaves_for(int groups)
{
  int leaves = 1;
  while (leaves < groups)
    leaves *= 2;
  return leaves;
}

size_t dpd_signs_scratch(int n, int groups)
{
  return 2 * (size_t)leaves_for(groups) * sizeof(dpd_signs_node) + (size_t)n;
}

void dpd_signs_open(dpd_signs *s, const int *group, int n, int groups, void *work)
{
  *s = (dpd_signs){.n = n, .groups = groups, .leaves = leaves_for(groups), .group = group};
  s->node = work;
  s->sign = (signed char *)(s->node + 2 * (size_t)s->leaves);
}

static dpd_signs_node leaf(int sum)
{
  return (dpd_signs_node){sum, sum < 0 ? sum : 0, sum > 0 ? sum : 0};
}

static void join(dpd_signs_node *node, int k)
{
  const dpd_signs_node *left = node + 2 * k, *right = left + 1;
  int min = left->sum + right->min, max = left->sum + right->max;
  node[k].sum = left->sum + right->sum;
  node[k].min = left->min < min ? left->min : min;
  node[k].max = left->max > max ? left->max : max;
}

void dpd_signs_fill(dpd_signs *s)
{
  memset(s->node, 0, 2 * (size_t)s->leaves * sizeof *s->node);
  s->above = 0;
  s->below = 0;
  for (int i = 0; i < s->n; i++) {
    s->node[s->leaves + s->group[i]].sum += s->sign[i];
    s->above += s->sign[i] > 0;
    s->below += s->sign[i] < 0;
  }
  for (int g = s->leaves; g < s->leaves + s->groups; g++)
    s->node[g] = leaf(s->node[g].sum);
  for (int k = s->leaves - 1; k >= 1; k--)
    join(s->node, k);
}

void dpd_signs_set(dpd_signs *s, int row, int sign)
{
  int old = s->sign[row], k = s->leaves + s->group[row];
  if (old == sign) return;
  s->above += (sign > 0) - (old > 0);
  s->below += (sign < 0) - (old < 0);
  s->sign[row] = (signed char)sign;
  s->node[k] = leaf(s->node[k].sum + sign - old);
  for (k /= 2; k >= 1; k /= 2)
    join(s->node, k);
}

int dpd_signs_depth(const dpd_signs *s)
{
  const dpd_signs_node *root = s->node + 1;
  int up = s->below + root->min, down = s->above - root->max;
  return s->n - s->above - s->below + (up < down ? up : down);
}
