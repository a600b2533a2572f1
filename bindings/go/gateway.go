package mrtr

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
