# What ./ladder does in a checkout and not in a release: finds the JDK 25, and builds when the sources are not those of
# the build. It sources this file, and has set $home, $jdk and say().
# shellcheck shell=bash
# shellcheck disable=SC2154

stamp=$home/target/ladder-built # As old as the beginning of the last good build, with a hash of what went into it.
built_by=$home/target/ladder-jdk # The JDK of that build: sudo drops JAVA_HOME and the user's PATH.
log=$home/target/ladder-build.log

# A JDK tells its version in the file `release`; reading it is much quicker than starting java.
is_jdk_25() { [[ -x $1/bin/java && -r $1/release ]] && grep -q '^JAVA_VERSION="25[."]' "$1/release"; }

find_jdk() {
  local candidate on_path
  on_path=$(readlink -f "$(command -v java || true)" || true)
  for candidate in "${JAVA_HOME:-}" "$(cat "$built_by" 2>/dev/null || true)" "${on_path%/bin/java}" \
    /usr/lib/jvm/* ~/.sdkman/candidates/java/* ~/.jdks/* /opt/*; do
    if [[ -n $candidate ]] && is_jdk_25 "$candidate"; then
      echo "$candidate"
      return
    fi
  done
  say "JDK 25 was not found: not by JAVA_HOME (${JAVA_HOME:-unset}), not as java on PATH (${on_path:-none}), nor in" \
    "/usr/lib/jvm, ~/.sdkman/candidates/java, ~/.jdks or /opt."
  say "Get it from https://adoptium.net/temurin/releases/?version=25 or your distribution (Debian, Ubuntu:" \
    "openjdk-25-jdk; Fedora: java-25-openjdk-devel); where it is elsewhere, set JAVA_HOME."
  return 1
}

# What goes into the build. A directory is newer when a file in it came or went.
inputs() (
  cd "$home" || exit
  shopt -s nullglob
  find ./pom.xml ./*/pom.xml ./*/*/pom.xml ./*/src/main ./*/*/src/main ./go-echo ./docs/*.schema.json \
    -path ./go-echo/target -prune -o ! -name '*_test.go' "$@"
)

contents() { inputs -type f -print0 | LC_ALL=C sort -z | (cd "$home" && xargs -0 sha256sum) | sha256sum; }

# Whether other sources were built. Mostly times tell; where a copy or a tool changed times alone, contents do.
stale() {
  [[ -f $stamp && -d $home/harness/target/lib && -x $home/go-echo/target/go-echo ]] || return 0
  local now=$EPOCHSECONDS
  [[ -n $(inputs -newer "$stamp" -print -quit) ]] || return 1
  [[ $(contents) == "$(<"$stamp")" ]] || return 0
  touch -d "@$now" "$stamp" 2>/dev/null || true
  return 1
}

lacks() { say "$@" && complete=false; }

check_build_tools() {
  local complete=true
  [[ ${SUDO_UID:-0} == 0 ]] || lacks "sources are newer than the build, and its owner could not replace what root builds:" \
    "run ./ladder --help without sudo first, which builds."
  [[ -x $jdk/bin/javac ]] || lacks "$jdk has no javac: it is a runtime only. The build needs the JDK 25 (Debian, Ubuntu:" \
    "openjdk-25-jdk)."
  command -v mvn >/dev/null || lacks "Maven (mvn) is not on PATH. The build needs 3.8 or newer: the package maven of your" \
    "distribution, or from its project's site."
  command -v go >/dev/null || lacks "Go (go) is not on PATH. The build needs 1.26 or newer: https://go.dev/dl/"
  $complete
}

build() {
  check_build_tools || exit 3
  mkdir -p "$home/target" "$home/go-echo/target"
  rm -f "$stamp"
  contents >"$stamp.new"
  say "there is no build of these sources yet: building, which takes minutes the first time; log in $log"
  local start=$SECONDS
  # Of an earlier build no library stays on the class path. What is built here, mvn compiles again, and may lint.
  rm -rf "$home"/*/target/lib "$home"/*/*/target/lib
  if ! (cd "$home" && JAVA_HOME=$jdk mvn -B -ntp -q -DskipTests -Dmaven.test.skip -Dtarball.skip package &&
    rm -rf "$home"/*/target/maven-status "$home"/*/*/target/maven-status) >"$log" 2>&1 </dev/null 9<&-; then
    tail -n 30 "$log" >&2
    say "the build failed after $((SECONDS - start)) s; above are the last lines of $log"
    exit 3
  fi
  echo "$jdk" >"$built_by"
  mv "$stamp.new" "$stamp"
  say "built in $((SECONDS - start)) s"
}

build_if_stale() {
  stale || return 0
  flock -n 9 || {
    say "sources are newer than the build, but another ./ladder builds or runs from it: waiting"
    flock -s 9 # Until nobody builds; what was built meanwhile may be all that is needed.
  }
  if stale; then
    flock 9
    ! stale || build
  fi
}
