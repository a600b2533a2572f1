import Foundation
import MRTR

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The versions that these programs speak, best first.
let spoken = ["2026-07-28"]

struct BrokenAnswer: Error {}

/// Calls, and once more with a version that the server names if it refuses the client's.
public func call(_ client: Client, _ options: ClientOptions, _ url: URL, method: String, params: Data) async throws -> CallResult {
    do {
        return try await client.call(method: method, params: params, transport: transport(url))
    } catch let error as MRTRError {
        guard let rpc = error.rpc, let version = try retryVersion(after: rpc, spoken: spoken) else { throw error }
        var again = options
        again.protocolVersion = version
        return try await Client(again).call(method: method, params: params, transport: transport(url))
    }
}

/// MCP 2026-07-28 over HTTP: one POST per leg. The params are never printed anew.
public func transport(_ url: URL) -> Transport {
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
    for header in try requestHeaders(method: leg.method, params: leg.params) {
        request.setValue(header.value, forHTTPHeaderField: header.name)
    }
    request.httpBody = Data("{\"jsonrpc\":\"2.0\",\"id\":\(leg.id),\"method\":\"\(leg.method)\",\"params\":".utf8) + leg.params + Data("}".utf8)
    return request
}
