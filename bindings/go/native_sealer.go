//go:build cgo

package mrtr

/*
#include <mrtr.h>
*/
import "C"

import (
	"time"
	"unsafe"
)

func nativeSealerNew(c *sealerConfig) (uint64, error) {
	var p pins
	defer p.Unpin()
	var o C.mrtr_sealer_options
	C.mrtr_sealer_options_init(&o, C.uint32_t(unsafe.Sizeof(o)), C.MRTR_ABI)
	o.keys, o.key_count = p.blobs(c.keys)
	o.cipher, o.ephemeral, o.single_use, o.audience = C.uint32_t(c.cipher), flag(c.ephemeral), flag(c.singleUse), p.optional(c.audience)
	for name, value := range c.numbers {
		switch name {
		case "ttl":
			o.ttl_ms = C.uint64_t(value)
		case "skew":
			o.skew_ms = C.uint64_t(value)
		case "maxAge":
			o.max_age_ms = C.uint64_t(value)
		case "maxRounds":
			o.max_rounds = C.uint32_t(value)
		case "maxStateBytes":
			o.max_state_bytes = C.uint64_t(value)
		case "maxTokenBytes":
			o.max_token_bytes = C.uint64_t(value)
		case "guardCapacity":
			o.guard_capacity = C.uint64_t(value)
		}
	}
	if c.hooks.any() {
		table := newHooks(&c.hooks)
		p.Pin(&table)
		o.callbacks = &table
	}
	var out C.mrtr_sealer
	var err C.mrtr_error
	status := C.mrtr_sealer_new(&o, &out, &err)
	if status != 0 && o.callbacks != nil {
		mrtrGoDestroy(o.callbacks.user_data)
	}
	return uint64(out.id), failure(status, err)
}

func nativeSealerSetKeys(id uint64, keys [][]byte) error {
	var p pins
	defer p.Unpin()
	list, count := p.blobs(keys)
	var err C.mrtr_error
	status := C.mrtr_sealer_set_keys(C.mrtr_sealer{id: C.uint64_t(id)}, list, count, &err)
	return failure(status, err)
}

func nativeSealerSeal(id uint64, r *Request, state []byte, previous string, now uint64) (string, error) {
	var p pins
	defer p.Unpin()
	request := p.request(r)
	before := C.mrtr_slice{}
	if previous != "" {
		before = p.text(previous)
	}
	var token C.mrtr_buf
	var err C.mrtr_error
	status := C.mrtr_sealer_seal(C.mrtr_sealer{id: C.uint64_t(id)}, &request, p.bytes(state), before, C.uint64_t(now), &token, &err)
	if status != 0 {
		return "", lift(status, err)
	}
	return string(take(&token)), nil
}

func nativeSealerOpen(id uint64, r *Request, token string, now uint64) (*Opened, error) {
	var p pins
	defer p.Unpin()
	request := p.request(r)
	out := C.mrtr_opened{struct_size: C.uint32_t(unsafe.Sizeof(C.mrtr_opened{}))}
	var err C.mrtr_error
	status := C.mrtr_sealer_open(C.mrtr_sealer{id: C.uint64_t(id)}, &request, p.text(token), C.uint64_t(now), &out, &err)
	if status != 0 {
		return nil, lift(status, err)
	}
	defer C.mrtr_buf_free(&out.storage)
	opened := &Opened{Round: uint32(out.round), Issued: unixMS(out.issued_ms), Expires: unixMS(out.expires_ms), FlowStart: unixMS(out.flow_start_ms)}
	opened.FlowID, opened.TokenID = id16(out.flow_id), id16(out.token_id)
	if out.has_state != 0 {
		opened.State = append([]byte{}, view(out.state)...)
	}
	return opened, nil
}

func nativeSealerFree(id uint64) { C.mrtr_sealer_free(C.mrtr_sealer{id: C.uint64_t(id)}) }

func unixMS(ms C.uint64_t) time.Time { return time.UnixMilli(int64(ms)) }

func id16(in [16]C.uint8_t) (out [16]byte) {
	for i, b := range in {
		out[i] = byte(b)
	}
	return out
}
