package normalise

import "testing"

// clause: E-51
func TestDecoded(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, text, want string }{
		{"once", "the recipient’s café", "the recipient’s café"},
		{"twice", "the recipient\u00e2\u0080\u0099s", "the recipient’s"},
		{"three times", "the recipient\u00c3\u00a2\u00c2\u0080\u00c2\u0099s", "the recipient’s"},
		{"a control character by itself stays", "a\u009bb", "a\u009bb"},
		{"one encoded twice stays one", "a\u00c2\u009bb", "a\u009bb"},
		{"what is hidden is no better for it", "a\u00e2\u0080\u00aeb", "a\u202eb"},
		{"nothing that can be seen", "CafÃ©, naÃ¯ve", "CafÃ©, naÃ¯ve"},
		{"a run that is no UTF-8", "\u00e9\u0080", "\u00e9\u0080"},
		{"not UTF-8 at all", "\xff\xfe", "\xff\xfe"},
	} {
		if got := decoded(tt.text); got != tt.want {
			t.Errorf("%s: got %+q, want %+q", tt.name, got, tt.want)
		}
	}
}
