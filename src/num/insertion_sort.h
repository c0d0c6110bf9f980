/* insertion_sort.h - a sort of few numbers of any type.
 *
 * DPD_DEFINE_INSERTION_SORT(name, number, size) defines
 *   static void name(number *x, size n)
 * which sorts x[0..n-1] in increasing order.
 * COST: O(n^2) at most, O(n) if nearly all numbers are in order.
 */
#ifndef NUM_INSERTION_SORT_H
#define NUM_INSERTION_SORT_H

#define DPD_DEFINE_INSERTION_SORT(name, number, size)                                              \
  static void name(number *x, size n)                                                              \
  {                                                                                                \
    for (size i = 1; i < n; i++) {                                                                 \
      number v = x[i];                                                                             \
      size j = i;                                                                                  \
      for (; j > 0 && x[j - 1] > v; j--)                                                           \
        x[j] = x[j - 1];                                                                           \
      x[j] = v;                                                                                    \
    }                                                                                              \
  }

#endif
