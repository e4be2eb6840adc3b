package nbt

// Kind is the byte that stands for a type of tags.
type Kind byte

// The kinds. KindEnd ends a compound; as the kind of a list it stands for "no
// kind", which only an empty list may have.
const (
	KindEnd Kind = iota
	KindByte
	KindShort
	KindInt
	KindLong
	KindFloat
	KindDouble
	KindByteArray
	KindString
	KindList
	KindCompound
	KindIntArray
	KindLongArray
)

// Tag is one value of a tree. The set is closed: the types of this package.
type Tag interface {
	Kind() Kind
	tag()
}

// The tags. A String is UTF-8; a half of a surrogate pair that stands alone in
// the file is kept as the three bytes that would be its UTF-8 (WTF-8), so that
// such a string is not valid UTF-8.
type (
	Byte      int8
	Short     int16
	Int       int32
	Long      int64
	Float     float32
	Double    float64
	ByteArray []byte
	String    string
	IntArray  []int32
	LongArray []int64
)

// List is tags of one kind. The kind of an empty list is whatever the file says.
type List struct {
	Of    Kind
	Items []Tag
}

// Kind is KindByte, and so on for each type.
func (Byte) Kind() Kind      { return KindByte }
func (Short) Kind() Kind     { return KindShort }
func (Int) Kind() Kind       { return KindInt }
func (Long) Kind() Kind      { return KindLong }
func (Float) Kind() Kind     { return KindFloat }
func (Double) Kind() Kind    { return KindDouble }
func (ByteArray) Kind() Kind { return KindByteArray }
func (String) Kind() Kind    { return KindString }
func (List) Kind() Kind      { return KindList }
func (*Compound) Kind() Kind { return KindCompound }
func (IntArray) Kind() Kind  { return KindIntArray }
func (LongArray) Kind() Kind { return KindLongArray }

func (Byte) tag()      {}
func (Short) tag()     {}
func (Int) tag()       {}
func (Long) tag()      {}
func (Float) tag()     {}
func (Double) tag()    {}
func (ByteArray) tag() {}
func (String) tag()    {}
func (List) tag()      {}
func (*Compound) tag() {}
func (IntArray) tag()  {}
func (LongArray) tag() {}

// String names the kind as messages do: "int", "long array".
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "unknown"
}

var kindNames = [...]string{
	"end", "byte", "short", "int", "long", "float", "double", "byte array", "string", "list", "compound", "int array", "long array",
}
