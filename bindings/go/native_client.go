//go:build cgo

package mrtr

/*
#include <mrtr.h>
*/
import "C"

import (
	"encoding/json"
	"time"
	"unsafe"
)

// clientOptions are those of a client or of one call. They point into Go's memory until p is unpinned.
func clientOptions(c *ClientOptions, needs Needs, p *pins) (o C.mrtr_client_options, err error) {
	C.mrtr_client_options_init(&o, C.uint32_t(unsafe.Sizeof(o)), C.MRTR_ABI)
	o.handlers = C.uint32_t(needs)
	if c.MaxRounds != nil {
		o.max_rounds = C.uint32_t(*c.MaxRounds)
	}
	for _, clock := range []struct {
		name  string
		value time.Duration
		field *C.uint64_t
	}{
		{"LegTimeout", c.LegTimeout, &o.leg_timeout_ms},
		{"InputTimeout", c.InputTimeout, &o.input_timeout_ms},
		{"FlowTimeout", c.FlowTimeout, &o.flow_timeout_ms},
		{"PollBudget", c.PollBudget, &o.poll_budget_ms},
		{"PacingInitial", c.PacingInitial, &o.pacing_initial_ms},
		{"PacingMax", c.PacingMax, &o.pacing_max_ms},
	} {
		ms, err := millis(clock.name, clock.value)
		if err != nil {
			return o, err
		}
		orDefault(clock.field, ms)
	}
	o.order = C.uint32_t(c.Order)
	if c.NoJitter {
		o.jitter = 0
	}
	o.manual, o.strict, o.allow_http = flag(c.Manual), flag(c.Strict), flag(c.AllowHTTP)
	o.state_only_counts, o.reset_on_progress, o.cancel_if_unavailable = flag(c.StateOnlyCounts), flag(c.ResetOnProgress), flag(c.CancelIfUnavailable)
	orDefault(&o.max_message_bytes, c.MaxMessageBytes)
	orDefault(&o.max_depth, c.MaxDepth)
	orDefault(&o.max_asks, c.MaxAsks)
	orDefault(&o.max_key_bytes, c.MaxKeyBytes)
	orDefault(&o.max_token_bytes, c.MaxTokenBytes)
	if c.ProtocolVersion != "" {
		o.protocol_version = p.text(c.ProtocolVersion)
	}
	if c.ClientInfo != nil {
		o.client_info = p.bytes(c.ClientInfo)
	}
	if c.Label != "" {
		o.label = p.text(c.Label)
	}
	o.trace = C.uint32_t(c.Trace)
	o.continuation_keys, o.continuation_key_count = p.blobs(c.ContinuationKeys)
	o.result_types, o.result_type_count = p.texts(c.ResultTypes)
	return o, nil
}

func nativeClientNew(c *ClientOptions, needs Needs) (uint64, error) {
	var p pins
	defer p.Unpin()
	o, bad := clientOptions(c, needs, &p)
	if bad != nil {
		return 0, bad
	}
	var out C.mrtr_client
	var err C.mrtr_error
	status := C.mrtr_client_new(&o, &out, &err)
	return uint64(out.id), failure(status, err)
}

func client(id uint64) C.mrtr_client { return C.mrtr_client{id: C.uint64_t(id)} }
func flow(id uint64) C.mrtr_flow     { return C.mrtr_flow{id: C.uint64_t(id)} }

func nativeClientCapabilities(id uint64) (json.RawMessage, error) {
	var out C.mrtr_buf
	var err C.mrtr_error
	if status := C.mrtr_client_capabilities(client(id), &out, &err); status != 0 {
		return nil, lift(status, err)
	}
	return take(&out), nil
}

func nativeClientFree(id uint64) { C.mrtr_client_free(client(id)) }

// nativeFlowBegin begins a flow by its own options, or by the client's if they are nil.
func nativeFlowBegin(id uint64, method string, params []byte, options *ClientOptions, needs Needs, now uint64) (uint64, error) {
	var p pins
	defer p.Unpin()
	var own *C.mrtr_client_options
	if options != nil {
		o, bad := clientOptions(options, needs, &p)
		if bad != nil {
			return 0, bad
		}
		own = &o
	}
	var out C.mrtr_flow
	var err C.mrtr_error
	status := C.mrtr_flow_begin(client(id), p.text(method), p.bytes(params), own, C.uint64_t(now), &out, &err)
	return uint64(out.id), failure(status, err)
}

func nativeFlowResume(id uint64, saved string, now uint64) (uint64, error) {
	var p pins
	defer p.Unpin()
	var out C.mrtr_flow
	var err C.mrtr_error
	status := C.mrtr_flow_resume(client(id), p.text(saved), C.uint64_t(now), &out, &err)
	return uint64(out.id), failure(status, err)
}

func nativeFlowLeg(id uint64, how int, leg uint32, text []byte, value float64, now uint64) error {
	var p pins
	defer p.Unpin()
	f, n, t := flow(id), C.uint32_t(leg), C.uint64_t(now)
	var err C.mrtr_error
	var status C.mrtr_status
	switch how {
	case legResult:
		status = C.mrtr_flow_deliver(f, n, p.text(string(text)), t, &err)
	case legError:
		status = C.mrtr_flow_deliver_error(f, n, p.text(string(text)), t, &err)
	case legLost:
		status = C.mrtr_flow_lost(f, n, t, &err)
	default:
		status = C.mrtr_flow_progress(f, n, C.double(value), t, &err)
	}
	return failure(status, err)
}

func nativeFlowAct(id uint64, what int, key string, value []byte, now uint64) error {
	var p pins
	defer p.Unpin()
	f, k, t := flow(id), p.text(key), C.uint64_t(now)
	var err C.mrtr_error
	var status C.mrtr_status
	switch what {
	case actAnswer:
		status = C.mrtr_flow_answer(f, k, p.text(string(value)), t, &err)
	case actDecline:
		status = C.mrtr_flow_decline(f, k, t, &err)
	case actCancel:
		status = C.mrtr_flow_cancel_ask(f, k, t, &err)
	case actRefuse:
		status = C.mrtr_flow_refuse(f, k, t, &err)
	case actUnavailable:
		status = C.mrtr_flow_unavailable(f, k, t, &err)
	default:
		status = C.mrtr_flow_fail(f, k, p.text(string(value)), t, &err)
	}
	return failure(status, err)
}

func nativeFlowCancel(id uint64, now uint64) error {
	var err C.mrtr_error
	return failure(C.mrtr_flow_cancel(flow(id), C.uint64_t(now), &err), err)
}

func nativeFlowSave(id uint64) (string, error) {
	var out C.mrtr_buf
	var err C.mrtr_error
	if status := C.mrtr_flow_save(flow(id), &out, &err); status != 0 {
		return "", lift(status, err)
	}
	return string(take(&out)), nil
}

func nativeTraceWrite(id uint64, form uint32) (string, error) {
	var out C.mrtr_buf
	var err C.mrtr_error
	if status := C.mrtr_trace_write(flow(id), C.uint32_t(form), &out, &err); status != 0 {
		return "", lift(status, err)
	}
	return string(take(&out)), nil
}

func nativeFlowFree(id uint64) { C.mrtr_flow_free(flow(id)) }

func nativeFlowNext(id uint64, now uint64) (Event, error) {
	e := C.mrtr_event{struct_size: C.uint32_t(unsafe.Sizeof(C.mrtr_event{}))}
	var err C.mrtr_error
	if status := C.mrtr_flow_next(flow(id), C.uint64_t(now), &e, &err); status != 0 {
		return nil, lift(status, err)
	}
	defer C.mrtr_buf_free(&e.storage)
	return read(&e), nil
}

func limit(ms C.uint64_t) *uint64 {
	if value := uint64(ms); value != noLimit {
		return &value
	}
	return nil
}

func read(e *C.mrtr_event) Event {
	switch e._type {
	case C.MRTR_EVENT_IDLE:
		return Idle{}
	case C.MRTR_EVENT_SEND:
		return Send{uint32(e.leg), uint64(e.id), viewText(e.method), view(e.params), limit(e.until_ms), uint64(e.paced_ms)}
	case C.MRTR_EVENT_CANCEL_LEG:
		return CancelLeg{uint32(e.leg), uint64(e.id)}
	case C.MRTR_EVENT_ASK:
		return readAsk(e)
	case C.MRTR_EVENT_STOP_ASK:
		return StopAsk{viewText(e.key)}
	case C.MRTR_EVENT_ROUND:
		return Round{uint32(e.round)}
	case C.MRTR_EVENT_PROGRESS:
		return Progress{uint32(e.leg), float64(e.progress)}
	case C.MRTR_EVENT_SLEEP:
		return Sleep{limit(e.until_ms), e.pacing != 0}
	case C.MRTR_EVENT_DONE:
		return readDone(e)
	}
	// Notes, and events of a newer library, which may be passed over.
	return Note{viewText(e.key), viewText(e.text)}
}

func nativeFlowOpenAsk(id uint64, at int) (Event, error) {
	e := C.mrtr_event{struct_size: C.uint32_t(unsafe.Sizeof(C.mrtr_event{}))}
	var err C.mrtr_error
	if status := C.mrtr_flow_open_ask(flow(id), C.size_t(at), &e, &err); status != 0 {
		return nil, lift(status, err)
	}
	defer C.mrtr_buf_free(&e.storage)
	return read(&e), nil
}

func readAsk(e *C.mrtr_event) Event {
	return ShowAsk{
		Key: viewText(e.key), Kind: Kind(e.kind), Ask: view(e.ask), Params: view(e.params), Message: viewText(e.message),
		Schema: view(e.schema), URL: viewText(e.url), HostASCII: viewText(e.host_ascii), HostUnicode: viewText(e.host_unicode),
		Flags: URLFlags(e.url_flags), Round: uint32(e.round), PreviouslyDeclined: e.previously_declined != 0,
		Label: viewText(e.label), CallMethod: viewText(e.call_method), CallTarget: viewText(e.call_target),
		ServerName: viewText(e.server_name), ServerShown: viewText(e.server_shown), ServerVersion: viewText(e.server_version),
		SecretFields: names(e.secret_fields),
	}
}

func readDone(e *C.mrtr_event) Event {
	done := Done{Result: view(e.result), Rounds: uint32(e.round), Cacheable: e.cacheable != 0}
	if e.end != 0 {
		done.Err = &Error{
			Code: Code(e.end), Message: viewText(e.text), Key: viewText(e.key), RPC: view(e.rpc_error),
			Raw: view(e.result), Continuation: viewText(e.continuation),
		}
	}
	return done
}
