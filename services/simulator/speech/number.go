package speech

import "slices"

// maxNumber is the largest number of people that is told, and maxAgo the most
// ticks since something happened.
const (
	maxNumber = 9
	maxAgo    = 5
)

// numeral is a form of the numbers from one on that a slot stands for.
type numeral struct {
	slot  string
	words []string
}

var english = []numeral{
	{"{n}", []string{"one", "two", "three", "four", "five", "six", "seven", "eight", "nine"}},
	{"{sec}", []string{"ten", "twenty", "thirty", "forty", "fifty"}},
}

// polish has the numerals by case and by what they count: a person, which is
// feminine (nominative, accusative), the genitive, men, and children.
var polish = []numeral{
	{"{n}", []string{"jedna", "dwie", "trzy", "cztery", "pięć", "sześć", "siedem", "osiem", "dziewięć"}},
	{"{na}", []string{"jedną", "dwie", "trzy", "cztery", "pięć", "sześć", "siedem", "osiem", "dziewięć"}},
	{"{ng}", []string{"jednej", "dwóch", "trzech", "czterech", "pięciu", "sześciu", "siedmiu", "ośmiu", "dziewięciu"}},
	{"{nm}", []string{"jeden", "dwóch", "trzech", "czterech", "pięciu", "sześciu", "siedmiu", "ośmiu", "dziewięciu"}},
	{"{nc}", []string{"jedno", "dwoje", "troje", "czworo", "pięcioro", "sześcioro", "siedmioro", "ośmioro", "dziewięcioro"}},
	{"{sec}", []string{"dziesięć", "dwadzieścia", "trzydzieści", "czterdzieści", "pięćdziesiąt"}},
	{"{secg}", []string{"dziesięciu", "dwudziestu", "trzydziestu", "czterdziestu", "pięćdziesięciu"}},
}

// others are words of number that phrases have of themselves.
var others = map[string][]string{
	"en": {
		"ten", "eleven", "fifteen", "twenty", "hundred", "half", "first", "second", "third", "fourth",
		"both", "couple", "single", "doubled",
	},
	"pl": {
		"dwa", "dziesięć", "jedenaście", "piętnaście", "dwadzieścia", "stu", "pół", "półtora", "połowa", "połowie", "połowę",
		"jednego", "jednym", "jedni", "drugi", "drugie", "drugiego", "drugiej", "drugim", "trzecia", "trzeciego", "trzema", "czwarty",
		"trójkę", "szóstej", "szóstka", "siódemka", "oba", "oboje", "obojgiem", "para", "parę", "paru",
	},
}

func numerals(language string) []numeral {
	if language == "pl" {
		return polish
	}
	return english
}

// isNumeral reports whether a word, in lower case, is one of number.
func isNumeral(language, word string) bool {
	for _, n := range numerals(language) {
		if slices.Contains(n.words, word) {
			return true
		}
	}
	return slices.Contains(others[language], word)
}

// plural is which of the forms of a noun goes with a number: the first with
// one, the second with few, the third with many.
func plural(language string, n int64) int {
	switch {
	case n == 1:
		return 0
	case language == "pl" && (n%10 < 2 || n%10 > 4 || n%100 > 10 && n%100 < 20):
		return 2
	default:
		return 1
	}
}
