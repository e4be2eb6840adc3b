// Package baseline plays the game by simple rules, to have something to compare
// agents with: none does nothing, greedy sends the nearest free truck to each
// place that is reported, people weighs what it hears and sees and puts people
// first. They know what a controller may know, by reading the observations
// that a controller gets, and nothing else. The oracle is no baseline: it sees
// the truth, and shows what that is worth to a policy that is as simple as
// greedy.
package baseline
