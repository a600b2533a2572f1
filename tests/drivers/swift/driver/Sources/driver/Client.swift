import Foundation
import MRTR

let needs: [String: Needs] = [
    "elicitation.form": .form, "elicitation.url": .url, "sampling": .sampling, "sampling.tools": [.sampling, .samplingTools], "roots": .roots,
]

func makeClient(_ story: Case) throws -> Client {
    let o = try story.object("options") ?? .none
    var options = ClientOptions()
    for kind in story.strings("handlers") { options.declare.formUnion(needs[kind] ?? []) }
    options.protocolVersion = story.string("era")
    options.maxRounds = o.uint32("maxRounds")
    options.legTimeout = duration(o, "legTimeoutMs")
    options.inputTimeout = duration(o, "inputTimeoutMs")
    options.flowTimeout = duration(o, "flowTimeoutMs")
    options.pollBudget = duration(o, "pollBudgetMs")
    options.pacingInitial = duration(o, "pacingInitialMs")
    options.pacingMax = duration(o, "pacingMaxMs")
    options.jitter = o.flag("jitter")
    options.manual = o.flag("manual")
    options.strict = o.flag("strict")
    options.allowHTTP = o.flag("allowHttp")
    options.stateOnlyCounts = o.flag("stateOnlyCounts")
    options.resetOnProgress = o.flag("resetOnProgress")
    options.cancelIfUnavailable = o.flag("cancelIfUnavailable")
    options.maxAsks = o.uint("maxAsks")
    options.maxTokenBytes = o.uint("maxTokenBytes")
    options.maxMessageBytes = o.uint("maxMessageBytes")
    if o.has("serial") { options.order = o.flag("serial") ? .serial : .concurrent }
    return try Client(options)
}

func observeClient(_ story: Case) throws -> [String: Any] {
    let told = try Story(story)
    do {
        guard let done = try told.tell() else { return ["failed": "nothing is due any more and the flow has not ended"] }
        return told.observation(done.error, done.result)
    } catch let error as MRTRError {
        return told.observation(error, nil)
    }
}

/// A flow under a fake clock that jumps to the next due thing.
final class Story {
    enum Rank: Int { case peer, answer, cancel }

    let story: Case
    let legs: [Case]
    var answers: [Data: [Case]] = [:]
    var resume: Case?
    var now: UInt64 = 0
    var due: [(at: UInt64, rank: Rank, turn: Int, act: () throws -> Void)] = []
    var turn = 0
    var client: Client?
    var flow: Flow?
    var asking: Set<Data> = []

    var sent: [String] = [], shown: [String] = [], stopped: [String] = []
    var cancelled: [UInt32] = [], gaps: [UInt64] = [], progress: [Double] = []
    var rounds = 0
    var flags = Named(), again = Named()
    var declared: String?

    init(_ story: Case) throws {
        self.story = story
        legs = try story.objects("legs")
        resume = try story.object("resume")
        let given = try story.object("answers") ?? .none
        for (key, list) in given.members { answers[key] = try parts(of: list).map { try Case(text: $0.value) } }
    }

    func tell() throws -> Done? {
        let client = try makeClient(story)
        self.client = client
        declared = String(decoding: try client.capabilities(), as: UTF8.self)
        if let request = story.data("request") {
            flow = try client.incoming(request, version: story.string("era") ?? "", at: 0)
        } else {
            let call = try story.object("call") ?? .none
            flow = try client.begin(method: call.string("method") ?? "", params: call.data("params") ?? Data(), at: 0)
        }
        for page in try story.array("completed") {
            let pair = try parts(of: page)
            guard pair.count == 2, let at = try? JSONDecoder().decode(UInt64.self, from: pair[0].value) else { continue }
            let id = try? JSONDecoder().decode(String.self, from: pair[1].value)
            plan(at, .cancel) { [unowned self] in try flow?.complete(elicitationID: id, at: now) }
        }
        if let at = story.uint("cancelAtMs") { plan(at, .cancel) { [unowned self] in try flow?.cancel(at: now) } }
        while true {
            let (timer, done) = try drain()
            if let done { return done }
            if try !step(timer) { return nil }
        }
    }

    /// Takes events until the flow waits; tells the time that it waits for.
    func drain() throws -> (UInt64?, Done?) {
        while let flow {
            switch try flow.next(at: now) {
            case .done(let done): return (nil, done)
            case .sleep(let until, _): if try !moveOn() { return (until, nil) }
            case let event: take(event)
            }
        }
        return (nil, nil)
    }

    func take(_ event: Event) {
        switch event {
        case .send(let leg):
            sent.append(String(decoding: leg.params, as: UTF8.self))
            if leg.paced > 0 { gaps.append(leg.paced) }
            plan(leg: leg.leg)
        case .ask(let ask): show(ask)
        case .stopAsk(let key):
            stopped.append(key)
            asking.remove(Data(key.utf8))
        case .cancelLeg(let leg, _): cancelled.append(leg)
        case .round: rounds += 1
        case .progress(_, let value): progress.append(value)
        case .note, .sleep, .done, .idle: break
        }
    }

    func plan(_ at: UInt64, _ rank: Rank, _ act: @escaping () throws -> Void) {
        turn += 1
        due.append((at, rank, turn, act))
    }

    func plan(leg: UInt32) {
        guard sent.count <= legs.count else { return }
        let fate = legs[sent.count - 1]
        let steps = fate.raw("progress").flatMap { try? JSONDecoder().decode([[Double]].self, from: $0) } ?? []
        for step in steps {
            plan(now + UInt64(step[0]), .peer) { [unowned self] in try flow?.progress(leg: leg, value: step[1], at: now) }
        }
        let at = now + (fate.uint("afterMs") ?? 0)
        if let result = fate.data("result") {
            plan(at, .peer) { [unowned self] in try flow?.deliver(leg: leg, result: result, at: now) }
        } else if let error = fate.data("error") {
            plan(at, .peer) { [unowned self] in try flow?.deliver(leg: leg, error: error, at: now) }
        } else if fate.flag("lost") {
            plan(at, .peer) { [unowned self] in try flow?.lost(leg: leg, at: now) }
        }
    }

    func show(_ ask: Ask) {
        shown.append(ask.key)
        asking.insert(Data(ask.key.utf8))
        if ask.kind == .url {
            let names: [(Ask.Flags, String)] = [
                (.notHTTPS, "not_https"), (.userInfo, "user_info"), (.ipLiteral, "ip_literal"), (.punycode, "punycode"), (.mixedScript, "mixed_script"),
            ]
            flags[ask.key] = names.filter { ask.flags.contains($0.0) }.map(\.1)
        }
        if ask.previouslyDeclined { again[ask.key] = true }
        if let first = answers[Data(ask.key.utf8)]?.first, !first.has("never") {
            plan(now + (first.uint("afterMs") ?? 0), .answer) { [unowned self] in try answer(ask.key) }
        }
    }

    func answer(_ key: String) throws {
        let name = Data(key.utf8)
        guard asking.remove(name) != nil, let said = answers[name]?.removeFirst() else { return }
        let reply: Reply =
            if let value = said.data("value") { .value(value) } else if said.has("decline") { .decline } else if said.has("cancel") { .cancel
            } else if said.has("refuse") { .refuse } else if said.has("unavailable") { .unavailable } else { .fail(said.string("fail") ?? "") }
        try flow?.reply(key, reply, at: now)
    }

    /// Jumps to the next due thing and does it; a planned thing comes before a timer of the same time.
    func step(_ timer: UInt64?) throws -> Bool {
        let next = due.indices.min { (due[$0].at, due[$0].rank.rawValue, due[$0].turn) < (due[$1].at, due[$1].rank.rawValue, due[$1].turn) }
        if let next, timer == nil || due[next].at <= timer! {
            let thing = due.remove(at: next)
            now = max(now, thing.at)
            try thing.act()
            return true
        }
        guard let timer else { return false }
        now = max(now, timer)
        return true
    }

    /// Exports the flow, drops it and goes on from the text with a new client, once its leg's asks were shown.
    func moveOn() throws -> Bool {
        guard let resume, UInt64(sent.count) == resume.uint("afterLeg"), !asking.isEmpty, let saved = try flow?.save() else { return false }
        self.resume = nil
        flow = nil
        due.removeAll { $0.rank != .cancel }
        asking.removeAll()
        let client = try makeClient(story)
        self.client = client
        flow = try client.resume(String(saved.dropLast(Int(resume.uint("truncate") ?? 0))), at: now)
        if let key = resume.string("answerKey") { try flow?.reply(key, .value(Data("{}".utf8)), at: now) }
        return true
    }

    func observation(_ error: MRTRError?, _ result: Data?) -> [String: Any] {
        [
            "end": error?.code.name ?? "complete", "legs": sent.count, "sent": sent, "shown": shown, "stopped": stopped, "cancelledLegs": cancelled,
            "key": error?.key ?? NSNull(), "result": text(result), "endMs": now, "gapsMs": gaps, "continuation": error?.continuation != nil,
            "flags": flags, "progress": progress, "rounds": rounds, "declared": declared ?? NSNull(), "again": again,
        ]
    }
}
