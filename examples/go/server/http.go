package main

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"examples/wire"
	"mrtr"
)

var methods = []string{"server/discover", "tools/list", "tools/call", "prompts/list", "prompts/get", "resources/list", "resources/templates/list", "resources/read"}

// request is a JSON-RPC request; its params stay the text that came.
type request struct {
	id     json.RawMessage
	method string
	params json.RawMessage
}

// ServeHTTP answers one POST. Everything that goes wrong is a JSON-RPC error with the status that fits it.
func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != "/mcp" || r.Method != http.MethodPost {
		http.Error(w, "POST /mcp", http.StatusNotFound)
		return
	}
	if !local(r.Host) || r.Header.Get("Origin") != "" && !local(strings.TrimPrefix(r.Header.Get("Origin"), "http://")) {
		http.Error(w, "this server is for this machine only", http.StatusForbidden)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, wire.MaxMessage))
	if err != nil {
		reply(w, nil, nil, &mrtr.Error{RPC: rpc(-32600, "the message is too large"), HTTPStatus: http.StatusRequestEntityTooLarge})
		return
	}
	message, err := parse(body)
	if err != nil {
		reply(w, nil, nil, &mrtr.Error{RPC: rpc(-32700, err.Error()), HTTPStatus: http.StatusBadRequest})
		return
	}
	result, err := s.answer(r, message)
	reply(w, message.id, result, err)
}

func local(host string) bool {
	name, _, _ := strings.Cut(host, ":")
	return name == "localhost" || name == "127.0.0.1"
}

func parse(body []byte) (*request, error) {
	message := &request{}
	method, err := mrtr.Member(body, "method")
	if err == nil {
		message.id, err = mrtr.Member(body, "id")
	}
	if err == nil {
		message.params, err = mrtr.Member(body, "params")
	}
	if err != nil {
		return nil, err
	}
	if json.Unmarshal(method, &message.method) != nil || message.id == nil {
		return nil, errors.New("not a JSON-RPC request: method and id are needed")
	}
	return message, nil
}

func (s *service) answer(r *http.Request, message *request) (json.RawMessage, error) {
	check := mrtr.RequestCheck{Method: message.method, Params: message.params, Supported: []string{wire.Version}, Methods: methods}
	if header := r.Header.Get("MCP-Protocol-Version"); header != "" {
		check.HeaderVersion = &header
	}
	if err := mrtr.CheckRequest(check); err != nil {
		return nil, err
	}
	if list, ok := lists[message.method]; ok {
		return json.RawMessage(list), nil
	}
	return s.serve(message)
}

// serve runs a handler inside an exchange: the state is checked before it runs, whether it asks anything or not.
func (s *service) serve(message *request) (json.RawMessage, error) {
	var params struct {
		Name      string         `json:"name"`
		URI       string         `json:"uri"`
		Arguments map[string]any `json:"arguments"`
	}
	if err := json.Unmarshal(message.params, &params); err != nil {
		return nil, &mrtr.Error{RPC: rpc(-32602, "params: "+err.Error())}
	}
	handler, ok := handlers[message.method+" "+params.Name+params.URI]
	if !ok {
		return nil, &mrtr.Error{RPC: rpc(-32602, "unknown: "+params.Name+params.URI)}
	}
	server := s.refusing
	if handler.filter {
		server = s.filtering
	}
	x, err := server.Begin(mrtr.Request{Method: message.method, Params: message.params, Principal: mrtr.Nobody()}, time.Time{})
	if err != nil {
		return nil, err
	}
	defer x.Close()
	return handler.run(x, params.Arguments)
}

func rpc(code int, message string) json.RawMessage {
	out, _ := json.Marshal(map[string]any{"code": code, "message": message})
	return out
}

func reply(w http.ResponseWriter, id, result json.RawMessage, err error) {
	if id == nil {
		id = json.RawMessage("null")
	}
	status, body := http.StatusOK, `,"result":`+string(result)
	if err != nil {
		e := &mrtr.Error{RPC: rpc(-32603, "internal error")}
		errors.As(err, &e)
		if e.RPC == nil {
			e.RPC = rpc(-32603, "internal error")
		}
		status, body = max(e.HTTPStatus, http.StatusOK), `,"error":`+string(e.RPC)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":`+string(id)+body+"}")
}
