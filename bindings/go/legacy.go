package mrtr

import (
	"encoding/json"
	"runtime"
	"time"
)

// Peer is the other side of a session, or of one request.
type Peer struct {
	// Version of the protocol that was agreed on; empty for 2026-07-28.
	Version string
	// Capabilities that it declared, in initialize or in this request; nil for none.
	Capabilities json.RawMessage
	// BackChannel: a request can be sent to it while it waits for its answer. Of no account in 2026-07-28.
	BackChannel bool
}

// CanAsk says whether a peer can be asked, and if not, why (E3).
type CanAsk uint32

// The answers of [Peer.CanAsk].
const (
	CanAskYes        CanAsk = 1
	CanAskMethod     CanAsk = 2 // requests of this method never ask
	CanAskEra        CanAsk = 3 // its version knows no such ask
	CanAskChannel    CanAsk = 4 // there is no way to send it a request
	CanAskUndeclared CanAsk = 5
)

// CanAsk tells whether the peer can be asked all of these while a request of method is served.
func (p Peer) CanAsk(method string, needs Needs) (CanAsk, error) {
	return nativePeerCanAsk(&p, method, needs)
}

// LegacyStepType is what a [LegacyStep] wants done.
type LegacyStepType uint32

const (
	// LegacyIdle: nothing to do until something is handed over; after the end, nothing at all.
	LegacyIdle LegacyStepType = 0
	// LegacyRun: run the handler in [Legacy.Exchange], then [Legacy.Handled] or [Legacy.Failed].
	LegacyRun LegacyStepType = 1
	// LegacySend: send Method with Params under an id of your own, then [Legacy.Deliver] or [Legacy.DeliverError].
	LegacySend LegacyStepType = 2
	// LegacyCancel: send notifications/cancelled for Ask.
	LegacyCancel LegacyStepType = 3
	// LegacySleep: nothing to do before Until.
	LegacySleep LegacyStepType = 4
	// LegacyDone: answer with Result, or with the error object RPC, or, if the call was cancelled, not at all.
	LegacyDone LegacyStepType = 5
)

// LegacyStep is what to do next.
type LegacyStep struct {
	Type                LegacyStepType
	Ask                 uint32
	Until               time.Time
	Method              string
	Params, Result, RPC json.RawMessage
	// Refused is why the library refused the call; 0 if the handler ended it.
	Refused Code
}

// Legacy is one call of a client of an older version, from its request to its end. Sans-I/O: Next says what to do (L3).
type Legacy struct{ owned }

// BeginLegacy begins to serve a request of such a client; the request's Capabilities are not looked at.
func (s *Server) BeginLegacy(r Request, peer Peer) (*Legacy, error) {
	defer runtime.KeepAlive(s)
	id, err := nativeLegacyBegin(s.id, &r, &peer)
	if err != nil {
		return nil, err
	}
	l := &Legacy{}
	return own(l, &l.owned, id, nativeLegacyFree), nil
}

// Next is what to do next. The zero time is now.
func (l *Legacy) Next(at time.Time) (LegacyStep, error) {
	defer runtime.KeepAlive(l)
	now, err := wall(at)
	if err != nil {
		return LegacyStep{}, err
	}
	return nativeLegacyNext(l.id, now)
}

// Exchange of the round, for the handler to run in. The RPC of its error goes to [Legacy.Failed].
func (l *Legacy) Exchange(at time.Time) (*Exchange, error) {
	defer runtime.KeepAlive(l)
	now, err := wall(at)
	if err != nil {
		return nil, err
	}
	id, err := nativeLegacyExchange(l.id, now)
	if err != nil {
		return nil, err
	}
	x := &Exchange{}
	return own(x, &x.owned, id, nativeExchangeFree), nil
}

// Handled hands over the handler's result: a complete one, or that of its exchange.
func (l *Legacy) Handled(result json.RawMessage, at time.Time) error {
	defer runtime.KeepAlive(l)
	now, err := wall(at)
	if err != nil {
		return err
	}
	return nativeLegacyText(l.id, legacyHandled, 0, result, now)
}

// Failed hands over the JSON-RPC error object that the handler or its exchange failed with.
func (l *Legacy) Failed(rpc json.RawMessage) error {
	defer runtime.KeepAlive(l)
	return nativeLegacyText(l.id, legacyFailed, 0, rpc, 0)
}

// Deliver hands over the result of the client's response to an ask.
func (l *Legacy) Deliver(ask uint32, result json.RawMessage) error {
	defer runtime.KeepAlive(l)
	return nativeLegacyText(l.id, legacyDeliver, ask, result, 0)
}

// DeliverError says that the client answered an ask with an error: that ends the call.
func (l *Legacy) DeliverError(ask uint32) error {
	defer runtime.KeepAlive(l)
	return nativeLegacyText(l.id, legacyDeliverError, ask, nil, 0)
}

// Cancel says that the client cancelled its call, or is gone.
func (l *Legacy) Cancel() error {
	defer runtime.KeepAlive(l)
	return nativeLegacyText(l.id, legacyCancel, 0, nil, 0)
}

// Close frees the call. More than once is fine.
func (l *Legacy) Close() error {
	l.close(nativeLegacyFree)
	return nil
}

const (
	legacyHandled = iota
	legacyFailed
	legacyDeliver
	legacyDeliverError
	legacyCancel
)
