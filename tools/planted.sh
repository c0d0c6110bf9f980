# planted.sh - plants the bugs of tests/ctest/planted.txt one by one and runs the C test that must fail.
#
# Usage: bash tools/planted.sh
# A bug whose text is not there just once, or that does not compile, counts as a failure.
set -u
cd "$(dirname "$0")/.." || exit 1
. tools/common.sh

out=$PWD/build/planted
rm -rf "$out"
mkdir -p "$out"
table=tests/ctest/planted.txt
flags="-std=c99 -O1 -w -Isrc"

# one NUMBER STEM FILE FROM TO: writes "ok" or what is wrong to $out/NUMBER.
one() {
  local dir=$out/$1.d needs others status
  mkdir -p "$dir"
  from=$4 to=$5 awk '
    { at = index($0, ENVIRON["from"])
      if (at > 0) {
        found++
        $0 = substr($0, 1, at - 1) ENVIRON["to"] substr($0, at + length(ENVIRON["from"]))
        if (index(substr($0, at + length(ENVIRON["to"])), ENVIRON["from"]) > 0) found++
      }
      print }
    END { exit found != 1 }' "src/$3.c" >"$dir/$3.c" || {
    echo "the text is not in $3.c just once" >"$out/$1"
    return
  }
  needs=$(sed -n "s/^needs | $2 | //p" $table)
  others=""
  for f in $needs; do [ "$f" = "$3" ] || others="$others src/$f.c"; done
  # shellcheck disable=SC2086
  if ! cc $flags -Itests/ctest "tests/ctest/test_$2.c" "$dir/$3.c" $others -o "$dir/test" -lm 2>"$dir/log"; then
    echo "it does not compile" >"$out/$1"
    return
  fi
  timeout 120 "$dir/test" >"$dir/log" 2>&1
  status=$?
  if [ $status -eq 0 ]; then echo "not caught" >"$out/$1"; else echo ok >"$out/$1"; fi
}

passed=0 failed=0 number=0
rows=$(grep -v '^#\|^needs\|^$' $table)
while IFS= read -r row; do
  number=$((number + 1))
  stem=${row%% | *} rest=${row#* | }
  file=${rest%% | *} rest=${rest#* | }
  one "$number" "$stem" "$file" "${rest%% | *}" "${rest#* | }" &
  [ $((number % $(jobs))) -ne 0 ] || wait
done <<<"$rows"
wait
for k in $(seq "$number"); do
  found=$(cat "$out/$k" 2>/dev/null)
  if [ "$found" = ok ]; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "planted: ${found:-no result}: $(sed -n "${k}p" <<<"$rows")"
  fi
done
tally planted "$passed" "$failed" 0
[ "$failed" -eq 0 ]
