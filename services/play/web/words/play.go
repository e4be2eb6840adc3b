package words

// Play are the texts of the page of one play.
type Play struct {
	Title                                                    string // character's first line
	GM, Player, Mode, Language, Scene                        string
	ScenarioVersion                                          string // title, version
	Version, Started                                         string
	AboutTitle, Character, Brief, Instructions, Boundaries   string
	ReturnCondition, Notes, NotesSeen, Nodes, Approve        string
	NobodyApproves                                           string
	Memory, MemoryHint, MemoryEmpty                          string
	Decisions, DecisionsCaption, NoDecisions                 string
	Note, FromVersion                                        string
	Recap, Journal, Review, ReviewNone, Report, ReportIn     string
	ReportHint                                               string
	AccessTitle, AccessHint, AccessLive, AccessNone          string
	Generate, Rotate, RotateHint, Revoke, Empty, LastDecided string
}

var playEN = Play{
	Title:           "Play: %s",
	GM:              "Game master",
	Player:          "Player",
	Mode:            "Kind of session",
	Language:        "Language",
	Scene:           "Current scene",
	ScenarioVersion: "%s, version %d", Version: "Version", Started: "Created",
	AboutTitle:       "The assignment",
	Character:        "Character",
	Brief:            "Briefing",
	Instructions:     "Instructions to the facilitator",
	Boundaries:       "Boundaries",
	ReturnCondition:  "Condition of return",
	Notes:            "Private notes",
	NotesSeen:        "Only you see these notes.",
	Nodes:            "Published materials",
	Approve:          "Approved at once",
	NobodyApproves:   "nothing; every consequence waits for the game master",
	Memory:           "Memory of the play",
	MemoryHint:       "Written by the AI facilitator after each turn. Each turn replaces it.",
	MemoryEmpty:      "Nothing has been played yet.",
	Decisions:        "Consequences and decisions",
	DecisionsCaption: "Consequences, newest first",
	NoDecisions:      "No turn has had a consequence yet.",
	Note:             "Note of the game master", FromVersion: "version %d",
	Recap:       "How it ended",
	Journal:     "Read the journal",
	Review:      "Review consequences",
	ReviewNone:  "No consequence waits for a decision.",
	Report:      "Report",
	ReportIn:    "Download in %s",
	ReportHint:  "Markdown: the assignment, the journal, the memory and the decisions.",
	AccessTitle: "Connect an AI client",
	AccessHint:  "A token lets one MCP client play this play, and nothing else. It lives 14 days and is shown once.",
	AccessLive:  "A token lives since %s and ends on %s.", AccessNone: "There is no living token.",
	Generate:    "Generate a token",
	Rotate:      "Replace the token",
	RotateHint:  "The token in use dies at once.",
	Revoke:      "Revoke the token",
	Empty:       "none",
	LastDecided: "Decided",
}

var playPL = Play{
	Title:           "Rozgrywka: %s",
	GM:              "Mistrz gry",
	Player:          "Gracz",
	Mode:            "Rodzaj sesji",
	Language:        "Język",
	Scene:           "Bieżąca scena",
	ScenarioVersion: "%s, wersja %d", Version: "Wersja", Started: "Utworzono",
	AboutTitle:       "Zadanie",
	Character:        "Postać",
	Brief:            "Wprowadzenie",
	Instructions:     "Wskazówki dla prowadzącego",
	Boundaries:       "Granice",
	ReturnCondition:  "Warunek powrotu",
	Notes:            "Prywatne notatki",
	NotesSeen:        "Te notatki widzisz tylko ty.",
	Nodes:            "Opublikowane materiały",
	Approve:          "Zatwierdzane od razu",
	NobodyApproves:   "nic; każda konsekwencja czeka na mistrza gry",
	Memory:           "Pamięć rozgrywki",
	MemoryHint:       "Pisze ją prowadzący AI po każdej turze. Każda tura ją zastępuje.",
	MemoryEmpty:      "Nic jeszcze nie rozegrano.",
	Decisions:        "Konsekwencje i decyzje",
	DecisionsCaption: "Konsekwencje, od najnowszej",
	NoDecisions:      "Żadna tura nie miała jeszcze konsekwencji.",
	Note:             "Uzasadnienie MG", FromVersion: "wersja %d",
	Recap:      "Jak to się skończyło",
	Journal:    "Czytaj dziennik",
	Review:     "Rozpatrz konsekwencje",
	ReviewNone: "Żadna konsekwencja nie czeka na decyzję.",
	Report:     "Raport", ReportIn: "Pobierz (%s)", ReportHint: "Markdown: zadanie, dziennik, pamięć i decyzje.",
	AccessTitle: "Połącz klienta AI",
	AccessHint: "Token pozwala jednemu klientowi MCP prowadzić tę rozgrywkę i nic więcej. Jest ważny 14 dni i " +
		"widać go tylko raz.",
	AccessLive: "Token działa od %s, wygasa %s.", AccessNone: "Nie ma działającego tokena.",
	Generate:    "Wygeneruj token",
	Rotate:      "Wymień token",
	RotateHint:  "Obecny token od razu przestanie działać.",
	Revoke:      "Unieważnij token",
	Empty:       "brak",
	LastDecided: "Rozpatrzono",
}

// Access are the texts of the page that shows a token once.
type Access struct {
	Title, Once, Expires, Token, Config, ConfigHint, How, Done, Replaced string
	Inactive                                                             Message
}

var accessEN = Access{
	Title: "Your play token", Once: "This token is shown once. Copy it now: it cannot be shown again, only replaced.",
	Expires: "It works until %s, unless it is replaced or revoked.", Token: "Token",
	Config: "Configuration for an MCP client",
	ConfigHint: "Paste this into the configuration of your AI client. Whoever has the token can play this play, " +
		"so share it with nobody.",
	How: "Then start your AI client and ask it to begin the session.", Done: "Back to the play",
	Replaced: "A token that existed before has stopped working.",
	Inactive: Message{
		"No token was made",
		"The account of the game master or of the player is inactive, so nobody could play with a token. Ask the " +
			"administrator.",
	},
}

var accessPL = Access{
	Title:   "Twój token rozgrywki",
	Once:    "Token jest widoczny tylko teraz. Skopiuj go: nie da się go pokazać ponownie, można go tylko wymienić.",
	Expires: "Działa do %s, o ile nie zostanie wymieniony lub unieważniony.", Token: "Token",
	Config: "Konfiguracja klienta MCP",
	ConfigHint: "Wklej ją do konfiguracji klienta AI. Kto ma token, może prowadzić tę rozgrywkę, więc nikomu go " +
		"nie przekazuj.",
	How: "Potem uruchom klienta AI i poproś o rozpoczęcie sesji.", Done: "Wróć do rozgrywki",
	Replaced: "Wcześniejszy token, jeśli istniał, przestał działać.",
	Inactive: Message{
		"Nie utworzono tokenu",
		"Konto mistrza gry lub gracza jest nieaktywne, więc nikt nie mógłby zagrać z tokenem. Zwróć się do administratora.",
	},
}
