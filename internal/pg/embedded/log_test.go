//go:build unix

package embedded

import (
	"bytes"
	"os"
	"testing"
)

func TestLog(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		had   int
		begin int64 // of what is added
	}{
		"nothing yet":       {0, 0},
		"as much as may be": {mostLog, mostLog},
		"more than that":    {mostLog + 1, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := Cluster{Folder: t.TempDir()}
			if err := os.WriteFile(c.log(), bytes.Repeat([]byte("x"), test.had), 0o600); err != nil {
				t.Fatal(err)
			}
			log, begin, err := c.openLog()
			if err != nil {
				t.Fatal(err)
			}
			defer log.Close()
			if begin != test.begin {
				t.Errorf("it begins at %d, want %d", begin, test.begin)
			}
			if _, err := log.WriteString("said\n"); err != nil {
				t.Fatal(err)
			}
			if got := tail(c.log(), begin); got != "said" {
				t.Errorf("its end is %q", got)
			}
			if _, err := os.Stat(c.log() + ".old"); (err == nil) != (test.begin == 0 && test.had > 0) {
				t.Errorf("the one put aside: %v", err)
			}
		})
	}
}
