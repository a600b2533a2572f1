package mrtr

import (
	"context"
	"errors"
	"time"
)

// driver runs a flow: legs and handlers in goroutines of their own, the flow's clock in run.
// A handler that ignores its context is left behind: what it says later finds the flow closed.
type driver struct {
	client    *Client
	flow      *Flow
	transport Transport
	ctx       context.Context
	asks      map[string]context.CancelFunc
	legs      map[uint32]context.CancelFunc
	cancelled bool
}

func (d *driver) run() (*Result, error) {
	for {
		// Before the first event too: a call that was cancelled before it began sends nothing.
		if d.ctx.Err() != nil && !d.cancelled {
			d.cancelled = true
			if err := d.flow.Cancel(SystemClock); err != nil {
				return nil, err
			}
		}
		event, err := d.flow.Next(SystemClock)
		if err != nil {
			return nil, err
		}
		switch event := event.(type) {
		case Done:
			if event.Err != nil {
				return nil, event.Err
			}
			return &Result{event.Result, event.Rounds, event.Cacheable}, nil
		case Idle:
			return nil, &Error{Code: CodeWrongState, Message: "this flow was driven to its end before"}
		case Sleep:
			d.sleep(event)
		default:
			d.act(event)
		}
	}
}

func (d *driver) act(event Event) {
	switch event := event.(type) {
	case Send:
		d.send(event)
	case ShowAsk:
		d.show(event)
	case CancelLeg:
		stop(d.legs, event.Leg)
	case StopAsk:
		stop(d.asks, event.Key)
	case Round:
		tell(d.flow.options.OnRound, event.Number)
	case Progress:
		tell(d.flow.options.OnProgress, event.Value)
	case Note:
		tell(d.flow.options.OnNote, event.Text)
	}
}

func tell[T any](listener func(T), value T) {
	if listener != nil {
		listener(value)
	}
}

func stop[K comparable](running map[K]context.CancelFunc, key K) {
	if cancel, ok := running[key]; ok {
		cancel()
		delete(running, key)
	}
}

func (d *driver) sleep(event Sleep) {
	var timer <-chan time.Time
	if event.UntilMS != nil {
		now := MonotonicMS()
		timer = time.After(time.Duration(max(*event.UntilMS, now)-now) * time.Millisecond)
	}
	over := d.ctx.Done()
	if d.cancelled {
		over = nil
	}
	select {
	case <-timer:
	case <-d.flow.woken:
	case <-over:
	}
}

func (d *driver) send(leg Send) {
	ctx, cancel := context.WithCancel(d.ctx)
	d.legs[leg.Leg] = cancel
	go func() {
		defer d.flow.wake()
		defer cancel()
		progress := func(value float64) {
			_ = d.flow.Progress(leg.Leg, value, SystemClock) // a late value is no fault
			d.flow.wake()
		}
		result, err := d.transport(ctx, Leg{leg, progress})
		switch rpc := asRPC(err); {
		case err == nil:
			err = d.flow.Deliver(leg.Leg, result, SystemClock)
		case rpc != nil:
			err = d.flow.DeliverError(leg.Leg, rpc.Object, SystemClock)
		case ctx.Err() != nil:
			return // cancelled by the flow itself, or with it
		}
		if err != nil {
			_ = d.flow.Lost(leg.Leg, SystemClock) // the only failure left: what came was no text of a message
		}
	}()
}

func (d *driver) show(ask ShowAsk) {
	handler := d.client.options.handler(ask.Kind)
	if handler == nil {
		_ = d.flow.Unavailable(ask.Key, SystemClock)
		return
	}
	ctx, cancel := context.WithCancel(d.ctx)
	d.asks[ask.Key] = cancel
	go func() {
		defer d.flow.wake()
		defer cancel()
		reply, err := guarded(ctx, handler, ask)
		if err == nil && reply.act == actNothing {
			err = errors.New("the handler gave no reply")
		}
		if err == nil {
			err = d.flow.act(reply.act, ask.Key, reply.value, SystemClock)
		}
		if err != nil && ctx.Err() == nil {
			_ = d.flow.Fail(ask.Key, err.Error(), SystemClock) // stopped meanwhile: nothing to tell
		}
	}()
}
