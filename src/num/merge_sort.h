/* merge_sort.h - a stable sort of structs whose comparison is compiled into it.
 *
 * DPD_DEFINE_MERGE_SORT(name, context, item, after, few) defines
 *   static void name(const context *s, item *x, item *spare, int n)
 * which sorts x[0..n-1], after(s, &a, &b) telling whether a comes strictly after b; spare holds
 * n / 2 items. Up to `few` items are sorted by insertion; halves in order are not merged.
 */
#ifndef NUM_MERGE_SORT_H
#define NUM_MERGE_SORT_H

#include <string.h>

#define DPD_DEFINE_MERGE_SORT(name, context, item, after, few)                                     \
  static void name(const context *s, item *x, item *spare, int n)                                  \
  {                                                                                                \
    if (n <= (few)) {                                                                              \
      for (int i = 1; i < n; i++) {                                                                \
        item v = x[i];                                                                             \
        int j = i;                                                                                 \
        for (; j > 0 && after(s, &x[j - 1], &v); j--)                                              \
          x[j] = x[j - 1];                                                                         \
        x[j] = v;                                                                                  \
      }                                                                                            \
      return;                                                                                      \
    }                                                                                              \
    int half = n / 2;                                                                              \
    name(s, x, spare, half);                                                                       \
    name(s, x + half, spare, n - half);                                                            \
    if (!after(s, &x[half - 1], &x[half])) return;                                                 \
    memcpy(spare, x, (size_t)half * sizeof *x);                                                    \
    int i = 0, j = half, k = 0;                                                                    \
    while (i < half && j < n)                                                                      \
      x[k++] = after(s, &spare[i], &x[j]) ? x[j++] : spare[i++];                                   \
    while (i < half)                                                                               \
      x[k++] = spare[i++];                                                                         \
  }

#endif
