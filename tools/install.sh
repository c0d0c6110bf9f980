# install.sh - installs the package into build/lib, if its sources changed since the last time.
#
# It is built from a copy, so that no object files lie about in src/ and none is stale.
set -eu
cd "$(dirname "$0")/.."
. tools/common.sh

lib=${1:-build/lib}
stamp=$lib/.installed
# What another installation of the same sources may differ by: R, the compiler, and what it is told.
version=$({ R --version | head -n 1; R CMD config CC; cc --version | head -n 1; echo "${INSTALL_OPTIONS:-}"
  cat "${R_MAKEVARS_USER:-$HOME/.R/Makevars}" 2>/dev/null; } | cksum)
sources="DESCRIPTION NAMESPACE R src man"
for extra in inst data; do [ ! -d $extra ] || sources="$sources $extra"; done

# shellcheck disable=SC2086
if [ -f "$stamp" ] && [ -d "$lib/dpdepth" ] && [ "$(cat "$stamp")" = "$version" ] &&
  [ -z "$(find $sources -newer "$stamp" -print)" ]; then
  exit 0
fi
mkdir -p "$lib"
copy=$(mktemp -d build/package.XXXXXX)
trap 'rm -rf "$copy"' EXIT
touch "$copy/now"
# shellcheck disable=SC2086
cp -R $sources "$copy"
find "$copy/src" \( -name '*.o' -o -name '*.so' -o -name '*.dll' \) -exec rm -f {} +
# Without debug information it compiles and links sooner; who wants other flags says so (valgrind.sh).
if [ -z "${R_MAKEVARS_USER:-}" ]; then
  printf -- '-include %s/.R/Makevars\nCFLAGS += -g0\n' "$HOME" >"$copy/makevars"
  export R_MAKEVARS_USER="$PWD/$copy/makevars"
fi
say "building the package into $lib"
# Whether it loads, who uses it sees at once.
if ! MAKEFLAGS="-j$(jobs)" R CMD INSTALL ${INSTALL_OPTIONS:-} --no-test-load --library="$lib" "$copy" >build/install.log 2>&1; then
  cat build/install.log >&2
  exit 1
fi
grep -i 'warning' build/install.log >&2 || true
# the objects of the usual installation, for tools/planted.R
if [ "$lib" = build/lib ] && [ -z "${INSTALL_OPTIONS:-}" ]; then
  rm -rf build/objects && mkdir build/objects
  (cd "$copy/src" && find . -name '*.o' -exec tar -cf - {} +) | tar -xf - -C build/objects
  cp build/install.log build/objects/log
fi
echo "$version" >"$stamp"
touch -r "$copy/now" "$stamp"
