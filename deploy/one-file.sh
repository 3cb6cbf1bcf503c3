#!/bin/sh
# Echo Ladder in one file: doctor, explain, load and size, with their Java runtime. It unpacks itself into a cache, once.
# Everything below the line of @'s is a gzipped tar archive.
set -eu
content=@CONTENT@
version=@VERSION@
say() { echo "${0##*/}: $*" >&2; }

# A closed one would be the next file that somebody opens: the answer would be written into that.
[ -e /proc/self/fd/0 ] || exec </dev/null
[ -e /proc/self/fd/2 ] || exec 2>/dev/null
[ -e /proc/self/fd/1 ] || {
  say "stdout is closed, so nobody could read the answer; have it written to a file, or to /dev/null"
  exit 3
}

case "${1:---help}" in
  doctor | explain | load | size) ;;
  -h | --help | help)
    cat <<EOF
usage: ${0##*/} doctor|explain|load|size ...
Echo Ladder $version in one file, for a look at a host that has no JDK. Each verb takes --help.

  ${0##*/} explain 'Cannot assign requested address'   what an error text or a number means, and what lifts it
  ${0##*/} doctor --connections 100000                 which limit of this host stops so many connections
  ${0##*/} load --target 127.0.0.1:9000                load an echo server
  ${0##*/} size --connections 100000                   what so many connections take, by the published runs

It unpacks into \${XDG_CACHE_HOME:-~/.cache}/echo-ladder (some 130 MB) at its first start. LADDER_CACHE names another folder.
All other verbs are in the release: echo-ladder-$version-linux-$(uname -m).tar.gz.
EOF
    exit 0 ;;
  -V | --version) echo "Echo Ladder $version, content $content"; exit 0 ;;
  *)
    say "'$1' is not in this file, which has doctor, explain, load and size. The release has all verbs: echo-ladder-$version-linux-$(uname -m).tar.gz."
    exit 2 ;;
esac
[ "$(uname -m)" = "@ARCH@" ] || {
  say "this file is for @ARCH@, and this host has $(uname -m): take the file for it."
  exit 3
}

cache=${LADDER_CACHE:-${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/echo-ladder}
home=$cache/$content
if [ ! -f "$home/RELEASE" ]; then
  # Beside its place, so that two that unpack at once do no harm, and one that is stopped leaves nothing that is taken for whole.
  new=$cache/.unpack.$$
  trap 'rm -rf "$new"' EXIT
  trap 'exit 130' INT TERM HUP
  if ! { mkdir -p "$new" && tail -n +"$(($(sed -n '/^@@@@@@@@$/{=;q;}' "$0") + 1))" "$0" | gzip -dc | tar -xf - -C "$new"; }; then
    say "it could not be unpacked into $cache: is there room for 130 MB, and may you write there? LADDER_CACHE names another folder."
    exit 3
  fi
  mv -T "$new" "$home" 2>/dev/null || [ -f "$home/RELEASE" ] || { say "$home is in the way"; exit 3; }
  rm -rf "$new" # The other one's is in place.
  trap - EXIT INT TERM HUP
fi

# shellcheck disable=SC3045 # dash, bash and busybox know -S and -H
soft=$(ulimit -Sn) hard=$(ulimit -Hn)
# Classes that a verb has loaded once are mapped from an archive from then on; where it cannot be written, a start takes longer.
archive=$home/classes-$1.jsa
compilers=-XX:TieredStopAtLevel=1
[ "$1" != load ] || compilers=-XX:TieredStopAtLevel=4 # Its loops are what takes time.
# In a locale of ASCII alone a JVM finds no file whose name has an umlaut, and prints ? for µ. A locale that is not installed acts as ASCII.
# ./ladder looks for another locale in the same way; this is for any sh, and for hosts without locale(1).
# Prints the character set of locale $1, or of the one in force. In UTF-8, and in no ASCII locale, wc counts the two bytes of a µ as one character.
charmap() {
  if command -v locale >/dev/null; then
    env ${1:+"LC_ALL=$1"} locale charmap
  elif [ "$(printf '\302\265' | env ${1:+"LC_ALL=$1"} wc -m)" -eq 1 ]; then
    echo UTF-8
  else
    echo ANSI_X3.4-1968
  fi 2>/dev/null
}
if [ "$(charmap)" = ANSI_X3.4-1968 ]; then
  for utf8 in C.UTF-8 C.utf8 en_US.UTF-8 $(locale -a 2>/dev/null | sed -n '/[Uu][Tt][Ff]-*8$/{p;q;}'); do
    [ "$(charmap "$utf8")" != UTF-8 ] || { LC_ALL=$utf8 && export LC_ALL && break; }
  done
fi
# shellcheck disable=SC2093 # What follows is the archive.
exec "$home/runtime/bin/java" -XX:+UseSerialGC "$compilers" -XX:+AutoCreateSharedArchive "-XX:SharedArchiveFile=$archive" -Xlog:disable \
  --enable-native-access=ALL-UNNAMED -Decholadder.home="$home" \
  -Decholadder.nofile.soft="$soft" -Decholadder.nofile.hard="$hard" \
  -cp "$home/harness/target/lib/*" echoladder.harness.Ladder "$@"
@@@@@@@@
