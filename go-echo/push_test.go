//go:build !netpoll

package main

import (
	"bytes"
	"encoding/binary"
	"io"
	"log"
	"net"
	"testing"
	"testing/iotest"
	"time"

	"go.uber.org/goleak"
)

// startPush runs a server inside the test and stops it with the test.
func startPush(t *testing.T, queueBytes int, slowReader string) (*counts, *pushServer, string) {
	t.Helper()
	before := goleak.IgnoreCurrent()
	c := newCounts()
	l, err := listen("127.0.0.1", 0, 128, c, log.New(t.Output(), "", 0))
	if err != nil {
		t.Fatal(err)
	}
	s := newPushServer(l, c, &options{
		bufferBytes: 256, model: modelOptions{traffic: trafficPush, pushQueueBytes: queueBytes, slowReader: slowReader},
	})
	go s.serve()
	t.Cleanup(func() {
		s.drain(0)
		goleak.VerifyNone(t, before)
	})
	return c, s, l.Addr().String()
}

func pushFrame(kind byte, topic uint32, body []byte) []byte {
	frame := binary.BigEndian.AppendUint32(nil, uint32(5+len(body)))
	return append(binary.BigEndian.AppendUint32(append(frame, kind), topic), body...)
}

func expectPush(t *testing.T, c net.Conn, kind byte, topic uint32, body []byte) {
	t.Helper()
	want := pushFrame(kind, topic, body)
	got := make([]byte, len(want))
	if n, err := io.ReadFull(c, got); err != nil || !bytes.Equal(got, want) {
		t.Fatalf("got % x (error %v), expected % x", got[:min(n, 20)], err, want[:min(len(want), 20)])
	}
}

func TestPushesToWhoSubscribed(t *testing.T) {
	counts, _, address := startPush(t, 1<<20, slowDisconnect)
	one, other, publisher := connect(t, address), connect(t, address), connect(t, address)
	for _, c := range []net.Conn{one, other} {
		c.Write(pushFrame(kindSubscribe, 7, nil))
		expectPush(t, c, kindSubscribed, 7, nil)
	}
	body := randomBytes(100_000)
	publisher.Write(pushFrame(kindPublish, 7, body))
	expectPush(t, publisher, kindPublished, 7, []byte{0, 0, 0, 2})
	expectPush(t, one, kindMessage, 7, body)
	expectPush(t, other, kindMessage, 7, body)
	other.Write(pushFrame(kindLeave, 7, nil))
	expectPush(t, other, kindLeft, 7, nil)
	publisher.Write(pushFrame(kindPublish, 7, nil))
	expectPush(t, publisher, kindPublished, 7, []byte{0, 0, 0, 1})
	expectPush(t, one, kindMessage, 7, nil)
	for _, c := range []net.Conn{one, other, publisher} {
		c.Close()
	}
	await(t, "nobody has a subscription", func() bool { return counts.push.subscriptions.Load() == 0 && counts.open() == 0 })
	if counts.messages() != 3 || counts.dropped() != 0 || counts.queued() != 0 {
		t.Errorf("%d messages, %d dropped, %d bytes queued", counts.messages(), counts.dropped(), counts.queued())
	}
}

// outboxWithoutWriter takes what it is given and writes nothing.
func outboxWithoutWriter(queueBytes int) *outbox {
	c := newCounts()
	c.push = &pushCounts{}
	return newOutbox(&connection{shard: &c.shards[0]}, &pushServer{counts: c, queueBytes: queueBytes})
}

func TestDropsTheOldestMessagesAndNoReply(t *testing.T) {
	o := outboxWithoutWriter(1024)
	reply := frameOf(kindSubscribed, 1)
	var last []byte
	for i := range 100 {
		if i == 10 {
			o.reply(reply)
		}
		last = pushFrame(kindMessage, 1, bytes.Repeat([]byte{byte(i)}, 91))
		if !o.message(last) {
			t.Fatal("a message was refused")
		}
		if o.bytes > 1024 {
			t.Fatalf("%d bytes wait", o.bytes)
		}
	}
	if got := o.waiting[0]; !bytes.Equal(got, reply) {
		t.Errorf("the reply is not the oldest: % x", got[:9])
	}
	if got := o.waiting[len(o.waiting)-1]; !bytes.Equal(got, last) {
		t.Errorf("the newest is not there: % x", got[:9])
	}
	bytesWaiting := 0
	for _, frame := range o.waiting {
		bytesWaiting += len(frame)
	}
	if bytesWaiting != o.bytes || o.shard.queued.Load() != int64(o.bytes) {
		t.Errorf("%d bytes wait; %d and %d are counted", bytesWaiting, o.bytes, o.shard.queued.Load())
	}
	if got := o.shard.dropped.Load() + int64(o.messagesIn(o.waiting)); got != 100 {
		t.Errorf("%d messages wait or were dropped, of 100", got)
	}
	batch, n := o.next(nil)
	if n != bytesWaiting || len(o.waiting) != 0 || o.messagesIn(batch) != len(batch)-1 {
		t.Errorf("a batch of %d bytes in %d frames, and %d frames left", n, len(batch), len(o.waiting))
	}
}

// A socket that is full takes a batch in part: the frames whose last byte it took are written, and no other.
func TestCountsWhatTheKernelTookOfABatch(t *testing.T) {
	counts, server, address := startPush(t, 64<<20, slowDisconnect)
	c := connect(t, address)
	c.SetReadBuffer(4 << 10)
	c.Write(pushFrame(kindSubscribe, 1, nil))
	expectPush(t, c, kindSubscribed, 1, nil)
	message := pushFrame(kindMessage, 1, randomBytes(100))
	handed := int64(0)
	for ; handed < 16<<20/int64(len(message)); handed++ {
		if server.publish(1, message) != 1 {
			t.Fatal("a message was refused")
		}
	}
	before := int64(-1)
	await(t, "the socket is full", func() bool {
		now := counts.sent()
		stuck := now == before
		before = now
		return stuck
	})
	c.Close() // With bytes unread, which is a reset.
	await(t, "it has ended", func() bool { return counts.open() == 0 })
	if counts.queued() != 0 {
		t.Errorf("%d bytes are counted as queued", counts.queued())
	}
	if whole := (counts.sent() - frameHeadBytes) / int64(len(message)); counts.messages() != whole || counts.dropped() != handed-whole {
		t.Errorf("%d messages are written and %d dropped; the kernel took %d of %d", counts.messages(), counts.dropped(), whole, handed)
	}
}

func TestAnEmptyQueueTakesAMessageOfAnySize(t *testing.T) {
	o := outboxWithoutWriter(1024)
	if !o.message(pushFrame(kindMessage, 1, make([]byte, 1<<20))) {
		t.Error("it was refused")
	}
}

// FuzzFrames: frames in one piece and byte by byte are the same, and each is one that a client may send.
func FuzzFrames(f *testing.F) {
	f.Add(append(pushFrame(kindSubscribe, 0, nil), pushFrame(kindPublish, 0, []byte("body"))...))
	f.Add(pushFrame(kindLeave, 1<<31, nil))
	f.Add([]byte{0, 0x10, 0, 6, kindPublish})
	f.Add([]byte{0xff, 0xff, 0xff, 0xff})
	f.Fuzz(func(t *testing.T, input []byte) {
		whole, wholeErr := framesOf(bytes.NewReader(input))
		cut, cutErr := framesOf(iotest.OneByteReader(bytes.NewReader(input)))
		if !bytes.Equal(whole, cut) || wholeErr != cutErr {
			t.Fatalf("% x (%v) in one piece, % x (%v) byte by byte", whole, wholeErr, cut, cutErr)
		}
		if !bytes.HasPrefix(input, whole) {
			t.Fatalf("% x is no beginning of what was sent", whole)
		}
	})
}

func framesOf(in io.Reader) (all []byte, err error) {
	for end := time.Now().Add(patience); time.Now().Before(end); {
		frame, err := readFrame(in)
		if err != nil {
			return all, err
		}
		all = append(all, frame...)
	}
	return all, nil
}
