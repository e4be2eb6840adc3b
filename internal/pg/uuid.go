package pg

import (
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgtype"
)

// uuidCodec sends and reads a uuid.UUID as the 16 bytes that it is. By itself
// pgx goes the way of database/sql with it: it makes text of it, and reads that.
type uuidCodec struct{ pgtype.UUIDCodec }

var uuidType = &pgtype.Type{Name: "uuid", OID: pgtype.UUIDOID, Codec: uuidCodec{}}

// someUUID is the plan for a uuid.UUID that may be missing.
var someUUID pgtype.ScanPlan = optional[uuid.UUID]{uuidPlan{}}

// PlanEncode implements pgtype.Codec.
func (c uuidCodec) PlanEncode(m *pgtype.Map, oid uint32, format int16, value any) pgtype.EncodePlan {
	if _, ok := value.(uuid.UUID); ok && format == pgtype.BinaryFormatCode {
		return uuidPlan{}
	}
	return c.UUIDCodec.PlanEncode(m, oid, format, value)
}

// PlanScan implements pgtype.Codec.
func (c uuidCodec) PlanScan(m *pgtype.Map, oid uint32, format int16, target any) pgtype.ScanPlan {
	if format == pgtype.BinaryFormatCode {
		switch target.(type) {
		case *uuid.UUID:
			return uuidPlan{}
		case **uuid.UUID:
			return someUUID
		}
	}
	return c.UUIDCodec.PlanScan(m, oid, format, target)
}

// uuidPlan is the plan for a uuid.UUID, either way.
type uuidPlan struct{}

// Encode implements pgtype.EncodePlan.
func (uuidPlan) Encode(value any, buf []byte) ([]byte, error) {
	id := value.(uuid.UUID)
	return append(buf, id[:]...), nil
}

// Scan implements pgtype.ScanPlan.
func (uuidPlan) Scan(src []byte, target any) error {
	id := target.(*uuid.UUID)
	if len(src) != len(id) {
		return fmt.Errorf("a uuid of %d bytes cannot be read", len(src)) // NULL has none
	}
	copy(id[:], src)
	return nil
}
