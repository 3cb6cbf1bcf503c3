#!/bin/sh
# Installs releases of Echo Ladder for one user, without root, several beside each other:
#   install.sh install VERSION | use VERSION | remove VERSION | list
# They lie in $ECHO_LADDER_HOME (~/.echo-ladder) by their versions; `current` is the one in use. ECHO_LADDER_RELEASES names another
# place of releases, also file:///a/folder. Nothing is unpacked whose hash is not that of SHA256SUMS.
set -eu
releases=${ECHO_LADDER_RELEASES:-https://github.com/echo-ladder/echo-ladder/releases/download}
home=${ECHO_LADDER_HOME:-${HOME:?is unset; set ECHO_LADDER_HOME}/.echo-ladder}
say() { echo "install.sh: $*" >&2; }
usage() {
  say "usage: install.sh install VERSION | use VERSION | remove VERSION | list"
  exit 2
}

# A version becomes a part of a path, beside the link `current`.
version() {
  case ${1:-} in
    '' | current | *[!0-9A-Za-z.-]* | .* | -*) usage ;;
  esac
}

fetch() { # URL FILE
  curl --fail --silent --show-error --location --retry 2 --max-time 600 --output "$2" "$1" || {
    say "$1 could not be fetched, see the line above. Is there such a release, and does curl reach it? ECHO_LADDER_RELEASES names another place."
    exit 3
  }
}

list() {
  for each in "$home"/*/RELEASE; do
    [ -f "$each" ] || continue
    each=$(basename "$(dirname "$each")")
    [ "$each" = current ] || echo "$each$([ "$(readlink "$home/current" 2>/dev/null)" != "$each" ] || echo ' (current)')"
  done
}

have() {
  [ -f "$home/$1/RELEASE" ] || {
    all=$(list | paste -s -d , | sed 's/,/, /g')
    say "version $1 is not in $home, which has ${all:-nothing}. 'install.sh install $1' gets it."
    exit 3
  }
}

use() {
  have "$1"
  ln -sfn "$1" "$home/current"
  echo "$home/current is $1; its command: $home/current/ladder (or: PATH=\"$home/current:\$PATH\")"
}

install() {
  [ ! -f "$home/$1/RELEASE" ] || { say "version $1 is there already"; use "$1"; return 0; }
  name=echo-ladder-$1-linux-$(uname -m)
  mkdir -p "$home"
  new=$(mktemp -d "$home/.unpack.XXXXXX")
  trap 'rm -rf "$new"' EXIT
  trap 'exit 130' INT TERM HUP
  fetch "$releases/v$1/SHA256SUMS" "$new/SHA256SUMS"
  fetch "$releases/v$1/$name.tar.gz" "$new/$name.tar.gz"
  sum=$(awk -v file="$name.tar.gz" '$2 == file || $2 == "*" file { print $1 }' "$new/SHA256SUMS")
  seen=$(sha256sum "$new/$name.tar.gz" | cut -d ' ' -f 1)
  [ "$sum" = "$seen" ] || {
    say "$name.tar.gz has the hash $seen, and SHA256SUMS says ${sum:-nothing of it}: nothing was installed. Fetch it again; if it stays so, report it."
    exit 3
  }
  tar -xzf "$new/$name.tar.gz" -C "$new"
  mv -T "$new/$name" "$home/$1"
  use "$1"
}

case ${1:-} in
  install | use) version "${2:-}" && "$1" "$2" ;;
  remove)
    version "${2:-}" && have "$2"
    [ "$(readlink "$home/current" 2>/dev/null)" != "$2" ] || rm "$home/current"
    rm -rf "${home:?}/$2"
    ;;
  list) list ;;
  *) usage ;;
esac
