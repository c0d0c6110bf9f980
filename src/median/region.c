/* region.c - halfspace depth regions in the plane, and the deepest one.
 *
 * METHOD: Omega(l) is the intersection of the halfplanes u'z <= q_u, q_u the l-th largest of u'x_i.
 *   If h(c) < l, a direction u that attains h(c) has u'c > q_u. Turning u both ways until the row
 *   at q_u (the pivot) ties with another row gives two halfplanes whose edges pass through two rows
 *   each; u is between them, so one of the two excludes c as well (or u itself is used, when they
 *   are opposite: rows on one line). Only such halfplanes bound Omega(l).
 *   - Region of a level: start from the rectangle of the level's order statistics; while a
 *     vertex z has h(z) < l, cut it off. When all vertices are in Omega(l), the polygon, which
 *     holds Omega(l), is inside it too, by convexity.
 *   - Deepest level: start at l = ceil(n/3), which is never empty (centrepoint theorem). If
 *     the centroid c of the polygon has h(c) >= l, go on to l + 1; otherwise cut. Each cut takes
 *     off more than a third of the area (Gruenbaum), whatever the data. The polygon becoming empty
 *     proves that the level before is the deepest. Halfplanes of lower levels stay valid.
 * COST: O(n) per cut; a cut or two for each vertex, and some tens for the deepest level: no
 *   events of the level are enumerated.
 * ROUNDING: violations up to 2^-42 of the coordinates' size are none, so regions without interior
 *   are found as the segment or the point that they are.
 * DEGENERATE: n = 1, equal rows: a point; collinear rows: a segment or a point.
 * REFERENCE: Rousseeuw and Ruts (1998), Constructing the bivariate Tukey median; Gruenbaum (1960),
 *   Partitions of mass-distributions and of convex bodies by hyperplanes.
 */
#include "median/region.h"

#include <math.h>
#include <string.h>

#include "depth/halfspace.h"
#include "num/list.h"
#include "num/select.h"

/* Far more cuts than any data need; a bound on the work in case rounding goes wrong. */
enum { MAX_CUTS = 100000 };

typedef struct {
  dpd_halfplane h;
  int level;
} level_cut;

typedef struct {
  const double *x, *y;
  int n;
  double ex, ey;
  double *projection;
  void *work;
  dpd_polygon polygon;
  double inside[2]; /* the last point found in the region of the level reached */
  dpd_list cuts;    /* of level_cut: all that ever changed the polygon */
} region_task;

static dpd_status remember(region_task *s, const dpd_halfplane *h, int level)
{
  if (s->cuts.count == MAX_CUTS) return DPD_ERR_LIMIT;
  level_cut *cut = dpd_list_add(&s->cuts, sizeof *cut);
  if (cut != NULL) *cut = (level_cut){*h, level};
  return dpd_list_status(&s->cuts);
}

static void unit(double u[2], double a, double b)
{
  double length = hypot(a, b);
  u[0] = a / length;
  u[1] = b / length;
}

/* The row at the level-th largest projection once u has turned a little, way = 1 counterclockwise:
 * of rows that tie within `slack` (an error of rounding) those further that way are ahead. */
static int find_pivot(region_task *s, const double u[2], int level, int way, double *slack)
{
  double *t = s->projection, size = 0;
  for (int i = 0; i < s->n; i++) {
    t[i] = u[0] * s->x[i] + u[1] * s->y[i];
    size = fmax(size, fabs(t[i]));
  }
  size_t rank = (size_t)(s->n - level);
  dpd_select_range(t, (size_t)s->n, rank, rank);
  double q = t[rank];
  *slack = s->ex + s->ey + 0x1p-50 * fmin(size, 2 * fabs(q) + s->ex + s->ey);
  size_t above = 0, tied = 0;
  for (int i = 0; i < s->n; i++) {
    double off = u[0] * s->x[i] + u[1] * s->y[i] - q;
    above += off > *slack;
    if (fabs(off) <= *slack) t[tied++] = way * (u[0] * s->y[i] - u[1] * s->x[i]);
  }
  size_t place = tied + above - (size_t)level; /* from the least */
  dpd_select_range(t, tied, place, place);
  double along = t[place];
  for (int i = 0; i < s->n; i++)
    if (fabs(u[0] * s->x[i] + u[1] * s->y[i] - q) <= *slack &&
        way * (u[0] * s->y[i] - u[1] * s->x[i]) == along)
      return i;
  return 0;
}

/* The row that ties first with the pivot when u turns on that way; -1 if there is none. Turned by
 * t, u'(x_j - x_pivot) is a cos t +- w sin t, so cot t = -+ w/a: extreme quotients. */
static int find_partner(const region_task *s, const double u[2], int pivot, int way, double slack)
{
  double lowest = INFINITY, px = s->x[pivot], py = s->y[pivot];
  int partner = -1;
  for (int j = 0; j < s->n; j++) {
    double dx = s->x[j] - px, dy = s->y[j] - py, a = u[0] * dx + u[1] * dy;
    if (fabs(a) <= 2 * slack) continue; /* tied before the turn */
    double r = way * (u[0] * dy - u[1] * dx) / a;
    if (r < lowest) {
      lowest = r;
      partner = j;
    }
  }
  return partner;
}

/* The halfplane through pivot and partner that u turns into: way = 1 counterclockwise. */
static void critical(const region_task *s, const double u[2], int pivot, int partner, int way,
                     dpd_halfplane *h)
{
  double dx = s->x[partner] - s->x[pivot], dy = s->y[partner] - s->y[pivot];
  /* turned by t in (0, pi) the normal has a part sin t along u-perpendicular, of the turn's sign;
   * that of (-dy, dx) is u'd */
  double a = u[0] * dx + u[1] * dy;
  double sign = a < 0 ? -way : way;
  unit(h->u, -dy, dx);
  h->u[0] *= sign;
  h->u[1] *= sign;
  h->a[0] = s->x[pivot];
  h->a[1] = s->y[pivot];
}

static dpd_status apply(region_task *s, const dpd_halfplane *h, int level, bool *changed)
{
  bool this_one;
  DPD_TRY(dpd_polygon_cut(&s->polygon, h, &this_one));
  if (!this_one) return DPD_OK;
  *changed = true;
  return remember(s, h, level);
}

/* Cuts z off by halfplanes that hold Omega(level), given a direction with u'z above the level's
 * order statistic. `changed` is false if z is outside by no more than rounding. */
static dpd_status cut_off(region_task *s, const double z[2], const double normal[2], int level,
                          bool *changed)
{
  double u[2], slack;
  int pivot = 0;
  bool excluded = false;
  unit(u, normal[0], normal[1]);
  *changed = false;
  for (int way = 1; way >= -1; way -= 2) {
    dpd_halfplane h;
    pivot = find_pivot(s, u, level, way, &slack);
    int partner = find_partner(s, u, pivot, way, slack);
    if (partner < 0) continue;
    critical(s, u, pivot, partner, way, &h);
    if (dpd_halfplane_distance(&h, z) <= s->polygon.tol) continue;
    excluded = true;
    DPD_TRY(apply(s, &h, level, changed));
  }
  if (excluded) return DPD_OK;
  dpd_halfplane h = {{u[0], u[1]}, {s->x[pivot], s->y[pivot]}};
  if (dpd_halfplane_distance(&h, z) <= s->polygon.tol) return DPD_OK;
  return apply(s, &h, level, changed);
}

/* Starts the polygon with the rectangle of order statistics that every point of Omega(level)
 * lies in. It may be empty, which is then said by no vertices. */
static dpd_status start(region_task *s, int level)
{
  const double *column[2] = {s->x, s->y};
  double lower[2], upper[2], size = 1;
  bool empty = false;
  for (int k = 0; k < 2; k++) {
    size_t n = (size_t)s->n, low = (size_t)level - 1, high = n - (size_t)level;
    memcpy(s->projection, column[k], n * sizeof(double));
    dpd_select_range(s->projection, n, low, low);
    lower[k] = s->projection[low];
    dpd_select_range(s->projection, n, high, high);
    upper[k] = s->projection[high];
    empty |= lower[k] > upper[k];
    size = fmax(size, fmax(fabs(lower[k]), fabs(upper[k])));
  }
  if (empty) {
    lower[0] = upper[0] = lower[1] = upper[1] = 0;
  }
  dpd_polygon_close(&s->polygon);
  DPD_TRY(dpd_polygon_open(&s->polygon, lower, upper, 0x1p-42 * size));
  if (empty) s->polygon.n = 0;
  return DPD_OK;
}

/* Cuts z off if h(z) < level. Near the edges of the polygon and near rows rounding may make z miss
 * rows, and the direction that this shows hides others in which z is well outside; or it may tie
 * directions that are apart. So rows are counted twice, with the data's errors and with the
 * polygon's tolerance, which cannot both go wrong at one distance. */
static dpd_status exclude(region_task *s, const double z[2], int level, int *count, bool *changed)
{
  const double pad[2] = {s->ex + s->ey, 8 * s->polygon.tol};
  *changed = false;
  for (int k = 0; k < 2 && !*changed; k++) {
    int found;
    double normal[2];
    dpd_plane_rows q = {s->x, s->y, s->n, z[0], z[1], pad[k], NULL, NULL, 0};
    DPD_TRY(dpd_halfspace2_witness(&q, s->work, &found, normal));
    if (k == 0) *count = found;
    if (found < level) DPD_TRY(cut_off(s, z, normal, level, changed));
  }
  return DPD_OK;
}

/* Cuts off vertices until all of them are in Omega(level). */
static dpd_status settle(region_task *s, int level)
{
  for (int k = 0; k < s->polygon.n;) {
    dpd_vertex *v = &s->polygon.vertex[k];
    double z[2] = {v->z[0], v->z[1]};
    int count;
    bool changed = false;
    if (!v->checked) {
      DPD_TRY(exclude(s, z, level, &count, &changed));
      if (!changed) v->checked = true;
    }
    k = changed ? 0 : k + 1;
  }
  return DPD_OK;
}

static dpd_status find_deepest(region_task *s, int *level)
{
  int target = (s->n + 2) / 3, count;
  double z[2];
  bool changed;
  DPD_TRY(start(s, target));
  while (target <= s->n && s->polygon.n > 0) {
    dpd_polygon_centroid(&s->polygon, z);
    DPD_TRY(exclude(s, z, target, &count, &changed));
    if (changed) continue;
    memcpy(s->inside, z, sizeof z);
    target = count >= target ? count + 1 : target + 1;
  }
  *level = target - 1;
  return DPD_OK;
}

static dpd_status find_region(region_task *s, int level)
{
  bool changed;
  const level_cut *cut = s->cuts.item;
  DPD_TRY(start(s, level));
  for (size_t i = 0; i < s->cuts.count; i++)
    if (cut[i].level <= level) DPD_TRY(dpd_polygon_cut(&s->polygon, &cut[i].h, &changed));
  return settle(s, level);
}

size_t dpd_region2_scratch(int n)
{
  return (size_t)n * sizeof(double) + dpd_halfspace2_scratch(n);
}

static region_task open_task(const dpd_region_data *p, void *scratch)
{
  region_task s = {
      .x = p->x, .y = p->y, .n = p->n, .ex = p->ex, .ey = p->ey, .projection = scratch};
  s.work = s.projection + p->n;
  return s;
}

/* Hands over the polygon if all went well. */
static dpd_status close_task(region_task *s, dpd_status status, dpd_polygon *region)
{
  if (status == DPD_OK)
    *region = s->polygon;
  else
    dpd_polygon_close(&s->polygon);
  dpd_list_close(&s->cuts);
  return status;
}

dpd_status dpd_region2(const dpd_region_data *p, int level, dpd_polygon *region, void *scratch)
{
  region_task s = open_task(p, scratch);
  return close_task(&s, find_region(&s, level), region);
}

dpd_status dpd_region2_deepest(const dpd_region_data *p, int *level, dpd_polygon *region,
                               void *scratch)
{
  region_task s = open_task(p, scratch);
  dpd_status status = find_deepest(&s, level);
  if (status == DPD_OK) status = find_region(&s, *level);
  if (status == DPD_OK && s.polygon.n == 0) {
    /* lost by rounding between halfplanes that meet in a point */
    double tol = s.polygon.tol;
    dpd_polygon_close(&s.polygon);
    status = dpd_polygon_open(&s.polygon, s.inside, s.inside, tol);
  }
  return close_task(&s, status, region);
}
