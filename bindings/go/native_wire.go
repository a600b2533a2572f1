//go:build cgo

package mrtr

/*
#include <mrtr.h>
*/
import "C"

func nativeWireHeaders(method string, params, tool []byte) (string, error) {
	var p pins
	defer p.Unpin()
	var lines C.mrtr_buf
	var err C.mrtr_error
	if status := C.mrtr_wire_headers(p.text(method), p.bytes(params), p.bytes(tool), &lines, &err); status != 0 {
		return "", lift(status, err)
	}
	return string(take(&lines)), nil
}

func nativeWireCheckTool(tool []byte) error {
	var p pins
	defer p.Unpin()
	var err C.mrtr_error
	return failure(C.mrtr_wire_check_tool(p.bytes(tool), &err), err)
}

func nativeWireRetryVersion(rpc []byte, spoken []string) (string, error) {
	var p pins
	defer p.Unpin()
	first, count := p.texts(spoken)
	var version C.mrtr_slice
	var err C.mrtr_error
	if status := C.mrtr_wire_retry_version(p.bytes(rpc), first, count, &version, &err); status != 0 {
		return "", lift(status, err)
	}
	return viewText(version), nil
}
