import Foundation
import MRTR

let key = Data(0..<32)
let gates: [String: Gate] = ["refuse": .refuse, "filter": .filter]

func observeServer(_ story: Case) throws -> [String: Any] {
    let options = try story.object("options") ?? .none
    var sealing = SealerOptions()
    sealing.maxRounds = options.uint32("maxRounds")
    sealing.maxStateBytes = options.uint("maxStateBytes")
    var serving = ServerOptions()
    serving.gate = gates[options.string("gate") ?? "refuse"] ?? .refuse
    serving.maxAsks = options.uint("maxAsks")
    let sealer = options.flag("noSealer") ? nil : try Sealer(keys: [key], options: sealing)
    let server = try Server(sealer: sealer, options: serving)
    var legs: [[String: Any]] = []
    var token = "null"
    var handler = try story.objects("handler")
    for leg in try story.objects("legs") {
        if leg.has("handler") { handler = try leg.objects("handler") }
        var seen = try serve(server, story, leg, handler, token)
        if let result = seen.removeValue(forKey: "result") as? Data {
            let state = try member(of: result, "requestState")
            seen["asks"] = try asked(result)
            seen["token"] = state != nil
            // For another driver, which the next leg may go to.
            if let state { seen["requestState"] = try decodedText(state) }
            token = state.map { String(decoding: $0, as: UTF8.self) } ?? "null"
        }
        legs.append(seen)
    }
    return ["legs": legs]
}

/// Keys of `inputRequests` in the order of the text.
func asked(_ result: Data) throws -> [String] {
    try member(of: result, "inputRequests").map { try Case(text: $0).members.map(\.name.utf8) } ?? []
}

/// The params text with the retry fields and, where it has none, the capabilities spliced in.
func params(_ story: Case, _ leg: Case, _ token: String) -> Data {
    var params = (leg.string("params") ?? story.string("params") ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
    let caps = "\"io.modelcontextprotocol/clientCapabilities\":" + (story.string("caps") ?? "{}")
    var extra: [String] = []
    if let meta = params.range(of: "\"_meta\""), let open = params.range(of: "{", range: meta.upperBound..<params.endIndex) {
        let empty = params[open.upperBound...].drop { $0 == " " }.first == "}"
        params.insert(contentsOf: caps + (empty ? "" : ","), at: open.upperBound)
    } else {
        extra.append("\"_meta\":{\(caps)}")
    }
    if let answers = leg.string("answers") { extra.append("\"inputResponses\":" + answers) }
    if let raw = leg.string("tokenJson") {
        extra.append("\"requestState\":" + raw)
    } else if leg.string("token") == "echo" {
        extra.append("\"requestState\":" + token)
    } else if let sent = leg.string("token"), sent != "none", let raw = try? JSONSerialization.data(withJSONObject: sent, options: .fragmentsAllowed) {
        extra.append("\"requestState\":" + String(decoding: raw, as: UTF8.self))
    }
    var body = String(params.dropLast())
    while body.last?.isWhitespace == true { body.removeLast() }
    if !extra.isEmpty && body.last != "{" { body += "," }
    return Data((body + extra.joined(separator: ",") + "}").utf8)
}

func serve(_ server: Server, _ story: Case, _ leg: Case, _ handler: [Case], _ token: String) throws -> [String: Any] {
    var seen: [String: Any] = ["token": false]
    var status = Named()
    do {
        let who = leg.has("principal") ? principal(leg) : principal(story)
        let request = Request(method: story.string("method") ?? "", params: params(story, leg, token), principal: who)
        let exchange = try server.begin(request, at: moment(leg))
        if let state = try exchange.state() { seen["state"] = text(state) }
        try run(exchange, handler, &seen, &status)
    } catch let error as MRTRError {
        seen.merge(try told(error)) { _, new in new }
    }
    seen["status"] = status
    return seen
}

func run(_ exchange: Exchange, _ handler: [Case], _ seen: inout [String: Any], _ status: inout Named) throws {
    var done = Named()
    for stage in handler {
        if let state = stage.data("state") { try exchange.setState(state) }
        var settled = true
        for (name, ask) in try stage.texts("asks") {
            let key = name.utf8
            let answer = try exchange.ask(key, ask)
            status[key] = String(describing: answer.status)
            switch answer.status {
            case .accepted: done[key] = ask.utf8.contains(#""mode":"url""#) ? "accepted" : String(decoding: answer.content ?? Data(), as: UTF8.self)
            case .declined, .cancelled, .unaskable: done[key] = String(describing: answer.status)
            case .missing, .invalid, .stale: settled = false
            }
        }
        if !settled {
            seen["result"] = try exchange.result()
            return
        }
    }
    seen["done"] = done
}

func told(_ error: MRTRError) throws -> [String: Any] {
    guard let rpc = error.rpc else { return ["error": ["code": NSNull(), "reason": error.code.name]] }
    let data = try member(of: rpc, "data")
    var reason: Any = NSNull()
    if let data, let object = try? Case(text: data), let why = object.string("reason") { reason = why }
    return ["error": ["code": error.rpcCode ?? 0, "reason": reason], "data": text(data)]
}

func observeBuild(_ story: Case) throws -> [String: Any] {
    var builder = ResultBuilder(method: story.string("method") ?? "")
    builder.asks = try story.array("asks").map { pair in
        let parts = try JSONDecoder().decode([String].self, from: pair)
        return (key: parts[0], ask: Data(parts[1].utf8))
    }
    builder.state = story.string("state")
    builder.capabilities = story.data("caps")
    builder.gate = gates[story.string("gate") ?? "refuse"] ?? .refuse
    builder.allowHTTP = story.flag("allowHttp")
    builder.allowSecret = story.strings("allowSecret")
    do {
        let built = try builder.build()
        return ["result": text(built.result), "warnings": built.warnings]
    } catch let error as MRTRError {
        var seen: [String: Any] = ["error": error.code.name, "at": error.at ?? NSNull(), "key": error.key ?? NSNull()]
        if let rpc = error.rpc { seen["rpc"] = ["code": error.rpcCode ?? 0, "data": text(try member(of: rpc, "data"))] }
        return seen
    }
}
