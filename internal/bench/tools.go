package main

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"
)

// The goals of many tools.
const (
	listTimeGoal = 2   // times a handler that writes the same bytes
	startGoal    = 5   // times reading and scanning the schemas
	residentGoal = 150 // MB
)

// How often, and for how long, lists and starts are measured.
const (
	listRounds  = 5
	listTime    = 500 * time.Millisecond
	startRounds = 5
)

// tools measures an edge with many tools of the project's catalog: its lists,
// its start and its size.
func tools(ctx context.Context, p *project, stdout io.Writer) ([]goal, error) {
	work, err := os.MkdirTemp("", "bench-tools-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(work) }()
	secret := rand.Text()
	o := role{
		Kind: kindTools, Upstream: "http://127.0.0.1:1", Token: filepath.Join(work, "token"), Log: filepath.Join(work, "log"),
		Tools: filepath.Join(work, "tools.json"), Schemas: filepath.Join(p.dir, "generated", p.catalog),
		Reply: filepath.Join(work, "reply.json"),
	}
	operations, err := operationsOf(o.Schemas)
	if err != nil {
		return nil, err
	}
	data, err := json.Marshal(operations)
	if err != nil {
		return nil, err
	}
	for name, data := range map[string][]byte{o.Token: []byte(secret), o.Tools: data} {
		if err := os.WriteFile(name, data, 0o600); err != nil {
			return nil, err
		}
	}
	start, err := starts(ctx, o, stdout)
	if err != nil {
		return nil, err
	}
	list, resident, err := lists(ctx, o, secret, stdout)
	if err != nil {
		return nil, err
	}
	return []goal{
		{name: "edge-list-time", measured: list, bound: listTimeGoal, unit: "x"},
		{name: "edge-start-cpu", measured: start, bound: startGoal, unit: "x"},
		{name: "edge-resident", measured: resident, bound: residentGoal, unit: "MB"},
	}, nil
}

// starts compares the processor time of making an edge with that of reading
// and scanning its schemas.
func starts(ctx context.Context, o role, stdout io.Writer) (float64, error) {
	var ratios []float64
	for round := range startRounds {
		took := map[string]beginning{}
		kinds := []string{kindScan, kindStart}
		if round%2 == 1 {
			kinds = []string{kindStart, kindScan}
		}
		for _, kind := range kinds {
			o.Kind = kind
			b, err := begin(ctx, o)
			if err != nil {
				return 0, err
			}
			took[kind] = b
		}
		edge, scan := took[kindStart], took[kindScan]
		fmt.Fprintf(stdout, "start %d: edge %.0f ms (%.0f ms of processor, %d MB), scan %.0f ms (%.0f ms of processor)\n", round+1,
			milliseconds(edge.Took), milliseconds(edge.CPU), edge.Resident/1e6, milliseconds(scan.Took), milliseconds(scan.CPU))
		ratios = append(ratios, edge.CPU.Seconds()/scan.CPU.Seconds())
	}
	return median(ratios), nil
}

// lists compares lists of all tools with a handler that writes the same bytes,
// and returns the worst ratio of their times and the most MB that were resident
// before the first list, after it and after all of them.
func lists(ctx context.Context, o role, secret string, stdout io.Writer) (ratio, resident float64, err error) {
	o.Kind = kindTools
	edge, err := launch(ctx, o)
	if err != nil {
		return 0, 0, err
	}
	defer edge.end()
	sizes := make([]float64, 3)
	size := func(i int) error {
		u, err := usageAt(edge.Usage)
		sizes[i] = float64(u.Resident) / 1e6
		resident = max(resident, sizes[i])
		return err
	}
	if err := size(0); err != nil {
		return 0, 0, err
	}
	c := caller{era: withHandshake, token: secret}
	length, err := c.firstList(edge.Address, o.Reply)
	if err != nil {
		return 0, 0, err
	}
	if err := size(1); err != nil {
		return 0, 0, err
	}
	o.Kind = kindReply
	reply, err := launch(ctx, o)
	if err != nil {
		return 0, 0, err
	}
	defer reply.end()
	exchanges := func(int) ([][]exchange, error) {
		return [][]exchange{{{
			request: c.request(c.headers(), 1, "tools/list", "", ""),
			begins:  []byte(`{"jsonrpc":"2.0","id":1,"result":`),
		}}}, nil
	}
	var targets []*target
	for _, p := range []*process{edge, reply} {
		t, err := aim(p.name, p, exchanges)
		if err != nil {
			return 0, 0, err
		}
		defer t.close()
		targets = append(targets, t)
	}
	cells, err := interleave(ctx, targets, []string{"list"}, listRounds, listTime)
	if err != nil {
		return 0, 0, err
	}
	if err := size(2); err != nil {
		return 0, 0, err
	}
	fmt.Fprintf(stdout, "lists: %d tools, %.1f MB; resident %.0f MB before, %.0f MB after the first, %.0f MB after all\n",
		mostTools, float64(length)/1e6, sizes[0], sizes[1], sizes[2])
	for _, level := range levels {
		edge, plain := cells[cell{kindTools, "list", level}], cells[cell{kindReply, "list", level}]
		times := plain.ratio(edge, rate)
		fmt.Fprintf(stdout, "list  %2d  edge %.0f lists/s, p50 %.1f ms, %.0f µs of processor; plain %.0f lists/s, p50 %.1f ms, %.0f µs; ×%.2f\n",
			level, edge.median(rate), milliseconds(edge.latency(0.5)), edge.median(cpu),
			plain.median(rate), milliseconds(plain.latency(0.5)), plain.median(cpu), times)
		ratio = max(ratio, times)
	}
	return ratio, resident, nil
}

// firstList writes the body of the first list to a file and returns its length.
func (c caller) firstList(address, file string) (int, error) {
	connection, err := net.Dial("tcp", address)
	if err != nil {
		return 0, err
	}
	defer func() { _ = connection.Close() }()
	if _, err := connection.Write(c.request(c.headers(), 1, "tools/list", "", "")); err != nil {
		return 0, err
	}
	reply, err := http.ReadResponse(bufio.NewReader(connection), nil)
	if err != nil {
		return 0, err
	}
	defer func() { _ = reply.Body.Close() }()
	body, err := io.ReadAll(reply.Body)
	if err != nil {
		return 0, err
	}
	if reply.StatusCode != http.StatusOK {
		return 0, fmt.Errorf("the list was answered with %s: %.300s", reply.Status, body)
	}
	return len(body), os.WriteFile(file, body, 0o600)
}
