package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// waitingServer is echoladder.workloads.WaitingServer of the Java module workloads, as a process of its own.
type waitingServer struct {
	java, classes string
	process       *exec.Cmd
	stdin         io.Closer
}

// find fills in what was not told; an error where it is not there.
func (s *waitingServer) find() error {
	if home := os.Getenv("JAVA_HOME"); s.java == "" && home != "" {
		s.java = filepath.Join(home, "bin", "java")
	} else if s.java == "" {
		s.java = "java"
	}
	if _, err := exec.LookPath(s.java); err != nil {
		return fmt.Errorf("the local server is a Java program, and there is no java: %w; name one of JDK 21 or newer by"+
			" --java or JAVA_HOME", err)
	}
	if s.classes != "" {
		return nil
	}
	own, err := os.Executable()
	if err != nil {
		return fmt.Errorf("cannot tell where this program is, which --server-classes needs to be told then: %w", err)
	}
	libraries := filepath.Join(filepath.Dir(own), "..", "..", "workloads", "target", "lib")
	if _, err := os.Stat(libraries); err != nil {
		return fmt.Errorf("the local server is not there: %w; build it (mvn package), or name its class path by"+
			" --server-classes", err)
	}
	s.classes = filepath.Join(libraries, "*")
	return nil
}

// start is the address that it listens on; each answer that waits takes so long.
func (s *waitingServer) start(wait time.Duration) (string, error) {
	s.process = exec.Command(s.java, "-Xmx512m", "-XX:+UseSerialGC", "-cp", s.classes,
		"echoladder.workloads.WaitingServer", strconv.FormatInt(wait.Milliseconds(), 10))
	s.process.Stderr = os.Stderr
	// It ends when its stdin does: also where this process is killed.
	stdin, err := s.process.StdinPipe()
	if err != nil {
		return "", err
	}
	s.stdin = stdin
	out, err := s.process.StdoutPipe()
	if err != nil {
		return "", err
	}
	if err := s.process.Start(); err != nil {
		return "", err
	}
	port, err := bufio.NewReader(out).ReadString('\n')
	if errors.Is(err, io.EOF) {
		return "", fmt.Errorf("the local server (%s) ended before it told its port; what it said stands above", s.java)
	} else if err != nil {
		return "", err
	}
	return "127.0.0.1:" + strings.TrimSpace(port), nil
}

// stop ends it.
func (s *waitingServer) stop() {
	if s.process == nil || s.process.Process == nil {
		return
	}
	_ = s.stdin.Close()
	_ = s.process.Process.Kill() // It may have ended by itself.
	_ = s.process.Wait()
}
