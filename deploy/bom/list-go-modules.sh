#!/usr/bin/env bash
# Writes target/bom-go.json: Go's standard library and the Go modules of the programs, with their licences, as CycloneDX lists them.
# The tool is pinned by go.sum, so a warm cache of modules suffices. The time of the listing is left out, so two lists are alike.
# Maven runs this in the profile `release`.
set -euo pipefail
root=$(dirname "$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")")
mkdir -p "$root/target"
cd "$root/deploy/bom"
GOFLAGS=-tags=netpoll go tool cyclonedx-gomod mod -json -licenses -std -noserial "$root/go-echo" |
  grep -v '^ *"timestamp": ' >"$root/target/bom-go.json"
