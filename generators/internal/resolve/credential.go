package resolve

import (
	"strings"

	"github.com/pharos-mcp/pharos/generators/internal/normalise"
)

// forbidden are the headers that no caller may fill in, whatever a document
// declares (E-04): authority, and what the gateway's own transport decides.
var forbidden = map[string]bool{
	"authorization": true, "cookie": true, "proxy-authorization": true, "host": true,
	"forwarded": true, "via": true, "x-real-ip": true, "true-client-ip": true, "client-ip": true,
	"cf-connecting-ip": true, "x-client-ip": true, "x-cluster-client-ip": true, "x-original-url": true,
	"x-original-host": true, "x-rewrite-url": true,
}

// likely are parameters that carry a credential by their name, letter case,
// hyphens and a leading X aside, though no security scheme declares them.
var likely = map[string]bool{
	"apikey": true, "key": true, "token": true, "accesstoken": true, "authtoken": true, "apitoken": true,
	"accesskey": true, "appkey": true, "applicationkey": true, "subscriptionkey": true, "clientsecret": true,
	"apisecret": true, "secretkey": true, "sessiontoken": true, "bearertoken": true, "auth": true,
	"authentication": true, "ocpapimsubscriptionkey": true, "usertoken": true, "jwt": true,
}

// credential reports whether the parameter is one that an input may not admit
// (E-04).
func credential(doc *normalise.Document, p *normalise.Parameter) bool {
	name := strings.ToLower(p.Name)
	if p.In == "header" && (forbidden[name] || strings.HasPrefix(name, "x-forwarded-") ||
		strings.HasPrefix(name, "proxy-")) {
		return true
	}
	for _, s := range doc.Schemes {
		if s.In == p.In && s.In != "path" && strings.EqualFold(s.Key, p.Name) {
			return true
		}
	}
	return false
}

// likelyCredential reports whether init should propose to drop the parameter:
// it is a credential, or looks like one.
func likelyCredential(doc *normalise.Document, p *normalise.Parameter) bool {
	if credential(doc, p) {
		return true
	}
	name := strings.NewReplacer("-", "", "_", "", ".", "").Replace(strings.ToLower(p.Name))
	return p.In != "path" && (likely[name] || likely[strings.TrimPrefix(name, "x")])
}
