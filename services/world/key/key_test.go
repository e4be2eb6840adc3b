package key_test

import (
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/pharos-mcp/pharos/services/world/key"
)

// read returns the text of a key.
func read(t *testing.T, folder string, holder key.Holder) string {
	t.Helper()
	text, err := key.Read(filepath.Join(folder, string(holder)))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestOpen: both keys are made once, for their owner alone, and each is its
// holder's.
//
// clause: W-03
func TestOpen(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "new", "keys")
	first, err := key.Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	again, err := key.Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, holder := range []key.Holder{key.Admin, key.Agent} {
		info, err := os.Stat(filepath.Join(folder, string(holder)))
		if err != nil || info.Mode() != 0o600 {
			t.Errorf("%s: mode %v, %v", holder, info.Mode(), err)
		}
		text := read(t, folder, holder)
		if b, err := base64.RawURLEncoding.DecodeString(text); err != nil || len(b) != 32 {
			t.Errorf("%s: %d bytes, %v", holder, len(b), err)
		}
		for _, keys := range []*key.Keys{first, again} {
			if got, ok := keys.Holder(text); got != holder || !ok {
				t.Errorf("the key of %s is that of %q, %t", holder, got, ok)
			}
			for _, other := range []string{"", text + "x", text[1:], strings.ToUpper(text), " " + text, text + "\n"} {
				if got, ok := keys.Holder(other); ok {
					t.Errorf("%q is the key of %s", other, got)
				}
			}
		}
	}
	files, err := os.ReadDir(folder)
	if err != nil || len(files) != 2 {
		t.Errorf("the folder holds %v, %v", files, err)
	}
	other, err := key.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if holder, ok := other.Holder(read(t, folder, key.Agent)); ok {
		t.Errorf("a key of another world is that of %s", holder)
	}
}

// TestOpenTogether: processes that start at the same time agree.
func TestOpenTogether(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	all := make([]*key.Keys, 16)
	var beside sync.WaitGroup
	for i := range all {
		beside.Go(func() {
			var err error
			if all[i], err = key.Open(folder); err != nil {
				t.Error(err)
			}
		})
	}
	beside.Wait()
	for _, keys := range all {
		if holder, ok := keys.Holder(read(t, folder, key.Admin)); holder != key.Admin || !ok {
			t.Errorf("the key is that of %q, %t", holder, ok)
		}
	}
}

// TestOpenRefuses what is not safe, or no key.
//
// clause: W-03
func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	good := base64.RawURLEncoding.EncodeToString([]byte(strings.Repeat("k", 32)))
	write := func(text string, mode os.FileMode) func(t *testing.T, file string) {
		return func(t *testing.T, file string) {
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Chmod(file, mode); err != nil {
				t.Fatal(err)
			}
		}
	}
	for name, c := range map[string]struct {
		make func(t *testing.T, file string)
		want string // "" for none
	}{
		"of its owner":           {write(good, 0o600), ""},
		"that is only read":      {write(good+"\n", 0o400), ""},
		"that the group reads":   {write(good, 0o640), "mode 0640"},
		"that everybody reads":   {write(good, 0o604), "mode 0604"},
		"that the group writes":  {write(good, 0o620), "mode 0620"},
		"that is empty":          {write("", 0o600), "does not hold 32 bytes"},
		"that is too short":      {write(good[:42], 0o600), "does not hold 32 bytes"},
		"that is too long":       {write(good+"AA", 0o600), "does not hold 32 bytes"},
		"with something behind":  {write(good+"\nx", 0o600), "does not hold 32 bytes"},
		"that is large":          {write(strings.Repeat("A", 4096), 0o600), "does not hold 32 bytes"},
		"in another base64":      {write(good[:42]+"+", 0o600), "does not hold 32 bytes"},
		"behind a symbolic link": {func(t *testing.T, file string) { link(t, good, file) }, "no plain file"},
		"that is a folder": {func(t *testing.T, file string) {
			if err := os.Mkdir(file, 0o700); err != nil {
				t.Fatal(err)
			}
		}, "no plain file"},
	} {
		t.Run("a key "+name, func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			c.make(t, filepath.Join(folder, "agent"))
			_, err := key.Open(folder)
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
			if err != nil && strings.Contains(err.Error(), good) {
				t.Errorf("the key stands in %v", err)
			}
		})
	}
	folder := t.TempDir()
	for _, holder := range []key.Holder{key.Admin, key.Agent} {
		write(good, 0o600)(t, filepath.Join(folder, string(holder)))
	}
	if _, err := key.Open(folder); err == nil || !strings.Contains(err.Error(), "one and the same") {
		t.Errorf("two keys that are one: %v", err)
	}
}

// link puts a key elsewhere and a symbolic link in its place.
func link(t *testing.T, text, file string) {
	t.Helper()
	elsewhere := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(elsewhere, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(elsewhere, file); err != nil {
		t.Fatal(err)
	}
}
