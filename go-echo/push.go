//go:build !netpoll

package main

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"slices"
	"sync"
	"time"
)

const (
	trafficEcho    = "echo"
	trafficPush    = "push"
	slowDropOldest = "drop-oldest"
	slowDisconnect = "disconnect"
)

// The kinds of frames; see servers/README.md, "Push".
const (
	kindSubscribe byte = 1 + iota
	kindLeave
	kindPublish
	kindMessage
	kindSubscribed
	kindLeft
	kindPublished
)

const (
	lengthBytes = 4
	kindAt      = lengthBytes
	topicAt     = kindAt + 1
	// frameHeadBytes are length, kind and topic, which every frame of a client has.
	frameHeadBytes = topicAt + 4
	mostBodyBytes  = 1 << 20
	// bodyStepBytes is read at once of a body: what its head announces is not there yet.
	bodyStepBytes = 64 << 10
	// batchBytes is what the writer of a connection has in hand at most, or one frame: it cannot be dropped any more.
	batchBytes = 64 << 10
	// mostSpare is for how many frames a writer keeps its list when it is done with them.
	mostSpare = 64
	// mostSubscriptions of a connection bound what it can cost.
	mostSubscriptions = 1024
)

// errMalformed ends the connection that sent what is no frame.
var errMalformed = errors.New("malformed frame")

// pushServer hands each message that a client publishes to the subscribers of its topic.
type pushServer struct {
	listener    *listener
	counts      *counts
	bufferBytes int
	queueBytes  int
	disconnects bool
	accepting   sync.WaitGroup
	talking     sync.WaitGroup

	mu     sync.RWMutex
	topics map[uint32]*topic
}

// topic is who has subscribed. A message is handed to all of them under its lock, so that all see one order and a message is due to
// exactly those who were told SUBSCRIBED before and not LEFT. It exists while it has subscribers.
type topic struct {
	mu          sync.Mutex
	subscribers []*subscription
	gone        bool
}

// subscription is a connection's place among the subscribers of a topic.
type subscription struct {
	id     uint32
	topic  *topic
	outbox *outbox
	index  int
}

// talk is what the goroutine that reads a connection knows.
type talk struct {
	*connection
	server        *pushServer
	out           *outbox // nil until the first frame: a connection that says nothing has one goroutine.
	subscriptions []*subscription
	socket        bool
}

func newPushServer(l *listener, c *counts, o *options) *pushServer {
	s := newTopics(c, o)
	s.listener = l
	s.bufferBytes = o.bufferBytes
	s.accepting.Add(1)
	return s
}

// newTopics is a push server for connections that somebody else accepts.
func newTopics(c *counts, o *options) *pushServer {
	c.push = &pushCounts{}
	return &pushServer{
		counts: c, queueBytes: o.model.pushQueueBytes, disconnects: o.model.slowReader == slowDisconnect, topics: map[uint32]*topic{},
	}
}

func (s *pushServer) serve() {
	defer s.accepting.Done()
	s.listener.each(s.counts, &s.talking, s.converse)
}

func (s *pushServer) drain(limit time.Duration) int {
	s.listener.Close()
	s.accepting.Wait()
	return closeAll(s.counts, &s.talking, limit)
}

// converse reads a connection until its client ends it; what is queued for it is written before it is closed.
func (s *pushServer) converse(c *connection) {
	defer s.talking.Done()
	defer c.shard.remove(c)
	defer c.Close()
	t := &talk{connection: c, server: s}
	t.ended(t.readAll())
}

// ended ends the subscriptions of a connection on which nothing more comes, and waits until what is queued for it is written, or dropped.
func (t *talk) ended(err error) {
	if err == errMalformed {
		t.server.counts.push.malformed.Add(1)
	}
	for _, sub := range t.subscriptions {
		t.server.leave(sub, false)
	}
	t.subscriptions = nil
	if t.out == nil {
		return
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		t.out.finish()
	} else {
		t.out.abandon()
		t.Close() // Else the writer would wait on.
	}
	<-t.out.written
}

func (t *talk) readAll() error {
	in := bufio.NewReaderSize(t.TCPConn, t.server.bufferBytes)
	for {
		frame, err := readFrame(in)
		if err != nil {
			return err
		}
		t.shard.received.Add(int64(len(frame)))
		if err := t.take(frame); err != nil {
			return err
		}
	}
}

// readFrame returns the next frame, its length in front.
func readFrame(in io.Reader) ([]byte, error) {
	frame := make([]byte, frameHeadBytes)
	// The length and the kind alone tell much of what is malformed: the rest may never come.
	if _, err := io.ReadFull(in, frame[:lengthBytes]); err != nil {
		return nil, err
	}
	body := int64(binary.BigEndian.Uint32(frame)) - (frameHeadBytes - lengthBytes)
	if body < 0 || body > mostBodyBytes {
		return nil, errMalformed
	}
	if _, err := io.ReadFull(in, frame[kindAt:topicAt]); err != nil {
		return nil, err
	}
	kind := frame[kindAt]
	if kind < kindSubscribe || kind > kindPublish || kind != kindPublish && body > 0 {
		return nil, errMalformed
	}
	if _, err := io.ReadFull(in, frame[topicAt:]); err != nil {
		return nil, err
	}
	if frame[topicAt]&0x80 != 0 {
		return nil, errMalformed
	}
	for left := int(body); left > 0; {
		step := min(left, bodyStepBytes)
		from := len(frame)
		frame = append(frame, make([]byte, step)...)
		if _, err := io.ReadFull(in, frame[from:]); err != nil {
			return nil, err
		}
		left -= step
	}
	return frame, nil
}

// outbox begins to write with the first frame.
func (t *talk) outbox() *outbox {
	if t.out == nil {
		t.out = newOutbox(t.connection, t.server)
		t.out.socket = t.socket
		go t.out.writeAll()
	}
	return t.out
}

func (t *talk) take(frame []byte) error {
	t.outbox().awaitRoom()
	id := binary.BigEndian.Uint32(frame[topicAt:])
	switch frame[kindAt] {
	case kindSubscribe:
		if t.find(id) >= 0 {
			t.out.reply(frameOf(kindSubscribed, id))
		} else if len(t.subscriptions) == mostSubscriptions {
			return errMalformed
		} else {
			t.subscriptions = append(t.subscriptions, t.server.subscribe(id, t.out))
		}
	case kindLeave:
		if at := t.find(id); at >= 0 {
			t.server.leave(t.subscriptions[at], true)
			t.subscriptions = slices.Delete(t.subscriptions, at, at+1)
		} else {
			t.out.reply(frameOf(kindLeft, id))
		}
	default:
		t.server.counts.push.published.Add(1)
		// A publish and the message that it becomes differ in their kind alone.
		frame[kindAt] = kindMessage
		count := t.server.publish(id, t.out.framed(frame))
		t.out.reply(binary.BigEndian.AppendUint32(frameOf(kindPublished, id), uint32(count)))
	}
	return nil
}

// find is the place of a subscription, or -1.
func (t *talk) find(id uint32) int {
	return slices.IndexFunc(t.subscriptions, func(s *subscription) bool { return s.id == id })
}

// frameOf is a frame without a body, or the beginning of a PUBLISHED, whose count follows.
func frameOf(kind byte, id uint32) []byte {
	length := uint32(frameHeadBytes - lengthBytes)
	if kind == kindPublished {
		length += 4
	}
	frame := binary.BigEndian.AppendUint32(make([]byte, 0, lengthBytes+length), length)
	return binary.BigEndian.AppendUint32(append(frame, kind), id)
}

// subscribe has every later publish to the topic handed to out, behind a SUBSCRIBED where it takes replies.
func (s *pushServer) subscribe(id uint32, out *outbox) *subscription {
	for {
		t := s.topic(id)
		t.mu.Lock()
		if !t.gone {
			sub := &subscription{id: id, topic: t, outbox: out, index: len(t.subscribers)}
			t.subscribers = append(t.subscribers, sub)
			s.counts.push.subscriptions.Add(1)
			if out.events == nil {
				out.reply(frameOf(kindSubscribed, id))
			}
			t.mu.Unlock()
			return sub
		}
		t.mu.Unlock()
	}
}

func (s *pushServer) topic(id uint32) *topic {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.topics[id]
	if t == nil {
		t = &topic{}
		s.topics[id] = t
	}
	return t
}

// leave has no later publish handed over.
func (s *pushServer) leave(sub *subscription, saysLeft bool) {
	t := sub.topic
	t.mu.Lock()
	defer t.mu.Unlock()
	// The last one takes the place, as the order of subscribers is nobody's business.
	last := len(t.subscribers) - 1
	t.subscribers[sub.index] = t.subscribers[last]
	t.subscribers[sub.index].index = sub.index
	t.subscribers[last] = nil
	t.subscribers = t.subscribers[:last]
	s.counts.push.subscriptions.Add(-1)
	if saysLeft {
		sub.outbox.reply(frameOf(kindLeft, sub.id))
	}
	if last == 0 {
		t.gone = true
		s.mu.Lock()
		delete(s.topics, sub.id)
		s.mu.Unlock()
	}
}

// publish hands a message to each subscriber of its topic and returns how many took it.
func (s *pushServer) publish(id uint32, message []byte) (took int) {
	s.mu.RLock()
	t := s.topics[id]
	s.mu.RUnlock()
	if t == nil {
		return 0
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, sub := range t.subscribers {
		if sub.outbox.message(message) {
			took++
		}
	}
	return took
}
