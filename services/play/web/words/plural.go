package words

import (
	"fmt"

	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"
)

// Plural is a text about a number of things, with one verb for the number.
type Plural struct {
	lang           language.Tag
	One, Few, Many string // Few is of Polish only
}

func pluralEN(one, many string) Plural { return Plural{lang: language.English, One: one, Many: many} }

func pluralPL(one, few, many string) Plural {
	return Plural{lang: language.Polish, One: one, Few: few, Many: many}
}

// For is the text for n things.
func (p Plural) For(n int64) string {
	// Rules of whole numbers look at no more than the last six digits and at
	// whether there are others.
	operand := n
	if operand > 999_999 {
		operand = 1_000_000 + operand%1_000_000
	}
	switch plural.Cardinal.MatchPlural(p.lang, int(operand), 0, 0, 0, 0) {
	case plural.One:
		return fmt.Sprintf(p.One, n)
	case plural.Few:
		return fmt.Sprintf(p.Few, n)
	}
	return fmt.Sprintf(p.Many, n)
}
