package mrtr

import "encoding/json"

// Gate says what happens to an ask that the client did not declare (B8).
type Gate uint32

const (
	// GateRefuse answers -32021 with what is missing.
	GateRefuse Gate = 1
	// GateFilter leaves such asks out.
	GateFilter Gate = 2
)

// Ask is one entry of inputRequests: its key and its JSON text.
type Ask struct {
	Key string
	Ask json.RawMessage
}

// ResultOptions of [BuildResult].
type ResultOptions struct {
	Method string
	Asks   []Ask
	// State goes out as it is; nil for none.
	State *string
	// Capabilities of the client turn the gate on; nil for no gate.
	Capabilities json.RawMessage
	// Gate defaults to [GateRefuse].
	Gate Gate
	// AllowHTTP lets URL asks be http, for development (B6). AllowSecret names fields that may ask for a secret (B5).
	AllowHTTP   bool
	AllowSecret []string
}

// BuildResult makes an input_required result without an exchange (B1-B8), and names what was odd but allowed (D11).
// Protect the state yourself, or use [Exchange].
func BuildResult(o ResultOptions) (json.RawMessage, []string, error) {
	if o.Gate == 0 {
		o.Gate = GateRefuse
	}
	return nativeResultBuild(&o)
}

// RequestCheck is what [CheckRequest] looks at. A nil HeaderVersion is no header; no Methods = the method is not checked.
type RequestCheck struct {
	Method        string
	Params        []byte
	HeaderVersion *string
	Supported     []string
	Methods       []string
}

// CheckRequest checks _meta, the version header and the method, in the order of the protocol (B9).
// The error's RPC and HTTPStatus are what to answer with.
func CheckRequest(c RequestCheck) error { return nativeRequestCheck(&c) }

// Member is the raw text of one top-level member of a JSON object, nil if it has none: the way to take params, result
// or error out of a message without printing it anew (J1). It shares memory with object.
func Member(object []byte, name string) (json.RawMessage, error) {
	return nativeJSONMember(object, name)
}
