# setup.sh - installs what a task needs and lacks: Debian packages where there is apt-get, else R's own installer.
#
# Usage: bash tools/setup.sh demo|test|lint|check|docs|cover|valgrind|bench ...
# Says nothing and changes nothing when everything is there. R packages that no Debian
# package provides go to the private library build/deps.
set -u
cd "$(dirname "$0")/.." || exit 1
. tools/common.sh

commands="" packages="" optional=""
# of tallies; the server's package also starts one of its own, which the tests leave alone
databases="DBI RSQLite RPostgreSQL dplyr dbplyr data.table bit64" server=pg_ctlcluster:postgresql
# of simulations
futures="cli future future.batchtools progressr"
for task in "$@"; do
  commands="$commands R:r-base-core cc:gcc"
  packages="$packages generics survival"
  case $task in
    demo) ;;
    test)
      packages="$packages testthat lintr ggplot2 robustbase $databases $futures"
      optional="$optional clang-format:clang-format $server" ;;
    lint)
      packages="$packages lintr"
      optional="$optional clang-format:clang-format cppcheck:cppcheck" ;;
    check)
      packages="$packages testthat ggplot2 knitr rmarkdown ddalpha $databases $futures"
      commands="$commands pandoc:pandoc"
      optional="$optional qpdf:qpdf tidy:tidy $server" ;;
    docs)
      packages="$packages roxygen2 pkgdown ggplot2 knitr rmarkdown $databases"
      commands="$commands pandoc:pandoc" ;;
    cover) packages="$packages testthat covr ggplot2 knitr rmarkdown" ;;
    valgrind)
      packages="$packages testthat ggplot2"
      commands="$commands valgrind:valgrind" ;;
    bench) packages="$packages ddalpha mrfDepth" ;;
    *) echo "setup: no such task: $task" >&2; exit 2 ;;
  esac
done

# The Debian names of the commands of "command:package" pairs that are not on the path.
missing_commands() {
  local pair
  for pair in "$@"; do
    command -v "${pair%%:*}" >/dev/null 2>&1 || echo "${pair#*:}"
  done | sort -u
}

# The R packages that are missing or too old.
missing_packages() {
  command -v Rscript >/dev/null 2>&1 || { printf '%s\n' "$@" | sort -u; return; }
  Rscript tools/packages.R missing "$@"
}

# True when R is Debian's own, which alone finds the r-cran-* packages.
debian_r() {
  command -v R >/dev/null 2>&1 || return 0
  dpkg-query -S "$(command -v R)" >/dev/null 2>&1 || dpkg-query -S "$(readlink -f "$(command -v R)")" >/dev/null 2>&1
}

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"
  elif ! command -v sudo >/dev/null 2>&1; then return 1
  elif [ -t 0 ]; then sudo "$@"
  else sudo -n "$@"
  fi
}

# Those of the named Debian packages that this release has, by the lists that are there.
known_of() {
  LC_ALL=C apt-cache policy "$@" 2>/dev/null |
    awk '/^[^ ]/ { name = substr($1, 1, length($1) - 1) } /^ *Candidate: [^(]/ { print name }'
}

apt_get() {
  say "installing Debian packages: $*"
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >&2
}

# Installs those that there are. Lists are fetched where they lack one, or name what is there no more.
apt_install() {
  local known
  [ $# -gt 0 ] || return 0
  say "missing: $*"
  known=$(known_of "$@")
  # shellcheck disable=SC2086
  if [ "$(echo "$known" | wc -w)" -eq $# ] && apt_get $known; then return 0; fi
  if ! as_root env DEBIAN_FRONTEND=noninteractive apt-get update -qq; then
    say "apt-get update did not succeed; trying with the lists that are there"
  fi
  known=$(known_of "$@")
  # shellcheck disable=SC2086
  [ -z "$known" ] || apt_get $known || say "apt-get could not install them (no rights?)"
}

# The shared checks of C code also want R's mathematics as a library of its own.
missing_mathlib() {
  case " $* " in *" test "*) ;; *) return 0 ;; esac
  grep -rlq '<Rmath\.h>' src tests/ctest --include='*.[ch]' 2>/dev/null || return 0
  printf '#define MATHLIB_STANDALONE\n#include <Rmath.h>\nint main(void) { return pnorm(0, 0, 1, 1, 0) < 0; }\n' |
    cc -xc - -o /dev/null -lRmath -lm >/dev/null 2>&1 || echo r-mathlib
}

# shellcheck disable=SC2086
if command -v apt-get >/dev/null 2>&1; then
  need=$(missing_commands $commands $optional; missing_mathlib "$@")
  # a machine without R or a compiler also lacks what R needs to build packages
  case " $(echo $need) " in *" r-base-core "* | *" gcc "*) need="$need r-base-dev" ;; esac
  if debian_r; then
    for name in $(missing_packages $packages); do
      need="$need r-cran-$(echo "$name" | tr '[:upper:]' '[:lower:]')"
    done
  fi
  apt_install $need
fi

if ! command -v Rscript >/dev/null 2>&1; then
  say "R is missing, and this script knows how to install it on Debian and Ubuntu only (and needs the rights to)."
  say "Please install R (4.2 or later) and run the command again."
  exit 1
fi
Rscript tools/packages.R version || exit 1
# shellcheck disable=SC2046
set -- $(missing_packages $packages)
if [ $# -gt 0 ]; then
  say "installing R packages into build/deps: $*"
  Rscript tools/packages.R install "$@" || exit 1
fi
# shellcheck disable=SC2086
lacking=$(missing_commands $commands)
if [ -n "$lacking" ]; then
  say "still missing, please install by hand: $(echo $lacking)"
  exit 1
fi
# shellcheck disable=SC2086
lacking=$(missing_commands $optional)
[ -z "$lacking" ] || say "not found, so the checks that use it are skipped: $(echo $lacking)"
exit 0
