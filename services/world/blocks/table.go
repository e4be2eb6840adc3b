package blocks

import (
	"embed"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// tables holds a folder for each version. blocks.txt has a line for each thing,
// in this order:
//
//	version NAME DATAVERSION PROTOCOL
//	shape X0,Y0,Z0,X1,Y1,Z1 …           the boxes of a shape; shapes are numbered from 0
//	form N*COUNT,N …                    the shapes of a block's states in turn; one number: of all; numbered from 0
//	block NAME DEFAULT FORM PROP=A,B …  a block: which of its states is the default, and its form
//
// The states of a block are all combinations of its properties' values, the
// last property changing first; ids run through the file from 0.
//
//go:embed data
var tables embed.FS

// kind is a block: all states that have its name.
type kind struct {
	name       string // with its namespace
	properties []choice
	first      int32 // id of its first state
	count      int32
	standard   int32   // id of its default state
	form       []int32 // shapes of its states; one where all have the same
	class      Class   // "" where it is in none
	needs      []need  // what it cannot be without
	perhaps    []need  // what it may break without
}

// choice is a property with all values it may have, in the table's order.
type choice struct {
	name   string
	values []string
}

// shape is the number of the shape of a state.
func (k *kind) shape(id int32) int32 {
	if len(k.form) == 1 {
		return k.form[0]
	}
	return k.form[id-k.first]
}

// readTable reads blocks.txt of a version into a pack that knows its kinds and
// shapes and nothing else.
func readTable(version string) (*Pack, error) {
	text, err := tables.ReadFile("data/" + version + "/blocks.txt")
	if err != nil {
		return nil, fmt.Errorf("there is no table of blocks of version %q", version)
	}
	p := &Pack{kinds: map[string]*kind{}}
	var forms [][]int32
	number := 0
	for line := range strings.Lines(string(text)) {
		number++
		words := strings.Fields(line)
		var err error
		switch words[0] {
		case "version":
			err = p.readVersion(words[1:])
		case "shape":
			err = p.readShape(words[1:])
		case "form":
			var form []int32
			form, err = p.readForm(words[1:])
			forms = append(forms, form)
		case "block":
			err = p.readBlock(words[1:], forms)
		default:
			err = errors.New("unknown line")
		}
		if err != nil {
			return nil, fmt.Errorf("table of blocks of %s, line %d: %w", version, number, err)
		}
	}
	return p, nil
}

func (p *Pack) readVersion(words []string) error {
	if len(words) != 3 {
		return errors.New("a version has a name and two numbers")
	}
	data, err := strconv.ParseInt(words[1], 10, 32)
	if err != nil {
		return err
	}
	p.version, p.dataVersion = words[0], int32(data)
	return nil
}

func (p *Pack) readShape(words []string) error {
	shape := make([]AABB, 0, len(words))
	for _, word := range words {
		ends := strings.Split(word, ",")
		if len(ends) != 6 {
			return fmt.Errorf("box %s has not six ends", word)
		}
		var b AABB
		for i, end := range ends {
			n, err := strconv.ParseInt(end, 10, 8)
			if err != nil {
				return err
			}
			if i < 3 {
				b.Min[i] = int8(n)
			} else {
				b.Max[i-3] = int8(n)
			}
		}
		shape = append(shape, b)
	}
	p.shapes = append(p.shapes, shape)
	return nil
}

func (p *Pack) readForm(words []string) ([]int32, error) {
	var form []int32
	for word := range strings.SplitSeq(strings.Join(words, ""), ",") {
		text, times, repeated := strings.Cut(word, "*")
		if !repeated {
			times = "1"
		}
		shape, err := strconv.ParseInt(text, 10, 32)
		if err != nil || shape < 0 || shape >= int64(len(p.shapes)) {
			return nil, fmt.Errorf("shape %q", text)
		}
		count, err := strconv.ParseInt(times, 10, 32)
		if err != nil || count < 1 || count > 1<<16 {
			return nil, fmt.Errorf("count %q", times)
		}
		for range count {
			form = append(form, int32(shape))
		}
	}
	return form, nil
}

func (p *Pack) readBlock(words []string, forms [][]int32) error {
	if len(words) < 3 {
		return errors.New("a block has a name and two numbers")
	}
	standard, err := strconv.ParseInt(words[1], 10, 32)
	if err != nil {
		return err
	}
	form, err := strconv.Atoi(words[2])
	if err != nil || form < 0 || form >= len(forms) {
		return fmt.Errorf("form %q", words[2])
	}
	k := &kind{name: namespace + words[0], first: int32(len(p.owners)), count: 1, form: forms[form]}
	for _, word := range words[3:] {
		name, values, _ := strings.Cut(word, "=")
		c := choice{name, strings.Split(values, ",")}
		k.properties = append(k.properties, c)
		k.count *= int32(len(c.values))
	}
	k.standard = k.first + int32(standard)
	if k.standard < k.first || k.standard >= k.first+k.count || (len(k.form) != 1 && len(k.form) != int(k.count)) {
		return fmt.Errorf("numbers of %s", words[0])
	}
	if p.kinds[k.name] != nil {
		return fmt.Errorf("%s is there twice", words[0])
	}
	p.kinds[k.name] = k
	for range k.count {
		p.owners = append(p.owners, k)
	}
	return nil
}
