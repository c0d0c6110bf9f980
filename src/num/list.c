/* list.c - lists that grow: the only memory that the pure files request from the system.
 *
 * METHOD: an array that is at least doubled when it is full. Sizes in bytes are checked before they
 *   are multiplied, and a list that failed once does not try again: an item would be missing.
 * COST: O(1) per item, amortised.
 * DEGENERATE: an empty list owns no memory.
 */
#include "num/list.h"

#include <stdlib.h>

enum { MIN_ROOM = 16 }; /* items */

dpd_status dpd_list_reserve(dpd_list *l, size_t count, size_t size)
{
  if (l->failed) return DPD_ERR_MEMORY;
  if (count <= l->room) return DPD_OK;
  size_t most = SIZE_MAX / size, room = l->room > most / 2 ? most : 2 * l->room;
  if (room < count) room = count;
  if (room < MIN_ROOM) room = MIN_ROOM;
  void *more = room <= most ? realloc(l->item, room * size) : NULL;
  l->failed = more == NULL;
  if (l->failed) return DPD_ERR_MEMORY;
  l->item = more;
  l->room = room;
  return DPD_OK;
}

void dpd_list_close(dpd_list *l)
{
  free(l->item);
  *l = (dpd_list){NULL, 0, 0, false};
}
