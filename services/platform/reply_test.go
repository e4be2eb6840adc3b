package platform_test

import (
	"net/http/httptest"
	"testing"
	"time"
)

// connection is a recorder that knows its deadline.
type connection struct {
	*httptest.ResponseRecorder
	ends time.Time
}

func (c *connection) SetWriteDeadline(at time.Time) error {
	c.ends = at
	return nil
}

// A reply that nobody reads is not kept for ever, whoever answers.
func TestRepliesEnd(t *testing.T) {
	t.Parallel()
	d := newDoor(t)
	for _, path := range []string{"/version", "/support/tickets", "/x", "//"} {
		r := httptest.NewRequest("GET", "http://localhost/", nil)
		r.URL.Path = path
		c := &connection{ResponseRecorder: httptest.NewRecorder()}
		before := time.Now()
		d.public.ServeHTTP(c, r)
		if late := c.ends.Sub(before); late <= 0 || late > 2*time.Minute {
			t.Errorf("%s: the reply may take %s", path, late)
		}
	}
}
