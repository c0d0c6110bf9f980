/* test_regression_space.c - private planes by row cuts: leaves partition the lattice, lie in their
 * boxes and bound scores and prior; scores by their definition; the distribution of draws.
 *
 * Each chi-square test has an error rate of 1e-6. */
#include "ctest_planes.h"

#include "mech/regression_space_state.h"

enum {
  SETS = 150,
  LAWS = 24,
  DRAWS = 3000,
  AGAIN = 60,    /* draws of a tree */
  FULL = 40,     /* nodes of a tree that is full */
  DESCENT = 500, /* cuts of a leaf, at most */
  LEAVES = 3000, /* that a small set is cut into, at most */
};

/* Is z among the points of the step's node, if it is among its parent's? */
static bool meets(const dpd_regression_space *m, const dpd_space_node *step, const double *z)
{
  if (step->sign == DPD_SPACE_ANY) return true;
  if (step->row < 0) {
    const dpd_lattice_frame *f = &dpd_space_node_at(m, step->parent)->frame;
    const double w = step->row > DPD_SPACE_FORM
                         ? z[DPD_SPACE_AXIS - step->row]
                         : (double)dpd_lattice_frame_index(f, DPD_SPACE_FORM - step->row, z);
    return step->sign == DPD_SPACE_ABOVE ? w <= step->cut : w > step->cut;
  }
  const dpd_whole_row *r = &m->row[step->row].whole;
  dpd_i128 v = dpd_whole_value(r, z);
  bool above = v <= r->top, below = v >= r->top - r->gap;
  return step->sign == (above && below ? DPD_SPACE_ON : above ? DPD_SPACE_ABOVE : DPD_SPACE_BELOW);
}

/* The leaf that holds z; -1 unless there is just one. */
static int leaf_of(const dpd_regression_space *m, const double *z)
{
  int j = 0;
  while (dpd_rejection_at(m->tree, j)->left != 0) {
    const dpd_rejection_node *b = dpd_rejection_at(m->tree, j);
    int hits = 0, next = j;
    for (int k = 0; k < b->parts; k++)
      if (meets(m, dpd_space_node_at(m, b->left + k), z)) {
        hits++;
        next = b->left + k;
      }
    if (hits != 1) return -1;
    j = next;
  }
  return j;
}

/* Is z in the box? Its w by the definition. */
static bool in_box(const dpd_lattice_frame *f, const double *z)
{
  double w[3], back[3];
  for (int j = 0; j < 3; j++) {
    w[j] = (double)dpd_lattice_frame_index(f, j, z);
    if (w[j] < f->lo[j] || w[j] > f->hi[j]) return false;
  }
  dpd_lattice_frame_point(f, w, back);
  return back[0] == z[0] && back[1] == z[1] && back[2] == z[2];
}

/* Is what proofs keep of a corner that of another hull's? */
static bool is_stale(const dpd_hull_proofs *p)
{
  const dpd_hull *h = p->hull;
  for (int k = 0; k < h->corners; k++) {
    const int64_t *a = h->face[h->f[k][0]].a, *b = h->face[h->f[k][1]].a;
    const int64_t *c = h->face[h->f[k][2]].a;
    dpd_i128 det = 0;
    for (int i = 0; i < 3; i++) {
      const int j = (i + 1) % 3, l = (i + 2) % 3;
      det += a[i] * ((dpd_i128)b[j] * c[l] - (dpd_i128)b[l] * c[j]);
    }
    if (p->made[k] && p->det[k] != det) return true;
  }
  return false;
}

static void forget_hulls(dpd_regression_space *m)
{
  for (int k = 0; k < DPD_SPACE_HULLS; k++)
    m->hull[k].owner = -1;
}

/* All of a small set's leaves are cut; every point is looked at. */
static void check_leaves(int set)
{
  static problem p;
  ctest_memory pool = {0};
  ctest_pool = &pool;
  dpd_regression_space *m;
  double lo[3], hi[3], z[3];
  int apart = 0, out = 0, low = 0, loose = 0, wrong = 0, stale = 0, most;
  fill_set(&p, set);
  CHECK(dpd_regression_space_open(&m, &p.spec, ctest_alloc) == DPD_OK);
  most = p.kind == UNIFORM ? LEAVES : 600;
  for (int j = 0; j < m->tree->nodes && m->tree->nodes < most; j++) {
    if (dpd_rejection_at(m->tree, j)->log_prior == -INFINITY) continue;
    dpd_rejection_split(m->tree, j);
    if (set % 3 == 0) forget_hulls(m); /* they are made again */
    stale += is_stale(&m->proofs);
  }
  bool ended = m->tree->nodes < most;
  range_of(&m->prior.lattice, lo, hi);
  memcpy(z, lo, sizeof z);
  do {
    int j = leaf_of(m, z), score = dpd_regression_space_score(m, z);
    wrong += !p.sharp && score != slow_score(&m->spec, &m->prior.lattice, z);
    if (j < 0) {
      apart++;
      continue;
    }
    const dpd_rejection_node *leaf = dpd_rejection_at(m->tree, j);
    out += !in_box(&dpd_space_node_at(m, j)->frame, z);
    low += score > leaf->bound;
    low += dpd_leaf_prior_log(&m->prior, z) > leaf->log_prior + 1e-9;
    loose += ended && score != leaf->bound;
  } while (advance(z, lo, hi));
  CHECK(stale == 0);                      /* proofs are of the hull in hand */
  CHECK(apart == 0);                      /* each point is in one leaf, */
  CHECK(out == 0);                        /* and in its box */
  CHECK(wrong == 0);                      /* scores are those of the definition */
  CHECK(low == 0);                        /* bounds are bounds */
  CHECK(p.kind != UNIFORM || loose == 0); /* and scores, where all is decided, */
  CHECK(p.kind != UNIFORM || ended);      /* which ends */
  ctest_free(&pool);
}

/* On a fine lattice, rows end next to its points: the leaf of one is cut until it is alone. */
static void check_descent(int set)
{
  static problem p;
  ctest_memory pool = {0};
  ctest_pool = &pool;
  dpd_regression_space *m;
  int j = 0, low = 0, out = 0, cuts = 0;
  fill_set(&p, set);
  if (p.kind != DYADIC || !p.sharp) return;
  const double z[3] = {pick(5) - 2, pick(5) - 2, pick(5) - 2};
  CHECK(dpd_regression_space_open(&m, &p.spec, ctest_alloc) == DPD_OK);
  const int score = dpd_regression_space_score(m, z);
  for (; cuts < DESCENT && j >= 0 && !dpd_space_node_at(m, j)->scored; cuts++) {
    low += score > dpd_rejection_at(m->tree, j)->bound;
    low += dpd_leaf_prior_log(&m->prior, z) > dpd_rejection_at(m->tree, j)->log_prior + 1e-9;
    out += !in_box(&dpd_space_node_at(m, j)->frame, z);
    dpd_rejection_split(m->tree, j);
    j = leaf_of(m, z);
  }
  CHECK(low == 0 && out == 0);
  CHECK(cuts < DESCENT && j >= 0 && dpd_rejection_at(m->tree, j)->bound == score);
  ctest_free(&pool);
}

/* Draws of small sets, each of a tree that is begun anew after some. */
static bool law_is_right(int set)
{
  static problem p;
  static double weight[CELLS];
  static long count[CELLS];
  double theta[3];
  fill_set(&p, set);
  /* a dyadic support has no end: see check_shells() */
  if (p.kind == DYADIC || p.sharp) return true;
  memset(count, 0, sizeof count);
  const int draws = ctest_some(DRAWS) / AGAIN * AGAIN;
  for (int d = 0; d < draws;) {
    ctest_memory pool = {0};
    ctest_pool = &pool;
    dpd_regression_space *m;
    CHECK(dpd_regression_space_open(&m, &p.spec, ctest_alloc) == DPD_OK);
    if (set % 4 == 3) m->tree->max_nodes = FULL; /* a full tree goes on */
    for (int t = 0; t < AGAIN; t++, d++) {
      dpd_status status;
      while ((status = dpd_regression_space_draw(m, &source, theta)) == DPD_AGAIN)
        ;
      CHECK(status == DPD_OK);
      count[cell_of(&m->prior.lattice, theta)]++;
    }
    if (d >= draws) weigh_cells(&p, &m->prior, weight);
    ctest_free(&pool);
  }
  return law_holds(count, weight, CELLS, draws);
}

/* Makes all rows pass through z; how many are decided over the hull and the box in spite of it? */
static int decided_through(dpd_regression_space *m, const double *z, const dpd_hull *h,
                           const dpd_lattice_frame *f)
{
  int64_t sum[2];
  int decided = 0;
  for (int i = 0; i < m->rows; i++) {
    dpd_whole_row *r = &m->row[i].whole;
    r->top = dpd_whole_value(r, z);
    r->gap = 0;
    m->all.top[i] = (double)r->top + m->all.room_of[i];
    m->all.bottom[i] = (double)r->top - m->all.room_of[i];
  }
  dpd_hull_prove(&m->proofs, h);
  dpd_space_terms_over(m, &m->all, &m->proofs, f, sum);
  for (int i = 0; i < m->rows; i++) {
    const dpd_whole_sides at = dpd_whole_sides_at(&m->row[i].whole, z);
    const int count = m->row[i].count;
    CHECK(at.above && at.below);
    decided += m->term[i] == dpd_space_term(m, count, false, true) ||
               m->term[i] == dpd_space_term(m, count, true, false);
  }
  return decided;
}

/* Rows through a corner of an oblique box that reaches far beyond the support, in numbers that
 * doubles round. */
static void check_far(void)
{
  static problem p;
  static dpd_hull h;
  const double hi[3] = {0x1p44, 0x1p44, 0x1p44}, lo[3] = {-0x1p44, -0x1p44, -0x1p44};
  int wrong = 0;
  dpd_hull_set_box(&h, lo, hi);
  for (int set = 0; set < 200; set++) {
    ctest_memory pool = {0};
    ctest_pool = &pool;
    dpd_regression_space *m;
    dpd_lattice_frame f;
    double w[3], z[3];
    fill_set(&p, set);
    CHECK(dpd_regression_space_open(&m, &p.spec, ctest_alloc) == DPD_OK);
    dpd_lattice_frame_set_box(&f, lo, hi);
    for (int turn = 0; turn < 6; turn++)
      for (int k = 0; k < 3; k++)
        f.v[turn % 3][k] += (pick(65) - 32) * f.v[(turn + 1) % 3][k];
    for (int j = 0; j < 3; j++) {
      f.o[j] = pick(1000);
      f.hi[j] = pick(1 << 12);
      f.lo[j] = -pick(1 << 12);
      w[j] = pick(2) ? f.lo[j] : f.hi[j];
    }
    dpd_lattice_frame_point(&f, w, z);
    for (int i = 0; i < m->rows; i++) {
      double size = 1;
      for (int j = 0; j < 3; j++) {
        m->row[i].whole.a[j] = ((int64_t)pick(1 << 20) << 21) + pick(1 << 21) - ((int64_t)1 << 40);
        m->all.a[j][i] = (double)m->row[i].whole.a[j];
        size += fabs(m->all.a[j][i]);
      }
      m->all.room_of[i] = size * m->reach * 0x1p-48;
    }
    wrong += decided_through(m, z, &h, &f);
    ctest_free(&pool);
  }
  CHECK(wrong == 0);
}

/* A hull of which a corner is forgotten, as rounding might: rows through it stay undecided. */
static void check_forgotten(void)
{
  static problem p;
  static dpd_hull h;
  ctest_memory pool = {0};
  ctest_pool = &pool;
  dpd_regression_space *m;
  int wrong = 0;
  for (int set = 0; set < 40; set++) {
    fill_set(&p, set);
    CHECK(dpd_regression_space_open(&m, &p.spec, ctest_alloc) == DPD_OK);
    const dpd_lattice *l = &m->prior.lattice;
    for (int gone = 0; gone < 8; gone++) {
      dpd_lattice_frame f;
      dpd_hull_set_box(&h, l->lo, l->hi);
      for (int k = 0; k < 8; k++)
        for (int j = 0; j < 3; j++)
          h.x[j][k] = k == gone ? h.x[j][k ^ 7] : h.x[j][k];
      memcpy(h.f[gone], h.f[gone ^ 7], sizeof h.f[gone]);
      memcpy(h.next[gone], h.next[gone ^ 7], sizeof h.next[gone]);
      dpd_lattice_frame_set_box(&f, l->lo, l->hi);
      for (int j = 0; j < 3; j++) { /* too wide to decide anything */
        f.lo[j] *= 1000;
        f.hi[j] *= 1000;
      }
      const double z[3] = {gone & 1 ? l->hi[0] : l->lo[0], gone & 2 ? l->hi[1] : l->lo[1],
                           gone & 4 ? l->hi[2] : l->lo[2]};
      wrong += decided_through(m, z, &h, &f);
    }
    ctest_free(&pool);
  }
  CHECK(wrong == 0);
}

/* Without rows that say anything the draws are the dyadic prior's: equal shells. */
static void check_shells(void)
{
  static problem p;
  enum { SHELLS = DPD_REGRESSION_SHELLS + 1 };
  static long shells[3][SHELLS];
  static double weight[SHELLS];
  double theta[3];
  const int draws = ctest_some(2000);
  ctest_memory pool = {0};
  ctest_pool = &pool;
  dpd_regression_space *m;
  fill_set(&p, 0);
  for (int j = 0; j < 3; j++) {
    p.a[j] = 0;
    p.b[j] = 1;
  }
  p.spec.prior = (dpd_prior){.d = 3, .a = p.a, .b = p.b, .dyadic = true};
  CHECK(dpd_rate_from_double(1e-6, &p.spec.eps) == DPD_OK);
  CHECK(dpd_regression_space_open(&m, &p.spec, ctest_alloc) == DPD_OK);
  for (int d = 0; d < draws; d++) {
    while (dpd_regression_space_draw(m, &source, theta) == DPD_AGAIN)
      ;
    for (int j = 0; j < 3; j++) {
      int shell;
      (void)frexp(theta[j], &shell);
      shells[j][shell]++;
    }
  }
  for (int i = 0; i < SHELLS; i++)
    weight[i] = 1;
  for (int j = 0; j < 3; j++)
    CHECK(law_holds(shells[j], weight, SHELLS, draws));
  ctest_free(&pool);
}

int main(void)
{
  const int sets = getenv("DPDEPTH_SLOW") != NULL ? 40 * SETS : ctest_some(SETS);
  start(11);
  for (int set = 0; set < sets; set++)
    check_leaves(set);
  for (int set = 0; set < 20 * sets; set++)
    check_descent(set);
  int right = 0, laws = ctest_some(LAWS);
  for (int set = 0; set < laws; set++)
    right += law_is_right(set);
  CHECK(right == laws);
  check_shells();
  check_forgotten();
  check_far();
  return ctest_report("regression_space");
}
