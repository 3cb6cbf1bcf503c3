package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A go that cannot fetch another version of itself.
const goWithoutNetwork = `#!/bin/sh
case "$GOTOOLCHAIN $*" in
  "local env GOVERSION") echo go1.0 ;;
  "local "*) ;;
  *) echo "go: download $GOTOOLCHAIN: no route to host" >&2; exit 1 ;;
esac
`

func TestTheBuildSaysWhyItHasAnotherGo(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"go": goWithoutNetwork, "go.mod": "module m\n\ngo 1.0\n\ntoolchain go9.9.9\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	script, err := os.ReadFile("build.sh")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "build.sh"), script, 0o755); err != nil {
		t.Fatal(err)
	}
	build := exec.Command("sh", filepath.Join(dir, "build.sh"), "build")
	build.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"))
	said, err := build.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	for _, expected := range []string{"go9.9.9 could not be fetched, so go1.0 builds", "no route to host"} {
		if !strings.Contains(string(said), expected) {
			t.Errorf("%q is not in %q", expected, said)
		}
	}
}
