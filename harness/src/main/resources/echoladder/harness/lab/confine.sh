#!/bin/bash
# Runs a command to which this host's files are read-only, in a mount namespace of its own (of unshare). Arguments: the
# guest's folder, that of its memory, the command. It may write to the latter and to the folders in the file `writable`.
mapfile -t writable <"$1/writable"
writable+=("$2")
shift 2
for path in "${writable[@]}"; do
  mount --rbind -- "$path" "$path" || exit 4
done
while read -r _ _ _ _ point options _; do
  printf -v point %b "${point//\\/\\0}" # The kernel writes a space as \040.
  for path in "${writable[@]}"; do
    [[ $point != "$path" && $point != "$path"/* ]] || continue 2
  done
  # What another mount covers cannot be reached, and is no mount point any more.
  [[ $options == ro* ]] || ! mountpoint -q -- "$point" || mount -o "remount,bind,ro${options#rw}" -- "$point" || {
    echo "the lab's view of $point could not be made read-only; with --write / it is booted over a writable one"
    exit 4
  }
done </proc/self/mountinfo
exec "$@"
