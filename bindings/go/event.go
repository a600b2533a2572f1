package mrtr

import (
	"encoding/json"
	"fmt"
)

// Event says what to do next. It is one of [Send], [CancelLeg], [ShowAsk], [StopAsk], [Round], [Progress], [Note],
// [Sleep], [Done] and [Idle].
type Event interface{ event() }

// Send: send this request under the JSON-RPC id ID.
type Send struct {
	Leg    uint32
	ID     uint64
	Method string
	Params json.RawMessage
	// DeadlineMS is on the flow's clock; nil if there is none. PacedMS is the wait that was taken before it.
	DeadlineMS *uint64
	PacedMS    uint64
}

// CancelLeg: tell the transport that this leg is no longer wanted.
type CancelLeg struct {
	Leg uint32
	ID  uint64
}

// Kind of an ask.
type Kind uint32

// The kinds of ask (B3).
const (
	KindForm     Kind = 1
	KindURL      Kind = 2
	KindSampling Kind = 3
	KindRoots    Kind = 4
)

// URLFlags warn about an address (C14).
type URLFlags uint32

// What may be odd about an address.
const (
	URLNotHTTPS    URLFlags = 1
	URLUserInfo    URLFlags = 2
	URLIPLiteral   URLFlags = 4
	URLPunycode    URLFlags = 8
	URLMixedScript URLFlags = 16
)

// ShowAsk: show this to the user (form, URL), run the model (sampling), or tell the roots.
// Message and URL are the words of a server that is not trusted; nothing is ever opened here.
type ShowAsk struct {
	Key                    string
	Kind                   Kind
	Ask, Params            json.RawMessage
	Message                string
	Schema                 json.RawMessage
	URL                    string
	HostASCII, HostUnicode string
	Flags                  URLFlags
	Round                  uint32
	PreviouslyDeclined     bool
	// Who asks: the host's own name for the server, and the call (C14).
	Label, CallMethod, CallTarget string
	// What the server calls itself, as it came and for the eye; verified by nobody.
	ServerName, ServerShown, ServerVersion string
	// SecretFields of a form look as if they asked for a secret, which no server may do by form.
	SecretFields []string
}

// StopAsk: the answer is no longer wanted, take the question off the screen.
type StopAsk struct{ Key string }

// Round: a round of asks begins.
type Round struct{ Number uint32 }

// Progress of a leg; values never decrease (C15).
type Progress struct {
	Leg   uint32
	Value float64
}

// Note is something odd but harmless in what the server sent.
type Note struct{ Key, Text string }

// Sleep: nothing to do before UntilMS on the flow's clock (nil: before something is delivered).
type Sleep struct {
	UntilMS *uint64
	Pacing  bool
}

// String tells no content: params hold what the user answered.
func (s Send) String() string {
	return fmt.Sprintf("Send(leg %d, %s, %d bytes)", s.Leg, s.Method, len(s.Params))
}

// GoString is String.
func (s Send) GoString() string { return s.String() }

// String tells no content.
func (a ShowAsk) String() string {
	return fmt.Sprintf("ShowAsk(%q, kind %d, round %d)", a.Key, a.Kind, a.Round)
}

// GoString is String.
func (a ShowAsk) GoString() string { return a.String() }

// String tells no content.
func (d Done) String() string {
	if d.Err != nil {
		return "Done(" + d.Err.Code.String() + ")"
	}
	return fmt.Sprintf("Done(complete, %d bytes)", len(d.Result))
}

// GoString is String.
func (d Done) GoString() string { return d.String() }

// Done is the end; it comes exactly once. A nil Err is a complete call.
type Done struct {
	Result json.RawMessage
	Err    *Error
	Rounds uint32
	// Cacheable is false for results that were got through rounds (C18).
	Cacheable bool
}

// Idle: the flow is over and everything was told.
type Idle struct{}

func (Send) event()      {}
func (CancelLeg) event() {}
func (ShowAsk) event()   {}
func (StopAsk) event()   {}
func (Round) event()     {}
func (Progress) event()  {}
func (Note) event()      {}
func (Sleep) event()     {}
func (Done) event()      {}
func (Idle) event()      {}
