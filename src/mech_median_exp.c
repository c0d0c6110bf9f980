/* mech_median_exp.c - the exponential mechanism over halfspace depth: a private median.
 *
 * METHOD: rows and candidates live on the public lattice of num_lattice; the score is the
 *   integer depth count h of the lattice rows, exact or directional, which one replaced row
 *   moves by at most one. Density proportional to prior(x) exp(eps h(x) / 2): pure eps-DP.
 *   samp_boxtree draws from it exactly. Its boxes live in sheared coordinates
 *   (geom_shear), and a box's depth bound comes from order statistics of projections: a
 *   point of the box with depth t lies between ranks t and n + 1 - t in every direction.
 *   For the exact planar depth, a point that is refused although it passed along all
 *   directions so far adds the direction in which it is shallow.
 *   Only ranks that can carry weight are kept (choose_level); below them the bound is
 *   level - 1 and a score is read off the rows, so the law does not depend on the choice.
 * COST: O(count n d) to prepare, count (n - 2 level + 2) doubles; a proposal O(count d).
 * REFERENCE: McSherry and Talwar (2007); Ramsay, Jagannath and Chenouri (2022), section 2.
 */
#include "mech_median_exp.h"

#include <math.h>
#include <string.h>

#include "depth_halfspace.h"
#include "geom_shear.h"
#include "num_select.h"
#include "num_window.h"
#include "samp_boxtree.h"
#include "samp_hitrun.h"
#include "samp_rng.h"

enum {
  MAX_NODES = 1 << 20,       /* tree size, about 150 bytes each */
  BLOCK_ROUNDS = 256,        /* proposals between two looks for an interrupt */
  BLOCK_FORMS = 128,         /* directions whose range over a box is found at once */
  BLOCK_STEPS = 64,          /* steps of a chain between two */
  DISPERSE_STEPS = 32,       /* steps at a quarter of epsilon that scatter a chain's start */
  DIRECTION_BITS = 16,       /* integer directions: round(2^16 u) */
  WINDOW_DOUBLES = 48 << 20, /* memory for order statistics: 384 MB */
  RANKS_ABOVE = 16,          /* window ranks above the deep point's depth */
  MAX_CUTS = 2000,           /* directions added on the way */
  CLAMP_BITS_LINE = 50,
  CLAMP_BITS_SPACE = 24 /* exact spatial depth: see depth_halfspace.h */
};

/* What is left outside the window carries less than exp(-WINDOW_MARGIN) of the mass. */
#define WINDOW_MARGIN 40.0

struct dpd_median_exp {
  dpd_median_exp_spec spec;
  dpd_lattice lattice;
  dpd_shear shear;
  dpd_projected projected;
  dpd_window window;
  dpd_boxtree *tree;
  double *forms;        /* d x count: the directions as forms in w, by coordinate */
  double *extent;       /* d x d: the coordinates of z as forms in w, likewise */
  double *least, *most; /* count each: ranges of forms over a box */
  double *column[3];    /* lattice rows by column, for the exact depth */
  void *depth_work;
  double *dirs, *work, *form; /* the projected directions; n doubles a thread; one form */
  double *proj;               /* count */
  double *z, *w, *lo, *hi;    /* d each */
  dpd_hitrun line;            /* the chain and where it stands */
  double *deep;               /* d: the coordinate-wise median, where chains start */
  int chain, step;
};

/* sum_j |u_j| |z_j| must stay below 2^52: |u|_1 <= sqrt(d) 2^DIRECTION_BITS. */
static int clamp_bits(const dpd_median_exp_spec *spec)
{
  if (spec->d == 1) return CLAMP_BITS_LINE;
  if (spec->exact_depth && spec->d == 3) return CLAMP_BITS_SPACE;
  return 51 - DIRECTION_BITS - (int)ceil(0.5 * log2((double)spec->d));
}

static void set_rows(dpd_median_exp *m, double *rows)
{
  int n = m->spec.n, d = m->spec.d;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < d; j++)
      rows[(size_t)i * (size_t)d + (size_t)j] =
          dpd_lattice_index(&m->lattice, j, m->spec.data[(size_t)i + (size_t)j * (size_t)n]);
}

/* The form a as integers of DIRECTION_BITS. */
static void set_integer_form(const dpd_median_exp *m, double *a)
{
  double top = 0;
  for (int j = 0; j < m->spec.d; j++)
    top += a[j] * a[j];
  for (int j = 0; j < m->spec.d; j++)
    a[j] = m->spec.d == 1 ? 1 : rint(ldexp(a[j] / sqrt(top), DIRECTION_BITS));
}

/* Directions in units of the prior's scale, as forms of lattice indexes. */
static void set_directions(dpd_median_exp *m)
{
  int count = m->spec.count, d = m->spec.d;
  for (int u = 0; u < count; u++) {
    double *a = m->dirs + (size_t)u * (size_t)d;
    for (int j = 0; j < d; j++)
      a[j] = m->spec.dirs[(size_t)u + (size_t)j * (size_t)count] / m->lattice.scale[j];
    set_integer_form(m, a);
  }
}

static void set_columns(dpd_median_exp *m, dpd_alloc alloc)
{
  size_t n = (size_t)m->spec.n, d = (size_t)m->spec.d;
  for (size_t j = 0; j < d; j++) {
    m->column[j] = alloc(n, sizeof(double));
    for (size_t i = 0; i < n; i++)
      m->column[j][i] = m->projected.rows[i * d + j];
  }
  size_t bytes = d == 2 ? dpd_halfspace2_work_size(m->spec.n) : dpd_halfspace3_work_size(m->spec.n);
  m->depth_work = alloc(bytes, 1);
}

static int exact_count(const dpd_median_exp *m, const double *z)
{
  static const double exact[3] = {0, 0, 0};
  int count = 0;
  if (m->spec.d == 2)
    (void)dpd_halfspace2_count(m->column[0], m->column[1], m->spec.n, z[0], z[1], 0, 0,
                               m->depth_work, &count);
  else
    (void)dpd_halfspace3_count(m->column[0], m->column[1], m->column[2], m->spec.n, z, exact,
                               m->depth_work, &count);
  return count;
}

/* Is the depth that the mechanism uses exact and more than the directional one? */
static bool beyond_directions(const dpd_median_exp *m)
{
  return m->spec.exact_depth && m->spec.d > 1;
}

/* The lowest rank worth keeping: a deep point c has depth h(c); points of depth below
 * h(c) - gap weigh less than exp(-WINDOW_MARGIN) of it, all together. Memory bounds it too. */
static int choose_level(dpd_median_exp *m, double *work)
{
  const dpd_lattice *l = &m->lattice;
  int n = m->spec.n, d = m->spec.d;
  double log_points = 0;
  for (int j = 0; j < d; j++) {
    for (int i = 0; i < n; i++)
      work[i] = m->projected.rows[(size_t)i * (size_t)d + (size_t)j];
    size_t mid = (size_t)(n - 1) / 2;
    dpd_select_range(work, (size_t)n, mid, mid);
    m->z[j] = fmin(fmax(work[mid], l->lo[j]), l->hi[j]);
    log_points += log(l->hi[j] - l->lo[j] + 1);
  }
  memcpy(m->deep, m->z, (size_t)d * sizeof *m->z);
  double deep = beyond_directions(m) ? exact_count(m, m->z)
                                     : dpd_projected_depth(&m->projected, m->z, m->spec.threads);
  double log_prior = 0;
  (void)dpd_lattice_log_prior(l, m->z, &log_prior);
  double gap = (log_points - log_prior + WINDOW_MARGIN) / ldexp((double)m->spec.eps.num, -41);
  double level = fmax(1, floor(deep - gap));
  double room = floor((double)WINDOW_DOUBLES / m->projected.room);
  /* with many ties depths pass n / 2: ranks up to the highest depth must be in the window */
  level = fmin(level, n + 1 - deep - RANKS_ABOVE);
  level = fmax(fmax(level, 1), ceil((n + 2 - room) / 2));
  return (int)fmin(level, (n + 1) / 2);
}

/* The largest t <= cap for which the range a..b of direction u can hold a point between the
 * ranks t and n + 1 - t; level - 1 if the window has none. */
static int rank_bound(const dpd_window *win, int u, double a, double b, int cap)
{
  int n = win->from->n, top = n + 1 - win->level;
  /* ranks above the window are not known: its last rank is then a weaker test */
  int r = cap < top ? cap : top;
  if (b >= dpd_window_rank(win, r)[u] && a <= dpd_window_rank(win, n + 1 - r)[u]) return cap;
  int low = win->level - 1, fail = r;
  while (fail - low > 1) {
    int mid = low + (fail - low) / 2;
    if (b >= dpd_window_rank(win, mid)[u] && a <= dpd_window_rank(win, n + 1 - mid)[u])
      low = mid;
    else
      fail = mid;
  }
  return low;
}

/* The same by counting rows, for depths above the window: only masses of ties reach them. */
static int scan_bound(dpd_median_exp *m, int u, const double *lo, const double *hi, int cap)
{
  const dpd_projected *p = &m->projected;
  double a, b;
  int below = 0, above = 0;
  dpd_shear_ranges(&m->shear, m->forms + u, 1, (size_t)p->room, lo, hi, &a, &b);
  for (int i = 0; i < p->n; i++) {
    double y =
        dpd_project(p->dirs + (size_t)u * (size_t)p->d, p->rows + (size_t)i * (size_t)p->d, p->d);
    below += y <= b;
    above += y >= a;
  }
  int bound = below < above ? below : above;
  return bound < cap ? bound : cap;
}

static bool target_bound(void *ctx, const double *lo, const double *hi, int cap, int *score,
                         double *log_prior)
{
  dpd_median_exp *m = ctx;
  size_t d = (size_t)m->spec.d, count = (size_t)m->projected.count;
  size_t room = (size_t)m->projected.room;
  int t = cap;
  dpd_shear_ranges(&m->shear, m->extent, m->spec.d, d, lo, hi, m->lo, m->hi);
  if (!dpd_lattice_bound_prior(&m->lattice, m->lo, m->hi, log_prior)) return false;
  for (size_t from = 0; from < count && t >= m->window.level; from += BLOCK_FORMS) {
    size_t block = count - from < BLOCK_FORMS ? count - from : BLOCK_FORMS;
    dpd_shear_ranges(&m->shear, m->forms + from, (int)block, room, lo, hi, m->least, m->most);
    for (size_t u = 0; u < block && t >= m->window.level; u++)
      t = rank_bound(&m->window, (int)(from + u), m->least[u], m->most[u], t);
  }
  for (int u = 0; u < m->spec.d && t > m->spec.n + 1 - m->window.level; u++)
    t = scan_bound(m, u, lo, hi, t);
  *score = t;
  return true;
}

static bool target_log_prior(void *ctx, const double *w, double *out)
{
  dpd_median_exp *m = ctx;
  dpd_shear_point(&m->shear, w, m->z);
  return dpd_lattice_log_prior(&m->lattice, m->z, out);
}

/* Direction u as a linear form of the sheared coordinates. */
static void set_form(dpd_median_exp *m, int u)
{
  size_t d = (size_t)m->spec.d, room = (size_t)m->projected.room;
  dpd_shear_form(&m->shear, m->dirs + (size_t)u * d, m->form);
  for (size_t k = 0; k < d; k++)
    m->forms[(size_t)u + k * room] = m->form[k];
}

/* Adds the direction in which z is shallow to those that bound the depth. */
static void add_cut(dpd_median_exp *m, const double *z)
{
  dpd_projected *p = &m->projected;
  if (m->spec.d != 2 || p->count >= p->room) return;
  double *a = m->dirs + 2 * (size_t)p->count;
  int count;
  (void)dpd_halfspace2_witness(m->column[0], m->column[1], p->n, z[0], z[1], 0, 0, m->depth_work,
                               &count, a);
  set_integer_form(m, a);
  p->count++;
  dpd_window_fill(&m->window, p->count - 1, 1, m->work);
  set_form(m, p->count - 1);
}

static bool target_at_least(void *ctx, const double *w, int t)
{
  dpd_median_exp *m = ctx;
  const dpd_projected *p = &m->projected;
  if (t <= 0) return true;
  dpd_shear_point(&m->shear, w, m->z);
  bool known = t >= m->window.level && t <= p->n + 1 - m->window.level;
  if (known || !beyond_directions(m)) {
    for (int u = 0; u < p->count; u++)
      m->proj[u] = dpd_project(p->dirs + (size_t)u * (size_t)p->d, m->z, p->d);
    if (!dpd_window_at_least(&m->window, m->proj, t)) return false;
  }
  if (!beyond_directions(m) || exact_count(m, m->z) >= t) return true;
  if (known) add_cut(m, m->z);
  return false;
}

static dpd_status open_tree(dpd_median_exp *m, dpd_alloc alloc)
{
  size_t d = (size_t)m->spec.d;
  dpd_boxtree_target target = {m, target_bound, target_log_prior, target_at_least};
  double *lo = alloc(2 * d, sizeof *lo), *hi = lo + d;
  dpd_shear_cover(&m->shear, m->lattice.lo, m->lattice.hi, lo, hi);
  return dpd_boxtree_open(&m->tree, m->spec.d, lo, hi, m->shear.unit, m->spec.n, m->spec.eps,
                          target, MAX_NODES, alloc);
}

/* Memory whose size depends on the directions and rows alone. */
static void allocate(dpd_median_exp *m, dpd_alloc alloc)
{
  size_t n = (size_t)m->spec.n, d = (size_t)m->spec.d, room = (size_t)m->projected.room;
  m->dirs = alloc(room * d, sizeof *m->dirs);
  m->forms = alloc(room * d, sizeof *m->forms);
  m->proj = alloc(room, sizeof *m->proj);
  m->work = alloc(n * (size_t)m->spec.threads, sizeof *m->work);
  m->extent = alloc(d * d, sizeof *m->extent);
  m->least = alloc(2 * BLOCK_FORMS, sizeof *m->least);
  m->most = m->least + BLOCK_FORMS;
  m->z = alloc(6 * d, sizeof *m->z);
  m->w = m->z + d;
  m->lo = m->w + d;
  m->hi = m->lo + d;
  m->deep = m->hi + d;
  m->form = m->deep + d;
}

dpd_status dpd_median_exp_open(dpd_median_exp **out, const dpd_median_exp_spec *spec,
                               dpd_alloc alloc)
{
  size_t d = (size_t)spec->d;
  dpd_median_exp *m = alloc(1, sizeof *m);
  *out = m;
  memset(m, 0, sizeof *m);
  m->spec = *spec;
  DPD_TRY(dpd_lattice_open(&m->lattice, spec->prior, clamp_bits(spec), alloc));
  double *rows = alloc((size_t)spec->n * d, sizeof *rows);
  int cuts = beyond_directions(m) && spec->d == 2 ? MAX_CUTS : 0;
  m->projected = (dpd_projected){spec->n, spec->d, spec->count, spec->count + cuts, rows, NULL};
  allocate(m, alloc);
  m->projected.dirs = m->dirs;
  set_rows(m, rows);
  set_directions(m);
  if (beyond_directions(m)) set_columns(m, alloc);
  m->window.from = &m->projected;
  m->window.level = choose_level(m, m->work);
  m->window.value = alloc(dpd_window_size(&m->projected, m->window.level), sizeof(double));
  dpd_window_fill(&m->window, 0, spec->threads, m->work);
  dpd_shear_fit(&m->shear, rows, spec->n, spec->d, m->lattice.scale, alloc);
  for (int u = 0; u < spec->count; u++)
    set_form(m, u);
  for (size_t j = 0; j < d; j++)
    for (size_t k = 0; k < d; k++)
      m->extent[j + k * d] = m->shear.inverse[j * d + k];
  if (!spec->chain) return open_tree(m, alloc);
  dpd_hitrun_open(&m->line, &m->window, &m->lattice, &m->shear,
                  ldexp((double)spec->eps.num, -DPD_RATE_BITS - 1), alloc);
  return DPD_OK;
}

dpd_status dpd_median_exp_draw(dpd_median_exp *m, dpd_rng *rng, double *x)
{
  DPD_TRY(dpd_boxtree_draw(m->tree, rng, BLOCK_ROUNDS, m->w));
  dpd_shear_point(&m->shear, m->w, m->z);
  for (int j = 0; j < m->spec.d; j++)
    x[j] = dpd_lattice_value(&m->lattice, j, m->z[j]);
  return DPD_OK;
}

/* A start for a chain: the deep point, moved by the same chain at a quarter of epsilon. */
static dpd_status disperse(dpd_median_exp *m, dpd_rng *rng)
{
  double half_eps = m->line.half_eps;
  dpd_status status = DPD_OK;
  memcpy(m->w, m->deep, (size_t)m->spec.d * sizeof *m->w);
  m->line.half_eps = half_eps / 4;
  for (int k = 0; k < DISPERSE_STEPS && status == DPD_OK; k++)
    status = dpd_hitrun_step(&m->line, rng, m->w);
  m->line.half_eps = half_eps;
  return status;
}

/* The lattice point nearest to the state w, in the data's units. */
static void state_value(const dpd_median_exp *m, size_t stride, double *x)
{
  const dpd_lattice *l = &m->lattice;
  for (int j = 0; j < m->spec.d; j++) {
    double z = fmin(fmax(rint(m->w[j]), l->lo[j]), l->hi[j]);
    x[(size_t)j * stride] = dpd_lattice_value(l, j, z);
  }
}

dpd_status dpd_median_exp_chain(dpd_median_exp *m, dpd_rng *rng, int chains, int steps,
                                double *trace, double *x)
{
  size_t stride = (size_t)chains * (size_t)steps;
  for (int k = 0; k < BLOCK_STEPS; k++) {
    if (m->step == 0) DPD_TRY(disperse(m, rng));
    DPD_TRY(dpd_hitrun_step(&m->line, rng, m->w));
    if (trace != NULL)
      state_value(m, stride, trace + (size_t)m->chain * (size_t)steps + (size_t)m->step);
    if (++m->step < steps) continue;
    m->step = 0;
    /* chain c replaces the pick with probability 1 / (c + 1): uniform over the chains */
    uint64_t pick;
    DPD_TRY(dpd_rng_below(rng, (uint64_t)m->chain + 1, &pick));
    if (pick == 0) state_value(m, 1, x);
    if (++m->chain < chains) continue;
    m->chain = 0;
    return DPD_OK;
  }
  return DPD_AGAIN;
}

const double *dpd_median_exp_step(const dpd_median_exp *m)
{
  return m->lattice.step;
}

void dpd_median_exp_counts(const dpd_median_exp *m, double out[3])
{
  int nodes;
  dpd_boxtree_counts(m->tree, out, out + 1, &nodes);
  out[2] = nodes;
}
