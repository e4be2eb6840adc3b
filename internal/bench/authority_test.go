package main

import (
	"bytes"
	"strings"
	"testing"
)

// TestAuthority measures once, so that it is the same work on the same bytes.
func TestAuthority(t *testing.T) {
	t.Parallel()
	p, err := newParties()
	if err != nil {
		t.Fatal(err)
	}
	bare, err := p.signatures()
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(bare.payload), `"operation_id":"getPet"`) || string(bare.access) != p.caller {
		t.Errorf("the signatures are on %s", bare.payload)
	}
	var text strings.Builder
	g, err := p.measure(t.Context(), 3, 2, &text)
	if err != nil || g.measured <= 0 || !strings.HasPrefix(text.String(), "authority: 3 rounds of 2 calls; ") {
		t.Errorf("%v, %v, %q", g, err, text.String())
	}
	bare.access[len(bare.access)-1] ^= 1
	if err := bare.call(); err == nil {
		t.Error("the signatures are not looked at")
	}
	p.atAPI.Keys = p.atGateway.Keys
	if err := p.call(); err == nil {
		t.Error("the assertion is not looked at")
	}
	if bytes.Equal(p.brokerKeys, p.gatewayKey) {
		t.Error("one key for both")
	}
}

// TestDescribeAuthority shows both beside one another.
func TestDescribeAuthority(t *testing.T) {
	t.Parallel()
	cells := map[cell]samples{}
	for _, operation := range operations {
		for _, level := range levels {
			cells[cell{withAuthority, operation, level}] = samples{{rate: 50, cpu: 300}}
			cells[cell{withoutAuthority, operation, level}] = samples{{rate: 100, cpu: 100}}
		}
	}
	var text strings.Builder
	if got, want := describeAuthority(&text, cells).String(), "goal edge-rate-with-authority 0.5x 0.5x ok"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if lines := strings.Split(text.String(), "\n"); len(lines) != 8 || strings.Join(strings.Fields(lines[1]), " ") != "get 1 50 100 0.50 300 100 200" {
		t.Errorf("%s", text.String())
	}
}
