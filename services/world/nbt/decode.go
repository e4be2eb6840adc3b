package nbt

import (
	"encoding/binary"
	"fmt"
	"math"
)

// Decode reads one named compound and nothing after it. Errors are *Error. The
// tree shares no memory with data.
func Decode(data []byte, l Limits) (name string, root *Compound, err error) {
	name, root, _, err = Measure(data, l)
	return name, root, err
}

// Measure is Decode that also tells what the tree took of the limits, or what
// had been taken when it was refused.
func Measure(data []byte, l Limits) (name string, root *Compound, cost Cost, err error) {
	d := decoder{data: data, limits: l}
	name, root, err = d.root()
	return name, root, d.cost, err
}

// Leading reads one named compound as Decode does, and returns what comes after
// it, which is a part of data.
func Leading(data []byte, l Limits) (name string, root *Compound, rest []byte, err error) {
	d := decoder{data: data, limits: l}
	if name, root, err = d.leading(); err != nil {
		return "", nil, nil, err
	}
	return name, root, data[d.at:], nil
}

// decoder is the state of one reading.
type decoder struct {
	data   []byte
	at     int
	depth  int
	limits Limits
	cost   Cost
	names  map[string]string
}

// What things are reckoned to take, in bytes: any tag with its place in a list,
// and the place of a member in a compound that grows, its share of the index
// included.
const (
	tagCost    = 48
	memberCost = 256
)

func (d *decoder) root() (string, *Compound, error) {
	name, root, err := d.leading()
	if err == nil && d.at != len(d.data) {
		return "", nil, d.refuse(trailing)
	}
	return name, root, err
}

func (d *decoder) leading() (string, *Compound, error) {
	if len(d.data) > d.limits.Bytes {
		return "", nil, d.refuse(fmt.Sprintf("%d bytes, %d at most", len(d.data), d.limits.Bytes))
	}
	b, err := d.take(1)
	if err != nil {
		return "", nil, err
	}
	if kind := Kind(b[0]); kind != KindCompound {
		if kind > KindLongArray {
			return "", nil, d.unknown(kind)
		}
		return "", nil, d.refuse("the root is no compound but " + kind.String())
	}
	name, err := d.text()
	if err != nil {
		return "", nil, err
	}
	if err := d.spend(1, 0); err != nil {
		return "", nil, err
	}
	tag, err := d.value(KindCompound)
	if err != nil {
		return "", nil, err
	}
	return name, tag.(*Compound), nil
}

// value reads what a tag of that kind holds. The tag itself is paid for.
func (d *decoder) value(kind Kind) (Tag, error) {
	switch kind {
	case KindByte:
		b, err := d.take(1)
		if err != nil {
			return nil, err
		}
		return Byte(b[0]), nil
	case KindShort:
		b, err := d.take(2)
		if err != nil {
			return nil, err
		}
		return Short(binary.BigEndian.Uint16(b)), nil
	case KindInt, KindFloat:
		b, err := d.take(4)
		if err != nil {
			return nil, err
		}
		if kind == KindFloat {
			return Float(math.Float32frombits(binary.BigEndian.Uint32(b))), nil
		}
		return Int(binary.BigEndian.Uint32(b)), nil
	case KindLong, KindDouble:
		b, err := d.take(8)
		if err != nil {
			return nil, err
		}
		if kind == KindDouble {
			return Double(math.Float64frombits(binary.BigEndian.Uint64(b))), nil
		}
		return Long(binary.BigEndian.Uint64(b)), nil
	case KindString:
		s, err := d.text()
		return String(s), err
	case KindByteArray, KindIntArray, KindLongArray:
		return d.array(kind)
	case KindList:
		return d.list()
	case KindCompound:
		return d.compound()
	}
	return nil, d.unknown(kind)
}

func (d *decoder) compound() (Tag, error) {
	if err := d.enter(); err != nil {
		return nil, err
	}
	c := &Compound{}
	for {
		b, err := d.take(1)
		if err != nil {
			return nil, err
		}
		kind := Kind(b[0])
		if kind == KindEnd {
			d.depth--
			return c, nil
		}
		if kind > KindLongArray {
			return nil, d.unknown(kind)
		}
		name, err := d.text()
		if err != nil {
			return nil, err
		}
		if c.find(name) >= 0 {
			return nil, d.refuse(fmt.Sprintf("duplicate key %.64q", name))
		}
		if err := d.spend(1, memberCost); err != nil {
			return nil, err
		}
		tag, err := d.value(kind)
		if err != nil {
			return nil, err
		}
		c.add(name, tag)
	}
}

func (d *decoder) list() (Tag, error) {
	if err := d.enter(); err != nil {
		return nil, err
	}
	b, err := d.take(5)
	if err != nil {
		return nil, err
	}
	kind, n := Kind(b[0]), int32(binary.BigEndian.Uint32(b[1:]))
	switch {
	case kind > KindLongArray:
		return nil, d.unknown(kind)
	case n < 0 || kind == KindEnd && n > 0:
		return nil, d.refuse(badList)
	case int64(n)*int64(smallest[kind]) > int64(len(d.data)-d.at):
		return nil, d.refuse(truncated)
	}
	if err := d.spend(int(n), 0); err != nil {
		return nil, err
	}
	list := List{Of: kind}
	if n > 0 {
		list.Items = make([]Tag, n)
	}
	for i := range list.Items {
		if list.Items[i], err = d.value(kind); err != nil {
			return nil, err
		}
	}
	d.depth--
	return list, nil
}

// smallest is how many bytes an item of each kind takes at least.
var smallest = [...]int{0, 1, 2, 4, 8, 4, 8, 4, 2, 5, 1, 4, 4}

func (d *decoder) array(kind Kind) (Tag, error) {
	b, err := d.take(4)
	if err != nil {
		return nil, err
	}
	size := int64(1)
	switch kind {
	case KindIntArray:
		size = 4
	case KindLongArray:
		size = 8
	}
	n := int64(int32(binary.BigEndian.Uint32(b)))
	if n < 0 || n*size > int64(len(d.data)-d.at) {
		return nil, d.refuse(truncated)
	}
	if err := d.spend(0, n*size); err != nil {
		return nil, err
	}
	b, err = d.take(int(n * size))
	if err != nil {
		return nil, err
	}
	switch kind {
	case KindIntArray:
		array := make(IntArray, n)
		for i := range array {
			array[i] = int32(binary.BigEndian.Uint32(b[4*i:]))
		}
		return array, nil
	case KindLongArray:
		array := make(LongArray, n)
		for i := range array {
			array[i] = int64(binary.BigEndian.Uint64(b[8*i:]))
		}
		return array, nil
	}
	return append(make(ByteArray, 0, n), b...), nil
}

// text reads a string or a name. Short ones, which chunks say again and again,
// are kept once.
func (d *decoder) text() (string, error) {
	b, err := d.take(2)
	if err != nil {
		return "", err
	}
	if b, err = d.take(int(binary.BigEndian.Uint16(b))); err != nil {
		return "", err
	}
	if s, ok := d.names[string(b)]; ok {
		return s, nil
	}
	if err := d.spend(0, int64(len(b))); err != nil {
		return "", err
	}
	if !plain(b) {
		text, ok := fromModified(make([]byte, 0, len(b)), b)
		if !ok {
			return "", d.refuse(badString)
		}
		return string(text), d.spend(0, int64(len(b)))
	}
	s := string(b)
	if len(s) <= shortText && len(d.names) < keptTexts {
		if d.names == nil {
			d.names = make(map[string]string)
		}
		d.names[s] = s
	}
	return s, nil
}

const (
	shortText = 48
	keptTexts = 1 << 10
)

// take returns the next n bytes, which are not copied.
func (d *decoder) take(n int) ([]byte, error) {
	if n > len(d.data)-d.at {
		return nil, d.refuse(truncated)
	}
	d.at += n
	return d.data[d.at-n : d.at : d.at], nil
}

// enter begins a compound or a list.
func (d *decoder) enter() error {
	if d.depth++; d.depth > d.limits.Depth {
		return d.refuse(tooDeep)
	}
	d.cost.Depth = max(d.cost.Depth, d.depth)
	return nil
}

// spend takes tags and the memory beside them from the budgets.
func (d *decoder) spend(tags int, extra int64) error {
	if tags > d.limits.Tags-d.cost.Tags {
		return d.refuse(tooMany)
	}
	extra += int64(tags) * tagCost
	if extra > d.limits.Alloc-d.cost.Alloc {
		return d.refuse(tooLarge)
	}
	d.cost.Tags += tags
	d.cost.Alloc += extra
	return nil
}

func (d *decoder) refuse(reason string) error { return &Error{Reason: reason, Offset: d.at} }

func (d *decoder) unknown(kind Kind) error { return d.refuse(fmt.Sprintf("tag %d", kind)) }
