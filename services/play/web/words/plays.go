package words

// Plays are the texts of the list of plays, and what a play's values are called.
type Plays struct {
	Title, Intro, New, AsGM, AsPlayer, None, NoneAsPlayer string
	State, Scenario, Changed                              string
	Pending                                               Plural
	Active, Completed                                     string
	Absence, Downtime, Solo                               string
	Resource, Relationship, Discovery, Narrative          string
	StatusPending, StatusApproved, StatusRejected         string
	Newest                                                string
}

var playsEN = Plays{
	Title: "Plays", Intro: "A play hands a part of a campaign to one player and an AI facilitator.",
	New: "New play", AsGM: "Plays you are the game master of", AsPlayer: "Plays you take part in",
	None: "You are the game master of no play yet.", NoneAsPlayer: "No game master has given you a play yet.",
	State: "State", Scenario: "Scenario", Changed: "Last change",
	Pending: pluralEN("%d consequence waits", "%d consequences wait"),
	Active:  "active", Completed: "completed",
	Absence: "absence", Downtime: "downtime", Solo: "solo",
	Resource: "resource", Relationship: "relationship", Discovery: "discovery", Narrative: "narrative",
	StatusPending: "pending", StatusApproved: "approved", StatusRejected: "rejected",
	Newest: "The 200 newest plays are shown.",
}

var playsPL = Plays{
	Title: "Rozgrywki", Intro: "Rozgrywka powierza fragment kampanii jednemu graczowi i prowadzącemu AI.",
	New: "Nowa rozgrywka", AsGM: "Rozgrywki, w których jesteś mistrzem gry", AsPlayer: "Rozgrywki, w których grasz",
	None:         "Nie jesteś jeszcze mistrzem gry w żadnej rozgrywce.",
	NoneAsPlayer: "Żaden mistrz gry nie przydzielił ci jeszcze rozgrywki.",
	State:        "Stan", Scenario: "Scenariusz", Changed: "Ostatnia zmiana",
	Pending: pluralPL("%d konsekwencja czeka", "%d konsekwencje czekają", "%d konsekwencji czeka"),
	Active:  "trwa", Completed: "zakończona",
	Absence: "nieobecność", Downtime: "czas wolny", Solo: "gra solo",
	Resource: "zasób", Relationship: "relacja", Discovery: "odkrycie", Narrative: "fabuła",
	StatusPending: "oczekuje", StatusApproved: "zatwierdzona", StatusRejected: "odrzucona",
	Newest: "Widać 200 najnowszych rozgrywek.",
}

// StateOf says what an assignment's status is called.
func (p *Plays) StateOf(status string) string {
	if status == "completed" {
		return p.Completed
	}
	return p.Active
}

// ModeOf says what a mode is called.
func (p *Plays) ModeOf(mode string) string {
	switch mode {
	case "absence":
		return p.Absence
	case "downtime":
		return p.Downtime
	}
	return p.Solo
}

// CategoryOf says what a category of consequences is called.
func (p *Plays) CategoryOf(category string) string {
	switch category {
	case "resource":
		return p.Resource
	case "relationship":
		return p.Relationship
	case "discovery":
		return p.Discovery
	}
	return p.Narrative
}

// StatusOf says what the status of a consequence is called.
func (p *Plays) StatusOf(status string) string {
	switch status {
	case "approved":
		return p.StatusApproved
	case "rejected":
		return p.StatusRejected
	}
	return p.StatusPending
}
