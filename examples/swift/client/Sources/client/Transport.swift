import Foundation
import MRTR

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct BrokenAnswer: Error {}

/// MCP 2026-07-28 over HTTP: one POST per leg. The params are never printed anew.
func transport(_ url: URL) -> Transport {
    { leg in
        let (body, _) = try await URLSession.shared.data(for: request(url, leg.request))
        if let object = try member(of: body, "error") { throw RPCError(object: object) }
        guard let result = try member(of: body, "result") else { throw BrokenAnswer() }
        return result
    }
}

func request(_ url: URL, _ leg: Send) throws -> URLRequest {
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    request.setValue("application/json, text/event-stream", forHTTPHeaderField: "Accept")
    request.setValue("2026-07-28", forHTTPHeaderField: "MCP-Protocol-Version")
    request.setValue(leg.method, forHTTPHeaderField: "Mcp-Method")
    let names = ["tools/call": "name", "prompts/get": "name", "resources/read": "uri"]
    if let wanted = names[leg.method], let raw = try member(of: leg.params, wanted), let name = try? JSONDecoder().decode(String.self, from: raw) {
        let plain = name.utf8.allSatisfy { (32...126).contains($0) } && name.trimmingCharacters(in: .whitespaces) == name
        request.setValue(plain ? name : "=?base64?\(Data(name.utf8).base64EncodedString())?=", forHTTPHeaderField: "Mcp-Name")
    }
    request.httpBody = Data("{\"jsonrpc\":\"2.0\",\"id\":\(leg.id),\"method\":\"\(leg.method)\",\"params\":".utf8) + leg.params + Data("}".utf8)
    return request
}
