package runlog

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// ByRestart is the reason of a run whose process ended before it.
const ByRestart = "aborted:process_restart"

// beginning begins the names of files whose run has not begun.
const beginning = ".begin-"

// Finalise gives every log of a folder that lacks its end the one of a process
// that was restarted, unless the episode was over: then its own. A torn last
// line is taken away, and so are files of runs that never began. It says how
// many logs were finalised. A log that this program cannot compute again gets
// an end without a truth, and a file that does not begin as a log stays as it is.
func Finalise(folder string) (finalised int, err error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return 0, err
	}
	var problems []error
	for _, entry := range entries {
		name := filepath.Join(folder, entry.Name())
		switch {
		case !entry.Type().IsRegular():
		case strings.HasPrefix(entry.Name(), beginning):
			problems = append(problems, os.Remove(name))
		case strings.HasSuffix(entry.Name(), Suffix):
			done, err := finalise(name, ByRestart)
			if err != nil {
				problems = append(problems, fmt.Errorf("%s: %w", entry.Name(), err))
			}
			if done {
				finalised++
			}
		}
	}
	return finalised, errors.Join(problems...)
}

// finalise does so for one log, with the reason of a run that is not over.
func finalise(name, reason string) (done bool, err error) {
	file, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	whole, last, err := tail(file)
	if err != nil {
		return false, err
	}
	if whole == 0 || strings.HasPrefix(last, endBegins) { // Create leaves a whole header at least
		return false, nil
	}
	head := make([]byte, len(headerBegins))
	if _, err := file.ReadAt(head, 0); err != nil && !errors.Is(err, io.EOF) {
		return false, err
	}
	if string(head) != headerBegins {
		return false, nil
	}
	if _, err := file.Seek(0, 0); err != nil {
		return false, err
	}
	found, differs := Replay(file)
	if _, ok := errors.AsType[*Difference](differs); differs != nil && !ok {
		return false, differs
	}
	end := foreignEnd(last, reason)
	if differs == nil && found.Episode != nil {
		end = endLine(found.Episode, cmp.Or(found.Episode.TerminalReason(), reason))
	}
	if err := file.Truncate(whole); err != nil {
		return false, err
	}
	if _, err := file.WriteAt(end, whole); err != nil {
		return false, err
	}
	return true, file.Sync()
}

// foreignEnd ends a log that cannot be computed again.
func foreignEnd(last, reason string) []byte {
	var tick int64
	_, _ = fmt.Sscanf(last, `{"type":"tick","tick":%d,`, &tick)
	return fmt.Appendf(nil, `{"type":"end","reason":%q,"tick":%d,"casualties":null,"buildings_lost":null,"truth":null,"contacts":null}`+"\n", reason, tick)
}
