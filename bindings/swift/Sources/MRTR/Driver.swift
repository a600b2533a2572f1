import Foundation

/// Runs a flow: legs and handlers in tasks of their own, the flow's clock in `run`. A handler that ignores its
/// cancellation is left behind; what it says later finds the flow over.
struct Driver: Sendable {
    let handlers: ClientOptions
    let listeners: ClientOptions
    let flow: Flow
    let transport: Transport

    func run() async throws -> CallResult {
        var iterator = flow.wakes.makeAsyncIterator()
        var legs: [UInt32: Task<Void, Never>] = [:]
        // Keys as bytes: strings that differ only in how an accent is composed are equal in Swift, and two asks here (J3).
        var asks: [Data: Task<Void, Never>] = [:]
        while true {
            switch try flow.next() {
            case .send(let request): legs[request.leg] = send(request)
            case .cancelLeg(let leg, _): legs.removeValue(forKey: leg)?.cancel()
            case .ask(let ask): asks[Data(ask.key.utf8)] = show(ask)
            case .stopAsk(let key): asks.removeValue(forKey: Data(key.utf8))?.cancel()
            case .sleep(let until, _):
                let timer = timer(until)
                _ = await iterator.next()
                timer?.cancel()
            case .done(let done):
                for task in legs.values { task.cancel() }
                for task in asks.values { task.cancel() }
                return try result(done)
            case .idle: throw MRTRError(code: .wrongState, message: "this flow was driven to its end before")
            case .round(let number): listeners.onRound?(number)
            case .progress(_, let value): listeners.onProgress?(value)
            case .note(let text, _): listeners.onNote?(text)
            }
        }
    }

    private func result(_ done: Done) throws -> CallResult {
        if let error = done.error { throw error }
        return CallResult(json: done.result ?? Data(), rounds: done.rounds, cacheable: done.cacheable)
    }

    private func timer(_ until: UInt64?) -> Task<Void, Never>? {
        guard let until else { return nil }
        let now = Flow.now
        let wait = until > now ? until - now : 0
        return Task { [flow] in
            do { try await Task.sleep(nanoseconds: min(wait, 1 << 40) * 1_000_000) } catch { return }
            flow.wake()
        }
    }

    private func send(_ request: Send) -> Task<Void, Never> {
        Task { [flow, transport] in
            do {
                let result = try await transport(Leg(request: request, flow: flow))
                try flow.deliver(leg: request.leg, result: result)
            } catch let answer as RPCError {
                do { try flow.deliver(leg: request.leg, error: answer.object) } catch { try? flow.lost(leg: request.leg) }
            } catch {
                // What the flow cancelled itself is no lost connection.
                if !Task.isCancelled { try? flow.lost(leg: request.leg) }
            }
            flow.wake()
        }
    }

    private func show(_ ask: Ask) -> Task<Void, Never> {
        Task { [flow, handlers] in
            do {
                let handler = handlers.handler(ask.kind)
                let reply = try await handler?(ask) ?? .unavailable
                try flow.reply(ask.key, reply)
            } catch {
                // Stopped meanwhile: nothing to tell.
                if !Task.isCancelled { try? flow.reply(ask.key, .fail(String(describing: error))) }
            }
            flow.wake()
        }
    }
}
