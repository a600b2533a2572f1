import Foundation
import MRTR

/// A call of a client of an older version, served by a handler in stages.
final class LegacyStory {
    struct Stuck: Error {}

    let story: Case
    let call: Legacy
    let handler: [Case]
    var answers: [Data: [Case]] = [:]
    var polls: UInt64
    var now = Date(timeIntervalSince1970: 0)
    var keys: [Data] = []
    var sends: [UInt32] = []
    var sent: [Any] = []
    var cancelled: [UInt32] = []
    var sleeps: [Int] = []
    var rounds = 0
    var seen: [String: Any] = [:]

    init(_ story: Case) throws {
        self.story = story
        var options = ServerOptions()
        options.gate = gates[story.string("gate") ?? "refuse"] ?? .refuse
        let server = try Server(sealer: try Sealer(keys: [key]), options: options)
        let peer = Peer(version: story.string("version") ?? "", capabilities: story.data("caps"), backChannel: story.flag("backChannel"))
        let request = Request(method: story.string("method") ?? "", params: story.data("params"), principal: principal(story))
        call = try Legacy(server, request, peer: peer)
        handler = try story.objects("handler")
        polls = story.uint("poll") ?? 0
        for (name, value) in (try story.object("answers") ?? .none).members {
            answers[name] = try Case(text: Data(#"{"list":"#.utf8) + value + Data("}".utf8)).objects("list")
        }
    }

    func tell() throws -> [String: Any] {
        while true {
            switch try call.next(at: now) {
            case .run: try handle()
            case .send(let ask, let method, let params):
                sent.append([method, text(params)] as [Any])
                sends.append(ask)
            case .cancel(let ask): cancelled.append(ask)
            case .sleep(let until):
                sleeps.append(Int((until.timeIntervalSince(now) * 1000).rounded()))
                now = until
            case .idle: try respond()
            case .done(let result, let rpc, let refused):
                if result == nil || refused != nil { seen["done"] = nil }
                seen["result"] = text(result)
                seen["rpc"] = text(rpc)
                if let refused { seen["refused"] = refused.name }
                seen["sent"] = sent
                seen["cancelled"] = cancelled
                seen["sleepsMs"] = sleeps
                seen["rounds"] = rounds
                return seen
            }
        }
    }

    private func handle() throws {
        rounds += 1
        do {
            try call.handled(serve(), at: now)
        } catch let error as MRTRError {
            guard let rpc = error.rpc else { throw error }
            try call.failed(rpc)
        }
    }

    private func serve() throws -> Data {
        let exchange = try call.exchange(at: now)
        if let state = try exchange.state() { seen["state"] = text(state) }
        if polls > 0 {
            polls -= 1
            try exchange.setState(Data("polling".utf8))
            return try exchange.result()
        }
        var told: [String: Any] = [:]
        var status = Named()
        try run(exchange, handler, &told, &status)
        keys = status.members.filter { ["missing", "invalid", "stale"].contains($0.value as? String) }.map(\.name)
        if let result = told["result"] as? Data { return result }
        seen["done"] = told["done"]
        return Data(#"{"content":[],"resultType":"complete"}"#.utf8)
    }

    /// Nothing more to do: the client answers what it was sent, or cancels.
    private func respond() throws {
        var silent = true
        for (ask, name) in zip(sends, keys) {
            guard let given = answers[name]?.first else { throw Stuck() }
            answers[name]?.removeFirst()
            if given.has("never") { continue }
            silent = false
            if let result = given.data("result") {
                try call.deliver(ask: ask, result)
            } else {
                try call.deliverError(ask: ask)
            }
        }
        sends = []
        guard silent else { return }
        guard story.flag("cancel") else { throw Stuck() }
        try call.cancel()
    }
}

func observeLegacy(_ story: Case) throws -> [String: Any] { try LegacyStory(story).tell() }
