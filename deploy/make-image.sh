#!/usr/bin/env bash
# Makes target/echo-ladder-VERSION-oci-ARCH.tar, an OCI image layout, from the release tarball: make-image.sh TARBALL. In the image are the
# release, the libraries of this host that its Java runtime needs, and a user; no shell, no package manager. So `--own` and
# `lab`, which start a shell, are not for the image. join-images.sh makes one image of several architectures.
# Load it: podman load -i FILE. docs/container.md has the commands.
set -euo pipefail
tarball=$(readlink -f "$1")
root=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
name=$(basename "$tarball" .tar.gz)
machine=${name##*-}
release=${name#echo-ladder-}
version=${release%-linux-*}
user=65532 # The number that images without a shell mostly take for a user who is not root.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[[ $machine == "$(uname -m)" ]] || {
  echo "make-image.sh: $name is for $machine, and this host, whose libraries go into the image, has $(uname -m): run it on such a host" >&2
  exit 3
}

fill() {
  local files=$work/files home=/opt/echo-ladder library
  mkdir -p "$files$home" "$files"/{etc,proc,sys,usr/lib/locale,var/ladder} && mkdir -m 1777 "$files/tmp"
  tar -xzf "$tarball" -C "$files$home" --strip-components=1
  mkdir -p "$files$home/results"
  # Whatever an ELF of the runtime loads, at the path where it looks for it.
  find "$files$home/runtime" -type f \( -name '*.so' -o -perm -u+x \) -exec ldd {} + 2>/dev/null |
    sed -nE 's#^.*[[:space:]](/[^ ]+) \(0x.*#\1#p' | grep -v "^$files" | sort -u | while read -r library; do
    install -D -m 755 "$library" "$files$library"
  done
  [[ ! -d /usr/lib/locale/C.utf8 ]] || cp -r /usr/lib/locale/C.utf8 "$files/usr/lib/locale/"
  printf 'root:x:0:0::/:\nladder:x:%d:%d::/var/ladder:\n' "$user" "$user" >"$files/etc/passwd"
  printf 'root:x:0:\nladder:x:%d:\n' "$user" >"$files/etc/group"
}

pack() { # FILES... by OWNER
  tar --create --format=gnu --sort=name --mtime=@"$seconds" --numeric-owner --owner="$1" --group="$1" --no-recursion -C "$work/files" \
    --null --files-from=<(cd "$work/files" && find . "${@:2}" -print0 | LC_ALL=C sort -z)
}

blob() { # FILE: moves it among the blobs; prints its digest and size
  local digest size
  digest=$(sha256sum "$1" | cut -d ' ' -f 1)
  size=$(stat -c %s "$1")
  mv "$1" "$work/layout/blobs/sha256/$digest"
  echo "sha256:$digest $size"
}

json() {
  local java='"/opt/echo-ladder/runtime/bin/java", "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED"'
  java+=', "-Decholadder.home=/opt/echo-ladder", "-cp", "/opt/echo-ladder/harness/target/lib/*", "echoladder.harness.Ladder"'
  printf '{"created": "%s", "architecture": "%s", "os": "linux", "config": {"User": "%s", "WorkingDir": "/var/ladder", "Env": ["LC_ALL=C.UTF-8", "PATH=/opt/echo-ladder/runtime/bin"], "Entrypoint": [%s], "Cmd": ["--help"], "Labels": {"org.opencontainers.image.version": "%s", "org.opencontainers.image.licenses": "Apache-2.0"}}, "rootfs": {"type": "layers", "diff_ids": ["sha256:%s"]}}\n' \
    "$(date -u -d "@$seconds" +%Y-%m-%dT%H:%M:%SZ)" "$architecture" "$user:$user" "$java" "$version" "$layer_id" >"$work/config"
  read -r config config_size < <(blob "$work/config")
  printf '{"schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json", "config": {"mediaType": "application/vnd.oci.image.config.v1+json", "digest": "%s", "size": %d}, "layers": [{"mediaType": "application/vnd.oci.image.layer.v1.tar+gzip", "digest": "%s", "size": %d}]}\n' \
    "$config" "$config_size" "$layer" "$layer_size" >"$work/manifest"
  read -r manifest manifest_size < <(blob "$work/manifest")
  # A manifest in a line of its own, so that join-images.sh needs no parser.
  printf '{"schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json", "manifests": [\n{"mediaType": "application/vnd.oci.image.manifest.v1+json", "digest": "%s", "size": %d, "platform": {"os": "linux", "architecture": "%s"}, "annotations": {"org.opencontainers.image.ref.name": "echo-ladder:%s"}}\n]}\n' \
    "$manifest" "$manifest_size" "$architecture" "$version" >"$work/layout/index.json"
  echo '{"imageLayoutVersion": "1.0.0"}' >"$work/layout/oci-layout"
}

case $machine in x86_64) architecture=amd64 ;; aarch64) architecture=arm64 ;; *) architecture=$machine ;; esac
seconds=$(tar -tzvf "$tarball" --full-time --utc 2>/dev/null | awk 'NR == 1 { print $4 " " $5 "Z" }' | date -u -f - +%s)
mkdir -p "$work/layout/blobs/sha256"
fill
own=(-path ./var/ladder -o -path ./opt/echo-ladder/results)
pack 0 -mindepth 1 -not \( "${own[@]}" \) >"$work/layer"
pack "$user" \( "${own[@]}" \) >"$work/own.tar"
tar --concatenate -f "$work/layer" "$work/own.tar"
layer_id=$(sha256sum "$work/layer" | cut -d ' ' -f 1)
gzip -n -1 <"$work/layer" >"$work/layer.gz"
read -r layer layer_size < <(blob "$work/layer.gz")
json
out=${OUT:-$root/target/echo-ladder-$version-oci-$machine.tar}
tar --create --format=gnu --sort=name --mtime=@"$seconds" --owner=0 --group=0 --numeric-owner -C "$work/layout" -f "$out" .
echo "$out"
