package platform_test

import "testing"

// clause: E-42
func TestMediaTypes(t *testing.T) {
	t.Parallel()
	d := newDoor(t).users(t)
	for kind, want := range map[string]int{
		"application/json":                  200,
		"application/json; charset=utf-8":   200,
		"text/plain":                        415,
		"application/x-www-form-urlencoded": 415,
		"application/problem+json":          415,
		"json":                              415,
		"/":                                 415,
	} {
		w := call{d.ada, "POST", "/keys/validate", `{"public_key":"x"}`, map[string]string{"Content-Type": kind}}.request(d.public)
		if w.Code != want {
			t.Errorf("%s: status %d, want %d", kind, w.Code, want)
		}
		if want == 415 && problem(t, w) != "invalid_request" {
			t.Errorf("%s: another problem", kind)
		}
	}
}

// TestBodiesOfOperationsThatAreNoTools have no schema at run time.
//
// clause: E-42
func TestBodiesOfOperationsThatAreNoTools(t *testing.T) {
	t.Parallel()
	d := newDoor(t).users(t)
	for body, want := range map[string]int{
		`{"username":"ada","password":"correct horse battery staple"}`:                  200,
		`{"username":"ada","password":"correct horse battery staple"}{}`:                400,
		`{"username":"ada","password":"correct horse battery staple","more":1}`:         400,
		`{"username":"ada","Password":"correct horse battery staple"}`:                  400,
		`{"username":"eve","username":"ada","password":"correct horse battery staple"}`: 400,
		`{"username":"ada","password":null}`:                                            400,
		`{"username":"ada","password":"another horse battery staple"}`:                  401,
	} {
		w := call{method: "POST", path: "/auth/login", body: body}.request(d.public)
		if w.Code != want {
			t.Errorf("%s: status %d %s, want %d", body, w.Code, w.Body, want)
		}
		if want == 401 && w.Header().Get("WWW-Authenticate") == "" {
			t.Error("401 comes without WWW-Authenticate")
		}
	}
}
