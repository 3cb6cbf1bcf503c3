#!/usr/bin/env bash
# Makes one image of several architectures from images that make-image.sh made: join-images.sh OUT IMAGE... Whoever loads OUT gets the
# one of its host.
set -euo pipefail
(($# > 2)) || {
  echo "join-images.sh: usage: join-images.sh OUT IMAGE IMAGE..., each a tar of make-image.sh" >&2
  exit 2
}
out=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/layout"
for image in "${@:2}"; do
  tar -xf "$image" -C "$work/layout"
  # Of each index the lines between the first and the last, which are its manifests.
  sed -e '1d' -e '$d' "$work/layout/index.json" >>"$work/manifests"
done
architectures=$(grep -o '"architecture": "[a-z0-9_]*"' "$work/manifests" | sort | uniq -d)
[[ -z $architectures ]] || {
  echo "join-images.sh: two images have $architectures; give one of each architecture" >&2
  exit 2
}
{
  tar -xOf "$2" ./index.json | head -n 1
  sed '$!s/$/,/' "$work/manifests"
  echo ']}'
} >"$work/layout/index.json"
tar --create --format=gnu --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner -C "$work/layout" -f "$out" .
echo "$out"
