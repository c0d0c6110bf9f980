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
 *   Only ranks that can carry weight are kept (mech_median_window.c); outside them bounds are
 *   weaker and a score is read off the rows, so the exact law does not depend on the choice.
 *   The chain counts depths below the window as its lowest rank less one: with the window's
 *   margin, a change of less than exp(-WINDOW_MARGIN) of the mass.
 * COST: O(count n d) to prepare, and two doubles a direction and rank; a proposal O(count d).
 * REFERENCE: McSherry and Talwar (2007); Ramsay, Jagannath and Chenouri (2022), section 2.
 */
#include "mech_median_exp.h"

#include <math.h>
#include <string.h>

#include "depth_deep.h" /* for the size of its workspace */
#include "depth_halfspace.h"
#include "mech_median_state.h"

enum {
  MAX_NODES = 1 << 20, /* tree size, about 150 bytes each */
  BLOCK_ROUNDS = 256,  /* proposals between two looks for an interrupt */
  BLOCK_FORMS = 128,   /* directions whose range over a box is found at once */
  DIRECTION_BITS = 16, /* integer directions: round(2^16 u) */
  MAX_CUTS = 2000,     /* directions added on the way */
  CLAMP_BITS_LINE = 50,
  CLAMP_BITS_SPACE = 24 /* exact spatial depth: see depth_halfspace.h */
};

/* The rates of the chain's independent proposals, in parts of its own. */
static const double jump_share[DPD_JUMPS] = {0.6, 0.9, 1, 1.3, 2, 3};

/* sum_j |u_j| |z_j| must stay below 2^52: |u|_1 <= sqrt(d) 2^DIRECTION_BITS. */
static int clamp_bits(int d, bool exact_depth)
{
  if (d == 1) return CLAMP_BITS_LINE;
  if (exact_depth && d == 3) return CLAMP_BITS_SPACE;
  return 51 - DIRECTION_BITS - (int)ceil(0.5 * log2((double)d));
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

int dpd_median_exp_score(const dpd_median_exp *m, const double *z)
{
  if (beyond_directions(m)) return exact_count(m, z);
  return dpd_projected_depth(&m->projected, z, m->spec.threads);
}

/* Can the range a..b of direction u hold a point between the ranks t and n + 1 - t? */
static bool holds_rank(const dpd_window *win, int u, double a, double b, int t)
{
  return b >= dpd_window_rank(win, t)[u] && a <= dpd_window_mirror(win, t)[u];
}

/* The largest t <= cap for which it can; low - 1 if there is none in the window. */
static int rank_bound(const dpd_window *win, int u, double a, double b, int cap)
{
  /* ranks above the window are not known: its last rank is then a weaker test */
  int fail = cap < win->high ? cap : win->high, pass = win->low - 1;
  if (holds_rank(win, u, a, b, fail)) return cap;
  while (fail - pass > 1) {
    int mid = pass + (fail - pass) / 2;
    if (holds_rank(win, u, a, b, mid))
      pass = mid;
    else
      fail = mid;
  }
  return pass;
}

/* The same by counting rows, for depths above the window. */
static int scan_bound(dpd_median_exp *m, int u, const double *lo, const double *hi, int cap)
{
  const dpd_projected *p = &m->projected;
  double a, b;
  int below = 0, above = 0;
  dpd_shear_ranges(&m->shear, m->forms + u, m->sizes + u, 1, (size_t)p->room, lo, hi, &a, &b);
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
  dpd_shear_ranges(&m->shear, m->extent, m->extent + d * d, m->spec.d, d, lo, hi, m->lo, m->hi);
  if (!dpd_lattice_bound_prior(&m->lattice, m->lo, m->hi, log_prior)) return false;
  for (size_t from = 0; from < count && t >= m->window.low; from += BLOCK_FORMS) {
    size_t block = count - from < BLOCK_FORMS ? count - from : BLOCK_FORMS;
    dpd_shear_ranges(&m->shear, m->forms + from, m->sizes + from, (int)block, room, lo, hi,
                     m->least, m->most);
    for (size_t u = 0; u < block && t >= m->window.low; u++)
      t = rank_bound(&m->window, (int)(from + u), m->least[u], m->most[u], t);
  }
  for (int u = 0; u < m->spec.d && t > m->window.high; u++)
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
  dpd_shear_form(&m->shear, m->dirs + (size_t)u * d, m->form, m->form + d);
  for (size_t k = 0; k < d; k++) {
    m->forms[(size_t)u + k * room] = m->form[k];
    m->sizes[(size_t)u + k * room] = m->form[d + k];
  }
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
  bool known = t >= m->window.low && t <= m->window.high;
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
  m->forms = alloc(2 * room * d, sizeof *m->forms);
  m->sizes = m->forms + room * d;
  m->proj = alloc(room, sizeof *m->proj);
  size_t work = n * (size_t)m->spec.threads, deep = dpd_deep_work_size(&m->projected);
  m->work = alloc(work > deep ? work : deep, sizeof *m->work);
  m->extent = alloc(2 * d * d, sizeof *m->extent);
  m->least = alloc(2 * BLOCK_FORMS, sizeof *m->least);
  m->most = m->least + BLOCK_FORMS;
  m->z = alloc(8 * d, sizeof *m->z);
  m->w = m->z + d;
  m->lo = m->w + d;
  m->hi = m->lo + d;
  m->deep = m->hi + d;
  m->next = m->deep + d;
  m->form = m->next + d;
}

dpd_status dpd_median_exp_open(dpd_median_exp **out, const dpd_median_exp_spec *spec,
                               dpd_alloc alloc)
{
  size_t d = (size_t)spec->d;
  dpd_median_exp *m = alloc(1, sizeof *m);
  *out = m;
  memset(m, 0, sizeof *m);
  m->spec = *spec;
  if (m->spec.threads > spec->count) m->spec.threads = spec->count;
  DPD_TRY(
      dpd_lattice_open(&m->lattice, spec->prior, clamp_bits(spec->d, spec->exact_depth), alloc));
  double *rows = alloc((size_t)spec->n * d, sizeof *rows);
  int cuts = beyond_directions(m) && spec->d == 2 ? MAX_CUTS : 0;
  m->projected = (dpd_projected){spec->n, spec->d, spec->count, spec->count + cuts, rows, NULL};
  allocate(m, alloc);
  m->projected.dirs = m->dirs;
  set_rows(m, rows);
  set_directions(m);
  if (beyond_directions(m)) set_columns(m, alloc);
  m->window.from = &m->projected;
  dpd_median_exp_window(m, alloc);
  dpd_shear_fit(&m->shear, rows, spec->n, spec->d, m->lattice.scale, alloc);
  for (int u = 0; u < spec->count; u++)
    set_form(m, u);
  for (size_t j = 0; j < d; j++)
    for (size_t k = 0; k < d; k++)
      m->extent[j + k * d] = m->shear.inverse[j * d + k];
  for (size_t k = 0; k < d * d; k++)
    m->extent[d * d + k] = fabs(m->extent[k]);
  if (!spec->chain) return open_tree(m, alloc);
  dpd_hitrun_open(&m->line, &m->window, &m->lattice, &m->shear,
                  ldexp((double)spec->eps.num, -DPD_RATE_BITS - 1), alloc);
  for (int k = 0; k < DPD_JUMPS; k++)
    dpd_jump_open(&m->jump[k], &m->window, &m->lattice, jump_share[k] * m->line.half_eps, alloc);
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

void dpd_median_exp_counts(const dpd_median_exp *m, double out[3])
{
  int nodes;
  dpd_boxtree_counts(m->tree, out, out + 1, &nodes);
  out[2] = nodes;
}

dpd_status dpd_median_exp_steps(dpd_prior prior, bool exact_depth, double *step, dpd_alloc alloc)
{
  dpd_lattice lattice;
  DPD_TRY(dpd_lattice_open(&lattice, prior, clamp_bits(prior.d, exact_depth), alloc));
  memcpy(step, lattice.step, (size_t)prior.d * sizeof *step);
  return DPD_OK;
}
