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

func (p *pins) peer(peer *Peer) C.mrtr_peer {
	out := C.mrtr_peer{struct_size: C.uint32_t(unsafe.Sizeof(C.mrtr_peer{}))}
	out.back_channel, out.version, out.capabilities = flag(peer.BackChannel), p.unless(peer.Version), p.bytes(peer.Capabilities)
	return out
}

func nativePeerCanAsk(peer *Peer, method string, needs Needs) (CanAsk, error) {
	var p pins
	defer p.Unpin()
	raw := p.peer(peer)
	var can C.uint32_t
	var err C.mrtr_error
	status := C.mrtr_peer_can_ask(&raw, p.text(method), C.uint32_t(needs), &can, &err)
	return CanAsk(can), failure(status, err)
}

func nativeResultComplete(result []byte) (json.RawMessage, error) {
	var p pins
	defer p.Unpin()
	var out C.mrtr_buf
	var err C.mrtr_error
	if status := C.mrtr_result_complete(p.bytes(result), &out, &err); status != 0 {
		return nil, lift(status, err)
	}
	return take(&out), nil
}

func nativeDiscoveryResult(d *Discovery) (json.RawMessage, error) {
	var p pins
	defer p.Unpin()
	var o C.mrtr_discovery
	C.mrtr_discovery_init(&o, C.uint32_t(unsafe.Sizeof(o)), C.MRTR_ABI)
	o.supported, o.supported_count = p.texts(d.Supported)
	o.capabilities, o.server_info = p.bytes(d.Capabilities), p.bytes(d.ServerInfo)
	o.instructions, o.cache_scope = p.unless(d.Instructions), p.unless(d.CacheScope)
	if d.TTL != nil {
		o.ttl_ms = C.uint64_t(d.TTL.Milliseconds())
	}
	var out C.mrtr_buf
	var err C.mrtr_error
	if status := C.mrtr_discovery_result(&o, &out, &err); status != 0 {
		return nil, lift(status, err)
	}
	return take(&out), nil
}

func legacy(id uint64) C.mrtr_legacy { return C.mrtr_legacy{id: C.uint64_t(id)} }

func nativeLegacyBegin(id uint64, r *Request, peer *Peer) (uint64, error) {
	var p pins
	defer p.Unpin()
	request, raw := p.request(r), p.peer(peer)
	var out C.mrtr_legacy
	var err C.mrtr_error
	status := C.mrtr_legacy_begin(C.mrtr_server{id: C.uint64_t(id)}, &request, &raw, &out, &err)
	return uint64(out.id), failure(status, err)
}

func nativeLegacyNext(id uint64, now uint64) (LegacyStep, error) {
	out := C.mrtr_legacy_step{struct_size: C.uint32_t(unsafe.Sizeof(C.mrtr_legacy_step{}))}
	var err C.mrtr_error
	if status := C.mrtr_legacy_next(legacy(id), C.uint64_t(now), &out, &err); status != 0 {
		return LegacyStep{}, lift(status, err)
	}
	defer C.mrtr_buf_free(&out.storage)
	return LegacyStep{
		Type: LegacyStepType(out._type), Ask: uint32(out.ask), Until: unixMS(out.until_ms), Method: viewText(out.method),
		Params: view(out.params), Result: view(out.result), RPC: view(out.rpc), Refused: Code(out.refused),
	}, nil
}

func nativeLegacyExchange(id uint64, now uint64) (uint64, error) {
	var out C.mrtr_exchange
	var err C.mrtr_error
	status := C.mrtr_legacy_exchange(legacy(id), C.uint64_t(now), &out, &err)
	return uint64(out.id), failure(status, err)
}

func nativeLegacyText(id uint64, how int, ask uint32, text []byte, now uint64) error {
	var p pins
	defer p.Unpin()
	l, t, n := legacy(id), p.bytes(text), C.uint32_t(ask)
	var err C.mrtr_error
	var status C.mrtr_status
	switch how {
	case legacyHandled:
		status = C.mrtr_legacy_handled(l, t, C.uint64_t(now), &err)
	case legacyFailed:
		status = C.mrtr_legacy_failed(l, t, &err)
	case legacyDeliver:
		status = C.mrtr_legacy_deliver(l, n, t, &err)
	case legacyDeliverError:
		status = C.mrtr_legacy_deliver_error(l, n, &err)
	default:
		status = C.mrtr_legacy_cancel(l, &err)
	}
	return failure(status, err)
}

func nativeLegacyFree(id uint64) { C.mrtr_legacy_free(legacy(id)) }
