package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"path/filepath"
	"time"

	"github.com/pharos-mcp/pharos/edge"
	"github.com/pharos-mcp/pharos/internal/httpguard"
	"github.com/pharos-mcp/pharos/services/world/camera/worker"
	worldkey "github.com/pharos-mcp/pharos/services/world/key"
)

// cameraConfig is the configuration of the camera worker, and of who asks it.
type cameraConfig struct {
	// Listen is the worker's address: host and port, on loopback always.
	Listen string `json:"listen"`
	// URL is where the world asks for pictures, on loopback. Empty stands for that of
	// camera.listen.
	URL string `json:"url,omitempty"`
	// KeyFile holds the worker's own key. Empty stands for camera/key beside the
	// folder of the private database. The worker makes it.
	KeyFile string `json:"key_file,omitempty"`
}

// cameraKeyFile is the file of the worker's key.
func (c config) cameraKeyFile() (string, error) {
	if c.Camera.KeyFile != "" {
		return filepath.Abs(c.Camera.KeyFile)
	}
	state, err := c.Database.state()
	if err != nil {
		return "", fmt.Errorf("camera.key_file is needed: %w", err)
	}
	return filepath.Abs(filepath.Join(filepath.Dir(state), "camera", "key"))
}

// check reports what is wrong with it.
func (c cameraConfig) check() error {
	var where error
	u, err := url.Parse(c.URL)
	if c.URL != "" && (err != nil || u.Scheme != "http" || !httpguard.IsLoopback(u.Hostname())) {
		where = fmt.Errorf("camera.url: %q is no http URL on loopback", c.URL)
	}
	return errors.Join(checkAddress("camera.listen", c.Listen, true), where)
}

// openCamera opens the listener of the camera worker.
func (a *assembly) openCamera() error {
	file, err := a.config.cameraKeyFile()
	if err != nil {
		return err
	}
	key, err := worldkey.Own(file)
	if err != nil {
		return fmt.Errorf("camera.key_file: %w", err)
	}
	l, err := listen("camera.listen", a.config.Camera.Listen, true)
	if err != nil {
		return err
	}
	a.config.Camera.Listen = l.Addr().String()
	drawing := guarded(worker.New(key, a.log))
	a.services = append(a.services, service{
		listener: l,
		announce: func(out io.Writer) error {
			_, err := fmt.Fprintf(out, "camera: http://%s, with the key in %s\n", l.Addr(), file)
			return err
		},
		run: func(ctx context.Context, l net.Listener) error { return edge.ServeHTTP(ctx, l, drawing) },
	})
	return nil
}

// guarded refuses what no program on this machine sends by itself: a browser
// whose page was told another address of loopback.
func guarded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host, _, err := net.SplitHostPort(r.Host)
		if err != nil {
			host = r.Host
		}
		if !httpguard.IsLoopback(host) || r.Header.Get("Origin") != "" {
			http.Error(w, "this address is for programs on this machine", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// cameraTime is how long a worker may take for an answer.
const cameraTime = 30 * time.Second

// camera is who the world asks for pictures. The key is read with each: a worker
// that starts later makes it.
func (c config) camera() (*worker.Client, error) {
	file, err := c.cameraKeyFile()
	if err != nil {
		return nil, err
	}
	return &worker.Client{
		URL:  cmp.Or(c.Camera.URL, "http://"+c.Camera.Listen),
		Key:  func() (string, error) { return worldkey.Read(file) },
		HTTP: &http.Client{Timeout: cameraTime, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }},
	}, nil
}
