//go:build unix

package embedded

import (
	"io"
	"os"
	"strings"
)

// mostLog is from when on a server's log is put aside at its next start, in
// place of the one that was put aside before.
const mostLog = 8 << 20

// openLog opens the log of a server, and says where what it adds will begin.
func (c Cluster) openLog() (log *os.File, begin int64, err error) {
	if info, err := os.Stat(c.log()); err == nil && info.Size() > mostLog {
		if err := os.Rename(c.log(), c.log()+".old"); err != nil {
			return nil, 0, err
		}
	}
	log, err = os.OpenFile(c.log(), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, 0, err
	}
	if begin, err = log.Seek(0, io.SeekEnd); err != nil {
		log.Close()
		return nil, 0, err
	}
	return log, begin, nil
}

// tail gives the end of what was logged since a start.
func tail(file string, begin int64) string {
	const most = 4 << 10
	content, err := os.ReadFile(file)
	if err != nil || int64(len(content)) < begin {
		return ""
	}
	content = content[begin:]
	return strings.TrimSpace(string(content[max(0, len(content)-most):]))
}
