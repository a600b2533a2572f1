package wire

import (
	"context"
	"encoding/json"
	"errors"

	"mrtr"
)

// Spoken are the versions that these programs speak, best first.
var Spoken = []string{Version}

// Session is one server as a client sees it: calls with the right version, and tools with their headers. One goroutine at a time.
type Session struct {
	options   mrtr.ClientOptions
	client    *mrtr.Client
	transport mrtr.Transport
	tools     map[string]json.RawMessage
}

// NewSession makes a session with the server at url. trace may be nil.
func NewSession(url string, options mrtr.ClientOptions, trace Trace) (*Session, error) {
	s := &Session{options: options, tools: map[string]json.RawMessage{}}
	s.transport = Transport(url, trace, func(name string) json.RawMessage { return s.tools[name] })
	return s, s.speak(options.ProtocolVersion)
}

func (s *Session) speak(version string) error {
	s.Close()
	s.options.ProtocolVersion = version
	client, err := mrtr.NewClient(s.options)
	s.client = client
	return err
}

// Close frees the client.
func (s *Session) Close() {
	if s.client != nil {
		s.client.Close()
	}
}

// Call returns the result. A server that refuses the version is asked once more with one that it names.
func (s *Session) Call(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
	result, err := s.client.Call(ctx, method, params, s.transport)
	var refused *mrtr.Error
	if errors.As(err, &refused) && refused.Code == mrtr.CodeRpcError {
		version, fault := mrtr.RetryVersion(refused.RPC, Spoken)
		if fault != nil || version == "" {
			return nil, err
		}
		if err := s.speak(version); err != nil {
			return nil, err
		}
		result, err = s.client.Call(ctx, method, params, s.transport)
	}
	if err != nil {
		return nil, err
	}
	return result.JSON, nil
}

// ListTools returns the names of the server's tools, all pages; those that break the rules for headers are left out.
func (s *Session) ListTools(ctx context.Context) ([]string, error) {
	var names []string
	for params := json.RawMessage("{}"); params != nil; {
		text, err := s.Call(ctx, "tools/list", params)
		if err != nil {
			return nil, err
		}
		var page struct {
			Tools      []json.RawMessage `json:"tools"`
			NextCursor json.RawMessage   `json:"nextCursor"`
		}
		if err := json.Unmarshal(text, &page); err != nil {
			return nil, err
		}
		for _, tool := range page.Tools {
			var own struct {
				Name string `json:"name"`
			}
			if json.Unmarshal(tool, &own) != nil || mrtr.CheckTool(tool) != nil {
				continue
			}
			s.tools[own.Name] = tool
			names = append(names, own.Name)
		}
		params = nil
		if page.NextCursor != nil {
			params = json.RawMessage(`{"cursor":` + string(page.NextCursor) + `}`)
		}
	}
	return names, nil
}

// CallTool calls a tool; arguments is JSON text.
func (s *Session) CallTool(ctx context.Context, name string, arguments json.RawMessage) (json.RawMessage, error) {
	text, err := json.Marshal(name)
	if err != nil {
		return nil, err
	}
	return s.Call(ctx, "tools/call", json.RawMessage(`{"name":`+string(text)+`,"arguments":`+string(arguments)+`}`))
}
