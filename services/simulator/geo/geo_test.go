package geo_test

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/pharos-mcp/pharos/services/simulator/geo"
)

// The vectors of the mechanics.
func TestArithmetic(t *testing.T) {
	t.Parallel()
	for n, want := range map[int64]int64{0: 0, 1: 1, 3: 1, 4: 2, 15: 3, 16: 4, 1 << 62: 1 << 31, 1<<62 - 1: 1<<31 - 1} {
		if got := geo.Isqrt(n); got != want {
			t.Errorf("Isqrt(%d) = %d, want %d", n, got, want)
		}
	}
	for _, c := range [][3]int64{{5, 2, 3}, {-5, 2, -3}, {7, 3, 2}, {-7, 3, -2}, {0, 3, 0}, {1, 2, 1}, {-1, 2, -1}, {1, 3, 0}} {
		if got := geo.Rdiv(c[0], c[1]); got != c[2] {
			t.Errorf("Rdiv(%d, %d) = %d, want %d", c[0], c[1], got, c[2])
		}
	}
	for _, c := range []struct {
		p, q geo.Point
		want int64
	}{
		{geo.Point{}, geo.Point{X: 1421, Y: -71}, 1423},
		{geo.Point{}, geo.Point{X: 1, Y: 1}, 1},
		{geo.Point{X: 7000, Y: 3100}, geo.Point{X: 9050, Y: 2465}, 2146},
		{geo.Point{X: 5, Y: 5}, geo.Point{X: 5, Y: 5}, 0},
	} {
		if got := geo.Dist(c.p, c.q); got != c.want {
			t.Errorf("Dist(%v, %v) = %d, want %d", c.p, c.q, got, c.want)
		}
	}
}

func TestIsqrtIsTheFloor(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for range 100_000 {
		n := r.Int64N(1 << (1 + r.IntN(62)))
		root := geo.Isqrt(n)
		if root*root > n || (root < 1<<31 && (root+1)*(root+1) <= n) {
			t.Fatalf("Isqrt(%d) = %d", n, root)
		}
	}
}

func TestTenths(t *testing.T) {
	t.Parallel()
	for v, want := range map[int64]string{7138: "713.8", 7000: "700.0", 0: "0.0", -5: "-0.5", -7138: "-713.8", 9: "0.9"} {
		if got := string(geo.AppendTenths(nil, v)); got != want {
			t.Errorf("AppendTenths(%d) = %s, want %s", v, got, want)
		}
	}
	for text, want := range map[string]int64{
		"713.8": 7138, "700": 7000, "700.0": 7000, "0": 0, "-0": 0, "-0.0": 0, "0.05": 1, "-0.05": -1, "0.049999": 0, "0.04": 0,
		"713.849999999999999999999": 7138, "713.85": 7139, "7.1385e2": 7139, "7.138E+2": 7138, "7138e-1": 7138, "5e-2": 1, "4e-2": 0,
		"1e6": 10_000_000, "-1000000": -10_000_000, "1e-400": 0, "0e400": 0, "0.0000e+30": 0,
	} {
		if got, err := geo.ParseTenths(text); err != nil || got != want {
			t.Errorf("ParseTenths(%q) = %d, %v, want %d", text, got, err, want)
		}
	}
	for _, text := range []string{
		"", "-", ".", "e5", "1e", "NaN", "Infinity", "1e401", "1000000.05", "1000000.1", "1e7", "99999999999999999999", "1x", "1e99999999999999999999", "--1", "+1",
	} {
		if got, err := geo.ParseTenths(text); err == nil {
			t.Errorf("ParseTenths(%q) = %d, want an error", text, got)
		}
	}
	if got := string(geo.AppendPoint(nil, geo.Point{X: 7000, Y: 3105})); got != `{"x":700.0,"y":310.5}` {
		t.Errorf("AppendPoint: %s", got)
	}
}

// Whatever number there is, it is rounded as exact arithmetic does it.
func FuzzParseTenths(f *testing.F) {
	for _, text := range []string{"1", "-0.05", "12.34e1", "999999.95"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := geo.ParseTenths(text)
		if err != nil {
			return
		}
		exact, ok := new(big.Rat).SetString(text)
		if !ok {
			t.Fatalf("%q is no number", text)
		}
		exact.Mul(exact, big.NewRat(10, 1))
		difference := new(big.Rat).Sub(exact, big.NewRat(got, 1))
		if difference.Abs(difference).Cmp(big.NewRat(1, 2)) > 0 {
			t.Errorf("%q is %d tenths", text, got)
		}
	})
}
