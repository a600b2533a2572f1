// Package wire has what both halves of MCP 2026-07-28 over HTTP need: names, headers, and one POST per leg.
package wire

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"mrtr"
)

// Version of the protocol.
const Version = "2026-07-28"

// MaxMessage is how much of a message is read: the library's own limit for one.
const MaxMessage = 4 << 20

// Trace sees each message: "->" or "<-", and its text.
type Trace func(direction string, text []byte)

// Transport sends legs to one server. The params are never printed anew. tool gives the definition of a tool that is known: it may want
// arguments of its calls in headers.
func Transport(url string, trace Trace, tool func(name string) json.RawMessage) mrtr.Transport {
	if trace == nil {
		trace = func(string, []byte) {}
	}
	return func(ctx context.Context, leg mrtr.Leg) (json.RawMessage, error) {
		trace("->", leg.Params)
		request, err := post(ctx, url, leg, tool)
		if err != nil {
			return nil, err
		}
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			return nil, err
		}
		defer response.Body.Close()
		message, err := read(response, leg)
		if err != nil {
			return nil, err
		}
		if object, err := mrtr.Member(message, "error"); err != nil || object != nil {
			trace("<-", object)
			return nil, errors.Join(err, &mrtr.RPCError{Object: object})
		}
		result, err := mrtr.Member(message, "result")
		if err == nil && result == nil {
			err = errors.New("the server answered without a result")
		}
		trace("<-", result)
		return result, err
	}
}

func post(ctx context.Context, url string, leg mrtr.Leg, tool func(string) json.RawMessage) (*http.Request, error) {
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, leg.ID, leg.Method, leg.Params)
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json, text/event-stream")
	headers, err := mrtr.RequestHeaders(leg.Method, leg.Params, definition(leg, tool))
	for _, header := range headers {
		request.Header.Set(header.Name, header.Value)
	}
	return request, err
}

func definition(leg mrtr.Leg, tool func(string) json.RawMessage) json.RawMessage {
	var call struct {
		Name string `json:"name"`
	}
	if leg.Method != "tools/call" || json.Unmarshal(leg.Params, &call) != nil {
		return nil
	}
	return tool(call.Name)
}

// read is the response message: the body, or the message of a stream that is no notification.
func read(response *http.Response, leg mrtr.Leg) ([]byte, error) {
	body := io.LimitReader(response.Body, MaxMessage+1)
	if !strings.HasPrefix(response.Header.Get("Content-Type"), "text/event-stream") {
		return io.ReadAll(body)
	}
	lines := bufio.NewScanner(body)
	lines.Buffer(nil, MaxMessage)
	var data []byte
	for lines.Scan() {
		line := lines.Bytes()
		if part, ok := bytes.CutPrefix(line, []byte("data:")); ok {
			data = append(data, bytes.TrimPrefix(part, []byte(" "))...)
		}
		if len(line) > 0 || len(data) == 0 {
			continue
		}
		if method, err := mrtr.Member(data, "method"); err != nil || method == nil {
			return data, err
		}
		notify(data, leg)
		data = nil
	}
	return nil, errors.Join(lines.Err(), errors.New("the stream ended without a response"))
}

func notify(message []byte, leg mrtr.Leg) {
	var notification struct {
		Method string `json:"method"`
		Params struct {
			Progress float64 `json:"progress"`
		} `json:"params"`
	}
	if json.Unmarshal(message, &notification) == nil && notification.Method == "notifications/progress" {
		leg.Progress(notification.Params.Progress)
	}
}
