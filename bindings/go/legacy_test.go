//go:build cgo

package mrtr

import (
	"strings"
	"testing"
	"time"
)

func TestLegacy(t *testing.T) {
	server, err := NewServer(ServerOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	peer := Peer{Version: "2025-11-25", Capabilities: []byte(`{"roots":{}}`), BackChannel: true}
	if can, err := peer.CanAsk("tools/call", NeedForm); err != nil || can != CanAskUndeclared {
		t.Fatal(can, err)
	}
	call, err := server.BeginLegacy(Request{Method: "tools/call", Params: []byte(`{"name":"t"}`), Principal: Nobody()}, peer)
	if err != nil {
		t.Fatal(err)
	}
	defer call.Close()
	for {
		step, err := call.Next(time.Time{})
		if err != nil {
			t.Fatal(err)
		}
		switch step.Type {
		case LegacyRun:
			x, err := call.Exchange(time.Time{})
			if err != nil {
				t.Fatal(err)
			}
			answer, err := x.AskRoots("r")
			if err != nil {
				t.Fatal(err)
			}
			result, err := CompleteResult([]byte(`{"content":[]}`))
			if !answer.Accepted() {
				result, err = x.Result()
			}
			if err != nil || call.Handled(result, time.Time{}) != nil {
				t.Fatal(err)
			}
		case LegacySend:
			if step.Method != "roots/list" || call.Deliver(step.Ask, []byte(`{"roots":[]}`)) != nil {
				t.Fatal(step)
			}
		case LegacyDone:
			if string(step.Result) != `{"content":[]}` || step.Refused != 0 {
				t.Fatal(string(step.Result), step.Refused)
			}
			return
		default:
			t.Fatal(step.Type)
		}
	}
}

func TestServerResults(t *testing.T) {
	ttl := time.Minute
	text, err := Discovery{Capabilities: []byte(`{"tools":{}}`), Instructions: "Ask.", TTL: &ttl}.Result()
	if err != nil || !strings.Contains(string(text), `"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"instructions":"Ask.","ttlMs":60000`) {
		t.Fatal(string(text), err)
	}
	check := RequestCheck{Method: "tools/list", Params: []byte(`{}`), Headers: []Header{}}
	if err := CheckRequest(check); err == nil || err.(*Error).RPCCode != -32020 {
		t.Fatal(err)
	}
}
