"""`Runtime`: many flows whose clocks the library keeps; their events come through one queue that this process empties (F4).

No thread of the library ever enters the interpreter: its timers run in a thread that knows nothing of Python.
"""

from __future__ import annotations

import threading
from ctypes import byref, c_int32, c_uint32, c_uint64, sizeof
from dataclasses import dataclass
from types import TracebackType

from . import _native as native
from ._call import lend
from ._handle import Owned
from .flow import Event, Flow, read_event


@dataclass(frozen=True)
class Drained:
    """The runtime is shut down and all was told: nothing comes any more."""


class Runtime(Owned):
    """Runs many flows. Any thread may use it; `next` on one thread at a time keeps the order of each flow.

    Its end has two steps: `shutdown` cancels what runs, and when `next` has said `Drained`, `close` frees it. A ``with`` block does all three.
    After ``os.fork`` a child cannot use it: every call raises `MrtrError` (wrong_state) there.
    """

    _FREE = native.bare("mrtr_runtime_free")

    def __init__(self) -> None:
        options = native.RuntimeOptions()
        native.lib.mrtr_runtime_options_init(byref(options), sizeof(options), native.ABI)
        handle, error = c_uint64(), c_uint64()
        native.check(native.lib.mrtr_runtime_new(byref(options), None, byref(handle), byref(error)), error)
        super().__init__(handle)
        queue = c_uint64()
        native.check(native.lib.mrtr_runtime_queue(handle, byref(queue), byref(error)), error)
        self._queue = _Queue(queue)
        self._flows: dict[int, Flow] = {}
        self._lock = threading.Lock()

    def start(self, flow: Flow) -> None:
        """Takes a flow over that was begun with the default clock; its events come from `next` from now on. It is kept until its end."""
        with self._lock:
            self._flows[flow._handle.value] = flow
        error = c_uint64()
        status = native.lib.mrtr_runtime_start(self._handle, flow._handle, byref(error))
        if status != 0:
            with self._lock:
                self._flows.pop(flow._handle.value, None)
        native.check(status, error)

    def next(self, timeout_s: float | None = None) -> tuple[Flow | None, Event | Drained] | None:
        """The next event and its flow; None when the time is over or `wake` was called. `Drained` comes without a flow, and again
        each time, also after `close`."""
        flow, call = c_uint64(), lend()
        try:
            while True:
                status = native.lib.mrtr_queue_next(self._queue._handle, _ms(timeout_s), byref(flow), call.event_at, call.error_at)
                if self.closed:
                    # Closed while this thread was on its way, at the end of the process perhaps.
                    native.lib.mrtr_buf_free(byref(call.event.storage))
                    native.lib.mrtr_error_free(call.error)
                    return None, Drained()
                native.check(status, call.error)
                type = call.event.type
                if type == _DRAINED:
                    return None, Drained()
                if type == _IDLE:
                    return None
                event = read_event(call)
                with self._lock:
                    of = self._flows.pop(flow.value, None) if type == _DONE else self._flows.get(flow.value)
                if of is not None:
                    return of, event
        finally:
            call.done()

    def wake(self) -> None:
        """Lets a `next` that waits come back with None, or the next one that would wait."""
        error = c_uint64()
        native.check(native.lib.mrtr_queue_wake(self._queue._handle, byref(error)), error)

    def fileno(self) -> int:
        """A descriptor for `selectors` and event loops: readable while `next` would not wait. Never read or close it."""
        fd, error = c_int32(), c_uint64()
        native.check(native.lib.mrtr_queue_fd(self._queue._handle, byref(fd), byref(error)), error)
        return int(fd.value)

    def shutdown(self) -> None:
        """Takes no flow any more and cancels those that run; their ends still come from `next`, and then `Drained`."""
        error = c_uint64()
        native.check(native.lib.mrtr_runtime_close(self._handle, byref(error)), error)

    def wait(self, timeout_s: float | None = None) -> bool:
        """Waits until another thread has taken everything after `shutdown`; False if the time is over first."""
        drained, error = c_uint32(), c_uint64()
        native.check(native.lib.mrtr_runtime_wait(self._handle, _ms(timeout_s), byref(drained), byref(error)), error)
        return bool(drained.value)

    def close(self) -> None:
        """Frees it now; what is left is thrown away."""
        super().close()
        self._queue.close()
        with self._lock:
            self._flows.clear()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if not self.closed:
            self.shutdown()
            # Nobody wants these ends any more; they are taken so that nothing of the library runs on.
            while not isinstance((self.next(0) or (None, None))[1], Drained):
                pass
        super().__exit__(kind, error, trace)


class _Queue(Owned):
    _FREE = native.bare("mrtr_queue_free")


_IDLE, _DONE, _DRAINED = 0, 9, 10


def _ms(timeout_s: float | None) -> int:
    return native.NO_LIMIT if timeout_s is None else min(max(0, round(timeout_s * 1000)), native.NO_LIMIT - 1)
