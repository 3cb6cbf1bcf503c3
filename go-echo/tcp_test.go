package main

import (
	"bytes"
	"io"
	"log"
	"math/rand/v2"
	"net"
	"sync"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"
	"golang.org/x/sys/unix"
)

// patience bounds waits that end by themselves where all is well; no test measures time with it.
const patience = 30 * time.Second

// startTCP runs a server inside the test and stops it with the test.
func startTCP(t *testing.T) (*counts, *tcpServer, string) {
	t.Helper()
	before := goleak.IgnoreCurrent()
	c := newCounts()
	l, err := listen("127.0.0.1", 0, 128, c, log.New(t.Output(), "", 0))
	if err != nil {
		t.Fatal(err)
	}
	s := newGoroutinesServer(l, c, 256)
	go s.serve()
	t.Cleanup(func() {
		s.drain(0)
		goleak.VerifyNone(t, before)
	})
	return c, s, l.Addr().String()
}

func connect(t *testing.T, address string) *net.TCPConn {
	t.Helper()
	c, err := net.DialTimeout("tcp", address, patience)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	c.SetDeadline(time.Now().Add(patience))
	return c.(*net.TCPConn)
}

func await(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !holds(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not seen within %s: %s", patience, what)
		}
	}
}

func randomBytes(n int) []byte {
	source := rand.NewChaCha8([32]byte{byte(n)})
	b := make([]byte, n)
	source.Read(b)
	return b
}

func echoOf(t *testing.T, c *net.TCPConn, message []byte) []byte {
	t.Helper()
	written := make(chan error, 1)
	go func() {
		_, err := c.Write(message)
		written <- err
	}()
	got := make([]byte, len(message))
	if n, err := io.ReadFull(c, got); err != nil {
		t.Fatalf("%d of %d bytes came back: %v", n, len(message), err)
	}
	if err := <-written; err != nil {
		t.Fatal(err)
	}
	return got
}

func TestEchoesEveryByteAsItCame(t *testing.T) {
	counts, _, address := startTCP(t)
	c := connect(t, address)
	total := 0
	for _, size := range []int{1, 64, 255, 256, 257, 1 << 20} {
		message := randomBytes(size)
		if !bytes.Equal(echoOf(t, c, message), message) {
			t.Errorf("a message of %d bytes came back changed", size)
		}
		total += size
	}
	// The peer can have the last echo before the server has counted it.
	await(t, "all counted as sent", func() bool { return counts.sent() == int64(total) })
	if counts.received() != int64(total) {
		t.Errorf("counted %d received of %d bytes", counts.received(), total)
	}
}

func TestReturnsAllBeforeItsFin(t *testing.T) {
	counts, _, address := startTCP(t)
	c := connect(t, address)
	message := randomBytes(100_000)
	go func() {
		c.Write(message)
		c.CloseWrite()
	}()
	got, err := io.ReadAll(c)
	if err != nil || !bytes.Equal(got, message) {
		t.Fatalf("got %d of %d bytes before EOF, error %v", len(got), len(message), err)
	}
	await(t, "no connection left", func() bool { return counts.open() == 0 })
}

func TestPeerThatNeverReadsCostsOneBufferAndSlowsNobody(t *testing.T) {
	counts, _, address := startTCP(t)
	greedy := connect(t, address)
	greedy.SetWriteDeadline(time.Now().Add(500 * time.Millisecond))
	chunk := randomBytes(64 << 10)
	sent := 0
	for { // Until both ends' socket buffers are full and a write can't go on.
		n, err := greedy.Write(chunk)
		sent += n
		if err != nil {
			break
		}
		if sent > 1<<30 {
			t.Fatal("1 GiB was taken from a peer that reads nothing")
		}
	}
	other := connect(t, address)
	if message := randomBytes(1000); !bytes.Equal(echoOf(t, other, message), message) {
		t.Error("the other connection's echo was wrong")
	}
	await(t, "no more than one buffer of 256 bytes held in user space", func() bool {
		return counts.received()-counts.sent() <= 256
	})
}

func TestResetClosesQuietly(t *testing.T) {
	counts, _, address := startTCP(t)
	for range 20 {
		c := connect(t, address)
		c.Write(randomBytes(10_000))
		c.SetLinger(0)
		c.Close()
	}
	await(t, "all accepted", func() bool { return counts.accepted.Load() == 20 })
	await(t, "all closed", func() bool { return counts.open() == 0 })
	if message := randomBytes(64); !bytes.Equal(echoOf(t, connect(t, address), message), message) {
		t.Error("the echo after the resets was wrong")
	}
}

func TestManyOpenAndCloseAtOnce(t *testing.T) {
	const connections = 200
	counts, _, address := startTCP(t)
	var all sync.WaitGroup
	for i := range connections {
		c := connect(t, address)
		all.Go(func() {
			message := randomBytes(i + 1)
			if !bytes.Equal(echoOf(t, c, message), message) {
				t.Errorf("connection %d got another's bytes", i)
			}
			c.Close()
		})
	}
	all.Wait()
	await(t, "none open", func() bool { return counts.open() == 0 })
	if got := counts.accepted.Load(); got != connections {
		t.Errorf("counted %d accepted of %d", got, connections)
	}
	if want := int64(connections * (connections + 1) / 2); counts.sent() != want {
		t.Errorf("counted %d bytes sent of %d", counts.sent(), want)
	}
}

func TestDrainEchoesWhatWasReceivedAndThenCloses(t *testing.T) {
	counts, server, address := startTCP(t)
	c := connect(t, address)
	message := randomBytes(1 << 20)
	go c.Write(message)
	// Not read until the server has stopped reading: it is in the middle of its echo then.
	await(t, "the server has begun", func() bool { return counts.received() > 0 })
	drained := make(chan int)
	go func() { drained <- server.drain(patience) }()
	await(t, "nobody accepts any more", func() bool {
		probe, err := net.Dial("tcp", address)
		if err == nil {
			probe.Close()
		}
		return err != nil
	})
	got, err := io.ReadAll(c)
	if err != nil && !isReset(err) {
		t.Fatal(err)
	}
	if len(got) == 0 || !bytes.HasPrefix(message, got) {
		t.Errorf("%d bytes came back; they are no beginning of what was sent", len(got))
	}
	if left := <-drained; left != 0 {
		t.Errorf("%d connections had to be closed by force", left)
	}
	if counts.received() != counts.sent() {
		t.Errorf("received %d bytes, sent %d", counts.received(), counts.sent())
	}
}

func isReset(err error) bool {
	e, ok := err.(*net.OpError)
	return ok && e.Err.Error() == "read: "+syscall.ECONNRESET.Error()
}

func TestDrainGivesUpOnAPeerThatNeverReads(t *testing.T) {
	counts, server, address := startTCP(t)
	c := connect(t, address)
	// Until nothing moves any more: the server is in the middle of an echo that nobody takes.
	block := randomBytes(64 << 10)
	for full := false; !full; {
		before := counts.received()
		c.SetWriteDeadline(time.Now().Add(500 * time.Millisecond))
		_, err := c.Write(block)
		full = err != nil && counts.received() == before
	}
	if left := server.drain(50 * time.Millisecond); left != 1 {
		t.Errorf("drain closed %d by force, expected the one", left)
	}
	if counts.open() != 0 {
		t.Errorf("%d still open", counts.open())
	}
}

func TestAcceptedSocketsHaveNoDelayAndNoKeepAlive(t *testing.T) {
	counts, _, address := startTCP(t)
	echoOf(t, connect(t, address), []byte("x"))
	seen := 0
	counts.each(func(c *connection) {
		seen++
		for _, want := range []struct {
			name                 string
			level, option, value int
		}{
			{"TCP_NODELAY", unix.IPPROTO_TCP, unix.TCP_NODELAY, 1},
			{"SO_KEEPALIVE", unix.SOL_SOCKET, unix.SO_KEEPALIVE, 0},
			{"SO_PROTOCOL", unix.SOL_SOCKET, unix.SO_PROTOCOL, unix.IPPROTO_TCP},
		} {
			raw, err := c.SyscallConn()
			if err != nil {
				t.Fatal(err)
			}
			raw.Control(func(fd uintptr) {
				if got, err := unix.GetsockoptInt(int(fd), want.level, want.option); err != nil || got != want.value {
					t.Errorf("%s is %d, expected %d (error %v)", want.name, got, want.value, err)
				}
			})
		}
	})
	if seen != 1 {
		t.Errorf("%d connections listed, expected 1", seen)
	}
}

func TestAcceptedSocketsHaveWhatTheListenerHasForGonePeers(t *testing.T) {
	l, err := listen("127.0.0.1", 0, 128, newCounts(), log.New(t.Output(), "", 0))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if err := l.endsOfGonePeers(true, 12_345); err != nil {
		t.Fatal(err)
	}
	connect(t, l.Addr().String())
	c, err := l.AcceptTCP()
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	raw, err := c.SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	raw.Control(func(fd uintptr) {
		if on, err := unix.GetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_KEEPALIVE); err != nil || on != 1 {
			t.Errorf("SO_KEEPALIVE is %d, expected 1 (error %v)", on, err)
		}
		if ms, err := unix.GetsockoptInt(int(fd), unix.IPPROTO_TCP, unix.TCP_USER_TIMEOUT); err != nil || ms != 12_345 {
			t.Errorf("TCP_USER_TIMEOUT is %d ms, expected 12345 (error %v)", ms, err)
		}
	})
}

func TestListsEveryOpenConnectionOnce(t *testing.T) {
	var s shard
	all := []*connection{{}, {}, {}, {}}
	for _, c := range all {
		s.add(c)
	}
	for _, i := range []int{1, 3, 0, 2} { // The middle, the first in the list, the last, the only one.
		s.remove(all[i])
		for c := s.first; c != nil; c = c.next {
			if c == all[i] {
				t.Errorf("connection %d is still listed", i)
			}
			if c.next != nil && c.next.previous != c {
				t.Error("the list does not run back as it runs forth")
			}
		}
	}
	if s.first != nil || s.open != 0 {
		t.Errorf("%d are left", s.open)
	}
}
