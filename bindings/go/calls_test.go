//go:build cgo

package mrtr_test

import (
	"context"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"mrtr"
)

const wait = `{"resultType":"input_required","requestState":"s"}`

// C5, C7, C12: what one call may have of its own; the next is as the client says again.
func TestOptionsOfOneCall(t *testing.T) {
	c := must[*mrtr.Client](t)(mrtr.NewClient(mrtr.ClientOptions{
		Form: saying(mrtr.AcceptWith([]byte(`{"n":"x"}`)), nil), NoJitter: true, ContinuationKeys: [][]byte{key},
	}))
	defer c.Close()
	never := func(ctx context.Context, _ mrtr.Leg) (json.RawMessage, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	for name, story := range map[string]struct {
		transport mrtr.Transport
		option    mrtr.CallOption
		code      mrtr.Code
	}{
		"manual":      {(&script{results: []any{ask}}).send, func(o *mrtr.ClientOptions) { o.Manual = true }, mrtr.CodeInputRequired},
		"leg":         {never, func(o *mrtr.ClientOptions) { o.LegTimeout = 20 * time.Millisecond }, mrtr.CodeLegTimeout},
		"flow":        {never, func(o *mrtr.ClientOptions) { o.FlowTimeout = 20 * time.Millisecond }, mrtr.CodeFlowTimeout},
		"rounds":      {(&script{results: []any{ask}}).send, func(o *mrtr.ClientOptions) { o.MaxRounds = new(uint32) }, mrtr.CodeRoundsExceeded},
		"poll budget": {(&script{results: []any{wait}}).send, func(o *mrtr.ClientOptions) { o.PollBudget = time.Millisecond }, mrtr.CodePollBudgetExceeded},
		"strict":      {(&script{results: []any{`{"content":[]}`}}).send, func(o *mrtr.ClientOptions) { o.Strict = true }, mrtr.CodeInvalidResult},
		"config":      {never, func(o *mrtr.ClientOptions) { o.LegTimeout = time.Nanosecond }, mrtr.CodeConfigError},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := c.Call(context.Background(), "tools/call", []byte(params), story.transport, story.option)
			e := failure(t, err, story.code)
			if name == "manual" && !strings.HasPrefix(e.Continuation, "mrtrs1.") {
				t.Fatal("the keys of the client seal its continuations")
			}
		})
	}
	if _, err := c.Call(context.Background(), "tools/call", []byte(params), (&script{results: []any{ask, done}}).send); err != nil {
		t.Fatal(err)
	}
	capabilities := must[json.RawMessage](t)(c.Capabilities())
	server := &script{results: []any{done}}
	drop := func(o *mrtr.ClientOptions) { o.Form = nil }
	if _, err := c.Call(context.Background(), "tools/call", []byte(params), server.send, drop); err != nil || !strings.Contains(server.sent[0], string(capabilities)) {
		t.Fatal("handlers stay the client's (C16)", err, server.sent)
	}
}

// C15.
func TestACallTellsOfRoundsProgressAndNotes(t *testing.T) {
	var seen []any
	c := must[*mrtr.Client](t)(mrtr.NewClient(mrtr.ClientOptions{Form: saying(mrtr.Decline(), nil), OnRound: func(n uint32) { seen = append(seen, n) }}))
	defer c.Close()
	results := []string{ask, `{"content":[]}`}
	transport := func(_ context.Context, leg mrtr.Leg) (json.RawMessage, error) {
		for _, value := range []float64{3, 1, 5} {
			leg.Progress(value + float64(10*leg.Leg))
		}
		return json.RawMessage(results[leg.Leg-1]), nil
	}
	_, err := c.Call(context.Background(), "tools/call", []byte(`{"name":"x","_meta":{"progressToken":1}}`), transport, func(o *mrtr.ClientOptions) {
		o.OnProgress = func(value float64) { seen = append(seen, value) }
		o.OnNote = func(text string) { seen = append(seen, text != "") }
	})
	if want := []any{13.0, 15.0, uint32(1), 23.0, 25.0, true}; err != nil || !reflect.DeepEqual(seen, want) {
		t.Fatal(err, seen)
	}
}

// C10, L2: what is told from elsewhere wakes a call that sleeps.
func TestASleepingCallWakes(t *testing.T) {
	const pages = `{"code":-32042,"message":"open","data":{"elicitations":[{"mode":"url","message":"Pay","url":"https://pay.example/1","elicitationId":"e1"}]}}`
	c := must[*mrtr.Client](t)(mrtr.NewClient(mrtr.ClientOptions{
		URL: saying(mrtr.AcceptURL(), nil), ProtocolVersion: "2025-11-25", NoJitter: true, PacingInitial: time.Minute, PacingMax: time.Minute,
	}))
	defer c.Close()
	began := time.Now()
	flow := must[*mrtr.Flow](t)(c.Begin("tools/call", []byte(params), mrtr.SystemClock))
	defer flow.Close()
	time.AfterFunc(50*time.Millisecond, func() { _ = flow.Complete(pointer("e1"), mrtr.SystemClock) })
	server := &script{results: []any{&mrtr.RPCError{Object: []byte(pages)}, done}}
	if _, err := c.Drive(context.Background(), flow, server.send); err != nil || strings.Contains(server.sent[1], "inputResponses") {
		t.Fatal(err, server.sent)
	}
	sleeps := must[*mrtr.Flow](t)(c.Begin("tools/call", []byte(params), mrtr.SystemClock))
	defer sleeps.Close()
	time.AfterFunc(50*time.Millisecond, func() { _ = sleeps.Cancel(mrtr.SystemClock) })
	_, err := c.Drive(context.Background(), sleeps, (&script{results: []any{wait}}).send)
	failure(t, err, mrtr.CodeCancelled)
	if time.Since(began) > 20*time.Second {
		t.Fatal("it slept on")
	}
}

func pointer(text string) *string { return &text }
