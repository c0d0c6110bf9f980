/* list.h - lists that grow: the only memory that the pure files request from the system.
 *
 * What can be sized beforehand is the caller's scratch (num/scratch.h) or comes from a dpd_alloc.
 */
#ifndef NUM_LIST_H
#define NUM_LIST_H

#include "dpd.h"

/* `count` items of one size in memory for `room` of them. All zero, it is empty and owns nothing.
 * Once it could not grow it has `failed`, and keeps the items that it holds: who cannot return a
 * status asks for dpd_list_status() in the end. */
typedef struct {
  void *item;
  size_t count, room;
  bool failed;
} dpd_list;

/* Room for `count` items of `size` bytes in all; items stay, but may move. A list that has items
 * grows to twice its room or more. Fails: DPD_ERR_MEMORY, also for more bytes than can be. */
dpd_status dpd_list_reserve(dpd_list *l, size_t count, size_t size);

/* One more item, for the caller to set; NULL if the list failed. */
static inline void *dpd_list_add(dpd_list *l, size_t size)
{
  if (l->count == l->room && dpd_list_reserve(l, l->count + 1, size) != DPD_OK) return NULL;
  return (unsigned char *)l->item + size * l->count++;
}

static inline dpd_status dpd_list_status(const dpd_list *l)
{
  return l->failed ? DPD_ERR_MEMORY : DPD_OK;
}

/* Frees the memory, also after a failure, and of a list that is closed. The list is empty then. */
void dpd_list_close(dpd_list *l);

#endif
