#!/usr/bin/env bash
# Builds the release of this commit twice, from two clones at two places, without network, and compares what comes out byte by byte:
# the tarball and the lists of libraries. Java's lists are made with a network: offline, Maven leaves their plugin out. Changes that are
# in no commit are not in it. Exit status: 0 alike, 1 different, 3 no build.
# It takes as long as two builds and two more without the tarball; the local Maven repository and Go's caches have to hold what the release profile needs.
set -euo pipefail
root=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
commit=$(git -C "$root" rev-parse HEAD)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
places=("$work/a" "$work/another-place/with a longer name")
made=()

say() { echo "build-twice: $*" >&2; }

build() {
  local place=$1 start=$SECONDS
  mkdir -p "$(dirname "$place")"
  git clone -q "$root" "$place"
  git -C "$place" checkout -q "$commit"
  (cd "$place" && GOPROXY=off GOFLAGS=-mod=readonly mvn -B -ntp -q -o -Prelease -DskipTests -Dmaven.test.skip package) >&2 || {
    say "the build in $place failed; without -o it fetches what is missing: mvn -Prelease -DskipTests package"
    exit 3
  }
  say "built in $((SECONDS - start)) s, without network"
  (cd "$place" && mvn -B -ntp -q -Prelease -DskipTests -Dmaven.test.skip -Dtarball.skip package) >&2 || {
    say "the lists of Java's libraries in $place could not be made; they need a network"
    exit 3
  }
}

# What differs within two tarballs, by the names of files.
differences() {
  local i
  for i in 0 1; do
    mkdir "$work/$i"
    tar -xzf "${places[i]}"/target/echo-ladder-*.tar.gz -C "$work/$i"
  done
  (cd "$work" && diff -rq 0 1) | head -n 40 || true
  diff "${places[@]/%//target/bom.json}" | head -n 20 || true
}

same=true
for place in "${places[@]}"; do
  build "$place"
done
for file in "${places[0]}"/target/{echo-ladder-*.tar.gz,bom.json,bom.xml,bom-go.json}; do
  name=${file##*/}
  [[ -f $file ]] || { say "$file was not made" && exit 3; }
  if cmp -s "$file" "${places[1]}/target/$name"; then
    made+=("alike: $(sha256sum <"$file" | cut -d ' ' -f 1)  $name")
  else
    made+=("DIFFERENT: $name")
    same=false
  fi
done
printf '%s\n' "${made[@]}"
$same || {
  differences
  exit 1
}
