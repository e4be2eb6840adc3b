// Package java lets players in who come with Java Edition 1.20.2. They walk in
// the world that a host owns, and what they place and break goes through the
// host like everything else. Nothing is simulated: no mobs, fluids, gravity or
// redstone.
//
// There is no authentication: whoever connects has the name they give, and a
// UUID made of it. So it listens on loopback alone.
package java
