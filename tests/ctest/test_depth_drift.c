/* test_depth_drift.c - chains over depths, step by step: each kind of step leaves the mechanism's
 * law on a small lattice as it is; adaptation ends in the middle of a chain; published steps.
 *
 * A chain of one step starts where the source puts it, which is at a draw from that law, and its
 * kind is what the source says. Each chi-square test has an error rate of 1e-6. */
#include "ctest.h"
#include "ctest_law.h"
#include "ctest_memory.h"

#include "mech/depth_chain.h"
#include "samp/bernoulli.h"

enum { ROWS = 9, FAR = 15, SIDE = 2 * FAR + 1, CELLS = SIDE * SIDE, DIRS = 4 };

static const double rows[2 * ROWS] = {-2, -1, -1, 0, 0, 0, 1, 2, 2, 0, 1, -2, 0, 0, 1, 2, -1, 1};
static const double dirs[2 * DIRS] = {1, 0, 0.6, 0.8, 0, 1, 0.8, -0.6};
static const double unit[2] = {1, 1};

/* Words that come first, and then the stream's. */
typedef struct {
  uint64_t word[8];
  int count, at;
} script;

static dpd_status script_fill(void *state, unsigned char *out, size_t len)
{
  script *s = state;
  if (s->at == s->count) return stream_fill(&stream, out, len);
  memcpy(out, &s->word[s->at++], len);
  return DPD_OK;
}

static void open_script(dpd_rng *rng, script *s)
{
  s->at = 0;
  dpd_rng_open(rng, script_fill, s, sizeof *s->word);
}

static void add_unit(script *s, double u)
{
  s->word[s->count++] = (uint64_t)(u * 0x1p53) << 11;
}

/* dpd_rng_normals() gives v first. */
static void add_normal(script *s, double v)
{
  add_unit(s, (1 + copysign(exp(-v * v / 4), v)) / 2);
  add_unit(s, 0.5);
}

typedef struct {
  dpd_score_kind kind;
  bool normal;
  double eps, smooth;
  const double *step;
  double a[2], b[2]; /* the prior's */
} setting;

static dpd_depth_median_spec spec_of(const setting *s)
{
  bool along = s->kind == DPD_SCORE_IDD || s->kind == DPD_SCORE_IDD_SMOOTH;
  dpd_depth_median_spec spec = {.kind = s->kind,
                                .n = ROWS,
                                .d = 2,
                                .data = rows,
                                .prior = {s->normal, 2, s->a, s->b, s->step, false},
                                .count = along ? DIRS : 0,
                                .dirs = dirs,
                                .smooth = s->smooth};
  CHECK(dpd_rate_from_double(s->eps, &spec.eps) == DPD_OK);
  return spec;
}

/* The law on -FAR..FAR in both coordinates. */
static void set_law(const setting *s, double *weight)
{
  dpd_depth_median *m;
  dpd_depth_median_spec spec = spec_of(s);
  spec.chain = true;
  CHECK(dpd_depth_median_open(&m, &spec, ctest_alloc) == DPD_OK);
  for (int c = 0; c < CELLS; c++) {
    double z[2] = {c % SIDE - FAR, c / SIDE - FAR}, log_prior = 0; /* the origin is 0 */
    int parts;
    bool inside = true;
    for (int j = 0; j < 2; j++) {
      if (s->normal)
        log_prior -= (z[j] - s->a[j]) * (z[j] - s->a[j]) / (s->b[j] * s->b[j]) / 2;
      else
        inside = inside && z[j] >= s->a[j] && z[j] <= s->b[j];
    }
    weight[c] =
        inside ? exp(log_prior + s->eps * dpd_depth_median_score(m, z, &parts) / 2 / parts) : 0;
  }
}

/* A cell from the law, of which `up_to` has the sums. */
static int draw_cell(const double *up_to)
{
  double u;
  int lo = 0, hi = CELLS - 1;
  (void)dpd_rng_unit(&source, &u);
  u *= up_to[CELLS - 1];
  while (lo < hi) {
    int mid = (lo + hi) / 2;
    if (u < up_to[mid])
      hi = mid;
    else
      lo = mid + 1;
  }
  return lo;
}

/* The words with which a chain starts in that cell, and those that choose its step. */
static script script_of(const setting *s, int cell, const uint16_t *choice, int choices)
{
  script out = {.count = 0};
  uint16_t half[4];
  uint64_t word;
  for (int j = 0; j < 2; j++) {
    double u;
    (void)dpd_rng_unit(&source, &u);
    double w = (j == 0 ? cell % SIDE : cell / SIDE) - FAR + 0.999 * (u - 0.5);
    if (s->normal)
      add_normal(&out, (w - s->a[j]) / s->b[j]);
    else
      add_unit(&out, (w - s->a[j] + 0.5) / (s->b[j] - s->a[j] + 1));
  }
  (void)dpd_rng_u64(&source, &word);
  memcpy(half, &word, sizeof word);
  memcpy(half, choice, (size_t)choices * sizeof *half);
  memcpy(&out.word[out.count++], half, sizeof word);
  return out;
}

typedef struct {
  uint16_t choice[3];
  int choices;
  bool moves[2]; /* which coordinates it changes */
} step_kind;

/* One step from the law gives the law. */
static void check_kind(setting s, step_kind k)
{
  static double weight[CELLS], up_to[CELLS];
  long count[CELLS] = {0}, moved[2] = {0, 0};
  ctest_memory memory = {NULL, 0};
  ctest_pool = &memory;
  dpd_depth_median_spec spec = spec_of(&s);
  dpd_depth_chain *chain;
  dpd_depth_run run = {1, 1, false, NULL};
  const int draws = ctest_some(20000);
  set_law(&s, weight);
  for (int c = 0; c < CELLS; c++)
    up_to[c] = weight[c] + (c > 0 ? up_to[c - 1] : 0);
  CHECK(dpd_depth_chain_open(&chain, &spec, ctest_alloc) == DPD_OK);
  for (int i = 0; i < draws; i++) {
    dpd_rng rng;
    double x[2];
    int from = draw_cell(up_to);
    script words = script_of(&s, from, k.choice, k.choices);
    open_script(&rng, &words);
    CHECK(dpd_depth_chain_draw(chain, &rng, &run, x) == DPD_OK);
    int to[2] = {(int)x[0] + FAR, (int)x[1] + FAR};
    CHECK(to[0] >= 0 && to[0] < SIDE && to[1] >= 0 && to[1] < SIDE);
    count[to[0] + SIDE * to[1]]++;
    moved[0] += to[0] != from % SIDE;
    moved[1] += to[1] != from / SIDE;
  }
  CHECK(law_holds(count, weight, CELLS, draws));
  for (int j = 0; j < 2; j++)
    CHECK(k.moves[j] ? moved[j] > draws / 50 : moved[j] == 0);
  ctest_free(&memory);
}

static const setting uniform = {
    .kind = DPD_SCORE_SPATIAL, .eps = 3, .step = unit, .a = {-3, -2}, .b = {2, 2}};
static const setting normal = {.kind = DPD_SCORE_IDD,
                               .normal = true,
                               .eps = 4,
                               .step = unit,
                               .a = {0.3, 0.5},
                               .b = {0.5, 2.5}};

/* Chains start within the limits of the lattice, not half a step beyond: lines see the difference,
 * and are looked at under a normal prior. Their ends: test_depth_chain.c. */
static void check_kinds(void)
{
  static const step_kind jumps[] = {
      {{0, 0}, 2, {true, false}}, /* a coordinate anew */
      {{1, 1}, 2, {false, true}},
      {{0, 2}, 2, {true, true}}, /* both */
  };
  static const step_kind lines[] = {
      {{2}, 1, {true, true}},    /* along a ray */
      {{5, 0}, 2, {true, true}}, /* along a line in a random direction */
      {{6}, 1, {true, true}},    /* along one through two rows */
  };
  setting spatial = normal;
  static const step_kind sums_along[] = {
      {{0, 0, 0}, 3, {true, false}}, {{0, 4, 1}, 3, {false, true}}, {{0, 2, 3}, 3, {true, true}},
      {{0, 5}, 2, {true, true}},     {{0, 7, 0}, 3, {true, true}},  {{0, 6}, 2, {true, true}},
      {{9}, 1, {true, true}}, /* Langevin */
  };
  spatial.kind = DPD_SCORE_SPATIAL;
  for (size_t i = 0; i < sizeof jumps / sizeof *jumps; i++)
    check_kind(uniform, jumps[i]);
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
    check_kind(spatial, lines[i]);
  for (size_t i = 0; i < sizeof sums_along / sizeof *sums_along; i++)
    check_kind(normal, sums_along[i]);
}

/* -- adaptation -------------------------------------------------------------------------------- */

enum { SHORT = 40, LONG = 80 };

static void run_chain(dpd_depth_chain *chain, int steps, double *trace)
{
  double x[2];
  dpd_depth_run run = {1, steps, false, trace};
  start(8);
  CHECK(dpd_depth_chain_draw(chain, &source, &run, x) == DPD_OK);
}

/* Chains of two lengths from the same words: one way as long as both are adapted, and then two,
 * since the shorter one's size is fixed. A chain does not begin with the size of the last one. */
static void check_adaptation(void)
{
  setting s = normal;
  double brief[2 * SHORT], lengthy[2 * LONG], again[2 * SHORT];
  ctest_memory memory = {NULL, 0};
  ctest_pool = &memory;
  s.step = NULL;
  dpd_depth_median_spec spec = spec_of(&s);
  dpd_depth_chain *chain;
  CHECK(dpd_depth_chain_open(&chain, &spec, ctest_alloc) == DPD_OK);
  run_chain(chain, SHORT, brief);
  run_chain(chain, LONG, lengthy);
  run_chain(chain, SHORT, again);
  CHECK(memcmp(brief, lengthy, (SHORT / 2 + 1) * sizeof *brief) == 0);
  CHECK(memcmp(brief, lengthy, SHORT * sizeof *brief) != 0);
  CHECK(memcmp(brief, again, sizeof brief) == 0);
  ctest_free(&memory);
}

/* -- published steps -------------------------------------------------------------------------- */

enum { MOVES = 3 };

/* States after steps with these normals, from the middle of the prior. */
static void plain_steps(const setting *s, const double noise[MOVES], double *at)
{
  double x[2];
  ctest_memory memory = {NULL, 0};
  ctest_pool = &memory;
  dpd_depth_median_spec spec = spec_of(s);
  dpd_depth_chain *chain;
  dpd_depth_run run = {1, MOVES, true, at};
  script words = {.count = 0};
  dpd_rng rng;
  for (int k = 0; k < MOVES; k++) {
    /* the polar method's pair: noise in both coordinates */
    double r = exp(-noise[k] * noise[k]), a = copysign(sqrt(r / 2), noise[k]);
    add_unit(&words, (1 + a) / 2);
    add_unit(&words, (1 + a) / 2);
  }
  CHECK(dpd_depth_chain_open(&chain, &spec, ctest_alloc) == DPD_OK);
  open_script(&rng, &words);
  CHECK(dpd_depth_chain_draw(chain, &rng, &run, x) == DPD_OK);
  CHECK(x[0] == at[MOVES - 1] && x[1] == at[2 * MOVES - 1]);
  ctest_free(&memory);
}

/* w + h/2 S^2 gradient + sqrt(h) S normals: h = 0.1 where the score counts for nothing. */
static void check_plain(void)
{
  static const double noise[MOVES] = {1.5, 1e-7, -0.7};
  static const double kick[MOVES] = {6, -3, 1e-7};
  setting s = {DPD_SCORE_IDD_SMOOTH, true, 1e-6, 1, NULL, {0.3, 0.5}, {0.7, 1.6}};
  setting steep = {DPD_SCORE_IDD_SMOOTH, true, 50, 0.2, NULL, {0.8, 2}, {40, 10}};
  setting limits = {DPD_SCORE_IDD_SMOOTH, false, 1e-6, 1, NULL, {-3, -2}, {2, 4}};
  double at[2 * MOVES];
  plain_steps(&s, noise, at);
  for (int j = 0; j < 2; j++) {
    double w = s.a[j];
    for (int k = 0; k < MOVES; k++) {
      w += 0.05 * (s.a[j] - w) + sqrt(0.1) * s.b[j] * noise[k];
      CHECK(fabs(at[k + j * MOVES] - w) < 1e-4);
    }
  }
  /* kept within the limits, where the next step begins */
  plain_steps(&limits, kick, at);
  for (int j = 0; j < 2; j++) {
    double wide = limits.b[j] - limits.a[j];
    CHECK(fabs(at[j * MOVES] - limits.b[j]) < 1e-4);
    CHECK(fabs(at[1 + j * MOVES] - (limits.b[j] - 3 * sqrt(0.1 / 12) * wide)) < 1e-4);
  }
  /* the score draws to the rows' middle, about 0, and not away from it */
  plain_steps(&steep, (double[MOVES]){1e-7, 1e-7, 1e-7}, at);
  for (int j = 0; j < 2; j++)
    CHECK(fabs(at[MOVES - 1 + j * MOVES]) < fabs(at[j * MOVES]) && at[j * MOVES] < steep.a[j]);
}

int main(void)
{
  check_plain();
  check_adaptation();
  start(5);
  check_kinds();
  return ctest_report("depth_drift");
}
