// The client under the official suite: conformance URL, with the scenario in MCP_CONFORMANCE_SCENARIO.
import Foundation
import MRTR
import wire

let environment = ProcessInfo.processInfo.environment
guard environment["MCP_CONFORMANCE_SCENARIO"] == "sep-2322-client-request-state", let url = URL(string: CommandLine.arguments.last ?? "") else {
    print("conformance: no URL, or an unknown scenario")
    exit(2)
}

struct Schema: Decodable {
    struct Field: Decodable { let type: String }
    let properties: [String: Field]
}

var options = ClientOptions()
options.clientInfo = Data(#"{"name":"libmrtr-swift","version":"0.1.0"}"#.utf8)
options.protocolVersion = environment["MCP_CONFORMANCE_PROTOCOL_VERSION"]
// Yes to every boolean, a word to every text: the suite asks for a confirmation.
options.form = { ask in
    let schema = try JSONDecoder().decode(Schema.self, from: ask.schema ?? Data())
    let values: [String: Any] = ["boolean": true, "string": "yes", "integer": 1, "number": 1]
    return .value(try JSONSerialization.data(withJSONObject: schema.properties.compactMapValues { values[$0.type] }))
}
let client = try Client(options)
for tool in ["test_mrtr_echo_state", "test_mrtr_no_state", "test_mrtr_unrelated", "test_mrtr_no_result_type"] {
    _ = try await call(client, options, url, method: "tools/call", params: Data(#"{"name":"\#(tool)","arguments":{}}"#.utf8))
}
