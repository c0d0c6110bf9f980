# layers-selftest.sh - plants one breach of each layer rule in a small tree and sees it caught.
set -u
cd "$(dirname "$0")/.." || exit 1
passed=0 failed=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tree=$work/tree

# A tree without a breach: one file a layer.
sound_tree() {
  rm -rf "$tree"
  mkdir -p "$tree/src" "$tree/R" "$tree/tests/testthat" "$tree/tests/ctest" "$tree/tools"
  cp src/dpd.h "$tree/src"
  for stem in num/a geom/a plane/a depth/a median/a margin/a sens/a samp/a mech/a r/a; do
    mkdir -p "$tree/src/${stem%/a}"
    printf '/* %s.h - a header. */\n#include "dpd.h"\n' "$stem" >"$tree/src/$stem.h"
    printf '/* %s.c - a file; its comment may say SEXP, printf( and rnorm(). */\n#include "%s.h"\n\n#include <math.h>\n' \
      "$stem" "$stem" >"$tree/src/$stem.c"
  done
  cat >"$tree/src/r/host.c" <<'C'
/* host.c - the host; only here is R's stream. */
#include "samp/a.h"
void GetRNGstate(void);
void run(void)
{
}
C
  sed -i.bak '/GetRNGstate/d; s/^{/{\n  extern void GetRNGstate(void), PutRNGstate(void);/' "$tree/src/r/host.c"
  rm -f "$tree/src/r/host.c.bak"
  printf '/* glue_a.c - the glue. */\n#include "mech/a.h"\n' >"$tree/src/r/glue_a.c"
  printf '# a.R - a file; its comment may say rnorm(1), its strings "sample(x)".\n\nf <- function(x) "sample(x)"\n' >"$tree/R/a.R"
  printf '# b.R - a help page, without a test.\nNULL\n' >"$tree/R/b.R"
  printf '# test-a.R - tests may draw.\nx <- rnorm(3)\n' >"$tree/tests/testthat/test-a.R"
  printf '/* test_a.c - a plain C test. */\nint main(void)\n{\n}\n' >"$tree/tests/ctest/test_a.c"
}

# The breaches that tools/layers.sh finds in the tree, one "[rule] file" a line.
found() { bash tools/layers.sh "$tree" "$@" 2>&1 | sed -n 's/^layers: \(\[[^]]*\] [^:]*\):.*/\1/p' | LC_ALL=C sort -u; }

# tested STEM...: each of these files of R/ has a test.
tested() {
  local stem
  for stem in "$@"; do
    [ -e "$tree/tests/testthat/test-$stem.R" ] || printf '# test-%s.R - a test.\n' "$stem" >"$tree/tests/testthat/test-$stem.R"
  done
}

# plant RULE FILE TEXT: puts a breach (%b) into a new file, or at the end of one that is there.
plant() {
  [ -e "$tree/$2" ] || printf '/* %s - a file with a breach. */\n' "$2" >"$tree/$2"
  printf '%b\n' "$3" >>"$tree/$2"
  printf '[%s] %s\n' "$1" "$2" >>"$work/planted"
}

# plant_file: the same, but the text is the whole file.
plant_file() {
  : >"$tree/$2"
  plant "$@"
}

# harvest: what was planted must be found, each under its name, and nothing else.
harvest() {
  LC_ALL=C sort -u "$work/planted" >"$work/expected"
  found "$@" >"$work/found"
  missed=$(comm -23 "$work/expected" "$work/found") surplus=$(comm -13 "$work/expected" "$work/found")
  passed=$((passed + $(comm -12 "$work/expected" "$work/found" | wc -l)))
  [ -z "$missed" ] || printf '%s\n' "$missed" | sed 's/^/layers-selftest: not caught: /'
  [ -z "$surplus" ] || printf '%s\n' "$surplus" | sed 's/^/layers-selftest: caught, but not planted: /'
  failed=$((failed + $(printf '%s%s' "$missed" "$surplus" | grep -c .)))
  : >"$work/planted"
}

sound_tree
if output=$(bash tools/layers.sh "$tree" 2>&1); then
  passed=$((passed + 1))
else
  failed=$((failed + 1))
  printf 'layers-selftest: the sound tree was refused:\n%s\n' "$output"
fi

# What the text says: all in one tree, a file each.
sound_tree
plant knows-R src/num/b1.c 'typedef void *SEXP;'
plant knows-R src/mech/b2.h 'void *R_alloc(int n, int size);'
plant knows-R src/depth/b3.c 'void R_CheckUserInterrupt(void);'
plant knows-R src/sens/b4.c 'void error(const char *format);'
plant knows-R src/geom/b5.c '#define stop Rf_error'
plant prints src/samp/b1.c 'void g(void) { printf("x"); }'
plant prints src/samp/b2.c 'extern void *stderr;'
plant raises src/num/b2.c 'void abort(void);'
plant raises src/num/b3.c '#include <assert.h>\nvoid g(int x) { assert(x); }'
plant bypasses-rng src/mech/b3.c 'double rnorm(double m, double s);'
plant bypasses-rng src/samp/b3.c 'double unif_rand(void);'
plant bypasses-rng src/samp/b4.c '#include <stdlib.h>\nint g(void) { return rand(); }'
plant takes-entropy src/mech/b4.c 'long getrandom(void *out, unsigned long n, unsigned flags);'
plant takes-entropy src/samp/b5.c 'const char *g(void) { return "/dev/urandom"; }'
plant memory src/num/b9.c '#include <stdlib.h>\nvoid *g(void *x) { return realloc(x, 8); }'
plant memory src/r/b1.c 'void free(void *);'
plant memory src/sens/b5.c 'void *malloc (unsigned long);'
plant arity src/num/b10.c 'int dpd_many(int a, int b, int c, int d,\n             int (*e)(int, int), int f, int g);'
plant arity src/samp/b8.h 'typedef struct {\n  int (*many)(int a, int b, int c, int d, int e, int f, int g);\n} task;'
plant includes src/num/b4.c '#include "depth/a.h"'
plant includes src/depth/b4.h '#include "samp/a.h"'
plant includes src/samp/b6.c '#include "sens/a.h"'
plant includes src/samp/b7.c '#  include "mech/a.h"'
plant includes src/dpd.h '#include "num/a.h"'
printf '[circles] src\n' >>"$work/planted" # of dpd.h and num/a.h
printf '[circles] R\n' >>"$work/planted" # the name of R/b7.R and R/b8.R
plant includes src/mech/b5.c '#include "r/host.h"'
plant includes src/plane/b1.c '#include "geom/a.h"'
plant includes src/median/b1.c '#include "samp/a.h"'
plant includes src/depth/b5.c '#include "median/a.h"'
plant includes src/mech/b6.c '#include <unistd.h>'
plant includes src/mech/b7.c '#include <R_ext/Random.h>'
plant includes src/loose.c ''
plant one-stream src/r/glue_b.c 'double unif_rand(void);'
plant_file R-draws R/b1.R '# b1.R - a breach.\ng <- function(x) sample(x)'
plant_file R-draws R/b2.R '# b2.R - a breach.\nh <- function(x) vapply(x, rnorm, 0)'
plant_file R-draws R/b3.R '# b3.R - a breach.\nset.seed(1)'
plant_file R-draws R/b4.R '# b4.R - a breach.\nseed <- .GlobalEnv$.Random.seed'
plant_file one-function R/b7.R '# b7.R - a breach.\ntwice <- function(x) x'
plant_file one-function R/b8.R '# b8.R - a breach.\ntwice <- function(y) y'
plant one-function src/num/b8.c 'int dpd_twice(int x)\n{\n  return x;\n}'
plant one-function src/depth/b6.c 'double dpd_twice(double x)\n{\n  return x;\n}'
tested b3 b4 b5 b7 b8
plant_file stems R/b9.R '# b9.R - a breach.\nuntested <- function() 1'
plant_file stems tests/testthat/test-b10.R '# test-b10.R - a breach.'
plant_file stems tests/ctest/test_b11.c '/* test_b11.c - a breach. */'
plant_file first-line tools/b1.sh '#!/bin/sh\n# b1.sh - a script.'
plant_file no-clock tests/testthat/test-b1.R '# test-b1.R - a breach.\nsetTimeLimit(elapsed = 1)'
plant_file no-clock tests/testthat/test-b2.R '# test-b2.R - a breach.\nsystem("sleep 0.2")'
plant_file first-line src/num/b5.c '#include "num/a.h"'
plant_file first-line R/b5.R 'k <- function() 1'
plant_file length R/b6.R "# b6.R - a file that goes on and on.$(printf '\\n%.0s' $(seq 1 400))"
mkdir "$tree/vignettes"
plant_file shown vignettes/b12.Rmd "A breach.\n\n\`\`\`{r}\n# $(printf 'x%.0s' $(seq 1 80))\n\`\`\`"
plant_file shown R/b13.R "# b13.R - a breach.\n#' A page\n#' @examples\n#' f($(printf 'x%.0s' $(seq 1 80)))\nNULL"
plant function-length src/num/b6.c "void g(void)\n{$(printf '\\n%.0s' $(seq 1 74))}"
plant line-length src/num/b7.c "/* $(printf 'x%.0s' $(seq 1 95)) */"
harvest text

# What the objects say.
sound_tree
plant globals src/num/b1.c 'int counter;'
plant globals src/num/b2.c 'static double table[3] = {1, 2, 3};\ndouble g(int i) { return table[i]; }'
plant globals src/mech/b3.c 'int g(void) { static int calls; return ++calls; }'
plant globals src/mech/b4.c 'static const char *name = "x";\nconst char *g(void) { return name; }'
plant compiles src/mech/b5.c 'int g(void) { return nothing; }'
harvest

# A second pair, in the right file and in another.
sound_tree
printf '[one-stream] src\n' >"$work/planted"
printf 'void GetRNGstate(void);\n' >>"$tree/src/r/host.c"
harvest text
sound_tree
printf '[one-stream] src\n' >"$work/planted"
sed 's/GetRNGstate/getnothing/' "$tree/src/r/host.c" >"$tree/src/r/other.c"
harvest text

# Circles: of two files of C by their includes or by their calls, and of two of R.
sound_tree
printf '[circles] src\n' >"$work/planted"
printf '/* b1.h - both sides. */\nint dpd_one(int x);\nint dpd_other(int x);\n' >"$tree/src/num/b1.h"
printf '/* b1.c - one side. */\n#include "num/b1.h"\n\nint dpd_one(int x)\n{\n  return dpd_other(x);\n}\n' >"$tree/src/num/b1.c"
printf '/* b2.c - the other. */\n#include "num/b1.h"\n\nint dpd_other(int x)\n{\n  return x > 0 ? dpd_one(x - 1) : 0;\n}\n' >"$tree/src/num/b2.c"
harvest text
sound_tree
printf '[circles] src\n[circles] R\n' >"$work/planted"
printf '/* b1.h - one side. */\n#include "num/b2.h"\n' >"$tree/src/num/b1.h"
printf '/* b2.h - the other. */\n#include "num/b1.h"\n' >"$tree/src/num/b2.h"
printf '# b1.R - one side.\none <- function(x) other(x)\n' >"$tree/R/b1.R"
printf '# b2.R - the other.\nother <- function(x) one(x)\n' >"$tree/R/b2.R"
tested b1 b2
harvest text

# A call that points up, from what mechanisms share to a front door.
sound_tree
printf '[circles] R\n' >"$work/planted"
printf '# mech-b1.R - shared.\none <- function(x) door(x)\n' >"$tree/R/mech-b1.R"
printf '# dp-b2.R - a front door.\ndoor <- function(x) x\n' >"$tree/R/dp-b2.R"
tested mech-b1 dp-b2
harvest text

# A file that no OBJECTS lists.
sound_tree
printf '[objects] src/Makevars\n' >"$work/planted"
printf '# Makevars - a list.\nOBJECTS = \\\n' >"$tree/src/Makevars"
(cd "$tree/src" && find . -name '*.c' | sed 's|^[.]/\(.*\)[.]c$|  \1.o \\|') >>"$tree/src/Makevars"
sed '/mech/d' "$tree/src/Makevars" >"$tree/src/list"
mv "$tree/src/Makevars" "$tree/src/Makevars.win"
mv "$tree/src/list" "$tree/src/Makevars"
harvest text

# What is no breach: constant tables, the mark, R's headers of BLAS, files of one folder.
sound_tree
printf '/* b.h - a header. */\n' >"$tree/src/num/b.h"
cat >>"$tree/src/num/a.c" <<'C'
#include "num/b.h"
static const char *const names[2] = {"printf(", "rnorm("};
const char *name_of(int i)
{
  return names[i];
}
C
printf 'g <- function(n) rnorm(n) # public-rng: a simulation\n' >>"$tree/R/a.R"
printf "#' A page of a line of more than eighty characters, which is text, and so may be longer.\n" >>"$tree/R/b.R"
if output=$(bash tools/layers.sh "$tree" 2>&1); then
  passed=$((passed + 1))
else
  failed=$((failed + 1))
  printf 'layers-selftest: something sound was refused:\n%s\n' "$output"
fi

printf 'layers-selftest: %d passed, %d failed, 0 skipped\n' "$passed" "$failed"
[ "$failed" -eq 0 ]
