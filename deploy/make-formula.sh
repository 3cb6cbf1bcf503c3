#!/usr/bin/env bash
# Writes target/echo-ladder.rb, the Homebrew formula of a release, from its SHA256SUMS: make-formula.sh VERSION. It is for Linux, as the
# release is; an architecture without a tarball in SHA256SUMS is left out.
set -euo pipefail
version=$1
root=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
sums=${SUMS:-$root/target/SHA256SUMS}
out=${OUT:-$root/target/echo-ladder.rb}
site=https://github.com/echo-ladder/echo-ladder

of() { # ARCHITECTURE BLOCK
  local file=echo-ladder-$version-linux-$1.tar.gz sum
  sum=$(awk -v file="$file" '$2 == file { print $1 }' "$sums")
  [[ -z $sum ]] || printf '  %s do\n    url "%s/releases/download/v%s/%s"\n    sha256 "%s"\n  end\n\n' "$2" "$site" "$version" "$file" "$sum"
}

blocks=$(of x86_64 on_intel && of aarch64 on_arm)
[[ -n $blocks ]] || {
  echo "make-formula.sh: $sums has no tarball of version $version: 'mvn -Prelease package' makes both, see docs/RELEASING.md" >&2
  exit 3
}
cat >"$out" <<EOF
class EchoLadder < Formula
  desc "Finds how many connections a server carries, at what times and cost"
  homepage "$site"
  version "$version"
  license "Apache-2.0"

$blocks

  depends_on :linux

  def install
    libexec.install Dir["*"]
    bin.write_exec_script libexec/"ladder"
    man1.install_symlink Dir[libexec/"share/man/man1/*"]
    bash_completion.install_symlink libexec/"share/bash-completion/completions/ladder"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/ladder --version")
  end
end
EOF
