#!/bin/sh
# What Maven runs for this module: `build.sh build` makes target/go-echo, `build.sh test` vets and tests it.
set -eu
cd "$(dirname "$0")"

say() { echo "go-echo: $*" >&2; }

command -v go >/dev/null || {
  say "the Go tool is not on PATH; install Go 1.26 or newer, from https://go.dev/dl/ or your distribution"
  exit 3
}

# Every host measures the same Go, that of go.mod, where it can be fetched. Elsewhere the Go of the host builds. The ready line
# and run.json name the version in either case.
toolchain=$(sed -n 's/^toolchain //p' go.mod)
if why=$(GOTOOLCHAIN="$toolchain" go version 2>&1 >/dev/null); then
  export GOTOOLCHAIN="$toolchain"
else
  export GOTOOLCHAIN=local
  say "WARNING: $toolchain could not be fetched, so $(go env GOVERSION) builds: $why"
fi

fetch() {
  # Apart from the build, so that a missing network is not taken for an error in the sources.
  go mod download || {
    say "the modules named in go.sum could not be fetched through GOPROXY=$(go env GOPROXY), see the lines above."
    say "Fetch them once where there is a network ('go mod download' here); after that the build needs none."
    exit 3
  }
}

case "${1:-}" in
  build)
    fetch
    # Without cgo the binary needs no C library and so runs on any Linux; net and os/user have their Go versions.
    CGO_ENABLED=0 go build -trimpath -buildvcs=false -o target/go-echo .
    CGO_ENABLED=0 go build -trimpath -buildvcs=false -tags netpoll -o target/go-netpoll .
    CGO_ENABLED=0 go build -trimpath -buildvcs=false -o target/ ./cmd/...
    ;;
  test)
    fetch
    unformatted=$(gofmt -l .)
    [ -z "$unformatted" ] || { say "not in gofmt's form (gofmt -w them): $unformatted"; exit 1; }
    race=
    skipped=target/skipped/go-echo.tsv
    rm -f "$skipped"
    if command -v "$(go env CC | cut -d ' ' -f 1)" >/dev/null; then
      export CGO_ENABLED=1
      race=-race
    else
      export CGO_ENABLED=0
      say "WARNING: no C compiler ($(go env CC)), so the tests run WITHOUT the race detector; install gcc to have it"
      mkdir -p "${skipped%/*}"
      printf '%s\t%s\n' "go-echo: the race detector" \
        "lacks cc: $(go env CC) is not on PATH; get it: Debian package gcc" >"$skipped"
    fi
    go vet ./...
    go vet -tags netpoll .
    go test $race ./...
    ;;
  *)
    say "usage: build.sh build|test"
    exit 2
    ;;
esac
