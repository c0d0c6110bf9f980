/* test_list.c - lists that grow: items stay, sizes do not wrap, and a failure stays one. */
#include "num/list.h"

#include <string.h>

#include "ctest.h"

static void items_stay(void)
{
  dpd_list l = {NULL, 0, 0, false};
  size_t moves = 0;
  const void *at = NULL;
  for (int i = 0; i < 1000; i++) {
    int *item = dpd_list_add(&l, sizeof *item);
    CHECK(item != NULL);
    if (item == NULL) return;
    *item = i;
    moves += l.item != at;
    at = l.item;
  }
  const int *item = l.item;
  for (int i = 0; i < 1000; i++)
    CHECK(item[i] == i);
  CHECK(l.count == 1000 && l.room >= 1000 && moves < 12); /* at least twice the room each time */
  CHECK(dpd_list_reserve(&l, 10, sizeof *item) == DPD_OK && l.item == at);
  CHECK(dpd_list_reserve(&l, 5000, sizeof *item) == DPD_OK && l.room >= 5000 && l.count == 1000);
  memset(l.item, 0, 5000 * sizeof *item);
  dpd_list_close(&l);
  CHECK(l.item == NULL && l.count == 0 && l.room == 0);
  dpd_list_close(&l);
}

static void failures_stay(void)
{
  dpd_list l = {NULL, 0, 0, false};
  double *item = dpd_list_add(&l, sizeof *item);
  CHECK(item != NULL && dpd_list_status(&l) == DPD_OK);
  if (item == NULL) return;
  *item = 7;
  CHECK(dpd_list_reserve(&l, 0, sizeof *item) == DPD_OK);
  /* as many as wrap to room for two */
  CHECK(dpd_list_reserve(&l, SIZE_MAX / sizeof *item + 3, sizeof *item) == DPD_ERR_MEMORY);
  CHECK(dpd_list_status(&l) == DPD_ERR_MEMORY);
  CHECK(l.count == 1 && *(double *)l.item == 7);
  CHECK(dpd_list_reserve(&l, l.room + 1, sizeof *item) == DPD_ERR_MEMORY);
  l.count = l.room;
  CHECK(dpd_list_add(&l, sizeof *item) == NULL);
  dpd_list_close(&l);
  CHECK(dpd_list_status(&l) == DPD_OK);
}

int main(void)
{
  items_stay();
  failures_stay();
  return ctest_report("list");
}
