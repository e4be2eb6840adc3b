package baseline

import "strings"

// heard is what a report says.
type heard struct {
	nothing bool  // that there is no fire
	heads   int64 // how many are inside; -1 where it does not say
}

// The words that people listens for. They are ordinary ones, and not those of
// any lexicon of the simulator.
var (
	nothingWords = []string{
		"barbecue", "bbq", "grill", "steam", "drill", "false alarm", "bonfire", "no fire", "not a fire", "it's out", "is out",
		"put out", "extinguished", "nothing burning",
		"para wodna", "ćwiczenia", "fałszywy alarm", "ognisko", "nie pali", "nie ma pożaru", "zgasz", "ugasz",
	}
	peopleWords = []string{
		"trapped", "stuck inside", "can't get out", "people inside", "someone inside", "still inside", "screaming", "child", "family",
		"uwięzi", "w środku", "nie może wyjść", "nie mogą wyjść", "ludzie", "dziec", "krzycz", "rodzina",
	}
	safeWords = []string{
		"everyone is out", "everybody is out", "all out", "nobody inside", "no one inside", "empty",
		"wszyscy wyszli", "nikogo nie ma", "pusty",
	}
	numbers = []string{"", "one ", "two ", "three ", "four ", "five ", "six "}
	liczby  = []string{"", "jedn", "dwie ", "trzy ", "cztery ", "pięć ", "sześć "}
)

// listen is what the policy people makes of a report.
func listen(c *contact) heard {
	if claim := c.Payload.Claim; claim != nil {
		h := heard{nothing: claim.Type == "none", heads: -1}
		if count := claim.Headcount; count != nil && count.Value != nil {
			h.heads = *count.Value
		}
		return h
	}
	text := strings.ToLower(c.Payload.Text)
	if has(text, safeWords) { // "everyone is out" says nothing of the fire
		return heard{heads: 0}
	}
	h := heard{nothing: has(text, nothingWords), heads: -1}
	if !has(text, peopleWords) {
		return h
	}
	h.heads = 2
	for n := int64(1); n < int64(len(numbers)); n++ {
		if strings.Contains(text, numbers[n]) || strings.Contains(text, liczby[n]) {
			h.heads = n
		}
	}
	return h
}

func has(text string, words []string) bool {
	for _, w := range words {
		if strings.Contains(text, w) {
			return true
		}
	}
	return false
}
