package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestSamples loads what docs/platform.md shows, which says what the defaults
// are but for the database.
func TestSamples(t *testing.T) {
	t.Parallel()
	guide, err := os.ReadFile("../../docs/platform.md")
	if err != nil {
		t.Fatal(err)
	}
	shown := regexp.MustCompile("(?s)```json\n(\\{.*?)```").FindAllSubmatch(guide, -1)
	if len(shown) != 3 {
		t.Fatalf("%d samples", len(shown))
	}
	for i, sample := range shown {
		file := configFile(t, string(sample[1]))
		keysFile(t, filepath.Dir(file), "broker-keys.json", 1)
		keysFile(t, filepath.Dir(file), "gateway-keys.json", 2)
		c, err := loadConfig(file)
		if err != nil {
			t.Fatalf("sample %d: %v", i, err)
		}
		if err := c.Platform.check(); err != nil {
			t.Errorf("sample %d: %v", i, err)
		}
		if i > 0 {
			continue
		}
		want, err := loadConfig("")
		if err != nil {
			t.Fatal(err)
		}
		want.Platform.Slots, want.Platform.Database = 4, c.Platform.Database // 0 stands for 4
		if diff := cmp.Diff(want.Platform, c.Platform); diff != "" {
			t.Errorf("the defaults (-, those of the program): %s", diff)
		}
		if c.Platform.Database.URL == "" || !strings.HasPrefix(c.Platform.Database.State, "/") {
			t.Errorf("%+v", c.Platform.Database)
		}
	}
}

// TestMembers are all described.
func TestMembers(t *testing.T) {
	t.Parallel()
	guide, err := os.ReadFile("../../docs/platform.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"config.go", "delegation.go"} {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, tag := range regexp.MustCompile("`json:\"(\\w+)").FindAllSubmatch(source, -1) {
			if name := string(tag[1]); !strings.Contains(string(guide), `"`+name+`"`) {
				t.Errorf("docs/platform.md does not show the member %q of %s", name, file)
			}
		}
	}
}
