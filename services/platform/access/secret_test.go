package access

import "testing"

func TestCSRF(t *testing.T) {
	t.Parallel()
	cookie := cookieForm.New()
	if csrf := csrfOf(cookie); len(csrf) != 43 || csrf == csrfOf(cookieForm.New()) || csrf != csrfOf(cookie) || cookieForm.Is(csrf) {
		t.Errorf("cookie %q with CSRF token %q", cookie, csrf)
	}
}

// A token as other programs would make it: secret 0, 1, … 31.
func TestTokenText(t *testing.T) {
	t.Parallel()
	if !tokenForm.Is("pharos_pat_aaaqeayeaudaocajbifqydiob4ibceqtcqkrmfyydenbwha5dypq77qyeva") {
		t.Error("the checksum is not the CRC-32 of what stands before it")
	}
}
