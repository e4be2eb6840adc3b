package playtest

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/uuid"
)

// TestTextElsewhere: what is no text is the sender's mistake at every other door
// too: in JSON, forms, paths and queries. The server has no mistake of its own
// to log.
//
// clause: P-33
func TestTextElsewhere(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	p := serve(t, configure(t, s.database, nil))
	session := s.seats(t, 1)[0].session.String()
	cookie := logIn(t, p, "gm", s.passwords["gm"])
	inJSON := http.Header{"Cookie": {cookie}, "Content-Type": {"application/json"}}
	inForm := http.Header{"Cookie": {cookie}, "Content-Type": {"application/x-www-form-urlencoded"}}
	for name, bad := range map[string]struct{ json, form string }{
		"U+0000": {`a\u0000b`, "a\x00b"}, "half of a surrogate pair": {`a\ud800b`, "a\xed\xa0\x80b"},
		"no UTF-8": {"a\xffb", "a\xffb"},
	} {
		escaped := url.QueryEscape(bad.form)
		for _, c := range []struct {
			method, path, body string
			header             http.Header
		}{
			{"POST", "/api/plays/", `{"id":"` + uuid.NewString() + `","character":"` + bad.json + `"}`, inJSON},
			{"POST", "/api/plays/", `{"` + bad.json + `":1}`, inJSON},
			{"POST", "/api/session/", `{"username":"` + bad.json + `","password":"correct horse battery"}`, inJSON},
			{"POST", "/api/session/", `{"username":"gm","password":"` + bad.json + `correct horse"}`, inJSON},
			{"POST", "/api/plays/" + session + "/review/", `{"operation_id":"` + uuid.NewString() + `","expected_version":1,` +
				`"decisions":[{"id":"` + uuid.NewString() + `","decision":"approved","note":"` + bad.json + `"}]}`, inJSON},
			{"GET", "/api/plays/" + url.PathEscape(bad.form) + "/", "", inJSON},
			{"GET", "/api/plays/" + session + "/journal/?offset=" + escaped, "", inJSON},
			{"GET", "/api/plays/" + session + "/report/?lang=" + escaped, "", inJSON},
			{"POST", "/login/", "username=" + escaped + "&password=correct+horse+battery", inForm},
			{"POST", "/login/", "username=gm&password=" + escaped + "correct+horse", inForm},
			{"POST", "/tokens/issue/", "id=" + uuid.NewString() + "&name=" + escaped, inForm},
			{"POST", "/plays/new/", "id=" + uuid.NewString() + "&scenario_id=" + uuid.NewString() + "&character=" + escaped, inForm},
			{"GET", "/plays/" + url.PathEscape(bad.form) + "/", "", inForm},
			{"GET", "/wiki/pages/" + url.PathEscape(bad.form) + "/", "", inForm},
			{"GET", "/wiki/?query=" + escaped + "&q=" + escaped, "", inForm},
			{"GET", "/scenarios/" + url.PathEscape(bad.form) + "/", "", inForm},
		} {
			got := send(t, c.method, p.url+c.path, c.body, c.header)
			if got.Status != http.StatusBadRequest {
				t.Errorf("%s: %s %s: status %d, want 400: %s", name, c.method, c.path, got.Status, got.Body)
			}
		}
	}
	if log := p.stderr.String(); strings.Contains(log, `"level":"ERROR"`) {
		t.Errorf("the log:\n%s", log)
	}
}
