package platform

import (
	"net/http"
	"time"
)

// replyTime bounds a request with its reply, whoever reads how slowly: pages are
// kept in memory until they are read. A stream of events gives itself more, for
// one write after the other.
const replyTime = time.Minute

// ending cuts the connection of a reply that takes too long.
func ending(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(replyTime)) // a recorder in a test has none
		next.ServeHTTP(w, r)
	})
}
