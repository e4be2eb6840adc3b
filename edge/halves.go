package edge

import (
	"bytes"
	"errors"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// errHalfName is about the name of a member that is no text. Another name in
// its place could be that of a second member.
var errHalfName = errors.New("the name of a member holds half of a surrogate pair")

// wholeText marks each half of a surrogate pair in the strings of a reply with
// U+FFFD, as decodeText does with what is not text. Some clients cannot read a
// message with such a half in it: their caller would wait for ever. The value
// must have been found to be JSON.
func wholeText(value []byte) ([]byte, error) {
	if !bytes.Contains(value, []byte(`\u`)) {
		return value, nil
	}
	var whole []byte // a copy, once there is something to mark
	for i := 0; i < len(value); i++ {
		if value[i] != '"' {
			continue
		}
		marked := false
		for i++; value[i] != '"'; i++ {
			if value[i] != '\\' {
				continue
			}
			i++
			first := codeUnit(value[i:])
			switch {
			case !utf16.IsSurrogate(first):
			case value[i+5] == '\\' && utf16.DecodeRune(first, codeUnit(value[i+6:])) != utf8.RuneError:
				i += 10 // the other half's last digit
			default:
				if whole == nil {
					whole = bytes.Clone(value)
				}
				copy(whole[i:], "ufffd")
				marked = true
			}
		}
		if marked && bytes.HasPrefix(bytes.TrimLeft(value[i+1:], " \t\r\n"), []byte(":")) {
			return nil, errHalfName
		}
	}
	if whole == nil {
		return value, nil
	}
	return whole, nil
}

// codeUnit is that of an escape, which begins with its letter, or 0.
func codeUnit(escape []byte) rune {
	if escape[0] != 'u' {
		return 0
	}
	unit, _ := strconv.ParseUint(string(escape[1:5]), 16, 16) // the text has been found to be JSON
	return rune(unit)
}
