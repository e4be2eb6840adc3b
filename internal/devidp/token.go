package devidp

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
)

// token redeems a code, once, for an ID token.
func (p *Provider) token(w http.ResponseWriter, r *http.Request) {
	if fault := p.Fault(); fault.Token != nil && fault.Token(w) {
		return
	}
	if r.PostFormValue("grant_type") != "authorization_code" {
		writeJSON(w, http.StatusBadRequest, map[string]string{"error": "unsupported_grant_type"})
		return
	}
	client := r.PostFormValue("client_id")
	if user, _, basic := r.BasicAuth(); basic {
		client = user
	}
	if client != p.ClientID {
		writeJSON(w, http.StatusUnauthorized, map[string]string{"error": "invalid_client"})
		return
	}
	p.mu.Lock()
	l, ok := p.codes[r.PostFormValue("code")]
	delete(p.codes, r.PostFormValue("code"))
	p.mu.Unlock()
	sum := sha256.Sum256([]byte(r.PostFormValue("code_verifier")))
	switch {
	case !ok, !p.Now().Before(l.expires), r.PostFormValue("redirect_uri") != p.Redirect,
		base64.RawURLEncoding.EncodeToString(sum[:]) != l.challenge:
		writeJSON(w, http.StatusBadRequest, map[string]string{"error": "invalid_grant"})
	default:
		writeJSON(w, http.StatusOK, map[string]any{
			"access_token": rand.Text(), "token_type": "Bearer", "expires_in": int(tokenTTL.Seconds()), "id_token": p.idToken(l),
		})
	}
}

// idToken is OpenID Connect Core 1.0, section 2, as a compact JWS.
func (p *Provider) idToken(l login) string {
	now := p.Now().Unix()
	claims := map[string]any{
		"iss": p.Issuer, "sub": l.user.Subject, "aud": p.ClientID, "iat": now, "exp": now + int64(tokenTTL.Seconds()),
		"nonce": l.nonce, "name": l.user.Name,
	}
	if l.user.VopersonID != "" {
		claims["voperson_id"] = l.user.VopersonID
	}
	header := map[string]any{"alg": "EdDSA", "kid": keyID, "typ": "JWT"}
	fault := p.Fault()
	if fault.Claims != nil {
		fault.Claims(claims)
	}
	if fault.Header != nil {
		fault.Header(header)
	}
	signed := segment(header) + "." + segment(claims)
	return signed + "." + base64.RawURLEncoding.EncodeToString(ed25519.Sign(p.key, []byte(signed)))
}

func segment(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // maps of plain values
	}
	return base64.RawURLEncoding.EncodeToString(text)
}
