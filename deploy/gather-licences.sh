#!/usr/bin/env bash
# Writes $TREE/THIRD-PARTY-LICENCES.txt, by the JDK in $JDK: the licences of Go and of the modules in its programs, which
# `go list` knows, and of all else that lies in the tree. make-tarball.sh runs it.
set -euo pipefail
shopt -s nullglob
root=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
go=$(mktemp -d)
trap 'rm -rf "$go"' EXIT
cp "$(go env GOROOT)/LICENSE" "$go/go.txt"
(cd "$root/go-echo" && go list -deps -tags netpoll -f '{{with .Module}}{{if .Version}}{{.Path}} {{.Dir}}{{end}}{{end}}' . ./cmd/...) |
  sort -u | while read -r module folder; do
  for file in "$folder"/LICEN[CS]E* "$folder"/NOTICE*; do
    cp "$file" "$go/${module//\//_}-${file##*/}"
  done
done
"$JDK/bin/java" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 "$root/deploy/Licences.java" "${TREE:?}" "$go"
