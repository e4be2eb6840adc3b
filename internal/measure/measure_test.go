package measure

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCommand(t *testing.T) {
	t.Parallel()
	r := Command(exec.Command("sh", "-c", "echo one; echo two >&2; exec head -c 20000000 /dev/zero | tail -c 10000000 | wc -c"))
	if r.Err != nil || r.Output != "one\ntwo\n10000000\n" {
		t.Errorf("got output %q and error %v", r.Output, r.Err)
	}
	if r.Took <= 0 || r.Peak < 1<<20 {
		t.Errorf("took %v with a peak of %d bytes", r.Took, r.Peak)
	}
}

// TestCommandAfterPeak starts a small process from one that was large.
func TestCommandAfterPeak(t *testing.T) {
	const large = 256 << 20
	func() {
		memory := make([]byte, large)
		for i := 0; i < large; i += 4096 {
			memory[i] = 1
		}
		runtime.KeepAlive(memory)
	}()
	r := Command(exec.Command("true"))
	debug.FreeOSMemory()
	if now := resident(t); r.Err != nil || r.Peak > now+large/2 {
		t.Errorf("a small command has a peak of %d bytes, and error %v; this process has %d", r.Peak, r.Err, now)
	}
}

// resident is the size of this process now.
func resident(t *testing.T) int64 {
	t.Helper()
	data, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Fatal(err)
	}
	var size, pages int64
	if _, err := fmt.Sscan(string(data), &size, &pages); err != nil {
		t.Fatal(err)
	}
	return pages * int64(os.Getpagesize())
}

func TestFault(t *testing.T) {
	t.Parallel()
	if err := Command(exec.Command("true")).Fault(); err != nil {
		t.Errorf("a success has the fault %v", err)
	}
	err := Command(exec.Command("sh", "-c", "seq 9; exit 3")).Fault()
	want := "exit status 3\n\t1\n\t2\n\t3\n\t4\n\t5\n\t6\n\t… 3 more lines"
	if err == nil {
		t.Fatal("a failure has no fault")
	}
	if diff := cmp.Diff(want, err.Error()); diff != "" {
		t.Errorf("fault (-want +got):\n%s", diff)
	}
}
