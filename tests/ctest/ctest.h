/* ctest.h - the harness of the plain C tests: counts checks, prints the ones that fail, goes on.
 *
 * A check counts once, at its place in the source, however often a loop comes by: it passes if
 * it never fails.
 *
 * Each tests/ctest/test_<stem>.c is a program of its own:
 *
 *   int main(void)
 *   {
 *     CHECK(1 + 1 == 2);
 *     return ctest_report("stem");
 *   }
 */
#ifndef CTEST_H
#define CTEST_H

#include <stdio.h>
#include <stdlib.h>

static long ctest_passed, ctest_failed;

enum { CTEST_SHOWN = 20 }; /* a check that fails in a loop should not bury the others */

typedef enum { CTEST_UNSEEN, CTEST_GOOD, CTEST_BAD } ctest_state;

/* Evaluates cond once; what is false is printed with file and line. */
#define CHECK(cond)                                                                                \
  do {                                                                                             \
    static ctest_state state_;                                                                     \
    ctest_check((cond) ? 1 : 0, &state_, #cond, __FILE__, __LINE__);                               \
  } while (0)

static void ctest_check(int ok, ctest_state *state, const char *what, const char *file, int line)
{
  static int shown;
  if (ok) {
    ctest_passed += *state == CTEST_UNSEEN;
    if (*state == CTEST_UNSEEN) *state = CTEST_GOOD;
    return;
  }
  if (getenv("CTEST_ONE") != NULL) exit(1); /* one is enough: tools/planted.R */
  ctest_passed -= *state == CTEST_GOOD;
  ctest_failed += *state != CTEST_BAD;
  *state = CTEST_BAD;
  shown++;
  if (shown <= CTEST_SHOWN) fprintf(stderr, "%s:%d: failed: %s\n", file, line, what);
  if (shown == CTEST_SHOWN) fprintf(stderr, "%s: further failures are not printed\n", file);
}

/* How many of n draws or rounds: all of them, or a sixth under CTEST_SOME, where sanitizers look on
 * and another build does the whole (tools/test.sh). */
static inline int ctest_some(int n)
{
  return getenv("CTEST_SOME") != NULL ? (n + 5) / 6 : n;
}

/* Prints the line that tools/ctest.sh reads; the value is main()'s. */
static int ctest_report(const char *stem)
{
  printf("%s: %ld passed, %ld failed\n", stem, ctest_passed, ctest_failed);
  return ctest_failed > 0;
}

#endif
