//go:build cgo

package mrtr_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"mrtr"
)

const ask = `{"resultType":"input_required","inputRequests":{"a":{"method":"elicitation/create","params":{"message":"Name?","requestedSchema":` + nameForm + `}}},"requestState":"S\u00e91"}`
const done = `{"resultType":"complete","content":[],"n":1e400}`
const params = `{"name":"copy","arguments":{"big":123456789012345678901234567890,"x":3.0}}`

// script answers the legs from a list and keeps what was sent.
type script struct {
	results []any
	sent    []string
}

func (s *script) send(_ context.Context, leg mrtr.Leg) (json.RawMessage, error) {
	s.sent = append(s.sent, string(leg.Params))
	next := s.results[0]
	s.results = s.results[1:]
	if err, ok := next.(error); ok {
		return nil, err
	}
	return json.RawMessage(next.(string)), nil
}

func saying(reply mrtr.Reply, err error) mrtr.Handler {
	return func(context.Context, mrtr.ShowAsk) (mrtr.Reply, error) { return reply, err }
}

func call(t *testing.T, handler mrtr.Handler, results ...any) (*mrtr.Result, error, *script) {
	t.Helper()
	c := must[*mrtr.Client](t)(mrtr.NewClient(mrtr.ClientOptions{Form: handler}))
	defer c.Close()
	server := &script{results: results}
	result, err := c.Call(context.Background(), "tools/call", []byte(params), server.send)
	return result, err, server
}

// J1, C4, C18.
func TestRound(t *testing.T) {
	result, err, server := call(t, saying(mrtr.AcceptWith([]byte(`{"n":"\ud800"}`)), nil), ask, done)
	if err != nil || string(result.JSON) != done || result.Rounds != 1 || result.Cacheable {
		t.Fatal(result, err)
	}
	for _, part := range []string{`"big":123456789012345678901234567890,"x":3.0`, `"requestState":"S\u00e91"`, `"content":{"n":"\ud800"}`} {
		if !strings.Contains(server.sent[1], part) {
			t.Fatalf("%s is not in %s", part, server.sent[1])
		}
	}
}

// C8, C9.
func TestWhatIsNoAnswerIsNeverSent(t *testing.T) {
	panics := func(context.Context, mrtr.ShowAsk) (mrtr.Reply, error) { panic("no window") }
	for name, c := range map[string]struct {
		handler mrtr.Handler
		code    mrtr.Code
	}{
		"refuse":      {saying(mrtr.Refuse(), nil), mrtr.CodeRefused},
		"unavailable": {saying(mrtr.Unavailable(), nil), mrtr.CodeUnavailable},
		"error":       {saying(mrtr.AcceptWith([]byte(`{"n":"x"}`)), errors.New("no window")), mrtr.CodeHandlerFailed},
		"panic":       {panics, mrtr.CodeHandlerFailed},
		"bad value":   {saying(mrtr.AcceptWith([]byte(`{"n":3}`)), nil), mrtr.CodeHandlerFailed},
		"no JSON":     {saying(mrtr.AcceptWith([]byte(`{"n":`)), nil), mrtr.CodeHandlerFailed},
	} {
		t.Run(name, func(t *testing.T) {
			_, err, server := call(t, c.handler, ask, done)
			if e := failure(t, err, c.code); e.Key != "a" || e.Continuation == "" || len(server.sent) != 1 {
				t.Fatalf("%+v, %d legs", e, len(server.sent))
			}
		})
	}
}

// C8.
func TestZeroReplyIsNoConsent(t *testing.T) {
	var zero mrtr.Reply
	_, err, server := call(t, saying(zero, nil), ask, done)
	failure(t, err, mrtr.CodeHandlerFailed)
	if len(server.sent) != 1 {
		t.Fatal("a reply that says nothing was sent")
	}
}

// C11.
func TestServerErrorsAndLostLines(t *testing.T) {
	_, err, _ := call(t, nil, &mrtr.RPCError{Object: []byte(`{"code":-32000,"message":"busy"}`)})
	if e := failure(t, err, mrtr.CodeRpcError); string(e.RPC) != `{"code":-32000,"message":"busy"}` {
		t.Fatalf("%+v", e)
	}
	_, err, server := call(t, saying(mrtr.AcceptWith([]byte(`{"n":"x"}`)), nil), ask, errors.New("reset"))
	failure(t, err, mrtr.CodeLost)
	if len(server.sent) != 2 {
		t.Fatal(server.sent)
	}
}

// C8, C11.
func TestGoOnElsewhere(t *testing.T) {
	_, err, _ := call(t, nil, ask)
	e := failure(t, err, mrtr.CodeInputRequired)
	c := must[*mrtr.Client](t)(mrtr.NewClient(mrtr.ClientOptions{Form: saying(mrtr.Decline(), nil)}))
	defer c.Close()
	flow := must[*mrtr.Flow](t)(c.Resume(e.Continuation, mrtr.SystemClock))
	defer flow.Close()
	server := &script{results: []any{done}}
	if _, err := c.Drive(context.Background(), flow, server.send); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(server.sent[0], `"inputResponses":{"a":{"action":"decline"}}`) {
		t.Fatal(server.sent)
	}
}

// C10.
func TestContextCancels(t *testing.T) {
	before, cancel := context.WithCancel(context.Background())
	cancel()
	waits := func(ctx context.Context, _ mrtr.ShowAsk) (mrtr.Reply, error) {
		<-ctx.Done()
		return mrtr.Reply{}, ctx.Err()
	}
	hangs := func(ctx context.Context, _ mrtr.Leg) (json.RawMessage, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	soon, stop := context.WithTimeout(context.Background(), 30*time.Millisecond)
	defer stop()
	c := must[*mrtr.Client](t)(mrtr.NewClient(mrtr.ClientOptions{Form: waits}))
	defer c.Close()
	for _, run := range []struct {
		ctx       context.Context
		transport mrtr.Transport
	}{{before, hangs}, {soon, hangs}, {soon, (&script{results: []any{ask}}).send}} {
		_, err := c.Call(run.ctx, "tools/call", []byte(params), run.transport)
		failure(t, err, mrtr.CodeCancelled)
	}
}

// S9.
func TestNothingThatIsPrintedTellsContent(t *testing.T) {
	const secret = "hunter2"
	opened := &mrtr.Opened{State: []byte(secret)}
	for _, thing := range []any{
		mrtr.Send{Params: []byte(secret)}, mrtr.ShowAsk{Ask: []byte(secret), Message: secret, URL: secret}, mrtr.Done{Result: []byte(secret)},
		mrtr.Done{Err: &mrtr.Error{Code: mrtr.CodeLost, Raw: []byte(secret), Continuation: secret}}, mrtr.Answer{Content: []byte(secret)},
		&mrtr.Error{Raw: []byte(secret)}, opened, &mrtr.Result{JSON: []byte(secret)}, mrtr.Leg{Send: mrtr.Send{Params: []byte(secret)}},
	} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s"} {
			if text := fmt.Sprintf(verb, thing); strings.Contains(text, secret) || strings.Contains(text, "104, 117") || strings.Contains(text, "104 117") {
				t.Errorf("%T with %s: %s", thing, verb, text)
			}
		}
	}
}

// C7, C10, C11.
func TestSteps(t *testing.T) {
	c := must[*mrtr.Client](t)(mrtr.NewClient(mrtr.ClientOptions{Declare: mrtr.NeedForm}))
	flow := must[*mrtr.Flow](t)(c.Begin("tools/call", []byte(params), 0))
	c.Close()
	send, ok := must[mrtr.Event](t)(flow.Next(0)).(mrtr.Send)
	if !ok || *send.DeadlineMS != 60_000 {
		t.Fatal(send)
	}
	if err := flow.Deliver(send.Leg, []byte(ask), 5); err != nil {
		t.Fatal(err)
	}
	if err := flow.Deliver(send.Leg+7, []byte(done), 5); err != nil {
		t.Fatal("an unknown leg is not ignored:", err)
	}
	if _, ok := must[mrtr.Event](t)(flow.Next(5)).(mrtr.Round); !ok {
		t.Fatal("no round")
	}
	shown, ok := must[mrtr.Event](t)(flow.Next(5)).(mrtr.ShowAsk)
	if !ok || shown.Key != "a" || shown.Kind != mrtr.KindForm || shown.Message != "Name?" {
		t.Fatal(shown)
	}
	if err := flow.Answer("zz", []byte("{}"), 6); err == nil {
		t.Fatal("an answer to a key that was not asked was taken")
	}
	saved := must[string](t)(flow.Save())
	if _, err := c.Resume(saved, 0); !errors.Is(err, mrtr.CodeStaleHandle) {
		t.Fatal(err)
	}
	if err := flow.Cancel(7); err != nil {
		t.Fatal(err)
	}
	if stop, ok := must[mrtr.Event](t)(flow.Next(7)).(mrtr.StopAsk); !ok || stop.Key != "a" {
		t.Fatal(stop)
	}
	if end, ok := must[mrtr.Event](t)(flow.Next(7)).(mrtr.Done); !ok || !errors.Is(end.Err, mrtr.CodeCancelled) {
		t.Fatal(end)
	}
	if _, ok := must[mrtr.Event](t)(flow.Next(7)).(mrtr.Idle); !ok {
		t.Fatal("more than one end")
	}
	flow.Close()
	flow.Close()
	_, err := flow.Next(8)
	failure(t, err, mrtr.CodeStaleHandle)
}
