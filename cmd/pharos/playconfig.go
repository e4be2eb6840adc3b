package main

import (
	"cmp"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/pharos-mcp/pharos/edge"
	"github.com/pharos-mcp/pharos/internal/httpguard"
)

// playConfig is the configuration of play: its pages, its REST interface and
// its two MCP catalogs, all at one address.
type playConfig struct {
	// Listen is the address: host and port. Off loopback, what goes over it is
	// encrypted: by TLS, or by what BehindTLSProxy says is in front.
	Listen string `json:"listen"`
	// Origin is where browsers and MCP clients find it, as in
	// "https://play.example". Empty stands for Listen itself, over plain HTTP on
	// loopback; with TLS or a proxy it is needed.
	Origin string `json:"origin,omitempty"`
	// TLS are the certificate and the key with which it encrypts by itself.
	// Empty stands for plain HTTP.
	TLS tlsConfig `json:"tls,omitzero"`
	// BehindTLSProxy says that what reaches Listen has come over TLS to a proxy,
	// and over nothing that others hear from there.
	BehindTLSProxy bool `json:"behind_tls_proxy,omitempty"`
	// Hosts are names, without a port, by which clients address it beside those
	// of loopback and of Origin. It may be empty.
	Hosts []string `json:"hosts,omitempty"`
	// Proxies are the addresses and networks of one's own proxies, as "127.0.0.1"
	// and "10.0.0.0/8": their X-Forwarded-For says whom a request counts for. It
	// may be empty; behind a proxy, all clients then share the bounds of one
	// address.
	Proxies []string `json:"proxies,omitempty"`
	// Admission bounds what the two catalogs serve together.
	Admission playAdmission `json:"admission,omitzero"`
	// RedisFile holds the URL of a Redis server over which several processes
	// share those bounds. Empty stands for REDIS_URL, and where that is empty
	// too for bounds of this process alone.
	RedisFile string `json:"redis_file,omitempty"`
	// StatementTimeout bounds one statement in the database. Zero stands for 5s,
	// or what the database's URL says.
	StatementTimeout edge.Duration `json:"statement_timeout,omitzero"`
	// LockTimeout bounds waiting for a lock there. Zero stands for 2s, or what
	// the database's URL says.
	LockTimeout edge.Duration `json:"lock_timeout,omitzero"`
	// Deadline bounds a tool call from start to end. Zero stands for 25s.
	Deadline edge.Duration `json:"deadline,omitzero"`
	// BodyTimeout bounds the time for the body of a request to arrive. Zero
	// stands for 10s.
	BodyTimeout edge.Duration `json:"body_timeout,omitzero"`
}

// tlsConfig names the files of a certificate, with the chain behind it, and of
// its key, both PEM. They are read when the program starts.
type tlsConfig struct {
	Certificate string `json:"certificate"`
	Key         string `json:"key"`
}

// playAdmission are the bounds of requests for MCP, initialize and discovery
// among them.
type playAdmission struct {
	// TokenPerMinute is how many requests with one token begin within any 60 s.
	// Zero stands for 60, -1 for no such bound.
	TokenPerMinute int `json:"token_per_minute,omitempty"`
	// TokenConcurrency is how many requests with one token are served at the
	// same time. Zero stands for 2.
	TokenConcurrency int `json:"token_concurrency,omitempty"`
	// Concurrency is how many requests of all tokens, for both catalogs
	// together, are served at the same time. Zero stands for 8.
	Concurrency int `json:"concurrency,omitempty"`
	// AddressPerMinute is how many requests come from one client address within
	// a minute, before anything is known of them. Zero stands for 600, -1 for no
	// such bound.
	AddressPerMinute int `json:"address_per_minute,omitempty"`
}

// The values that stand for a zero one.
const (
	playTokenPerMinute   = 60
	playTokenConcurrency = 2
	playConcurrency      = 8
	playAddressPerMinute = 600
	playDeadline         = 25 * time.Second
	playBodyTimeout      = 10 * time.Second
)

// maxPlayTime bounds each time: what is longer is a slip.
const maxPlayTime = time.Hour

// withDefaults puts the defaults where the configuration says nothing.
func (c playConfig) withDefaults() playConfig {
	a := &c.Admission
	a.TokenPerMinute = cmp.Or(a.TokenPerMinute, playTokenPerMinute)
	a.TokenConcurrency = cmp.Or(a.TokenConcurrency, playTokenConcurrency)
	a.Concurrency = cmp.Or(a.Concurrency, playConcurrency)
	a.AddressPerMinute = cmp.Or(a.AddressPerMinute, playAddressPerMinute)
	c.Deadline = cmp.Or(c.Deadline, edge.Duration(playDeadline))
	c.BodyTimeout = cmp.Or(c.BodyTimeout, edge.Duration(playBodyTimeout))
	return c
}

// resolve makes the names of files relative to a folder.
func (c *playConfig) resolve(folder string) {
	for _, file := range []*string{&c.TLS.Certificate, &c.TLS.Key, &c.RedisFile} {
		if *file != "" && !filepath.IsAbs(*file) && !strings.Contains(*file, "://") { // which is refused later
			*file = filepath.Join(folder, *file)
		}
	}
}

// secure reports whether clients reach it over TLS.
func (c playConfig) secure() bool { return c.TLS != (tlsConfig{}) || c.BehindTLSProxy }

// forOthers reports whether it is for more than this machine.
func (c playConfig) forOthers() bool {
	host, _, err := net.SplitHostPort(c.Listen)
	return c.secure() || err == nil && !httpguard.IsLoopback(host)
}

// url is its origin as clients spell it.
func (c playConfig) url() string { return cmp.Or(c.Origin, "http://"+c.Listen) }

// hosts are the names that a request may address beside those of loopback.
func (c playConfig) hosts() []string {
	u, err := url.Parse(c.Origin)
	if err != nil || u.Hostname() == "" {
		return c.Hosts
	}
	return append([]string{u.Hostname()}, c.Hosts...)
}

// check reports what is wrong with it, but for what only the edges judge.
func (c playConfig) check() error {
	c = c.withDefaults()
	_, noCertificate := c.TLS.open()
	return errors.Join(
		c.checkListen(), c.checkOrigin(), noCertificate, c.checkProxies(),
		checkCount("token_per_minute", c.Admission.TokenPerMinute, -1),
		checkCount("token_concurrency", c.Admission.TokenConcurrency, 1),
		checkCount("concurrency", c.Admission.Concurrency, 1),
		checkCount("address_per_minute", c.Admission.AddressPerMinute, -1),
		checkPlayTime("statement_timeout", c.StatementTimeout), checkPlayTime("lock_timeout", c.LockTimeout),
		checkPlayTime("deadline", c.Deadline), checkPlayTime("body_timeout", c.BodyTimeout),
	)
}

// checkListen refuses an address at which others could listen in.
func (c playConfig) checkListen() error {
	if err := checkAddress("play.listen", c.Listen, false); err != nil || c.secure() {
		return err
	}
	if host, _, _ := net.SplitHostPort(c.Listen); !httpguard.IsLoopback(host) {
		return fmt.Errorf("play.listen: %q is not loopback, so play.tls or play.behind_tls_proxy is needed", c.Listen)
	}
	return nil
}

// checkOrigin refuses an origin that is none, or not encrypted as the rest says.
func (c playConfig) checkOrigin() error {
	if c.Origin == "" {
		if c.secure() {
			return errors.New("play.origin: is needed with TLS, as https://play.example")
		}
		return nil
	}
	u, err := url.Parse(c.Origin)
	switch {
	case err != nil || u.Host == "" || u.Scheme+"://"+u.Host != c.Origin || u.Hostname() == "":
		return fmt.Errorf("play.origin: %q is not an origin such as https://play.example", c.Origin)
	case c.secure() && u.Scheme != "https":
		return fmt.Errorf("play.origin: %q is not https, as it is with TLS", c.Origin)
	case !c.secure() && (u.Scheme != "http" || !httpguard.IsLoopback(u.Hostname())):
		return fmt.Errorf("play.origin: %q is not http on loopback, "+
			"so play.tls or play.behind_tls_proxy is needed", c.Origin)
	}
	return nil
}

// checkProxies refuses what is no network, and one that holds everybody: it
// would let everybody say who they are.
func (c playConfig) checkProxies() (err error) {
	for i, text := range c.Proxies {
		proxies, bad := httpguard.ParseProxies([]string{text})
		if bad != nil || proxies[0].Bits() == 0 {
			err = errors.Join(err, fmt.Errorf(
				"play.proxies[%d]: %q is not an address or a network such as 10.0.0.0/8", i, text))
		}
	}
	return err
}

// mostRequests bounds a number of requests.
const mostRequests = 1000000

// checkCount holds a number of requests against its bounds; the least is 1, or
// -1 where that stands for no bound.
func checkCount(name string, n, least int) error {
	switch {
	case n >= least && n != 0 && n <= mostRequests:
		return nil
	case least < 0:
		return fmt.Errorf("play.admission.%s: %d is not -1 or from 1 to %d", name, n, mostRequests)
	default:
		return fmt.Errorf("play.admission.%s: %d is not from 1 to %d", name, n, mostRequests)
	}
}

func checkPlayTime(name string, d edge.Duration) error {
	if t := time.Duration(d); t != 0 && (t < time.Millisecond || t > maxPlayTime) {
		return fmt.Errorf("play.%s: %v is not from 1ms to %v", name, t, maxPlayTime)
	}
	return nil
}

// open reads the certificate; nil is plain HTTP.
func (c tlsConfig) open() (*tls.Config, error) {
	if c == (tlsConfig{}) {
		return nil, nil
	}
	var missing error
	if c.Certificate == "" {
		missing = errors.New("play.tls.certificate: is needed")
	}
	if c.Key == "" {
		missing = errors.Join(missing, errors.New("play.tls.key: is needed"))
	}
	if missing != nil {
		return nil, missing
	}
	pair, err := tls.LoadX509KeyPair(c.Certificate, c.Key)
	if err != nil {
		return nil, fmt.Errorf("play.tls: %w", err)
	}
	// The server's way to stop without losing a reply is for HTTP/1.1.
	return &tls.Config{
		Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12, NextProtos: []string{"http/1.1"},
	}, nil
}

// redisURL is that of the server that is meant, or "".
func (c playConfig) redisURL() (string, error) {
	switch {
	case strings.Contains(c.RedisFile, "://"):
		return "", errors.New("play.redis_file: name a file that holds the URL, which is a secret")
	case c.RedisFile == "":
		return os.Getenv("REDIS_URL"), nil
	}
	text, err := readSmallFile(c.RedisFile)
	if err == nil && strings.TrimSpace(string(text)) == "" {
		err = errors.New("holds no URL")
	}
	if err != nil {
		return "", fmt.Errorf("play.redis_file: %w", err)
	}
	return strings.TrimSpace(string(text)), nil
}
