package words

// Form are the messages about what was typed.
type Form struct {
	Missing, Chosen, Invalid string
	TooLong                  string // most, actual
	Bound, BoundEmpty        string // most
	TooMany                  Plural // most
	Refused                  string
	Detail                   string
}

var formEN = Form{
	Missing: "Write something here.", Chosen: "Choose one of the answers.", Invalid: "This is not one of the answers.",
	TooLong:    "At most %d characters are possible; these are %d.",
	Bound:      "1 to %d characters.",
	BoundEmpty: "At most %d characters; may stay empty.",
	TooMany:    pluralEN("At most %d can be chosen.", "At most %d can be chosen."),
	Refused:    "This was refused and nothing was saved.", Detail: "The server's own words",
}

var formPL = Form{
	Missing: "Wpisz coś w tym miejscu.", Chosen: "Wybierz jedną z odpowiedzi.", Invalid: "Nie ma takiej odpowiedzi.",
	TooLong:    "Można wpisać najwyżej %d znaków; jest ich %d.",
	Bound:      "Od 1 do %d znaków.",
	BoundEmpty: "Najwyżej %d znaków; może zostać puste.",
	TooMany:    pluralPL("Można wybrać najwyżej %d.", "Można wybrać najwyżej %d.", "Można wybrać najwyżej %d."),
	Refused:    "Odmówiono i niczego nie zapisano.", Detail: "Słowa serwera (po angielsku)",
}

// Done are the notices after something was done.
type Done struct {
	Created, Saved, Deleted, Published, Revoked, Reviewed, VersionStarted, Language string
}

var doneEN = Done{
	Created:        "Created.",
	Saved:          "Saved.",
	Deleted:        "Deleted.",
	Published:      "Published.",
	Revoked:        "Revoked.",
	Reviewed:       "Your decisions are saved.",
	VersionStarted: "A new draft version is ready.", Language: "The language is changed.",
}

var donePL = Done{
	Created:        "Utworzono.",
	Saved:          "Zapisano.",
	Deleted:        "Usunięto.",
	Published:      "Opublikowano.",
	Revoked:        "Unieważniono.",
	Reviewed:       "Decyzje zostały zapisane.",
	VersionStarted: "Nowa wersja robocza jest gotowa.", Language: "Zmieniono język.",
}

// Notice is the text of a notice by its name in an address, or "".
func (d *Done) Notice(name string) string {
	switch name {
	case "created":
		return d.Created
	case "saved":
		return d.Saved
	case "deleted":
		return d.Deleted
	case "published":
		return d.Published
	case "revoked":
		return d.Revoked
	case "reviewed":
		return d.Reviewed
	case "version":
		return d.VersionStarted
	case "language":
		return d.Language
	}
	return ""
}

// Message is a page that says what went wrong and what to do.
type Message struct{ Title, Text string }

// Errors are the messages of whole pages.
type Errors struct {
	BadRequest, Forbidden, NotFound, Method, Timeout, Conflict, TooLarge, Media, Unprocessable, TooMany Message
	Internal, Unavailable, GatewayTimeout, LoggedOut                                                    Message
	Again, AgainHint, LoginNewTab, Home                                                                 string
}

var errorsEN = Errors{
	BadRequest: Message{"This request cannot be right", "The address or the form is not as a page makes it, " +
		"or holds something that is no text. Go back and try again."},
	Forbidden: Message{"This is not allowed", "The request came from another site, or your part in this play " +
		"does not allow it. Open the page here and send its form again."},
	NotFound: Message{"There is nothing here", "It does not exist, or it is not yours to see."},
	Method:   Message{"This address is used differently", "Go back and use the links and buttons of the pages."},
	Timeout: Message{"The form did not arrive in time", "The connection was too slow. Nothing was saved; " +
		"send the form again."},
	Conflict: Message{"It has changed in the meantime", "Nothing was saved. Open the page again, look at " +
		"what is there now, and repeat what you still want."},
	TooLarge: Message{"The form is too large", "Nothing was saved. Go back, shorten the texts, and send the " +
		"form again."},
	Media: Message{"This form was sent in an unknown way",
		"Forms of this site are sent as ordinary web forms, without files."},
	Unprocessable: Message{"This cannot be done", "Nothing was saved. Go back and check what was chosen."},
	TooMany:       Message{"Too many requests", "Nothing was saved. Wait a little, then send it again."},
	Internal: Message{"Something went wrong here", "It is our mistake and is in the log. Try again; if it " +
		"stays so, tell the administrator."},
	Unavailable: Message{"Please try again in a moment", "The server cannot reach its database at the moment."},
	GatewayTimeout: Message{"It took too long", "The database was too slow, and nothing was saved. Wait a little, " +
		"then send it again."},
	LoggedOut: Message{"You are logged out", "Your session has ended. What you typed is not lost: log in, " +
		"then come back to this page and send it again."},
	Again:       "Send it again",
	AgainHint:   "The same form with everything you typed. It is done once, even if it was done before.",
	LoginNewTab: "Log in (opens a new tab)", Home: "Go to your plays",
}

var errorsPL = Errors{
	BadRequest: Message{"To żądanie nie może być poprawne",
		"Adres lub formularz nie jest taki, jaki tworzy strona, albo zawiera coś, co nie jest tekstem. Wróć i " +
			"spróbuj ponownie."},
	Forbidden: Message{"To jest niedozwolone", "Żądanie przyszło z innej strony albo twoja rola w tej " +
		"rozgrywce na to nie pozwala. Otwórz stronę tutaj i wyślij jej formularz ponownie."},
	NotFound: Message{"Nic tu nie ma", "To nie istnieje albo nie możesz tego zobaczyć."},
	Method:   Message{"Tego adresu używa się inaczej", "Wróć i skorzystaj z odnośników i przycisków na stronach."},
	Timeout: Message{"Formularz nie dotarł na czas", "Połączenie było zbyt wolne. Niczego nie zapisano; " +
		"wyślij formularz ponownie."},
	Conflict: Message{"To się w międzyczasie zmieniło", "Niczego nie zapisano. Otwórz stronę ponownie, " +
		"sprawdź obecny stan i powtórz to, co nadal ma się stać."},
	TooLarge: Message{"Formularz jest zbyt duży", "Niczego nie zapisano. Wróć, skróć teksty i wyślij " +
		"formularz ponownie."},
	Media: Message{"Formularz wysłano w nieznany sposób",
		"Formularze tej strony wysyła się jako zwykłe formularze, bez plików."},
	Unprocessable: Message{"Tego nie da się zrobić", "Niczego nie zapisano. Wróć i sprawdź, co zostało wybrane."},
	TooMany:       Message{"Zbyt wiele żądań", "Niczego nie zapisano. Odczekaj chwilę i wyślij ponownie."},
	Internal: Message{"Coś się u nas zepsuło", "To nasz błąd i jest zapisany w logu. Spróbuj ponownie; " +
		"jeśli się powtarza, powiadom administratora."},
	Unavailable: Message{"Spróbuj ponownie za chwilę", "Serwer nie może się teraz połączyć z bazą danych."},
	GatewayTimeout: Message{"Trwało to zbyt długo", "Baza danych działała zbyt wolno i niczego nie zapisano. " +
		"Odczekaj chwilę i wyślij formularz jeszcze raz."},
	LoggedOut: Message{"Sesja wygasła", "Twój tekst nie przepadł: zaloguj się, wróć na tę stronę i wyślij go " +
		"ponownie."},
	Again:       "Wyślij ponownie",
	AgainHint:   "Ten sam formularz z całym wpisanym tekstem. Wykona się raz, nawet jeśli już się wykonał.",
	LoginNewTab: "Zaloguj się (nowa karta)", Home: "Przejdź do rozgrywek",
}
