package mrtr

import (
	"encoding/json"
	"runtime"
)

// Flow is one call as a state machine without I/O: Next says what to do, the other methods say what came of it.
// Times are milliseconds of any clock that only goes forward; [SystemClock] is the system's. Safe for concurrent use.
type Flow struct {
	owned
	options *ClientOptions
	woken   chan struct{}
}

// wake lets the loop that drives the flow look at it again; one pending signal is enough.
func (f *Flow) wake() {
	select {
	case f.woken <- struct{}{}:
	default:
	}
}

// SystemClock as a time is the system's monotonic clock, which [MonotonicMS] reads.
const SystemClock uint64 = systemClock

// MonotonicMS is the clock of flows.
func MonotonicMS() uint64 { return nativeMonotonicMS() }

// Next tells what to do next. Call it until it says [Sleep], [Done] or [Idle].
func (f *Flow) Next(now uint64) (Event, error) {
	defer runtime.KeepAlive(f)
	return nativeFlowNext(f.id, now)
}

// Asks are the open asks of the round, shown or not, for a host that shows them on one page; answers to all are taken (C13).
func (f *Flow) Asks() ([]ShowAsk, error) {
	defer runtime.KeepAlive(f)
	var asks []ShowAsk
	for {
		event, err := nativeFlowOpenAsk(f.id, len(asks))
		ask, open := event.(ShowAsk)
		if err != nil || !open {
			return asks, err
		}
		asks = append(asks, ask)
	}
}

// TraceLines is what happened so far, as JSON lines.
func (f *Flow) TraceLines() (string, error) {
	defer runtime.KeepAlive(f)
	return nativeTraceWrite(f.id, 1)
}

// TraceMermaid is the same as a sequence diagram in Mermaid's language, without content.
func (f *Flow) TraceMermaid() (string, error) {
	defer runtime.KeepAlive(f)
	return nativeTraceWrite(f.id, 2)
}

// Deliver hands over the result that answered a leg. Late or unknown legs are ignored (C10).
func (f *Flow) Deliver(leg uint32, result json.RawMessage, now uint64) error {
	defer runtime.KeepAlive(f)
	return nativeFlowLeg(f.id, legResult, leg, result, 0, now)
}

// DeliverError hands over the error object that answered a leg.
func (f *Flow) DeliverError(leg uint32, object json.RawMessage, now uint64) error {
	defer runtime.KeepAlive(f)
	return nativeFlowLeg(f.id, legError, leg, object, 0, now)
}

// Lost says that the connection of a leg broke; the library never sends it again (D5).
func (f *Flow) Lost(leg uint32, now uint64) error {
	defer runtime.KeepAlive(f)
	return nativeFlowLeg(f.id, legLost, leg, nil, 0, now)
}

// Progress hands over a progress notification of a leg.
func (f *Flow) Progress(leg uint32, value float64, now uint64) error {
	defer runtime.KeepAlive(f)
	return nativeFlowLeg(f.id, legProgress, leg, nil, value, now)
}

const (
	legResult = iota
	legError
	legLost
	legProgress
)

// Answer gives the value for an ask: form content, {} for a URL, the whole result for sampling and roots (D3).
func (f *Flow) Answer(key string, value json.RawMessage, now uint64) error {
	return f.act(actAnswer, key, value, now)
}

// Decline: the user said no. Elicitation only.
func (f *Flow) Decline(key string, now uint64) error { return f.act(actDecline, key, nil, now) }

// CancelAsk: the user closed the question without choosing. Elicitation only.
func (f *Flow) CancelAsk(key string, now uint64) error { return f.act(actCancel, key, nil, now) }

// Refuse refuses the whole exchange: nothing is sent, the flow ends as refused (C8).
func (f *Flow) Refuse(key string, now uint64) error { return f.act(actRefuse, key, nil, now) }

// Unavailable: nobody was asked; never turned into a decline (C8).
func (f *Flow) Unavailable(key string, now uint64) error { return f.act(actUnavailable, key, nil, now) }

// Fail: the handler failed; never turned into an accept (C8).
func (f *Flow) Fail(key, why string, now uint64) error { return f.act(actFail, key, []byte(why), now) }

const (
	actNothing = iota
	actAnswer
	actDecline
	actCancel
	actRefuse
	actUnavailable
	actFail
)

func (f *Flow) act(what int, key string, value []byte, now uint64) error {
	defer runtime.KeepAlive(f)
	return nativeFlowAct(f.id, what, key, value, now)
}

// Cancel ends the flow as cancelled (C10); [Client.Drive] wakes if it sleeps.
func (f *Flow) Cancel(now uint64) error {
	defer runtime.KeepAlive(f)
	defer f.wake()
	return nativeFlowCancel(f.id, now)
}

// Save is the flow as text, for [Client.Resume] here or elsewhere. It holds answers: keep it as private as they are.
func (f *Flow) Save() (string, error) {
	defer runtime.KeepAlive(f)
	return nativeFlowSave(f.id)
}

// Close frees the flow. More than once is fine.
func (f *Flow) Close() error {
	f.close(nativeFlowFree)
	return nil
}
