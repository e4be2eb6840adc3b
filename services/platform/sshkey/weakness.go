package sshkey

import (
	"math/big"

	"filippo.io/edwards25519"
	"golang.org/x/crypto/ssh"
)

// What an RSA key must have. 3072 bits is what NIST SP 800-57 gives the
// strength of 128 bits, which holds beyond 2030; the smallest exponent is that
// of FIPS 186-5, section A.1.1, and the largest length that of ssh-keygen.
const (
	minRSA      = 3072
	maxRSA      = 16384
	minExponent = 65537
	maxExponent = 1<<24 - 1
)

// smallPrimes is the product of the odd primes below 752: NIST SP 800-89,
// section 5.3.3, asks for a modulus without a factor among them.
var smallPrimes = func() *big.Int {
	product := big.NewInt(1)
	for n := int64(3); n < 752; n += 2 {
		if p := big.NewInt(n); p.ProbablyPrime(0) {
			product.Mul(product, p)
		}
	}
	return product
}()

// weakness refuses a key in its wire form that would protect nothing. What it
// cannot read it leaves to the parser.
func weakness(kind string, blob []byte) error {
	switch kind {
	case ssh.KeyAlgoRSA:
		key, ok := rsaOf(blob)
		if !ok {
			return nil
		}
		return weakRSA(key.E, key.N)
	case ssh.KeyAlgoED25519, ssh.KeyAlgoSKED25519:
		var key struct {
			Name  string
			Point []byte
			Rest  []byte `ssh:"rest"`
		}
		if ssh.Unmarshal(blob, &key) != nil || len(key.Point) != 32 {
			return nil
		}
		point, err := new(edwards25519.Point).SetBytes(key.Point)
		if err != nil {
			return refuse(Malformed, "the key is no point of its curve")
		}
		if new(edwards25519.Point).MultByCofactor(point).Equal(edwards25519.NewIdentityPoint()) == 1 {
			return refuse(WeakKey, "the key is a point of small order, which anybody can sign for")
		}
	}
	return nil
}

func weakRSA(e, n *big.Int) error {
	switch {
	case n.BitLen() < minRSA:
		return refuse(WeakKey, "RSA keys need at least 3072 bits; make one with ssh-keygen -t ed25519")
	case n.BitLen() > maxRSA:
		return refuse(Unsupported, "RSA keys may have at most 16384 bits")
	case n.Sign() < 0 || n.Bit(0) == 0 || new(big.Int).GCD(nil, nil, n, smallPrimes).Cmp(big.NewInt(1)) != 0:
		return refuse(WeakKey, "the modulus of the RSA key has a small factor")
	case e.Cmp(big.NewInt(minExponent)) < 0 || e.Cmp(big.NewInt(maxExponent)) > 0 || e.Bit(0) == 0:
		return refuse(WeakKey, "the exponent of an RSA key must be odd, from 65537 to 16777215")
	}
	return nil
}

type rsaKey struct {
	Name string
	E, N *big.Int
	Rest []byte `ssh:"rest"`
}

func rsaOf(blob []byte) (rsaKey, bool) {
	var key rsaKey
	err := ssh.Unmarshal(blob, &key)
	return key, err == nil
}

// bits is the length of a key that was accepted.
func bits(kind string, blob []byte) int {
	switch kind {
	case ssh.KeyAlgoRSA:
		key, _ := rsaOf(blob)
		return key.N.BitLen()
	case ssh.KeyAlgoECDSA384:
		return 384
	case ssh.KeyAlgoECDSA521:
		return 521
	default:
		return 256
	}
}
