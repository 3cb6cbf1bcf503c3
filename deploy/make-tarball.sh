#!/usr/bin/env bash
# Makes target/echo-ladder-VERSION-linux-ARCH.tar.gz of what the build has made: all that ./ladder needs on a host without a
# JDK, Maven or Go; SHA256SUMS beside it. docs/RELEASING.md says what two builds have in common. make-tarball.sh VERSION TIME
set -euo pipefail
version=$1
time=$2 # Of every file in the tarball.
root=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
jdk=${TOOLCHAIN_JAVA_HOME:-${JAVA_HOME:?is unset: it has to be the home of a JDK 25}}
work=$root/deploy/target
name=echo-ladder-$version-linux-$(uname -m)
tree=$work/$name

# TarballIT holds this list against what the classes refer to. jdk.jcmd is for those who look into a server; jdk.management
# registers the beans of a scheduler of virtual threads; jdk.zipfs reads jars.
modules=java.base,java.logging,java.management,java.naming,java.net.http,java.xml,jdk.httpserver,jdk.jcmd,jdk.jfr
modules+=,jdk.management,jdk.unsupported,jdk.zipfs
quick=(-XX:+UseSerialGC -XX:TieredStopAtLevel=1) # Of JVMs that live for a second.

# The runtime, with the class-data archives that the JDK has. It depends on the JDK alone and so is made once.
link() {
  local runtime=$work/runtime made_of archive
  made_of=$(cat "$jdk/release" "$root/deploy/write-archive.sh" && echo "$modules $time")
  [[ $(cat "$runtime.of" 2>/dev/null) != "$made_of" ]] || return 0
  rm -rf "$runtime" "$runtime.of"
  "$jdk/bin/jlink" "${quick[@]/#/-J}" --add-modules "$modules" --no-header-files --no-man-pages --output "$runtime"
  # An archive is good for files of these times alone.
  find "$runtime" -exec touch -h -d "$time" {} +
  for archive in "$jdk"/lib/server/classes*.jsa; do
    local options=()
    [[ $archive != *_nocoops* ]] || options+=(-XX:-UseCompressedOops)
    [[ $archive != *_coh.jsa ]] || options+=(-XX:+UseCompactObjectHeaders)
    "$root/deploy/write-archive.sh" "$runtime" "${options[@]}"
  done
  echo "$made_of" >"$runtime.of"
}

# Programs keep the places that they have in a checkout.
fill() {
  local file
  rm -rf "$work"/echo-ladder-*
  mkdir -p "$tree/share/bash-completion/completions"
  cd "$root"
  shopt -s nullglob
  cp -r --parents ladder LICENSE README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md CITATION.cff action.yml docs runbooks studies \
    sysctl results/{index,points,climbs}.csv results/reference/README.md results/reference/*/*.md results/reference/*/*/{*.md,*.svg,pairs.csv} \
    deploy/*.md deploy/*.example.yml deploy/{prepare,check,collect,undo}.yml deploy/roles \
    servers/README.md servers/*/server.yaml go-echo/server.yaml clients/*/README.md \
    harness/target/lib workloads/target/lib servers/*/target/lib "$tree"
  for file in go-echo/target/*; do
    [[ ! -f $file || ! -x $file ]] || cp --parents "$file" "$tree"
  done
  cp -r "$work/runtime" "$tree"
}

# What a shell and man know of the verbs: made by the ladder itself.
describe() {
  local ladder=("$work/runtime/bin/java" "${quick[@]}" -cp "$tree/harness/target/lib/*" echoladder.harness.Ladder)
  "${ladder[@]}" man "$tree/share/man/man1" >&2
  "${ladder[@]}" completion >"$tree/share/bash-completion/completions/ladder"
}

# A library that several programs have is stored once; the others are hard links.
link_duplicates() {
  local -A first
  local file
  while read -r file; do
    if cmp -s "${first[${file##*/}]:-}" "$file"; then
      ln -f "${first[${file##*/}]}" "$file"
    else
      first[${file##*/}]=$file
    fi
  done < <(find "$tree" -name '*.jar' | LC_ALL=C sort)
}

say_what_it_is() {
  local commit dirty
  commit=$(git -C "$root" rev-parse HEAD 2>/dev/null || true)
  dirty=$([[ -z $commit || -z $(git -C "$root" status --porcelain) ]] && echo false || echo true)
  # The content tells two builds of one commit apart.
  printf '%s\n' "version=$version" "commit=$commit" "dirty=$dirty" "arch=$(uname -m)" "content=$(cd "$tree" &&
    find . -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum | cut -c 1-64)" >"$tree/RELEASE"
}

link
fill
link_duplicates
TREE=$tree JDK=$jdk "$root/deploy/gather-licences.sh"
describe
chmod -R u=rwX,go=rX "$tree"
say_what_it_is
mkdir -p "$root/target"
# Level 1 takes a third of the time of the usual one, and 8 % more bytes.
rm -f "$root"/target/echo-ladder-*.tar.gz
tar --create --format=gnu --sort=name --mtime="$time" --owner=0 --group=0 --numeric-owner -C "$work" "$name" |
  gzip -n -1 >"$work/made.tar.gz"
mv "$work/made.tar.gz" "$root/target/$name.tar.gz"
"$root/deploy/make-one-file.sh" "$version" "$time" "$tree"
(cd "$root/target" && sha256sum "$name.tar.gz" echo-ladder-doctor-* >SHA256SUMS)
rm -rf "$tree"
