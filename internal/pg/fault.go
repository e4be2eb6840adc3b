package pg

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/pharos-mcp/pharos/edge/fault"
)

// The codes of PostgreSQL that say something about the moment and nothing
// about the statement.
const (
	serializationFailure = "40001"
	deadlockDetected     = "40P01"
	lockNotAvailable     = "55P03"
	queryCanceled        = "57014"
	idleInTransaction    = "25P03"
)

// reason is what a caller is told, and when to try again.
type reason struct {
	message string
	after   time.Duration
}

var (
	unreachable = reason{"the database cannot be reached; nothing was changed, try again", 2 * time.Second}
	overloaded  = reason{"the database is overloaded; nothing was changed, try again", 5 * time.Second}
	locked      = reason{"another request is changing the same thing; nothing was changed, try again", time.Second}
	slow        = reason{"the database took too long; nothing was changed, try again", 5 * time.Second}
	open        = reason{"the connection to the database was lost before it said whether this was done; " +
		"repeat the same request, with the same Idempotency-Key, to learn what became of it", 2 * time.Second}
)

// Fault makes what a database cannot do at the moment into a fault that says
// when to try again; the error keeps its cause for the log. Other errors stay
// as they are, a caller's own deadline and cancelling among them.
func Fault(err error) error {
	if err == nil {
		return nil
	}
	if _, ok := errors.AsType[*fault.Fault](err); ok {
		return err
	}
	if r, ok := reasonFor(err); ok {
		return r.fault(err)
	}
	return err
}

// TimedOut tells that a statement or a transaction took longer than it may, and
// that nothing was changed. Fault makes such an error Unavailable; a service
// whose callers are to know the difference asks here.
func TimedOut(err error) bool {
	r, ok := reasonFor(err)
	return ok && r == slow && !errors.Is(err, ErrUnsettled)
}

func (r reason) fault(cause error) error {
	return fmt.Errorf("%w: %w", &fault.Fault{Code: fault.Unavailable, Message: r.message, RetryAfter: r.after}, cause)
}

func unsettled(cause error) error { return open.fault(fmt.Errorf("%w: %w", ErrUnsettled, cause)) }

// transient tells that an error says nothing about the statement.
func transient(err error) bool {
	_, ok := reasonFor(err)
	return ok
}

// passing tells that waiting may help: there is no server, or it says so. One
// that refuses a password or has no such database says something else.
func passing(err error) bool {
	if server, ok := errors.AsType[*pgconn.PgError](err); ok {
		_, ok := reasonForCode(server.Code)
		return ok
	}
	return transient(err)
}

// reasonFor tells why a database could not do something.
func reasonFor(err error) (reason, bool) {
	switch {
	case errors.Is(err, errBusy):
		return overloaded, true
	case errors.Is(err, errSlow):
		return slow, true
	case errors.Is(err, context.Canceled):
		return reason{}, false
	}
	server, said := errors.AsType[*pgconn.PgError](err)
	if said {
		if r, ok := reasonForCode(server.Code); ok {
			return r, true
		}
	}
	if _, ok := errors.AsType[*pgconn.ConnectError](err); ok {
		return unreachable, true // whatever it said: nothing can be asked of it
	}
	return unreachable, !said && broken(err)
}

// reasonForCode goes by the code of the server, or how it begins: 08 is about
// connections, 53 about resources, 57P about the server's coming and going.
func reasonForCode(code string) (reason, bool) {
	switch code {
	case lockNotAvailable, serializationFailure, deadlockDetected:
		return locked, true
	case queryCanceled, idleInTransaction:
		return slow, true
	}
	switch {
	case strings.HasPrefix(code, "08"), strings.HasPrefix(code, "57P"):
		return unreachable, true
	case strings.HasPrefix(code, "53"):
		return overloaded, true
	}
	return reason{}, false
}

// broken tells that a connection broke. A deadline is a net.Error too, and says
// nothing about the connection.
func broken(err error) bool {
	if errors.Is(err, context.DeadlineExceeded) {
		return false
	}
	if _, ok := errors.AsType[net.Error](err); ok {
		return true
	}
	return slices.ContainsFunc([]error{
		pgconn.ErrConnClosed, io.EOF, io.ErrUnexpectedEOF, net.ErrClosed, syscall.EPIPE, syscall.ECONNRESET,
	}, func(of error) bool { return errors.Is(err, of) })
}
