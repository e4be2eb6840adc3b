package words

// Wiki are the texts of the private campaign wiki.
type Wiki struct {
	Title, Intro, New, None, NoHits, Caption, Name, Changed, Search, SearchHint, SearchSubmit string
	Results, All, NewTitle, EditTitle, IDHint, NameField, Body, BodyHint, Seen, Create        string
	DeleteTitle, DeleteAsk, Exists                                                            string
	Count                                                                                     Plural
}

var wikiEN = Wiki{
	Title: "Campaign wiki", Intro: "Your private knowledge of the campaign. No player and no facilitator ever sees it.",
	New:          "New page",
	None:         "Your wiki has no page yet.",
	NoHits:       "No page has this text.",
	Caption:      "Pages of your wiki",
	Name:         "Title",
	Changed:      "Last change",
	Search:       "Search the wiki",
	SearchHint:   "1 to 200 characters. Upper and lower case and accents do not matter.",
	SearchSubmit: "Search",
	Results:      "Pages with “%s”", All: "All pages", NewTitle: "New wiki page", EditTitle: "Edit: %s",
	IDHint:    "Names the page in its address, for instance old-lighthouse. It cannot be changed later.",
	NameField: "Title",
	Body:      "Text",
	BodyHint:  "Markdown is shown formatted.",
	Seen:      "Seen by: you only, and by AI assistants with one of your author tokens.", Create: "Create the page",
	DeleteTitle: "Delete: %s",
	DeleteAsk:   "The page will be gone for good.",
	Exists:      "This short name is taken by another page. Choose another one.",
	Count:       pluralEN("%d page", "%d pages"),
}

var wikiPL = Wiki{
	Title: "Wiki kampanii", Intro: "Twoja prywatna wiedza o kampanii. Nie widzi jej żaden gracz ani prowadzący.",
	New:          "Nowa strona",
	None:         "Twoja wiki nie ma jeszcze stron.",
	NoHits:       "Żadna strona nie zawiera tego tekstu.",
	Caption:      "Strony twojej wiki",
	Name:         "Tytuł",
	Changed:      "Ostatnia zmiana",
	Search:       "Szukaj w wiki",
	SearchHint:   "Od 1 do 200 znaków. Wielkość liter i znaki diakrytyczne nie mają znaczenia.",
	SearchSubmit: "Szukaj",
	Results:      "Strony z tekstem „%s”", All: "Wszystkie strony", NewTitle: "Nowa strona wiki", EditTitle: "Edycja: %s",
	IDHint:    "Oznacza stronę w jej adresie, na przykład stara-latarnia. Później nie można jej zmienić.",
	NameField: "Tytuł",
	Body:      "Tekst",
	BodyHint:  "Markdown zostanie sformatowany.",
	Seen:      "Widzisz tylko ty oraz asystenci AI z jednym z twoich tokenów autora.", Create: "Utwórz stronę",
	DeleteTitle: "Usunięcie: %s",
	DeleteAsk:   "Strona zniknie na zawsze.",
	Exists:      "Ta krótka nazwa należy do innej strony. Wybierz inną.",
	Count:       pluralPL("%d strona", "%d strony", "%d stron"),
}

// Tokens are the texts of an author's personal tokens.
type Tokens struct {
	Title, Intro, None, Caption, Name, Created, Expires, LastUsed, Never, Revoke, RevokeNamed string
	IssueTitle, NameHint, Issue, ShownTitle, Once, Works, Token, Config, ConfigHint, Done     string
	Exists, TooMany, Actions, Dead                                                            string
}

var tokensEN = Tokens{
	Title: "Author tokens",
	Intro: "A personal token lets an AI assistant read and change your scenarios and your wiki. It cannot " +
		"play, and it lives 90 days.",
	None:        "You have no token.",
	Caption:     "Your tokens",
	Name:        "Name",
	Created:     "Issued",
	Expires:     "Ends",
	LastUsed:    "Last used",
	Never:       "never",
	Revoke:      "Revoke",
	RevokeNamed: "Revoke %s",
	IssueTitle:  "Issue a token",
	NameHint:    "What you will know it by, for instance the program that gets it. 1 to %d characters.",
	Issue:       "Issue the token",
	ShownTitle:  "Your author token",
	Once:        "This token is shown once. Copy it now: it cannot be shown again, only revoked.",
	Works:       "It works until %s, unless it is revoked.",
	Token:       "Token",
	Config:      "Configuration for an MCP client",
	ConfigHint: "Paste this into the configuration of your AI assistant. Whoever has the token can change your " +
		"scenarios and your wiki, so share it with nobody.",
	Done:    "Back to your tokens",
	Exists:  "This token was issued and shown already. If you did not copy it, revoke it and issue another one.",
	TooMany: "You have as many tokens as an account may have. Revoke one first.", Actions: "Action", Dead: "ended",
}

var tokensPL = Tokens{
	Title: "Tokeny autora",
	Intro: "Token osobisty pozwala asystentowi AI czytać i zmieniać twoje scenariusze i wiki. Nie można nim " +
		"grać; jest ważny 90 dni.",
	None:        "Nie masz tokena.",
	Caption:     "Twoje tokeny",
	Name:        "Nazwa",
	Created:     "Wydano",
	Expires:     "Wygasa",
	LastUsed:    "Ostatnio użyty",
	Never:       "nigdy",
	Revoke:      "Unieważnij",
	RevokeNamed: "Unieważnij: %s",
	IssueTitle:  "Wydaj token",
	NameHint:    "Po czym go poznasz, na przykład nazwa programu, który go dostanie. Od 1 do %d znaków.",
	Issue:       "Wydaj token",
	ShownTitle:  "Twój token autora",
	Once:        "Token jest widoczny tylko teraz. Skopiuj go: nie da się go pokazać ponownie, można go tylko unieważnić.",
	Works:       "Działa do %s, o ile nie zostanie unieważniony.",
	Token:       "Token",
	Config:      "Konfiguracja klienta MCP",
	ConfigHint: "Wklej ją do konfiguracji asystenta AI. Kto ma token, może zmieniać twoje scenariusze i wiki, " +
		"więc nikomu go nie przekazuj.",
	Done:    "Wróć do tokenów",
	Exists:  "Ten token już wydano i pokazano. Jeśli nie został skopiowany, unieważnij go i wydaj następny.",
	TooMany: "Masz już tyle tokenów, ile może mieć konto. Najpierw unieważnij jeden z nich.",
	Actions: "Działanie",
	Dead:    "wygasł",
}
