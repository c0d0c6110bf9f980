/* ctest.h - the harness of the plain C tests: counts checks, prints the ones that fail, goes on.
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

/* Evaluates cond once; true is counted, false is counted and printed with file and line. */
#define CHECK(cond) ctest_check((cond) ? 1 : 0, #cond, __FILE__, __LINE__)

static void ctest_check(int ok, const char *what, const char *file, int line)
{
  if (ok) {
    ctest_passed++;
    return;
  }
  ctest_failed++;
  if (getenv("CTEST_ONE") != NULL) exit(1); /* one is enough: tools/planted.R */
  if (ctest_failed <= CTEST_SHOWN) fprintf(stderr, "%s:%d: failed: %s\n", file, line, what);
  if (ctest_failed == CTEST_SHOWN) fprintf(stderr, "%s: further failures are only counted\n", file);
}

/* Prints the line that tools/ctest.sh reads; the value is main()'s. */
static int ctest_report(const char *stem)
{
  printf("%s: %ld passed, %ld failed\n", stem, ctest_passed, ctest_failed);
  return ctest_failed > 0;
}

#endif
