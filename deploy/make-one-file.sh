#!/usr/bin/env bash
# Makes target/echo-ladder-doctor-VERSION-linux-ARCH: doctor, explain, load and size with their Java runtime as one file, of the tree that
# goes into the tarball. deploy/one-file.sh is its beginning. make-tarball.sh runs it: make-one-file.sh VERSION TIME TREE
set -euo pipefail
version=$1
time=$2 # Of every file in it.
tree=$3
root=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
work=$root/deploy/target
arch=$(uname -m)

rm -rf "$work/one" "$root"/target/echo-ladder-doctor-*
mkdir -p "$work/one"
cd "$tree"
cp -al --parents RELEASE LICENSE THIRD-PARTY-LICENCES.txt ladder harness/target/lib runbooks sysctl docs/*.md \
  results/{index,points,climbs}.csv servers/*/server.yaml go-echo/server.yaml runtime "$work/one"
# JVMs of one kind run in it, which need one class-data archive and make none (classlist). Nobody looks into them or records them (jfr), no
# other JDK reads its classes (jrt-fs.jar), and they sort too little to need vectors for it (libsimdsort.so, without which a JVM does as well).
rm -f "$work"/one/runtime/lib/server/classes_*.jsa "$work"/one/runtime/lib/{jrt-fs.jar,classlist,libsimdsort.so} "$work"/one/runtime/lib/jfr/*.jfc
rm -f "$work"/one/runtime/bin/{jcmd,jps,jstat,jstack,jmap,jinfo,jfr}
# Studies alone start other load tools, and there is none in it to climb.
rm -f "$work"/one/harness/target/lib/{tcpkali,wrk2,h2load}-*.jar
sed -e "s/@CONTENT@/$(sed -n 's/^content=//p' RELEASE | cut -c 1-16)/" -e "s/@VERSION@/$version/" -e "s/@ARCH@/$arch/" \
  "$root/deploy/one-file.sh" >"$work/one-file"
tar --create --format=gnu --sort=name --mtime="$time" --owner=0 --group=0 --numeric-owner -C "$work/one" . |
  gzip -n -9 >>"$work/one-file"
chmod 755 "$work/one-file"
mv "$work/one-file" "$root/target/echo-ladder-doctor-$version-linux-$arch"
rm -rf "$work/one"
