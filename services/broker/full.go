package broker

import (
	"net/http"
	"strconv"
	"time"
)

// fullError is a bound that was reached: on what one address may have waiting,
// or on what all of them may.
type fullError struct {
	ofAddress bool
	wait      time.Duration // until it may be otherwise
}

// Error says which bound it is.
func (e fullError) Error() string { return "too many " + e.whose() }

func (e fullError) whose() string {
	if e.ofAddress {
		return "from this address"
	}
	return "from everywhere"
}

func (e fullError) status() int {
	if e.ofAddress {
		return http.StatusTooManyRequests
	}
	return http.StatusServiceUnavailable
}

// seconds is wait as a Retry-After header says it.
func (e fullError) seconds() string {
	return strconv.Itoa(max(1, int((e.wait+time.Second-1)/time.Second)))
}
