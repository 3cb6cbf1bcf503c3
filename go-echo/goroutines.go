//go:build !netpoll

package main

import (
	"flag"
	"log"
)

const (
	serverName         = "go-echo"
	model              = "with one goroutine per connection"
	defaultBufferBytes = 256
	bufferBytesFlag    = "buffer-bytes"
	bufferBytesMeaning = "bytes read and written at once, of each connection"
)

// modelOptions are none: what a goroutine per connection takes, every server takes.
type modelOptions struct{}

func (*modelOptions) flags(*flag.FlagSet)   {}
func (*modelOptions) ranges() []optionRange { return nil }
func (*modelOptions) config(map[string]any) {}

func newTCPServer(l *listener, c *counts, o *options, _ *log.Logger) (server, error) {
	return newGoroutinesServer(l, c, o.bufferBytes), nil
}
