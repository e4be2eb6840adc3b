// Package java lets players in who come with Java Edition 1.20.2. They walk in
// the world that a host owns, and what they place and break goes through the
// host like everything else. Nothing is simulated: no mobs, fluids, gravity or
// redstone, and no fence joins its neighbour.
//
// There is no authentication: whoever connects has the name they give, and a
// UUID made of it. So it listens on loopback alone.
//
// Every connection has one goroutine that reads and, once its player is in the
// world, one that writes. What is for a client goes into its outbox, in the
// order in which it happened in the world; nobody waits for a client. A player
// who does not read, and one who sends what cannot be read, is sent away.
package java
