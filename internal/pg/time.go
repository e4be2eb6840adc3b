package pg

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/jackc/pgx/v5/pgtype"
)

// Time is a time as the database gives it back: in UTC, and exact to the
// microsecond.
func Time(t time.Time) time.Time { return t.UTC().Truncate(time.Microsecond) }

// timeCodec reads times in UTC. By itself pgx gives them in the zone of the
// machine, so that two processes would tell the same moment in two ways.
type timeCodec struct{ *pgtype.TimestamptzCodec }

var timeType = &pgtype.Type{
	Name: "timestamptz", OID: pgtype.TimestamptzOID,
	Codec: timeCodec{&pgtype.TimestamptzCodec{ScanLocation: time.UTC}},
}

// someTime is the plan for a time that may be missing.
var someTime pgtype.ScanPlan = optional[time.Time]{timePlan{}}

// PlanScan implements pgtype.Codec.
func (c timeCodec) PlanScan(m *pgtype.Map, oid uint32, format int16, target any) pgtype.ScanPlan {
	if format == pgtype.BinaryFormatCode {
		switch target.(type) {
		case *time.Time:
			return timePlan{}
		case **time.Time:
			return someTime
		}
	}
	return c.TimestamptzCodec.PlanScan(m, oid, format, target)
}

// sinceUnix is from the time that Go counts from to the one that the database
// counts from, which is the beginning of 2000.
const sinceUnix = (30*365 + 7) * 24 * time.Hour

// timePlan is the plan for a time.Time, which has no infinities.
type timePlan struct{}

// Scan implements pgtype.ScanPlan.
func (timePlan) Scan(src []byte, target any) error {
	if len(src) != 8 {
		return fmt.Errorf("a time of %d bytes cannot be read", len(src)) // NULL has none
	}
	n := int64(binary.BigEndian.Uint64(src))
	if n == math.MaxInt64 || n == math.MinInt64 {
		return errors.New("a time that is infinite cannot be read")
	}
	*target.(*time.Time) = time.UnixMicro(n).Add(sinceUnix).UTC()
	return nil
}
