package words

// Site are the texts around every page.
type Site struct {
	Name                                 string
	Skip                                 string
	Menu, Plays, Scenarios, Wiki, Tokens string
	Account, Logout, LoggedIn            string
	Language, SwitchTo                   string // SwitchTo is written in the other language
	Foot                                 string
	Previous, Next, First, Pages, Range  string // Range: from, to, total
	English, Polish, Required, Problem   string
	Version, Yes, No, Created, Changed   string
	ErrorTitle                           string // before the title of a page with errors
}

var siteEN = Site{
	Name: "Pharos Play",
	Skip: "Skip to the content",
	Menu: "Main menu", Plays: "Plays", Scenarios: "Scenarios", Wiki: "Campaign wiki", Tokens: "Author tokens",
	Account: "Account", Logout: "Log out", LoggedIn: "Logged in as %s",
	Language: "Language", SwitchTo: "Polski",
	Foot:     "Nothing an AI facilitator writes changes your campaign until the game master approves it.",
	Previous: "Previous page", Next: "Next page", First: "First page", Pages: "Pages", Range: "%d–%d of %d",
	English: "English", Polish: "Polish", Required: "required", Problem: "There is a problem",
	Version: "Version %d", Yes: "Yes", No: "No", Created: "Created", Changed: "Last change",
	ErrorTitle: "Error: %s",
}

var sitePL = Site{
	Name: "Pharos Play",
	Skip: "Przejdź do treści",
	Menu: "Menu główne", Plays: "Rozgrywki", Scenarios: "Scenariusze", Wiki: "Wiki kampanii", Tokens: "Tokeny autora",
	Account: "Konto", Logout: "Wyloguj się", LoggedIn: "Zalogowano jako %s",
	Language: "Język", SwitchTo: "English",
	Foot:     "Nic, co zapisze prowadzący AI, nie zmieni kampanii, dopóki nie zatwierdzi tego mistrz gry.",
	Previous: "Poprzednia strona",
	Next:     "Następna strona",
	First:    "Pierwsza strona",
	Pages:    "Strony",
	Range:    "%d–%d z %d",
	English:  "angielski", Polish: "polski", Required: "wymagane", Problem: "Coś wymaga poprawy",
	Version: "Wersja %d", Yes: "Tak", No: "Nie", Created: "Utworzono", Changed: "Ostatnia zmiana",
	ErrorTitle: "Błąd: %s",
}

// LanguageOf says what a language is called.
func (w *Words) LanguageOf(tag string) string {
	if tag == polish.Tag {
		return w.Site.Polish
	}
	return w.Site.English
}
