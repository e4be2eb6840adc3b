package platform

import (
	"mime"
	"net/http"
)

// typed lets a body through that is sent as JSON or without saying what it is:
// the API has no others, and nothing is to be read as what it does not claim to
// be.
func typed(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if kind := r.Header.Get("Content-Type"); kind != "" && r.ContentLength != 0 {
			if media, _, err := mime.ParseMediaType(kind); err != nil || media != "application/json" {
				refused(w, r, http.StatusUnsupportedMediaType, "a body must be application/json")
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}
