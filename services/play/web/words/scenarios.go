package words

// Scenarios are the texts of an author's scenarios.
type Scenarios struct {
	Title, Intro, New, None, Caption, Name, Language, Latest, Changed string
	NewTitle, NameField, NameHint, Summary, SummaryHint, LanguageHint string
	Create, Seen, Exists                                              string
	Versions, VersionsCaption, Version, Status, Draft, Published      string
	PublishedAt, NewVersion, NewVersionHint, NoSummary                string
	Count                                                             Plural
	PlayThis                                                          string
}

var scenariosEN = Scenarios{
	Title: "Scenarios",
	Intro: "Scenes, people, places and clues that plays are made from. Only you see them; a play publishes " +
		"the parts that you choose.",
	New:       "New scenario",
	None:      "You have no scenario yet.",
	Caption:   "Your scenarios",
	Name:      "Title",
	Language:  "Language",
	Latest:    "Latest version",
	Changed:   "Last change",
	NewTitle:  "New scenario",
	NameField: "Title",
	NameHint:  "What you call it. The player sees it in the list of plays.",
	Summary:   "Summary", SummaryHint: "What it is about, for yourself.", LanguageHint: "The language it is written in.",
	Create: "Create the scenario", Seen: "Seen by: you only.",
	Exists: "This form has made a scenario already, with other content. To make a second one on purpose, " +
		"send the form again.",
	Versions:        "Versions",
	VersionsCaption: "Versions, newest first",
	Version:         "Version",
	Status:          "State",
	Draft:           "draft",
	Published:       "published",
	PublishedAt:     "Published",
	NewVersion:      "Start a new version",
	NewVersionHint:  "A draft with copies of everything in the latest version. Published versions never change.",
	NoSummary:       "No summary.", Count: pluralEN("%d scenario", "%d scenarios"), PlayThis: "Make a play from version %d",
}

var scenariosPL = Scenarios{
	Title: "Scenariusze",
	Intro: "Sceny, osoby, miejsca i poszlaki, z których powstają rozgrywki. Widzisz je tylko ty; rozgrywka " +
		"publikuje wybrane części.",
	New:      "Nowy scenariusz",
	None:     "Nie masz jeszcze scenariusza.",
	Caption:  "Twoje scenariusze",
	Name:     "Tytuł",
	Language: "Język",
	Latest:   "Najnowsza wersja",
	Changed:  "Ostatnia zmiana",
	NewTitle: "Nowy scenariusz", NameField: "Tytuł", NameHint: "Nazwa scenariusza. Gracz widzi ją na liście rozgrywek.",
	Summary: "Streszczenie", SummaryHint: "O czym jest, dla ciebie.", LanguageHint: "Język, w którym jest napisany.",
	Create: "Utwórz scenariusz", Seen: "Widzisz tylko ty.",
	Exists: "Z tego formularza powstał już scenariusz o innej treści. Aby celowo utworzyć drugi, wyślij " +
		"formularz jeszcze raz.",
	Versions:        "Wersje",
	VersionsCaption: "Wersje, od najnowszej",
	Version:         "Wersja",
	Status:          "Stan",
	Draft:           "robocza",
	Published:       "opublikowana",
	PublishedAt:     "Opublikowano",
	NewVersion:      "Zacznij nową wersję",
	NewVersionHint: "Wersja robocza z kopiami wszystkiego z najnowszej wersji. Opublikowane wersje nigdy się nie " +
		"zmieniają.",
	NoSummary: "Bez streszczenia.",
	Count:     pluralPL("%d scenariusz", "%d scenariusze", "%d scenariuszy"),
	PlayThis:  "Utwórz rozgrywkę z wersji %d",
}

// VersionStatus says what the status of a version is called.
func (s *Scenarios) VersionStatus(status string) string {
	if status == "published" {
		return s.Published
	}
	return s.Draft
}

// Nodes are the texts of the parts of a version.
type Nodes struct {
	Title, Caption, None, All, Filter, Kind, Name, Position, ID, Notes, Revision   string
	Scene, NPC, Place, Clue, Scenes, NPCs, Places, Clues                           string
	Publish, PublishHint, PublishTitle, NeedsScene, FixedHint                      string
	Add, AddTitle, EditTitle, Edit, Save, Delete, DeleteTitle, DeleteAsk, Keep     string
	IDField, IDHint, KindHint, NameField, Body, BodyHint, NotesField, PositionHint string
	SeenPublished, SeenGM                                                          string
	Stale, Mine, Theirs, StaleSave, StaleDelete, Exists, IDRule                    string
	PositionRule                                                                   string
	Count                                                                          Plural
}

var nodesEN = Nodes{
	Title:   "%s, version %d",
	Caption: "Parts of this version, in their order",
	None:    "This version has no part of this kind.",
	All:     "Everything",
	Filter:  "Show",
	Kind:    "Kind", Name: "Title", Position: "Position", ID: "Short name", Notes: "Private notes", Revision: "Revision",
	Scene:        "scene",
	NPC:          "person",
	Place:        "place",
	Clue:         "clue",
	Scenes:       "Scenes",
	NPCs:         "People",
	Places:       "Places",
	Clues:        "Clues",
	Publish:      "Publish this version",
	PublishHint:  "A published version can be played and never changes again.",
	PublishTitle: "Publish",
	NeedsScene:   "A version needs at least one scene before it can be published.",
	FixedHint:    "This version is published and never changes. Start a new version to go on.",
	Add:          "Add a part",
	AddTitle:     "New part of %s, version %d",
	EditTitle:    "Edit: %s",
	Edit:         "Edit",
	Save:         "Save",
	Delete:       "Delete",
	DeleteTitle:  "Delete: %s",
	DeleteAsk:    "It will be gone from this draft. Published versions and plays keep their copies.", Keep: "Keep it",
	IDField:       "Short name",
	IDHint:        "Names it within the version, for instance harbor or old-keeper. It cannot be changed later.",
	KindHint:      "A play happens in scenes; people, places and clues help the facilitator.",
	NameField:     "Title",
	Body:          "Text",
	BodyHint:      "What the facilitator needs. Markdown is shown formatted.",
	NotesField:    "Private notes of the game master",
	PositionHint:  "A whole number; lower comes first. Empty: at the end.",
	SeenPublished: "Seen by: you; and the AI facilitator of plays that publish it.",
	SeenGM:        "Seen by: you only. Never published.",
	Stale: "It has been changed since you opened it, so nothing was saved. Both texts are below. Put into " +
		"yours what should stay, then save.",
	Mine:         "Your text",
	Theirs:       "What is stored now",
	StaleSave:    "Save my text over it",
	StaleDelete:  "It has been changed since you opened it, so it was not deleted. This is what is stored now.",
	Exists:       "This short name is taken in this version. Choose another one.",
	IDRule:       "Use small letters a–z, digits and hyphens, beginning with a letter or digit; at most 64.",
	PositionRule: "Write a whole number from %d to %d, or nothing.",
	Count:        pluralEN("%d part", "%d parts"),
}

var nodesPL = Nodes{
	Title:         "%s, wersja %d",
	Caption:       "Części tej wersji, po kolei",
	None:          "Ta wersja nie ma części tego rodzaju.",
	All:           "Wszystko",
	Filter:        "Pokaż",
	Kind:          "Rodzaj",
	Name:          "Tytuł",
	Position:      "Pozycja",
	ID:            "Krótka nazwa",
	Notes:         "Prywatne notatki",
	Revision:      "Rewizja",
	Scene:         "scena",
	NPC:           "postać",
	Place:         "miejsce",
	Clue:          "poszlaka",
	Scenes:        "Sceny",
	NPCs:          "Postacie",
	Places:        "Miejsca",
	Clues:         "Poszlaki",
	Publish:       "Opublikuj tę wersję",
	PublishHint:   "W opublikowaną wersję można grać i nigdy się już nie zmieni.",
	PublishTitle:  "Publikacja",
	NeedsScene:    "Przed publikacją wersja musi mieć co najmniej jedną scenę.",
	FixedHint:     "Ta wersja jest opublikowana i nie może się zmienić. Aby pracować dalej, zacznij nową wersję.",
	Add:           "Dodaj część",
	AddTitle:      "Nowa część: %s, wersja %d",
	EditTitle:     "Edycja: %s",
	Edit:          "Edytuj",
	Save:          "Zapisz",
	Delete:        "Usuń",
	DeleteTitle:   "Usunięcie: %s",
	DeleteAsk:     "Zniknie z tej wersji roboczej. Opublikowane wersje i rozgrywki zachowają swoje kopie.",
	Keep:          "Zachowaj",
	IDField:       "Krótka nazwa",
	IDHint:        "Oznacza część w obrębie wersji, na przykład port albo stary-latarnik. Później nie można jej zmienić.",
	KindHint:      "Rozgrywka toczy się w scenach; postacie, miejsca i poszlaki pomagają prowadzącemu.",
	NameField:     "Tytuł",
	Body:          "Tekst",
	BodyHint:      "To, czego potrzebuje prowadzący. Markdown zostanie sformatowany.",
	NotesField:    "Prywatne notatki MG",
	PositionHint:  "Liczba całkowita; mniejsza jest wcześniej. Puste: na końcu.",
	SeenPublished: "Widzą: ty oraz prowadzący AI rozgrywek, które tę część publikują.",
	SeenGM:        "Widzisz tylko ty. Nigdy nie jest publikowane.",
	Stale: "Od otwarcia strony treść się zmieniła, więc niczego nie zapisano. Poniżej są oba teksty. " +
		"Przenieś do swojego to, co ma zostać, i zapisz.",
	Mine:         "Twój tekst",
	Theirs:       "Co jest teraz zapisane",
	StaleSave:    "Zapisz mój tekst w to miejsce",
	StaleDelete:  "Od otwarcia strony treść się zmieniła, więc niczego nie usunięto. To jest teraz zapisane.",
	Exists:       "Ta krótka nazwa jest już zajęta w tej wersji. Wybierz inną.",
	IDRule:       "Użyj małych liter a–z, cyfr i łączników; na początku litera lub cyfra; najwyżej 64 znaki.",
	PositionRule: "Wpisz liczbę całkowitą od %d do %d albo nic.",
	Count:        pluralPL("%d część", "%d części", "%d części"),
}

// KindOf says what a kind of node is called.
func (n *Nodes) KindOf(kind string) string {
	switch kind {
	case "scene":
		return n.Scene
	case "npc":
		return n.NPC
	case "place":
		return n.Place
	}
	return n.Clue
}
