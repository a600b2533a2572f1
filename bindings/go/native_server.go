//go:build cgo

package mrtr

/*
#include <mrtr.h>
*/
import "C"

import (
	"encoding/json"
	"unsafe"
)

func orDefault(field *C.uint64_t, value uint64) {
	if value != 0 {
		*field = C.uint64_t(value)
	}
}

func nativeResultBuild(r *ResultOptions) (json.RawMessage, []string, error) {
	var p pins
	defer p.Unpin()
	var o C.mrtr_result_options
	C.mrtr_result_options_init(&o, C.uint32_t(unsafe.Sizeof(o)), C.MRTR_ABI)
	asks := make([]C.mrtr_ask, len(r.Asks))
	for i, ask := range r.Asks {
		asks[i] = C.mrtr_ask{key: p.text(ask.Key), ask: p.text(string(ask.Ask))}
	}
	if len(asks) > 0 {
		p.Pin(&asks[0])
		o.asks, o.ask_count = &asks[0], C.size_t(len(asks))
	}
	o.method, o.state, o.capabilities = p.text(r.Method), p.optional(r.State), p.bytes(r.Capabilities)
	o.gate, o.allow_http = C.uint32_t(r.Gate), flag(r.AllowHTTP)
	o.allow_secret, o.allow_secret_count = p.texts(r.AllowSecret)
	out := C.mrtr_result{struct_size: C.uint32_t(unsafe.Sizeof(C.mrtr_result{}))}
	var err C.mrtr_error
	if status := C.mrtr_result_build(&o, &out, &err); status != 0 {
		return nil, nil, lift(status, err)
	}
	defer C.mrtr_buf_free(&out.storage)
	return view(out.json), names(out.warnings), nil
}

func nativeRequestCheck(c *RequestCheck) error {
	var p pins
	defer p.Unpin()
	var o C.mrtr_request_check
	C.mrtr_request_check_init(&o, C.uint32_t(unsafe.Sizeof(o)), C.MRTR_ABI)
	o.method, o.params, o.header_version = p.text(c.Method), p.bytes(c.Params), p.optional(c.HeaderVersion)
	o.supported, o.supported_count = p.texts(c.Supported)
	o.methods, o.method_count = p.texts(c.Methods)
	if c.Headers != nil {
		// One more, so that no headers have an address.
		headers := make([]C.mrtr_header, len(c.Headers)+1)
		for i, header := range c.Headers {
			headers[i] = C.mrtr_header{name: p.text(header.Name), value: p.text(header.Value)}
		}
		p.Pin(&headers[0])
		o.headers, o.header_count, o.input_schema = &headers[0], C.size_t(len(c.Headers)), p.bytes(c.InputSchema)
	}
	var err C.mrtr_error
	return failure(C.mrtr_request_check_run(&o, &err), err)
}

func nativeServerNew(s *ServerOptions) (uint64, error) {
	var p pins
	defer p.Unpin()
	var o C.mrtr_server_options
	C.mrtr_server_options_init(&o, C.uint32_t(unsafe.Sizeof(o)), C.MRTR_ABI)
	if s.Sealer != nil {
		o.sealer.id = C.uint64_t(s.Sealer.id)
	}
	o.gate, o.allow_http = C.uint32_t(s.Gate), flag(s.AllowHTTP)
	o.allow_secret, o.allow_secret_count = p.texts(s.AllowSecret)
	orDefault(&o.max_message_bytes, s.MaxMessageBytes)
	orDefault(&o.max_depth, s.MaxDepth)
	orDefault(&o.max_asks, s.MaxAsks)
	orDefault(&o.max_answers, s.MaxAnswers)
	orDefault(&o.max_key_bytes, s.MaxKeyBytes)
	if s.OnIssued != nil {
		table := newHearing(s.OnIssued)
		p.Pin(&table)
		o.callbacks = &table
	}
	var out C.mrtr_server
	var err C.mrtr_error
	status := C.mrtr_server_new(&o, &out, &err)
	if status != 0 && o.callbacks != nil {
		mrtrGoDestroy(o.callbacks.user_data)
	}
	return uint64(out.id), failure(status, err)
}

func nativeServerFree(id uint64) { C.mrtr_server_free(C.mrtr_server{id: C.uint64_t(id)}) }

func exchange(id uint64) C.mrtr_exchange { return C.mrtr_exchange{id: C.uint64_t(id)} }

func nativeExchangeBegin(id uint64, r *Request, now uint64) (uint64, error) {
	var p pins
	defer p.Unpin()
	request := p.request(r)
	var out C.mrtr_exchange
	var err C.mrtr_error
	status := C.mrtr_exchange_begin(C.mrtr_server{id: C.uint64_t(id)}, &request, C.uint64_t(now), &out, &err)
	return uint64(out.id), failure(status, err)
}

func nativeExchangeAsk(id uint64, how int, key, message string, body []byte) (Answer, error) {
	var p pins
	defer p.Unpin()
	x, k, b := exchange(id), p.text(key), p.text(string(body))
	out := C.mrtr_answer{struct_size: C.uint32_t(unsafe.Sizeof(C.mrtr_answer{}))}
	var err C.mrtr_error
	var status C.mrtr_status
	switch how {
	case askForm:
		status = C.mrtr_exchange_ask_form(x, k, p.text(message), b, &out, &err)
	case askURL:
		status = C.mrtr_exchange_ask_url(x, k, p.text(message), b, &out, &err)
	case askSampling:
		status = C.mrtr_exchange_ask_sampling(x, k, b, &out, &err)
	case askRoots:
		status = C.mrtr_exchange_ask_roots(x, k, &out, &err)
	default:
		status = C.mrtr_exchange_ask(x, k, b, &out, &err)
	}
	if status != 0 {
		return Answer{}, lift(status, err)
	}
	defer C.mrtr_buf_free(&out.storage)
	answer := Answer{Status: Status(out.status), Reasons: names(out.reasons), Warnings: names(out.warnings)}
	if content := view(out.content); len(content) > 0 {
		answer.Content = content
	}
	return answer, nil
}

func nativeExchangeCanAsk(id uint64, needs Needs) (bool, error) {
	var yes C.uint32_t
	var err C.mrtr_error
	status := C.mrtr_exchange_can_ask(exchange(id), C.uint32_t(needs), &yes, &err)
	return yes != 0, failure(status, err)
}

func nativeExchangeRequire(id uint64) error {
	var err C.mrtr_error
	return failure(C.mrtr_exchange_require(exchange(id), &err), err)
}

func nativeExchangeForget(id uint64, key string) error {
	var p pins
	defer p.Unpin()
	var err C.mrtr_error
	return failure(C.mrtr_exchange_forget(exchange(id), p.text(key), &err), err)
}

func nativeExchangePending(id uint64) int { return int(C.mrtr_exchange_pending(exchange(id))) }

func nativeExchangeState(id uint64) ([]byte, error) {
	var has C.uint32_t
	var state C.mrtr_buf
	var err C.mrtr_error
	if status := C.mrtr_exchange_state(exchange(id), &has, &state, &err); status != 0 {
		return nil, lift(status, err)
	}
	if data := take(&state); has != 0 {
		return data, nil
	}
	return nil, nil
}

func nativeExchangeSetState(id uint64, state []byte) error {
	var p pins
	defer p.Unpin()
	if state == nil {
		state = []byte{}
	}
	var err C.mrtr_error
	return failure(C.mrtr_exchange_set_state(exchange(id), p.bytes(state), &err), err)
}

func nativeExchangeInfo(id uint64) (ExchangeInfo, error) {
	out := C.mrtr_exchange_info{struct_size: C.uint32_t(unsafe.Sizeof(C.mrtr_exchange_info{}))}
	var err C.mrtr_error
	if status := C.mrtr_exchange_get_info(exchange(id), &out, &err); status != 0 {
		return ExchangeInfo{}, lift(status, err)
	}
	info := ExchangeInfo{Round: uint32(out.round), HasToken: out.has_token != 0, FlowID: id16(out.flow_id), FirstSeen: unixMS(out.first_seen_ms)}
	if out.expires_ms != 0 {
		info.Expires = unixMS(out.expires_ms)
	}
	return info, nil
}

func nativeExchangeResult(id uint64) (json.RawMessage, error) {
	var out C.mrtr_buf
	var err C.mrtr_error
	if status := C.mrtr_exchange_result(exchange(id), &out, &err); status != 0 {
		return nil, lift(status, err)
	}
	return take(&out), nil
}

func nativeExchangeFree(id uint64) { C.mrtr_exchange_free(exchange(id)) }
