package facilitator

import (
	"embed"
	"strings"
	"sync"
)

//go:embed texts/*.md
var texts embed.FS

// The languages and modes that there are texts for.
var (
	languages = []string{"en", "pl"}
	modes     = []string{"absence", "downtime", "solo"}
)

// Instructions are what a client is told at initialize, in English.
func Instructions() string { return read("instructions", "en") }

// Contract is the contract of a facilitator, in a language (en or pl; any other
// reads as en) and for a mode (absence, downtime or solo; any other reads as
// solo).
func Contract(language, mode string) string {
	all := contracts()
	for _, key := range []key{{language, mode}, {language, "solo"}, {"en", mode}} {
		if text, ok := all[key]; ok {
			return text
		}
	}
	return all[key{"en", "solo"}]
}

type key struct{ language, mode string }

// contracts holds every contract.
var contracts = sync.OnceValue(func() map[key]string {
	out := make(map[key]string)
	for _, language := range languages {
		whole := read("contract", language)
		for _, mode := range modes {
			out[key{language, mode}] = strings.Replace(whole, "{mode}", read(mode, language), 1)
		}
	}
	return out
})

// read gives a text without the line break at its end.
func read(name, language string) string {
	text, err := texts.ReadFile("texts/" + name + "." + language + ".md")
	if err != nil {
		panic(err) // it is part of the program
	}
	return strings.TrimSpace(string(text))
}
