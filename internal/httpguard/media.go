package httpguard

import (
	"mime"
	"net/http"
	"strings"
)

// readable reports whether the headers say of a body that it is what its bytes
// are: of one type, in UTF-8 and in no content coding. Whoever stands in front
// and goes by them would read another body than the handler does.
func readable(h http.Header) bool {
	for _, coding := range h["Content-Encoding"] {
		if coding != "" && !strings.EqualFold(coding, "identity") {
			return false
		}
	}
	types := h["Content-Type"]
	if len(types) != 1 {
		return len(types) == 0
	}
	if !strings.Contains(types[0], ";") {
		return true
	}
	_, parameters, err := mime.ParseMediaType(types[0])
	charset := strings.ToLower(parameters["charset"])
	return err == nil && (charset == "" || charset == "utf-8" || charset == "us-ascii")
}

// maybeJSON reports whether a handler could take a body for JSON: the headers
// say so, or nothing.
func maybeJSON(h http.Header) bool {
	mediaType, _, _ := strings.Cut(h.Get("Content-Type"), ";")
	mediaType = strings.ToLower(strings.TrimSpace(mediaType))
	return mediaType == "" || strings.HasSuffix(mediaType, "/json") || strings.HasSuffix(mediaType, "+json")
}

// CloseAfterChunks closes a connection after the reply to a request whose body
// came in chunks. Such a request may have announced a length too, which the
// server forgets; whoever stands in front may have gone by that, and taken for
// the end of the body what is in the middle of it, or the other way around.
// What follows on the connection is then no request of anybody's.
//
// It is RFC 9112, section 6.1: a server may answer a request with both, and must
// close the connection after it.
func CloseAfterChunks(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if len(r.TransferEncoding) > 0 {
			w.Header().Set("Connection", "close")
		}
		next.ServeHTTP(w, r)
	})
}
