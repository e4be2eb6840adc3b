package report

// wording is what a report says in a language.
type wording struct {
	title, none string
	// what is told in lines
	gm, player, mode, status, version, source, scene, begun, changed, pending, time, decided string
	// what has a section
	summary, character, brief, instructions, boundaries, returning, notes, journal, memory string
	// what happened
	turn, finish, at, action, narration, effect, note string
	// what the values of fields are called
	terms map[string]string
}

// term is what a value is called; one that is not known is told as it is.
func (w *wording) term(value string) string {
	if t, ok := w.terms[value]; ok {
		return t
	}
	return inline(value)
}

var wordings = map[string]*wording{
	"en": {
		title: "Report of a play session", none: "Nothing has happened yet.",
		gm: "Game master", player: "Player", mode: "Mode", status: "Status", version: "Version",
		source: "Version of the scenario", scene: "Scene", begun: "Assigned", changed: "Last change",
		pending: "Consequences that await a decision", time: "Time", decided: "Decided",
		summary: "Summary", character: "Character", brief: "Brief", instructions: "Instructions", boundaries: "Boundaries",
		returning: "Condition of return", notes: "Private notes of the game master", journal: "Journal", memory: "Memory",
		turn: "Turn", finish: "End of the session", at: "version", action: "What the player did", narration: "What happened",
		effect: "Consequence", note: "Note of the game master",
		terms: map[string]string{
			"absence": "absence", "downtime": "downtime", "solo": "solo",
			"active": "active", "completed": "completed",
			"pending": "pending", "approved": "approved", "rejected": "rejected",
			"resource": "resource", "relationship": "relationship", "discovery": "discovery", "narrative": "narrative",
		},
	},
	"pl": {
		title: "Raport z sesji", none: "Nic się jeszcze nie wydarzyło.",
		gm: "Mistrz gry", player: "Gracz", mode: "Tryb", status: "Status", version: "Wersja",
		source: "Wersja scenariusza", scene: "Scena", begun: "Przypisano", changed: "Ostatnia zmiana",
		pending: "Konsekwencje czekające na decyzję", time: "Czas", decided: "Zdecydowano",
		summary: "Podsumowanie", character: "Postać", brief: "Wprowadzenie", instructions: "Wskazówki", boundaries: "Granice",
		returning: "Warunek powrotu", notes: "Prywatne notatki mistrza gry", journal: "Dziennik", memory: "Pamięć",
		turn: "Tura", finish: "Zakończenie sesji", at: "wersja", action: "Co zrobił gracz", narration: "Co się wydarzyło",
		effect: "Konsekwencja", note: "Uwaga mistrza gry",
		terms: map[string]string{
			"absence": "nieobecność", "downtime": "między sesjami", "solo": "solo",
			"active": "trwa", "completed": "zakończona",
			"pending": "czeka na decyzję", "approved": "zatwierdzona", "rejected": "odrzucona",
			"resource": "zasoby", "relationship": "relacje", "discovery": "odkrycie", "narrative": "fabuła",
		},
	},
}
