import Foundation
import MRTR

let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
let ciphers: [String: Cipher] = ["aes256gcm": .aes256gcm, "chacha20poly1305": .chacha20poly1305, "signed": .signed]

func principal(_ story: Case, _ name: String = "principal") -> Principal {
    if let one = story.string(name) { return .user(one) }
    return story.raw(name)?.first == UInt8(ascii: "[") ? .parts(story.strings(name)) : .nobody
}

func duration(_ story: Case, _ name: String) -> Duration? {
    story.int(name).map { .milliseconds($0) } ?? story.number(name).map { .microseconds(Int64($0 * 1000)) }
}

func makeSealer(_ story: Case) throws -> Sealer {
    var options = SealerOptions()
    options.ttl = duration(story, "ttlMs")
    options.skew = duration(story, "skewMs")
    options.maxAge = duration(story, "maxAgeMs")
    options.maxRounds = story.uint32("maxRounds")
    options.maxStateBytes = story.uint("maxStateBytes")
    options.audience = story.string("audience")
    options.singleUse = story.flag("singleUse")
    if let name = story.string("cipher") {
        guard let cipher = ciphers[name] else { throw Unreadable(description: "cipher \(name)") }
        options.cipher = cipher
    }
    if story.flag("ephemeral") { return try .ephemeral(options: options) }
    return try Sealer(keys: story.strings("keys").map(hex), options: options)
}

func outcome(_ body: () throws -> Void) throws -> [String: Any] {
    do { try body() } catch let error as MRTRError {
        return ["outcome": error.code.name]
    }
    return ["outcome": "ok"]
}

func request(_ story: Case) -> Request {
    Request(method: story.string("method") ?? "", params: story.data("params"), principal: principal(story))
}

func moment(_ story: Case) -> Date { Date(timeIntervalSince1970: (story.number("atMs") ?? 0) / 1000) }

func observeState(_ story: Case) throws -> [String: Any] {
    var sealers: [String: Sealer] = [:]
    let described = try story.object("sealers") ?? .none
    for (name, options) in described.members { sealers[name.utf8] = try makeSealer(Case(text: options)) }
    var tokens: [String: String] = [:]
    var steps: [[String: Any]] = []
    for step in try story.objects("steps") {
        if let config = try step.object("config") {
            steps.append(try outcome { _ = try makeSealer(config) })
        } else if let said = try step.object("seal") {
            steps.append(try seal(said, as: step.string("as"), sealers, &tokens))
        } else if let said = try step.object("open") {
            steps.append(try open(said, sealers, tokens))
        }
    }
    return ["steps": steps]
}

func seal(_ said: Case, as name: String?, _ sealers: [String: Sealer], _ tokens: inout [String: String]) throws -> [String: Any] {
    let state = said.string("stateHex").map(hex) ?? said.data("state")
    var previous: String?
    if let next = said.string("next") {
        previous = tokens[next]
        if previous == nil { return ["outcome": "no_token"] }
    }
    return try outcome {
        let token = try sealers[said.string("by") ?? ""]?.seal(request(said), state: state, previous: previous, at: moment(said))
        if let name { tokens[name] = token }
    }
}

func open(_ said: Case, _ sealers: [String: Sealer], _ tokens: [String: String]) throws -> [String: Any] {
    let name = said.string("token")
    let token = name.flatMap { tokens[$0] }
    if name != nil && token == nil { return ["outcome": "no_token"] }
    guard let sealer = sealers[said.string("by") ?? ""] else { throw Unreadable(description: "no such sealer") }
    let once = { (variant: String) throws -> [String: Any] in
        do {
            let opened = try sealer.open(request(said), token: variant, at: moment(said))
            return ["outcome": "ok", "round": opened.round].merging(told(opened.state)) { first, _ in first }
        } catch let error as MRTRError {
            return ["outcome": error.code.name, "rpc": text(error.rpc)]
        }
    }
    let edit = try said.object("edit") ?? .none
    guard let variants = variants(edit, token ?? "") else { return try once(try edited(edit, token ?? "")) }
    let seen = try variants.map(once)
    let refused = seen.allSatisfy { $0["outcome"] as? String != "ok" }
    return ["outcome": refused ? "refused" : "accepted", "rpc": Array(Set(seen.map { $0["rpc"] as? String ?? "" }))]
}

func told(_ state: Data?) -> [String: Any] {
    guard let state else { return ["state": NSNull()] }
    if let text = String(data: state, encoding: .utf8) { return ["state": text] }
    return ["stateHex": state.map { String(format: "%02x", $0) }.joined()]
}

func edited(_ edit: Case, _ token: String) throws -> String {
    if let tail = edit.string("append") { return token + tail }
    if edit.has("insertAt") {
        let place = try edit.array("insertAt")
        let at = try JSONDecoder().decode(Int.self, from: place[0])
        let what = try decodedText(place[1])
        let index = token.index(token.startIndex, offsetBy: at)
        return String(token[..<index]) + what + String(token[index...])
    }
    if let prefix = edit.string("prefix"), let dot = token.firstIndex(of: ".") { return prefix + String(token[token.index(after: dot)...]) }
    return edit.string("text") ?? token
}

func variants(_ edit: Case, _ token: String) -> [String]? {
    let characters = Array(token)
    if edit.has("eachLastChar") { return alphabet.filter { $0 != characters.last }.map { token.dropLast() + String($0) } }
    if edit.has("eachLength") { return characters.indices.map { String(characters[..<$0]) } }
    guard edit.has("eachBit") else { return nil }
    return characters.indices.flatMap { at in
        (0..<7).map { bit in
            var changed = Array(token.utf8)
            changed[at] ^= 1 << UInt8(bit)
            return String(decoding: changed, as: UTF8.self)
        }
    }
}
