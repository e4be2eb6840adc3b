package admission

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/logging"
	"github.com/redis/go-redis/v9/maintnotifications"
)

// decisionTime is how long Redis may take. A decision that does not come in time
// is an outage.
const decisionTime = time.Second

// mostCleanups bounds how many undecided requests are taken back at a time.
const mostCleanups = 32

//go:embed admit.lua
var admitLua string

var admit = redis.NewScript(admitLua)

func init() {
	// The client would write lines of its own to standard error on an outage.
	// What matters in them is in the errors that it returns.
	logging.Disable()
}

// Redis holds the bounds of all processes that use the same database of the
// same server. A failover to a replica can lose places, and so admit more than
// the bounds for the length of a lease.
type Redis struct {
	client   *redis.Client
	limits   Limits
	wait     time.Duration    // for a decision
	now      func() time.Time // nil: the server's clock
	process  string           // first part of each request's name
	last     atomic.Uint64    // second part
	cleanups chan struct{}
}

// ErrURL is a text that is no Redis URL. It does not repeat the text, which may
// hold a password.
var ErrURL = errors.New("not a Redis URL such as redis://HOST:6379/0, rediss://USER:PASSWORD@HOST:6379/0 or unix:///run/redis.sock")

// NewRedis makes an admission for all processes that share the database at url.
// It connects when it is first needed. The clock is the server's if now is nil:
// processes whose clocks differ still agree.
func NewRedis(url string, l Limits, now func() time.Time) (*Redis, error) {
	return newRedis(url, l, now, decisionTime)
}

func newRedis(url string, l Limits, now func() time.Time, wait time.Duration) (*Redis, error) {
	options, err := redis.ParseURL(url)
	if err != nil {
		return nil, ErrURL
	}
	// A request is decided once or not at all; its outcome must come soon.
	options.MaxRetries, options.DialerRetries = -1, 1
	options.DialTimeout, options.ReadTimeout, options.WriteTimeout = wait, wait, wait
	options.PoolTimeout, options.ContextTimeoutEnabled = wait, true
	options.DisableIdentity = true
	options.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	return &Redis{
		client: redis.NewClient(options), limits: l.withDefaults(), wait: wait, now: now,
		process: rand.Text() + ":", cleanups: make(chan struct{}, mostCleanups),
	}, nil
}

// Admit implements Admission. It returns within a second, also after its
// context has ended while it waited for the server.
func (r *Redis) Admit(ctx context.Context, key string) (release func(), err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	id := r.process + strconv.FormatUint(r.last.Add(1), 36)
	keys := keysOf(key)
	code, after, err := r.decide(ctx, id, keys)
	over := ended(ctx)
	if over != nil || err != nil {
		r.takeBack(ctx, id, keys) // it may have happened, and nobody would release
		if over != nil {
			return nil, over
		}
		return nil, &Outage{err}
	}
	switch code {
	case 0:
		var released atomic.Bool
		return func() {
			if !released.Swap(true) {
				r.release(context.WithoutCancel(ctx), id, keys, false)
			}
		}, nil
	case 1:
		return nil, &Refused{Rate, after}
	case 2:
		return nil, &Refused{Key, soon}
	default:
		return nil, &Refused{All, soon}
	}
}

// ended is the error of a context that is over, also in the moment before its
// own timer has noticed: the connection's may have been first.
func ended(ctx context.Context) error {
	if at, ok := ctx.Deadline(); ok && !time.Now().Before(at) {
		return context.DeadlineExceeded
	}
	return ctx.Err()
}

// decide runs the script.
func (r *Redis) decide(ctx context.Context, id string, keys []string) (code int64, after time.Duration, err error) {
	ctx, cancel := context.WithTimeout(ctx, r.wait)
	defer cancel()
	now := int64(-1)
	if r.now != nil {
		now = r.now().UnixMicro()
	}
	reply, err := admit.Run(ctx, r.client, keys, id, r.limits.Rate, r.limits.Window.Microseconds(),
		r.limits.Key, r.limits.All, r.limits.Lease.Microseconds(), now).Int64Slice()
	if err != nil {
		return 0, 0, err
	}
	if len(reply) != 2 {
		return 0, 0, fmt.Errorf("the script answered %d values", len(reply))
	}
	return reply[0], time.Duration(reply[1]) * time.Microsecond, nil
}

// release gives a place back. If it cannot, the place ends with its lease.
// Begun takes back too that the request ever began.
func (r *Redis) release(ctx context.Context, id string, keys []string, begun bool) {
	ctx, cancel := context.WithTimeout(ctx, r.wait)
	defer cancel()
	_, _ = r.client.Pipelined(ctx, func(p redis.Pipeliner) error {
		p.ZRem(ctx, keys[1], id)
		p.ZRem(ctx, keys[2], id)
		if begun {
			p.ZRem(ctx, keys[0], id)
		}
		return nil
	})
}

// takeBack undoes an admission that may have happened unseen. Nobody waits for
// it, and while an outage fails many it gives up on some: their leases end.
func (r *Redis) takeBack(ctx context.Context, id string, keys []string) {
	select {
	case r.cleanups <- struct{}{}:
		go func() {
			defer func() { <-r.cleanups }()
			r.release(context.WithoutCancel(ctx), id, keys, true)
		}()
	default:
	}
}

// Check says whether the server is there.
func (r *Redis) Check(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, r.wait)
	defer cancel()
	return r.client.Ping(ctx).Err()
}

// Close closes the connections.
func (r *Redis) Close() error { return r.client.Close() }

// keysOf names what the script uses. The braces keep the three on one node of a
// cluster; the digest bounds their length, whatever names callers have.
func keysOf(key string) []string {
	digest := sha256.Sum256([]byte(key))
	name := hex.EncodeToString(digest[:16])
	return []string{"{pharos-admission}:begun:" + name, "{pharos-admission}:places:" + name, "{pharos-admission}:places"}
}
