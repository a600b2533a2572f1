package mrtr

import (
	"encoding/json"
	"runtime"
	"time"
)

// Server is what every exchange of a server shares: sealer, gate, limits. Safe for concurrent use.
type Server struct{ owned }

// ServerOptions of [NewServer]. Zero limits are the library's defaults (J4).
type ServerOptions struct {
	// Sealer protects the state; nil if the host does it itself (D19).
	Sealer *Sealer
	// Gate defaults to [GateRefuse].
	Gate        Gate
	AllowHTTP   bool
	AllowSecret []string

	MaxMessageBytes, MaxDepth, MaxAsks, MaxAnswers, MaxKeyBytes uint64

	// OnIssued hears of asks that went out with a result, on the goroutine that made it, many at once. It decides nothing: a panic is
	// dropped. Not called without a sealer.
	OnIssued func(Issued)
}

// Issued are asks that went out with a result; never their content.
type Issued struct {
	FlowID [16]byte
	// Round of the state that went out: the exchange that its answers begin has the same.
	Round  uint32
	Method string
	Keys   []string
	// Expires is until when the state can come back: before it, not at it.
	Expires time.Time
}

// NewServer makes a server.
func NewServer(o ServerOptions) (*Server, error) {
	defer runtime.KeepAlive(o.Sealer)
	if o.Gate == 0 {
		o.Gate = GateRefuse
	}
	id, err := nativeServerNew(&o)
	if err != nil {
		return nil, err
	}
	s := &Server{}
	return own(s, &s.owned, id, nativeServerFree), nil
}

// Close frees the server; exchanges begun with it live on. More than once is fine.
func (s *Server) Close() error {
	s.close(nativeServerFree)
	return nil
}

// Begin begins to serve one request; its params hold the retry fields and _meta as received. The zero time is now.
// A state that does not hold is an [*Error] here, before any handler runs (S10).
func (s *Server) Begin(r Request, at time.Time) (*Exchange, error) {
	defer runtime.KeepAlive(s)
	now, err := wall(at)
	if err != nil {
		return nil, err
	}
	id, err := nativeExchangeBegin(s.id, &r, now)
	if err != nil {
		return nil, err
	}
	x := &Exchange{}
	return own(x, &x.owned, id, nativeExchangeFree), nil
}

// Exchange is one request being served: a handler states what it needs, in order, and can be run again from the start
// on any machine (X7). For one goroutine at a time.
type Exchange struct{ owned }

// Status of an answer.
type Status uint32

// The statuses of an answer (X3, D18). Missing, Invalid and Stale ones are asked (again) with this leg's result.
const (
	Missing   Status = 1
	Accepted  Status = 2
	Declined  Status = 3
	Cancelled Status = 4
	Invalid   Status = 5
	Stale     Status = 6
	Unaskable Status = 7
)

// String is the status in the words of the documentation.
func (s Status) String() string {
	names := [...]string{"none", "missing", "accepted", "declined", "cancelled", "invalid", "stale", "unaskable"}
	if int(s) < len(names) {
		return names[s]
	}
	return "unknown"
}

// Answer is what is known of one ask.
type Answer struct {
	Status Status
	// Content is the accepted content byte for byte, {} for an accepted URL (X5); nil unless accepted and valid (X3).
	Content json.RawMessage
	// Reasons say why an answer is invalid; Warnings name what was odd in the ask (D11).
	Reasons, Warnings []string
}

// String tells no content: answers are private.
func (a Answer) String() string { return "Answer(" + a.Status.String() + ")" }

// GoString is String.
func (a Answer) GoString() string { return a.String() }

// Accepted tells whether the user said yes.
func (a Answer) Accepted() bool { return a.Status == Accepted }

// Ask states one ask, given as the JSON text of an inputRequests entry.
func (x *Exchange) Ask(key string, ask json.RawMessage) (Answer, error) {
	defer runtime.KeepAlive(x)
	return nativeExchangeAsk(x.id, askGeneric, key, "", ask)
}

// AskForm asks the user to fill a form of the requested schema.
func (x *Exchange) AskForm(key, message string, schema json.RawMessage) (Answer, error) {
	defer runtime.KeepAlive(x)
	return nativeExchangeAsk(x.id, askForm, key, message, schema)
}

// AskURL asks the user to open a page. Accepted means consent, never that the page was finished (X5).
func (x *Exchange) AskURL(key, message, url string) (Answer, error) {
	defer runtime.KeepAlive(x)
	return nativeExchangeAsk(x.id, askURL, key, message, []byte(url))
}

// AskSampling asks the client's model, with the params of sampling/createMessage.
func (x *Exchange) AskSampling(key string, params json.RawMessage) (Answer, error) {
	defer runtime.KeepAlive(x)
	return nativeExchangeAsk(x.id, askSampling, key, "", params)
}

// AskRoots asks for the client's roots.
func (x *Exchange) AskRoots(key string) (Answer, error) {
	defer runtime.KeepAlive(x)
	return nativeExchangeAsk(x.id, askRoots, key, "", nil)
}

const (
	askGeneric = iota
	askForm
	askURL
	askSampling
	askRoots
)

// Needs are abilities of a client, as bits.
type Needs uint32

// What a client may declare (B8).
const (
	NeedForm            Needs = 1
	NeedURL             Needs = 2
	NeedSampling        Needs = 4
	NeedSamplingTools   Needs = 8
	NeedSamplingContext Needs = 16
	NeedRoots           Needs = 32
)

// CanAsk tells whether this client declared all of these.
func (x *Exchange) CanAsk(needs Needs) (bool, error) {
	defer runtime.KeepAlive(x)
	return nativeExchangeCanAsk(x.id, needs)
}

// Require says that the handler cannot do without what was [Unaskable]: the -32021 refusal if something was (D8).
func (x *Exchange) Require() error {
	defer runtime.KeepAlive(x)
	return nativeExchangeRequire(x.id)
}

// Forget drops what was answered under a key, in this request and before: it is asked anew, even if it was declined (X6).
func (x *Exchange) Forget(key string) error {
	defer runtime.KeepAlive(x)
	return nativeExchangeForget(x.id, key)
}

// Pending is how many asks go out with this leg's result. 0: the handler can answer for good.
func (x *Exchange) Pending() int {
	defer runtime.KeepAlive(x)
	return nativeExchangePending(x.id)
}

// State is the host's own state that came back (X9); nil if it never set one.
func (x *Exchange) State() ([]byte, error) {
	defer runtime.KeepAlive(x)
	return nativeExchangeState(x.id)
}

// SetState keeps the host's own state until it is set anew (D13).
func (x *Exchange) SetState(state []byte) error {
	defer runtime.KeepAlive(x)
	return nativeExchangeSetState(x.id, state)
}

// ExchangeInfo is where in its flow a request stands.
type ExchangeInfo struct {
	// Round is 0 on a first request.
	Round    uint32
	HasToken bool
	// FlowID is the same in every round: an idempotency key.
	FlowID    [16]byte
	FirstSeen time.Time
	// Expires is until when the state of the last result can come back; the zero time before a result.
	Expires time.Time
}

// Info tells round, flow id, and when the flow began.
func (x *Exchange) Info() (ExchangeInfo, error) {
	defer runtime.KeepAlive(x)
	return nativeExchangeInfo(x.id)
}

// Result is the input_required result with a freshly sealed state. The first error of any ask is returned here (again).
// With nothing pending it is a state alone (the client comes back after a while), or an error if there is none.
func (x *Exchange) Result() (json.RawMessage, error) {
	defer runtime.KeepAlive(x)
	return nativeExchangeResult(x.id)
}

// Close frees the exchange. More than once is fine.
func (x *Exchange) Close() error {
	x.close(nativeExchangeFree)
	return nil
}
