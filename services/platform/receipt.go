package platform

import (
	"crypto/sha256"
	"encoding/binary"
	"time"
)

// receiptTime is how long the answer to a command is kept.
const receiptTime = 24 * time.Hour

// receipt is the answer to a command and which request it answers.
type receipt struct {
	request [sha256.Size]byte
	at      time.Time
	outcome Outcome
	ticket  Ticket
}

// digest identifies a request: what it is about, what it expects and what it
// says, each with its length so that no two requests run together.
func digest(c Command, content []string) [sha256.Size]byte {
	var text []byte
	for _, part := range append([]string{c.ID, c.Revision}, content...) {
		text = binary.BigEndian.AppendUint64(text, uint64(len(part)))
		text = append(text, part...)
	}
	return sha256.Sum256(text)
}

// receipts are the answers of the last 24 hours.
type receipts struct {
	kept  map[string]receipt
	order []string // keys, oldest first
}

// find returns the receipt under a key while it is kept.
func (rs *receipts) find(key string, now time.Time) (receipt, bool) {
	rs.forget(now)
	r, ok := rs.kept[key]
	return r, ok
}

// full reports whether there is no room for another receipt.
func (rs *receipts) full(now time.Time) bool {
	rs.forget(now)
	return len(rs.kept) >= maxReceipts
}

func (rs *receipts) keep(key string, r receipt) {
	rs.kept[key] = r
	rs.order = append(rs.order, key)
}

func (rs *receipts) forget(now time.Time) {
	old := 0
	for old < len(rs.order) && now.Sub(rs.kept[rs.order[old]].at) >= receiptTime {
		delete(rs.kept, rs.order[old])
		old++
	}
	rs.order = rs.order[old:]
}
