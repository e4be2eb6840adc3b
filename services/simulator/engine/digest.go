package engine

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/pharos-mcp/pharos/services/simulator/city"
	"github.com/pharos-mcp/pharos/services/simulator/speech"
)

// ConstantsSHA256 is the digest, in hexadecimal, of everything that the rules
// take for granted: two programs that give the same one play the same game on
// the same map.
func ConstantsSHA256() string {
	h := sha256.New()
	fmt.Fprintln(h, "pharos-sim constants", Mechanics)
	fmt.Fprintln(h, Speed, Vision, Suppression, smallest, largest, power, winds, TickLimit, fireDistance)
	fmt.Fprintln(h, city.MaxSnap, city.SpreadGap, maxMistaken, maxJitter, smallAbove, middlingAbove)
	for class, m := range materials {
		fmt.Fprintln(h, city.Class(class), m, fittings[class])
	}
	fmt.Fprintln(h, decoyWeights, reliabilities, severities)
	for _, t := range templates {
		fmt.Fprintf(h, "%s %d %d %d %v %v %v %v %d %d %d %d %d %d %v %d\n", t.ID, t.Stage, t.Trucks, t.Fires, t.Window, t.Callers,
			t.See, t.Delay, t.WrongAddress, t.Coordinates, t.Decoys, t.Contradiction, t.Wind, t.Turn, t.Text, t.Polish)
	}
	fmt.Fprintln(h, speech.SHA256())
	return hex.EncodeToString(h.Sum(nil))
}
