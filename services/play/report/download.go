package report

import (
	"bufio"
	"net/http"
)

// start is how much of a report is made before its reply begins.
const start = 64 << 10

// Download answers with a report as a file of a name, which is made while it is
// read. An error before the reply has begun leaves it to the caller. One after
// is for cutting the reply off, so that nobody takes a part for the whole.
func Download(w http.ResponseWriter, d Data, name, language string) (begun bool, err error) {
	file := &file{reply: w, name: name, language: language}
	buffered := bufio.NewWriterSize(file, start)
	if err = Write(buffered, d, language); err == nil {
		err = buffered.Flush()
	}
	return file.begun, err
}

// file begins the reply with the first piece.
type file struct {
	reply          http.ResponseWriter
	name, language string
	begun          bool
}

// Write implements io.Writer.
func (f *file) Write(piece []byte) (int, error) {
	if !f.begun {
		f.begun = true
		h := f.reply.Header()
		h.Set("Content-Type", "text/markdown; charset=utf-8")
		h.Set("Content-Language", f.language)
		h.Set("Content-Disposition", `attachment; filename="`+f.name+`"`)
		h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	}
	return f.reply.Write(piece)
}
