# common.sh - what the other scripts share: the private libraries and the form of a message.

mkdir -p build/deps
R_LIBS="$PWD/build/lib:$PWD/build/deps${R_LIBS:+:$R_LIBS}"
export R_LIBS

# Threads that wait for others give their processor back: where several processes share the processors, waiting
# in circles took most of the time of what runs on two threads.
export OMP_WAIT_POLICY="${OMP_WAIT_POLICY:-passive}"

# R tidies up a small heap often, which took a tenth of its time: it starts with a larger one.
export R_NSIZE="${R_NSIZE:-4000000}" R_VSIZE="${R_VSIZE:-256M}"

# What the compiler is to refuse in the files of src/ (lint.sh, tests/ctest/Makefile).
# shellcheck disable=SC2034
warnings="-Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wold-style-definition -Wpointer-arith \
  -Wwrite-strings -Wundef -Wvla -Wformat=2 -Wdate-time -Werror"

say() { printf '%s: %s\n' "$(basename "$0" .sh)" "$*" >&2; }

# Processors to use, at most 4.
jobs() {
  local n
  n=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)
  if [ "$n" -gt 4 ]; then echo 4; else echo "$n"; fi
}

# tally NAME PASSED FAILED [SKIPPED]: the line that tools/test.sh adds up.
tally() { printf '%s: %d passed, %d failed, %d skipped\n' "$1" "$2" "$3" "${4:-0}"; }

# state: a name of what the sources, tests and tools are and of what builds them, for results that are kept.
state() {
  { R --version && R CMD config CC && cc --version && cat "${R_MAKEVARS_USER:-$HOME/.R/Makevars}" 2>/dev/null || :
    find DESCRIPTION NAMESPACE R src inst tests tools -type f | LC_ALL=C sort | xargs cat; } | cksum | tr ' ' -
}

# keep NAME: sets TESTTHAT_KEEP to the folder of this state, and removes those of others.
keep() {
  export TESTTHAT_KEEP="$PWD/build/$1-kept/$(state)"
  mkdir -p "$TESTTHAT_KEEP"
  find "build/$1-kept" -mindepth 1 -maxdepth 1 ! -name "${TESTTHAT_KEEP##*/}" -exec rm -rf {} +
}
