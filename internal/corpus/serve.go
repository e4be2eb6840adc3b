package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// startTime bounds the way from the start of a program to the line that says
// where it listens.
const startTime = time.Minute

// serving is a started program.
type serving struct {
	url  string
	stop func()
}

var listensAt = regexp.MustCompile(`http://\S+?/mcp\b`)

// start runs a program in a folder and waits until it prints its MCP URL.
func start(ctx context.Context, dir, program string, args ...string) (*serving, error) {
	c := exec.Command(program, args...)
	c.Dir = dir
	out, in := io.Pipe()
	c.Stdout, c.Stderr = in, in
	if err := c.Start(); err != nil {
		return nil, err
	}
	ended := make(chan error, 1)
	go func() {
		err := c.Wait()
		in.Close()
		ended <- err
	}()
	stop := sync.OnceFunc(func() {
		_ = c.Process.Signal(syscall.SIGTERM) // it may have ended by itself
		select {
		case <-ended:
		case <-time.After(10 * time.Second):
			_ = c.Process.Kill()
			<-ended
		}
	})
	found := make(chan string, 1)
	var printed strings.Builder
	go func() {
		defer close(found)
		lines := bufio.NewScanner(out)
		for lines.Scan() {
			fmt.Fprintln(&printed, lines.Text())
			if at := listensAt.FindString(lines.Text()); at != "" {
				found <- at
				break
			}
		}
		_, _ = io.Copy(io.Discard, out) // what it prints later must not block it
	}()
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	select {
	case url, ok := <-found:
		if !ok {
			stop()
			return nil, fmt.Errorf("serve: it ended without saying where it listens:\n\t%s", printed.String())
		}
		return &serving{url: url, stop: stop}, nil
	case <-ctx.Done():
		stop()
		return nil, fmt.Errorf("serve: it did not say where it listens: %w", ctx.Err())
	}
}

// list asks a server for all of its tools, through a client that is not ours.
func list(ctx context.Context, url string) (int, error) {
	client := mcp.NewClient(&mcp.Implementation{Name: "corpus", Version: "1"}, nil)
	session, err := client.Connect(ctx, &mcp.StreamableClientTransport{
		Endpoint: url, DisableStandaloneSSE: true, MaxRetries: -1, MaxEventSize: -1,
	}, nil)
	if err != nil {
		return 0, fmt.Errorf("connect: %w", err)
	}
	defer session.Close()
	n := 0
	for _, err := range session.Tools(ctx, nil) {
		if err != nil {
			return n, fmt.Errorf("tools/list: %w", err)
		}
		n++
	}
	return n, nil
}
