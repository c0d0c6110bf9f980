/* rank_fill.c - fills a window of ranks with the order statistics of projections.
 *
 * METHOD: the kept ranks and their mirror images are one band of ranks, or two. Of many rows,
 *   some are projected first: two order statistics of these bracket a band except with small
 *   probability. One pass over the rows then keeps what is in the brackets of several directions
 *   (num/project_tile.c), and only that is sorted. A direction whose bracket misses, or holds
 *   more than there is room for, is projected by itself, and its bands are selected, as are those
 *   of few rows or of broad bands.
 * COST: O(n d) per direction, besides sorting what is kept. Memory: n doubles per thread; of many
 *   rows n / 4 more, and 12 sqrt(n) rows.
 * DEGENERATE: many ties make brackets that hold too much. Both ways give the same
 *   order statistics, as each projection has the same bits.
 * REFERENCE: Floyd and Rivest (1975), Expected time bounds for selection.
 */
#include "num/rank_fill.h"

#include <math.h>
#include <string.h>

#include "num/project_block.h"
#include "num/project_tile.h"
#include "num/select.h"
#include "num/sort.h"

#ifdef _OPENMP
#include <omp.h>
#endif

/* So many rows that projections of a sample along SOME directions fit where theirs go. */
enum { MANY_ROWS = 5000, SOME = 4, RADIX_FROM = 4096 };
/* Standard deviations of a sample's rank between a band and its bracket. */
static const double BRACKET = 3;

/* Rows of the sample: whole blocks. */
static size_t sample_size(size_t n)
{
  return dpd_padded((size_t)(12 * sqrt((double)n)));
}

/* Numbers kept of all bands together, and room for sorting one: more than a direction has. */
static size_t room_of_bands(size_t n)
{
  return n + n / 4;
}

static bool by_tiles(const dpd_projected *p)
{
  return p->tally == NULL && p->n >= MANY_ROWS && dpd_tiled_fits(p->d);
}

size_t dpd_rank_window_work(const dpd_projected *p)
{
  size_t size = (size_t)dpd_tally_size(p->tally, p->n);
  if (p->along != NULL) return 1;
  /* numbers with counts, and half as many to sort them */
  if (p->tally != NULL) return (size + size / 2 + 1) * sizeof(dpd_counted) / sizeof(double);
  return by_tiles(p) ? room_of_bands(size) + sample_size(size) * (size_t)p->d : size;
}

/* The order statistics of projections that are known. */
static void fill_known(const dpd_rank_window *w, int first, int end)
{
  size_t room = (size_t)w->from->room;
  for (int u = first; u < end; u++) {
    const dpd_runs *r = w->from->along + u;
    double *at = w->value + u;
    for (int k = 0; k < w->ranks; k++, at += room) {
      int t = w->low + k * w->stride;
      *at = dpd_runs_row(r, t);
      at[(size_t)w->ranks * room] = dpd_runs_row(r, w->from->n + 1 - t);
    }
  }
}

/* The order statistics of a tally's projections: all entries are sorted. */
static void fill_counted(const dpd_rank_window *w, int u, dpd_counted *y)
{
  const dpd_projected *p = w->from;
  const double *dir = p->dirs + (size_t)u * (size_t)p->d, *row = p->rows;
  int size = p->tally->size;
  double *at = w->value + u;
  for (int i = 0; i < size; i++, row += p->d)
    y[i] = (dpd_counted){dpd_project(dir, row, p->d), p->tally->count[i]};
  dpd_counted_sort(y, y + size, size);
  dpd_ranks ranks = {w->low, w->stride, w->ranks};
  dpd_counted_ranks(y, ranks, at, p->room);
  /* the mirrored ones fall: from the last of them */
  ranks.first = p->n + 1 - w->high;
  dpd_counted_ranks(y, ranks, at + (2 * (size_t)w->ranks - 1) * (size_t)p->room, -p->room);
}

/* Ranks from 0 that are wanted, in order: those low..high and their mirror images, which may
 * overlap and are then one band. */
typedef struct {
  int count;
  size_t first[2], last[2];
} bands;

static bands find_bands(const dpd_rank_window *w)
{
  size_t n = (size_t)w->from->n, low = (size_t)w->low, high = (size_t)w->high;
  if (2 * high < n) return (bands){2, {low - 1, n - high}, {high - 1, n - low}};
  size_t first = low < n + 1 - high ? low : n + 1 - high;
  size_t last = high > n + 1 - low ? high : n + 1 - low;
  return (bands){1, {first - 1, 0}, {last - 1, 0}};
}

/* The bands of a direction, sorted, from their first ranks on. */
typedef struct {
  const double *band[2];
} sorted_bands;

/* Writes the kept ranks of directions u..u + count - 1. */
static void write_ranks(const dpd_rank_window *w, int u, const bands *b, const sorted_bands *sorted,
                        int count)
{
  size_t n = (size_t)w->from->n, room = (size_t)w->from->room, mirror = (size_t)b->count - 1;
  size_t low = (size_t)w->low, high = (size_t)w->high, stride = (size_t)w->stride;
  double *at = w->value + u;
  for (size_t t = low; t <= high; t += stride, at += room)
    for (int v = 0; v < count; v++)
      at[v] = sorted[v].band[0][t - 1 - b->first[0]];
  for (size_t t = low; t <= high; t += stride, at += room)
    for (int v = 0; v < count; v++)
      at[v] = sorted[v].band[mirror][n - t - b->first[mirror]];
}

/* One direction by itself. */
static void fill_rows(const dpd_rank_window *w, int u, const bands *b, double *y)
{
  const dpd_projected *p = w->from;
  size_t n = (size_t)p->n;
  const double *dir = p->dirs + (size_t)u * (size_t)p->d, *row = p->rows;
  for (size_t i = 0; i < n; i++, row += p->d)
    y[i] = dpd_project(dir, row, p->d);
  dpd_select_range(y, n, b->first[0], b->last[0]);
  if (b->count == 2) {
    size_t from = b->last[0] + 1;
    dpd_select_range(y + from, n - from, b->first[1] - from, b->last[1] - from);
  }
  write_ranks(w, u, b, &(sorted_bands){{y + b->first[0], y + b->first[1]}}, 1);
}

/* The places in a sorted sample of two numbers that bracket a band, -1 and size where none does.
 * Returns the share of all rows between them. */
static double bracket(const dpd_projected *p, const bands *b, int k, ptrdiff_t place[2])
{
  double size = (double)sample_size((size_t)p->n), end[2];
  const size_t rank[2] = {b->first[k], b->last[k]};
  for (int e = 0; e < 2; e++) {
    double q = ((double)rank[e] + 0.5) / p->n, far = BRACKET * sqrt(q * (1 - q) * size) + 1;
    end[e] = e == 0 ? fmax(floor(q * size - far), -1) : fmin(ceil(q * size + far), size);
    place[e] = (ptrdiff_t)end[e];
  }
  return (end[1] - end[0] + 2) / size;
}

/* What directions that are looked at together share. */
typedef struct {
  const dpd_rank_window *w;
  bands b;
  ptrdiff_t place[2][2]; /* of each band's ends in the sample */
  int together;          /* directions; 0: by themselves */
  size_t room;           /* numbers for a band; the last such room is for sorting */
} filling;

static void start_filling(filling *f, const dpd_rank_window *w)
{
  const dpd_projected *p = w->from;
  *f = (filling){.w = w, .b = find_bands(w)};
  if (!by_tiles(p)) return;
  double n = p->n, spare = (double)dpd_tiled_spare(p->d), share = 0;
  for (int k = 0; k < f->b.count; k++)
    share = fmax(share, bracket(p, &f->b, k, f->place[k]));
  double need = 1.1 * share * n + 2 * spare;
  size_t room = room_of_bands((size_t)p->n);
  f->together = (int)fmin(DPD_TILE_DIRECTIONS, ((double)room / need - 1) / f->b.count);
  f->room = room / (size_t)(f->together * f->b.count + 1);
}

/* Every so many-th row, packed. */
static void pack_sample(const dpd_projected *p, double *packed)
{
  size_t size = sample_size((size_t)p->n), d = (size_t)p->d, by = (size_t)p->n / size;
  for (size_t i = 0; i < size; i += DPD_BLOCK_ROWS)
    for (size_t j = 0; j < d; j++)
      for (size_t r = 0; r < DPD_BLOCK_ROWS; r++)
        *packed++ = p->rows[(i + r) * by * d + j];
}

/* The number at that place of the sample in order, which is moved about. */
static double sample_rank(double *y, ptrdiff_t size, ptrdiff_t place)
{
  if (place < 0) return -INFINITY;
  if (place >= size) return INFINITY;
  dpd_select_range(y, (size_t)size, (size_t)place, (size_t)place);
  return y[place];
}

/* Sorts what was kept of a band; false: not all of the band is there. */
static bool sort_band(const filling *f, int k, const dpd_tiled_band *band, double *room)
{
  size_t first = f->b.first[k], last = f->b.last[k];
  if (band->lost || first < band->below || last >= band->below + band->kept) return false;
  if (band->kept >= RADIX_FROM)
    dpd_sort_doubles(band->out, band->kept, room);
  else
    dpd_select_range(band->out, band->kept, first - band->below, last - band->below);
  return true;
}

/* Where the bands of directions dirs begin and end, and where to keep them. */
static void set_bands(const filling *f, const double *dirs, int count, double *work,
                      dpd_tiled_band *band)
{
  const dpd_projected *p = f->w->from;
  size_t size = sample_size((size_t)p->n);
  double *packed = work + room_of_bands((size_t)p->n);
  int each = f->b.count;
  pack_sample(p, packed);
  for (int u = 0; u < count; u += SOME) {
    int some = count - u < SOME ? count - u : SOME;
    dpd_project_block(packed, size, p->d, dirs + (size_t)u * (size_t)p->d, some, work);
    for (int k = 0; k < some * each; k++) {
      const ptrdiff_t *place = f->place[k % each];
      double *y = work + (size_t)(k / each) * size;
      dpd_tiled_band *to = band + u * each + k;
      to->lo = sample_rank(y, (ptrdiff_t)size, place[0]);
      to->hi = sample_rank(y, (ptrdiff_t)size, place[1]);
      to->out = work + (size_t)(u * each + k) * f->room;
      to->room = f->room;
    }
  }
}

/* Directions u..u + count - 1 together. */
static void fill_together(const filling *f, int u, int count, double *work)
{
  const dpd_projected *p = f->w->from;
  const double *dirs = p->dirs + (size_t)u * (size_t)p->d;
  double *sorting = work + room_of_bands((size_t)p->n) - f->room;
  dpd_tiled_band band[2 * DPD_TILE_DIRECTIONS];
  sorted_bands sorted[DPD_TILE_DIRECTIONS];
  bool missed[DPD_TILE_DIRECTIONS];
  int each = f->b.count;
  set_bands(f, dirs, count, work, band);
  dpd_tiled_keep(&(dpd_tiled){p->rows, (size_t)p->n, p->d}, dirs, count, band, each);
  for (int v = 0; v < count; v++) {
    missed[v] = false;
    for (int k = 0; k < each; k++) {
      const dpd_tiled_band *at = band + v * each + k;
      bool sound = sort_band(f, k, at, sorting);
      sorted[v].band[k] = sound ? at->out + (f->b.first[k] - at->below) : work;
      missed[v] = missed[v] || !sound;
    }
  }
  for (int v = 0, from = 0; v <= count; v++) { /* those between two that are missed */
    if (v < count && !missed[v]) continue;
    write_ranks(f->w, u + from, &f->b, sorted + from, v - from);
    from = v + 1;
  }
  for (int v = 0; v < count; v++) /* these take all of the memory */
    if (missed[v]) fill_rows(f->w, u + v, &f->b, work);
}

/* Directions together, `most` at most, so that all threads have as many. */
static int share_out(int count, int most, int threads)
{
  if (count < 1) return 1;
  int groups = (count + most - 1) / most;
  groups = (groups + threads - 1) / threads * threads;
  return (count + groups - 1) / groups;
}

void dpd_rank_window_fill(dpd_rank_window *w, int first, int end, int threads, double *work)
{
  size_t each = dpd_rank_window_work(w->from);
  filling f;
  if (w->from->along != NULL) {
    fill_known(w, first, end);
    return;
  }
  start_filling(&f, w);
  int by = f.together > 0 ? share_out(end - first, f.together, threads) : 1;
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(static)
#endif
  for (int u = first; u < end; u += by) {
    double *y = work;
#ifdef _OPENMP
    y += (size_t)omp_get_thread_num() * each;
#endif
    if (w->from->tally != NULL)
      fill_counted(w, u, (dpd_counted *)(void *)y);
    else if (f.together > 0)
      fill_together(&f, u, end - u < by ? end - u : by, y);
    else
      fill_rows(w, u, &f.b, y);
  }
  (void)each;
}
