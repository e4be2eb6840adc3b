package words

// Journal are the texts of the journal.
type Journal struct {
	Title, Empty, Turn, Finish, Action, Narration, Summary, Scene, Heading string
	Entries                                                                Plural
}

var journalEN = Journal{
	Title: "Journal: %s", Empty: "Nothing has been played yet.", Turn: "Turn", Finish: "End of the play",
	Action:    "The player",
	Narration: "What happened",
	Summary:   "Summary",
	Scene:     "Scene: %s",
	Heading:   "%s · version %d",
	Entries:   pluralEN("%d entry", "%d entries"),
}

var journalPL = Journal{
	Title: "Dziennik: %s", Empty: "Nic jeszcze nie rozegrano.", Turn: "Tura", Finish: "Zakończenie rozgrywki",
	Action:    "Gracz",
	Narration: "Co się wydarzyło",
	Summary:   "Podsumowanie",
	Scene:     "Scena: %s",
	Heading:   "%s · wersja %d",
	Entries:   pluralPL("%d wpis", "%d wpisy", "%d wpisów"),
}

// Review are the texts of the review of consequences.
type Review struct {
	Title, Intro, None, Heading, Turn, Consequence string
	Decision, Approve, Reject, Later               string
	Note, NoteHint, Submit                         string
	Waiting                                        Plural
	More                                           Plural
	NothingChosen                                  string
	NoteAlone                                      string
	Stale, StaleWhat, Typed, Decided, Done         string
}

var reviewEN = Review{
	Title: "Review: %s",
	Intro: "Decide what becomes true in your campaign. A decision is final, and the player and the " +
		"facilitator see it.",
	None:        "No consequence waits for a decision.",
	Heading:     "%d. %s, from version %d",
	Turn:        "The turn",
	Consequence: "Its consequence",
	Decision:    "Your decision", Approve: "Approve", Reject: "Reject", Later: "Decide later",
	Note:          "Note",
	NoteHint:      "Optional. Seen by: you, the player and the AI facilitator. At most %d characters.",
	Submit:        "Save the decisions",
	Waiting:       pluralEN("%d consequence waits for a decision.", "%d consequences wait for a decision."),
	More:          pluralEN("%d more follows when these are decided.", "%d more follow when these are decided."),
	NothingChosen: "Choose “Approve” or “Reject” for at least one consequence.",
	NoteAlone:     "You wrote a note without a decision. Choose one, or clear the note.",
	Stale:         "The play has changed since this page was made, so nothing was saved.",
	StaleWhat:     "Your decisions and notes are still below, beside the newest state. Look at them again, then save.",
	Typed:         "You had written", Decided: "Decided in the meantime: %s", Done: "Back to the play",
}

var reviewPL = Review{
	Title:       "Rozpatrzenie: %s",
	Intro:       "Zdecyduj, co stanie się prawdą w twojej kampanii. Decyzja jest ostateczna; widzą ją gracz i prowadzący.",
	None:        "Żadna konsekwencja nie czeka na decyzję.",
	Heading:     "%d. %s, z wersji %d",
	Turn:        "Tura",
	Consequence: "Jej konsekwencja",
	Decision:    "Twoja decyzja", Approve: "Zatwierdź", Reject: "Odrzuć", Later: "Zdecyduj później",
	Note:     "Uzasadnienie",
	NoteHint: "Nieobowiązkowe. Widzą: ty, gracz i prowadzący AI. Najwyżej %d znaków.",
	Submit:   "Zapisz decyzje",
	Waiting: pluralPL("%d konsekwencja czeka na decyzję.", "%d konsekwencje czekają na decyzję.",
		"%d konsekwencji czeka na decyzję."),
	More: pluralPL("Jeszcze %d pojawi się po rozpatrzeniu tych.",
		"Jeszcze %d pojawią się po rozpatrzeniu tych.", "Jeszcze %d pojawi się po rozpatrzeniu tych."),
	NothingChosen: "Wybierz „Zatwierdź” lub „Odrzuć” dla co najmniej jednej konsekwencji.",
	NoteAlone:     "Jest uzasadnienie bez decyzji. Wybierz decyzję albo usuń uzasadnienie.",
	Stale:         "Rozgrywka zmieniła się od otwarcia tej strony, więc niczego nie zapisano.",
	StaleWhat:     "Twoje decyzje i uzasadnienia są nadal poniżej, obok najnowszego stanu. Przejrzyj je i zapisz ponownie.",
	Typed:         "Wpisano", Decided: "Rozpatrzono w międzyczasie: %s", Done: "Wróć do rozgrywki",
}
