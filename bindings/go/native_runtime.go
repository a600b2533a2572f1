//go:build cgo

package mrtr

/*
#include <mrtr.h>
*/
import "C"

import (
	"time"
	"unsafe"
)

func nativeRuntimeNew() (id, queue uint64, err error) {
	var made C.mrtr_runtime
	var from C.mrtr_queue
	var why C.mrtr_error
	if status := C.mrtr_runtime_new(nil, nil, &made, &why); status != 0 {
		return 0, 0, lift(status, why)
	}
	if status := C.mrtr_runtime_queue(made, &from, &why); status != 0 {
		C.mrtr_runtime_free(made)
		return 0, 0, lift(status, why)
	}
	return uint64(made.id), uint64(from.id), nil
}

func nativeRuntimeStart(id, flowID uint64) error {
	var err C.mrtr_error
	return failure(C.mrtr_runtime_start(C.mrtr_runtime{id: C.uint64_t(id)}, flow(flowID), &err), err)
}

func nativeRuntimeClose(id uint64) error {
	var err C.mrtr_error
	return failure(C.mrtr_runtime_close(C.mrtr_runtime{id: C.uint64_t(id)}, &err), err)
}

func nativeRuntimeFree(id, queue uint64) {
	C.mrtr_runtime_free(C.mrtr_runtime{id: C.uint64_t(id)})
	C.mrtr_queue_free(C.mrtr_queue{id: C.uint64_t(queue)})
}

func nativeQueueNext(queue uint64, wait time.Duration) (uint64, Event, error) {
	ms := C.uint64_t(noLimit)
	if wait >= 0 {
		ms = C.uint64_t((wait + time.Millisecond - 1) / time.Millisecond)
	}
	e := C.mrtr_event{struct_size: C.uint32_t(unsafe.Sizeof(C.mrtr_event{}))}
	var of C.mrtr_flow
	var err C.mrtr_error
	if status := C.mrtr_queue_next(C.mrtr_queue{id: C.uint64_t(queue)}, ms, &of, &e, &err); status != 0 {
		return 0, nil, lift(status, err)
	}
	defer C.mrtr_buf_free(&e.storage)
	switch e._type {
	case C.MRTR_EVENT_IDLE:
		return 0, nil, nil
	case C.MRTR_EVENT_DRAINED:
		return 0, nil, ErrDrained
	}
	return uint64(of.id), read(&e), nil
}

func nativeQueueWake(queue uint64) error {
	var err C.mrtr_error
	return failure(C.mrtr_queue_wake(C.mrtr_queue{id: C.uint64_t(queue)}, &err), err)
}
