package admission

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/pharos-mcp/pharos/internal/redistest"
)

// What a process that TestMain starts is told: what it does, and where.
const (
	roleVariable = "ADMISSION_TEST_ROLE"
	urlVariable  = "ADMISSION_TEST_URL"
)

// The bounds of the processes of these tests.
var (
	crowded = Limits{Key: 3, All: 8, Lease: time.Minute}
	held    = Limits{All: 8, Lease: 3 * time.Second}
)

func TestMain(m *testing.M) {
	var err error
	switch url := os.Getenv(urlVariable); os.Getenv(roleVariable) {
	case "crowd":
		err = crowd(url)
	case "hold":
		err = hold(url)
	default:
		os.Exit(m.Run())
	}
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

// crowd asks for far more places than there are. Each holder counts itself in
// and out, apart from what admission counts, and prints the most it saw.
func crowd(url string) error {
	r, err := newRedis(url, crowded, nil, patient)
	if err != nil {
		return err
	}
	counter := redis.NewClient(r.client.Options())
	ctx := context.Background()
	var mu sync.Mutex
	var wait sync.WaitGroup
	most, admitted, failures := map[string]int64{}, 0, error(nil)
	for i := range 24 {
		key := fmt.Sprintf("key-%d", i%4)
		wait.Go(func() {
			for range 100 {
				release, err := r.Admit(ctx, key)
				if err != nil {
					if _, ok := errors.AsType[*Refused](err); !ok {
						mu.Lock()
						failures = errors.Join(failures, err)
						mu.Unlock()
					}
					continue
				}
				all, err := counter.Incr(ctx, "all").Result()
				own, err2 := counter.Incr(ctx, key).Result()
				err3, err4 := counter.Decr(ctx, key).Err(), counter.Decr(ctx, "all").Err()
				release()
				mu.Lock()
				most["all"], most["key"] = max(most["all"], all), max(most["key"], own)
				admitted++
				failures = errors.Join(failures, err, err2, err3, err4)
				mu.Unlock()
			}
		})
	}
	wait.Wait()
	fmt.Println(most["all"], most["key"], admitted)
	return failures
}

// hold takes every place, says so and never gives one back.
func hold(url string) error {
	r, err := newRedis(url, held, nil, patient)
	if err != nil {
		return err
	}
	for i := range held.All {
		if _, err := r.Admit(context.Background(), fmt.Sprint(i)); err != nil {
			return err
		}
	}
	fmt.Println("held")
	_, err = io.Copy(io.Discard, os.Stdin)
	return err
}

// process starts this test's program in a role. It ends when stop is called.
func process(t *testing.T, role, url string) (output *bufio.Reader, stop func()) {
	t.Helper()
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), roleVariable+"="+role, urlVariable+"="+url)
	if _, err := c.StdinPipe(); err != nil { // it ends with this process
		t.Fatal(err)
	}
	stdout, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	stop = sync.OnceFunc(func() {
		_ = c.Process.Kill()
		_ = c.Wait()
	})
	t.Cleanup(stop)
	return bufio.NewReader(stdout), stop
}

// clause: E-58
func TestProcessesShareTheBounds(t *testing.T) {
	t.Parallel()
	url := redistest.Start(t).URL
	var outputs []*bufio.Reader
	for range 3 {
		output, _ := process(t, "crowd", url)
		outputs = append(outputs, output)
	}
	var most struct{ all, key, admitted int }
	for _, output := range outputs {
		text, _ := io.ReadAll(output)
		var all, key, admitted int
		if n, _ := fmt.Sscan(string(text), &all, &key, &admitted); n != 3 || admitted == 0 || strings.Count(string(text), "\n") != 1 {
			t.Fatalf("a process printed %q", text)
		}
		most.all, most.key, most.admitted = max(most.all, all), max(most.key, key), most.admitted+admitted
	}
	t.Logf("at most %d at once, %d of one key; %d of 7200 admitted", most.all, most.key, most.admitted)
	if most.all > crowded.All || most.key > crowded.Key {
		t.Errorf("at most %d at once, %d of one key; want at most %d and %d", most.all, most.key, crowded.All, crowded.Key)
	}
	if most.all < crowded.All/2 || most.key < 2 {
		t.Errorf("only %d at once, %d of one key: nothing was put to the test", most.all, most.key)
	}
}

// clause: E-58
func TestPlacesOfAKilledProcessComeBack(t *testing.T) {
	t.Parallel()
	url := redistest.Start(t).URL
	a := openRedis(t, url, held, nil)
	output, kill := process(t, "hold", url)
	if line, err := output.ReadString('\n'); line != "held\n" {
		t.Fatalf("it printed %q, %v", line, err)
	}
	kill() // -9, in the middle of its requests
	want(t, a, "new", "all, 1 s")
	eventually(t, "the leases end", func() bool { return admits(t, a, "new") })
}
