package page_test

import (
	"encoding/base64"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/platform/page"
)

var row = page.Key{
	Time:   time.Date(2026, 11, 30, 12, 0, 0, 123456000, time.UTC),
	ID:     uuid.MustParse("11111111-1111-4111-8111-111111111111"),
	Number: 7,
	Name:   "zażółć",
}

func self(k page.Key) page.Key { return k }

// cursorOf is the cursor behind a row.
func cursorOf(t *testing.T, kind string, key page.Key) string {
	t.Helper()
	one := int64(1)
	p, err := page.Of(&one, nil, kind)
	if err != nil {
		t.Fatal(err)
	}
	_, next := page.Next(p, []page.Key{key, {}}, self)
	if next == nil {
		t.Fatal("no cursor")
	}
	return *next
}

// clause: E-42
func TestCursor(t *testing.T) {
	t.Parallel()
	t.Run("names the row again", func(t *testing.T) {
		t.Parallel()
		for _, key := range []page.Key{row, {}, {Number: math.MaxInt64, ID: uuid.Max}, {Name: strings.Repeat("n", page.MaxName)}} {
			cursor := cursorOf(t, page.Kind("things", "open"), key)
			if len(cursor) > page.MaxCursor {
				t.Errorf("%d characters", len(cursor))
			}
			p, err := page.Of(nil, &cursor, page.Kind("things", "open"))
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(key, p.Above()) + cmp.Diff(key, p.Below()); d != "" {
				t.Error(d)
			}
		}
	})
	t.Run("means nothing to another list", func(t *testing.T) {
		t.Parallel()
		cursor := cursorOf(t, page.Kind("things", "open"), row)
		for _, kind := range []string{
			page.Kind("things", "closed"), page.Kind("things"), page.Kind("other", "open"), page.Kind("things", "op", "en"),
		} {
			if _, err := page.Of(nil, &cursor, kind); fault.CodeOf(err) != fault.Invalid ||
				!strings.Contains(err.Error(), "another list") {
				t.Errorf("%q: error %v", kind, err)
			}
		}
	})
	t.Run("is one of ours", func(t *testing.T) {
		t.Parallel()
		good := cursorOf(t, "things", row)
		raw, err := base64.RawURLEncoding.DecodeString(good)
		if err != nil {
			t.Fatal(err)
		}
		text := base64.RawURLEncoding.EncodeToString
		for name, cursor := range map[string]string{
			"nothing":       "",
			"no base64":     "!" + good[1:],
			"padded":        good + "=",
			"cut":           text(raw[:39]),
			"too long":      strings.Repeat("A", page.MaxCursor+1),
			"a NUL":         text(append(raw[:len(raw):len(raw)], 0)),
			"no UTF-8":      text(append(raw[:len(raw):len(raw)], 0xff)),
			"a far time":    text(append(append(raw[:8:8], 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff), raw[16:]...)),
			"a past time":   text(append(append(raw[:8:8], 0x80, 0, 0, 0, 0, 0, 0, 0), raw[16:]...)),
			"a negative no": text(append(append(raw[:32:32], 0xff), raw[33:]...)),
		} {
			if _, err := page.Of(nil, &cursor, "things"); fault.CodeOf(err) != fault.Invalid {
				t.Errorf("%s: error %v", name, err)
			}
		}
	})
	t.Run("has no room for a longer name", func(t *testing.T) {
		t.Parallel()
		defer func() {
			if recover() == nil {
				t.Error("no panic")
			}
		}()
		cursorOf(t, "things", page.Key{Name: strings.Repeat("n", page.MaxName+1)})
	})
}

// clause: E-42
func TestLimit(t *testing.T) {
	t.Parallel()
	for limit, good := range map[int64]bool{0: false, 1: true, page.Most: true, page.Most + 1: false, -1: false} {
		p, err := page.Of(&limit, nil, "things")
		if good != (err == nil) || good && (p.Limit != limit || int64(p.Fetch()) != limit+1) {
			t.Errorf("%d: %+v, %v", limit, p, err)
		}
	}
	if p, err := page.Of(nil, nil, "things"); err != nil || p.Limit != page.Default {
		t.Errorf("%+v, %v", p, err)
	}
}

func TestNext(t *testing.T) {
	t.Parallel()
	two := int64(2)
	p, err := page.Of(&two, nil, "things")
	if err != nil {
		t.Fatal(err)
	}
	for n, more := range []bool{false, false, false, true} {
		rows, next := page.Next(p, make([]page.Key, n), self)
		if len(rows) != min(n, 2) || (next != nil) != more {
			t.Errorf("%d rows fetched: %d given, next %v", n, len(rows), next)
		}
	}
}

// TestEnds are before and after every row.
func TestEnds(t *testing.T) {
	t.Parallel()
	p, err := page.Of(nil, nil, "things")
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(page.Key{}, p.Above()); d != "" {
		t.Error(d)
	}
	if k := p.Below(); k.ID != uuid.Max || k.Number != math.MaxInt64 || k.Time.Year() != 9999 {
		t.Errorf("%+v", k)
	}
}
