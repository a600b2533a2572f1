package mrtr

import (
	"encoding/json"
	"runtime"
)

// OlderCapabilities to declare in initialize of a version of 2025, as JSON (L1).
func (c *Client) OlderCapabilities(version string) (json.RawMessage, error) {
	defer runtime.KeepAlive(c)
	return nativeOlderCapabilities(c.id, version)
}

// Incoming is a flow for a JSON-RPC request that a server of 2025 made; the Result of its [Done] is the response to send (L1).
func (c *Client) Incoming(message json.RawMessage, version string, now uint64) (*Flow, error) {
	defer runtime.KeepAlive(c)
	id, err := nativeOlderRequest(c.id, message, version, now)
	return c.newFlow(id, err)
}

// Complete says that a page is done which the -32042 of a 2025 server asked for; nil: the user says that all are (L2).
func (f *Flow) Complete(elicitationID *string, now uint64) error {
	defer f.wake()
	defer runtime.KeepAlive(f)
	return nativeOlderComplete(f.id, elicitationID, now)
}
