package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httputil"
	"net/url"
)

var jsonType = []string{"application/json"}

// maxIdle is as many connections as are ever open to the API: none is closed
// and opened again.
const maxIdle = 256

// pet is a pet of the API.
type pet struct {
	ID      string   `json:"id"`
	Name    string   `json:"name"`
	Species string   `json:"species"`
	Status  string   `json:"status"`
	Weight  float64  `json:"weight"`
	Tags    []string `json:"tags"`
}

// api is the API: it gives any pet, and takes any.
func api() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /pets/{id}", func(w http.ResponseWriter, r *http.Request) {
		writePet(w, http.StatusOK, pet{
			ID: r.PathValue("id"), Name: "Hildegard", Species: "cat", Weight: 4.25, Tags: []string{"calm", "indoors", "old"},
		})
	})
	mux.HandleFunc("POST /pets", func(w http.ResponseWriter, r *http.Request) {
		var p pet
		data, err := io.ReadAll(r.Body)
		if err != nil || json.Unmarshal(data, &p) != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		p.ID = p.Name
		writePet(w, http.StatusCreated, p)
	})
	return mux
}

func writePet(w http.ResponseWriter, status int, p pet) {
	p.Status = "available"
	data, err := json.Marshal(p)
	if err != nil {
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	w.Header()["Content-Type"] = jsonType
	w.WriteHeader(status)
	_, _ = w.Write(data)
}

// proxy is a plain reverse proxy in front of an API.
func proxy(upstream string) (http.Handler, error) {
	target, err := url.Parse(upstream)
	if err != nil {
		return nil, err
	}
	return &httputil.ReverseProxy{
		Rewrite:   func(r *httputil.ProxyRequest) { r.SetURL(target) },
		Transport: &http.Transport{MaxIdleConnsPerHost: maxIdle},
	}, nil
}
