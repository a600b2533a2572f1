// Calls a tool of an MCP server and answers what it asks from a file.
//
//     client URL TOOL ARGUMENTS ANSWERS
//
// ANSWERS names a JSON file: an ask's key to its content, or to "accept", "decline" or "cancel".
import Foundation
import MRTR
import wire

let arguments = CommandLine.arguments
guard arguments.count == 5, let url = URL(string: arguments[1]) else {
    print("usage: client URL TOOL ARGUMENTS ANSWERS")
    exit(2)
}
let answers = try Data(contentsOf: URL(fileURLWithPath: arguments[4]))

let handler: Handler = { ask in
    guard let answer = try member(of: answers, ask.key) else { return .unavailable }
    print("   ? \(ask.key): \(ask.message ?? "") \(ask.url ?? "")\n   = \(String(decoding: answer, as: UTF8.self))")
    switch String(decoding: answer, as: UTF8.self) {
    case "\"accept\"": return .accept
    case "\"decline\"": return .decline
    case "\"cancel\"": return .cancel
    default: return .value(answer)
    }
}

var options = ClientOptions()
options.form = handler
options.url = handler
options.clientInfo = Data(#"{"name":"libmrtr-swift-example","version":"0.1.0"}"#.utf8)
let name = String(decoding: try JSONEncoder().encode(arguments[2]), as: UTF8.self)
do {
    let params = Data(#"{"name":\#(name),"arguments":\#(arguments[3])}"#.utf8)
    let result = try await call(Client(options), options, url, method: "tools/call", params: params)
    print(String(decoding: try member(of: result.json, "content") ?? Data(), as: UTF8.self))
} catch let error as MRTRError {
    print(error, error.rpc.map { "the server said " + String(decoding: $0, as: UTF8.self) } ?? "")
    exit(1)
}
