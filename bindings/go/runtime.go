package mrtr

import (
	"errors"
	"runtime"
	"sync"
	"time"
)

// Runtime runs many flows and keeps their clocks; [Runtime.Next] gives their events, one stream for all.
// No thread of the library enters Go. A single call is easier with [Client.Call], which needs none.
//
// Its end has two steps: Shutdown cancels what runs; when Next has said [ErrDrained], Close frees it. Safe for concurrent use.
type Runtime struct {
	owned
	queue uint64
	mu    sync.Mutex
	flows map[uint64]*Flow
}

// ErrDrained says that a runtime was shut down and everything was told.
var ErrDrained = errors.New("mrtr: the runtime is shut down and drained")

// NewRuntime needs the feature "runtime" ([HasFeature]).
func NewRuntime() (*Runtime, error) {
	id, queue, err := nativeRuntimeNew()
	if err != nil {
		return nil, err
	}
	r := &Runtime{queue: queue, flows: make(map[uint64]*Flow)}
	return own(r, &r.owned, id, func(id uint64) { nativeRuntimeFree(id, queue) }), nil
}

// Start takes a flow over that was begun with [SystemClock]. It is kept until its end.
func (r *Runtime) Start(flow *Flow) error {
	defer runtime.KeepAlive(r)
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := nativeRuntimeStart(r.id, flow.id); err != nil {
		return err
	}
	r.flows[flow.id] = flow
	return nil
}

// Next waits for the next event, at most that long; forever if negative. No flow and no event: the time is over, or Wake was called.
// [ErrDrained] after Shutdown, when all was told.
func (r *Runtime) Next(wait time.Duration) (*Flow, Event, error) {
	defer runtime.KeepAlive(r)
	for {
		id, event, err := nativeQueueNext(r.queue, wait)
		if err != nil || event == nil {
			return nil, nil, err
		}
		if flow := r.flow(id, event); flow != nil {
			return flow, event, nil
		}
	}
}

func (r *Runtime) flow(id uint64, event Event) *Flow {
	r.mu.Lock()
	defer r.mu.Unlock()
	flow := r.flows[id]
	if _, over := event.(Done); over {
		delete(r.flows, id)
	}
	return flow
}

// Wake lets a Next that waits come back without an event.
func (r *Runtime) Wake() error {
	defer runtime.KeepAlive(r)
	return nativeQueueWake(r.queue)
}

// Shutdown takes no flow any more and cancels those that run; their ends still come from Next.
func (r *Runtime) Shutdown() error {
	defer runtime.KeepAlive(r)
	return nativeRuntimeClose(r.id)
}

// Close frees the runtime; what is left is thrown away. More than once is fine.
func (r *Runtime) Close() error {
	r.close(func(id uint64) { nativeRuntimeFree(id, r.queue) })
	return nil
}
