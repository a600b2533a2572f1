package mrtr

import (
	"encoding/json"
	"time"
)

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
	// Headers are all those of an HTTP request; then HeaderVersion is not looked at. Nil: it came another way.
	Headers []Header
	// InputSchema of the tool that is called says which arguments are repeated in headers; nil for none.
	InputSchema json.RawMessage
}

// CheckRequest checks _meta, the version header and the method, in the order of the protocol (B9).
// The error's RPC and HTTPStatus are what to answer with.
func CheckRequest(c RequestCheck) error { return nativeRequestCheck(&c) }

// CompleteResult stamps a complete result of this era: resultType at its end unless it is there, all else byte for byte (E2).
func CompleteResult(result json.RawMessage) (json.RawMessage, error) {
	return nativeResultComplete(result)
}

// Discovery is what server/discover tells of a server (E2). What is JSON goes out byte for byte.
type Discovery struct {
	// Supported protocol versions, best first; none for 2026-07-28.
	Supported []string
	// Capabilities and ServerInfo are JSON objects; nil for {} and for none.
	Capabilities, ServerInfo json.RawMessage
	// Instructions for the model, and who may keep the answer ("public" or "private"); empty for none.
	Instructions, CacheScope string
	// TTL is how long the answer may be kept; nil for not told.
	TTL *time.Duration
}

// Result of server/discover.
func (d Discovery) Result() (json.RawMessage, error) { return nativeDiscoveryResult(&d) }

// Member is the raw text of one top-level member of a JSON object, nil if it has none: the way to take params, result
// or error out of a message without printing it anew (J1). It shares memory with object.
func Member(object []byte, name string) (json.RawMessage, error) {
	return nativeJSONMember(object, name)
}
