package words

// Login are the texts of the login.
type Login struct {
	Title, Intro, Username, Password, Submit string
	Refused, Wait, NoAccount                 string // Wait: seconds
}

var loginEN = Login{
	Title: "Log in", Intro: "For game masters and players. The administrator of this server makes the accounts.",
	Username: "User name", Password: "Password", Submit: "Log in",
	Refused:   "The user name or the password is not right, or the account is inactive.",
	Wait:      "There were too many attempts to log in. Wait %d seconds, then try again.",
	NoAccount: "No account, or the password is lost? Ask the administrator of this server.",
}

var loginPL = Login{
	Title: "Logowanie", Intro: "Dla mistrzów gry i graczy. Konta zakłada administrator serwera.",
	Username: "Nazwa użytkownika", Password: "Hasło", Submit: "Zaloguj się",
	Refused:   "Nazwa użytkownika lub hasło są nieprawidłowe albo konto jest nieaktywne.",
	Wait:      "Zbyt wiele prób logowania. Odczekaj %d s i spróbuj ponownie.",
	NoAccount: "Nie masz konta albo nie pamiętasz hasła? Zwróć się do administratora serwera.",
}

// Account are the texts of one's own account.
type Account struct {
	Title, Username, Name, Since, LanguageTitle, LanguageHint, Save, TokensHint string
}

var accountEN = Account{
	Title: "Your account", Username: "User name", Name: "Shown as", Since: "Account since",
	LanguageTitle: "Language of these pages",
	LanguageHint: "It changes the pages and the reports that you download. The language of a play was chosen " +
		"when the play was created.",
	Save:       "Use this language",
	TokensHint: "Personal tokens let an AI assistant edit your scenarios and your wiki.",
}

var accountPL = Account{
	Title: "Twoje konto", Username: "Nazwa użytkownika", Name: "Widoczna nazwa", Since: "Konto od",
	LanguageTitle: "Język stron",
	LanguageHint:  "Zmienia język stron i pobieranych raportów. Język rozgrywki wybrano przy jej tworzeniu.",
	Save:          "Używaj tego języka",
	TokensHint:    "Tokeny osobiste pozwalają asystentowi AI redagować twoje scenariusze i wiki.",
}
