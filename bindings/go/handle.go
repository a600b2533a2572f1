package mrtr

import (
	"runtime"
	"sync/atomic"
)

// owned is a handle with one life: Close, or the collector.
type owned struct {
	id      uint64
	closed  atomic.Bool
	cleanup runtime.Cleanup
}

// own must be given the object that users hold, so that the handle lives as long as they can reach it.
func own[T any](object *T, o *owned, id uint64, free func(uint64)) *T {
	o.id = id
	o.cleanup = runtime.AddCleanup(object, free, id)
	return object
}

func (o *owned) close(free func(uint64)) {
	if o.closed.CompareAndSwap(false, true) {
		o.cleanup.Stop()
		free(o.id)
	}
}
