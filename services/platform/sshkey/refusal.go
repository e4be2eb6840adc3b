package sshkey

// Reason names why a text is not accepted as a key, for programs.
type Reason string

// The reasons.
const (
	Malformed   Reason = "malformed_key"        // no public key in one line
	PrivateKey  Reason = "private_key"          // a private key, pasted by mistake
	SeveralKeys Reason = "several_keys"         // more than one line
	Options     Reason = "key_options"          // something stands before the type
	Certificate Reason = "certificate"          // a certificate in place of a key
	Unsupported Reason = "unsupported_key_type" // a type or size that is not accepted
	WeakKey     Reason = "weak_key"             // a key that protects too little
	BadComment  Reason = "invalid_comment"      // a comment that is too long
)

// Refusal is why a text is not accepted. The detail is for people, and never
// has anything of the text.
type Refusal struct {
	Reason Reason
	Detail string
}

// Error gives the detail.
func (r *Refusal) Error() string { return r.Detail }

func refuse(reason Reason, detail string) *Refusal { return &Refusal{Reason: reason, Detail: detail} }
