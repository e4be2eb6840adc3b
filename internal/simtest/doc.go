// Package simtest tests the simulator as a whole: the program in a process of
// its own, over its socket, and the logs that it leaves on the disk.
package simtest
