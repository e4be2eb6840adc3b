// Package crashpoint names the moments at which the death of the process is
// tried. Nothing happens at them but in tests, which arm them (W-24).
package crashpoint

import (
	"slices"
	"sync/atomic"
)

// Point is one moment.
type Point string

// The moments, in the order in which an operation passes them.
const (
	OperationBegun Point = "operation begun" // its row is durable, nothing is written
	SliceChecked   Point = "slice checked"   // before the intent
	IntentDurable  Point = "intent durable"  // before the edit
	EditHalf       Point = "edit half done"  // some blocks are set in memory
	EditDone       Point = "edit done"       // all are, none is on the disk
	ChunkWritten   Point = "region half written"
	RegionWritten  Point = "region written" // under another name, not synced
	RegionSynced   Point = "region synced"  // not renamed
	RegionRenamed  Point = "region renamed" // the folder is not synced
	RegionsDone    Point = "one of several regions done"
	FlushDone      Point = "flush done" // all is on the disk, the slice not confirmed
	SliceConfirmed Point = "slice confirmed"
	OperationEnded Point = "operation ended" // the end is durable, nobody was told
	CancelDurable  Point = "cancel durable"
	PlanDurable    Point = "plan durable" // nobody was told
	PartDurable    Point = "part durable"
	AbandonRead    Point = "abandon: mask read again"
	AbandonDurable Point = "abandon durable"
	StartupMarked  Point = "startup marked" // unfinished operations are recovery_required
	OriginalKept   Point = "original kept"  // the copy of a region file is there
	ExportWritten  Point = "export written" // under another name
	ExportRenamed  Point = "export renamed"
)

// All lists every point, in order.
func All() []Point { return slices.Clone(all) }

var all = []Point{
	OperationBegun, SliceChecked, IntentDurable, EditHalf, EditDone, ChunkWritten, RegionWritten, RegionSynced, RegionRenamed,
	RegionsDone, FlushDone, SliceConfirmed, OperationEnded, CancelDurable, PlanDurable, PartDurable, AbandonRead,
	AbandonDurable, StartupMarked, OriginalKept, ExportWritten, ExportRenamed,
}

var armed atomic.Pointer[func(Point)]

// At is passed at a point.
func At(p Point) {
	if f := armed.Load(); f != nil {
		(*f)(p)
	}
}

// Arm has f called at every point from now on, by whatever goroutine passes it.
// It is for tests; nil disarms.
func Arm(f func(Point)) {
	if f == nil {
		armed.Store(nil)
		return
	}
	armed.Store(&f)
}
