package mrtr

// Principal says who is calling. Its zero value is refused: nobody is never an accident (S4).
type Principal struct {
	kind  uint32
	parts [][]byte
}

const (
	principalNone  = 1
	principalParts = 2
)

// Nobody is the principal of a server that knows no users.
func Nobody() Principal { return Principal{kind: principalNone} }

// PrincipalOf binds the parts, each by itself: issuer, subject and client where there are three.
func PrincipalOf(parts ...string) Principal {
	p := Principal{kind: principalParts, parts: make([][]byte, len(parts))}
	for i, part := range parts {
		p.parts[i] = []byte(part)
	}
	return p
}

// Request is what a state is bound to.
type Request struct {
	// Method of the request, such as tools/call.
	Method string
	// Params is the text of its params as received; nil if it has none.
	Params []byte
	// Principal says who is calling.
	Principal Principal
	// Capabilities of the client, as JSON; nil to read them from the params' _meta (B8).
	Capabilities []byte
}
