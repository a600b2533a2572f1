//go:build cgo

package mrtr

/*
#cgo pkg-config: mrtr
#include <mrtr.h>
*/
import "C"

import (
	"encoding/json"
	"runtime"
	"unsafe"
)

// pins keeps Go memory in place while C reads it through a struct; one per call.
type pins struct{ runtime.Pinner }

var emptyByte byte

// bytes borrows b for the call: nil is absent, an empty slice is an empty text.
func (p *pins) bytes(b []byte) C.mrtr_slice {
	if b == nil {
		return C.mrtr_slice{}
	}
	if len(b) == 0 {
		return C.mrtr_slice{ptr: (*C.uint8_t)(unsafe.Pointer(p.pin(&emptyByte)))}
	}
	return C.mrtr_slice{ptr: (*C.uint8_t)(unsafe.Pointer(p.pin(&b[0]))), len: C.size_t(len(b))}
}

func (p *pins) pin(first *byte) *byte {
	p.Pin(first)
	return first
}

func (p *pins) text(s string) C.mrtr_slice {
	if s == "" {
		return p.bytes([]byte{})
	}
	first := unsafe.StringData(s)
	p.Pin(first)
	return C.mrtr_slice{ptr: (*C.uint8_t)(unsafe.Pointer(first)), len: C.size_t(len(s))}
}

func (p *pins) optional(s *string) C.mrtr_slice {
	if s == nil {
		return C.mrtr_slice{}
	}
	return p.text(*s)
}

func (p *pins) list(items []C.mrtr_slice) (*C.mrtr_slice, C.size_t) {
	if len(items) == 0 {
		return nil, 0
	}
	p.Pin(&items[0])
	return &items[0], C.size_t(len(items))
}

func (p *pins) texts(items []string) (*C.mrtr_slice, C.size_t) {
	slices := make([]C.mrtr_slice, len(items))
	for i, item := range items {
		slices[i] = p.text(item)
	}
	return p.list(slices)
}

func (p *pins) blobs(items [][]byte) (*C.mrtr_slice, C.size_t) {
	slices := make([]C.mrtr_slice, len(items))
	for i, item := range items {
		if item == nil {
			item = []byte{}
		}
		slices[i] = p.bytes(item)
	}
	return p.list(slices)
}

func (p *pins) request(r *Request) C.mrtr_request {
	out := C.mrtr_request{struct_size: C.uint32_t(unsafe.Sizeof(C.mrtr_request{}))}
	out.method, out.params, out.capabilities = p.text(r.Method), p.bytes(r.Params), p.bytes(r.Capabilities)
	out.principal.kind = C.uint32_t(r.Principal.kind)
	out.principal.parts, out.principal.count = p.blobs(r.Principal.parts)
	return out
}

// view copies what the library shows; nil where it left the member out.
func view(s C.mrtr_slice) []byte {
	if s.ptr == nil {
		return nil
	}
	if s.len == 0 {
		return []byte{}
	}
	return C.GoBytes(unsafe.Pointer(s.ptr), C.int(s.len))
}

func viewText(s C.mrtr_slice) string { return string(view(s)) }

// take copies a buffer and frees (and wipes) it.
func take(b *C.mrtr_buf) []byte {
	defer C.mrtr_buf_free(b)
	if b.len == 0 {
		return []byte{}
	}
	return C.GoBytes(unsafe.Pointer(b.ptr), C.int(b.len))
}

func names(s C.mrtr_slice) []string {
	var out []string
	if text := view(s); text != nil {
		_ = json.Unmarshal(text, &out) // the library's own text
	}
	return out
}

func flag(b bool) C.uint32_t {
	if b {
		return 1
	}
	return 0
}

// failure lifts the library's error object; nil for success.
func failure(status C.mrtr_status, object C.mrtr_error) error {
	if status == 0 {
		return nil
	}
	return lift(status, object)
}

func lift(status C.mrtr_status, object C.mrtr_error) *Error {
	info := C.mrtr_error_info{struct_size: C.uint32_t(unsafe.Sizeof(C.mrtr_error_info{}))}
	if object.id == 0 || C.mrtr_error_get(object, &info) != 0 {
		return &Error{Code: Code(status)}
	}
	defer C.mrtr_error_free(object)
	defer C.mrtr_buf_free(&info.storage)
	out := &Error{
		Code: Code(info.code), Message: viewText(info.message), Key: viewText(info.key), At: viewText(info.at),
		Data: view(info.data), HTTPStatus: int(info.http_status),
	}
	if info.has_rpc != 0 {
		out.RPC, out.RPCCode = view(info.rpc), int64(info.rpc_code)
	}
	return out
}

func nativeVersion() (Version, error) {
	info := C.mrtr_version_info{struct_size: C.uint32_t(unsafe.Sizeof(C.mrtr_version_info{}))}
	if status := C.mrtr_version(&info); status != 0 {
		return Version{}, &Error{Code: Code(status)}
	}
	return Version{viewText(info.version), uint32(info.abi_major), uint32(info.abi_level)}, nil
}

func nativeHasFeature(name string) bool {
	var p pins
	defer p.Unpin()
	return C.mrtr_has_feature(p.text(name)) != 0
}

func nativeLiveObjects() uint64 { return uint64(C.mrtr_live_objects()) }
func nativeMonotonicMS() uint64 { return uint64(C.mrtr_monotonic_ms()) }

func nativeJSONMember(object []byte, name string) (json.RawMessage, error) {
	var p pins
	defer p.Unpin()
	var value C.mrtr_slice
	var err C.mrtr_error
	if object == nil {
		object = []byte{}
	}
	if status := C.mrtr_json_member(p.bytes(object), p.text(name), &value, &err); status != 0 {
		return nil, lift(status, err)
	}
	if value.ptr == nil {
		return nil, nil
	}
	at := uintptr(unsafe.Pointer(value.ptr)) - uintptr(unsafe.Pointer(&object[0]))
	return json.RawMessage(object[at : at+uintptr(value.len)]), nil
}
