/* project_tile.h - passes over the projections of rows on a few directions, without keeping them.
 */
#ifndef NUM_PROJECT_TILE_H
#define NUM_PROJECT_TILE_H

#include "dpd.h"

enum { DPD_TILE_DIRECTIONS = 16 }; /* looked at together, at most */

/* n rows of d numbers, a row after the other. */
typedef struct {
  const double *rows;
  size_t n;
  int d;
} dpd_tiled;

/* Are there few enough columns? Requires it of the functions below. Their projections have the bits
 * of sums over the columns in their order. */
bool dpd_tiled_fits(int d);

/* Projections <= at, and >= at. */
typedef struct {
  double at;
  size_t below, above;
} dpd_tiled_sides;

/* For each of `count` directions, one after the other in `dirs`. */
void dpd_tiled_count(const dpd_tiled *x, const double *dirs, int count, dpd_tiled_sides *sides);

/* The projections in lo..hi, in the order of the rows, and how many are below lo. */
typedef struct {
  double lo, hi, *out;
  size_t room, kept, below;
  bool lost; /* there were more than room for them; the rest was not looked at */
} dpd_tiled_band;

/* `bands` bands for each of `count` directions, those of a direction one after the other. */
void dpd_tiled_keep(const dpd_tiled *x, const double *dirs, int count, dpd_tiled_band *band,
                    int bands);

/* Room that a band needs beside what it is to keep. */
size_t dpd_tiled_spare(int d);

#endif
