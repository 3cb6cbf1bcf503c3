//go:build !netpoll

package main

import (
	"crypto/tls"
	"crypto/x509"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// TestHTTPOverTLSIsHTTP1 has a client that offers HTTP/2 too, and one that stops within its handshake while the server drains.
func TestHTTPOverTLSIsHTTP1(t *testing.T) {
	of := httptest.NewTLSServer(nil) // For its certificate.
	defer of.Close()
	counts, s, address := startHTTP(t, func(s *httpServer) {
		s.speakTLS(&tls.Config{Certificates: of.TLS.Certificates})
	})
	trusted := x509.NewCertPool()
	trusted.AddCert(of.Certificate())
	client := http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: trusted}, ForceAttemptHTTP2: true}}
	answer, err := client.Post("https://"+address+"/echo", "text/plain", strings.NewReader("hello"))
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(answer.Body)
	if err != nil || string(body) != "hello" || answer.Proto != "HTTP/1.1" || answer.TLS.NegotiatedProtocol != "http/1.1" {
		t.Errorf("%q by %s over %q: %v", body, answer.Proto, answer.TLS.NegotiatedProtocol, err)
	}
	halfway := connect(t, address)
	halfway.Write([]byte{22, 3, 1})
	await(t, "both connections accepted", func() bool { return counts.accepted.Load() == 2 })
	// Behind 5 s Shutdown would end by itself what has sent no request.
	if left := s.drain(4 * time.Second); left != 0 {
		t.Errorf("%d connections were left", left)
	}
	if _, err := halfway.Read(make([]byte, 1)); err != io.EOF {
		t.Errorf("the connection in its handshake: %v", err)
	}
}

// TestAFailedHandshakeIsQuiet has one client fail; in a storm it may be all of them.
func TestAFailedHandshakeIsQuiet(t *testing.T) {
	of := httptest.NewTLSServer(nil) // For its certificate.
	defer of.Close()
	said := &lockedBuffer{}
	counts, s, address := startHTTP(t, func(s *httpServer) {
		s.http.ErrorLog = log.New(said, "", 0)
		s.speakTLS(&tls.Config{Certificates: of.TLS.Certificates})
	})
	c := connect(t, address)
	c.Write([]byte{22, 3, 1})
	c.Close()
	await(t, "its end", func() bool { return counts.accepted.Load() == 1 && counts.open() == 0 })
	s.http.ErrorLog.Print("something else")
	if got := said.String(); got != "something else\n" {
		t.Errorf("the log has %q", got)
	}
}

func TestTLSNeedsItsFiles(t *testing.T) {
	for line, expected := range map[string]string{
		"--tls on":                 "needs --tls-cert FILE and --tls-key FILE",
		"--tls on --tls-cert a":    "needs --tls-cert FILE and --tls-key FILE",
		"--tls-key a":              "are for --tls on",
		"--tls maybe":              "on or off",
		"--protocol http --tls on": "needs --tls-cert FILE and --tls-key FILE",
		"--tls on --tls-cert a --tls-key b --traffic push":                      "--traffic echo",
		"--tls on --tls-cert a --tls-key b --traffic push --protocol websocket": "--traffic echo",
	} {
		_, err := parseOptions(strings.Split(line, " "), io.Discard)
		if err == nil || !strings.Contains(err.Error(), expected) {
			t.Errorf("%q: %v, where '%s' was expected", line, err, expected)
		}
	}
	o, err := parseOptions([]string{"--tls", "on", "--tls-cert", "/none.pem", "--tls-key", "/none.key"}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := o.model.tlsConfig(); err == nil || !strings.Contains(err.Error(), "--tls-cert /none.pem") {
		t.Errorf("a missing certificate: %v", err)
	}
}
