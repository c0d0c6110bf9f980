/* regression_deepest.c - regression depth along the fits through a row, and the deepest fits.
 *
 * METHOD: the fits through row i are a line of dual space, by slope from -Inf to Inf. At -Inf rows
 *   to the right of row i lie above the fit and rows to its left below; each other row changes its
 *   sign once, at the slope of the line through the two, so the changes come in the order of
 *   directions from row i (plane/angle_sort.c). The depth needs the least and the largest sum of
 *   net weights before a split (depth/regression.c): a segment tree over the different x keeps
 *   them, each node the sum of its net weights and the extremes of the sums before splits within
 *   it. The depth is largest at vertices, where rows lie on the fit. At a vertex with one other row
 *   it is at most the larger weight more than before it, so most vertices need no closer
 *   look when only deep ones are of interest.
 * COST: O(n log n) per line, O(n^2 log n) for all, O(n) memory beyond the result.
 * DEGENERATE: rows with the x of row i keep their signs, copies of row i stay on the fit; rows
 *   that the fit meets at the same slope are met at once. Rounding as in plane/angle_sort.c.
 * REFERENCE: Rousseeuw and Hubert (1999); van Kreveld, Mitchell, Rousseeuw, Sharir, Snoeyink and
 *   Speckmann (1999), Efficient algorithms for maximum regression depth.
 */
#include "depth/regression_deepest.h"

#include <math.h>
#include <string.h>

#include "num/scratch.h"

/* Of the net weights of a range of x: their sum, and the extremes of the sums before its splits. */
typedef struct {
  int sum, lowest, highest;
} node;

typedef struct {
  const dpd_lines *l;
  node *tree; /* tree[1] is the root, leaves from tree[leaves] on */
  int leaves;
  int above, below; /* the weights */
  int up, down;     /* sums of above [r >= 0] and of below [r <= 0] */
  signed char *sign;
  void *directions;
  const dpd_vertex_visitor *visitor;
  bool once; /* vertices with a row before the line's may be left out */
} walker;

static int leaf_count(int groups)
{
  int leaves = 1;
  while (leaves < groups)
    leaves *= 2;
  return leaves;
}

size_t dpd_regression_walk_scratch(int n)
{
  size_t directions = (dpd_angle_sort_scratch(n) + 15) / 16 * 16;
  return directions + 2 * (size_t)leaf_count(n) * sizeof(node) + (size_t)n;
}

static void lay_out(walker *w, const dpd_lines *l, void *work)
{
  w->l = l;
  w->above = l->weights.above;
  w->below = l->weights.below;
  w->leaves = leaf_count(l->groups);
  w->directions = work;
  w->tree = (node *)((char *)work + (dpd_angle_sort_scratch(l->n) + 15) / 16 * 16);
  w->sign = (signed char *)(w->tree + 2 * (size_t)leaf_count(l->n));
}

static inline node join(node a, node b)
{
  node c = {a.sum + b.sum, a.sum + b.lowest, a.sum + b.highest};
  c.lowest = a.lowest < c.lowest ? a.lowest : c.lowest;
  c.highest = a.highest > c.highest ? a.highest : c.highest;
  return c;
}

/* Adds to the sum of one x; the last node joined is the root. */
static inline void add_weight(walker *w, int group, int by)
{
  node *t = w->tree;
  int k = w->leaves + group, sum = t[k].sum + by;
  t[k] = (node){sum, sum < 0 ? sum : 0, sum > 0 ? sum : 0};
  for (k /= 2; k > 0; k /= 2)
    t[k] = join(t[2 * k], t[2 * k + 1]);
}

/* The depth of the fit with the signs as they are. */
static inline int depth_now(const walker *w)
{
  int up = w->up - w->tree[1].highest, down = w->down + w->tree[1].lowest;
  return up < down ? up : down;
}

static inline int net_of(const walker *w, int sign)
{
  return (sign >= 0 ? w->above : 0) - (sign <= 0 ? w->below : 0);
}

/* All nodes from the sums of the leaves. */
static void build_tree(walker *w)
{
  for (int k = w->leaves; k < 2 * w->leaves; k++) {
    int sum = w->tree[k].sum;
    w->tree[k] = (node){sum, sum < 0 ? sum : 0, sum > 0 ? sum : 0};
  }
  for (int k = w->leaves - 1; k > 0; k--)
    w->tree[k] = join(w->tree[2 * k], w->tree[2 * k + 1]);
}

/* Signs at slope -Inf. Rows at[0..]/2 coincide with row i. */
static void start_walk(walker *w, int i, const int *at, int copies)
{
  const dpd_lines *l = w->l;
  const int here = l->group[i];
  memset(w->tree, 0, 2 * (size_t)w->leaves * sizeof *w->tree);
  for (int j = 0; j < l->n; j++) {
    int g = l->group[j];
    w->sign[j] = (signed char)(g != here ? (g > here) - (g < here)
                                         : (l->y[j] > l->y[i]) - (l->y[j] < l->y[i]));
  }
  for (int k = 0; k < copies; k++)
    w->sign[at[k] >> 1] = 0;
  w->up = w->down = 0;
  for (int j = 0; j < l->n; j++) {
    w->tree[w->leaves + l->group[j]].sum += net_of(w, w->sign[j]);
    w->up += w->sign[j] >= 0 ? w->above : 0;
    w->down += w->sign[j] <= 0 ? w->below : 0;
  }
  build_tree(w);
}

/* Takes row j from its sign before the fit meets it to 0, or from there to the sign after. */
static inline void meet(walker *w, int j)
{
  int sign = w->sign[j];
  w->up += sign < 0 ? w->above : 0;
  w->down += sign > 0 ? w->below : 0;
  add_weight(w, w->l->group[j], sign > 0 ? -w->below : w->above);
}

static inline void leave(walker *w, int j)
{
  int sign = w->sign[j] = (signed char)-w->sign[j];
  w->up -= sign < 0 ? w->above : 0;
  w->down -= sign > 0 ? w->below : 0;
  add_weight(w, w->l->group[j], sign > 0 ? w->below : -w->above);
}

/* One row met and left in one step, the tree's inner nodes left behind. */
static inline void pass_lazily(walker *w, int j)
{
  int sign = w->sign[j];
  w->sign[j] = (signed char)-sign;
  w->up -= sign * w->above;
  w->down += sign * w->below;
  w->tree[w->leaves + w->l->group[j]].sum -= sign * (w->above + w->below);
}

static inline void pass(walker *w, int j)
{
  pass_lazily(w, j);
  add_weight(w, w->l->group[j], 0);
}

/* How much a row that is met may add to the depth. */
static inline int heavier(const walker *w)
{
  return w->above > w->below ? w->above : w->below;
}

/* Passes the groups of directions from g on that cannot make a vertex of depth `floor`, a row
 * changing the depth by the larger weight at most: as many as may pay for a new tree. Returns the
 * group to go on with. */
static int pass_shallow(walker *w, int i, const dpd_angle_order *r, int g, int floor)
{
  int left = floor - 1 - depth_now(w), first = r->start[g], most = heavier(w);
  if (left < (w->leaves / 16 + 4) * most) return g; /* most groups: without the division */
  int room = left / most;
  if (r->start[g + 1] - first > room) return g;
  for (; g < r->groups && r->start[g + 1] - first <= room; g++)
    for (int k = r->start[g]; k < r->start[g + 1]; k++) {
      int j = r->code[k] >> 1;
      if (w->l->group[j] != w->l->group[i]) pass_lazily(w, j);
    }
  build_tree(w);
  return g;
}

/* Rows code[from..to-1] / 2 that move, met at once; reports the vertex if it is deep enough. */
static int meet_all(walker *w, int i, const dpd_angle_order *r, int from, int to, int floor)
{
  const dpd_lines *l = w->l;
  int far = -1, lowest = i;
  for (int k = from; k < to; k++) {
    int j = r->code[k] >> 1;
    if (l->group[j] == l->group[i]) continue;
    meet(w, j);
    if (far < 0 || fabs(l->x[j] - l->x[i]) > fabs(l->x[far] - l->x[i])) far = j;
    if (j < lowest) lowest = j;
  }
  if (far < 0) return floor;
  int depth = depth_now(w);
  if (depth >= floor) {
    for (int k = r->away; k < l->n; k++)
      if (r->code[k] >> 1 < lowest) lowest = r->code[k] >> 1;
    floor = w->visitor->visit(w->visitor->context, i, far, lowest == i, depth);
  }
  for (int k = from; k < to; k++)
    if (l->group[r->code[k] >> 1] != l->group[i]) leave(w, r->code[k] >> 1);
  return floor;
}

/* The walk along an order. */
static int follow(walker *w, int i, const dpd_angle_order *r, int floor)
{
  start_walk(w, i, r->code + r->away, w->l->n - r->away);
  for (int g = 0; g < r->groups;) {
    int next = pass_shallow(w, i, r, g, floor);
    if (next > g) {
      g = next;
      continue;
    }
    int from = r->start[g], to = r->start[g + 1], j = r->code[from] >> 1;
    bool idle = depth_now(w) + heavier(w) < floor || (w->once && j < i);
    if (to - from == 1 && idle && w->l->group[j] != w->l->group[i])
      pass(w, j);
    else
      floor = meet_all(w, i, r, from, to, floor);
    g++;
  }
  return floor;
}

int dpd_regression_walk(const dpd_lines *l, int i, int floor, const dpd_vertex_visitor *visitor,
                        void *work)
{
  walker w = {.visitor = visitor};
  dpd_angle_order r;
  lay_out(&w, l, work);
  dpd_plane_rows q = {l->x, l->y, l->n, l->x[i], l->y[i], l->pad, NULL, NULL, 0};
  dpd_angle_sort(&q, w.directions, &r);
  return follow(&w, i, &r, floor);
}

size_t dpd_regression_follow_scratch(int n)
{
  return 2 * (size_t)leaf_count(n) * sizeof(node) + (size_t)n;
}

int dpd_regression_follow(const dpd_lines *l, int i, const dpd_angle_order *order, int floor,
                          const dpd_vertex_visitor *visitor, void *work)
{
  walker w = {
      .l = l, .leaves = leaf_count(l->groups), .tree = work, .visitor = visitor, .once = true};
  w.above = l->weights.above;
  w.below = l->weights.below;
  w.sign = (signed char *)(w.tree + 2 * (size_t)leaf_count(l->n));
  return follow(&w, i, order, floor);
}

static int note_vertex(void *context, int i, int j, bool first, int depth)
{
  dpd_deepest *f = context;
  if (depth > f->depth) {
    f->depth = depth;
    f->rows.count = 0;
  }
  if (!first || f->rows.failed) return f->depth; /* its first line reports it */
  dpd_vertex_rows *rows = dpd_list_add(&f->rows, sizeof *rows);
  if (rows != NULL) *rows = (dpd_vertex_rows){i, j};
  return f->depth;
}

/* Adds what was found on later lines. */
static dpd_status add_found(dpd_deepest *found, const dpd_deepest *f)
{
  DPD_TRY(dpd_list_status(&f->rows));
  if (f->depth > found->depth) {
    found->depth = f->depth;
    found->rows.count = 0;
  }
  if (f->depth < found->depth || f->rows.count == 0) return DPD_OK;
  size_t before = found->rows.count, count = f->rows.count;
  DPD_TRY(dpd_list_reserve(&found->rows, before + count, sizeof(dpd_vertex_rows)));
  dpd_vertex_rows *rows = found->rows.item;
  memcpy(rows + before, f->rows.item, count * sizeof *rows);
  found->rows.count += count;
  return DPD_OK;
}

/* One thread's memory. */
typedef struct {
  dpd_deepest *found; /* the deepest vertices of its lines, in their order */
  void *work;
} worker;

static size_t lay_out_worker(worker *w, int n, dpd_scratch a)
{
  w->found = dpd_scratch_take(&a, 1, sizeof *w->found);
  w->work = dpd_scratch_take(&a, dpd_regression_walk_scratch(n), 1);
  return a.used;
}

static size_t worker_share(int n)
{
  worker w;
  return lay_out_worker(&w, n, (dpd_scratch){NULL, 0});
}

size_t dpd_regression_deepest_scratch(int n, int threads)
{
  return dpd_scratch_size(worker_share(n), threads);
}

dpd_status dpd_regression_deepest(const dpd_lines *l, const dpd_deepest_range *r,
                                  dpd_deepest *found, void *scratch)
{
  const int lines = r->last - r->first, most = lines > 0 ? lines : 1;
  const int threads = r->threads < most ? r->threads : most;
  const size_t share = worker_share(l->n);
  /* each thread has lines that follow each other, so that the order does not depend on threads */
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(static, 1)
#endif
  for (int t = 0; t < threads; t++) {
    worker w;
    lay_out_worker(&w, l->n, dpd_scratch_part(scratch, share, t));
    int from = r->first + (int)((int64_t)lines * t / threads);
    int to = r->first + (int)((int64_t)lines * (t + 1) / threads);
    *w.found = (dpd_deepest){.depth = found->depth};
    dpd_vertex_visitor visitor = {note_vertex, w.found};
    for (int i = from; i < to && !w.found->rows.failed; i++)
      dpd_regression_walk(l, i, w.found->depth, &visitor, w.work);
  }
  dpd_status status = DPD_OK;
  for (int t = 0; t < threads; t++) {
    worker w;
    lay_out_worker(&w, l->n, dpd_scratch_part(scratch, share, t));
    if (status == DPD_OK) status = add_found(found, w.found);
    dpd_deepest_close(w.found);
  }
  return status;
}

void dpd_deepest_close(dpd_deepest *found)
{
  dpd_list_close(&found->rows);
  found->depth = 0;
}
