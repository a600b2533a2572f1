import CMRTR
import Foundation

/// Runs many flows and keeps their clocks; `next` gives their events, one stream for all. No thread of the library enters Swift.
/// A single call is easier with `Client.call`, which needs none.
///
/// Its end has two steps: `shutdown` cancels what runs; when `next` has said `drained`, let go of it. Safe to share.
public final class Runtime: @unchecked Sendable {
    /// What `next` found.
    public enum Taken: Sendable {
        case event(Flow, Event)
        /// The time is over, or `wake` was called.
        case nothing
        /// Shut down, and everything was told.
        case drained
    }

    private let handle: Handle
    private let queue: Handle
    private let lock = NSLock()
    private var flows: [UInt64: Flow] = [:]

    /// Needs the feature "runtime".
    public init() throws {
        var made = mrtr_runtime()
        var from = mrtr_queue()
        var error = mrtr_error()
        try check(mrtr_runtime_new(nil, nil, &made, &error), error)
        handle = Handle(made.id) { _ = mrtr_runtime_free(mrtr_runtime(id: $0)) }
        try check(mrtr_runtime_queue(made, &from, &error), error)
        queue = Handle(from.id) { _ = mrtr_queue_free(mrtr_queue(id: $0)) }
    }

    private var raw: mrtr_queue { mrtr_queue(id: queue.id) }

    /// Takes a flow over that was begun with `Flow.systemClock`. It is kept until its end.
    public func start(_ flow: Flow) throws {
        try lock.withLock {
            var error = mrtr_error()
            try check(mrtr_runtime_start(mrtr_runtime(id: handle.id), mrtr_flow(id: flow.handle.id), &error), error)
            flows[flow.handle.id] = flow
        }
    }

    /// The next event; waits for one at most that many milliseconds (nil: without end). It blocks its thread: keep it off the main one,
    /// or watch `descriptor` and use 0.
    public func next(milliseconds: UInt64? = nil) throws -> Taken {
        while true {
            var out = mrtr_event()
            out.struct_size = size(mrtr_event.self)
            var of = mrtr_flow()
            var error = mrtr_error()
            try check(mrtr_queue_next(raw, milliseconds ?? UInt64.max, &of, &out, &error), error)
            if out.type == UInt32(MRTR_EVENT_DRAINED) { return .drained }
            if out.type == UInt32(MRTR_EVENT_IDLE) { return .nothing }
            let event = read(out)
            mrtr_buf_free(&out.storage)
            let over = out.type == UInt32(MRTR_EVENT_DONE)
            let flow = lock.withLock { over ? flows.removeValue(forKey: of.id) : flows[of.id] }
            if let flow { return .event(flow, event) }
        }
    }

    /// Lets a `next` that waits come back with nothing.
    public func wake() throws {
        var error = mrtr_error()
        try check(mrtr_queue_wake(raw, &error), error)
    }

    /// For a `DispatchSource` or a run loop: readable while `next` would not wait. Never read or close it.
    public func descriptor() throws -> Int32 {
        var descriptor: Int32 = -1
        var error = mrtr_error()
        try check(mrtr_queue_fd(raw, &descriptor, &error), error)
        return descriptor
    }

    /// Takes no flow any more and cancels those that run; their ends still come from `next`.
    public func shutdown() throws {
        var error = mrtr_error()
        try check(mrtr_runtime_close(mrtr_runtime(id: handle.id), &error), error)
    }
}
