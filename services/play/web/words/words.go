// Package words holds every text of the pages, in English and in Polish.
//
// A text is a field of a struct, so that a page cannot ask for one that does
// not exist; a test shows that no field is empty in either language and that
// both take the same arguments. Texts with verbs are formats for fmt.
package words

import "golang.org/x/text/language"

// Words are all texts in one language.
type Words struct {
	Tag       string // "en" or "pl", as in lang attributes
	Other     string // the tag of the other language
	Site      Site
	Login     Login
	Account   Account
	Plays     Plays
	Create    Create
	Play      Play
	Access    Access
	Journal   Journal
	Review    Review
	Scenarios Scenarios
	Nodes     Nodes
	Wiki      Wiki
	Tokens    Tokens
	Form      Form
	Done      Done
	Errors    Errors
}

// english and polish are the catalogue.
var (
	english = &Words{
		Tag: "en", Other: "pl", Site: siteEN, Login: loginEN, Account: accountEN, Plays: playsEN, Create: createEN,
		Play: playEN, Access: accessEN, Journal: journalEN, Review: reviewEN, Scenarios: scenariosEN, Nodes: nodesEN,
		Wiki: wikiEN, Tokens: tokensEN, Form: formEN, Done: doneEN, Errors: errorsEN,
	}
	polish = &Words{
		Tag: "pl", Other: "en", Site: sitePL, Login: loginPL, Account: accountPL, Plays: playsPL, Create: createPL,
		Play: playPL, Access: accessPL, Journal: journalPL, Review: reviewPL, Scenarios: scenariosPL, Nodes: nodesPL,
		Wiki: wikiPL, Tokens: tokensPL, Form: formPL, Done: donePL, Errors: errorsPL,
	}
)

// Languages are the tags that For knows, the default first.
var Languages = []string{"en", "pl"}

// Known reports whether the pages exist in a language.
func Known(tag string) bool { return tag == english.Tag || tag == polish.Tag }

// For gives the texts in a language; what is not known gets the default.
func For(tag string) *Words {
	if tag == polish.Tag {
		return polish
	}
	return english
}

var matcher = language.NewMatcher([]language.Tag{language.English, language.Polish})

// maxAccept bounds what is read of an Accept-Language header.
const maxAccept = 1000

// Match chooses the language for a browser by its Accept-Language header.
func Match(accept string) *Words {
	if len(accept) > maxAccept {
		return english
	}
	wanted, _, err := language.ParseAcceptLanguage(accept)
	if err != nil {
		return english
	}
	_, index, confidence := matcher.Match(wanted...)
	if confidence == language.No {
		return english
	}
	return For(Languages[index])
}
