# release.sh - the archive for a submission, in build/release/, where nothing is left open that a publisher sets.
#
# Usage: bash tools/release.sh. Names the fields that still hold placeholders, and makes no archive then. It
# does not check the package: `make check` does.
set -u
cd "$(dirname "$0")/.." || exit 1
. tools/common.sh

# open FILE PATTERN WHAT: tells where a placeholder stands.
open=0
open() {
  local found
  found=$(grep -nE "$2" "$1") || return 0
  printf 'release: %s: %s\n%s\n' "$1" "$3" "$found" | sed '2,$s/^/  line /' >&2
  open=$((open + 1))
}

address='@[A-Za-z0-9.-]*\.(example|invalid|test|localhost)\b|@example\.|//[^ /]*example\.|//[^ /]*\.(example|invalid)\b'
for file in DESCRIPTION inst/CITATION README.md NEWS.md; do open "$file" "$address" "an address that leads nowhere"; done
open DESCRIPTION 'person\("dpdepth", "authors"' "a maintainer with a name is wanted in Authors@R"
open DESCRIPTION '^Version:.*\.9[0-9]{3}' "a version of development"
open inst/CITATION 'person\("The dpdepth authors"\)' "the authors are to be named as in DESCRIPTION"
if [ "$open" -gt 0 ]; then
  say "$open to be set before a submission"
  exit 1
fi
rm -rf build/release && mkdir -p build/release
cd build/release && R_LIBS="$OLDPWD/build/deps" R CMD build "$OLDPWD"
