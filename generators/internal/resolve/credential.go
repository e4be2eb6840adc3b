package resolve

import (
	"strings"

	"github.com/pharos-mcp/pharos/edge/tool"
	"github.com/pharos-mcp/pharos/generators/internal/normalise"
)

// likely are parameters that carry a credential by their name, letter case,
// hyphens and a leading X aside, though no security scheme declares them.
var likely = map[string]bool{
	"apikey": true, "key": true, "token": true, "accesstoken": true, "authtoken": true, "apitoken": true,
	"accesskey": true, "appkey": true, "applicationkey": true, "subscriptionkey": true, "clientsecret": true,
	"apisecret": true, "secretkey": true, "sessiontoken": true, "bearertoken": true, "auth": true,
	"authentication": true, "ocpapimsubscriptionkey": true, "usertoken": true, "jwt": true,
}

// credential names what the parameter would carry that no input may (E-04): a
// header that is the gateway's own, or the credential of a security scheme; ""
// if it carries neither.
func credential(doc *normalise.Document, p *normalise.Parameter) string {
	if p.In == "header" && tool.OwnHeader(p.Name) {
		return p.Name
	}
	if p.In == "path" {
		return ""
	}
	names := wireNames(doc, p)
	for _, s := range doc.Schemes {
		if s.In != p.In {
			continue
		}
		for _, name := range names {
			if strings.EqualFold(s.Key, name) {
				return name
			}
		}
	}
	return ""
}

// wireNames are the names under which the values of a parameter travel: its
// own, or those of its members where the style spreads an object.
func wireNames(doc *normalise.Document, p *normalise.Parameter) []string {
	names := []string{p.Name}
	spread := p.Style == "form" && p.Explode
	if p.MediaType != "" || p.In == "header" || !spread && p.Style != "deepObject" {
		return names
	}
	for _, member := range doc.MemberNames(p.Schema) {
		if !spread {
			member = p.Name + "[" + member + "]"
		}
		names = append(names, member)
	}
	return names
}

// likelyCredential reports whether init should propose to drop the parameter:
// it is a credential, or looks like one.
func likelyCredential(doc *normalise.Document, p *normalise.Parameter) bool {
	if credential(doc, p) != "" {
		return true
	}
	name := strings.NewReplacer("-", "", "_", "", ".", "").Replace(strings.ToLower(p.Name))
	return p.In != "path" && (likely[name] || likely[strings.TrimPrefix(name, "x")])
}
