//go:build !netpoll

package main

import (
	"io"
	"strings"
	"testing"
)

func TestTLSNeedsItsFiles(t *testing.T) {
	for line, expected := range map[string]string{
		"--tls on":              "needs --tls-cert FILE and --tls-key FILE",
		"--tls on --tls-cert a": "needs --tls-cert FILE and --tls-key FILE",
		"--tls-key a":           "are for --tls on",
		"--tls maybe":           "on or off",
		"--tls on --tls-cert a --tls-key b --traffic push":       "--traffic echo",
		"--tls on --tls-cert a --tls-key b --protocol http":      "--protocol tcp",
		"--tls on --tls-cert a --tls-key b --protocol websocket": "--protocol tcp",
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
	if _, err := tlsConfig(o.model.tlsCert, o.model.tlsKey); err == nil || !strings.Contains(err.Error(), "--tls-cert /none.pem") {
		t.Errorf("a missing certificate: %v", err)
	}
}
