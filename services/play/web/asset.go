package web

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"net/http"
	"time"
)

//go:embed style.css
var styleText []byte

//go:embed icon.svg
var iconText []byte

// asset is a file of the pages. Its content is in its name, so that browsers
// need never ask for it again.
type asset struct {
	path, media string
	data        []byte
}

func styleAsset() asset { return newAsset("play", ".css", "text/css; charset=utf-8", styleText) }
func iconAsset() asset  { return newAsset("pharos", ".svg", "image/svg+xml", iconText) }

func newAsset(name, ending, media string, data []byte) asset {
	sum := sha256.Sum256(data)
	return asset{"/static/" + name + "-" + hex.EncodeToString(sum[:8]) + ending, media, data}
}

// ServeHTTP implements http.Handler.
func (a asset) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	w.Header().Set("Content-Type", a.media)
	w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(a.data))
}
