package words

// Create are the texts of the form that makes a play.
type Create struct {
	Title, ChooseTitle, Choose, ChooseCaption, NoneToChoose, UseVersion string
	Source, OtherSource, Version                                        string
	Who, Story, Return, Private, Materials, Effects                     string // headings of parts

	Player, PlayerHint                           string
	Mode, ModeHint                               string
	ModeAbsence, ModeDowntime, ModeSolo          string
	Language, LanguageHint                       string
	Character, CharacterHint                     string
	Brief, BriefHint                             string
	Instructions, InstructionsHint               string
	Boundaries, BoundariesHint                   string
	ReturnCondition, ReturnHint                  string
	Notes, NotesHint                             string
	Nodes, NodesHint                             string
	NodeNotes, NodesBound                        string
	Approve, ApproveHint                         string
	SeenAll, SeenGM, SeenSettings, SeenMaterials string
	Submit, Start                                string
	Exists, ExistsLink, NoScene                  string
	PlayerUnknown                                string
}

var createEN = Create{
	Title: "New play", ChooseTitle: "New play: choose a scenario",
	Choose:        "A play is made from a published version of one of your scenarios. Drafts must be published first.",
	ChooseCaption: "Your scenarios and their versions that can be played",
	NoneToChoose:  "You have no published version yet. Write a scenario and publish a version first.",
	UseVersion:    "Use version %d",
	Source:        "From %s, version %d.",
	OtherSource:   "Choose another scenario or version",
	Version:       "Published versions",
	Who:           "Who plays, and how", Story: "The story", Return: "Limits and the way back", Private: "For you alone",
	Materials: "What the facilitator may use", Effects: "What happens to consequences",
	Player: "Player's user name", PlayerHint: "The account of the one player. It cannot be changed later.",
	Mode: "Kind of session", ModeHint: "It changes what the facilitator is told the session is for, and how it ends.",
	ModeAbsence:  "Absence – what the character does while the player misses the table's session",
	ModeDowntime: "Downtime – what the character does between two sessions",
	ModeSolo:     "Solo – a story of its own",
	Language:     "Language of the play", LanguageHint: "The language of the facilitator and of what it is told.",
	Character: "Character", CharacterHint: "Who the player is: name, abilities, what they carry and want.",
	Brief: "Briefing", BriefHint: "Where the story stands when the play starts.",
	Instructions:     "Instructions to the facilitator",
	InstructionsHint: "Tone, pace, what to stress. The player can read them too, so keep secrets out.",
	Boundaries:       "Boundaries",
	BoundariesHint:   "What must not occur or be decided: themes, places, people who must live.",
	ReturnCondition:  "Condition of return",
	ReturnHint:       "When the play is over and how the character comes back to the party.",
	Notes:            "Private notes of the game master",
	NotesHint:        "What you want to remember: plans, secrets, what to check afterwards.",
	Nodes:            "Published materials",
	NodesHint:        "Only what you tick leaves the scenario. The first scene that you tick is where the play starts.",
	NodeNotes:        "has private notes, which stay with you", NodesBound: "1 to %d materials, at least one of " +
		"them a scene.",
	Approve:      "Approve at once",
	ApproveHint:  "Consequences of ticked kinds need no decision of yours. All others wait for your review.",
	SeenAll:      "Seen by: you, the player and the AI facilitator.",
	SeenGM:       "Seen by: you only. Never the player, never the facilitator.",
	SeenSettings: "Seen by: you, the player and the AI facilitator.",
	SeenMaterials: "Seen by: you and the AI facilitator, who tells the player what play uncovers. Private notes " +
		"of a material are seen by you only.",
	Submit: "Create the play", Start: "You start at version 1, in the first published scene.",
	Exists: "This form has made a play already, with other content. To change nothing, open that play. To " +
		"make a second play on purpose, send the form again.",
	ExistsLink: "Open the play that exists", NoScene: "Tick at least one scene: the play must start somewhere.",
	PlayerUnknown: "There is no active account with this user name.",
}

var createPL = Create{
	Title: "Nowa rozgrywka", ChooseTitle: "Nowa rozgrywka: wybór scenariusza",
	Choose: "Rozgrywka powstaje z opublikowanej wersji jednego z twoich scenariuszy. Wersje robocze trzeba " +
		"najpierw opublikować.",
	ChooseCaption: "Twoje scenariusze i wersje, w które można grać",
	NoneToChoose:  "Nie masz jeszcze opublikowanej wersji. Napisz scenariusz i opublikuj wersję.",
	UseVersion:    "Użyj wersji %d",
	Source:        "Scenariusz: %s, wersja %d.",
	OtherSource:   "Wybierz inny scenariusz lub wersję",
	Version:       "Opublikowane wersje",
	Who:           "Kto i jak gra", Story: "Historia", Return: "Granice i powrót", Private: "Tylko dla ciebie",
	Materials: "Z czego może korzystać prowadzący", Effects: "Co dzieje się z konsekwencjami",
	Player: "Nazwa użytkownika gracza", PlayerHint: "Konto jedynego gracza. Później nie można go zmienić.",
	Mode: "Rodzaj sesji", ModeHint: "Zmienia to, co prowadzący wie o celu sesji i o jej zakończeniu.",
	ModeAbsence:  "Nieobecność – co robi postać, gdy gracz opuszcza sesję drużyny",
	ModeDowntime: "Czas wolny – co robi postać między sesjami",
	ModeSolo:     "Gra solo – osobna historia",
	Language:     "Język rozgrywki", LanguageHint: "Język prowadzącego i zasad, które otrzymuje.",
	Character: "Postać", CharacterHint: "Kim jest gracz: imię, umiejętności, ekwipunek, cele.",
	Brief: "Wprowadzenie", BriefHint: "Co się dzieje w chwili rozpoczęcia rozgrywki.",
	Instructions:     "Wskazówki dla prowadzącego",
	InstructionsHint: "Ton, tempo, na co położyć nacisk. Gracz też może je przeczytać, więc nie wpisuj tu tajemnic.",
	Boundaries:       "Granice",
	BoundariesHint:   "Co nie może się zdarzyć ani rozstrzygnąć: tematy, miejsca, osoby, które muszą przeżyć.",
	ReturnCondition:  "Warunek powrotu", ReturnHint: "Kiedy rozgrywka się kończy i jak postać wraca do drużyny.",
	Notes: "Prywatne notatki MG", NotesHint: "Co chcesz pamiętać: plany, tajemnice, rzeczy do sprawdzenia.",
	Nodes:      "Opublikowane materiały",
	NodesHint:  "Ze scenariusza wychodzi tylko to, co zaznaczysz. Rozgrywka zaczyna się w pierwszej zaznaczonej scenie.",
	NodeNotes:  "ma prywatne notatki, które zostają u ciebie",
	NodesBound: "Od 1 do %d materiałów, w tym co najmniej jedna scena.",
	Approve:    "Zatwierdzaj od razu",
	ApproveHint: "Konsekwencje zaznaczonych rodzajów nie wymagają twojej decyzji. Wszystkie inne czekają na " +
		"rozpatrzenie.",
	SeenAll:      "Widzą: ty, gracz i prowadzący AI.",
	SeenGM:       "Widzisz tylko ty. Nigdy gracz ani prowadzący.",
	SeenSettings: "Widzą: ty, gracz i prowadzący AI.",
	SeenMaterials: "Widzą: ty i prowadzący AI, który opowiada graczowi to, co odkryje gra. Prywatne notatki do " +
		"materiału widzisz tylko ty.",
	Submit: "Utwórz rozgrywkę", Start: "Rozgrywka zaczyna się od wersji 1, w pierwszej opublikowanej scenie.",
	Exists: "Z tego formularza powstała już rozgrywka o innej treści. Aby niczego nie zmieniać, otwórz " +
		"tamtą rozgrywkę. Aby celowo utworzyć drugą, wyślij formularz jeszcze raz.",
	ExistsLink:    "Otwórz istniejącą rozgrywkę",
	NoScene:       "Zaznacz co najmniej jedną scenę: rozgrywka musi się gdzieś zacząć.",
	PlayerUnknown: "Nie ma aktywnego konta o tej nazwie użytkownika.",
}
