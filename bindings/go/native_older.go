//go:build cgo

package mrtr

/*
#include <mrtr.h>
*/
import "C"

import "encoding/json"

func nativeOlderCapabilities(id uint64, version string) (json.RawMessage, error) {
	var p pins
	defer p.Unpin()
	var out C.mrtr_buf
	var err C.mrtr_error
	if status := C.mrtr_older_capabilities(client(id), p.text(version), &out, &err); status != 0 {
		return nil, lift(status, err)
	}
	return take(&out), nil
}

func nativeOlderRequest(id uint64, message []byte, version string, now uint64) (uint64, error) {
	var p pins
	defer p.Unpin()
	var out C.mrtr_flow
	var err C.mrtr_error
	status := C.mrtr_older_request(client(id), p.bytes(message), p.text(version), C.uint64_t(now), &out, &err)
	return uint64(out.id), failure(status, err)
}

func nativeOlderComplete(id uint64, elicitationID *string, now uint64) error {
	var p pins
	defer p.Unpin()
	var err C.mrtr_error
	return failure(C.mrtr_older_complete(flow(id), p.optional(elicitationID), C.uint64_t(now), &err), err)
}
