package geo

import (
	"errors"
	"strconv"
	"strings"
)

// ErrTenths is about a number that is no length of the simulator.
var ErrTenths = errors.New("not a number between -1000000 and 1000000")

// maxUnits bounds the numbers that are read, in units.
const maxUnits = 1_000_000

// AppendTenths appends a number of tenths with exactly one decimal: 7138 is
// 713.8, and 7000 is 700.0.
func AppendTenths(b []byte, v int64) []byte {
	if v < 0 {
		b = append(b, '-')
		v = -v
	}
	b = strconv.AppendInt(b, v/10, 10)
	return append(b, '.', byte('0'+v%10))
}

// AppendPoint appends a point as {"x":…,"y":…}.
func AppendPoint(b []byte, p Point) []byte {
	b = AppendTenths(append(b, `{"x":`...), p.X)
	b = AppendTenths(append(b, `,"y":`...), p.Y)
	return append(b, '}')
}

// ParseTenths reads a number as JSON spells it and rounds it to tenths, halves
// away from zero. It reads the digits and never a float, so that no machine
// rounds otherwise.
func ParseTenths(text string) (int64, error) {
	digits, negative := strings.CutPrefix(text, "-")
	mantissa, power, scaled := strings.Cut(strings.ToLower(digits), "e")
	exponent := 0
	if scaled {
		var err error
		if exponent, err = strconv.Atoi(power); err != nil || exponent < -400 || exponent > 400 {
			return 0, ErrTenths
		}
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	all := whole + fraction
	if all == "" || strings.Trim(all, "0123456789") != "" || len(all) > 400 {
		return 0, ErrTenths
	}
	point := len(whole) + exponent + 1 // where the tenths end
	value, err := round(all, point)
	if err != nil {
		return 0, err
	}
	if negative {
		value = -value
	}
	return value, nil
}

// round reads the digits up to a place, with zeros behind them where the place
// is beyond, and rounds by the digit at the place.
func round(digits string, place int) (int64, error) {
	if place < 0 {
		return 0, nil
	}
	up := place < len(digits) && digits[place] >= '5'
	kept := strings.TrimLeft(digits[:min(place, len(digits))], "0")
	if kept == "" {
		kept = "0"
	} else if missing := place - len(digits); missing > 0 {
		if missing > 20 {
			return 0, ErrTenths
		}
		kept += strings.Repeat("0", missing)
	}
	value, err := strconv.ParseInt(kept, 10, 64)
	if err != nil || value > maxUnits*10 {
		return 0, ErrTenths
	}
	if up {
		value++
	}
	if value > maxUnits*10 {
		return 0, ErrTenths
	}
	return value, nil
}
