package baseline

import "slices"

// oracle sees every fire and everybody in it, and sends each free truck where
// most people are for its way.
type oracle struct{}

// What the oracle weighs with, in tenths of a unit of way.
const (
	perPerson = 800
	another   = 5000 // less for each truck that is there
	mostThere = 3    // trucks at one fire
)

func (oracle) play(g *game) {
	fires := g.episode.Fires()
	there := make([]int64, len(fires))
	var free []string
	for _, v := range g.view.Vehicles {
		if v.Status == "idle" {
			free = append(free, v.ID)
		}
	}
	for i, f := range fires {
		there[i] = f.Trucks
	}
	for len(free) > 0 {
		best, truck, least := -1, -1, int64(0)
		for i, f := range fires {
			if there[i] >= mostThere || f.Coming > 0 || (there[i] > 0 && f.Left.Extinguish > 0) {
				continue
			}
			worth := perPerson*f.People - another*there[i]
			for j, id := range free {
				if d, ok := g.distance(id, f.Point); ok && (best < 0 || d-worth < least) {
					best, truck, least = i, j, d-worth
				}
			}
		}
		if best < 0 {
			return
		}
		g.send(free[truck], fires[best].Point, "the oracle says so")
		there[best]++
		fires[best].Coming++
		free = slices.Delete(free, truck, truck+1)
	}
}
