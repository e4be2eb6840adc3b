package worldtest

import (
	"flag"
	"os"
	"testing"

	"github.com/pharos-mcp/pharos/internal/leak"
)

var (
	// long makes the tests take their time.
	long = flag.Bool("long", false, "kill at every point by 3 seeds and at 100 random moments, and crash at every step of a disk")
	// seed is what everything random begins with.
	seed = flag.Uint64("seed", 1, "what the tests draw from")
)

// TestMain is also the beginning of the processes that the tests kill. For tests
// it reads along for secrets, and takes the program away.
func TestMain(m *testing.M) {
	flag.Parse()
	if text := os.Getenv(orderVariable); text != "" {
		os.Exit(obey(text))
	}
	status := leak.Main(m)
	if folder != "" {
		_ = os.RemoveAll(folder)
	}
	os.Exit(status)
}

// ok fails a test whose preparation fails.
func ok(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
