# watch.sh - stops the processes of tests that hang, and those that they have started (tools/run-tests.R).
#
# Usage: sh tools/watch.sh queue minutes; a file's folder in the queue holds its process's number while it runs.
# Ends when it is stopped, or the queue or who started it is gone. Where there is no /proc, what a process has started stays.
queue=$1 minutes=$2

stop() {
  for child in $(cat "/proc/$1/task/$1/children" 2>/dev/null); do stop "$child"; done
  kill -9 "$1" 2>/dev/null
}

# the pause ends with this process
trap 'kill $pause 2>/dev/null; exit 0' TERM INT
while [ -d "$queue" ] && kill -0 $PPID 2>/dev/null; do
  sleep 15 >/dev/null 2>&1 &
  pause=$!
  wait $pause
  find "$queue" -mindepth 2 -maxdepth 2 -name process -mmin "+$minutes" | while read -r file; do
    echo "watch: $(basename "$(dirname "$file")") has not come to its end in $minutes minutes: it is stopped"
    stop "$(cat "$file")"
    rm -f "$file"
  done
done
