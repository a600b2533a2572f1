//go:build cgo

package mrtr_test

import (
	"errors"
	"testing"
	"time"

	"mrtr"
)

// F4.
func TestRuntimeRunsFlowsSideBySide(t *testing.T) {
	c := must[*mrtr.Client](t)(mrtr.NewClient(mrtr.ClientOptions{Form: saying(mrtr.Decline(), nil)}))
	r := must[*mrtr.Runtime](t)(mrtr.NewRuntime())
	defer r.Close()
	const flows = 10
	for range flows {
		flow := must[*mrtr.Flow](t)(c.Begin("tools/call", []byte(params), mrtr.SystemClock))
		if err := r.Start(flow); err != nil {
			t.Fatal(err)
		}
	}
	for over := 0; over < flows; {
		flow, event, err := r.Next(20 * time.Second)
		if err != nil || event == nil {
			t.Fatal(event, err)
		}
		switch event := event.(type) {
		case mrtr.Send:
			result := ask
			if event.Leg == 2 {
				result = done
			}
			err = flow.Deliver(event.Leg, []byte(result), mrtr.SystemClock)
		case mrtr.ShowAsk:
			err = flow.Decline(event.Key, mrtr.SystemClock)
		case mrtr.Done:
			over++
			if event.Err != nil {
				t.Fatal(event.Err)
			}
			err = flow.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if _, event, err := r.Next(0); event != nil || err != nil {
		t.Fatal(event, err)
	}
}

// F4.
func TestRuntimeEndsInTwoSteps(t *testing.T) {
	c := must[*mrtr.Client](t)(mrtr.NewClient(mrtr.ClientOptions{}))
	r := must[*mrtr.Runtime](t)(mrtr.NewRuntime())
	flow := must[*mrtr.Flow](t)(c.Begin("tools/call", []byte(params), mrtr.SystemClock))
	defer flow.Close()
	if err := errors.Join(r.Start(flow), r.Wake(), r.Shutdown()); err != nil {
		t.Fatal(err)
	}
	var end *mrtr.Done
	for {
		_, event, err := r.Next(-1)
		if errors.Is(err, mrtr.ErrDrained) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if done, over := event.(mrtr.Done); over {
			end = &done
		}
	}
	if end == nil || end.Err == nil {
		t.Fatal("no end, or a good one", end)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
}
