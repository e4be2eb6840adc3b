// Package operation applies plans to a world, and knows what may be taken back.
//
// It promises, for as long as the host and the journal keep their promises:
//   - Nothing changes before what is about to change is durable, and nothing is
//     confirmed before it is on the disk: a slice is looked at, made durable as an
//     intent, looked at again and written under the lock of the world, flushed,
//     and then confirmed (W-16, W-20, W-24).
//   - What is not as the plan saw it is left alone and counted (W-16).
//   - A process that ends in the middle of an operation leaves it to a person:
//     the next one writes nothing until each such operation has been reviewed and
//     abandoned, and it repeats nothing by itself (W-20 … W-23).
//   - One that goes on living goes on by itself when the journal comes back. A
//     flush that keeps failing leaves the operation to a person, too.
//   - An operation takes back a block only where it was the last to write it, as
//     far as is known: later operations by the journal, everybody else by what
//     the host tells while the process lives (W-18).
//   - Once Pause has returned, nothing of the project changes until Resume (W-41).
//
// One operation of a world is worked at, by one goroutine, at a pace that leaves
// the world to others (W-15).
package operation
