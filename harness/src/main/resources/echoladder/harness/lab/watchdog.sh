#!/bin/bash
# Keeps one guest kernel and outlives whoever started it: arguments are the guest's folder and its command.
# stdin comes from the harness: each line goes on to the guest's console, and its end is the end of the guest, whatever
# has ended the harness. What is left of the guest goes then: its processes, its memory (a file without name, which goes
# with them, in a folder of its own), its folder. It runs in a session of its own, so that no signal to the harness's group reaches it.
set -m # The guest becomes a process group of its own: a panicking User Mode Linux signals its whole group.
dir=$1
shift
[[ $dir == */ladder-lab-* && -d $dir ]] || exit 2
ulimit -c 0 # A guest that panics ends by abort(): its core would be as large as its memory.

memory=$(mktemp -d -p "$TMPDIR" ladder-lab-memory-XXXXXX) || exit 3
export TMPDIR=$memory
echo "$memory" >"$dir/memory" # For the harness, where this shell is killed.
confine=()
[[ ! -e $dir/confined ]] || confine=(unshare --mount --propagation private bash "$dir/confine.sh" "$dir" "$memory")

exec 3<&0
mkfifo -m 600 "$dir/control"
exec 4<>"$dir/control"
setpriv --pdeathsig KILL -- "${confine[@]}" "$@" <&4 >"$dir/console" 2>&1 3<&- 4<&- &
guest=$!
{
  while IFS= read -r line; do
    printf '%s\n' "$line" >&4
  done
  kill -KILL -- "-$guest" 2>/dev/null
} <&3 &
relay=$!
wait "$guest"
echo "$?" >"$dir/ended"
# The harness reads what is in the folder and closes its end then.
wait "$relay"
kill -KILL -- "-$guest" 2>/dev/null # Stragglers of its group.
[[ ! -e $dir/made ]] || while IFS= read -r made; do rmdir -- "$made" 2>/dev/null; done <"$dir/made"
rm -rf -- "$dir" "$memory"
