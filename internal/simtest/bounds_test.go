package simtest

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// TestBounds: what is just within a bound is taken, and what is just beyond it
// refused.
//
// clause: S-10
func TestBounds(t *testing.T) {
	t.Parallel()
	p := serve(t, configure(t, nil))
	c := opened(t, p.url)
	c.must(t, "start_episode", begin)
	order := func(incident, rationale, x string) string {
		return fmt.Sprintf(`{"expected_tick":0,"vehicle_id":"truck-1","incident_id":%q,"rationale":%s,"destination":{"x":%s,"y":500}}`,
			incident, rationale, x)
	}
	long := func(part string, n int) string { return strings.Repeat(part, n) }
	for _, arguments := range []string{
		order("i", `"r"`, "400"), order(long("i", 64), `"`+long("ż", 1000)+`"`, "400.0"), order("!", `"two\nlines\tand more"`, "4e2"),
		order("~", `"  <b>&amp; \"quoted\" \u2028 "`, "400.04999"), order("i", `"a\u00a0"`, "400"),
	} {
		c.must(t, "dispatch", arguments)
	}
	for _, arguments := range []string{
		order("", `"r"`, "400"), order(long("i", 65), `"r"`, "400"), order("a b", `"r"`, "400"), order("ż", `"r"`, "400"),
		order("i", `""`, "400"), order("i", `" \n\t "`, "400"), order("i", `"`+long("ż", 1001)+`"`, "400"), order("i", `"a\u0000"`, "400"),
		order("i", `"\u001b[2J"`, "400"), order("i", `"a\u007f"`, "400"), order("i", `"a\u0080"`, "400"),
		order("i", `"a\u009f"`, "400"), order("i", `"\u00a0"`, "400"), order("i", `"r"`, `"400"`), order("i", `"r"`, "1000000.1"),
		order("i", `"r"`, "-1000000.1"),
	} {
		c.refused(t, "INVALID_ARGUMENT", "dispatch", arguments)
	}
	c.refused(t, "OUT_OF_BOUNDS", "dispatch", order("i", `"r"`, "1000000"))
	for seed, right := range map[string]bool{
		"0": true, "9007199254740991": true, "7.0": true, "-1": false, "9007199254740992": false, "7.5": false,
	} {
		r, err := c.call(t.Context(), "start_episode", `{"scenario_id":"stage1-basic@londone","seed":`+seed+`}`)
		if err != nil || (r.code == "") != right || !right && r.code != "INVALID_ARGUMENT" {
			t.Errorf("seed %s: %.200s, %v", seed, r.text, err)
		}
	}
}

// TestUnknownTool: a tool that is not there is an error of the protocol, and so
// is a method.
//
// clause: S-29
func TestUnknownTool(t *testing.T) {
	t.Parallel()
	p := serve(t, configure(t, nil))
	c := opened(t, p.url)
	for _, tool := range []string{"grade", "export", "download", "incidents", "Status", "", "list_scenarios "} {
		_, err := c.call(t.Context(), tool, `{}`)
		var protocol *protocolError
		if !errors.As(err, &protocol) || !strings.Contains(protocol.body, `"error":{"code":-32602,`) {
			t.Errorf("%q: %v", tool, err)
		}
	}
	got, err := c.post(t.Context(), `{"jsonrpc":"2.0","id":5,"method":"episode/next"}`)
	if err != nil || !strings.Contains(string(got.body), `"error":{"code":`) {
		t.Errorf("a method: %s, %v", got.body, err)
	}
}
