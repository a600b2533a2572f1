package mrtr

import "encoding/json"

// WrapState makes host state that carries the requestState of a backend, any string, with the backend's name (S14).
func WrapState(backend, state string) ([]byte, error) {
	return nativeGatewayMake(false, backend, state)
}

// UnwrapState gives backend and state of what [WrapState] made; not ok for anything else.
func UnwrapState(hostState []byte) (backend, state string, ok bool) {
	return nativeGatewayParts(false, hostState)
}

// PrefixKey is the key of a backend's ask as the gateway's own client sees it, so that keys of two backends never meet (S14).
func PrefixKey(backend, key string) (string, error) {
	made, err := nativeGatewayMake(true, backend, key)
	return string(made), err
}

// SplitKey gives backend and key of what [PrefixKey] made; not ok for anything else, a key of the gateway's own, say.
func SplitKey(prefixed string) (backend, key string, ok bool) {
	return nativeGatewayParts(true, []byte(prefixed))
}

// GatewayParams are the params of the request that goes on to a backend: the end client's own, _meta with its capabilities among them, byte
// for byte. Of its answers those of this backend are in it, under the backend's own keys; the state is the backend's, out of hostState
// (nil: it had none). Open the gateway's own state before: nothing is checked here.
func GatewayParams(backend string, params json.RawMessage, hostState []byte) (json.RawMessage, error) {
	return nativeGatewayPass(gatewayParams, backend, params, hostState)
}

// GatewayState is the state of a backend's result as host state, ready to be sealed; nil if it asks nothing or has no state.
func GatewayState(backend string, result json.RawMessage) ([]byte, error) {
	return nativeGatewayPass(gatewayState, backend, result, nil)
}

// GatewayResult is a backend's result as the end client gets it: keys of asks with the backend's prefix, and state, the gateway's own
// token, in place of the backend's ("": none). A result that asks nothing comes back as it is.
func GatewayResult(backend string, result json.RawMessage, state string) (json.RawMessage, error) {
	var token []byte
	if state != "" {
		token = []byte(state)
	}
	return nativeGatewayPass(gatewayResult, backend, result, token)
}

const (
	gatewayParams = iota
	gatewayState
	gatewayResult
)
