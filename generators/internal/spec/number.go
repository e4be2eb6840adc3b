package spec

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"
)

// boundedNumber reports whether a JSON number is small enough to be worked with
// as a rational: validators expand exponents.
func boundedNumber(text string) bool {
	if len(text) > maxDigits {
		return false
	}
	_, exponent, ok := strings.Cut(strings.ToLower(text), "e")
	if !ok {
		return true
	}
	n, err := strconv.Atoi(exponent)
	return err == nil && -maxDigits <= n && n <= maxDigits
}

func numberProblem(pos Pos) Problem {
	return Problem{
		Pos: pos, Rule: "bound",
		Message: fmt.Sprintf("the number has more than %d digits or an exponent beyond ±%d", maxDigits, maxDigits),
	}
}

// yamlNumber gives the JSON text of a plain scalar that is a number in the core
// schema of YAML 1.2. Infinities and NaN have no JSON form and count as text.
func yamlNumber(s string) (string, bool) {
	if len(s) == 0 || len(s) > maxDigits+1 {
		return "", false
	}
	if rest, ok := strings.CutPrefix(s, "0x"); ok {
		return inBase(rest, 16)
	}
	if rest, ok := strings.CutPrefix(s, "0o"); ok {
		return inBase(rest, 8)
	}
	sign, digits := "", s
	switch s[0] {
	case '-':
		sign, digits = "-", s[1:]
	case '+':
		digits = s[1:]
	}
	whole, rest := leadingDigits(digits)
	fraction := ""
	if after, ok := strings.CutPrefix(rest, "."); ok {
		fraction, rest = leadingDigits(after)
	}
	if whole == "" && fraction == "" {
		return "", false
	}
	exponent := ""
	if rest != "" {
		if rest[0] != 'e' && rest[0] != 'E' {
			return "", false
		}
		exponent = rest
		power := strings.TrimLeft(rest[1:], "+-")
		if len(rest)-1-len(power) > 1 {
			return "", false
		}
		if d, left := leadingDigits(power); d == "" || left != "" {
			return "", false
		}
	}
	whole = strings.TrimLeft(whole, "0")
	if whole == "" {
		whole = "0"
	}
	if fraction != "" {
		fraction = "." + fraction
	}
	return sign + whole + fraction + exponent, true
}

// leadingDigits splits off the decimal digits that s starts with.
func leadingDigits(s string) (digits, rest string) {
	i := 0
	for i < len(s) && '0' <= s[i] && s[i] <= '9' {
		i++
	}
	return s[:i], s[i:]
}

func inBase(digits string, base int) (string, bool) {
	if digits == "" || strings.ContainsAny(digits, "+-_") {
		return "", false
	}
	n, ok := new(big.Int).SetString(digits, base)
	if !ok {
		return "", false
	}
	return n.String(), true
}

// Decimal gives the JSON text of a decimal number within the bounds of a file.
func Decimal(s string) (string, bool) {
	if len(s) > 1 && s[0] == '0' && (s[1] == 'x' || s[1] == 'o') {
		return "", false
	}
	text, ok := yamlNumber(s)
	return text, ok && boundedNumber(text)
}
