package asset_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/world/asset"
	"github.com/pharos-mcp/pharos/services/world/schem"
)

// clause: W-30, W-34
func TestList(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	named, plain := stone(t, "Haus ÄM See"), stone(t, "")
	w.put(t, "B_7-x.schem", named)
	w.put(t, "a.schem", plain)
	for _, other := range []string{"x.SCHEM", "x.schem.bak", "-x.schem", "_x.schem", ".schem", "x y.schem", "ä.schem", "x..schem", "readme.txt"} {
		w.put(t, other, []byte("no asset"))
	}
	about := func(id, name string, file []byte) asset.Asset {
		sum := sha256.Sum256(file)
		return asset.Asset{
			ID: id, Name: name, Width: 1, Height: 1, Length: 1, BlockCount: 1, DataVersion: 3578,
			SHA256: hex.EncodeToString(sum[:]), Bytes: int64(len(file)),
		}
	}
	first, second := about("B_7-x", "Haus ÄM See", named), about("a", "a", plain)
	for query, want := range map[string][]asset.Asset{
		"":        {first, second},
		"haus äm": {first},
		"b_7":     {first},
		"A":       {first, second},
		"nothing": {},
	} {
		got, err := w.List(t.Context(), query, options)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("query %q (-want +got):\n%s", query, diff)
		}
	}
}

// clause: W-30
func TestListIsBounded(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for i := range asset.MaxFiles {
		w.put(t, fmt.Sprintf("s%02d.schem", i), stone(t, ""))
	}
	got, err := w.List(t.Context(), "", options)
	if err != nil || len(got) != asset.MaxFiles {
		t.Fatalf("%d schematics, %v", len(got), err)
	}
	_, err = w.export("one more")
	w.refused(t, err, asset.TooMany, "64 schematics")
	w.put(t, "s99.schem", stone(t, ""))
	_, err = w.List(t.Context(), "s01", options)
	w.refused(t, err, asset.TooMany, "65 schematics", "s99.schem")
}

// clause: W-30, W-33, W-34
func TestListNamesWhatIsWrong(t *testing.T) {
	t.Parallel()
	vector := func(name string) func(*testing.T, string) {
		return func(t *testing.T, at string) {
			file, err := os.ReadFile(filepath.Join("..", "schem", "testdata", "neg", name))
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(at, file, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	must := func(t *testing.T, err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	for name, c := range map[string]struct {
		put  func(t *testing.T, at string)
		code fault.Code
		says string
	}{
		"empty":                 {vector("empty.schem"), schem.BadGzip, "empty file"},
		"cut":                   {vector("truncated-gzip.schem"), schem.BadGzip, "unexpected EOF"},
		"with entities":         {vector("entity.schem"), schem.HasEntities, "1 Entities, e.g. minecraft:creeper"},
		"with a chest":          {vector("state-chest.schem"), schem.BadBlock, "minecraft:chest"},
		"over 1 MiB":            {vector("file-over-1MiB.schem"), schem.TooLarge, "file over 1 MiB"},
		"a folder":              {func(t *testing.T, at string) { must(t, os.Mkdir(at, 0o700)) }, asset.Invalid, "no regular file"},
		"a link":                {func(t *testing.T, at string) { must(t, os.Symlink("good.schem", at)) }, asset.Invalid, "a link"},
		"a link that leads out": {func(t *testing.T, at string) { must(t, os.Symlink("/etc/passwd", at)) }, asset.Invalid, "a link"},
		"a pipe":                {func(t *testing.T, at string) { must(t, syscall.Mkfifo(at, 0o600)) }, asset.Invalid, "no regular file"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.put(t, "good.schem", stone(t, ""))
			c.put(t, filepath.Join(w.path, "wrong.schem"))
			_, err := w.List(t.Context(), "good", options)
			w.refused(t, err, c.code, "wrong.schem", c.says)
			_, _, err = w.Read("wrong", options)
			w.refused(t, err, c.code, "wrong.schem", c.says)
			if _, a, err := w.Read("good", options); err != nil || a.ID != "good" {
				t.Errorf("the good one: %+v, %v", a, err)
			}
		})
	}
}

// TestFolderIsGone: a folder that somebody has taken away, or put something else
// in the place of, is told as what passes, without its path.
//
// clause: W-02, W-30, W-31
func TestFolderIsGone(t *testing.T) {
	t.Parallel()
	for name, put := range map[string]func(at string) error{
		"nothing": func(string) error { return nil },
		"a file":  func(at string) error { return os.WriteFile(at, nil, 0o600) },
		"a link":  func(at string) error { return os.Symlink(os.TempDir(), at) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			if err := errors.Join(os.Rename(w.path, w.path+"-away"), put(w.path)); err != nil {
				t.Fatal(err)
			}
			_, err := w.List(t.Context(), "", options)
			w.refused(t, err, fault.Unavailable, "the folder of the schematics", "put it back")
			_, err = w.export("a")
			w.refused(t, err, fault.Unavailable, "the folder of the schematics", "put it back")
		})
	}
}

// clause: W-34
func TestReadRefusesIDs(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.put(t, "good.schem", stone(t, ""))
	for _, id := range []string{"", "../schematics/good", "good.schem", "./good", "/etc/passwd", "-good", "_good", "good\x00", "gööd", "http://x"} {
		_, _, err := w.Read(id, options)
		w.refused(t, err, "invalid_request")
	}
	for _, id := range []string{"Good", "other"} {
		_, _, err := w.Read(id, options)
		w.refused(t, err, asset.NotFound, id)
	}
}

func TestListEndsWithItsCaller(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.put(t, "good.schem", stone(t, ""))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got, err := w.List(ctx, "", options); err == nil {
		t.Errorf("a list without a caller: %v", got)
	}
}
