//go:build !netpoll

package main

import (
	"net"
	"sync"
	"time"
)

// outbox is what waits for one connection. A publisher appends a reference to the shared frame here, whatever the client does, and the
// connection's writer writes.
type outbox struct {
	*connection
	server  *pushServer
	written chan struct{} // Closed when the writer has ended.
	// events writes frames that are events of HTTP, of which none is a reply; nil = they are those of TCP.
	events func(batch [][]byte) (int64, error)
	// socket: each frame is the payload of a message over WebSocket, without its length.
	socket bool

	mu        sync.Mutex
	changed   sync.Cond
	waiting   [][]byte
	bytes     int
	finishing bool // Nothing more is taken; the writer ends when all is written.
	ended     bool // Nothing more is written.
}

func newOutbox(c *connection, s *pushServer) *outbox {
	o := &outbox{connection: c, server: s, written: make(chan struct{})}
	o.changed.L = &o.mu
	return o
}

func (o *outbox) isMessage(frame []byte) bool {
	switch {
	case o.events != nil:
		return true
	case o.socket:
		return isSocketMessage(frame)
	default:
		return frame[kindAt] == kindMessage
	}
}

// framed is a frame as it goes out here.
func (o *outbox) framed(frame []byte) []byte {
	if o.socket {
		return socketFrame(frame[lengthBytes:])
	}
	return frame
}

// message takes one; false where the connection ends instead, or has ended.
func (o *outbox) message(frame []byte) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.finishing || o.ended {
		return false
	}
	if o.bytes > 0 && o.bytes+len(frame) > o.server.queueBytes {
		if o.server.disconnects {
			o.server.counts.push.disconnected.Add(1)
			o.end()
			o.SetLinger(0) // Else the kernel keeps what it holds for who does not read.
			o.SetDeadline(time.Unix(1, 0))
			return false
		}
		o.dropOldest(o.server.queueBytes - len(frame))
	}
	o.add(frame)
	return true
}

// reply takes a frame that is never dropped.
func (o *outbox) reply(frame []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.ended {
		o.add(o.framed(frame))
	}
}

func (o *outbox) add(frame []byte) {
	o.waiting = append(o.waiting, frame)
	o.bytes += len(frame)
	o.shard.queued.Add(int64(len(frame)))
	if len(o.waiting) == 1 {
		o.changed.Broadcast()
	}
}

func (o *outbox) dropOldest(until int) {
	for i := 0; o.bytes > until && i < len(o.waiting); {
		frame := o.waiting[i]
		if !o.isMessage(frame) {
			i++
			continue
		}
		o.bytes -= len(frame)
		o.dropped(len(frame), 1)
		copy(o.waiting[1:i+1], o.waiting[:i]) // Replies, of which there are few, if any.
		o.waiting[0] = nil
		o.waiting = o.waiting[1:]
	}
}

func (o *outbox) dropped(bytes, messages int) {
	o.shard.queued.Add(int64(-bytes))
	o.shard.dropped.Add(int64(messages))
}

// awaitRoom waits until another reply may be made: who does not take those that it has is not read from.
func (o *outbox) awaitRoom() {
	o.mu.Lock()
	defer o.mu.Unlock()
	for o.bytes >= o.server.queueBytes && !o.ended {
		o.changed.Wait()
	}
}

// finish has the writer end once all is written.
func (o *outbox) finish() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.finishing = true
	o.changed.Broadcast()
}

// abandon drops what waits.
func (o *outbox) abandon() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.ended {
		o.end()
	}
}

func (o *outbox) end() {
	o.ended = true
	o.dropped(o.bytes, o.messagesIn(o.waiting))
	o.waiting, o.bytes = nil, 0
	o.changed.Broadcast()
}

// hasEnded tells whether what was queued was dropped, so that the stream of frames has a gap where it stops.
func (o *outbox) hasEnded() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.ended
}

func (o *outbox) messagesIn(frames [][]byte) (n int) {
	for _, frame := range frames {
		if o.isMessage(frame) {
			n++
		}
	}
	return n
}

// writeAll is the connection's writer.
func (o *outbox) writeAll() {
	defer close(o.written)
	var spare [][]byte
	for {
		batch, bytes := o.next(spare)
		if batch == nil {
			return
		}
		n, err := o.write(batch)
		whole, wholeBytes := len(batch), bytes
		if err != nil {
			whole, wholeBytes = wholeIn(batch, n)
		}
		if o.socket {
			n = payloadBytes(batch[:whole])
		}
		o.shard.sent.Add(n)
		o.shard.queued.Add(int64(-wholeBytes))
		o.shard.messages.Add(int64(o.messagesIn(batch[:whole])))
		if err != nil {
			o.dropped(bytes-wholeBytes, o.messagesIn(batch[whole:]))
			o.abandon()
			o.SetDeadline(time.Unix(1, 0)) // Wakes who reads.
			return
		}
		clear(batch)
		if spare = batch[:0]; cap(spare) > mostSpare {
			spare = nil
		}
	}
}

// wholeIn is how many frames, and how many bytes of them, have their last byte among the first n bytes of a batch.
func wholeIn(batch [][]byte, n int64) (frames, bytes int) {
	for frames < len(batch) && int64(bytes+len(batch[frames])) <= n {
		bytes += len(batch[frames])
		frames++
	}
	return frames, bytes
}

// vector is a copy of a batch. A write takes left apart; the batch stays whole and tells what was written.
type vector struct{ all, left net.Buffers }

// vectors are those that no write has in hand.
var vectors = sync.Pool{New: func() any { return &vector{} }}

// write takes one system call as long as the client reads. It leaves the batch as it is.
func (o *outbox) write(batch [][]byte) (int64, error) {
	if o.events != nil {
		return o.events(batch)
	}
	if len(batch) == 1 {
		n, err := o.Write(batch[0])
		return int64(n), err
	}
	v := vectors.Get().(*vector)
	v.all = append(v.all[:0], batch...)
	v.left = v.all
	n, err := v.left.WriteTo(o.TCPConn)
	clear(v.all)
	v.left = nil
	vectors.Put(v)
	return n, err
}

// next is what is to be written, nil where nothing more is; spare is room to keep it in.
func (o *outbox) next(spare [][]byte) (batch [][]byte, bytes int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for len(o.waiting) == 0 && !o.finishing && !o.ended {
		o.changed.Wait()
	}
	n := 0
	for n < len(o.waiting) && (n == 0 || bytes+len(o.waiting[n]) <= batchBytes) {
		bytes += len(o.waiting[n])
		n++
	}
	switch n {
	case 0:
		return nil, 0
	case len(o.waiting):
		batch, o.waiting = o.waiting, spare
	default:
		batch = append(spare, o.waiting[:n]...)
		clear(o.waiting[:n])
		o.waiting = o.waiting[n:]
	}
	o.bytes -= bytes
	o.changed.Broadcast()
	return batch, bytes
}
