package pg

import (
	"time"

	"github.com/jackc/pgx/v5/pgtype"
)

// Time is a time as the database gives it back: in UTC, and exact to the
// microsecond.
func Time(t time.Time) time.Time { return t.UTC().Truncate(time.Microsecond) }

// timeType reads times in UTC. By itself pgx gives them in the zone of the
// machine, so that two processes would tell the same moment in two ways.
var timeType = &pgtype.Type{
	Name: "timestamptz", OID: pgtype.TimestamptzOID, Codec: &pgtype.TimestamptzCodec{ScanLocation: time.UTC},
}
