//go:build cgo

package mrtr

/*
#include <stdlib.h>
#include <mrtr.h>

void mrtrGoClaim(void *user, uint8_t *id, uint64_t until, uint64_t now, uint32_t *claimed);
void mrtrGoSeal(void *user, mrtr_slice plain, mrtr_buf *sealed);
void mrtrGoUnseal(void *user, mrtr_slice sealed, mrtr_buf *plain);
void mrtrGoRefused(void *user, int32_t reason);
void mrtrGoIssued(void *user, mrtr_issued *issued);
void mrtrGoDestroy(void *user);
*/
import "C"

import (
	"errors"
	"runtime/cgo"
	"time"
	"unsafe"
)

// boxed is a word of C memory that holds a handle of a value; mrtrGoDestroy frees both.
func boxed(value any) unsafe.Pointer {
	word := (*cgo.Handle)(C.malloc(C.size_t(unsafe.Sizeof(cgo.Handle(0)))))
	*word = cgo.NewHandle(value)
	return unsafe.Pointer(word)
}

func unboxed[T any](user unsafe.Pointer) T { return (*(*cgo.Handle)(user)).Value().(T) }

// newHooks fills a table for a sealer.
func newHooks(h *hooks) C.mrtr_sealer_callbacks {
	var t C.mrtr_sealer_callbacks
	C.mrtr_sealer_callbacks_init(&t, C.uint32_t(unsafe.Sizeof(t)), C.MRTR_ABI)
	t.user_data = boxed(h)
	t.destroy = (*[0]byte)(C.mrtrGoDestroy)
	if h.guard != nil {
		t.claim = (*[0]byte)(C.mrtrGoClaim)
	}
	if h.crypto != nil {
		t.seal, t.unseal = (*[0]byte)(C.mrtrGoSeal), (*[0]byte)(C.mrtrGoUnseal)
	}
	if h.refused != nil {
		t.refused = (*[0]byte)(C.mrtrGoRefused)
	}
	return t
}

func hooksOf(user unsafe.Pointer) *hooks { return unboxed[*hooks](user) }

// newHearing fills a table for a server.
func newHearing(hear func(Issued)) C.mrtr_server_callbacks {
	var t C.mrtr_server_callbacks
	C.mrtr_server_callbacks_init(&t, C.uint32_t(unsafe.Sizeof(t)), C.MRTR_ABI)
	t.user_data = boxed(hear)
	t.destroy = (*[0]byte)(C.mrtrGoDestroy)
	t.issued = (*[0]byte)(C.mrtrGoIssued)
	return t
}

//export mrtrGoDestroy
func mrtrGoDestroy(user unsafe.Pointer) {
	(*(*cgo.Handle)(user)).Delete()
	C.free(user)
}

//export mrtrGoClaim
func mrtrGoClaim(user unsafe.Pointer, id *C.uint8_t, until, now C.uint64_t, claimed *C.uint32_t) {
	h := hooksOf(user)
	h.safely(func() error {
		token := *(*[16]byte)(unsafe.Pointer(id))
		first, err := h.guard.Claim(token, time.UnixMilli(int64(until)), time.UnixMilli(int64(now)))
		switch {
		case err != nil:
			return err
		case first:
			*claimed = C.MRTR_CLAIM_FIRST
		default:
			*claimed = C.MRTR_CLAIM_USED
		}
		return nil
	})
}

//export mrtrGoSeal
func mrtrGoSeal(user unsafe.Pointer, plain C.mrtr_slice, sealed *C.mrtr_buf) {
	h := hooksOf(user)
	h.safely(func() error { return change(h.crypto.Seal, plain, sealed) })
}

//export mrtrGoUnseal
func mrtrGoUnseal(user unsafe.Pointer, sealed C.mrtr_slice, plain *C.mrtr_buf) {
	h := hooksOf(user)
	h.safely(func() error { return change(h.crypto.Unseal, sealed, plain) })
}

func change(by func([]byte) ([]byte, error), from C.mrtr_slice, into *C.mrtr_buf) error {
	made, err := by(view(from))
	if err != nil {
		return err
	}
	if made == nil {
		return errors.New("mrtr: the crypto of the host made nothing")
	}
	var p pins
	defer p.Unpin()
	C.mrtr_buf_copy(p.bytes(made), into, nil)
	return nil
}

//export mrtrGoRefused
func mrtrGoRefused(user unsafe.Pointer, reason C.int32_t) {
	defer func() { _ = recover() }() // an observer decides nothing, so its faults change nothing
	hooksOf(user).refused(Code(reason))
}

//export mrtrGoIssued
func mrtrGoIssued(user unsafe.Pointer, raw *C.mrtr_issued) {
	defer func() { _ = recover() }() // an observer decides nothing, so its faults change nothing
	issued := Issued{FlowID: id16(raw.flow_id), Round: uint32(raw.round), Method: viewText(raw.method), Expires: unixMS(raw.expires_ms)}
	for _, key := range unsafe.Slice(raw.keys, raw.key_count) {
		issued.Keys = append(issued.Keys, viewText(key))
	}
	unboxed[func(Issued)](user)(issued)
}

func nativeSealerCounters(id uint64) (Counters, error) {
	out := C.mrtr_sealer_counters{struct_size: C.uint32_t(unsafe.Sizeof(C.mrtr_sealer_counters{}))}
	var err C.mrtr_error
	if status := C.mrtr_sealer_get_counters(C.mrtr_sealer{id: C.uint64_t(id)}, &out, &err); status != 0 {
		return Counters{}, lift(status, err)
	}
	return Counters{
		Sealed: uint64(out.sealed), SealedBytes: uint64(out.sealed_bytes),
		Opened: uint64(out.opened), OpenedBytes: uint64(out.opened_bytes), Refused: uint64(out.refused),
		Reasons: map[Code]uint64{
			CodeWrongType: uint64(out.wrong_type), CodeTooLarge: uint64(out.too_large), CodeMalformed: uint64(out.malformed),
			CodeUnknownKey: uint64(out.unknown_key), CodeTampered: uint64(out.tampered), CodeNotYetValid: uint64(out.not_yet_valid),
			CodeExpired: uint64(out.expired), CodeFlowExpired: uint64(out.flow_expired), CodeTooManyRounds: uint64(out.too_many_rounds),
			CodeWrongAudience: uint64(out.wrong_audience), CodeWrongPrincipal: uint64(out.wrong_principal),
			CodeWrongRequest: uint64(out.wrong_request), CodeReplayed: uint64(out.replayed), CodeGuardFailed: uint64(out.guard_failed),
		},
	}, nil
}

func nativeGatewayMake(key bool, backend, text string) ([]byte, error) {
	var p pins
	defer p.Unpin()
	var out C.mrtr_buf
	var err C.mrtr_error
	var status C.mrtr_status
	if key {
		status = C.mrtr_gateway_prefix(p.text(backend), p.text(text), &out, &err)
	} else {
		status = C.mrtr_gateway_wrap(p.text(backend), p.text(text), &out, &err)
	}
	if status != 0 {
		return nil, lift(status, err)
	}
	return take(&out), nil
}

func nativeGatewayPass(what int, backend string, text, extra []byte) ([]byte, error) {
	var p pins
	defer p.Unpin()
	has := C.uint32_t(1)
	var out C.mrtr_buf
	var err C.mrtr_error
	var status C.mrtr_status
	switch b, t, e := p.text(backend), p.bytes(text), p.bytes(extra); what {
	case gatewayParams:
		status = C.mrtr_gateway_params(b, t, e, &out, &err)
	case gatewayState:
		status = C.mrtr_gateway_state(b, t, &has, &out, &err)
	default:
		status = C.mrtr_gateway_result(b, t, e, &out, &err)
	}
	if status != 0 || has == 0 {
		return nil, failure(status, err)
	}
	return take(&out), nil
}

func nativeGatewayParts(key bool, data []byte) (string, string, bool) {
	var p pins
	defer p.Unpin()
	if data == nil {
		data = []byte{}
	}
	var first, second C.mrtr_slice
	if key {
		C.mrtr_gateway_split(p.bytes(data), &first, &second, nil)
	} else {
		C.mrtr_gateway_unwrap(p.bytes(data), &first, &second, nil)
	}
	return viewText(first), viewText(second), first.ptr != nil
}
