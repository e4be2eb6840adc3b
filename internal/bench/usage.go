package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"runtime"
	"syscall"
	"time"
)

// usage is what a process has taken so far.
type usage struct {
	CPU       time.Duration // user and system time
	Allocated uint64        // bytes, ever
	Resident  int64         // bytes, now
}

// now is the usage of this process.
func now() usage {
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	u := usage{Allocated: memory.TotalAlloc}
	var r syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &r) == nil {
		u.CPU = time.Duration(r.Utime.Nano() + r.Stime.Nano())
	}
	var size, pages int64
	if data, err := os.ReadFile("/proc/self/statm"); err == nil {
		if _, err := fmt.Fscan(bytes.NewReader(data), &size, &pages); err == nil {
			u.Resident = pages * int64(os.Getpagesize())
		}
	}
	return u
}

// tellUsage answers with the usage of this process.
func tellUsage(w http.ResponseWriter, _ *http.Request) {
	w.Header()["Content-Type"] = jsonType
	_ = json.NewEncoder(w).Encode(now())
}

// usageAt asks a process for its usage.
func usageAt(address string) (u usage, err error) {
	reply, err := http.Get("http://" + address)
	if err != nil {
		return u, err
	}
	defer func() { _ = reply.Body.Close() }()
	return u, json.NewDecoder(reply.Body).Decode(&u)
}
