package mrtr

import (
	"encoding/json"
	"strings"
)

// Header is one HTTP header.
type Header struct{ Name, Value string }

// RequestHeaders are the headers of a request of this era (E1): version, method, target, and what the tool marks of its arguments.
// params are those of the leg to send; tool is the tool's definition from tools/list, nil if it is not known.
func RequestHeaders(method string, params, tool json.RawMessage) ([]Header, error) {
	text, err := nativeWireHeaders(method, params, tool)
	if err != nil {
		return nil, err
	}
	var headers []Header
	for _, line := range strings.Split(strings.TrimSuffix(text, "\r\n"), "\r\n") {
		name, value, _ := strings.Cut(line, ": ")
		headers = append(headers, Header{name, value})
	}
	return headers, nil
}

// CheckTool refuses a tool that marks parameters for headers in a way that the protocol forbids ([CodeInvalidTool]): leave it out (E1).
func CheckTool(tool json.RawMessage) error { return nativeWireCheckTool(tool) }

// RetryVersion is the version to retry with, once, after the error object rpc (-32022): the first of spoken that the server serves,
// "" if there is none (E1).
func RetryVersion(rpc json.RawMessage, spoken []string) (string, error) {
	return nativeWireRetryVersion(rpc, spoken)
}
