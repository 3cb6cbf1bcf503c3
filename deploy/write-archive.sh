#!/usr/bin/env bash
# Writes a class-data archive of a Java runtime, the same one wherever it is written: write-archive.sh RUNTIME [JVM-OPTION...]
# An archive holds objects of the JVM that writes it, its properties among them. So its working directory, its locale, its heap and its
# count of processors are set here, and nothing else of the environment reaches it.
set -euo pipefail
runtime=$(readlink -f "$1")
cd /
exec env -i LC_ALL=C "$runtime/bin/java" -Xshare:dump -XX:TieredStopAtLevel=1 -XX:ActiveProcessorCount=2 -Xms128m -Xmx128m "${@:2}" \
  -Xlog:disable -Xlog:all=error:stderr
