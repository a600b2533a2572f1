package mrtr

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"time"
)

// Reply is what a handler says to an ask. Its zero value says nothing, and counts as a handler that failed.
type Reply struct {
	act   int
	value []byte
}

// AcceptWith answers with a value: form content, or the whole result for sampling and roots.
func AcceptWith(value json.RawMessage) Reply { return Reply{actAnswer, value} }

// AcceptURL consents to an address.
func AcceptURL() Reply { return Reply{actAnswer, []byte("{}")} }

// Decline, Cancel, Refuse and Unavailable are the other replies (C8).
func Decline() Reply { return Reply{actDecline, nil} }

// Cancel is the reply of a user who closed the question.
func Cancel() Reply { return Reply{actCancel, nil} }

// Refuse ends the call with nothing sent.
func Refuse() Reply { return Reply{actRefuse, nil} }

// Unavailable says that nobody was asked.
func Unavailable() Reply { return Reply{actUnavailable, nil} }

// Handler answers one ask. An error never becomes an accept (C8); ctx ends when the answer is no longer wanted.
type Handler func(ctx context.Context, ask ShowAsk) (Reply, error)

// ClientOptions of [NewClient]. Zero durations and limits are the library's defaults; a nil handler declares nothing (C16).
type ClientOptions struct {
	Form, URL, Sampling, Roots     Handler
	SamplingTools, SamplingContext bool
	MaxRounds                      *uint32 // default 10 (C5)
	LegTimeout, InputTimeout       time.Duration
	FlowTimeout, PollBudget        time.Duration
	PacingInitial, PacingMax       time.Duration
	NoJitter, Manual, Strict       bool
	AllowHTTP, StateOnlyCounts     bool
	ResetOnProgress                bool
	CancelIfUnavailable            bool
	Order                          Order
	MaxMessageBytes, MaxDepth      uint64
	MaxAsks, MaxKeyBytes           uint64
	MaxTokenBytes                  uint64
	ProtocolVersion                string
	ClientInfo                     json.RawMessage
	// Label is the host's own name for the server; each ask has it.
	Label string
	// ContinuationKeys are secrets of at least 32 bytes that seal continuations: the first seals, every one opens (C11).
	ContinuationKeys [][]byte
	// Trace says what flows write down about themselves ([Flow.TraceLines]).
	Trace Trace
	// ResultTypes of extensions that the host reads itself (C1).
	ResultTypes []string
	// Declare adds kinds without a handler, for hosts that drive [Flow] themselves.
	Declare Needs
	// OnRound, OnProgress and OnNote hear of what happens in [Client.Call] and [Client.Drive], on the goroutine that runs them.
	OnRound    func(round uint32)
	OnProgress func(value float64)
	OnNote     func(text string)
}

// CallOption changes a copy of the client's options for one call: func(o *mrtr.ClientOptions) { o.Manual = true }.
// Handlers and continuation keys stay the client's (C16).
type CallOption func(*ClientOptions)

// Trace is what a flow writes down.
type Trace uint32

// TraceContent has what people were asked and answered; TraceEvents has not.
const (
	TraceOff     Trace = 0
	TraceEvents  Trace = 1
	TraceContent Trace = 2
)

// Order of the asks of a round (C13).
type Order uint32

// OrderDefault shows elicitations one after the other and the rest beside them.
const (
	OrderDefault    Order = 0
	OrderSerial     Order = 1
	OrderConcurrent Order = 2
)

// Client holds handlers and options. Safe for concurrent use.
type Client struct {
	owned
	options ClientOptions
	needs   Needs
}

func (o *ClientOptions) handler(kind Kind) Handler {
	switch kind {
	case KindForm:
		return o.Form
	case KindURL:
		return o.URL
	case KindSampling:
		return o.Sampling
	case KindRoots:
		return o.Roots
	}
	return nil
}

// NewClient makes a client.
func NewClient(o ClientOptions) (*Client, error) {
	needs := o.Declare
	for kind, need := range map[Kind]Needs{KindForm: NeedForm, KindURL: NeedURL, KindSampling: NeedSampling, KindRoots: NeedRoots} {
		if o.handler(kind) != nil {
			needs |= need
		}
	}
	if o.SamplingTools {
		needs |= NeedSamplingTools
	}
	if o.SamplingContext {
		needs |= NeedSamplingContext
	}
	id, err := nativeClientNew(&o, needs)
	if err != nil {
		return nil, err
	}
	o.ContinuationKeys = nil // they stay in the library
	c := &Client{options: o, needs: needs}
	return own(c, &c.owned, id, nativeClientFree), nil
}

// Capabilities that the client declares, as JSON.
func (c *Client) Capabilities() (json.RawMessage, error) {
	defer runtime.KeepAlive(c)
	return nativeClientCapabilities(c.id)
}

// Begin makes a call, not yet sent. What the options leave alone is the client's.
func (c *Client) Begin(method string, params json.RawMessage, now uint64, options ...CallOption) (*Flow, error) {
	defer runtime.KeepAlive(c)
	if len(options) == 0 {
		id, err := nativeFlowBegin(c.id, method, params, nil, 0, now)
		return c.newFlow(id, err)
	}
	o := c.options
	for _, change := range options {
		change(&o)
	}
	id, err := nativeFlowBegin(c.id, method, params, &o, c.needs, now)
	flow, err := c.newFlow(id, err)
	if err == nil {
		flow.options = &o
	}
	return flow, err
}

// Resume goes on from [Flow.Save] or a continuation, without the first leg being sent again (C11).
func (c *Client) Resume(saved string, now uint64) (*Flow, error) {
	defer runtime.KeepAlive(c)
	id, err := nativeFlowResume(c.id, saved, now)
	return c.newFlow(id, err)
}

func (c *Client) newFlow(id uint64, err error) (*Flow, error) {
	if err != nil {
		return nil, err
	}
	f := &Flow{options: &c.options, woken: make(chan struct{}, 1)}
	return own(f, &f.owned, id, nativeFlowFree), nil
}

// Close frees the client; flows begun with it live on. More than once is fine.
func (c *Client) Close() error {
	c.close(nativeClientFree)
	return nil
}

// RPCError is a transport's way to say that a leg was answered by a JSON-RPC error; Object is its error object.
type RPCError struct{ Object json.RawMessage }

func (e *RPCError) Error() string { return "mrtr: JSON-RPC error" }

// Leg is one request to send. Progress hands on progress notifications.
type Leg struct {
	Send
	Progress func(value float64)
}

// Transport sends a leg and returns the text of its result; a [*RPCError] for an error, any other error for a broken line.
// ctx ends when the leg's clock runs out or the call is cancelled.
type Transport func(ctx context.Context, leg Leg) (json.RawMessage, error)

// Result is the final result byte for byte.
type Result struct {
	JSON      json.RawMessage
	Rounds    uint32
	Cacheable bool
}

// String tells no content.
func (r *Result) String() string {
	return fmt.Sprintf("Result(%d bytes, %d rounds)", len(r.JSON), r.Rounds)
}

// GoString is String.
func (r *Result) GoString() string { return r.String() }

// Call sends, runs the handlers for what is asked, retries with the exact state and returns the final result.
// Any other end is an [*Error], with a Continuation where the call can be taken up again. ctx cancels the flow; options are those of
// this call alone.
func (c *Client) Call(ctx context.Context, method string, params json.RawMessage, transport Transport, options ...CallOption) (*Result, error) {
	flow, err := c.Begin(method, params, SystemClock, options...)
	if err != nil {
		return nil, err
	}
	defer flow.Close()
	return c.Drive(ctx, flow, transport)
}

// Drive is the loop of [Client.Call] for a flow that was begun or resumed elsewhere.
func (c *Client) Drive(ctx context.Context, flow *Flow, transport Transport) (*Result, error) {
	ctx, cancel := context.WithCancel(ctx)
	d := &driver{client: c, flow: flow, transport: transport, ctx: ctx, asks: map[string]context.CancelFunc{}, legs: map[uint32]context.CancelFunc{}}
	defer cancel()
	return d.run()
}

// guarded turns a handler's panic into its error: it must not become an answer, nor take the program down from a goroutine
// that its author never started.
func guarded(ctx context.Context, handler Handler, ask ShowAsk) (reply Reply, err error) {
	defer func() {
		if caught := recover(); caught != nil {
			err = fmt.Errorf("the handler panicked: %v", caught)
		}
	}()
	return handler(ctx, ask)
}

func asRPC(err error) *RPCError {
	var rpc *RPCError
	if errors.As(err, &rpc) {
		return rpc
	}
	return nil
}
