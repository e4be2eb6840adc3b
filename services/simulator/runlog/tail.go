package runlog

import (
	"bytes"
	"io"
	"os"
)

// tail finds how many bytes of a file are whole lines, and how the last of them
// begins.
func tail(file *os.File) (whole int64, last string, err error) {
	size, err := file.Seek(0, io.SeekEnd)
	if err != nil {
		return 0, "", err
	}
	end, err := lastBreak(file, size)
	if end < 0 || err != nil {
		return 0, "", err
	}
	begin, err := lastBreak(file, end)
	if err != nil {
		return 0, "", err
	}
	head := make([]byte, min(64, end-begin-1))
	if _, err := file.ReadAt(head, begin+1); err != nil {
		return 0, "", err
	}
	return end + 1, string(head), nil
}

// lastBreak is where the last line break before a place is, or -1.
func lastBreak(file *os.File, before int64) (int64, error) {
	block := make([]byte, 64<<10)
	for before > 0 {
		from := max(0, before-int64(len(block)))
		part := block[:before-from]
		if _, err := file.ReadAt(part, from); err != nil {
			return 0, err
		}
		if i := bytes.LastIndexByte(part, '\n'); i >= 0 {
			return from + int64(i), nil
		}
		before = from
	}
	return -1, nil
}
